package aria

import (
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
