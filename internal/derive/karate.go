package derive

import (
	"fmt"
	"slices"
	"strings"

	"rove/recording"
)

// calls are the steps of a flow as calls that Karate and rove have alike: one
// statement of JavaScript each, or one that only a feature has.
type calls struct {
	flow  *recording.Flow
	list  []call
	frame []recording.Frame
	typed bool // by the step before: the field still has the focus
	lacks lacks
}

type call struct {
	js      string // a statement without its semicolon; "" for a comment
	driver  string // an address to open, as an expression
	match   [2]string
	comment string
}

func same(name string) string { return name }

func value(s string) string { return expression(s, jsQuote, same) }

func karateCalls(f *recording.Flow) ([]call, error) {
	c := &calls{flow: f}
	for i := range f.Steps {
		c.lacks.step = i + 1
		c.step(&f.Steps[i])
		c.typed = f.Steps[i].Op == "input" || f.Steps[i].Op == "type"
	}
	return c.list, c.lacks.err("Karate")
}

func (c *calls) say(format string, args ...any) {
	c.list = append(c.list, call{js: fmt.Sprintf(format, args...)})
}

func (c *calls) note(format string, args ...any) {
	c.list = append(c.list, call{comment: fmt.Sprintf(format, args...)})
}

// inside has what follows be for a frame.
func (c *calls) inside(frame []recording.Frame) {
	if sameFrame(c.frame, frame) {
		return
	}
	if len(c.frame) > 0 {
		c.say("switchFrame(null)")
	}
	for _, f := range frame {
		if f.Name != "" {
			q := jsQuote(karateQuery("iframe[name=" + jsonText(f.Name) + "]"))
			c.say("waitFor(%s)", q)
			c.say("switchFrame(%s)", q)
		} else {
			c.say("waitUntil(%s)", jsQuote(fmt.Sprintf("document.querySelectorAll('iframe,frame').length > %d", f.Index)))
			c.say("switchFrame(%d)", f.Index)
		}
	}
	c.frame = frame
}

func (c *calls) step(do *recording.Do) {
	if do.Op == "go" {
		c.inside(nil)
		if z := c.flow.Size; z != nil && len(c.list) == 0 {
			c.list = append(c.list, call{driver: "'about:blank'"})
			c.say("driver.dimensions = { x: 0, y: 0, width: %d, height: %d }", z.Width, z.Height)
			// Which Karate does not do for a window that nobody sees.
			c.say("if (driver.send) driver.send({ method: 'Emulation.setDeviceMetricsOverride', params: { width: %d, height: %d, deviceScaleFactor: 1, mobile: false } })", z.Width, z.Height)
		}
		c.list = append(c.list, call{driver: address(do.Value)})
		c.checks(do)
		return
	}
	if do.Op != "dialog" { // while one is open nothing else can be done
		c.inside(frameOf(do))
	}
	q := value(karateQuery(query(do.Who)))
	if do.Who != nil && query(do.Who) == "" || answersChooser(do) {
		c.lacks.add(do) // only rove has a way to it
		return
	}
	if behind(do) {
		c.say("script(%s)", jsQuote(forgets))
	}
	c.operate(do, q)
	c.checks(do)
	if do.Leads && !do.Asks { // scripts that come late change what a press does
		c.inside(nil)
		c.say("waitUntil(%s)", jsQuote("document.readyState == 'complete'"))
	}
}

