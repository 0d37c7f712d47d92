package anypage

import (
	"fmt"
	"slices"
	"time"

	"rove/driver/backend"
)

// WebDriverInput is the pointer and the keys of a tab, as WebDriver knows them: it turns input
// into actions. Its owner's lock guards it; the zero value is ready.
type WebDriverInput struct {
	// Whole has the pointer at whole pixels, as drivers of the first protocol want it.
	Whole bool
	// Counts says of a browser that it counts clicks itself, from one command to the next.
	Counts bool

	at      backend.Point // where the last action left the pointer
	clicked time.Time     // when a button was let go
	pressed map[string]bool
}

// InputSource is what a pointer, keys or a wheel are to do, as WebDriver has it; nil is the
// release of all that is held.
type InputSource = map[string]any

type action = map[string]any

// clickInterval is within which browsers take two clicks for a double one.
const clickInterval = time.Second

// Actions are what has to be performed, in order. What is typed without keys is typed
// with keys, a character each: WebDriver inserts no text.
func (h *WebDriverInput) Actions(events ...backend.Input) ([]InputSource, error) {
	var all []InputSource
	var kind string
	var actions []action
	end := func() {
		if len(actions) > 0 {
			source := InputSource{"type": kind, "id": "rove-" + kind, "actions": actions}
			if kind == "pointer" {
				source["parameters"] = action{"pointerType": "mouse"}
			}
			all = append(all, source)
		}
		actions = nil
	}
	add := func(of string, list ...action) {
		if len(list) == 0 {
			return
		}
		if of != kind {
			end()
			kind = of
		}
		actions = append(actions, list...)
	}
	for _, e := range events {
		switch e := e.(type) {
		case backend.Mouse:
			if h.countsOn(e) {
				end()
				all = append(all, nil)
			}
			add("key", modifiers(e.Mods, "keyDown")...)
			if e.Kind == backend.MouseWheel {
				add("wheel", action{"type": "scroll", "x": int(e.X), "y": int(e.Y), "deltaX": int(e.DX), "deltaY": int(e.DY), "origin": "viewport"})
			} else {
				add("pointer", h.mouse(e)...)
			}
			add("key", modifiers(e.Mods, "keyUp")...)
		case backend.Key:
			value, ok := keyValue(e)
			if !ok {
				return nil, &backend.Error{Kind: backend.KindUnsupported, Text: "the key " + e.Key}
			}
			add("key", h.key(e, value))
		case backend.Text:
			for _, r := range e.Text {
				value := string(r)
				if r == '\n' || r == '\r' {
					value = "\uE007"
				}
				add("key", action{"type": "keyDown", "value": value}, action{"type": "keyUp", "value": value})
			}
		default:
			return nil, &backend.Error{Kind: backend.KindUnsupported, Text: fmt.Sprintf("input %T", e)}
		}
	}
	end()
	return all, nil
}

// Typed says whether keys are among some input.
func Typed(events []backend.Input) bool {
	return slices.ContainsFunc(events, func(e backend.Input) bool {
		switch e.(type) {
		case backend.Key, backend.Text:
			return true
		}
		return false
	})
}

// countsOn says of a press that is to be a first one whether the browser would count it
// on from the click before. What it knows of the pointer has to be forgotten then.
func (h *WebDriverInput) countsOn(m backend.Mouse) bool {
	if m.Kind == backend.MouseUp {
		h.clicked = time.Now()
	}
	if !h.Counts || m.Kind != backend.MouseDown || m.Clicks > 1 || time.Since(h.clicked) > clickInterval || len(h.pressed) > 0 {
		return false
	}
	h.ForgetPointer()
	return true
}

// ForgetPointer has the pointer moved before the next thing it does, wherever it is.
func (h *WebDriverInput) ForgetPointer() { h.at = backend.Point{X: -1, Y: -1} }

func (h *WebDriverInput) key(e backend.Key, value string) action {
	if e.Down {
		if h.pressed == nil {
			h.pressed = map[string]bool{}
		}
		h.pressed[e.Code+e.Key] = true
		return action{"type": "keyDown", "value": value}
	}
	delete(h.pressed, e.Code+e.Key)
	return action{"type": "keyUp", "value": value}
}

var buttons = map[backend.Button]int{backend.LeftButton: 0, backend.MiddleButton: 1, backend.RightButton: 2}

// mouse are the actions of a mouse event: the pointer is where the last one left it.
func (h *WebDriverInput) mouse(m backend.Mouse) (list []action) {
	at := backend.Point{X: m.X, Y: m.Y}
	moved := h.at != at
	h.at = at
	if moved || m.Kind == backend.MouseMove {
		move := action{"type": "pointerMove", "x": m.X, "y": m.Y, "origin": "viewport"}
		if h.Whole {
			move["x"], move["y"], move["duration"] = int(m.X), int(m.Y), 0
		}
		list = append(list, move)
	}
	switch m.Kind {
	case backend.MouseDown:
		list = append(list, action{"type": "pointerDown", "button": buttons[m.Button]})
	case backend.MouseUp:
		list = append(list, action{"type": "pointerUp", "button": buttons[m.Button]})
	}
	return list
}

// ReleaseButton releases the left button where the pointer is.
func ReleaseButton() InputSource {
	return InputSource{"type": "pointer", "id": "rove-pointer", "parameters": action{"pointerType": "mouse"}, "actions": []action{{"type": "pointerUp", "button": 0}}}
}

// modifiers are held for a mouse event alone.
func modifiers(mods backend.Mods, what string) (list []action) {
	for _, m := range []struct {
		mod   backend.Mods
		value string
	}{{backend.Alt, "\uE00A"}, {backend.Control, "\uE009"}, {backend.Meta, "\uE03D"}, {backend.Shift, "\uE008"}} {
		if mods&m.mod != 0 {
			list = append(list, action{"type": what, "value": m.value})
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

// keyValue is how WebDriver names a key: by what it types, or by a code point of its own.
func keyValue(k backend.Key) (string, bool) {
	if value, ok := keyValues[k.Code]; ok {
		return value, true
	}
	return k.Key, len([]rune(k.Key)) == 1
}
