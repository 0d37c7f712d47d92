package driver

import (
	"fmt"
	"strings"

	"rove/driver/backend"
)

// The keys of WebDriver, as characters of their own: within a text to type they
// press the key they name. A modifier stays held until it comes again, until
// KeyNull or until the text ends.
const (
	KeyNull      = "\uE000" // releases all modifiers
	KeyCancel    = "\uE001"
	KeyHelp      = "\uE002"
	KeyBackspace = "\uE003"
	KeyTab       = "\uE004"
	KeyClear     = "\uE005"
	KeyReturn    = "\uE006"
	KeyEnter     = "\uE007"
	KeyShift     = "\uE008"
	KeyControl   = "\uE009"
	KeyAlt       = "\uE00A"
	KeyPause     = "\uE00B"
	KeyEscape    = "\uE00C"
	KeySpace     = "\uE00D"
	KeyPageUp    = "\uE00E"
	KeyPageDown  = "\uE00F"
	KeyEnd       = "\uE010"
	KeyHome      = "\uE011"
	KeyLeft      = "\uE012"
	KeyUp        = "\uE013"
	KeyRight     = "\uE014"
	KeyDown      = "\uE015"
	KeyInsert    = "\uE016"
	KeyDelete    = "\uE017"
	KeySemicolon = "\uE018"
	KeyEquals    = "\uE019"
	KeyNumpad0   = "\uE01A"
	KeyNumpad1   = "\uE01B"
	KeyNumpad2   = "\uE01C"
	KeyNumpad3   = "\uE01D"
	KeyNumpad4   = "\uE01E"
	KeyNumpad5   = "\uE01F"
	KeyNumpad6   = "\uE020"
	KeyNumpad7   = "\uE021"
	KeyNumpad8   = "\uE022"
	KeyNumpad9   = "\uE023"
	KeyMultiply  = "\uE024"
	KeyAdd       = "\uE025"
	KeySeparator = "\uE026"
	KeySubtract  = "\uE027"
	KeyDecimal   = "\uE028"
	KeyDivide    = "\uE029"
	KeyF1        = "\uE031"
	KeyF2        = "\uE032"
	KeyF3        = "\uE033"
	KeyF4        = "\uE034"
	KeyF5        = "\uE035"
	KeyF6        = "\uE036"
	KeyF7        = "\uE037"
	KeyF8        = "\uE038"
	KeyF9        = "\uE039"
	KeyF10       = "\uE03A"
	KeyF11       = "\uE03B"
	KeyF12       = "\uE03C"
	KeyMeta      = "\uE03D" // Command, Windows
)

// key is a key of a US keyboard.
type key struct {
	code    string // KeyboardEvent.code
	name    string // KeyboardEvent.key
	shifted string // name while Shift is held, "" for the same
	text    string // what it types, where that is not its name
	side    int    // 1 left, 2 right, 3 keypad
	mod     backend.Mods
}

const keypad = 3

// namedKeys are the keys that go by a name, in the order an error lists them.
var namedKeys = []key{
	{code: "Enter", name: "Enter", text: "\r"},
	{code: "Tab", name: "Tab"},
	{code: "Escape", name: "Escape"},
	{code: "Backspace", name: "Backspace"},
	{code: "Delete", name: "Delete"},
	{code: "Space", name: " "},
	{code: "ArrowUp", name: "ArrowUp"},
	{code: "ArrowDown", name: "ArrowDown"},
	{code: "ArrowLeft", name: "ArrowLeft"},
	{code: "ArrowRight", name: "ArrowRight"},
	{code: "Home", name: "Home"},
	{code: "End", name: "End"},
	{code: "PageUp", name: "PageUp"},
	{code: "PageDown", name: "PageDown"},
	{code: "Insert", name: "Insert"},
	{code: "ContextMenu", name: "ContextMenu"},
	{code: "CapsLock", name: "CapsLock"},
	{code: "NumLock", name: "NumLock"},
	{code: "ScrollLock", name: "ScrollLock"},
	{code: "PrintScreen", name: "PrintScreen"},
	{code: "Pause", name: "Pause"},
	{code: "Help", name: "Help"},
	{code: "Abort", name: "Cancel"},
	{code: "NumpadClear", name: "Clear", side: keypad},
}

