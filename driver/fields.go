package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"rove/driver/advice"
	"rove/driver/backend"
)

// input replaces what a field holds, key by key, as a person would who selects
// all and types. What is not typed into is chosen or set instead.
func (a *action) input() error {
	if a.Value == "" {
		return a.clear()
	}
	if a.Origin != "" {
		return a.typeSecret(true)
	}
	err := a.keys(true, typing(a.Value))
	var other *notTypable
	if !errors.As(err, &other) {
		return err
	}
	switch v := other.verdict; {
	case v.Tag == "select", v.Type == "list":
		return a.choose()
	case v.Type == "file":
		return a.upload()
	case v.Type == "checkbox" || v.Type == "radio":
		return Invalid(a.op, "%s takes no text; use check or click", a.describe(v.scriptElement))
	}
	return a.set()
}

// notTypable is a field that people do not type into.
type notTypable struct{ verdict *verdict }

func (u *notTypable) Error() string {
	return "a field of type " + u.verdict.Type + " is not typed into; use input, set or select"
}

// typeText appends to what a field holds. What is not typed into has nothing to
// append to, and is set.
func (a *action) typeText() error {
	if a.Origin != "" {
		return a.typeSecret(false)
	}
	err := a.keys(false, typing(a.Value))
	if other, ok := errors.AsType[*notTypable](err); ok && !slices.Contains([]string{"checkbox", "radio", "file"}, other.verdict.Type) {
		return a.input()
	}
	return err
}

// clear empties a field by selecting all and deleting it.
func (a *action) clear() error {
	del, err := chords("Backspace")
	if err != nil {
		return err
	}
	err = a.keys(true, del)
	if other, ok := errors.AsType[*notTypable](err); ok {
		if err := a.refuseEmptyClear(other.verdict); err != nil {
			return err
		}
		switch other.verdict.Type {
		case "color":
			a.Value = "#000000" // what a colour is that nobody chose
			return a.set()
		case "date", "time", "datetime-local", "month", "week":
			return a.set()
		}
	}
	if err != nil {
		return err
	}
	if a.after != nil && a.after.Value != nil && *a.after.Value != "" {
		return &Error{Code: CodeInvalid, Op: a.op, Message: fmt.Sprintf("the field was cleared, but holds %q again", *a.after.Value), Hint: "the page fills it by itself; input what it is to hold"}
	}
	return nil
}

// refuseEmptyClear refuses to clear an empty field, where that is wanted. A number field
// can show what is not its value.
func (a *action) refuseEmptyClear(v *verdict) error {
	if !a.Sense || a.Name != "clear" || v.Value == nil || *v.Value != "" || v.Type == "number" {
		return nil
	}
	return &Error{Code: CodeInvalid, Op: a.op, Message: a.describe(v.scriptElement) + " is empty already", Hint: "there is nothing to clear; input gives it a text"}
}

// keys types into a field and sees that it took the keys.
func (a *action) keys(all bool, events []backend.Input) error {
	v, err := a.strike(all, events)
	if all && a.lostInside && errorIs(err, CodeCovered) {
		// As with a calendar that opens with the field and takes the focus: a person goes
		// back to the field. What took the focus got nothing.
		was := a.before
		a.lostTo, a.lostInside, a.after = "", false, nil
		v, err = a.strike(all, events)
		a.before = was
	}
	if err == nil && all && a.late() {
		was := a.before
		a.after = nil
		first, failed := chords("Shift") // for the caret: it may be gone until a key comes
		if failed != nil {
			return failed
		}
		v, err = a.strike(all, append(first, events...))
		a.before = was
	}
	if err != nil {
		return err
	}
	a.compare()
	if strings.ContainsAny(a.Value, "\r\n") {
		return nil // Enter sends what was typed, and the field may be empty again
	}
	if a.Name == "clear" || a.Value == "" || a.effect.Navigated || a.after == nil || a.after.Value == nil {
		return nil
	}
	if a.lostTo != "" && a.after.Masked == nil {
		want := core(a.Value)
		if !all && a.before.Value != nil {
			want = core(*a.before.Value) + want
		}
		if !strings.Contains(core(*a.after.Value), want) {
			return a.astray(0, a.lostTo) // what was put in at once leaves no trace elsewhere
		}
	}
	if took(a.Value, *a.after.Value, a.before, *a.after) {
		return nil
	}
	return &Error{
		Code: CodeInvalid, Op: a.op, Message: fmt.Sprintf("%s did not take the text: it holds %q", a.describe(v.scriptElement), *a.after.Value),
		Hint: "it may want another form, or other keys",
	}
}

// strike gives the field the focus and sends keys in one write.
func (a *action) strike(all bool, events []backend.Input) (*verdict, error) {
	v, err := a.prepare("keys", func(p *prepareArg) { p.Clear = all })
	if v != nil && v.Code == "untyped" {
		return v, &notTypable{v}
	}
	if err != nil {
		return v, err
	}
	if err := a.refuseEmptyClear(v); err != nil {
		return v, err
	}
	if v.All {
		all, err := chords("ControlOrMeta+A")
		if err != nil {
			return v, err
		}
		events = append(all, events...)
	}
	if v.Tag == "input" {
		if n := afterEnter(events); n < len(events) {
			if err := a.part(v, events[:n]); err != nil {
				return v, err
			}
			next, err := a.strike(false, events[n:])
			if errorIs(err, CodeStale) || errorIs(err, CodeNotFound) {
				err = (&Error{Code: CodeStale, Op: a.op, Message: "Enter brought up another page, or took the field away: what was to come after it was not typed"}).Advise(advice.LookNow)
			}
			return next, err
		}
	}
	return v, a.part(v, events)
}

