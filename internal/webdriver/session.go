package webdriver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"rove/driver/backend"
	"rove/internal/proc"
)

// Options say which driver, and what is asked of it.
type Options struct {
	Driver       string // one of Names
	Path         string // its executable; found on the machine where it is empty
	Binary       string // the browser's; the driver finds it where it is empty
	Args         []string
	Headed       bool
	Classic      bool           // no BiDi, even where the driver offers it
	Capabilities map[string]any // more of them; those here count most
	Home         string         // where the run directory goes; rove's own when empty
}

// Session is a session of a driver: a browser and what it said of itself.
type Session struct {
	ID     string
	Name   string // of the driver, for messages
	Socket string // the address of its BiDi, where it offers that
	// Browser and Version are what the browser calls itself.
	Browser, Version string

	remote  *Remote
	local   *local // the driver, where it was started here
	ending  sync.Once
	endErr  error
	goodbye func(context.Context) error // instead of ending the session, where somebody else does
}

// local is a driver that was started here.
type local struct {
	process *proc.Process
	scratch *proc.Scratch
}

const (
	startTimeout = 60 * time.Second
	closeTimeout = 10 * time.Second
)

// Start starts a driver and opens a session with it.
func Start(ctx context.Context, opts Options) (*Session, error) {
	d := find(opts.Driver)
	if d == nil {
		return nil, fmt.Errorf("%q is no driver: there are %s", opts.Driver, strings.Join(Names(), ", "))
	}
	if opts.Path == "" {
		var err error
		if opts.Path, err = Find(opts.Driver); err != nil {
			return nil, err
		}
	}
	if NeedsDisplay(opts.Driver) && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return nil, errNoDisplay
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	r, l, err := listen(ctx, d, opts)
	if err != nil {
		return nil, err
	}
	caps := object{"unhandledPromptBehavior": "ignore"}
	if d.bidi && !opts.Classic {
		caps["webSocketUrl"] = true
		caps["unhandledPromptBehavior"] = object{"default": "ignore"}
	}
	maps.Copy(caps, d.browser(opts))
	maps.Copy(caps, opts.Capabilities)
	if caps["webSocketUrl"] == false { // which is how it is asked for to be left out
		delete(caps, "webSocketUrl")
		caps["unhandledPromptBehavior"] = "ignore"
	}
	s, err := Open(ctx, r, caps)
	if err != nil {
		said := l.process.Output()
		l.end()
		r.Close()
		var refused *Refusal
		if errors.As(err, &refused) {
			said = ""
		}
		return nil, fmt.Errorf("%s gives no browser: %w%s", opts.Driver, err, quoted(said))
	}
	s.local, s.Name = l, opts.Driver
	return s, nil
}

func quoted(said string) string {
	if said == "" {
		return ""
	}
	return "; it said:\n" + said
}

// Open opens a session with what listens already.
func Open(ctx context.Context, r *Remote, caps map[string]any) (*Session, error) {
	var made struct {
		SessionID    string       `json:"sessionId"`
		Capabilities capabilities `json:"capabilities"`
	}
	if err := r.Do(ctx, http.MethodPost, "/session", object{"capabilities": object{"alwaysMatch": caps}}, &made); err != nil {
		return nil, err
	}
	s := made.Capabilities.session(r, made.SessionID)
	s.Name = "webdriver"
	return s, nil
}

// capabilities are what a driver says of a session.
type capabilities struct {
	Browser string `json:"browserName"`
	Version string `json:"browserVersion"`
	Socket  any    `json:"webSocketUrl"`
}

func (c capabilities) session(r *Remote, id string) *Session {
	s := &Session{ID: id, Browser: c.Browser, Version: c.Version, remote: r}
	if at, ok := c.Socket.(string); ok {
		s.Socket = at
	}
	return s
}

// Adopt is a session that somebody else has opened and ends, by goodbye.
func Adopt(r *Remote, id, name, browser, version string, goodbye func(context.Context) error) *Session {
	return &Session{ID: id, Name: name, Browser: browser, Version: version, remote: r, goodbye: goodbye}
}

