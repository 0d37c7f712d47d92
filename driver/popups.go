package driver

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"rove/driver/backend"
)

const (
	// popupTimeout is how long a tab that was opened empty may take to get an address.
	popupTimeout = 500 * time.Millisecond
	// popupArrival is how long one may take that was opened with an address. Where the
	// page that opened it has no hold on it, it is not even there before its page is.
	popupArrival = 3 * time.Second
)

// popup is a tab that opened.
type popup struct {
	tab     backend.Tab
	address bool // it was opened with one
}

// opened takes in a tab. The lock is held.
func (w *watcher) opened(tab backend.Tab) {
	p := popup{tab: tab}
	if len(w.opening) > 0 {
		p.address = loadable(w.opening[0])
		w.opening = w.opening[1:]
	}
	w.tabs = append(w.tabs, p)
}

// popups waits until the tabs that the page asked for are there and have somewhere
// to be, or one was refused.
func (w *watcher) popups(ctx context.Context) {
	soon, cancel := context.WithTimeout(ctx, popupTimeout)
	defer cancel()
	late, cancel := context.WithTimeout(ctx, popupArrival)
	defer cancel()
	w.until(soon, nil, nil, func() bool { return w.refused != "" || len(w.opening) == 0 })
	w.until(late, nil, nil, func() bool { return w.refused != "" || !slices.ContainsFunc(w.opening, loadable) })
	w.mu.Lock()
	tabs := slices.Clone(w.tabs)
	w.mu.Unlock()
	for _, p := range tabs {
		came := make(chan struct{})
		arrive := sync.OnceFunc(func() { close(came) })
		stop := p.tab.Watch(func(ev backend.Event) {
			if e, ok := ev.(backend.FrameNavigated); ok && e.Main && !(p.address && empty(e.URL)) {
				arrive()
			}
		})
		within := soon
		if p.address {
			within = late
		}
		if empty(address(p.tab)) {
			w.until(within, p.tab.Done(), came, func() bool { return w.refused != "" })
		}
		stop()
	}
}

// loadable says whether an address is of something that is loaded into a tab.
func loadable(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	return slices.Contains([]string{"http", "https", "blob", "data", "file"}, scheme)
}

func empty(url string) bool { return url == "" || url == "about:blank" }

// until waits until something is so, which is asked at every event with the lock held,
// or one of two channels is closed.
func (w *watcher) until(ctx context.Context, a, b <-chan struct{}, so func() bool) {
	for {
		w.mu.Lock()
		is, next := so(), w.changed
		w.mu.Unlock()
		if is {
			return
		}
		select {
		case <-next:
		case <-a:
			return
		case <-b:
			return
		case <-ctx.Done():
			return
		}
	}
}
