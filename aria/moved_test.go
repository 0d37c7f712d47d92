package aria

import (
	"slices"
	"strings"
	"testing"
)

// Where long lines moved, what is told of them stays between quotes.
func TestMovedIsQuoted(t *testing.T) {
	line := func(name string) Node { return Node{Role: "text", Name: strings.Repeat(name+`, "quoted" `, 30)} }
	for _, order := range []string{"bca", "dcba"} {
		a, b := &Tree{URL: "x"}, &Tree{URL: "x"}
		for _, c := range "abcd"[:len(order)] {
			a.Nodes = append(a.Nodes, line(string(c)))
		}
		for _, c := range order {
			b.Nodes = append(b.Nodes, line(string(c)))
		}
		got := strings.TrimSuffix(Diff(a, b).Render(0), "\n")
		if !strings.Contains(got, "now") || !strings.Contains(got, "…") || quoteOpen(got) {
			t.Errorf("%s: %s", order, got)
		}
	}
}

// A card that went to another column is what moved, and not the title that it passed.
func TestWhatMovedIsWhatCanBeMoved(t *testing.T) {
	card := func(ref Ref, name string) Node {
		return Node{Ref: ref, Role: "clickable", Name: name, State: Operable}
	}
	title := Node{Role: "text", Name: "Doing"}
	a := &Tree{Nodes: []Node{card("e1", "Spec"), card("e2", "Milk"), title, card("e3", "Login")}}
	b := &Tree{Nodes: []Node{card("e1", "Spec"), title, card("e2", "Milk"), card("e3", "Login")}}
	if got, want := Diff(a, b).Render(0), "~ e2 clickable \"Milk\", now below \"Doing\"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Of a table that shows other rows once it is sorted, the new order has those that are new in it.
func TestOrderHasNewRows(t *testing.T) {
	row := func(words ...string) (list []Node) {
		for _, w := range words {
			list = append(list, Node{Role: "row"}, Node{Role: "cell", Name: w, Depth: 1}, Node{Role: "cell", Name: w + "!", Depth: 1})
		}
		return list
	}
	head := []Node{{Role: "row"}, {Role: "columnheader", Name: "Name", Depth: 1}, {Role: "columnheader", Name: "Cry", Depth: 1}}
	a, b := append(slices.Clone(head), row("Ann", "Bob", "Cem", "Dora")...), append(slices.Clone(head), row("Zoe", "Dora", "Yve", "Cem", "Bob")...)
	got := Diff(&Tree{Nodes: a}, &Tree{Nodes: b}).Render(0)
	if want := `in this order now: "Zoe | Zoe!", "Dora | Dora!", "Yve | Yve!", "Cem | Cem!", "Bob | Bob!"`; !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
	first := Diff(&Tree{Nodes: a}, &Tree{Nodes: append(slices.Clone(head), row("Dora", "Ann", "Bob", "Cem")...)}).Render(0)
	if !strings.Contains(first, `"Dora | Dora!", now the first row`) {
		t.Error(first)
	}
}

// Of two tables that say the same, each is told in its new order.
func TestOrderOfTablesThatSayTheSame(t *testing.T) {
	table := func(words ...string) []Node {
		list := []Node{{Role: "table"}}
		for _, w := range words {
			list = append(list, Node{Role: "row", Depth: 1}, Node{Role: "cell", Name: w, Depth: 2}, Node{Role: "cell", Name: w + "!", Depth: 2})
		}
		return list
	}
	two := func(a, b []Node) *Tree { return &Tree{URL: "x", Nodes: append(a, b...)} }
	a := two(table("x", "y", "z"), table("x", "y", "z"))
	got := Diff(a, two(table("z", "y", "x"), table("x", "y", "z"))).Render(0)
	if !strings.Contains(got, `in this order now: "z | z!", "y | y!", "x | x!"`) {
		t.Error(got)
	}
	if got := Diff(a, two(table("y", "z"), table("x", "y", "z"))).Render(0); strings.Contains(got, "now") {
		t.Errorf("a row went, and one is told as moved:\n%s", got)
	}
}

// Short texts one below the other are one line; an item is known by words before figures, and before its buttons.
func TestFiguresAreOneLine(t *testing.T) {
	var nodes []Node
	for _, s := range []string{"1", "2", "3", "4", "5", "6", "Mon", "in words", "7"} {
		nodes = append(nodes, Node{Role: "text", Name: s})
	}
	view := Fit(&Tree{URL: "x", Nodes: nodes}, 0, Options{}).Text
	if want := "\"1 2 3 4 5 6 Mon\"\n\"in words\"\n\"7\"\n"; !strings.HasSuffix(view, want) {
		t.Errorf("%s\nwant %s", view, want)
	}
	nodes = nodes[:0]
	for _, s := range []string{"07 AM", "01 Nov", "Mon 2", "3 Nov", "4 Nov", "total of 5", "6 Nov"} {
		nodes = append(nodes, Node{Role: "text", Name: s})
	}
	if view, want := Fit(&Tree{URL: "x", Nodes: nodes}, 0, Options{}).Text, "\"07 AM | 01 Nov | Mon 2 | 3 Nov | 4 Nov\"\n\"total of 5\"\n\"6 Nov\"\n"; !strings.HasSuffix(view, want) {
		t.Errorf("%s\nwant %s", view, want)
	}
	for _, c := range []struct {
		n    Node
		want int
	}{
		{Node{Role: "button", Name: "Edit", State: Operable}, 1},
		{Node{Role: "text", Name: "25.00"}, 2},
		{Node{Role: "link", Name: "Books", State: Operable}, 3},
		{Node{Role: "text", Name: "·"}, 0},
	} {
		if got := titled(&c.n); got != c.want {
			t.Errorf("%s %q: %d, want %d", c.n.Role, c.n.Name, got, c.want)
		}
	}
}
