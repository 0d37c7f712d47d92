package chrome

import (
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"rove/cdp"
	"rove/driver/backend"
)

// onEvent takes what one of the tab's sessions says, on the tab's queue.
func (t *Tab) onEvent(l *link, ev cdp.Event) {
	t.Mu.Lock() // it is held until the link is complete
	source := l.source
	t.countEvent(l, ev)
	t.Mu.Unlock()
	if t.skipConsoleLine(source, ev) {
		return
	}
	t.context.observers.tell(source, ev)
	// Some things cannot wait for the frame tree, and don't need it.
	switch ev.Method {
	case "Target.attachedToTarget":
		var e target.EventAttachedToTarget
		if ev.Decode(&e) == nil && e.TargetInfo != nil {
			t.attached(l, &e)
		}
		return
	case "Page.javascriptDialogOpening":
		var e page.EventJavascriptDialogOpening
		if ev.Decode(&e) == nil {
			t.dialogOpened(l, &e)
		}
		return
	case "Page.javascriptDialogClosed":
		var e page.EventJavascriptDialogClosed
		if ev.Decode(&e) == nil {
			t.dialogClosed(l, &e)
		}
		return
	case "Fetch.requestPaused":
		t.requestPaused(ev)
		return
	case "Inspector.targetCrashed":
		t.crash(l)
		return
	}
	if l.parent != nil && strings.HasPrefix(ev.Method, "Network.") {
		return // a page is at rest whatever advertisements load: this is for observers alone
	}
	t.Mu.Lock()
	if l.live {
		t.apply(l, ev)
	} else {
		l.held = append(l.held, ev)
	}
	t.Mu.Unlock()
	t.News.Flush()
}

// apply brings the tab up to date with an event. The lock is held.
func (t *Tab) apply(l *link, ev cdp.Event) {
	s := l.session
	switch ev.Method {
	case "Page.frameAttached":
		var e page.EventFrameAttached
		if ev.Decode(&e) != nil {
			return
		}
		if f := t.tree.attach(s, backend.FrameID(e.FrameID), backend.FrameID(e.ParentFrameID)); f != nil {
			t.owners.Add(f)
		}
	case "Page.frameDetached":
		var e page.EventFrameDetached
		if ev.Decode(&e) != nil {
			return
		}
		if e.Reason == page.FrameDetachedReasonSwap {
			t.tree.swapOut(s, backend.FrameID(e.FrameID))
		} else {
			t.tree.detach(s, backend.FrameID(e.FrameID))
		}
	case "Page.frameNavigated":
		var e page.EventFrameNavigated
		if ev.Decode(&e) != nil || e.Frame == nil {
			return
		}
		t.navigated(l, &e)
	case "Page.documentOpened":
		var e page.EventDocumentOpened
		if ev.Decode(&e) != nil || e.Frame == nil {
			return
		}
		if f := t.tree.owns(s, backend.FrameID(e.Frame.ID)); f != nil {
			t.tree.describe(f, e.Frame)
		}
	case "Page.navigatedWithinDocument":
		var e page.EventNavigatedWithinDocument
		if ev.Decode(&e) != nil {
			return
		}
		t.movedWithin(s, &e)
	case "Page.lifecycleEvent":
		var e page.EventLifecycleEvent
		if ev.Decode(&e) != nil {
			return
		}
		t.reached(s, &e)
	case "Runtime.executionContextCreated":
		var e runtime.EventExecutionContextCreated
		if ev.Decode(&e) == nil && e.Context != nil {
			t.worldCreated(l, e.Context)
		}
	case "Runtime.executionContextDestroyed":
		var e runtime.EventExecutionContextDestroyed
		if ev.Decode(&e) == nil {
			l.drop(e.ExecutionContextUniqueID)
		}
	case "Runtime.executionContextsCleared":
		for id := range l.worlds {
			l.drop(id)
		}
	case "Target.detachedFromTarget":
		var e target.EventDetachedFromTarget
		if ev.Decode(&e) == nil {
			t.detached(l, string(e.SessionID))
		}
	default:
		t.passOn(s, ev)
	}
}

