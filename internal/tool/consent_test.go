package tool

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
)

const consentPage = `<!doctype html><title>Till</title><p id=p>0</p><button id=b onclick="p.textContent = +p.textContent + 1">Count</button>
	<input id=i aria-label=Name><select id=s aria-label=Size><option>S<option>M</select><input id=f type=file aria-label=File>
	<button id=d onclick="prompt('Why?')">Ask</button><div style="height:3000px"></div>`

// TestEveryToolAsksOnce: where everything has to be agreed to, one call of a tool
// asks once if it changes something or is named by a rule, and never twice; and what
// was not agreed to is not done.
func TestEveryToolAsksOnce(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(consentPage), "/next": testkit.Page("<title>Next</title>")})
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	const script = "(document.querySelector('#b'))"
	prompted := []call{{"act", in{"ref": "#d", "op": "click"}}}
	asked := []struct {
		call
		before []call // which are agreed to without a question
	}{
		{call: call{"go", in{"url": site + "/next"}}},
		{call: call{"act", in{"ref": "#b", "op": "click"}}},
		{call: call{"act", in{"ref": script, "op": "click"}}},
		{call: call{"act", in{"ref": "#b", "op": "drag", "value": "(document.querySelector('#i'))"}}},
		{call: call{"act", in{"ref": "_page", "op": "tab", "value": "new " + site + "/next"}}},
		{call: call{"act", in{"ref": "_page", "op": "screenshot"}}},
		{call: call{"look", in{"screenshot": true}}},
		{call: call{"wait", in{"for": "1 + 1"}}},
		{call: call{"eval", in{"js": "1 + 1"}}},
		{call: call{"browser_navigate", in{"url": site + "/next"}}},
		{call: call{"browser_take_screenshot", in{}}},
		{call: call{"browser_take_screenshot", in{"selector": script}}},
		{call: call{"browser_get_text", in{"selector": script}}},
		{call: call{"browser_eval", in{"expression": "1 + 1"}}},
		{call: call{"browser_click", in{"selector": "#b"}}},
		{call: call{"browser_click", in{"selector": script}}},
		{call: call{"browser_type", in{"selector": "#i", "text": "Ada"}}},
		{call: call{"browser_key_press", in{"key": "Enter"}}},
		{call: call{"browser_select", in{"selector": "#s", "value": "M"}}},
		{call: call{"browser_hover", in{"selector": "#b"}}},
		{call: call{"browser_scroll", in{"to": "down"}}},
		{call: call{"browser_upload", in{"selector": "#f", "paths": []string{file}}}},
		{call: call{"browser_handle_dialog", in{"accept": true, "text": "so"}}, before: prompted},
		{call: call{"browser_wait_for_selector", in{"selector": script}}},
		{call: call{"browser_go_back", in{}}, before: []call{{"go", in{"url": site + "/next"}}}},
		{call: call{"browser_go_forward", in{}}, before: []call{{"go", in{"url": site + "/next"}}, {"browser_go_back", in{}}}},
		{call: call{"browser_reload", in{}}},
		{call: call{"browser_tabs", in{"action": "new", "url": site + "/next"}}},
		{call: call{"browser_tabs", in{"action": "select", "tab": 1}}, before: []call{{"browser_tabs", in{"action": "new"}}}},
		{call: call{"browser_tabs", in{"action": "close", "tab": 2}}, before: []call{{"browser_tabs", in{"action": "new"}}}},
		{call: call{"browser_resize", in{"width": 800, "height": 600}}},
		{call: call{"browser_pdf", in{}}},
		{call: call{"browser_set_offline", in{"offline": false}}},
		{call: call{"browser_service_workers", in{"action": "update"}}},
		{call: call{"browse_navigate", in{"url": site + "/next"}}},
		{call: call{"browse_click", in{"element_id": "el_0"}}, before: []call{{"browse_observe", in{}}}},
		{call: call{"browse_click", in{"element_id": "ax_dialog_ok"}}, before: append(slices.Clone(prompted), call{"browse_observe", in{}})},
		{call: call{"browse_type", in{"element_id": "el_1", "text": "Ada"}}, before: []call{{"browse_observe", in{}}}},
		{call: call{"browse_scroll", in{"delta_y": 100}}},
		{call: call{"browse_keypress", in{"key": "a"}}},
		{call: call{"replay", in{"flow": flowOf(site, `{"n":1,"op":"go","value":"/next"}`)}}},
		{call: call{"replay", in{"flow": flowOf(site, `{"n":1,"op":"script","value":"1 + 1"}`)}}},
		{call: call{"replay", in{"flow": flowOf(site, `{"n":1,"op":"wait","value":"idle","checks":[{"kind":"text","q":"(document.querySelector('#b'))"}]}`)}}},
		{call: call{"replay", in{"flow": flowOf(site, `{"n":1,"op":"drag","value":"(document.querySelector('#i'))","who":{"role":"button","name":"Count","ways":[{"by":"css","q":"#b"}]}}`)}}},
	}
	// What only looks, or concerns nobody but rove, is never asked about.
	free := []call{
		{"look", in{}},
		{"wait", in{"for": "idle"}},
		{"browser_snapshot", in{}},
		{"read_image", in{"path": file}},
		{"browser_get_text", in{}},
		{"browser_wait_for_selector", in{"selector": "#b"}},
		{"browser_wait_for", in{"text": "Count"}},
		{"browser_tabs", in{}},
		{"browser_files", in{}},
		{"browser_recent_console_logs", in{}},
		{"browser_clear_console_logs", in{}},
		{"browser_network_requests", in{}},
		{"browser_clear_network_requests", in{}},
		{"browser_service_workers", in{}},
		{"browser_pwa_report", in{}},
		{"browse_wait", in{"condition": "page_loaded"}},
		{"browse_observe", in{}},
		{"read_recording", in{}},
		{"derive_script", in{"prove": 0, "unproved": true}},
		{"derive_api", in{}},
	}

	// Every operation by its name, those that change nothing too, and all at once.
	rules := append(rove.ConfirmOperations(), "*")
	m := manage(t, session.Options{Browser: rove.Options{Confirm: rules}})
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var questions []rove.Question
	answer := func(yes bool) context.Context {
		return rove.WithConfirm(ctx, func(_ context.Context, q rove.Question) (bool, error) {
			questions = append(questions, q)
			return yes, nil
		})
	}
	talk := m.Conversation("")
	defer talk.Close()
	begin := func(before []call) {
		t.Helper()
		for _, b := range append([]call{{"go", in{"url": site}}}, before...) {
			if _, err := b.run(answer(true), talk); err != nil {
				t.Fatalf("before: %v: %v", b, err)
			}
		}
		questions = nil
	}
	seen := map[string]bool{}
	for _, a := range asked {
		begin(a.before)
		_, err := a.run(answer(false), talk)
		if rove.CodeOf(err) != rove.CodePolicy || !strings.Contains(err.Error(), "did not agree") {
			t.Errorf("%v: it was not agreed to: %v", a.call, err)
		}
		if len(questions) != 1 {
			t.Errorf("%v, refused: asked %d times: %v", a.call, len(questions), questions)
		}
		questions = nil
		if _, err := a.run(answer(true), talk); rove.CodeOf(err) == rove.CodePolicy {
			t.Errorf("%v: it was agreed to: %v", a.call, err)
		}
		if len(questions) != 1 {
			t.Errorf("%v: asked %d times: %v", a.call, len(questions), questions)
		}
		seen[a.name] = true
	}
	begin(nil)
	for _, f := range free {
		_, err := f.run(answer(false), talk)
		if len(questions) > 0 || rove.CodeOf(err) == rove.CodePolicy {
			t.Errorf("%v: asked %v, %v", f, questions, err)
		}
		questions, seen[f.name] = nil, true
	}
	for _, tl := range table {
		if !seen[tl.Name] {
			t.Errorf("%s: put it among what is asked about, or what is not", tl.Name)
		}
	}
}

