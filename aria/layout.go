package aria

import "strings"

// A layout is the list of lines that a tree reads as. Making one decides what
// gets a line; Fit, Find and Diff then choose among the lines.
type layout struct {
	t      *Tree
	ends   []int32 // for each node: the first node after its subtree
	lines  []line
	buf    []byte        // the text of all lines
	hide   []bool        // nodes whose text another line says; nil for none
	saidIn map[face]bool // see saidInTable
	rowEnd int
	opts   Options

	before map[string]bool // navigations of the page before; see brief
	parent []int32         // of nodes; see parents
	behind int             // lines behind a modal dialog, which are not laid out
}

// line is one line of the answer, without its indentation.
type line struct {
	node     int32
	depth    int32
	from, to int32 // its text in buf
	whole    bool  // it stands for all nodes of its subtree, as a table row does
}

func newLayout(t *Tree, opts Options) *layout {
	l := &layout{t: t, ends: subtreeEnds(t.Nodes), opts: opts}
	l.lines = make([]line, 0, len(t.Nodes)*2/3+8)
	l.buf = make([]byte, 0, len(t.Nodes)*32)
	l.hideLabels()
	if opts.Brief {
		l.before = navigations(opts.Before)
	}
	walk := l.walk
	if opts.YAML {
		walk = l.walkYAML
	}
	if m := modal(t.Nodes); m >= 0 && !opts.behind {
		walk(m, 0)
		l.join()
		l.behind = said(t.Nodes[:m]) + said(t.Nodes[l.ends[m]:])
		return l
	}
	for i := 0; i < len(t.Nodes); i = int(l.ends[i]) {
		walk(i, 0)
	}
	l.join()
	return l
}

// join makes one line of several that say little, where lines are to be read and
// not searched.
func (l *layout) join() {
	if !l.opts.YAML && !l.opts.Each {
		l.joinShapes(l.opts.behind)
	}
}

// Focused is the element that has the focus, as a view names it; "" where none has, or it has no ref.
func (t *Tree) Focused() string {
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.State&Active != 0 && n.Ref != "" {
			text := string(n.Ref) + " " + n.word()
			if !blank(n.Name) {
				text += " " + Quote(n.Name)
			}
			return text
		}
	}
	return ""
}

// Covered says that a modal dialog is open over the page.
func (t *Tree) Covered() bool { return modal(t.Nodes) >= 0 }

// modal finds the modal dialog that is open on top, -1 for none.
func modal(nodes []Node) int {
	for i := len(nodes) - 1; i >= 0; i-- {
		if nodes[i].State&Modal != 0 {
			return i
		}
	}
	return -1
}

// said counts the nodes that would have a line of their own.
func said(nodes []Node) int {
	c := 0
	for i := range nodes {
		if n := &nodes[i]; n.State&Operable != 0 || kindOf(n)&wrapper == 0 {
			c++
		}
	}
	return c
}

// subtreeEnds gives, for each node, the index of the first node after its subtree.
func subtreeEnds(nodes []Node) []int32 {
	ends := make([]int32, len(nodes))
	var open []int32
	for i := range nodes {
		for len(open) > 0 && nodes[open[len(open)-1]].Depth >= nodes[i].Depth {
			ends[open[len(open)-1]] = int32(i)
			open = open[:len(open)-1]
		}
		open = append(open, int32(i))
	}
	for _, i := range open {
		ends[i] = int32(len(nodes))
	}
	return ends
}

