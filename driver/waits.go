package driver

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"rove/driver/backend"
	"rove/internal/wire"
)

// waitAnswer is the page script's answer to a wait.
type waitAnswer struct {
	plain
	Which int    `json:"which"`
	Count int    `json:"count"`
	Found string `json:"found"`
}

// waitCondition waits until a condition holds for what elements find. what is how the
// condition is called in the error.
func (d *Driver) waitCondition(ctx context.Context, what string, budget time.Duration, arg map[string]any, elements ...*Element) (_ *waitAnswer, err error) {
	ctx, noted := d.begin(ctx, "wait", what, "")
	defer func() { err = noted.end(err) }()
	start := time.Now()
	t := elements[0].tab
	var m waitAnswer
	err = t.retry(ctx, "wait", earlierDeadline(ctx, budget), func(ctx context.Context, left time.Duration) error {
		var paths [][]step
		var index []int // of the elements whose way could be resolved
		var frame *backend.Frame
		live := false
		for i, e := range elements {
			s, again, err := e.spot(ctx)
			live = live || again
			if errors.Is(err, errNotThere) {
				continue
			}
			if err != nil {
				return err
			}
			frame = &s.frame
			paths, index = append(paths, s.path), append(index, i)
		}
		m = waitAnswer{}
		if frame != nil {
			if live {
				left = min(left, livePause)
			}
			arg["paths"], arg["timeout"] = paths, left.Milliseconds()
			if err := t.ask(ctx, *frame, "meet", arg, &m); err != nil {
				return err
			}
		}
		switch {
		case m.OK:
			m.Which = index[m.Which]
			return nil
		case live:
			return &notYet{errUnmet, livePause / 4}
		}
		return errUnmet
	})
	waited := time.Since(start)
	switch {
	case err == nil:
		return &m, nil
	case errors.Is(err, errUnmet):
		return &m, tooLate(what, t, waited, m.saw(arg))
	case errors.Is(err, context.DeadlineExceeded):
		return &m, tooLate(what, t, waited, unanswered(err))
	}
	return nil, elements[0].explain("wait", err, waited)
}

// errUnmet is for a condition that does not hold.
var errUnmet = errors.New("the condition does not hold")

// saw says what was there instead.
func (m *waitAnswer) saw(arg map[string]any) string {
	switch arg["want"] {
	case "text":
		if m.Count == 0 {
			return "there is no such element"
		}
		return fmt.Sprintf("its text is %q", m.Found)
	case "enabled":
		if m.Count == 0 {
			return "there is no such element"
		}
		return "it is still disabled"
	case "count":
		return fmt.Sprintf("there are %d", m.Count)
	case "ready":
		return "the document is " + m.Found
	}
	return ""
}

// unanswered says why a page had no answer when the time was up.
func unanswered(err error) string {
	if IsBusy(err) {
		return "the page is busy and does not answer"
	}
	return "the page did not answer in time"
}

func tooLate(what string, t *Tab, waited time.Duration, saw string) error {
	e := &Error{
		Code: CodeTimeout, Op: "wait", Err: context.DeadlineExceeded,
		Message: fmt.Sprintf("timeout waiting for %s on %s, waited %s", what, t.URL(), roundedDuration(waited)),
		Hint:    "check the locator and the page, or wait longer",
	}
	if saw != "" {
		e.Message += ": " + saw
	}
	return e
}

// WaitFor waits until the element is there; within is how long, the default
// where it is left out.
func (e *Element) WaitFor(ctx context.Context, within ...time.Duration) error {
	d := e.tab.driver
	_, err := d.waitCondition(ctx, "element: "+e.name, d.budget(elementWait, within...), map[string]any{"want": "exists"}, e)
	return err
}

// WaitForText waits until the element's text contains a text.
func (e *Element) WaitForText(ctx context.Context, text string, within ...time.Duration) error {
	d := e.tab.driver
	what := fmt.Sprintf("text '%s' in element: %s", text, e.name)
	_, err := d.waitCondition(ctx, what, d.budget(elementWait, within...), map[string]any{"want": "text", "text": text}, e)
	return err
}

// WaitForEnabled waits until the element is there and not disabled.
func (e *Element) WaitForEnabled(ctx context.Context, within ...time.Duration) error {
	d := e.tab.driver
	_, err := d.waitCondition(ctx, "element to be enabled: "+e.name, d.budget(elementWait, within...), map[string]any{"want": "enabled"}, e)
	return err
}

