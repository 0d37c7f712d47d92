package main

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"rove"
)

func checkboxes(p *page) {
	names := strings.Split(p.asked(`^Select (.*) and click Submit`)[1], ", ")
	if names[0] == "nothing" {
		names = nil
	}
	p.check(names)
}

func (p *page) check(names []string) {
	var steps []rove.Step
	for _, n := range names {
		steps = append(steps, rove.Step{Ref: p.one("checkbox", n), Op: "check"})
	}
	p.steps(append(steps, rove.Step{Ref: p.one("button", "Submit"), Op: "click"})...)
}

// synonyms needs to know English: the groups of words are those of the page's script.
func synonyms(p *page) {
	var groups [][]string
	p.see("Object.values(SYNONYMS)", &groups)
	asked := strings.Split(p.asked(`similar to (.*) and click`)[1], ", ")
	var names []string
	for _, box := range p.all("checkbox", nil) {
		for _, g := range groups {
			words := " " + strings.Join(g, " ") + " "
			for _, a := range asked {
				if strings.Contains(words, " "+a+" ") && strings.Contains(words, " "+box.name+" ") {
					names = append(names, box.name)
				}
			}
		}
	}
	p.check(names)
}

// numberCheckboxes draws a digit after a picture of it.
func numberCheckboxes(p *page) {
	var rows [][]int
	p.see("PATTERNS["+p.quoted()[0]+"]", &rows)
	boxes := p.all("checkbox", nil)
	var steps []rove.Step
	for i, row := range rows {
		for j, on := range row {
			if on == 1 {
				steps = append(steps, rove.Step{Ref: boxes[i*len(row)+j].ref, Op: "check"})
			}
		}
	}
	p.steps(append(steps, rove.Step{Ref: p.one("button", "Submit"), Op: "click"})...)
}

func radioButton(p *page) {
	p.act(p.one("radio", p.asked(`Select (.*) and click`)[1]), "click")
	p.submit()
}

func chooseFrom(role, pattern string) func(*page) {
	return func(p *page) {
		p.act(p.all(role, nil)[0].ref, "select", p.asked(pattern)[1])
		p.submit()
	}
}

// slide moves a slider's handle by keys; its value is the number that follows it.
func (p *page) slide(ref string, to int) {
	for i, l := range p.lines {
		if l.ref != ref {
			continue
		}
		key, n := "ArrowRight", to-number(p.lines[i+1].name)
		if n < 0 {
			key, n = "ArrowLeft", -n
		}
		if n > 0 {
			p.act(ref, "press", strings.TrimSpace(strings.Repeat(key+" ", n)))
		}
	}
}

func handles(p *page) []line { return p.all("clickable|slider", mentions("slider-handle")) }

func oneSlider(p *page) {
	p.slide(handles(p)[0].ref, number(p.asked(`Select (-?\d+)`)[1]))
	p.submit()
}

func threeSliders(p *page) {
	var to []int
	if err := json.Unmarshal([]byte(p.asked(`\[.*\]`)[0]), &to); err != nil {
		p.fail("%v", err)
	}
	for i, h := range handles(p) {
		p.slide(h.ref, to[i])
	}
	p.submit()
}

func spinner(p *page) {
	p.act(p.all("spinbutton", nil)[0].ref, "set", p.asked(`Select (-?\d+)`)[1])
	p.submit()
}

func formSequence(p *page) {
	m := p.asked(`Select (-?\d+) with the slider, click the (\d+)\w\w checkbox`)
	p.slide(handles(p)[0].ref, number(m[1]))
	p.act(p.all("checkbox", nil)[number(m[2])-1].ref, "check")
	p.submit()
}

func formSequence2(p *page) {
	m := p.asked(`Check the (\d+)\w\w radio button and enter the number "(.*)" into the (\d+)\w\w textbox`)
	p.act(p.all("radio", nil)[number(m[1])-1].ref, "click")
	p.act(p.fields()[number(m[3])-1].ref, "input", m[2])
	p.submit()
}