// walk lays out node i and what is below it.
func (l *layout) walk(i, depth int) {
	n := &l.t.Nodes[i]
	if l.hidden(i) {
		l.children(i, depth)
		return
	}
	leaf := int(l.ends[i]) == i+1
	switch k := kindOf(n); {
	case n.Role == "text":
		if n.Ref != "" || !blank(n.Name) && !punctuation(n.Name) {
			l.element(i, depth)
		}
		l.children(i, depth)
	case n.Role == "row" && l.row(i, depth):
	case l.opts.Brief && l.brief(i, depth):
	case n.Role == "term" && l.entry(i, depth):
	case k&wrapper != 0 && !l.speaks(i, n, leaf):
		at := len(l.lines)
		l.children(i, depth)
		if k&item != 0 {
			l.gather(at, depth)
		}
	case leaf:
		if k&idle == 0 || n.Ref != "" || n.Value != "" || !blank(n.Name) {
			l.element(i, depth)
		}
	case k&absorbs != 0 && n.Name == "" && n.Ref == "" && l.absorb(i, depth):
	case n.State&Scrollable != 0 && k&wrapper != 0 && n.Name == "" && int(l.ends[i])-i > len(l.ends)/2:
		// The page's main scroller: all the page would be indented below it.
		l.element(i, depth)
		l.children(i, depth)
	default:
		at := len(l.lines)
		if n.Ref == "" || n.State&Operable == 0 {
			l.nameOnce(i, n)
		} else if c := i + 1; int(l.ends[i]) == c+1 && l.t.Nodes[c].Role == "text" && l.t.Nodes[c].Ref == "" && withinName(l.t.Nodes[c].Name, n.Name) {
			l.conceal(c) // "page 1", which says "1"
		}
		l.element(i, depth)
		l.children(i, depth+1)
		if k&landmark != 0 && n.Name == "" && n.Ref == "" && (len(l.lines)-at < 5 || l.onlyChild(at)) {
			l.drop(at)
		}
	}
}

// punctuation says whether a text is only what stood between two elements: the
// full stop after a link, the bar between two.
func punctuation(s string) bool {
	return len(s) <= 4 && strings.Trim(s, " .,;:()[]|/·•›»<>'\"") == ""
}

func (l *layout) children(i, depth int) {
	for c := i + 1; c < int(l.ends[i]); c = int(l.ends[c]) {
		l.walk(c, depth)
	}
}

func (l *layout) hidden(i int) bool { return l.hide != nil && l.hide[i] }

func (l *layout) conceal(i int) {
	if l.hide == nil {
		l.hide = make([]bool, len(l.t.Nodes))
	}
	l.hide[i] = true
}

// speaks says whether a wrapper deserves its line after all.
func (l *layout) speaks(i int, n *Node, leaf bool) bool {
	if n.Ref != "" && (leaf || n.State&(Operable|Scrollable) != 0) {
		return true
	}
	if blank(n.Name) {
		return leaf && n.Value != ""
	}
	if leaf {
		return true
	}
	if c := l.firstText(i); c >= 0 && l.t.Nodes[c].Role == "heading" && sameLabel(l.t.Nodes[c].Name, n.Name) {
		return false // the heading says it
	}
	switch n.Role {
	case "main", "generic", "tabpanel": // a tab panel is named by its tab
		return false
	}
	return true
}

// nameOnce hides the text or heading that names a container, as a dialog's title does.
func (l *layout) nameOnce(i int, n *Node) {
	if c := l.firstText(i); c >= 0 && sameLabel(l.t.Nodes[c].Name, n.Name) {
		l.conceal(c)
	}
}

// withinName says whether a name has a text as a word of its own.
func withinName(text, name string) bool {
	text = " " + strings.TrimSpace(text) + " "
	return strings.Contains(" "+name+" ", text)
}

// firstText finds the first node below i that reads as something, if that is a
// mere text or heading.
func (l *layout) firstText(i int) int {
	for c := i + 1; c < int(l.ends[i]); c++ {
		n := &l.t.Nodes[c]
		switch {
		case n.Ref != "":
			return -1
		case n.Role == "text", n.Role == "heading" && n.Name != "":
			return c
		case kindOf(n)&wrapper == 0 && n.Role != "heading" && n.Role != "row" || n.Name != "":
			return -1
		}
	}
	return -1
}

// gather indents the lines of an item below its first, so that one sees what
// belongs together: the button "Add" below the product's name. A heading shows
// that by itself; there it is done only where it is free, as the first level of
// indentation is (a token begins with one space anyway).
func (l *layout) gather(at, depth int) {
	if at >= len(l.lines) || depth > maxIndent || depth > 0 && l.t.Nodes[l.lines[at].node].Role == "heading" {
		return
	}
	k := at + 1
	for k < len(l.lines) && int(l.lines[k].depth) > depth {
		k++
	}
	for ; k < len(l.lines); k++ {
		l.lines[k].depth++
	}
}

