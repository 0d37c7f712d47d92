package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rove"
	"rove/internal/bidi"
	"rove/internal/session"
	"rove/internal/testkit"
	"rove/internal/webdriver"
)

// toolCall is a tool with an input that makes sense on the page of TestEveryToolElsewhere.
// ID names a row of browse_observe whose id is put in place of ID in the input.
type toolCall struct{ tool, input, id, says string }

// everyTool is each tool of the table at least once, in an order that makes sense.
var everyTool = []toolCall{
	{tool: "go", input: `{"url":"URL/two"}`, says: "Two"},
	{tool: "go", input: `{"url":"URL/"}`, says: `button "Greet"`},
	{tool: "look", input: `{"find":"Greet"}`, says: "Greet"},
	{tool: "act", input: `{"steps":[{"ref":"#name","op":"input","value":"Ada"},{"ref":"{button}Greet","op":"click"}]}`, says: "Hello Ada"},
	{tool: "wait", input: `{"for":"text:Hello Ada"}`},
	{tool: "eval", input: `{"js":"console.log('from', {the: 'page'}), document.title"}`, says: "One"},
	{tool: "browser_recent_console_logs", input: `{}`, says: `from {the: "page"}`},
	{tool: "browser_clear_console_logs", input: `{}`},
	{tool: "browser_network_requests", input: `{}`, says: "GET 200 document"},
	{tool: "browser_clear_network_requests", input: `{}`},
	{tool: "browser_navigate", input: `{"url":"URL/"}`, says: `— "One"`},
	{tool: "browser_snapshot", input: `{}`, says: "Greet"},
	{tool: "browser_take_screenshot", input: `{}`, says: "screenshot"},
	{tool: "read_image", input: `{"path":"1-screenshot.png"}`},
	{tool: "browser_get_text", input: `{"selector":"h1"}`, says: "Shop"},
	{tool: "browser_eval", input: `{"expression":"1 + 1"}`, says: "2"},
	{tool: "browser_type", input: `{"selector":"#name","text":"Bob","clear":true}`, says: `"Bob"`},
	{tool: "browser_key_press", input: `{"key":"Tab"}`},
	{tool: "browser_click", input: `{"selector":"{button}Greet"}`, says: "Hello Bob"},
	{tool: "browser_select", input: `{"selector":"#size","value":"Large"}`, says: "Large"},
	{tool: "browser_hover", input: `{"selector":"#over"}`, says: "hovered"},
	{tool: "browser_scroll", input: `{"selector":"#far"}`},
	{tool: "browser_upload", input: `{"selector":"#file","paths":["FILE"]}`, says: "note.txt"},
	{tool: "browser_click", input: `{"selector":"{button}Ask"}`, says: "Sure?"},
	{tool: "browser_handle_dialog", input: `{"accept":true}`, says: "agreed"},
	{tool: "browser_wait_for_selector", input: `{"selector":"#name","visible":true}`},
	{tool: "browser_wait_for", input: `{"text":"agreed"}`},
	{tool: "browser_navigate", input: `{"url":"URL/two"}`},
	{tool: "browser_go_back", input: `{}`, says: "One"},
	{tool: "browser_go_forward", input: `{}`, says: "Two"},
	{tool: "browser_reload", input: `{}`, says: "Two"},
	{tool: "browser_tabs", input: `{}`, says: "Two"},
	{tool: "browser_resize", input: `{"width":900,"height":600}`},
	{tool: "browser_pdf", input: `{}`, says: "page.pdf"},
	{tool: "browser_files", input: `{}`, says: "1-screenshot.png"},
	{tool: "browser_service_workers", input: `{}`},
	{tool: "browser_set_offline", input: `{"offline":true}`},
	{tool: "browser_set_offline", input: `{"offline":false}`},
	{tool: "browser_pwa_report", input: `{}`},
	{tool: "browse_navigate", input: `{"url":"URL/"}`},
	{tool: "browse_observe", input: `{}`, says: "Greet"},
	{tool: "browse_type", input: `{"element_id":"ID","text":"Cleo"}`, id: "Name"},
	{tool: "browse_click", input: `{"element_id":"ID"}`, id: "Greet"},
	{tool: "browse_wait", input: `{"condition":"a11y_contains_text:Hello Cleo"}`},
	{tool: "browse_keypress", input: `{"key":"End"}`},
	{tool: "browse_scroll", input: `{"delta_y":100}`},
	{tool: "read_recording", input: `{}`, says: "Ada"},
	{tool: "derive_api", input: `{}`},
	{tool: "derive_script", input: `{"format":"flow","name":"greeting","from":2,"to":4,"prove":1,"unproved":true}`, says: "greeting"},
	{tool: "replay", input: `{"name":"greeting"}`},
}

