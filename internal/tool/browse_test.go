package tool

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
	"rove/perceive"
)

// browsing is a conversation that browses.
type browsing struct {
	*testing.T
	ctx  context.Context
	talk *session.Conversation
	url  string
}

const browsePage = `<!doctype html><title>Example</title><link rel=icon href=data:,><style>body{height:3000px}</style>
<h1>Welcome</h1><label>Search <input></label><button onclick="out.textContent = 'found ' + document.querySelector('input').value.length">Submit</button><p id=out></p><a href="/next">Next</a>`

// browseIn gives a conversation of a manager, at the page.
func browseIn(t *testing.T, m *session.Manager) browsing {
	t.Helper()
	ctx := testkit.Context(t)
	b := browsing{T: t, ctx: ctx, talk: m.Conversation("")}
	b.url = testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(browsePage), "/next": testkit.Page("<title>Next</title><link rel=icon href=data:,><button>Done</button>"),
	})
	return b
}

func (b browsing) try(name string, input map[string]any) (Output, error) {
	b.Helper()
	t, err := Find(name)
	if err != nil {
		return Output{}, err
	}
	if input == nil {
		input = map[string]any{}
	}
	raw, err := json.Marshal(input)
	if err != nil {
		b.Fatal(err)
	}
	call, err := t.Prepare(b.talk, raw, Defaults{})
	if err != nil {
		return Output{}, err
	}
	return call.Run(b.ctx)
}

// call gives the data of an answer, as a program gets it.
func (b browsing) call(name string, input map[string]any) (map[string]any, Output) {
	b.Helper()
	out, err := b.try(name, input)
	if err != nil {
		b.Fatalf("%s %v: %v", name, input, err)
	}
	raw, err := json.Marshal(out.Data)
	if err != nil {
		b.Fatal(err)
	}
	var data map[string]any
	if err := json.Unmarshal(raw, &data); err != nil {
		b.Fatal(err)
	}
	return data, out
}

func (b browsing) fails(name string, input map[string]any, code rove.Code, texts ...string) {
	b.Helper()
	_, err := b.try(name, input)
	if err == nil || rove.CodeOf(err) != code {
		b.Errorf("%s %v: %v, want the code %s", name, input, err, code)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			b.Errorf("%s %v: %v, want %q", name, input, err, text)
		}
	}
}

// row is the id of the row with a text.
func (b browsing) row(data map[string]any, text string) string {
	b.Helper()
	for line := range strings.Lines(data["ui_map"].(string)) {
		if strings.HasPrefix(line, "[el_") && strings.Contains(line, text) {
			return strings.TrimPrefix(line[:strings.IndexByte(line, ']')], "[")
		}
	}
	b.Fatalf("no row has %q:\n%s", text, data["ui_map"])
	return ""
}

// TestBrowse: the tools in sessions of a real browser.
func TestBrowse(t *testing.T) {
	testkit.NeedsBrowser(t)
	secrets, err := rove.ParseSecrets("WORD@*=correct horse")
	if err != nil {
		t.Fatal(err)
	}
	m := manage(t, session.Options{Browser: rove.Options{Secrets: secrets}})
	for name, test := range map[string]func(browsing){"mission": browseMission, "screenshot": browseScreenshot, "state": browseState, "history": browseHistory} {
		t.Run(name, func(t *testing.T) { test(browseIn(t, m)) })
	}
}

