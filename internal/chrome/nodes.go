package chrome

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/wire"
)

// objects are the remote objects of one call, which are let go together when it is
// over: each call has a group of its own, as several may be under way.
type objects string

func (t *Tab) objects() objects {
	return objects("rove-" + strconv.FormatInt(t.groups.Add(1), 10))
}

// release lets them go. s is a session that some may be in.
func (o objects) release(s *cdp.Session) {
	s.Start(runtime.CommandReleaseObjectGroup, &runtime.ReleaseObjectGroupParams{ObjectGroup: string(o)})
}

// both are the two worlds of a frame.
func (t *Tab) both(ctx context.Context, g *gate, id backend.FrameID) (script, page *world, err error) {
	t.mu.Lock()
	f := t.find(id)
	t.mu.Unlock()
	if f == nil {
		return nil, nil, fail(backend.KindNavigated, "the frame is gone")
	}
	if page, err = t.globalOf(ctx, g, f); err != nil {
		return nil, nil, err
	}
	t.mu.Lock()
	script = f.world
	t.mu.Unlock()
	if script == nil || script.bare {
		return nil, nil, errUnreadable
	}
	return script, page, nil
}

// EvalOn calls a function in a frame's main world with elements the page script
// knows.
func (t *Tab) EvalOn(ctx context.Context, id backend.FrameID, refs []int, function string) ([]byte, error) {
	g, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	script, page, err := t.both(ctx, g, id)
	if err != nil {
		return nil, err
	}
	group := t.objects()
	defer group.release(page.session)
	r, err := t.callOn(ctx, g, group, script, page, refs, function, true)
	if err != nil {
		return nil, err
	}
	switch {
	case r.UnserializableValue != "":
		return encode(string(r.UnserializableValue)), nil
	case len(r.Value) == 0:
		return []byte("null"), nil
	}
	return r.Value, nil
}

// Refer calls a function in the same way and makes the elements it gives known
// to the page script.
func (t *Tab) Refer(ctx context.Context, id backend.FrameID, refs []int, function string, next int) ([]int, int, error) {
	g, err := t.enter(ctx)
	if err != nil {
		return nil, next, err
	}
	script, page, err := t.both(ctx, g, id)
	if err != nil {
		return nil, next, err
	}
	group := t.objects()
	defer group.release(page.session)
	list := "async function(...elements) {\nconst found = await (" + function + "\n)(...elements);\n" +
		"return found === null || found === undefined ? [] : found.nodeType ? [found] : Array.from(found);\n}"
	r, err := t.callOn(ctx, g, group, script, page, refs, list, false)
	if err != nil {
		return nil, next, err
	}
	objects, err := t.members(ctx, g, page.session, r.ObjectID)
	if err != nil {
		return nil, next, err
	}
	if objects, err = t.carry(ctx, g, group, page.session, objects, script); err != nil {
		return nil, next, err
	}
	call := &runtime.CallFunctionOnParams{
		FunctionDeclaration: "(...args) => rove.adopt(...args)", UniqueContextID: script.unique,
		Arguments:     []*runtime.CallArgument{{Value: encode(next)}},
		ReturnByValue: new(true), AwaitPromise: new(true),
	}
	for _, o := range objects {
		call.Arguments = append(call.Arguments, &runtime.CallArgument{ObjectID: o})
	}
	var a answer
	if err := t.await(ctx, g, script.session.Start(runtime.CommandCallFunctionOn, call), &a); err != nil {
		return nil, next, err
	}
	if err := a.exception(); err != nil {
		return nil, next, err
	}
	var known struct {
		Refs []int `json:"refs"`
		Next int   `json:"next"`
	}
	if err := wire.Unmarshal([]byte(a.text()), &known); err != nil {
		return nil, next, fail(backend.KindProtocol, "the page script's adopt answered "+a.text())
	}
	return known.Refs, known.Next, nil
}

