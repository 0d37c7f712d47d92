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
