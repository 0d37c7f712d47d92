// Package driver drives a browser through whatever backend it is handed: tabs,
// frames, locators, waiting and actions, written once for all of them.
//
// rove.Drive, rove.Connect and rove.Pool give a driver:
//
//	d, err := rove.Drive(ctx, rove.Options{}, driver.Options{})
//	if err != nil {
//		return err
//	}
//	defer d.Quit(ctx)
//
// A driver is at one tab and one frame at a time. It goes to pages, does things
// to elements as a person would, and reads them:
//
//	err = d.SetURL(ctx, "example.com/login")
//	_, err = d.Input(ctx, "{input}Email", "ann@example.com", driver.KeyTab, "secret")
//	_, err = d.Click(ctx, "{button}Sign in")
//	text, err := d.Text(ctx, "#welcome")
//
// Elements are named by locators: CSS, XPath, the text people see ({button}Sign
// in), a JavaScript expression in parentheses, or a ref of the accessibility tree
// (ref:e5). An [Element] is such a name, not a handle, and is found anew each time:
//
//	row := d.Locate("{tr}Ann")
//	err = row.Locate("button").Click(ctx)
//
// Nothing needs a pause before it. Actions wait until their element is there,
// visible, at rest, enabled and not covered, and come back when the page has
// reacted; one that navigates, when the new page is ready. WaitFor and its like
// wait for what the page does by itself.
//
// Every call takes a context first and ends with it. Failures are *[Error], which
// says what was tried, what stopped it and what to do next.
//
// The verbs of the agent are made of [Tab]'s methods, which know refs, receipts
// and settling; see package rove.
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
	return k
}

// BrowserContext is what the driver drives, for those who know more of a backend
// than all have in common, such as rove.WatchNetwork.
func (d *Driver) BrowserContext() backend.Context { return d.browser }

// Close closes the tabs and forgets the context's cookies and storage.
func (d *Driver) Close(ctx context.Context) error {
	if err := d.browser.Close(ctx); err != nil {
		return failed("close", err)
	}
	return nil
}
