package apitest

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rove/internal/data"
)

// Script writes the suite as JavaScript tests for rove run.
func (s *Suite) Script() []File { return s.script(false) }

func (s *Suite) script(marks bool) []File {
	w := &scriptWriter{suite: s, marks: marks}
	text := w.tests()
	plain := *s
	plain.Auth = nil // the script signs in by itself
	return s.clean([]File{{"api.karate.js", text}, {"karate-config.js", plain.configFile()}})
}

// scriptHelp are the functions that every script begins with.
//
//go:embed script_help.js
var scriptHelp string

type scriptWriter struct {
	suite *Suite
	marks bool
	b     strings.Builder
	w     dialect
	known map[string]string
}

func (f *scriptWriter) line(format string, args ...any) { fmt.Fprintf(&f.b, format+"\n", args...) }

func (f *scriptWriter) tests() string {
	s := f.suite
	for _, l := range s.Head() {
		f.line("// %s", l)
	}
	help := scriptHelp
	if f.marks {
		help = strings.Replace(help, "pause(250)", "pause(10)", 1) // altered answers never come to what is waited for
	}
	f.b.WriteString(help)
	if len(s.Auth) > 0 {
		f.line("")
		f.line("function signIn() {")
		f.line("  var auth = {}, jar = {};")
		f.w, f.known = dialect{auth: true, prefix: "auth."}, map[string]string{}
		for _, c := range s.Auth {
			f.call(c, false)
		}
		f.line("  auth.jar = jar;")
		f.line("  return auth;")
		f.line("}")
		if !s.Fresh {
			f.line("var session = signIn();")
		}
	}
	for _, sc := range s.Scenarios {
		f.scenario(sc)
	}
	return f.b.String()
}

func (f *scriptWriter) scenario(sc *Scenario) {
	f.w, f.known = dialect{}, map[string]string{}
	f.line("")
	f.line("test(%s, function () {", quote(oneLine(sc.Name)))
	switch {
	case !sc.Signed:
		f.line("  var jar = {};")
	case sc.Own || f.suite.Fresh:
		f.line("  var auth = signIn(), jar = auth.jar;")
	default:
		f.line("  var auth = session, jar = Object.assign({}, session.jar);")
	}
	for _, c := range sc.Calls {
		if n := sc.Negative; n != nil && n.Call == c {
			if n.Kind == unsigned {
				f.line("  jar = {};")
			}
			f.request(n.of(c), n, n.Status)
			continue
		}
		f.call(c, sc.Negative != nil)
	}
	f.line("});")
}

func (f *scriptWriter) call(c *Call, needed bool) {
	f.request(c, nil, c.Expect.Status)
	e := &c.Expect
	if !needed {
		f.expect(c, e)
	}
	for _, v := range c.Finds {
		from := strings.NewReplacer("responseHeaders[", "found.header(", "responseCookies[", "found.cookies[").Replace(v.find())
		from = regexp.MustCompile(`found\.header\(('[^']*')\]\[0\]`).ReplaceAllString(from, "found.header($1)")
		from = strings.Replace(from, "response", "found.body", 1)
		if v.Source.Kind == "header" || v.Source.Kind == "cookie" || v.ofPage() {
			from = strings.NewReplacer("found.body", "response").Replace(from)
			from = strings.Replace(from, "karate.extract(html,", "karate.extract(text(found),", 1)
		}
		if f.w.auth {
			f.line("  auth.%s = %s;", v.Name, from)
		} else {
			f.line("  var %s = %s;", v.Name, from)
		}
	}
}

