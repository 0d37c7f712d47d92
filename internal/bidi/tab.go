package bidi

import (
	"context"
	"sync"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

// Tab is a top-level browsing context. It implements backend.Tab.
type Tab struct {
	id      string
	browser *Browser
	context *Context
	news    anypage.News
	done    chan struct{}
	life    context.Context // ends with the tab
	endLife context.CancelFunc
	owners  anypage.Chore[string] // frames whose element the parent is to be told
	source  *backend.Source

	mu        sync.Mutex
	frames    []*frame // the main one first, parents before their children
	lastOwner int
	gate      *anypage.Gate
	dialog    *backend.Dialog
	answered  anypage.Signal // the dialog is closed
	departing bool           // the page is being left, dialogs and all
	left      []string       // what was dismissed meanwhile
	chooser   *chooser
	hand      anypage.Hand
	nav       navigations
	popup     bool           // its first page has yet to come; see firstPage
	reviving  chan struct{}  // closed when its scripts are answered; nil where they always are
	loading   loading        // the last document that was asked for
	shown     string         // the document that is there, by its request
	redirects map[string]int // how often requests were redirected so far
	err       error          // set before done is closed
}

// loading is a navigation, and the request that it made.
type loading struct{ navigation, request string }

// frame is a browsing context of the tab.
type frame struct {
	id, parent string
	url, name  string
	owner      int
	document   string // the navigation that brought it
	parsed     bool
	loaded     bool
}

var _ backend.Tab = (*Tab)(nil)

func newTab(b *Browser, c *Context, id, url string) *Tab {
	t := &Tab{id: id, browser: b, context: c, done: make(chan struct{}), gate: anypage.NewGate(), frames: []*frame{{id: id, url: url}}}
	t.life, t.endLife = context.WithCancel(context.Background())
	t.owners.Run = t.registerOwners
	t.source = &backend.Source{Kind: "page", ID: id, Tab: id, Bodies: t}
	return t
}

// ID names the tab.
func (t *Tab) ID() string { return t.id }

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
		list[i] = backend.Frame{ID: backend.FrameID(f.id), Parent: backend.FrameID(f.parent), URL: f.url, Name: f.name, Owner: f.owner}
	}
	return list
}

// find finds a frame; "" is the main one. The lock is held.
func (t *Tab) find(id string) *frame {
	for _, f := range t.frames {
		if f.id == id || id == "" {
			return f
		}
	}
	return nil
}

func (t *Tab) has(id backend.FrameID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.find(string(id)) != nil
}

// registerOwners tells the page scripts of parents which of their elements holds which
// frame.
func (t *Tab) registerOwners(batch []string) {
	type owner struct {
		number int
		parent string
	}
	t.mu.Lock()
	var list []owner
	var cmds []cdp.Command
	for _, id := range batch {
		if f := t.find(id); f != nil && f.parent != "" {
			list = append(list, owner{f.owner, f.parent})
			cmds = append(cmds, t.browser.root.Command("browsingContext.locateNodes", object{
				"context": f.parent, "locator": object{"type": "context", "value": object{"context": f.id}},
			}))
		}
	}
	t.mu.Unlock()
	var tell []cdp.Command
	for i, p := range t.browser.conn.Start(cmds...) {
		var r struct {
			Nodes []value `json:"nodes"`
		}
		if p.Wait(t.life, &r) != nil || len(r.Nodes) == 0 {
			continue // gone in the meantime
		}
		t.named(list[i].number, r.Nodes[0])
		tell = append(tell, t.browser.root.Command("script.callFunction", object{
			"functionDeclaration": "(element) => { if (!globalThis.rove) {" + anypage.Script() + "}\nrove.frames([" + string(encode(list[i].number)) + "], element) }",
			"arguments":           []object{{"sharedId": r.Nodes[0].SharedID}},
			"target":              t.target(backend.FrameID(list[i].parent), t.browser.sandbox), "awaitPromise": false, "resultOwnership": "none",
		}))
	}
	for _, p := range t.browser.conn.Start(tell...) {
		_ = p.Wait(t.life, nil)
	}
}

// named gives a frame the name that its element has.
func (t *Tab) named(owner int, element value) {
	var of struct {
		Attributes struct {
			Name string `json:"name"`
		} `json:"attributes"`
	}
	if wire.Unmarshal(orNull(element.Value), &of) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.frames {
		if f.owner == owner && f.parent != "" {
			f.name = of.Attributes.Name
		}
	}
}

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
	reviving := t.reviving
	t.mu.Unlock()
	if reviving != nil {
		select {
		case <-reviving:
		case <-t.done:
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.gate.Shut:
		return nil, t.gate.Err
	default:
		return t.gate, nil
	}
}

// start sends commands in one write.
func (t *Tab) start(cmds ...cdp.Command) []*cdp.Pending {
	if len(cmds) > 0 {
		t.context.trips.Add(1)
	}
	return t.browser.conn.Start(cmds...)
}

// await waits for an answer, or for what makes waiting pointless.
func (t *Tab) await(ctx context.Context, g *anypage.Gate, p *cdp.Pending, out any) error {
	if err := g.Await(ctx, p.Done(), t.done); err != nil {
		_ = p.Wait(gaveUp, nil)
		return err
	}
	err := p.Wait(ctx, out)
	if err == nil {
		return nil
	}
	select {
	case <-g.Shut: // what ended the call is told by the gate, and better
		return g.Err
	default:
		return fault(err)
	}
}

// gaveUp is for forgetting a call.
var gaveUp, giveUp = context.WithCancel(context.Background())

func init() { giveUp() }

// do calls the browser for the tab, for an answer that has nothing in it.
func (t *Tab) do(ctx context.Context, method string, params object) error {
	return t.ask(ctx, method, params, nil)
}

func (t *Tab) ask(ctx context.Context, method string, params object, out any) error {
	g, err := t.enter()
	if err != nil {
		return err
	}
	return t.await(ctx, g, t.start(t.browser.root.Command(method, params))[0], out)
}

// Close closes the tab without asking the page.
func (t *Tab) Close(ctx context.Context) error {
	if t.Err() != nil {
		return nil
	}
	err := fault(t.browser.root.Call(ctx, "browsingContext.close", object{"context": t.id, "promptUnload": false}, nil))
	if kindOf(err) == backend.KindNavigated { // there is no such tab
		t.end(fail(backend.KindClosed, "the tab was closed"))
	}
	if err != nil && t.Err() == nil {
		return err
	}
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
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
	t.context.observers.Leave(t.source)
	t.mu.Lock()
	close(t.done)
	t.shut(reason)
	t.answered.Fire()
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

// SetViewport changes the size of the visible page.
func (t *Tab) SetViewport(ctx context.Context, v backend.Viewport) error {
	v = viewport(v)
	if v.Mobile {
		return fail(backend.KindUnsupported, "a mobile viewport")
	}
	return t.do(ctx, "browsingContext.setViewport", object{
		"context": t.id, "viewport": object{"width": v.Width, "height": v.Height}, "devicePixelRatio": v.Scale,
	})
}

// Activate brings the tab to the front.
func (t *Tab) Activate(ctx context.Context) error {
	return t.do(ctx, "browsingContext.activate", object{"context": t.id})
}
