package bidi

import (
	"context"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

// Tab is a top-level browsing context. It implements backend.Tab.
type Tab struct {
	anypage.Framed // its lock guards what follows source, too
	id             string
	browser        *Browser
	context        *Context
	source         *backend.Source

	hand      anypage.WebDriverInput
	spot      spot // where the pointer acts
	held      bool // a button is; of who gives input
	nav       navigations
	popup     bool           // its first page has yet to come; see firstPage
	reviving  chan struct{}  // closed when its scripts are answered; nil where they always are
	loading   loading        // the last document that was asked for
	shown     string         // the document that is there, by its request
	redirects map[string]int // how often requests were redirected so far
	statuses  map[string]int // of answers that lead on, by request
}

// loading is a navigation, and the request that it made.
type loading struct{ navigation, request string }

var _ backend.Tab = (*Tab)(nil)

func newTab(b *Browser, c *Context, id, url string) *Tab {
	t := &Tab{id: id, browser: b, context: c}
	t.Init(id)
	t.Owners.Run = t.registerOwners
	t.Attach(&anypage.Frame{ID: backend.FrameID(id), URL: url})
	t.source = &backend.Source{Kind: "page", ID: id, Tab: id, Bodies: t}
	return t
}

// registerOwners tells the page scripts of parents which of their elements holds which
// frame.
func (t *Tab) registerOwners(batch []backend.FrameID) {
	list := t.Inner(batch)
	var cmds []cdp.Command
	for _, f := range list {
		cmds = append(cmds, t.browser.root.Command("browsingContext.locateNodes", object{
			"context": f.Parent, "locator": object{"type": "context", "value": object{"context": f.ID}},
		}))
	}
	var tell []cdp.Command
	for i, p := range t.browser.conn.Start(cmds...) {
		var r struct {
			Nodes []value `json:"nodes"`
		}
		if p.Wait(t.Life, &r) != nil || len(r.Nodes) == 0 {
			continue // gone in the meantime
		}
		t.named(list[i].Owner, r.Nodes[0])
		tell = append(tell, t.browser.root.Command("script.callFunction", object{
			"functionDeclaration": "(element) => { if (!globalThis.rove) {" + anypage.Script() + "}\nrove.frames([" + string(anypage.Encode(list[i].Owner)) + "], element) }",
			"arguments":           []object{{"sharedId": r.Nodes[0].SharedID}},
			"target":              t.target(list[i].Parent, t.browser.sandbox), "awaitPromise": false, "resultOwnership": "none",
		}))
	}
	for _, p := range t.browser.conn.Start(tell...) {
		_ = p.Wait(t.Life, nil)
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
	t.Mu.Lock()
	defer t.Mu.Unlock()
	for _, f := range t.List {
		if f.Owner == owner && !f.Main() {
			f.Name = of.Attributes.Name
		}
	}
}

// enter is where every call to the page begins. A popup may have to be revived first.
func (t *Tab) enter() (*anypage.Gate, error) {
	t.Mu.Lock()
	reviving := t.reviving
	t.Mu.Unlock()
	if reviving != nil {
		select {
		case <-reviving:
		case <-t.Done():
		}
	}
	return t.Enter()
}

// start sends commands in one write.
func (t *Tab) start(cmds ...cdp.Command) []*cdp.Pending {
	if len(cmds) > 0 {
		t.context.Sent.Add(1)
	}
	return t.browser.conn.Start(cmds...)
}

// await waits for an answer, or for what makes waiting pointless.
func (t *Tab) await(ctx context.Context, g *anypage.Gate, p *cdp.Pending, out any) error {
	err := t.Await(ctx, g, p.Done(), func() error { return fault(p.Wait(ctx, out)) })
	p.Forget()
	return err
}

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
	if backend.KindOf(err) == backend.KindNavigated { // there is no such tab
		t.end(backend.Fail(backend.KindClosed, "the tab was closed"))
	}
	if err != nil && t.Err() == nil {
		return err
	}
	select {
	case <-t.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end is the end of the tab.
func (t *Tab) end(reason error) {
	t.End(reason, func() {
		t.context.Remove(t)
		t.context.observers.Leave(t.source)
	})
}

// SetViewport changes the size of the visible page.
func (t *Tab) SetViewport(ctx context.Context, v backend.Viewport) error {
	v = anypage.Viewport(v)
	if v.Mobile {
		return backend.Fail(backend.KindUnsupported, "a mobile viewport")
	}
	return t.resize(ctx, v)
}

// resize changes the size, whatever the screen is; a mobile one is for emulation.
func (t *Tab) resize(ctx context.Context, v backend.Viewport) error {
	params := sized(v)
	params["context"] = t.id
	return t.do(ctx, "browsingContext.setViewport", params)
}

// Activate brings the tab to the front.
func (t *Tab) Activate(ctx context.Context) error {
	g, err := t.enter()
	if err != nil {
		return err
	}
	return t.toFront(ctx, g)
}
