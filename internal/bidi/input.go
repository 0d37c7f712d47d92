package bidi

import (
	"context"
	"fmt"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// Input moves pointer and keys, all in one write, and returns when the page has handled
// them. What is typed without keys is typed with keys here, a character each: BiDi
// inserts no text.
func (t *Tab) Input(ctx context.Context, events ...backend.Input) error {
	g, err := t.enter()
	if err != nil {
		return err
	}
	var cmds []cdp.Command
	var kind string
	var actions []object
	send := func() {
		if len(actions) > 0 {
			source := object{"type": kind, "id": "rove-" + kind, "actions": actions}
			if kind == "pointer" {
				source["parameters"] = object{"pointerType": "mouse"}
			}
			cmds = append(cmds, t.browser.root.Command("input.performActions", object{"context": t.id, "actions": []object{source}}))
		}
		actions = nil
	}
	add := func(of string, list ...object) {
		if len(list) == 0 {
			return
		}
		if of != kind {
			send()
			kind = of
		}
		actions = append(actions, list...)
	}
	for _, e := range events {
		switch e := e.(type) {
		case backend.Mouse:
			if t.countsOn(e) {
				send()
				cmds = append(cmds, t.browser.root.Command("input.releaseActions", object{"context": t.id}))
			}
			add("key", modifiers(e.Mods, "keyDown")...)
			if e.Kind == backend.MouseWheel {
				add("wheel", object{"type": "scroll", "x": int(e.X), "y": int(e.Y), "deltaX": int(e.DX), "deltaY": int(e.DY), "origin": "viewport"})
			} else {
				add("pointer", t.mouse(e)...)
			}
			add("key", modifiers(e.Mods, "keyUp")...)
		case backend.Key:
			value, ok := keyValue(e)
			if !ok {
				return fail(backend.KindUnsupported, "the key "+e.Key)
			}
			what := "keyUp"
			t.mu.Lock()
			if e.Down {
				what = "keyDown"
				t.pressed[e.Code+e.Key] = true
			} else {
				delete(t.pressed, e.Code+e.Key)
			}
			t.mu.Unlock()
			add("key", object{"type": what, "value": value})
		case backend.Text:
			for _, r := range e.Text {
				value := string(r)
				if r == '\n' || r == '\r' {
					value = "\uE007"
				}
				add("key", object{"type": "keyDown", "value": value}, object{"type": "keyUp", "value": value})
			}
		default:
			return fail(backend.KindUnsupported, fmt.Sprintf("input %T", e))
		}
	}
	send()
	for _, p := range t.start(cmds...) {
		if err := t.await(ctx, g, p, nil); err != nil {
			return err
		}
	}
	return nil
}

// clickInterval is within which Firefox takes two clicks for a double one.
const clickInterval = time.Second

// countsOn says of a press that is to be a first one whether Firefox would count it on
// from the click before. What it knows of the pointer has to be forgotten then.
func (t *Tab) countsOn(m backend.Mouse) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m.Kind == backend.MouseUp {
		t.clicked = time.Now()
	}
	if m.Kind != backend.MouseDown || m.Clicks > 1 || t.browser.chromium() || time.Since(t.clicked) > clickInterval || len(t.pressed) > 0 {
		return false
	}
	t.pointer = backend.Point{X: -1, Y: -1} // it is nowhere
	return true
}

var buttons = map[backend.Button]int{backend.LeftButton: 0, backend.MiddleButton: 1, backend.RightButton: 2}

// mouse are the actions of a mouse event: the pointer is where the last one left it.
func (t *Tab) mouse(m backend.Mouse) (list []object) {
	t.mu.Lock()
	moved := t.pointer != backend.Point{X: m.X, Y: m.Y}
	t.pointer = backend.Point{X: m.X, Y: m.Y}
	t.mu.Unlock()
	if moved || m.Kind == backend.MouseMove {
		list = append(list, object{"type": "pointerMove", "x": m.X, "y": m.Y, "origin": "viewport"})
	}
	switch m.Kind {
	case backend.MouseDown:
		list = append(list, object{"type": "pointerDown", "button": buttons[m.Button]})
	case backend.MouseUp:
		list = append(list, object{"type": "pointerUp", "button": buttons[m.Button]})
	}
	return list
}

