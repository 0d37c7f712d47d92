package apitest

import (
	"fmt"
	"slices"
	"strings"

	"rove/internal/data"
)

// File is one of an artefact, with a name relative to its folder.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Feature writes the suite for Karate and rove: the tests, what signs in, and the
// config.
func (s *Suite) Feature() []File { return s.feature(false) }

// feature writes it; with marks, each call tells a proxy which it is.
func (s *Suite) feature(marks bool) []File {
	w := &featureWriter{suite: s, marks: marks}
	files := []File{{"api.feature", w.tests()}}
	if len(s.Auth) > 0 {
		files = append(files, File{"auth.feature", w.signIn()})
	}
	files = append(files, File{"karate-config.js", s.configFile()})
	return s.clean(files)
}

// form is the feature, or the script.
func (s *Suite) form(script, marks bool) []File {
	if script {
		return s.script(marks)
	}
	return s.feature(marks)
}

// clean takes secrets out of all texts: nothing of them should be there, and this
// makes sure of it.
func (s *Suite) clean(files []File) []File {
	for i := range files {
		files[i].Text = s.out.Text(files[i].Text)
	}
	return files
}

// Head are the lines that every artefact begins with: the verdict, what was found,
// what a reader must know.
func (s *Suite) Head() []string {
	list := slices.Clone(s.Verdict)
	if len(list) == 0 {
		list = []string{"NOT PROVED: nobody has run this"}
	}
	for _, f := range s.Findings {
		list = append(list, "finding: "+f)
	}
	for _, n := range s.Notes {
		list = append(list, "note: "+n)
	}
	for i := range list {
		list[i] = s.out.Text(oneLine(list[i]))
	}
	return list
}

type featureWriter struct {
	suite *Suite
	marks bool
	b     strings.Builder
	w     dialect
	used  map[string]string
}

func (f *featureWriter) line(format string, args ...any) {
	fmt.Fprintf(&f.b, format+"\n", args...)
}

// step writes a step, which is one line whatever it says.
func (f *featureWriter) step(format string, args ...any) {
	f.line("    %s", lineEnds.Replace(fmt.Sprintf(format, args...)))
}

var lineEnds = strings.NewReplacer("\n", " ", "\r", " ", "\u2028", " ", "\u2029", " ", "\u0085", " ")

// field writes a step that gives a value to a name. One that is no plain word stands in an
// object, as a literal: it is the page's, and may be a line or a script.
func (f *featureWriter) field(one, many, name, value string) {
	if stepName().MatchString(name) {
		f.step("And %s %s = %s", one, name, value)
	} else {
		f.step("And %s ({ %s: %s })", many, quote(name), value)
	}
}

var stepName = pattern(`^[\p{L}\p{N}_.$:@~/\[\]-]+$`)

func (f *featureWriter) configure() {
	f.step("* configure followRedirects = false")
	f.step("* configure lowerCaseResponseHeaders = true")
	f.step("* configure matchEachEmptyAllowed = true")
}

