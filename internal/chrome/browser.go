package chrome

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/proc"
)

// Browser is a running browser. It implements backend.Browser.
type Browser struct {
	downloads downloads
	conn      *cdp.Conn
	version   string
	world     string // the name of the isolated worlds: random, so that no page can know it

	process *proc.Process // nil for a browser somebody else started
	scratch *proc.Scratch // the same
	startup *Context      // the one that is there from the start
	kept    bool          // its profile stays, and is the startup context's alone
	release func()        // lets go of the profile

	unwatched bool // nobody sees it, or could answer what it asks
	guest     guestState
	bounds    bounds

	mu           sync.Mutex
	contexts     map[string]*Context // by id, without the startup context
	tabs         map[string]*Tab     // by target id
	sessions     map[string]*Tab     // by session id of the page
	workers      map[string]Worker   // service and shared workers, by session id
	taken        bool                // the startup context was given away
	changed      anypage.Signal      // tabs
	lines        atomic.Int64        // for consoles, of all pages
	lastRelief   time.Time           // when a renderer was last ended for the others' sake
	reliefToldAt time.Time           // when the first news of that came

	datagrams datagrams

	closing sync.Once
	closed  error
}

// script is the page script as this browser's pages get it.
func (b *Browser) script() string {
	if b.unwatched {
		return anypage.ScriptAlone()
	}
	return anypage.Script()
}

var _ backend.Browser = (*Browser)(nil)

func newBrowser(conn *cdp.Conn) *Browser {
	return &Browser{
		conn:     conn,
		world:    rand.Text(),
		bounds:   bounds{usual, unheard},
		contexts: make(map[string]*Context),
		tabs:     make(map[string]*Tab),
		sessions: make(map[string]*Tab),
		workers:  make(map[string]Worker),
	}
}

// start has the browser tell of its pages and waits for its first word.
func (b *Browser) start(ctx context.Context) error {
	root := b.conn.Root()
	root.OnEvent(b.onEvent)
	pending := b.conn.Start(
		root.Command(browser.CommandGetVersion, nil),
		root.Command(target.CommandSetAutoAttach, autoAttach("page", "service_worker", "shared_worker")),
		root.Command(browser.CommandSetDownloadBehavior, downloadsTo("", "")),
	)
	if err := b.started(ctx, pending); err != nil {
		return err
	}
	if b.process != nil {
		go b.watchStrain()
	}
	return nil
}

// started takes in what the browser answers first: its version, and that it will tell of
// its pages.
func (b *Browser) started(ctx context.Context, pending []*cdp.Pending) error {
	var v browser.GetVersionResult
	if err := pending[0].Wait(ctx, &v); err != nil {
		return err
	}
	b.version = v.Product
	go func() {
		<-b.conn.Done()
		b.lost()
	}()
	return pending[1].Wait(ctx, nil)
}

// autoAttach attaches to new targets of the given types before they run. It is
// not recursive: every session has to be told again.
func autoAttach(types ...string) *target.SetAutoAttachParams {
	p := &target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true)}
	for _, t := range types {
		p.Filter = append(p.Filter, target.FilterEntry{Type: t})
	}
	p.Filter = append(p.Filter, target.FilterEntry{Exclude: true})
	return p
}

// Version is the product and version the browser gives itself.
func (b *Browser) Version() string { return b.version }

// Stats counts what went over the connection.
func (b *Browser) Stats() cdp.Stats { return b.conn.Stats() }

// Done is closed when the browser is gone.
func (b *Browser) Done() <-chan struct{} { return b.conn.Done() }

func (b *Browser) onEvent(ev cdp.Event) {
	switch ev.Method {
	case "Target.attachedToTarget":
		var e target.EventAttachedToTarget
		if ev.Decode(&e) == nil && e.TargetInfo != nil {
			b.attached(&e)
		}
	case "Target.detachedFromTarget":
		var e target.EventDetachedFromTarget
		if ev.Decode(&e) == nil {
			b.detached(string(e.SessionID))
		}
	case "Target.targetCreated":
		var e target.EventTargetCreated
		if ev.Decode(&e) == nil && e.TargetInfo != nil {
			b.discovered(e.TargetInfo)
		}
	case "Browser.downloadWillBegin":
		var e browser.EventDownloadWillBegin
		if ev.Decode(&e) == nil {
			b.downloadBegan(&e)
		}
	case "Browser.downloadProgress":
		var e browser.EventDownloadProgress
		if ev.Decode(&e) == nil {
			b.downloadMoved(&e)
		}
	case "Fetch.requestPaused":
		b.requestPaused(ev)
	}
}

