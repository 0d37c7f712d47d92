package aria

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Pattern is what to find: a text, whatever its case, or a /regular expression/.
type Pattern struct {
	// Source and Flags are the pattern as a JavaScript regular expression.
	Source, Flags string

	given string
	text  string // lower case
	re    *regexp.Regexp
}

// longestPattern is what a browser still makes a regular expression of.
const longestPattern = 2000

// ParsePattern reads `text` or `/regex/flags`.
func ParsePattern(s string) (*Pattern, error) {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		return nil, errors.New("find: the pattern is empty")
	}
	if len(s) > longestPattern {
		return nil, fmt.Errorf("find: %d bytes are more than browsers look for at a time; say a part of it, at most %d", len(s), longestPattern)
	}
	if src, flags, ok := splitRegex(s); ok {
		goFlags := strings.Map(func(r rune) rune {
			if strings.ContainsRune("ims", r) {
				return r
			}
			return -1
		}, flags)
		expr := src
		if goFlags != "" {
			expr = "(?" + goFlags + ")" + src
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return nil, fmt.Errorf("find: %s is not a regular expression: %s", s, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		return &Pattern{Source: src, Flags: strings.Map(dropG, flags), given: s, re: re}, nil
	}
	return &Pattern{Source: regexp.QuoteMeta(s), Flags: "i", given: Quote(s), text: strings.ToLower(s)}, nil
}

func dropG(r rune) rune {
	if r == 'g' || r == 'y' {
		return -1
	}
	return r
}

// splitRegex takes /source/flags apart. A path like /a/b is not one: b is no flag.
func splitRegex(s string) (src, flags string, ok bool) {
	end := strings.LastIndexByte(s, '/')
	if s[0] != '/' || end < 2 {
		return "", "", false
	}
	flags = s[end+1:]
	if strings.Trim(flags, "dgimsuvy") != "" {
		return "", "", false
	}
	return s[1:end], flags, true
}

// Match says whether s has the pattern in it.
func (p *Pattern) Match(s string) bool {
	if s == "" {
		return false
	}
	if p.re != nil {
		return p.re.MatchString(s)
	}
	return len(s) >= len(p.text)/2 && strings.Contains(strings.ToLower(s), p.text)
}

func (p *Pattern) matchNode(n *Node) bool {
	return p.Match(n.Name) || p.Match(n.Value) || p.Match(n.Desc) || p.Match(n.URL)
}

// Find writes only the lines that match, each with its path: what it is in, the
// nearest first. It keeps within a budget of tokens; 0 is no bound.
func Find(t *Tree, p *Pattern, budget int, opts Options) View {
	opts.behind, opts.Each = true, true
	l := newLayout(t, opts)
	var hits []int
	for k := range l.lines {
		if l.matches(k, p) {
			hits = append(hits, k)
		}
	}
	head := l.head()
	if len(hits) == 0 {
		out := head + l.remark() + "nothing matches " + p.given + " in " + strconv.Itoa(len(l.lines)) + " lines\n"
		return bounded(out, budget, len(l.lines))
	}
	up := l.lineParents()
	ends := l.lineEnds()
	told := map[int]bool{}
	for _, k := range hits {
		told[k] = true
	}
	var b strings.Builder
	b.WriteString(head)
	used := Tokens(head)
	for i, k := range hits {
		ln := string(l.text(k)) + l.path(k, up) + "\n" + l.controls(k, up, ends, told)
		n := Tokens(ln)
		if budget > 0 && used+n+foldCost > budget && !(i == len(hits)-1 && used+n <= budget) {
			b.WriteString(l.remark() + strconv.Itoa(len(hits)-i) + " more match\n")
			return bounded(b.String(), budget, len(hits)-i)
		}
		used += n
		b.WriteString(ln)
	}
	return View{Text: b.String(), Tokens: used, Lines: len(hits)}
}

// bounded is out where it keeps the budget, else as much of it as does.
func bounded(out string, budget, left int) View {
	n := Tokens(out)
	if budget > 0 && n > budget {
		out = "…\n"
		if n = Tokens(out); n > budget {
			out, n = "", 0
		}
	}
	return View{Text: out, Tokens: n, Left: left}
}

func (l *layout) matches(k int, p *Pattern) bool {
	ln := &l.lines[k]
	end := ln.node + 1
	if ln.whole {
		end = l.ends[ln.node]
	}
	for i := ln.node; i < end; i++ {
		if p.matchNode(&l.t.Nodes[i]) {
			return true
		}
	}
	// A line as it is printed: an element with its quotes, a row with its bars or without.
	text := string(l.text(k))
	if !ln.whole {
		return strings.Contains(p.given, `"`) && p.Match(text)
	}
	return p.Match(text) || p.Match(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '|' || r == '"' || r == ' ' }), " "))
}