func (c *calls) operate(do *recording.Do, q string) {
	v := value(do.Value)
	if do.Op == "input" || do.Op == "type" {
		v = typed(do)
	}
	switch do.Op {
	case "click", "check", "uncheck":
		if do.Who.Role == "combobox" && do.Who.Tag != "input" && do.Who.Tag != "select" {
			c.point(do, q)
			return
		}
		// A button may be disabled until the page has taken in what was typed; Karate would click it all the same.
		if do.Op == "click" && listens(do) {
			c.say("waitForEnabled(%s)", q)
			c.say("script(%s, %s)", q, jsQuote(pressed))
			return
		}
		// The field that was typed into is left by a press, and says then that it changed;
		// Karate's click leaves none, and a page may ask whether what it did not hear of is to be lost.
		leave := ""
		if c.typed && do.Op == "click" {
			leave = ".focus()"
		}
		c.say("waitForEnabled(%s)%s.click()", q, leave)
	case "dblclick":
		c.say("waitForEnabled(%s)", q)
		c.say("script(%s, %s)", q, jsQuote(twicePressed))
		c.say("waitUntil('!window.pressing')")
	case "hover":
		c.say("waitFor(%s)", q)
		c.say("mouse(%s).go()", q)
	case "input", "type", "set":
		switch {
		case unseated[do.Who.Type] || do.Op == "set":
			c.say("waitFor(%s)", q)
			c.say("script(%s, \"function(e){ Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value').set.call(e, \" + JSON.stringify(%s) + \"); e.dispatchEvent(new Event('input', { bubbles: true })); e.dispatchEvent(new Event('change', { bubbles: true })) }\")", q, v)
		case do.Value == "":
			c.clear(do, q)
		case do.Op == "input" && !do.Empty:
			c.clear(do, q)
			c.say("input(%s, %s)", q, c.keys(do))
		default:
			c.say("waitFor(%s).input(%s)", q, c.keys(do))
		}
	case "clear":
		c.clear(do, q)
	case "focus":
		c.say("waitFor(%s).focus()", q)
	case "press":
		c.press(do, q)
	case "select":
		if do.Who.Tag == "select" {
			c.say("waitFor(%s)", q)
			c.say("select(%s, '{}' + %s)", q, v)
			return
		}
		c.point(do, q)
		c.point(do, value(karateQuery("//*[@role='option'][normalize-space(.)="+xpathText(do.Value)+"]")))
	case "rightclick":
		c.say("waitFor(%s)", q)
		c.say("script(%s, %s)", q, jsQuote(rightPressed))
	case "upload":
		if do.Drops {
			c.lacks.add(do)
			return
		}
		if plain := do.Who.Plain(); plain != "" { // Karate asks the browser for it, which knows no {tag}text
			q = value(karateQuery(plain))
		}
		c.say("waitFor(%s)", q)
		if !do.Who.TakesFiles() {
			c.say("script(%s, %s)", q, jsQuote(choosing))
			q = jsQuote("[data-chosen]")
			c.say("waitFor(%s)", q)
		}
		c.say("driver.inputFile(%s, %s)", q, each(do.Value, func(path string) string {
			if path[0] == '/' { // what says nothing else is beside the feature, for Karate
				path = "file:" + path
			}
			return value(path)
		}))
	case "drag":
		d, ok := dropOf(do.Value)
		if !ok {
			c.lacks.add(do)
			return
		}
		c.say("waitFor(%s)", q)
		d.query = karateQuery(d.query)
		if d.query != "" {
			c.say("waitFor(%s)", value(d.query))
		}
		c.say("script(%s, carry(%s))", q, d.arguments(value))
		c.say("waitUntil('!window.carrying')")
	case "scroll":
		if do.Who != nil {
			c.say("waitFor(%s).scroll()", q)
		}
	case "back", "forward", "refresh":
		c.say("%s()", do.Op)
	case "dialog":
		if accept, text := answers(do.Value); text != "" {
			c.say("dialog(%v, %s)", accept, value(text))
		} else {
			c.say("dialog(%v)", accept)
		}
	case "tab":
		switch n, which := tabOf(do.Value); {
		case n > 0: // by its address: Karate's order of tabs is another one
			if i := slices.IndexFunc(do.Checks, func(k recording.Check) bool { return k.Kind == "url" }); i >= 0 {
				c.say("switchPage(%s)", address(do.Checks[i].Text))
				return
			}
			c.say("switchPage(%d)", n-1)
		case which != "":
			c.say("switchPage(%s)", value(which))
		default:
			c.lacks.add(do)
		}
	case "script":
		c.say("script(%s)", v)
	default:
		c.lacks.add(do)
	}
}

// natives are elements that a click by itself does something to.
var natives = map[string]bool{"button": true, "a": true, "area": true, "input": true, "select": true, "textarea": true, "label": true, "summary": true, "option": true}

// listens says whether something may be waiting for the press, or for the mouse to
// come over it, and not only for the click, which is all that Karate makes of one:
// what a page has made a control itself, and what opens a list.
func listens(do *recording.Do) bool {
	return do.Opens || !natives[do.Who.Tag] || do.Who.Tag == "a" && !do.Leads
}

