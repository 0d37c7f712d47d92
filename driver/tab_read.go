package driver

import (
	"context"

	"rove/driver/backend"
)

// Reading is what can be said of an element at a moment.
type Reading struct {
	ElementInfo
	URL     string // of its document
	Node    int    // the element itself, whatever comes to have its ref
	Text    string
	Value   *string
	Checked *bool
	Flags   map[string]bool // expanded, selected, pressed where they apply; disabled, visible, focused always
}

// Read reads an element.
func (t *Tab) Read(ctx context.Context, target string) (*Reading, error) {
	op := "read " + target
	frame, ref, locator, err := t.target(op, target)
	if err != nil {
		return nil, err
	}
	a := &action{target: target, ctx: ctx, tab: t, op: op, frame: frame}
	v, err := a.ask("read", prepareArg{Ref: ref, Locator: locator})
	if err != nil {
		return nil, Explain(op, err)
	}
	r := &Reading{
		ElementInfo: ElementInfo{Ref: a.refOf(v.Ref), Role: v.Role, Name: v.Name}, Node: v.ID, URL: t.documentURL(frame, v.Origin), Value: v.Value, Checked: v.Checked,
		Flags: map[string]bool{"disabled": v.Disabled, "visible": v.Visible, "focused": v.Focused},
	}
	if v.Text != nil {
		r.Text = *v.Text
	}
	for name, flag := range map[string]*bool{"checked": v.Checked, "expanded": v.Expanded, "selected": v.Selected, "pressed": v.Pressed} {
		if flag != nil {
			r.Flags[name] = *flag
		}
	}
	return r, nil
}

// Focused reads what has the focus, in whichever frame: what keys go to.
func (t *Tab) Focused(ctx context.Context) (*Reading, error) {
	a := &action{ctx: ctx, tab: t, op: "focus"}
	a.guarded()
	frame, _, err := a.focused(backend.Key{}, nil)
	if err != nil {
		return nil, Explain("focus", err)
	}
	a.frame = frame
	v, err := a.tab.call(ctx, frame, "focusedOn", prepareArg{})
	if err != nil {
		return nil, Explain("focus", err)
	}
	return &Reading{ElementInfo: ElementInfo{Ref: a.refOf(v.Ref), Role: v.Role, Name: v.Name}, URL: t.documentURL(frame, v.Origin)}, nil
}

// Count counts the elements a locator finds in the page.
func (t *Tab) Count(ctx context.Context, locator string) (int, error) {
	op := "count " + locator
	frame, _, css, err := t.target(op, locator)
	if err != nil {
		return 0, err
	}
	if css == "" {
		return 0, Invalid(op, "count takes a locator, not a ref")
	}
	a := &action{target: locator, ctx: ctx, tab: t, op: op, frame: frame}
	v, err := a.ask("read", prepareArg{Locator: css, Counting: true})
	if err != nil {
		return 0, Explain(op, err)
	}
	return v.Count, nil
}
