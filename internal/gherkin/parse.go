package gherkin

import (
	"strings"
	"unicode/utf8"
)

// Parse reads a feature file. Its error is an *Error.
func Parse(path string, src []byte) (*Feature, error) {
	text := strings.TrimPrefix(string(src), "\ufeff")
	p := &parser{path: path, lines: split(text), feature: &Feature{Path: path}}
	if !p.header() || !p.sections() {
		return nil, p.err
	}
	return p.feature, nil
}

type parser struct {
	path    string
	lines   []line
	at      int // the line that is next
	feature *Feature
	err     *Error
}

type line struct {
	text string // without indentation and white space at its end
	raw  string
	kind kind
	rest string // what follows the keyword
}

type kind int

const (
	blank kind = iota
	comment
	tags
	featureLine
	backgroundLine
	scenarioLine
	outlineLine
	examplesLine
	step
	row
	quotes
	other
)

var sectionWords = []struct {
	word string
	kind kind
}{
	{"Scenario:", scenarioLine},
	{"Scenario Outline:", outlineLine},
	{"Examples:", examplesLine},
	{"Background:", backgroundLine},
	{"Feature:", featureLine},
}

var stepWords = []string{"*", "Given", "When", "Then", "And", "But"}

const docQuotes = `"""`

func split(text string) []line {
	lines := make([]line, 0, strings.Count(text, "\n")+1)
	for raw := range strings.SplitSeq(text, "\n") {
		raw = strings.TrimSuffix(raw, "\r")
		l := line{raw: raw, text: strings.Trim(raw, " \t\r\f\v\u00a0\ufeff")}
		l.kind, l.rest = classify(l.text)
		lines = append(lines, l)
	}
	return lines
}

func classify(text string) (kind, string) {
	if text == "" {
		return blank, ""
	}
	switch text[0] {
	case '#':
		return comment, ""
	case '@':
		return tags, ""
	case '|':
		return row, ""
	case '"':
		if strings.HasPrefix(text, docQuotes) {
			return quotes, text[len(docQuotes):]
		}
		return other, ""
	}
	if text == "*" {
		return step, ""
	}
	for _, word := range stepWords {
		if rest, ok := strings.CutPrefix(text, word); ok && rest != "" && (rest[0] == ' ' || rest[0] == '\t') {
			return step, strings.TrimLeft(rest, " \t")
		}
	}
	for _, w := range sectionWords {
		if rest, ok := strings.CutPrefix(text, w.word); ok {
			return w.kind, strings.TrimSpace(rest)
		}
	}
	return other, ""
}

// next gives the next line that is neither blank nor a comment, without passing
// it; false at the end. Comments on the way are kept.
func (p *parser) next() (line, bool) {
	for p.at < len(p.lines) {
		l := p.lines[p.at]
		switch l.kind {
		case comment:
			p.comment()
		case blank:
		default:
			return l, true
		}
		p.at++
	}
	return line{}, false
}

func (p *parser) comment() {
	l := p.lines[p.at]
	p.feature.Comments = append(p.feature.Comments, Comment{Line: p.at + 1, Column: l.column(), Text: l.text})
}

func (l line) column() int {
	return utf8.RuneCountInString(l.raw[:strings.Index(l.raw, l.text)]) + 1
}

func (p *parser) fail(message, expected string) bool {
	number, column := len(p.lines), 1
	if p.at < len(p.lines) {
		number, column = p.at+1, p.lines[p.at].column()
	}
	p.err = &Error{Path: p.path, Line: number, Column: column, Message: message, Expected: expected}
	return false
}

// unexpected fails at the current line, in words that show it.
func (p *parser) unexpected(expected string) bool {
	l, ok := p.next()
	if !ok {
		return p.fail("the file ends here", expected)
	}
	return p.fail("unexpected "+quoted(l.text), expected)
}

func quoted(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return "'" + s + "'"
}

func (p *parser) header() bool {
	p.feature.Tags = p.tags()
	l, ok := p.next()
	for ok && l.kind == other {
		// Text before the feature, such as a licence, says nothing.
		p.at++
		p.feature.Tags = append(p.feature.Tags, p.tags()...)
		l, ok = p.next()
	}
	if !ok || l.kind != featureLine {
		return p.unexpected("'Feature:' first, after tags and comments")
	}
	p.feature.Line = p.at + 1
	p.feature.Name = l.rest
	p.at++
	p.feature.Description = p.description(func() bool {
		switch p.lines[p.at].kind {
		case backgroundLine, scenarioLine, outlineLine:
			return true
		case tags:
			return p.tagged()
		}
		return false
	})
	return true
}

// tagged says whether the tags here belong to a scenario or to examples: a free
// description may have lines that begin with "@" too. Where steps follow below
// something else, that was meant to be a scenario, and is a mistake to tell.
func (p *parser) tagged() bool {
	free := false
	for _, l := range p.lines[p.at:] {
		switch l.kind {
		case tags, blank, comment:
		case scenarioLine, outlineLine, examplesLine, backgroundLine:
			return !free
		case step:
			return true
		default:
			free = true
		}
	}
	return false
}

