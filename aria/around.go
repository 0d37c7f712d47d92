package aria

import "strings"

// around marks the lines above and below a page's content that the page before had as
// well: links, texts and pictures of a header or a footer that nobody called one. Who came
// from there was told of them. Fields and buttons are told again: they may be of
// something else now.
func (l *layout) around() []bool {
	if !l.opts.Brief || l.opts.Before == nil {
		return nil
	}
	was := newLayout(l.opts.Before, Options{behind: true})
	known := make([]bool, len(l.lines))
	n := l.inCommon(was, known, false)
	if n < len(l.lines) {
		n += l.inCommon(was, known, true)
	}
	if n < minAround {
		return nil
	}
	return known
}

const minAround = 6 // lines that are worth a word about them

// inCommon marks the lines that both pages begin with, or end with, and counts them, but for
// those in the item where they begin to differ. A form at the end of both may be of something
// else, and counts as different.
func (l *layout) inCommon(was *layout, known []bool, fromEnd bool) int {
	at := func(l *layout, k int) int {
		if fromEnd {
			return len(l.lines) - 1 - k
		}
		return k
	}
	n := 0
	for n < min(len(l.lines), len(was.lines)) && !known[at(l, n)] {
		k := at(l, n)
		if l.signature(k) != was.signature(at(was, n)) || fromEnd && l.acts(k) {
			break
		}
		n++
	}
	if n < len(l.lines) {
		b := boxesOf(l.t)
		if box := b.item(b.of[l.lines[at(l, n)].node]); box >= 0 {
			for n > 0 && l.lines[at(l, n-1)].node >= b.all[box].from && l.lines[at(l, n-1)].node < b.all[box].to {
				n--
			}
		}
	}
	count := 0
	for i := range n {
		if k := at(l, i); !l.acts(k) {
			known[k] = true
			count++
		}
	}
	return count
}

// acts says whether a line has something to fill in or to press.
func (l *layout) acts(k int) bool {
	ln := &l.lines[k]
	end := ln.node + 1
	if ln.whole {
		end = l.ends[ln.node]
	}
	for i := ln.node; i < end; i++ {
		if n := &l.t.Nodes[i]; kindOf(n)&labelled != 0 || n.Role == "button" {
			return true
		}
	}
	return false
}

// signature is what a line says, without its ref and its states.
func (l *layout) signature(k int) string {
	ln := &l.lines[k]
	if !ln.whole {
		n := &l.t.Nodes[ln.node]
		return n.Role + "\t" + n.Name
	}
	var b strings.Builder
	for i := ln.node; i < l.ends[ln.node]; i++ {
		b.WriteString(l.t.Nodes[i].Role + "\t" + l.t.Nodes[i].Name + "\t")
	}
	return b.String()
}

// before counts the lines that are left out because the page before had them too.
func (f *fitter) before() int {
	n := 0
	for k, known := range f.known {
		if known && !f.chosen[k] {
			n++
		}
	}
	return n
}

// asks says whether a line is a field to be filled in: of many alike each is for something
// else, which boxes of a long list are not.
func (f *fitter) asks(k int) bool {
	n := &f.t.Nodes[f.lines[k].node]
	return !f.lines[k].whole && kindOf(n)&labelled != 0 && n.Role != "checkbox" && n.Role != "radio" && n.Role != "switch"
}

// fieldsLeft counts the lines that are left out with something to fill in or to press, as
// has says, but for those of the many alike after the first few.
func (f *fitter) fieldsLeft(has func(k int) bool) int {
	n := 0
	for k := range f.lines {
		if !f.chosen[k] && has(k) && !f.beside(k) && !f.headers(k) && (!f.tail[k] || f.asks(k)) {
			n++
		}
	}
	return n
}

// paragraph says whether a line's node is directly in a paragraph.
func (f *fitter) paragraph(k int) bool {
	p := f.parents()[f.lines[k].node]
	return p >= 0 && f.t.Nodes[p].Role == "paragraph"
}

// hasMain says whether the page says what its main content is, and that is some.
func (f *fitter) hasMain() bool {
	if f.main == 0 {
		f.main = -1
		for i := range f.t.Nodes {
			if f.t.Nodes[i].Role == "main" && said(f.t.Nodes[i:f.ends[i]]) > 1 {
				f.main = 1
			}
		}
	}
	return f.main > 0
}
