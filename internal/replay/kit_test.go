package replay_test

import (
	"context"
	"time"

	"rove"
	"rove/internal/replay"
	"rove/recording"
)

type replayContext = context.Context

// impatient has a run give up soon.
func impatient(run replay.Run) replay.Run {
	return func(ctx context.Context, f *recording.Flow, opts rove.ReplayOptions) (*rove.ReplayResult, error) {
		opts.Patience = time.Second
		return run(ctx, f, opts)
	}
}
