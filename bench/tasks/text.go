package main

import (
	"regexp"
	"strconv"
	"strings"

	"rove"
)

func joined(s string) string { return strings.ReplaceAll(s, " ", "") }

func enterInCase(p *page) {
	text := strings.ToLower(p.quoted()[0])
	if p.asks("upper") {
		text = strings.ToUpper(text)
	}
	p.answer(text)
}

func enterPassword(p *page) {
	values := map[string]string{}
	for _, f := range p.fields() {
		values[f.ref] = p.quoted()[0]
	}
	p.fill(values)
}

func enterDate(p *page) {
	m := p.asked(`(\d\d)/(\d\d)/(\d{4})`)
	p.act(p.fields()[0].ref, "set", m[3]+"-"+m[1]+"-"+m[2])
	p.submit()
}

func enterTime(p *page) {
	m := p.asked(`(\d+):(\d\d) (AM|PM)`)
	h := number(m[1]) % 12
	if m[3] == "PM" {
		h += 12
	}
	p.act(p.fields()[0].ref, "set", strconv.Itoa(100 + h)[1:]+":"+m[2])
	p.submit()
}

func login(p *page) {
	f, q := p.fields(), p.quoted()
	p.steps(rove.Step{Ref: f[0].ref, Op: "input", Value: q[0]}, rove.Step{Ref: f[1].ref, Op: "input", Value: q[1]},
		rove.Step{Ref: p.one("button", "Login"), Op: "click"})
}

// loginWithPopup is interrupted by a dialog at one of its fields.
func loginWithPopup(p *page) {
	f, q := p.fields(), p.quoted()
	for i := range q {
		_, err := p.try(f[i].ref, "input", q[i])
		if p.look(); p.has("button", "Cancel") {
			p.click("Cancel")
			p.act(f[i].ref, "input", q[i])
		} else if err != nil {
			p.fail("%v", err)
		}
	}
	p.look()
	p.click("OK")
}

func findWord(p *page) {
	words := strings.Fields(p.texts()[0])
	p.answer(strings.Trim(words[p.nth(`the (\d+)\w\w word`)], ".,"))
}

// cell is what stands beside a key in a table of two columns.
func (p *page) cell(key string) string {
	for _, t := range p.texts() {
		if value, ok := strings.CutPrefix(t, key+" | "); ok {
			return value
		}
	}
	p.fail("no row %q in\n%s", key, p.view)
	return ""
}

func readTable(p *page) { p.answer(p.cell(p.asked(`value of (.*) into`)[1])) }

func readTable2(p *page) {
	values := map[string]string{}
	for i, l := range p.lines {
		if l.role == "textbox" {
			values[l.ref] = p.cell(strings.TrimSuffix(p.lines[i-1].name, ":"))
		}
	}
	p.fill(values)
}

var problem = regexp.MustCompile(`^(-?\d+|x) ([-+x]) (-?\d+|x) =(?: (-?\d+))?`)

// calculate is what two numbers make.
func calculate(a int, op string, b int) int {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	}
	return a * b
}

func (p *page) problem() []string {
	m := problem.FindStringSubmatch(p.texts()[0])
	if m == nil {
		p.fail("%q is no problem", p.texts()[0])
	}
	return m
}

func arithmetic(p *page) {
	m := p.problem()
	p.answer(strconv.Itoa(calculate(number(m[1]), m[2], number(m[3]))))
}

func algebra(p *page) {
	m := p.problem()
	value := func(s string, x int) int {
		if s == "x" {
			return x
		}
		return number(s)
	}
	for x := -1000; x <= 1000; x++ {
		if calculate(value(m[1], x), m[2], value(m[3], x)) == number(m[4]) {
			p.answer(strconv.Itoa(x))
			return
		}
	}
	p.fail("%q has no solution", m[0])
}

func guessNumber(p *page) {
	for lo, hi := 0, 9; lo <= hi; {
		n := (lo + hi) / 2
		p.answer(strconv.Itoa(n))
		p.look()
		switch {
		case strings.Contains(p.view, "lower than"):
			hi = n - 1
		case strings.Contains(p.view, "higher than"):
			lo = n + 1
		default:
			return
		}
	}
}

