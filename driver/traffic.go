package driver

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"rove/driver/backend"
)

// traffic is what a tab is loading, from its first request on: whoever asks when
// the network is idle may come when requests are already under way.
type traffic struct {
	mu      sync.Mutex
	open    map[string]backend.RequestStarted
	changed chan struct{} // closed and renewed whenever a request begins or ends
}

// quietTime is for how long nothing must load until the network counts as idle.
const quietTime = 500 * time.Millisecond

// follow takes note of a tab's requests.
func (n *traffic) follow(t backend.Tab) {
	n.open, n.changed = map[string]backend.RequestStarted{}, make(chan struct{})
	t.Watch(func(ev backend.Event) {
		n.mu.Lock()
		defer n.mu.Unlock()
		switch e := ev.(type) {
		case backend.RequestStarted:
			if endless[e.Type] {
				return
			}
			n.open[e.ID] = e
		case backend.ResponseReceived:
			if !streams(e.MIME) {
				return
			}
			delete(n.open, e.ID)
		case backend.RequestEnded:
			delete(n.open, e.ID)
		case backend.FrameNavigated:
			if !e.Main {
				return
			}
			// What the document before asked for, nobody hears of any more.
			maps.DeleteFunc(n.open, func(_ string, r backend.RequestStarted) bool { return r.Type != "Document" || r.Frame != e.Frame })
		case backend.Loaded:
			n.arrived(e.Frame)
		case backend.NavigationStopped:
			n.arrived(e.Frame)
		case backend.FrameRemoved:
			maps.DeleteFunc(n.open, func(_ string, r backend.RequestStarted) bool { return r.Frame == e.Frame })
		default:
			return
		}
		close(n.changed)
		n.changed = make(chan struct{})
	})
}

// arrived ends the request for a frame's document; see watcher.arrived.
func (n *traffic) arrived(frame backend.FrameID) {
	maps.DeleteFunc(n.open, func(_ string, r backend.RequestStarted) bool { return r.Frame == frame && r.Type == "Document" })
}

// idle waits until nothing loads and nothing has begun to for a moment.
func (t *Tab) idle(ctx context.Context, deadline time.Time) error {
	start := time.Now()
	overall := time.NewTimer(time.Until(deadline))
	defer overall.Stop()
	for {
		t.traffic.mu.Lock()
		open, next := slices.Collect(maps.Values(t.traffic.open)), t.traffic.changed
		t.traffic.mu.Unlock()
		var quiet <-chan time.Time
		if len(open) == 0 {
			quiet = time.After(quietTime)
		}
		select {
		case <-quiet:
			return nil
		case <-next:
		case <-t.tab.Done():
			return failed("wait", &backend.Error{Kind: backend.KindClosed})
		case <-ctx.Done():
			return failed("wait", ctx.Err())
		case <-overall.C:
			saw := "it has only just come to rest"
			if len(open) > 0 {
				saw = fmt.Sprintf("%d still load, such as %s %s", len(open), open[0].Method, clipped(open[0].URL))
			}
			return tooLate("the network to be idle", t, time.Since(start), saw)
		}
	}
}

// clipped is as much of an address as an error needs.
func clipped(url string) string {
	const most = 100
	if len(url) > most {
		return url[:most] + "…"
	}
	return url
}
