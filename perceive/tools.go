package perceive

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"rove/driver"
)

// ToolSchema is one of the browse_ tools, for a program that offers them.
type ToolSchema struct {
	Name         string         `json:"name"`
	Description  string         `json:"description"`
	Parameters   map[string]any `json:"parameters"` // JSON schema
	Returns      map[string]any `json:"returns"`    // JSON schema
	Idempotent   bool           `json:"idempotent"`
	CacheTTLSecs *int           `json:"cache_ttl_secs"` // nil: an answer is never good for a second call
	RateLimit    *float64       `json:"rate_limit"`     // nil: as often as one likes
}

// Schemas are the browse_ tools.
func Schemas() []ToolSchema {
	list := make([]ToolSchema, len(tools))
	for i, t := range tools {
		list[i] = ToolSchema{Name: t.name, Description: t.about, Parameters: object(t.takes, true), Returns: object(t.gives, false), Idempotent: t.idempotent}
	}
	return list
}

// param is a parameter of a tool, or a member of its answer.
type param struct {
	name, kind, about string
	optional          bool
}

var (
	elementID = param{name: "element_id", kind: "string", about: "an id of the last observation, such as el_5, or an accessibility id"}
	status    = param{name: "status", kind: "string"}
	resolved  = param{name: "resolved_id", kind: "string", about: "its accessibility id"}
)

// tool is a browse_ tool: what it is told, what it answers, and what runs it.
type tool struct {
	name, about  string
	takes, gives []param
	idempotent   bool
	run          func(context.Context, *Visitor, args) (any, error)
}

var tools = []tool{
	{
		name: "browse_navigate", about: "Navigate the browser to a URL",
		takes: []param{{name: "url", kind: "string", about: "URL to navigate to"}},
		gives: []param{{name: "url", kind: "string"}, status},
		run: func(ctx context.Context, v *Visitor, a args) (any, error) {
			return answer(v.Navigate(ctx, a.text("url")))
		},
	},
	{
		name: "browse_click", about: "Click on a UI element by its id",
		takes: []param{elementID}, gives: []param{elementID, resolved, status},
		run: func(ctx context.Context, v *Visitor, a args) (any, error) {
			return answer(v.Click(ctx, a.text("element_id")))
		},
	},
	{
		name: "browse_type", about: "Type text into a UI element by its id; it replaces what was there",
		takes: []param{elementID, {name: "text", kind: "string", about: "Text to enter"}},
		gives: []param{elementID, resolved, {name: "text", kind: "string"}, status},
		run: func(ctx context.Context, v *Visitor, a args) (any, error) {
			return answer(v.Type(ctx, a.text("element_id"), a.text("text")))
		},
	},
	{
		name: "browse_scroll", about: "Scroll the browser page",
		takes: []param{{name: "delta_y", kind: "integer", about: "pixels; positive is down, negative up"}},
		gives: []param{{name: "delta_y", kind: "integer"}, status},
		run: func(ctx context.Context, v *Visitor, a args) (any, error) {
			return answer(v.Scroll(ctx, a.whole("delta_y")))
		},
	},
	{
		name: "browse_keypress", about: "Press a key with optional modifiers",
		takes: []param{
			{name: "key", kind: "string", about: "key to press, such as Enter, a, Tab"},
			{name: "modifiers", kind: "modifiers", about: "held while it is pressed", optional: true},
		},
		gives: []param{{name: "key", kind: "string"}, status},
		run: func(ctx context.Context, v *Visitor, a args) (any, error) {
			held, err := ParseModifiers(a.list("modifiers"))
			if err != nil {
				return nil, err
			}
			return answer(v.Keypress(ctx, a.text("key"), held...))
		},
	},
	{
		name: "browse_wait", about: "Wait for a condition; one that is not met in time is an answer, not an error", idempotent: true,
		takes: []param{
			{name: "condition", kind: "string", about: "page_loaded, url_changed, a11y_contains_text:TEXT, element_with_name:NAME or element_with_name:NAME@ROLE"},
			{name: "timeout_ms", kind: "number", about: "milliseconds; 5000 unless told", optional: true},
		},
		gives: []param{{name: "condition", kind: "string"}, {name: "met", kind: "boolean"}},
		run: func(ctx context.Context, v *Visitor, a args) (any, error) {
			return answer(v.Wait(ctx, a.text("condition"), a.millis("timeout_ms")))
		},
	},
	{
		name: "browse_observe", about: "Observe the page: picture, elements with ids, visible text and signals", idempotent: true,
		takes: []param{{name: "include_screenshot", kind: "boolean", about: "the picture in the answer too, as base64", optional: true}},
		gives: []param{
			{name: "observation", kind: "string"},
			{name: "url", kind: "string"},
			{name: "title", kind: "string"},
			{name: "ui_map", kind: "string"},
			{name: "screenshot_path", kind: "string", optional: true},
			{name: "screenshot_base64", kind: "string", about: "only with include_screenshot", optional: true},
			{name: "element_count", kind: "integer"},
			{name: "viewport", kind: "object"},
			{name: "page_signals", kind: "object"},
		},
		run: func(ctx context.Context, v *Visitor, a args) (any, error) {
			return answer(v.Observe(ctx, ObserveOptions{IncludeScreenshot: a["include_screenshot"] == true}))
		},
	},
}

