package aria

import (
	"strconv"
	"strings"
)

// Options say how a tree is written.
type Options struct {
	YAML bool // the nested `- role "name" [state] [ref=e1]` form
	Bare bool // without the first line, address and title
	Each bool // each part of a drawing on a line of its own
	// Brief writes navigations as one line of names, for a page that one has just
	// come to; one that the page Before had too is only named.
	Brief  bool
	Before *Tree

	behind bool // what is behind a modal dialog too
}

// Render writes all of a tree.
func Render(t *Tree, opts Options) string {
	return newLayout(t, opts).full()
}

// full writes all lines.
func (l *layout) full() string {
	head, notes := l.head(), l.notes()
	out := make([]byte, 0, len(l.buf)+len(l.lines)*4+len(head)+len(notes))
	out = append(out, head...)
	for k := range l.lines {
		out = l.indent(out, l.lines[k].depth)
		out = append(out, l.text(k)...)
		out = append(out, '\n')
	}
	out = append(out, notes...)
	return string(out)
}

// maxIndent bounds indentation: a page may nest without end.
const maxIndent = 24

func (l *layout) indent(out []byte, depth int32) []byte {
	step := 1
	if l.opts.YAML {
		step = 2
	}
	for range min(int(depth), maxIndent) * step {
		out = append(out, ' ')
	}
	return out
}

// head is the first line. An address can be a whole document (data:), so it is cut.
func (l *layout) head() string {
	t := l.t
	if l.opts.Bare || t.URL == "" && t.Title == "" {
		return ""
	}
	head := clip(Plain(t.URL), 300)
	if !blank(t.Title) {
		head += " — " + clip(Plain(t.Title), 300)
	}
	return head + "\n"
}

// notes are the lines after the page's own: what could not be shown at all.
func (l *layout) notes() string {
	var b strings.Builder
	if l.behind > 0 {
		b.WriteString(l.remark() + strconv.Itoa(l.behind) + " more behind the dialog (find, or look eN)\n")
	}
	for i, u := range l.t.Unreadable {
		if i == maxUnreadable {
			b.WriteString(l.remark() + strconv.Itoa(len(l.t.Unreadable)-i) + " more frames are unreadable\n")
			break
		}
		b.WriteString(strings.TrimSuffix(l.remark(), "… ") + "unreadable " + clip(Plain(u), 200) + "\n")
	}
	if l.t.More {
		b.WriteString(l.remark() + "the page goes on (look with a ref, or find)\n")
	}
	return b.String()
}

const maxUnreadable = 5

// remark begins a line about the page that is not a line of the page.
func (l *layout) remark() string {
	if l.opts.YAML {
		return "# … "
	}
	return "… "
}

// drags is true of what is there to be dragged: more than a click is asked for.
func (n *Node) drags() bool { return n.Role == "clickable" && n.State&Draggable != 0 }

// word is what lines call a node.
func (n *Node) word() string {
	switch {
	case n.Role == "generic" && n.State&Scrollable != 0:
		return "scrollable"
	case n.drags():
		return "draggable"
	}
	return n.Role
}

// appendElement writes a node's line: `e1 textbox "Email" ="ada@x.org" required`.
func appendElement(b []byte, n *Node) []byte {
	if n.Ref != "" {
		b = append(b, n.Ref...)
		b = append(b, ' ')
	}
	if n.Role == "text" {
		return appendQuoted(b, n.Name)
	}
	b = append(b, n.word()...)
	if !blank(n.Name) {
		b = append(b, ' ')
		b = appendQuoted(b, n.Name)
	}
	if !blank(n.Desc) {
		b = append(b, ' ')
		b = appendDesc(b, n.Desc)
	}
	if n.Value != "" {
		b = append(b, " ="...)
		b = appendQuoted(b, n.Value)
	}
	if n.Count > 0 {
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(n.Count), 10)
		b = append(b, ' ')
		b = append(b, countWord(n)...)
	}
	switch {
	case n.Level > 0 && n.Role == "heading":
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(n.Level), 10)
	case n.Level > 1 && (n.Role == "treeitem" || n.Role == "row"):
		b = append(b, " level "...)
		b = strconv.AppendInt(b, int64(n.Level), 10)
	}
	if n.drags() {
		m := *n
		m.State &^= Draggable
		n = &m
	}
	b = appendStates(b, n)
	if n.URL != "" {
		b = append(b, " url="...)
		b = appendQuoted(b, n.URL)
	}
	return b
}

// appendDesc writes what tells a nameless element apart, in parentheses. It is
// page text too; what could be mistaken for more stands in quotes.
func appendDesc(b []byte, s string) []byte {
	b = append(b, '(')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c >= 0x7F || c == '"' || c == '\\' || c == '(' || c == ')' {
			b = appendQuoted(b, s)
			return append(b, ')')
		}
	}
	b = append(b, s...)
	return append(b, ')')
}

func countWord(n *Node) string {
	switch n.Role {
	case "combobox", "listbox":
		return "options"
	case "table", "grid", "treegrid":
		return "rows"
	}
	return "items"
}

// stateWords are the states that are said, in the order in which they are.
var stateWords = []struct {
	bit  State
	word string
}{
	{Checked, "checked"},
	{Mixed, "mixed"},
	{Selected, "selected"},
	{Pressed, "pressed"},
	{Expanded, "expanded"},
	{Collapsed, "collapsed"},
	{Current, "current"},
	{Active, "active"},
	{Required, "required"},
	{Invalid, "invalid"},
	{Readonly, "readonly"},
	{Disabled, "disabled"},
	{Multiple, "multiple"},
	{Draggable, "draggable"},
	{FileInput, "file"},
	{Hovers, "hover to open"},
}

// saidStates are all that a line says of states; see appendStates.
var saidStates = func() (all State) {
	for _, s := range stateWords {
		all |= s.bit
	}
	return all | Scrollable
}()

func appendStates(b []byte, n *Node) []byte {
	if n.State&saidStates == 0 {
		return b
	}
	for _, s := range stateWords {
		if n.State&s.bit != 0 {
			b = append(b, ' ')
			b = append(b, s.word...)
		}
	}
	if n.State&Scrollable != 0 && n.Ref != "" && n.Role != "generic" {
		b = append(b, " scrollable"...)
	}
	return b
}
