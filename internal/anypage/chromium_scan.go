package anypage

import (
	"context"
	"slices"

	"rove/internal/wire"
)

const (
	scanLimit    = 1000 // elements handed to one frame's script at a time
	ShadowRounds = 6    // closed roots inside closed roots
	scanGroup    = "rove-scan"
)

// ChromiumWorld is a world of the page script, as Chromium's own protocol knows it. S is a
// session of that protocol.
type ChromiumWorld[S comparable] struct {
	Session S
	ID      int          // ids are given again,
	Unique  string       // these are not
	Page    string       // the page's own world beside it; "" where the document has no script
	Told    map[int]bool // nodes that its script was told of; used by the scan whose turn it is
}

// Devtool is a command of Chromium's own protocol.
type Devtool[S comparable] struct {
	Session S
	Method  string
	Params  map[string]any
}

// ChromiumScan makes page scripts acquainted with closed shadow roots and with elements
// that only a listener makes clickable.
type ChromiumScan[S comparable] struct {
	// Worlds are those to scan, the innermost first. The browser lists a frame's listeners
	// together with those of the frames inside it, and tells nobody which is whose: asked
	// from the inside out, what has not been seen before belongs to the frame itself.
	Worlds []*ChromiumWorld[S]
	// Ask sends commands in one write, and gives the answers to take. A world that is gone
	// answers nothing, which is fine: so is what was to be learnt. Only the end of the tab
	// or of the caller's time is an error.
	Ask func(cmds []Devtool[S], take func(i int, answer []byte)) error
	// Start sends commands and does not wait.
	Start func(cmds ...Devtool[S])
}

type chromiumObject struct {
	ID          string `json:"objectId"`
	Subtype     string `json:"subtype"`
	Description string `json:"description"`
}

// heldObject is an object of a world that the scan holds.
type heldObject[S comparable] struct {
	world *ChromiumWorld[S]
	id    string
}

// foundNode is a node, and the world whose script is to know of it.
type foundNode[S comparable] struct {
	world *ChromiumWorld[S]
	id    int
}

