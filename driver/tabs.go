package driver

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/driver/backend"
)

// NewTab opens a tab and makes it the current one.
func (d *Driver) NewTab(ctx context.Context) (*Tab, error) {
	ctx, cancel := d.within(ctx, pageWait)
	defer cancel()
	t, err := d.browser.NewTab(ctx)
	if err != nil {
		return nil, Explain("new tab", err)
	}
	return d.Take(t), nil
}

// Take makes a tab of the driver's browser context, however it came there, the
// current one.
func (d *Driver) Take(t backend.Tab) *Tab {
	d.mu.Lock()
	current := d.known(t)
	d.makeCurrent(current)
	d.mu.Unlock()
	d.attend(current)
	return current
}

// Choose makes one of the driver's tabs the current one.
func (d *Driver) Choose(t *Tab) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.makeCurrent(t)
}

// Tab is the current tab.
func (d *Driver) Tab() *Tab {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current
}

// Tabs lists the open tabs, popups included, oldest first.
func (d *Driver) Tabs() []*Tab {
	d.mu.Lock()
	defer d.mu.Unlock()
	open := d.browser.Tabs()
	tabs := make([]*Tab, len(open))
	for i, t := range open {
		tabs[i] = d.known(t)
		tabs[i].openedBy()
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
	k.listen()
	return k
}

// makeCurrent makes a tab the current one. d.mu is held.
func (d *Driver) makeCurrent(t *Tab) {
	d.current = t
	if d.filmed != nil {
		select {
		case d.filmed.moved <- struct{}{}:
		default:
		}
	}
}

// SwitchTab makes another tab the current one: by its number, from 1, or by a
// part of its address.
func (d *Driver) SwitchTab(which string) (*Tab, error) {
	tabs := d.Tabs()
	var found *Tab
	if n, err := strconv.Atoi(which); err == nil {
		if n < 1 || n > len(tabs) {
			return nil, Invalid("tab", "there is no tab %d; there are %d", n, len(tabs))
		}
		found = tabs[n-1]
	} else {
		for _, t := range tabs {
			if which != "" && strings.Contains(t.URL(), which) {
				found = t
				break
			}
		}
	}
	if found == nil {
		return nil, &Error{Code: CodeNotFound, Op: "tab", Message: "no page found matching: " + which, Hint: "say new, close, or the number of a tab"}
	}
	d.mu.Lock()
	d.makeCurrent(found)
	d.mu.Unlock()
	return found, nil
}

// CloseTab closes the current tab and goes to the one that opened it, else to the one opened last; the last tab
// of all gives way to an empty one.
func (d *Driver) CloseTab(ctx context.Context) error {
	closing := d.Tab()
	if err := closing.Close(ctx); err != nil {
		return err
	}
	return d.reopen(ctx)
}

// reopen makes sure that there is a current tab after one went away.
func (d *Driver) reopen(ctx context.Context) error {
	if tabs := d.Tabs(); len(tabs) > 0 {
		d.mu.Lock()
		next := d.current.openedBy()
		if !slices.Contains(tabs, next) {
			next = tabs[len(tabs)-1]
		}
		d.makeCurrent(next)
		d.mu.Unlock()
		next.front(ctx)
		return nil
	}
	_, err := d.NewTab(ctx)
	return err
}

// openedBy is the tab that opened this one, or where that has closed the one that opened that, or nil: where browsers go on when it closes.
// driver.mu is held.
func (t *Tab) openedBy() *Tab {
	for t.opener != nil && gone(t.opener.tab) {
		t.opener = t.opener.opener // kept no longer than it is of use: popups open popups
	}
	return t.opener
}

// Present gives the current tab. Where that is closed it is another one now: the
// one that opened it, the one opened last, or a new one; moved says so.
func (d *Driver) Present(ctx context.Context) (tab *Tab, moved bool, err error) {
	if t := d.Tab(); !gone(t.tab) {
		return t, false, nil
	}
	if err := d.reopen(ctx); err != nil {
		return nil, false, err
	}
	return d.Tab(), true, nil
}

// Abandon gives up a tab that nothing can be done about and opens a new one in
// its place.
func (d *Driver) Abandon(ctx context.Context) (*Tab, error) {
	hung := d.Tab()
	tab, err := d.NewTab(ctx)
	if err != nil {
		return nil, err
	}
	go func() {
		bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTimeout)
		defer cancel()
		_ = hung.Close(bound) // it is left behind either way
	}()
	return tab, nil
}

// abandonTimeout bounds the goodbye to a tab that hangs.
const abandonTimeout = 5 * time.Second
