package feature

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"rove/internal/data"
	"rove/internal/httpx"
	"rove/internal/jsonpath"
	"rove/report"
)

// reportedBody is how much of a body reports show.
const reportedBody = 64 << 10

// report tells the report of an exchange, with secrets masked.
func (h *httpSide) report(sent *httpx.Request, r *httpx.Response, failure error) {
	if w := h.s.suite.writers; w != nil && !w.exchanges {
		return
	}
	m := h.mask()
	e := report.Exchange{
		Method: sent.Method, URL: m.text(httpx.WithoutLogin(sent.URL)),
		Request: m.headers(sent.Header), RequestBody: m.body(sent.Body, sent.Header.Get("Content-Type")),
	}
	if failure != nil {
		e.Error = m.text(failure.Error())
	}
	if r != nil {
		e.Status, e.Time = r.Status, r.Time
		e.Response = m.headers(r.Header)
		e.ResponseBody = m.body(r.Body, r.Header.Get("Content-Type"))
	}
	h.s.exchanges = append(h.s.exchanges, e)
}

// mask is what configure logging = { mask: … } says must not be shown.
type mask struct {
	names       map[string]bool
	paths       []*jsonpath.Path
	patterns    []*regexp.Regexp
	replacement string
}

// alwaysMasked are headers that carry credentials.
var alwaysMasked = []string{"authorization", "proxy-authorization", "cookie", "set-cookie"}

// usualMask is that of a scenario that has configured none. Nobody changes it.
var usualMask = newMask()

func newMask() *mask {
	m := &mask{names: map[string]bool{}, replacement: "***"}
	for _, name := range alwaysMasked {
		m.names[name] = true
	}
	return m
}

func (h *httpSide) mask() *mask {
	o, _ := h.s.config.data("logging").(*data.Object)
	if o == nil {
		return usualMask
	}
	v, _ := o.Get("mask")
	o, _ = v.(*data.Object)
	if o == nil {
		return usualMask
	}
	m := newMask()
	if r := member(o, "replacement"); r != "" {
		m.replacement = r
	}
	if v, ok := o.Get("headers"); ok {
		for _, name := range textsOf(v) {
			m.names[strings.ToLower(name)] = true
		}
	}
	if v, ok := o.Get("jsonPaths"); ok {
		for _, text := range textsOf(v) {
			if p, err := jsonpath.Compile(text); err == nil {
				m.paths = append(m.paths, p)
			}
		}
	}
	if v, ok := o.Get("patterns"); ok {
		list, _ := v.([]any)
		for _, each := range list {
			text := data.Text(each)
			if p, ok := each.(*data.Object); ok {
				text = member(p, "regex")
			}
			if p, err := regexp.Compile(text); err == nil && text != "" {
				m.patterns = append(m.patterns, p)
			}
		}
	}
	return m
}

func (m *mask) text(s string) string {
	for _, p := range m.patterns {
		s = p.ReplaceAllString(s, m.replacement)
	}
	return s
}

func (m *mask) headers(fields httpx.Fields) []report.Header {
	out := make([]report.Header, 0, len(fields))
	for _, f := range fields {
		for _, v := range f.Values {
			switch name := strings.ToLower(f.Name); {
			case name == "set-cookie" && m.names[name]:
				// Its name and its attributes say nothing secret.
				pair, rest, more := strings.Cut(v, ";")
				key, _, _ := strings.Cut(pair, "=")
				if v = key + "=" + m.replacement; more {
					v += ";" + rest
				}
			case name == "authorization" && m.names[name]:
				scheme, _, _ := strings.Cut(v, " ")
				v = scheme + " " + m.replacement
			case m.names[name]:
				v = m.replacement
			default:
				v = m.text(v)
			}
			out = append(out, report.Header{Name: f.Name, Value: v})
		}
	}
	return out
}

func (m *mask) body(b []byte, contentType string) string {
	if len(b) == 0 {
		return ""
	}
	if httpx.KindOf(contentType) == httpx.Binary || !utf8.Valid(b) && !strings.Contains(contentType, "charset") {
		return fmt.Sprintf("(%d bytes)", len(b))
	}
	text := httpx.Text(b, contentType)
	if len(m.paths) > 0 {
		if v, err := data.ParseJSON(text); err == nil {
			changed := false
			for _, p := range m.paths {
				if _, err := p.Get(v); err != nil {
					continue
				}
				if set, err := p.Set(v, m.replacement); err == nil {
					v, changed = set, true
				}
			}
			if changed {
				text = data.JSON(v)
			}
		}
	}
	return cutText(m.text(text), reportedBody)
}
