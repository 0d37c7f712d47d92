package chrome

import (
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/internal/anypage"
)

// ownerGroup are the remote objects that are handed to the page scripts, which are let go
// together: one batch runs at a time. Calls have groups of their own, see objects.
const ownerGroup = "rove-owners"

// registerOwners tells the page scripts of parents which of their elements holds
// which frame. The browser knows the element, however deep in shadow roots it
// is; the script is given the object itself.
func (t *Tab) registerOwners(batch []*frame) {
	type owner struct {
		frame *frame
		world *world // of the parent
	}
	conn := t.browser.conn

	t.Mu.Lock()
	var list []*owner
	var cmds []cdp.Command
	for _, f := range batch {
		if f.gone || f.parent == nil || f.parent.world == nil {
			continue // a world that is still to come brings its own request
		}
		w := f.parent.world
		list = append(list, &owner{frame: f, world: w})
		cmds = append(cmds, w.session.Command(dom.CommandGetFrameOwner,
			&dom.GetFrameOwnerParams{FrameID: proto.FrameID(f.id)}))
	}
	t.Mu.Unlock()

	found := list[:0]
	for i, p := range conn.Start(cmds...) {
		var r dom.GetFrameOwnerResult
		if p.Wait(t.Life, &r) != nil {
			continue // gone in the meantime
		}
		cmds[len(found)] = list[i].world.session.Command(dom.CommandResolveNode, &dom.ResolveNodeParams{
			BackendNodeID: r.BackendNodeID, ExecutionContextID: list[i].world.id, ObjectGroup: ownerGroup,
		})
		found = append(found, list[i])
	}

	calls := make(map[*world]*runtime.CallFunctionOnParams)
	numbers := make(map[*world][]int)
	for i, p := range conn.Start(cmds[:len(found)]...) {
		var r dom.ResolveNodeResult
		if p.Wait(t.Life, &r) != nil || r.Object == nil {
			continue
		}
		w := found[i].world
		if calls[w] == nil {
			calls[w] = &runtime.CallFunctionOnParams{
				FunctionDeclaration: "(...args) => rove.frames(...args)", UniqueContextID: w.unique,
				Arguments: make([]*runtime.CallArgument, 1),
			}
		}
		numbers[w] = append(numbers[w], found[i].frame.owner)
		calls[w].Arguments = append(calls[w].Arguments, &runtime.CallArgument{ObjectID: r.Object.ObjectID})
	}

	cmds = cmds[:0]
	for w, call := range calls {
		call.Arguments[0] = &runtime.CallArgument{Value: anypage.Encode(numbers[w])}
		cmds = append(cmds, w.session.Command(runtime.CommandCallFunctionOn, call))
	}
	pending := conn.Start(cmds...)
	for w := range calls {
		w.session.Start(runtime.CommandReleaseObjectGroup, &runtime.ReleaseObjectGroupParams{ObjectGroup: ownerGroup})
	}
	for _, p := range pending {
		_ = p.Wait(t.Life, nil)
	}
}
