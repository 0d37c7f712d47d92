package driver

import (
	"cmp"
	"context"
	"strings"

	"rove/driver/backend"
	"rove/internal/advice"
)

// during watches the tab while something is done to the page as a whole, and
// waits for what that causes.
func (t *Tab) during(ctx context.Context, op string, do func(*action) error) (*Effect, error) {
	frames := t.tab.Frames()
	if len(frames) == 0 {
		return nil, Explain(op, &backend.Error{Kind: backend.KindClosed})
	}
	whole := ctx
	ctx, cancel := spare(ctx)
	defer cancel()
	a := &action{ctx: ctx, tab: t, op: op, frame: frames[0], effect: &Effect{}, watch: t.watch()}
	a.guarded()
	if a.Op, _, _ = strings.Cut(op, " "); a.Op == "mouse" {
		a.Op = "click"
	}
	defer func() { a.watch.stop() }()
	url, open := t.URL(), t.tab.Dialog()
	if op == "dialog" {
		open = nil // it is being answered; another one is news
	}
	t.noted(ctx)
	err := do(a)
	if err == nil {
		err = cmp.Or(a.settle(), t.lostBrowser())
	}
	a.reopen()
	a.watch.fill(a.effect, url)
	t.reason(whole, a.effect)
	a.effect.caused(open, err)
	switch {
	case err == nil, a.effect.Dialog != nil && interrupted(err):
	case whole.Err() == nil && gone(t.tab) && t.lostBrowser() == nil:
		a.effect.Closed = true
	default:
		return nil, t.driver.failed(op, err)
	}
	return a.effect, nil
}

// noReason is for a page that could not be reached, where nobody says why.
const noReason = "the browser gave no reason"

// reason has the browser say why a page could not be reached, if its request did not.
func (t *Tab) reason(ctx context.Context, e *Effect) {
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

// History goes back (-1) or forward (1) and waits for the page.
func (t *Tab) History(ctx context.Context, delta int) (*Effect, error) {
	op := map[bool]string{true: "back", false: "forward"}[delta < 0]
	return t.during(ctx, op, func(a *action) error {
		t.beforeLeaving(ctx)
		moved, err := t.tab.Step(ctx, delta)
		if err != nil {
			return err
		}
		if !moved {
			return &Error{Code: CodeInvalid, Op: op, Message: "there is no page to go " + op + " to", Hint: "go to a URL instead"}
		}
		return a.arrive()
	})
}

// Reload loads the page again and waits for it; hard is past the cache.
func (t *Tab) Reload(ctx context.Context, hard bool) (*Effect, error) {
	return t.during(ctx, "refresh", func(a *action) error {
		t.beforeLeaving(ctx)
		if err := t.tab.Reload(ctx, hard); err != nil {
			return err
		}
		return a.arrive()
	})
}

// arrive waits for the navigation that was asked for to show: a new document, or
// a new address of the same one.
func (a *action) arrive() error {
	ctx, cancel := context.WithTimeout(a.ctx, navigateTimeout)
	defer cancel()
	for {
		a.watch.mu.Lock()
		there := a.watch.main || a.watch.url != "" || a.watch.dialog != nil || a.watch.refused != ""
		next := a.watch.changed
		a.watch.mu.Unlock()
		if there {
			a.frame = a.current()
			return nil
		}
		select {
		case <-next:
		case <-a.tab.tab.Done():
			return a.tab.tab.Err()
		case <-ctx.Done():
			return &backend.Error{Kind: backend.KindTimeout, Text: "the page", Err: ctx.Err()}
		}
	}
}

// Press presses keys or chords, wherever the focus is.
func (t *Tab) Press(ctx context.Context, keys string) (*Effect, error) {
	events, err := chords(keys)
	if err != nil {
		return nil, err
	}
	return t.during(ctx, "press "+keys, func(a *action) error {
		a.attend()
		if err := a.strokes(events, false); err != nil && !replaced(err) {
			return err
		}
		return nil
	})
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
	return t.during(ctx, "dialog", func(*action) error { return t.tab.AnswerDialog(ctx, accept, text) })
}

// Upload gives files to the file chooser that is open.
func (t *Tab) Upload(ctx context.Context, value string) (*Effect, error) {
	if t.tab.Chooser() == nil {
		return nil, &Error{Code: CodeInvalid, Op: "upload", Message: "no file chooser is open", Hint: "click what opens one, or upload to the ref of a file input"}
	}
	paths, err := t.driver.files("upload", value)
	if err != nil {
		return nil, err
	}
	return t.during(ctx, "upload", func(*action) error { return t.tab.AnswerChooser(ctx, paths) })
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
	return t.during(ctx, "viewport", func(*action) error { return t.tab.SetViewport(ctx, v) })
}
