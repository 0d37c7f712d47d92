package chrome

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Context is a browser context. It implements backend.Context.
type Context struct {
	browser *Browser
	id      string                         // "" for the one the browser started with
	policy  atomic.Pointer[backend.Policy] // nil where everything is allowed
	egress  *egress                        // the only way out, where the policy limits anything
	enters  atomic.Pointer[entryCheck]     // nil where pages may be come to as anybody likes

	mu          sync.Mutex
	viewport    backend.Viewport
	folder      string // of downloads; "" refuses them
	tabs        []*Tab
	awaitsSpare bool // the browser opens a tab by itself, to be taken first
	spare       *Tab
	closed      bool
	changed     anypage.Signal
	emulation   *backend.Emulation // what its tabs emulate
	been        *sync.Map          // the hosts that a guest has visited; nil for others

	interception atomic.Pointer[interception] // of requests, or nil
	observers    observers
	apart        apart
	limits       *[flows]limit // of what its pages may do
	trips        atomic.Int64
}

var _ backend.Context = (*Context)(nil)

var _ backend.Counter = (*Context)(nil)

// Trips counts the round trips of all its tabs so far.
func (c *Context) Trips() int64 { return c.trips.Load() }

// spareTimeout bounds the wait for the tab a browser opens by itself.
const spareTimeout = 5 * time.Second

func browserContextID(id string) proto.BrowserContextID { return proto.BrowserContextID(id) }

func newContext(b *Browser, id string, view backend.Viewport) *Context {
	c := &Context{browser: b, id: id, viewport: view, limits: &b.bounds.limits}
	c.observers.init()
	return c
}

// add takes in a tab. One that nobody asked for is kept for the first who does.
func (c *Context) add(t *Tab, popup bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.awaitsSpare && c.spare == nil && !popup {
		c.spare = t
	} else {
		c.tabs = append(c.tabs, t)
	}
	c.changed.Fire()
}

func (c *Context) remove(t *Tab) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tabs = slices.DeleteFunc(c.tabs, func(o *Tab) bool { return o == t })
	if c.spare == t {
		c.spare, c.awaitsSpare = nil, false
	}
	c.changed.Fire()
}

// setViewport changes the size of tabs to come; one may be there already.
func (c *Context) setViewport(v backend.Viewport) {
	c.mu.Lock()
	same := c.viewport == v
	c.viewport = v
	spare := c.spare
	c.mu.Unlock()
	if !same && spare != nil {
		spare.session.Start(metricsCommand, metrics(v))
	}
}

// Resize changes the size of tabs to come.
func (c *Context) Resize(v backend.Viewport) { c.setViewport(anypage.Viewport(v)) }

// setDownloads says where downloads go.
func (c *Context) setDownloads(dir string) {
	c.mu.Lock()
	c.folder = dir
	c.mu.Unlock()
	c.browser.conn.Root().Start(browser.CommandSetDownloadBehavior, downloadsTo(c.id, dir))
}

func (c *Context) downloads() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.folder
}

// NewTab opens a tab.
func (c *Context) NewTab(ctx context.Context) (backend.Tab, error) {
	t, err := c.takeSpare(ctx)
	if err == nil && t == nil {
		t, err = c.open(ctx)
	}
	if err != nil {
		return nil, err
	}
	if err := t.begun(ctx); err != nil {
		if errors.Is(err, errPageDied) {
			_ = t.Close(ctx) // it is nobody's
		}
		return nil, err
	}
	return t, nil
}

// takeSpare gives out the tab the browser opened by itself, or nil where there
// is none (any more).
func (c *Context) takeSpare(ctx context.Context) (*Tab, error) {
	bound, cancel := context.WithTimeout(ctx, spareTimeout)
	defer cancel()
	for {
		c.mu.Lock()
		if c.closed {
			c.mu.Unlock()
			return nil, errContextClosed
		}
		if !c.awaitsSpare {
			c.mu.Unlock()
			return nil, nil
		}
		if t := c.spare; t != nil {
			c.awaitsSpare, c.spare = false, nil
			c.tabs = append(c.tabs, t)
			c.mu.Unlock()
			return t, nil
		}
		changed := c.changed.Next()
		c.mu.Unlock()
		select {
		case <-changed:
		case <-c.browser.Done():
			return nil, errBrowserGone
		case <-bound.Done():
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			c.mu.Lock()
			c.awaitsSpare = false
			c.mu.Unlock()
		}
	}
}

