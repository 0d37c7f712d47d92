package feature

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"rove/internal/data"
	"rove/internal/gherkin"
	"rove/internal/httpx"
	"rove/internal/mock"
	"rove/internal/script"
	"rove/report"
)

// A mockFeature is a feature that plays a server. Its background runs once; each
// request runs the first scenario whose name, an expression, is true for it.
// Requests are answered one after the other, as variables are shared.
type mockFeature struct {
	mu     sync.Mutex
	s      *scenario
	side   *mockSide
	routes []mockRoute
}

type mockRoute struct {
	plan   *plan
	filter mock.Filter
}

// newMock loads a feature and runs its background. The variables are those that
// it is started with.
func newMock(ctx context.Context, su *suite, file string, variables *data.Object) (*mockFeature, error) {
	src, err := su.load(file)
	if err != nil {
		return nil, err
	}
	fr := newFeatureRun(su, src)
	m := &mockFeature{}
	background := &plan{source: src, scenario: firstScenario(src), noConfig: true, setup: true}
	for section := range src.feature.Scenarios {
		p := newPlan(src, section, nil, nil)
		background.list, background.background = p.steps()[:p.background], p.background
		p.only(ownSteps)
		p.keep()
		p.setup = true
		m.routes = append(m.routes, mockRoute{p, mock.NewFilter(p.name)})
	}
	m.s = newScenario(fr, background)
	m.side = &mockSide{s: m.s}
	m.s.extensions = append(m.s.extensions, m.side)
	m.s.root.rt.Lock()
	defer m.s.root.rt.Unlock()
	if variables != nil {
		for name, v := range variables.All() {
			m.s.scope.Set(name, v)
		}
	}
	m.s.result = background.result(m.s)
	m.s.root.current = m.s
	for _, st := range background.list {
		m.s.runStep(ctx, st, true)
	}
	if m.s.err != nil {
		return nil, fmt.Errorf("%s:%d: the background of the mock failed: %w", m.s.result.ErrorPath, m.s.result.ErrorLine, m.s.err)
	}
	m.s.result.Steps = nil
	return m, nil
}

// handle answers a request.
func (m *mockFeature) handle(ctx context.Context, q *mock.Request) (*mock.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.s.root.rt.Lock()
	defer m.s.root.rt.Unlock()
	m.side.begin(q)
	m.s.root.current = m.s
	for _, r := range m.routes {
		if r.filter.Excludes(q) {
			continue
		}
		if m.side.fits(ctx, r.plan) {
			return m.play(ctx, r.plan)
		}
	}
	m.s.takeLog()
	return nil, nil
}

// play runs a scenario and gathers its answer.
func (m *mockFeature) play(ctx context.Context, p *plan) (*mock.Response, error) {
	child := newCalled(m.s, m.s.feature, p, &call{shared: true, loop: -1})
	result := child.run(ctx)
	m.s.root.current = m.s
	if err := m.s.hook(ctx, "afterScenario"); err != nil {
		return nil, err
	}
	m.s.takeLog()
	m.s.calls, m.s.exchanges, m.s.embeds = nil, nil, nil
	if result.Status == report.Failed {
		return nil, fmt.Errorf("%s:%d: %s", result.ErrorPath, result.ErrorLine, result.Error)
	}
	return m.side.answer()
}

func firstScenario(src *source) *gherkin.Scenario {
	if len(src.feature.Scenarios) == 0 {
		return &gherkin.Scenario{}
	}
	return src.feature.Scenarios[0]
}

// mockSide is what scenarios of a mock see: the request, and functions that ask
// about it.
type mockSide struct {
	s       *scenario
	request *mock.Request
	params  *data.Object
}

func (k *mockSide) called(*scenario, bool) extension     { return k }
func (k *mockSide) returned(extension, bool)             {}
func (k *mockSide) failed(context.Context, *report.Step) {}
func (k *mockSide) configured(string) error              { return nil }
func (k *mockSide) holds() bool                          { return false }
func (k *mockSide) close(context.Context, *report.Step)  {}

var requestVariables = []string{"request", "requestBytes", "requestPath", "requestUri", "requestUrlBase", "requestMethod", "requestHeaders", "requestParams", "requestParts", "requestCookies", "pathParams"}

var answerVariables = []string{"response", "responseStatus", "responseHeaders", "responseDelay", "responseBytes", "responseType", "responseTime", "responseCookies", "requestTimeStamp"}

