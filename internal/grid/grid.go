// Package grid leases browsers from a Selenium Grid: a new session with capabilities,
// the way to its browser, and its release, also after a rove that was killed.
package grid

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rove/internal/proc"
	"rove/internal/webdriver"
	"rove/internal/wire"
)

// Lease is a session of a grid.
type Lease struct {
	ID  string
	CDP string // the websocket address of the browser's DevTools, by way of the grid; "" where it offers none
	// BiDi is that of WebDriver BiDi, where that is what it offers.
	BiDi             string
	Browser, Version string // what the browser calls itself

	base   *url.URL
	unlock func()
}

// Failure is a grid that gives no browser.
type Failure struct {
	At     string
	Reason string
	Hint   string
	Err    error
}

func (e *Failure) Error() string { return e.At + ": " + e.Reason }
func (e *Failure) Unwrap() error { return e.Err }

// Options say which browser is wanted.
type Options struct {
	Browser      string // as grids call it; "" is chrome, or what the capabilities say
	Headed       bool
	Args         []string
	Capabilities map[string]any // more of them; those of the browser count more
}

// ParseURL checks the address of a grid.
func ParseURL(at string) (*url.URL, error) {
	if !strings.Contains(at, "://") {
		at = "http://" + at
	}
	u, err := url.Parse(at)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a grid: write one such as http://grid.example:4444", at)
	}
	u.Path = strings.TrimSuffix(u.Path, "/")
	return u, nil
}

// New leases a browser. It waits in the grid's queue until ctx ends.
func New(ctx context.Context, at string, opts Options) (*Lease, error) {
	base, err := ParseURL(at)
	if err != nil {
		return nil, err
	}
	sweep(ctx)
	caps := capabilities(opts)
	var made struct {
		SessionID    string `json:"sessionId"`
		Capabilities struct {
			CDP     string `json:"se:cdp"`
			BiDi    any    `json:"webSocketUrl"`
			Browser string `json:"browserName"`
			Version string `json:"browserVersion"`
		} `json:"capabilities"`
	}
	err = ask(ctx, base, http.MethodPost, "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": caps}}, &made)
	if err != nil {
		return nil, err
	}
	l := &Lease{ID: made.SessionID, base: base}
	if err := l.note(ctx); err != nil {
		_ = l.Release(ctx)
		return nil, err
	}
	l.Browser, l.Version = made.Capabilities.Browser, made.Capabilities.Version
	bidi, _ := made.Capabilities.BiDi.(string)
	switch {
	case made.Capabilities.CDP != "" && caps["se:cdpEnabled"] != false: // a node offers it, whatever it was asked
		l.CDP, err = l.reached(made.Capabilities.CDP)
	case bidi != "":
		l.BiDi, err = l.reached(bidi)
	}
	if err != nil {
		_ = l.Release(ctx)
		return nil, err
	}
	return l, nil
}

// optionsOf are the browsers whose arguments grids take, with the one for no window.
var optionsOf = map[any]struct{ key, headless string }{
	"chrome":        {"goog:chromeOptions", "--headless=new"},
	"MicrosoftEdge": {"ms:edgeOptions", "--headless=new"},
	"firefox":       {"moz:firefoxOptions", "-headless"},
}

// capabilities are what is asked of the grid.
func capabilities(opts Options) map[string]any {
	caps := map[string]any{}
	maps.Copy(caps, opts.Capabilities)
	if caps["browserName"] == nil {
		caps["browserName"] = cmp.Or(opts.Browser, "chrome")
	}
	if o, ok := optionsOf[caps["browserName"]]; ok && caps[o.key] == nil {
		args := opts.Args
		if !opts.Headed {
			args = append([]string{o.headless}, args...)
		}
		caps[o.key] = map[string]any{"args": args}
	}
	if bidi := []any{"firefox", "MicrosoftEdge"}; caps["webSocketUrl"] == nil && slices.Contains(bidi, caps["browserName"]) {
		caps["webSocketUrl"] = true
	}
	if caps["webSocketUrl"] == true && caps["unhandledPromptBehavior"] == nil {
		caps["unhandledPromptBehavior"] = map[string]any{"default": "ignore"}
	}
	return caps
}