// Of what a hit belongs to: how many lines it may have to be one thing, and how many
// of its controls are told.
const (
	thing        = 12
	controlsTold = 6
)

// controls writes what can be operated in the thing that a hit is, or is in: the
// buttons of a card, the box of a task. A row has them on its line.
func (l *layout) controls(k int, up, ends []int32, told map[int]bool) string {
	n := &l.t.Nodes[l.lines[k].node]
	if l.lines[k].whole && n.Role == "row" {
		return ""
	}
	top := k
	if int(ends[k]) == k+1 && n.State&Operable == 0 && n.Role != "heading" {
		if top = int(up[k]); top < 0 {
			return ""
		}
	}
	of := &l.t.Nodes[l.lines[top].node]
	end := int(ends[top])
	switch {
	case of.Role == "heading" && end == top+1:
		// All that is up to the next one.
		for end = top + 1; end < len(l.lines) && within(up, end, top); end++ {
		}
	case kindOf(of)&landmark != 0, of.Role == "table", of.Role == "grid", of.Role == "list":
		return ""
	}
	if end-top > thing {
		return ""
	}
	return l.operable(top, end, k, told)
}

// within says whether a line is below another.
func within(up []int32, k, top int) bool {
	for ; k >= 0 && k != top; k = int(up[k]) {
	}
	return k == top
}

func (l *layout) operable(from, end, k int, told map[int]bool) string {
	var b strings.Builder
	count := 0
	for c := from; c < end; c++ {
		n := &l.t.Nodes[l.lines[c].node]
		if c == k || told[c] || n.Ref == "" || n.State&Operable == 0 || n.Role == "row" {
			continue
		}
		if count++; count > controlsTold {
			break
		}
		told[c] = true
		b.WriteString(" " + string(l.text(c)) + "\n")
	}
	return b.String()
}

// lineParents gives each line's parent; for a line at the top, and for one below
// a heading, that heading.
func (l *layout) lineParents() []int32 {
	up := make([]int32, len(l.lines))
	var open []int32
	for k := range l.lines {
		d := l.lines[k].depth
		heading := l.t.Nodes[l.lines[k].node].Role == "heading"
		for len(open) > 0 {
			top := &l.lines[open[len(open)-1]]
			under := &l.t.Nodes[top.node]
			// What follows a heading at its depth is below it, but for the next heading, and for what floats above the page.
			if node := &l.t.Nodes[l.lines[k].node]; top.depth < d || top.depth == d && under.Role == "heading" &&
				(!heading || under.Level < node.Level) && under.State&Floats == node.State&Floats {
				break
			}
			open = open[:len(open)-1]
		}
		up[k] = -1
		if len(open) > 0 {
			up[k] = open[len(open)-1]
		}
		open = append(open, int32(k))
	}
	return up
}

// path says what a line is in, the nearest first: ` < row "Ann" < table "Users"`.
func (l *layout) path(k int, up []int32) string {
	var b strings.Builder
	parts := 0
	for p := up[k]; p >= 0 && parts < 4; p = up[p] {
		n := &l.t.Nodes[l.lines[p].node]
		if n.Role == "generic" && blank(n.Name) {
			continue
		}
		b.WriteString(" < ")
		switch name := clip(n.Name, 40); {
		case l.lines[p].whole:
			b.WriteString(cutTo(string(l.text(int(p))), 16))
			if quoteOpen(b.String()) {
				b.WriteByte('"')
			}
		case blank(name):
			b.WriteString(n.Role)
		case n.Role == "text" || n.Role == "heading":
			b.WriteString(Quote(name))
		default:
			b.WriteString(n.Role + " " + Quote(name))
		}
		parts++
	}
	return b.String()
}
