package aria

import "math/bits"

// A run is a row of siblings that look alike: the items of a list, the rows of a
// table, the cards of a shop. An element of a run is one line with what is below
// it, or a few lines that repeat (heading, text, button, heading, text, button).
type run struct {
	from, to int32 // lines
	period   int32 // sibling lines per element
}

const (
	minRun    = 6 // fewer are not worth folding
	runHead   = 3 // how many of a run rank with what is unique
	maxPeriod = 8
)

// shape is what makes two siblings alike: their role, and which roles are below.
type shape struct {
	role string
	mask uint64
}

func (s shape) like(o shape) bool {
	return s.role == o.role && bits.OnesCount64(s.mask^o.mask) <= 2
}

// lineEnds gives, for each line, the first line after what is below it.
func (l *layout) lineEnds() []int32 {
	ends := make([]int32, len(l.lines))
	var open []int32
	for k := range l.lines {
		for len(open) > 0 && l.lines[open[len(open)-1]].depth >= l.lines[k].depth {
			ends[open[len(open)-1]] = int32(k)
			open = open[:len(open)-1]
		}
		open = append(open, int32(k))
	}
	for _, k := range open {
		ends[k] = int32(len(l.lines))
	}
	return ends
}

// shapes works out the shape of each line, children before parents.
func (l *layout) shapes(ends []int32) []shape {
	s := make([]shape, len(l.lines))
	for k := len(l.lines) - 1; k >= 0; k-- {
		n := &l.t.Nodes[l.lines[k].node]
		s[k].role = n.Role
		for c := int32(k + 1); c < ends[k]; c = ends[c] {
			s[k].mask |= s[c].mask | roleBit(s[c].role)
		}
	}
	return s
}

// roleBit gives a role one of 64 bits, by its FNV-1a hash.
func roleBit(role string) uint64 {
	h := uint32(2166136261)
	for i := 0; i < len(role); i++ {
		h = (h ^ uint32(role[i])) * 16777619
	}
	return 1 << (h >> 26)
}

// findRuns finds the runs among all siblings, outer ones first.
func (l *layout) findRuns(ends []int32) []run {
	shapes := l.shapes(ends)
	var runs []run
	var kids []int32
	group := func(from, to int32) {
		kids = kids[:0]
		for c := from; c < to; c = ends[c] {
			kids = append(kids, c)
		}
		if len(kids) >= minRun {
			runs = appendRuns(runs, kids, shapes, to)
		}
	}
	group(0, int32(len(l.lines)))
	for k := range l.lines {
		if ends[k]-int32(k) > minRun {
			group(int32(k)+1, ends[k])
		}
	}
	return runs
}

// appendRuns finds the runs among siblings: at each place the shortest period
// that repeats often enough.
func appendRuns(runs []run, kids []int32, shapes []shape, to int32) []run {
	at := 0
	for at+minRun <= len(kids) {
		best, length := 0, 0
		for p := 1; p <= maxPeriod && at+p*minRun <= len(kids); p++ {
			j := at + p
			for j < len(kids) && shapes[kids[j]].like(shapes[kids[j-p]]) {
				j++
			}
			if n := (j - at) / p; n >= minRun {
				best, length = p, n*p
				break
			}
		}
		if best == 0 {
			at++
			continue
		}
		end := to
		if at+length < len(kids) {
			end = kids[at+length]
		}
		runs = append(runs, run{from: kids[at], to: end, period: int32(best)})
		at += length
	}
	return runs
}

// pointer is the ref under which the lines from, …, to-1 can be looked at: of the
// innermost node around them that has one.
func (l *layout) pointer(from, to int32) Ref {
	parents := l.parents()
	last := l.lines[to-1].node
	for i := parents[l.lines[from].node]; i >= 0; i = parents[i] {
		if l.ends[i] > last && l.t.Nodes[i].Ref != "" {
			return l.t.Nodes[i].Ref
		}
	}
	return ""
}

// parents gives each node's parent, -1 for none.
func (l *layout) parents() []int32 {
	if l.parent == nil {
		l.parent = parentsOf(l.t.Nodes)
	}
	return l.parent
}

func parentsOf(nodes []Node) []int32 {
	parent := make([]int32, len(nodes))
	var open []int32
	for i := range nodes {
		for len(open) > 0 && nodes[open[len(open)-1]].Depth >= nodes[i].Depth {
			open = open[:len(open)-1]
		}
		parent[i] = -1
		if len(open) > 0 {
			parent[i] = open[len(open)-1]
		}
		open = append(open, int32(i))
	}
	return parent
}
