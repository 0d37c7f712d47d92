package bidi

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"sync/atomic"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// interception is what of a context's requests is stopped, and for whom.
type interception struct {
	id        string // the browser's
	collector string // of what requests send
	patterns  []backend.Pattern
	fn        func(backend.Route)
}

// maxSent bounds what a request may send to be told of it.
const maxSent = 16 << 20

// Intercept has requests that match a pattern stopped and handed to fn. The browser
// stops those of all contexts; who does not want them lets them go.
func (c *Context) Intercept(ctx context.Context, patterns []backend.Pattern, fn func(backend.Route)) error {
	var next *interception
	if len(patterns) > 0 && fn != nil {
		phases := []string{"beforeRequestSent"}
		if slices.ContainsFunc(patterns, func(p backend.Pattern) bool { return p.Response }) {
			phases = append(phases, "responseStarted")
		}
		c.browser.intercepts.Add(1)
		id, err := c.browser.stop(ctx, phases)
		if err != nil {
			c.browser.intercepts.Add(-1)
			return err
		}
		next = &interception{id: id, collector: c.keepSent(ctx), patterns: patterns, fn: fn}
	}
	before := c.interception.Swap(next)
	if before == nil {
		return nil
	}
	defer c.browser.intercepts.Add(-1)
	if before.id == "" {
		return nil
	}
	return fault(c.browser.root.Call(ctx, "network.removeIntercept", object{"intercept": before.id}, nil))
}

// keepSent has the browser keep what the context's requests send, for as long as the context is
// there: a Chromium forgets held requests with what was kept of them. Without it, what they
// send is not told.
func (c *Context) keepSent(ctx context.Context) (collector string) {
	c.collecting.Lock()
	defer c.collecting.Unlock()
	if c.collector == "" {
		var made struct {
			ID string `json:"collector"`
		}
		_ = c.browser.root.Call(ctx, "network.addDataCollector", object{
			"dataTypes": []string{"request"}, "maxEncodedDataSize": maxSent, "userContexts": []string{c.id},
		}, &made)
		c.collector = made.ID
	}
	return c.collector
}

// dropSent ends that, with the context.
func (c *Context) dropSent(ctx context.Context) {
	c.collecting.Lock()
	defer c.collecting.Unlock()
	if c.collector != "" {
		_ = c.browser.root.Call(ctx, "network.removeDataCollector", object{"collector": c.collector}, nil)
		c.collector = ""
	}
}

// stop has the browser stop all requests at some phases of theirs. A Chromium goes on with
// that until it ends, and there is no id to end it by: what its BiDi ends while a request is
// still held, of whatever context, it ends some time later, be it asked to stop them anew in
// between, and what is asked for beside something else it says to have done when it has not.
func (b *Browser) stop(ctx context.Context, phases []string) (id string, err error) {
	if b.chromium() {
		b.stopping.Lock()
		defer b.stopping.Unlock()
		phases = slices.DeleteFunc(phases, func(p string) bool { return b.stops[p] })
		if len(phases) == 0 {
			return "", nil
		}
	}
	var made struct {
		ID string `json:"intercept"`
	}
	if err := b.root.Call(ctx, "network.addIntercept", object{"phases": phases}, &made); err != nil {
		return "", fault(err)
	}
	if !b.chromium() {
		return made.ID, nil
	}
	if b.stops == nil {
		b.stops = map[string]bool{}
		b.intercepts.Add(1) // they are let go from now on
	}
	for _, p := range phases {
		b.stops[p] = true
	}
	return "", nil
}

// header is a header of BiDi.
type header struct {
	Name  string `json:"name"`
	Value struct {
		Type  string `json:"type"`
		Value string `json:"value"`
	} `json:"value"`
}

func (h header) text() string {
	if h.Value.Type != "base64" {
		return h.Value.Value
	}
	text, _ := base64.StdEncoding.DecodeString(h.Value.Value)
	return string(text)
}

func headers(list []header) http.Header {
	h := http.Header{}
	for _, one := range list {
		h.Add(one.Name, one.text())
	}
	return h
}

func headerList(h http.Header) []object {
	list := []object{}
	for name, values := range h {
		for _, v := range values {
			list = append(list, object{"name": name, "value": object{"type": "string", "value": v}})
		}
	}
	return list
}

