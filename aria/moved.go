package aria

import (
	"fmt"
	"slices"
)

// orderTold is how many entries of a new order are told, and movedTold how many that
// moved are told one by one.
const (
	orderTold = 5
	movedTold = 3
)

// unit is what moves as one: a row, a card, an entry, else a line.
type unit struct {
	from, to int   // lines
	was      int32 // the first of them, before
	box      int32 // -1 for a line
}

// moved tells what stands elsewhere than before, among what was there before: whoever
// sorts a table or drags an entry asks for nothing else.
func (d *differ) moved() []Entry {
	sorted, last := true, int32(-1)
	for j, i := range d.cur.mate {
		if d.stood(j) {
			sorted = sorted && i > last
			last = i
		}
	}
	if sorted {
		return nil
	}
	units := d.units()
	was := make([]int32, len(units))
	weights := make([]int, len(units))
	for k, u := range units {
		was[k] = u.was
		weights[k] = 2 * (u.to - u.from)
		if d.cur.ref[u.from] == "" {
			weights[k]++ // what has no ref is moved by nobody
		}
	}
	if slices.IsSorted(was) {
		return nil
	}
	stays := heaviestRise(was, weights)
	var list []Entry
	apart := true // each is in one of several boxes: to tell where it is tells all
	for k, u := range units {
		if stays[k] || k > 0 && !stays[k-1] && u.was == units[k-1].was+int32(units[k-1].to-units[k-1].from) {
			continue // or it went along with the one before
		}
		apart = apart && u.box >= 0 && d.cur.in().outside(u.box) != ""
		if len(list) == movedTold || len(list) > 0 && !apart {
			return []Entry{d.order(units, was)}
		}
		e := d.cur.entry(u.from, 0)
		e.Text = d.cur.label(u) + d.cur.beside(u)
		list = append(list, e)
	}
	return list
}

// stood says of a line that it was there before, and was not taken for the same only
// because of its place. Of what is said more than once nobody knows which is which.
func (d *differ) stood(j int) bool {
	i := d.cur.mate[j]
	if i < 0 || d.cur.ref[j] != "" {
		return i >= 0
	}
	line := d.cur.line(j)
	if d.old.line(int(i)) != line {
		return false
	}
	if was, is := d.old.said(line), d.cur.said(line); was != is || is > 1 && !d.cur.lines[j].whole {
		return false
	}
	return d.old.once(int(i)) && d.cur.once(j)
}

// said is how many lines say so.
func (s *diffSide) said(line string) int {
	s.count()
	return s.times[line]
}

// once says whether no other line of the same table or list says what a line says.
func (s *diffSide) once(k int) bool {
	s.count()
	return s.inTable[told{s.tableOf(k), s.line(k)}] < 2
}

// told is what a line says, and the table or list that it is in.
type told struct {
	table int32
	line  string
}

func (s *diffSide) tableOf(k int) int32 { return s.parents()[s.lines[k].node] }

func (s *diffSide) count() {
	if s.times != nil {
		return
	}
	s.times, s.inTable = make(map[string]int, len(s.lines)), make(map[told]int, len(s.lines))
	for k := range s.lines {
		s.times[s.line(k)]++
		s.inTable[told{s.tableOf(k), s.line(k)}]++
	}
}

// units are what was there before, in the order in which it is now.
func (d *differ) units() []unit {
	var list []unit
	add := func(u unit) (rises bool) {
		u.was, rises = -1, true
		last := int32(-1)
		for k := u.from; k < u.to; k++ {
			if !d.stood(k) {
				continue
			}
			i := d.cur.mate[k]
			if u.was < 0 || i < u.was {
				u.was = i
			}
			rises = rises && i > last
			last = i
		}
		if u.was >= 0 && rises {
			list = append(list, u)
		}
		return rises
	}
	for j := 0; j < len(d.cur.lines); {
		u := d.cur.unit(j)
		if !add(u) { // something moved inside of it
			for k := u.from; k < u.to; k++ {
				add(unit{from: k, to: k + 1, box: -1})
			}
		}
		j = u.to
	}
	return list
}

// unit finds what a line moves with.
func (s *diffSide) unit(j int) unit {
	u := unit{from: j, to: j + 1, box: -1}
	if s.lines[j].whole {
		return u
	}
	b := s.in()
	k := b.item(b.of[s.lines[j].node])
	if k < 0 || !b.small(k) {
		return u
	}
	u.box = k
	for u.from > 0 && s.lines[u.from-1].node >= b.all[k].from {
		u.from--
	}
	for u.to < len(s.lines) && s.lines[u.to].node < b.all[k].to {
		u.to++
	}
	return u
}

// label is what a unit is known by.
func (s *diffSide) label(u unit) string {
	if u.box < 0 {
		return s.short(u.from)
	}
	return shortened(s.known(u.from, u.to), knownWith)
}

