package network

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rove/driver/backend"
)

// addForbidden takes in a request that the page's own policy kept from being made.
func (l *Log) addForbidden(src *backend.Source, f backend.Forbidden) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pair(src, f.URL, false) != nil {
		return
	}
	sent := &backend.TrafficRecord{
		Type: backend.TypeFetch, Wall: float64(time.Now().UnixMicro()) / 1e6,
		Request: &backend.SentRequest{URL: f.URL, Method: "?"}, Initiator: &backend.Initiator{Type: "script", Place: f.Place},
	}
	if strings.HasPrefix(f.URL, "ws") {
		sent.Type, sent.Request.Method = backend.TypeWebSocket, "GET"
	}
	failed := &backend.TrafficRecord{Failure: &backend.LoadFailure{Kind: csp, Code: csp, Text: "blocked by the page's Content-Security-Policy"}}
	r := l.begin(src, fmt.Sprintf("csp-%d", l.last+1), backend.TrafficSent)
	l.number(r)
	r.over, r.failed = true, true
	l.block(blocked{r, src, f.URL, true})
	r.events = []backend.Traffic{
		{Kind: backend.TrafficSent, Request: r.id, Reader: func(backend.Traffic) *backend.TrafficRecord { return sent }},
		{Kind: backend.TrafficFailed, Request: r.id, Reader: func(backend.Traffic) *backend.TrafficRecord { return failed }},
	}
	l.grow(r, int64(200+len(f.URL)))
}

// csp is the kind of failures for the page's own policy.
const csp = "csp"

// blocked is a request that was forbidden, of which the browser may tell once
// more: as an issue, or as a request that failed.
type blocked struct {
	record *record
	source *backend.Source
	url    string
	issue  bool
}

const mostBlocked = 50

func (l *Log) block(b blocked) {
	if len(l.blocked) == mostBlocked {
		l.blocked = slices.Delete(l.blocked, 0, 1)
	}
	l.blocked = append(l.blocked, b)
}

// pair takes out what was told before of a forbidden request: as an issue, or as a
// failure. The lock is held.
func (l *Log) pair(src *backend.Source, url string, issue bool) *record {
	i := slices.IndexFunc(l.blocked, func(b blocked) bool { return b.source == src && b.url == url && b.issue == issue })
	if i < 0 {
		return nil
	}
	r := l.blocked[i].record
	l.blocked = slices.Delete(l.blocked, i, i+1)
	return r
}

// forbidden is a request that failed for the page's policy: the issue that told of
// it is not needed any more. The lock is held.
func (l *Log) forbidden(r *record, src *backend.Source, t backend.Traffic) {
	if e, ok := t.Read(); !ok || e.Failure == nil || e.Failure.Kind != csp {
		return
	}
	i := slices.IndexFunc(r.events, func(e backend.Traffic) bool { return e.Kind == backend.TrafficSent })
	if i < 0 {
		return
	}
	e, ok := r.events[i].Read()
	if !ok || e.Request == nil || !slices.Contains([]string{backend.TypeXHR, backend.TypeEventSource, backend.TypeFetch, backend.TypePing}, e.Type) {
		return // of those there are no issues here
	}
	url, _, _ := strings.Cut(e.Request.URL, "#")
	if other := l.pair(src, url, true); other == nil {
		l.block(blocked{r, src, url, false})
	} else if l.byID[other.id] == other {
		l.forget(other)
		l.records = slices.DeleteFunc(l.records, func(o *record) bool { return o == other })
	}
}
