package aria

import (
	"sort"
	"strings"
	"unicode"
)

// Delta is what changed from one look at a page to the next.
type Delta struct {
	Added, Removed []Entry // in the order of the page
	Changed        []Entry
}

// Entry is a line of a delta.
type Entry struct {
	Ref   Ref
	Text  string // the line; of a change: old → new
	Depth int    // below the entry it belongs to
	Below int    // of something gone: how many lines went with it

	key     bool // more than text
	urgent  bool // a dialog, a message: whoever sees the page sees it first
	follows bool // of something gone: it stood right below the entry before it
	more    int  // lines that went with it and are only counted
}

// Empty says that nothing changed.
func (d *Delta) Empty() bool { return len(d.Added)+len(d.Removed)+len(d.Changed) == 0 }

// Diff tells two looks at one page apart. Elements with a ref are the same if
// the ref is; other lines if they say the same. What moved is a change, told by where
// it is now.
func Diff(before, after *Tree) *Delta {
	before, cards := reused(before, after)
	d := differ{old: newDiffSide(before), cur: newDiffSide(after), reused: cards}
	d.matchEnds()
	d.matchRefs()
	d.matchBetween()
	d.matchTexts()
	d.matchPlaces()
	d.matchOnly()
	d.matchRows()
	d.join()
	return d.delta()
}

type diffSide struct {
	*layout
	all     string
	lineEnd []int32
	mate    []int32 // line on the other side, -1 for none
	ref     []Ref   // what a line is known by
	boxed   *boxes
	faces   map[face]int   // how many elements are called so
	refs    map[Ref]int32  // where an element is, on a line of its own or not
	times   map[string]int // see said
	inTable map[told]int   // see once
}

func newDiffSide(t *Tree) *diffSide {
	s := &diffSide{layout: newLayout(t, Options{behind: true})}
	s.all = string(s.buf)
	s.lineEnd = s.lineEnds()
	s.mate = make([]int32, len(s.lines))
	s.ref = make([]Ref, len(s.lines))
	for k := range s.lines {
		s.mate[k] = -1
		s.ref[k] = s.knownBy(k)
	}
	return s
}

// knownBy is the ref a line is known by: its own, or the first in a row.
func (s *diffSide) knownBy(k int) Ref {
	ln := &s.lines[k]
	end := ln.node + 1
	if ln.whole {
		end = s.ends[ln.node]
	}
	for i := ln.node; i < end; i++ {
		if r := s.t.Nodes[i].Ref; r != "" {
			return r
		}
	}
	return ""
}

func (s *diffSide) line(k int) string { return s.all[s.lines[k].from:s.lines[k].to] }
func (s *diffSide) node(k int) *Node  { return &s.t.Nodes[s.lines[k].node] }

type differ struct {
	old, cur *diffSide
	reused   []*card // cards whose elements were another's before
}

func (d *differ) pair(i, j int) {
	d.old.mate[i], d.cur.mate[j] = int32(j), int32(i)
}

func (d *differ) same(i, j int) bool {
	return d.old.ref[i] == d.cur.ref[j] && d.old.line(i) == d.cur.line(j)
}

// matchEnds pairs what the two have in common at their beginning and end, which
// is nearly all of them, and keeps equal texts in their places.
func (d *differ) matchEnds() {
	n, m := len(d.old.lines), len(d.cur.lines)
	i := 0
	for i < n && i < m && d.same(i, i) {
		d.pair(i, i)
		i++
	}
	for n > i && m > i && d.same(n-1, m-1) {
		n, m = n-1, m-1
		d.pair(n, m)
	}
}

func (d *differ) matchRefs() {
	at := make(map[Ref]int)
	for i, r := range d.old.ref {
		if r != "" && d.old.mate[i] < 0 {
			if _, twice := at[r]; !twice {
				at[r] = i
			}
		}
	}
	for j, r := range d.cur.ref {
		if r == "" || d.cur.mate[j] >= 0 {
			continue
		}
		if i, ok := at[r]; ok && d.old.mate[i] < 0 {
			d.pair(i, j)
		}
	}
}

