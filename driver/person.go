package driver

import (
	"context"
	"time"

	"rove/driver/backend"
)

// Did is something that a person did at the window.
type Did struct {
	Op    string    `json:"op"` // click, input, select, check, press, …; assert for what was pointed at
	Value string    `json:"value"`
	Who   *Identity `json:"who"`
}

type didAnswer struct {
	plain
	Did []Did `json:"did"`
}

// personSlice is for how long one call waits for somebody to do something.
const personSlice = 2 * time.Second

// Person tells what a person does in the tab, in any frame, until the context ends.
func (t *Tab) Person(ctx context.Context, tell func(Did)) error {
	at := map[backend.FrameID]bool{}
	over := make(chan backend.FrameID)
	watch := func(f backend.Frame) {
		defer func() {
			select {
			case over <- f.ID:
			case <-ctx.Done():
			}
		}()
		for ctx.Err() == nil {
			var a didAnswer
			err := t.run(ctx, f, "person", personSlice, &a, func(next int) any {
				return map[string]any{"next": next, "timeout": personSlice.Milliseconds()}
			})
			if err != nil {
				return // the document is gone, or another is there by now
			}
			for _, d := range a.Did {
				d.Who.Frame = t.frameTrail(f)
				tell(d)
			}
		}
	}
	for {
		for _, f := range t.tab.Frames() {
			if !at[f.ID] {
				at[f.ID] = true
				go watch(f)
			}
		}
		select {
		case id := <-over:
			delete(at, id)
		case <-t.tab.Done():
			return nil
		case <-ctx.Done():
			return nil
		case <-time.After(eventPause):
		}
	}
}
