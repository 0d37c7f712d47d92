package aria

import "strings"

// maxRow is how many nodes a row may have to read as one line.
const maxRow = 48

// row writes a table row as one line: the cells' texts joined by bars in one pair
// of quotes, what can be operated between them:
//
//	"Ann | 34 | Paris" | e6 button "Edit" e7 button "Delete"
//
// It answers false where the row holds more than a line can say.
func (l *layout) row(i, depth int) bool {
	end := int(l.ends[i])
	fits, seen := l.rowFits(i, end)
	if !fits {
		return false
	}
	nodes := l.t.Nodes
	n := &nodes[i]
	if !seen && n.Ref == "" && blank(n.Name) {
		return true // nothing to say
	}

	w := rowWriter{buf: l.buf, table: l.saidInTable(i)}
	from := len(l.buf)
	if n.Ref != "" && n.State&Operable != 0 || n.State&(Selected|Expanded|Collapsed) != 0 || n.Level > 1 || l.rowNamed(i) {
		m := *n
		if !l.rowNamed(i) {
			m.Name = ""
		}
		w.element(&m)
	}
	if end == i+1 && !blank(n.Name) && !l.rowNamed(i) {
		w.text(n.Name)
	}
	cells := 0
	for c := i + 1; c < end; c++ {
		if kindOf(&nodes[c])&cell != 0 {
			if cells > 0 {
				w.borders++
			}
			cells++
		}
		if run := l.cellsFrom(c, end); len(run) > 1 {
			w.cells(nodes, run)
			cells += len(run) - 1
			c = run[len(run)-1]
			continue
		}
		l.part(&w, c)
	}
	l.buf = w.done()
	if len(l.buf) == from {
		return true
	}
	l.add(i, depth, from, true)
	return true
}

// cellsFrom are the cells from c on that differ in their words alone, with refs that
// count on: of a sheet whose every cell can be clicked.
func (l *layout) cellsFrom(c, end int) (run []int) {
	for first := c; c < end; c++ {
		n := &l.t.Nodes[c]
		if kindOf(n)&cell == 0 || n.Role == "columnheader" || n.Role == "rowheader" || int(l.ends[c]) != c+1 || l.hidden(c) || n.Ref == "" || n.State&Operable == 0 || n.State&saidStates != 0 ||
			blank(n.Name) || n.Value != "" || n.Desc != "" || n.Role != l.t.Nodes[first].Role || c > first && !follows(l.t.Nodes[c-1].Ref, n.Ref) {
			break
		}
		run = append(run, c)
	}
	return run
}

// saidInTable is what the rows before row i, in its table, said of elements that are in
// every row.
func (l *layout) saidInTable(i int) map[face]bool {
	same := l.saidIn != nil && l.rowEnd <= i
	for c := l.rowEnd; same && c < i; c++ {
		same = l.t.Nodes[c].Depth >= l.t.Nodes[i].Depth
	}
	if !same {
		l.saidIn = map[face]bool{}
	}
	l.rowEnd = int(l.ends[i])
	return l.saidIn
}

// part writes a node of a row.
func (l *layout) part(w *rowWriter, c int) {
	nodes := l.t.Nodes
	m := &nodes[c]
	k := kindOf(m)
	leaf := int(l.ends[c]) == c+1
	switch {
	case l.hidden(c):
	case m.Role == "text" && m.Ref == "":
		if !blank(m.Name) {
			w.text(m.Name)
		}
	case m.Role == "heading" && !leaf:
	case k&cell != 0 && leaf && blank(m.Name) && m.Ref != "":
		w.element(m) // asked for: an empty cell of a sheet is where something goes
	case k&wrapper != 0 && (m.Ref == "" || m.State&(Operable|Scrollable) == 0):
		// A cell is named by what it holds, or by words beside that.
		if !blank(m.Name) && (leaf || k&cell != 0 && !fromContent(nodes, c, int(l.ends[c]))) {
			w.text(m.Name)
		}
	default:
		w.element(m)
	}
}

// rowFits says whether a row can be one line, and whether anything in it is to be
// seen.
func (l *layout) rowFits(i, end int) (fits, seen bool) {
	if end-i > maxRow {
		return false, false
	}
	for c := i + 1; c < end; c++ {
		m := &l.t.Nodes[c]
		k := kindOf(m)
		holds := int(l.ends[c]) > c+1
		switch {
		case m.Role == "row", k&absorbs != 0 && holds && m.Role != "heading":
			return false, false
		case m.Role == "text":
			seen = seen || !blank(m.Name) || m.Ref != ""
		case k&cell != 0 && !holds && blank(m.Name) && m.Ref != "":
			seen = true
		case k&wrapper != 0:
			if m.State&(Operable|Scrollable) != 0 && m.Ref != "" || !blank(m.Name) {
				// A wrapper that speaks and has something below needs lines of its own,
				// unless it is a cell named by what it holds.
				if holds && (k&cell == 0 || m.Ref != "" && !l.onlyShapes(c)) {
					return false, false
				}
				seen = true
			}
		default:
			if holds && m.Role != "heading" {
				return false, false
			}
			seen = true
		}
	}
	return true, seen
}

// onlyShapes says whether all that is below a node are parts without names: the strip
// in a header that makes its column wider.
func (l *layout) onlyShapes(i int) bool {
	for c := i + 1; c < int(l.ends[i]); c++ {
		if n := &l.t.Nodes[c]; n.Role != "clickable" || !blank(n.Name) || n.Value != "" || int(l.ends[c]) > c+1 {
			return false
		}
	}
	return true
}

