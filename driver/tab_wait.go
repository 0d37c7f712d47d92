package driver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rove/aria"
	"rove/driver/backend"
)

// await waits until the page script's wait answers that a condition holds, over
// navigations too: each new document is asked again.
func (t *Tab) await(ctx context.Context, op string, arg map[string]any) error {
	ctx, cancel := bounded(ctx, 0, sessionTimeout)
	defer cancel()
	for {
		frames := t.tab.Frames()
		if len(frames) == 0 {
			return Explain(op, &backend.Error{Kind: backend.KindClosed})
		}
		deadline, _ := ctx.Deadline()
		arg["timeout"] = max(time.Until(deadline).Milliseconds(), 1)
		results, err := t.tab.Call(ctx, backend.Call{Frame: frames[0].ID, Func: "until", Arg: arg})
		if err == nil {
			err = results[0].Err
		}
		var b *backend.Error
		switch {
		case err == nil && results[0].Value == "":
			return nil
		case err == nil && results[0].Value == "timeout":
			return &Error{Code: CodeTimeout, Op: op, Message: "timeout waiting for condition", Hint: "wait longer, or look at what is there now"}
		case err == nil:
			return Invalid(op, "%s", results[0].Value)
		case errors.As(err, &b) && (b.Kind == backend.KindNavigated || b.Kind == backend.KindUnreadable) && ctx.Err() == nil:
			// Another document; it may take a moment until it can be asked.
			if err := t.nextEvent(ctx, 100*time.Millisecond); err != nil {
				return Explain(op, err)
			}
		default:
			return Explain(op, err)
		}
	}
}

// nextEvent waits for any event of the tab, for no longer than bound.
func (t *Tab) nextEvent(ctx context.Context, bound time.Duration) error {
	w := t.watch()
	defer w.stop()
	timer := time.NewTimer(bound)
	defer timer.Stop()
	_, _, next := w.busy()
	select {
	case <-next:
	case <-timer.C:
	case <-t.tab.Done():
		return &backend.Error{Kind: backend.KindClosed}
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// WaitText waits until a text is to be seen on the page, or is no more.
func (t *Tab) WaitText(ctx context.Context, text string, gone bool) error {
	return t.await(ctx, "wait", map[string]any{"text": text, "gone": gone})
}

// WaitElement waits until what a locator finds is visible, or is no more. A ref
// is waited for in its own frame.
func (t *Tab) WaitElement(ctx context.Context, locator string, gone bool) error {
	arg := map[string]any{"locator": locator, "gone": gone}
	if IsRef(locator) {
		_, number, err := t.ownerOf(aria.Ref(locator))
		if err != nil {
			return err
		}
		delete(arg, "locator")
		arg["ref"] = number
	}
	return t.await(ctx, "wait", arg)
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
	_, err := t.during(ctx, "wait", func(a *action) error {
		deadline, ok := ctx.Deadline()
		if ok {
			a.Settle = time.Until(deadline)
		}
		return nil
	})
	return err
}

// WaitScript waits until a JavaScript expression of the page is true.
func (t *Tab) WaitScript(ctx context.Context, expression string) error {
	ctx, cancel := bounded(ctx, 0, sessionTimeout)
	defer cancel()
	script := fmt.Sprintf(waitScript, expression)
	for {
		_, err := t.tab.Eval(ctx, "", script)
		var b *backend.Error
		switch {
		case err == nil:
			return nil
		case errors.As(err, &b) && b.Kind == backend.KindNavigated && ctx.Err() == nil:
			if err := t.nextEvent(ctx, 100*time.Millisecond); err != nil {
				return Explain("wait", err)
			}
		case errors.As(err, &b) && b.Kind == backend.KindScript:
			return Invalid("wait", "the condition threw: %s", b.Text)
		default:
			return Explain("wait", err)
		}
	}
}

// waitScript asks after every frame, and after every change where no frame is
// painted.
const waitScript = `(async () => {
	for (;;) {
		const value = (%s);
		if (typeof value === 'function' ? await value() : await value) return true;
		await new Promise((resolve) => {
			const timer = setTimeout(resolve, 100);
			requestAnimationFrame(() => { clearTimeout(timer); resolve(); });
		});
	}
})()`
