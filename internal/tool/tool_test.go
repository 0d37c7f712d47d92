package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"rove"
	"rove/driver"
	"rove/internal/session"
	"rove/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// TestSharedNames holds the parameters to the names that all doors share.
func TestSharedNames(t *testing.T) {
	want := map[string]string{
		"look": "ref find mode budget viewport format since screenshot session",
		"act":  "ref op value steps session",
		"go":   "url* session",
		"wait": "for* timeout session",
		"eval": "js* session",
	}
	tools, err := Set("")
	if err != nil {
		t.Fatal(err)
	}
	for _, tl := range tools {
		if got := strings.Join(starred(tl), " "); got != want[tl.Name] {
			t.Errorf("%s takes %s, want %s", tl.Name, got, want[tl.Name])
		}
		delete(want, tl.Name)
	}
	for name := range want {
		t.Errorf("there is no %s", name)
	}
	steps := fields(reflect.TypeFor[step]())
	if got := strings.Join(names(steps), ", "); got != "ref, op, value" {
		t.Errorf("a step takes %s", got)
	}
}

func definitions(t *testing.T) []byte {
	t.Helper()
	tools, err := Set(agent)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(Definitions(tools)); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// TestDefinitionsAreCheap bounds what a model pays for the agent's tools before
// it has done anything. By o200k_base they cost some 435 tokens; rove's own estimate
// errs on the safe side, most of all for JSON, so its bound is higher.
func TestDefinitionsAreCheap(t *testing.T) {
	const most = 700
	if n := rove.Tokens(string(definitions(t))); n > most {
		t.Errorf("the definitions cost an estimated %d tokens, more than %d: say it in fewer words", n, most)
	}
}

func TestDefinitionsAsAModelSeesThem(t *testing.T) {
	const golden = "testdata/definitions.json"
	var b bytes.Buffer
	if err := json.Indent(&b, definitions(t), "", "  "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("the definitions changed; if that is meant, go generate ./internal/tool:\n%s", diff)
	}
}

// TestOperationsOfferedAreThere holds the operations that act's help names to
// those that there are.
func TestOperationsOfferedAreThere(t *testing.T) {
	tl, err := Find("act")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(tl.Help, "op: ")
	list, _, ok := strings.Cut(list, ", or as shown")
	if !ok {
		t.Fatalf("the help has another form: %s", tl.Help)
	}
	known := append(driver.Operations(), (rove.Actions{}).Map()["_page"]...)
	for _, op := range strings.Fields(strings.ReplaceAll(list, "(sets text)", "")) {
		if !slices.Contains(known, op) {
			t.Errorf("act offers %s, which there is not", op)
		}
	}
}

func TestTableIsSound(t *testing.T) {
	names := map[string]bool{}
	for _, tl := range table {
		if names[tl.Name] {
			t.Errorf("%s is there twice", tl.Name)
		}
		names[tl.Name] = true
		if tl.Help == "" || tl.Set == "" {
			t.Errorf("%s has no help or no set", tl.Name)
		}
		if !slices.Contains(tl.Input().PropertyOrder, "session") {
			t.Errorf("%s has no session", tl.Name)
		}
		for i, p := range tl.Parameters() {
			if p.About == "" {
				t.Errorf("%s does not say what %s is", tl.Name, p.Name)
			}
			s := tl.Input().Properties[p.Name]
			if tl.Input().PropertyOrder[i] != p.Name || s == nil || s.Type != p.Type || slices.Contains(tl.Input().Required, p.Name) != p.Required {
				t.Errorf("%s: parameter %s and the schema say different things", tl.Name, p.Name)
			}
		}
		if found, err := Find(tl.Name); err != nil || found != tl {
			t.Errorf("Find(%s): %v", tl.Name, err)
		}
	}
	if _, err := Find("nope"); err == nil || !strings.Contains(err.Error(), "look, act") {
		t.Errorf("an unknown tool: %v", err)
	}
	if all, err := Set("all"); err != nil || len(all) != len(table) {
		t.Errorf("all: %d tools, %v", len(all), err)
	}
	if _, err := Set("agent,nope"); err == nil || !strings.Contains(err.Error(), "say agent") {
		t.Errorf("an unknown set: %v", err)
	}
}

func TestInput(t *testing.T) {
	budget := func(n int) *int { return &n }
	tests := []struct {
		json string
		want any
	}{
		{``, lookInput{}},
		{`{}`, lookInput{}},
		{`{"ref":"e3","budget":0}`, lookInput{Ref: "e3", Budget: budget(0)}},
		{`{"budget":800.0}`, lookInput{Budget: budget(800)}},
		{`{"budget":8e2}`, lookInput{Budget: budget(800)}},
		{`{"budget":null,"find":null}`, lookInput{}},
		{`{"since":3,"session":"b","viewport":true}`, lookInput{Since: "3", Viewport: true, Where: Where{"b"}}},
		{`{"mode":"text","format":"yaml","screenshot":true}`, lookInput{Mode: "text", Format: "yaml", Screenshot: true}},
		{`{"url":"example.com"}`, goInput{URL: "example.com"}},
		{`{"for":500,"timeout":1500}`, waitInput{For: "500", Timeout: new(Milliseconds(1500 * time.Millisecond))}},
		{`{"for":"!e5","timeout":"2s"}`, waitInput{For: "!e5", Timeout: new(Milliseconds(2 * time.Second))}},
		{`{"ref":"e1","op":"set","value":7}`, actInput{Ref: "e1", Op: "set", Value: "7"}},
		{`{"ref":"e1","op":"input","value":"a\u0000\"b"}`, actInput{Ref: "e1", Op: "input", Value: "a\x00\"b"}},
		{`{"steps":[{"ref":"e1","op":"input","value":"x"},{"ref":"e2","op":"click"}]}`, actInput{Steps: []step{{"e1", "input", "x"}, {"e2", "click", ""}}}},
		{`{"js":"1"}`, evalInput{JS: "1"}},
	}
	for _, tt := range tests {
		got := reflect.New(reflect.TypeOf(tt.want))
		if err := decode("tool", []byte(tt.json), got.Interface()); err != nil {
			t.Errorf("%s: %v", tt.json, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got.Elem().Interface(), cmp.AllowUnexported(lookInput{}, goInput{}, waitInput{}, actInput{}, evalInput{})); diff != "" {
			t.Errorf("%s:\n%s", tt.json, diff)
		}
	}
}

func TestInputThatMakesNoSense(t *testing.T) {
	tests := []struct{ tool, json, want string }{
		{"look", `{"selector":"#a"}`, `look: there is no parameter "selector"; it takes ref, find, mode, budget, viewport, format, since, screenshot, session`},
		{"look", `{"ref":5}`, `look: ref takes a string, not 5`},
		{"look", `{"budget":"many"}`, `look: budget takes a whole number, not "many"`},
		{"look", `{"budget":1.5}`, `look: budget takes a whole number, not 1.5`},
		{"look", `{"budget":1e99}`, `look: budget takes a whole number, not 1e99`},
		{"look", `{"viewport":"yes"}`, `look: viewport takes true or false, not "yes"`},
		{"look", `{"mode":"html"}`, `look: mode takes one of page, interactive, text, not "html"`},
		{"look", `{"since":["last"]}`, `look: since takes a string, not ["last"]`},
		{"look", `{"ref":"e1","ref":"e2"}`, `look: the input has "ref" twice in one object; it takes an object with ref`},
		{"look", `[]`, `look: the input takes an object with ref, find, mode, budget, viewport, format, since, screenshot, session, not []`},
		{"look", `{"ref":`, `look: the input is not JSON, line 1: it ends too soon; it takes an object with ref`},
		{"look", `{} {}`, `look: the input has something after its end`},
		{"look", "{\"ref\":\"\xff\"}", `look: the input is not UTF-8`},
		{"act", `{"steps":` + strings.Repeat("[", 1000), `act: the input is nested too deep`},
		{"look", `null`, `look: the input takes an object with ref, find, mode, budget, viewport, format, since, screenshot, session, not null`},
		{"go", `{}`, `go: url is missing; it takes url, session`},
		{"go", `{"url":""}`, `go: url is missing`},
		{"go", `{"url":{"a":"` + strings.Repeat("x", 200) + `"}}`, `…`},
		{"wait", `{"for":"idle","timeout":"soon"}`, `wait: timeout takes a number of milliseconds, or a time such as "5s", not "soon"`},
		{"wait", `{"for":"idle","timeout":-1}`, `wait: timeout takes`},
		{"wait", `{"for":"idle","timeout":1e300}`, `wait: timeout takes`},
		{"wait", `{"for":"idle","timeout":"NaN"}`, `wait: timeout takes`},
		{"act", `{"steps":{}}`, `act: steps takes a list, not {}`},
		{"act", `{"steps":[{"ref":"e1","op":"click"},{"ref":"e2","how":"click"}]}`, `act: steps[1]: there is no parameter "how"; it takes ref, op, value`},
		{"act", `{"steps":[{"ref":true}]}`, `act: steps[0].ref takes a string, not true`},
		{"act", `{"steps":["e1 click"]}`, `act: steps[0] takes an object with ref, op, value, not "e1 click"`},
	}
	m := session.NewManager(session.Options{})
	defer m.Close()
	for _, tt := range tests {
		tl, err := Find(tt.tool)
		if err != nil {
			t.Fatal(err)
		}
		_, err = tl.Prepare(m.Conversation(""), []byte(tt.json), Defaults{})
		var e *rove.Error
		if !errors.As(err, &e) || e.Code != rove.CodeInvalid || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %s:\n got %v\nwant %s", tt.tool, tt.json, err, tt.want)
		}
	}
}

func TestActNeedsOneOrSteps(t *testing.T) {
	tests := []struct {
		in   actInput
		want string
	}{
		{actInput{}, "nothing to do"},
		{actInput{Ref: "e1"}, "give both ref and op"},
		{actInput{Op: "click"}, "give both ref and op"},
		{actInput{Value: "x"}, "give both ref and op"},
		{actInput{Ref: "e1", Op: "click", Steps: []step{{"e1", "click", ""}}}, "not both"},
		{actInput{Steps: []step{{"e1", "click", ""}, {"e2", "", ""}}}, "steps[1] needs both"},
	}
	for _, tt := range tests {
		if _, err := tt.in.list(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.in, err, tt.want)
		}
	}
}

