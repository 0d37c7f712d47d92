package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
)

// TestBrowserTools has one browser, and a conversation for each part. In the end
// every parameter of every tool was given once, and took effect.
func TestBrowserTools(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := manage(t, session.Options{})
	given := &parametersGiven{}
	parts := map[string]func(user){
		"navigate": testNavigate, "failures": testNavigateFailures, "download": testNavigateDownload,
		"eval": testEvaluate, "evalLarge": testEvaluateLarge, "screenshot": testTakeScreenshot, "readImage": testReadImage, "text": testGetText,
		"click": testClick, "type": testType, "keys": testKeyPress, "fields": testFields, "scroll": testScroll, "dialogs": testDialogs,
		"waitForSelector": testWaitForSelector, "waitFor": testWaitFor, "history": testHistory, "tabs": testTabs, "resize": testResize, "files": testFiles,
		"frameworks": testFrameworks,
	}
	var ran atomic.Int64
	var wg sync.WaitGroup
	turns := make(chan struct{}, 2) // most of the time they wait
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			t.Run(name, func(t *testing.T) {
				ran.Add(1)
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				defer cancel()
				talk := m.Conversation("")
				defer talk.Close()
				parts[name](user{t, ctx, talk, given})
			})
		})
	}
	wg.Wait()
	if t.Failed() || int(ran.Load()) < len(parts) {
		return
	}
	for _, tl := range browserTools {
		for _, p := range tl.Parameters() {
			if !given.has(tl.Name, p.Name) {
				t.Errorf("%s: no test gives %s", tl.Name, p.Name)
			}
		}
	}
}

// user is somebody in a conversation.
type user struct {
	*testing.T
	ctx   context.Context
	talk  *session.Conversation
	given *parametersGiven
}

type in = map[string]any

// parametersGiven notes which parameters were given to which tools.
type parametersGiven struct {
	mu  sync.Mutex
	set map[string]bool
}

func (p *parametersGiven) add(tool string, input in) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.set == nil {
		p.set = map[string]bool{}
	}
	for name := range input {
		p.set[tool+" "+name] = true
	}
}

func (p *parametersGiven) has(tool, name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.set[tool+" "+name]
}

// try calls a tool.
func (u user) try(name string, input in) (Output, error) {
	u.Helper()
	t, err := Find(name)
	if err != nil {
		u.Fatal(err)
	}
	raw, err := json.Marshal(input)
	if err != nil {
		u.Fatal(err)
	}
	call, err := t.Prepare(u.talk, raw, Defaults{})
	if err != nil {
		return Output{}, err
	}
	out, err := call.Run(u.ctx)
	if err == nil {
		u.given.add(name, input)
	}
	if _, bad := json.Marshal(out.Data); bad != nil {
		u.Errorf("%s: the data cannot be written: %v", name, bad)
	}
	return out, err
}

// says calls a tool and checks that it answers, in all of the words.
func (u user) says(name string, input in, words ...string) Output {
	u.Helper()
	out, err := u.try(name, input)
	if err != nil {
		u.Fatalf("%s %v: %v\n%s", name, input, err, out.Text)
	}
	for _, w := range words {
		if !strings.Contains(out.Text, w) {
			u.Errorf("%s %v: the answer misses %q:\n%s", name, input, w, out.Text)
		}
	}
	return out
}

// fails calls a tool and checks that it fails with that code, in all of the words.
func (u user) fails(name string, input in, code rove.Code, words ...string) Output {
	u.Helper()
	out, err := u.try(name, input)
	var e *rove.Error
	if !errors.As(err, &e) || e.Code != code {
		u.Errorf("%s %v: %v, want code %s\n%s", name, input, err, code, out.Text)
		return out
	}
	for _, w := range words {
		if !strings.Contains(out.Text+"\n"+err.Error(), w) {
			u.Errorf("%s %v: the answer misses %q:\n%v\n%s", name, input, w, err, out.Text)
		}
	}
	return out
}

// js is what a script gives in the page.
func (u user) js(expression string) string {
	u.Helper()
	return u.says("browser_eval", in{"expression": expression}).Text
}