// movedWithin notes the new address of a document that stays.
func (t *Tab) movedWithin(s *cdp.Session, e *page.EventNavigatedWithinDocument) {
	f := t.tree.owns(s, backend.FrameID(e.FrameID))
	if f == nil {
		return
	}
	f.url = backend.WithoutLogin(e.URL)
	t.News.Add(backend.URLChanged{Frame: f.id, URL: f.url, Main: f == t.tree.main})
	if f == t.tree.main {
		t.nav.within++
		t.nav.changed.Fire()
	}
}

// reached notes how far a document has got: what it still lacks is made up for, and
// one that is loaded is scanned.
func (t *Tab) reached(s *cdp.Session, e *page.EventLifecycleEvent) {
	f := t.tree.lifecycle(s, e)
	if f == nil {
		return
	}
	if e.Name == "DOMContentLoaded" && f.world == nil {
		t.worldless.Add(f)
	}
	if e.Name == "load" && f.load.done && f.load.loader == string(e.LoaderID) {
		if t.nav.commits > 0 {
			t.scans.Add(f) // there is nothing to find on the first blank page
		}
		t.News.Add(backend.Loaded{Frame: f.id, Document: f.load.loader, Main: f == t.tree.main})
	}
	if f == t.tree.main {
		t.nav.changed.Fire()
	}
}

// navigated is a frame's new document.
func (t *Tab) navigated(l *link, e *page.EventFrameNavigated) {
	f := t.tree.navigate(l.session, e.Frame)
	if f == nil {
		return
	}
	t.News.Add(backend.FrameNavigated{
		Frame: f.id, URL: f.url, Document: f.load.loader, Main: f == t.tree.main, Unreachable: f.unreachable,
	})
	if f.parent != nil {
		t.owners.Add(f)
	}
	if f == t.tree.main {
		t.reopen()      // for one that was waited for no longer, and has come
		t.ChooserGone() // it went with the page
		clear(t.bodies)
		t.nav.commit(f.load.loader, f.url)
		t.context.visited(f.url)
		t.holdBack(f)
		if why := t.rates.add(flowDocument, 1, time.Now()); why != "" {
			t.endPage(l, why)
		}
	}
	if f.id == l.target && f.world == nil {
		// A document without scripts that comes with a new process may be left
		// without any world. Asking for something brings them about.
		l.session.Start(runtime.CommandEvaluate, &runtime.EvaluateParams{Expression: "0"})
	}
	if e.Type == page.NavigationTypeBackForwardCacheRestore {
		// The document comes back with the frames it had. They are not announced
		// again, and their worlds have been, too early.
		t.refresh(l)
	}
}

// refresh reads the frames and worlds of a session anew, and of those below it.
// Their events are held back until then.
func (t *Tab) refresh(l *link) {
	l.live, l.frames = false, nil
	clear(l.worlds)
	s := l.session
	pending := t.browser.conn.Start(
		s.Command(page.CommandGetFrameTree, nil),
		s.Command(runtime.CommandDisable, nil),
		s.Command(runtime.CommandEnable, nil), // announces all worlds
	)
	t.adoptFrames(l, pending[0], pending[2])
	for _, c := range t.links {
		if c.parent == l {
			t.refresh(c)
		}
	}
}

// attached takes in a frame in a process of its own, or a worker. Both are
// paused until told to run, and are told in this very moment.
func (t *Tab) attached(l *link, e *target.EventAttachedToTarget) {
	id, info := string(e.SessionID), e.TargetInfo
	if info.Type == "iframe" {
		child := t.link(id, backend.FrameID(info.TargetID), info.URL, l)
		child.inside = backend.FrameID(info.ParentFrameID)
		t.context.mu.Lock()
		defer t.context.mu.Unlock()
		t.setUpLink(child, t.context.emulationFor(child.session, false)...)
		return
	}
	t.workerAttached(l, "", e)
}

