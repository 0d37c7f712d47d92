package aria

import (
	"strings"
	"testing"
)

// TestCardsMadeAnewElsewhere: a card that its new column made anew is told by where it is,
// and not as one that came and one that went; of two that say the same nobody knows.
func TestCardsMadeAnewElsewhere(t *testing.T) {
	board := func(cards ...string) *Tree {
		tree := &Tree{Nodes: []Node{{Role: "document"}}}
		for _, c := range cards {
			ref, name, card := strings.Cut(c, " ")
			if !card {
				tree.Nodes = append(tree.Nodes, Node{Role: "heading", Name: c, Depth: 1})
				continue
			}
			tree.Nodes = append(tree.Nodes, Node{Ref: Ref(ref), Role: "button", Name: name, State: Operable | Draggable, Depth: 1})
		}
		return tree
	}
	before := board("Doing", "e1 Fix", "e2 Count", "Review", "e3 Flyer")
	for name, c := range map[string]struct {
		after      *Tree
		has, hasnt string
	}{
		"first":  {board("Doing", "e2 Count", "Review", "e9 Fix", "e3 Flyer"), `e9 button "Fix" draggable (was e1), now below heading "Review"`, "- e1"},
		"last":   {board("Doing", "e2 Count", "Review", "e3 Flyer", "e9 Fix"), `(was e1), now below e3 button "Flyer"`, "- e1"},
		"twice":  {board("Doing", "e2 Count", "Review", "e8 Fix", "e3 Flyer", "e9 Fix"), "- e1", "was e1"},
		"stayed": {board("Doing", "e1 Fix", "e2 Count", "Review", "e9 Fix", "e3 Flyer"), "+ e9", "was e1"},
	} {
		if got := Diff(before, c.after).Render(300); !strings.Contains(got, c.has) || strings.Contains(got, c.hasnt) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
