package pwserver

import (
	"context"
	"crypto/rand"
	_ "embed"
	"strings"
	"sync"

	"rove/driver/backend"
	"rove/internal/anypage"
)

//go:embed engine.js
var engineSource string

const engineName = "rove"

// engine is the selector engine that brings the page script into the world where
// Playwright's own scripts run.
var engine = sync.OnceValue(func() string {
	return strings.TrimSpace(strings.Replace(engineSource, "PAGE_SCRIPT", anypage.Script(), 1))
})

// world is that of the page script in a document: something that lives in it.
type world struct {
	made   chan struct{} // closed when it is there, or why not
	handle string
	err    error
}

// worldOf is the world of the page script in a frame, which is brought there if need be.
func (t *Tab) worldOf(ctx context.Context, g *anypage.Gate, id backend.FrameID) (*world, error) {
	w, err := t.beginWorld(id)
	if err != nil {
		return nil, err
	}
	if err := g.Await(ctx, w.made, t.Done()); err != nil {
		return nil, err
	}
	return w, w.err
}

// beginWorld is the same, and does not wait for it.
func (t *Tab) beginWorld(id backend.FrameID) (*world, error) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	f := t.Find(id)
	if f == nil {
		return nil, backend.Fail(backend.KindNavigated, "the frame is gone")
	}
	w := t.worlds[f.ID]
	if w == nil {
		w = &world{made: make(chan struct{})}
		t.worlds[f.ID] = w
		go t.makeWorld(f.ID, w)
	}
	return w, nil
}

// makeWorld has the engine log something in the world, and takes that.
func (t *Tab) makeWorld(id backend.FrameID, w *world) {
	b, token := t.browser, rand.Text()
	logged := make(chan string, 1)
	b.mu.Lock()
	b.logged[token] = logged
	b.mu.Unlock()
	r := t.start(command{string(id), "queryCount", object{"selector": engineName + "=" + token}})[0]
	w.err = r.wait(t.Life, b.conn, nil)
	b.mu.Lock()
	delete(b.logged, token)
	b.mu.Unlock()
	select {
	case w.handle = <-logged: // it was told before the answer
	default:
		if w.err == nil {
			w.err = anypage.ErrScriptMissing
		}
	}
	if w.err != nil {
		if backend.KindOf(w.err) == backend.KindProtocol {
			w.err = &backend.Error{Kind: backend.KindUnreadable, Text: anypage.ErrUnreadable.Text, Err: w.err}
		}
		t.dropWorld(id, w)
	}
	close(w.made)
}

// dropWorld forgets a world that is not there any more.
func (t *Tab) dropWorld(id backend.FrameID, w *world) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if f := t.Find(id); f != nil && t.worlds[f.ID] == w {
		delete(t.worlds, f.ID)
	}
}

// logs takes what a world logs: a token that was given to it, and a handle.
func (b *Browser) logs(text string, args []ref) bool {
	token, _, _ := strings.Cut(text, " ")
	b.mu.Lock()
	defer b.mu.Unlock()
	waits := b.logged[token]
	if waits == nil || len(args) < 2 {
		return false
	}
	select {
	case waits <- args[1].GUID:
	default:
	}
	return true
}

// inWorld calls a function of a list of handles in the world of the page script.
func (t *Tab) inWorld(ctx context.Context, id backend.FrameID, function string, handles []string) (*value, error) {
	g, err := t.Enter()
	if err != nil {
		return nil, err
	}
	w, err := t.worldOf(ctx, g, id)
	if err != nil {
		return nil, err
	}
	var r struct {
		Value value `json:"value"`
	}
	err = t.await(ctx, g, t.start(command{w.handle, "evaluateExpression", inside(function, handles)})[0], &r)
	if backend.KindOf(err) == backend.KindNavigated {
		t.dropWorld(id, w)
	}
	return &r.Value, thrown(err)
}

// inside is a function of handles, to be called with the world's own handle.
func inside(function string, handles []string) object {
	return object{"expression": "(_, a) => (" + function + "\n)(a)", "isFunction": true, "arg": argument(handles...)}
}

// Call runs functions of the page script, all sent in one write.
func (t *Tab) Call(ctx context.Context, calls ...backend.Call) ([]backend.Result, error) {
	g, err := t.Enter()
	if err != nil {
		return nil, err
	}
	if err := t.AwaitOwners(ctx, g); err != nil {
		return nil, err
	}
	results := make([]backend.Result, len(calls))
	worlds := make([]*world, len(calls))
	for _, c := range calls { // all at once, where there are none yet
		_, _ = t.beginWorld(c.Frame)
	}
	var cmds []command
	var sent []int
	for i, c := range calls {
		expression, err := anypage.Expression(c)
		if err == nil {
			worlds[i], err = t.worldOf(ctx, g, c.Frame)
		}
		if results[i].Err = err; err != nil {
			continue
		}
		cmds = append(cmds, command{worlds[i].handle, "evaluateExpression", inside("() => "+expression, nil)})
		sent = append(sent, i)
	}
	for k, r := range t.start(cmds...) {
		i := sent[k]
		var a struct {
			Value value `json:"value"`
		}
		err := t.await(ctx, g, r, &a)
		if backend.KindOf(err) == backend.KindNavigated {
			t.dropWorld(calls[i].Frame, worlds[i])
		}
		if results[i].Err = thrown(err); err == nil {
			results[i].Value = a.Value.text()
		}
	}
	return results, anypage.TabError(ctx, results)
}

