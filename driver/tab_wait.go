package driver

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"rove/aria"
	"rove/driver/advice"
	"rove/driver/backend"
)

// untilArg is the argument of the page script's until.
type untilArg struct {
	Text    string `json:"text,omitempty"`
	Locator string `json:"locator,omitempty"`
	Ref     int    `json:"ref,omitempty"`
	Owner   int    `json:"owner,omitempty"` // of a frame inside
	Gone    bool   `json:"gone,omitempty"`
	Timeout int64  `json:"timeout"`
}

// await waits until a condition holds in one of the frames, or with Gone in none,
// over navigations too: the frames are asked for again for every slice of the time.
func (t *Tab) await(ctx context.Context, arg untilArg, frames func() []backend.Frame) error {
	const op = "wait"
	ctx, cancel := bounded(ctx, 0, sessionTimeout)
	defer cancel()
	deadline, _ := ctx.Deadline()
	var answered time.Time
	err := t.retry(ctx, op, deadline, func(ctx context.Context, left time.Duration) error {
		if len(t.tab.Frames()) == 0 {
			return &backend.Error{Kind: backend.KindClosed}
		}
		left = max(left, time.Millisecond)
		slice := findSlice
		if answered.IsZero() {
			slice = min(left/2, findSlice) // it is to be heard of before the time is up
		}
		arg.Timeout = max(min(left, slice).Milliseconds(), 1)
		answer, err := t.until(ctx, arg, frames())
		if err == nil {
			answered = time.Now()
		}
		switch {
		case err != nil || answer == "":
			return err
		case answer == "timeout":
			return &notYet{err: errUnmet}
		case answer == "stale":
			return aria.ErrStale
		}
		return Invalid(op, "%s", answer)
	})
	switch {
	case err == nil, errors.Is(err, aria.ErrStale), errorIs(err, CodeInvalid):
		return err
	case errors.Is(err, errUnmet),
		ctx.Err() != nil && IsBusy(err) && time.Since(answered) < 2*findSlice: // it is slow, and was well a moment ago
		return (&Error{Code: CodeTimeout, Op: op, Message: "timeout waiting for condition"}).Advise(advice.WaitLonger)
	}
	return Explain(op, err)
}