func (f *scriptWriter) request(c *Call, n *Negative, want int) {
	w := f.w
	f.line("  // %s", oneLine(c.title()))
	f.line("  var found = call(jar, %d, %s, %s, function (request) {", want, quote(c.Method), n.address(w, c))
	if f.marks {
		mark := c.ID
		if n != nil {
			mark = n.mark
		}
		f.line("    request.header(%s, '%d');", quote(markHeader), mark)
	}
	names, of := named(c.Query)
	for _, name := range names {
		f.line("    request.param(%s, %s);", quote(name), w.values(of[name]))
	}
	for _, h := range c.Headers {
		if !n.omits(h) {
			f.line("    request.header(%s, %s);", quote(h.Name), w.expression(h.Value))
		}
	}
	for _, k := range c.Cookies {
		if n == nil || n.Kind != unsigned {
			f.line("    request.cookie(%s, %s);", quote(k.Name), w.expression(k.Value))
		}
	}
	f.body(c, n)
	end := ""
	if c.Until != "" && n == nil {
		end = ", function (answer) { return " + strings.NewReplacer("responseStatus", "answer.status", "response.", "answer.body.").Replace(c.Until) + "; }"
	}
	f.line("  }%s);", end)
}

func (f *scriptWriter) body(c *Call, n *Negative) {
	b := c.Body
	if b == nil {
		return
	}
	all := slices.DeleteFunc(slices.Clone(b.Fields), func(field *Field) bool { return n != nil && n.Kind == missing && n.Field == field.Name })
	names, of := named(all)
	switch b.Kind {
	case "form":
		for _, name := range names {
			f.line("    request.formField(%s, %s);", quote(name), f.w.values(of[name]))
		}
	case "multipart":
		for _, field := range all {
			if field.File {
				f.line("    request.multiPart({ name: %s, value: %s, filename: %s, contentType: %s });", quote(field.Name), f.w.expression(field.Value), quote(field.FileName), quote(field.Type))
			} else {
				f.line("    request.multiPart({ name: %s, value: %s });", quote(field.Name), f.w.expression(field.Value))
			}
		}
	case "json":
		if kind, _, _ := strings.Cut(b.Type, ";"); kind != "" && kind != "application/json" {
			f.line("    request.header('Content-Type', %s);", quote(kind))
		}
		f.line("    return %s;", f.w.script(n.without(b.JSON)))
	default:
		if b.Type != "" {
			f.line("    request.header('Content-Type', %s);", quote(b.Type))
		}
		f.line("    return %s;", f.w.expression(b.Text))
	}
}

// embeddedVariable is a variable that a schema speaks of.
var embeddedVariable = pattern(`"#\(([^"]*)\)"`)

func (f *scriptWriter) expect(c *Call, e *Expect) {
	if e.Type != "" {
		f.line("  ok('the content type of %s', (found.header('Content-Type') || '').indexOf(%s) >= 0);", strings.ReplaceAll(oneLine(c.title()), "'", ""), quote(e.Type))
	}
	if e.Location != "" {
		f.line("  ok('where %s leads', (found.header('Location') || '').indexOf(%s) >= 0);", strings.ReplaceAll(oneLine(c.title()), "'", ""), quote(e.Location))
	}
	for _, t := range e.Shows {
		f.line("  ok('what the page shows', text(found).indexOf(%s) >= 0);", f.w.expression(t))
	}
	if e.Schema == nil {
		return
	}
	h := &shapes{w: f.w, known: f.known}
	want := h.marker(e.Schema, "response")
	for i, name := range h.names {
		f.line("  karate.set(%s, %s);", quote(name), embeddedVariable().ReplaceAllString(h.texts[i], "$1"))
	}
	f.line("  same(found.body, %s);", embeddedVariable().ReplaceAllString(data.JSON(want), "$1"))
	for _, k := range e.Schema.nullable() {
		f.line("  ok(%s, %s in found.body);", quote(k+" is gone"), quote(k))
	}
	e.Schema.all(nil, func(path []any, s *Schema) {
		if s.List && s.Filled && !s.Optional && !s.Null && s.Items != nil && !slices.Contains(path, any(0)) {
			f.line("  ok('a list is empty', %s.length > 0);", way("found.body", path))
		}
	})
	for _, m := range e.Has {
		fw := &featureWriter{w: f.w}
		f.line("  ok('a list lacks what was made', has(%s, %s));", way("found.body", m.List), embeddedVariable().ReplaceAllString(fw.member(m), "$1"))
	}
	for _, l := range e.Lacks {
		f.line("  ok('a list has what was removed', !has(%s, { %s: %s }));", way("found.body", l.List), key(l.Key), f.w.name(l.Var))
	}
}
