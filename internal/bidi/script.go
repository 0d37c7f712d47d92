package bidi

import (
	"context"
	"slices"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

// Call runs functions of the page script, all sent in one write.
func (t *Tab) Call(ctx context.Context, calls ...backend.Call) ([]backend.Result, error) {
	g, err := t.enter()
	if err != nil {
		return nil, err
	}
	if err := t.AwaitOwners(ctx, g); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(calls, func(c backend.Call) bool { return c.Func == "prepare" }) {
		if err := t.comeToFront(ctx, g); err != nil {
			return nil, err
		}
	}
	results := make([]backend.Result, len(calls))
	var cmds []cdp.Command
	var sent []int
	for i, c := range calls {
		expression, err := anypage.Expression(c)
		if err == nil {
			_, err = t.FrameOf(c.Frame)
		}
		if err != nil {
			results[i].Err = err
			continue
		}
		cmds = append(cmds, t.evaluate(c.Frame, t.browser.sandbox, expression, false))
		sent = append(sent, i)
	}
	for k, p := range t.start(cmds...) {
		c, r := calls[sent[k]], &results[sent[k]]
		var a result
		if r.Err = t.await(ctx, g, p, &a); r.Err == nil {
			r.Err = a.err()
		}
		if r.Err != nil && anypage.ScriptMissing(a.Exception.Text) {
			r.Err = t.bring(ctx, g, c, &a)
		}
		if r.Err == nil {
			r.Value = a.Result.text()
		}
	}
	return results, anypage.TabError(ctx, results)
}

// bring puts the page script into a world that has none, as that of a document which
// was there before, and makes the call again.
func (t *Tab) bring(ctx context.Context, g *anypage.Gate, c backend.Call, a *result) error {
	expression, err := anypage.Expression(c)
	if err != nil {
		return err
	}
	pending := t.start(
		t.evaluate(c.Frame, t.browser.sandbox, anypage.Script(), false),
		t.evaluate(c.Frame, t.browser.sandbox, expression, false),
	)
	*a = result{}
	if err := t.await(ctx, g, pending[0], nil); err != nil {
		return err
	}
	if err := t.await(ctx, g, pending[1], a); err != nil {
		return err
	}
	if anypage.ScriptMissing(a.Exception.Text) {
		return anypage.ErrScriptMissing
	}
	return a.err()
}

// evaluate is a script in a world of a frame; sandbox "" is the page's own.
func (t *Tab) evaluate(f backend.FrameID, sandbox, expression string, person bool) cdp.Command {
	return t.browser.root.Command("script.evaluate", object{
		"expression": expression, "target": t.target(f, sandbox), "awaitPromise": true, "resultOwnership": "none", "userActivation": person,
	})
}

func (t *Tab) target(f backend.FrameID, sandbox string) object {
	if f == "" {
		f = backend.FrameID(t.id)
	}
	target := object{"context": f}
	if sandbox != "" {
		target["sandbox"] = sandbox
	}
	return target
}

// Eval evaluates JavaScript in the frame's main world.
func (t *Tab) Eval(ctx context.Context, f backend.FrameID, expression string) ([]byte, error) {
	g, err := t.enter()
	if err != nil {
		return nil, err
	}
	var a result
	if err := t.await(ctx, g, t.start(t.evaluate(f, "", expression, true))[0], &a); err != nil {
		return nil, t.endless(ctx, g, f, err)
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	return a.Result.json(), nil
}

// afterwards is for a page to say that it is not at work any more.
const afterwards = 300 * time.Millisecond

// endless says why a script did not come to an end in its time, and stops one that is at
// work where the browser can do that.
func (t *Tab) endless(ctx context.Context, g *anypage.Gate, f backend.FrameID, err error) error {
	if backend.KindOf(err) != "" || ctx.Err() == nil {
		return err
	}
	heard, cancel := context.WithTimeout(t.Life, afterwards)
	defer cancel()
	if t.await(heard, g, t.start(t.evaluate(f, t.browser.sandbox, "0", false))[0], nil) == nil {
		return &backend.Error{Kind: backend.KindTimeout, Text: "the script's promise to settle", Err: err}
	}
	if t.browser.chromium() && t.devtools(t.Life, devtool{"Runtime.terminateExecution", nil}) == nil {
		return &backend.Error{Kind: backend.KindTimeout, Text: "the script to end; it was stopped", Err: err}
	}
	return &backend.Error{Kind: backend.KindTimeout, Text: "the script to end; it goes on, as " + t.context.Backend() + " cannot stop it: work in another tab", Err: err}
}

// caller calls functions in the worlds of a frame. It implements anypage.Caller: a node
// is known by its shared id, in every world.
type caller struct {
	tab   *Tab
	gate  *anypage.Gate
	frame backend.FrameID
}

var _ anypage.Caller[string] = (*caller)(nil)

func (t *Tab) caller(f backend.FrameID) (*caller, error) {
	g, err := t.enter()
	if err != nil {
		return nil, err
	}
	f, err = t.FrameOf(f)
	return &caller{t, g, f}, err
}

// Value calls a function and gives what it returns as JSON.
func (c *caller) Value(ctx context.Context, w anypage.World, function string, args ...anypage.Arg[string]) ([]byte, error) {
	v, err := c.call(ctx, w, function, args, nil)
	if err != nil {
		return nil, err
	}
	return v.json(), nil
}

// Nodes calls a function that returns a list, and gives the nodes in it.
func (c *caller) Nodes(ctx context.Context, w anypage.World, function string, args ...anypage.Arg[string]) ([]string, error) {
	v, err := c.call(ctx, w, function, args, object{"maxObjectDepth": 1})
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, n := range v.nodes() {
		ids = append(ids, n.SharedID)
	}
	return ids, nil
}

func (c *caller) call(ctx context.Context, w anypage.World, function string, args []anypage.Arg[string], options object) (*value, error) {
	sandbox := c.tab.browser.sandbox
	if w == anypage.PageWorld {
		sandbox = ""
	}
	given, nodes := anypage.InlineArgs(args)
	list := make([]object, len(nodes))
	for i, n := range nodes {
		list[i] = object{"sharedId": n}
	}
	params := object{
		"functionDeclaration": "(...a) => (" + function + "\n)(" + given + ")", "arguments": list, "target": c.tab.target(c.frame, sandbox),
		"awaitPromise": true, "resultOwnership": "none", "userActivation": w == anypage.PageWorld,
	}
	if options != nil {
		params["serializationOptions"] = options
	}
	var a result
	if err := c.tab.await(ctx, c.gate, c.tab.start(c.tab.browser.root.Command("script.callFunction", params))[0], &a); err != nil {
		return nil, err
	}
	return &a.Result, a.err()
}

// EvalOn calls a function in a frame's main world with elements the page script knows.
func (t *Tab) EvalOn(ctx context.Context, f backend.Function) ([]byte, error) {
	c, err := t.caller(f.Frame)
	if err != nil {
		return nil, err
	}
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
	return anypage.Refer(ctx, c, refs, function, next)
}

// SetFiles gives files to a file input.
func (t *Tab) SetFiles(ctx context.Context, f backend.FrameID, ref int, paths []string) error {
	c, err := t.caller(f)
	if err != nil {
		return err
	}
	nodes, err := anypage.Elements(ctx, c, []int{ref})
	if err != nil {
		return err
	}
	return t.do(ctx, "input.setFiles", object{"context": t.target(f, "")["context"], "element": object{"sharedId": nodes[0]}, "files": paths})
}

// Scan makes the page script acquainted with closed shadow roots. Who listens for clicks
// no script of a page and no command of BiDi tells.
func (t *Tab) Scan(ctx context.Context, frames ...backend.FrameID) (found bool, err error) {
	for _, f := range t.All(frames) {
		c, err := t.caller(f)
		if err != nil {
			return found, err
		}
		for range shadowRounds {
			more, err := c.shadows(ctx)
			if err != nil && (ctx.Err() != nil || anypage.TabWide(err)) {
				return found, err
			}
			if found = found || more; !more {
				break
			}
		}
	}
	return found, nil
}

const shadowRounds = 6 // closed roots inside closed roots

// shadows finds closed shadow roots and tells the frame's script of them.
func (c *caller) shadows(ctx context.Context) (bool, error) {
	v, err := c.call(ctx, anypage.ScriptWorld, "() => rove.suspects()", nil, object{"maxObjectDepth": 1, "maxDomDepth": 1, "includeShadowTree": "all"})
	if err != nil {
		return false, err
	}
	var pairs []anypage.Arg[string]
	for _, host := range v.nodes() {
		var props struct {
			Root *struct {
				SharedID string `json:"sharedId"`
				Value    struct {
					Mode string `json:"mode"`
				} `json:"value"`
			} `json:"shadowRoot"`
		}
		if wire.Unmarshal(orNull(host.Value), &props) == nil && props.Root != nil && props.Root.Value.Mode == "closed" {
			pairs = append(pairs, anypage.Arg[string]{Node: host.SharedID, IsNode: true}, anypage.Arg[string]{Node: props.Root.SharedID, IsNode: true})
		}
	}
	if len(pairs) == 0 {
		return false, nil
	}
	_, err = c.Value(ctx, anypage.ScriptWorld, "(...pairs) => { rove.shadow(...pairs) }", pairs...)
	return err == nil, err
}
