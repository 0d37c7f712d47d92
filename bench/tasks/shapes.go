package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// dragAside drags the only thing there is in a direction.
func dragAside(p *page) {
	offsets := map[string]string{"left": "@-20,10", "right": "@50,10", "up": "@10,-20", "down": "@10,50"}
	item := p.all("clickable", nil)[0].ref
	p.act(item, "drag", item+offsets[p.asked(`(left|right|up|down) then`)[1]])
	p.submit()
}

// dragItem carries an item to another place in a list, or in a grid of so many columns.
func dragItem(columns int) func(*page) {
	return func(p *page) {
		m := p.asked(`Drag ([\w-]+) (.*)\.`)
		items := p.all("listitem", nil)
		from := slices.IndexFunc(items, named(m[1]))
		to := -1
		switch way := strings.Fields(m[2])[0]; {
		case way == "down":
			to = from + columns
		case way == "up":
			to = from - columns
		case way == "left":
			to = from - 1
		case way == "right":
			to = from + 1
		case columns == 3:
			to = slices.Index([]string{
				"to the top left", "to the top center", "to the top right",
				"to the center left", "to the center", "to the center right", "to the bottom left", "to the bottom center", "to the bottom right",
			}, m[2])
		case m[2] == "to the top":
			to = 0
		case m[2] == "to the bottom":
			to = len(items) - 1
		default:
			to = p.nth(`to the (\d+)`)
		}
		side := " before"
		if to > from {
			side = " after"
		}
		p.act(items[from].ref, "drag", items[to].ref+side)
	}
}

func dragSort(p *page) {
	for i := range 4 {
		items := p.all("listitem", nil)
		least := i
		for j := range items[i:] {
			if number(items[i+j].name) < number(items[least].name) {
				least = i + j
			}
		}
		if least != i {
			p.act(items[least].ref, "drag", items[i].ref+" before")
			p.look()
		}
	}
	p.submit()
}

func resizeTextarea(p *page) {
	m := p.asked(`the (height|width) is (larger|smaller)`)
	by := 30
	if m[2] == "smaller" {
		by = -20
	}
	x, y := 8+by, 8
	if m[1] == "height" {
		x, y = 8, 8+by
	}
	corner := p.all("draggable", mentions("resizable-se"))[0].ref
	p.act(corner, "drag", fmt.Sprintf("%s@%d,%d", corner, x, y))
	p.submit()
}

// shape is a drawn thing, as its attributes tell.
type shape struct {
	ref, kind, colour, text string
	small                   bool
}

func (p *page) shapes() []shape {
	var out []shape
	for _, l := range p.all("clickable", nil) {
		s := shape{ref: l.ref, text: l.name, colour: p.attribute(l.ref, "fill")}
		size := 0.0
		read := func(attribute string) bool {
			n, err := strconv.ParseFloat(strings.TrimSuffix(p.attribute(l.ref, attribute), "px"), 64)
			size = n
			return err == nil
		}
		switch {
		case l.name != "" && l.name >= "0" && l.name <= "9":
			s.kind = "digit"
			read("font-size")
			s.small = size < 14
		case l.name != "":
			s.kind = "letter"
			read("font-size")
			s.small = size < 14
		case read("r"):
			s.kind, s.small = "circle", size < 6
		case read("width"):
			s.kind, s.small = "rectangle", size < 12
		default:
			s.kind, s.small = "triangle", width(p.attribute(l.ref, "points")) < 12
		}
		out = append(out, s)
	}
	return out
}

// width is how wide the points of a polygon lie apart.
func width(points string) float64 {
	var xs []float64
	for i, n := range regexp.MustCompile(`-?[\d.]+`).FindAllString(points, -1) {
		if x, err := strconv.ParseFloat(n, 64); i%2 == 0 && err == nil {
			xs = append(xs, x)
		}
	}
	if len(xs) == 0 {
		return 0
	}
	return slices.Max(xs) - slices.Min(xs)
}

