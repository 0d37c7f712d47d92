package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"rove"
	"rove/bench/token"
)

// page is what a solver has: the verbs, and what the last look said.
type page struct {
	ctx     context.Context
	s       *rove.Session
	verbose bool

	query string // what the task asks for: the first line of the view
	view  string
	lines []line

	calls, tokens int    // of the verbs, and of what they answered
	byEval        bool   // something was seen by eval
	unfair        string // why this episode is passed over
}

// line is one element or text of a view.
type line struct {
	ref, role, name, value string
	raw                    string
	depth                  int
}

// failure ends a solver; attempt makes an error of it.
type failure struct{ message string }

func (p *page) fail(format string, args ...any) { panic(failure{fmt.Sprintf(format, args...)}) }

func (p *page) attempt(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = fmt.Errorf("%s\n%s", p.query, r.message)
		default: // a solver that counted on what is not there
			err = fmt.Errorf("%s\n%v in\n%s", p.query, r, p.view)
		}
	}()
	f()
	return nil
}

// answered counts a call and what a model would have read of it.
func (p *page) answered(call, text string) {
	p.calls++
	n, err := token.Count(text)
	if err != nil {
		p.fail("%v", err)
	}
	p.tokens += n
	if p.verbose {
		fmt.Printf("> %s\n%s\n", call, text)
	}
}

func (p *page) look() {
	r, err := p.s.Look(p.ctx, rove.LookOptions{})
	if err != nil {
		p.fail("look: %v", err)
	}
	p.view = r.Text()
	p.answered("look", p.view)
	p.lines = parse(p.view)
}

// find looks for a text and answers the ref of the line that has it.
func (p *page) find(text string) string {
	r, err := p.s.Look(p.ctx, rove.LookOptions{Find: text})
	if err != nil {
		p.fail("look: %v", err)
	}
	p.answered("look find "+text, r.Text())
	lines := parse(r.Text())
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].ref != "" {
			return lines[i].ref
		}
	}
	p.fail("nothing says %q:\n%s", text, r.Text())
	return ""
}

// act does one thing and answers with the receipt's text.
func (p *page) act(ref, op string, value ...string) string {
	text, err := p.try(ref, op, value...)
	if err != nil {
		p.fail("act %s %s: %v\n%s", ref, op, err, p.view)
	}
	return text
}

func (p *page) try(ref, op string, value ...string) (string, error) {
	if ref == "" {
		p.fail("%s: nothing to do it to in\n%s", op, p.view)
	}
	r, err := p.s.Act(p.ctx, rove.Step{Ref: ref, Op: op, Value: strings.Join(value, "")})
	if r == nil {
		return "", err
	}
	p.answered(fmt.Sprintf("act %s %s %s", ref, op, value), r.Text())
	return r.Text(), err
}

// steps does several things in one call.
func (p *page) steps(steps ...rove.Step) {
	r, err := p.s.Act(p.ctx, steps...)
	if r != nil {
		p.answered(fmt.Sprintf("act %v", steps), r.Text())
	}
	if err != nil {
		p.fail("act %v: %v\n%s", steps, err, p.view)
	}
}

// attribute reads an attribute of an element, as a model can; "" where there is none.
func (p *page) attribute(ref, name string) string {
	r, err := p.s.Act(p.ctx, rove.Step{Ref: ref, Op: "attribute", Value: name})
	if err != nil {
		return "" // it has none
	}
	p.answered("act "+ref+" attribute "+name, r.Text())
	if t := r.Done[0].Effect.Text; t != nil && *t != "null" {
		return *t
	}
	return ""
}

// wait waits for a condition. The time it may take is that of the set's slowest page.
func (p *page) wait(condition string) {
	if err := p.waitFor(condition, 20*time.Second); err != nil {
		p.fail("wait %s: %v", condition, err)
	}
}

func (p *page) waitFor(condition string, timeout time.Duration) error {
	r, err := p.s.Wait(p.ctx, condition, timeout)
	if r != nil {
		p.answered("wait "+condition, r.Text())
	}
	return err
}

// run evaluates something about the episode, not about what there is to see.
func (p *page) run(js string) string {
	r, err := p.s.Eval(p.ctx, js)
	if err != nil {
		p.fail("eval: %v", err)
	}
	return r.Result
}

