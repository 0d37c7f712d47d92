package driver

import (
	"context"
	"strings"

	"rove/driver/advice"
	"rove/driver/backend"
)

// noReason is for a page that could not be reached, where nobody says why.
const noReason = "the browser gave no reason"

// unreachable has the browser say why a page could not be reached, if its request did not.
func (t *Tab) unreachable(ctx context.Context, e *Effect) {
	x, ok := t.tab.(backend.Explainer)
	if !ok || e.Unreachable != noReason {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	if reason, word := x.Unreachable(ctx); reason != "" {
		e.Unreachable, e.reason = word, reason
	}
}

// history goes back or forward and waits for the page.
func (a *action) history() error {
	return a.travel(func() error {
		delta := map[string]int{"back": -1, "forward": 1}[a.Name]
		moved, err := a.tab.tab.Step(a.ctx, delta)
		if err == nil && !moved {
			return &Error{Code: CodeInvalid, Op: a.op, Message: "there is no page to go " + a.Name + " to", Hint: "go to a URL instead"}
		}
		return err
	})
}

// reload loads the page again and waits for it: "refresh hard" and "reload" past the
// cache.
func (a *action) reload() error {
	if err := a.resends(); err != nil {
		return err
	}
	return a.travel(func() error { return a.tab.tab.Reload(a.ctx, a.Name == "reload" || a.Value == "hard") })
}

// travel does what brings another page and waits for that.
func (a *action) travel(do func() error) error {
	a.tab.beforeLeaving(a.ctx)
	if err := do(); err != nil {
		return err
	}
	if err := a.arrive(); err != nil {
		return err
	}
	return a.settle()
}

// arrive waits for the navigation that was asked for to show: a new document, or
// a new address of the same one.
func (a *action) arrive() error {
	ctx, cancel := context.WithTimeout(a.ctx, navigateTimeout)
	defer cancel()
	w := a.watch
	w.until(ctx, a.tab.tab.Done(), nil, func() bool { return w.main || w.url != "" || w.dialog != nil || w.refused != "" })
	switch {
	case gone(a.tab.tab):
		return a.tab.tab.Err()
	case ctx.Err() != nil:
		return &backend.Error{Kind: backend.KindTimeout, Text: "the page", Err: ctx.Err()}
	}
	a.frame = a.current()
	return nil
}

// pressAnywhere presses keys or chords, wherever the focus is.
func (a *action) pressAnywhere() error {
	a.op = "press " + a.Value
	events, err := chords(a.Value)
	if err != nil {
		return err
	}
	opened := make(chan error, 1)
	go func() { opened <- a.openAll() }()
	a.attend()
	if err := <-opened; err != nil {
		return err
	}
	if err := a.strokes(events, false); err != nil && !replaced(err) {
		return err
	}
	return a.settle()
}

// attend has the page script watch for what comes of an action that is about no
// element. A page that cannot be asked now is pressed all the same.
func (a *action) attend() {
	ctx, cancel := context.WithTimeout(a.ctx, closePatience)
	defer cancel()
	_, _ = a.tab.call(ctx, a.frame, "attend", prepareArg{})
}

// Answer accepts or dismisses the open dialog and waits for what comes of it.
func (t *Tab) Answer(ctx context.Context, accept bool, text string) (*Effect, error) {
	if t.tab.Dialog() == nil {
		return nil, (&Error{Code: CodeInvalid, Op: "dialog", Message: "no dialog is open"}).Advise(advice.LookThere)
	}
	return t.page(ctx, Op{Name: "dialog"}, func(*action) error { return t.tab.AnswerDialog(ctx, accept, text) })
}

// uploadToChooser gives files to the file chooser that is open.
func (a *action) uploadToChooser() error {
	c := a.tab.tab.Chooser()
	if c == nil {
		return &Error{Code: CodeInvalid, Op: a.op, Message: "no file chooser is open", Hint: "click what opens one, or upload to the ref of a file input"}
	}
	paths, err := a.tab.driver.files(a.op, a.Value)
	if err != nil {
		return err
	}
	if last := a.tab.used.Load(); last != nil {
		a.inner = last.inner
		err = a.answerChooser(c, a.origin(last.frame), paths)
	} else {
		err = a.answerChooser(c, a.origin(a.frame.ID), paths)
	}
	if err != nil {
		return err
	}
	return a.settle()
}

// Chooser is the file chooser that the page has opened, or nil.
func (t *Tab) Chooser() *backend.Chooser { return t.tab.Chooser() }

// PDF prints the page.
func (t *Tab) PDF(ctx context.Context, opts backend.PDFOptions) ([]byte, error) {
	ctx, cancel := bounded(ctx, 0, navigateTimeout)
	defer cancel()
	pdf, err := t.tab.PDF(ctx, opts)
	if err != nil && opts.Pages != "" && strings.Contains(err.Error(), "Page range") {
		return nil, Invalid("pdf", "there are no pages %q; say such as 1-3, 8, up to the last page", opts.Pages)
	}
	if err != nil {
		return nil, t.driver.failed("pdf", err)
	}
	return pdf, nil
}

// SetViewport changes the size of the visible page and waits for what that does
// to it.
func (t *Tab) SetViewport(ctx context.Context, v backend.Viewport) (*Effect, error) {
	if v.Width < 1 || v.Height < 1 || v.Width > 10000 || v.Height > 10000 {
		return nil, Invalid("viewport", "%d×%d: width and height go from 1 to 10,000", v.Width, v.Height)
	}
	return t.page(ctx, Op{Name: "viewport"}, func(*action) error { return t.tab.SetViewport(ctx, v) })
}
