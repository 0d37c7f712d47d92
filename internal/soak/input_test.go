package soak

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"rove/internal/tool"
)

// author makes up the inputs of calls for one session: what the schema of a tool
// allows, with what the session's last answers showed.
type author struct {
	*rand.Rand
	who   string
	site  site
	files []string // on disk, to upload and to look at

	refs     []string // of the latest look
	elements []string // of the latest observation
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// chance is true p times of 100.
func (a *author) chance(p int) bool { return a.IntN(100) < p }

// valid is an input that the schema of a tool allows.
func (a *author) valid(t *tool.Tool) map[string]any {
	return a.object(t.Name, t.Input(), 35)
}

// object fills in what is required, and each of the rest some times of 100.
func (a *author) object(of string, s *jsonschema.Schema, often int) map[string]any {
	in := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		switch {
		case name == "session":
			// The caller's.
		case slices.Contains(s.Required, name) || a.chance(often) || waits[name] && a.chance(90):
			in[name] = a.value(of, name, p)
		}
	}
	switch of { // what a schema can't say
	case "act":
		if a.chance(80) {
			delete(in, "steps")
			in["ref"], in["op"], in["value"] = a.step()
		} else {
			in = map[string]any{"steps": a.steps()}
		}
	case "look", "browser_snapshot":
		if in["since"] != nil && a.chance(80) {
			in = map[string]any{"since": in["since"]} // compares whole pages
		}
		if ref, ok := in["ref"].(string); ok && !strings.HasPrefix(ref, "e") && a.chance(80) {
			delete(in, "ref") // takes no locators
		}
	case "browser_tabs":
		if in["url"] != nil && a.chance(80) {
			in["action"] = "new"
		}
		if in["tab"] != nil {
			in["tab"] = 1 + a.IntN(3)
		}
	case "browser_service_workers":
		if in["action"] == nil {
			delete(in, "scope")
		}
	case "browser_wait_for":
		which := pick(a.Rand, []string{"text", "gone", "url", "request", "state"})
		in = map[string]any{which: a.value(of, which, s.Properties[which]), "timeout": a.IntN(800) + 1}
	}
	return in
}

// waits are the times: left out, a wait is for long.
var waits = map[string]bool{"timeout": true, "timeout_ms": true}

// value is what a parameter takes: by its name where that says more than its type.
func (a *author) value(of, name string, s *jsonschema.Schema) any {
	if len(s.Enum) > 0 {
		return pick(a.Rand, s.Enum)
	}
	if words, ok := said[name]; ok && a.chance(90) {
		return strings.ReplaceAll(pick(a.Rand, words), "WHO", a.who)
	}
	switch name {
	case "url":
		return a.url()
	case "urls":
		return []string{a.url(), a.url()}
	case "ref", "selector":
		return a.sensible(of)
	case "element_id":
		return a.element()
	case "steps":
		return a.steps()
	case "js", "expression":
		return strings.ReplaceAll(pick(a.Rand, scripts), "WHO", a.who)
	case "for":
		return strings.ReplaceAll(pick(a.Rand, append(conditions, a.target(), "!"+a.target())), "WHO", a.who)
	case "path":
		return pick(a.Rand, a.files)
	case "paths":
		return []string{pick(a.Rand, a.files)}
	case "modifiers":
		return []string{pick(a.Rand, []string{"Control", "Shift", "Alt", "Meta", "control"})}
	case "width", "height":
		return 200 + a.IntN(1400)
	case "device_scale", "scale":
		return 0.5 + a.Float64()
	case "delta_y":
		return a.IntN(4000) - 2000
	case "throughput":
		return 50_000 + a.Float64()*1e6
	case "budget":
		return 20 + a.IntN(2000)
	case "latency":
		return a.IntN(100)
	case "timeout", "timeout_ms":
		return 1 + a.IntN(1500)
	case "offline":
		return a.chance(30)
	}
	switch s.Type {
	case "integer":
		return a.IntN(50)
	case "number":
		return a.Float64() * 10
	case "boolean":
		return a.chance(50)
	case "array":
		return []string{a.word()}
	}
	return a.word()
}

// said is what parameters are told in words.
var said = map[string][]string{
	"find":       {"page", "WHO", "/row \\d+/", "/(/", "Count", "more", ""},
	"format":     {"compact", "yaml"},
	"since":      {"last", "1", "3"},
	"key":        {"Enter", "Tab", "Escape", "ArrowDown", "a", "v", "F5", "é", "Backspace", "PageDown"},
	"to":         {"down", "up", "up 3", "right 200px", "top", "bottom", "until:end of"},
	"condition":  {"page_loaded", "url_changed", "a11y_contains_text:page of", "a11y_contains_text:WHO", "element_with_name:Count", "element_with_name:Count@button"},
	"pages":      {"1", "1-2", "1-3, 8"},
	"filter":     {"api", "*/mine*", "WHO", "nothing"},
	"type":       {"document", "fetch", "fetch,script", "image", "websocket"},
	"status":     {"200", "404", "4xx", "ok", "failed", "pending", "ok,404"},
	"level":      {"error", "warn", "log", "info", "exception", "network"},
	"context":    {"page", "frame", "worker", "service_worker", "mine"},
	"scope":      {"/", "/nothing/"},
	"gone":       {"nothing of the kind", "WHO"},
	"request":    {"/api", "WHO", "nothing"},
	"text":       {"WHO", "7", "two\nlines", "", "ﷺ é 👩‍👩‍👧 x", "WHO@example.com"},
	"value":      {"WHO", "7", "small", "#1", "large", "on", "down", "2026-01-02"},
	"op":         operations,
	"action":     {"update", "skip_waiting", "unregister", "list"},
	"permission": {"granted", "denied"},
}