// at serves a page and goes to it.
func (u user) at(html string) string {
	u.Helper()
	url := testkit.Serve(u.T, map[string]http.HandlerFunc{"/{$}": testkit.Page("<!doctype html><title>Test</title>" + html)})
	u.says("browser_navigate", in{"url": url}, `"Test" (HTTP 200)`)
	return url
}

// data is a tool's data as a program reads it.
func data(t *testing.T, out Output) map[string]any {
	t.Helper()
	raw, err := json.Marshal(out.Data)
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]any
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func testClick(u user) {
	u.at(`<button id=one onclick="out.textContent = event.isTrusted + ' ' + event.detail">One</button><button class=b onclick="out.textContent = 'first'">A</button><button class=b>B</button>
		<button id=off disabled>Off</button><button id=under>Under</button><div style="position:fixed;inset:300px 0 0 0;background:white">cover</div><style>#under { position: absolute; top: 400px }</style>
		<p id=out></p><iframe srcdoc="<button id=inner onclick='this.textContent = 1'>Inner</button>"></iframe>
		<script>function later() { setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button id=late style="position:fixed;top:0;right:0" onclick="out.textContent = 1">Late</button>'), 500); return 1 }</script>`)
	start := time.Now()
	u.fails("browser_click", in{"selector": "#late"}, rove.CodeNotFound, "element not found: #late", "browser_snapshot")
	if took := time.Since(start); took > 10*time.Second {
		u.Errorf("a missing element took %v to be missed", took)
	}
	u.js("later()")
	u.says("browser_click", in{"selector": "#late", "wait": true, "timeout": 5000}, "ok click", `"Late"`)
	u.says("browser_click", in{"selector": "#one"}, "ok click", `"One"`, `"true 1"`)
	u.says("browser_click", in{"selector": ".b"}, "(the first of 2)", `"first"`)
	u.says("browser_click", in{"selector": "{button}One"})
	u.says("browser_click", in{"selector": "//button[text()='A']"})
	u.says("browser_click", in{"selector": "#inner"}, `"Inner" → "1"`)
	view := u.says("browser_snapshot", in{"find": "One"})
	ref := regexp.MustCompile(`e\d+`).FindString(view.Text)
	u.says("browser_click", in{"selector": ref}, "ok click "+ref+` "One"`)
	u.fails("browser_click", in{"selector": "#nope", "wait": true, "timeout": 300}, rove.CodeTimeout, "element not found: #nope", "waited")
	u.fails("browser_click", in{"selector": "#off", "timeout": 200}, rove.CodeDisabled, "is disabled")
	u.fails("browser_click", in{"selector": "#under", "timeout": 200}, rove.CodeCovered, "is covered")
	u.fails("browser_click", in{"selector": "a["}, rove.CodeInvalid, "not a valid CSS selector")
	u.fails("browser_click", in{"selector": "e99999"}, rove.CodeNotFound, "never was")
	u.fails("browser_click", in{"selector": "#one", "session": "nowhere"}, rove.CodeNotFound)
}