// part types what there is no question about between.
func (a *action) part(v *verdict, events []backend.Input) error {
	if err := a.strokes(events, v.Writes); err != nil && !replaced(err) {
		return err
	}
	return a.settle()
}

// afterEnter is where keys go on after Enter. In a field of one line it may send
// what was typed, and the page that comes is not to get the rest.
func afterEnter(events []backend.Input) int {
	entered := false
	for i, e := range events {
		k, ok := e.(backend.Key)
		switch {
		case !ok || k.Down && entered && k.Key != "Enter" && !isModifier(k):
			if entered {
				return i
			}
		case k.Down && k.Key == "Enter":
			entered = true
		}
	}
	return len(events)
}

// late says that a field was not ready for the first keys, and has only those
// after them: what the page does when a field gets the focus can come between. A
// page that took the first ones elsewhere has changed.
func (a *action) late() bool {
	if a.Name != "input" || a.effect.Changes > 0 || a.effect.Navigated || a.after == nil || a.after.Value == nil || a.after.Masked != nil {
		return false
	}
	rest := *a.after.Value
	return rest != "" && len(rest) < len(a.Value) && strings.HasSuffix(a.Value, rest) && !strings.ContainsAny(a.Value, "\r\n")
}

// took says whether a field took what was typed. Fields put in separators,
// change case or cut, so only letters and digits count, and one is enough.
func took(typed, value string, before, after state) bool {
	if after.Masked != nil {
		return *after.Masked > 0 // a password: something is there
	}
	if before.Value == nil || *before.Value != value {
		return true
	}
	return value != "" && strings.Contains(core(value), core(typed))
}

// core is the letters and digits of a text.
func core(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// press presses keys or chords while the element has the focus.
func (a *action) press() error {
	events, err := chords(a.Value)
	if err != nil {
		return err
	}
	v, err := a.prepare("focus", nil)
	if err != nil {
		return err
	}
	if v.Inner != 0 {
		if _, _, err := a.focused(backend.Key{}, nil); err != nil { // the document in it gets them
			return err
		}
	}
	if err := a.strokes(events, false); err != nil && !replaced(err) {
		return err
	}
	a.activates = slices.ContainsFunc(events, func(e backend.Input) bool {
		k, ok := e.(backend.Key)
		return ok && k.Down && (k.Key == "Enter" || k.Key == " ")
	})
	err = a.settle()
	a.compare()
	return err
}

func (a *action) focus() error {
	if _, err := a.prepare("focus", nil); err != nil {
		return err
	}
	return a.settle()
}

// mark selects text with the pointer, as a person would; what cannot be selected
// so the page script selects.
func (a *action) mark() error {
	arg := a.arg
	arg.Value = a.Value
	closed := a.shut("point")
	v, err := a.ask("mark", arg)
	closed()
	if err != nil {
		return err
	}
	a.noteElement(v)
	if v.Start != nil && v.Till != nil {
		if err := a.dragHeld(*v.Start, *v.Till); err != nil {
			return err
		}
		if v, err = a.ask("marked", arg); err != nil {
			return err
		}
	}
	a.effect.Text = v.To
	return a.settle()
}

// dragHeld moves the pointer from one point of the frame to another with the button
// held.
func (a *action) dragHeld(start, till [2]float64) error {
	if a.tab.driver.onTrigger != nil {
		for _, p := range [][2]float64{start, till} {
			if err := a.touched(p); err != nil {
				return err
			}
		}
	}
	from, err := a.outward(backend.Point{X: start[0], Y: start[1]}, false)
	if err != nil {
		return err
	}
	to, err := a.outward(backend.Point{X: till[0], Y: till[1]}, false)
	if err != nil {
		return err
	}
	mouse := func(kind backend.MouseKind, x, y float64) backend.Mouse {
		return backend.Mouse{Kind: kind, X: x, Y: y, Button: backend.LeftButton, Clicks: 1}
	}
	return a.send(
		backend.Mouse{Kind: backend.MouseMove, X: from.X, Y: from.Y},
		mouse(backend.MouseDown, from.X, from.Y),
		mouse(backend.MouseMove, (from.X+to.X)/2, (from.Y+to.Y)/2),
		mouse(backend.MouseMove, to.X, to.Y),
		mouse(backend.MouseUp, to.X, to.Y))
}

func (a *action) text() error { return a.read("") }

func (a *action) attribute() error { return a.read(a.Value) }

func (a *action) read(attribute string) error {
	arg := a.arg
	arg.Attribute = attribute
	v, err := a.ask("read", arg)
	if err != nil {
		return err
	}
	a.noteElement(v)
	if a.effect.Text = v.Text; v.Text == nil {
		none := "null"
		a.effect.Text = &none
	}
	return nil
}
