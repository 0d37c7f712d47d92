package anypage

import (
	"slices"
	"sync"
	"sync/atomic"

	"rove/driver/backend"
)

// Context is what a browser context is in every browser: its tabs, what it may reach, and
// whether it is closed. T is the tab of a backend. Backends embed it.
type Context[T interface {
	comparable
	backend.Tab
}] struct {
	Policy   backend.Policy
	Viewport backend.Viewport
	Folder   string // of downloads; "" refuses them
	Sent     atomic.Int64

	mu     sync.Mutex
	tabs   []T
	closed bool
}

// Configure takes in what a context is opened with.
func (c *Context[T]) Configure(opts backend.ContextOptions) {
	c.Policy, c.Viewport, c.Folder = opts.Policy, Viewport(opts.Viewport), opts.Downloads
}

// Trips counts the round trips of all its tabs so far.
func (c *Context[T]) Trips() int64 { return c.Sent.Load() }

// Tabs lists the open tabs, oldest first.
func (c *Context[T]) Tabs() []backend.Tab {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := make([]backend.Tab, len(c.tabs))
	for i, t := range c.tabs {
		list[i] = t
	}
	return list
}

// OpenTabs are the same, as the backend has them.
func (c *Context[T]) OpenTabs() []T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.tabs)
}

// Add takes in a tab.
func (c *Context[T]) Add(t T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tabs = append(c.tabs, t)
}

// Remove forgets a tab.
func (c *Context[T]) Remove(t T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tabs = slices.DeleteFunc(c.tabs, func(o T) bool { return o == t })
}

// CanOpen says that a tab can be opened, or why not.
func (c *Context[T]) CanOpen() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return backend.Fail(backend.KindClosed, "the browser context is closed")
	}
	return nil
}

// MarkClosed closes it, and says whether it was open.
func (c *Context[T]) MarkClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.closed
	c.closed = true
	return !was
}

// Refuses is the error for an address that nobody may go to.
func (c *Context[T]) Refuses(url string) error {
	if c.Policy == nil {
		return nil
	}
	if err := c.Policy.Asked(url); err != nil {
		return &backend.Error{Kind: backend.KindPolicy, Text: err.Error(), Err: err}
	}
	return nil
}

// Viewport fills in what is left open.
func Viewport(v backend.Viewport) backend.Viewport {
	if v.Width <= 0 || v.Height <= 0 {
		v.Width, v.Height = 1280, 720
	}
	if v.Scale <= 0 {
		v.Scale = 1
	}
	return v
}
