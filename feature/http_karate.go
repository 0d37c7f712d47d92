package feature

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"rove/internal/data"
	"rove/internal/httpx"
	"rove/internal/script"
)

func init() {
	addKarate(map[string]karateFunc{
		"http": func(c *karateCall) (any, error) {
			h := &httpObject{side: &httpSide{s: c.s}}
			if !c.arg(0).Null() {
				h.side.build.URL = c.arg(0).Text()
			}
			return h, nil
		},
		"webSocket":       func(c *karateCall) (any, error) { return openSocket(c, false) },
		"webSocketBinary": func(c *karateCall) (any, error) { return openSocket(c, true) },
		"eventSource":     openEvents,
	}, map[string]func(*scenario) (any, error){
		"prevRequest": func(s *scenario) (any, error) {
			h := httpOf(s)
			if h.request == nil {
				return nil, nil
			}
			o := h.describeRequest(h.request)
			if h.request.Body != nil {
				o.Set("body", h.request.Body) // bytes, as in Karate
			}
			return h.s.value(o), nil
		},
		"request": func(s *scenario) (any, error) {
			h := httpOf(s)
			if k := extensionOf[*mockSide](s); k != nil && k.request != nil {
				q := k.request // what a mock was asked
				return &requestObject{h, &httpx.Request{Method: q.Method, URL: q.URL(), Header: q.Header, Body: q.Body}}, nil
			}
			if h.request == nil {
				return nil, nil
			}
			return &requestObject{h, h.request}, nil
		},
		"response": func(s *scenario) (any, error) {
			h := httpOf(s)
			if h.response == nil {
				return nil, nil
			}
			return &responseObject{h, h.response}, nil
		},
	})
}

// httpObject is what karate.http gives: a request that is put together by calls,
// one after the other, and sent by the last.
type httpObject struct {
	side   *httpSide
	method string
}

// httpCalls are the methods of a request that change it.
var httpCalls = map[string]func(h *httpObject, args []any) error{
	"url": func(h *httpObject, args []any) error { h.side.build.URL = data.Text(argument(args)); return nil },
	"path": func(h *httpObject, args []any) error {
		for _, each := range args { // a list is several
			h.side.build.Paths = append(h.side.build.Paths, textsOf(each)...)
		}
		return nil
	},
	"method": func(h *httpObject, args []any) error { h.method = data.Text(argument(args)); return nil },
	"body": func(h *httpObject, args []any) (err error) {
		h.side.build.Body, h.side.build.ContentType, err = h.side.bytes(argument(args))
		return err
	},
	"param":  pairs(func(h *httpObject, name string, v any) error { h.side.build.SetParam(name, textsOf(v)...); return nil }),
	"params": objects(func(h *httpObject, name string, v any) error { h.side.build.SetParam(name, textsOf(v)...); return nil }),
	"header": pairs(func(h *httpObject, name string, v any) error {
		h.side.build.Header.Set(name, textsOf(v)...)
		return nil
	}),
	"headers": objects(func(h *httpObject, name string, v any) error {
		h.side.build.Header.Set(name, textsOf(v)...)
		return nil
	}),
	"cookie": func(h *httpObject, args []any) error {
		if len(args) == 2 {
			args[0] = data.NewObject("name", args[0], "value", args[1])
		}
		c, ok := cookieOf("", argument(args))
		if !ok || c.Name == "" {
			return fmt.Errorf("a name and a value are needed")
		}
		h.side.build.SetCookie(c)
		return nil
	},
	"cookies": func(h *httpObject, args []any) error {
		for _, c := range cookiesOf(argument(args)) {
			h.side.build.SetCookie(c)
		}
		return nil
	},
	"formField":  pairs(func(h *httpObject, name string, v any) error { h.side.build.SetField(name, textsOf(v)...); return nil }),
	"formFields": objects(func(h *httpObject, name string, v any) error { h.side.build.SetField(name, textsOf(v)...); return nil }),
	"multiPart": func(h *httpObject, args []any) error {
		if len(args) == 2 {
			return h.side.part(data.Text(args[0]), args[1])
		}
		if _, ok := argument(args).(*data.Object); !ok {
			return fmt.Errorf("multiPart takes an object with name and value")
		}
		return h.side.part("", args[0])
	},
}

