package chrome

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/policy"
)

// A page that does without end what costs the browser, this process or the disk is ended.
// The rate over some time counts: each kind of event may come in a burst, as a large page
// needs, and then so many a second.
type flow int

const (
	flowConsole flow = iota
	flowNavigation
	flowDocument // of the main frame, and nobody asked for it
	flowFrame
	flowWorker
	flowRequest
	flowDialog
	flowDownload
	flowPopup
	flowApart // workers and pages made in advance that belong to no tab
	flowEvent // all there are
	flowBytes // of all there are
	flows
)

// limit is what a page may do of one kind: so many in a burst, then so many a second.
type limit struct {
	once, second float64
	what         string
}

// usual are the limits of pages. They are far above what normal pages do: the heaviest
// write a hundred thousand console lines once, and change their title a few times a second.
var usual = [flows]limit{
	flowConsole:    {150_000, 2000, "console lines"},
	flowNavigation: {1000, 30, "navigations"},
	flowDocument:   {60, 2, "pages, one after the other"},
	flowFrame:      {2000, 50, "frames"},
	flowWorker:     {500, 20, "workers"},
	flowRequest:    {10_000, 300, "requests"},
	flowDialog:     {200, 5, "dialogs"},
	flowDownload:   {100, 2, "downloads"},
	flowPopup:      {50, 2, "windows"},
	flowApart:      {50, 1, "service workers or pages made in advance"},
	flowEvent:      {500_000, 10_000, "events"},
	flowBytes:      {512 << 20, 16 << 20, "bytes of events"},
}

// flowOf is what an event is counted as, beside being one.
func flowOf(method string) flow {
	switch method {
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
		return flowConsole
	// Begun, whether or not it arrives: the next one may be there before.
	case "Page.frameStartedNavigating", "Page.navigatedWithinDocument":
		return flowNavigation
	case "Page.frameAttached":
		return flowFrame
	case "Network.requestWillBeSent", "Network.webSocketCreated":
		return flowRequest
	case "Page.javascriptDialogOpening":
		return flowDialog
	}
	return flowEvent
}

// rates count what one page does. Its owner's lock guards them.
type rates struct {
	limits *[flows]limit
	level  [flows]float64   // above the lasting rate
	at     [flows]time.Time // when that was
}

// add counts n events of a kind, and says which limit was passed, if one was.
func (r *rates) add(kind flow, n float64, now time.Time) string {
	limit := r.limits[kind]
	rest := r.level[kind] - now.Sub(r.at[kind]).Seconds()*limit.second
	r.level[kind], r.at[kind] = max(0, rest)+n, now
	if r.level[kind] <= limit.once {
		return ""
	}
	return fmt.Sprintf("it flooded the browser with %s (more than %.0f, and %.0f a second go on); its process was ended", limit.what, limit.once, limit.second)
}

// asked says that somebody uses the page: what it goes to now was asked for.
func (r *rates) asked() { r.level[flowDocument] = 0 }

// count counts a protocol event of a page or of its workers, and says which limit was
// passed, if one was.
func (r *rates) count(ev cdp.Event) string {
	now := time.Now()
	why := r.add(flowEvent, 1, now)
	if why == "" {
		why = r.add(flowBytes, float64(len(ev.Params)), now)
	}
	if kind := flowOf(ev.Method); why == "" && kind != flowEvent {
		why = r.add(kind, 1, now)
	}
	return why
}

// countEvent counts an event of one of the tab's sessions. The lock is held.
func (t *Tab) countEvent(l *link, ev cdp.Event) {
	if isConsoleLine(ev.Method) {
		t.browser.lines.Add(1)
	}
	if why := t.rates.count(ev); why != "" {
		t.endPage(l, why)
	}
}

// backlog is how many lines that a tab writes to consoles may wait before the oldest is no
// longer read: more than a console keeps, so that the newest are there all the same, however
// many answers come between them of what their objects have inside.
const backlog = 1200

// isConsoleLine says whether an event is one of those.
func isConsoleLine(method string) bool { return flowOf(method) == flowConsole }

// skipConsoleLine says whether a console line is left out, and reports that one was: so many
// others wait behind it, and among them replies that calls wait for.
func (t *Tab) skipConsoleLine(s *Source, ev cdp.Event) bool {
	if !isConsoleLine(ev.Method) || t.queue.Waiting() < backlog {
		return false
	}
	t.context.observers.tell(s, cdp.Event{Session: ev.Session, Method: SourceUnread})
	return true
}