// until asks frames at once whether a condition holds, for no longer than
// arg.Timeout. A frame that cannot be seen, or does not answer, holds nothing; the
// first has to answer.
func (t *Tab) until(ctx context.Context, arg untilArg, frames []backend.Frame) (answer string, err error) {
	if len(frames) == 0 { // the one that it was about is gone
		if arg.Gone {
			return "", nil
		}
		return "stale", nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type heard struct {
		frame  backend.Frame
		answer string
		err    error
	}
	answers := make(chan heard, len(frames))
	for _, f := range frames {
		go func() {
			answer, err := t.untilIn(ctx, f, arg)
			answers <- heard{f, answer, err}
		}()
	}
	var silent <-chan time.Time // begins when the first has answered
	there := false
listening:
	for range frames {
		var h heard
		select {
		case h = <-answers:
		case <-silent: // for all that have not answered by now
			break listening
		}
		if h.frame.ID == frames[0].ID {
			if h.err != nil || h.answer != "" && h.answer != "timeout" {
				return h.answer, h.err
			}
			silent = time.After(time.Duration(arg.Timeout)*time.Millisecond + findSlice)
		}
		has := h.err == nil && (h.answer == "" && !arg.Gone || h.answer == "timeout" && arg.Gone)
		if has && t.shown(ctx, h.frame) {
			there = true
			if !arg.Gone {
				break
			}
		}
		if ctx.Err() != nil { // nothing can be told of what was not asked
			return "", ctx.Err()
		}
	}
	if there == arg.Gone {
		return "timeout", nil
	}
	return "", nil
}

func (t *Tab) untilIn(ctx context.Context, f backend.Frame, arg untilArg) (string, error) {
	results, err := t.tab.Call(ctx, backend.Call{Frame: f.ID, Func: "until", Arg: arg})
	if err != nil {
		return "", err
	}
	return results[0].Value, results[0].Err
}

// shown says whether a frame can be seen, and those that it is in.
func (t *Tab) shown(ctx context.Context, f backend.Frame) bool {
	for f.Parent != "" {
		parent, ok := t.frameByID(f.Parent)
		if !ok {
			return false
		}
		if answer, err := t.untilIn(ctx, parent, untilArg{Owner: f.Owner}); err != nil || answer != "" {
			return false
		}
		f = parent
	}
	return true
}

// WaitText waits until a text is to be seen on the page, in any frame, or is no
// more.
func (t *Tab) WaitText(ctx context.Context, text string, gone bool) error {
	return t.await(ctx, untilArg{Text: text, Gone: gone}, t.tab.Frames)
}

// WaitElement waits until what a locator finds is visible, in any frame, or is no
// more. A ref whose element cannot come any more is stale at once.
func (t *Tab) WaitElement(ctx context.Context, locator string, gone bool) error {
	if !IsRef(locator) {
		return t.await(ctx, untilArg{Locator: locator, Gone: gone}, t.tab.Frames)
	}
	ref := aria.Ref(locator)
	_, number, err := t.ownerOf(ref)
	if err != nil {
		return err
	}
	err = t.await(ctx, untilArg{Ref: number, Gone: gone}, t.homeOf(ref))
	if errors.Is(err, aria.ErrStale) {
		return stale(ref)
	}
	return err
}

// lost says whether the element of a ref is gone for good.
func (t *Tab) lost(ctx context.Context, ref aria.Ref) bool {
	_, number, err := t.ownerOf(ref)
	if err != nil {
		return false
	}
	answer, err := t.until(ctx, untilArg{Ref: number}, t.homeOf(ref)())
	return err == nil && answer == "stale"
}

// homeOf is the frame of a ref, for as long as there is one.
func (t *Tab) homeOf(ref aria.Ref) func() []backend.Frame {
	return func() []backend.Frame {
		id, _, err := t.ownerOf(ref)
		if err != nil {
			return nil
		}
		f, err := t.frameOf(id)
		if err != nil {
			return nil
		}
		return []backend.Frame{f}
	}
}

// WaitEvent waits for something the tab tells of: ok is asked after every event.
func (t *Tab) WaitEvent(ctx context.Context, what string, ok func(w backend.Event) bool) error {
	ctx, cancel := bounded(ctx, 0, sessionTimeout)
	defer cancel()
	done := make(chan struct{})
	closed := false
	stop := t.tab.Watch(func(ev backend.Event) {
		if !closed && ok(ev) {
			closed = true
			close(done)
		}
	})
	defer stop()
	select {
	case <-done:
		return nil
	case <-t.tab.Done():
		return Explain("wait", &backend.Error{Kind: backend.KindClosed})
	case <-ctx.Done():
		return Explain("wait", fmt.Errorf("waiting for %s: %w", what, ctx.Err()))
	}
}

// WaitIdle waits until the page has come to rest: nothing loads, nothing
// changes.
func (t *Tab) WaitIdle(ctx context.Context) error {
	op := Op{Name: "wait"}
	if deadline, ok := ctx.Deadline(); ok {
		op.Settle = time.Until(deadline)
	}
	_, err := t.page(ctx, op, func(*action) error { return nil })
	return err
}

// WaitScript waits until a JavaScript expression of the page is true.
func (t *Tab) WaitScript(ctx context.Context, expression string) error {
	ctx, cancel := bounded(ctx, 0, sessionTimeout)
	defer cancel()
	deadline, _ := ctx.Deadline()
	err := t.retry(ctx, "wait", deadline, func(ctx context.Context, _ time.Duration) error {
		_, err := t.tab.Eval(ctx, "", fmt.Sprintf(waitScript, expression))
		return err
	})
	if errorIsKind(err, backend.KindScript) {
		var b *backend.Error
		errors.As(err, &b)
		return Invalid("wait", "the condition threw: %s", thrown(b.Text))
	}
	if err != nil {
		return Explain("wait", err)
	}
	return nil
}

// waitScript asks after every frame, and after every change where no frame is
// painted.
//
//go:embed js/wait.js
var waitScript string