// WaitFor waits until what a locator finds is there.
func (d *Driver) WaitFor(ctx context.Context, locator string, within ...time.Duration) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.WaitFor(ctx, within...))
}

// WaitForAny waits until one of several locators finds something, and gives
// that element.
func (d *Driver) WaitForAny(ctx context.Context, locators []string, within ...time.Duration) (*Element, error) {
	if len(locators) == 0 {
		return nil, Invalid("wait", "locator cannot be null or empty")
	}
	elements := make([]*Element, len(locators))
	for i, l := range locators {
		elements[i] = d.Locate(l)
	}
	m, err := d.waitCondition(ctx, "any element: "+strings.Join(locators, ", "), d.budget(elementWait, within...), map[string]any{"want": "exists"}, elements...)
	if err != nil {
		return nil, err
	}
	return elements[m.Which], nil
}

// WaitForText waits until the text of what a locator finds contains a text.
func (d *Driver) WaitForText(ctx context.Context, locator, text string, within ...time.Duration) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.WaitForText(ctx, text, within...))
}

// WaitForEnabled waits until what a locator finds is not disabled.
func (d *Driver) WaitForEnabled(ctx context.Context, locator string, within ...time.Duration) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.WaitForEnabled(ctx, within...))
}

// WaitForResultCount waits until a locator finds exactly so many elements, and
// gives them.
func (d *Driver) WaitForResultCount(ctx context.Context, locator string, count int, within ...time.Duration) ([]*Element, error) {
	e := d.Locate(locator)
	what := fmt.Sprintf("%d elements: %s", count, locator)
	budget := d.budget(elementWait, within...)
	var err error
	if e.listed() {
		err = e.counts(ctx, what, count, budget)
	} else {
		_, err = d.waitCondition(ctx, what, budget, map[string]any{"want": "count", "count": count}, e)
	}
	if err != nil {
		return nil, err
	}
	return e.each(count), nil
}

// counts waits until JavaScript gives so many elements.
func (e *Element) counts(ctx context.Context, what string, count int, budget time.Duration) error {
	start, n := time.Now(), 0
	err := e.tab.retry(ctx, "wait", start.Add(budget), func(ctx context.Context, _ time.Duration) (err error) {
		if n, err = e.find(ctx); err == nil && n != count {
			return &notYet{errUnmet, livePause / 4}
		}
		return err
	})
	if errors.Is(err, errUnmet) {
		return tooLate(what, e.tab, time.Since(start), fmt.Sprintf("there are %d", n))
	}
	return err
}

// WaitForURL waits until the page's address contains a text, and gives it.
func (d *Driver) WaitForURL(ctx context.Context, part string, within ...time.Duration) (_ string, err error) {
	ctx, noted := d.begin(ctx, "wait", "URL to contain: "+part, "")
	defer func() { err = noted.end(err) }()
	t := d.Tab()
	start := time.Now()
	url := ""
	err = t.retry(ctx, "wait", earlierDeadline(ctx, d.budget(elementWait, within...)), func(context.Context, time.Duration) error {
		if url = t.URL(); strings.Contains(url, part) {
			return nil
		}
		return &notYet{errUnmet, eventPause}
	})
	switch {
	case err == nil:
		return url, nil
	case errors.Is(err, errUnmet), errors.Is(err, context.DeadlineExceeded):
		return "", tooLate("URL to contain: "+part, t, time.Since(start), "")
	}
	return "", Explain("wait", err)
}

// untilScript asks a condition after every frame the page paints, and now and
// then where it paints none. What throws is not so yet.
//
//go:embed js/until.js
var untilScript string

// untilSlice is for how long a condition is left with one element before that is
// looked for again.
const untilSlice = 300 * time.Millisecond

