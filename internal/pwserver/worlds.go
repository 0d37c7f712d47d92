package pwserver

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
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
func (t *Tab) worldOf(ctx context.Context, g *anypage.Gate, guid string) (*world, error) {
	t.mu.Lock()
	f := t.find(guid)
	if f == nil {
		t.mu.Unlock()
		return nil, fail(backend.KindNavigated, "the frame is gone")
	}
	w := f.world
	if w == nil {
		w = &world{made: make(chan struct{})}
		f.world = w
		go t.makeWorld(f, w)
	}
	t.mu.Unlock()
	if err := g.Await(ctx, w.made, t.done); err != nil {
		return nil, err
	}
	return w, w.err
}

// makeWorld has the engine log something in the world, and takes that.
func (t *Tab) makeWorld(f *frame, w *world) {
	b, token := t.browser, rand.Text()
	logged := make(chan string, 1)
	b.mu.Lock()
	b.logged[token] = logged
	b.mu.Unlock()
	r := t.start(command{f.guid, "queryCount", object{"selector": engineName + "=" + token}})[0]
	w.err = r.wait(t.life, b.conn, nil)
	b.mu.Lock()
	delete(b.logged, token)
	b.mu.Unlock()
	select {
	case w.handle = <-logged: // it was told before the answer
	default:
		if w.err == nil {
			w.err = anypage.ErrLost
		}
	}
	if w.err != nil {
		if kindOf(w.err) == backend.KindProtocol {
			w.err = &backend.Error{Kind: backend.KindUnreadable, Text: anypage.ErrUnreadable.Text, Err: w.err}
		}
		t.dropWorld(f.guid, w)
	}
	close(w.made)
}

// dropWorld forgets a world that is not there any more.
func (t *Tab) dropWorld(guid string, w *world) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.find(guid); f != nil && f.world == w {
		f.world = nil
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
func (t *Tab) inWorld(ctx context.Context, guid, function string, handles []string) (*value, error) {
	g, err := t.enter()
	if err != nil {
		return nil, err
	}
	w, err := t.worldOf(ctx, g, guid)
	if err != nil {
		return nil, err
	}
	var r struct {
		Value value `json:"value"`
	}
	err = t.await(ctx, g, t.start(command{w.handle, "evaluateExpression", inside(function, handles)})[0], &r)
	if kindOf(err) == backend.KindNavigated {
		t.dropWorld(guid, w)
	}
	return &r.Value, thrown(err)
}

// inside is a function of handles, to be called with the world's own handle.
func inside(function string, handles []string) object {
	return object{"expression": "(_, a) => (" + function + "\n)(a)", "isFunction": true, "arg": argument(handles...)}
}

// Call runs functions of the page script, all sent in one write.
func (t *Tab) Call(ctx context.Context, calls ...backend.Call) ([]backend.Result, error) {
	g, err := t.enter()
	if err != nil {
		return nil, err
	}
	if err := t.settled(ctx, g); err != nil {
		return nil, err
	}
	results := make([]backend.Result, len(calls))
	worlds := make([]*world, len(calls))
	for _, c := range calls { // all at once, where there are none yet
		t.mu.Lock()
		if f := t.find(string(c.Frame)); f != nil && f.world == nil {
			f.world = &world{made: make(chan struct{})}
			go t.makeWorld(f, f.world)
		}
		t.mu.Unlock()
	}
	var cmds []command
	var sent []int
	for i, c := range calls {
		expression, err := anypage.Expression(c)
		if err == nil {
			worlds[i], err = t.worldOf(ctx, g, string(c.Frame))
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
		if kindOf(err) == backend.KindNavigated {
			t.dropWorld(string(calls[i].Frame), worlds[i])
		}
		if results[i].Err = thrown(err); err == nil {
			results[i].Value = a.Value.text()
		}
	}
	for i := range results {
		if err := results[i].Err; err != nil && (ctx.Err() != nil || tabWide(err)) {
			return results, err
		}
	}
	return results, nil
}

// tabWide tells the failures of a tab from those of a frame.
func tabWide(err error) bool {
	var e *backend.Error
	return !errors.As(err, &e) || e.Kind == backend.KindDialog || e.Kind == backend.KindClosed || e.Kind == backend.KindCrashed
}

// Eval evaluates JavaScript in the frame's main world.
func (t *Tab) Eval(ctx context.Context, id backend.FrameID, expression string) ([]byte, error) {
	g, err := t.enter()
	if err != nil {
		return nil, err
	}
	guid, err := t.guidOf(id)
	if err != nil {
		return nil, err
	}
	var r struct {
		Value value `json:"value"`
	}
	params := object{"expression": expression, "isFunction": false, "arg": argument()}
	if err := t.await(ctx, g, t.start(command{guid, "evaluateExpression", params})[0], &r); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, &backend.Error{Kind: backend.KindTimeout, Text: "the script to end", Err: err}
		}
		return nil, thrown(err)
	}
	return r.Value.json(), nil
}

func (t *Tab) guidOf(id backend.FrameID) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.find(string(id))
	if f == nil {
		return "", fail(backend.KindNavigated, "the frame is gone")
	}
	return f.guid, nil
}

// caller calls functions in the worlds of a frame. It implements anypage.Caller: a node
// is known by the guid of a handle, which is of one world and may be given to the other.
type caller struct {
	tab   *Tab
	gate  *anypage.Gate
	frame string
	made  []string // handles, to be forgotten
}

var _ anypage.Caller[string] = (*caller)(nil)

func (t *Tab) caller(id backend.FrameID) (*caller, error) {
	g, err := t.enter()
	if err != nil {
		return nil, err
	}
	guid, err := t.guidOf(id)
	return &caller{tab: t, gate: g, frame: guid}, err
}

// done lets go of what was taken.
func (c *caller) done() { c.tab.forget(c.made...) }

// Value calls a function and gives what it returns as JSON.
func (c *caller) Value(ctx context.Context, w anypage.World, function string, args ...anypage.Arg[string]) ([]byte, error) {
	function, handles := call(function, args)
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
	err := c.ask(ctx, c.frame, "evaluateExpression", object{"expression": function, "isFunction": true, "arg": argument(handles...)}, &r)
	if err != nil {
		return nil, thrown(err)
	}
	return r.Value.json(), nil
}

// Nodes calls a function that returns a list, and gives the nodes in it.
func (c *caller) Nodes(ctx context.Context, w anypage.World, function string, args ...anypage.Arg[string]) ([]string, error) {
	function, handles := call(function, args)
	guid, params := c.frame, object{"expression": function, "isFunction": true, "arg": argument(handles...)}
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

// call makes a function of a list of handles out of one with arguments of all kinds:
// values go into the text, as JSON is JavaScript.
func call(function string, args []anypage.Arg[string]) (string, []string) {
	var handles, given []string
	for _, a := range args {
		if a.IsNode {
			given = append(given, "a["+string(encode(len(handles)))+"]")
			handles = append(handles, a.Node)
		} else {
			given = append(given, string(encode(a.Value)))
		}
	}
	return "(a) => (" + function + "\n)(" + strings.Join(given, ", ") + ")", handles
}

// EvalOn calls a function in a frame's main world with elements the page script knows.
func (t *Tab) EvalOn(ctx context.Context, f backend.FrameID, refs []int, function string) ([]byte, error) {
	c, err := t.caller(f)
	if err != nil {
		return nil, err
	}
	defer c.done()
	return anypage.EvalOn(ctx, c, refs, function)
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
