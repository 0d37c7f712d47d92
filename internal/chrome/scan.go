package chrome

import (
	"context"
	"slices"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

const (
	scanLimit    = 1000 // elements handed to one frame's script at a time
	shadowRounds = 6    // closed roots inside closed roots
)

// Scan makes the page script acquainted with closed shadow roots and with
// elements that only a listener makes clickable.
func (t *Tab) Scan(ctx context.Context, ids ...backend.FrameID) (bool, error) {
	g, err := t.enter(ctx)
	if err != nil {
		return false, err
	}
	t.Mu.Lock()
	var frames []*frame
	for _, id := range ids {
		if f := t.find(id); f != nil {
			frames = append(frames, f)
		}
	}
	if len(ids) == 0 {
		t.tree.walk(func(f *frame) { frames = append(frames, f) })
	}
	t.Mu.Unlock()
	return t.scan(ctx, g, frames)
}

// scanLoaded scans documents that have just been loaded.
func (t *Tab) scanLoaded(batch []*frame) {
	ctx, cancel := context.WithTimeout(t.Life, anypage.ScanTimeout)
	defer cancel()
	if g, err := t.enter(ctx); err == nil {
		_, _ = t.scan(ctx, g, batch)
	}
}

// scan is one scan at a time.
func (t *Tab) scan(ctx context.Context, g *anypage.Gate, frames []*frame) (found bool, err error) {
	select {
	case t.scanning <- struct{}{}:
		defer func() { <-t.scanning }()
	case <-g.Shut:
		return false, g.Err
	case <-ctx.Done():
		return false, ctx.Err()
	}
	s := &scanner{tab: t, ctx: ctx, gate: g, worlds: t.worldsBelow(frames)}
	defer s.release()
	for range shadowRounds {
		more, err := s.findClosedRoots()
		if err != nil {
			return found, err
		}
		if !more {
			break
		}
		found = true
	}
	heard, err := s.listeners()
	return found || heard, err
}

// worldsBelow lists the worlds of frames and of the frames inside them, the
// innermost first. The browser lists a frame's listeners together with those of
// the frames inside it, and tells nobody which is whose: asked from the inside
// out, what has not been seen before belongs to the frame itself.
func (t *Tab) worldsBelow(frames []*frame) []*world {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	var list []*world
	seen := make(map[*frame]bool)
	for _, f := range frames {
		walk(f, func(f *frame) {
			if l := t.linkOf(f); !seen[f] && f.world != nil && !f.world.bare && !(l != nil && l.hangs) {
				list = append(list, f.world)
			}
			seen[f] = true
		})
	}
	depth := func(f *frame) (n int) {
		for ; f.parent != nil; f = f.parent {
			n++
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b *world) int { return depth(b.frame) - depth(a.frame) })
	return list
}

// linkOf is the session a frame is in, or nil. The lock is held.
func (t *Tab) linkOf(f *frame) *link {
	if f.session == nil {
		return nil
	}
	return t.links[f.session.ID()]
}

type scanner struct {
	tab    *Tab
	ctx    context.Context
	gate   *anypage.Gate
	worlds []*world
}

// ask sends one command for each world that wants one, in one write, and gives
// the answers to take. A world that is gone answers nothing, which is fine: so
// is what was to be learnt. Only the end of the tab or the context is an error.
func (s *scanner) ask(commands []cdp.Command, take func(i int, p *cdp.Pending)) error {
	for i, p := range s.tab.browser.conn.Start(commands...) {
		err := s.tab.await(s.ctx, s.gate, p, nil)
		switch {
		case err == nil:
			take(i, p)
		case s.ctx.Err() != nil || tabWide(err):
			return err
		}
	}
	return nil
}

func decode(p *cdp.Pending, out any) bool {
	body, err := p.Result()
	return err == nil && wire.Unmarshal(body, out) == nil
}

func encode(v any) []byte {
	b, err := wire.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return b
}

// release lets go of the objects the scan held.
func (s *scanner) release() {
	seen := make(map[*cdp.Session]bool)
	var cmds []cdp.Command
	for _, w := range s.worlds {
		if !seen[w.session] {
			seen[w.session] = true
			cmds = append(cmds, w.session.Command(runtime.CommandReleaseObjectGroup,
				&runtime.ReleaseObjectGroupParams{ObjectGroup: scanGroup}))
		}
	}
	s.tab.browser.conn.Start(cmds...)
}

func (s *scanner) evaluate(w *world, expression, group string) cdp.Command {
	return w.session.Command(runtime.CommandEvaluate, &runtime.EvaluateParams{
		Expression: expression, UniqueContextID: w.unique, ObjectGroup: group,
	})
}

// callWithObjects calls a function of the page script with objects.
func (s *scanner) callWithObjects(function string, objects map[*world][]*runtime.CallArgument) (bool, error) {
	var cmds []cdp.Command
	for w, args := range objects {
		cmds = append(cmds, w.session.Command(runtime.CommandCallFunctionOn, &runtime.CallFunctionOnParams{
			FunctionDeclaration: "(...args) => rove." + function + "(...args)",
			UniqueContextID:     w.unique, Arguments: args,
		}))
	}
	done := false
	err := s.ask(cmds, func(int, *cdp.Pending) { done = true })
	return done, err
}

// listeners finds the elements somebody listens for clicks on, and tells each
// frame's script of its own.
func (s *scanner) listeners() (bool, error) {
	documents, err := s.documents()
	if err != nil || len(documents) == 0 {
		return false, err
	}
	found, err := s.listening(documents)
	if err != nil || len(found) == 0 {
		return false, err
	}
	objects := make(map[*world][]*runtime.CallArgument)
	err = s.resolved(found, func(i int, object runtime.RemoteObjectID) {
		w := found[i].world
		objects[w] = append(objects[w], &runtime.CallArgument{ObjectID: object})
	})
	if err != nil {
		return false, err
	}
	return s.callWithObjects("listeners", objects)
}

// heldObject is an object of a world that the scan holds.
type heldObject struct {
	world  *world
	object runtime.RemoteObjectID
}

// foundNode is a node, and the world whose script is to know of it.
type foundNode struct {
	world *world
	id    proto.BackendNodeID
}

// documents gives the documents of the pages.
//
// It is the page's own document that is asked about. Asked about the page
// script's, the browser would give that script objects made for the page,
// with the page's prototypes. A document whose page has no world has no
// scripts, and so nobody who listens. The object is in no group, which keeps
// the browser from making objects of all the listeners' functions.
func (s *scanner) documents() (list []heldObject, err error) {
	var cmds []cdp.Command
	var asked []*world
	s.tab.Mu.Lock()
	for _, w := range s.worlds {
		if page := w.frame.global; page != nil && page.session == w.session {
			asked = append(asked, w)
			cmds = append(cmds, s.evaluate(page, "document", ""))
		}
	}
	s.tab.Mu.Unlock()
	err = s.ask(cmds, func(i int, p *cdp.Pending) {
		var a answer
		if decode(p, &a) && a.Result.ObjectID != "" {
			list = append(list, heldObject{asked[i], a.Result.ObjectID})
		}
	})
	return list, err
}

// listening gives the nodes of documents that listen for clicks and were not found
// before, and lets go of the documents. A node belongs to the first that has it;
// see worldsBelow.
func (s *scanner) listening(documents []heldObject) (nodes []foundNode, err error) {
	var cmds []cdp.Command
	for _, d := range documents {
		cmds = append(cmds, d.world.session.Command(domdebugger.CommandGetEventListeners,
			&domdebugger.GetEventListenersParams{ObjectID: d.object, Depth: new(int64(-1)), Pierce: new(true)}))
	}
	for _, d := range documents {
		cmds = append(cmds, d.world.session.Command(runtime.CommandReleaseObject, &runtime.ReleaseObjectParams{ObjectID: d.object}))
	}
	claimed := make(map[*cdp.Session]map[proto.BackendNodeID]bool)
	err = s.ask(cmds, func(i int, p *cdp.Pending) {
		if i >= len(documents) {
			return
		}
		w := documents[i].world
		if claimed[w.session] == nil {
			claimed[w.session] = make(map[proto.BackendNodeID]bool)
		}
		if w.asked == nil {
			w.asked = make(map[proto.BackendNodeID]bool)
		}
		count := 0
		for _, id := range clickable(p) {
			if claimed[w.session][id] {
				continue
			}
			claimed[w.session][id] = true
			if !w.asked[id] && count < scanLimit {
				w.asked[id] = true
				count++
				nodes = append(nodes, foundNode{w, id})
			}
		}
	})
	return nodes, err
}

// resolved makes objects of nodes, each in its world, and gives them to take.
func (s *scanner) resolved(nodes []foundNode, take func(i int, object runtime.RemoteObjectID)) error {
	cmds := make([]cdp.Command, len(nodes))
	for i, n := range nodes {
		cmds[i] = n.world.session.Command(dom.CommandResolveNode, &dom.ResolveNodeParams{
			BackendNodeID: n.id, ExecutionContextID: n.world.id, ObjectGroup: scanGroup,
		})
	}
	return s.ask(cmds, func(i int, p *cdp.Pending) {
		var r dom.ResolveNodeResult
		if decode(p, &r) && r.Object != nil {
			take(i, r.Object.ObjectID)
		}
	})
}

// clickable picks the nodes with a listener for clicks of their own.
func clickable(p *cdp.Pending) (list []proto.BackendNodeID) {
	var r struct {
		Listeners []anypage.Listener `json:"listeners"`
	}
	if !decode(p, &r) {
		return nil
	}
	for _, node := range anypage.Clickable(r.Listeners) {
		list = append(list, proto.BackendNodeID(node))
	}
	return list
}

// findClosedRoots finds closed shadow roots, and tells each frame's script of its own, by
// pairs of host and root.
func (s *scanner) findClosedRoots() (bool, error) {
	hosts, err := s.possibleHosts()
	if err != nil || len(hosts) == 0 {
		return false, err
	}
	hosts, roots, err := s.closedRoots(hosts)
	if err != nil || len(roots) == 0 {
		return false, err
	}
	pairs := make(map[*world][]*runtime.CallArgument)
	err = s.resolved(roots, func(i int, root runtime.RemoteObjectID) {
		h := hosts[i]
		pairs[h.world] = append(pairs[h.world], &runtime.CallArgument{ObjectID: h.object}, &runtime.CallArgument{ObjectID: root})
	})
	if err != nil {
		return false, err
	}
	return s.callWithObjects("shadow", pairs)
}

// possibleHosts gives the elements that may have a closed root, as the page script
// says.
func (s *scanner) possibleHosts() (hosts []heldObject, err error) {
	cmds := make([]cdp.Command, len(s.worlds))
	for i, w := range s.worlds {
		cmds[i] = s.evaluate(w, "rove.suspects()", scanGroup)
	}
	var lists []cdp.Command
	var from []*world
	err = s.ask(cmds, func(i int, p *cdp.Pending) {
		var a answer
		if decode(p, &a) && a.Result.ObjectID != "" && a.Exception == nil && a.Result.Description != "Array(0)" {
			w := s.worlds[i]
			from = append(from, w)
			lists = append(lists, w.session.Command(runtime.CommandGetProperties,
				&runtime.GetPropertiesParams{ObjectID: a.Result.ObjectID, OwnProperties: new(true)}))
		}
	})
	if err != nil || len(lists) == 0 {
		return nil, err
	}
	err = s.ask(lists, func(i int, p *cdp.Pending) {
		var r struct {
			Result []struct {
				Value struct {
					Subtype  string                 `json:"subtype"`
					ObjectID runtime.RemoteObjectID `json:"objectId"`
				} `json:"value"`
			} `json:"result"`
		}
		if !decode(p, &r) {
			return
		}
		for _, v := range r.Result {
			if v.Value.Subtype == "node" {
				hosts = append(hosts, heldObject{from[i], v.Value.ObjectID})
			}
		}
	})
	return hosts, err
}

// closedRoots asks the browser, who knows, which of the suspects have a closed
// root: it gives those, and the root of each.
func (s *scanner) closedRoots(suspects []heldObject) (hosts []heldObject, roots []foundNode, err error) {
	cmds := make([]cdp.Command, len(suspects))
	for i, h := range suspects {
		cmds[i] = h.world.session.Command(dom.CommandDescribeNode, &dom.DescribeNodeParams{ObjectID: h.object})
	}
	err = s.ask(cmds, func(i int, p *cdp.Pending) {
		var r struct {
			Node struct {
				Roots []struct {
					Type proto.ShadowRootType `json:"shadowRootType"`
					Node proto.BackendNodeID  `json:"backendNodeId"`
				} `json:"shadowRoots"`
			} `json:"node"`
		}
		if !decode(p, &r) {
			return
		}
		for _, root := range r.Node.Roots {
			if root.Type == proto.ShadowRootTypeClosed {
				hosts = append(hosts, suspects[i])
				roots = append(roots, foundNode{suspects[i].world, root.Node})
			}
		}
	})
	return hosts, roots, err
}
