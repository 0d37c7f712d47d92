package driver

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/driver/backend"
)

// choose selects options: of a native select or a datalist at once, of an ARIA
// combobox or listbox the way a person does.
func (a *action) choose() error {
	arg := a.arg
	arg.Values = []string{a.Value}
	if n, ok := strings.CutPrefix(a.Value, "#"); ok {
		if _, err := strconv.Atoi(n); err == nil {
			arg.Values, arg.Index = []string{n}, true
		}
	}
	if _, err := a.prepare("point", nil); err != nil {
		return err
	}
	arg.Ref, arg.Locator = a.arg.Ref, ""
	v, err := a.chosen(arg)
	switch {
	case v != nil && v.Code == "notnative":
		return a.chooseListed()
	case v != nil && v.Code == "nooption" && v.Tag == "input" && v.Count == 0:
		// Suggestions that come when something is typed.
		before := a.before.Value
		if err := a.enter(typing(a.Value)); err != nil {
			return err
		}
		if v, err = a.chosen(arg); err == nil {
			v.From = before
		}
	case v != nil && v.Code == "nooption" && strings.Contains(a.Value, ","):
		// Several, for a select that takes several.
		arg.Values = nil
		for part := range strings.SplitSeq(a.Value, ",") {
			arg.Values = append(arg.Values, strings.TrimSpace(part))
		}
		v, err = a.chosen(arg)
	}
	if err != nil {
		return err
	}
	if v.From != nil && v.To != nil && *v.From != *v.To {
		a.effect.Value = &Change{*v.From, *v.To}
	}
	return a.settle()
}

// chosen chooses options of a native select, after what that sets off was agreed to.
func (a *action) chosen(arg prepareArg) (*verdict, error) {
	for arg.Sets {
		v, err := a.ask("select", arg)
		if v == nil || v.Code != "sets" {
			return v, err
		}
		again, err := a.agree(a.frame, v, true)
		if err != nil {
			return v, err
		}
		arg.Also = nil
		for _, n := range v.Sets {
			arg.Also = append(arg.Also, n.ID)
		}
		arg.Sets = again // it may be something else by now
	}
	return a.ask("select", arg)
}

// chooseListed opens a combobox if it is closed and clicks the option in the
// list that shows; a listbox has its options in it. Several, with commas between them, are
// clicked one after the other.
func (a *action) chooseListed() error {
	values := []string{a.Value}
	v, opened, err := a.option(a.Value, !strings.Contains(a.Value, ","))
	if err == nil && !v.OK && strings.Contains(a.Value, ",") {
		if v.Code == "nooption" {
			values, err = a.each()
		}
		if err == nil && len(values) > 1 {
			v, _, err = a.option(values[0], true)
		} else if err == nil {
			var again bool // it is no list of such values
			v, again, err = a.option(a.Value, true)
			opened = opened || again
		}
	}
	var names []string
	for i, value := range values {
		if i > 0 {
			var again bool
			v, again, err = a.option(value, true)
			opened = opened || again
		}
		if err != nil {
			return err
		}
		if !v.OK {
			return a.refusal(v)
		}
		names = append(names, v.Name)
		if v.Chosen {
			continue // a press would take it back
		}
		if err := a.pick(v); err != nil {
			return err
		}
	}
	if opened {
		if err := a.leave(); err != nil {
			return err
		}
	}
	a.effect.Value = &Change{To: strings.Join(names, ", ")}
	if a.before.Value != nil {
		a.effect.Value.From = *a.before.Value
	}
	if now, err := a.tab.call(a.ctx, a.frame, "prepare", prepareArg{Ref: a.arg.Ref, Need: "here", Who: a.Identify && a.effect.Who == nil}); err == nil && now.OK {
		a.knownBy(now)
		a.after = &now.state
		a.compare()
	}
	return nil
}

// each is the parts of a value with commas in it, if what is listed has each of them; else
// the value.
func (a *action) each() ([]string, error) {
	var parts []string
	for part := range strings.SplitSeq(a.Value, ",") {
		arg := a.arg
		arg.Value, arg.Timeout = strings.TrimSpace(part), 0
		v, err := a.tab.call(a.ctx, a.frame, "option", arg)
		if err != nil || !v.OK || !strings.EqualFold(v.Name, arg.Value) {
			return []string{a.Value}, err
		}
		parts = append(parts, arg.Value)
	}
	return parts, nil
}

