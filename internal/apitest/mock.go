package apitest

import (
	"fmt"
	"slices"
	"strings"

	"rove/internal/data"
	"rove/internal/outlet"
)

// Mock writes a feature that answers as the application did: the same request gets
// the recorded answers in turn, and then the last again. Secrets are made up.
func (s *Suite) Mock() []File {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Answers as %s did; what it does not know is a 404. Run it: rove mock -m FILE -p 8080", s.recorded[0])
	line("Feature: mock of %s", s.recorded[0])
	line("")
	line("  Background:")
	line("    * def turns = {}")
	line("    * def turn = function (name, all) { var i = turns[name] || 0; turns[name] = i + 1; return Math.min(i, all - 1) }")
	for i, g := range s.played() {
		line("")
		line("  Scenario: %s", g.condition)
		answers := []any{}
		for _, c := range g.calls {
			answers = append(answers, s.played1(c))
		}
		line("    * def answers = %s", literally(data.JSON(answers)))
		line("    * def answer = answers[turn('%d', %d)]", i+1, len(answers))
		line("    * def responseStatus = answer.status")
		line("    * def responseHeaders = answer.headers")
		line("    * def response = answer.body")
	}
	line("")
	line("  Scenario:")
	line("    * def responseStatus = 404")
	line(`    * def response = { "error": "this was not recorded" }`)
	return s.clean([]File{{"mock.feature", b.String()}})
}

// literally has JSON stay what it is where a feature would take a text in it for an
// expression: "#(…)".
func literally(json string) string {
	if strings.Contains(json, `"#`) {
		return "(" + json + ")"
	}
	return json
}

// part is what a mock answers to one request.
type part struct {
	condition string
	params    int
	calls     []*Call
}

// played are the requests that a mock knows, those with the most parameters first.
func (s *Suite) played() (list []*part) {
	for _, c := range s.Calls {
		condition := fmt.Sprintf("pathMatches(%s) && methodIs(%s)", quote(s.fakePath(c)), quote(strings.ToLower(c.Method)))
		for _, f := range c.Query {
			condition += fmt.Sprintf(" && paramValue(%s) == %s", quote(f.Name), quote(s.fake(f.Value.plain())))
		}
		if op := strings.TrimSpace(operation(c.Body)); op != "" && slices.Contains(c.Body.JSON.Keys, "operationName") {
			condition += " && request.operationName == " + quote(op)
		}
		i := slices.IndexFunc(list, func(p *part) bool { return p.condition == condition })
		if i < 0 {
			list = append(list, &part{condition: condition, params: len(c.Query)})
			i = len(list) - 1
		}
		list[i].calls = append(append(list[i].calls, c), c.folded...)
	}
	slices.SortStableFunc(list, func(a, b *part) int { return b.params - a.params })
	return list
}

func (s *Suite) fakePath(c *Call) string {
	path := ""
	for _, segment := range c.Path {
		path += "/" + s.fake(segment.plain())
	}
	return path
}

// fake is a text with made-up secrets, the same for the same.
func (s *Suite) fake(text string) string {
	for _, c := range s.Calls {
		for _, v := range c.Finds {
			if v.Secret && len(v.Value) >= 4 {
				text = strings.ReplaceAll(text, v.Value, "mock-"+v.Name)
			}
		}
	}
	for _, v := range s.Config {
		if v.Secret && len(v.Value) >= 4 {
			text = strings.ReplaceAll(text, v.Value, "mock-"+v.Name)
		}
	}
	return strings.ReplaceAll(s.out.Text(text), outlet.Mask, "mock-secret")
}

func (s *Suite) played1(c *Call) *data.Object {
	headers := data.NewObject()
	for _, h := range c.Answer.Headers {
		if strings.EqualFold(h.Name, "Content-Type") || !quietHeader().MatchString(h.Name) {
			headers.Set(h.Name, s.fake(strings.TrimPrefix(h.Value, s.recorded[c.Origin])))
		}
	}
	cookies := []any{}
	for _, name := range c.setNames {
		cookies = append(cookies, name+"="+s.fake(mockCookie(name, c.Answer.Cookies[name]))+"; Path=/")
	}
	if len(cookies) > 0 {
		headers.Set("Set-Cookie", cookies)
	}
	var body any = s.fake(c.Answer.Text)
	if c.Answer.IsJSON {
		body = s.fakeJSON(c.Answer.JSON, "")
	}
	if c.Answer.Binary {
		body = ""
	}
	return data.NewObject("status", int64(c.Answer.Status), "headers", headers, "body", body)
}

// mockCookie is the value of a cookie, made up where it could be a secret.
func mockCookie(name, value string) string {
	if value != "" && (opaque(value) || outlet.Secretive(name)) {
		return "mock-" + name
	}
	return value
}

func (s *Suite) fakeJSON(v any, key string) any {
	switch v := v.(type) {
	case *data.Object:
		o := data.NewObject()
		for k, kid := range v.All() {
			o.Set(k, s.fakeJSON(kid, k))
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i, kid := range v {
			list[i] = s.fakeJSON(kid, key)
		}
		return list
	case string:
		out := s.fake(v)
		if out == v && outlet.Secretive(key) && v != "" || jwt().MatchString(out) {
			return "mock-" + key
		}
		return out
	}
	return v
}