func (f *featureWriter) tests() string {
	s := f.suite
	f.b.Reset()
	for _, l := range s.Head() {
		f.line("# %s", l)
	}
	f.line("@derived @parallel=false")
	f.line("Feature: API of %s", s.recorded[0])
	f.line("")
	f.line("  Background:")
	f.step("* call read('karate-config.js')")
	f.configure()
	for _, sc := range s.Scenarios {
		f.scenario(sc)
	}
	return f.b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (f *featureWriter) scenario(sc *Scenario) {
	f.line("")
	if sc.Negative != nil {
		f.line("  @derived @negative")
	}
	f.line("  Scenario: %s", oneLine(sc.Name))
	f.w, f.used = dialect{}, map[string]string{}
	if sc.Signed {
		if sc.Own || f.suite.Fresh {
			f.step("* def auth = call read('auth.feature')")
		}
		if len(f.suite.Cookies) > 0 {
			f.step("* configure cookies = auth.cookies")
		}
	}
	for i, c := range sc.Calls {
		if i > 0 {
			f.line("")
		}
		if n := sc.Negative; n != nil && n.Call == c {
			f.refused(n)
			return
		}
		f.call(c, sc.Negative != nil)
	}
}

// call writes a call and what is expected of it; as one that others only need, no
// more than its status.
func (f *featureWriter) call(c *Call, needed bool) {
	f.request(c, nil)
	f.method(c)
	f.answer(c, needed)
}

// common are the methods that Karate knows by name.
var common = map[string]bool{"GET": true, "POST": true, "PUT": true, "DELETE": true, "PATCH": true, "HEAD": true, "OPTIONS": true, "CONNECT": true, "TRACE": true}

// method sends what was said. A rare method is named by a variable.
func (f *featureWriter) method(c *Call) {
	word := strings.ToLower(c.Method)
	if !common[c.Method] {
		f.step("* def verb = %s", quote(c.Method))
		word = "verb"
	}
	f.step("When method %s", word)
}

// request writes what is sent. A negative case sends it otherwise.
func (f *featureWriter) request(c *Call, n *Negative) {
	w := f.w
	f.step("# %s", oneLine(c.title()))
	f.step("Given url %s", n.address(w, c))
	if f.marks {
		mark := c.ID
		if n != nil {
			mark = n.mark
		}
		f.step("And header %s = '%d'", markHeader, mark)
	}
	names, of := named(c.Query)
	for _, name := range names {
		f.field("param", "params", name, w.values(of[name]))
	}
	for _, h := range c.Headers {
		if !n.omits(h) {
			f.field("header", "headers", h.Name, w.expression(h.Value))
		}
	}
	for _, k := range c.Cookies {
		if n == nil || n.Kind != unsigned {
			f.field("cookie", "cookies", k.Name, w.expression(k.Value))
		}
	}
	f.body(c, n)
	if c.Until != "" && n == nil {
		pause := 250
		if f.marks {
			pause = 10 // altered answers never come to what is waited for
		}
		f.step("* configure retry = { count: 40, interval: %d }", pause)
		f.step("And retry until %s", c.Until)
	}
}

func (f *featureWriter) body(c *Call, n *Negative) {
	w, b := f.w, c.Body
	if b == nil {
		if c.Method == "POST" || c.Method == "PUT" || c.Method == "PATCH" {
			f.step("And request ''")
		}
		return
	}
	all := slices.DeleteFunc(slices.Clone(b.Fields), func(field *Field) bool { return n != nil && n.Kind == missing && n.Field == field.Name })
	names, of := named(all)
	switch b.Kind {
	case "form":
		for _, name := range names {
			f.field("form field", "form fields", name, w.values(of[name]))
		}
		if len(names) == 0 {
			f.step("And request ''")
		}
	case "multipart":
		for _, field := range all {
			if !field.File {
				f.field("multipart field", "multipart fields", field.Name, w.expression(field.Value))
				continue
			}
			kind := field.Type
			if kind == "" {
				kind = "application/octet-stream"
			}
			f.field("multipart file", "multipart files", field.Name, fmt.Sprintf("{ value: %s, filename: %s, contentType: %s }", w.expression(field.Value), quote(field.FileName), quote(kind)))
		}
	case "json":
		if kind, _, _ := strings.Cut(b.Type, ";"); kind != "" && kind != "application/json" {
			f.step("And header Content-Type = %s", quote(kind))
		}
		node := n.without(b.JSON)
		if node.marked() {
			f.step("And request (%s)", w.script(node))
		} else {
			f.step("And request %s", w.embedded(node))
		}
	default:
		if b.Type != "" {
			f.step("And header Content-Type = %s", quote(b.Type))
		}
		f.step("And request %s", w.expression(b.Text))
	}
}

func (f *featureWriter) answer(c *Call, needed bool) {
	e := &c.Expect
	f.step("Then status %d", e.Status)
	if !needed {
		f.expect(c)
	}
	f.finds(c)
}

func (f *featureWriter) expect(c *Call) {
	e := &c.Expect
	if e.Type != "" {
		f.step("And match header Content-Type contains %s", quote(e.Type))
	}
	if e.Location != "" {
		f.step("And match header Location contains %s", quote(e.Location))
	}
	if len(e.Shows) > 0 {
		f.step("* string html = responseBytes")
		for _, t := range e.Shows {
			f.step("And match html contains %s", f.w.expression(t))
		}
	}
	if e.Schema == nil {
		return
	}
	h := &shapes{w: f.w, known: f.used}
	want := h.marker(e.Schema, "response")
	for i, name := range h.names {
		text := h.texts[i]
		if strings.Contains(text, `"##(`) {
			// As JSON it would get what the name stands for at once, which is wanted always then.
			text = "(" + embeddedVariable().ReplaceAllString(text, "$1") + ")"
		}
		f.step("* def %s = %s", name, text)
	}
	if text, ok := want.(string); ok {
		f.step("And match response == %s", quote(text))
	} else {
		f.step("And match response == %s", data.JSON(want))
	}
	if keys := e.Schema.nullable(); len(keys) > 0 {
		o := data.NewObject()
		for _, k := range keys {
			o.Set(k, "#present")
		}
		f.step("And match response contains %s", data.JSON(o))
	}
	e.Schema.all(nil, func(path []any, s *Schema) {
		if s.List && s.Filled && !s.Optional && !s.Null && s.Items != nil && !slices.Contains(path, any(0)) {
			f.step("And match %s == '#[_ > 0]'", way("response", path))
		}
	})
	for _, m := range e.Has {
		f.step("And match %s contains deep %s", way("response", m.List), f.member(m))
	}
	for _, l := range e.Lacks {
		root := way("response", l.List)
		if len(l.List) == 0 {
			root = "$"
		}
		f.step("And match %s !contains %s", way(root+"[*]", []any{l.Key}), f.w.name(l.Var))
	}
}

func (f *featureWriter) member(m Member) string {
	o := data.NewObject()
	for i, k := range m.Keys {
		t := m.Want[i]
		if t.variables() != nil {
			o.Set(k, "#("+f.w.expression(t)+")")
			continue
		}
		var v any = t.plain()
		if !m.kind[i] {
			if parsed, err := data.ParseJSON(t.plain()); err == nil {
				v = parsed
			}
		}
		if text, ok := v.(string); ok && strings.HasPrefix(text, "#") {
			continue
		}
		o.Set(k, v)
	}
	return data.JSON(o)
}

func (f *featureWriter) finds(c *Call) {
	if slices.ContainsFunc(c.Finds, (*Variable).ofPage) {
		f.step("* string html = responseBytes")
	}
	for _, v := range c.Finds {
		f.step("* def %s = %s", v.Name, v.find())
	}
}

func (f *featureWriter) signIn() string {
	s := f.suite
	f.b.Reset()
	f.w, f.used = dialect{auth: true}, map[string]string{}
	f.line("@ignore")
	f.line("Feature: sign in")
	f.line("")
	f.line("  Background:")
	f.configure()
	f.line("")
	f.line("  Scenario: sign in")
	pairs := s.cookieVariables()
	for i, c := range s.Auth {
		if i > 0 {
			f.line("")
		}
		f.call(c, false)
		for _, p := range pairs {
			if p.setter == c {
				f.step("* def %s = responseCookies[%s].value", p.variable, quote(p.name))
			}
		}
	}
	if len(pairs) > 0 {
		o := data.NewObject()
		for _, p := range pairs {
			o.Set(p.name, "#("+p.variable+")")
		}
		f.step("* def cookies = %s", data.JSON(o))
	}
	return f.b.String()
}

// cookie is one that signing in gives: who sets it last, and the variable that
// has it.
type cookie struct {
	name, variable string
	setter         *Call
}

func (s *Suite) cookieVariables() (list []cookie) {
	for i, name := range s.Cookies {
		one := cookie{name: name, variable: fmt.Sprintf("cookie%d", i+1)}
		for _, c := range s.Auth {
			if value, ok := c.Answer.Cookies[name]; ok {
				one.setter = c
				if value == "" {
					one.setter = nil // it was taken back
				}
			}
		}
		if one.setter != nil {
			list = append(list, one)
		}
	}
	return list
}

// ConfigHead is how a derived config begins.
const ConfigHead = "// Where the application is, and secrets by name"

// configFile is karate-config.js: where the application is, and the secrets by
// name, from properties or the environment.
func (s *Suite) configFile() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s: each is a property (-Dname=value) or", ConfigHead)
	line("// a variable of the environment (API_NAME).")
	line("function fn() {")
	line("  var setting = function (name, env, otherwise) {")
	line("    return karate.properties[name] || java.lang.System.getenv(env) || otherwise;")
	line("  };")
	line("  var need = function (name, env) {")
	line("    var value = setting(name, env, null);")
	line("    if (!value) karate.fail('set ' + name + ': -D' + name + '=... or ' + env + ' in the environment');")
	line("    return value;")
	line("  };")
	line("  var config = {};")
	for i, origin := range s.Origins {
		line("  config.%s = setting(%s, %s, %s);", baseName(i), quote(baseName(i)), quote(envName(baseName(i))), quote(origin))
	}
	if slices.ContainsFunc(s.Config, func(v *Variable) bool { return v.Fresh }) {
		line("  var fresh = function (before, after) {")
		line("    return before + java.util.UUID.randomUUID().toString().substring(0, 8) + after;")
		line("  };")
	}
	for _, v := range s.Config {
		if v.Fresh {
			before, after, mail := strings.Cut(v.Default, "@")
			if mail {
				after = "@" + after
			}
			line("  config.%s = fresh(%s, %s);", v.Name, quote(before), quote(after))
			continue
		}
		if v.Secret {
			line("  config.%s = need(%s, %s);", v.Name, quote(v.Name), quote(envName(v.Name)))
		} else {
			line("  config.%s = setting(%s, %s, %s);", v.Name, quote(v.Name), quote(envName(v.Name)), quote(v.Default))
		}
		if v.Number {
			line("  config.%s = Number(config.%s);", v.Name, v.Name)
		}
	}
	if len(s.Auth) > 0 && !s.Fresh {
		line("  config.auth = karate.callSingle('auth.feature', config);")
	}
	line("  return config;")
	line("}")
	return b.String()
}

// envName is the variable of the environment for a property.
func envName(name string) string {
	var b strings.Builder
	b.WriteString("API_")
	for i, r := range name {
		if r >= 'A' && r <= 'Z' && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToUpper(string(r)))
	}
	return b.String()
}
