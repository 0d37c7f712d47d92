package driver

import (
	"context"
	"errors"
	"time"

	"rove/driver/backend"
)

// eventPause bounds the wait for a document that is just being replaced.
const eventPause = 100 * time.Millisecond

// notYet says that something is not so yet, and why: it is tried again after the next
// event, or when the pause is over. Without a pause it is tried at once: the page has
// waited.
type notYet struct {
	err   error
	pause time.Duration
}

func (n *notYet) Error() string { return n.err.Error() }
func (n *notYet) Unwrap() error { return n.err }

// retry does something to a page until it succeeds, fails for good or the deadline is
// past: the one loop of all that waits for elements and conditions. A document that is
// replaced is asked again, and a dialog that somebody answers is waited for, also once
// past the deadline; what is not so yet is tried again until then.
func (t *Tab) retry(ctx context.Context, op string, deadline time.Time, do func(ctx context.Context, left time.Duration) error) error {
	d := t.driver
	grace := time.Now().Add(d.limit(scriptWait))
	for {
		err := do(ctx, max(time.Until(deadline), 0))
		now := time.Now()
		var b *backend.Error
		var n *notYet
		pause := eventPause
		switch {
		case err == nil:
			return nil
		case errors.As(err, &n):
			if ctx.Err() != nil || !now.Before(deadline) {
				return n.err
			}
			if n.pause == 0 {
				continue
			}
			pause = min(n.pause, deadline.Sub(now))
		case ctx.Err() != nil || !errors.As(err, &b):
			return err
		case b.Kind == backend.KindDialog && d.answers(t) && now.Before(grace):
			if err := t.dialogOver(ctx, grace); err != nil {
				return err
			}
			continue
		case (b.Kind == backend.KindNavigated || b.Kind == backend.KindUnreadable) && (now.Before(deadline) || now.Before(grace)):
		default:
			return err
		}
		if err := t.nextEvent(ctx, pause); err != nil {
			return Explain(op, err)
		}
	}
}

// earlierDeadline is the deadline of a budget, or that of the context if it comes first.
func earlierDeadline(ctx context.Context, budget time.Duration) time.Time {
	deadline := time.Now().Add(budget)
	if end, ok := ctx.Deadline(); ok && end.Before(deadline) {
		return end
	}
	return deadline
}

// nextEvent waits for any event of the tab, for no longer than bound.
func (t *Tab) nextEvent(ctx context.Context, bound time.Duration) error {
	timer := time.NewTimer(bound)
	defer timer.Stop()
	_, _, next := t.news.loading()
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
