package aria

import (
	"strings"
	"testing"
)

// Of a row that is gone the beginning is told: nothing can be done in it any more.
func TestRowsThatAreGone(t *testing.T) {
	row := func(ref, words string) []Node {
		return []Node{
			{Role: "row"},
			{Role: "cell", Depth: 1},
			{Role: "checkbox", Ref: Ref(ref), Name: "Select " + words, Depth: 2, State: Operable},
			{Role: "cell", Name: strings.Repeat(words+" and more ", 12), Depth: 1},
		}
	}
	first, second := row("e1", "Ada"), row("e2", "Alan")
	d := Diff(&Tree{Nodes: append(append([]Node{}, first...), second...)}, &Tree{Nodes: second})
	text := d.Render(0)
	if !strings.HasPrefix(text, `- e1 checkbox "Select Ada" | "Ada and more`) || Tokens(text) > goneRow+6 {
		t.Errorf("%d tokens:\n%s", Tokens(text), text)
	}
}