// order tells the new order, as far as it is another, and what it comes after.
func (d *differ) order(units []unit, was []int32) Entry {
	before := slices.Sorted(slices.Values(was))
	first, last := 0, len(was)-1
	for was[first] == before[first] {
		first++
	}
	for was[last] == before[last] {
		last--
	}
	text := "in this order now"
	list := d.withNew(units[first : last+1])
	if first > 0 && list[0].from == units[first].from && d.cur.fellows(units[first-1], units[first]) {
		text += ", below " + d.cur.label(units[first-1])
	}
	text += ": "
	depth := d.cur.lines[units[first].from].depth
	told, more := 0, 0
	for _, u := range list {
		switch {
		case d.cur.lines[u.from].depth > depth: // inside one of them
		case told == orderTold:
			more++
		default:
			if told++; told > 1 {
				text += ", "
			}
			text += d.cur.label(u)
		}
	}
	if more > 0 {
		text += fmt.Sprintf(", … %d more", more)
	}
	return Entry{Text: text, key: true}
}

// withNew puts the rows that are new, or say something new, where they stand before and among units that were there
// before: who sorts a table by another column asks which is the first now.
func (d *differ) withNew(units []unit) []unit {
	depth := d.cur.lines[units[0].from].depth
	row := func(k int) bool {
		return !d.stood(k) && d.cur.lines[k].whole && d.cur.lines[k].depth == depth && !d.cur.heads(k)
	}
	from := units[0].from
	for d.cur.lines[units[0].from].whole && from > 0 && row(from-1) {
		from--
	}
	var list []unit
	for _, u := range units {
		for ; from < u.from; from++ {
			if row(from) {
				list = append(list, unit{from: from, to: from + 1, box: -1})
			}
		}
		list = append(list, u)
		from = u.to
	}
	return list
}

// fellows says whether two units are entries of one list: of a table's rows the one with
// the headers is none.
func (s *diffSide) fellows(a, b unit) bool {
	x, y := s.node(a.from), s.node(b.from)
	if a.box >= 0 && b.box >= 0 {
		return s.in().all[a.box].up == s.in().all[b.box].up
	}
	return a.box < 0 && b.box < 0 && x.Role == y.Role && s.lines[a.from].depth == s.lines[b.from].depth && !s.heads(a.from)
}

// heads says whether a line is the row of a table's headers.
func (s *diffSide) heads(k int) bool {
	first := int(s.lines[k].node) + 1
	return s.lines[k].whole && first < len(s.t.Nodes) && s.t.Nodes[first].Role == "columnheader"
}

// beside says where a unit stands: below the one before it, or above the next, and in
// which of several boxes.
func (s *diffSide) beside(u unit) string {
	column := ""
	if u.box >= 0 {
		column = s.in().outside(u.box)
	}
	depth := s.lines[u.from].depth
	k := u.from - 1
	for k >= 0 && s.lines[k].depth > depth {
		k--
	}
	if k >= 0 && s.lines[k].depth == depth {
		if s.heads(k) {
			return ", now" + column + " the first row"
		}
		return ", now" + column + " below " + s.label(s.neighbour(k, u))
	}
	next := u.to
	if u.box < 0 {
		next = int(s.lineEnd[u.from])
	}
	if next < len(s.lines) && s.lines[next].depth == depth {
		return ", now" + column + " above " + s.label(s.neighbour(next, u))
	}
	return ", now elsewhere" + column
}

// neighbour is what a line beside a unit belongs to, and the line itself where that
// holds both.
func (s *diffSide) neighbour(k int, u unit) unit {
	v := s.unit(k)
	if v.from <= u.from && u.from < v.to {
		return unit{from: k, to: k + 1, box: -1}
	}
	return v
}

// knownWith is how many tokens of a line are enough to know it by.
const knownWith = 20

func (s *diffSide) short(k int) string { return shortened(s.line(k), knownWith) }

// heaviestRise says which members of a sequence make up the part that rises and has
// most lines: of a list in which one entry moved, all the others; of a card that went
// to another column, the columns.
func heaviestRise(seq []int32, weights []int) []bool {
	ranks := slices.Compact(slices.Sorted(slices.Values(seq)))
	best := make([]int, len(ranks)+1) // a tree of the ends of the heaviest rises so far, as places plus one
	sum := make([]int, len(seq))
	before := make([]int, len(seq))
	top := -1
	for k, v := range seq {
		rank, _ := slices.BinarySearch(ranks, v)
		before[k] = -1
		for r := rank; r > 0; r -= r & -r {
			if p := best[r] - 1; p >= 0 && (before[k] < 0 || sum[p] >= sum[before[k]]) {
				before[k] = p
			}
		}
		sum[k] = weights[k]
		if before[k] >= 0 {
			sum[k] += sum[before[k]]
		}
		for r := rank + 1; r < len(best); r += r & -r {
			if p := best[r] - 1; p < 0 || sum[k] >= sum[p] {
				best[r] = k + 1
			}
		}
		if top < 0 || sum[k] >= sum[top] {
			top = k
		}
	}
	in := make([]bool, len(seq))
	for k := top; k >= 0; k = before[k] {
		in[k] = true
	}
	return in
}
