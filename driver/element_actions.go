package driver

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rove/driver/backend"
)

// do does something to the element as soon as that can be done, and waits for the page
// to react: where that is a navigation, for the new document.
func (e *Element) do(ctx context.Context, op Op) (effect *Effect, err error) {
	d := e.tab.driver
	ctx, noted := d.begin(ctx, op.Name, e.name, op.Value)
	defer func() { err = noted.end(err) }()
	budget := orDefault(op.Timeout, d.budget(elementWait))
	d.mu.Lock()
	submit, show := d.next.submit, d.options.Highlight
	d.next.submit = false
	d.mu.Unlock()
	if show > 0 {
		_ = e.highlight(ctx, budget, show)
	}
	w := e.tab.watch()
	defer w.stop()
	op.wait, op.said = untilReaction, op.Name+" "+e.name
	err = e.await(ctx, op.said, budget, func(ctx context.Context, s *spot, left time.Duration) error {
		if e.tab.tab.Dialog() != nil && d.answers(e.tab) {
			return &backend.Error{Kind: backend.KindDialog} // somebody is about to
		}
		op.Timeout = max(left, time.Millisecond)
		var err error
		effect, err = e.tab.Do(ctx, Target{one: true, name: e.name, spot: s}, op)
		if errorIs(err, CodeDialog) && d.answers(e.tab) {
			// The action opened it, and somebody answers it: that is how it
			// was meant to go.
			return e.tab.afterDialog(ctx)
		}
		return err
	})
	if err != nil || !submit {
		return effect, err
	}
	return effect, e.tab.arrived(ctx, w, op.said, d.limit(pageWait))
}

// act does it where what came of it is of no interest.
func (e *Element) act(ctx context.Context, name, value string, do func(*action) error) error {
	_, err := e.do(ctx, Op{Name: name, Value: value, do: do})
	return err
}

// arrived waits until a navigation that began since the watch has brought a new
// document, and that one is loaded.
func (t *Tab) arrived(ctx context.Context, w *watcher, op string, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	w.until(ctx, t.tab.Done(), nil, func() bool { return w.main && !w.navigating() })
	switch {
	case gone(t.tab):
		return Explain(op, &backend.Error{Kind: backend.KindClosed})
	case ctx.Err() != nil:
		return &Error{
			Code: CodeTimeout, Op: op, Message: fmt.Sprintf("timeout waiting for the page to load after it, waited %s on %s", roundedDuration(within), t.URL()),
			Hint: "it may not navigate; leave submit out", Err: ctx.Err(),
		}
	}
	return nil
}

// Click clicks in the middle of the element, or where it can be hit.
func (e *Element) Click(ctx context.Context) error { return e.act(ctx, "click", "", nil) }

// DoubleClick clicks twice.
func (e *Element) DoubleClick(ctx context.Context) error { return e.act(ctx, "dblclick", "", nil) }

// RightClick clicks with the right button.
func (e *Element) RightClick(ctx context.Context) error { return e.act(ctx, "rightclick", "", nil) }

// Hover moves the pointer onto the element.
func (e *Element) Hover(ctx context.Context) error { return e.act(ctx, "hover", "", nil) }

// Focus gives the element the focus.
func (e *Element) Focus(ctx context.Context) error { return e.act(ctx, "focus", "", nil) }

// Clear empties a field.
func (e *Element) Clear(ctx context.Context) error { return e.act(ctx, "clear", "", nil) }

// Check ticks a checkbox, switch or radio button, unless it is ticked.
func (e *Element) Check(ctx context.Context) error { return e.act(ctx, "check", "", nil) }

// Uncheck unticks a checkbox or switch, unless it is unticked.
func (e *Element) Uncheck(ctx context.Context) error { return e.act(ctx, "uncheck", "", nil) }

// Scroll brings the element into view.
func (e *Element) Scroll(ctx context.Context) error {
	return e.act(ctx, "scroll", "", func(a *action) error {
		if _, err := a.prepare("here", nil); err != nil {
			return err
		}
		_, err := a.ask("scroll", a.arg)
		return err
	})
}

// DragTo drags the element onto another and drops it there.
func (e *Element) DragTo(ctx context.Context, to *Element) error {
	return e.act(ctx, "drag", to.name, func(a *action) error {
		s, _, err := to.spot(a.ctx)
		if err != nil {
			return err
		}
		a.onto = s
		return a.drag()
	})
}

// InputFile gives files to a file input, or to the chooser that a click on the
// element opens.
func (e *Element) InputFile(ctx context.Context, paths ...string) error {
	return e.act(ctx, "upload", strings.Join(paths, "\n"), nil)
}

// Input replaces what a field holds, key by key as a person would. Texts may
// have keys in them, such as driver.KeyEnter; where the first of them is a key,
// what the field holds stays. Fields that nobody types into (dates, times,
// colours, ranges) are given the value.
func (e *Element) Input(ctx context.Context, texts ...string) error {
	return e.InputSlowly(ctx, 0, texts...)
}