// begin takes a new request.
func (k *mockSide) begin(q *mock.Request) {
	k.request, k.params = q, data.NewObject()
	for _, name := range answerVariables {
		k.s.scope.Delete(name)
	}
	var body any
	switch contentType := q.Header.Get("Content-Type"); {
	case len(q.Body) == 0:
	case httpx.KindOf(contentType) == httpx.Binary:
		body = q.Body
	default:
		body, _, _ = readText(httpx.Text(q.Body, contentType), contentType)
	}
	params, parts, cookies := data.NewObject(), data.NewObject(), data.NewObject()
	for _, f := range q.Query {
		params.Set(f.Name, anys(f.Values))
	}
	for _, p := range q.Parts {
		if p.FileName == "" {
			// Fields are parameters, those of a form and those between files.
			before, _ := params.Get(p.Name)
			values, _ := before.([]any)
			params.Set(p.Name, append(values, string(p.Data)))
			continue
		}
		contentType, charset := splitCharset(p.ContentType)
		before, _ := parts.Get(p.Name)
		values, _ := before.([]any)
		parts.Set(p.Name, append(values, data.NewObject("name", p.Name, "value", p.Data, "filename", p.FileName, "contentType", contentType, "charset", charset,
			"transferEncoding", cmp.Or(p.Encoding, "7bit"))))
	}
	for _, line := range q.Header.Values("Cookie") {
		for pair := range strings.SplitSeq(line, ";") {
			if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
				cookies.Set(name, data.NewObject("name", name, "value", value))
			}
		}
	}
	for name, v := range map[string]any{
		"request": body, "requestBytes": q.Body, "requestPath": q.Path, "requestUri": q.URI, "requestUrlBase": q.Base,
		"requestMethod": q.Method, "requestHeaders": headersObject(q.Header, true), "requestParams": params, "requestParts": parts, "requestCookies": cookies,
	} {
		k.s.scope.Set(name, v)
	}
}

// splitCharset takes the charset off a content type; UTF-8 where it tells none.
func splitCharset(contentType string) (base, charset string) {
	base, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return contentType, "UTF-8"
	}
	return base, cmp.Or(params["charset"], "UTF-8")
}

// condition is the expression that says what a scenario is for.
func condition(p *plan) string {
	expression := strings.TrimSpace(p.name)
	if d := strings.TrimSpace(p.description); d != "" {
		expression += "\n" + d
	}
	return expression
}

// fits says whether a scenario is for the request. One without a name is for all,
// one whose condition fails, such as by a header that is not there, for none.
func (k *mockSide) fits(ctx context.Context, p *plan) bool {
	expression := condition(p)
	if expression == "" {
		return true
	}
	v, err := k.s.js(ctx, expression)
	if err != nil {
		k.s.print(fmt.Sprintf("%s:%d: the scenario's condition failed: %v", k.s.feature.source.shown, p.line, err))
		return false
	}
	return v.Export() == true
}

// answer gathers what a scenario set.
func (k *mockSide) answer() (*mock.Response, error) {
	r := &mock.Response{Status: 200}
	get := func(name string) any {
		if v, ok := k.s.scope.Get(name); ok {
			return v.Export()
		}
		return nil
	}
	if v := get("responseStatus"); v != nil {
		n, err := strconv.Atoi(data.Text(v))
		if err != nil {
			return nil, fmt.Errorf("responseStatus is no number: %s", data.Text(v))
		}
		r.Status = n
	}
	headers := func(v any) {
		if o, ok := v.(*data.Object); ok {
			for name, each := range o.All() {
				r.Header.Set(name, textsOf(each)...)
			}
		}
	}
	configured := k.s.config.data("responseHeaders")
	if v, ok := k.s.config.value("responseHeaders"); ok && v.Func() != nil {
		result, err := v.Func().Do(context.Background())
		if err != nil {
			return nil, jsError(v.Func().Source(), err)
		}
		configured = result.Export()
	}
	headers(configured)
	headers(get("responseHeaders"))
	delay := get("responseDelay")
	if delay == nil {
		delay = k.s.config.data("responseDelay")
	}
	if delay != nil {
		ms, err := strconv.ParseFloat(data.Text(delay), 64)
		if err != nil {
			return nil, fmt.Errorf("responseDelay is no number of milliseconds: %s", data.Text(delay))
		}
		r.Delay = time.Duration(ms * float64(time.Millisecond))
	}
	body, contentType, err := httpOf(k.s).bytes(get("response"))
	if err != nil {
		return nil, err
	}
	r.Body = body
	if contentType != "" && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", contentType)
	}
	// These are the server's own.
	for _, name := range []string{"Content-Length", "Transfer-Encoding", "Connection", "Content-Encoding"} {
		r.Header.Del(name)
	}
	return r, nil
}