// onlyChild says whether line at, the last at its depth, has one line directly below.
func (l *layout) onlyChild(at int) bool {
	for k := at + 2; k < len(l.lines); k++ {
		if l.lines[k].depth <= l.lines[at+1].depth {
			return false
		}
	}
	return true
}

// drop takes line at back and pulls up what was below it.
func (l *layout) drop(at int) {
	copy(l.lines[at:], l.lines[at+1:])
	l.lines = l.lines[:len(l.lines)-1]
	for k := at; k < len(l.lines); k++ {
		l.lines[k].depth--
	}
}

// absorb writes a nameless heading, alert or the like on one line with the only
// thing it contains.
func (l *layout) absorb(i, depth int) bool {
	only := -1
	for c := i + 1; c < int(l.ends[i]); c++ {
		n := &l.t.Nodes[c]
		switch {
		case l.hidden(c), n.Role == "text" && n.Ref == "" && blank(n.Name):
		case kindOf(n)&wrapper != 0 && blank(n.Name) && n.Ref == "" && int(l.ends[c]) > c+1:
		case only >= 0:
			return false
		default:
			only = c
		}
	}
	if only < 0 {
		return true // nothing to say
	}
	n, c := l.t.Nodes[i], &l.t.Nodes[only]
	from := len(l.buf)
	if c.Role == "text" && c.Ref == "" {
		n.Name = c.Name
		l.buf = appendElement(l.buf, &n)
	} else {
		if c.Role == "row" || int(l.ends[only]) > only+1 {
			return false
		}
		l.buf = appendElement(l.buf, c)
		l.buf = append(l.buf, ' ')
		l.buf = appendElement(l.buf, &n)
	}
	l.add(i, depth, from, true)
	return true
}

func (l *layout) element(i, depth int) {
	from := len(l.buf)
	n := &l.t.Nodes[i]
	if n.Role == "treeitem" && n.Level > 1 && l.nested(i) {
		flat := *n
		flat.Level = 0 // the indentation says it
		n = &flat
	}
	l.buf = appendElement(l.buf, n)
	l.add(i, depth, from, false)
}

// nested says whether a tree item is below another one.
func (l *layout) nested(i int) bool {
	parents := l.parents()
	for p := parents[i]; p >= 0 && l.t.Nodes[p].Role != "tree"; p = parents[p] {
		if l.t.Nodes[p].Role == "treeitem" {
			return true
		}
	}
	return false
}

func (l *layout) add(i, depth, from int, whole bool) {
	l.lines = append(l.lines, line{node: int32(i), depth: int32(depth), from: int32(from), to: int32(len(l.buf)), whole: whole})
}

func (l *layout) text(k int) []byte { return l.buf[l.lines[k].from:l.lines[k].to] }

// hideLabels hides texts that only repeat the name of the field beside them, as
// a visible label does.
func (l *layout) hideLabels() {
	prev := -1
	for i := range l.t.Nodes {
		n := &l.t.Nodes[i]
		text := n.Role == "text"
		if !text && kindOf(n)&wrapper != 0 && n.Name == "" && n.Ref == "" {
			continue
		}
		if prev >= 0 {
			p := &l.t.Nodes[prev]
			switch {
			case text && n.Ref == "" && kindOf(p)&labelled != 0 && sameLabel(n.Name, p.Name):
				l.conceal(i)
			case p.Role == "text" && p.Ref == "" && !l.hidden(prev) && kindOf(n)&labelled != 0 && sameLabel(p.Name, n.Name):
				l.conceal(prev)
			}
		}
		prev = i
	}
}

// sameLabel compares a visible label with a name, but for the marks that
// labels carry.
func sameLabel(a, b string) bool { return a != "" && (a == b || trimLabel(a) == trimLabel(b)) }

func trimLabel(s string) string { return strings.TrimRight(s, " *:") }
