package pwserver

import (
	"context"
	"encoding/base64"
	"net/http"
	"regexp"
	"sync/atomic"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// interception is what of a context's requests is stopped, and for whom.
type interception struct {
	patterns []backend.Pattern
	fn       func(backend.Route)
}

// Intercept has requests that match a pattern stopped and handed to fn.
func (c *Context) Intercept(ctx context.Context, patterns []backend.Pattern, fn func(backend.Route)) error {
	var i *interception
	list := []object{}
	if len(patterns) > 0 && fn != nil {
		i = &interception{patterns, fn}
		for _, p := range patterns {
			list = append(list, object{"regexSource": expression(p.URL), "regexFlags": ""})
		}
	}
	c.mu.Lock()
	c.routes = i
	c.mu.Unlock()
	return c.browser.conn.call(ctx, c.guid, "setNetworkInterceptionPatterns", object{"patterns": list}, nil)
}

// expression is a pattern as a regular expression of JavaScript.
func expression(glob string) string {
	if glob == "" {
		return "^"
	}
	out := "^"
	for i := 0; i < len(glob); i++ {
		switch ch := glob[i]; {
		case ch == '*':
			out += "[^]*"
		case ch == '?':
			out += "[^]"
		default:
			if ch == '\\' && i+1 < len(glob) {
				i++
			}
			out += regexp.QuoteMeta(glob[i : i+1])
		}
	}
	return out + "$"
}

// route is a request that the server has stopped. It implements backend.Route: first as a
// request, and where that is wanted once more with the answer, which the server has
// fetched by itself then.
type route struct {
	context *Context
	guid    string
	request backend.RouteRequest
	answer  *answered
	ended   *atomic.Bool
}

// answered is the answer to a request that was stopped.
type answered struct {
	UID     string `json:"fetchUid"`
	Status  int    `json:"status"`
	Headers pairs  `json:"headers"`
}

// route hands over a request that was stopped.
func (c *Context) route(guid string) {
	conn := c.browser.conn
	var about struct {
		Request ref `json:"request"`
	}
	var r request
	conn.objectOf(guid).decode(&about)
	if !conn.objectOf(about.Request.GUID).decode(&r) {
		conn.start(command{guid, "continue", object{"isFallback": false}})
		return
	}
	c.mu.Lock()
	i := c.routes
	c.mu.Unlock()
	stop, again := false, false
	if i != nil {
		for _, p := range i.patterns {
			if anypage.Matches(p.URL, r.URL) && (p.Type == "" || p.Type == resource(r.Type)) {
				stop, again = stop || !p.Response, again || p.Response
			}
		}
	}
	if !stop && !again {
		conn.start(command{guid, "continue", object{"isFallback": false}})
		return
	}
	one := &route{context: c, guid: guid, ended: new(atomic.Bool), request: backend.RouteRequest{
		ID: about.Request.GUID, Method: r.Method, URL: r.URL, Header: http.Header{}, Body: r.Body, Type: resource(r.Type),
	}}
	for _, h := range r.Headers {
		one.request.Header.Add(h.Name, h.Value)
	}
	if r.Frame != nil {
		one.request.Frame = backend.FrameID(r.Frame.GUID)
	}
	if again {
		go i.fn(&answeredRoute{route: one, fn: i.fn})
		return
	}
	go i.fn(one)
}

func (r *route) Request() backend.RouteRequest { return r.request }

func (r *route) Response() *backend.RouteResponse {
	if r.answer == nil {
		return nil
	}
	a := &backend.RouteResponse{Status: r.answer.Status, Header: http.Header{}}
	for _, h := range r.answer.Headers {
		a.Header.Add(h.Name, h.Value)
	}
	return a
}

func (r *route) Body(ctx context.Context) ([]byte, error) {
	if r.answer == nil {
		return nil, backend.Fail(backend.KindUnsupported, "the body of an answer that is not there yet")
	}
	var body struct {
		Binary []byte `json:"binary"`
	}
	err := r.context.browser.conn.call(ctx, r.context.requests, "fetchResponseBody", object{"fetchUid": r.answer.UID}, &body)
	return body.Binary, err
}

// end sends the one message that ends the stop.
func (r *route) end(ctx context.Context, method string, params object) error {
	if !r.ended.CompareAndSwap(false, true) {
		return backend.Fail(backend.KindProtocol, "the request was let go already")
	}
	err := r.context.browser.conn.call(ctx, r.guid, method, params, nil)
	if k := backend.KindOf(err); k == backend.KindNavigated || k == backend.KindClosed {
		return nil // the page has moved on
	}
	if err != nil {
		r.ended.Store(false) // it is still there, and may be let go
	}
	return err
}

func (r *route) Continue(ctx context.Context, change *backend.RouteRequest) error {
	if r.answer != nil {
		return r.end(ctx, "fulfill", object{"status": r.answer.Status, "headers": r.answer.Headers, "fetchResponseUid": r.answer.UID})
	}
	return r.end(ctx, "continue", changed(change, object{"isFallback": false}))
}

// changed adds to a message what of a request is to be other than it was.
func changed(change *backend.RouteRequest, params object) object {
	if change == nil {
		return params
	}
	if change.URL != "" {
		params["url"] = change.URL
	}
	if change.Method != "" {
		params["method"] = change.Method
	}
	if len(change.Header) > 0 {
		params["headers"] = headers(change.Header)
	}
	if len(change.Body) > 0 {
		params["postData"] = change.Body
	}
	return params
}

func headers(h http.Header) []object {
	list := []object{}
	for name, values := range h {
		for _, v := range values {
			list = append(list, object{"name": name, "value": v})
		}
	}
	return list
}

func (r *route) Fulfil(ctx context.Context, a backend.RouteResponse) error {
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	return r.end(ctx, "fulfill", object{
		"status": a.Status, "headers": headers(a.Header), "body": base64.StdEncoding.EncodeToString(a.Body), "isBase64": true,
	})
}

func (r *route) Abort(ctx context.Context) error {
	return r.end(ctx, "abort", object{"errorCode": "blockedbyclient"})
}

// answeredRoute is a request that is stopped once more when its answer is there.
type answeredRoute struct {
	*route
	fn func(backend.Route)
}

// Continue has the server fetch the answer, and hands that over.
func (r *answeredRoute) Continue(ctx context.Context, change *backend.RouteRequest) error {
	if r.ended.Load() {
		return backend.Fail(backend.KindProtocol, "the request was let go already")
	}
	params := object{"url": r.request.URL, "method": r.request.Method, "headers": headers(r.request.Header), "maxRedirects": 0}
	if len(r.request.Body) > 0 {
		params["postData"] = r.request.Body
	}
	var got struct {
		Response answered `json:"response"`
	}
	err := r.context.browser.conn.call(ctx, r.context.requests, "fetch", changed(change, params), &got)
	if err != nil {
		return r.end(ctx, "abort", object{"errorCode": "failed"})
	}
	next := *r.route
	next.answer = &got.Response
	go r.fn(&next)
	return nil
}