// matchBetween pairs figures that stand between the same two elements: those of one card are not
// those of another, whatever they are.
func (d *differ) matchBetween() {
	figures := func(s *diffSide, k int) bool {
		n := s.node(k)
		return n.Role == "text" && s.ref[k] == "" && speaks(n.Name) && !strings.ContainsFunc(n.Name, unicode.IsLetter)
	}
	for j := 1; j < len(d.cur.lines)-1; j++ {
		if d.cur.mate[j] >= 0 || d.cur.ref[j-1] == "" || d.cur.ref[j+1] == "" || !figures(d.cur, j) {
			continue
		}
		if i := d.cur.mate[j-1] + 1; i > 0 && d.cur.mate[j+1] == i+1 && d.old.mate[i] < 0 && figures(d.old, int(i)) {
			d.pair(int(i), j)
		}
	}
}

// matchTexts pairs lines without a ref that say the same, in order.
func (d *differ) matchTexts() {
	next := make(map[string]int32) // the first unpaired old line that says it
	link := make([]int32, len(d.old.lines))
	for i := len(d.old.lines) - 1; i >= 0; i-- {
		if d.old.ref[i] == "" && d.old.mate[i] < 0 {
			link[i] = -1
			if k, ok := next[d.old.line(i)]; ok {
				link[i] = k
			}
			next[d.old.line(i)] = int32(i)
		}
	}
	for j := range d.cur.lines {
		if d.cur.ref[j] != "" || d.cur.mate[j] >= 0 {
			continue
		}
		if i, ok := next[d.cur.line(j)]; ok && i >= 0 {
			d.pair(int(i), j)
			next[d.cur.line(j)] = link[i]
		}
	}
}

// matchPlaces pairs what stands in the same place, after the same line, and is
// of the same kind: a counter that counted, a message that changed.
func (d *differ) matchPlaces() {
	for j := range d.cur.lines {
		if d.cur.mate[j] >= 0 || d.cur.ref[j] != "" {
			continue
		}
		i := 0
		if j > 0 {
			if i = int(d.cur.mate[j-1]) + 1; i == 0 {
				continue
			}
		}
		if i < len(d.old.lines) && d.old.mate[i] < 0 && d.old.ref[i] == "" &&
			d.old.node(i).Role == d.cur.node(j).Role && d.old.lines[i].depth == d.cur.lines[j].depth {
			d.pair(i, j)
		}
	}
}

// matchOnly pairs what there is one of on either side, whatever came and went
// around it: the status that counts, the page's heading.
func (d *differ) matchOnly() {
	type what struct {
		role  string
		level int
	}
	type found struct{ at, n int }
	only := func(s *diffSide) map[what]found {
		all := make(map[what]found)
		for k := range s.lines {
			if n := s.node(k); s.ref[k] == "" && (n.Role == "status" || n.Role == "alert" || n.Role == "heading") {
				w := what{n.Role, n.Level}
				all[w] = found{k, all[w].n + 1}
			}
		}
		return all
	}
	old := only(d.old)
	for w, cur := range only(d.cur) {
		if was := old[w]; was.n == 1 && cur.n == 1 && d.old.mate[was.at] < 0 && d.cur.mate[cur.at] < 0 {
			d.pair(was.at, cur.at)
		}
	}
}

