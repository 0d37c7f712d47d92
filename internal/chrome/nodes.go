package chrome

import (
	"context"
	"slices"
	"strconv"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
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

// node is a node as a call knows it: a remote object, in the session it is of.
type node struct {
	session *cdp.Session
	object  runtime.RemoteObjectID
	world   *world
}

// caller calls functions in the worlds of a frame, for as long as one call of the tab
// takes. It implements anypage.Caller.
type caller struct {
	tab          *Tab
	gate         *anypage.Gate
	group        objects
	script, page *world
}

var _ anypage.Caller[node] = (*caller)(nil)

// caller makes one for a frame; release is to follow.
func (t *Tab) caller(ctx context.Context, id backend.FrameID) (c *caller, release func(), err error) {
	g, err := t.enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	t.Mu.Lock()
	f := t.find(id)
	t.Mu.Unlock()
	if f == nil {
		return nil, nil, fail(backend.KindNavigated, "the frame is gone")
	}
	c = &caller{tab: t, gate: g, group: t.objects()}
	if c.page, err = t.globalOf(ctx, g, f); err != nil {
		return nil, nil, err
	}
	if err := t.withWorlds(ctx, g, []backend.Call{{Frame: id}}); err != nil {
		return nil, nil, err
	}
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if c.script = f.world; c.script == nil || c.script.bare {
		return nil, nil, anypage.ErrUnreadable
	}
	return c, func() { c.group.release(c.page.session) }, nil
}

// EvalOn calls a function in a frame's main world with elements the page script
// knows.
func (t *Tab) EvalOn(ctx context.Context, f backend.Function) ([]byte, error) {
	c, release, err := t.caller(ctx, f.Frame)
	if err != nil {
		return nil, err
	}
	defer release()
	c.gate = c.gate.For(f)
	return anypage.EvalOn(ctx, c, f)
}

// Refer calls a function in the same way and makes the elements it gives known
// to the page script.
func (t *Tab) Refer(ctx context.Context, id backend.FrameID, refs []int, function string, next int) ([]int, int, error) {
	c, release, err := t.caller(ctx, id)
	if err != nil {
		return nil, next, err
	}
	defer release()
	return anypage.Refer(ctx, c, refs, function, next)
}

// Value calls a function and gives what it returns as JSON.
func (c *caller) Value(ctx context.Context, w anypage.World, function string, args ...anypage.Arg[node]) ([]byte, error) {
	r, _, err := c.call(ctx, w, function, args, true)
	if err != nil && !anypage.ChromiumNoJSON(err) {
		return nil, err
	}
	return valueOf(r), nil
}

// Nodes calls a function that returns a list, and gives the nodes in it.
func (c *caller) Nodes(ctx context.Context, w anypage.World, function string, args ...anypage.Arg[node]) ([]node, error) {
	r, in, err := c.call(ctx, w, function, args, false)
	if err != nil {
		return nil, err
	}
	objects, err := c.tab.members(ctx, c.gate, in.session, r.ObjectID)
	if err != nil {
		return nil, err
	}
	nodes := make([]node, len(objects))
	for i, o := range objects {
		nodes[i] = node{in.session, o, in}
	}
	return nodes, nil
}

func (c *caller) call(ctx context.Context, w anypage.World, function string, args []anypage.Arg[node], byValue bool) (*runtime.RemoteObject, *world, error) {
	in := c.script
	if w == anypage.PageWorld {
		in = c.page
	}
	call := &runtime.CallFunctionOnParams{
		FunctionDeclaration: function, UniqueContextID: in.unique, ObjectGroup: string(c.group),
		ReturnByValue: &byValue, AwaitPromise: new(true), UserGesture: new(w == anypage.PageWorld),
		Arguments: make([]*runtime.CallArgument, len(args)),
	}
	var foreign []runtime.RemoteObjectID // nodes of the other world, and
	var places []int                     // where they go
	for i, a := range args {
		switch {
		case !a.IsNode:
			call.Arguments[i] = &runtime.CallArgument{Value: anypage.Encode(a.Value)}
		case a.Node.world == in:
			call.Arguments[i] = &runtime.CallArgument{ObjectID: a.Node.object}
		default:
			foreign, places = append(foreign, a.Node.object), append(places, i)
		}
	}
	if len(foreign) > 0 {
		carried, err := c.tab.carry(ctx, c.gate, c.group, args[places[0]].Node.session, foreign, in)
		if err != nil {
			return nil, nil, err
		}
		for k, i := range places {
			call.Arguments[i] = &runtime.CallArgument{ObjectID: carried[k]}
		}
	}
	var r runtime.CallFunctionOnResult
	if err := c.tab.await(ctx, c.gate, in.session.Start(runtime.CommandCallFunctionOn, call), &r); err != nil {
		return nil, nil, err
	}
	if err := thrown(r.ExceptionDetails); err != nil {
		return nil, nil, err
	}
	if r.Result == nil {
		r.Result = &runtime.RemoteObject{}
	}
	return r.Result, in, nil
}

// members are the nodes in an array of the page, in order.
func (t *Tab) members(ctx context.Context, g *anypage.Gate, s *cdp.Session, list runtime.RemoteObjectID) ([]runtime.RemoteObjectID, error) {
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
func (t *Tab) carry(ctx context.Context, g *anypage.Gate, group objects, from *cdp.Session, objects []runtime.RemoteObjectID, to *world) ([]runtime.RemoteObjectID, error) {
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
