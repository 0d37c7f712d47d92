package aria

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// View is a tree as it was written within a budget.
type View struct {
	Text   string
	Tokens int // of Text, by Tokens
	Lines  int // lines of the page shown
	Left   int // lines of the page left out; a line of the text says so
	Fields int // of these: with something to fill in or to press
	Asked  int // of these: fields to be filled in
}

// Fit writes a tree within a budget of tokens; 0 is no bound. What does not fit
// is left out by rank: what is on screen stays before the rest, what can be
// operated and headings before text, the first of many alike before the others.
// Whatever is left out is said, and how to see it.
func Fit(t *Tree, budget int, opts Options) View {
	l := newLayout(t, opts)
	out := l.full()
	n := Tokens(out)
	if budget <= 0 || n <= budget {
		return View{Text: out, Tokens: n, Lines: len(l.lines)}
	}
	return l.fit(budget)
}

// ranks of lines, best first.
const (
	rankSeenKey = iota // on screen: operable, headings, alerts
	rankSeenText
	rankSeenTail // the many alike after the first few
	rankKey
	rankText
	rankTail
	ranks
)

// fitter chooses lines.
type fitter struct {
	*layout
	lineEnd []int32
	above   []int32 // each line's parent line, -1 for none
	runs    []run
	runAt   map[int32]int32 // first line → run
	cost    []int32
	order   []int32 // lines by rank
	tail    []bool  // lines of the many alike after the first few
	chosen  []bool
	sum     []int32 // how many are chosen before a line
	inRun   []int32 // the innermost run a line is in, -1 for none
	cap     int     // most tokens of one line
	known   []bool  // lines around the content that the page before had too; nil for none
	main    int8    // 1: the page says what its main content is, -1: it does not, 0: not known yet
}

func (l *layout) fit(budget int) View {
	head, notes := l.head(), l.notes()
	f := &fitter{layout: l, lineEnd: l.lineEnds(), cap: max(40, budget/16)}
	f.runs = l.findRuns(f.lineEnd)
	f.runAt = make(map[int32]int32, len(f.runs))
	for i, r := range f.runs {
		f.runAt[r.from] = int32(i)
	}
	f.inRun = slices.Repeat([]int32{-1}, len(l.lines))
	for i, r := range f.runs { // outer ones come first
		for k := r.from; k < r.to; k++ {
			f.inRun[k] = int32(i)
		}
	}
	f.price()
	f.known = f.around()
	f.rank()

	// The lines that say what was left out can only be counted when all is chosen,
	// so choose, write, count, and try again with less where it is too much.
	room := budget - Tokens(head) - Tokens(notes) - endCost
	for try := 1; room > 0 && try < 16; try++ {
		f.choose(room)
		body, left := f.write()
		out := head + body + notes
		n := Tokens(out)
		if n <= budget {
			return View{Text: out, Tokens: n, Lines: len(l.lines) - left, Left: left - f.before(), Fields: f.fieldsLeft(f.acts), Asked: f.fieldsLeft(f.asks)}
		}
		room -= max(n-budget, try*room/64)
	}
	return l.least(budget)
}

// endCost is about what the last line costs, which counts what was left out.
const endCost = 20

// least is the answer where the budget holds next to nothing.
func (l *layout) least(budget int) View {
	n := len(l.lines)
	for _, out := range []string{
		l.head() + "… " + strconv.Itoa(n) + " lines (look with a larger budget)\n",
		"… " + strconv.Itoa(n) + " lines (larger budget)\n",
		"… " + strconv.Itoa(n) + "\n",
		"…\n",
	} {
		if c := Tokens(out); c <= budget {
			return View{Text: out, Tokens: c, Left: n}
		}
	}
	return View{Left: n}
}

