package bidi

import (
	"context"
	"strings"
	"time"
)

const (
	popupTimeout  = 500 * time.Millisecond // for a popup to begin to load something
	reviveTimeout = 5 * time.Second
)

// chromium says whether the browser is one of that kind.
func (b *Browser) chromium() bool {
	name := strings.ToLower(b.version)
	return strings.HasPrefix(name, "chrom") || strings.HasPrefix(name, "microsoftedge") || strings.HasPrefix(name, "msedge")
}

// Chromium's BiDi loses the world of a popup when its first page takes over the window
// of the empty one before: no script there is ever answered. Announced anew, it is known
// again. Calls wait for that.

// bornPopup has calls wait until it is known what the popup shows first. The lock of
// nobody is held.
func (t *Tab) bornPopup() {
	known := make(chan struct{})
	t.Mu.Lock()
	t.reviving, t.popup = known, true
	t.Mu.Unlock()
	go func() {
		defer close(known)
		timer, waits := time.NewTimer(popupTimeout), false
		defer timer.Stop()
		for {
			t.Mu.Lock()
			came, started, changed := !t.popup, t.nav.started, t.nav.changed.Next()
			t.Mu.Unlock()
			if came {
				t.revive()
				return
			}
			if started && !waits {
				waits = true
				timer.Reset(reviveTimeout)
			}
			select {
			case <-changed:
			case <-timer.C:
				return // revived when something comes after all
			case <-t.Done():
				return
			}
		}
	}()
}

// firstPage is told of the first page of a popup. The lock is held.
func (t *Tab) firstPage() {
	if !t.popup {
		return
	}
	t.popup = false
	select {
	case <-t.reviving: // nobody waits for it any more
		known := make(chan struct{})
		t.reviving = known
		go func() {
			defer close(known)
			t.revive()
		}()
	default:
	}
}

// revive has the worlds of the page announced anew, and gives the popup what other tabs
// have from the start.
func (t *Tab) revive() {
	_ = t.devtools(t.Life, devtool{"Runtime.disable", nil}, devtool{"Runtime.enable", nil})
	params := sized(t.context.screen())
	params["context"] = t.id
	_ = t.browser.root.Call(t.Life, "browsingContext.setViewport", params, nil)
	if e := t.context.emulation.Load(); e != nil {
		_ = t.emulate(t.Life, *e)
	}
}

// devtool is a command of Chromium's own protocol.
type devtool struct {
	method string
	params object
}

// devtools has a Chromium do what BiDi has no command for.
func (t *Tab) devtools(ctx context.Context, list ...devtool) error {
	ctx, cancel := context.WithTimeout(ctx, reviveTimeout)
	defer cancel()
	root := t.browser.root
	var of struct {
		Session string `json:"session"`
	}
	if err := root.Call(ctx, "goog:cdp.getSession", object{"context": t.id}, &of); err != nil {
		return err
	}
	for _, do := range list {
		if do.params == nil {
			do.params = object{}
		}
		if err := root.Call(ctx, "goog:cdp.sendCommand", object{"method": do.method, "params": do.params, "session": of.Session}, nil); err != nil {
			return err
		}
	}
	return nil
}