func testType(u user) {
	u.at(`<input id=a value=ab><textarea id=t></textarea><div id=rich contenteditable>x</div><input id=d type=date><input id=ro readonly><input id=pw type=password><input type=checkbox id=c>
		<form onsubmit="event.preventDefault(); out.textContent = 'sent ' + q.value; q.value = ''"><input id=q></form><p id=out></p>
		<script>window.log = []; for (const type of ['keydown', 'input', 'change']) a.addEventListener(type, (e) => log.push(type + e.isTrusted))</script>`)
	u.says("browser_type", in{"selector": "#a", "text": "cd"}, "typed 2 characters", `"ab" → "abcd"`)
	u.says("browser_key_press", in{"key": "Tab"})
	if got := u.js("log.join()"); got != `"keydowntrue,inputtrue,keydowntrue,inputtrue,keydowntrue,changetrue"` {
		u.Errorf("the events: %s", got)
	}
	u.says("browser_type", in{"selector": "#a", "text": "n", "clear": true}, "typed 1 character\n", `→ "n"`)
	u.says("browser_type", in{"selector": "#a", "text": "", "clear": true}, "typed 0 characters", `"n" → ""`)
	u.says("browser_type", in{"selector": "#a", "text": "👨‍👩‍👧é日本"}, "typed 4 characters")
	if got := u.js("a.value"); got != `"👨‍👩‍👧é日本"` {
		u.Errorf("the field holds %s", got)
	}
	u.says("browser_type", in{"selector": "#t", "text": "one\ntwo", "timeout": "5s"}, "typed 7 characters", `="one\ntwo"`)
	u.says("browser_type", in{"selector": "#q", "text": "find\n"}, "typed 5 characters", "sent find")
	u.says("browser_type", in{"selector": "#rich", "text": "yz"})
	if got := u.js("rich.textContent"); got != `"xyz"` {
		u.Errorf("what is edited holds %s", got)
	}
	u.says("browser_type", in{"selector": "#d", "text": "2024-05-06"}, `="2024-05-06"`)
	u.says("browser_type", in{"selector": "#pw", "text": 123})
	u.fails("browser_type", in{"selector": "#nope", "text": "x"}, rove.CodeNotFound, "element not found: #nope")
	u.fails("browser_type", in{"selector": "#ro", "text": "x", "timeout": 200}, rove.CodeDisabled, "read-only")
	u.fails("browser_type", in{"selector": "#c", "text": "x"}, rove.CodeInvalid, "checkbox")
	u.fails("browser_type", in{"selector": "#out", "text": "x"}, rove.CodeInvalid, "it takes no text")
	u.fails("browser_type", in{"selector": "#a", "text": ""}, rove.CodeInvalid, "text is empty")
	u.fails("browser_type", in{"selector": "#a"}, rove.CodeInvalid, "text is missing")
	u.says("browser_navigate", in{"url": "about:blank", "session": "s"})
	u.says("browser_eval", in{"expression": "document.body.innerHTML = '<input>'", "session": "s"})
	u.says("browser_type", in{"selector": "input", "text": "x", "session": "s"})
	u.says("browser_click", in{"selector": "input", "session": "s"})
}

func testKeyPress(u user) {
	u.at(`<input id=a value=abc autofocus><script>addEventListener('keydown', (e) => window.last = [e.ctrlKey && 'C', e.shiftKey && 'S', e.altKey && 'A', e.metaKey && 'M', e.key, e.isTrusted].filter(Boolean).join(' '))</script>`)
	tests := []struct {
		input in
		want  string
	}{
		{in{"key": "Escape"}, "Escape true"},
		{in{"key": "x"}, "x true"},
		{in{"key": " "}, "  true"},
		{in{"key": "ArrowDown", "modifiers": []string{"Control", "shift"}}, "C S ArrowDown true"},
		{in{"key": "F5", "modifiers": []string{"alt", "cmd"}}, "A M F5 true"},
		{in{"key": "+", "modifiers": []string{}}, "S + true"},
	}
	for _, tt := range tests {
		u.says("browser_key_press", tt.input, "ok press")
		if got := u.js("last"); got != `"`+tt.want+`"` {
			u.Errorf("%v: %s, want %s", tt.input, got, tt.want)
		}
	}
	u.fails("browser_key_press", in{"key": "Nope"}, rove.CodeInvalid, `there is no key "Nope"`, "Enter, Tab, Escape", "browser_type")
	u.fails("browser_key_press", in{"key": "Tab Tab"}, rove.CodeInvalid, "one key")
	u.fails("browser_key_press", in{"key": "a", "modifiers": []string{"hyper"}}, rove.CodeInvalid, `there is no modifier "hyper"; modifiers are Control, Shift, Alt, Meta`)
	u.says("browser_key_press", in{"key": "a", "session": "other"})
}

