package tool

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
)

// TestBrowserConsole has one browser, and a conversation for each part.
func TestBrowserConsole(t *testing.T) {
	testkit.NeedsBrowser(t)
	secrets, err := rove.ParseSecrets("KEY@*=correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	m := manage(t, session.Options{Browser: rove.Options{Secrets: secrets}})
	for name, test := range map[string]func(networked){
		"logs": testLogs, "contexts": testContexts, "refused": testRefused, "clear": testClearLogs, "long entry": testLongEntry, "file": testLogFile, "secrets": testLoggedSecrets,
	} {
		t.Run(name, func(t *testing.T) { test(atShop(t, m)) })
	}
}

const logs = "browser_recent_console_logs"

// clock is what differs in an answer from run to run.
var clock = regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d\.\d\d\d `)

func (n networked) logs(input string) string {
	n.Helper()
	return strings.ReplaceAll(clock.ReplaceAllString(n.call(logs, input).Text, ""), n.url, "URL")
}

func testLogs(n networked) {
	t := n.T
	if got := n.logs(`{}`); got != "the console is empty\n" {
		t.Errorf("at first: %s", got)
	}
	n.fetch(`for (let i = 0; i < 150; i++) console.log(i); console.clear(); void 0`)
	if answer := n.call(logs, `{}`).Data.(consoleAnswer); answer.Count != 100 || answer.All != 151 {
		t.Errorf("100 are the default: %+v", answer)
	}
	n.call("browser_clear_console_logs", `{}`)
	n.fetch(`console.log('user', {userId: 123, status: 'active', roles: ['a', 'b'], more: {deep: {er: true}}}); console.warn('%s of %d', 'two', 2); console.error(new Error('boom').message); console.info('a\n12:00:00.000 [error] page: not an entry'); setTimeout(() => { throw new TypeError('late') }); new Promise(done => setTimeout(done, 50)).then(() => 1)`)
	got := regexp.MustCompile(` at \S+:\d+:\d+:|(\n    at .*)+`).ReplaceAllString(n.logs(`{}`), ":")
	if want := `5 entries, newest first
[error exception] page: Uncaught TypeError: late:
[info] page: a
    12:00:00.000 [error] page: not an entry
[error] page: boom
[warn] page: two of 2
[log] page: user {userId: 123, status: "active", roles: ["a", "b"], more: {deep: {er: true}}}
`; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	for _, c := range []struct{ input, want string }{
		{`{"level":"error"}`, "exception,error"},
		{`{"level":"warning"}`, "warn"},
		{`{"level":"info"}`, "info"},
		{`{"level":"exception"}`, "exception"},
		{`{"limit":2}`, "exception,info"},
		{`{"level":"debug"}`, ""},
		{`{"context":"page","limit":1}`, "exception"},
		{`{"context":"service worker"}`, ""},
		{`{"context":"127.0.0.1","limit":1}`, "exception"},
		{`{"session":"another"}`, ""},
	} {
		var got []string
		for _, e := range n.call(logs, c.input).Data.(consoleAnswer).Entries {
			got = append(got, e.Kind)
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s: %v, want %s", c.input, got, c.want)
		}
	}
	data, err := json.Marshal(n.call(logs, `{"level":"warn"}`).Data)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"count":1`, `"all":5`, `"level":"warn"`, `"text":"two of 2"`, `"time":"20`, `"context":{"kind":"page","url":"` + n.url} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in %s", want, data)
		}
	}
}