// entry writes a term and what is said of it on one line, as a row of two cells,
// where both are mere text. The definition is hidden: the term's line has it.
func (l *layout) entry(i, depth int) bool {
	d := int(l.ends[i])
	if d >= len(l.t.Nodes) || l.t.Nodes[d].Role != "definition" || l.t.Nodes[d].Depth != l.t.Nodes[i].Depth {
		return false
	}
	term, ok := l.onlyText(i)
	said, ok2 := l.onlyText(d)
	if !ok || !ok2 || l.hidden(term) || l.hidden(said) {
		return false
	}
	w := rowWriter{buf: l.buf}
	from := len(l.buf)
	w.text(l.t.Nodes[term].Name)
	w.borders++
	w.text(l.t.Nodes[said].Name)
	l.buf = w.done()
	l.add(i, depth, from, false)
	l.conceal(said)
	return true
}

// onlyText finds the one text that a node is or holds; ok is false where there is
// more, or less.
func (l *layout) onlyText(i int) (at int, ok bool) {
	at = -1
	for c := i; c < int(l.ends[i]); c++ {
		n := &l.t.Nodes[c]
		switch {
		case n.Ref != "", n.Value != "":
			return 0, false
		case !blank(n.Name) && at < 0 && (n.Role == "text" || int(l.ends[c]) == c+1):
			at = c
		case !blank(n.Name), n.Role != "text" && kindOf(n)&wrapper == 0:
			return 0, false
		}
	}
	return at, at >= 0
}

// rowNamed says whether a row has a name that its cells don't say.
func (l *layout) rowNamed(i int) bool {
	n := &l.t.Nodes[i]
	if blank(n.Name) {
		return false
	}
	if int(l.ends[i]) == i+1 {
		return n.Ref != ""
	}
	return !fromContent(l.t.Nodes, i, int(l.ends[i]))
}

// fromContent says whether a node's name only repeats what is below it.
func fromContent(nodes []Node, i, end int) bool {
	var b strings.Builder
	for c := i + 1; c < end; c++ {
		b.WriteString(strings.ReplaceAll(nodes[c].Name, " ", ""))
	}
	return strings.Contains(b.String(), strings.ReplaceAll(nodes[i].Name, " ", ""))
}

// rowWriter joins the parts of a row.
type rowWriter struct {
	buf     []byte
	quote   bool // inside quotes
	any     bool // something was written
	borders int  // cell borders since the last part
	hints   map[face]bool
	table   map[face]bool // what was said in the rows before; nil where they do not matter
}

// longName is how many bytes of a name that rows repeat are too many: "Press Space to
// toggle row selection".
const (
	longName = 24
	longDesc = 8
)

func (w *rowWriter) text(s string) {
	w.join()
	if !w.quote {
		w.buf = append(w.buf, '"')
		w.quote = true
	}
	w.buf = appendEscaped(w.buf, s, '|')
}

func (w *rowWriter) element(n *Node) {
	if w.quote {
		w.buf = append(w.buf, '"')
		w.quote = false
	}
	w.join()
	switch hint := (face{n.Role, n.Desc}); {
	case len(n.Name) > longName && w.again(face{n.Role, n.Name}) && w.onlyOne(n):
		m := *n
		m.Name, n = "", &m
	case blank(n.Name) && n.Desc != "":
		if w.hints[hint] || len(n.Desc) > longDesc && w.again(hint) { // it was said what those are
			m := *n
			m.Desc, n = "", &m
		} else {
			if w.hints == nil {
				w.hints = map[face]bool{}
			}
			w.hints[hint] = true
		}
	}
	w.buf = appendElement(w.buf, n)
}

// cells writes cells that are alike, each with a ref, as one:
//
//	e14…16 gridcell "Plan.docx | Max | 12 KB"
func (w *rowWriter) cells(nodes []Node, run []int) {
	if w.quote {
		w.buf = append(w.buf, '"')
		w.quote = false
	}
	w.join()
	refs := make([]Ref, len(run))
	for i, c := range run {
		refs[i] = nodes[c].Ref
	}
	w.buf = append(w.buf, stretches(refs)...)
	w.buf = append(append(append(w.buf, ' '), nodes[run[0]].Role...), ` "`...)
	for i, c := range run {
		if i > 0 {
			w.buf = append(w.buf, " | "...)
		}
		w.buf = appendEscaped(w.buf, nodes[c].Name, '|')
	}
	w.buf = append(w.buf, '"')
}

// again says whether a row before said the same; from now on it did.
func (w *rowWriter) again(f face) bool {
	if w.table == nil || w.table[f] {
		return w.table != nil
	}
	w.table[f] = true
	return false
}

// onlyOne says whether what rows repeat of an element's role is its name alone: without names, "Mark as spam" and "Move to the trash" of a row
// would be two buttons that nobody can tell from each other.
func (w *rowWriter) onlyOne(n *Node) bool {
	for f := range w.table {
		if f.role == n.Role && f.name != n.Name && len(f.name) > longName {
			return false
		}
	}
	return true
}

// join writes what divides the part to come from the one before.
func (w *rowWriter) join() {
	if w.any {
		for range w.borders {
			w.buf = append(w.buf, " |"...)
		}
		w.buf = append(w.buf, ' ')
	}
	w.borders, w.any = 0, true
}

func (w *rowWriter) done() []byte {
	if w.quote {
		w.buf = append(w.buf, '"')
	}
	return w.buf
}
