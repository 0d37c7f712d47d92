package feature

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rove/internal/data"
	"rove/internal/httpx"
	"rove/internal/script"
	"rove/report"
)

// httpSide is the HTTP side of a scenario: the request that its keywords put
// together, and the last exchange. A called scenario begins with none; cookies
// are settings, and go where settings go.
type httpSide struct {
	s          *scenario
	build      httpx.Builder
	retryUntil string
	// later is the value of the body, which may change until it is sent.
	later func() any
	// request and response are the last that went out and came back.
	request  *httpx.Request
	response *httpx.Response
}

func init() {
	extensions = append(extensions, func(s *scenario) extension { return &httpSide{s: s} })
}

func (h *httpSide) called(child *scenario, _ bool) extension { return &httpSide{s: child} }
func (h *httpSide) returned(extension, bool)                 {}
func (h *httpSide) lookup(string, bool) (any, bool)          { return nil, false }
func (h *httpSide) failed(context.Context, *report.Step)     {}
func (h *httpSide) holds() bool                              { return false }
func (h *httpSide) close(context.Context, *report.Step)      {}

// configured refuses settings that no request could be sent with, where they are
// made and not at the next request.
func (h *httpSide) configured(name string) error {
	switch name {
	case "ssl", "proxy", "auth", "connectTimeout", "readTimeout", "maxResponseSize":
		c, err := h.config()
		if err != nil {
			return err
		}
		return h.s.suite.httpPool().Check(&c)
	case "charset":
		_, err := httpx.Encode("", h.charset())
		return err
	case "ntlmAuth":
		if _, ok := h.s.config.value(name); ok {
			return errors.New("NTLM is not spoken here: use basic, bearer, digest or oauth2 (configure auth)")
		}
	}
	return nil
}

func httpOf(s *scenario) *httpSide { return extensionOf[*httpSide](s) }

func init() {
	row := func(run func(h *httpSide, in *input) error) keyword {
		return keyword{run: func(s *scenario, in *input) error { return run(httpOf(s), in) }}
	}
	addKeywords(map[string]keyword{
		"url":              row((*httpSide).setURL),
		"path":             row((*httpSide).addPath),
		"param":            row((*httpSide).setParam),
		"params":           row((*httpSide).setParams),
		"header":           row((*httpSide).setHeader),
		"headers":          row((*httpSide).setHeaders),
		"cookie":           row((*httpSide).setCookie),
		"cookies":          row((*httpSide).setCookies),
		"form field":       row((*httpSide).setField),
		"form fields":      row((*httpSide).setFields),
		"request":          row((*httpSide).setBody),
		"method":           row((*httpSide).method),
		"status":           row((*httpSide).status),
		"soap action":      row((*httpSide).soap),
		"retry until":      row((*httpSide).setRetry),
		"multipart file":   row((*httpSide).addFile),
		"multipart files":  row((*httpSide).addParts),
		"multipart field":  row((*httpSide).addField),
		"multipart fields": row((*httpSide).addParts),
		"multipart entity": row((*httpSide).addEntity),
	})
}

func (h *httpSide) value(in *input) (any, error) { return h.s.evalData(in.ctx, in.expression(in.rest)) }

// named is for keywords of the form name = expression.
func (h *httpSide) named(in *input) (name string, v any, err error) {
	name, expr, err := splitAssign(in)
	if err != nil {
		return "", nil, err
	}
	v, err = h.s.evalData(in.ctx, expr)
	return name, v, err
}

// object is for keywords that take an object. All else counts as an empty one, which
// the log tells: Karate goes on as well, and null is how features leave them out.
func (h *httpSide) object(in *input) (*data.Object, error) {
	v, err := h.value(in)
	if err != nil {
		return nil, err
	}
	o, ok := v.(*data.Object)
	if !ok {
		h.passedOver(in.word, v, "an object with names and values")
		return data.NewObject(), nil
	}
	return o, nil
}

// passedOver tells the log of a value that a keyword makes nothing of.
func (h *httpSide) passedOver(what string, v any, wanted string) {
	h.s.print(fmt.Sprintf("%s is passed over: it takes %s, not %s", what, wanted, data.TypeOf(v)))
}

// textsOf are the values of a parameter or a header: a list has several, null is
// none.
func textsOf(v any) []string {
	if v == data.Undefined {
		return nil
	}
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		var out []string
		for _, item := range v {
			if item != nil && item != data.Undefined {
				out = append(out, data.Text(item))
			}
		}
		return out
	}
	return []string{data.Text(v)}
}

func (h *httpSide) setURL(in *input) error {
	v, err := h.value(in)
	if err != nil {
		return err
	}
	if v == nil {
		return errors.New("url is null: is the variable in karate-config.js?")
	}
	h.build.URL = data.Text(v)
	return nil
}

