package driver

import (
	"slices"
	"strings"

	"rove/internal/spell"
)

// CheckOperation says what is wrong with an operation on an element before anything
// is done: one that there is not, a value too many or too few. also are operations
// that there are elsewhere, which may have been meant.
func CheckOperation(target, op, value string, also ...string) error {
	what := op + " " + target
	o, ok := operations[op]
	switch {
	case !ok && slices.Contains(also, op):
		e := Invalid(what, "%s is nothing for an element, but for the page", op)
		e.Hint = "the ref is _page then"
		return e
	case !ok:
		return unknown(what, op, "there is no operation", Operations(), also)
	case value == "" && o.value != "" && !o.optional:
		return Invalid(what, "%s needs a value: %s", op, o.value)
	case value != "" && o.value == "":
		return Invalid(what, "%s takes no value: leave it out", op)
	}
	return nil
}

// CheckPageOperation does the same for one of the page as a whole, of which there
// are those.
func CheckPageOperation(op string, there []string) error {
	what := op + " _page"
	if slices.Contains(there, op) {
		return nil
	}
	if _, ok := operations[op]; ok {
		e := Invalid(what, "%s needs an element: the page as a whole has %s", op, strings.Join(there, ", "))
		e.Hint = "give the ref of one"
		return e
	}
	return unknown(what, op, "the page has no operation", there, Operations())
}

func unknown(what, op, no string, there, also []string) error {
	e := Invalid(what, "%s %q; there are %s", no, op, strings.Join(there, ", "))
	if near := meant(op, append(slices.Clone(there), also...)); near != "" {
		e.Message, e.Hint = no+` "`+op+`"`, "did you mean "+near+"?"
	}
	return e
}

// otherWords are what operations are called elsewhere.
var otherWords = map[string]string{
	"fill": "input", "settext": "input", "setvalue": "input", "write": "input", "enter": "input", "append": "type", "sendkeys": "type",
	"tap": "click", "leftclick": "click", "submit": "click", "doubleclick": "dblclick", "contextclick": "rightclick", "contextmenu": "rightclick",
	"key": "press", "keypress": "press", "keyboard": "press", "presskey": "press", "sendkey": "press", "choose": "select", "selectoption": "select", "pick": "select",
	"draganddrop": "drag", "dragto": "drag", "drop": "drag", "mouseover": "hover", "move": "drag", "attach": "upload", "setfiles": "upload", "uploadfile": "upload",
	"tick": "check", "untick": "uncheck", "toggle": "click", "highlight": "mark", "selecttext": "mark", "gettext": "text", "read": "text", "getattribute": "attribute",
	"goto": "go", "navigate": "go", "open": "go", "reload": "refresh", "goback": "back", "goforward": "forward", "resize": "viewport", "alert": "dialog", "print": "pdf",
	"expand": "click", "close": "click", "scrollintoview": "scroll", "scrollto": "scroll", "empty": "clear", "snapshot": "look", "waitfor": "wait",
}

// meant is the operation that a word stands for, or that is nearest to it; "" where
// none is near.
func meant(word string, there []string) string {
	plain := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(word))
	if op := otherWords[plain]; slices.Contains(there, op) {
		return op
	}
	best, distance := "", 1+min(2, len(plain)/3)
	for _, op := range there {
		if d := spell.Distance(plain, op, distance); d < distance {
			best, distance = op, d
		}
	}
	for other, op := range otherWords {
		if d := spell.Distance(plain, other, distance); d < distance && slices.Contains(there, op) {
			best, distance = op, d
		}
	}
	return best
}
