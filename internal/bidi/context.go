package bidi

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Context is a user context. It implements backend.Context.
type Context struct {
	anypage.Context[*Tab]
	browser *Browser
	id      string
	shown   string // the tab in front in the context's window, if that is known; browser.mu guards it
	size    atomic.Pointer[backend.Viewport]

	interception atomic.Pointer[interception]
	collecting   sync.Mutex // guards collector
	collector    string     // of what requests send, once somebody has intercepted some

	emulating sync.Mutex // held while that changes
	emulation atomic.Pointer[backend.Emulation]

	observers anypage.Observers
	collect   sync.Once // has the browser keep bodies
}

var (
	_ backend.Context = (*Context)(nil)
	_ backend.Capable = (*Context)(nil)
	_ backend.Named   = (*Context)(nil)
	_ backend.Counter = (*Context)(nil)
)

// Backend names this backend in messages.
func (c *Context) Backend() string { return c.browser.at.Name }

// Capabilities are what this backend can do with the browser.
func (c *Context) Capabilities() []backend.Capability { return Capabilities(c.browser.chromium()) }

// Capabilities are what it can do with Firefox, or with a Chromium: that pretends to be a
// device, and makes a drag-and-drop of the page's own of what the mouse does.
func Capabilities(chromium bool) []backend.Capability {
	list := []backend.Capability{
		backend.CanDialogs, backend.CanPDF, backend.CanTree, backend.CanIsolate, backend.CanIntercept, backend.CanWindow, backend.CanTraffic, backend.CanConsole,
		backend.CanChooser, backend.CanDownloads, backend.CanWorld, backend.CanRoots, backend.CanAtOnce,
		backend.CanEmulateScreen, backend.CanEmulateAgent, backend.CanEmulateLanguage, backend.CanEmulateTimezone,
		backend.CanEmulatePlace, backend.CanEmulateOffline,
	}
	if chromium {
		list = append(list, backend.CanDrop, backend.CanEmulate, backend.CanEmulateTouch, backend.CanEmulateMedia)
	}
	return list
}

// Version is the product and version of the browser.
func (c *Context) Version() string { return c.browser.version }

// NewTab opens a tab. In Firefox it has a window of its own, so that its page is seen, and
// runs as one that is seen, whatever others do; a page that hangs keeps nobody from it.
func (c *Context) NewTab(ctx context.Context) (backend.Tab, error) {
	if err := c.CanOpen(); err != nil {
		return nil, err
	}
	b := c.browser
	kind := "window"
	if b.chromium() {
		kind = "tab"
	}
	var made struct {
		ID string `json:"context"`
	}
	if err := b.root.Call(ctx, "browsingContext.create", object{"type": kind, "userContext": c.id}, &made); err != nil {
		return nil, fault(err)
	}
	b.mu.Lock()
	t := b.tabs[made.ID] // it was announced before the answer
	b.mu.Unlock()
	if t == nil {
		return nil, backend.Fail(backend.KindClosed, "the tab went away at once")
	}
	if err := t.firstViewport(ctx, c.screen()); err != nil {
		return nil, err
	}
	if e := c.emulation.Load(); e != nil && b.chromium() {
		if err := t.emulate(ctx, *e); err != nil && t.Err() == nil {
			return nil, err
		}
	}
	return t, nil
}

// firstViewport gives a new tab its size. Its first document may be replaced by another
// just then, as that of the context is made in another process.
func (t *Tab) firstViewport(ctx context.Context, v backend.Viewport) error {
	for try := 1; ; try++ {
		err := t.resize(ctx, v)
		if backend.KindOf(err) != backend.KindNavigated || t.Err() != nil || try == 10 {
			return err
		}
		timer := time.NewTimer(time.Duration(try) * 10 * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
	}
}

// Close closes the tabs and forgets the context's data.
func (c *Context) Close(ctx context.Context) error {
	if !c.MarkClosed() {
		return nil
	}
	b := c.browser
	_ = c.Intercept(ctx, nil, nil)
	c.dropSent(ctx)
	for _, t := range c.Tabs() {
		if err := t.Close(ctx); err != nil && t.Err() == nil && backend.KindOf(err) != backend.KindClosed {
			return err
		}
	}
	err := fault(b.root.Call(ctx, "browser.removeUserContext", object{"userContext": c.id}, nil))
	b.mu.Lock()
	delete(b.contexts, c.id)
	b.mu.Unlock()
	if backend.KindOf(err) == backend.KindClosed {
		return nil
	}
	return err
}
