package rove_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

// What an act led to and could not be reached is a failure, and says why.
func TestActThatLeadsNowhere(t *testing.T) {
	testkit.OnEveryBrowser(t)
	testkit.Parallel(t)
	for _, c := range []struct {
		name string
		step rove.Step
		gone bool // the page's own server
	}{
		{"a link to a server that is gone", step("#away", "click"), false},
		{"a reload", step("_page", "refresh"), true},
		{"a form", step("#send", "click"), true},
		{"a script that goes there", step("#script", "click"), true},
		{"an address", step("_page", "go", ""), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dead := httptest.NewServer(http.NotFoundHandler())
			dead.Close()
			own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Cache-Control", "no-store")
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte(`<title>Here</title><a id=away href="` + dead.URL + `/there">Away</a>
					<form action=/sent method=post><button id=send>Send</button></form><button id=script onclick="location.reload()">Again</button>`))
			}))
			t.Cleanup(own.Close)
			ctx, s := open(t)
			if _, err := s.Go(ctx, own.URL); err != nil {
				t.Fatal(err)
			}
			if c.gone {
				own.CloseClientConnections()
				own.Close()
			}
			if c.step.Op == "go" {
				c.step.Value = own.URL
			}
			r, err := s.Act(ctx, c.step)
			if code(err) != rove.CodeNavigation || r.OK || r.Code != rove.CodeNavigation || r.Error == "" {
				t.Fatalf("%v; ok %v, code %q, error %q", err, r.OK, r.Code, r.Error)
			}
			has(t, r.Text(), "failed "+c.step.Op, "refused: nothing listens", "[navigation]")
			hasNot(t, r.Text(), "chrome-error", "ERR_FAILED", "\nok ")
		})
	}
}

// A server's own word about an error is a page, with an address of its own.
func TestActThatLeadsToAnError(t *testing.T) {
	ctx, s := open(t)
	base := testkit.Serve(t, map[string]http.HandlerFunc{
		"/":       testkit.Page(`<a id=a href=/broken>Go</a>`),
		"/broken": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
	})
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("#a", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "→ /broken", "(GET /broken 500)")
	hasNot(t, r.Text(), "chrome-error")
}

const idlePage = `<!doctype html><title>Idle</title>
<label><input id=tick type=checkbox> Tick</label> <label><input id=radio type=radio checked> Only</label>
<button id=nothing>Nothing</button> <button id=class onclick="this.dataset.n = (this.dataset.n | 0) + 1">Class</button>
<button id=more onclick="out.textContent += '!'">More</button> <p id=out>said</p>
<div id=item draggable=true ondragstart="this.className = 'held'" ondragend="this.className = ''">Item</div> <div id=zone>Zone</div>
<input id=field aria-label=Field>
<div id=delegated>Words</div>`

// What comes to nothing says so, alone and among others.
func TestWhatComesToNothing(t *testing.T) {
	testkit.Parallel(t)
	url := serve(t, idlePage)
	for _, c := range []struct {
		name  string
		steps []string
		says  []string
		not   []string
	}{
		{"uncheck what is unchecked", []string{"#tick uncheck"}, []string{`"Tick": already unchecked`}, []string{"no effect"}},
		{"check what is checked", []string{"#radio check"}, []string{`"Only": already checked`}, nil},
		{"among others", []string{"#radio check", "#more click"}, []string{`"Only": already checked`, `"said" → "said!"`}, nil},
		{"a button", []string{"#nothing click"}, []string{`"Nothing": no effect seen`}, nil},
		{"a key in a batch", []string{"#nothing press x", "#more click"}, []string{`press e3 "Nothing": no effect seen by then`, `"said!"`}, nil},
		{"the last of a batch", []string{"#more click", "#nothing click"}, []string{`click e3 "Nothing": no effect seen` + "\n"}, []string{"by then"}},
		{"a key that moves the focus", []string{"#field press Tab", "#more click"}, nil, []string{"no effect"}},
		{"a key that types", []string{"#field press x", "#more click"}, nil, []string{"no effect"}},
		{"a drag", []string{"#item drag #zone"}, []string{`"Item": no effect seen`}, nil},
		{"what no view shows", []string{"#class click"}, []string{`"Class": nothing changed that a view shows`}, nil},
		{"the name of what has no role", []string{"#delegated click"}, []string{`"Words": no effect seen`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			if _, err := s.Go(ctx, url); err != nil {
				t.Fatal(err)
			}
			r, err := s.Act(ctx, steps(c.steps...)...)
			if err != nil {
				t.Fatal(err)
			}
			has(t, r.Text()+"\n", c.says...)
			hasNot(t, r.Text(), c.not...)
		})
	}
}