func argument(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func pairs(set func(h *httpObject, name string, v any) error) func(*httpObject, []any) error {
	return func(h *httpObject, args []any) error {
		if len(args) < 2 {
			return fmt.Errorf("a name and a value are needed")
		}
		if args[1] == nil {
			return nil
		}
		return set(h, data.Text(args[0]), args[1])
	}
}

func objects(set func(h *httpObject, name string, v any) error) func(*httpObject, []any) error {
	return func(h *httpObject, args []any) error {
		o, ok := argument(args).(*data.Object)
		if !ok {
			return fmt.Errorf("an object with names and values is needed")
		}
		for name, v := range o.All() {
			if v == nil {
				continue
			}
			if err := set(h, name, v); err != nil {
				return err
			}
		}
		return nil
	}
}

func (h *httpObject) Member(name string) (any, bool) {
	if change, ok := httpCalls[name]; ok {
		return script.Function(func(_ context.Context, values []script.Value) (any, error) {
			if err := change(h, exported(values)); err != nil {
				return nil, fmt.Errorf("karate.http: %s: %w", name, err)
			}
			return h, nil
		}), true
	}
	switch name {
	case "invoke":
		return script.Function(func(ctx context.Context, values []script.Value) (any, error) {
			args := exported(values)
			method := h.method
			if len(args) > 0 {
				method, args = data.Text(args[0]), args[1:]
			}
			return h.send(ctx, method, args)
		}), true
	case "get", "delete", "head", "options", "trace":
		return script.Function(func(ctx context.Context, values []script.Value) (any, error) {
			if len(values) > 0 {
				return nil, fmt.Errorf("TypeError: karate.http: %s takes nothing: body(…).method('%s').invoke() sends a body", name, name)
			}
			return h.send(ctx, name, nil)
		}), true
	case "post", "put", "patch":
		return script.Function(func(ctx context.Context, values []script.Value) (any, error) {
			if len(values) != 1 {
				return nil, fmt.Errorf("TypeError: karate.http: %s takes the body, %s(null) sends none", name, name)
			}
			return h.send(ctx, name, exported(values))
		}), true
	}
	return nil, false
}

// Members is part of script.Host.
func (h *httpObject) Members() []string { return nil }

func exported(values []script.Value) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v.Export()
	}
	return out
}

func (h *httpObject) send(ctx context.Context, method string, body []any) (any, error) {
	if len(body) > 0 && body[0] != nil {
		var err error
		if h.side.build.Body, h.side.build.ContentType, err = h.side.bytes(body[0]); err != nil {
			return nil, err
		}
	}
	build := h.side.build
	build.Charset = h.side.charset()
	request, err := build.Request(method)
	if err != nil {
		return nil, err
	}
	response, err := h.side.exchange(ctx, request)
	if err != nil {
		return nil, err
	}
	return &responseObject{h.side, response}, nil
}

// responseObject is a response in scripts.
type responseObject struct {
	side *httpSide
	r    *httpx.Response
}

func (r *responseObject) Member(name string) (any, bool) {
	switch name {
	case "status":
		return int64(r.r.Status), true
	case "body":
		v, _ := r.side.body(r.r)
		return v, true
	case "bytes", "bodyBytes":
		return r.r.Body, true
	case "headers":
		return plainHeaders(r.r.Header), true
	case "cookies":
		return cookiesObject(r.r.Cookies), true
	case "time", "responseTime":
		return r.r.Time.Milliseconds(), true
	case "dataType":
		_, kind := r.side.body(r.r)
		return kind, true
	case "header":
		return byName(name, r.r.Header.Values), true
	}
	return nil, false
}

// Members is part of script.Host.
func (r *responseObject) Members() []string {
	return []string{"status", "headers", "body", "cookies", "time", "dataType"}
}

// requestObject is a request that was sent, in scripts.
type requestObject struct {
	side *httpSide
	r    *httpx.Request
}

func (r *requestObject) Member(name string) (any, bool) {
	switch name {
	case "method":
		return r.r.Method, true
	case "url":
		return r.r.URL, true
	case "path", "params", "param":
		u, err := url.Parse(r.r.URL)
		if err != nil {
			return nil, true
		}
		switch name {
		case "path":
			return u.Path, true
		case "params":
			return paramsObject(u), true
		}
		return byName(name, func(name string) []string { return u.Query()[name] }), true
	case "headers":
		return plainHeaders(r.r.Header), true
	case "header":
		return byName(name, r.r.Header.Values), true
	case "body":
		if len(r.r.Body) == 0 {
			return nil, true
		}
		v, _, _ := readText(string(r.r.Body), r.r.Header.Get("Content-Type"))
		return v, true
	case "bodyBytes":
		return r.r.Body, true
	case "bodyString":
		return string(r.r.Body), true
	}
	return nil, false
}

// Members is part of script.Host.
func (r *requestObject) Members() []string {
	return []string{"method", "url", "path", "params", "headers", "body"}
}

// plainHeaders are headers with a text each, or a list where there are several.
func plainHeaders(fields httpx.Fields) *data.Object {
	o := data.NewObject()
	for _, f := range fields {
		if len(f.Values) == 1 {
			o.Set(f.Name, f.Values[0])
		} else {
			o.Set(f.Name, anys(f.Values))
		}
	}
	return o
}

// byName is a function that gives the first value of a name, or null.
func byName(what string, values func(string) []string) script.Function {
	return func(_ context.Context, args []script.Value) (any, error) {
		if len(args) == 0 {
			return nil, fmt.Errorf("%s needs a name", what)
		}
		if v := values(args[0].Text()); len(v) > 0 {
			return v[0], nil
		}
		return nil, nil
	}
}

// withoutHop are the headers of a request that is passed on to another server.
func withoutHop(fields httpx.Fields) httpx.Fields {
	out := fields.Clone()
	for _, name := range []string{"Host", "Connection", "Content-Length", "Transfer-Encoding", "Keep-Alive", "Proxy-Connection", "Upgrade", "Te", "Trailer"} {
		out.Del(name)
	}
	for i, f := range out {
		if strings.EqualFold(f.Name, "Accept-Encoding") {
			out[i].Values = []string{"gzip, deflate, br"}
		}
	}
	return out
}
