package pwserver

import (
	"context"
	"maps"
	"slices"

	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

const (
	scanLimit    = 1000 // elements handed to one frame's script at a time
	shadowRounds = 6    // closed roots inside closed roots
	scanGroup    = "rove-scan"
)

// scanLoaded scans documents that have just been loaded.
func (t *Tab) scanLoaded(frames []backend.FrameID) {
	ctx, cancel := context.WithTimeout(t.Life, anypage.ScanTimeout)
	defer cancel()
	_, _ = t.Scan(ctx, frames...)
}

// scanned waits for the scan after a load.
func (t *Tab) scanned(ctx context.Context, g *anypage.Gate) {
	work := t.scans.Busy()
	if work == nil {
		return
	}
	select {
	case <-work:
	case <-g.Shut:
	case <-ctx.Done():
	}
}

// Scan makes the page script acquainted with closed shadow roots and with elements that
// only a listener makes clickable, which Chromium alone tells; not of frames in a process
// of their own.
func (t *Tab) Scan(ctx context.Context, frames ...backend.FrameID) (found bool, err error) {
	g, err := t.Enter()
	if err != nil {
		return false, err
	}
	for _, f := range t.All(frames) { // the page script has to be there to be told
		if _, err := t.worldOf(ctx, g, f); err != nil && anypage.TabWide(err) {
			return false, err
		}
	}
	if t.browser.name != "chromium" {
		return false, nil
	}
	d, err := t.session(ctx)
	if err != nil {
		return false, err
	}
	s := &scanner{tab: t, ctx: ctx, gate: g, devtools: d}
	defer func() { t.start(s.command("Runtime.releaseObjectGroup", object{"objectGroup": scanGroup})) }()
	for range shadowRounds {
		more, err := s.shadows()
		if err != nil || !more {
			if err != nil {
				return found, err
			}
			break
		}
		found = true
	}
	heard, err := s.listeners()
	return found || heard, err
}

// scanner is one scan at work.
type scanner struct {
	tab      *Tab
	ctx      context.Context
	gate     *anypage.Gate
	devtools *devtools
}

// held is an object that the scan holds, of the world with a number.
type held struct {
	world int
	id    string
}

type objectID struct {
	ID          string `json:"objectId"`
	Subtype     string `json:"subtype"`
	Description string `json:"description"`
}

func (s *scanner) command(method string, params object) command {
	return command{s.devtools.guid, "send", object{"method": method, "params": params}}
}

// ask sends commands in one write, and gives the answers to take. What is gone answers
// nothing, which is fine: so is what was to be learnt.
func (s *scanner) ask(cmds []command, take func(i int, answer raw)) error {
	for i, r := range s.tab.start(cmds...) {
		var a struct {
			Result raw `json:"result"`
		}
		err := s.tab.await(s.ctx, s.gate, r, &a)
		switch {
		case err == nil:
			take(i, a.Result)
		case s.ctx.Err() != nil || anypage.TabWide(err):
			return err
		}
	}
	return nil
}

// shadows finds closed shadow roots, and tells each frame's script of its own, by pairs of
// host and root.
func (s *scanner) shadows() (bool, error) {
	worlds := s.devtools.list()
	var cmds []command
	for _, w := range worlds {
		cmds = append(cmds, s.command("Runtime.evaluate", object{"expression": "globalThis.rove ? rove.suspects() : []", "contextId": w, "objectGroup": scanGroup}))
	}
	var lists []command
	var of []int
	err := s.ask(cmds, func(i int, answer raw) {
		var a struct {
			Result objectID `json:"result"`
		}
		if wire.Unmarshal(answer, &a) == nil && a.Result.Subtype == "array" && a.Result.Description != "Array(0)" {
			lists = append(lists, s.command("Runtime.getProperties", object{"objectId": a.Result.ID, "ownProperties": true}))
			of = append(of, worlds[i])
		}
	})
	if err != nil || len(lists) == 0 {
		return false, err
	}
	var hosts []held
	err = s.ask(lists, func(i int, answer raw) {
		var a struct {
			Result []struct {
				Value objectID `json:"value"`
			} `json:"result"`
		}
		_ = wire.Unmarshal(answer, &a)
		for _, p := range a.Result {
			if p.Value.Subtype == "node" {
				hosts = append(hosts, held{of[i], p.Value.ID})
			}
		}
	})
	if err != nil {
		return false, err
	}
	closed, roots, err := s.closedRoots(hosts)
	if err != nil || len(roots) == 0 {
		return false, err
	}
	pairs := map[int][]object{}
	err = s.resolve(roots, func(i int, root string) {
		w := closed[i].world
		pairs[w] = append(pairs[w], object{"objectId": closed[i].id}, object{"objectId": root})
	})
	if err != nil {
		return false, err
	}
	return s.hand("shadow", pairs)
}

// node is one of the browser's, for the world with a number.
type node struct{ world, id int }

// closedRoots asks the browser, who knows, which elements have a closed root: it gives
// those, and the root of each.
func (s *scanner) closedRoots(suspects []held) (hosts []held, roots []node, err error) {
	var cmds []command
	for _, h := range suspects {
		cmds = append(cmds, s.command("DOM.describeNode", object{"objectId": h.id}))
	}
	err = s.ask(cmds, func(i int, answer raw) {
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
				hosts, roots = append(hosts, suspects[i]), append(roots, node{suspects[i].world, r.ID})
			}
		}
	})
	return hosts, roots, err
}

