package driver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rove/driver/backend"
)

// settle waits for what the action caused, by events: a navigation it started,
// requests that left, changes of the page. Then it notes how the element is now.
func (a *action) settle() error {
	deadline := time.Now().Add(orDefault(a.Settle, settleTimeout))
	for {
		v, err := a.settleFrame(deadline)
		var b *backend.Error
		switch {
		case err == nil:
			a.effect.Changes += v.Changes
			if v.Missed != nil {
				return &missed{*v.Missed}
			}
			if a.after == nil && !v.Gone {
				a.after = &v.state
			}
		case errors.As(err, &b) && (b.Kind == backend.KindNavigated || b.Kind == backend.KindUnreadable):
			// The document was replaced: that is what the action did.
		default:
			return err
		}
		navigating, requesting, _ := a.watch.busy()
		if !navigating && (!requesting || a.Quick) || a.watch.stopped() {
			return nil
		}
		// A navigation may take its time; requests only until the cap.
		limit := deadline
		if navigating {
			limit = time.Now().Add(navigateTimeout)
		}
		if !a.watch.rest(a.ctx, limit) {
			a.effect.Busy = true
			return a.ctx.Err()
		}
		if a.watch.stopped() || gone(a.tab.tab) {
			return nil
		}
		if time.Now().After(deadline) {
			return nil
		}
		// What came in changes the page once more.
		a.frame = a.current()
	}
}

// settleFrame asks the page script of the action's frame to wait until the page
// has come to rest.
func (a *action) settleFrame(deadline time.Time) (*verdict, error) {
	left := max(time.Until(deadline), 50*time.Millisecond)
	ctx, cancel := context.WithTimeout(a.ctx, left+scriptTimeout)
	defer cancel()
	return a.tab.call(ctx, a.frame, "settle", prepareArg{Ref: a.arg.Ref, Cap: left.Milliseconds()})
}

// current is the action's frame as it is now; the main frame where it is gone.
func (a *action) current() backend.Frame {
	frames := a.tab.tab.Frames()
	for _, f := range frames {
		if f.ID == a.frame.ID {
			return f
		}
	}
	if len(frames) > 0 {
		return frames[0]
	}
	return a.frame
}

// missed is a press that hit something else and was kept from it.
type missed struct{ by sketch }

func (m *missed) Error() string { return fmt.Sprintf("covered by %s %q", m.by.Role, m.by.Name) }
