package chrome

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/webauthn"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// Tab is a page in a window of its own. It implements backend.Tab.
type Tab struct {
	anypage.Page        // its lock guards what follows groups, too
	id           string // of its target, and of the main frame at first
	browser      *Browser
	context      *Context
	opener       *Tab          // whose popup it is, or nil
	lent         bool          // a person's, and left as it is
	queue        *cdp.Queue    // of all its sessions
	session      *cdp.Session  // of the page
	ready        chan struct{} // the tab is set up

	owners    anypage.BatchWorker[*frame] // whose owner element the parent is to be told
	worldless anypage.BatchWorker[*frame] // that need a world made
	scans     anypage.BatchWorker[*frame] // whose documents have been loaded
	scanning  chan struct{}               // holds one: scans take turns

	groups atomic.Int64 // of remote objects, see objects

	tree    *tree
	links   map[string]*link // by session id
	workers map[string]Worker
	crashed bool

	nav         navigations // of the main frame
	departing   *departure  // the page is being left, dialogs and all
	killPending bool        // its process was told to end, and has not

	filmed   *screencast          // it is, or nil
	dragged  chan *input.DragData // where to put what the page drags, while a drag is on
	settling anypage.Signal       // worlds

	bodies bodies       // answers that are on their way
	rates  rates        // of what the page does
	mods   backend.Mods // that are held down
	errors bucket       // of its errors, those that are read for receipts
	why    string       // it is being closed, for what its page does to others
}

var _ backend.Tab = (*Tab)(nil)

// Worker is a worker of a page or of the browser.
type Worker struct {
	Type    string // worker, shared_worker, service_worker
	URL     string
	Session *cdp.Session

	context *Context // of one that belongs to no tab
	parent  string   // the session of the worker that started it, or ""
	source  *Source
	script  string // the request for its script, of a dedicated one
}

// link is one of the tab's sessions with frames: the page's, or that of a frame
// in a process of its own.
type link struct {
	session *cdp.Session
	source  *Source
	target  backend.FrameID
	parent  *link           // nil for the page
	inside  backend.FrameID // the parent frame, if the browser said so
	worlds  map[string]*world
	hangs   bool   // it did not answer when last asked
	why     string // its process is being ended, for what it does to others

	// A session's events are held back until its frame tree is there, and until
	// its parent's session has come that far: only then do they make sense.
	frames *page.FrameTree
	live   bool
	held   []cdp.Event
}

func newTab(b *Browser, c *Context, id, session string) *Tab {
	t := &Tab{
		id: id, browser: b, context: c,
		queue:    b.conn.NewQueue(),
		ready:    make(chan struct{}),
		scanning: make(chan struct{}, 1),
		links:    make(map[string]*link),
		workers:  make(map[string]Worker),
		rates:    rates{limits: &b.bounds.limits},
		errors:   bucket{size: errorBurst, rate: errorRate},
	}
	t.queue.Count(isConsoleLine)
	t.Init(id)
	t.Dismisses = func(d *backend.Dialog) bool { return t.departing.dismisses(d) }
	if c != nil {
		t.queue.Tally(&c.trips)
		t.rates.limits = c.limits
	}
	t.owners.Run = t.registerOwners
	t.worldless.Run = t.makeWorlds
	t.scans.Run = t.scanLoaded
	l := t.link(session, backend.FrameID(id), "", nil)
	t.session = l.session
	t.tree = newTree(backend.FrameID(id), l.session)
	t.tree.removed = func(f *frame) { t.News.Add(backend.FrameRemoved{Frame: f.id}) }
	return t
}

// link takes in a session. Its handler waits for the tab's lock, so that the
// session may be used as soon as the lock is free.
func (t *Tab) link(id string, frame backend.FrameID, url string, parent *link) *link {
	l := &link{target: frame, parent: parent, worlds: make(map[string]*world)}
	kind := "page"
	if parent != nil {
		kind = "frame"
	}
	t.Mu.Lock()
	l.session = t.browser.conn.Attach(id, t.queue, func(ev cdp.Event) { t.onEvent(l, ev) })
	l.source = t.browser.source(l.session, kind, string(frame), url, t.id)
	l.source.page = t
	t.links[id] = l
	t.Mu.Unlock()
	t.context.observers.Arrive(l.source)
	return l
}

const metricsCommand = emulation.CommandSetDeviceMetricsOverride

