package gherkin

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

func (p *parser) steps() ([]*Step, bool) {
	var steps []*Step
	for {
		l, ok := p.next()
		if !ok || l.kind != step {
			return steps, true
		}
		if l.rest == "" {
			return nil, p.fail("a step with nothing in it", "what to do, behind the '*'")
		}
		keyword := l.text[:strings.IndexAny(l.text, " \t")]
		column := l.column()
		s := &Step{
			Line: p.at + 1, Column: column, EndLine: p.at + 1, Keyword: keyword, Text: l.rest,
			TextColumn: column + utf8.RuneCountInString(l.text[:len(l.text)-len(l.rest)]),
		}
		steps = append(steps, s)
		p.at++
		l, ok = p.next()
		if !ok {
			return steps, true
		}
		switch l.kind {
		case quotes:
			if s.DocString, ok = p.docString(); !ok {
				return nil, false
			}
			s.EndLine = p.at
		case row:
			if s.Table, ok = p.table(); !ok {
				return nil, false
			}
			s.EndLine = s.Table.Rows[len(s.Table.Rows)-1].Line
		}
	}
}

// docString reads from the line of the opening quotes to behind the closing ones,
// which may stand anywhere in a line. What follows them is dropped.
func (p *parser) docString() (*DocString, bool) {
	first := p.at
	d := &DocString{Line: first + 1}
	open := p.lines[first].rest
	if inside, _, ok := strings.Cut(open, docQuotes); ok {
		d.Text = strings.TrimSpace(inside)
		p.at++
		return d, true
	}
	var lines []string
	if contentType(strings.TrimSpace(open)) {
		d.ContentType = strings.TrimSpace(open)
		lines = append(lines, "")
	} else {
		lines = append(lines, open)
	}
	for p.at++; p.at < len(p.lines); p.at++ {
		raw := p.lines[p.at].raw
		inside, _, closed := strings.Cut(raw, docQuotes)
		if !closed {
			lines = append(lines, raw)
			continue
		}
		p.at++
		d.Text = unindent(append(lines, inside))
		return d, true
	}
	p.at = first
	return nil, p.fail("this doc string has no end", `'"""' below it`)
}

// contentType says whether what stands behind opening quotes names a type of
// content, such as json or text/plain, and is no content itself.
func contentType(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/+.-", r)
	})
}

// unindent takes away as much indentation as the first line with text has, from
// each line that has as much, and blank lines around.
func unindent(lines []string) string {
	margin := -1
	var out strings.Builder
	for i, l := range lines {
		text := strings.TrimLeft(l, " \t\r")
		indent := len(l) - len(text)
		if margin < 0 && text != "" && i > 0 {
			margin = indent
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		if margin > 0 && indent >= margin {
			l = l[margin:]
		}
		out.WriteString(strings.TrimSuffix(l, "\r"))
	}
	return strings.TrimSpace(out.String())
}

func (p *parser) table() (*Table, bool) {
	t := &Table{Line: p.at + 1}
	for {
		l, ok := p.next()
		if !ok || l.kind != row {
			return t, true
		}
		cells := cells(l.text)
		if len(t.Rows) > 0 && len(cells) != len(t.Rows[0].Cells) {
			want := len(t.Rows[0].Cells)
			return nil, p.fail(fmt.Sprintf("this row has %s, the first one has %d", count(len(cells), "cell"), want), count(want, "cell"))
		}
		t.Rows = append(t.Rows, Row{Line: p.at + 1, Cells: cells})
		p.at++
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// cells splits a row at its bars. A bar behind a backslash is part of a cell. The
// last bar may be missing.
func cells(text string) []string {
	text = text[1:]
	var found []string
	var cell strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '|':
			i++
			cell.WriteByte('|')
		case text[i] == '|':
			found = append(found, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(text[i])
		}
	}
	if rest := strings.TrimSpace(cell.String()); rest != "" || len(found) == 0 {
		found = append(found, rest)
	}
	return found
}
