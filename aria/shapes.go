package aria

import (
	"slices"
	"strconv"
	"strings"
)

// The parts of a drawing are many, and say little: bars, tiles, the polygons of a
// map, the ports of a node. Those that follow one another and have no names are one
// line, with all their refs, how many they are and what tells them apart:
//
//	e9…44 36 clickable (bar)
//	e51 e52 draggable (input_1, input_2)
//
// The words of a drawing, as along its axes, are one line as well.

const (
	shapesListed = 4    // how many are told apart one by one
	hintsListed  = 200  // bytes of what tells more of them apart
	refsListed   = 6    // how many stretches of refs
	wordsJoined  = 2000 // bytes of a drawing's words that are one line
	wordsShown   = 40   // and how many of them are said
)

// ports puts what is pressed on an element, and has no name of its own, on the
// element's line: the ports of a node, the handles of a box. What tells them apart
// is said once, where those of the next are the same.
//
//	e84 draggable "Start" with e85…88 draggable (in_1, in_2, out_1, out_2)
//	e89 draggable "Fetch" with e90…93
func (l *layout) ports() {
	var out []line
	said := ""
	for k := 0; k < len(l.lines); k++ {
		ln := l.lines[k]
		n := &l.t.Nodes[ln.node]
		var parts []line
		if (ported[n.Role] || n.State&Draggable != 0) && n.Ref != "" && !blank(n.Name) && !ln.whole {
			for c := k + 1; c < len(l.lines) && l.lines[c].depth > ln.depth; c++ {
				if l.lines[c].depth == ln.depth+1 && l.shape(c) {
					parts = append(parts, l.lines[c])
				}
			}
		}
		if len(parts) == 0 || len(parts) == 1 && n.State&Draggable == 0 || len(parts) > portsMost || !l.alike(parts) {
			if out != nil {
				out = append(out, ln)
			}
			continue
		}
		if out == nil {
			out = append(make([]line, 0, len(l.lines)), l.lines[:k]...)
		}
		from := len(l.buf)
		l.buf = append(l.buf, l.buf[ln.from:ln.to]...)
		l.buf = append(l.buf, " with "...)
		refs, rest := l.shapesIn(parts)
		l.buf = append(l.buf, refs...)
		if rest != said {
			l.buf = append(l.buf, ' ')
			l.buf = append(l.buf, rest...)
			said = rest
		}
		ln.from, ln.to = int32(from), int32(len(l.buf))
		out = append(out, ln)
		for k+1 < len(l.lines) && l.lines[k+1].depth > ln.depth {
			if k++; !slices.Contains(parts, l.lines[k]) {
				out = append(out, l.lines[k])
			}
		}
	}
	if out != nil {
		l.lines = out
	}
}

const portsMost = 12

// ported are the roles of what nodes of a drawing are.
var ported = map[string]bool{"clickable": true, "group": true, "img": true, "figure": true, "article": true, "graphics-object": true}

// alike says whether parts are of one role and in the same states.
func (l *layout) alike(parts []line) bool {
	first := &l.t.Nodes[parts[0].node]
	for _, p := range parts[1:] {
		if n := &l.t.Nodes[p.node]; n.Role != first.Role || n.State&saidStates != first.State&saidStates {
			return false
		}
	}
	return true
}

// joinShapes makes one line of what follows one another and says little; of elements,
// whose refs it then has, only where that is asked for.
func (l *layout) joinShapes(wordsOnly bool) {
	if !wordsOnly {
		l.ports()
	}
	out := l.lines[:0]
	for k := 0; k < len(l.lines); {
		end := k
		if !wordsOnly {
			count := 0
			if end, count = l.countsFrom(k); count >= countsLeast {
				out = append(out, l.joinCounts(k, end))
				k = end
				continue
			}
			end = l.shapesFrom(k)
		}
		if end-k < 2 {
			end = l.wordsFrom(k)
		}
		if end-k < 2 && !wordsOnly {
			end = l.figuresFrom(k)
		}
		if end-k < 2 {
			out = append(out, l.lines[k])
			k++
			continue
		}
		joined := l.lines[k]
		first := &l.t.Nodes[joined.node]
		from := len(l.buf)
		if first.Role == "text" {
			l.joinWords(int32(k), l.lines[k:end])
		} else {
			l.joinRefs(l.lines[k:end])
		}
		joined.from, joined.to = int32(from), int32(len(l.buf))
		out = append(out, joined)
		k = end
	}
	l.lines = out
}

// shape says whether a line is that of an element without a name, with nothing
// below it.
func (l *layout) shape(k int) bool {
	ln := &l.lines[k]
	n := &l.t.Nodes[ln.node]
	if ln.whole || n.Ref == "" || n.State&Operable == 0 || n.Role != "clickable" && n.Role != "img" || !blank(n.Name) || n.Value != "" {
		return false
	}
	return l.ends[ln.node] == ln.node+1
}

func (l *layout) shapesFrom(k int) int {
	if !l.shape(k) {
		return k
	}
	first := &l.t.Nodes[l.lines[k].node]
	end := k + 1
	for end < len(l.lines) && l.lines[end].depth == l.lines[k].depth && l.shape(end) {
		n := &l.t.Nodes[l.lines[end].node]
		mixed := n.State&first.State&Drawn != 0 // kinds of a drawing are counted
		if n.Role != first.Role || n.State&saidStates != first.State&saidStates || stem(n.Desc) != stem(first.Desc) && !mixed {
			break
		}
		end++
	}
	return end
}

// stem is what the hints of several have in common: without their numbers.
func stem(desc string) string {
	if kind, _, ok := strings.Cut(desc, ": "); ok {
		return kind
	}
	desc, _, _ = strings.Cut(desc, " #")
	return strings.TrimRight(desc, "0123456789_-. #")
}

