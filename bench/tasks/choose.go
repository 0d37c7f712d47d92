package main

import (
	"regexp"
	"strconv"
	"strings"

	"rove"
)

// What solvers say about a view: which line they mean, and what the query names.

// all are the lines with a ref of some roles, as in "button|link", and a name that
// fits; "" is any role, nil any name.
func (p *page) all(roles string, fits func(line) bool) []line {
	var out []line
	for _, l := range p.lines {
		if l.ref == "" || l.role == "canvas" || roles != "" && !strings.Contains("|"+roles+"|", "|"+l.role+"|") {
			continue
		}
		if fits == nil || fits(l) {
			out = append(out, l)
		}
	}
	return out
}

// one is the ref of the first line that has these roles and this name.
func (p *page) one(roles, name string) string {
	if list := p.all(roles, named(name)); len(list) > 0 {
		return list[0].ref
	}
	p.fail("there is no %s %q in\n%s", roles, name, p.view)
	return ""
}

func named(name string) func(line) bool { return func(l line) bool { return l.name == name } }

// mentions fits lines that have a word anywhere: a name, or what stands for one.
func mentions(word string) func(line) bool {
	re := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word) + `\b`)
	return func(l line) bool { return re.MatchString(l.raw) }
}

func (p *page) has(roles, name string) bool { return len(p.all(roles, named(name))) > 0 }
func (p *page) fields() []line              { return p.all("textbox|searchbox|spinbutton", nil) }
func (p *page) click(name string)           { p.act(p.one("", name), "click") }
func (p *page) submit()                     { p.act(p.one("button|clickable", "Submit"), "click") }
func (p *page) over() bool                  { return p.has("clickable", "START") }

// fill fills fields in one call and presses Submit with it.
func (p *page) fill(values map[string]string) {
	var steps []rove.Step
	for _, f := range p.fields() {
		if v, ok := values[f.ref]; ok {
			steps = append(steps, rove.Step{Ref: f.ref, Op: "input", Value: v})
		}
	}
	p.steps(append(steps, rove.Step{Ref: p.one("button|clickable", "Submit"), Op: "click"})...)
}

// answer fills in the only field and submits.
func (p *page) answer(text string) { p.fill(map[string]string{p.fields()[0].ref: text}) }

// asked matches the query.
func (p *page) asked(pattern string) []string {
	m := regexp.MustCompile(pattern).FindStringSubmatch(p.query)
	if m == nil {
		p.fail("the query does not match %s", pattern)
	}
	return m
}

func (p *page) asks(word string) bool { return strings.Contains(p.query, word) }

var quotedPart = regexp.MustCompile(`"([^"]*)"`)

// quoted are the texts in quotation marks in the query.
func (p *page) quoted() []string {
	var out []string
	for _, m := range quotedPart.FindAllStringSubmatch(p.query, -1) {
		out = append(out, m[1])
	}
	return out
}

// nth is the place that the query gives as 1st, 2nd and so on, from 0.
func (p *page) nth(pattern string) int { return number(p.asked(pattern)[1]) - 1 }

// texts are the texts of the view after the query, up to the set's own lines.
func (p *page) texts() []string {
	var out []string
	for _, l := range p.lines[1:] {
		if strings.HasPrefix(l.name, "Last reward:") {
			break
		}
		if l.role == "text" {
			out = append(out, l.name)
		}
	}
	return out
}

// number reads a whole number at the beginning of a text, after a $ too.
func number(s string) int {
	s = strings.TrimLeft(strings.TrimSpace(s), "$")
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || end == 0 && s[end] == '-') {
		end++
	}
	n, _ := strconv.Atoi(s[:end]) // 0 when there is none
	return n
}