// FuzzInput holds that no input of a model to any tool, however odd, does worse than
// an error in a few words, and that what is accepted is an object of known names.
func FuzzInput(f *testing.F) {
	for i, s := range []string{
		`{"ref":"e1","steps":[{"op":"x"}]}`, `{"value":1e5}`, `{"steps":[[],null,{}]}`, `{"a":"\ud800"}`, `{"ref":null}`, `{"timeout":"5s"}`, `{"timeout":-1e300}`,
		`{"modifiers":["a",1]}`, `{"url":"x","url":"y"}`, `{"delta_y":1.5}`, `{"element_id":"el_0","text":""}`, `{"urls":["a"],"session":""}`, `{"throughput":1e-9}`,
	} {
		f.Add(uint8(i), []byte(s))
	}
	f.Fuzz(func(t *testing.T, which uint8, raw []byte) {
		tl := table[int(which)%len(table)]
		if err := tl.Check(raw); err != nil {
			var e *rove.Error
			if !errors.As(err, &e) || e.Code != rove.CodeInvalid || !utf8.ValidString(err.Error()) || len(err.Error()) > 1000+len(raw) {
				t.Errorf("%s %q: %v", tl.Name, raw, err)
			}
			return
		}
		var again map[string]any
		if len(bytes.TrimSpace(raw)) > 0 && json.Unmarshal(raw, &again) != nil {
			t.Errorf("%s: %q was accepted and is no object", tl.Name, raw)
		}
		for name := range again {
			if !slices.ContainsFunc(tl.Parameters(), func(p Parameter) bool { return p.Name == name }) {
				t.Errorf("%s: %q was accepted with %q in it", tl.Name, raw, name)
			}
		}
	})
}