// elsewhere are the browsers that are none of Chrome's own protocol, and why one is not here.
func elsewhere(t *testing.T, browser string) {
	var err error
	switch browser {
	case "firefox":
		_, err = bidi.Find()
	case "playwright":
		testkit.Playwright(t, rove.PlaywrightVersion)
	case "webkit":
		if _, err = webdriver.Find(browser); err == nil && os.Getenv("DISPLAY") == "" {
			err = errors.New("WebKitGTK's browser needs a display: run it with xvfb-run")
		}
	default:
		_, err = webdriver.Find(browser)
	}
	if err != nil {
		t.Skip(err)
	}
}

// TestEveryToolElsewhere: every tool works in every browser, or is refused as docs/BACKENDS.md
// says, with the reason.
func TestEveryToolElsewhere(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	for _, tl := range table {
		if !slices.ContainsFunc(everyTool, func(c toolCall) bool { return c.tool == tl.Name }) {
			t.Errorf("%s is not tried elsewhere: add it to everyTool", tl.Name)
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "BACKENDS.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, browser := range []string{"firefox", "geckodriver", "chromedriver", "playwright", "webkit"} {
		t.Run(browser, func(t *testing.T) {
			t.Parallel()
			elsewhere(t, browser)
			want := documented(t, string(text), browser)
			got := tryTools(t, browser)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("docs/BACKENDS.md says that %s refuses %q; it refuses %q", browser, want, got)
			}
		})
	}
}

// documented are the tools that docs/BACKENDS.md says a browser refuses.
func documented(t *testing.T, text, browser string) []string {
	t.Helper()
	row := regexp.MustCompile("(?m)^\\| [a-z, ]*\\b" + browser + "\\b[a-z, ]* \\| refuses (.*) \\|$").FindStringSubmatch(text)
	if row == nil {
		t.Fatalf("docs/BACKENDS.md does not say which tools %s refuses", browser)
	}
	var names []string
	for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row[1], -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

// tryTools tries every tool, and answers which were refused as what the browser cannot do.
func tryTools(t *testing.T, browser string) (refused []string) {
	ctx := testkit.Context(t)
	name := browser
	if browser == "playwright" {
		name += ":" + os.Getenv("ROVE_BROWSER")
	}
	m := manage(t, session.Options{Browser: rove.Options{Browser: name}})
	talk := m.Conversation("")
	defer talk.Close()
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<!doctype html><title>One</title><h1>Shop</h1><label>Name <input id=name></label>
			<button onclick="out.textContent = 'Hello ' + document.getElementById('name').value; fetch('/api')">Greet</button><p id=out></p>
			<select id=size aria-label=Size><option>Small<option>Large</select><p id=over onmouseenter="this.textContent = 'hovered'">out</p>
			<input type=file id=file aria-label=File onchange="out.textContent = this.files[0].name">
			<button onclick="out.textContent = confirm('Sure?') ? 'agreed' : 'not'">Ask</button><div style="height:3000px"></div><p id=far>far</p>`),
		"/two": testkit.Page(`<!doctype html><title>Two</title><h1>Two</h1>`),
		"/api": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"greeted":true}`)
		},
	})
	file := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(file, []byte("note"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := ""
	for _, c := range everyTool {
		input := strings.NewReplacer("URL", url, "FILE", file).Replace(c.input)
		if c.id != "" {
			row := regexp.MustCompile(`(?m)^\[(el_\d+)\].*` + c.id).FindStringSubmatch(rows)
			if row == nil {
				t.Errorf("%s: no row has %q:\n%s", c.tool, c.id, rows)
				continue
			}
			input = strings.ReplaceAll(input, "ID", row[1])
		}
		tl, err := Find(c.tool)
		if err != nil {
			t.Fatal(err)
		}
		call, err := tl.Prepare(talk, []byte(input), Defaults{})
		if err != nil {
			t.Fatalf("%s %s: %v", c.tool, input, err)
		}
		out, err := call.Run(ctx)
		switch {
		case rove.CodeOf(err) == rove.CodeUnsupported:
			t.Logf("%s: %v", c.tool, err)
			if !slices.Contains(refused, c.tool) {
				refused = append(refused, c.tool)
			}
		case err != nil:
			t.Errorf("%s %s: %v\n%s", c.tool, input, err, out.Text)
		case !strings.Contains(out.Text, c.says):
			t.Errorf("%s %s: the answer misses %q:\n%s", c.tool, input, c.says, out.Text)
		}
		if _, bad := json.Marshal(out.Data); bad != nil {
			t.Errorf("%s: %v", c.tool, bad)
		}
		if c.tool == "browse_observe" {
			rows = out.Text
		}
	}
	return refused
}
