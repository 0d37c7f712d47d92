package rove

import (
	"strings"
	"testing"

	"rove/aria"
)

// TestLargePagesAreForgottenSooner: what a session remembers has a bound, but the
// last two looks are there whatever their size.
func TestLargePagesAreForgottenSooner(t *testing.T) {
	for _, c := range []struct{ nodes, want int }{{10, remembered}, {rememberedNodes / 4, 4}, {rememberedNodes * 2, 2}} {
		var m memory
		for range 20 {
			m.keep(&aria.Tree{Nodes: make([]aria.Node, c.nodes)}, true)
		}
		if len(m.trees) != c.want || m.trees[len(m.trees)-1].number != 20 {
			t.Errorf("of looks at %d nodes %d are remembered, want %d", c.nodes, len(m.trees), c.want)
		}
	}
}

// TestWhatIsGoneIsToldOnce: a row that went with the dialog that was over it is gone once, although both
// the page before the dialog and the page behind it had it.
func TestWhatIsGoneIsToldOnce(t *testing.T) {
	row := func(ref aria.Ref, name string, depth int) aria.Node {
		return aria.Node{Ref: ref, Role: "checkbox", Name: name, State: aria.Operable, Depth: depth}
	}
	page := &aria.Tree{Nodes: []aria.Node{{Role: "document"}, row("e1", "One", 1), row("e2", "Two", 1), row("e3", "Three", 1)}}
	asked := &aria.Tree{Nodes: []aria.Node{
		{Role: "document"},
		row("e1", "One", 1), row("e2", "Two", 1),
		{Role: "dialog", Name: "Delete?", State: aria.Modal, Depth: 1},
		{Ref: "e9", Role: "button", Name: "Yes", State: aria.Operable, Depth: 2},
	}}
	after := &aria.Tree{Nodes: []aria.Node{{Role: "document"}, row("e2", "Two", 1), row("e3", "Three", 1), row("e4", "Four", 1)}}
	var m memory
	m.keep(page, true)
	m.keep(asked, true)
	said := m.delta(asked, after, nil).Render(300)
	if n := strings.Count(said, "- e1"); n != 1 || !strings.Contains(said, `+ e4`) || strings.Contains(said, "+ e3") {
		t.Errorf("the row that is gone is told %d times:\n%s", n, said)
	}
}
