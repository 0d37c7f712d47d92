package driver

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"rove/driver/backend"
)

// requests follows requests from beginning to end, by what the browser tells: the
// one place that knows when one is over.
type requests map[string]*Request

// on takes note of an event. It answers with the request that began by it, and with
// the one that ended, where that is so.
func (q requests) on(ev backend.Event) (began, ended *Request) {
	switch e := ev.(type) {
	case backend.RequestStarted:
		if r := q[e.ID]; r != nil { // a redirect
			if r.Method == "GET" {
				r.URL = e.URL
				return nil, nil
			}
			// What was sent has been answered; where that led is a request of its own.
			r.Status, r.Open = e.Redirected, false
		}
		q[e.ID] = &Request{Method: e.Method, URL: e.URL, Type: e.Type, Open: true, frame: e.Frame}
		return q[e.ID], nil
	case backend.ResponseReceived:
		if r := q[e.ID]; r != nil {
			r.Status = e.Status
			if streams(e.MIME) {
				r.Type = backend.TypeEventSource
			}
		}
	case backend.RequestEnded:
		if r := q[e.ID]; r != nil {
			r.Open, r.ended = false, time.Now()
			// The browser's own page about a failure comes as an end of the same request.
			r.Failure, r.Reason = cmp.Or(e.Failure, r.Failure), cmp.Or(e.Reason, r.Reason)
			return nil, r
		}
	case backend.Loaded:
		q.arrived(e.Frame)
	case backend.NavigationStopped:
		q.arrived(e.Frame)
	case backend.FrameRemoved:
		q.arrived(e.Frame)
		q.leave(func(r *Request) bool { return r.frame == e.Frame })
	case backend.FrameNavigated:
		if e.Main {
			q.leave(func(r *Request) bool { return r.Type != backend.TypeDocument || r.frame != e.Frame })
		}
	}
	return nil, nil
}

// leave notes that what asked for some of them is gone.
func (q requests) leave(gone func(*Request) bool) {
	for _, r := range q {
		if gone(r) {
			r.left = true
		}
	}
}

// arrived ends the request for a frame's document. Of one that goes to a process
// of its own, nobody tells that it has: the request was its parent's.
func (q requests) arrived(frame backend.FrameID) {
	for _, r := range q {
		if r.frame == frame && r.Type == backend.TypeDocument {
			r.Open = false
		}
	}
}

// endless are requests that stay open for as long as the page lives, or that
// nobody waits for: a page is at rest with any number of them.
var endless = map[string]bool{
	backend.TypeEventSource: true, backend.TypeWebSocket: true, backend.TypeMedia: true, backend.TypePing: true,
	backend.TypePrefetch: true, backend.TypeTrack: true,
}

// streams says that an answer of a type goes on for as long as the server likes.
func streams(mime string) bool {
	return mime == "text/event-stream" || mime == "multipart/x-mixed-replace"
}

// awaited says that a page is not at rest before the request is over.
func (r *Request) awaited() bool { return r.Open && !r.left && !endless[r.Type] }

// saved says that a document was answered and then taken from the page: it becomes
// a download.
func (r *Request) saved() bool {
	return r.Type == backend.TypeDocument && r.Status/100 == 2 && r.Status != http.StatusNoContent && r.Status != http.StatusResetContent &&
		r.Reason == backend.ReasonAborted
}

// loads says whether an event may change what a tab waits for.
func loads(ev backend.Event) bool {
	switch e := ev.(type) {
	case backend.RequestStarted:
		return !endless[e.Type]
	case backend.ResponseReceived:
		return streams(e.MIME)
	case backend.FrameNavigated:
		return e.Main
	case backend.RequestEnded, backend.Loaded, backend.NavigationStopped, backend.FrameRemoved:
		return true
	}
	return false
}

// quietTime is for how long nothing must load until the network counts as idle.
const quietTime = 500 * time.Millisecond

// loading is what the tab is waiting for, and since when nothing of that has changed;
// next is closed at the next event.
func (n *news) loading() (open []Request, since time.Time, next <-chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, r := range n.requests {
		if r.awaited() {
			open = append(open, *r)
		}
	}
	return open, n.loaded, n.changed
}

// idle waits until nothing loads and nothing has begun to for a moment.
func (t *Tab) idle(ctx context.Context, deadline time.Time) error {
	start := time.Now()
	overall := time.NewTimer(time.Until(deadline))
	defer overall.Stop()
	for {
		open, since, next := t.news.loading()
		var quiet <-chan time.Time
		if len(open) == 0 {
			if since.Before(start) {
				since = start
			}
			quiet = time.After(time.Until(since.Add(quietTime)))
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
