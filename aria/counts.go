package aria

import (
	"strconv"
	"strings"
)

// countsLeast is how many elements that count on are one line.
const countsLeast = 8

// countsFrom finds the end of a run of elements whose refs and names count on, and which
// are alike in all else: the days of a month, by themselves or in the rows of its weeks.
// It answers how many they are as well.
func (l *layout) countsFrom(k int) (end, count int) {
	run := l.counting(k)
	if run == nil {
		return k + 1, 0
	}
	for end = k + 1; end < len(l.lines) && l.lines[end].depth == l.lines[k].depth; end++ {
		more := l.counting(end)
		if more == nil || !l.goesOn(run[len(run)-1], more[0]) {
			break
		}
		run = append(run, more...)
	}
	return end, len(run)
}

// counting are the elements of a line that has such with numbers in their names, and
// nothing else: one, or those of a row, which count on. It is nil for any other line.
func (l *layout) counting(k int) []int32 {
	ln := &l.lines[k]
	if !ln.whole {
		if !l.numbered(ln.node) {
			return nil
		}
		return []int32{ln.node}
	}
	if n := &l.t.Nodes[ln.node]; n.Role != "row" || n.Ref != "" && n.State&Operable != 0 || n.State&(Selected|Expanded|Collapsed) != 0 || l.rowNamed(int(ln.node)) {
		return nil
	}
	var run []int32
	for c := ln.node + 1; c < l.ends[ln.node]; c++ {
		n := &l.t.Nodes[c]
		if l.hidden(int(c)) || l.ends[c] > c+1 && kindOf(n)&cell != 0 && n.Ref == "" && (blank(n.Name) || fromContent(l.t.Nodes, int(c), int(l.ends[c]))) {
			continue // a cell is told by what it holds
		}
		if !l.numbered(c) || len(run) > 0 && !l.goesOn(run[len(run)-1], c) {
			return nil
		}
		run = append(run, c)
	}
	return run
}

// numbered says whether a node is an element with a number in its name, and nothing else.
func (l *layout) numbered(i int32) bool {
	n := &l.t.Nodes[i]
	return n.Ref != "" && n.State&Operable != 0 && n.Value == "" && n.Desc == "" && n.URL == "" && n.Count == 0 &&
		len(n.Name) <= 40 && strings.ContainsAny(n.Name, "0123456789") && l.ends[i] == i+1
}

// goesOn says whether element b comes after a in all that tells them apart.
func (l *layout) goesOn(a, b int32) bool {
	was, is := &l.t.Nodes[a], &l.t.Nodes[b]
	return was.Role == is.Role && was.State&saidStates == is.State&saidStates && follows(was.Ref, is.Ref) && (countsOn(was.Name, is.Name) || beginsAgain(was.Name, is.Name))
}

// beginsAgain says whether b is the first day of a month, and a the last of another.
func beginsAgain(a, b string) bool {
	at, from := strings.IndexAny(a, "0123456789"), strings.IndexAny(b, "0123456789")
	if at < 0 || from < 0 {
		return false
	}
	last, restA := leading(a[at:])
	first, restB := leading(b[from:])
	return first == 1 && last >= 28 && last <= 31 && a[:at]+restA != b[:from]+restB
}

// countsOn says whether b is a with its first number one higher.
func countsOn(a, b string) bool {
	at := strings.IndexAny(a, "0123456789")
	if at < 0 || len(b) <= at || a[:at] != b[:at] {
		return false
	}
	x, restA := leading(a[at:])
	y, restB := leading(b[at:])
	return y == x+1 && restA == restB
}

// leading reads the number that s begins with; -1 where there is none.
func leading(s string) (n int, rest string) {
	end := 0
	for end < len(s) && end < 9 && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(s[:end])
	if err != nil {
		return -1, s
	}
	return n, s[end:]
}

// joinCounts makes one line of elements that count on, with the ends of each part where
// they begin again:
//
//	e23…52 30 clickable "November 1, 2026" … "November 30, 2026"
func (l *layout) joinCounts(k, end int) line {
	var run []int32
	for ; k < end; k++ {
		run = append(run, l.counting(k)...)
	}
	nodes := l.t.Nodes
	first := nodes[run[0]]
	refs := make([]Ref, len(run))
	both := ""
	for i, c := range run {
		refs[i] = nodes[c].Ref
		name := string(appendQuoted(nil, nodes[c].Name))
		begins := i == 0 || !countsOn(nodes[run[i-1]].Name, nodes[c].Name)
		ends := i == len(run)-1 || !countsOn(nodes[c].Name, nodes[run[i+1]].Name)
		switch {
		case i == 0:
			both = name
		case begins:
			both += ", " + name
		case ends:
			both += " … " + name
		}
	}
	joined := l.lines[end-1]
	joined.node, joined.whole = run[0], false
	from := len(l.buf)
	l.buf = append(l.buf, stretches(refs)...)
	l.buf = append(strconv.AppendInt(append(l.buf, ' '), int64(len(run)), 10), ' ')
	first.Ref = ""
	name := string(appendQuoted(nil, first.Name))
	l.buf = append(l.buf, strings.Replace(string(appendElement(nil, &first)), name, both, 1)...)
	joined.from, joined.to = int32(from), int32(len(l.buf))
	return joined
}