// operations are those of act, on elements and on the page.
var operations = strings.Fields(`click click click dblclick rightclick hover check uncheck focus input type clear press select set drag scroll mark text
	attribute screenshot upload back forward refresh dialog tab viewport emulate history undo`)

var conditions = []string{"5", "80", "idle", "load", "text:page of", "text:WHO", "gone:nothing", "url:/mine", "request:/api", "download", "document.title", "1 == 2", "#n", "{button}Count", "//h1", ")", "!e1"}

var scripts = []string{
	"document.title", "document.cookie", "localStorage.who", "1+1", "'x'.repeat(30000)", "throw new Error('wrong, says WHO')", "document.body", "window",
	"(() => { let a = {}; a.a = a; return a })()", "10n ** 30n", "'\\u0000\\ud800'", "NaN", "undefined", "null", "return 5", "(", "new Promise(r => setTimeout(() => r('WHO'), 30))",
	"Promise.reject('no')", "setTimeout(() => alert('WHO'), 10)", "console.log('said by WHO', {a: [1, {b: 2}]})", "console.error('\\ud83d', Symbol('x'))", "fetch('/api?who=WHO').then(r => r.text())",
	"location.reload()", "window.open('/mine?who=WHO')", "window.close()", "document.body.replaceChildren()", "document.write('WHO')", "document.title = '\\ud83d WHO'",
	"history.pushState(0, '', '?who=WHO#' + Math.random())", "navigator.clipboard.readText()", "new Worker(URL.createObjectURL(new Blob(['console.log(1)'])))",
	"Array.from({length: 2000}, (_, i) => 'row ' + i)", "Object.fromEntries(Array.from({length: 300}, (_, i) => ['k' + i, {i}]))", "location.href = '/mine?who=WHO&p=9'", "print()",
	"document.querySelector('#name').value", "indexedDB.databases()", "caches.keys()", "print(1), document.designMode = 'on'",
}

var selectors = []string{
	"#name", "#note", "#agree", "#size", "#file", "#range", "#send", "#b", "#fail", "#ask", "#sure", "#load", "#grow", "#off", "#get", "#next", "#pop", "#box", "#end",
	"{button}Count", "{input}Name", "{a}Next", "{^p}end", "//button[2]", "(//a)[1]", "a, button", "[", "{", "#nothing", "{button:9}Count", "//[", "ref:e1", "(document.body)", "*", "body", "html", "iframe", "_page",
}

// fit is where an operation or tool makes sense, on the page that is a session's own.
var fit = map[string][]string{
	"input": {"#name", "#note"}, "type": {"#name", "#note"}, "clear": {"#name", "#note"}, "check": {"#agree"}, "uncheck": {"#agree"}, "select": {"#size"}, "set": {"#range"}, "upload": {"#file"},
	"browser_type": {"#name", "#note"}, "browser_select": {"#size"}, "browser_upload": {"#file"},
}

// sensible is where something is done, more often than not where it can be.
func (a *author) sensible(what string) string {
	if list := fit[what]; list != nil && a.chance(60) {
		return pick(a.Rand, list)
	}
	return a.target()
}

func (a *author) target() string {
	if len(a.refs) > 0 && a.chance(65) {
		return pick(a.Rand, a.refs)
	}
	if a.chance(10) {
		return fmt.Sprintf("e%d", a.IntN(400))
	}
	return pick(a.Rand, selectors)
}

func (a *author) element() string {
	if len(a.elements) > 0 && a.chance(85) {
		return pick(a.Rand, a.elements)
	}
	return pick(a.Rand, []string{"el_0", "el_999", "el_1@obs_1", "ax_e1", "nothing", "el_-1"})
}

func (a *author) step() (ref, op, value any) {
	op = pick(a.Rand, operations)
	switch op {
	case "back", "forward", "refresh", "dialog", "tab", "viewport", "emulate", "history", "undo":
		ref = "_page"
	default:
		ref = a.sensible(op.(string))
	}
	value = map[any]any{
		// Nobody copies, scripts included: the clipboard is that of all sessions of a browser, see docs/SECURITY.md.
		"dialog": pick(a.Rand, []string{"accept", "dismiss", a.who}), "tab": pick(a.Rand, []string{"1", "2", "close", "new " + a.url()}), "viewport": "800x600",
		"press": pick(a.Rand, []string{"Enter", "Control+A", "Control+V", "Tab", "ArrowDown"}), "drag": a.target(), "attribute": "href", "upload": pick(a.Rand, a.files),
	}[op]
	if value == nil {
		value = a.value("act", "value", &jsonschema.Schema{Type: "string"})
	}
	return ref, op, value
}