// testContexts tells a page's words from those of its service worker.
func testContexts(n networked) {
	t := n.T
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<!doctype html><link rel=icon href=data:,><script>console.log('from the page'); navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => { document.title = 'ready' })</script>`),
		"/sw.js": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `console.warn('from the service worker')`)
		},
	})
	n.call("go", `{"url":"`+site+`"}`)
	n.call("wait", `{"for":"document.title === 'ready'"}`)
	got := strings.ReplaceAll(n.logs(`{}`), site, "URL")
	for _, want := range []string{"[log] page at URL/:1:", ": from the page\n", "[warn] service worker at URL/sw.js:1:9: from the service worker\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := n.logs(`{"context":"service_worker"}`); !strings.HasPrefix(got, "1 of 2 entries, newest first\n[warn] service worker") {
		t.Errorf("of the service worker: %s", got)
	}
}

func testRefused(n networked) {
	for _, c := range []struct{ input, want string }{
		{`{"limit":0}`, "limit takes how many: 1 or more, not 0"},
		{`{"limit":-5}`, "limit takes how many: 1 or more, not -5"},
		{`{"limit":"many"}`, "limit takes a whole number"},
		{`{"level":"fatal"}`, `level takes error, warn, info, log, debug, or a kind: assert,`},
		{`{"level":5}`, "level takes a string"},
		{`{"context":"pages"}`, "context takes page, frame, worker, shared_worker, service_worker, or a part of an address"},
		{`{"filter":"x"}`, "it takes limit, level, context, session"},
	} {
		if _, err := n.try(logs, c.input); rove.CodeOf(err) != rove.CodeInvalid || !strings.Contains(err.Error(), c.want) {
			n.Errorf("%s: %v, want %s", c.input, err, c.want)
		}
	}
}

func testClearLogs(n networked) {
	n.fetch(`console.log(1); console.log(2); console.log(3)`)
	for _, want := range []string{"forgot 3 entries\n", "forgot 0 entries\n"} {
		if got := n.call("browser_clear_console_logs", `{}`).Text; got != want {
			n.Errorf("%q, want %q", got, want)
		}
	}
	n.fetch(`console.log(4)`)
	if got := n.call("browser_clear_console_logs", `{}`); got.Text != "forgot 1 entry\n" || fmt.Sprint(got.Data) != "map[cleared:1]" {
		n.Errorf("%q, %v", got.Text, got.Data)
	}
	if got := n.logs(`{}`); got != "the console is empty\n" {
		n.Errorf("then %s", got)
	}
}

// testLongEntry cuts what is shown of one entry; the file has all of it.
func testLongEntry(n networked) {
	t := n.T
	n.fetch(`console.log('short'); console.log('é'.repeat(700) + 'end')`)
	out := n.call(logs, `{}`)
	lines := strings.Split(out.Text, "\n")
	if len(lines) != 4 || len(lines[1]) > 500 || len(lines[1]) < 490 || !strings.HasSuffix(lines[1], "é…") || !strings.HasSuffix(lines[2], ": short") {
		t.Fatalf("%s", out.Text)
	}
	whole := n.file(out)
	if !strings.Contains(whole, strings.Repeat("é", 700)+"end") || !strings.Contains(whole, "short") {
		t.Errorf("the file has\n%s", whole)
	}
}

// file reads the file that an answer names, which nobody else may.
func (n networked) file(out Output) string {
	n.Helper()
	m := regexp.MustCompile(`; (?:all \d+ )?in full in (\S+console\.txt) \((\d+) bytes\):`).FindStringSubmatch(out.Text)
	if m == nil {
		n.Fatalf("no file in\n%s", out.Text)
	}
	whole, err := os.ReadFile(m[1])
	answer := out.Data.(consoleAnswer)
	if err != nil || answer.File != m[1] || int(answer.Size) != len(whole) || fmt.Sprint(len(whole)) != m[2] {
		n.Fatalf("%d bytes, %+v, %v", len(whole), answer, err)
	}
	if info, err := os.Stat(m[1]); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		n.Errorf("%v, %v", info, err)
	}
	return string(whole)
}

// testLogFile has more to say than is shown: many entries, or one that is large.
func testLogFile(n networked) {
	t := n.T
	n.fetch(`for (let i = 0; i < 90; i++) console.log('entry ' + i + ' ' + 'x'.repeat(600) + ' end of ' + i)`)
	out := n.call(logs, `{}`)
	if len(out.Text) > 4096 || !strings.HasPrefix(out.Text, "90 entries, newest first; in full in ") || !strings.Contains(out.Text, "entry 89 xxx") || !strings.Contains(out.Text, " more\n") {
		t.Errorf("%d bytes:\n%s", len(out.Text), out.Text)
	}
	if answer := out.Data.(consoleAnswer); answer.Count != 90 || answer.Entries != nil {
		t.Errorf("%d entries, with %d in the data", answer.Count, len(answer.Entries))
	}
	whole := n.file(out)
	for i := range 90 {
		if !strings.Contains(whole, fmt.Sprintf("entry %d %s end of %d", i, strings.Repeat("x", 600), i)) {
			t.Fatalf("entry %d is not in the file", i)
		}
	}
	// What the limit leaves out is there too, whether the rest fits or not.
	n.fetch(`for (let i = 0; i < 60; i++) console.log({later: {on: {i}}})`)
	for _, input := range []string{`{}`, `{"limit":100}`} {
		out = n.call(logs, input)
		if whole := n.file(out); !strings.Contains(out.Text, " of 150 entries, newest first; all 150 in full in ") || !strings.Contains(whole, " end of 0\n") || !strings.Contains(whole, "{later: {on: {i: 59}}}") {
			t.Errorf("%s: %d bytes in the file of\n%s", input, len(whole), out.Text)
		}
	}
	n.call("browser_clear_console_logs", `{}`)
	n.fetch(`for (let i = 0; i < 120; i++) console.log(i)`)
	if whole := n.file(n.call(logs, `{}`)); !regexp.MustCompile(`: 19\n(.*\n)*.*: 0\n`).MatchString(whole) {
		t.Errorf("the 101st is not in the file:\n%s", whole)
	}
	// 4,096 bytes are the border.
	n.call("browser_clear_console_logs", `{}`)
	for outputOf := 0; ; {
		n.fetch(`console.log('x'.repeat(400))`)
		out = n.call(logs, `{}`)
		if size := out.Data.(consoleAnswer).Size; size > 0 {
			if size <= 4096 || outputOf < 4096-600 {
				t.Errorf("%d bytes are in a file, after %d were shown", size, outputOf)
			}
			break
		}
		if outputOf = len(out.Text); outputOf > 4096 {
			t.Fatalf("%d bytes are shown", outputOf)
		}
	}
	n.call("browser_clear_console_logs", `{}`)
	n.fetch(`console.log({big: 'y'.repeat(30000), after: [1, 2, 3]})`)
	out = n.call(logs, `{}`)
	if len(out.Text) > 4096 || !strings.HasPrefix(out.Text, "1 entry; in full in ") {
		t.Errorf("%d bytes:\n%s", len(out.Text), out.Text)
	}
	if whole := n.file(out); !strings.Contains(whole, `{big: "`+strings.Repeat("y", 30000)+`", after: [1, 2, 3]}`) {
		t.Errorf("%d bytes in the file", len(whole))
	}
}

func testLoggedSecrets(n networked) {
	t := n.T
	n.fetch(`console.log('the key is correct horse battery', {key: 'correct horse battery'}); console.error(new Error('correct horse battery'))`)
	if out := n.call(logs, `{}`); strings.Contains(out.Text+fmt.Sprint(out.Data), "horse") || strings.Count(out.Text, "••••") < 3 {
		t.Errorf("%s", out.Text)
	}
	n.fetch(`console.log('x'.repeat(5000) + 'correct horse battery')`)
	if whole := n.file(n.call(logs, `{}`)); strings.Contains(whole, "horse") || !strings.Contains(whole, "xxx••••") {
		t.Error("the file has it")
	}
}