// pressed tells an element of all that a press consists of.
const pressed = "function(e){ e.scrollIntoView({ block: 'center', inline: 'nearest' }); var r = e.getBoundingClientRect(); var o = { bubbles: true, cancelable: true, composed: true, view: window, detail: 1, button: 0, clientX: r.left + r.width / 2, clientY: r.top + r.height / 2 }; " +
	"var tell = function(names, down){ names.forEach(function(n){ o.buttons = down; e.dispatchEvent(n.indexOf('pointer') == 0 ? new PointerEvent(n, Object.assign({ pointerId: 1, pointerType: 'mouse', isPrimary: true }, o)) : new MouseEvent(n, o)) }) }; " +
	"tell(['pointerover', 'mouseover', 'pointermove', 'mousemove'], 0); tell(['pointerdown', 'mousedown'], 1); if (e.focus) e.focus(); tell(['pointerup', 'mouseup'], 0); if (e.click) e.click(); else tell(['click'], 0) }"

// twicePressed tells an element of two presses and of the double click. Karate's own is the
// last of these events alone, and none where the element is one of SVG; pages that count
// presses themselves want a moment between them.
const twicePressed = "function(e){ e.scrollIntoView({ block: 'center', inline: 'nearest' }); var r = e.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2; window.pressing = true; " +
	"var at = function(){ var t = document.elementFromPoint(x, y); return t && e.contains(t) ? t : e }; " +
	"var tell = function(n, held, count){ var o = { bubbles: true, cancelable: true, composed: true, view: window, detail: count, button: 0, buttons: held, clientX: x, clientY: y }; return at().dispatchEvent(n.indexOf('pointer') == 0 ? new PointerEvent(n, Object.assign({ pointerId: 1, pointerType: 'mouse', isPrimary: true }, o, { detail: 0 })) : new MouseEvent(n, o)) }; " +
	"var press = function(count){ tell('pointerdown', 1, count); if (tell('mousedown', 1, count) && e.focus) e.focus(); tell('pointerup', 0, count); tell('mouseup', 0, count); tell('click', 0, count) }; " +
	"tell('pointerover', 0, 0); tell('mouseover', 0, 0); tell('pointermove', 0, 0); tell('mousemove', 0, 0); press(1); setTimeout(function(){ press(2); tell('dblclick', 0, 2); window.pressing = false }, 80) }"

// rightPressed tells an element of a press of the right button, which Karate has no name for.
const rightPressed = "function(e){ e.scrollIntoView({ block: 'center', inline: 'nearest' }); var r = e.getBoundingClientRect(); var o = { bubbles: true, cancelable: true, composed: true, view: window, button: 2, buttons: 2, clientX: r.left + r.width / 2, clientY: r.top + r.height / 2 }; " +
	"['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'contextmenu'].forEach(function(n){ if (n.indexOf('up') > 0) o.buttons = 0; e.dispatchEvent(n.indexOf('pointer') == 0 ? new PointerEvent(n, Object.assign({ pointerId: 1, pointerType: 'mouse', isPrimary: true }, o)) : new MouseEvent(n, o)) }) }"

// choosing presses what opens a file chooser, and has the field that the page asks by be
// marked instead: Karate gives files to fields alone. One that is in no page yet is put there.
const choosing = "function(e){ var mark = function(f){ document.querySelectorAll('[data-chosen]').forEach(function(o){ o.removeAttribute('data-chosen') }); f.setAttribute('data-chosen', ''); if (!f.isConnected) { f.hidden = true; document.body.appendChild(f) } }; " +
	"var open = HTMLInputElement.prototype.click; HTMLInputElement.prototype.click = function(){ if (this.type == 'file') mark(this); else open.call(this) }; " +
	"document.addEventListener('click', function(v){ var f = v.composedPath()[0]; if (f.type == 'file') { v.preventDefault(); mark(f) } }, true); e.click() }"

// point presses something with the mouse: what a page makes a list of itself often
// opens when it is pressed, and a click alone says nothing to it. In frames Karate
// does not know where things are.
func (c *calls) point(do *recording.Do, q string) {
	if len(frameOf(do)) > 0 {
		c.say("waitFor(%s).click()", q)
		return
	}
	c.say("waitFor(%s).scroll()", q)
	c.say("mouse(%s).click()", q)
}

