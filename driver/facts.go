package driver

import (
	"context"
	"errors"
	"time"

	"rove/driver/backend"
	"rove/internal/wire"
)

// page calls a function of the page script for the element, as soon as it is
// there.
func (e *Element) page(ctx context.Context, op, function string, arg map[string]any, out answer) error {
	return e.pageWithin(ctx, e.tab.driver.budget(elementWait), op, function, arg, out)
}

func (e *Element) pageWithin(ctx context.Context, budget time.Duration, op, function string, arg map[string]any, out answer) error {
	return e.await(ctx, op+" "+e.name, budget, func(ctx context.Context, s *spot, left time.Duration) error {
		arg["path"], arg["timeout"] = s.path, left.Milliseconds()
		if len(s.path) == 1 && s.path[0].Ref > 0 {
			arg["timeout"] = 0 // a number is there or gone for good
		}
		return e.tab.ask(ctx, s.frame, function, arg, out)
	})
}

// fact is the page script's answer about an element.
type fact[T any] struct {
	plain
	Data T `json:"data"`
}

// read asks for one fact about an element.
func read[T any](ctx context.Context, e *Element, what string, arg map[string]any) (T, error) {
	var f fact[T]
	if arg == nil {
		arg = map[string]any{}
	}
	arg["what"] = what
	err := e.page(ctx, what, "fact", arg, &f)
	return f.Data, err
}

// Text is all the text inside the element: its textContent.
func (e *Element) Text(ctx context.Context) (string, error) { return read[string](ctx, e, "text", nil) }

// HTML is the element as HTML: its outerHTML.
func (e *Element) HTML(ctx context.Context) (string, error) { return read[string](ctx, e, "html", nil) }

// Value is what a field holds; "" for what holds nothing.
func (e *Element) Value(ctx context.Context) (string, error) {
	v, err := read[*string](ctx, e, "value", nil)
	if v == nil {
		return "", err
	}
	return *v, err
}

// Attribute is an attribute as it is written; ok is false where there is none.
func (e *Element) Attribute(ctx context.Context, name string) (value string, ok bool, err error) {
	v, err := read[*string](ctx, e, "attribute", map[string]any{"name": name})
	if v == nil {
		return "", false, err
	}
	return *v, true, err
}

// Property is a property of the element as the page's own scripts see it.
func (e *Element) Property(ctx context.Context, name string) (any, error) {
	quoted, err := wire.Marshal(name)
	if err != nil {
		return nil, Invalid("property", "%v", err)
	}
	return e.Script(ctx, "_["+string(quoted)+"]")
}

// Enabled says whether the element is not disabled.
func (e *Element) Enabled(ctx context.Context) (bool, error) {
	return read[bool](ctx, e, "enabled", nil)
}

// Focused says whether the element has the focus.
func (e *Element) Focused(ctx context.Context) (bool, error) {
	return read[bool](ctx, e, "focused", nil)
}

// Matches says whether a CSS selector matches the element.
func (e *Element) Matches(ctx context.Context, selector string) (bool, error) {
	return read[bool](ctx, e, "matches", map[string]any{"name": selector})
}

// Tag is the element's name, such as div.
func (e *Element) Tag(ctx context.Context) (string, error) { return read[string](ctx, e, "tag", nil) }

// Role is the element's ARIA role.
func (e *Element) Role(ctx context.Context) (string, error) { return read[string](ctx, e, "role", nil) }

// Name is the element's accessible name.
func (e *Element) Name(ctx context.Context) (string, error) { return read[string](ctx, e, "name", nil) }

// Position is where an element is and how large, in CSS pixels.
type Position struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Position is where the element is in the page, or in the viewport.
func (e *Element) Position(ctx context.Context, inViewport bool) (Position, error) {
	return read[Position](ctx, e, "position", map[string]any{"relative": inViewport})
}

// Present says whether the element is there now: Exists, as one says it of an
// Optional.
func (e *Element) Present(ctx context.Context) (bool, error) { return e.Exists(ctx) }

// Script runs JavaScript with the element as _, or calls a function with it, in
// the page's own world. Promises are awaited.
func (e *Element) Script(ctx context.Context, js string) (_ any, err error) {
	ctx, noted := e.tab.driver.begin(ctx, "script", e.name, js)
	defer func() { err = noted.end(err) }()
	var value any
	op := "script " + e.name
	err = e.await(ctx, op, e.tab.driver.budget(elementWait), func(ctx context.Context, s *spot, left time.Duration) error {
		refs, err := e.tab.refs(ctx, s, left)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, e.tab.driver.limit(scriptWait))
		defer cancel()
		return e.tab.evalOn(ctx, backend.Function{Frame: s.frame.ID, Refs: refs[:1]}, js, scriptOne, &value)
	})
	return value, err
}

// refs are the numbers of what a spot finds, as soon as it finds something.
func (t *Tab) refs(ctx context.Context, s *spot, left time.Duration) ([]int, error) {
	var got found
	if left > 0 {
		var f fact[bool]
		arg := map[string]any{"path": s.path, "timeout": left.Milliseconds(), "what": "enabled"}
		if err := t.ask(ctx, s.frame, "fact", arg, &f); err != nil {
			return nil, err
		}
	}
	if err := t.count(ctx, s, true, &got); err != nil {
		return nil, err
	}
	if len(got.Refs) == 0 {
		return nil, errNotThere
	}
	return got.Refs, nil
}

// ScriptAll runs JavaScript for each element the locator finds now, as _, and
// gives the values.
func (d *Driver) ScriptAll(ctx context.Context, locator, js string) ([]any, error) {
	return d.Locate(locator).scriptAll(ctx, js)
}

// ScriptAll runs JavaScript for each element the locator finds inside this one.
func (e *Element) ScriptAll(ctx context.Context, locator, js string) ([]any, error) {
	return e.Locate(locator).scriptAll(ctx, js)
}

func (e *Element) scriptAll(ctx context.Context, js string) (_ []any, err error) {
	ctx, noted := e.tab.driver.begin(ctx, "scriptAll", e.name, js)
	defer func() { err = noted.end(err) }()
	op := "scriptAll " + e.name
	ctx, cancel := context.WithTimeout(ctx, e.tab.driver.budget(scriptWait))
	defer cancel()
	values := []any{}
	err = e.tab.retry(ctx, op, time.Now(), func(ctx context.Context, _ time.Duration) error {
		frame, got, err := e.every(ctx, true)
		if err != nil || got.Count == 0 {
			return err
		}
		return e.tab.evalOn(ctx, backend.Function{Frame: frame.ID, Refs: got.Refs}, js, scriptEach, &values)
	})
	if errors.Is(err, errNotThere) {
		return values, nil
	}
	if err != nil {
		return nil, Explain(op, err)
	}
	return values, nil
}
