package pwserver

import (
	"cmp"
	"context"
	"net/url"
	"sync"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Context is a browser context. It implements backend.Context.
type Context struct {
	anypage.Context[*Tab]
	browser  *Browser
	guid     string
	requests string // what fetches for it

	observers anypage.Observers

	mu        sync.Mutex
	emulation *backend.Emulation
	routes    *interception
}

var (
	_ backend.Context = (*Context)(nil)
	_ backend.Capable = (*Context)(nil)
	_ backend.Named   = (*Context)(nil)
	_ backend.Counter = (*Context)(nil)
)

// Backend names this backend in messages.
func (c *Context) Backend() string { return "playwright" }

// Capabilities are what this backend can do.
func (c *Context) Capabilities() []backend.Capability {
	if c.browser == nil {
		return capabilities("chromium")
	}
	return capabilities(c.browser.name)
}

// capabilities are what it can do with a browser: pages are printed, and a page that is
// open takes on what is emulated and its window moved, with Chromium alone.
func capabilities(browser string) []backend.Capability {
	list := []backend.Capability{
		backend.CanDialogs, backend.CanIntercept, backend.CanTree, backend.CanIsolate, backend.CanScreencast, backend.CanDrop,
		backend.CanTraffic, backend.CanConsole, backend.CanChooser, backend.CanDownloads, backend.CanWorld, backend.CanAtOnce,
	}
	if browser == "chromium" {
		list = append(list, backend.CanPDF, backend.CanEmulate, backend.CanWindow, backend.CanRoots, backend.CanListeners)
		return append(list, backend.Emulations()...)
	}
	return append(list, backend.CanEmulateScreen, backend.CanEmulatePlace, backend.CanEmulateOffline, backend.CanEmulateMedia)
}

// Version is the product and version of the browser.
func (c *Context) Version() string { return c.browser.Version() }

// NewTab opens a tab.
func (c *Context) NewTab(ctx context.Context) (backend.Tab, error) {
	if err := c.CanOpen(); err != nil {
		return nil, err
	}
	b := c.browser
	var made struct {
		Page ref `json:"page"`
	}
	if err := b.conn.call(ctx, c.guid, "newPage", nil, &made); err != nil {
		return nil, err
	}
	b.mu.Lock()
	t := b.tabs[made.Page.GUID] // it was announced before the answer
	b.mu.Unlock()
	if t == nil {
		return nil, backend.Fail(backend.KindClosed, "the tab went away at once")
	}
	return t, t.ready(ctx)
}

// Close closes the tabs and forgets the context's data.
func (c *Context) Close(ctx context.Context) error {
	if !c.MarkClosed() {
		return nil
	}
	b := c.browser
	err := b.conn.call(ctx, c.guid, "close", nil, nil)
	b.mu.Lock()
	delete(b.contexts, c.guid)
	b.mu.Unlock()
	for _, t := range c.OpenTabs() {
		t.end(backend.Fail(backend.KindClosed, "the tab was closed"))
	}
	if backend.KindOf(err) == backend.KindClosed {
		return nil
	}
	return err
}

// cookie is a cookie of Playwright's.
type cookie struct {
	Name         string  `json:"name"`
	Value        string  `json:"value"`
	Domain       string  `json:"domain,omitempty"`
	Path         string  `json:"path,omitempty"`
	Expires      float64 `json:"expires,omitzero"` // -1 where it goes with the session
	HTTPOnly     bool    `json:"httpOnly"`
	Secure       bool    `json:"secure"`
	SameSite     string  `json:"sameSite,omitempty"`
	PartitionKey string  `json:"partitionKey,omitempty"`
}

// Cookies lists the cookies of this context.
func (c *Context) Cookies(ctx context.Context) ([]backend.Cookie, error) {
	var r struct {
		Cookies []cookie `json:"cookies"`
	}
	if err := c.browser.conn.call(ctx, c.guid, "cookies", object{"urls": []string{}}, &r); err != nil {
		return nil, err
	}
	list := make([]backend.Cookie, len(r.Cookies))
	for i, k := range r.Cookies {
		list[i] = backend.Cookie{
			Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path,
			HTTPOnly: k.HTTPOnly, Secure: k.Secure, SameSite: k.SameSite, PartitionKey: k.PartitionKey,
		}
		if k.Expires > 0 {
			list[i].Expires = time.UnixMilli(int64(k.Expires * 1000))
		}
	}
	return list, nil
}

// SetCookies adds cookies, or replaces them.
func (c *Context) SetCookies(ctx context.Context, cookies ...backend.Cookie) error {
	if len(cookies) == 0 {
		return nil
	}
	list := make([]cookie, len(cookies))
	for i, k := range cookies {
		one := cookie{
			Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path,
			HTTPOnly: k.HTTPOnly, Secure: k.Secure, SameSite: k.SameSite, PartitionKey: k.PartitionKey,
		}
		if u, err := url.Parse(k.URL); err == nil && k.URL != "" {
			one.Domain = cmp.Or(one.Domain, u.Hostname())
			one.Secure = one.Secure || u.Scheme == "https"
		}
		one.Path = cmp.Or(one.Path, "/")
		if !k.Expires.IsZero() {
			one.Expires = max(float64(k.Expires.UnixMilli())/1000, 1)
		}
		list[i] = one
	}
	return c.browser.conn.call(ctx, c.guid, "addCookies", object{"cookies": list}, nil)
}

// ClearCookies removes all cookies of this context.
func (c *Context) ClearCookies(ctx context.Context) error {
	return c.browser.conn.call(ctx, c.guid, "clearCookies", nil, nil)
}