// clear empties a field so that the page hears of it.
func (c *calls) clear(do *recording.Do, q string) {
	c.say("waitFor(%s)", q)
	if do.Who.Tag != "input" && do.Who.Tag != "textarea" { // what can be edited in place
		c.say("script(%s, \"function(e){ e.focus(); document.execCommand('selectAll'); document.execCommand('delete') }\")", q)
		return
	}
	c.say("script(%s, \"function(e){ e.focus(); Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value').set.call(e, ''); e.dispatchEvent(new Event('input', { bubbles: true })); e.dispatchEvent(new Event('change', { bubbles: true })) }\")", q)
}

func (c *calls) checks(do *recording.Do) {
	for _, k := range do.Checks {
		switch k.Kind {
		case "url":
			c.inside(nil)
			c.say("waitUntil('location.href == ' + JSON.stringify(%s))", address(k.Text))
		case "title":
			c.inside(nil)
			c.say("waitUntil(%s)", jsQuote("document.title == "+jsonText(k.Text)))
		case "value":
			c.inside(nil)
			c.say("waitUntil(held(%s) + ' == ' + JSON.stringify(%s))", value(k.Query), value(k.Text))
		case "text", "gone":
			not := ""
			if k.Kind == "gone" {
				not = "'!' + "
			}
			if k.With != "" {
				not = "seen(" + value(k.With) + ") + ' && !' + "
			}
			if k.Frame {
				c.inside(frameOf(do))
			} else {
				c.inside(nil)
			}
			c.say("waitUntil(%sseen(%s))", not, value(k.Query))
		case "kept", "unkept":
			c.inside(nil)
			c.say("waitUntil(%s(%s, %s))", k.Kind, value(k.Query), value(k.Text))
		case "dialog":
			c.list = append(c.list, call{match: [2]string{"driver.dialogText", value(k.Text)}})
		default:
			c.note("%s: seen by rove replay", k)
			if k.Kind == "status" && behind(do) {
				c.answered(&k)
			}
		}
	}
}

// address is one of the flow as an expression.
func address(to string) string {
	if strings.HasPrefix(to, "/") {
		return "baseUrl + " + value(to)
	}
	return value(to)
}