// Run scans, and says whether there was something to tell the page scripts. Scans of a tab
// take turns, for which turn has room for one.
func (s *ChromiumScan[S]) Run(ctx context.Context, g *Gate, turn chan struct{}) (found bool, err error) {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-g.Shut:
		return false, g.Err
	case <-ctx.Done():
		return false, ctx.Err()
	}
	defer s.release()
	for range ShadowRounds {
		more, err := s.shadows()
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

// release lets go of the objects that the scan held.
func (s *ChromiumScan[S]) release() {
	seen := map[S]bool{}
	var cmds []Devtool[S]
	for _, w := range s.Worlds {
		if !seen[w.Session] {
			seen[w.Session] = true
			cmds = append(cmds, w.command("Runtime.releaseObjectGroup", map[string]any{"objectGroup": scanGroup}))
		}
	}
	s.Start(cmds...)
}

func (w *ChromiumWorld[S]) command(method string, params map[string]any) Devtool[S] {
	return Devtool[S]{w.Session, method, params}
}

// shadows finds closed shadow roots, and tells each frame's script of its own, by pairs of
// host and root.
func (s *ChromiumScan[S]) shadows() (bool, error) {
	suspects, err := s.suspects()
	if err != nil || len(suspects) == 0 {
		return false, err
	}
	hosts, roots, err := s.closedRoots(suspects)
	if err != nil || len(roots) == 0 {
		return false, err
	}
	return s.tell("shadow", roots, func(i int, root string) []string { return []string{hosts[i].id, root} })
}

// suspects are the elements that may have a closed root, as the page scripts say.
func (s *ChromiumScan[S]) suspects() (hosts []heldObject[S], err error) {
	var cmds, lists []Devtool[S]
	var of []*ChromiumWorld[S]
	for _, w := range s.Worlds {
		cmds = append(cmds, w.command("Runtime.evaluate", map[string]any{
			"expression": "globalThis.rove ? rove.suspects() : []", "uniqueContextId": w.Unique, "objectGroup": scanGroup,
		}))
	}
	err = s.Ask(cmds, func(i int, answer []byte) {
		var a struct {
			Result chromiumObject `json:"result"`
		}
		if wire.Unmarshal(answer, &a) == nil && a.Result.Subtype == "array" && a.Result.Description != "Array(0)" {
			of = append(of, s.Worlds[i])
			lists = append(lists, s.Worlds[i].command("Runtime.getProperties", map[string]any{"objectId": a.Result.ID, "ownProperties": true}))
		}
	})
	if err != nil || len(lists) == 0 {
		return nil, err
	}
	err = s.Ask(lists, func(i int, answer []byte) {
		var a struct {
			Result []struct {
				Value chromiumObject `json:"value"`
			} `json:"result"`
		}
		_ = wire.Unmarshal(answer, &a)
		for _, p := range a.Result {
			if p.Value.Subtype == "node" {
				hosts = append(hosts, heldObject[S]{of[i], p.Value.ID})
			}
		}
	})
	return hosts, err
}

// closedRoots asks the browser, who knows, which of the suspects have a closed root: it
// gives those, and the root of each.
func (s *ChromiumScan[S]) closedRoots(suspects []heldObject[S]) (hosts []heldObject[S], roots []foundNode[S], err error) {
	var cmds []Devtool[S]
	for _, h := range suspects {
		cmds = append(cmds, h.world.command("DOM.describeNode", map[string]any{"objectId": h.id}))
	}
	err = s.Ask(cmds, func(i int, answer []byte) {
		var a struct {
			Node struct {
				Roots []struct {
					Type string `json:"shadowRootType"`
					ID   int    `json:"backendNodeId"`
				} `json:"shadowRoots"`
			} `json:"node"`
		}
		_ = wire.Unmarshal(answer, &a)
		for _, r := range a.Node.Roots {
			if r.Type == "closed" {
				hosts, roots = append(hosts, suspects[i]), append(roots, foundNode[S]{suspects[i].world, r.ID})
			}
		}
	})
	return hosts, roots, err
}

// tell makes objects of nodes, each in its world, and calls a function of the page script
// of each world with what objects makes of them.
func (s *ChromiumScan[S]) tell(function string, nodes []foundNode[S], objects func(i int, node string) []string) (done bool, err error) {
	var cmds []Devtool[S]
	for _, n := range nodes {
		cmds = append(cmds, n.world.command("DOM.resolveNode", map[string]any{"backendNodeId": n.id, "executionContextId": n.world.ID, "objectGroup": scanGroup}))
	}
	args := map[*ChromiumWorld[S]][]map[string]string{}
	err = s.Ask(cmds, func(i int, answer []byte) {
		var a struct {
			Object chromiumObject `json:"object"`
		}
		if wire.Unmarshal(answer, &a) != nil || a.Object.ID == "" {
			return
		}
		for _, id := range objects(i, a.Object.ID) {
			args[nodes[i].world] = append(args[nodes[i].world], map[string]string{"objectId": id})
		}
	})
	if err != nil {
		return false, err
	}
	cmds = nil
	for w, list := range args {
		cmds = append(cmds, w.command("Runtime.callFunctionOn", map[string]any{
			"functionDeclaration": "(...args) => rove." + function + "(...args)", "uniqueContextId": w.Unique, "arguments": list,
		}))
	}
	err = s.Ask(cmds, func(int, []byte) { done = true })
	return done, err
}

// listeners finds the elements somebody listens for clicks on, and tells each frame's
// script of its own.
func (s *ChromiumScan[S]) listeners() (bool, error) {
	documents, err := s.documents()
	if err != nil || len(documents) == 0 {
		return false, err
	}
	var cmds, releases []Devtool[S]
	for _, d := range documents {
		cmds = append(cmds, d.world.command("DOMDebugger.getEventListeners", map[string]any{"objectId": d.id, "depth": -1, "pierce": true}))
		releases = append(releases, d.world.command("Runtime.releaseObject", map[string]any{"objectId": d.id}))
	}
	var nodes []foundNode[S]
	claimed := map[S]map[int]bool{}
	err = s.Ask(append(cmds, releases...), func(i int, answer []byte) {
		if i >= len(documents) {
			return
		}
		w := documents[i].world
		if claimed[w.Session] == nil {
			claimed[w.Session] = map[int]bool{}
		}
		for _, id := range w.untold(clickable(answer), claimed[w.Session]) {
			nodes = append(nodes, foundNode[S]{w, id})
		}
	})
	if err != nil || len(nodes) == 0 {
		return false, err
	}
	return s.tell("listeners", nodes, func(_ int, node string) []string { return []string{node} })
}

// documents gives the documents of the pages.
//
// It is the page's own document that is asked about. Asked about the page script's, the
// browser would give that script objects made for the page, with the page's prototypes. A
// document whose page has no world has no scripts, and so nobody who listens. The object is
// in no group, which keeps the browser from making objects of all the listeners' functions.
func (s *ChromiumScan[S]) documents() (list []heldObject[S], err error) {
	var cmds []Devtool[S]
	var of []*ChromiumWorld[S]
	for _, w := range s.Worlds {
		if w.Page != "" {
			of = append(of, w)
			cmds = append(cmds, w.command("Runtime.evaluate", map[string]any{"expression": "document", "uniqueContextId": w.Page}))
		}
	}
	err = s.Ask(cmds, func(i int, answer []byte) {
		var a struct {
			Result chromiumObject `json:"result"`
		}
		if wire.Unmarshal(answer, &a) == nil && a.Result.ID != "" {
			list = append(list, heldObject[S]{of[i], a.Result.ID})
		}
	})
	return list, err
}

// untold are the nodes that neither the world was told of before, nor another one claims.
func (w *ChromiumWorld[S]) untold(nodes []int, claimed map[int]bool) (list []int) {
	for _, id := range nodes {
		if claimed[id] {
			continue
		}
		claimed[id] = true
		if !w.Told[id] && len(list) < scanLimit {
			w.Told[id] = true
			list = append(list, id)
		}
	}
	return list
}

// clickListener is somebody who listens to an element.
type clickListener struct {
	Type string `json:"type"`
	Node int    `json:"backendNodeId"`
}

// An element that listens to more kinds of events than this does so for what is below
// it: the root of a framework, not something to click.
const delegation = 12

// clicks are the events that make an element something to click, or to drop on.
var clicks = map[string]bool{
	"click": true, "dblclick": true, "contextmenu": true,
	"mousedown": true, "mouseup": true, "pointerdown": true, "pointerup": true,
	"touchstart": true, "touchend": true, "dragstart": true, "drop": true,
}

// clickable picks the nodes with a listener for clicks of their own.
func clickable(answer []byte) []int {
	var told struct {
		Listeners []clickListener `json:"listeners"`
	}
	if wire.Unmarshal(answer, &told) != nil {
		return nil
	}
	var list []int
	types := make(map[int]map[string]bool)
	for _, l := range told.Listeners {
		if l.Node == 0 {
			continue
		}
		if types[l.Node] == nil {
			types[l.Node] = make(map[string]bool)
			list = append(list, l.Node)
		}
		types[l.Node][l.Type] = true
	}
	return slices.DeleteFunc(list, func(node int) bool {
		if len(types[node]) > delegation {
			return true
		}
		for t := range types[node] {
			if clicks[t] {
				return false
			}
		}
		return true
	})
}