func (l *layout) joinRefs(lines []line) {
	refs, rest := l.shapesIn(lines)
	l.buf = append(l.buf, refs...)
	l.buf = append(l.buf, ' ')
	if len(lines) > shapesListed {
		l.buf = append(strconv.AppendInt(l.buf, int64(len(lines)), 10), ' ')
	}
	l.buf = append(l.buf, rest...)
}

// shapesIn writes the refs of shapes, and what they are and what tells them apart.
func (l *layout) shapesIn(lines []line) (written, rest string) {
	nodes := l.t.Nodes
	n := nodes[lines[0].node]
	refs := make([]Ref, len(lines))
	hints := make([]string, len(lines))
	for i, ln := range lines {
		refs[i], hints[i] = nodes[ln.node].Ref, nodes[ln.node].Desc
	}
	n.Ref = ""
	n.Desc = kindsAmong(hints)
	if !strings.Contains(hints[0], "#") && distinct(hints) {
		kind, _, named := strings.Cut(hints[0], ": ")
		named = named && !slices.ContainsFunc(hints, func(h string) bool { return !strings.HasPrefix(h, kind+": ") })
		for i := range hints {
			hints[i] = strings.TrimPrefix(hints[i], kind+": ")
		}
		list := strings.Join(hints, ", ")
		if named {
			list = kind + ": " + list
		}
		if len(lines) <= shapesListed || named && len(list) <= hintsListed && !numeric(hints) {
			n.Desc = list
		}
	}
	return stretches(refs), string(appendElement(nil, &n))
}

// kindsAmong names the kinds that hints tell of, each with its number where there are
// several.
func kindsAmong(hints []string) string {
	var kinds []string
	count := map[string]int{}
	for _, h := range hints {
		kind := stem(h)
		if count[kind]++; count[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 1 {
		return kinds[0]
	}
	for i, k := range kinds {
		if n := count[k]; n > 1 {
			kinds[i] = strconv.Itoa(n) + " " + k
		}
	}
	return strings.Join(kinds[:min(len(kinds), shapesListed)], ", ")
}

// numeric says whether hints are mere numbers.
func numeric(list []string) bool {
	for _, s := range list {
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return false
		}
	}
	return true
}

func distinct(list []string) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) == len(list)
}

// stretches writes refs that count on as their first and last: "e9…20 e31".
func stretches(refs []Ref) string {
	var b strings.Builder
	count := 0
	for i := 0; i < len(refs); {
		end := i + 1
		for end < len(refs) && follows(refs[end-1], refs[end]) {
			end++
		}
		if count++; count > refsListed {
			b.WriteString(" …")
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(string(refs[i]))
		switch {
		case end-i == 2:
			b.WriteString(" " + string(refs[end-1]))
		case end-i > 2:
			last := string(refs[end-1])
			b.WriteString("…" + last[strings.LastIndexByte(last, 'e')+1:])
		}
		i = end
	}
	return b.String()
}

// follows says whether b is the number after a, in the same frame.
func follows(a, b Ref) bool {
	at := strings.LastIndexByte(string(a), 'e') + 1
	n, err := strconv.Atoi(string(a[at:]))
	return err == nil && string(b) == string(a[:at])+strconv.Itoa(n+1)
}

func (l *layout) wordsFrom(k int) int {
	words := func(k int) bool {
		n := &l.t.Nodes[l.lines[k].node]
		return n.Role == "text" && n.State&Drawn != 0 && n.Ref == "" && !l.lines[k].whole
	}
	if !words(k) {
		return k
	}
	end, size := k+1, l.lines[k].to-l.lines[k].from
	for end < len(l.lines) && l.lines[end].depth == l.lines[k].depth && words(end) && size < wordsJoined {
		size += l.lines[end].to - l.lines[end].from
		end++
	}
	return end
}

// Of short texts one below the other, as the days of a calendar or the marks of a scale, so
// many are one line; and what is short, in bytes.
const (
	figuresLeast = 5
	figureLength = 5
)

// figure says whether a text is as short as a mark on a scale: "12", "Mon", "9 AM", "01 Nov".
func figure(s string) bool {
	mark, unit, two := strings.Cut(s, " ")
	if !two {
		return len(s) <= figureLength
	}
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789.:") == "" }
	return len(s) <= 2*figureLength && !strings.Contains(unit, " ") && digits(mark) != digits(unit)
}

// figuresFrom is the end of the short texts that follow one another.
func (l *layout) figuresFrom(k int) int {
	end := k
	for end < len(l.lines) && l.lines[end].depth == l.lines[k].depth {
		if n := &l.t.Nodes[l.lines[end].node]; n.Role != "text" || n.Ref != "" || l.lines[end].whole || !figure(n.Name) {
			break
		}
		end++
	}
	if end-k < figuresLeast {
		return k
	}
	return end
}

func (l *layout) joinWords(at int32, lines []line) {
	w := rowWriter{buf: l.buf}
	border := 0
	for _, ln := range lines {
		if strings.Contains(l.t.Nodes[ln.node].Name, " ") {
			border = 1 // else a space says where the next begins
		}
	}
	into := l.pointer(at, at+int32(len(lines)))
	size := 0
	for i, ln := range lines {
		if size += len(l.t.Nodes[ln.node].Name) + 1; size > wordsShown && i > 0 && i < len(lines)-4 && into != "" {
			l.buf = w.done()
			l.buf = append(l.buf, " … "+strconv.Itoa(len(lines)-i)+" more (look "+string(into)+")"...)
			return
		}
		w.text(l.t.Nodes[ln.node].Name)
		w.borders = border
	}
	l.buf = w.done()
}