// workerAttached takes in a worker of the page, or of another worker.
func (t *Tab) workerAttached(l *link, parent string, e *target.EventAttachedToTarget) {
	id, info := string(e.SessionID), e.TargetInfo
	var source *Source
	t.countFlow(flowWorker)
	t.Mu.Lock()
	s := t.browser.conn.Attach(id, t.queue, func(ev cdp.Event) {
		t.Mu.Lock()
		from := source
		t.countEvent(l, ev)
		t.Mu.Unlock()
		if t.skipConsoleLine(from, ev) {
			return
		}
		t.context.observers.tell(from, ev)
		switch ev.Method {
		case "Target.attachedToTarget":
			var e target.EventAttachedToTarget
			if ev.Decode(&e) == nil && e.TargetInfo != nil {
				t.workerAttached(l, id, &e)
			}
		case "Target.detachedFromTarget":
			var e target.EventDetachedFromTarget
			if ev.Decode(&e) == nil {
				t.Mu.Lock()
				t.workerGone(string(e.SessionID))
				t.Mu.Unlock()
				t.News.Flush()
			}
		case "Fetch.requestPaused":
			t.requestPaused(ev)
		default:
			if strings.HasPrefix(ev.Method, "Network.") {
				t.Mu.Lock()
				t.loads(ev, backend.FrameID(id))
				t.Mu.Unlock()
				t.News.Flush()
			}
		}
	})
	source = t.browser.source(s, info.Type, string(info.TargetID), info.URL, t.id)
	t.workers[id] = Worker{Type: info.Type, URL: info.URL, Session: s, parent: parent, source: source, script: string(info.TargetID)}
	t.Mu.Unlock()
	t.context.observers.Arrive(source)
	cmds := append(reporting(s), s.Command(target.CommandSetAutoAttach, autoAttach("worker")))
	if info.Type != "worker" { // whose requests are the page's
		cmds = append(cmds, t.context.pauseApart(s)...)
	}
	cmds = append(cmds, t.context.workerEmulation(s)...)
	t.browser.conn.Start(append(cmds, s.Command(runtime.CommandRunIfWaitingForDebugger, nil))...)
}

// workerGone is the end of a worker and of those it started. The lock is held.
func (t *Tab) workerGone(id string) bool {
	w, ok := t.workers[id]
	if !ok {
		return false
	}
	delete(t.workers, id)
	w.Session.Detach()
	t.context.observers.leave(w.source)
	// What it had asked for, and its script, nobody waits for any more.
	t.News.Add(backend.FrameRemoved{Frame: backend.FrameID(id)})
	t.News.Add(backend.RequestEnded{ID: w.script})
	for child, c := range t.workers {
		if c.parent == id {
			t.workerGone(child)
		}
	}
	return true
}

// detached is the end of a frame's session or of a worker. The lock is held.
func (t *Tab) detached(l *link, id string) {
	if t.workerGone(id) {
		return
	}
	child := t.links[id]
	if child == nil {
		return
	}
	t.unlink(child)
	f := t.tree.release(child.session, child.target)
	if f == nil {
		return
	}
	// Either the frame is gone, or it has come back to its parent's process and
	// the news is on its way. After one round trip it is there.
	p := l.session.Start(page.CommandEnable, nil)
	go func() {
		_ = p.Wait(t.Life, nil)
		t.Mu.Lock()
		if !f.gone && f.session == nil {
			t.tree.remove(f)
		}
		t.Mu.Unlock()
		t.News.Flush()
	}()
}

// unlink forgets a session and those below it.
func (t *Tab) unlink(l *link) {
	delete(t.links, l.session.ID())
	l.session.Detach()
	t.context.observers.leave(l.source)
	for _, c := range t.links {
		if c.parent == l {
			t.unlink(c)
		}
	}
}

// errPageDied is the end of the page's own renderer, which takes the frames of its
// site along.
var errPageDied = fail(backend.KindCrashed, "the page's process died")

// errFrameDied is the end of a frame in a process of its own.
var errFrameDied = fail(backend.KindCrashed, "the frame's process died")

// crash is the end of a renderer: the page's, or that of a frame.
func (t *Tab) crash(l *link) {
	t.Mu.Lock()
	for id := range l.worlds {
		l.drop(id)
	}
	why := t.died(l)
	if l.parent == nil && t.departing.killedOnPurpose() {
		// It was ended so that the tab can be used: what comes next revives it.
		t.crashed = true
		t.tree.empty(t.tree.main)
	} else if l.parent == nil {
		t.crashed = true
		t.tree.empty(t.tree.main)
		t.Crashed(ended(errPageDied, why), why)
	} else if f := t.tree.owns(l.session, l.target); f != nil {
		t.tree.empty(f)
		f.crashed, f.why = true, why
	}
	t.Mu.Unlock()
	// A dead renderer does not answer what it was asked.
	l.session.Abort(ended(errFrameDied, why))
	t.News.Flush()
}