// answer keeps a nil pointer from becoming an answer.
func answer[T any](a *T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

func find(name string) *tool {
	for i := range tools {
		if tools[i].name == name {
			return &tools[i]
		}
	}
	return nil
}

// Execute runs a browse_ tool by its name. The answer encodes as JSON.
func (v *Visitor) Execute(ctx context.Context, name string, params map[string]any) (any, error) {
	t := find(name)
	if t == nil {
		var known []string
		for _, t := range tools {
			known = append(known, t.name)
		}
		return nil, driver.Invalid("browse", "Unknown browser tool: %s; there are %s", brief(name), strings.Join(known, ", "))
	}
	if err := t.check(params); err != nil {
		return nil, err
	}
	return t.run(ctx, v, params)
}

// args are parameters that were checked.
type args map[string]any

func (a args) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a args) whole(name string) int {
	f, _ := number(a[name])
	return int(f)
}

func (a args) millis(name string) time.Duration {
	f, _ := number(a[name])
	return time.Duration(f * float64(time.Millisecond))
}

func (a args) list(name string) []string {
	list, _ := texts(a[name])
	return list
}

// check holds parameters to what the tool takes.
func (t *tool) check(params map[string]any) error {
	var accepted []string
	for _, p := range t.takes {
		accepted = append(accepted, p.name)
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		i := slices.IndexFunc(t.takes, func(p param) bool { return p.name == name })
		if i < 0 {
			return driver.Invalid(t.name, "there is no parameter %s; it takes %s", brief(name), strings.Join(accepted, ", "))
		}
		if wants := t.takes[i].wrong(params[name]); wants != "" {
			return driver.Invalid(t.name, "%s takes %s, not %s", name, wants, brief(fmt.Sprint(params[name])))
		}
	}
	for _, p := range t.takes {
		if !p.optional && params[p.name] == nil {
			return driver.Invalid(t.name, "Missing required parameter: %s", p.name)
		}
	}
	return nil
}

// longestWait bounds what a wait can be told, in milliseconds.
const longestWait = 24 * 60 * 60 * 1000

// wrong says what a parameter takes if it is not that; null is as good as
// absent.
func (p param) wrong(v any) string {
	if v == nil {
		return ""
	}
	ok, wants := false, ""
	switch p.kind {
	case "string":
		_, ok = v.(string)
		wants = "a string"
	case "boolean":
		_, ok = v.(bool)
		wants = "true or false"
	case "integer":
		var f float64
		f, ok = number(v)
		ok = ok && f == math.Trunc(f) && math.Abs(f) <= math.MaxInt32
		wants = "a whole number"
	case "number":
		var f float64
		f, ok = number(v)
		ok = ok && f >= 0 && f <= longestWait
		wants = "a number of milliseconds"
	case "modifiers":
		_, ok = texts(v)
		wants = "a list of shift, control, alt, meta"
	}
	if ok {
		return ""
	}
	return wants
}

// number reads a number, whichever type it came as.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, !math.IsNaN(n)
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case interface{ Float64() (float64, error) }: // json.Number
		f, err := n.Float64()
		return f, err == nil
	}
	return 0, false
}

// texts reads a list of strings, whichever type it came as.
func texts(v any) ([]string, bool) {
	switch l := v.(type) {
	case []string:
		return l, true
	case []any:
		list := make([]string, len(l))
		for i := range l {
			s, ok := l[i].(string)
			if !ok {
				return nil, false
			}
			list[i] = s
		}
		return list, true
	}
	return nil, false
}

// object is the JSON schema of an object with these members.
func object(members []param, input bool) map[string]any {
	properties := map[string]any{}
	required := []any{}
	for _, p := range members {
		s := map[string]any{"type": p.kind}
		if p.kind == "modifiers" {
			s = map[string]any{"type": "array", "items": map[string]any{"type": "string", "enum": []any{"shift", "control", "alt", "meta"}}}
		}
		if p.about != "" {
			s["description"] = p.about
		}
		properties[p.name] = s
		if !p.optional {
			required = append(required, p.name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	if input {
		schema["additionalProperties"] = false
	}
	return schema
}