// modifierKeys come left before right, so that a bare name means the left one.
var modifierKeys = []key{
	{code: "ShiftLeft", name: "Shift", side: 1, mod: backend.Shift},
	{code: "ShiftRight", name: "Shift", side: 2, mod: backend.Shift},
	{code: "ControlLeft", name: "Control", side: 1, mod: backend.Control},
	{code: "ControlRight", name: "Control", side: 2, mod: backend.Control},
	{code: "AltLeft", name: "Alt", side: 1, mod: backend.Alt},
	{code: "AltRight", name: "Alt", side: 2, mod: backend.Alt},
	{code: "MetaLeft", name: "Meta", side: 1, mod: backend.Meta},
	{code: "MetaRight", name: "Meta", side: 2, mod: backend.Meta},
}

// signKeys type digits and signs.
var signKeys = []key{
	{code: "Backquote", name: "`", shifted: "~"},
	{code: "Digit1", name: "1", shifted: "!"},
	{code: "Digit2", name: "2", shifted: "@"},
	{code: "Digit3", name: "3", shifted: "#"},
	{code: "Digit4", name: "4", shifted: "$"},
	{code: "Digit5", name: "5", shifted: "%"},
	{code: "Digit6", name: "6", shifted: "^"},
	{code: "Digit7", name: "7", shifted: "&"},
	{code: "Digit8", name: "8", shifted: "*"},
	{code: "Digit9", name: "9", shifted: "("},
	{code: "Digit0", name: "0", shifted: ")"},
	{code: "Minus", name: "-", shifted: "_"},
	{code: "Equal", name: "=", shifted: "+"},
	{code: "BracketLeft", name: "[", shifted: "{"},
	{code: "BracketRight", name: "]", shifted: "}"},
	{code: "Backslash", name: `\`, shifted: "|"},
	{code: "Semicolon", name: ";", shifted: ":"},
	{code: "Quote", name: "'", shifted: `"`},
	{code: "Comma", name: ",", shifted: "<"},
	{code: "Period", name: ".", shifted: ">"},
	{code: "Slash", name: "/", shifted: "?"},
}

// keypadKeys go by their codes alone: their names mean the keys of the main
// block, which is why they come last in usKeys.
var keypadKeys = []key{
	{code: "NumpadEnter", name: "Enter", text: "\r", side: keypad},
	{code: "NumpadMultiply", name: "*", side: keypad},
	{code: "NumpadAdd", name: "+", side: keypad},
	{code: "NumpadSubtract", name: "-", side: keypad},
	{code: "NumpadDecimal", name: ".", side: keypad},
	{code: "NumpadDivide", name: "/", side: keypad},
	{code: "NumpadEqual", name: "=", side: keypad},
	{code: "NumpadComma", name: ",", side: keypad},
}

// usKeys is the whole keyboard. Letters, digits of the keypad and function keys
// follow from their order.
var usKeys = func() []key {
	all := append([]key(nil), namedKeys...)
	all = append(all, modifierKeys...)
	for i := range 24 {
		f := fmt.Sprintf("F%d", i+1)
		all = append(all, key{code: f, name: f})
	}
	for c := 'a'; c <= 'z'; c++ {
		upper := strings.ToUpper(string(c))
		all = append(all, key{code: "Key" + upper, name: string(c), shifted: upper})
	}
	all = append(all, signKeys...)
	for i := range 10 {
		d := fmt.Sprint(i)
		all = append(all, key{code: "Numpad" + d, name: d, side: keypad})
	}
	return append(all, keypadKeys...)
}()

// keyAliases are other spellings, lower-case and without "_" and "-", of a
// key's name, code or character.
var keyAliases = map[string]string{
	"ctrl": "Control", "ctl": "Control",
	"cmd": "Meta", "command": "Meta", "super": "Meta", "win": "Meta", "windows": "Meta", "os": "Meta",
	"opt": "Alt", "option": "Alt",
	"return": "Enter", "esc": "Escape", "del": "Delete", "ins": "Insert", "spacebar": "Space",
	"bksp": "Backspace", "bs": "Backspace",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"uparrow": "ArrowUp", "downarrow": "ArrowDown", "leftarrow": "ArrowLeft", "rightarrow": "ArrowRight",
	"pgup": "PageUp", "pgdn": "PageDown", "pgdown": "PageDown",
	"caps": "CapsLock", "prtsc": "PrintScreen", "break": "Pause", "menu": "ContextMenu", "apps": "ContextMenu",
	"plus": "+", "dot": ".", "equals": "=",
	"commandorcontrol": "ControlOrMeta", "cmdorctrl": "ControlOrMeta", "ctrlorcmd": "ControlOrMeta",
}

// webDriverKeys gives the code of the key for every code point of WebDriver.
// KeyEnter is the Enter of the main block, which is the one people mean.
var webDriverKeys = map[string]string{
	KeyCancel: "Abort", KeyHelp: "Help", KeyBackspace: "Backspace", KeyTab: "Tab", KeyClear: "NumpadClear",
	KeyReturn: "Enter", KeyEnter: "Enter", KeyShift: "ShiftLeft", KeyControl: "ControlLeft", KeyAlt: "AltLeft",
	KeyPause: "Pause", KeyEscape: "Escape", KeySpace: "Space", KeyPageUp: "PageUp", KeyPageDown: "PageDown",
	KeyEnd: "End", KeyHome: "Home", KeyLeft: "ArrowLeft", KeyUp: "ArrowUp", KeyRight: "ArrowRight",
	KeyDown: "ArrowDown", KeyInsert: "Insert", KeyDelete: "Delete", KeySemicolon: "Semicolon", KeyEquals: "Equal",
	KeyNumpad0: "Numpad0", KeyNumpad1: "Numpad1", KeyNumpad2: "Numpad2", KeyNumpad3: "Numpad3",
	KeyNumpad4: "Numpad4", KeyNumpad5: "Numpad5", KeyNumpad6: "Numpad6", KeyNumpad7: "Numpad7",
	KeyNumpad8: "Numpad8", KeyNumpad9: "Numpad9", KeyMultiply: "NumpadMultiply", KeyAdd: "NumpadAdd",
	KeySeparator: "NumpadComma", KeySubtract: "NumpadSubtract", KeyDecimal: "NumpadDecimal", KeyDivide: "NumpadDivide",
	KeyF1: "F1", KeyF2: "F2", KeyF3: "F3", KeyF4: "F4", KeyF5: "F5", KeyF6: "F6",
	KeyF7: "F7", KeyF8: "F8", KeyF9: "F9", KeyF10: "F10", KeyF11: "F11", KeyF12: "F12", KeyMeta: "MetaLeft",
	"\uE050": "ShiftRight", "\uE051": "ControlRight", "\uE052": "AltRight", "\uE053": "MetaRight",
}

// webDriverKeypad are the keys of WebDriver that the keypad has without NumLock.
var webDriverKeypad = map[string]struct{ name, code string }{
	"\uE054": {"PageUp", "Numpad9"}, "\uE055": {"PageDown", "Numpad3"},
	"\uE056": {"End", "Numpad1"}, "\uE057": {"Home", "Numpad7"},
	"\uE058": {"ArrowLeft", "Numpad4"}, "\uE059": {"ArrowUp", "Numpad8"},
	"\uE05A": {"ArrowRight", "Numpad6"}, "\uE05B": {"ArrowDown", "Numpad2"},
	"\uE05C": {"Insert", "Numpad0"}, "\uE05D": {"Delete", "NumpadDecimal"},
}