// modifiers are held for a mouse event alone.
func modifiers(mods backend.Mods, what string) (list []object) {
	for _, m := range []struct {
		mod   backend.Mods
		value string
	}{{backend.Alt, "\uE00A"}, {backend.Control, "\uE009"}, {backend.Meta, "\uE03D"}, {backend.Shift, "\uE008"}} {
		if mods&m.mod != 0 {
			list = append(list, object{"type": what, "value": m.value})
		}
	}
	return list
}

// keyValues are the code points of WebDriver for keys, by KeyboardEvent.code.
var keyValues = map[string]string{
	"Abort": "\uE001", "Help": "\uE002", "Backspace": "\uE003", "Tab": "\uE004", "NumpadClear": "\uE005", "Enter": "\uE007", "NumpadEnter": "\uE006",
	"ShiftLeft": "\uE008", "ControlLeft": "\uE009", "AltLeft": "\uE00A", "Pause": "\uE00B", "Escape": "\uE00C", "Space": " ",
	"PageUp": "\uE00E", "PageDown": "\uE00F", "End": "\uE010", "Home": "\uE011", "ArrowLeft": "\uE012", "ArrowUp": "\uE013",
	"ArrowRight": "\uE014", "ArrowDown": "\uE015", "Insert": "\uE016", "Delete": "\uE017",
	"Numpad0": "\uE01A", "Numpad1": "\uE01B", "Numpad2": "\uE01C", "Numpad3": "\uE01D", "Numpad4": "\uE01E", "Numpad5": "\uE01F",
	"Numpad6": "\uE020", "Numpad7": "\uE021", "Numpad8": "\uE022", "Numpad9": "\uE023", "NumpadMultiply": "\uE024", "NumpadAdd": "\uE025",
	"NumpadComma": "\uE026", "NumpadSubtract": "\uE027", "NumpadDecimal": "\uE028", "NumpadDivide": "\uE029",
	"F1": "\uE031", "F2": "\uE032", "F3": "\uE033", "F4": "\uE034", "F5": "\uE035", "F6": "\uE036",
	"F7": "\uE037", "F8": "\uE038", "F9": "\uE039", "F10": "\uE03A", "F11": "\uE03B", "F12": "\uE03C", "MetaLeft": "\uE03D",
	"ShiftRight": "\uE050", "ControlRight": "\uE051", "AltRight": "\uE052", "MetaRight": "\uE053",
}

// keyValue is how BiDi names a key: by what it types, or by a code point of its own.
func keyValue(k backend.Key) (string, bool) {
	if value, ok := keyValues[k.Code]; ok {
		return value, true
	}
	return k.Key, len([]rune(k.Key)) == 1
}

// Drag presses at the first point, moves along the path and releases at the last. A
// drag-and-drop of the page's own is not carried on yet, and refused.
func (t *Tab) Drag(ctx context.Context, path []backend.Point, started func(context.Context) (bool, error), on func(context.Context) ([]backend.Point, error)) error {
	return anypage.Drag(ctx, t, path, started, on, func([]backend.Point, *anypage.Dragging) error {
		return fail(backend.KindUnsupported, "drag and drop of the page's own, in Firefox")
	})
}

// LetGo releases the left button where the pointer is, without waiting.
func (t *Tab) LetGo(backend.Point) {
	t.browser.root.Start("input.performActions", object{"context": t.id, "actions": []object{{
		"type": "pointer", "id": "rove-pointer", "parameters": object{"pointerType": "mouse"}, "actions": []object{{"type": "pointerUp", "button": 0}},
	}}})
}
