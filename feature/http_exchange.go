package feature

import (
	"context"
	"fmt"
	"strings"

	"rove/internal/data"
	"rove/internal/httpx"
	"rove/internal/script"
)

// configuredHeaders sets those of configure headers: an object, or a function
// that is called for each request.
func (h *httpSide) configuredHeaders(ctx context.Context, r *httpx.Request) error {
	v, ok := h.s.config.value("headers")
	if !ok {
		return nil
	}
	if f := v.Func(); f != nil {
		result, err := f.Do(ctx, h.s.value(h.describeRequest(r)))
		if err != nil {
			return jsError(f.Source(), err)
		}
		v = result
	}
	o, ok := v.Export().(*data.Object)
	if !ok {
		if !v.Null() {
			h.passedOver("configure headers", v.Export(), "an object, or a function that gives one")
		}
		return nil
	}
	for name, value := range o.All() {
		if value == nil {
			continue
		}
		texts := textsOf(value)
		if strings.EqualFold(name, "Content-Type") && len(texts) == 1 && r.Body != nil {
			texts[0] = httpx.WithCharset(texts[0], h.charset())
		}
		r.Header.Set(name, texts...)
	}
	return nil
}

// exchange sends a request, and keeps it for reports and scripts.
func (h *httpSide) exchange(ctx context.Context, r *httpx.Request) (*httpx.Response, error) {
	config, err := h.config()
	if err != nil {
		return nil, err
	}
	client := &httpx.Client{Pool: h.s.suite.httpPool(), Config: config}
	var response *httpx.Response
	h.s.root.rt.Outside(func() { response, err = client.Do(ctx, r) })
	h.request = r
	if err != nil {
		h.report(r, nil, err)
		return nil, err
	}
	h.response = response
	h.report(&response.Sent, response, nil)
	for _, step := range response.Redirects {
		if step.ChangesScheme() {
			h.s.print(fmt.Sprintf("redirected to another scheme: %s → %s", httpx.WithoutLogin(step.From), httpx.WithoutLogin(step.To)))
		}
	}
	return response, nil
}

// publish sets the variables that a response gives.
func (h *httpSide) publish(r *httpx.Response) {
	body, kind := h.body(r)
	scope := h.s.scope
	scope.SetLater("response", body)
	scope.SetLater("responseBytes", r.Body)
	scope.SetLater("responseType", kind)
	scope.SetLater("responseStatus", int64(r.Status))
	lower := h.s.config.bool("lowerCaseResponseHeaders")
	scope.SetLater("responseHeaders", script.Later(func() any { return headersObject(r.Header, lower) }))
	scope.SetLater("responseCookies", script.Later(func() any { return cookiesObject(r.Cookies) }))
	scope.SetLater("responseTime", r.Time.Milliseconds())
	scope.SetLater("requestTimeStamp", r.Start.UnixMilli())
}

// body is a response as a value: what looks like JSON or XML is read as that,
// whatever its type says, and stays text where it cannot be.
func (h *httpSide) body(r *httpx.Response) (v any, kind string) {
	contentType := r.Header.Get("Content-Type")
	if httpx.KindOf(contentType) == httpx.Binary && len(r.Body) > 0 {
		return r.Body, "binary"
	}
	text := httpx.Text(r.Body, contentType)
	v, kind, err := readText(text, contentType)
	if err != nil {
		h.s.print(fmt.Sprintf("the response stays text: %v", err))
	}
	return v, kind
}

// readText reads text as what it looks like. What begins with < is XML only where
// its type says so, or says nothing.
func readText(text, contentType string) (v any, kind string, err error) {
	switch trimmed := strings.TrimSpace(text); {
	case strings.HasPrefix(trimmed, "{"), strings.HasPrefix(trimmed, "["):
		if v, err = data.ParseJSON(trimmed); err == nil {
			return v, "json", nil
		}
	case strings.HasPrefix(trimmed, "<"):
		if k := httpx.KindOf(contentType); k != httpx.XML && k != httpx.None {
			break
		}
		var x *data.XML
		if x, err = data.ParseXML(trimmed); err == nil {
			return x, "xml", nil
		}
	}
	return text, "string", err
}

func headersObject(fields httpx.Fields, lower bool) *data.Object {
	o := data.NewObject()
	for _, f := range fields {
		name := f.Name
		if lower {
			name = strings.ToLower(name)
		}
		o.Set(name, anys(f.Values))
	}
	return o
}

// describeRequest is a request as scripts see it.
func (h *httpSide) describeRequest(r *httpx.Request) *data.Object {
	body, _, _ := readText(string(r.Body), r.Header.Get("Content-Type"))
	o := data.NewObject("method", r.Method, "url", r.URL, "headers", headersObject(r.Header, false), "body", body, "bodyAsString", string(r.Body))
	if r.Body == nil {
		o.Set("body", nil)
		o.Set("bodyAsString", nil)
	}
	return o
}