func testFields(u user) {
	u.at(`<select id=s><option>Small<option value=l>Large</select><select id=m multiple><option>A<option>B<option>C</select>
		<input id=f type=file multiple><button id=open onclick="f.click()">Files</button><p id=h onmouseenter="this.textContent = 'over'">out</p>`)
	u.says("browser_select", in{"selector": "#s", "value": "Large", "timeout": 5000}, `"Small" → "Large"`)
	u.says("browser_select", in{"selector": "#s", "value": "#0"})
	u.says("browser_select", in{"selector": "#m", "value": "A,C"})
	if got := u.js("[s.value, ...Array.from(m.selectedOptions, (o) => o.text)]"); got != `["Small","A","C"]` {
		u.Errorf("chosen: %s", got)
	}
	u.fails("browser_select", in{"selector": "#s", "value": "Huge"}, rove.CodeInvalid, `there are "Small", "Large"`)
	u.says("browser_hover", in{"selector": "#h", "timeout": 5000}, `"over"`)
	dir := u.TempDir()
	var paths []string
	for _, name := range []string{"a.txt", "b b.txt"} {
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(paths[len(paths)-1], []byte(name), 0o600); err != nil {
			u.Fatal(err)
		}
	}
	u.says("browser_upload", in{"paths": paths, "selector": "#f", "timeout": 5000}, "ok upload")
	if got := u.js("Array.from(f.files, (x) => x.name)"); got != `["a.txt","b b.txt"]` {
		u.Errorf("uploaded: %s", got)
	}
	u.says("browser_click", in{"selector": "#open"}, "file chooser; browser_upload")
	u.says("browser_upload", in{"paths": paths[:1]})
	if got := u.js("Array.from(f.files, (x) => x.name)"); got != `["a.txt"]` {
		u.Errorf("chosen: %s", got)
	}
	u.fails("browser_upload", in{"paths": paths}, rove.CodeInvalid, "no file chooser is open")
	u.fails("browser_upload", in{"paths": []string{}}, rove.CodeInvalid, "paths is empty")
	u.fails("browser_upload", in{"paths": []string{"/nope\n/etc/passwd"}, "selector": "#f"}, rove.CodeInvalid, "is not a path")
	u.fails("browser_upload", in{"paths": []string{"/nope"}, "selector": "#f"}, rove.CodeInvalid, "there is no file /nope")
	u.says("browser_eval", in{"expression": "document.body.innerHTML = '<select><option>1<option>2</select><input type=file>'", "session": "s"})
	u.says("browser_select", in{"selector": "select", "value": 2, "session": "s"})
	u.says("browser_hover", in{"selector": "select", "session": "s"})
	u.says("browser_upload", in{"paths": paths[:1], "selector": "input", "session": "s"})
}

func testScroll(u user) {
	u.at(`<div id=box style="height:100px;overflow:auto"><div style="height:1000px">in</div></div><div style="height:5000px"></div><p id=end>The end</p>`)
	u.says("browser_scroll", in{"to": "down"}, "ok scroll down to 648 of")
	u.says("browser_scroll", in{"to": "top"}, "ok scroll top to 0 of")
	u.says("browser_scroll", in{"selector": "#box", "to": "down 300px"}, "to 300 of 1000")
	u.says("browser_scroll", in{"selector": "#end"}, "ok scroll")
	if got := u.js("end.getBoundingClientRect().top < innerHeight"); got != "true" {
		u.Error("the element is not in view")
	}
	u.fails("browser_scroll", in{"to": "sideways"}, rove.CodeInvalid, "say down, up, left, right")
	u.says("browser_scroll", in{"session": "other"})
}

