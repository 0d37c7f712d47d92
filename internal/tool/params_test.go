package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"rove"
)

// wrongValues are of no type that a parameter of the name's type takes.
var wrongValues = map[string][]any{
	"string":  {map[string]any{"a": 1}, []any{"x"}},
	"integer": {"many", true, []any{1}},
	"number":  {"many", true, map[string]any{}},
	"boolean": {"yes", 1, []any{true}},
	"array":   {"one", 5, map[string]any{}, []any{5}},
}

// plausible is an input that has all that must be given.
func plausible(t *Tool) map[string]any {
	input := map[string]any{}
	for _, p := range t.Parameters() {
		if !p.Required {
			continue
		}
		input[p.Name] = map[string]any{"string": "x", "integer": 1, "number": 1, "boolean": true, "array": []string{"x"}}[p.Type]
		if len(p.Enum) > 0 {
			input[p.Name] = p.Enum[0]
		}
	}
	return input
}

// TestEveryParameterIsHeldToItsType: a wrong type, an unknown name and a missing
// parameter are errors of every tool, and say what it takes.
func TestEveryParameterIsHeldToItsType(t *testing.T) {
	for _, tl := range table {
		t.Run(tl.Name, func(t *testing.T) {
			refused := func(input map[string]any, want string) {
				t.Helper()
				raw, err := json.Marshal(input)
				if err != nil {
					t.Fatal(err)
				}
				err = tl.Check(raw)
				var e *rove.Error
				if !errors.As(err, &e) || e.Code != rove.CodeInvalid || !strings.HasPrefix(err.Error(), tl.Name+": ") || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v, want %s", raw, err, want)
				}
			}
			with := func(name string, value any) map[string]any {
				input := plausible(tl)
				input[name] = value
				return input
			}
			raw, err := json.Marshal(plausible(tl))
			if err != nil {
				t.Fatal(err)
			}
			if err := tl.Check(raw); err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
			var names []string
			for _, p := range tl.Parameters() {
				names = append(names, p.Name)
			}
			refused(with("nope", 1), fmt.Sprintf(`there is no parameter "nope"; it takes %s`, strings.Join(names, ", ")))
			refused(with("Session", "x"), `there is no parameter "Session"`)
			for _, p := range tl.Parameters() {
				for _, value := range wrongValues[p.Type] {
					want := p.Name + " takes "
					if _, list := value.([]any); p.Type == "array" && list {
						want = p.Name // which of them is wrong
					}
					refused(with(p.Name, value), want)
				}
				if len(p.Enum) > 0 && p.Type != "array" {
					refused(with(p.Name, "no such word"), p.Name+" takes one of "+strings.Join(p.Enum, ", "))
				}
				if p.Name == "timeout" {
					for _, value := range []any{"soon", -1, "-5s", 1e300, "", "5 parsecs"} {
						refused(with(p.Name, value), `timeout takes a number of milliseconds, or a time such as "5s", not`)
					}
				}
				if p.Required {
					input := maps.Clone(plausible(tl))
					delete(input, p.Name)
					refused(input, "it takes "+strings.Join(names, ", "))
					refused(input, saysMissing(tl, p.Name))
					refused(with(p.Name, nil), saysMissing(tl, p.Name))
				}
			}
		})
	}
}

// TestBrowserParameters holds the names to those that agents know, with what must
// be given starred.
func TestBrowserParameters(t *testing.T) {
	want := map[string]string{
		"browser_navigate":          "url* timeout session",
		"browser_eval":              "expression* await timeout session",
		"browser_take_screenshot":   "selector full_page format timeout session",
		"browser_resize":            "width* height* device_scale mobile session",
		"read_image":                "path* session",
		"browser_click":             "selector* wait timeout session",
		"browser_type":              "selector* text* clear timeout session",
		"browser_wait_for_selector": "selector* visible timeout session",
		"browser_key_press":         "key* modifiers session",
	}
	for name, params := range want {
		tl, err := Find(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := strings.Join(starred(tl), " "); got != params {
			t.Errorf("%s takes %s, want %s", name, got, params)
		}
		if tl.Set != browser {
			t.Errorf("%s is in the set %s", name, tl.Set)
		}
	}
}

// saysMissing is how a tool says that a parameter was not given; the words of the set
// browse are fixed.
func saysMissing(t *Tool, name string) string {
	if t.Set == browse {
		return "Missing required parameter: " + name
	}
	return name + " is missing"
}

// TestTimesUnlessTold: how long tools wait where a call does not say, and that they
// say so to people.
func TestTimesUnlessTold(t *testing.T) {
	for _, c := range []struct {
		tool string
		got  time.Duration
		want string
	}{
		{"browser_wait_for_selector", selectorParams{}.within(elementTime), "30 s"},
		{"browser_wait_for", conditionParams{}.within(elementTime), "30 s"},
		{"browser_navigate", navigateParams{}.within(), "15 s"},
		{"browser_eval", evaluateParams{}.within(), "15 s"},
	} {
		want, err := time.ParseDuration(strings.ReplaceAll(c.want, " ", ""))
		if err != nil || c.got != want {
			t.Errorf("%s waits %v unless told, want %v", c.tool, c.got, want)
		}
		tl, err := Find(c.tool)
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, p := range tl.Parameters() {
			said = said || p.Name == "timeout" && strings.Contains(p.About, c.want+" unless told")
		}
		if !said {
			t.Errorf("%s does not say that it waits %s", c.tool, c.want)
		}
	}
}

// TestModifiersAreAdvertised: the words that a list takes are in the schema, and each
// of them is taken.
func TestModifiersAreAdvertised(t *testing.T) {
	for name, want := range map[string]string{"browser_key_press": "[Control Shift Alt Meta]", "browse_keypress": "[shift control alt meta]"} {
		tl, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		p := tl.Input().Properties["modifiers"]
		if p.Type != "array" || p.Enum != nil || fmt.Sprint(p.Items.Enum) != want {
			t.Errorf("%s: %+v of %+v", name, p, p.Items)
		}
	}
	for _, word := range []string{"Control", "Shift", "Alt", "Meta"} {
		if modifiers[strings.ToLower(word)] == "" {
			t.Errorf("%s is not taken", word)
		}
	}
}

// TestParametersByAnotherName: what is known by another name is taken by it, once, and
// the schema has one of them.
func TestParametersByAnotherName(t *testing.T) {
	tl, err := Find("wait")
	if err != nil {
		t.Fatal(err)
	}
	if tl.Input().Properties["condition"] != nil {
		t.Error("a model pays for condition")
	}
	for input, want := range map[string]string{
		`{"condition":"idle"}`:              "",
		`{"for":"idle"}`:                    "",
		`{"condition":5}`:                   "",
		`{"condition":["idle"]}`:            "condition takes a string",
		`{"for":"idle","condition":"load"}`: "it is the same as for: give one of them",
		`{"condition":""}`:                  "for is missing",
	} {
		err := tl.Check([]byte(input))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", input, err, want)
		}
	}
}
