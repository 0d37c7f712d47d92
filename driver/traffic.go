package driver

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"rove/driver/backend"
)

// traffic is what a tab is loading, from its first request on: whoever asks when
// the network is idle may come when requests are already under way.
type traffic struct {
	mu      sync.Mutex
	open    requests      // only those that are awaited
	changed chan struct{} // closed and renewed whenever a request begins or ends
}

// quietTime is for how long nothing must load until the network counts as idle.
const quietTime = 500 * time.Millisecond

// follow takes note of a tab's requests.
func (n *traffic) follow(t backend.Tab) {
	n.open, n.changed = requests{}, make(chan struct{})
	t.Watch(func(ev backend.Event) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.open.on(ev)
		news := true
		switch e := ev.(type) {
		case backend.RequestStarted:
			news = !endless[e.Type]
		case backend.ResponseReceived:
			news = streams(e.MIME)
		case backend.RequestEnded, backend.Loaded, backend.NavigationStopped:
		case backend.FrameRemoved:
		case backend.FrameNavigated:
			news = e.Main
		default:
			news = false
		}
		maps.DeleteFunc(n.open, func(_ string, r *Request) bool { return !r.awaited() })
		if news {
			close(n.changed)
			n.changed = make(chan struct{})
		}
	})
}

// loading is what is open now; next is closed when that changes.
func (n *traffic) loading() (open []Request, next <-chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, r := range n.open {
		open = append(open, *r)
	}
	return open, n.changed
}

// idle waits until nothing loads and nothing has begun to for a moment.
func (t *Tab) idle(ctx context.Context, deadline time.Time) error {
	start := time.Now()
	overall := time.NewTimer(time.Until(deadline))
	defer overall.Stop()
	for {
		open, next := t.traffic.loading()
		var quiet <-chan time.Time
		if len(open) == 0 {
			quiet = time.After(quietTime)
		}
		select {
		case <-quiet:
			return nil
		case <-next:
		case <-t.tab.Done():
			return Explain("wait", &backend.Error{Kind: backend.KindClosed})
		case <-ctx.Done():
			return Explain("wait", ctx.Err())
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