// stopped hands a request that was stopped to whoever intercepts, or lets it go.
func (b *Browser) stopped(ev cdp.Event) {
	if b.intercepts.Load() == 0 || ev.Method != "network.beforeRequestSent" && ev.Method != "network.responseStarted" {
		return
	}
	var e networkEvent
	if ev.Decode(&e) != nil || !e.Blocked {
		return
	}
	r := &route{browser: b, event: e, answered: ev.Method == "network.responseStarted"}
	b.mu.Lock()
	t := b.frames[e.Context]
	b.mu.Unlock()
	if t != nil {
		if i := t.context.interception.Load(); i != nil && i.wants(r) {
			go i.hand(r, t)
			return
		}
	}
	b.root.Start(r.goOn(), object{"request": e.Request.ID})
}

func (i *interception) wants(r *route) bool {
	return slices.ContainsFunc(i.patterns, func(p backend.Pattern) bool {
		return (p.Response || !r.answered) && (p.Type == "" || p.Type == r.event.kind()) && anypage.Matches(p.URL, r.event.Request.URL)
	})
}

// hand hands a request over, with what it sends.
func (i *interception) hand(r *route, t *Tab) {
	if size := r.event.Request.BodySize; i.collector != "" && size != nil && *size > 0 {
		var got struct {
			Bytes struct {
				Type  string `json:"type"`
				Value string `json:"value"`
			} `json:"bytes"`
		}
		params := object{"dataType": "request", "request": r.event.Request.ID, "collector": i.collector}
		if t.browser.root.Call(t.Life, "network.getData", params, &got) == nil {
			r.sent = []byte(got.Bytes.Value)
			if got.Bytes.Type == "base64" {
				r.sent, _ = base64.StdEncoding.DecodeString(got.Bytes.Value)
			}
		}
	}
	i.fn(r)
}

// route is a request that was stopped. It implements backend.Route.
type route struct {
	browser  *Browser
	event    networkEvent
	answered bool
	sent     []byte
	ended    atomic.Bool
}

var _ backend.Route = (*route)(nil)

// goOn is the command that lets it go.
func (r *route) goOn() string {
	if r.answered {
		return "network.continueResponse"
	}
	return "network.continueRequest"
}

func (r *route) Request() backend.RouteRequest {
	q := &r.event.Request
	return backend.RouteRequest{
		ID: q.ID, Method: q.Method, URL: q.URL, Header: headers(q.Headers), Body: r.sent, Type: r.event.kind(), Frame: backend.FrameID(r.event.Context),
	}
}

func (r *route) Response() *backend.RouteResponse {
	if !r.answered {
		return nil
	}
	return &backend.RouteResponse{Status: r.event.Response.Status, Header: headers(r.event.Response.Headers)}
}

// Body is not to be had: the answer comes to the page and to nobody else.
func (r *route) Body(context.Context) ([]byte, error) {
	return nil, backend.Fail(backend.KindUnsupported, "the body of an answer on its way, on "+r.browser.at.Name+"; with Chrome it works")
}

func (r *route) end(ctx context.Context, method string, params object) error {
	if r.ended.Swap(true) {
		return backend.Fail(backend.KindProtocol, "the request was answered already")
	}
	params["request"] = r.event.Request.ID
	return fault(r.browser.root.Call(ctx, method, params, nil))
}

func (r *route) Continue(ctx context.Context, change *backend.RouteRequest) error {
	params := object{}
	if change != nil && !r.answered {
		if change.URL != "" && change.URL != r.event.Request.URL {
			params["url"] = change.URL
		}
		if change.Method != "" && change.Method != r.event.Request.Method {
			params["method"] = change.Method
		}
		if change.Header != nil {
			params["headers"] = headerList(change.Header)
		}
		if change.Body != nil {
			params["body"] = object{"type": "base64", "value": base64.StdEncoding.EncodeToString(change.Body)}
		}
	}
	return r.end(ctx, r.goOn(), params)
}

func (r *route) Fulfil(ctx context.Context, a backend.RouteResponse) error {
	status := a.Status
	if status == 0 {
		status = http.StatusOK
	}
	return r.end(ctx, "network.provideResponse", object{
		"statusCode": status, "reasonPhrase": http.StatusText(status), "headers": headerList(a.Header),
		"body": object{"type": "base64", "value": base64.StdEncoding.EncodeToString(a.Body)},
	})
}

func (r *route) Abort(ctx context.Context) error { return r.end(ctx, "network.failRequest", object{}) }
