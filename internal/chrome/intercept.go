package chrome

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"rove/cdp"
	"rove/driver/backend"
)

// interception is what of a context's requests is stopped, and for whom.
type interception struct {
	patterns []backend.Pattern
	fn       func(backend.Route)
}

// stopped are the patterns of requests that are stopped: for the context's policy
// all of them, else where pages are decided upon those, and those that are intercepted.
func (c *Context) stopped() []backend.Pattern {
	var patterns []backend.Pattern
	if c.limited() {
		patterns = append(patterns, backend.Pattern{URL: "*"})
	} else if c.enters.Load() != nil {
		patterns = append(patterns, backend.Pattern{URL: "*", Type: string(network.ResourceTypeDocument)})
	}
	patterns = append(patterns, c.browser.guest.patterns()...)
	if i := c.interception.Load(); i != nil {
		patterns = append(patterns, i.patterns...)
	}
	return patterns
}

// Intercept has requests that match a pattern stopped and handed to fn.
func (c *Context) Intercept(ctx context.Context, patterns []backend.Pattern, fn func(backend.Route)) error {
	if len(patterns) > 0 && fn != nil {
		c.interception.Store(&interception{patterns, fn})
	} else {
		c.interception.Store(nil)
	}
	return c.pauseAll(ctx)
}

// pauseAll has all that is there paused as it is to be by now.
func (c *Context) pauseAll(ctx context.Context) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return errContextClosed
	}
	var cmds []cdp.Command
	c.everySession(func(_ *Tab, s *cdp.Session, _ bool) {
		if pause := c.pause(s); len(pause) > 0 {
			cmds = append(cmds, pause...)
		} else {
			cmds = append(cmds, s.Command(fetch.CommandDisable, nil)) // lets go what is held
		}
	})
	tabs := slices.Clone(c.tabs)
	pending := c.browser.conn.Start(cmds...)
	c.mu.Unlock()
	cmds = nil
	for _, s := range c.workersApart(tabs) {
		cmds = append(cmds, c.pauseApart(s)...)
	}
	pending = append(pending, c.browser.conn.Start(cmds...)...)
	for _, p := range pending {
		if err := fault(p.Wait(ctx, nil)); err != nil && !over(err) {
			return err
		}
	}
	return nil
}

// workersApart are the workers whose requests are their own: shared workers and
// service workers. Those of a dedicated worker are its page's.
func (c *Context) workersApart(tabs []*Tab) []*cdp.Session {
	return c.workers(tabs, func(w Worker) bool { return w.Type != "worker" })
}

// workers are the context's workers, those of its tabs and those of none.
func (c *Context) workers(tabs []*Tab, wanted func(Worker) bool) (list []*cdp.Session) {
	add := func(workers map[string]Worker) {
		for _, w := range workers {
			if wanted(w) && (w.context == nil || w.context == c) {
				list = append(list, w.Session)
			}
		}
	}
	for _, t := range tabs {
		t.Mu.Lock()
		add(t.workers)
		t.Mu.Unlock()
	}
	c.browser.mu.Lock()
	defer c.browser.mu.Unlock()
	add(c.browser.workers)
	return list
}

// pauseApart is pause for such a worker. Its requests have to be watched from the
// beginning to be stopped later, so there is always something to stop, even if no
// request is it.
func (c *Context) pauseApart(s *cdp.Session) []cdp.Command {
	if pause := c.pause(s); len(pause) > 0 {
		return pause
	}
	return []cdp.Command{
		s.Command(fetch.CommandDisable, nil), // lets go what is held
		fetchEnable(s, []backend.Pattern{{URL: "rove:nothing"}}),
	}
}

func fetchEnable(s *cdp.Session, patterns []backend.Pattern) cdp.Command {
	p := &fetch.EnableParams{}
	for _, w := range patterns {
		pattern := fetch.RequestPattern{URLPattern: w.URL, ResourceType: network.ResourceType(w.Type)}
		p.Patterns = append(p.Patterns, &pattern)
		if w.Response {
			answered := pattern
			answered.RequestStage = fetch.RequestStageResponse
			p.Patterns = append(p.Patterns, &answered)
		}
	}
	return s.Command(fetch.CommandEnable, p)
}

// intercepted hands a request that was stopped to whoever intercepts, or lets
// it go.
func (c *Context) intercepted(ev cdp.Event, id fetch.RequestID) {
	i := c.interception.Load()
	var e pausedRequest
	if i != nil && ev.Decode(&e) == nil && e.ID != "" {
		go i.fn(&route{session: ev.Session, event: e})
		return
	}
	if id == "" {
		if ev.Decode(&e) != nil || e.ID == "" {
			return // not a request that could be answered
		}
		id = e.ID
	}
	ev.Session.Start(fetch.CommandContinueRequest, &fetch.ContinueRequestParams{RequestID: id})
}