func (k *mockSide) lookup(name string, _ bool) (any, bool) {
	if name == "pathParams" {
		return k.params, k.request != nil
	}
	f, ok := mockFunctions[name]
	if !ok {
		return nil, false
	}
	return script.Function(func(_ context.Context, values []script.Value) (any, error) {
		if k.request == nil {
			return nil, fmt.Errorf("%s: there is no request yet", name)
		}
		args := make([]string, len(values))
		for i, v := range values {
			args[i] = v.Text()
		}
		if len(args) == 0 {
			return nil, fmt.Errorf("%s needs an argument", name)
		}
		return f(k, args)
	}), true
}

// mockFunctions ask about the request.
var mockFunctions = map[string]func(k *mockSide, args []string) (any, error){
	"pathMatches": func(k *mockSide, args []string) (any, error) {
		params, ok := mock.MatchPath(args[0], k.request.Path)
		if ok {
			k.params = data.NewObject()
			for name, v := range params {
				k.params.Set(name, v)
			}
		}
		return ok, nil
	},
	"methodIs": func(k *mockSide, args []string) (any, error) {
		for _, a := range args {
			if strings.EqualFold(a, k.request.Method) {
				return true, nil
			}
		}
		return false, nil
	},
	"paramExists": func(k *mockSide, args []string) (any, error) { return k.param(args[0]) != nil, nil },
	"paramValue": func(k *mockSide, args []string) (any, error) {
		v := k.param(args[0])
		if len(v) == 0 {
			return nil, nil
		}
		return v[0], nil
	},
	"headerContains": func(k *mockSide, args []string) (any, error) {
		if len(args) < 2 {
			return nil, errors.New("headerContains needs a name and a text")
		}
		return k.header(args[0], args[1]), nil
	},
	"typeContains":   func(k *mockSide, args []string) (any, error) { return k.header("Content-Type", args[0]), nil },
	"acceptContains": func(k *mockSide, args []string) (any, error) { return k.header("Accept", args[0]), nil },
	"bodyPath": func(k *mockSide, args []string) (any, error) {
		v, err := k.s.lookup("request")
		if err != nil {
			return nil, err
		}
		if isXPath(args[0]) {
			x, err := k.s.xpath(v, args[0])
			if err != nil || x == data.NotPresent {
				return nil, err
			}
			return x, nil
		}
		x, err := k.s.jsonPath(v, args[0])
		if err != nil || x == data.NotPresent {
			return nil, nil
		}
		return x, nil
	},
}

func (k *mockSide) param(name string) []any {
	v, ok := k.s.scope.Get("requestParams")
	if !ok {
		return nil
	}
	o, _ := v.Export().(*data.Object)
	if o == nil {
		return nil
	}
	each, _ := o.Get(name)
	values, _ := each.([]any)
	return values
}

func (k *mockSide) header(name, part string) bool {
	return slices.ContainsFunc(k.request.Header.Values(name), func(v string) bool { return strings.Contains(v, part) })
}

// proceed passes the request on to another server, or to the one it was meant
// for, and sets the response's variables.
func (k *mockSide) proceed(ctx context.Context, target string) error {
	h := httpOf(k.s)
	if target == "" {
		target = "http://" + k.request.Header.Get("Host")
	}
	address := strings.TrimSuffix(target, "/") + k.request.URI
	r := &httpx.Request{Method: k.request.Method, URL: address, Header: withoutHop(k.request.Header)}
	if len(k.request.Body) > 0 {
		r.Body = k.request.Body
	}
	response, err := h.exchange(ctx, r)
	if err != nil {
		return err
	}
	h.publish(response)
	// The server's cookies are the client's business, not the mock's.
	k.s.scope.Delete("responseCookies")
	k.s.scope.Delete("responseTime")
	return nil
}