func (h *httpSide) addPath(in *input) error {
	if list, ok := h.simple(in.expression(in.rest)); ok {
		h.build.Paths = append(h.build.Paths, list...)
		return nil
	}
	// Several, with commas: 'users', id. One alone may be a list of them.
	text := in.expression(in.rest)
	if strings.Contains(text, ",") {
		text = "[" + text + "]"
	}
	v, err := h.s.js(in.ctx, text)
	if err != nil {
		return err
	}
	h.build.Paths = append(h.build.Paths, textsOf(v.Export())...)
	return nil
}

// simple are the texts of literals and of variables that are no objects, with commas
// in between: what most paths are made of, and needs no script.
func (h *httpSide) simple(text string) ([]string, bool) {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		v, ok := script.Literal(part)
		if part = strings.TrimSpace(part); !ok && variableForm(part) {
			var variable script.Value
			if variable, ok = h.s.scope.Get(part); ok {
				v, ok = variable.Primitive()
			}
		}
		if !ok {
			return nil, false
		}
		list = append(list, data.Text(v))
	}
	return list, true
}

func (h *httpSide) setParam(in *input) error {
	name, v, err := h.named(in)
	if err == nil && v != nil {
		h.build.SetParam(name, textsOf(v)...)
	}
	return err
}

func (h *httpSide) setParams(in *input) error {
	o, err := h.object(in)
	if err != nil {
		return err
	}
	for name, v := range o.All() {
		if v != nil {
			h.build.SetParam(name, textsOf(v)...)
		}
	}
	return nil
}

func (h *httpSide) setHeader(in *input) error {
	name, v, err := h.named(in)
	if err != nil {
		return err
	}
	if v == nil {
		v = ""
	}
	h.build.Header.Set(name, textsOf(v)...)
	return nil
}

func (h *httpSide) setHeaders(in *input) error {
	o, err := h.object(in)
	if err != nil {
		return err
	}
	for name, v := range o.All() {
		if v != nil {
			h.build.Header.Set(name, textsOf(v)...)
		}
	}
	return nil
}

func (h *httpSide) setCookie(in *input) error {
	name, v, err := h.named(in)
	if err != nil {
		return err
	}
	c, ok := cookieOf(name, v)
	switch o, object := v.(*data.Object); {
	case ok:
		h.build.SetCookie(c)
	case object:
		return fmt.Errorf("value: the cookie %s needs one: %s", name, data.JSON(o))
	case v != nil:
		h.passedOver("cookie "+name, v, "a text or an object")
	}
	return nil
}

func (h *httpSide) setCookies(in *input) error {
	v, err := h.value(in)
	if err != nil {
		return err
	}
	for _, c := range cookiesOf(v) {
		h.build.SetCookie(c)
	}
	return nil
}

func (h *httpSide) setField(in *input) error {
	name, v, err := h.named(in)
	if err == nil {
		h.build.SetField(name, textsOf(v)...)
	}
	return err
}

func (h *httpSide) setFields(in *input) error {
	o, err := h.object(in)
	if err != nil {
		return err
	}
	for name, v := range o.All() {
		h.build.SetField(name, textsOf(v)...)
	}
	return nil
}

func (h *httpSide) setBody(in *input) error {
	v, err := h.s.evaluate(in.ctx, in.expression(in.rest), false)
	if err != nil {
		return err
	}
	// What is changed before it is sent is sent as changed, as in Karate.
	h.later = func() any { return h.s.data(v) }
	return nil
}

// bytes are the body that a value makes, and its content type.
func (h *httpSide) bytes(v any) ([]byte, string, error) {
	charset := h.charset()
	if v == data.Undefined {
		return nil, "", nil
	}
	switch v := v.(type) {
	case nil:
		return nil, "", nil
	case []byte:
		return v, "application/octet-stream", nil
	case *data.Object, []any:
		b, err := httpx.Encode(data.JSON(v), charset)
		return b, "application/json", err
	case *data.XML:
		b, err := httpx.Encode(v.String(), charset)
		return b, "application/xml", err
	case string:
		b, err := httpx.Encode(v, charset)
		if b == nil {
			b = []byte{}
		}
		return b, "text/plain", err
	}
	return []byte(data.Text(v)), "", nil // a number or a truth has no type
}

// charset is what bodies are written in, and what their type says.
func (h *httpSide) charset() string {
	if v, set := h.s.config.values["charset"]; set && v.Null() {
		return ""
	}
	return data.Text(h.s.config.data("charset"))
}

func (h *httpSide) setRetry(in *input) error {
	h.retryUntil = in.expression(in.rest)
	return nil
}