// option finds what is listed under a text, and opens the list for that where it is
// closed. Where nothing is found it is typed, if that is wanted.
func (a *action) option(value string, typed bool) (v *verdict, opened bool, err error) {
	arg := a.arg
	arg.Value, arg.Timeout = value, 0
	v, err = a.tab.call(a.ctx, a.frame, "option", arg)
	if err == nil && v.Code == "closed" {
		opened = true
		opener := *a
		opener.Value, opener.effect = "", &Effect{}
		if err := opener.click(); err != nil {
			return v, opened, err
		}
		if a.effect.Who == nil {
			a.effect.Who = opener.effect.Who
		}
		arg.Timeout = listTimeout.Milliseconds()
		if v.Tag == "input" {
			arg.Timeout /= 5 // it may want to be typed into
		}
		v, err = a.tab.call(a.ctx, a.frame, "option", arg)
	}
	if err == nil && !v.OK && typed && (v.Tag == "input" || v.Tag == "textarea") {
		// Lists that follow what is typed show it only then.
		opened = true
		if err := a.enter(typing(value)); err != nil {
			return v, opened, err
		}
		arg.Timeout = listTimeout.Milliseconds()
		v, err = a.tab.call(a.ctx, a.frame, "option", arg)
	}
	return v, opened, err
}

// pick clicks an option that is listed.
func (a *action) pick(v *verdict) error {
	option := *a
	option.target, option.Value, option.after = string(a.refOf(v.Ref)), "", nil
	option.arg = prepareArg{Ref: v.Ref, Timeout: a.arg.Timeout}
	option.effect = &Effect{}
	err := option.click()
	a.effect.Changes += option.effect.Changes
	return err
}

// leave closes a list that was opened to choose from it and has stayed open, as one does
// that takes several choices: it would lie over what comes next. Tab is the key that leaves a list and
// nothing else; Escape might close the dialog around it as well.
func (a *action) leave() error {
	v, err := a.tab.call(a.ctx, a.frame, "option", a.arg)
	if err != nil || !v.Stays {
		return nil // it may be gone with what it was for
	}
	events, err := chords("Tab")
	if err != nil {
		return err
	}
	a.attend()
	if err := a.strokes(events, false); err != nil && !replaced(err) {
		return err
	}
	return a.settle()
}

// listTimeout is how long a list may take to show what it lists.
const listTimeout = 1500 * time.Millisecond

// enter replaces what a field holds.
func (a *action) enter(events []backend.Input) error {
	v, err := a.prepare("keys", func(p *prepareArg) { p.Clear = true })
	if err != nil {
		return err
	}
	if err := a.strokes(events, v.Writes); err != nil && !replaced(err) {
		return err
	}
	return a.settle()
}

// set gives a value to a field that is not typed into, or moves an ARIA slider
// or spinbutton with the keys.
func (a *action) set() error {
	if _, err := a.prepare("point", nil); err != nil {
		return err
	}
	arg := a.arg
	arg.Value, arg.Origin = a.Value, a.Origin
	v, err := a.ask("set", arg)
	if v != nil && v.Code == "notnative" {
		if a.Origin != "" {
			return Invalid(a.op, "%s takes no secret: a secret goes into a field for text", a.target)
		}
		return a.slide(v)
	}
	if err != nil {
		return err
	}
	if v.From != nil && v.To != nil && *v.From != *v.To {
		a.effect.Value = &Change{*v.From, *v.To}
	}
	return a.settle()
}

// slide moves an ARIA slider or spinbutton with the keys until it shows the
// value: one step to see how far that goes, then all that are left at once.
func (a *action) slide(v *verdict) error {
	want, err := strconv.ParseFloat(a.Value, 64)
	if err != nil || v.Now == nil {
		return Invalid(a.op, "%s takes a number, and must say which one it has", a.target)
	}
	first := *v.Now
	now, steps := first, 1
	for range slideTries {
		at, err := strconv.ParseFloat(now, 64)
		if err != nil {
			return Invalid(a.op, "it shows %q, which is not a number", now)
		}
		if at == want {
			if now != first {
				a.effect.Value = &Change{first, now}
			}
			return nil
		}
		key := "ArrowRight"
		if at > want {
			key = "ArrowLeft"
		}
		if now, err = a.slideBy(key, steps); err != nil {
			return err
		}
		after, err := strconv.ParseFloat(now, 64)
		step := math.Abs(after-at) / float64(steps)
		if err != nil || step == 0 {
			break
		}
		if steps == 1 && (at < want) != (after <= want) {
			break // it jumped over
		}
		steps = min(max(1, int(math.Round(math.Abs(want-after)/step))), slideSteps)
	}
	return &Error{Code: CodeInvalid, Op: a.op, Message: fmt.Sprintf("it got to %s, not to %s", now, a.Value), Hint: "drag it, or press keys on it"}
}

// slideBy presses a key so many times and answers what the slider shows then.
func (a *action) slideBy(key string, times int) (string, error) {
	once, err := chords(key)
	if err != nil {
		return "", err
	}
	if _, err := a.prepare("focus", nil); err != nil {
		return "", err
	}
	if err := a.strokes(slices.Repeat(once, times), false); err != nil {
		return "", err
	}
	if err := a.settle(); err != nil {
		return "", err
	}
	v, err := a.tab.call(a.ctx, a.frame, "set", a.arg)
	if err != nil || v.Now == nil {
		return "", err
	}
	return *v.Now, nil
}

const (
	slideSteps = 500 // at once
	slideTries = 12
)