// Requests that write are all named, with what came of them.
func TestWritesAreNamed(t *testing.T) {
	ctx, s := open(t)
	base := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<button id=b onclick="for (const p of 'abcdefg') fetch('/read/' + p); fetch('/save', {method: 'POST'}); fetch('/item/7', {method: 'DELETE'})">Do</button>
			<button id=many onclick="for (let i = 0; i < 30; i++) fetch('/put/' + i, {method: 'PUT'})">Many</button>`),
		"/save":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(422) },
		"/item/7": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
	})
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("#b", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "POST /save 422", "DELETE /item/7 204", "3 more")
	if r, err = s.Act(ctx, step("#many", "click")); err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "PUT /put/0 200", "PUT 200 ×18")
	hasNot(t, r.Text(), "more")
}

// What no step can be is refused before the first is done.
func TestStepsAreCheckedFirst(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, idlePage)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		last rove.Step
		says string
	}{
		{step("#nothing", "clik"), "did you mean click?"},
		{step("#field", "fill", "x"), "did you mean input?"},
		{step("#field", "doubleClick"), "did you mean dblclick?"},
		{step("#nothing", "frobnicate"), "there are attribute, check"},
		{step("#nothing", "back"), "the ref is _page then"},
		{step("_page", "reload"), "did you mean refresh?"},
		{step("_page", "click"), "needs an element"},
		{step("_page", "go"), "needs a value: a URL"},
		{step("#field", "type"), "needs a value: the text"},
		{step("#nothing", "hover", "x"), "takes no value"},
		{rove.Step{Ref: "#nothing"}, "needs a ref and an op"},
	} {
		r, err := s.Act(ctx, step("#more", "click"), c.last)
		if r != nil || code(err) != rove.CodeInvalid || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "step 2 of 2") || !strings.Contains(err.Error(), "nothing was done") {
			t.Errorf("%v: %v, want it to say %q", c.last, err, c.says)
		}
	}
	r, err := s.Eval(ctx, "out.textContent")
	if err != nil || r.Value != "said" {
		t.Errorf("the first step was done: %+v, %v", r, err)
	}
}

// Programs are told in data what a model is told in words.
func TestDataForPrograms(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, idlePage)); err != nil {
		t.Fatal(err)
	}
	for js, want := range map[string]string{
		"({a: [1, null]})": `"result":{"a":[1,null]}`, "'text'": `"result":"text"`, "1/0": `"result":"Infinity"`, "undefined": `"result":"undefined"`,
		"'x'.repeat(5000)": `"result":"\"xxx`,
	} {
		r, err := s.Eval(ctx, js)
		if err != nil {
			t.Fatal(err)
		}
		has(t, asJSON(t, r), want)
	}
	w, err := s.Wait(ctx, "text:never", 300*time.Millisecond)
	if err == nil {
		t.Fatal("it came")
	}
	has(t, asJSON(t, w), `"ok":false`, `"error":"not so after`, `"code":"timeout"`)
	a, _ := s.Act(ctx, step("e99", "click"))
	has(t, asJSON(t, a), `"error":"there is no e99`, `"code":"notfound"`)
	has(t, asJSON(t, a), `"look","go","wait"`)
}

// The verbs are steps, too.
func TestVerbsAsSteps(t *testing.T) {
	ctx, s := open(t)
	url := serve(t, `<title>Two</title><button id=b onclick="setTimeout(() => out.textContent = 'finally', 600)">Later</button><p id=out>early</p>`)
	r, err := s.Act(ctx, step("_page", "go", url), step("#b", "click"), step("_page", "wait", "text:finally"), step("_page", "look"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "ok wait text:finally", `"finally"`, `button "Later"`)
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A press in a frame in a frame scrolls all of them.
func TestNestedFramesAreScrolled(t *testing.T) {
	testkit.OnEveryBrowser(t)
	const gap = `<p style="height:1500px">gap</p>`
	base := testkit.Serve(t, map[string]http.HandlerFunc{
		"/":       testkit.Page(gap + `<iframe src=/middle height=300></iframe>` + gap),
		"/middle": testkit.Page(gap + `<iframe src=/inner height=200></iframe>` + gap),
		"/inner":  testkit.Page(gap + `<button onclick="this.textContent = 'pressed'">Deep</button>` + gap),
	})
	ctx, s := open(t)
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("{button}Deep", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `"pressed"`)
}

// What was typed into a field that hides it is not in the history.
func TestHistoryHidesPasswords(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<input id=u aria-label=User><input id=p type=password aria-label=Password>`)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(ctx, step("#u", "input", "ada"), step("#p", "input", "geheim")); err != nil {
		t.Fatal(err)
	}
	kept := asJSON(t, s.History())
	has(t, kept, "ada")
	hasNot(t, kept, "geheim")
}

// A ref of a session that is gone says that this one is new, and not that it never was.
func TestARefInANewSession(t *testing.T) {
	ctx, s := open(t)
	r, err := s.Act(ctx, step("e179", "click"))
	if code(err) != rove.CodeNotFound {
		t.Fatalf("%v: %s", err, r.Text())
	}
	has(t, r.Text(), "this session is new", "logins", "go to a page first")
	hasNot(t, r.Text(), "never was")
}