// listen starts a driver on a port that is free, and waits until it listens there.
func listen(ctx context.Context, d *kind, opts Options) (*Remote, *local, error) {
	var last error
	for range 3 { // somebody else may take the port first
		scratch, err := proc.NewScratch(opts.Home)
		if err != nil {
			return nil, nil, err
		}
		port, err := freePort()
		if err != nil {
			_ = scratch.Remove()
			return nil, nil, err
		}
		process, err := proc.Start(ctx, proc.Spec{
			Path: opts.Path, Args: append([]string{listenFlag(d, port)}, d.args...), Env: []string{"MOZ_CRASHREPORTER_DISABLE=1"}, Scratch: scratch, Private: true,
		})
		if err != nil {
			_ = scratch.Remove()
			return nil, nil, err
		}
		l := &local{process, scratch}
		r := NewRemote(&url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)})
		if last = ready(ctx, r, process); last == nil {
			return r, l, nil
		}
		said := process.Output()
		l.end()
		if ctx.Err() != nil {
			return nil, nil, fmt.Errorf("%s does not answer: %w%s", opts.Path, last, quoted(said))
		}
		last = fmt.Errorf("%s did not start: %w%s", opts.Path, last, quoted(said))
	}
	return nil, nil, last
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// ready waits until a driver answers.
func ready(ctx context.Context, r *Remote, process *proc.Process) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		err := r.Do(ctx, http.MethodGet, "/status", nil, nil)
		var other *NotWebDriver
		if err == nil || errors.As(err, &other) {
			return err
		}
		select {
		case <-tick.C:
		case <-process.Done():
			return fmt.Errorf("it ended: %w", process.Err())
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *local) end() error {
	err := l.process.Kill()
	return errors.Join(err, l.scratch.Remove())
}

// Done is closed when the driver that was started here is gone; nil for others.
func (s *Session) Done() <-chan struct{} {
	if s.local == nil {
		return nil
	}
	return s.local.process.Done()
}

// Memory is how much memory driver and browser have.
func (s *Session) Memory() (int64, error) {
	if s.local == nil {
		return 0, errors.ErrUnsupported
	}
	return s.local.process.Memory()
}

// Folder is a directory that goes with the session; "" where it runs elsewhere.
func (s *Session) Folder() string {
	if s.local == nil {
		return ""
	}
	return s.local.scratch.Dir
}

// Product is the browser's name and version.
func (s *Session) Product() string { return s.Browser + "/" + s.Version }

// webkit says whether the browser is one of that kind.
func (s *Session) webkit() bool {
	name := strings.ToLower(s.Browser)
	return s.Name == "webkit" || strings.Contains(name, "webkit") || name == "safari" || name == "minibrowser"
}

// End ends the session, and the driver where it was started here.
func (s *Session) End() error {
	s.ending.Do(func() { s.endErr = s.end() })
	return s.endErr
}

func (s *Session) end() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	defer s.remote.Close()
	if s.goodbye != nil {
		return s.goodbye(ctx)
	}
	err := s.do(ctx, http.MethodDelete, "", nil, nil)
	if s.local == nil {
		if backend.KindOf(err) == backend.KindClosed {
			return nil
		}
		return err
	}
	return s.local.end()
}

// leave ends the session, and keeps the driver. A grid's is given back at once: there may
// be no other for who comes next.
func (s *Session) leave() error {
	if s.goodbye != nil {
		return s.End()
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	err := s.do(ctx, http.MethodDelete, "", nil, nil)
	if backend.KindOf(err) == backend.KindClosed {
		return nil
	}
	return err
}

// do sends a command of the session.
func (s *Session) do(ctx context.Context, method, path string, body, out any) error {
	return fault(s.remote.Do(ctx, method, "/session/"+url.PathEscape(s.ID)+path, body, out))
}
