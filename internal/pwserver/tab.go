package pwserver

import (
	"context"
	"sync"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Tab is a page. It implements backend.Tab.
type Tab struct {
	guid    string
	browser *Browser
	context *Context
	opener  *Tab
	news    anypage.News
	done    chan struct{}
	life    context.Context // ends with the tab
	endLife context.CancelFunc
	owners  anypage.Chore[string] // frames whose element the parent is to be told
	scans   anypage.Chore[string] // frames that were loaded

	mu        sync.Mutex
	frames    []*frame // the main one first, parents before their children
	lastOwner int
	documents int // of all frames, so far
	gate      *anypage.Gate
	dialog    *dialog
	answered  anypage.Signal // the dialog is closed
	departing bool           // the page is being left, dialogs and all
	left      []string       // what was dismissed meanwhile
	chooser   *chooser
	moved     anypage.Signal // a frame has gone on, in whatever way
	asked     int            // navigations by Navigate
	commits   int            // documents of the main frame, so far
	goings    int            // how often the main frame went on, or began to
	wanted    string         // the address that the main frame asked for last
	empty     int            // the status of an answer that brings no document
	download  *backend.DownloadStarted
	devtools  *devtools
	resized   bool // its screen is not the one that the context was opened with
	film      *film
	pointer   backend.Point
	err       error // set before done is closed
}

// frame is a frame of the tab.
type frame struct {
	guid, parent string
	url, name    string
	owner        int
	document     string
	parsed       bool
	loaded       bool
	world        *world // of the page script; nil until it is asked for
}

var _ backend.Tab = (*Tab)(nil)

func newTab(b *Browser, c *Context, guid string) *Tab {
	t := &Tab{guid: guid, browser: b, context: c, done: make(chan struct{}), gate: anypage.NewGate()}
	t.life, t.endLife = context.WithCancel(context.Background())
	t.owners.Run = t.registerOwners
	t.scans.Run = t.scanLoaded
	return t
}

// ID names the tab.
func (t *Tab) ID() string { return t.guid }

// Done is closed when the tab is gone.
func (t *Tab) Done() <-chan struct{} { return t.done }

// Err says why the tab is gone.
func (t *Tab) Err() error {
	select {
	case <-t.done:
		return t.err
	default:
		return nil
	}
}

// Watch has fn called for every event of the tab until stop is called.
func (t *Tab) Watch(fn func(backend.Event)) (stop func()) { return t.news.Watch(fn) }

// Frames lists the frames there are now.
func (t *Tab) Frames() []backend.Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return nil
	}
	list := make([]backend.Frame, len(t.frames))
	for i, f := range t.frames {
		list[i] = backend.Frame{ID: backend.FrameID(f.guid), Parent: backend.FrameID(f.parent), URL: f.url, Name: f.name, Owner: f.owner}
	}
	return list
}

// find finds a frame; "" is the main one. The lock is held.
func (t *Tab) find(guid string) *frame {
	for _, f := range t.frames {
		if f.guid == guid || guid == "" {
			return f
		}
	}
	return nil
}

// ready brings a tab to where the others of its context are.
func (t *Tab) ready(ctx context.Context) error {
	if err := t.browser.conn.call(ctx, t.guid, "updateSubscription", object{"event": "fileChooser", "enabled": true}, nil); err != nil {
		return err
	}
	t.context.mu.Lock()
	e := t.context.emulation
	t.context.mu.Unlock()
	if e == nil {
		return nil
	}
	return t.pretend(ctx, *e)
}