func testDialogs(u user) {
	u.at(`<button id=a onclick="alert('hello')">Alert</button><button id=p onclick="document.title = prompt('Name?')">Prompt</button><button id=c onclick="document.title = confirm('Sure?')">Confirm</button>`)
	u.fails("browser_handle_dialog", in{"accept": true}, rove.CodeInvalid, "no dialog is open", "browser_snapshot")
	u.says("browser_click", in{"selector": "#a"}, "alert dialog", `"hello"`, "browser_handle_dialog")
	u.fails("browser_eval", in{"expression": "1"}, rove.CodeDialog, "browser_handle_dialog")
	u.fails("browser_take_screenshot", in{}, rove.CodeDialog, "browser_handle_dialog")
	u.fails("browser_handle_dialog", in{"accept": true, "text": "x"}, rove.CodeInvalid, "text is the answer to a prompt")
	u.says("browser_handle_dialog", in{"accept": true}, "ok dialog")
	u.says("browser_click", in{"selector": "#p"}, "prompt dialog")
	u.fails("browser_handle_dialog", in{"accept": false, "text": "x"}, rove.CodeInvalid, "accept true")
	u.says("browser_handle_dialog", in{"accept": true, "text": "cancel"})
	if got := u.js("document.title"); got != `"cancel"` {
		u.Errorf("the prompt got %s", got)
	}
	u.says("browser_click", in{"selector": "#c"})
	u.says("browser_handle_dialog", in{"accept": false})
	if got := u.js("document.title"); got != `"false"` {
		u.Errorf("the confirm got %s", got)
	}
	u.says("browser_eval", in{"expression": "setTimeout(() => alert(1), 0); 1", "session": "s"})
	u.says("browser_snapshot", in{"session": "s"})
	u.says("browser_wait_for_selector", in{"selector": "html", "session": "s2"})
	_, _ = u.try("browser_wait_for", in{"text": "never", "timeout": 300, "session": "s"})
	u.says("browser_handle_dialog", in{"accept": true, "session": "s"})
}

func testWaitForSelector(u user) {
	u.at(`<p id=none style="display:none">x</p><p id=fixed style="position:fixed">fixed</p><script>setTimeout(() => {
		document.body.insertAdjacentHTML('beforeend', '<b id=late style="visibility:hidden">late</b>'); setTimeout(() => late.style.visibility = 'visible', 300) }, 300)</script>`)
	out := u.says("browser_wait_for_selector", in{"selector": "#late"}, "found after ", " ms: e")
	if r := out.Data.(*rove.FoundResult); r.Elapsed > 5000 || r.Matches != 1 || r.Ref == "" {
		u.Errorf("%+v", r)
	}
	u.says("browser_wait_for_selector", in{"selector": "#late", "visible": true, "timeout": "5s"}, "found after")
	if got := u.js("late.style.visibility"); got != `"visible"` {
		u.Errorf("found while it was %s", got)
	}
	u.says("browser_wait_for_selector", in{"selector": "#fixed", "visible": true, "timeout": 0}, "found after")
	u.says("browser_wait_for_selector", in{"selector": "#none"})
	u.fails("browser_wait_for_selector", in{"selector": "#none", "visible": true, "timeout": 200}, rove.CodeTimeout, "is there, but not visible", "waited")
	u.fails("browser_wait_for_selector", in{"selector": "#nope", "timeout": 200}, rove.CodeTimeout, "element not found: #nope")
	start := time.Now()
	u.fails("browser_wait_for_selector", in{"selector": "p:nope("}, rove.CodeInvalid, "not a valid CSS selector")
	if took := time.Since(start); took > 10*time.Second {
		u.Errorf("a bad selector took %v", took)
	}
	// Over a navigation.
	there := testkit.Serve(u.T, map[string]http.HandlerFunc{"/": testkit.Page("<b id=there>")})
	u.says("browser_eval", in{"expression": "setTimeout(() => location = '" + there + "', 200); 1"})
	u.says("browser_wait_for_selector", in{"selector": "#there", "timeout": 5000})
}

func testWaitFor(u user) {
	url := u.at(`<p id=p>soon</p><script>setTimeout(() => { p.textContent = 'arrived'; history.pushState(0, '', '/next') }, 300)</script>`)
	u.says("browser_wait_for", in{"text": "arrived", "timeout": 5000}, "ok wait text:arrived")
	u.says("browser_wait_for", in{"gone": "soon"}, "ok wait gone:soon")
	u.says("browser_wait_for", in{"url": "/next"}, "ok wait url:/next")
	u.says("browser_wait_for", in{"state": "idle"}, "ok wait idle")
	u.says("browser_eval", in{"expression": "setTimeout(() => fetch('/api/data'), 200); 1"})
	u.says("browser_wait_for", in{"request": "/api/data", "timeout": "5s"}, "ok wait request:/api/data")
	u.fails("browser_wait_for", in{"text": "never", "timeout": 2000}, rove.CodeTimeout, "not so after 2s")
	u.says("wait", in{"for": "text:arrived", "timeout": 0}, "ok wait")
	u.fails("wait", in{"for": "text:never", "timeout": 0}, rove.CodeTimeout, "not so after 200ms")
	u.fails("wait", in{"for": "text:never", "timeout": 1e-9}, rove.CodeTimeout, "not so after 200ms")
	u.fails("browser_wait_for", in{}, rove.CodeInvalid, "give one of text, gone, url, request, state")
	u.fails("browser_wait_for", in{"text": "a", "gone": "b"}, rove.CodeInvalid, "not 2 of them")
	u.fails("browser_wait_for", in{"state": "bored"}, rove.CodeInvalid, "state takes one of load, idle, download")
	u.says("browser_navigate", in{"url": url, "session": "s"})
	u.says("browser_wait_for", in{"text": "arrived", "session": "s"})
}