// callOn calls a function in the page's world with elements of the script's.
func (t *Tab) callOn(ctx context.Context, g *gate, group objects, script, page *world, refs []int, function string, byValue bool) (*runtime.RemoteObject, error) {
	var objects []runtime.RemoteObjectID
	if len(refs) > 0 {
		names := make([]string, len(refs))
		for i, r := range refs {
			names[i] = strconv.Itoa(r)
		}
		p := script.session.Start(runtime.CommandEvaluate, &runtime.EvaluateParams{
			Expression: "[" + strings.Join(names, ",") + "].map(rove.element)", UniqueContextID: script.unique, ObjectGroup: string(group),
		})
		var a answer
		if err := t.await(ctx, g, p, &a); err != nil {
			return nil, err
		}
		inside, err := t.members(ctx, g, script.session, a.Result.ObjectID)
		if err != nil {
			return nil, err
		}
		if len(inside) < len(refs) {
			return nil, fail(backend.KindNavigated, fmt.Sprintf("%d of %d elements are gone", len(refs)-len(inside), len(refs)))
		}
		if objects, err = t.carry(ctx, g, group, script.session, inside, page); err != nil {
			return nil, err
		}
	}
	call := &runtime.CallFunctionOnParams{
		FunctionDeclaration: function, UniqueContextID: page.unique, ObjectGroup: string(group),
		ReturnByValue: &byValue, AwaitPromise: new(true), UserGesture: new(true),
	}
	for _, o := range objects {
		call.Arguments = append(call.Arguments, &runtime.CallArgument{ObjectID: o})
	}
	var r runtime.CallFunctionOnResult
	if err := t.await(ctx, g, page.session.Start(runtime.CommandCallFunctionOn, call), &r); err != nil {
		return nil, err
	}
	if err := thrown(r.ExceptionDetails); err != nil {
		return nil, err
	}
	if r.Result == nil {
		r.Result = &runtime.RemoteObject{}
	}
	return r.Result, nil
}

// members are the nodes in an array of the page, in order.
func (t *Tab) members(ctx context.Context, g *gate, s *cdp.Session, list runtime.RemoteObjectID) ([]runtime.RemoteObjectID, error) {
	if list == "" {
		return nil, nil
	}
	var r runtime.GetPropertiesResult
	p := s.Start(runtime.CommandGetProperties, &runtime.GetPropertiesParams{ObjectID: list, OwnProperties: new(true)})
	if err := t.await(ctx, g, p, &r); err != nil {
		return nil, err
	}
	type member struct {
		index  int
		object runtime.RemoteObjectID
	}
	var found []member
	for _, property := range r.Result {
		i, err := strconv.Atoi(property.Name)
		if err == nil && property.Value != nil && property.Value.Subtype == "node" {
			found = append(found, member{i, property.Value.ObjectID})
		}
	}
	slices.SortFunc(found, func(a, b member) int { return a.index - b.index })
	objects := make([]runtime.RemoteObjectID, len(found))
	for i, m := range found {
		objects[i] = m.object
	}
	return objects, nil
}

// carry takes nodes from one world to another: the browser knows them in both.
func (t *Tab) carry(ctx context.Context, g *gate, group objects, from *cdp.Session, objects []runtime.RemoteObjectID, to *world) ([]runtime.RemoteObjectID, error) {
	cmds := make([]cdp.Command, len(objects))
	for i, o := range objects {
		cmds[i] = from.Command(dom.CommandDescribeNode, &dom.DescribeNodeParams{ObjectID: o})
	}
	nodes := make([]proto.BackendNodeID, len(objects))
	for i, p := range t.browser.conn.Start(cmds...) {
		var r struct {
			Node struct {
				Backend proto.BackendNodeID `json:"backendNodeId"`
			} `json:"node"`
		}
		if err := t.await(ctx, g, p, &r); err != nil {
			return nil, err
		}
		nodes[i] = r.Node.Backend
	}
	for i, n := range nodes {
		cmds[i] = to.session.Command(dom.CommandResolveNode, &dom.ResolveNodeParams{
			BackendNodeID: n, ExecutionContextID: to.id, ObjectGroup: string(group),
		})
	}
	carried := make([]runtime.RemoteObjectID, len(nodes))
	for i, p := range t.browser.conn.Start(cmds...) {
		var r dom.ResolveNodeResult
		if err := t.await(ctx, g, p, &r); err != nil {
			return nil, err
		}
		if r.Object == nil {
			return nil, fail(backend.KindNavigated, "the element is gone")
		}
		carried[i] = r.Object.ObjectID
	}
	return carried, nil
}
