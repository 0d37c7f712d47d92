package webdriver

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Context is a session of a driver. It implements backend.Context.
//
// A session has one window and one frame at a time that commands are for: turn orders
// them, and at says which these are.
type Context struct {
	anypage.Context[*Tab]
	browser *Browser
	session *Session
	name    string // of what the page script hangs on, in the page's own world

	turn chan struct{} // held by whoever sends commands
	at   struct {
		window string
		frame  backend.FrameID // "" is none known
	}
	granted time.Duration // how long the driver lets a script run; of who has the turn

	mu    sync.Mutex
	spare string // a window that nobody has, "" for none
}

var (
	_ backend.Context = (*Context)(nil)
	_ backend.Capable = (*Context)(nil)
	_ backend.Named   = (*Context)(nil)
	_ backend.Counter = (*Context)(nil)
)

func newContext(b *Browser, s *Session, opts backend.ContextOptions) *Context {
	c := &Context{browser: b, session: s, name: "r" + strings.ToLower(rand.Text()), turn: make(chan struct{}, 1)}
	c.Configure(opts)
	return c
}

// begin finds the window that a session begins with.
func (c *Context) begin(ctx context.Context) error {
	var first string
	if err := c.do(ctx, http.MethodGet, "/window", nil, &first); err != nil {
		return err
	}
	c.spare, c.at.window, c.granted = first, first, scriptTimeout
	return c.do(ctx, http.MethodPost, "/timeouts", object{"script": scriptTimeout.Milliseconds(), "pageLoad": pageTimeout.Milliseconds()}, nil)
}

const (
	scriptTimeout = 2 * time.Minute // for what no call's own time ends
	pageTimeout   = 5 * time.Minute

	commandTimeout = 30 * time.Second // for a driver to answer what takes no time
)

// Backend names this backend in messages.
func (c *Context) Backend() string { return c.session.Name + " (classic)" }

// Capabilities are what this backend can do. A driver that prints says so when asked.
func (c *Context) Capabilities() []backend.Capability {
	list := []backend.Capability{backend.CanDialogs, backend.CanTree, backend.CanIsolate, backend.CanWindow}
	if c.prints() {
		list = append(list, backend.CanPDF)
	}
	return list
}

// prints says whether the driver can print pages.
func (c *Context) prints() bool {
	return c.session != nil && slices.Contains([]string{"chromedriver", "msedgedriver", "geckodriver"}, c.session.Name)
}

// Version is the product and version of the browser.
func (c *Context) Version() string { return c.session.Product() }