// reached is the address of the browser as it is seen from here: a grid may know
// itself by a name that only its nodes know.
func (l *Lease) reached(cdp string) (string, error) {
	u, err := url.Parse(cdp)
	if err != nil {
		return "", &Failure{At: l.base.Host, Reason: "the grid gives no address of the browser", Err: err}
	}
	u.Host, u.User = l.base.Host, l.base.User
	if u.Scheme = "ws"; l.base.Scheme == "https" {
		u.Scheme = "wss"
	}
	return u.String(), nil
}

// Base is the address of the grid.
func (l *Lease) Base() *url.URL { return l.base }

// There says whether the session is still there, where the node answers for it.
func (l *Lease) There(ctx context.Context) error {
	err := ask(ctx, l.base, http.MethodGet, "/session/"+url.PathEscape(l.ID)+"/timeouts", nil, nil)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Release gives the browser back.
func (l *Lease) Release(ctx context.Context) error {
	err := ask(ctx, l.base, http.MethodDelete, "/session/"+url.PathEscape(l.ID), nil, nil)
	if refused, ok := errors.AsType[*webdriver.Refusal](err); ok && refused.Code == "invalid session id" {
		err = nil // the grid has ended it already
	}
	if l.unlock != nil {
		if err == nil {
			_ = os.Remove(l.file(".json"))
		}
		l.unlock()
		_ = os.Remove(l.file(".lock"))
		l.unlock = nil
	}
	return err
}

// ask calls the grid. Name and password of its address go along.
func ask(ctx context.Context, base *url.URL, method, path string, body, out any) error {
	remote := webdriver.NewRemote(base)
	defer remote.Close()
	err := remote.Do(ctx, method, path, body, out)
	if err == nil {
		return nil
	}
	f := &Failure{At: base.Host, Reason: "the grid broke off", Err: err}
	var refused *webdriver.Refusal
	var other *webdriver.NotWebDriver
	var unreached *url.Error
	switch {
	case ctx.Err() != nil:
		f.Reason, f.Hint = "the grid gave no browser in time", "all its slots may be taken: see its own page, or give it longer"
	case errors.As(err, &refused):
		f.Reason, f.Hint = "the grid says: "+refused.Error(), "see which browsers its nodes have"
	case errors.As(err, &other) && other.StatusCode == http.StatusUnauthorized:
		f.Reason, f.Hint = "the grid wants another name and password", "write them into its address: http://name:password@host:4444"
	case errors.As(err, &other):
		f.Reason, f.Hint = "what listens there is no grid: "+other.Error(), "take the address of the hub, such as http://grid.example:4444"
	case errors.As(err, &unreached):
		f.Reason, f.Hint = "no grid answers there", "see that the hub runs and is reached from here"
	}
	return f
}

// Leases are noted in a folder, each with a lock that goes with its owner.

func folder() (string, error) {
	home, err := proc.Home()
	return filepath.Join(home, "leases"), err
}

func (l *Lease) file(ext string) string {
	dir, _ := folder()
	return filepath.Join(dir, strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, l.ID)+ext)
}

type noted struct {
	Grid string `json:"grid"`
	ID   string `json:"id"`
}

func (l *Lease) note(ctx context.Context) error {
	dir, err := folder()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return err
	}
	if l.unlock, err = proc.Lock(ctx, l.file(".lock")); err != nil {
		return err
	}
	text, err := wire.Marshal(noted{l.base.String(), l.ID})
	if err == nil {
		err = os.WriteFile(l.file(".json"), text, 0o600)
	}
	return err
}

// sweepTime bounds what is done for leases of roves that were killed.
const sweepTime = 10 * time.Second

// sweep releases what roves that were killed have left on their grids.
func sweep(ctx context.Context) {
	dir, err := folder()
	if err != nil {
		return
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		var n noted
		if err != nil || wire.Unmarshal(text, &n) != nil {
			continue
		}
		base, err := ParseURL(n.Grid)
		if err != nil {
			continue
		}
		l := &Lease{ID: n.ID, base: base}
		soon, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		l.unlock, err = proc.Lock(soon, l.file(".lock"))
		cancel()
		if err != nil {
			continue // its owner lives
		}
		bound, cancel := context.WithTimeout(ctx, sweepTime)
		_ = l.Release(bound)
		cancel()
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			_ = os.Remove(name) // the grid is gone, or has long ended it
		}
	}
}
