package aria

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// orderTold is how many lines of a new order are told.
const orderTold = 5

// moved tells what stands elsewhere than before, among what was there before: whoever
// sorts a table or drags an entry asks for nothing else.
func (d *differ) moved() []Entry {
	var at []int32  // lines that were there before
	var was []int32 // and where
	for j, i := range d.cur.mate {
		if i < 0 || d.cur.ref[j] == "" && d.old.line(int(i)) != d.cur.line(j) {
			continue // new, or taken for the same because of its place
		}
		at, was = append(at, int32(j)), append(was, i)
	}
	if slices.IsSorted(was) {
		return nil
	}
	stays := longestRise(was)
	first := slices.Index(stays, false)
	end := first + 1
	for end < len(at) && !stays[end] && was[end] == was[end-1]+1 {
		end++ // it went along
	}
	if slices.Contains(stays[end:], false) {
		return []Entry{d.order(at, was)}
	}
	e := d.cur.entry(int(at[first]), 0)
	e.Text += d.cur.beside(int(at[first]))
	return []Entry{e}
}

// order tells the new order, as far as it is another.
func (d *differ) order(at, was []int32) Entry {
	before := slices.Sorted(slices.Values(was))
	first, last := 0, len(was)-1
	for was[first] == before[first] {
		first++
	}
	for was[last] == before[last] {
		last--
	}
	var told []string
	more := 0
	depth := d.cur.lines[at[first]].depth
	for _, j := range at[first : last+1] {
		switch {
		case d.cur.lines[j].depth > depth: // inside one of them
		case len(told) == orderTold:
			more++
		default:
			told = append(told, d.cur.short(int(j)))
		}
	}
	text := "in this order now: " + strings.Join(told, ", ")
	if more > 0 {
		text += fmt.Sprintf(", … %d more", more)
	}
	return Entry{Text: text, key: true}
}

// beside says where a line stands: below the one before it, or above the next.
func (s *diffSide) beside(j int) string {
	depth := s.lines[j].depth
	k := j - 1
	for k >= 0 && s.lines[k].depth > depth {
		k--
	}
	if k >= 0 && s.lines[k].depth == depth {
		return ", now below " + s.short(k)
	}
	if next := int(s.lineEnd[j]); next < len(s.lines) && s.lines[next].depth == depth {
		return ", now above " + s.short(next)
	}
	return ", now elsewhere"
}

// knownWith is how many tokens of a line are enough to know it by.
const knownWith = 20

func (s *diffSide) short(k int) string { return shortened(s.line(k), knownWith) }

// longestRise says which members of a sequence make up the longest part that rises:
// of a list in which one entry moved, all the others.
func longestRise(seq []int32) []bool {
	var ends []int // of the best rise of each length, where it ends
	before := make([]int, len(seq))
	for k, v := range seq {
		n := sort.Search(len(ends), func(n int) bool { return seq[ends[n]] >= v })
		before[k] = -1
		if n > 0 {
			before[k] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, k)
		} else {
			ends[n] = k
		}
	}
	in := make([]bool, len(seq))
	for k := ends[len(ends)-1]; k >= 0; k = before[k] {
		in[k] = true
	}
	return in
}