// browseMission: every tool once, with the answers that programs know.
func browseMission(b browsing) {
	same := func(what string, got, want any) {
		b.Helper()
		if got != want {
			b.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	data, _ := b.call("browse_navigate", map[string]any{"url": b.url + "/"})
	same("navigate", data["url"].(string)+" "+data["status"].(string), b.url+"/ navigated")
	data, out := b.call("browse_observe", nil)
	same("url", data["url"], b.url+"/")
	same("title", data["title"], "Example")
	same("element_count", data["element_count"], 4.0)
	same("viewport", data["viewport"].(map[string]any)["width"], 1280.0)
	if !strings.HasPrefix(out.Text, data["ui_map"].(string)) || !strings.Contains(out.Text, "Observation: obs_1") || !strings.Contains(out.Text, data["screenshot_path"].(string)) {
		b.Errorf("text:\n%s", out.Text)
	}
	field, button := b.row(data, "Search"), b.row(data, "Submit")
	data, _ = b.call("browse_type", map[string]any{"element_id": field, "text": "hello"})
	same("type", data["text"].(string)+" "+data["status"].(string), "hello typed")
	data, _ = b.call("browse_type", map[string]any{"element_id": field, "text": ""}) // clears it
	same("cleared", data["status"], "typed")
	data, _ = b.call("browse_type", map[string]any{"element_id": field, "text": "{{secret:WORD}}"})
	same("the answer has what was asked for", data["text"], "{{secret:WORD}}")
	data, _ = b.call("browse_click", map[string]any{"element_id": button})
	same("click", data["status"], "clicked")
	if !strings.HasPrefix(data["resolved_id"].(string), "ax_") || data["element_id"] != button {
		b.Errorf("click: %v", data)
	}
	data, _ = b.call("browse_wait", map[string]any{"condition": "a11y_contains_text:found 13", "timeout_ms": 5000})
	same("met", data["met"], true)
	data, _ = b.call("browse_wait", map[string]any{"condition": "url_changed", "timeout_ms": 100})
	same("not met", data["met"], false)
	data, _ = b.call("browse_wait", map[string]any{"condition": "a11y_contains_text:found 13", "timeout_ms": 0})
	same("met now", data["met"], true)
	data, _ = b.call("browse_keypress", map[string]any{"key": "End", "modifiers": []string{"shift", "control"}})
	same("keypress", data["key"].(string)+" "+data["status"].(string), "End pressed")
	data, _ = b.call("browse_scroll", map[string]any{"delta_y": 300})
	same("scroll", data["delta_y"], 300.0)
	data, _ = b.call("browse_scroll", map[string]any{"delta_y": 0})
	same("no scroll", data["status"], "scrolled")
	data, _ = b.call("browse_observe", nil)
	summary := data["ui_map"].(string)
	if !strings.Contains(summary, "scrolled to 0,300") || !strings.Contains(summary, "value=\"••••\"") || strings.Contains(summary, "horse") {
		b.Errorf("summary:\n%s", summary)
	}
}

// browseScreenshot: in the answer only if asked for, and then really.
func browseScreenshot(b browsing) {
	b.call("browse_navigate", map[string]any{"url": b.url})
	data, out := b.call("browse_observe", nil)
	if data["screenshot_base64"] != nil || len(out.Images) != 0 {
		b.Error("a picture nobody asked for")
	}
	data, out = b.call("browse_observe", map[string]any{"include_screenshot": true})
	raw, err := base64.StdEncoding.DecodeString(data["screenshot_base64"].(string))
	saved, failed := os.ReadFile(data["screenshot_path"].(string))
	if err != nil || failed != nil || !strings.HasPrefix(string(raw), "\x89PNG") || string(saved) != string(raw) || len(out.Images) != 1 || string(out.Images[0].Data) != string(raw) {
		b.Errorf("%d bytes, %v; %d bytes in the file, %v; %d pictures", len(raw), err, len(saved), failed, len(out.Images))
	}
	if info, err := os.Stat(data["screenshot_path"].(string)); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		b.Errorf("the file: %v, %v", info, err)
	}
	call := b.talk.Call("")
	defer call.End()
	s, err := call.Session(b.ctx)
	if err != nil {
		b.Fatal(err)
	}
	if filepath.Dir(data["screenshot_path"].(string)) != s.Folder().Path() {
		b.Errorf("%s is not in the session's folder", data["screenshot_path"])
	}
}

// browseState: what was observed belongs to the session, and ids that are not of
// the last observation are refused, naming it.
func browseState(b browsing) {
	b.call("browse_navigate", map[string]any{"url": b.url})
	data, _ := b.call("browse_observe", nil)
	button := b.row(data, "Submit")
	b.fails("browse_click", map[string]any{"element_id": button, "session": "other"}, rove.CodeNotFound, "Expected AX node ID")
	b.fails("browse_click", map[string]any{"element_id": "el_77"}, rove.CodeStale, "obs_1", "has no el_77")
	b.call("browse_observe", nil)
	b.call("browse_click", map[string]any{"element_id": button + "@obs_2"})
	b.fails("browse_click", map[string]any{"element_id": button + "@obs_1"}, rove.CodeStale, "obs_1", "obs_2")
	b.call("browse_navigate", map[string]any{"url": b.url + "/next"})
	b.fails("browse_click", map[string]any{"element_id": button}, rove.CodeStale, "obs_2", "another page was opened")
	b.fails("browse_type", map[string]any{"element_id": "el_0", "text": "x"}, rove.CodeStale, "obs_2")
}

// browseHistory: what is done is done by the verbs, and told by them.
func browseHistory(b browsing) {
	b.call("browse_navigate", map[string]any{"url": b.url})
	data, _ := b.call("browse_observe", nil)
	b.call("browse_type", map[string]any{"element_id": b.row(data, "Search"), "text": "x"})
	b.call("browse_click", map[string]any{"element_id": b.row(data, "Next")})
	call := b.talk.Call("")
	defer call.End()
	s, err := call.Session(b.ctx)
	if err != nil {
		b.Fatal(err)
	}
	var done []string
	for _, e := range s.History() {
		for _, r := range e.Steps {
			done = append(done, r.Op)
		}
		if e.Verb != "act" {
			done = append(done, e.Verb)
		}
	}
	if got := strings.Join(done, " "); got != "go input click" {
		b.Errorf("the history has %s", got)
	}
}

// TestBrowseRefusals: before anything is done, and without a browser.
func TestBrowseRefusals(t *testing.T) {
	m := session.NewManager(session.Options{})
	defer m.Close()
	b := browsing{T: t, ctx: t.Context(), talk: m.Conversation("")}
	for _, tt := range []struct {
		tool, input, want string
	}{
		{"browse_navigate", `{}`, "Missing required parameter: url"},
		{"browse_navigate", `{"url":5}`, "url takes a string, not 5"},
		{"browse_click", `{}`, "Missing required parameter: element_id"},
		{"browse_type", `{"element_id":"el_1"}`, "Missing required parameter: text"},
		{"browse_type", `{"text":"a"}`, "Missing required parameter: element_id"},
		{"browse_scroll", `{}`, "Missing required parameter: delta_y"},
		{"browse_scroll", `{"delta_y":"far"}`, "delta_y takes a whole number"},
		{"browse_keypress", `{}`, "Missing required parameter: key"},
		{"browse_wait", `{}`, "Missing required parameter: condition"},
		{"browse_wait", `{"condition":"page_loaded","timeout_ms":-5}`, "timeout_ms takes"},
		{"browse_observe", `{"full":true}`, `there is no parameter "full"; it takes include_screenshot, session`},
		{"browse_nonexistent", `{}`, `there is no tool "browse_nonexistent"`},
	} {
		var input map[string]any
		if err := json.Unmarshal([]byte(tt.input), &input); err != nil {
			t.Fatal(err)
		}
		b.fails(tt.tool, input, rove.CodeInvalid, tt.want)
	}
}

// TestBrowseSchemas: the table and package perceive offer the same tools, with
// the same parameters and answers.
func TestBrowseSchemas(t *testing.T) {
	tools, err := Set(browse)
	if err != nil {
		t.Fatal(err)
	}
	schemas := perceive.Schemas()
	if len(tools) != 7 || len(schemas) != len(tools) {
		t.Fatalf("%d tools in the table, %d in perceive", len(tools), len(schemas))
	}
	for i, s := range schemas {
		tl := tools[i]
		if tl.Name != s.Name || tl.Help == "" || s.Description == "" || s.Idempotent != tl.ReadOnly || s.CacheTTLSecs != nil || s.RateLimit != nil {
			t.Errorf("%s and %+v", tl.Name, s)
		}
		for _, p := range tl.Parameters() {
			if p.Name == "session" {
				continue
			}
			have, ok := s.Parameters["properties"].(map[string]any)[p.Name].(map[string]any)
			required, _ := s.Parameters["required"].([]any)
			if !ok || slices.Contains(required, any(p.Name)) != p.Required || have["type"] != p.Type && (p.Name != "timeout_ms" || have["type"] != "number") {
				t.Errorf("%s: %s is %v in perceive, %+v in the table", tl.Name, p.Name, have, p)
			}
		}
		out := tl.Output()
		for name := range s.Returns["properties"].(map[string]any) {
			if out == nil || out.Properties[name] == nil {
				t.Errorf("%s: the table's answer has no %s", tl.Name, name)
			}
		}
		if out != nil && len(out.Properties) != len(s.Returns["properties"].(map[string]any)) {
			t.Errorf("%s: the table's answer has %d members", tl.Name, len(out.Properties))
		}
	}
}
