package aria

import (
	"strings"
	"testing"
)

func TestShapes(t *testing.T) {
	shape := func(ref Ref, desc string, state State) Node {
		return Node{Ref: ref, Role: "clickable", Desc: desc, State: Operable | state}
	}
	under := func(n Node) Node { n.Depth = 1; return n }
	word := func(s string) Node { return Node{Role: "text", Name: s, State: Drawn} }
	for _, c := range []struct {
		name  string
		nodes []Node
		want  string
	}{
		{"many", []Node{shape("e1", "bar #1", 0), shape("e2", "bar #2", 0), shape("e3", "bar #3", 0), shape("e4", "bar #4", 0), shape("e5", "bar #5", 0)}, "e1…5 5 clickable (bar)"},
		{"few", []Node{shape("e1", "in_1", Draggable), shape("e2", "in_2", Draggable)}, "e1 e2 draggable (in_1, in_2)"},
		{"refs that do not count on", []Node{shape("e1", "a #1", 0), shape("e2", "a #2", 0), shape("e3", "a #3", 0), shape("f2e4", "a #4", 0), shape("e9", "a #5", 0)}, "e1…3 f2e4 e9 5 clickable (a)"},
		{"another kind", []Node{shape("e1", "a #1", 0), shape("e2", "b #1", 0)}, "e1 clickable (a #1)\ne2 clickable (b #1)"},
		{"kinds of a drawing", []Node{shape("e1", "a #1", Drawn), shape("e2", "b #1", Drawn), shape("e3", "a #2", Drawn)}, "e1…3 clickable (2 a, b)"},
		{"another state", []Node{shape("e1", "a #1", 0), shape("e2", "a #2", Selected)}, "e1 clickable (a #1)\ne2 clickable (a #2) selected"},
		{"what tells them apart", []Node{shape("e1", "region: US", 0), shape("e2", "region: FR", 0), shape("e3", "region: DE", 0), shape("e4", "region: IT", 0), shape("e5", "region: ES", 0)}, "e1…5 5 clickable (region: US, FR, DE, IT, ES)"},
		{"ports of what is dragged", []Node{
			{Ref: "e1", Role: "button", Name: "A", State: Operable | Draggable},
			under(shape("e2", "in_1", 0)), under(shape("e3", "out_1", 0)),
			{Ref: "e4", Role: "button", Name: "B", State: Operable | Draggable},
			under(shape("e5", "in_1", 0)), under(shape("e6", "out_1", 0)),
			{Ref: "e7", Role: "button", Name: "C", State: Operable | Draggable},
			under(shape("e8", "in_1", 0)),
			{Ref: "e9", Role: "button", Name: "D", State: Operable},
			under(shape("e10", "x", 0)),
		}, "e1 button \"A\" draggable with e2 e3 clickable (in_1, out_1)\ne4 button \"B\" draggable with e5 e6\ne7 button \"C\" draggable with e8 clickable (in_1)\ne9 button \"D\"\n e10 clickable (x)"},
		{"words", []Node{word("Jan"), word("Feb"), word("Mar")}, `"Jan Feb Mar"`},
		{"words with spaces", []Node{word("New York"), word("Rome")}, `"New York | Rome"`},
		{"names keep their lines", []Node{{Ref: "e1", Role: "clickable", Name: "A", State: Operable}, {Ref: "e2", Role: "clickable", Name: "B", State: Operable}}, "e1 clickable \"A\"\ne2 clickable \"B\""},
	} {
		got := strings.TrimSpace(Render(&Tree{Nodes: c.nodes}, Options{}))
		if got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
		// In a search each has its line.
		p, err := ParsePattern("/./")
		if err != nil {
			t.Fatal(err)
		}
		if v := Find(&Tree{Nodes: c.nodes}, p, 0, Options{}); v.Lines != len(c.nodes) {
			t.Errorf("%s: found %d of %d", c.name, v.Lines, len(c.nodes))
		}
	}
}
