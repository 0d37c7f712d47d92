package derive

import (
	"strconv"
	"strings"

	"rove/recording"
)

// drop is where a drag ends: on an element or at an edge of it, at a place in it or of the
// page, or a distance away.
type drop struct {
	query string // CSS or XPath; "" for none
	edge  string // before or after
	x, y  float64
	way   string // on, at (x, y), or by (x, y)
}

// dropOf reads where something is dropped; false is a place that is not known beyond the
// life of the page.
func dropOf(value string) (d drop, ok bool) {
	value = strings.TrimSpace(value)
	pair := func(s string) bool {
		x, y, found := strings.Cut(s, ",")
		var errX, errY error
		d.x, errX = strconv.ParseFloat(strings.TrimSpace(x), 64)
		d.y, errY = strconv.ParseFloat(strings.TrimSpace(y), 64)
		return found && errX == nil && errY == nil
	}
	d.way = "on"
	switch m := dropPlace().FindStringSubmatch(value); {
	case value == "":
		return d, false
	case m == nil:
		d.query = value
	case m[1] != "": // a ref
		return d, false
	case m[3] != "":
		d.query, d.edge = strings.TrimSpace(strings.TrimSuffix(value, m[3])), m[3]
	default:
		d.way, d.query = "at", strings.TrimSpace(strings.TrimSuffix(value, m[2]))
		if m[2][0] != '@' {
			d.way = "by"
		}
		if !pair(strings.TrimPrefix(m[2], "@")) {
			return d, false
		}
	}
	if tag, text, is := wildcardParts(d.query); is {
		d.query = "//" + tag + "[normalize-space(text())=" + xpathText(text) + "]"
	}
	return d, d.query != "" || d.way != "on"
}

// dropPlace is a ref, a place or distance, or an edge of something.
var dropPlace = pattern(`^((?:f\d+)?e\d+)\b|(@-?[\d.]+,-?[\d.]+|^[+-][\d.]+\s*,\s*[+-]?[\d.]+)$|\s(before|after)$`)

// plainly says that something is dropped on an element, wherever it is best.
func (d drop) plainly() bool { return d.way == "on" && d.edge == "" }

// arguments are those of pointsFunction after the element, in JavaScript.
func (d drop) arguments(text func(string) string) string {
	return text(d.query) + ", '" + d.edge + "', '" + d.way + "', " + strconv.FormatFloat(d.x, 'f', -1, 64) + ", " + strconv.FormatFloat(d.y, 'f', -1, 64)
}

// pointsFunction is a function in JavaScript: where an element is taken, and where it is
// dropped: what comes before another in a row lies to its left, and else above it.
const pointsFunction = `function(e, q, edge, way, x, y){ var t = !q ? null : /^[/(]/.test(q) ? document.evaluate(q, document, null, 9, null).singleNodeValue : document.querySelector(q); ` +
	`if (q && !t) throw new Error('there is nothing to drop on: ' + q); var near = { block: 'nearest', inline: 'nearest' }; e.scrollIntoView(near); if (t) t.scrollIntoView(near); ` +
	`var a = e.getBoundingClientRect(), from = [a.left + a.width / 2, a.top + a.height / 2]; if (way == 'by') return from.concat([from[0] + x, from[1] + y]); if (!t) return from.concat([x, y]); ` +
	`var b = t.getBoundingClientRect(); if (way == 'at') return from.concat([b.left + x, b.top + y]); var to = [b.left + b.width / 2, b.top + b.height / 2]; ` +
	`if (edge) { var n = t.nextElementSibling || t.previousElementSibling, r = n && n.getBoundingClientRect(), row = r && Math.abs(r.top - b.top) < b.height / 2 ? 0 : 1; ` +
	`to[row] = edge == 'before' ? [b.left, b.top][row] + 4 : [b.right, b.bottom][row] - 4 } return from.concat(to) }`

// carryScript is a function that gives one which carries an element to a place: Karate has no
// words for that, and pages are told of it by events, those of a drag where they have begun
// one. They go on for a while, as pages take time between them.
const carryScript = `"function(e){ var p = (" + points + ")(e, " + JSON.stringify(q) + ", '" + edge + "', '" + way + "', " + x + ", " + y + "); window.carrying = true; ` +
	`var data = new DataTransfer(), under = null, taken = false, native = null, i = 0, steps = 14; ` +
	`var tell = function(name, to, x, y, held){ var o = { bubbles: true, cancelable: true, composed: true, view: window, button: 0, buttons: held, clientX: x, clientY: y, screenX: x, screenY: y }; ` +
	`return to.dispatchEvent(/^pointer/.test(name) ? new PointerEvent(name, Object.assign({ pointerId: 1, pointerType: 'mouse', isPrimary: true }, o)) : /^dr/.test(name) ? new DragEvent(name, Object.assign({ dataTransfer: data }, o)) : new MouseEvent(name, o)) }; ` +
	`var at = function(x, y){ return document.elementFromPoint(x, y) || document.body }; var first = at(p[0], p[1]); if (!e.contains(first)) first = e; ` +
	`tell('pointerdown', first, p[0], p[1], 1); tell('mousedown', first, p[0], p[1], 1); ` +
	`var next = function(){ i++; var f = Math.min(1, i / steps), x = p[0] + (p[2] - p[0]) * f, y = p[1] + (p[3] - p[1]) * f, on = at(x, y); ` +
	`if (i == 1) { native = first.closest('[draggable=true], a[href], img'); if (native && tell('dragstart', native, p[0], p[1], 1)) tell('pointercancel', native, p[0], p[1], 0); else native = null } ` +
	`if (native) { tell('drag', native, x, y, 1); if (on != under) { tell('dragenter', on, x, y, 1); if (under) tell('dragleave', under, x, y, 1); under = on } taken = !tell('dragover', on, x, y, 1) } ` +
	`else { tell('pointermove', on, x, y, 1); tell('mousemove', on, x, y, 1) } if (i < steps + 2) return setTimeout(next, 20); ` +
	`if (native) { if (taken) tell('drop', on, x, y, 0); tell('dragend', native, x, y, 0) } else { tell('pointerup', on, x, y, 0); tell('mouseup', on, x, y, 0) } window.carrying = false }; setTimeout(next, 20) }"`

// drags says whether a flow carries something.
func drags(f *recording.Flow) bool {
	for _, do := range f.Steps {
		if do.Op == "drag" {
			return true
		}
	}
	return false
}