func formSequence3(p *page) {
	m := p.asked(`Choose (.*) from the dropdown, then click the button labeled "(\w+)"`)
	p.act(p.all("clickable", nil)[0].ref, "click")
	p.look()
	p.click(m[1])
	p.click(m[2])
}

func colourByName(p *page) {
	hex := map[string]string{"red": "FF0000", "green": "00FF00", "blue": "0000FF", "yellow": "FFFF00", "black": "000000", "white": "FFFFFF", "orange": "FFA500", "purple": "800080", "pink": "FFC0CB", "brown": "A52A2A", "gray": "808080", "teal": "008080", "navy": "000080", "olive": "808000", "maroon": "800000", "lime": "00FF00", "aqua": "00FFFF", "violet": "EE82EE", "cyan": "00FFFF", "magenta": "FF00FF"}
	p.colour(hex[p.asked(`Select (\w+) with`)[1]])
}

func colourBySight(p *page) {
	var rgb []int
	p.see(`[...document.querySelectorAll('#query *')].map((e) => getComputedStyle(e).backgroundColor.match(/\d+/g).map(Number)).find((c) => c.length === 3)`, &rgb)
	hex := ""
	for _, c := range rgb {
		hex += strconv.FormatInt(int64(c)+256, 16)[1:]
	}
	p.colour(strings.ToUpper(hex))
}

// colour types a colour into the picker's field and leaves it, which closes the picker.
func (p *page) colour(hex string) {
	if hex == "" {
		p.fail("which colour is that?")
	}
	field := p.fields()[0].ref
	p.act(field, "input", hex)
	p.act(field, "press", "Tab")
	p.submit()
}

// movieSearch has labels before, above or in its fields, in any order.
func movieSearch(p *page) {
	m := p.asked(`Search for (\w+) movies directed by (.*) from year (\d+)`)
	values := map[string]string{"genre": m[1], "director": m[2], "year": m[3]}
	labelled := func(l line) string {
		for k := range values {
			if strings.Contains(strings.ToLower(l.raw), k) {
				return k
			}
		}
		if l.name == "Released Date" {
			return "year"
		}
		return ""
	}
	var labels, refs []string
	for _, l := range p.lines[1:] {
		if k := labelled(l); k != "" {
			labels = append(labels, k)
		}
		if l.role == "textbox" {
			refs = append(refs, l.ref)
		}
	}
	if len(labels) != len(refs) {
		p.fail("labels %v of fields %v in\n%s", labels, refs, p.view)
	}
	for i, ref := range refs {
		p.act(ref, "input", values[labels[i]])
	}
	p.act(p.all("button|clickable", nil)[0].ref, "click")
}

func orderFood(p *page) {
	var dish string
	kinds := map[string][]string{} // of a dish
	more := map[string]string{}    // the plus of a dish
	var menu []string
	for _, l := range p.lines[1:] {
		switch {
		case l.role == "text":
			dish = l.name
			menu = append(menu, dish)
		case l.role == "img":
			kinds[dish] = append(kinds[dish], l.name)
		case l.name == "+":
			more[dish] = l.ref
		}
	}
	var order []string
	if m := regexp.MustCompile(`one of each item: (.*)`).FindStringSubmatch(p.query); m != nil {
		order = strings.Split(m[1], ", ")
	} else {
		m := p.asked(`Order (\d+) items? that (?:is|are) ([\w-]+)`)
		for _, d := range menu {
			if strings.Contains(" "+strings.Join(kinds[d], " ")+" ", " "+m[2]+" ") && len(order) < number(m[1]) {
				order = append(order, d)
			}
		}
		for len(order) < number(m[1]) && len(order) > 0 {
			order = append(order, order[0])
		}
	}
	for _, d := range order {
		p.act(more[strings.TrimSpace(d)], "click")
	}
	p.click("Order!")
}
