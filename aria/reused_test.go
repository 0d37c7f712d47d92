package aria

import "testing"

// Where a page keeps its elements and writes other words into them, cards are what people see: one that
// went to another column has gone there, and the elements that the others have now are told.
func TestCardsWhoseElementsAreReused(t *testing.T) {
	board := func(todo, doing []string, refs []Ref) *Tree {
		tree := &Tree{URL: "x"}
		for i, col := range [][]string{todo, doing} {
			tree.Nodes = append(tree.Nodes, Node{Role: "heading", Name: []string{"To do", "Doing"}[i], Level: 2, Nest: 3, Share: min(1, i)})
			for _, title := range col {
				tree.Nodes = append(tree.Nodes,
					Node{Role: "article", Ref: refs[0], State: Operable | Draggable, Nest: 3, Share: 2},
					Node{Role: "text", Name: title, Depth: 1, Nest: 4, Share: 3},
					Node{Role: "clickable", Ref: refs[1], Name: "⋯", State: Operable, Depth: 1, Nest: 4, Share: 3})
				refs = refs[2:]
			}
		}
		return tree
	}
	a := board([]string{"Milk", "Bread", "Tea"}, []string{"Soap", "Wax"}, []Ref{"e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9", "e10"})
	b := board([]string{"Bread", "Tea"}, []string{"Milk", "Soap", "Wax"}, []Ref{"e1", "e2", "e3", "e4", "e7", "e8", "e9", "e10", "e11", "e12"})
	want := `~ "Milk", now in "Doing" below heading "Doing" 2
~ e1 article draggable "Bread" e2 clickable "⋯" in "To do" (these are the refs now: the page wrote other words into its elements)
~ e3 article draggable "Tea" e4 clickable "⋯" in "To do"
~ e7 article draggable "Milk" e8 clickable "⋯" in "Doing"
~ e9 article draggable "Soap" e10 clickable "⋯" in "Doing"
~ e11 article draggable "Wax" e12 clickable "⋯" in "Doing"
`
	if got := Diff(a, b).Render(0); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
