package driver

import (
	"context"
	"testing"
	"time"
)

// Whose time counts for the calls of a Tab: what was asked for and the context's
// deadline, whichever is sooner; the default only where there is neither.
func TestBounded(t *testing.T) {
	const fallback = 15 * time.Second
	for name, c := range map[string]struct{ deadline, timeout, want time.Duration }{
		"neither":                 {0, 0, fallback},
		"a deadline that is soon": {time.Second, 0, time.Second},
		"one that is late":        {time.Minute, 0, time.Minute},
		"a timeout":               {0, time.Minute, time.Minute},
		"a timeout, sooner":       {time.Minute, time.Second, time.Second},
		"a timeout, later":        {time.Second, time.Minute, time.Second},
	} {
		ctx, now := t.Context(), time.Now()
		if c.deadline > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, now.Add(c.deadline))
			defer cancel()
		}
		ctx, cancel := bounded(ctx, c.timeout, fallback)
		defer cancel()
		end, ok := ctx.Deadline()
		if off := end.Sub(now.Add(c.want)); !ok || off < 0 || off > 5*time.Second {
			t.Errorf("%s: ends after %v, want %v", name, end.Sub(now), c.want)
		}
	}
}