func metrics(v backend.Viewport) *emulation.SetDeviceMetricsOverrideParams {
	return &emulation.SetDeviceMetricsOverrideParams{
		Width: int64(v.Width), Height: int64(v.Height),
		DeviceScaleFactor: v.Scale, Mobile: v.Mobile,
		ScreenWidth: int64(v.Width), ScreenHeight: int64(v.Height),
	}
}

// setUp prepares the page's session.
func (t *Tab) setUp() {
	t.Mu.Lock()
	l := t.links[t.session.ID()]
	t.Mu.Unlock()
	s := t.session
	var more []cdp.Command
	if t.browser.unwatched {
		// A passkey is asked for in a window of the browser's own, which takes all
		// further presses. Of keys that are none it asks nobody.
		more = append(more, s.Command(webauthn.CommandEnable, &webauthn.EnableParams{EnableUI: new(false)}))
	}
	// Under the lock, so that a viewport that changes now is sent after this one.
	t.context.mu.Lock()
	defer t.context.mu.Unlock()
	if view := t.context.viewport; view.Width > 0 && !t.lent {
		more = append(more, s.Command(metricsCommand, metrics(view)))
	}
	more = append(more, t.context.emulationFor(s, true)...)
	t.setUpLink(l, more...)
}

// setUpLink sends all that a new session needs in one write. The target is
// paused until the last command, so nothing is waited for before that one.
func (t *Tab) setUpLink(l *link, more ...cdp.Command) {
	s := l.session
	cmds := []cdp.Command{
		s.Command(page.CommandEnable, nil), // before the tree is read: no frame slips in between
		s.Command(page.CommandGetFrameTree, nil),
		s.Command(page.CommandSetLifecycleEventsEnabled, &page.SetLifecycleEventsEnabledParams{Enabled: true}),
		s.Command(page.CommandAddScriptToEvaluateOnNewDocument, &page.AddScriptToEvaluateOnNewDocumentParams{
			Source: t.browser.script(), WorldName: t.browser.world, RunImmediately: new(true),
		}),
		// A page nobody looks at behaves as if it had the focus. Its frames in other
		// processes must, too: they would take the focus without an event that tells of it.
		s.Command(emulation.CommandSetFocusEmulationEnabled, &emulation.SetFocusEmulationEnabledParams{Enabled: true}),
		// A chooser is answered by us, or by nobody: no window opens for it.
		s.Command(page.CommandSetInterceptFileChooserDialog, &page.SetInterceptFileChooserDialogParams{Enabled: true}),
		s.Command(target.CommandSetAutoAttach, autoAttach("iframe", "worker", "shared_worker")),
	}
	cmds = slices.Concat(cmds, reporting(s), more, t.context.pause(s))
	cmds = append(cmds, s.Command(runtime.CommandRunIfWaitingForDebugger, nil))
	pending := t.browser.conn.Start(cmds...)
	t.adoptFrames(l, pending[1], pending[len(pending)-1])
}

// adoptFrames waits for a session's frame tree, and for the last answer. What is
// not answered when the page goes to another process, the browser asks of the
// new one again: the page script would be there twice.
func (t *Tab) adoptFrames(l *link, frames, last *cdp.Pending) {
	go func() {
		var r page.GetFrameTreeResult
		if frames.Wait(t.Life, &r) != nil {
			return // the session is gone, and somebody will say so
		}
		_ = last.Wait(t.Life, nil)
		t.Mu.Lock()
		l.frames = r.FrameTree
		t.goLive(l)
		t.Mu.Unlock()
		t.News.Flush()
	}()
}

// goLive puts a session's frames into the tree, then all that was held back.
func (t *Tab) goLive(l *link) {
	if l.live || l.frames == nil || (l.parent != nil && !l.parent.live) || t.links[l.session.ID()] != l {
		return
	}
	l.live = true
	if l.parent != nil {
		inside := l.inside
		if inside == "" && l.frames.Frame != nil {
			inside = backend.FrameID(l.frames.Frame.ParentID)
		}
		if f := t.tree.place(l.target, inside, l.session); f != nil {
			t.owners.Add(f)
		}
	}
	t.tree.adopt(l.session, l.frames, func(f *frame) { t.owners.Add(f) })
	if l.parent == nil {
		t.holdBack(t.tree.main)
	}
	t.settling.Fire()
	held := l.held
	l.held = nil
	for _, ev := range held {
		t.apply(l, ev)
	}
	if l.parent == nil && !t.isReady() {
		close(t.ready)
	}
	for _, c := range t.links {
		if c.parent == l {
			t.goLive(c)
		}
	}
}

