package aria

import (
	"slices"
	"strings"
	"testing"
)

func TestActions(t *testing.T) {
	for _, c := range []struct {
		node Node
		want string
	}{
		{Node{Role: "button"}, "click"},
		{Node{Role: "link"}, "click"},
		{Node{Role: "clickable"}, "click"},
		{Node{Role: "row"}, "click"},
		{Node{Role: "button", State: Disabled}, ""},
		{Node{Role: "textbox"}, "input type focus"},
		{Node{Role: "textbox", Value: "x"}, "input type clear focus"},
		{Node{Role: "textbox", Value: "x", State: Readonly}, "focus"},
		{Node{Role: "textbox", Value: "x", State: Disabled}, ""},
		{Node{Role: "searchbox"}, "input type focus"},
		{Node{Role: "checkbox"}, "click check"},
		{Node{Role: "checkbox", State: Checked}, "click uncheck"},
		{Node{Role: "checkbox", State: Mixed}, "click check uncheck"},
		{Node{Role: "switch", State: Checked}, "click uncheck"},
		{Node{Role: "radio"}, "click"},
		{Node{Role: "combobox"}, "select input click"},
		{Node{Role: "combobox", Count: 3}, "select click"},
		{Node{Role: "listbox"}, "select"},
		{Node{Role: "slider"}, "set"},
		{Node{Role: "spinbutton"}, "set"},
		{Node{Role: "button", State: FileInput}, "upload"},
		{Node{Role: "listbox", State: Scrollable}, "select scroll"},
	} {
		c.node.Ref, c.node.State = "e1", c.node.State|Operable
		if got := strings.Join(Actions(&c.node), " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.node, got, c.want)
		}
		c.node.Ref = ""
		if got := Actions(&c.node); got != nil {
			t.Errorf("without a ref: %q", got)
		}
	}
	list := Node{Ref: "e1", Role: "list", State: Scrollable}
	if got := Actions(&list); !slices.Equal(got, []string{"scroll"}) {
		t.Errorf("a list to scroll: %q", got)
	}
}

func TestCanNamesKindsOnce(t *testing.T) {
	tree := &Tree{Nodes: []Node{
		{Ref: "e1", Role: "textbox", State: Operable},
		{Ref: "e2", Role: "button", State: Operable},
		{Ref: "e3", Role: "link", State: Operable},
	}}
	seen := map[string]bool{}
	if got := Can(tree, "", seen, Options{}); !strings.HasPrefix(got, "can: textbox input type clear focus · button/link click · page back refresh") {
		t.Errorf("first %q", got)
	}
	if got := Can(tree, "", seen, Options{}); got != "" {
		t.Errorf("again %q", got)
	}
	tree.Nodes = append(tree.Nodes, Node{Ref: "e4", Role: "button", State: Operable | FileInput}, Node{Ref: "e5", Role: "slider", State: Operable})
	if got := Can(tree, "", seen, Options{}); got != "can: file upload PATH (several: a line each) · slider set\n" {
		t.Errorf("then %q", got)
	}
	// What is offered where it applies: in a list that scrolls, in an editor, in a page
	// that is longer than the screen.
	tree.Nodes = append(tree.Nodes, Node{Ref: "e6", Role: "list", State: Scrollable}, Node{Ref: "e7", Role: "textbox", State: Operable | Editable})
	if got := Can(tree, "", seen, Options{}); got != "can: scrollable scroll down/bottom/until:TEXT · editor input type clear focus mark WORDS\n" {
		t.Errorf("then %q", got)
	}
	for state, want := range map[State]string{0: "page back refresh screenshot scroll until:TEXT …", InView: "page back refresh screenshot …"} {
		tree = &Tree{Nodes: slices.Repeat([]Node{{Ref: "e1", Role: "button", State: Operable | state}}, worthScrolling)}
		if got := Can(tree, "", map[string]bool{}, Options{}); got != "can: button click · "+want+"\n" {
			t.Errorf("in view %v: %q", state, got)
		}
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct{ pattern, source, flags, match, miss string }{
		{"Sign  in", "Sign in", "i", "please SIGN IN now", "sign"},
		{"a.b", `a\.b`, "i", "A.B", "axb"},
		{"/a.b/", "a.b", "", "axb", "AXB"},
		{"/a.b/gi", "a.b", "i", "AXB", "ab"},
		{"/users/new", "/users/new", "i", "go to /Users/new", "users new"},
		{"GRÖSSE", "GRÖSSE", "i", "Größen? größe und grösse", "grosse"},
	} {
		p, err := ParsePattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if p.Source != c.source || p.Flags != c.flags {
			t.Errorf("%s: /%s/%s", c.pattern, p.Source, p.Flags)
		}
		if !p.Match(c.match) || p.Match(c.miss) {
			t.Errorf("%s: match %v, miss %v", c.pattern, p.Match(c.match), p.Match(c.miss))
		}
	}
	for pattern, want := range map[string]string{
		"": "empty", "  ": "empty", "/[/": "missing closing ]", "/a(?=b)/": "not a regular expression",
	} {
		if _, err := ParsePattern(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}