// TestScriptsInDisguise: where scripts are switched off, none is run that a locator
// or a condition is.
func TestScriptsInDisguise(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(consentPage)})
	m := manage(t, session.Options{Browser: rove.Options{Caps: []string{"-eval"}}})
	ctx := testkit.Context(t)
	talk := m.Conversation("")
	defer talk.Close()
	if _, err := (call{"go", in{"url": site}}).run(ctx, talk); err != nil {
		t.Fatal(err)
	}
	const script = "(document.title = 'run', document.querySelector('#b'))"
	tries := []call{
		{"act", in{"ref": "#b", "op": "drag", "value": script}},
		{"act", in{"ref": " " + script, "op": "text"}},
		{"look", in{"ref": script}},
		{"wait", in{"for": script}},
		{"replay", in{"flow": flowOf(site, `{"n":1,"op":"script","value":"`+script+`"}`)}},
		{"replay", in{"flow": flowOf(site, `{"n":1,"op":"wait","value":"`+script+`"}`)}},
		{"replay", in{"flow": flowOf(site, `{"n":1,"op":"go","value":"javascript:`+script+`"}`)}},
		{"replay", in{"flow": flowOf(site, `{"n":1,"op":"click","who":{"role":"button","name":"Count","ways":[{"by":"css","q":"`+script+`"}]}}`), "wait": 200}},
		{"replay", in{"flow": flowOf(site, `{"n":1,"op":"drag","value":"`+script+`","who":{"role":"button","name":"Count","ways":[{"by":"css","q":"#b"}]}}`)}},
	}
	for _, check := range []string{`"kind":"text","q":SCRIPT`, `"kind":"gone","q":SCRIPT`, `"kind":"gone","q":"#none","with":SCRIPT`, `"kind":"value","text":"x","q":SCRIPT`, `"kind":"text","frame":true,"q":SCRIPT`} {
		check = strings.Replace(check, "SCRIPT", `"`+script+`"`, 1)
		tries = append(tries, call{"replay", in{"wait": 200, "flow": flowOf(site, `{"n":1,"op":"wait","value":"idle","checks":[{`+check+`}]}`)}})
	}
	for _, tl := range table {
		for _, p := range tl.Parameters() {
			if p.Name == "selector" {
				input := in{"selector": script}
				for _, other := range tl.Parameters() {
					if other.Required && other.Name != "selector" {
						input[other.Name] = map[string]any{"string": "M", "array": []string{"/a"}, "boolean": true}[other.Type]
					}
				}
				tries = append(tries, call{tl.Name, input})
			}
		}
	}
	for _, c := range tries {
		if _, err := c.run(ctx, talk); err == nil {
			t.Errorf("%v was done", c)
		}
		out, err := call{"look", in{}}.run(ctx, talk)
		if err != nil || !strings.Contains(out.Text, "Till") {
			t.Fatalf("%v was run: %v\n%s", c, err, out.Text)
		}
	}
}

// flowOf is a flow of one step.
func flowOf(base, step string) string {
	return `{"rove":"flow","version":1,"base":"` + base + `"}` + "\n" + step
}

// call is a call of a tool.
type call struct {
	name  string
	input in
}

func (c call) run(ctx context.Context, talk *session.Conversation) (Output, error) {
	tl, err := Find(c.name)
	if err != nil {
		return Output{}, err
	}
	raw, err := json.Marshal(c.input)
	if err != nil {
		return Output{}, err
	}
	made, err := tl.Prepare(talk, raw, Defaults{})
	if err != nil {
		return Output{}, err
	}
	return made.Run(ctx)
}