// price works out what each line costs, and cuts long ones to the cap.
func (f *fitter) price() {
	all := string(f.buf)
	f.cost = make([]int32, len(f.lines))
	for k := range f.lines {
		ln := &f.lines[k]
		c, _ := lineTokens(all[ln.from:ln.to])
		if ln.depth > 1 || f.opts.YAML {
			c++
		}
		if ln.to > ln.from && class[all[ln.to-1]] != sign {
			c++
		}
		f.cost[k] = int32(min(c, f.limit(k)+cutCost))
	}
}

// limit is how many tokens a line may have before it is cut. A row is cut late:
// the refs in it would be lost.
func (f *fitter) limit(k int) int {
	if f.lines[k].whole {
		return 4 * f.cap
	}
	return f.cap
}

// rank sorts the lines by how much they matter, in the page's order within a rank.
func (f *fitter) rank() {
	nodes := f.t.Nodes
	seenAny := slices.ContainsFunc(nodes, func(n Node) bool { return n.State&InView != 0 })
	tail := make([]bool, len(f.lines))
	f.tail = tail
	for _, r := range f.runs {
		f.markTail(r, tail, seenAny)
	}
	f.above = make([]int32, len(f.lines))
	var open []int32
	rank := make([]uint8, len(f.lines))
	var count [ranks + 1]int
	for k := range f.lines {
		ln := &f.lines[k]
		for len(open) > 0 && f.lines[open[len(open)-1]].depth >= ln.depth {
			open = open[:len(open)-1]
		}
		f.above[k] = -1
		if len(open) > 0 {
			f.above[k] = open[len(open)-1]
		}
		open = append(open, int32(k))

		n := &nodes[ln.node]
		r := uint8(rankText)
		switch {
		case tail[k] && !(f.opts.Brief && f.asks(k)):
			r = rankTail
		case f.key(k) && !f.inline(k) && !(f.opts.Brief && (f.beside(k) || f.headers(k))):
			r = rankKey
		}
		if !seenAny || n.State&InView != 0 || f.opts.Brief && r == rankKey && kindOf(n)&labelled != 0 {
			r -= rankKey // of a page that one came to all fields are told, further down too
		}
		rank[k] = r
		count[r+1]++
	}
	for r := 1; r <= ranks; r++ {
		count[r] += count[r-1]
	}
	f.order = make([]int32, len(f.lines))
	for k := range f.lines {
		f.order[count[rank[k]]] = int32(k)
		count[rank[k]]++
	}
}

// key says whether a line is more than plain text.
func (f *fitter) key(k int) bool {
	ln := &f.lines[k]
	for i := ln.node; ; i++ {
		if matters(&f.t.Nodes[i]) {
			return true
		}
		if !ln.whole || i+1 >= f.ends[ln.node] {
			return false
		}
	}
}

// inline says whether a line is a link in the flow of a sentence, which is worth
// as much as the sentence.
func (f *fitter) inline(k int) bool {
	if f.t.Nodes[f.lines[k].node].Role != "link" {
		return false
	}
	flows := func(o int, block State) bool {
		if o < 0 || o >= len(f.lines) || f.lines[o].depth != f.lines[k].depth {
			return false
		}
		n := &f.t.Nodes[f.lines[o].node]
		return n.Role == "text" && n.State&block == 0
	}
	return flows(k+1, Block) || flows(k-1, 0) && f.t.Nodes[f.lines[k].node].State&Block == 0 && f.paragraph(k)
}

// beside says whether a line belongs to what is beside a page's content: of a page
// that one came to that is worth no more than its texts, unless it is in brief. Where a
// page says what its main content is, all the rest is beside it, but for dialogs and
// messages, and for what is to be filled in.
func (f *fitter) beside(k int) bool {
	parents, node := f.parents(), f.lines[k].node
	for i := node; i >= 0; i = parents[i] {
		switch role := f.t.Nodes[i].Role; {
		case beside[role] && (!f.lines[k].whole || role == "navigation"):
			return true
		case role == "main", speaking[role]:
			return false
		}
	}
	return f.hasMain() && kindOf(&f.t.Nodes[node])&labelled == 0
}