// read decodes the result of run.
func (p *page) read(js string, into any) {
	if text := p.run(js); json.Unmarshal([]byte(text), into) != nil {
		p.fail("eval %s: %s", js, text)
	}
}

// see has eval see what the view does not say: colours, pictures, places.
func (p *page) see(js string, into any) {
	p.byEval = true
	p.calls++
	p.read(js, into)
}

var (
	elementLine = regexp.MustCompile(`^( *)(?:((?:f\d+)?e\d+) )?([a-zA-Z]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$`)
	textLine    = regexp.MustCompile(`^( *)(?:((?:f\d+)?e\d+) )?"((?:[^"\\]|\\.)*)"(.*)$`)
	valuePart   = regexp.MustCompile(`="((?:[^"\\]|\\.)*)"`)
)

// parse reads a view: its elements and texts, the cells of a row one by one. The
// first line, address and title, and the last, what can be done, are left out.
func parse(view string) []line {
	var out []line
	for i, raw := range strings.Split(view, "\n") {
		if i == 0 || strings.HasPrefix(raw, "can: ") {
			continue
		}
		for _, cell := range cells(raw) {
			if m := textLine.FindStringSubmatch(cell); m != nil {
				out = append(out, line{ref: m[2], role: "text", name: unquote(m[3]), raw: cell, depth: len(m[1])})
				continue
			}
			if refs, rest := several(cell); len(refs) > 1 {
				names := counted(cell)
				for i, ref := range refs {
					l := line{ref: ref, role: rest, raw: cell}
					if len(names) == len(refs) {
						l.name = names[i]
					}
					out = append(out, l)
				}
				continue
			}
			m := elementLine.FindStringSubmatch(cell)
			if m == nil {
				out = append(out, line{role: "text", name: strings.TrimSpace(cell), raw: cell})
				continue
			}
			l := line{ref: m[2], role: m[3], name: unquote(m[4]), raw: cell, depth: len(m[1])}
			if v := valuePart.FindStringSubmatch(m[5]); v != nil {
				l.value = unquote(v[1])
			}
			out = append(out, l)
		}
	}
	return out
}

var joinedLine = regexp.MustCompile(`^ *((?:e\d+(?:…\d+)? )+)(?:\d+ )?([a-z]+)`)

// several are the refs of a line that stands for several elements, and their role: "e4…7 clickable", "e4 e5 clickable".
func several(cell string) (refs []string, role string) {
	m := joinedLine.FindStringSubmatch(cell)
	if m == nil {
		return nil, ""
	}
	for _, part := range strings.Fields(m[1]) {
		first, last, many := strings.Cut(strings.TrimPrefix(part, "e"), "…")
		if !many {
			last = first
		}
		for n := number(first); n <= number(last); n++ {
			refs = append(refs, "e"+strconv.Itoa(n))
		}
	}
	return refs, m[2]
}

var (
	stretch = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"(?: … "((?:[^"\\]|\\.)*)")?`)
	figure  = regexp.MustCompile(`\d+`)
)

// counted are the names of elements that count on, as in `e12…39 28 link "4" … "31"`.
func counted(cell string) (names []string) {
	for _, m := range stretch.FindAllStringSubmatch(cell, -1) {
		name := unquote(m[1])
		names = append(names, name)
		at := figure.FindStringIndex(name)
		if m[2] == "" || at == nil {
			continue
		}
		last, rest := unquote(m[2]), name[at[1]:]
		for n := number(name[at[0]:at[1]]) + 1; name != last && n < 10000; n++ {
			name = name[:at[0]] + strconv.Itoa(n) + rest
			names = append(names, name)
		}
	}
	return names
}

// cells cuts a line at the bars between its cells, not at those in its texts.
func cells(s string) []string {
	var out []string
	in, start := false, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '"':
			in = !in
		case !in && strings.HasPrefix(s[i:], " | "):
			out = append(out, s[start:i])
			start = i + 3
		}
	}
	return append(out, s[start:])
}

func unquote(s string) string {
	if t, err := strconv.Unquote(`"` + s + `"`); err == nil {
		return t
	}
	return s
}
