package aria

import "strings"

// Actions are the operations that make sense for an element now, the usual one
// first. What any element takes (hover, dblclick, drag, …) is not listed.
func Actions(n *Node) []string {
	if n.Ref == "" || n.State&Disabled != 0 {
		return nil
	}
	var ops []string
	switch {
	case n.State&FileInput != 0:
		ops = []string{"upload"}
	case n.State&Operable == 0:
		// a place to look into or to scroll
	default:
		ops = operations(n)
	}
	if n.State&Draggable != 0 {
		ops = append(ops, "drag")
	}
	if n.State&Scrollable != 0 {
		ops = append(ops, "scroll")
	}
	return ops
}

func operations(n *Node) []string {
	switch n.Role {
	case "textbox", "searchbox":
		if n.State&Readonly != 0 {
			return []string{"focus"}
		}
		if n.Value == "" && n.State&Editable == 0 {
			return []string{"input", "type", "focus"}
		}
		return []string{"input", "type", "clear", "focus"}
	case "checkbox", "switch", "menuitemcheckbox":
		if n.State&Readonly != 0 {
			return nil
		}
		if n.State&Checked != 0 {
			return []string{"click", "uncheck"}
		}
		if n.State&Mixed != 0 {
			return []string{"click", "check", "uncheck"}
		}
		return []string{"click", "check"}
	case "combobox":
		if n.State&Readonly != 0 {
			return []string{"click"}
		}
		if n.Count > 0 { // a select
			return []string{"select", "click"}
		}
		return []string{"select", "input", "click"}
	case "listbox":
		return []string{"select"}
	case "slider", "spinbutton":
		if n.State&Readonly != 0 {
			return nil
		}
		return []string{"set"}
	}
	return []string{"click"}
}

// PageActions are the operations of the page itself.
var PageActions = []string{
	"back", "refresh", "screenshot", "forward", "press", "scroll", "tab", "dialog", "pdf", "upload",
	"viewport", "emulate", "undo", "history", "assert", "look", "go", "wait", "run",
}

// kindActions are the operations of a kind of element in general.
func kindActions(n *Node) (kind string, ops []string) {
	m := Node{Ref: n.Ref, Role: n.Role, State: n.State&(FileInput|Operable) | HasValue, Value: "x"}
	switch {
	case n.State&FileInput != 0:
		return "file", []string{"upload", "PATH", "(several:", "a", "line", "each)"}
	case n.State&Operable == 0 && n.State&Scrollable != 0:
		return "scrollable", []string{"scroll", "down/bottom/until:TEXT"}
	case n.State&Editable != 0 && n.Role == "textbox":
		return "editor", []string{"input", "type", "clear", "focus", "mark", "WORDS"}
	case n.Role == "canvas":
		return n.Role, []string{"click", "@x,y", "drag", "+dx,+dy"}
	case n.State&Draggable != 0 && (n.drags() || n.Role == "listitem" || n.Role == "treeitem" || n.Role == "row" || n.Role == "article"):
		// Where to is half of it, and nobody guesses it.
		return "draggable", []string{"drag", "e9", "(or", `"e9`, `before",`, "e9@x,y,", "@x,y,", "+dx,+dy)", "click", "dblclick", "rightclick"}
	case n.Role == "checkbox", n.Role == "switch", n.Role == "menuitemcheckbox":
		return n.Role, []string{"click", "check", "uncheck"}
	}
	return n.Role, Actions(&m)
}

// pageActionsSaid is how many of the page's operations the line names: the ones
// most often wanted. An operation that is not known is answered with all of them.
const pageActionsSaid = 3

// worthScrolling is how many elements have to be out of sight for scrolling to be
// offered: a few are hidden for other reasons.
const worthScrolling = 5

// Can writes the line that says what can be done with the kinds of elements in t
// that are not in seen, and puts them there: `can: textbox input type clear focus
// · button click · page back refresh screenshot …`. It is "" where there is nothing new. Only
// what the view shows counts, which was written with opts; "" is all there is.
func Can(t *Tree, view string, seen map[string]bool, opts Options) string {
	var b strings.Builder
	var order []string
	below := 0                           // how much of the page the screen does not show
	kindsOf := make(map[string][]string) // operations → kinds
	var shown map[string]bool            // words of the view, once they are asked for
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.State&InView == 0 {
			below++
		}
		if n.Ref == "" || n.State&(Operable|Scrollable) == 0 || n.State&(FileInput|Draggable|Editable|Scrollable) == 0 && seen[n.Role] {
			continue
		}
		kind, ops := kindActions(n)
		if seen[kind] || len(ops) == 0 {
			continue
		}
		if shown == nil { // most looks bring no kind that was not told before
			shown = wordsOf(view)
		}
		if view != "" && !shown[string(n.Ref)] {
			continue
		}
		seen[kind] = true
		key := strings.Join(ops, " ")
		if kindsOf[key] == nil {
			order = append(order, key)
		}
		kindsOf[key] = append(kindsOf[key], kind)
	}
	add := func(kinds, ops string) {
		if b.Len() == 0 {
			b.WriteString("can: ")
		} else {
			b.WriteString(" · ")
		}
		b.WriteString(kinds + " " + ops)
	}
	for _, ops := range order {
		add(strings.Join(kindsOf[ops], "/"), ops)
	}
	if !seen["{a}"] && opts.Brief && len(navigations(t)) > 0 {
		seen["{a}"] = true
		add("a named link", "click {a}NAME")
	}
	if !seen["page"] {
		seen["page"] = true
		ops := strings.Join(PageActions[:pageActionsSaid], " ")
		if below >= worthScrolling {
			ops += " scroll until:TEXT"
		}
		add("page", ops+" …")
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// wordsOf are the words of a view, the refs among them; nil for none.
func wordsOf(view string) map[string]bool {
	if view == "" {
		return nil
	}
	words := make(map[string]bool)
	for w := range strings.FieldsFuncSeq(view, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') }) {
		words[w] = true
	}
	return words
}
