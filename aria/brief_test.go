package aria

import (
	"strings"
	"testing"
)

// TestSidebarsAreToldOnce holds a part beside the content to one line where the page before
// had it with the same field, and to all of it where the field is another or holds something.
func TestSidebarsAreToldOnce(t *testing.T) {
	page := func(ref Ref, value, heading string) *Tree {
		return &Tree{Nodes: []Node{
			{Role: "document"},
			{Role: "complementary", Name: "Sidebar", Depth: 1},
			{Role: "link", Name: "Dashboard", Ref: "e1", State: Operable, Depth: 2},
			{Role: "link", Name: "Reports", Ref: "e2", State: Operable, Depth: 2},
			{Role: "textbox", Name: "Search", Ref: ref, Value: value, State: Operable, Depth: 2},
			{Role: "heading", Name: heading, Depth: 1},
		}}
	}
	before := page("e3", "", "Home")
	for name, c := range map[string]struct {
		now  *Tree
		told bool
	}{
		"the same":      {page("e3", "", "Reports"), false},
		"another field": {page("e9", "", "Reports"), true},
		"another value": {page("e3", "ada", "Reports"), true},
	} {
		said := Fit(c.now, 400, Options{Brief: true, Before: before}).Text
		if told := strings.Contains(said, "Dashboard"); told != c.told || !c.told && !strings.Contains(said, `complementary "Sidebar" as before`) {
			t.Errorf("%s: told %v\n%s", name, told, said)
		}
	}
}
