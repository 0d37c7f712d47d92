package driver

import (
	"context"
	"time"

	"rove/driver/backend"
)

// Picture takes a picture of an element, by a ref or locator; within bounds the
// wait for it to be there.
func (t *Tab) Picture(ctx context.Context, target string, within time.Duration, opts backend.ScreenshotOptions) (*Effect, error) {
	return t.Act(ctx, Action{Target: target, Op: "screenshot", Timeout: within, do: func(a *action) error {
		if _, err := a.prepare("here", nil); err != nil {
			return err
		}
		return a.picture(opts)
	}})
}