func testHistory(u user) {
	loads := 0
	url := testkit.Serve(u.T, map[string]http.HandlerFunc{
		"/one": func(w http.ResponseWriter, r *http.Request) {
			loads++
			w.Header().Set("Cache-Control", "max-age=600")
			testkit.Page(fmt.Sprintf("<title>One</title><p>load %d, %s</p>", loads, r.Header.Get("Cache-Control")))(w, r)
		},
		"/two": testkit.Page("<title>Two</title>"),
	})
	u.says("browser_navigate", in{"url": url + "/one"})
	u.fails("browser_go_forward", in{}, rove.CodeInvalid, "there is no page to go forward to")
	u.says("browser_navigate", in{"url": url + "/two"})
	u.says("browser_go_back", in{}, "/one — One")
	u.says("browser_go_forward", in{}, "/two — Two")
	u.says("browser_go_back", in{})
	u.says("browser_reload", in{}, "/one — One")
	u.says("browser_reload", in{"hard": true}, "no-cache")
	for _, name := range []string{"browser_go_back", "browser_go_forward"} {
		u.says("browser_navigate", in{"url": url + "/one", "session": "s"})
		if name == "browser_go_forward" {
			u.says("browser_go_back", in{"session": "s"})
		}
		u.says(name, in{"session": "s"})
	}
	u.says("browser_reload", in{"session": "s"})
}

func testTabs(u user) {
	url := testkit.Serve(u.T, map[string]http.HandlerFunc{
		"/":    testkit.Page(`<title>First</title><a href=/two target=_blank>Two</a>`),
		"/two": testkit.Page(`<title>Second</title>`),
	})
	u.says("browser_navigate", in{"url": url})
	u.says("browser_click", in{"selector": "a"}, "new tab")
	u.says("browser_tabs", in{}, "*1 "+url+`/ — "First"`, " 2 "+url+"/two")
	u.says("browser_tabs", in{"action": "select", "tab": 2}, "/two — Second")
	u.says("browser_tabs", in{"action": "new", "url": url}, "First")
	out := u.says("browser_tabs", in{"action": "list"}, " 1 ", " 2 ", "*3 "+url)
	if d := out.Data.(tabList); len(d.Tabs) != 3 || !d.Tabs[2].Current || d.Tabs[1].Title != "Second" {
		u.Errorf("the data: %+v", d)
	}
	u.says("browser_tabs", in{"action": "close", "tab": 1})
	u.says("browser_tabs", in{"action": "close"})
	u.says("browser_tabs", in{}, "*1 "+url+"/")
	u.fails("browser_tabs", in{"action": "select"}, rove.CodeInvalid, "select needs tab")
	u.fails("browser_tabs", in{"action": "select", "tab": 9}, rove.CodeInvalid, "there is no tab 9")
	u.fails("browser_tabs", in{"url": url}, rove.CodeInvalid, "url goes with action new")
	u.fails("browser_tabs", in{"tab": 1}, rove.CodeInvalid, "tab goes with action select or close")
	u.fails("browser_tabs", in{"action": "dance"}, rove.CodeInvalid, "action takes one of list, new, select, close")
	u.says("browser_tabs", in{"session": "other"}, "*1 about:blank")
	// The only one may close itself, and then there is none until something is done.
	_, _ = u.try("browser_eval", in{"expression": "void window.close()", "session": "other"})
	testkit.Eventually(u.T, "the tab is gone", func() bool {
		out, err := u.try("browser_tabs", in{"session": "other"})
		return err == nil && out.Text == "no tab is open; browser_navigate opens one"
	})
	u.says("browser_navigate", in{"url": url, "session": "other"}, "First")
}