// registerOwners tells the page scripts of parents which of their elements holds which
// frame.
func (t *Tab) registerOwners(batch []string) {
	type owner struct {
		number int
		parent string
	}
	var list []owner
	var cmds []command
	t.mu.Lock()
	for _, guid := range batch {
		if f := t.find(guid); f != nil && f.parent != "" {
			list = append(list, owner{f.owner, f.parent})
			cmds = append(cmds, command{f.guid, "frameElement", nil})
		}
	}
	t.mu.Unlock()
	for i, r := range t.browser.conn.start(cmds...) {
		var made struct {
			Element ref `json:"element"`
		}
		if r.wait(t.life, t.browser.conn, &made) != nil {
			continue // gone in the meantime
		}
		ctx, cancel := context.WithTimeout(t.life, ownerTimeout)
		_, _ = t.inWorld(ctx, list[i].parent, "([element]) => { rove.frames(["+string(encode(list[i].number))+"], element) }", []string{made.Element.GUID})
		cancel()
		t.forget(made.Element.GUID)
	}
}

const (
	ownerTimeout  = 3 * time.Second        // for a parent to be told of a frame
	ownersTimeout = 500 * time.Millisecond // for a call to wait for that
)

// settled waits for parents to be told of their frames.
func (t *Tab) settled(ctx context.Context, g *anypage.Gate) error {
	work := t.owners.Busy()
	if work == nil {
		return nil
	}
	timer := time.NewTimer(ownersTimeout)
	defer timer.Stop()
	select {
	case <-work:
	case <-timer.C:
	case <-g.Shut:
		return g.Err
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// enter is where every call to the page begins: it gives the gate to watch, or the
// reason there is no use in asking.
func (t *Tab) enter() (*anypage.Gate, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.gate.Shut:
		return nil, t.gate.Err
	default:
		return t.gate, nil
	}
}

// start sends messages in one write.
func (t *Tab) start(cmds ...command) []*reply {
	if len(cmds) > 0 {
		t.context.trips.Add(1)
	}
	return t.browser.conn.start(cmds...)
}

// await waits for an answer, or for what makes waiting pointless.
func (t *Tab) await(ctx context.Context, g *anypage.Gate, r *reply, out any) error {
	if err := g.Await(ctx, r.done, t.done); err != nil {
		if ctx.Err() != nil {
			t.browser.conn.abort(r)
		}
		return err
	}
	err := r.read(out)
	if err == nil {
		return nil
	}
	select {
	case <-g.Shut: // what ended the call is told by the gate, and better
		return g.Err
	default:
		return err
	}
}

// ask calls an object of the server for the tab.
func (t *Tab) ask(ctx context.Context, guid, method string, params, out any) error {
	g, err := t.enter()
	if err != nil {
		return err
	}
	return t.await(ctx, g, t.start(command{guid, method, params})[0], out)
}

// forget lets go of handles.
func (t *Tab) forget(handles ...string) {
	var cmds []command
	for _, h := range handles {
		cmds = append(cmds, command{h, "dispose", nil})
	}
	t.browser.conn.start(cmds...)
}

// Close closes the tab without asking the page.
func (t *Tab) Close(ctx context.Context) error {
	if t.Err() != nil {
		return nil
	}
	err := t.browser.conn.call(ctx, t.guid, "close", nil, nil)
	if err == nil || kindOf(err) == backend.KindClosed {
		t.browser.tabGone(t, fail(backend.KindClosed, "the tab was closed"))
		return nil
	}
	return err
}

// end is the end of the tab.
func (t *Tab) end(reason error) {
	t.mu.Lock()
	if t.err != nil {
		t.mu.Unlock()
		return
	}
	t.err = reason
	t.mu.Unlock()
	t.context.remove(t)
	t.mu.Lock()
	close(t.done)
	t.shut(reason)
	t.answered.Fire()
	t.moved.Fire()
	t.mu.Unlock()
	t.endLife()
}

// shut ends all that waits for the page. The lock is held.
func (t *Tab) shut(reason error) {
	select {
	case <-t.gate.Shut:
		t.gate = anypage.NewGate()
	default:
	}
	t.gate.Close(reason)
}

// Activate brings the tab to the front.
func (t *Tab) Activate(ctx context.Context) error {
	return t.ask(ctx, t.guid, "bringToFront", nil, nil)
}
