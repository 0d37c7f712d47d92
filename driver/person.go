package driver

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"rove/driver/backend"
)

// PersonAction is something that a person did at the window.
type PersonAction struct {
	Op    string    `json:"op"` // click, input, select, check, press, …; assert for what was pointed at
	Value string    `json:"value"`
	Who   *Identity `json:"who"`
}

type didAnswer struct {
	plain
	Document string `json:"document"` // names the document
	Did      []struct {
		PersonAction
		N int `json:"n"` // counts what was done in the document
	} `json:"did"`
}

const (
	// personSlice is for how long one call waits for somebody to do something.
	personSlice = 2 * time.Second
	// personCalls is how many calls wait at once, so that one is there for what is done
	// just before the page is left: typing that ends, and the click that ends it.
	personCalls = 3
)

// WatchPerson tells what a person does in the tab, in any frame, until the context ends.
func (t *Tab) WatchPerson(ctx context.Context, tell func(PersonAction)) error {
	at := map[backend.FrameID]bool{}
	over := make(chan backend.FrameID)
	watch := func(f backend.Frame) {
		t.watchPersonIn(ctx, f, tell)
		select {
		case over <- f.ID:
		case <-ctx.Done():
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

// watchPersonIn tells what a person does in a frame until its document is gone.
func (t *Tab) watchPersonIn(ctx context.Context, f backend.Frame, tell func(PersonAction)) {
	var (
		mu       sync.Mutex
		document string
		seen     = map[string]int{} // by document
		gone     atomic.Bool
		calls    sync.WaitGroup
	)
	for range personCalls {
		calls.Go(func() {
			// The others end by themselves: one may have the last word of the document.
			defer gone.Store(true)
			for ctx.Err() == nil && !gone.Load() {
				var a didAnswer
				err := t.run(ctx, f, "person", personSlice, &a, func(next int) any {
					mu.Lock()
					defer mu.Unlock()
					return map[string]any{"next": next, "timeout": personSlice.Milliseconds(), "document": document, "seen": seen[document]}
				})
				if err != nil {
					return // the document is gone, or another is there by now
				}
				mu.Lock()
				document = a.Document
				for _, d := range a.Did {
					if d.N > seen[document] {
						seen[document] = d.N
						d.Who.Frame = t.frameTrail(f)
						tell(d.PersonAction)
					}
				}
				mu.Unlock()
			}
		})
	}
	calls.Wait()
}