// attached takes in a target of the browser, which is paused until told to run.
func (b *Browser) attached(e *target.EventAttachedToTarget) {
	info, id := e.TargetInfo, string(e.SessionID)
	b.mu.Lock()
	c := b.contexts[string(info.BrowserContextID)]
	if c == nil {
		c = b.startup
	}
	b.mu.Unlock()
	lent := false
	if b.guest.on {
		if c, lent = b.contextOfTarget(string(info.TargetID)); c == nil {
			return
		}
	}
	if info.Type != "page" || info.Subtype != "" {
		b.workerAttached(c, e)
		return
	}
	b.mu.Lock()
	opener := b.tabs[string(info.OpenerID)]
	b.mu.Unlock()

	t := newTab(b, c, string(info.TargetID), id)
	t.opener, t.lent = opener, lent
	b.mu.Lock()
	b.tabs[t.id] = t
	b.sessions[id] = t
	b.changed.Fire()
	b.mu.Unlock()
	c.add(t, opener != nil)
	t.setUp()

	if opener != nil {
		opener.root().countFlow(flowPopup)
		go func() {
			select {
			case <-t.ready:
				opener.News.Tell(backend.TabOpened{Tab: t})
			case <-t.Done():
			}
		}()
	}
}

// workerAttached takes in a worker that belongs to no tab.
func (b *Browser) workerAttached(c *Context, e *target.EventAttachedToTarget) {
	info, id := e.TargetInfo, string(e.SessionID)
	var source *Source
	b.mu.Lock()
	s := b.conn.Attach(id, b.conn.Root().Queue(), func(ev cdp.Event) {
		b.mu.Lock()
		from := source
		b.mu.Unlock()
		c.apart.countEvent(c, info, func(r *rates) string { return r.count(ev) })
		c.observers.tell(from, ev)
		c.policed(ev)
	})
	source = b.source(s, info.Type, string(info.TargetID), info.URL, "")
	b.workers[id] = Worker{Type: info.Type, URL: info.URL, Session: s, context: c, source: source}
	b.mu.Unlock()
	c.apart.countEvent(c, info, func(r *rates) string { return r.add(flowApart, 1, time.Now()) })
	c.observers.Arrive(source)
	run := s.Command(runtime.CommandRunIfWaitingForDebugger, nil)
	cmds := slices.Concat(reporting(s), c.pauseApart(s), c.workerEmulation(s))
	if len(c.stopped()) == 0 {
		b.conn.Start(append(cmds, run)...)
		return
	}
	// Chrome gives a worker that waits another way to the network some time after it was
	// told to stop its requests. One that runs before that can get away with its first.
	pending := b.conn.Start(cmds...)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), workerTime)
		defer cancel()
		for _, p := range pending {
			_ = p.Wait(ctx, nil)
		}
		b.conn.Start(run)
	}()
}

// detached is the end of a tab or a worker.
func (b *Browser) detached(session string) {
	b.mu.Lock()
	t := b.sessions[session]
	w, isWorker := b.workers[session]
	delete(b.sessions, session)
	delete(b.workers, session)
	if t != nil {
		delete(b.tabs, t.id)
		b.changed.Fire()
	}
	b.mu.Unlock()
	if isWorker {
		w.Session.Detach()
		w.context.observers.leave(w.source)
	}
	if t != nil {
		t.Mu.Lock()
		reason := "the tab was closed"
		if t.why != "" {
			reason += ": " + t.why
		}
		t.Mu.Unlock()
		t.end(fail(backend.KindClosed, reason))
	}
}

// lost ends all tabs when the connection has.
func (b *Browser) lost() {
	b.mu.Lock()
	tabs, workers := b.tabs, b.workers
	b.workers = make(map[string]Worker)
	b.tabs, b.sessions = make(map[string]*Tab), make(map[string]*Tab)
	b.changed.Fire()
	ways := []*egress{b.startup.egress}
	for _, c := range b.contexts {
		ways = append(ways, c.egress)
	}
	b.mu.Unlock()
	for _, way := range ways {
		way.close()
	}
	for _, t := range tabs {
		t.end(errBrowserGone)
	}
	for _, w := range workers {
		w.context.observers.leave(w.source)
	}
}

