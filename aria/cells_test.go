package aria

import (
	"strconv"
	"testing"
)

// week is a row of seven days, what is on them by their number.
func week(events map[int]string) *Tree {
	t := &Tree{Nodes: []Node{{Role: "row"}}}
	for k := range 7 {
		t.Nodes = append(t.Nodes, Node{Role: "gridcell", Name: "November " + strconv.Itoa(k+8) + ", 2026", Depth: 1})
		if name := events[k]; name != "" {
			t.Nodes = append(t.Nodes, Node{Ref: Ref("e" + strconv.Itoa(k+40)), Role: "clickable", Name: name, State: Operable, Depth: 2})
		}
	}
	return t
}

// A week of a calendar is told by the days on which something changed, also where they
// are beyond what is shown of a long line.
func TestLongRowsAreToldByCells(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, cur *Tree
		want     string
	}{
		{"one came", week(nil), week(map[int]string{5: "Lunch"}), "~ \"November 13, 2026\" e45 clickable \"Lunch\" in row \"November 8, 2026\"\n"},
		{"one beside another", week(map[int]string{1: "Trip"}), week(map[int]string{1: "Trip", 6: "Lunch"}), "~ \"November 14, 2026\" e46 clickable \"Lunch\" in row \"November 8, 2026\"\n"},
		{"one went", week(map[int]string{1: "Trip"}), week(nil), "~ \"November 9, 2026\" e41 clickable \"Trip\" → \"November 9, 2026\" in row \"November 8, 2026\"\n"},
	} {
		if got := Diff(c.old, c.cur).Render(300); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
	// A row that is another is not told as one that changed.
	row := func(cells ...string) *Tree {
		t := &Tree{Nodes: []Node{{Role: "row"}}}
		for _, s := range cells {
			t.Nodes = append(t.Nodes, Node{Role: "cell", Name: s, Depth: 1})
		}
		t.Nodes = append(t.Nodes, Node{Ref: Ref("e" + cells[0]), Role: "button", Name: "Edit", State: Operable, Depth: 2})
		return t
	}
	if got, want := Diff(row("1", "User", "Active"), row("2", "User", "Active")).Render(0), "+ \"2 | User | Active\" e2 button \"Edit\"\n- \"1 | User | Active\" e1 button \"Edit\"\n"; got != want {
		t.Errorf("another row:\n%s\nwant:\n%s", got, want)
	}
}

// What boxes of all rows are called is said in the first of a table.
func TestRowsSayOnceWhatAllHave(t *testing.T) {
	tree := &Tree{}
	table := func(names ...string) {
		tree.Nodes = append(tree.Nodes, Node{Role: "table"})
		for _, name := range names {
			ref := Ref("e" + strconv.Itoa(len(tree.Nodes)))
			tree.Nodes = append(
				tree.Nodes, Node{Role: "row", Depth: 1},
				Node{Role: "cell", Depth: 2}, Node{Ref: ref, Role: "checkbox", Name: name, State: Operable, Depth: 3},
				Node{Role: "cell", Name: "Ann", Depth: 2},
			)
		}
	}
	long := "Press Space to toggle row selection"
	table(long, long, "Select row", "Select row")
	table(long)
	want := `e1 checkbox "Press Space to toggle row selection" | "Ann"
e5 checkbox | "Ann"
e9 checkbox "Select row" | "Ann"
e13 checkbox "Select row" | "Ann"
e18 checkbox "Press Space to toggle row selection" | "Ann"
`
	if got := Render(tree, Options{}); got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
}

// Of several buttons with long names each row says which is which.
func TestRowsTellTheirButtonsApart(t *testing.T) {
	tree := &Tree{Nodes: []Node{{Role: "table"}}}
	for _, refs := range [][]Ref{{"e1", "e2"}, {"e3", "e4"}} {
		tree.Nodes = append(
			tree.Nodes, Node{Role: "row", Depth: 1}, Node{Role: "cell", Depth: 2},
			Node{Ref: refs[0], Role: "button", Name: "Mark this comment as spam", State: Operable, Depth: 3},
			Node{Ref: refs[1], Role: "button", Name: "Move this comment to the Trash", State: Operable, Depth: 3},
		)
	}
	want := `e1 button "Mark this comment as spam" e2 button "Move this comment to the Trash"
e3 button "Mark this comment as spam" e4 button "Move this comment to the Trash"
`
	if got := Render(tree, Options{}); got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
}

// Cells that can all be clicked are told as one, and what changes of one by itself.
func TestCellsWithRefsAreOnePart(t *testing.T) {
	row := func(maker string, change func(*Node)) *Tree {
		t := &Tree{Nodes: []Node{{Role: "row"}, {Role: "gridcell", Depth: 1}, {Ref: "e2", Role: "checkbox", Name: "Row", State: Operable, Depth: 2}}}
		for i, name := range []string{"Gear", maker, "14|2"} {
			t.Nodes = append(t.Nodes, Node{Ref: Ref("e" + strconv.Itoa(3+i)), Role: "gridcell", Name: name, State: Operable, Depth: 1})
		}
		if change != nil {
			change(&t.Nodes[4])
		}
		return t
	}
	chosen := func(n *Node) { n.State |= Selected }
	for got, want := range map[string]string{
		Render(row("Cog", nil), Options{}):                  `e2 checkbox "Row" | e3…5 gridcell "Gear | Cog | 14\|2"` + "\n",
		Render(row("Cog", chosen), Options{}):               `e2 checkbox "Row" | e3 gridcell "Gear" | e4 gridcell "Cog" selected | e5 gridcell "14|2"` + "\n",
		Diff(row("Cog", nil), row("Bolz", nil)).Render(0):   `~ e4 gridcell "Cog" → "Bolz"` + "\n",
		Diff(row("Cog", nil), row("Cog", chosen)).Render(0): `~ e4 gridcell "Cog" +selected` + "\n",
	} {
		if got != want {
			t.Errorf("%s\nwant:\n%s", got, want)
		}
	}
}

// Where a table is looked into, its empty cells have refs: something goes there.
func TestEmptyCellsThatWereAskedFor(t *testing.T) {
	tree := &Tree{Nodes: []Node{{Role: "row"}, {Role: "cell", Name: "5", Depth: 1}, {Ref: "e3", Role: "cell", Depth: 1}, {Role: "cell", Depth: 1}, {Ref: "e4", Role: "cell", Depth: 1}}}
	if got, want := Render(tree, Options{}), "\"5\" | e3 cell | | e4 cell\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