func testResize(u user) {
	const size = "[innerWidth, innerHeight, devicePixelRatio, matchMedia('(max-width: 400px)').matches]"
	u.at(`<meta name=viewport content="width=device-width">`)
	if got := u.js(size); got != "[1280,720,1,false]" {
		u.Errorf("at first: %s", got)
	}
	u.says("browser_resize", in{"width": 375, "height": 667, "device_scale": 2, "mobile": true}, "375×667, 2 device pixels per pixel, mobile")
	if got := u.js(size); got != "[375,667,2,true]" {
		u.Errorf("a phone: %s", got)
	}
	u.says("browser_take_screenshot", in{}, "(750×1334 px")
	// Tabs to come are as large.
	u.says("browser_tabs", in{"action": "new", "url": "data:text/html,<meta name=viewport content='width=device-width'>x"})
	if got := u.js(size); got != "[375,667,2,true]" {
		u.Errorf("a new tab: %s", got)
	}
	u.says("browser_resize", in{"width": 1000, "height": 500}, "the viewport is 1000×500")
	if got := u.js(size); got != "[1000,500,1,false]" {
		u.Errorf("a desktop again: %s", got)
	}
	u.fails("browser_resize", in{"width": 0, "height": 100}, rove.CodeInvalid, "width and height go from 1 to 10,000")
	u.fails("browser_resize", in{"width": 100, "height": 20000}, rove.CodeInvalid, "from 1 to 10,000")
	u.fails("browser_resize", in{"width": 100, "height": 100, "device_scale": 99}, rove.CodeInvalid, "device_scale 99")
	u.fails("browser_resize", in{"width": 100}, rove.CodeInvalid, "height is missing")
	u.says("browser_resize", in{"width": 100, "height": 100, "session": "other"})
}

func testFiles(u user) {
	u.at(`<h1>Print</h1>` + strings.Repeat("<p>line", 200))
	out := u.says("browser_pdf", in{"landscape": true, "background": false, "scale": 0.5, "pages": "1"}, "page.pdf (")
	pdf, err := os.ReadFile(out.Data.(rove.File).Path)
	if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) || !bytes.Contains(pdf, []byte("/Count 1")) {
		u.Errorf("the PDF: %.20s, %v", pdf, err)
	}
	all := u.says("browser_pdf", in{})
	if whole, err := os.ReadFile(all.Data.(rove.File).Path); err != nil || bytes.Contains(whole, []byte("/Count 1\n")) {
		u.Errorf("all pages: %v", err)
	}
	u.fails("browser_pdf", in{"scale": 5}, rove.CodeInvalid, "scale 5: it goes from 0.1 to 2")
	u.says("browser_take_screenshot", in{"session": "s"})
	u.says("browser_files", in{}, "2 files", "pdf 1-page.pdf, ")
	u.says("browser_files", in{"session": "s"}, "1 files", "screenshot 1-screenshot.png")
	u.says("browser_pdf", in{"session": "s"})
	u.says("browser_get_text", in{"session": "s"})
	look := in{"ref": "e1", "mode": "interactive", "budget": 500, "format": "yaml"}
	u.says("browser_eval", in{"expression": "document.body.innerHTML = '<button>Here</button>'"})
	view := u.says("browser_snapshot", in{"viewport": true, "screenshot": true}, `button "Here"`)
	look["ref"] = regexp.MustCompile(`e\d+`).FindString(view.Text)
	if len(view.Images) != 1 {
		u.Error("a snapshot without its picture")
	}
	u.says("browser_snapshot", look, "Here")
	u.says("browser_snapshot", in{"find": "Here"}, "Here")
	u.says("browser_snapshot", in{})
	u.says("browser_snapshot", in{"since": "last"}, "no change")
}
