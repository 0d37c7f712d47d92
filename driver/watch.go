package driver

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"rove/driver/backend"
)

// news is what a tab has told so far that others wait for. A tab is listened to once,
// from its first moment on, and everybody who wants to know of it reads it here.
type news struct {
	mu       sync.Mutex
	changed  chan struct{} // closed and renewed at every event
	requests requests      // those that are awaited, and all while somebody watches
	loaded   time.Time     // when a request that is awaited last began or ended
	watchers []*watcher
	sent     posted
}

// listen begins to follow a tab. It is called once.
func (t *Tab) listen() {
	t.news.changed, t.news.requests = make(chan struct{}), requests{}
	t.tab.Watch(t.on)
}

// on takes note of an event of the tab: of requests and downloads, for those who watch
// the tab, and for the driver.
func (t *Tab) on(ev backend.Event) {
	file := t.driver.download(ev)
	n := &t.news
	n.mu.Lock()
	began, ended := n.requests.on(ev)
	n.sent.on(ev)
	for _, w := range n.watchers {
		w.on(ev, began, ended, file)
	}
	if loads(ev) {
		n.loaded = time.Now()
	}
	if len(n.watchers) == 0 {
		maps.DeleteFunc(n.requests, func(_ string, r *Request) bool { return !r.awaited() })
	}
	close(n.changed)
	n.changed = make(chan struct{})
	n.mu.Unlock()
	switch e := ev.(type) {
	case backend.FrameNavigated:
		if e.Main {
			t.renewed.Store(true)
		}
	case backend.TabOpened:
		t.driver.mu.Lock()
		opened := t.driver.known(e.Tab)
		opened.attended = opened.attended || t.attended
		opened.opener = t
		t.driver.mu.Unlock()
	case backend.DialogOpened:
		t.driver.dialogOpened(t, e.Dialog)
	}
}

// watcher follows a tab from just before an action until the page has come to
// rest: what the action caused, and what of it is still under way. It knows
// from events alone.
type watcher struct {
	*news // whose lock guards the rest
	tab   *Tab

	order    []*Request               // in the order they left
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
	promised time.Time // until then the news of a download may come
	chooser  *backend.Chooser
	dialog   *backend.Dialog
	refused  string
	ended    []string // what of the page before had to be ended
	said     int      // messages that the page sent over sockets
	heard    int      // and those that came since the first of them
	crashed  bool
	why      string // it was ended
}

// watch begins to follow the tab.
func (t *Tab) watch() *watcher {
	w := &watcher{tab: t, news: &t.news, pending: map[backend.FrameID]bool{}}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watchers = append(w.watchers, w)
	return w
}

// stop ends that.
func (w *watcher) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watchers = slices.DeleteFunc(w.watchers, func(o *watcher) bool { return o == w })
}

// on takes note of an event, of the request that began or ended by it, and of the
// download that it is about. The lock is held.
func (w *watcher) on(ev backend.Event, began, ended *Request, file *Download) {
	if began != nil {
		w.order = append(w.order, began)
	}
	if ended != nil && ended.saved() && slices.Contains(w.order, ended) {
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
	case backend.SocketMessage:
		if e.Sent {
			w.said++
		} else if w.said > 0 {
			w.heard++
		}
	case backend.ConsoleError:
		if len(w.console) < 20 && !slices.Contains(w.console, e.Text) {
			w.console = append(w.console, e.Text)
		}
	case backend.DownloadStarted:
		w.files = append(w.files, file)
		w.promised = time.Time{}
	case backend.PageEnded:
		w.ended = append(w.ended, e.What)
	case backend.Refused:
		if e.Main {
			w.refused = e.Err.Error()
		}
	case backend.Crashed:
		w.crashed, w.why = true, e.Why
	}
}

// messages are how many the page has sent over sockets.
func (w *watcher) messages() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said
}

// hasNewAnswers says whether some have come from the server that were not asked about before.
func (w *watcher) hasNewAnswers() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	came := w.heard > 0
	w.heard = 0
	return came
}

// downloads are the files that came since, as they are now.
func (w *watcher) downloads() []Download {
	if len(w.files) == 0 {
		return nil
	}
	w.tab.driver.mu.Lock()
	defer w.tab.driver.mu.Unlock()
	list := make([]Download, len(w.files))
	for i, f := range w.files {
		list[i] = *f
	}
	return list
}

// downloadNews is how long after the end of a request the browser may take to tell
// that what came of it is a download.
const downloadNews = 300 * time.Millisecond

// busy says what the page is still at: a navigation, or requests that began
// since. next is closed when something happens.
func (w *watcher) busy() (navigating, requesting bool, next <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.order {
		requesting = requesting || r.awaited()
	}
	for _, d := range w.downloads() {
		requesting = requesting || d.Open
	}
	requesting = requesting || time.Now().Before(w.promised)
	return w.navigating(), requesting, w.changed
}

// navigating says that a navigation is under way. The lock is held.
func (w *watcher) navigating() bool { return len(w.pending) > 0 || w.loading }

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

// hasLeft says that the page has gone elsewhere.
func (w *watcher) hasLeft() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.commits > 0 || w.url != ""
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
		case <-w.downloadsTold():
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

// downloadsTold comes when a download that was promised has not been told of in time; never
// where none was.
func (w *watcher) downloadsTold() <-chan time.Time {
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
	e.Downloads = append(e.Downloads, w.downloads()...)
	for _, r := range w.order {
		e.Requests = append(e.Requests, *r)
	}
}