// until waits for a condition in the page. resolve gives the frame and the
// elements each time.
func (d *Driver) until(ctx context.Context, t *Tab, what, js string, budget time.Duration, slice time.Duration,
	resolve func(context.Context) (backend.FrameID, []int, error),
) (err error) {
	ctx, noted := d.begin(ctx, "wait", what, "")
	defer func() { err = noted.end(err) }()
	if strings.TrimSpace(js) == "" {
		return Invalid("wait", "there is no condition")
	}
	start := time.Now()
	var last struct {
		OK    bool   `json:"ok"`
		Error string `json:"error"`
	}
	err = t.retry(ctx, "wait", earlierDeadline(ctx, budget), func(ctx context.Context, left time.Duration) error {
		frame, refs, err := resolve(ctx)
		if errors.Is(err, errNotThere) {
			last.Error = "there is no such element"
			return &notYet{errUnmet, livePause / 4}
		}
		if err != nil {
			return err
		}
		left = min(left, slice)
		bound, cancel := context.WithTimeout(ctx, left+answerTimeout)
		defer cancel()
		raw, err := t.tab.EvalOn(bound, backend.Function{Frame: frame, Refs: refs, Text: fmt.Sprintf(untilScript, left.Milliseconds(), js, isFunction(js))})
		if err == nil {
			err = wire.Unmarshal(raw, &last)
		}
		switch {
		case err == nil && !last.OK:
			return &notYet{err: errUnmet}
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			return &notYet{err, livePause / 4}
		}
		return err
	})
	var b *backend.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errUnmet):
		return tooLate(what, t, time.Since(start), cmp.Or(last.Error, errUnmet.Error()))
	case errors.As(err, &b) && b.Kind == backend.KindScript:
		return Invalid("wait", "the condition makes no sense: %s", thrown(b.Text))
	case errors.Is(err, context.DeadlineExceeded):
		return tooLate(what, t, time.Since(start), unanswered(err))
	}
	return Explain("wait", err)
}

// WaitUntil waits until a JavaScript expression, or what a function gives, is
// true in the current frame.
func (d *Driver) WaitUntil(ctx context.Context, js string, within ...time.Duration) error {
	t := d.Tab()
	return d.until(ctx, t, "condition: "+js, js, d.budget(elementWait, within...), time.Hour, func(context.Context) (backend.FrameID, []int, error) {
		f, err := t.frameOf(t.frameID())
		return f.ID, nil, err
	})
}

// WaitUntil waits until a JavaScript expression with the element as _, such as
// "!_.disabled", is true, or what a function gives that is called with it.
func (e *Element) WaitUntil(ctx context.Context, js string, within ...time.Duration) error {
	d := e.tab.driver
	what := "condition: " + js + " on element: " + e.name
	return d.until(ctx, e.tab, what, js, d.budget(elementWait, within...), untilSlice, func(ctx context.Context) (backend.FrameID, []int, error) {
		s, _, err := e.spot(ctx)
		if err != nil {
			return "", nil, err
		}
		refs, err := e.tab.refs(ctx, s, 0)
		if err != nil {
			return "", nil, err
		}
		return s.frame.ID, refs[:1], nil
	})
}

// WaitUntilOn waits until a JavaScript expression holds for what a locator
// finds; see Element.WaitUntil.
func (d *Driver) WaitUntilOn(ctx context.Context, locator, js string, within ...time.Duration) (*Element, error) {
	e := d.Locate(locator)
	return with(e, e.WaitUntil(ctx, js, within...))
}

// WaitUntilFunc calls a function every so often until it gives something, and
// gives that: anything but nil, false, 0 and "". An error ends the wait.
func (d *Driver) WaitUntilFunc(ctx context.Context, condition func(context.Context) (any, error), within ...time.Duration) (_ any, err error) {
	start := time.Now()
	whole := ctx
	_, noted := d.begin(ctx, "wait", "condition: a function", "") // whose own steps are steps
	defer func() { err = noted.end(err) }()
	ctx, cancel := context.WithTimeout(ctx, d.budget(elementWait, within...))
	defer cancel()
	ticker := time.NewTicker(d.retryInterval())
	defer ticker.Stop()
	for {
		value, err := condition(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			return nil, err
		case err == nil && truthy(value):
			return value, nil
		}
		select {
		case <-ticker.C:
		case <-whole.Done():
			return nil, Explain("wait", whole.Err())
		case <-ctx.Done():
			return nil, tooLate("condition: a function", d.Tab(), time.Since(start), fmt.Sprintf("it gives %v", value))
		}
	}
}

func truthy(value any) bool {
	v := reflect.ValueOf(value)
	return v.IsValid() && !v.IsZero()
}
