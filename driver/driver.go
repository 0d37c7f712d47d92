package driver

import (
	"context"
	"slices"
	"sync"

	"rove/driver/backend"
)

// Driver drives one browser context: its tabs, of which one is the current.
type Driver struct {
	browser backend.Context

	mu        sync.Mutex
	current   *Tab
	tabs      []*Tab
	numbers   numbers
	uploads   func(path string) (string, error) // nil where every file may be given
	options   Options
	next      next
	quit      bool
	guest     bool          // the tabs are somebody else's
	dialogs   func(*Dialog) // OnDialog
	leaves    bool          // beforeunload dialogs are accepted
	routes    []*Interception
	pretends  backend.Emulation // what is emulated
	filmed    *film             // the screencast, or nil
	videos    []*Video          // that are being made
	downloads downloads
	steps     steps
}

// New opens a tab in a browser context and returns a driver for it. The driver
// owns the context from then on.
func New(ctx context.Context, c backend.Context) (*Driver, error) {
	d := &Driver{browser: c}
	if _, err := d.NewTab(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// NewTab opens a tab and makes it the current one.
func (d *Driver) NewTab(ctx context.Context) (*Tab, error) {
	ctx, cancel := d.within(ctx, pageWait)
	defer cancel()
	t, err := d.browser.NewTab(ctx)
	if err != nil {
		return nil, failed("new tab", err)
	}
	d.mu.Lock()
	current := d.known(t)
	d.become(current)
	d.mu.Unlock()
	d.attend(current)
	return current, nil
}

// Tab is the current tab.
func (d *Driver) Tab() *Tab {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current
}

// Trips counts how often the browser was asked something for the driver's tabs so
// far; what is sent together counts once. It is 0 where the backend does not count.
func (d *Driver) Trips() int64 {
	if c, ok := d.browser.(backend.Counter); ok {
		return c.Trips()
	}
	return 0
}

// Tabs lists the open tabs, popups included, oldest first.
func (d *Driver) Tabs() []*Tab {
	d.mu.Lock()
	defer d.mu.Unlock()
	open := d.browser.Tabs()
	tabs := make([]*Tab, len(open))
	for i, t := range open {
		tabs[i] = d.known(t)
	}
	// Tabs that closed are forgotten, so that a session of many popups does
	// not grow; the current one stays, to say that it is closed.
	d.tabs = slices.Clone(tabs)
	if d.current != nil && !slices.Contains(d.tabs, d.current) {
		d.tabs = append(d.tabs, d.current)
	}
	return tabs
}

// known returns the Tab of a backend's tab, a new one at first sight. d.mu is held.
func (d *Driver) known(t backend.Tab) *Tab {
	for _, k := range d.tabs {
		if k.tab == t {
			return k
		}
	}
	k := &Tab{driver: d, tab: t}
	d.tabs = append(d.tabs, k)
	d.follow(t)
	k.traffic.follow(t)
	return k
}

// BrowserContext is what the driver drives, for those who know more of a backend
// than all have in common, such as rove.WatchNetwork.
func (d *Driver) BrowserContext() backend.Context { return d.browser }

// Close closes the tabs and forgets the context's cookies and storage. Quit does
// that and all that is to be done at the end: recordings, OnQuit, the browser.
func (d *Driver) Close(ctx context.Context) error {
	if err := d.browser.Close(ctx); err != nil {
		return failed("close", err)
	}
	return nil
}