func (a *author) steps() []any {
	list := make([]any, 1+a.IntN(4))
	for i := range list {
		ref, op, value := a.step()
		list[i] = map[string]any{"ref": ref, "op": op, "value": value}
	}
	return list
}

func (a *author) home() string { return a.site.origin + "/mine?who=" + a.who }

var oddAddresses = []string{"about:blank", "http://127.0.0.1:1/", "http://nowhere.invalid/", "javascript:alert(1)", "data:text/html,<p>data</p>", "http://", "file:///etc/hostname", "view-source:about:blank", "chrome://version", "::", " ", "http://[::1", "blob:x"}

func (a *author) url() string {
	switch n := a.IntN(100); {
	case n < 55:
		return a.home()
	case n < 80:
		return a.site.demo + pick(a.Rand, demoPages)
	case n < 88:
		return a.site.origin + "/p/" + pick(a.Rand, hostile) + ".html"
	case n < 91:
		return a.site.origin + pick(a.Rand, []string{"/nothing", "/file?who=" + a.who})
	}
	return pick(a.Rand, oddAddresses)
}

func (a *author) word() string {
	return pick(a.Rand, []string{a.who, "", "a", "Count", "x y", "é👩‍👩‍👧", "'\"<>&", "%s%d", "../..", "null", strings.Repeat("long ", 300)})
}

// strain is a way to spoil an input. It is refused, or else only has to be answered.
type strain struct {
	name    string
	refused bool // always, as invalid
	spoil   func(a *author, t *tool.Tool, in map[string]any) []byte
}

var strains = []strain{
	{"unknown name", true, func(a *author, t *tool.Tool, in map[string]any) []byte {
		in[pick(a.Rand, []string{"nope", "Ref", "", "session ", "__proto__", strings.Repeat("n", 5000), "a\x00b"})] = a.word()
		return encode(in)
	}},
	{"object for a value", true, func(a *author, t *tool.Tool, in map[string]any) []byte {
		return with(in, a.parameter(t), `{"a":[1,null]}`)
	}},
	{"nested without end", true, func(a *author, t *tool.Tool, in map[string]any) []byte {
		const depth = 20_000
		return with(in, a.parameter(t), strings.Repeat(`[`, depth)+strings.Repeat(`]`, depth))
	}},
	{"broken JSON", true, func(a *author, t *tool.Tool, in map[string]any) []byte {
		raw := append(encode(in), pick(a.Rand, []string{"x", "{}", "]", "\x00", "//"})...)
		return raw[a.IntN(2):]
	}},
	{"twice", true, func(a *author, t *tool.Tool, in map[string]any) []byte {
		return []byte(`{"session":"","session":""}`)
	}},
	{"no object", true, func(a *author, t *tool.Tool, in map[string]any) []byte {
		return []byte(pick(a.Rand, []string{"null", "[]", "5", `"text"`, "true", "[[[", "{"}))
	}},
	{"another type", false, func(a *author, t *tool.Tool, in map[string]any) []byte {
		return with(in, a.parameter(t), pick(a.Rand, []string{"5", "1.5", "true", `"word"`, "[]", "[1]", "null", `""`}))
	}},
	{"left out", false, func(a *author, t *tool.Tool, in map[string]any) []byte {
		delete(in, a.parameter(t))
		return encode(in)
	}},
	{"odd number", false, func(a *author, t *tool.Tool, in map[string]any) []byte {
		return with(in, a.parameter(t), pick(a.Rand, []string{"-1", "0", "1e400", "-9223372036854775809", "1e18", "0.0000001", "2147483648", "-0"}))
	}},
	{"huge text", false, func(a *author, t *tool.Tool, in map[string]any) []byte {
		return with(in, a.parameter(t), `"`+strings.Repeat(pick(a.Rand, []string{"x", "é", `\n`, "e1 ", "//", "{", "("}), 100_000)+`"`)
	}},
	{"odd text", false, func(a *author, t *tool.Tool, in map[string]any) []byte {
		return with(in, a.parameter(t), `"`+pick(a.Rand, []string{`\u0000`, `\ud800`, "\xff\xfe", `\u202e`, "\x7f", `\u0000e1\u0000`, `\b\f`, `\ufeff`})+`"`)
	}},
}

// parameter is the name of one, but not of that which says whose answer it is.
func (a *author) parameter(t *tool.Tool) string {
	for {
		if name := pick(a.Rand, t.Parameters()).Name; name != "session" || len(t.Parameters()) == 1 {
			return name
		}
	}
}

// with is an input with one value as it is written.
func with(in map[string]any, name, value string) []byte {
	delete(in, name)
	if rest := encode(in); len(rest) > 2 {
		return fmt.Appendf(nil, `{%q:%s,%s`, name, value, rest[1:])
	}
	return fmt.Appendf(nil, `{%q:%s}`, name, value)
}

func encode(in map[string]any) []byte {
	raw, err := json.Marshal(in)
	if err != nil {
		panic(err) // a mistake in this file
	}
	return raw
}
