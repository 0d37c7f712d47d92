package aria

import (
	"strconv"
	"testing"
)

// Of a list that was filtered the few that are left are told, and a box in a row with the words of the row.
func TestRowsThatAreLeft(t *testing.T) {
	records := func(checked bool, numbers ...int) *Tree {
		t := &Tree{}
		for _, n := range numbers {
			box := Node{Role: "checkbox", Ref: Ref("e" + strconv.Itoa(n)), Depth: 2, State: Operable}
			if checked {
				box.State |= Checked
			}
			t.Nodes = append(t.Nodes, Node{Role: "row"}, Node{Role: "cell", Depth: 1}, box, Node{Role: "cell", Name: "PO-" + strconv.Itoa(n), Depth: 1}, Node{Role: "cell", Name: "draft", Depth: 1})
		}
		return t
	}
	filtered := func(t *Tree) *Tree {
		t.Nodes = append([]Node{{Role: "row"}, {Role: "cell", Depth: 1}, {Role: "searchbox", Ref: "e9", Name: "Filter", Depth: 2, State: Operable}}, t.Nodes...)
		return t
	}
	for _, c := range []struct {
		name     string
		old, cur *Tree
		want     string
	}{
		{"filtered", records(false, 1, 2, 3, 4, 5, 6), records(false, 2, 5), `~ left: e2 checkbox | "PO-2 | draft"
~ left: e5 checkbox | "PO-5 | draft"
- e1 checkbox | "PO-1 | draft"
- e3 checkbox | "PO-3 | draft"
- e4 checkbox | "PO-4 | draft"
- e6 checkbox | "PO-6 | draft"
`},
		{"filtered by a field above", filtered(records(false, 1, 2, 3, 4)), filtered(records(false, 2)), `~ left: e2 checkbox | "PO-2 | draft"
- e1 checkbox | "PO-1 | draft"
- e3 checkbox | "PO-3 | draft"
- e4 checkbox | "PO-4 | draft"
`},
		{"one went", records(false, 1, 2, 3, 4, 5, 6), records(false, 1, 2, 3, 4, 5), "- e6 checkbox | \"PO-6 | draft\"\n"},
		{"ticked", records(false, 1, 2), records(true, 1, 2), "~ e1 checkbox +checked in \"PO-1 | draft\"\n~ e2 checkbox +checked in \"PO-2 | draft\"\n"},
	} {
		if got := Diff(c.old, c.cur).Render(0); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}
