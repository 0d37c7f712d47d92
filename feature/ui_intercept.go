package feature

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/data"
	"rove/internal/httpx"
	"rove/internal/mock"
	"rove/internal/script"
)

// intercept stops requests of the page: a function answers them, or a feature
// that plays the server. intercept({ patterns, handler | mock }),
// intercept(patterns, handler), intercept(handler).
func intercept(c *uiCall) (any, error) {
	in := driver.Intercept{}
	var handler *script.Func
	mockPath := ""
	for i := range c.args {
		v := c.args[i]
		if f := v.Func(); f != nil {
			handler = f
			continue
		}
		switch x := v.Export().(type) {
		case []any, string:
			in.Patterns = append(in.Patterns, patternsOf(x)...)
		case *data.Object:
			patterns, _ := x.Get("patterns")
			in.Patterns = append(in.Patterns, patternsOf(patterns)...)
			if f := v.Get("handler").Func(); f != nil {
				handler = f
			}
			mockPath = member(x, "mock")
		}
	}
	s := c.b.s
	in.Logf = func(format string, args ...any) {
		s.root.rt.Callback(func() { s.print(fmt.Sprintf(format, args...)) })
	}
	switch {
	case handler != nil:
		in.Handler = func(ctx context.Context, r *driver.Route) error { return c.b.answer(ctx, handler, r) }
	case mockPath != "":
		file, err := s.resolve(mockPath)
		if err != nil {
			return nil, err
		}
		m, err := newMock(c.ctx, s.suite, file, nil)
		if err != nil {
			return nil, err
		}
		in.Handler = func(ctx context.Context, r *driver.Route) error { return m.intercepts(ctx, r) }
	default:
		return nil, fmt.Errorf("intercept needs a handler or a mock: driver.intercept({ patterns: ['*api*'], mock: 'api.feature' })")
	}
	v, err := ask(c, func() (*driver.Interception, error) { return c.d.Intercept(c.ctx, in) })
	if err != nil {
		return nil, err
	}
	return &interceptObject{c.b, v.(*driver.Interception)}, nil
}

// patternsOf are addresses, as texts or as objects with urlPattern.
func patternsOf(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, each := range v {
			if o, ok := each.(*data.Object); ok {
				if p := member(o, "urlPattern"); p != "" {
					out = append(out, p)
				}
				continue
			}
			out = append(out, data.Text(each))
		}
	}
	return out
}

// answer has a function of the feature decide: what it gives is the answer, null
// lets the request go on.
func (b *uiDriver) answer(ctx context.Context, f *script.Func, r *driver.Route) error {
	var result any
	var err error
	b.s.root.rt.Callback(func() {
		var v script.Value
		if v, err = f.Do(ctx, requestData(r.RouteRequest)); err == nil {
			result = v.Export()
		}
	})
	if err != nil {
		return jsError(f.Source(), err)
	}
	o, ok := result.(*data.Object)
	if !ok {
		if result != nil && result != data.Undefined {
			o = data.NewObject("body", result)
		} else {
			return r.Continue(ctx)
		}
	}
	switch {
	case member(o, "abort") == "true":
		return r.Abort(ctx)
	case member(o, "continue") == "true":
		return r.Continue(ctx)
	}
	a := backend.RouteResponse{Status: 200, Header: http.Header{}}
	if n, ok := script.Number(orZero(o, "status")); ok && n > 0 {
		a.Status = int(n)
	}
	side := &httpSide{s: b.s}
	body, _ := o.Get("body")
	var contentType string
	if a.Body, contentType, err = side.bytes(body); err != nil {
		return err
	}
	if t := member(o, "contentType"); t != "" {
		contentType = t
	}
	if contentType != "" {
		a.Header.Set("Content-Type", contentType)
	}
	if h, ok := o.Get("headers"); ok {
		if list, ok := h.(*data.Object); ok {
			for name, each := range list.All() {
				a.Header[http.CanonicalHeaderKey(name)] = textsOf(each)
			}
		}
	}
	if n, ok := script.Number(orZero(o, "delay")); ok && n > 0 {
		select {
		case <-time.After(time.Duration(n) * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return r.Fulfil(ctx, a)
}

func orZero(o *data.Object, name string) any {
	v, _ := o.Get(name)
	return v
}

func requestData(r backend.RouteRequest) *data.Object {
	headers := data.NewObject()
	for name, values := range r.Header {
		headers.Set(name, strings.Join(values, ", "))
	}
	var body any
	if len(r.Body) > 0 {
		body = string(r.Body)
	}
	path := ""
	params := data.NewObject()
	if u, err := url.Parse(r.URL); err == nil {
		path = u.Path
		params = paramsObject(u)
	}
	return data.NewObject("url", r.URL, "method", r.Method, "path", path, "params", params, "headers", headers, "body", body, "postData", body, "resourceType", r.Type)
}

// paramsObject are the parameters of an address, in their order.
func paramsObject(u *url.URL) *data.Object {
	o := data.NewObject()
	params, _ := mock.ReadQuery(u.RawQuery)
	for _, f := range params {
		o.Set(f.Name, anys(f.Values))
	}
	return o
}

// intercepts has a mock answer a request of the page. What it has no scenario for
// goes on.
func (m *mockFeature) intercepts(ctx context.Context, r *driver.Route) error {
	u, err := url.Parse(r.URL)
	if err != nil {
		return r.Continue(ctx)
	}
	q := &mock.Request{Method: r.Method, Base: u.Scheme + "://" + u.Host, Path: u.Path, URI: u.RequestURI(), Body: r.Body, Time: time.Now()}
	if q.Query, err = mock.ReadQuery(u.RawQuery); err != nil {
		return r.Continue(ctx)
	}
	for name, values := range r.Header {
		q.Header = append(q.Header, httpx.Field{Name: http.CanonicalHeaderKey(name), Values: values})
	}
	answer, err := m.handle(ctx, q)
	if err != nil {
		return err
	}
	if answer == nil {
		return r.Continue(ctx)
	}
	if answer.Delay > 0 {
		select {
		case <-time.After(answer.Delay):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	out := backend.RouteResponse{Status: answer.Status, Body: answer.Body, Header: http.Header{}}
	for _, f := range answer.Header {
		out.Header[http.CanonicalHeaderKey(f.Name)] = f.Values
	}
	if m.s.config.bool("cors") {
		out.Header.Set("Access-Control-Allow-Origin", "*")
	}
	return r.Fulfil(ctx, out)
}

// interceptObject is an interception in scripts.
type interceptObject struct {
	b *uiDriver
	i *driver.Interception
}

func (o *interceptObject) Member(name string) (any, bool) {
	switch name {
	case "requests", "seen":
		list := []any{}
		for _, r := range o.i.Seen() {
			list = append(list, requestData(r))
		}
		return list, true
	case "stop":
		return script.Function(func(ctx context.Context, _ []script.Value) (any, error) {
			return nil, o.b.outside(func() error { return o.i.Stop(ctx) })
		}), true
	}
	return nil, false
}

// Members is part of script.Host.
func (o *interceptObject) Members() []string { return []string{"requests"} }
