package aria

import (
	"strconv"
	"strings"
)

// countsLeast is how many elements that count on are one line.
const countsLeast = 8

// countsFrom finds the end of a run of elements whose refs and names count on, and which
// are alike in all else: the days of a month.
func (l *layout) countsFrom(k int) int {
	end := k + 1
	if !l.counting(k) {
		return end
	}
	first := &l.t.Nodes[l.lines[k].node]
	for ; end < len(l.lines) && l.lines[end].depth == l.lines[k].depth && l.counting(end); end++ {
		was, is := &l.t.Nodes[l.lines[end-1].node], &l.t.Nodes[l.lines[end].node]
		if is.Role != first.Role || is.State&saidStates != first.State&saidStates || !follows(was.Ref, is.Ref) || !countsOn(was.Name, is.Name) {
			break
		}
	}
	return end
}

// counting says whether a line is that of an element with a number in its name, and
// nothing else.
func (l *layout) counting(k int) bool {
	ln := &l.lines[k]
	n := &l.t.Nodes[ln.node]
	return !ln.whole && n.Ref != "" && n.State&Operable != 0 && n.Value == "" && n.Desc == "" && n.URL == "" && n.Count == 0 &&
		len(n.Name) <= 40 && strings.ContainsAny(n.Name, "0123456789") && l.ends[ln.node] == ln.node+1
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

// joinCounts makes one line of elements that count on:
//
//	e23…52 30 clickable "November 1, 2026" … "November 30, 2026"
func (l *layout) joinCounts(lines []line) line {
	joined := lines[0]
	first, last := l.t.Nodes[lines[0].node], &l.t.Nodes[lines[len(lines)-1].node]
	refs := make([]Ref, len(lines))
	for i, ln := range lines {
		refs[i] = l.t.Nodes[ln.node].Ref
	}
	from := len(l.buf)
	l.buf = append(l.buf, stretches(refs)...)
	l.buf = append(strconv.AppendInt(append(l.buf, ' '), int64(len(lines)), 10), ' ')
	first.Ref = ""
	name := string(appendQuoted(nil, first.Name))
	both := name + " … " + string(appendQuoted(nil, last.Name))
	l.buf = append(l.buf, strings.Replace(string(appendElement(nil, &first)), name, both, 1)...)
	joined.from, joined.to = int32(from), int32(len(l.buf))
	return joined
}
