package chrome

import (
	"context"

	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/driver/backend"
)

var _ backend.WorkerWatcher = (*Tab)(nil)

// WorkerActivity implements backend.WorkerWatcher by how much memory the scripts of each worker hold: one
// that has run holds another amount, and reading that makes no difference to it.
func (t *Tab) WorkerActivity() func(context.Context) map[string]float64 {
	sessions := t.context.workers([]*Tab{t}, func(w Worker) bool { return true })
	if len(sessions) == 0 {
		return nil
	}
	cmds := make([]cdp.Command, len(sessions))
	for i, s := range sessions {
		cmds[i] = s.Command(runtime.CommandGetHeapUsage, nil)
	}
	pending := t.browser.conn.Start(cmds...)
	return func(ctx context.Context) map[string]float64 {
		held := make(map[string]float64, len(sessions))
		for i, p := range pending {
			var r struct {
				Used float64 `json:"usedSize"`
			}
			if err := p.Wait(ctx, &r); err == nil {
				held[sessions[i].ID()] = r.Used
			} else if ctx.Err() != nil {
				held[sessions[i].ID()] = -1 // it is computing
			}
		}
		return held
	}
}