// do sends a command. Once sent it is waited for, though the caller's time is up: a
// driver goes on with it, and nobody would know in which frame. Scripts end by
// themselves then; one whose caller is gone is left.
func (c *Context) do(ctx context.Context, method, path string, body, out any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.Sent.Add(1)
	bound := commandTimeout
	switch path {
	case "/execute/async":
		bound = scriptTimeout
	case "/url", "/back", "/forward", "/refresh":
		bound = pageTimeout
	}
	whole, cancel := context.WithTimeout(context.WithoutCancel(ctx), bound)
	defer cancel()
	if path == "/execute/async" {
		defer context.AfterFunc(ctx, func() {
			if errors.Is(ctx.Err(), context.Canceled) {
				cancel()
			}
		})()
	}
	err := c.session.do(whole, method, path, body, out)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// grant has the driver give a script so much time, 0 for all there is. A timer in the page
// ends what waits; what works without end is ended by the driver alone, or holds it for as
// long. Scripts of our own come to an end by themselves, and are only given enough. The turn
// is held.
func (c *Context) grant(ctx context.Context, left time.Duration, foreign bool) error {
	want := scriptTimeout
	if left > 0 && foreign {
		// Later than the timer in the page, which says more.
		want = min(left.Round(time.Second)+2*time.Second, scriptTimeout)
	}
	if want == c.granted || !foreign && left > 0 && c.granted > left {
		return nil
	}
	if err := c.do(ctx, http.MethodPost, "/timeouts", object{"script": want.Milliseconds()}, nil); err != nil {
		return err
	}
	c.granted = want
	return nil
}

// take waits for the turn; give is to be called after.
func (c *Context) take(ctx context.Context) error {
	select {
	case c.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Context) give() { <-c.turn }

// NewTab opens a tab.
func (c *Context) NewTab(ctx context.Context) (backend.Tab, error) {
	if err := c.CanOpen(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	window := c.spare
	c.spare = ""
	c.mu.Unlock()
	if err := c.take(ctx); err != nil {
		return nil, err
	}
	if window == "" {
		var made struct {
			Handle string `json:"handle"`
		}
		if err := c.do(ctx, http.MethodPost, "/window/new", object{"type": "tab"}, &made); err != nil {
			c.give()
			return nil, err
		}
		window = made.Handle
	}
	t := newTab(c, window)
	c.Add(t)
	c.give()
	if err := t.SetViewport(ctx, c.Viewport); err != nil {
		return nil, err
	}
	return t, nil
}

// windows looks which windows there are: one that is new was opened by the tab that
// acted. The turn is held.
func (c *Context) windows(ctx context.Context, by *Tab) error {
	var handles []string
	if err := c.do(ctx, http.MethodGet, "/window/handles", nil, &handles); err != nil {
		return err
	}
	c.mu.Lock()
	spare := c.spare
	c.mu.Unlock()
	known := c.OpenTabs()
	for _, t := range known {
		if !slices.Contains(handles, t.id) {
			t.end(backend.Fail(backend.KindClosed, "the tab was closed"))
		}
	}
	for _, h := range handles {
		if h == spare || slices.ContainsFunc(known, func(t *Tab) bool { return t.id == h }) {
			continue
		}
		t := newTab(c, h)
		c.Add(t)
		_ = t.survey(ctx) // so that it has an address
		by.News.Add(backend.TabOpened{Tab: t})
	}
	return nil
}

// Close ends the session.
func (c *Context) Close(context.Context) error {
	if !c.MarkClosed() {
		return nil
	}
	for _, t := range c.OpenTabs() {
		t.end(backend.Fail(backend.KindClosed, "the browser context was closed"))
	}
	if c.session == c.browser.first {
		return c.session.leave() // its driver goes with the browser
	}
	c.browser.mu.Lock()
	c.browser.sessions = slices.DeleteFunc(c.browser.sessions, func(s *Session) bool { return s == c.session })
	c.browser.mu.Unlock()
	return c.session.End()
}

// cookie is a cookie of WebDriver.
type cookie struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	Path     string `json:"path"`
	Domain   string `json:"domain"`
	Secure   bool   `json:"secure"`
	HTTPOnly bool   `json:"httpOnly"`
	Expiry   int64  `json:"expiry"`
	SameSite string `json:"sameSite"`
}

// onPage does something in the window of the tab that was used last: cookies are those
// of the page that is shown.
func (c *Context) onPage(ctx context.Context, do func() error) error {
	if err := c.take(ctx); err != nil {
		return err
	}
	defer c.give()
	return do()
}

// Cookies lists the cookies that the page shown last has: a driver tells of no others.
func (c *Context) Cookies(ctx context.Context) ([]backend.Cookie, error) {
	var got []cookie
	if err := c.onPage(ctx, func() error { return c.do(ctx, http.MethodGet, "/cookie", nil, &got) }); err != nil {
		return nil, err
	}
	list := make([]backend.Cookie, len(got))
	for i, k := range got {
		list[i] = backend.Cookie{Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path, Secure: k.Secure, HTTPOnly: k.HTTPOnly, SameSite: k.SameSite}
		if k.Expiry > 0 {
			list[i].Expires = time.Unix(k.Expiry, 0)
		}
	}
	return list, nil
}

// SetCookies adds cookies of the page's own host; those of others a driver refuses.
func (c *Context) SetCookies(ctx context.Context, cookies ...backend.Cookie) error {
	return c.onPage(ctx, func() error {
		for _, k := range cookies {
			if !k.Expires.IsZero() && k.Expires.Before(time.Now()) {
				if err := c.do(ctx, http.MethodDelete, "/cookie/"+url.PathEscape(k.Name), nil, nil); err != nil {
					return err
				}
				continue
			}
			one := object{"name": k.Name, "value": k.Value, "httpOnly": k.HTTPOnly, "secure": k.Secure || strings.HasPrefix(k.URL, "https:")}
			for name, value := range map[string]string{"path": k.Path, "domain": k.Domain, "sameSite": k.SameSite} {
				if value != "" {
					one[name] = value
				}
			}
			if !k.Expires.IsZero() {
				one["expiry"] = k.Expires.Unix()
			}
			if err := c.do(ctx, http.MethodPost, "/cookie", object{"cookie": one}, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// ClearCookies removes the cookies of the page that is shown, one by one: WebKit's driver
// leaves some when it is asked for all.
func (c *Context) ClearCookies(ctx context.Context) error {
	return c.onPage(ctx, func() error {
		var got []cookie
		if err := c.do(ctx, http.MethodGet, "/cookie", nil, &got); err != nil {
			return err
		}
		for _, k := range got {
			if err := c.do(ctx, http.MethodDelete, "/cookie/"+url.PathEscape(k.Name), nil, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// Emulate is not to be had by WebDriver alone.
func (c *Context) Emulate(context.Context, backend.Emulation) error {
	return c.cannot("emulation")
}

// Intercept is not to be had by WebDriver alone, but for ending what never began.
func (c *Context) Intercept(_ context.Context, patterns []backend.Pattern, _ func(backend.Route)) error {
	if len(patterns) == 0 {
		return nil
	}
	return c.cannot("interception of requests")
}

// cannot says what is missing, and what has it.
func (c *Context) cannot(what string) error {
	instead := "with Chrome it works"
	if d := find(c.session.Name); d != nil && d.bidi {
		instead = "with BiDi it works"
	}
	return backend.Fail(backend.KindUnsupported, what+" on "+c.Backend()+"; "+instead)
}