// description reads free lines up to the one at which end says so. Comments are
// no part of it.
func (p *parser) description(end func() bool) string {
	start := p.at
	var text strings.Builder
	quoted := -1 // the last line of a text in triple quotes
	for p.at < len(p.lines) && (p.at <= quoted || !end()) {
		l := p.lines[p.at]
		if p.at > quoted && l.kind == quotes && !strings.Contains(l.rest, docQuotes) {
			quoted = p.closing()
		}
		if l.kind == comment && p.at > quoted {
			p.comment()
		} else {
			if p.at > start {
				text.WriteByte('\n')
			}
			text.WriteString(strings.TrimRight(p.lines[p.at].raw, " \t\r"))
		}
		p.at++
	}
	return strings.TrimSpace(text.String())
}

// closing gives the line that closes the triple quotes that open here; -1 where
// there is none.
func (p *parser) closing() int {
	for i := p.at + 1; i < len(p.lines); i++ {
		if strings.Contains(p.lines[i].raw, docQuotes) {
			return i
		}
	}
	return -1
}

func (p *parser) tags() []Tag {
	var found []Tag
	for {
		l, ok := p.next()
		if !ok || l.kind != tags {
			return found
		}
		column := l.column()
		rest := l.text
		for rest != "" {
			word := rest
			if i := strings.IndexAny(rest, " \t"); i >= 0 {
				word = rest[:i]
			}
			if word[0] == '#' {
				break // a comment behind the tags
			}
			if word[0] == '@' && len(word) > 1 {
				found = append(found, Tag{Line: p.at + 1, Column: column, Text: word[1:]})
			}
			after := strings.TrimLeft(rest[len(word):], " \t")
			column += utf8.RuneCountInString(rest[:len(rest)-len(after)])
			rest = after
		}
		p.at++
	}
}

func (p *parser) sections() bool {
	for {
		mine := p.tags()
		l, ok := p.next()
		if !ok {
			if len(mine) > 0 {
				return p.fail("these tags have no scenario", "'Scenario:' or 'Scenario Outline:' behind them")
			}
			return true
		}
		switch l.kind {
		case backgroundLine:
			if p.feature.Background != nil {
				return p.fail("a second 'Background:'", "one, before the first scenario")
			}
			if len(p.feature.Scenarios) > 0 {
				return p.fail("'Background:' behind a scenario", "it before the first scenario")
			}
			if !p.background() {
				return false
			}
		case scenarioLine, outlineLine:
			if !p.scenario(mine, l) {
				return false
			}
		default:
			return p.unexpected("a step, '@tag', 'Scenario:' or 'Scenario Outline:'")
		}
	}
}

// toSteps ends the description of a scenario.
func (p *parser) toSteps() bool {
	switch p.lines[p.at].kind {
	case step, scenarioLine, outlineLine, backgroundLine, examplesLine:
		return true
	case tags:
		return p.tagged()
	}
	return false
}

func (p *parser) background() bool {
	b := &Background{Line: p.at + 1, Name: p.lines[p.at].rest}
	p.feature.Background = b
	p.at++
	b.Description = p.description(p.toSteps)
	var ok bool
	b.Steps, ok = p.steps()
	return ok
}

func (p *parser) scenario(mine []Tag, l line) bool {
	s := &Scenario{Line: p.at + 1, Tags: mine, Name: l.rest, Outline: l.kind == outlineLine}
	p.at++
	s.Description = p.description(p.toSteps)
	var ok bool
	if s.Steps, ok = p.steps(); !ok {
		return false
	}
	for {
		saved, comments := p.at, len(p.feature.Comments)
		mine := p.tags()
		l, ok := p.next()
		if !ok || l.kind != examplesLine {
			p.at, p.feature.Comments = saved, p.feature.Comments[:comments]
			break
		}
		if !s.Outline {
			return p.fail("'Examples:' below a scenario that is no outline", "'Scenario Outline:' above")
		}
		if !p.examples(s, mine, l) {
			return false
		}
	}
	if s.Outline && len(s.Examples) == 0 {
		return p.unexpected("'Examples:' with a table, for the 'Scenario Outline:' above")
	}
	p.feature.Scenarios = append(p.feature.Scenarios, s)
	return true
}

func (p *parser) examples(s *Scenario, mine []Tag, l line) bool {
	e := &Examples{Line: p.at + 1, Tags: mine, Name: l.rest}
	p.at++
	e.Description = p.description(func() bool {
		switch p.lines[p.at].kind {
		case row, scenarioLine, outlineLine, examplesLine:
			return true
		}
		return false
	})
	next, ok := p.next()
	if !ok || next.kind != row {
		return p.unexpected("a table below 'Examples:'")
	}
	if e.Table, ok = p.table(); !ok {
		return false
	}
	s.Examples = append(s.Examples, e)
	return true
}