// NewContext opens a browser context. The first one is the context the browser
// started with: its profile is empty and ours, and its first tab is there.
func (b *Browser) NewContext(ctx context.Context, opts backend.ContextOptions) (backend.Context, error) {
	if b.guest.on {
		return b.newGuest(opts)
	}
	view := anypage.Viewport(opts.Viewport)
	limited := opts.Policy != nil && opts.Policy.Limits()
	if limited {
		if err := b.holdDatagrams(ctx); err != nil {
			return nil, err
		}
	}
	proxy, way, err := b.wayFor(opts.Policy)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	// It cannot be given a proxy, unless it started with one.
	take := b.process != nil && !b.taken && proxy == "" && (!limited || b.startup.egress != nil)
	b.taken = b.taken || take
	b.mu.Unlock()
	if b.kept && !take {
		return nil, fail(backend.KindUnsupported, "a profile that is kept is for one session at a time")
	}
	if take {
		if err := b.startup.reopen(ctx); err != nil {
			return nil, err
		}
		b.startup.policy.Store(nil)
		if opts.Policy != nil {
			b.startup.policy.Store(&opts.Policy)
		}
		b.startup.setViewport(view)
		b.startup.setDownloads(opts.Downloads)
		b.startup.allowClipboard()
		return b.startup, b.startup.setEnters(ctx, opts.Enters)
	}
	root := b.conn.Root()
	params := &target.CreateBrowserContextParams{DisposeOnDetach: new(true)}
	if params.ProxyServer = proxy; way != nil {
		params.ProxyBypassList = "<-loopback>"
	}
	var made target.CreateBrowserContextResult
	if err := root.Call(ctx, target.CommandCreateBrowserContext, params, &made); err != nil {
		way.close()
		return nil, fault(err)
	}
	c := newContext(b, string(made.BrowserContextID), view)
	c.egress = way
	if opts.Policy != nil {
		c.policy.Store(&opts.Policy)
	}
	b.mu.Lock()
	b.contexts[c.id] = c
	b.mu.Unlock()
	c.setDownloads(opts.Downloads)
	c.allowClipboard()
	return c, c.setEnters(ctx, opts.Enters)
}

// tab waits until a target is attached to.
func (b *Browser) tab(ctx context.Context, id string) (*Tab, error) {
	for {
		b.mu.Lock()
		t, changed := b.tabs[id], b.changed.Next()
		b.mu.Unlock()
		if t != nil {
			return t, nil
		}
		select {
		case <-changed:
		case <-b.conn.Done():
			return nil, fault(cdp.ErrClosed)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Close ends a browser that was launched, and leaves one that was connected to.
// It returns when no process and no file is left.
func (b *Browser) Close() error {
	b.closing.Do(func() { b.closed = b.close() })
	return b.closed
}

func (b *Browser) close() error {
	if b.process == nil {
		bound, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		b.leaveGuests(bound)
		err := b.conn.Close()
		<-b.conn.Done()
		b.lost()
		if b.scratch != nil {
			err = errors.Join(err, b.scratch.Remove())
		}
		return err
	}
	// Asked to end, the browser removes what it keeps outside its profile.
	asked := b.conn.Root().Start(browser.CommandClose, nil)
	patience := closeTimeout
	if b.kept {
		patience = keepTimeout
	}
	bound := time.NewTimer(patience)
	defer bound.Stop()
	select {
	case <-b.process.Done():
	case <-bound.C:
	case <-asked.Done():
		if asked.Wait(context.Background(), nil) == nil {
			select {
			case <-b.process.Done():
			case <-bound.C:
			}
		}
	}
	err := b.process.Kill()
	_ = b.conn.Close()
	<-b.conn.Done()
	b.lost()
	err = errors.Join(err, b.scratch.Remove())
	b.release()
	return err
}

// Memory is how much memory the browser's processes have, in bytes.
func (b *Browser) Memory() (int64, error) {
	if b.process == nil {
		return 0, errors.ErrUnsupported
	}
	return b.process.Memory()
}

// Folder is a directory that lives as long as the browser and goes with it, even
// if nobody is left to remove it; "" for a browser that was connected to.
func (b *Browser) Folder() string {
	if b.scratch == nil {
		return ""
	}
	return b.scratch.Dir
}
