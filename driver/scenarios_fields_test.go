package driver_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rove/driver"
)

type ctx = context.Context

// fieldScenarios are about elements: fields, keys, the mouse, what is visible.
func fieldScenarios() []scenario {
	return []scenario{
		{"elements", "text, html, value, attribute, property", "/form", func(h hand) {
			h.text("#parent", "FirstSecond bold")
			h.js("result.innerHTML = 'seen<span hidden> unseen</span><br><style>p{}</style>'")
			h.text("#result", "seen unseenp{}")
			html, err := h.HTML(h.ctx, ".inner")
			h.ok(err)
			h.is("html", html, `<span class="inner">First</span>`)
			h.value("#mail", "old@example.com")
			x, there, err := h.Attribute(h.ctx, "#parent", "data-x")
			h.ok(err)
			h.is("attribute", x+"|", " y |")
			h.is("there", there, true)
			_, there, err = h.Attribute(h.ctx, "#parent", "none")
			h.ok(err)
			h.is("missing", there, false)
			v, err := h.Property(h.ctx, "#agree", "checked")
			h.ok(err)
			h.is("property", v, false)
			v, err = h.Property(h.ctx, "#parent", "childElementCount")
			h.ok(err)
			h.is("property", v, 2)
		}},
		{"elements", "enabled and exists", "/form", func(h hand) {
			for id, want := range map[string]bool{"#user": true, "#off": false, "#offb": false, "#submit": true} {
				got, err := h.Enabled(h.ctx, id)
				h.ok(err)
				h.is("enabled "+id, got, want)
			}
			h.exists("#user", true)
			start := time.Now()
			h.exists("#none", false)
			if took := time.Since(start); took > 5*time.Second {
				h.Errorf("exists waited %v for what is not there", took)
			}
		}},
		{"elements", "click counts once each", "/form", func(h hand) { h.click("#count"); h.click("#count"); h.text("#count", "2") }},
		{"elements", "click on a label", "/form", func(h hand) { h.click("#customlabel"); h.is("custom", h.js("custom.checked"), true) }},
		{"elements", "checkbox and radio", "/form", func(h hand) {
			h.click("#agree")
			h.click("#r2")
			h.is("checked", h.js("agree.checked + ' ' + r1.checked + ' ' + r2.checked"), "true false true")
			h.click("#agree")
			h.is("unchecked", h.js("agree.checked"), false)
		}},
		{"elements", "click what is below the fold", "/form", func(h hand) { h.click("#deep"); h.text("#deep", "deep clicked") }},
		{"elements", "clicks are trusted", "/form", func(h hand) {
			h.js("count.onmousedown = e => window.trusted = e.isTrusted")
			h.click("#count")
			h.is("trusted", h.js("trusted"), true)
		}},
		{"elements", "input replaces, clear empties", "/form", func(h hand) {
			h.input("#mail", "new@example.com")
			h.value("#mail", "new@example.com")
			h.do(h.Clear(h.ctx, "#mail"))
			h.value("#mail", "")
		}},
		{"elements", "input sends input and change", "/form", func(h hand) {
			h.input("#user", "ab")
			h.click("#count")
			h.is("events", h.js("log.filter(e => e.startsWith('user')).join()"), "user:focus,user:input,user:input,user:change,user:blur")
		}},
		{"elements", "input of many letters, of whole graphemes", "/form", func(h hand) {
			h.input("#area", "Zeile 1\nÜber – 日本 👩‍👩‍👧 \"q\" <b> {x} ~`")
			h.value("#area", "Zeile 1\nÜber – 日本 👩‍👩‍👧 \"q\" <b> {x} ~`")
		}},
		{"elements", "input keeps to maxlength", "/form", func(h hand) { h.input("#user", strings.Repeat("x", 20)); h.value("#user", strings.Repeat("x", 12)) }},
		{"elements", "input of a number field", "/form", func(h hand) { h.input("#num", "-12.5"); h.value("#num", "-12.5") }},
		{"elements", "input that ends with Enter sends the form", "/form", func(h hand) { h.input("#user", "Ann", driver.KeyEnter); h.text("#result", "sent Ann/false") }},
		{"elements", "fields that nobody types into", "/form", func(h hand) {
			for id, value := range map[string]string{
				"#date": "2026-03-04", "#time": "13:37", "#local": "2026-03-04T05:06", "#month": "2026-03", "#week": "2026-W10", "#color": "#102030", "#range": "70",
			} {
				h.input(id, value)
				h.value(id, value)
				name := id[1:]
				h.is("events of "+name, h.js("log.filter(e => e == '"+name+":input' || e == '"+name+":change').join()"), name+":input,"+name+":change")
			}
		}},
		{"elements", "input of a rich field", "/form", func(h hand) { h.input("#rich", "new text"); h.text("#rich", "new text") }},
		{"elements", "value sets", "/form", func(h hand) {
			h.do(h.SetValue(h.ctx, "#user", "set"))
			h.value("#user", "set")
			h.is("events", h.js("log.filter(e => e.startsWith('user')).join()"), "user:input,user:change")
		}},
		{"elements", "input refuses what cannot be typed into", "/form", func(h hand) {
			h.refused(driver.CodeDisabled, "#off", func() error { _, err := h.Input(h.ctx, "#off", "x"); return err })
			h.Retry(1, 200*time.Millisecond)
			if _, err := h.Input(h.ctx, "#ro", "x"); err == nil {
				h.Error("a readonly field was typed into")
			}
			h.value("#ro", "fixed")
		}},
		{"elements", "focus", "/form", func(h hand) {
			h.do(h.Focus(h.ctx, "#mail"))
			is, err := h.Locate("#mail").Focused(h.ctx)
			h.ok(err)
			h.is("focused", is, true)
			h.is("events", h.js("log.join()"), "mail:focus")
		}},
		{"elements", "select in every way", "/form", func(h hand) {
			for _, c := range []struct{ option, want string }{{"uk", "uk"}, {"United States", "us"}, {"{}us", "us2"}, {"{^}King", "uk"}, {"us", "us"}, {"", ""}} {
				h.do(h.Select(h.ctx, "#country", c.option))
				h.value("#country", c.want)
			}
			h.do(h.SelectIndex(h.ctx, "#country", 2))
			h.value("#country", "uk")
			h.is("events", h.js("log.filter(e => e.startsWith('country')).slice(-3).join()"), "country:input,country:change,country:blur")
			h.do(h.Select(h.ctx, "#many", "b"))
			h.is("many", h.js("[...many.selectedOptions].map(o => o.text).join()"), "b")
			h.refused(driver.CodeInvalid, "select failed, no option matching: 'Mars' for: #country", func() error { _, err := h.Select(h.ctx, "#country", "Mars"); return err })
			h.value("#country", "uk")
		}},
		{"elements", "scroll and position", "/form", func(h hand) {
			h.do(h.Scroll(h.ctx, "#deep"))
			page, err := h.Position(h.ctx, "#deep", false)
			h.ok(err)
			view, err := h.Position(h.ctx, "#deep", true)
			h.ok(err)
			if page.Y < 1500 || view.Y < 0 || view.Y > 720 || page.Width != view.Width || page.Height < 10 {
				h.Errorf("in the page %v, in the viewport %v", page, view)
			}
		}},
		{"elements", "highlight changes nothing", "/form", func(h hand) {
			before := h.js("document.documentElement.outerHTML")
			h.do(h.Highlight(h.ctx, "#user", 50*time.Millisecond))
			h.ok(h.HighlightAll(h.ctx, ".inner", 50*time.Millisecond))
			h.is("page", h.js("document.documentElement.outerHTML"), before)
		}},
		{"elements", "locate, and from there", "/form", func(h hand) {
			row := h.Locate("#t").Locate("//tr[2]")
			h.is("cell", h.tell(row.Locate("td:last-child")), "b2")
			h.is("parent", h.tell(h.Locate("{td}a2").Parent()), "a1a2")
			closest := h.Locate("b").Closest(".outer")
			is, err := closest.Matches(h.ctx, "#parent")
			h.ok(err)
			h.is("closest", is, true)
			children, err := h.Locate("#parent").Children(h.ctx)
			h.ok(err)
			h.is("children", len(children), 2)
			all, err := h.LocateAll(h.ctx, ".inner")
			h.ok(err)
			h.is("second", h.tell(all[1]), "Second bold")
			none, err := h.LocateAll(h.ctx, ".none")
			h.ok(err)
			h.is("none", len(none), 0)
		}},
		{"elements", "optional", "/form", func(h hand) {
			h.ok(h.Optional("#none").Click(h.ctx))
			h.ok(h.Optional("#none").Input(h.ctx, "x"))
			there, err := h.Optional("#none").Present(h.ctx)
			h.ok(err)
			h.is("present", there, false)
			h.ok(h.Optional("#count").Click(h.ctx))
			h.text("#count", "1")
		}},
		{"elements", "an element outlives its node", "/form", func(h hand) {
			e := h.Locate("#result")
			h.is("before", h.tell(e), "none")
			h.js("result.outerHTML = '<p id=result>fresh</p>'")
			h.is("after", h.tell(e), "fresh")
		}},
		{"elements", "scripts", "/form", func(h hand) {
			v, err := h.ScriptOn(h.ctx, "#user", "_.placeholder")
			h.ok(err)
			h.is("_", v, "Your name")
			v, err = h.ScriptOn(h.ctx, "#user", "e => e.tagName + e.id")
			h.ok(err)
			h.is("function", v, "INPUTuser")
			all, err := h.ScriptAll(h.ctx, "#t td", "_.textContent")
			h.ok(err)
			h.is("all", all, "[a1 a2 b1 b2]")
			all, err = h.ScriptAll(h.ctx, "{td}", "_.textContent")
			h.ok(err)
			h.is("all of a wildcard", all, "[a1 a2 b1 b2]")
			h.is("an arrow inside is no function", h.js("[3, 1, 2].sort((a, b) => a - b).join()"), "1,2,3")
		}},
		{"elements", "double and right click, hover", "/form", func(h hand) {
			h.js("window.seen = []; for (const t of ['dblclick', 'contextmenu', 'mouseover']) count.addEventListener(t, e => { seen.push(t); e.preventDefault() })")
			h.do(h.Hover(h.ctx, "#count"))
			h.do(h.DoubleClick(h.ctx, "#count"))
			h.do(h.RightClick(h.ctx, "#count"))
			h.is("events", h.js("seen.join()"), "mouseover,dblclick,contextmenu")
		}},
		{"elements", "files", "/form", func(h hand) {
			dir := h.TempDir()
			one, two := filepath.Join(dir, "one.txt"), filepath.Join(dir, "two ü.txt")
			for _, f := range []string{one, two} {
				h.ok(os.WriteFile(f, []byte("hello"), 0o600))
			}
			h.js("document.body.insertAdjacentHTML('beforeend', '<input type=file id=up multiple>')")
			h.do(h.InputFile(h.ctx, "#up", one, two))
			h.is("files", h.js("[...up.files].map(f => f.name + f.size).join()"), "one.txt5,two ü.txt5")
			h.refused(driver.CodeInvalid, "none.txt", func() error { _, err := h.InputFile(h.ctx, "#up", filepath.Join(dir, "none.txt")); return err })
		}},

		{"keys", "letters and where they are", "/keys", func(h hand) {
			h.do(h.Focus(h.ctx, "#a"))
			h.ok(h.Keys().Type(h.ctx, "a1.,"))
			h.value("#a", "a1.,")
			h.is("codes", h.js("downs()"), "a KeyA 65,1 Digit1 49,. Period 190,, Comma 188")
			h.is("each is down, press, up", h.js("seen.slice(0, 3).map(s => s[0]).join()"), "keydown,keypress,keyup")
			h.is("trusted", h.js("seen.every(s => s[6])"), true)
		}},
		{"keys", "capitals hold Shift", "/keys", func(h hand) {
			h.do(h.Focus(h.ctx, "#a"))
			h.ok(h.Keys().Type(h.ctx, "aB!"))
			h.value("#a", "aB!")
			h.is("shift", h.js("seen.filter(s => s[0] == 'keydown').map(s => s[1] + s[4]).join()"), "afalse,Shifttrue,Btrue,!true")
		}},
		{"keys", "Enter sends, Tab moves, Shift+Tab moves back", "/keys", func(h hand) {
			h.do(h.Focus(h.ctx, "#a"))
			k := h.Keys()
			h.ok(k.Press(h.ctx, "Tab"))
			h.is("focus", h.js("document.activeElement.id"), "b")
			h.ok(k.Press(h.ctx, "Shift+Tab"))
			h.is("focus", h.js("document.activeElement.id"), "a")
			h.ok(k.Press(h.ctx, "Enter"))
			h.title("submitted")
		}},
		{"keys", "Enter in a text of lines is a line", "/keys", func(h hand) { h.input("#c", "one", driver.KeyEnter, "two"); h.value("#c", "one\ntwo") }},
		{"keys", "chords select, copy, cut, paste", "/keys", func(h hand) {
			h.input("#a", "hello")
			k := h.Keys()
			h.ok(k.Press(h.ctx, "Control+a"))
			h.ok(k.Press(h.ctx, "Control+x"))
			h.value("#a", "")
			h.do(h.Focus(h.ctx, "#b"))
			h.ok(k.Press(h.ctx, "Control+v"))
			h.value("#b", "hello")
		}},
		{"keys", "arrows, Home, End, Delete, Backspace", "/keys", func(h hand) {
			h.input("#a", "abcd", driver.KeyLeft, driver.KeyLeft, driver.KeyBackspace, driver.KeyHome, driver.KeyDelete, driver.KeyEnd, "!")
			h.value("#a", "cd!")
		}},
		{"keys", "Escape and function keys", "/keys", func(h hand) {
			h.do(h.Focus(h.ctx, "#a"))
			h.ok(h.Keys().Press(h.ctx, "Escape F2 PageDown"))
			h.is("keys", h.js("downs()"), "Escape Escape 27,F2 F2 113,PageDown PageDown 34")
		}},
		{"keys", "Control types nothing, plus is a key", "/keys", func(h hand) {
			h.do(h.Focus(h.ctx, "#a"))
			k := h.Keys()
			h.ok(k.Press(h.ctx, "Control+b"))
			h.ok(k.Press(h.ctx, "+"))
			h.value("#a", "+")
		}},
		{"keys", "held keys", "/keys", func(h hand) {
			h.input("#a", "abc")
			k := h.Keys()
			h.ok(k.Down(h.ctx, "Shift"))
			h.ok(k.Press(h.ctx, "ArrowLeft"))
			h.ok(k.Press(h.ctx, "ArrowLeft"))
			h.ok(k.Up(h.ctx, "Shift"))
			h.ok(k.Press(h.ctx, "Delete"))
			h.value("#a", "a")
		}},
		{"keys", "no such key", "/keys", func(h hand) { fails(h.T, h.Keys().Press(h.ctx, "Entre"), driver.CodeInvalid, "there is no key") }},

		{"mouse", "moves, clicks, wheels", "/form", func(h hand) {
			m, err := h.MouseAt(h.ctx, "#count")
			h.ok(err)
			h.ok(m.Click(h.ctx))
			h.text("#count", "1")
			h.ok(m.Down(h.ctx))
			h.ok(m.Up(h.ctx))
			h.text("#count", "2")
			h.ok(m.Wheel(h.ctx, 0, 300))
			h.ok(h.WaitUntil(h.ctx, "scrollY > 100"))
			at, err := h.Position(h.ctx, "#agree", true)
			h.ok(err)
			h.js("scrollTo(0, 0)")
			at, err = h.Position(h.ctx, "#agree", true)
			h.ok(err)
			m, err = h.Mouse(h.ctx, at.X+at.Width/2, at.Y+at.Height/2)
			h.ok(err)
			h.ok(m.Click(h.ctx))
			h.is("checked", h.js("agree.checked"), true)
		}},
		{"mouse", "drags a slider", "/form", func(h hand) {
			at, err := h.Position(h.ctx, "#range", true)
			h.ok(err)
			m, err := h.Mouse(h.ctx, at.X+at.Width/2, at.Y+at.Height/2)
			h.ok(err)
			h.ok(m.DragTo(h.ctx, at.X+at.Width-1, at.Y+at.Height/2))
			h.value("#range", "100")
		}},

		{"visibility", "a wildcard sees the visible one", "/visible", func(h hand) { h.click("{button}One"); h.title("right one") }},
		{"visibility", "CSS sees all", "/visible", func(h hand) {
			all, err := h.LocateAll(h.ctx, "button[id^=b]")
			h.ok(err)
			h.is("all", len(all), 6)
			seen, err := h.LocateAll(h.ctx, "{button}One")
			h.ok(err)
			h.is("seen", len(seen), 1)
			h.exists("{}hidden text", false)
			h.exists("#text", true)
		}},
		{"visibility", "hidden things are read and valued", "/visible", func(h hand) {
			h.text("#text", "hidden text")
			h.value("#field", "kept")
			h.value("#h", "secret")
			h.do(h.SetValue(h.ctx, "#h", "changed"))
			h.value("#h", "changed")
		}},
		{"visibility", "a click waits until it is visible", "/visible", func(h hand) { h.click("#later"); h.title("later") }},
		{"visibility", "what stays hidden is not clicked", "/visible", func(h hand) {
			for _, id := range []string{"#b1", "#b2", "#inside", "#attr"} {
				h.refused(driver.CodeHidden, "not visible", func() error { _, err := h.Click(h.ctx, id); return err })
			}
		}},
		{"visibility", "what is covered is not clicked", "/visible", func(h hand) {
			h.refused(driver.CodeCovered, "covered", func() error { _, err := h.Click(h.ctx, "#under"); return err })
			h.js("cover.remove()")
			h.click("#under")
			h.title("under")
		}},
		{"visibility", "what is transparent is clicked", "/visible", func(h hand) { h.click("#clear"); h.title("clear") }},
		{"visibility", "what is folded away comes with its summary", "/visible", func(h hand) {
			h.exists("{button}Details button", false)
			h.click("{summary}More")
			h.click("{button}Details button")
			h.title("in details")
		}},
	}
}