// headers says whether a line is a table's row of headers: of a page that one came to,
// what is in the table comes first.
func (l *layout) headers(k int) bool {
	i := l.lines[k].node + 1
	return l.lines[k].whole && int(i) < len(l.t.Nodes) && l.t.Nodes[i].Role == "columnheader"
}

// speaking are the roles of what has something to say wherever it is.
var speaking = map[string]bool{"dialog": true, "alertdialog": true, "alert": true, "status": true, "log": true}

// markTail marks the lines of a run after its first few on screen, or after its
// first few where none is.
func (f *fitter) markTail(r run, tail []bool, seenAny bool) {
	skip, taken := int32(0), 0
	if seenAny {
		for k := r.from; k < r.to; k = f.lineEnd[k] {
			if f.t.Nodes[f.lines[k].node].State&InView != 0 {
				skip = k
				break
			}
		}
	}
	i := int32(0)
	for k := r.from; k < r.to; k = f.lineEnd[k] {
		if i%r.period == 0 && k >= skip {
			taken++
		}
		if k < skip || taken > runHead {
			for j := k; j < f.lineEnd[k]; j++ {
				tail[j] = true
			}
		}
		i++
	}
}

// smallLine is what a usual line costs at most.
const smallLine = 24

// foldCost is what a line `… 47 more (look e12)` costs at most.
const foldCost = 14

// choose takes lines by rank while there is room for them.
func (f *fitter) choose(room int) {
	if f.chosen == nil {
		f.chosen = make([]bool, len(f.lines))
		f.sum = make([]int32, len(f.lines)+1)
	}
	clear(f.chosen)
	opened := make(map[int32]bool)
	cut := make(map[int32]bool) // runs that had no room: no later part of them is taken
	misses := 0
	for _, k := range f.order {
		if f.chosen[k] || f.lineEnd[k] > k+1 && !f.key(int(k)) {
			continue // what holds others comes with them
		}
		if f.known != nil && f.known[k] {
			continue
		}
		if r := f.inRun[k]; r >= 0 && cut[r] {
			continue
		}
		need := 0
		for p := k; p >= 0 && !f.chosen[p]; p = f.above[p] {
			need += int(f.cost[p])
			if r, ok := f.runAt[p]; ok && !opened[r] {
				need += foldCost
			}
		}
		if need > room {
			// One that is large gives way to others; where a small one has no place, the
			// room is used up.
			if misses++; need <= smallLine || misses > 64 {
				break
			}
			if r := f.inRun[k]; r >= 0 {
				cut[r] = true
			}
			continue
		}
		room -= need
		for p := k; p >= 0 && !f.chosen[p]; p = f.above[p] {
			f.chosen[p] = true
			if r, ok := f.runAt[p]; ok {
				opened[r] = true
			}
		}
	}
	for k := range f.lines {
		f.sum[k+1] = f.sum[k]
		if f.chosen[k] {
			f.sum[k+1]++
		}
	}
}

// write puts out the chosen lines and says what was left out; it answers how
// many lines that is.
func (f *fitter) write() (string, int) {
	w := fitWriter{fitter: f, out: make([]byte, 0, 8<<10), left: make(map[string]int)}
	w.siblings(0, int32(len(f.lines)))
	left := len(f.lines) - int(f.sum[len(f.lines)])
	rest := 0
	for _, n := range w.left {
		rest += n
	}
	if before := f.before(); before > 0 {
		w.out = append(w.out, f.remark()...)
		w.out = append(w.out, strconv.Itoa(before)...)
		w.out = append(w.out, " as before\n"...)
	}
	if rest > 0 {
		w.out = append(w.out, f.remark()...)
		w.out = append(w.out, strconv.Itoa(rest)...)
		w.out = append(w.out, " more"...)
		w.out = append(w.out, describe(w.left)...)
		if f.opts.Brief { // of an act, which takes no budget
			w.out = append(w.out, " (find, look eN, look with a larger budget)\n"...)
		} else {
			w.out = append(w.out, " (find, look eN, larger budget)\n"...)
		}
	}
	return string(w.out), left
}