// asksFor says whether a shape is one that the query describes.
func asksFor(query string, s shape) bool {
	kind := ""
	for _, w := range regexp.MustCompile(`\w+`).FindAllString(query, -1) {
		switch one := strings.TrimSuffix(w, "s"); one {
		case "small", "large":
			if s.small != (one == "small") {
				return false
			}
		case "red", "green", "blue", "aqua", "black", "magenta", "yellow":
			if s.colour != one {
				return false
			}
		case "rectangle", "circle", "triangle", "digit", "letter", "shape", "item":
			kind = one
		default:
			if len(one) == 1 && one != "a" || len(w) == 1 && w != "a" {
				kind = one
			}
		}
	}
	switch kind {
	case "item":
		return true
	case "shape":
		return s.kind != "digit" && s.kind != "letter"
	}
	return kind == s.kind || kind == s.text
}

func clickShape(p *page) {
	for _, s := range p.shapes() {
		if asksFor(p.query, s) {
			p.act(s.ref, "click")
			return
		}
	}
	p.fail("no shape fits in\n%s", p.view)
}

func countShapes(p *page) {
	n := 0
	for _, s := range p.shapes() {
		if asksFor(p.query, s) {
			n++
		}
	}
	p.act(p.one("button", strconv.Itoa(n)), "click")
}

func identifyShape(p *page) {
	p.click(map[string]string{"digit": "Number", "letter": "Letter", "circle": "Circle", "rectangle": "Rectangle", "triangle": "Triangle"}[p.shapes()[0].kind])
}

// dragShapes carries what fits into the first box, and the rest into the second
// where there is one. The boxes do nothing, so they have no refs; they have places.
func dragShapes(p *page) {
	var boxes [][4]float64
	p.see(`[...document.querySelectorAll('#shape-container')].map((e) => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] })`, &boxes)
	what := strings.Split(p.asked(`Drag all (.*?) into`)[1], ",")[0]
	for i, s := range p.shapes() {
		box := 0
		if !asksFor(what, s) {
			if box = 1; len(boxes) < 2 {
				continue
			}
		}
		b := boxes[box]
		p.act(s.ref, "drag", fmt.Sprintf("@%d,%d", int(b[0])+15+9*i, int(b[1]+b[3]/2)))
	}
	p.submit()
}

// clickColour compares the boxes with the swatch in the query, or with its word.
func clickColour(p *page) {
	swatch := p.all("clickable", mentions("query-color"))
	want := ""
	if len(swatch) > 0 {
		want = strings.Trim(strings.TrimPrefix(p.attribute(swatch[0].ref, "style"), "background-color:"), " ;")
	} else {
		want = p.asked(`Click on the (\w+)`)[1]
	}
	for _, l := range p.all("clickable", func(l line) bool { return !mentions("query-color")(l) }) {
		if p.attribute(l.ref, "data-color") == want {
			p.act(l.ref, "click")
			return
		}
	}
	p.fail("no box is %s", want)
}

func clickShades(p *page) {
	want := p.asked(`shades of (\w+)`)[1]
	for _, l := range p.all("clickable", nil) {
		if p.attribute(l.ref, "data-color") == want {
			p.act(l.ref, "click")
		}
	}
	p.submit()
}

// watches are set up before an episode, for what is only there for a moment.
var watches = map[string]string{
	"count-sides": `window.sides = 0; const drawn = CanvasRenderingContext2D.prototype.lineTo;
		CanvasRenderingContext2D.prototype.lineTo = function (...at) { window.sides++; return drawn.apply(this, at) }; 0`,
	"simon-says": `window.blinks = []; new MutationObserver((list) => {
		for (const m of list) if (m.target.classList.contains('push')) blinks.push(m.target.id);
	}).observe(document.body, { subtree: true, attributeFilter: ['class'] })`,
}

func countSides(p *page) {
	var sides int
	p.see("window.sides", &sides)
	p.click(strconv.Itoa(sides))
}

// simonSays waits until nothing has blinked for a while, and repeats it.
func simonSays(p *page) {
	p.wait("window.blinks.length >= 3 && (window.seen !== blinks.length ? (window.seen = blinks.length, window.since = Date.now(), false) : Date.now() - since > 2500)")
	var order []string
	p.see("window.blinks", &order)
	for _, id := range order {
		p.act(p.all("button", mentions(id))[0].ref, "click")
	}
}