// told are the keys that pages listen for by their names, which Karate's do not
// have, and their codes. Pages are told of them by events.
var told = map[string]int{"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

// moves are the fields that a browser itself moves in by arrows.
var moves = map[string]bool{"radio": true, "number": true, "range": true, "date": true, "time": true}

func (c *calls) press(do *recording.Do, q string) {
	if q == "''" {
		q = "'body'"
	}
	own := do.Who != nil && (do.Who.Tag == "select" || moves[do.Who.Type]) && strings.HasPrefix(do.Value, "Arrow")
	if code := told[do.Value]; code > 0 && !own {
		c.say("waitFor(%s)", q)
		c.say("script(%s, press('%s', %d))", q, do.Value, code)
		return
	}
	c.say("waitFor(%s).input(%s)", q, karateKeys(do.Value))
}

// presses says whether a flow has keys that pages are told of.
func presses(f *recording.Flow) bool {
	return slices.ContainsFunc(f.Steps, func(do recording.Do) bool { return do.Op == "press" && told[do.Value] > 0 })
}

var karateKeyNames = map[string]string{
	"enter": "ENTER", "tab": "TAB", "escape": "ESCAPE", "backspace": "BACK_SPACE", "delete": "DELETE", "arrowup": "UP", "arrowdown": "DOWN",
	"arrowleft": "LEFT", "arrowright": "RIGHT", "home": "HOME", "end": "END", "pageup": "PAGE_UP", "pagedown": "PAGE_DOWN", "space": "SPACE",
	"control": "CONTROL", "shift": "SHIFT", "alt": "ALT", "meta": "META",
}

// karateKeys are keys such as Control+A as Karate has them.
func karateKeys(chords string) string {
	var list []string
	for chord := range strings.FieldsSeq(chords) {
		for k := range strings.SplitSeq(chord, "+") {
			if name, ok := karateKeyNames[strings.ToLower(k)]; ok {
				list = append(list, "Key."+name)
			} else if len(k) == 1 {
				list = append(list, jsQuote(strings.ToLower(k)))
			} else {
				list = append(list, jsQuote(k))
			}
		}
	}
	return strings.Join(list, " + ")
}

// karateParams are the definitions of what a flow is given, name and expression.
func karateParams(f *recording.Flow) [][2]string {
	list := [][2]string{{"baseUrl", "karate.get('baseUrl') || karate.properties['baseUrl'] || " + jsQuote(f.Base)}}
	for _, p := range f.Params {
		given := fmt.Sprintf("karate.get('%s') || karate.properties['%[1]s']", p.Name)
		switch p.Kind {
		case recording.Fresh:
			before, after := freshParts(p)
			given += " || " + jsQuote(before) + " + Date.now()"
			if after != "" {
				given += " + " + jsQuote(after)
			}
		case recording.Today:
			given += " || new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().substring(0, 10)"
		}
		list = append(list, [2]string{p.Name, given})
	}
	if uses(f, "text", "gone") {
		list = append(list, [2]string{"seen", "function(q){ return " + seenScript + " }"})
	}
	if slices.ContainsFunc(f.Steps, func(do recording.Do) bool { return behind(&do) }) {
		list = append(list, [2]string{"answered", "function(path){ return " + answeredScript + " }"})
	}
	if uses(f, "value") {
		list = append(list, [2]string{"held", "function(q){ return " + heldScript + " }"})
	}
	for _, kind := range []string{"kept", "unkept"} {
		if uses(f, kind) {
			list = append(list, [2]string{kind, "function(path, text){ return " + keptScript(kind) + " }"})
		}
	}
	if drags(f) {
		list = append(list, [2]string{"points", jsQuote(pointsFunction)}, [2]string{"carry", "function(q, edge, way, x, y){ return " + carryScript + " }"})
	}
	if presses(f) {
		list = append(list, [2]string{"press", "function(key, code){ return " + pressScript + " }"})
	}
	return list
}

// Needs says which parameters have no value of their own.
func Needs(f *recording.Flow) []string {
	var names []string
	for _, p := range f.Params {
		if p.Kind == recording.Secret && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

func writeFeature(f *recording.Flow) (string, error) {
	var b strings.Builder
	b.WriteString(head(f, "#"))
	if names := Needs(f); len(names) > 0 {
		fmt.Fprintf(&b, "# it needs %s: variables of karate-config.js, or -D%s=…\n", strings.Join(names, ", "), names[0])
	}
	fmt.Fprintf(&b, "Feature: %s\n\nBackground:\n", title(f))
	for _, p := range karateParams(f) {
		fmt.Fprintf(&b, "  * def %s = %s\n", p[0], p[1])
	}
	fmt.Fprintf(&b, "\nScenario: %s\n", title(f))
	list, err := karateCalls(f)
	for _, c := range list {
		switch {
		case c.comment != "":
			fmt.Fprintf(&b, "  # %s\n", strings.ReplaceAll(c.comment, "\n", " "))
		case c.driver != "":
			fmt.Fprintf(&b, "  * driver %s\n", c.driver)
		case c.match[0] != "":
			fmt.Fprintf(&b, "  * match %s == %s\n", c.match[0], c.match[1])
		default:
			fmt.Fprintf(&b, "  * %s\n", c.js)
		}
	}
	return b.String(), err
}

func writeJS(f *recording.Flow) (string, error) {
	var b strings.Builder
	b.WriteString(head(f, "//"))
	b.WriteString("// rove runs it as it is; a feature of Karate calls it once a driver is open: * driver 'about:blank', then * call read('FILE')\n")
	b.WriteString("function fn() {\n")
	for _, p := range karateParams(f) {
		fmt.Fprintf(&b, "  var %s = %s;\n", p[0], p[1])
	}
	b.WriteString("  function same(a, b) { if (a != b) karate.fail('expected ' + b + ', found ' + a); }\n")
	list, err := karateCalls(f)
	for _, c := range list {
		switch {
		case c.comment != "":
			fmt.Fprintf(&b, "  // %s\n", strings.ReplaceAll(c.comment, "\n", " "))
		case c.driver != "":
			fmt.Fprintf(&b, "  driver.setUrl(%s);\n", c.driver)
		case c.match[0] != "":
			fmt.Fprintf(&b, "  same(%s, %s);\n", c.match[0], c.match[1])
		default:
			fmt.Fprintf(&b, "  %s;\n", c.js)
		}
	}
	b.WriteString("}\n")
	return b.String(), err
}
