package aria

import (
	"strings"
	"unicode/utf8"
)

// cutCost is what the mark of a cut line costs: `…" (look e12)`.
const cutCost = 8

// appendCut writes line k, cut to the cap where it is longer. The cut falls
// inside quotes or between words, the quotes are closed again, and it is said
// where the rest can be read.
func (f *fitter) appendCut(out []byte, k int) []byte {
	ln := &f.lines[k]
	out = f.indent(out, ln.depth)
	text := string(f.text(k))
	n, _ := lineTokens(text)
	limit := f.limit(k)
	if n <= limit+cutCost {
		out = append(out, text...)
		return append(out, '\n')
	}
	text = cutTo(text, limit)
	open := quoteOpen(text)
	out = append(out, text...)
	out = append(out, "…"...)
	if open {
		out = append(out, '"')
	}
	if ref := f.nearRef(int(ln.node)); ref != "" {
		out = append(out, " (look "...)
		out = append(out, ref...)
		out = append(out, ')')
	}
	return append(out, '\n')
}

// nearRef is the ref of the node, or of the nearest one around it.
func (l *layout) nearRef(i int) Ref {
	parents := l.parents()
	for ; i >= 0; i = int(parents[i]) {
		if r := l.t.Nodes[i].Ref; r != "" {
			return r
		}
	}
	return ""
}

// shortened cuts a line that has many more tokens than n. What is between quotes stays
// between quotes.
func shortened(line string, n int) string {
	if Tokens(line) <= n+cutCost {
		return line
	}
	line = cutTo(line, n)
	if quoteOpen(line) {
		return line + `…"`
	}
	return line + "…"
}

// cutTo cuts s to at most n tokens, between words where it can.
func cutTo(s string, n int) string {
	lo, hi := 0, len(s)
	for lo < hi { // the longest prefix that fits
		mid := (lo + hi + 1) / 2
		if c, _ := lineTokens(s[:mid]); c <= n {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	cut := s[:lo]
	for { // a character is not cut in half
		if r, size := utf8.DecodeLastRuneInString(cut); r != utf8.RuneError || size != 1 {
			break
		}
		cut = cut[:len(cut)-1]
	}
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)*2/3 {
		cut = cut[:at]
	}
	// An escape is not cut in half.
	slashes := 0
	for len(cut)-slashes > 0 && cut[len(cut)-1-slashes] == '\\' {
		slashes++
	}
	if slashes%2 == 1 {
		cut = cut[:len(cut)-1]
	}
	return cut
}

// quoteOpen says whether s ends inside quotes.
func quoteOpen(s string) bool {
	open := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			open = !open
		}
	}
	return open
}