// Eval evaluates JavaScript in the frame's main world.
func (t *Tab) Eval(ctx context.Context, id backend.FrameID, expression string) ([]byte, error) {
	g, err := t.Enter()
	if err != nil {
		return nil, err
	}
	f, err := t.FrameOf(id)
	if err != nil {
		return nil, err
	}
	var r struct {
		Value value `json:"value"`
	}
	params := object{"expression": expression, "isFunction": false, "arg": argument()}
	if err := t.await(ctx, g, t.start(command{string(f), "evaluateExpression", params})[0], &r); err != nil {
		return nil, anypage.ScriptEnded(thrown(err))
	}
	return r.Value.json(), nil
}

// caller calls functions in the worlds of a frame. It implements anypage.Caller: a node
// is known by the guid of a handle, which is of one world and may be given to the other.
type caller struct {
	tab   *Tab
	gate  *anypage.Gate
	frame backend.FrameID
	made  []string // handles, to be forgotten
}

var _ anypage.Caller[string] = (*caller)(nil)

func (t *Tab) caller(id backend.FrameID) (*caller, error) {
	g, err := t.Enter()
	if err != nil {
		return nil, err
	}
	f, err := t.FrameOf(id)
	return &caller{tab: t, gate: g, frame: f}, err
}

// done lets go of what was taken.
func (c *caller) done() { c.tab.forget(c.made...) }

// Value calls a function and gives what it returns as JSON.
func (c *caller) Value(ctx context.Context, w anypage.World, function string, args ...anypage.Arg[string]) ([]byte, error) {
	given, handles := anypage.InlineArgs(args)
	function = "(a) => (" + function + "\n)(" + given + ")"
	if w == anypage.ScriptWorld {
		v, err := c.tab.inWorld(ctx, c.frame, function, handles)
		if err != nil {
			return nil, err
		}
		return v.json(), nil
	}
	var r struct {
		Value value `json:"value"`
	}
	err := c.ask(ctx, string(c.frame), "evaluateExpression", object{"expression": function, "isFunction": true, "arg": argument(handles...)}, &r)
	if err != nil {
		return nil, thrown(err)
	}
	return r.Value.json(), nil
}

// Nodes calls a function that returns a list, and gives the nodes in it.
func (c *caller) Nodes(ctx context.Context, w anypage.World, function string, args ...anypage.Arg[string]) ([]string, error) {
	given, handles := anypage.InlineArgs(args)
	function = "(a) => (" + function + "\n)(" + given + ")"
	guid, params := string(c.frame), object{"expression": function, "isFunction": true, "arg": argument(handles...)}
	if w == anypage.ScriptWorld {
		there, err := c.tab.worldOf(ctx, c.gate, c.frame)
		if err != nil {
			return nil, err
		}
		guid, params = there.handle, inside(function, handles)
	}
	var list struct {
		Handle ref `json:"handle"`
	}
	if err := c.ask(ctx, guid, "evaluateExpressionHandle", params, &list); err != nil {
		return nil, thrown(err)
	}
	c.made = append(c.made, list.Handle.GUID)
	var got struct {
		Properties []struct {
			Value ref `json:"value"`
		} `json:"properties"`
	}
	if err := c.ask(ctx, list.Handle.GUID, "getPropertyList", nil, &got); err != nil {
		return nil, err
	}
	var nodes []string
	for _, p := range got.Properties {
		c.made = append(c.made, p.Value.GUID)
		if c.tab.browser.conn.isElement(p.Value.GUID) {
			nodes = append(nodes, p.Value.GUID)
		}
	}
	return nodes, nil
}

func (c *caller) ask(ctx context.Context, guid, method string, params, out any) error {
	return c.tab.await(ctx, c.gate, c.tab.start(command{guid, method, params})[0], out)
}

// EvalOn calls a function in a frame's main world with elements the page script knows.
func (t *Tab) EvalOn(ctx context.Context, f backend.Function) ([]byte, error) {
	c, err := t.caller(f.Frame)
	if err != nil {
		return nil, err
	}
	defer c.done()
	c.gate = c.gate.For(f)
	return anypage.EvalOn(ctx, c, f)
}

// Refer calls a function in the same way and makes the elements it gives known to the
// page script.
func (t *Tab) Refer(ctx context.Context, f backend.FrameID, refs []int, function string, next int) ([]int, int, error) {
	c, err := t.caller(f)
	if err != nil {
		return nil, next, err
	}
	defer c.done()
	return anypage.Refer(ctx, c, refs, function, next)
}
