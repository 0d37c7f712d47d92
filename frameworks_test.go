package rove_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// seenBy notes every event that a person's hands would cause, before any
// framework sees it.
const seenBy = `<script>window.LOG = [];
for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'keydown', 'keypress', 'beforeinput', 'input', 'keyup', 'change'])
  addEventListener(type, (e) => LOG.push([type, e.isTrusted, e.key || e.inputType || e.pointerType || '', e.composedPath()[0].className]), true);
</script>`

// The same steps, by the verbs alone and without a pause, do the same in every
// framework: each sees what it would see from a person.
func TestFrameworks(t *testing.T) {
	testkit.Parallel(t)
	const onEveryBrowser = "react vue lit" // what a framework hears of is the same in all
	bundles, err := filepath.Glob("testdata/frameworks/dist/*.js.gz")
	if err != nil || len(bundles) < 12 {
		t.Fatalf("%d applications: %v", len(bundles), err)
	}
	pages := map[string]http.HandlerFunc{"/style.css": func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, "testdata/frameworks/style.css")
	}}
	var names []string
	for _, path := range bundles {
		name := strings.TrimSuffix(filepath.Base(path), ".js.gz")
		names = append(names, name)
		pages["/"+name+".js"] = func(w http.ResponseWriter, _ *http.Request) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(data)
		}
		pages["/"+name] = testkit.Page(`<!doctype html><meta charset=utf-8><title>` + name + `</title><link rel=icon href=data:,><link rel=stylesheet href=style.css>` +
			seenBy + `<body><div id=app></div><script src=` + name + `.js></script>`)
	}
	base := testkit.Serve(t, pages)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(onEveryBrowser, name) {
				testkit.OnEveryBrowser(t)
			}
			todo(t, base+"/"+name)
		})
	}
}

// listed is what the application shows.
const listed = `(() => { const app = document.querySelector('todo-app'); const root = app && app.shadowRoot || document;
return [...root.querySelectorAll('.todo-list li')].filter((l) => l.offsetHeight > 0).map((l) => (l.querySelector('.toggle').checked ? '*' : '') + l.querySelector('label').textContent).join() })()`

func todo(t *testing.T, url string) {
	ctx, s := open(t)
	page, err := s.Go(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	view := page.Text()
	ref := func(pattern string) string {
		t.Helper()
		m := regexp.MustCompile(`(?m)(e\d+) ` + pattern).FindStringSubmatch(view)
		if m == nil {
			t.Fatalf("no %s in:\n%s", pattern, view)
		}
		return m[1]
	}
	look := func(find string) {
		t.Helper()
		r, err := s.Look(ctx, rove.LookOptions{Find: find})
		if err != nil {
			t.Fatal(err)
		}
		view = r.Text()
	}
	act := func(want string, steps ...rove.Step) {
		t.Helper()
		r, err := s.Act(ctx, steps...)
		if err != nil {
			t.Fatalf("%v\n%s", err, view)
		}
		got, err := s.Eval(ctx, listed)
		if err != nil || got.Text() != `"`+want+`"` {
			t.Fatalf("%v: %s, want %q (%v)\n%s", steps, got.Text(), want, err, r.Text())
		}
	}
	field := ref(`textbox "What needs to be done\?"`)
	var add []rove.Step
	for _, text := range []string{"milk", "bread", "eggs"} {
		add = append(add, step(field, "input", text), step(field, "press", "Enter"))
	}
	act("milk,bread,eggs", add...)
	look("")
	act("milk,*bread,eggs", step(ref(`checkbox \(toggle\)\n +(?:e\d+ \w+ )?"bread"`), "check"))
	act("milk,eggs", step("{a}Active", "click"))
	act("*bread", step("{a}Completed", "click"))
	act("milk,*bread,eggs", step("{a}All", "click"))
	look("eggs")
	act("milk,*bread,eggs", step(ref(`(?:\w+ )?"eggs"`), "dblclick"))
	look("")
	edit := ref(`textbox[^\n]*="eggs"`)
	act("milk,*bread,six eggs", step(edit, "input", "six eggs"), step(edit, "press", "Enter"))
	act("milk,six eggs", step("{button}Clear completed", "click"))
	act("milk,six eggs,日本語 für 👍", step(field, "input", "日本語 für 👍"), step(field, "press", "Enter"))

	for js, want := range map[string]string{
		`LOG.filter((e) => !e[1]).length`: "0",
		// Every letter is a key down, text before and after it came, a key up.
		`LOG.filter((e) => /new-todo/.test(e[3]) && e[0] !== 'change').slice(0, 10).map((e) => e[0] + ' ' + e[2]).join()`: `"keydown m,keypress m,beforeinput insertText,input insertText,keyup m,keydown i,keypress i,beforeinput insertText,input insertText,keyup i"`,
		`LOG.filter((e) => e[0] === 'dblclick').length`:                                                                   "1",
		`LOG.filter((e) => e[0] === 'pointerdown').every((e) => e[2] === 'mouse')`:                                        "true",
	} {
		if got, err := s.Eval(ctx, js); err != nil || got.Text() != want {
			t.Errorf("%s = %v, want %s (%v)", js, got, want, err)
		}
	}
}