// pausedRequest is Fetch.requestPaused, as far as it matters.
type pausedRequest struct {
	ID      fetch.RequestID `json:"requestId"`
	Network string          `json:"networkId"`
	Frame   backend.FrameID `json:"frameId"`
	Type    string          `json:"resourceType"`
	Request struct {
		URL      string            `json:"url"`
		Fragment string            `json:"urlFragment"`
		Method   string            `json:"method"`
		Headers  map[string]string `json:"headers"`
		Data     string            `json:"postData"`
		Entries  []struct {
			Bytes []byte `json:"bytes"`
		} `json:"postDataEntries"`
	} `json:"request"`
	Failure string               `json:"responseErrorReason"`
	Status  int                  `json:"responseStatusCode"`
	Headers []*fetch.HeaderEntry `json:"responseHeaders"`
}

// route is a request that was stopped. It implements backend.Route.
type route struct {
	session *cdp.Session
	event   pausedRequest
	ended   atomic.Bool
}

var _ backend.Route = (*route)(nil)

func (r *route) Request() backend.RouteRequest {
	e := &r.event
	q := backend.RouteRequest{
		ID: e.Network, Method: e.Request.Method, URL: e.Request.URL + e.Request.Fragment,
		Header: http.Header{}, Body: []byte(e.Request.Data), Type: e.Type, Frame: e.Frame,
	}
	if q.ID == "" {
		q.ID = string(e.ID)
	}
	for k, v := range e.Request.Headers {
		q.Header.Set(k, v)
	}
	if len(e.Request.Entries) > 0 {
		q.Body = nil
		for _, part := range e.Request.Entries {
			q.Body = append(q.Body, part.Bytes...)
		}
	}
	return q
}

// answered says whether the request has come to the response stage.
func (r *route) answered() bool { return r.event.Status > 0 || r.event.Failure != "" }

func (r *route) Response() *backend.RouteResponse {
	if !r.answered() {
		return nil
	}
	a := &backend.RouteResponse{Status: r.event.Status, Header: http.Header{}}
	for _, h := range r.event.Headers {
		a.Header.Add(h.Name, h.Value)
	}
	return a
}

func (r *route) Body(ctx context.Context) ([]byte, error) {
	if !r.answered() {
		return nil, fail(backend.KindUnsupported, "the body of an answer that is not there yet")
	}
	var body struct {
		Body    string `json:"body"`
		Encoded bool   `json:"base64Encoded"`
	}
	if err := r.session.Call(ctx, fetch.CommandGetResponseBody, &fetch.GetResponseBodyParams{RequestID: r.event.ID}, &body); err != nil {
		return nil, fault(err)
	}
	if body.Encoded {
		return base64.StdEncoding.DecodeString(body.Body)
	}
	return []byte(body.Body), nil
}

// end sends the one command that ends the stop.
func (r *route) end(ctx context.Context, method string, params any) error {
	if !r.ended.CompareAndSwap(false, true) {
		return fail(backend.KindProtocol, "the request was let go already")
	}
	err := fault(r.session.Call(ctx, method, params, nil))
	if err != nil && (over(err) || strings.Contains(err.Error(), "Invalid InterceptionId")) {
		return nil // the page has moved on
	}
	if err != nil {
		r.ended.Store(false) // it is still there, and may be let go
	}
	return err
}

func (r *route) Continue(ctx context.Context, change *backend.RouteRequest) error {
	if r.answered() {
		return r.end(ctx, fetch.CommandContinueResponse, &fetch.ContinueResponseParams{RequestID: r.event.ID})
	}
	p := &fetch.ContinueRequestParams{RequestID: r.event.ID}
	if change != nil {
		p.URL, p.Method, p.PostData = change.URL, change.Method, change.Body
		p.Headers = headerEntries(change.Header)
	}
	return r.end(ctx, fetch.CommandContinueRequest, p)
}

func (r *route) Fulfil(ctx context.Context, a backend.RouteResponse) error {
	p := &fetch.FulfillRequestParams{RequestID: r.event.ID, ResponseCode: int64(a.Status), ResponseHeaders: headerEntries(a.Header), Body: a.Body}
	if p.ResponseCode == 0 {
		p.ResponseCode = http.StatusOK
	}
	if http.StatusText(int(p.ResponseCode)) == "" {
		p.ResponsePhrase = "Status"
	}
	return r.end(ctx, fetch.CommandFulfillRequest, p)
}

func (r *route) Abort(ctx context.Context) error {
	return r.end(ctx, fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: r.event.ID, ErrorReason: network.ErrorReasonBlockedByClient})
}

func headerEntries(h http.Header) []*fetch.HeaderEntry {
	var list []*fetch.HeaderEntry
	for name, values := range h {
		for _, v := range values {
			list = append(list, &fetch.HeaderEntry{Name: name, Value: v})
		}
	}
	return list
}
