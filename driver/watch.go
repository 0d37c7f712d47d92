package driver

import (
	"context"
	"slices"
	"sync"
	"time"

	"rove/driver/backend"
)

// watcher follows a tab from just before an action until the page has come to
// rest: what the action caused, and what of it is still under way. It knows
// from events alone.
type watcher struct {
	tab  *Tab
	stop func()

	mu       sync.Mutex
	changed  chan struct{} // closed and renewed at every event that matters
	order    []*Request    // in the order they left
	requests requests
	pending  map[backend.FrameID]bool // navigations under way
	main     bool                     // the main frame has a new document
	commits  int                      // how many it had since
	loading  bool                     // which has not fired its load event
	lost     bool                     // there is none: the browser shows a page of its own
	url      string
	opening  []string // addresses of tabs that were asked for and are not there yet
	tabs     []popup  // that opened
	console  []string
	files    []*Download
	fileIDs  map[string]*Download
	promised time.Time // until then the news of a download may come
	chooser  *backend.Chooser
	dialog   *backend.Dialog
	refused  string
	ended    []string // what of the page before had to be ended
	crashed  bool
	why      string // it was ended
}

// watch begins to follow the tab.
func (t *Tab) watch() *watcher {
	w := &watcher{
		tab: t, changed: make(chan struct{}), requests: requests{},
		pending: map[backend.FrameID]bool{}, fileIDs: map[string]*Download{},
	}
	w.stop = t.tab.Watch(w.on)
	return w
}

func (w *watcher) on(ev backend.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	began, ended := w.requests.on(ev)
	if began != nil {
		w.order = append(w.order, began)
	}
	if ended != nil && ended.saved() {
		w.promised = time.Now().Add(downloadNews)
	}
	switch e := ev.(type) {
	case backend.NavigationStarted:
		w.pending[e.Frame] = true
	case backend.NavigationStopped:
		delete(w.pending, e.Frame)
		if e.Main {
			w.loading = false
		}
	case backend.FrameNavigated:
		if e.Main {
			w.main, w.loading, w.url = true, true, e.URL
			w.lost = e.Unreachable
			w.commits++
			clear(w.pending)
			w.pending[e.Frame] = true
		}
	case backend.Loaded:
		delete(w.pending, e.Frame)
		if e.Main {
			w.loading = false
		}
	case backend.URLChanged:
		if e.Main {
			w.url = e.URL
		}
	case backend.FrameRemoved:
		delete(w.pending, e.Frame)
	case backend.DialogOpened:
		d := e.Dialog
		w.dialog = &d
	case backend.DialogClosed:
		w.dialog = nil
	case backend.ChooserOpened:
		c := e.Chooser
		w.chooser = &c
	case backend.TabOpening:
		w.opening = append(w.opening, e.URL)
	case backend.TabOpened:
		w.opened(e.Tab)
	case backend.ConsoleError:
		if len(w.console) < 20 && !slices.Contains(w.console, e.Text) {
			w.console = append(w.console, e.Text)
		}
	case backend.DownloadStarted:
		d := &Download{ID: e.ID, Name: e.Name, URL: e.URL, Open: true}
		w.files = append(w.files, d)
		w.fileIDs[e.ID] = d
		w.promised = time.Time{}
	case backend.DownloadEnded:
		if d := w.fileIDs[e.ID]; d != nil {
			d.finished(e)
		}
	case backend.PageEnded:
		w.ended = append(w.ended, e.What)
	case backend.Refused:
		if e.Main {
			w.refused = e.Err.Error()
		}
	case backend.Crashed:
		w.crashed, w.why = true, e.Why
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

// downloadNews is how long after the end of a request the browser may take to tell
// that what came of it is a download.
const downloadNews = 300 * time.Millisecond

// busy says what the page is still at: a navigation, or requests that began
// since. next is closed when something happens.
func (w *watcher) busy() (navigating, requesting bool, next <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.requests {
		requesting = requesting || r.awaited()
	}
	for _, d := range w.files {
		requesting = requesting || d.Open
	}
	requesting = requesting || time.Now().Before(w.promised)
	return len(w.pending) > 0 || w.loading, requesting, w.changed
}

// stopped is true when there is no use in waiting on: a dialog holds the page,
// or it is gone.
func (w *watcher) stopped() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dialog != nil || w.crashed
}

// unreachable says that the main frame went to where there is no page. A server's
// word about an error is one.
func (w *watcher) unreachable() bool {
	answered := slices.ContainsFunc(w.order, func(r *Request) bool { return r.Type == backend.TypeDocument && r.Status > 0 })
	return w.lost && !answered
}

// choosing is the file chooser that has opened, or nil.
func (w *watcher) choosing() *backend.Chooser {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.chooser
}

func (w *watcher) documents() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.commits
}

// longPoll is how long a single request may keep a page from being at rest. One
// that takes longer is held open by the server on purpose.
const longPoll = 3 * time.Second

// restless is how many documents a page may go through in one action before it is
// taken for one that never comes to rest.
const restless = 10

// rest waits until nothing that began since the watch is under way: no
// navigation, no request. It answers false when the cap or the context ended it.
// patient is for who waits for requests, too.
func (w *watcher) rest(ctx context.Context, deadline time.Time, patient bool) bool {
	overall := time.NewTimer(time.Until(deadline))
	defer overall.Stop()
	poll := time.NewTimer(longPoll)
	defer poll.Stop()
	for {
		navigating, requesting, next := w.busy()
		if w.stopped() || !navigating && (!requesting || !patient) {
			return true
		}
		if w.documents() > restless {
			return false
		}
		select {
		case <-next:
		case <-w.news():
		case <-poll.C:
			patient = false
		case <-w.tab.tab.Done():
			return true
		case <-overall.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// news comes when a download that was promised has not been told of in time; never
// where none was.
func (w *watcher) news() <-chan time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if left := time.Until(w.promised); left > 0 {
		return time.After(left)
	}
	return nil
}

// fill puts what was seen into an effect. before is where the page was.
func (w *watcher) fill(e *Effect, before string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e.Navigated = e.Navigated || w.main
	if w.url != "" && (w.url != before || w.main) {
		e.URL = w.url
	}
	if w.dialog != nil {
		e.Dialog = w.dialog
	}
	e.Ended = append(e.Ended, w.ended...)
	e.Crashed, e.Why = w.crashed, w.why
	e.Chooser = w.chooser
	e.Refused = w.refused
	if w.unreachable() {
		e.Unreachable = noReason
		for _, r := range w.order {
			if r.Type == backend.TypeDocument && r.Reason != "" && r.Reason != backend.ReasonAborted {
				e.Unreachable, e.reason = r.Failure, r.Reason // of the last
			}
		}
	}
	for _, t := range w.tabs {
		e.Tabs = append(e.Tabs, address(t.tab))
	}
	for _, c := range w.console {
		if !slices.Contains(e.Console, c) {
			e.Console = append(e.Console, c)
		}
	}
	for _, d := range w.files {
		e.Downloads = append(e.Downloads, *d)
	}
	for _, r := range w.order {
		e.Requests = append(e.Requests, *r)
	}
}
