package mcp_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove/internal/mcp"
	"rove/internal/testkit"
)

// TestBrowserToolsOverPipes is an agent that builds a web application, with `rove
// mcp --tools browser`: it uses every tool there is.
func TestBrowserToolsOverPipes(t *testing.T) {
	testkit.NeedsBrowser(t)
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/{$}": testkit.Page(`<!doctype html><title>App</title><h1>App</h1><form id=f><label>Name <input id=name></label><select id=size><option>S<option>L</select><input type=file id=file>
			<button>Save</button></form><p id=out></p><button id=ask type=button onclick="out.textContent = confirm('Sure?')">Ask</button><a href=/two>Two</a>
			<script>f.onsubmit = (e) => { e.preventDefault(); console.log('saving', {name: document.getElementById('name').value}); fetch('/api').then(() => setTimeout(() => out.textContent = 'saved', 200)) }</script>`),
		"/two": testkit.Page(`<title>Two</title><h1>Second page</h1>`),
		"/api": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{}`))
		},
		"/file.csv": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", "attachment")
			_, _ = w.Write([]byte("a,b\n"))
		},
	})
	upload := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(upload, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := program("--tools", "browser", "--structured")
	conn := client(t, &sdk.CommandTransport{Command: cmd}, nil)
	if got := conn.InitializeResult().Instructions; got != mcp.BrowserInstructions {
		t.Errorf("the instructions: %s", got)
	}
	offered, err := conn.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var path string
	story := []struct {
		tool  string
		in    args
		words []string
	}{
		{"browser_navigate", args{"url": site}, []string{`"App" (HTTP 200)`}},
		{"browser_snapshot", args{}, []string{`textbox "Name"`, `button "Save"`}},
		{"browser_resize", args{"width": 800, "height": 600}, []string{"800×600"}},
		{"browser_type", args{"selector": "#name", "text": "Ada"}, []string{"typed 3 characters"}},
		{"browser_select", args{"selector": "#size", "value": "L"}, []string{"→ \"L\""}},
		{"browser_upload", args{"selector": "#file", "paths": []string{upload}}, []string{"ok upload"}},
		{"browser_hover", args{"selector": "button"}, []string{"ok hover"}},
		{"browser_click", args{"selector": "{button}Save"}, []string{"ok click"}},
		{"browser_wait_for", args{"text": "saved", "timeout": 20000}, []string{"ok wait"}},
		{"browser_wait_for_selector", args{"selector": "#out", "visible": true}, []string{"found after"}},
		{"browser_get_text", args{"selector": "#out"}, []string{"saved"}},
		{"browser_eval", args{"expression": "document.title"}, []string{`"App"`}},
		{"browser_key_press", args{"key": "Tab"}, []string{"ok press Tab"}},
		{"browser_scroll", args{"to": "bottom"}, []string{"ok scroll"}},
		{"browser_click", args{"selector": "#ask"}, []string{"confirm dialog", "browser_handle_dialog"}},
		{"browser_handle_dialog", args{"accept": true}, []string{"ok dialog"}},
		{"browser_navigate", args{"url": site + "/two"}, []string{`"Two" (HTTP 200)`}},
		{"browser_go_back", args{}, []string{"App"}},
		{"browser_go_forward", args{}, []string{"Second page"}},
		{"browser_reload", args{}, []string{"Second page"}},
		{"browser_tabs", args{}, []string{"*1 " + site + "/two"}},
		{"browser_navigate", args{"url": site + "/file.csv"}, []string{"downloaded ", `file.csv" (4 bytes, text/csv`}},
		{"browser_pdf", args{}, []string{"page.pdf ("}},
		{"browser_take_screenshot", args{}, []string{"(800×600 px"}},
		{"read_image", args{"path": "PATH"}, []string{"(800×600 px"}},
		{"browser_files", args{}, []string{"download file.csv", "pdf 1-page.pdf", "screenshot 2-screenshot.png"}},
		{"browser_recent_console_logs", args{}, []string{"saving"}},
		{"browser_clear_console_logs", args{}, nil},
		{"browser_network_requests", args{}, []string{"/two"}},
		{"browser_clear_network_requests", args{}, nil},
		{"browser_service_workers", args{}, nil},
		{"browser_set_offline", args{"offline": false}, nil},
	}
	there := map[string]bool{}
	for _, o := range offered.Tools {
		there[o.Name] = true
	}
	used := map[string]bool{}
	for _, s := range story {
		if !there[s.tool] {
			continue // TestEveryToolIsOffered knows what there has to be
		}
		if s.in["path"] == "PATH" {
			s.in["path"] = path
		}
		used[s.tool] = true
		r := call(t, conn, s.tool, s.in)
		check(t, false, r, s.tool, s.in, s.words)
		if r.StructuredContent == nil {
			t.Errorf("%s has no data", s.tool)
		}
		if s.tool == "browser_take_screenshot" || s.tool == "read_image" {
			shot, ok := r.Content[len(r.Content)-1].(*sdk.ImageContent)
			if !ok {
				t.Fatalf("%s shows no picture: %+v", s.tool, r.Content)
			}
			if m, err := png.Decode(bytes.NewReader(shot.Data)); err != nil || m.Bounds().Dx() != 800 || shot.MIMEType != "image/png" {
				t.Errorf("%s shows %s, %v", s.tool, shot.MIMEType, err)
			}
			raw, _ := json.Marshal(r.StructuredContent)
			var d struct{ Path string }
			if err := json.Unmarshal(raw, &d); err != nil || d.Path == "" {
				t.Errorf("%s: %s, %v", s.tool, raw, err)
			}
			path = d.Path
		}
	}
	for _, o := range offered.Tools {
		if !used[o.Name] && !strings.HasPrefix(o.Name, "browser_pwa") {
			t.Errorf("%s is in no part of the story", o.Name)
		}
	}
	folder := filepath.Dir(path)
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the session's files are left: %v", err)
	}
}
