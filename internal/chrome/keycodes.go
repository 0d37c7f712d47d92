package chrome

import (
	"strconv"
	"strings"

	"rove/driver/backend"
)

// keyCode is the Windows virtual key code of a key, which Chrome wants to be told. It
// follows from the place of the key; a key of the keypad that is used without NumLock
// has that of the key it is used as.
func keyCode(k backend.Key) int64 {
	if code, ok := keyCodes[k.Key]; ok && k.Location == keypad {
		return code
	}
	if code, ok := keyCodes[k.Code]; ok {
		return code
	}
	if letter, ok := strings.CutPrefix(k.Code, "Key"); ok && len(letter) == 1 {
		return int64(letter[0])
	}
	if digit, ok := strings.CutPrefix(k.Code, "Numpad"); ok {
		if n, err := strconv.Atoi(digit); err == nil {
			return 96 + int64(n)
		}
	}
	if f, ok := strings.CutPrefix(k.Code, "F"); ok {
		if n, err := strconv.Atoi(f); err == nil {
			return 111 + int64(n)
		}
	}
	return 0
}

// keyCodes are those that follow from nothing.
var keyCodes = map[string]int64{
	"Enter": 13, "Tab": 9, "Escape": 27, "Backspace": 8, "Delete": 46, "Space": 32,
	"ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35,
	"PageUp": 33, "PageDown": 34, "Insert": 45, "ContextMenu": 93, "CapsLock": 20, "NumLock": 144,
	"ScrollLock": 145, "PrintScreen": 44, "Pause": 19, "Help": 47, "Abort": 3, "NumpadClear": 12,
	"ShiftLeft": 16, "ShiftRight": 16, "ControlLeft": 17, "ControlRight": 17, "AltLeft": 18, "AltRight": 18,
	"MetaLeft": 91, "MetaRight": 92, "Backquote": 192, "Digit1": 49, "Digit2": 50, "Digit3": 51,
	"Digit4": 52, "Digit5": 53, "Digit6": 54, "Digit7": 55, "Digit8": 56, "Digit9": 57,
	"Digit0": 48, "Minus": 189, "Equal": 187, "BracketLeft": 219, "BracketRight": 221, "Backslash": 220,
	"Semicolon": 186, "Quote": 222, "Comma": 188, "Period": 190, "Slash": 191, "NumpadEnter": 13,
	"NumpadMultiply": 106, "NumpadAdd": 107, "NumpadSubtract": 109, "NumpadDecimal": 110, "NumpadDivide": 111, "NumpadEqual": 187,
	"NumpadComma": 188,
}
