package bidi

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Context is a user context. It implements backend.Context.
type Context struct {
	browser  *Browser
	id       string
	policy   backend.Policy
	viewport backend.Viewport
	folder   string
	trips    atomic.Int64

	interception atomic.Pointer[interception]

	observers anypage.Observers
	collect   sync.Once // has the browser keep bodies

	mu     sync.Mutex
	tabs   []*Tab
	closed bool
}

var (
	_ backend.Context = (*Context)(nil)
	_ backend.Capable = (*Context)(nil)
	_ backend.Named   = (*Context)(nil)
	_ backend.Counter = (*Context)(nil)
)

// Backend names this backend in messages.
func (c *Context) Backend() string { return c.browser.at.Name }

// Capabilities are what this backend can do so far.
func (c *Context) Capabilities() []backend.Capability {
	return []backend.Capability{backend.CanDialogs, backend.CanPDF, backend.CanTree, backend.CanIsolate, backend.CanIntercept, backend.CanWindow, backend.CanTraffic, backend.CanConsole}
}

// Trips counts the round trips of all its tabs so far.
func (c *Context) Trips() int64 { return c.trips.Load() }

// Version is the product and version of the browser.
func (c *Context) Version() string { return c.browser.version }

// NewTab opens a tab.
func (c *Context) NewTab(ctx context.Context) (backend.Tab, error) {
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	if closed {
		return nil, fail(backend.KindClosed, "the browser context is closed")
	}
	b := c.browser
	var made struct {
		ID string `json:"context"`
	}
	if err := b.root.Call(ctx, "browsingContext.create", object{"type": "tab", "userContext": c.id}, &made); err != nil {
		return nil, fault(err)
	}
	b.mu.Lock()
	t := b.tabs[made.ID] // it was announced before the answer
	b.mu.Unlock()
	if t == nil {
		return nil, fail(backend.KindClosed, "the tab went away at once")
	}
	if err := t.SetViewport(ctx, c.viewport); err != nil {
		return nil, err
	}
	return t, nil
}

// Tabs lists the open tabs, oldest first.
func (c *Context) Tabs() []backend.Tab {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := make([]backend.Tab, len(c.tabs))
	for i, t := range c.tabs {
		list[i] = t
	}
	return list
}

func (c *Context) add(t *Tab) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tabs = append(c.tabs, t)
}

func (c *Context) remove(t *Tab) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tabs = slices.DeleteFunc(c.tabs, func(o *Tab) bool { return o == t })
}

// Close closes the tabs and forgets the context's data.
func (c *Context) Close(ctx context.Context) error {
	c.mu.Lock()
	closed := c.closed
	c.closed = true
	c.mu.Unlock()
	if closed {
		return nil
	}
	b := c.browser
	_ = c.Intercept(ctx, nil, nil)
	for _, t := range c.Tabs() {
		if err := t.Close(ctx); err != nil && t.Err() == nil {
			return err
		}
	}
	err := fault(b.root.Call(ctx, "browser.removeUserContext", object{"userContext": c.id}, nil))
	b.mu.Lock()
	delete(b.contexts, c.id)
	b.mu.Unlock()
	if kindOf(err) == backend.KindClosed {
		return nil
	}
	return err
}

// Emulate is not there yet, but for ending what was never begun.
func (c *Context) Emulate(_ context.Context, e backend.Emulation) error {
	return fail(backend.KindUnsupported, "emulation")
}