func (d *differ) delta() *Delta {
	out := &Delta{}
	base, last := int32(0), -2
	carried, taken := d.elsewhere()
	urgent := int32(-1) // the depth of the dialog that what follows is in
	for j := 0; j < len(d.cur.lines); j++ {
		ln := &d.cur.lines[j]
		if ln.depth <= urgent {
			urgent = -1
		}
		i := int(d.cur.mate[j])
		if i >= 0 {
			if d.old.line(i) != d.cur.line(j) {
				d.changed(out, i, j)
			}
			continue
		}
		if d.known(out, j) || d.cur.merely(j) {
			continue
		}
		if i, ok := carried[j]; ok {
			u := unit{from: j, to: j + 1, box: -1} // the column around a card may be as small as a card
			e := d.cur.entry(j, 0)
			e.Text = d.cur.label(u) + " (was " + string(d.old.node(i).Ref) + ")" + d.cur.beside(u)
			out.Changed = append(out.Changed, e)
			continue
		}
		if j != last+1 || ln.depth < base {
			base = ln.depth
		}
		end, outside := d.cur.item(j)
		e := d.cur.entry(j, int(ln.depth-base))
		if end > j+1 {
			e.Text, e.Ref, e.key = d.cur.joined(j, end), "", true
		}
		if outside == "" && end == j+1 && !ln.whole {
			outside = d.context(j)
		}
		e.Text += outside
		if urgent < 0 && pressing(d.cur.node(j)) {
			urgent = ln.depth
		}
		e.urgent = urgent >= 0
		out.Added = append(out.Added, e)
		last = end - 1
		j = last
	}
	out.Changed = append(append(out.Changed, d.moved()...), d.reusedCards()...)
	last = -1
	modalNow := modal(d.cur.t.Nodes) >= 0 && modal(d.old.t.Nodes) < 0
	for i := 0; i < len(d.old.lines); i++ {
		if _, ok := taken[i]; ok || d.old.mate[i] >= 0 {
			continue
		}
		if modalNow || d.old.merely(i) && d.old.lineEnd[i] > int32(i)+1 { // the page is behind the dialog, not gone
			continue
		}
		if _, here := d.cur.at(d.old.node(i).Ref); here {
			continue // it has no line of its own any more, and is there
		}
		e := d.old.entry(i, 0)
		if d.old.lines[i].whole {
			e.Text = shortened(e.Text, goneRow) // nothing can be done in a row that is gone
		}
		e.follows = i == last
		if end, outside := d.old.item(i); end > i+1 {
			e.Text, e.Below, e.key = d.old.known(i, end), end-i-1, true
			e.Text += outside
			i = end - 1
		} else {
			e.Text += d.old.context(int(d.old.lines[i].node))
		}
		for top := i - e.Below; i+1 < int(d.old.lineEnd[top]) && d.old.mate[i+1] < 0; {
			i++
			e.Below++
		}
		out.Removed = append(out.Removed, e)
		last = i + 1
	}
	out.Changed = append(out.Changed, d.rowsLeft()...)
	return out
}

// merely says of a line that it only holds others together. It comes and goes with
// their number.
func (s *diffSide) merely(k int) bool {
	n := s.node(k)
	return kindOf(n)&landmark != 0 && n.Ref == "" && blank(n.Name) && !s.lines[k].whole
}

// known says of a line without a mate that its element was there before, in another
// line: what changed of it is told, and nothing where nothing did.
func (d *differ) known(out *Delta, j int) bool {
	cur := d.cur.node(j)
	was, ok := d.old.at(cur.Ref)
	if !ok || d.cur.lines[j].whole {
		return false
	}
	if text := changeOf(&d.old.t.Nodes[was], cur); text != "" {
		e := d.cur.entry(j, 0)
		e.Text = text + d.cur.context(int(d.cur.lines[j].node))
		out.Changed = append(out.Changed, e)
	}
	return true
}

// at finds the node of a ref.
func (s *diffSide) at(r Ref) (int32, bool) {
	if r == "" {
		return 0, false
	}
	if s.refs == nil {
		s.refs = make(map[Ref]int32)
		for i := range s.t.Nodes {
			if n := &s.t.Nodes[i]; n.Ref != "" {
				s.refs[n.Ref] = int32(i)
			}
		}
	}
	i, ok := s.refs[r]
	return i, ok
}

// context says what a new line belongs to. What stands below a new line that says so
// needs no more.
func (d *differ) context(j int) string {
	node := d.cur.lines[j].node
	b := d.cur.in()
	above := b.dialog(int(node))
	if box := b.item(b.of[node]); box >= 0 && b.title(box) >= 0 {
		above = b.title(box)
	}
	if above >= 0 {
		// Lines are in the order of their nodes.
		k := sort.Search(j, func(k int) bool { return int(d.cur.lines[k].node) >= above })
		for ; k < j && int(d.cur.lines[k].node) == above; k++ {
			if d.cur.mate[k] < 0 {
				return ""
			}
		}
	}
	return d.cur.context(int(node))
}