func (h *httpSide) soap(in *input) error {
	v, err := h.value(in)
	if err != nil {
		return err
	}
	action := ""
	if v != nil {
		action = data.Text(v)
	}
	h.build.Header.Set("SOAPAction", action)
	h.build.Header.Set("Content-Type", "text/xml")
	return h.send(in.ctx, "POST")
}

func (h *httpSide) status(in *input) error {
	// As Karate's pattern has it: digits, and what follows them is a remark.
	digits := leadingWord(in.rest)
	want, err := strconv.Atoi(digits)
	if err != nil {
		return fmt.Errorf("no step-definition method match found for: %s (status takes a number; for all else there is match responseStatus == …)", in.step.text)
	}
	if h.response == nil {
		return errors.New("there is no response yet: a step with method comes before status")
	}
	if h.response.Status != want {
		return fmt.Errorf("status code was: %d, expected: %d, response time in milliseconds: %d, url: %s, response: \n%s",
			h.response.Status, want, h.response.Time.Milliseconds(), httpx.WithoutLogin(h.request.URL), cutText(httpx.Text(h.response.Body, h.response.Header.Get("Content-Type")), 4000))
	}
	return nil
}

func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + fmt.Sprintf("… (%d bytes in all)", len(s))
}

func (h *httpSide) method(in *input) error {
	word := leadingWord(in.rest) // what follows is a remark, as in Karate
	if word == "" {
		return fmt.Errorf("no step-definition method match found for: %s (method takes a name, get or post, or a variable)", in.step.text)
	}
	// Any other method is one by a variable.
	if !methods[strings.ToUpper(word)] {
		v, err := h.s.evalData(in.ctx, word)
		if err != nil {
			return fmt.Errorf("%w\n%s is neither get, post, put, delete, patch, head, options nor a variable; a rare method is named by one: * def verb = '%s'", err, word, strings.ToUpper(word))
		}
		if word = "GET"; v != nil {
			word = data.Text(v)
		}
	}
	return h.send(in.ctx, word)
}

var methods = map[string]bool{
	"GET": true, "POST": true, "PUT": true, "DELETE": true, "PATCH": true, "HEAD": true, "OPTIONS": true, "TRACE": true, "CONNECT": true,
}

// send makes the request and sends it, again while retry until wants that.
func (h *httpSide) send(ctx context.Context, method string) error {
	if h.build.URL == "" {
		if v, ok := h.s.config.value("url"); ok {
			h.build.URL = v.Text()
		}
	}
	if h.build.URL == "" {
		return errors.New("incomplete http request, 'url' not set")
	}
	until := h.retryUntil
	defer func() {
		h.build.Reset()
		h.retryUntil, h.later = "", nil
	}()
	if until == "" {
		return h.once(ctx, method)
	}
	count, interval := h.s.retrying()
	for try := 1; ; try++ {
		if err := h.once(ctx, method); err != nil {
			return err
		}
		v, err := h.s.js(ctx, until)
		if err != nil {
			h.s.print(fmt.Sprintf("retry condition evaluation failed: %v", err))
		} else if v.Export() == true { // what is merely truthy is not it, as in Karate
			return nil
		}
		if try >= count {
			return fmt.Errorf("too many retry attempts: %d", count)
		}
		if err := h.s.sleep(ctx, interval); err != nil {
			return err
		}
	}
}

// retrying is what configure retry says.
func (s *scenario) retrying() (count int, interval time.Duration) {
	count, interval = 3, 3*time.Second
	o, ok := s.config.data("retry").(*data.Object)
	if !ok {
		return count, interval
	}
	if v, ok := o.Get("count"); ok {
		if n, err := strconv.Atoi(data.Text(v)); err == nil {
			count = n
		}
	}
	if v, ok := o.Get("interval"); ok {
		if n, err := strconv.Atoi(data.Text(v)); err == nil {
			interval = time.Duration(n) * time.Millisecond
		}
	}
	return count, interval
}

// once does one exchange, and sets the variables of the response.
func (h *httpSide) once(ctx context.Context, method string) error {
	if h.later != nil {
		var err error
		if h.build.Body, h.build.ContentType, err = h.bytes(h.later()); err != nil {
			return err
		}
	}
	build := h.build
	build.Charset = h.charset()
	build.Header = build.Header.Clone()
	build.Cookies = h.carried()
	for _, c := range h.build.Cookies {
		build.SetCookie(c)
	}
	request, err := build.Request(method)
	if err != nil {
		return err
	}
	if err := h.configuredHeaders(ctx, request); err != nil {
		return err
	}
	response, err := h.exchange(ctx, request)
	if err != nil {
		return err
	}
	h.carry(response.Cookies)
	h.publish(response)
	return nil
}