func generateNumber(p *page) {
	fits := func(n int) bool {
		switch {
		case p.asks("less"):
			return n < number(p.asked(`less than (\d+)`)[1])
		case p.asks("greater"):
			return n > number(p.asked(`greater than (\d+)`)[1])
		case p.asks("odd"):
			return n%2 != 0
		}
		return n%2 == 0
	}
	for range 50 {
		p.click("Generate")
		if p.look(); fits(number(p.texts()[0])) {
			p.submit()
			return
		}
	}
	p.fail("no number fits")
}

// visualAddition counts blocks that have neither a name nor anything to do.
func visualAddition(p *page) {
	var blocks int
	p.see("document.querySelectorAll('.addition-block').length", &blocks)
	p.answer(strconv.Itoa(blocks))
}

func copyPaste(p *page) {
	from, to := p.fields()[0], p.fields()[1]
	if from.value == "" {
		from, to = to, from
	}
	p.copy(from.ref, to.ref)
}

func copyPaste2(p *page) {
	f := p.fields()
	p.copy(f[p.nth(`(\d+)\w\w text area`)].ref, f[3].ref)
}

func (p *page) copy(from, to string) {
	p.steps(rove.Step{Ref: from, Op: "press", Value: "Control+A"}, rove.Step{Ref: from, Op: "press", Value: "Control+C"},
		rove.Step{Ref: to, Op: "press", Value: "Control+V"})
	p.submit()
}

// scrollText reads a text that is longer than a view shows of it.
func scrollText(p *page) {
	r, err := p.s.Act(p.ctx, rove.Step{Ref: p.fields()[0].ref, Op: "text"})
	if err != nil {
		p.fail("%v", err)
	}
	p.answered("act text", r.Text())
	words := strings.Fields(*r.Done[0].Effect.Text)
	p.fill(map[string]string{p.fields()[1].ref: strings.Trim(words[len(words)-1], ".,")})
}

func scrollText2(p *page) {
	end := "bottom"
	if p.asks("top") {
		end = "top"
	}
	p.act(p.fields()[0].ref, "scroll", end)
	p.submit()
}

func signAgreement(p *page) {
	if p.asks("Click the cancel") {
		p.click("Cancel")
		return
	}
	p.act(p.fields()[0].ref, "scroll", "bottom")
	p.look()
	p.act(p.one("textbox", "Name"), "input", p.quoted()[0])
	if p.asks(`"Cancel"`) {
		p.click("Cancel")
	} else {
		p.click("Agree")
	}
}

// textEditor marks a text and gives it a style by its key, or a colour by the
// swatch with that value.
func textEditor(p *page) {
	editor := p.all("textbox", nil)[0].ref
	if p.asks("everything") {
		p.act(editor, "press", "Control+A")
	} else {
		p.act(editor, "mark", p.asked(`the text (\S+) the`)[1])
	}
	style := p.asked(`the (?:style|color) (\w+)`)[1]
	if !p.asks("color") {
		p.act(editor, "press", "Control+"+style[:1])
		p.submit()
		return
	}
	p.act(p.all("", func(l line) bool { return strings.Contains(l.raw, "picker-label") || mentions("color")(l) })[0].ref, "click")
	p.look()
	hex := map[string]string{"red": "#e60000", "orange": "#ff9900", "yellow": "#ffff00", "green": "#008a00", "blue": "#0066cc", "purple": "#9933ff"}
	for _, l := range p.all("button|clickable|option", nil) {
		if v := p.attribute(l.ref, "data-value"); v != "" && (v == hex[style] || v == style) {
			p.act(l.ref, "click")
			p.submit()
			return
		}
	}
	p.fail("no swatch for %s in\n%s", style, p.view)
}

// terminal types ls, and rm of the file that fits.
func terminal(p *page) {
	keyboard := p.fields()[0].ref
	p.act(keyboard, "type", "ls")
	p.act(keyboard, "press", "Enter")
	p.look()
	_, listed, _ := strings.Cut(p.view, "ls")
	m := p.asked(`extension (\.[\w.]+)|(no) file ext`)
	for _, f := range regexp.MustCompile(`[\w.]+`).FindAllString(listed, -1) {
		if m[1] != "" && strings.HasSuffix(f, m[1]) || m[2] != "" && !strings.Contains(f, ".") {
			p.act(keyboard, "type", "rm "+f)
			p.act(keyboard, "press", "Enter")
			return
		}
	}
	p.fail("no file fits in\n%s", p.view)
}
