package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

func clickNamed(names ...string) func(*page) {
	return func(p *page) {
		for _, n := range names {
			p.click(n)
		}
	}
}

func clickAsked(pattern string) func(*page) {
	return func(p *page) { p.click(p.asked(pattern)[1]) }
}

func clickQuoted(p *page) {
	name := p.quoted()[0]
	if name == "x" { // a cross, whose name is what it does
		name = "Close"
	}
	p.click(name)
}

func clickWidget(p *page) {
	kind := p.quoted()[0]
	for _, l := range p.all("", nil) {
		is := l.role
		if l.role == "textbox" {
			is = "text"
			if strings.Contains(l.raw, "(textarea)") {
				is = "textarea"
			}
		}
		if is == kind {
			p.act(l.ref, "click")
			return
		}
	}
	p.fail("no %s in\n%s", kind, p.view)
}

func gridCoordinate(p *page) {
	at := p.asked(`\(.*?\)`)[0]
	p.act(fmt.Sprintf(`[id="%s"]`, at), "click")
}

func buttonDelay(p *page) {
	p.click("ONE")
	p.wait(p.asked(`wait (\d+) sec`)[1] + "000") // the task itself is to wait
	p.click("TWO")
}

func byNumber(a, b line) int { return cmp.Compare(number(a.name), number(b.name)) }

func ascending(p *page) {
	// The first is a word of a drawing, named as it is printed; a click on it turns the others into boxes.
	p.act(`"1"`, "click")
	p.look()
	for _, l := range p.all("clickable", nil) {
		p.act(l.ref, "click")
	}
}

func findGreatest(p *page) {
	p.act(slices.MaxFunc(p.all("clickable", nil), byNumber).ref, "click")
	p.submit()
}

func oddOrEven(p *page) {
	for i, l := range p.lines {
		if l.role != "button" || l.name != "Odd" {
			continue
		}
		if number(p.lines[i+1].name)%2 != 0 {
			p.act(l.ref, "click")
		} else {
			p.act(p.lines[i+2].ref, "click")
		}
	}
	p.submit()
}

// ticTacToe plays X, and never loses where it need not. A mark is a picture, and
// the cell's class.
func ticTacToe(p *page) {
	cells := p.all("clickable", nil)
	for {
		var b board
		for i := range b {
			b[i] = map[string]int{"mark-x": 1, "mark-o": -1}[p.attribute(cells[i].ref, "class")]
		}
		best, pick := -100.0, -1
		for i := range b {
			if v := b.after(i, 1); b[i] == 0 && v > best {
				best, pick = v, i
			}
		}
		if pick < 0 {
			break
		}
		p.act(cells[pick].ref, "click")
		if p.look(); p.over() {
			break
		}
	}
	if strings.Contains(p.view, "Last reward: -") {
		p.unfair = "the page's dice did not let this game be won"
	}
}

// board has 1 for X and -1 for O.
type board [9]int

var inLine = [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// after is what a move is worth to X: 1 is a win, -5 a loss; O plays anything.
func (b board) after(move, who int) float64 {
	b[move] = who
	for _, l := range inLine {
		if b[l[0]] == who && b[l[1]] == who && b[l[2]] == who {
			return map[int]float64{1: 1, -1: -5}[who]
		}
	}
	sum, n, best := 0.0, 0, -100.0
	for i := range b {
		if b[i] == 0 {
			v := b.after(i, -who)
			sum, n, best = sum+v, n+1, max(best, v)
		}
	}
	switch {
	case n == 0:
		return 0
	case who == 1:
		return sum / float64(n)
	}
	return best
}

// searchTabs opens one section after the other until the link is there.
func searchTabs(p *page) {
	want := p.quoted()[0]
	for _, tab := range p.all("tab", nil) {
		if !strings.Contains(tab.raw, "selected") {
			p.act(tab.ref, "click")
			p.look()
		}
		if p.over() {
			return
		}
		if p.has("clickable|link", want) {
			p.act(p.one("clickable|link", want), "click")
			return
		}
	}
	p.fail("no section has %q", want)
}

func expandAndSubmit(p *page) {
	p.act(p.all("tab", mentions("Section"))[0].ref, "click")
	p.submit()
}

// navigateTree opens folders, which stand below their handles, until the name is there.
func navigateTree(p *page) {
	want := p.quoted()[0]
	opened := map[string]bool{}
	for !p.has("", want) {
		folders := p.all("clickable", func(l line) bool { return l.name != "" && !opened[l.ref] })
		if len(folders) == 0 {
			p.fail("no folder is left in\n%s", p.view)
		}
		opened[folders[0].ref] = true
		p.act(folders[0].ref, "click")
		p.look()
	}
	p.click(want)
}

func menuPath(p *page) {
	path := strings.Split(strings.TrimRight(p.asked(`Select (.*)`)[1], ". "), ">")
	for i, name := range path {
		if i < len(path)-1 {
			p.act(p.one("menuitem", name), "hover")
			p.wait("{div}" + path[i+1])
			p.look()
			continue
		}
		p.act(p.one("menuitem", name), "click")
	}
}

// menuItem is given by its name, or by the icon that stands beside it.
func menuItem(p *page) {
	name := ""
	if q := p.quoted(); len(q) > 1 {
		name = q[1]
	} else {
		var icon string
		p.see(`document.querySelector('#query .ui-icon').className`, &icon)
		for class, n := range map[string]string{"disk": "Save", "seek-start": "Prev", "stop": "Stop", "play": "Play", "seek-end": "Next", "zoomin": "Zoom In", "zoomout": "Zoom Out"} {
			if strings.HasSuffix(icon, "ui-icon-"+class) {
				name = n
			}
		}
	}
	p.click("Menu")
	p.look()
	if !p.has("menuitem", name) {
		p.act(p.one("menuitem", "Playback"), "hover")
		p.wait("text:Stop")
		p.look()
	}
	p.act(p.one("menuitem", name), "click")
}

// pie opens a round menu. Its first item is chosen from the start, and takes
// itself out and in again whenever the pointer is over it: no press reaches it, of
// nobody's hand.
func pie(p *page) {
	want := p.quoted()[0]
	if !slices.ContainsFunc(p.all("clickable", nil), func(l line) bool { return l.name == want }) {
		p.unfair = "the first item of this menu cannot be pressed"
		return
	}
	p.click("+")
	p.wait("idle")
	p.click(want)
}

func phoneBook(p *page) {
	m := p.asked(`Find (\w+) in the contact book and click on their (phone|email|address)`)
	for !p.has("heading", m[1]) && !strings.Contains(p.view, `heading "`+m[1]+`"`) {
		p.click(">")
		p.look()
	}
	for i, l := range p.lines {
		if strings.EqualFold(l.name, m[2]+":") {
			p.act(p.lines[i+1].ref, "click")
			return
		}
	}
	p.fail("no %s in\n%s", m[2], p.view)
}

var pager = regexp.MustCompile(`^[<>\d]+$`)

func searchEngine(p *page) {
	n := p.nth(`click the (\d+)`)
	p.act(p.fields()[0].ref, "input", p.quoted()[0])
	p.click("Search")
	p.look()
	for range n / 3 { // three to a page
		p.click(">")
		p.look()
	}
	results := p.all("link", func(l line) bool { return !pager.MatchString(l.name) })
	p.act(results[n%3].ref, "click")
}