// resolve makes objects of nodes, each in its world, and gives them to take.
func (s *scanner) resolve(nodes []node, take func(i int, object string)) error {
	var cmds []command
	for _, n := range nodes {
		cmds = append(cmds, s.command("DOM.resolveNode", object{"backendNodeId": n.id, "executionContextId": n.world, "objectGroup": scanGroup}))
	}
	return s.ask(cmds, func(i int, answer raw) {
		var a struct {
			Object objectID `json:"object"`
		}
		if wire.Unmarshal(answer, &a) == nil && a.Object.ID != "" {
			take(i, a.Object.ID)
		}
	})
}

// hand calls a function of the page script with objects.
func (s *scanner) hand(function string, objects map[int][]object) (done bool, err error) {
	var cmds []command
	for _, w := range slices.Sorted(maps.Keys(objects)) {
		cmds = append(cmds, s.command("Runtime.callFunctionOn", object{
			"functionDeclaration": "(...args) => rove." + function + "(...args)", "executionContextId": w, "arguments": objects[w],
		}))
	}
	err = s.ask(cmds, func(int, raw) { done = true })
	return done, err
}

// listeners finds the elements somebody listens for clicks on, and tells each frame's
// script of its own. A frame's are listed together with those of the frames inside it,
// whose worlds are younger: asked from the youngest on, what has not been seen before
// belongs to the frame itself.
func (s *scanner) listeners() (bool, error) {
	worlds := s.devtools.list()
	slices.Reverse(worlds)
	var cmds []command
	var of []int
	for _, w := range worlds {
		if page := s.devtools.page(w); page != 0 {
			cmds = append(cmds, s.command("Runtime.evaluate", object{"expression": "document", "contextId": page}))
			of = append(of, w)
		}
	}
	var documents []held
	err := s.ask(cmds, func(i int, answer raw) {
		var a struct {
			Result objectID `json:"result"`
		}
		if wire.Unmarshal(answer, &a) == nil && a.Result.ID != "" {
			documents = append(documents, held{of[i], a.Result.ID})
		}
	})
	if err != nil || len(documents) == 0 {
		return false, err
	}
	cmds = nil
	for _, d := range documents {
		cmds = append(cmds, s.command("DOMDebugger.getEventListeners", object{"objectId": d.id, "depth": -1, "pierce": true}))
	}
	for _, d := range documents {
		cmds = append(cmds, s.command("Runtime.releaseObject", object{"objectId": d.id}))
	}
	var nodes []node
	claimed := map[int]bool{}
	err = s.ask(cmds, func(i int, answer raw) {
		if i < len(documents) {
			nodes = append(nodes, s.devtools.unheard(documents[i].world, clickable(answer), claimed)...)
		}
	})
	if err != nil || len(nodes) == 0 {
		return false, err
	}
	objects := map[int][]object{}
	err = s.resolve(nodes, func(i int, id string) {
		w := nodes[i].world
		objects[w] = append(objects[w], object{"objectId": id})
	})
	if err != nil {
		return false, err
	}
	return s.hand("listeners", objects)
}

// clickable picks the nodes with a listener for clicks of their own.
func clickable(answer raw) []int {
	var r struct {
		Listeners []anypage.Listener `json:"listeners"`
	}
	if wire.Unmarshal(answer, &r) != nil {
		return nil
	}
	return anypage.Clickable(r.Listeners)
}