// giveBack makes a tab that was taken the spare one again.
func (c *Context) giveBack(t *Tab) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tabs = slices.DeleteFunc(c.tabs, func(o *Tab) bool { return o == t })
	c.awaitsSpare, c.spare = true, t
	c.changed.Fire()
}

var errContextClosed = fail(backend.KindClosed, "the browser context is closed")

func (c *Context) open(ctx context.Context) (*Tab, error) {
	if c.browser.guest.on {
		return c.openGuest(ctx)
	}
	params := &target.CreateTargetParams{URL: blank, BrowserContextID: browserContextID(c.id)}
	var made target.CreateTargetResult
	if err := c.browser.conn.Root().Call(ctx, target.CommandCreateTarget, params, &made); err != nil {
		return nil, fault(err)
	}
	return c.browser.tab(ctx, string(made.TargetID))
}

// Tabs lists the open tabs, oldest first.
func (c *Context) Tabs() []backend.Tab {
	c.mu.Lock()
	defer c.mu.Unlock()
	tabs := make([]backend.Tab, len(c.tabs))
	for i, t := range c.tabs {
		tabs[i] = t
	}
	return tabs
}

// Close closes the tabs and forgets the context's data.
func (c *Context) Close(ctx context.Context) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.closed = true
	tabs := slices.Clone(c.tabs)
	c.mu.Unlock()
	if c.id == "" {
		return c.closeStartup(ctx, tabs)
	}
	defer c.egress.close()
	err := c.browser.conn.Root().Call(ctx, target.CommandDisposeBrowserContext,
		&target.DisposeBrowserContextParams{BrowserContextID: browserContextID(c.id)}, nil)
	for _, t := range tabs {
		if err != nil {
			break
		}
		err = t.waitEnd(ctx)
	}
	b := c.browser
	b.mu.Lock()
	delete(b.contexts, c.id)
	var workers []string
	for session, w := range b.workers {
		if w.context == c {
			workers = append(workers, session)
		}
	}
	b.mu.Unlock()
	for _, session := range workers {
		b.detached(session) // not every browser tells of the end of service workers
	}
	if gone := new(backend.Error); errors.As(fault(err), &gone) && gone.Kind == backend.KindClosed {
		return nil
	}
	return fault(err)
}

// closeStartup closes the tabs of the context that cannot be disposed of. One
// whose data is kept can be had again.
func (c *Context) closeStartup(ctx context.Context, tabs []*Tab) error {
	for _, t := range tabs {
		if err := t.Close(ctx); err != nil {
			return err
		}
	}
	b := c.browser
	b.mu.Lock()
	b.taken = b.taken && !b.kept
	delete(b.guest.contexts, c)
	b.mu.Unlock()
	return nil
}

// Version is the product and version of the browser.
func (c *Context) Version() string { return c.browser.version }

// reopen makes the context that the browser started with ready for the next who has
// it: what the one before emulated and intercepted is over.
func (c *Context) reopen(ctx context.Context) error {
	c.mu.Lock()
	c.closed = false
	emulated, intercepted := c.emulation != nil, c.interception.Load() != nil
	c.mu.Unlock()
	if intercepted {
		if err := c.Intercept(ctx, nil, nil); err != nil {
			return err
		}
	}
	if emulated {
		if err := c.Emulate(ctx, backend.Emulation{}); err != nil {
			return err
		}
		c.mu.Lock()
		c.emulation = nil
		c.mu.Unlock()
	}
	return nil
}

// Backend names this backend in messages.
func (c *Context) Backend() string { return "chrome" }

// Capabilities are all there are.
func (c *Context) Capabilities() []backend.Capability { return backend.Capabilities() }