func (t *Tab) isReady() bool {
	select {
	case <-t.ready:
		return true
	default:
		return false
	}
}

// Frames lists the frames there are now.
func (t *Tab) Frames() []backend.Frame {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	var list []backend.Frame
	t.tree.walk(func(f *frame) {
		b := backend.Frame{ID: f.id, URL: f.url, Name: f.name, Unreachable: f.unreachable, Owner: f.owner}
		if f.parent != nil {
			b.Parent = f.parent.id
		}
		list = append(list, b)
	})
	return list
}

// Workers lists the page's workers.
func (t *Tab) Workers() []Worker {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	return slices.Collect(maps.Values(t.workers))
}

// A browser that says that it closes a tab does not always do it: one whose page
// died at that moment stayed.
const (
	closeAgain = 3 * time.Second
	closeTime  = 10 * time.Second
)

// Close closes the tab without asking the page. It ends after closeTime at the
// latest.
func (t *Tab) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, closeTime)
	defer cancel()
	for {
		if err := t.askToClose(ctx); err != nil {
			return err
		}
		bound, stop := context.WithTimeout(ctx, closeAgain)
		err := t.waitEnd(bound)
		stop()
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
}

func (t *Tab) askToClose(ctx context.Context) error {
	if t.Err() != nil {
		return nil
	}
	var p *cdp.Pending
	if t.lent {
		p = t.detachGuestTab()
	} else {
		p = t.browser.conn.Root().Start(target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(t.id)})
	}
	select {
	case <-t.Done(): // by itself, in the meantime
		return nil
	case <-p.Done():
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := p.Wait(ctx, nil); err != nil && t.Err() == nil {
		return fault(err)
	}
	return nil
}

func (t *Tab) waitEnd(ctx context.Context) error {
	select {
	case <-t.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end is the end of the tab.
func (t *Tab) end(reason error) {
	if !t.End(reason, func() { t.context.remove(t) }) {
		return
	}
	t.Mu.Lock()
	links, workers := t.links, t.workers
	t.links, t.workers = make(map[string]*link), make(map[string]Worker)
	t.Mu.Unlock()
	for _, l := range links {
		l.session.Detach()
		t.context.observers.leave(l.source)
	}
	for _, w := range workers {
		w.Session.Detach()
		t.context.observers.leave(w.source)
	}
	t.queue.Close()
}

// begun waits until the tab is set up. One whose process dies before that never is.
func (t *Tab) begun(ctx context.Context) error {
	g := t.Gate()
	select {
	case <-t.ready:
		return nil
	case <-g.Shut:
		return g.Err
	case <-t.Done():
		return t.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enter is where every call to the page begins: it gives the gate to watch, or
// the reason there is no use in asking.
func (t *Tab) enter(ctx context.Context) (*anypage.Gate, error) {
	if err := t.isSetUp(ctx); err != nil {
		return nil, err
	}
	return t.Enter()
}

// isSetUp waits until it is.
func (t *Tab) isSetUp(ctx context.Context) error {
	select {
	case <-t.ready:
		return nil
	case <-t.Done():
		return t.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// await waits for an answer, or for what makes waiting pointless.
func (t *Tab) await(ctx context.Context, g *anypage.Gate, p *cdp.Pending, out any) error {
	pulse := newPulse(ctx, p.Session())
	defer pulse.stop()
	for answered := false; !answered; {
		select {
		case <-p.Done():
			answered = true
		case <-pulse.due():
			pulse.take()
		case <-g.Shut:
			select {
			case <-p.Done():
				answered = true
			default:
				if answered = g.Outlasts(ctx, p.Done(), t.Done()); !answered {
					p.Forget()
					return g.Err
				}
			}
		case <-ctx.Done():
			p.Forget()
			return pulse.verdict(ctx, g)
		}
	}
	err := p.Wait(ctx, out)
	if err == nil {
		return nil
	}
	// What ended the call may be told by the gate, and better.
	select {
	case <-g.Shut:
		return g.Err
	default:
		return fault(err)
	}
}

// sessions are those of the page and its out-of-process frames. The lock is held.
func (t *Tab) sessions() []*cdp.Session {
	var list []*cdp.Session
	for _, l := range t.links {
		list = append(list, l.session)
	}
	return list
}