// apart are the rates of what belongs to no tab of a context: service and shared workers,
// and pages that are made in advance.
type apart struct {
	mu    sync.Mutex
	rates rates
}

// countEvent counts what one of them does. Where it is too much it is closed, and the pages
// that it may have come of are ended: those of its site, or all where none is.
func (a *apart) countEvent(c *Context, info *target.Info, add func(*rates) (why string)) {
	a.mu.Lock()
	a.rates.limits = c.limits
	why := add(&a.rates)
	if why != "" {
		a.rates = rates{}
	}
	a.mu.Unlock()
	if why == "" {
		return
	}
	b := c.browser
	b.conn.Root().Start(target.CommandCloseTarget, &target.CloseTargetParams{TargetID: info.TargetID})
	b.mu.Lock()
	tabs := slices.Collect(maps.Values(b.tabs))
	b.mu.Unlock()
	var all, near []*Tab
	for _, t := range tabs {
		if t.context != c || t.lent {
			continue
		}
		t.Mu.Lock()
		of := t.tree.main.url
		t.Mu.Unlock()
		if all = append(all, t); policy.Origin(of) == policy.Origin(info.URL) {
			near = append(near, t)
		}
	}
	if len(near) == 0 {
		near = all
	}
	for _, t := range near {
		t.Mu.Lock()
		t.endPage(t.links[t.session.ID()], why)
		t.Mu.Unlock()
	}
}

// countFlow counts what a page did where no protocol event of its own tells of it.
func (t *Tab) countFlow(kind flow) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if why := t.rates.add(kind, 1, time.Now()); why != "" {
		t.endPage(t.links[t.session.ID()], why)
	}
}

// endPage ends the process of a page, or of a frame in a process of its own, for
// what it does to others. The lock is held.
func (t *Tab) endPage(l *link, why string) {
	if l == nil || l.why != "" {
		return
	}
	l.why = why
	go func() {
		patience := time.NewTimer(endPatience)
		defer patience.Stop()
		for tries := t.killTries(); tries > 0; tries-- {
			// It is refused while a navigation is under way. What the page gave the
			// browser to do is done before, which takes its time.
			refused := t.browser.conn.Start(
				l.session.Command(page.CommandStopLoading, nil),
				l.session.Command(page.CommandCrash, nil))[1]
			select {
			case <-refused.Done():
			case <-t.Done():
				return
			case <-patience.C:
				tries = 0
			}
			t.Mu.Lock()
			gone := l.why == "" || t.links[l.session.ID()] != l
			t.Mu.Unlock()
			if gone {
				return
			}
		}
		// What is left is to close it.
		if l.parent == nil {
			t.Mu.Lock()
			t.why = why
			t.Mu.Unlock()
			_ = t.askToClose(t.Life)
		}
	}()
	if l.parent == nil {
		t.closePopups()
	}
}

// endPatience is how long a process may take to end: long, since a browser that is
// kept busy, on a machine that is busy, comes to it late.
const endPatience = time.Minute

// closePopups closes the windows that an ended page had opened: they share its process, and
// there may be any number. The lock is held.
func (t *Tab) closePopups() {
	go func() {
		b := t.browser
		b.mu.Lock()
		var list []*Tab
		for _, o := range b.tabs {
			if o.opener == t {
				list = append(list, o)
			}
		}
		b.mu.Unlock()
		if len(list) < int(t.context.limits[flowPopup].once)/2 {
			return // of a page that did something else
		}
		for _, o := range list {
			b.conn.Root().Start(target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(o.id)})
		}
	}()
}

// root is the page at the beginning of a chain of windows that opened each other.
func (t *Tab) root() *Tab {
	for t.opener != nil && t.opener.Err() == nil {
		t = t.opener
	}
	return t
}

// died is the reason why a page or a frame crashed: why it was ended, or "". Its counts
// start anew. The lock is held.
func (t *Tab) died(l *link) (why string) {
	if why, l.why = l.why, ""; why == "" {
		why = t.browser.reliefReason()
	}
	t.rates = rates{limits: t.rates.limits}
	return why
}

// ended is the failure of a page that died, with the reason if it was ended.
func ended(err *backend.Error, why string) error {
	if why == "" {
		return err
	}
	return &backend.Error{Kind: backend.KindCrashed, Text: err.Text, Why: why, Err: err}
}