// InputSlowly does the same with a pause after every character.
func (e *Element) InputSlowly(ctx context.Context, pause time.Duration, texts ...string) error {
	text := strings.Join(texts, "")
	first, _ := utf8.DecodeRuneInString(text)
	keys := strings.IndexFunc(text, isWebDriverKey) >= 0
	if !keys && pause <= 0 {
		return e.act(ctx, "input", text, nil)
	}
	return e.act(ctx, "input", text, func(a *action) error {
		events := typing(text)
		v, err := a.prepare("keys", func(p *prepareArg) { p.Clear = !isWebDriverKey(first) })
		if keys && CodeOf(err) == CodeInvalid {
			// What takes no text hears keys: Escape on a menu, or on the body for the page.
			v, err = a.prepare("focus", nil)
		}
		if err != nil {
			return err
		}
		for len(events) > 0 {
			n := len(events)
			if pause > 0 {
				n = strokeEnd(events)
			}
			if err := a.strokes(events[:n], v.Writes); err != nil && !replaced(err) {
				return err
			}
			if events = events[n:]; len(events) > 0 && pause > 0 {
				select {
				case <-time.After(pause):
				case <-a.ctx.Done():
					return a.ctx.Err()
				}
			}
		}
		return a.settle()
	})
}

// strokeEnd is where the first character among events is typed.
func strokeEnd(events []backend.Input) int {
	for i, e := range events {
		switch k := e.(type) {
		case backend.Text:
			return i + 1
		case backend.Key:
			if !k.Down && k.Key != "Shift" {
				return i + 1
			}
		}
	}
	return len(events)
}

// SetValue gives a field a value as a script would, with the events input and
// change.
func (e *Element) SetValue(ctx context.Context, value string) (err error) {
	ctx, noted := e.tab.driver.begin(ctx, "value", e.name, value)
	defer func() { err = noted.end(err) }()
	err = e.page(ctx, "value", "assign", map[string]any{"value": value}, &plain{})
	if noted != nil {
		var is fact[bool]
		e := e.pageWithin(ctx, 0, "value", "fact", map[string]any{"what": "matches", "name": "input[type=password]"}, &is)
		if e != nil || is.Data {
			secret(ctx)
		}
	}
	return err
}

// Select chooses an option: by its value, else by its text; {}text by the exact
// text alone, {^}text by a part of it.
func (e *Element) Select(ctx context.Context, option string) error {
	return e.selects(ctx, option, func(a *action) error {
		if option == "" || strings.HasPrefix(option, "#") { // #2 is the third for the agent
			a.Value = option
			return a.chooseValue(option)
		}
		return a.choose()
	})
}

// SelectIndex chooses an option by its number, from 0.
func (e *Element) SelectIndex(ctx context.Context, n int) error {
	return e.selects(ctx, "#"+strconv.Itoa(n), (*action).choose)
}

func (e *Element) selects(ctx context.Context, value string, do func(*action) error) error {
	if value == "" {
		value = "''" // in place of nothing, which an operation cannot take
	}
	return e.act(ctx, "select", value, func(a *action) error {
		if err := do(a); err != nil {
			return err
		}
		if a.effect.Navigated || a.arg.Ref == 0 {
			return nil
		}
		var done plain
		err := a.tab.ask(a.ctx, a.current(), "leave", map[string]any{"path": []step{{Ref: a.arg.Ref}}}, &done)
		if replaced(err) {
			return nil
		}
		return err
	})
}

// chooseValue chooses by value or text whatever the option looks like.
func (a *action) chooseValue(option string) error {
	if _, err := a.prepare("point", nil); err != nil {
		return err
	}
	arg := a.arg
	arg.Values = []string{option}
	if _, err := a.chosen(arg); err != nil {
		return err
	}
	return a.settle()
}

// Press presses keys or chords with the focus on the element: "Enter",
// "Control+a", "Tab Tab".
func (e *Element) Press(ctx context.Context, chords string) error {
	return e.act(ctx, "press", chords, nil)
}

// highlightDuration is how long an element stands out.
const highlightDuration = 3 * time.Second

// Highlight makes the element stand out for three seconds, or as long as given.
func (e *Element) Highlight(ctx context.Context, duration ...time.Duration) error {
	show := highlightDuration
	if len(duration) > 0 {
		show = duration[0]
	}
	return e.highlight(ctx, e.tab.driver.budget(elementWait), show)
}

func (e *Element) highlight(ctx context.Context, budget, show time.Duration) error {
	return e.pageWithin(ctx, budget, "highlight", "highlight", map[string]any{"duration": show.Milliseconds()}, &plain{})
}

// Screenshot takes a picture of the element.
func (e *Element) Screenshot(ctx context.Context) ([]byte, error) {
	var picture []byte
	err := e.act(ctx, "screenshot", "", func(a *action) error {
		if _, err := a.prepare("here", nil); err != nil {
			return err
		}
		short, cancel := e.tab.driver.within(a.ctx, sessionWait)
		defer cancel()
		err := a.picture(short, backend.ScreenshotOptions{})
		picture = a.effect.Picture
		return err
	})
	return picture, err
}