type fitWriter struct {
	*fitter
	out  []byte
	left map[string]int // by role: lines left out that no fold line stands for
}

// leave counts lines that are left out and have no fold line.
func (w *fitWriter) leave(from, to int32) {
	for k := from; k < to; k++ {
		if w.known != nil && w.known[k] {
			continue // told as before
		}
		w.left[w.t.Nodes[w.lines[k].node].Role]++
	}
}

func (w *fitWriter) siblings(from, to int32) {
	for k := from; k < to; {
		if r, ok := w.runAt[k]; ok {
			w.run(w.runs[r])
			k = w.runs[r].to
			continue
		}
		w.line(k)
		k = w.lineEnd[k]
	}
}

// line writes a chosen line and what is chosen below it.
func (w *fitWriter) line(k int32) {
	if w.chosenIn(k, w.lineEnd[k]) == 0 {
		w.leave(k, w.lineEnd[k])
		return
	}
	if w.chosen[k] {
		w.out = w.appendCut(w.out, int(k))
	} else {
		w.leave(k, k+1)
	}
	w.siblings(k+1, w.lineEnd[k])
}

func (f *fitter) chosenIn(from, to int32) int { return int(f.sum[to] - f.sum[from]) }

// run writes the chosen elements of a run, and a line for each gap.
func (w *fitWriter) run(r run) {
	if w.chosenIn(r.from, r.to) == 0 {
		w.leave(r.from, r.to)
		return
	}
	gap, gapFrom := 0, r.from
	flush := func(to int32) {
		if gap > 0 {
			w.out = w.indent(w.out, w.lines[r.from].depth)
			w.out = append(w.out, w.remark()...)
			w.out = append(w.out, strconv.Itoa(gap)...)
			w.out = append(w.out, " more"...)
			if ref := w.pointer(gapFrom, to); ref != "" && ref != w.t.Nodes[0].Ref {
				w.out = append(w.out, " (look "...)
				w.out = append(w.out, ref...)
				w.out = append(w.out, ')')
			} else {
				if r.period == 1 && gap > 1 {
					w.out = append(w.out, ' ')
					w.out = append(w.out, plural(w.t.Nodes[w.lines[r.from].node].Role)...)
				}
				w.out = append(w.out, " (find, larger budget)"...)
			}
			w.out = append(w.out, '\n')
		}
		gap = 0
	}
	for k := r.from; k < r.to; {
		end := k
		for range r.period {
			if end < r.to {
				end = w.lineEnd[end]
			}
		}
		if w.chosenIn(k, end) == 0 {
			if w.known != nil && w.known[k] {
				k = end // told as before
				continue
			}
			if gap == 0 {
				gapFrom = k
			}
			gap++
			k = end
			continue
		}
		flush(k)
		for k < end {
			w.line(k)
			k = w.lineEnd[k]
		}
	}
	flush(r.to)
}

// describe names the commonest three of what was counted: ": 12 links, 3 buttons".
func describe(count map[string]int) string {
	roles := slices.Collect(maps.Keys(count))
	slices.SortFunc(roles, func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	})
	var b strings.Builder
	for i, role := range roles[:min(3, len(roles))] {
		b.WriteString([]string{": ", ", "}[min(i, 1)])
		b.WriteString(strconv.Itoa(count[role]))
		b.WriteByte(' ')
		if count[role] == 1 {
			b.WriteString(role)
		} else {
			b.WriteString(plural(role))
		}
	}
	return b.String()
}

func plural(role string) string {
	switch {
	case strings.HasSuffix(role, "x"), strings.HasSuffix(role, "ch"), strings.HasSuffix(role, "s"):
		return role + "es"
	case strings.HasSuffix(role, "y"):
		return role[:len(role)-1] + "ies"
	}
	return role + "s"
}