// pressing says whether a node is something that people see first when it comes.
func pressing(n *Node) bool {
	switch n.Role {
	case "dialog", "alertdialog", "alert", "status", "log":
		return true
	}
	return n.State&Floats != 0
}

// known is the line that an item that went is told by.
func (s *diffSide) known(from, to int) string {
	b := s.in()
	if at := b.title(b.item(b.of[s.lines[from].node])); at >= 0 {
		for k := from; k < to; k++ {
			if int(s.lines[k].node) == at {
				return s.line(k)
			}
		}
	}
	return s.line(from)
}

func (s *diffSide) entry(k, depth int) Entry {
	n := s.node(k)
	return Entry{Ref: n.Ref, Text: s.line(k), Depth: depth, key: matters(n) || s.ref[k] != ""}
}

// changed notes how a line changed: an element by what changed of it, a row by
// its parts, a text as a whole.
func (d *differ) changed(out *Delta, i, j int) {
	old, cur := d.old.node(i), d.cur.node(j)
	e := d.cur.entry(j, 0)
	switch {
	case d.cur.lines[j].whole && cur.Role == "row":
		if d.rowParts(out, i, j) || d.rowCells(out, i, j) {
			return
		}
		e.Text = d.cur.line(j)
		if d.cur.ref[j] == "" {
			e.Text = d.old.line(i) + " → " + e.Text
		}
	case old.Role == cur.Role && cur.Role != "text" && !d.cur.lines[j].whole:
		text := changeOf(old, cur)
		if text == "" {
			return // it says the same in other words: a box, a place
		}
		e.Text = text
	default:
		text := d.cur.line(j)
		if old.Role == cur.Role && cur.Role != "text" && cur.Role != "row" {
			text = strings.TrimPrefix(text, cur.word()+" ") // it is the same thing, and says something else
		}
		e.Text = d.old.line(i) + " → " + text
	}
	if cur.Ref == "" && cur.Role == "text" && !strings.ContainsFunc(cur.Name, unicode.IsLetter) {
		e.Text += d.cur.in().where(int(d.cur.lines[j].node))
	}
	if cur.Ref != "" && !d.cur.lines[j].whole {
		e.Text += d.cur.context(int(d.cur.lines[j].node))
	}
	e.urgent = pressing(cur)
	out.Changed = append(out.Changed, e)
}

// rowParts notes the changes of a row's elements, if they are all that changed.
func (d *differ) rowParts(out *Delta, i, j int) bool {
	a, b := d.old.lines[i].node, d.cur.lines[j].node
	if d.old.ends[a]-a != d.cur.ends[b]-b {
		return false
	}
	var parts []Entry
	for k := int32(0); k < d.cur.ends[b]-b; k++ {
		old, cur := &d.old.t.Nodes[a+k], &d.cur.t.Nodes[b+k]
		if old.Ref != cur.Ref || old.Role != cur.Role {
			return false
		}
		text := changeOf(old, cur)
		switch {
		case text == "":
		case cur.Ref == "" && cur.Role == "text":
			parts = append(parts, Entry{Text: Quote(old.Name) + " → " + Quote(cur.Name)})
		case cur.Ref == "":
			if kindOf(cur)&cell == 0 {
				return false
			}
			if old.Name != cur.Name && d.cur.ends[b+k] == b+k+1 {
				parts = append(parts, Entry{Text: Quote(old.Name) + " → " + Quote(cur.Name)})
			}
		default:
			in := d.cur.context(int(b + k))
			if in == "" && !speaks(cur.Name) {
				in = d.cur.ofRow(j)
			}
			parts = append(parts, Entry{Ref: cur.Ref, Text: text + in, key: true})
		}
	}
	for _, p := range parts {
		if p.Ref == "" { // a bare cell says nothing: show the row it is in
			return false
		}
	}
	out.Changed = append(out.Changed, parts...)
	return true
}
