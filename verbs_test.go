package rove_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

func step(ref, op string, value ...string) rove.Step {
	return rove.Step{Ref: ref, Op: op, Value: strings.Join(value, "")}
}

// The login of seed 000: three calls, and the receipt shows the page that came.
func TestLoginFlow(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	if _, err := s.Go(ctx, site(t)+"/login"); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx,
		step("{input}Email", "input", "ada@example.com"),
		step("{input}Password", "input", "analytical"),
		step("{button}Sign in", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "ok input e12 e13\n", "/dashboard (POST /login 303)", `heading "Welcome, Ada" 1`)
	hasNot(t, r.Text(), "analytical")
	if !r.OK || !r.Changed || len(r.Done) != 3 || !r.Done[2].Effect.Navigated {
		t.Errorf("ok %v, changed %v, done %+v", r.OK, r.Changed, r.Done)
	}
}

func TestReceiptsTellWhatHappened(t *testing.T) {
	page := `<!doctype html><title>Receipts</title>
<button id=none>Nothing</button>
<button id=add onclick="list.insertAdjacentHTML('beforeend','<li>new row</li>')">Add</button><ul id=list></ul>
<button id=fetch onclick="fetch('/api/data').then(r => r.text()).then(v => out.textContent = v)">Fetch</button><p id=out></p>
<button id=fail onclick="fetch('/missing')">Fail</button>
<button id=throw onclick="null.x">Throw</button>
<button id=ask onclick="out.textContent = confirm('Really?') ? 'yes' : 'no'">Ask</button>
<button id=hash onclick="location.hash = 'there'">Hash</button>
<button id=pop onclick="window.open('/other')">Pop</button>
<button id=cover>Covered</button><div id=over role=dialog aria-label=Cookies style="position:fixed;inset:0;display:none"></div>
<input id=box type=checkbox aria-label=Box>
<details><summary>More</summary><p>hidden text</p></details>`
	base := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(page), "/other": testkit.Page("<title>Other</title><h1>Other page</h1>"),
		"/api/data": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "from the server") },
		"/missing":  http.NotFound,
	})
	ctx, s := open(t)
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		steps []rove.Step
		says  []string
	}{
		{[]rove.Step{step("#none", "click")}, []string{`"Nothing": no effect seen`}},
		{[]rove.Step{step("#add", "click")}, []string{"ok click", `+ "new row"`}},
		{[]rove.Step{step("#fetch", "click")}, []string{"GET /api/data 200", `"from the server"`}},
		{[]rove.Step{step("#fail", "click")}, []string{"GET /missing 404"}},
		{[]rove.Step{step("#throw", "click")}, []string{"console error: TypeError"}},
		{[]rove.Step{step("#box", "check")}, []string{`"unchecked" → "checked"`}},
		{[]rove.Step{step("#hash", "click")}, []string{"#there"}},
		{[]rove.Step{step("#ask", "click")}, []string{"confirm dialog", `dialog confirm "Really?"`}},
		{[]rove.Step{step("_page", "dialog", "dismiss")}, []string{`"no"`}},
		{[]rove.Step{step("#ask", "click"), step("_page", "dialog", "accept")}, []string{`"yes"`}},
		{[]rove.Step{step("summary", "click")}, []string{`"hidden text"`}},
		{[]rove.Step{step("#pop", "click")}, []string{"new tab", "other tabs: 2 " + base + "/other"}},
		{[]rove.Step{step("_page", "tab", "2")}, []string{`heading "Other page" 1`}},
		{[]rove.Step{step("_page", "tab", "close")}, []string{"Receipts"}},
	} {
		r, err := s.Act(ctx, c.steps...)
		if err != nil {
			t.Errorf("%v: %v", c.steps, err)
			continue
		}
		has(t, r.Text(), c.says...)
	}
}

func TestFailuresNameWhatStopsThem(t *testing.T) {
	testkit.Parallel(t)
	page := `<!doctype html><title>F</title>
<button id=off disabled>Off</button><button id=gone style="display:none">Gone</button>
<button class=twin>Twin one</button><button class=twin>Twin two</button>
<button id=under style="position:absolute;left:10px;top:200px">Under</button>
<div role=dialog aria-label=Cookies style="position:absolute;left:0;top:180px;width:300px;height:100px;background:#eee">cookies</div>
<input id=num type=number><input id=day type=date><input id=ro readonly value=x>
<select id=sel><option>Red<option>Green</select><p id=p>text</p>`
	url := serve(t, page)
	for _, c := range []struct {
		step rove.Step
		code rove.Code
		says string
	}{
		{step("#off", "click"), rove.CodeDisabled, "disabled"},
		{step("#gone", "click"), rove.CodeHidden, "display: none"},
		{step(".twin", "click"), rove.CodeInvalid, "matches 2 elements"},
		{step("#under", "click"), rove.CodeCovered, `dialog "Cookies"`},
		{step("#nosuch", "click"), rove.CodeNotFound, "element not found: #nosuch"},
		{step("##", "click"), rove.CodeInvalid, "not a valid CSS selector"},
		{step("#off", "fly"), rove.CodeInvalid, `no operation "fly"`},
		{step("#ro", "input", "y"), rove.CodeDisabled, "read-only"},
		{step("#day", "input", "tomorrow"), rove.CodeInvalid, "2026-01-31"},
		{step("#num", "input", "abc"), rove.CodeInvalid, "did not take the text"},
		{step("#sel", "select", "Blue"), rove.CodeInvalid, "no option matching: 'Blue'"},
		{step("#p", "check"), rove.CodeInvalid, "cannot be checked"},
		{step("e999", "click"), rove.CodeNotFound, "never was"},
		{step("_page", "fly"), rove.CodeInvalid, "back"},
		{step("_page", "forward"), rove.CodeInvalid, "no page to go forward to"},
		{step("_page", "dialog", "accept"), rove.CodeInvalid, "no dialog is open"},
		{step("_page", "viewport", "big"), rove.CodeInvalid, "1280x720"},
		{step("#p", "press", "Hyper+Q"), rove.CodeInvalid, "Hyper"},
		{step("#p", "assert", "text other"), rove.CodeInvalid, `found "text"`},
	} {
		t.Run(c.step.String(), func(t *testing.T) {
			t.Parallel() // most of the time is waiting for the element to get ready
			ctx, s := open(t)
			if _, err := s.Go(ctx, url); err != nil {
				t.Fatal(err)
			}
			r, err := s.Act(ctx, c.step)
			if code(err) != c.code || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Fatalf("%v [%s], want %s and %q", err, code(err), c.code, c.says)
			}
			has(t, r.Text(), "failed "+c.step.Op)
		})
	}
}

func TestBatchStopsAtTheFirstFailure(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<input id=a aria-label=A><input id=b aria-label=B>`)); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("#a", "input", "one"), step("#nope", "click"), step("#b", "input", "two"))
	if code(err) != rove.CodeNotFound || r.OK || len(r.Done) != 1 || r.Failed == nil {
		t.Fatalf("err %v, result %+v", err, r)
	}
	has(t, r.Text(), `ok input e1 "A" ="one"`, "failed click #nope")
	if got, _ := s.Eval(ctx, "b.value"); got.Result != `""` {
		t.Errorf("the step after the failure was done: %s", got.Result)
	}
}

func TestStaleRefsAreRefusedWithTheirMatch(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<div id=d><p>Ann <button>Save</button></p></div><button onclick="d.innerHTML='<p>Bob <button>Save</button></p><p>Cy <button>Save</button></p>'">Again</button>`)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(ctx, step("{button}Again", "click")); err != nil {
		t.Fatal(err)
	}
	_, err := s.Act(ctx, step("e1", "click"))
	if code(err) != rove.CodeStale {
		t.Fatalf("%v", err)
	}
	has(t, err.Error(), `button "Save" is gone`, `like it and new: e3 in "Bob"; e4 in "Cy"`)
}

func TestWhatWasShownIsWhatIsActedOn(t *testing.T) {
	ctx, s := open(t)
	page := `<title>Rows</title><button id=row onclick="out.textContent='ticked '+this.textContent">Row 4321</button><p id=out></p>`
	if _, err := s.Go(ctx, serve(t, page)); err != nil {
		t.Fatal(err)
	}
	// A virtual list recycles the node for another row.
	if _, err := s.Eval(ctx, "row.textContent = 'Row 4327'; 1"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Act(ctx, step("e1", "click"))
	if code(err) != rove.CodeStale {
		t.Fatalf("acted on another row: %v", err)
	}
	has(t, err.Error(), "Row 4321", "Row 4327")
	r, err := s.Act(ctx, step("e1", "click"))
	if err != nil {
		t.Fatalf("the next try is refused too: %v", err)
	}
	has(t, r.Text(), "ticked Row 4327")
}

func TestWaits(t *testing.T) {
	ctx, s := open(t)
	page := `<title>Slow</title><p id=p>first</p><button id=b>Go away</button><script>
setTimeout(() => { p.textContent = 'second'; b.remove(); history.pushState(0, '', '?done=1'); window.ready = window.ended = true; fetch('/api') }, location.search === '?later' ? 1500 : 300)
if (location.search === '?again') setInterval(() => fetch('/api'), 300)</script>`
	base := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(page), "/api": testkit.Page("ok")})
	for _, cond := range []string{"text:second", "gone:first", "url:done=1", "!e1", "window.ready", "eval('window.ended')", "request:/api", "idle", "50", "() => window.ready"} {
		at := base
		switch cond {
		case "!e1":
			at += "/?later" // the button must be there when it is looked at
		case "request:/api":
			at += "/?again" // one must come after the wait has begun
		}
		if _, err := s.Go(ctx, at); err != nil {
			t.Fatal(err)
		}
		c := cond
		if cond == "!e1" {
			l, err := s.Look(ctx, rove.LookOptions{})
			if err != nil {
				t.Fatal(err)
			}
			c = "!" + strings.Fields(l.Tree[strings.Index(l.Tree, "\ne")+1:])[0]
		}
		r, err := s.Wait(ctx, c, 5*time.Second)
		if err != nil {
			t.Errorf("%s: %v", c, err)
			continue
		}
		if r.Elapsed > 3000 {
			t.Errorf("%s took %d ms", c, r.Elapsed)
		}
		has(t, r.Text(), "ok wait "+c)
	}
	for _, c := range []struct{ do, says string }{
		{"1", "not so after 700ms"},
		{"setTimeout(() => document.body.append('late news'), 50)", "what changed meanwhile is below"},
		{"1", "the page is as it was last shown"},
	} {
		if _, err := s.Eval(ctx, c.do); err != nil {
			t.Fatal(err)
		}
		r, err := s.Wait(ctx, "text:never", 700*time.Millisecond)
		if code(err) != rove.CodeTimeout || r == nil {
			t.Fatalf("%v", err)
		}
		has(t, r.Text(), "failed wait text:never", c.says)
		if strings.Contains(c.says, "below") {
			has(t, r.Text(), `+ "late news"`)
		}
	}
	for _, bad := range []string{"", "text:", "url: "} {
		if _, err := s.Wait(ctx, bad, time.Second); code(err) != rove.CodeInvalid {
			t.Errorf("wait %q: %v", bad, err)
		}
	}
	if _, err := s.Wait(ctx, "syntax error here", time.Second); code(err) != rove.CodeInvalid {
		t.Errorf("bad script: %v", err)
	}
}

func TestEvalTellsTheTruth(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<meta http-equiv=Content-Security-Policy content="script-src 'none'"><p id=p class=x>hi</p>`)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ js, want string }{
		{"1+1", "2"},
		{"'a' + 'b'", `"ab"`},
		{"({a: 1, b: [1, 'x', null]})", `{"a":1,"b":[1,"x",null]}`},
		{"let x = 2; x * 21", "42"},
		{"const y = 1; return y + 1", "2"},
		{"() => document.title.length", "0"},
		{"async () => { await null; return 7 }", "7"},
		{"Promise.resolve('later')", `"later"`},
		{"await new Promise(r => setTimeout(() => r(5), 10))", "5"},
		{"undefined", "undefined"},
		{"NaN", "NaN"},
		{"-0", "-0"},
		{"10n", "10n"},
		{"Symbol('s')", "Symbol(s)"},
		{"new Map([[1, {a: 2}]])", `Map {1 => {"a":2}}`},
		{"new Set([1, 'b'])", `Set {1,"b"}`},
		{"new Date(0)", `"1970-01-01T00:00:00.000Z"`},
		{"new Error('bad')", `"Error: bad"`},
		{"p", `<p id="p" class="x"></p>`},
		{"const o = {}; o.self = o; return o", `{"self":[circular]}`},
		{"[1, , 3]", "[1,undefined,3]"},
		{"new Uint8Array([1, 2])", "[1,2]"},
		{"document.querySelectorAll('p')", `[<p id="p" class="x"></p>]`},
	} {
		r, err := s.Eval(ctx, c.js)
		if err != nil {
			t.Errorf("%s: %v", c.js, err)
		} else if r.Text() != c.want {
			t.Errorf("%s = %s, want %s", c.js, r.Text(), c.want)
		}
	}
	for js, says := range map[string]string{
		"null.x":                       "TypeError",
		"1 +":                          "SyntaxError",
		"\n\nthrow new Error('three')": "three",
		"JSON.parse('{')":              "SyntaxError",
		"":                             "no script",
	} {
		if _, err := s.Eval(ctx, js); code(err) != rove.CodeInvalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", js, err, says)
		}
	}
	r, err := s.Eval(ctx, "'x'.repeat(100000)")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := json.Marshal(r); err != nil || !strings.Contains(string(data), `"actions":{"_page":["back"`) {
		t.Errorf("no next actions in %.300s: %v", data[max(0, len(data)-300):], err)
	}
	info, err := os.Stat(r.File)
	if err != nil || info.Size() != 100002 || info.Mode().Perm() != 0o600 || r.Size != 100002 {
		t.Errorf("file %q: %v, size %d", r.File, err, r.Size)
	}
	if rove.Tokens(r.Text()) > 800 {
		t.Errorf("shows %d tokens", rove.Tokens(r.Text()))
	}
}

func TestFieldsAreFilledAsByAPerson(t *testing.T) {
	testkit.OnEveryBrowser(t)
	page := `<!doctype html><title>Fields</title>
<label>Name <input id=name value=old></label><label>Mail <input id=mail type=email></label><label>Count <input id=count type=number value=1></label>
<label>Day <input id=day type=date></label><label>Hue <input id=hue type=color></label><label>Loud <input id=loud type=range min=0 max=10></label>
<label>Note <textarea id=note></textarea></label><div id=rich contenteditable aria-label=Rich>rich</div>
<label>Colour <select id=colour><option value=r>Red<option value=g>Green<option>Blue</select></label>
<label>Many <select id=many multiple><option>A<option>B<option>C</select></label>
<input id=file type=file multiple aria-label=Files>
<label><input type=checkbox id=agree style="opacity:0;position:absolute">I agree</label>
<script>window.log = []; for (const t of ['keydown','beforeinput','input','change']) addEventListener(t, e => log.push(e.target.id + ':' + t + (e.isTrusted ? '' : '!')), true)</script>`
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, page)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "hello.txt")
	if err := os.WriteFile(file, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx,
		step("#name", "input", "Ada Löve"), step("#name", "type", "lace 😀"), step("#mail", "input", "a@b.c"), step("#count", "input", "42"),
		step("#day", "input", "2026-11-15"), step("#hue", "set", "#ff8800"), step("#loud", "set", "7"),
		step("#note", "input", "two\nlines"), step("#rich", "input", "new text"),
		step("#colour", "select", "Green"), step("#many", "select", "A, C"), step("#file", "upload", file), step("#agree", "check"))
	if err != nil {
		t.Fatalf("%v\n%s", err, r.Text())
	}
	for _, c := range [][2]string{
		{"[...document.querySelectorAll('#name,#mail,#count,#day,#hue,#loud,#note')].map(e => e.value)", `["Ada Lövelace 😀","a@b.c","42","2026-11-15","#ff8800","7","two\nlines"]`},
		{"rich.innerText.trim()", `"new text"`},
		{"colour.value", `"g"`},
		{"[...many.selectedOptions].map(o => o.text)", `["A","C"]`},
		{"file.files[0].name", `"hello.txt"`},
		{"agree.checked", "true"},
		{"log.filter(x => x.startsWith('name:')).length > 20", "true"},
		{"log.filter(x => x.startsWith('name:') && x.endsWith('!')).length", "0"},
	} {
		js, want := c[0], c[1]
		got, err := s.Eval(ctx, js)
		if err != nil || got.Text() != want {
			t.Errorf("%s = %v, want %s (%v)", js, got, want, err)
		}
	}
	if _, err := s.Act(ctx, step("#name", "clear")); err != nil {
		t.Error(err)
	}
	undone, err := s.Act(ctx, step("_page", "undo"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, undone.Text(), "Ada Lövelace 😀")
}

func TestUndoGoesBack(t *testing.T) {
	ctx, s := open(t)
	base := site(t)
	for _, p := range []string{"/login", "/todo"} {
		if _, err := s.Go(ctx, base+p); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.Act(ctx, step("_page", "undo"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "/login")
}

func TestAssertions(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<title>The "Asserts" &lt;here&gt;</title><p class=x>Hello world</p><p class=x></p><input id=i value=v><input type=checkbox id=c checked>`)); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{"p:first-child", "text", "Hello"},
		{"#i", "value", "v"},
		{"#c", "checked", ""},
		{"#i", "enabled", ""},
		{"#i", "visible", ""},
		{"_page", "title", `The "Asserts" <here>`},
		{"_page", "url", "127.0.0.1"},
		{"_page", "text", "world"},
		{".x", "count", "2"},
		{"#c", "role", "checkbox"},
	} {
		if _, err := s.Assert(ctx, c[0], c[1], c[2]); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
	for _, c := range [][3]string{{"#i", "value", "w"}, {"#c", "unchecked", ""}, {"_page", "title", "Other"}, {".x", "count", "3"}, {"#i", "colour", "red"}, {"#i", "", ""}} {
		if _, err := s.Assert(ctx, c[0], c[1], c[2]); code(err) != rove.CodeInvalid {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestHistoryAndEvents(t *testing.T) {
	ctx, s := open(t)
	var live []string
	stop := s.Events(func(e rove.Entry) { live = append(live, e.Verb) })
	defer stop()
	if _, err := s.Go(ctx, serve(t, loginPage)); err != nil {
		t.Fatal(err)
	}
	_, _ = s.Act(ctx, step("e1", "input", "a@b.c"))
	_, _ = s.Act(ctx, step("#nope", "click"))
	all := s.History()
	if len(all) != 3 || strings.Join(live, " ") != "go act act" {
		t.Fatalf("%d entries, live %v", len(all), live)
	}
	if all[1].Steps[0].Effect.Value.To != "a@b.c" || all[2].OK || all[2].Code != rove.CodeNotFound || all[0].Tokens == 0 || all[0].Took == 0 {
		t.Errorf("%+v", all)
	}
	for _, e := range all {
		if e.Receipt == "" || e.Trips == 0 || e.Tokens == 0 || e.Took == 0 || e.Time.IsZero() {
			t.Errorf("%+v", e)
		}
	}
	if _, err := s.Eval(ctx, "1"); err != nil {
		t.Fatal(err)
	}
	if e := s.History()[3]; e.Trips != 1 {
		t.Errorf("eval took %d round trips", e.Trips)
	}
	r, err := s.Act(ctx, step("_page", "history"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "1 go http", `2 act input e1 "a@b.c"`, "3 act click #nope: notfound")
}

func TestDownloadsAreKeptAndNamed(t *testing.T) {
	testkit.OnEveryBrowser(t)
	file := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="../quarterly report.csv"`)
		w.Header().Set("Content-Type", "text/csv")
		fmt.Fprint(w, "a,b\n1,2\n")
	}
	base := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Files</title><h1>Files</h1><a href=/file>Get it</a>`), "/file": file,
	})
	ctx, s := open(t)
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	check := func(d *rove.Download) {
		t.Helper()
		data, err := os.ReadFile(d.Path)
		if err != nil || string(data) != "a,b\n1,2\n" || d.Size != 8 || !strings.HasPrefix(d.Type, "text/csv") {
			t.Errorf("%+v: %q, %v", d, data, err)
		}
		if info, err := os.Stat(d.Path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
	}
	r, err := s.Act(ctx, step("{a}Get it", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `quarterly report.csv" (8 bytes, text/csv`)
	if len(r.Done[0].Effect.Downloads) != 1 {
		t.Fatalf("%+v", r.Done)
	}
	check(&r.Done[0].Effect.Downloads[0])

	g, err := s.Go(ctx, base+"/file")
	if err != nil {
		t.Fatal(err)
	}
	has(t, g.Text(), `quarterly report-2.csv" (8 bytes`, "the page stays as it was", `heading "Files" 1`)
	check(g.Download)
	dir := filepath.Dir(g.Download.Path)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s outlives its session: %v", dir, err)
	}
}

// A PDF is a file, not a page that nothing can be read of.
func TestPDFsAreFiles(t *testing.T) {
	testkit.OnEveryBrowser(t)
	const pdf = "%PDF-1.4\n%%EOF\n"
	base := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Bills</title><a href=/bill.pdf>Bill</a><a href=/bill.pdf target=_blank>In a tab</a>`),
		"/bill.pdf": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = io.WriteString(w, pdf)
		},
	})
	ctx, s := open(t)
	g, err := s.Go(ctx, base+"/bill.pdf")
	if err != nil {
		t.Fatal(err)
	}
	if g.Download == nil {
		t.Fatalf("no file:\n%s", g.Text())
	}
	if data, err := os.ReadFile(g.Download.Path); err != nil || string(data) != pdf {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"{a}Bill", "{a}In a tab"} {
		r, err := s.Act(ctx, step(link, "click"))
		if err != nil {
			t.Fatal(err)
		}
		has(t, r.Text(), "→ download ", ".pdf") // the tab that it opens in may be quicker than the file
	}
}

// A file may come after the receipt of what asked for it, or before anybody waits.
func TestDownloadsThatTakeTheirTime(t *testing.T) {
	finish := make(chan struct{})
	file := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="slow.csv"`)
		w.Header().Set("Content-Type", "text/csv")
		fmt.Fprint(w, "a,b\n")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-finish:
		case <-r.Context().Done():
		}
	}
	base := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page(`<title>Slow</title><a href=/file>Get it</a>`), "/file": file})
	ctx, s := open(t)
	if _, err := s.Go(ctx, base); err != nil {
		t.Fatal(err)
	}
	for _, late := range []bool{false, true} {
		finish = make(chan struct{})
		r, err := s.Act(ctx, step("{a}Get it", "click"))
		if err != nil {
			t.Fatal(err)
		}
		has(t, r.Text(), `download "slow.csv" is on its way; wait download`)
		if late { // it is there before anybody waits for it
			close(finish)
			all := func(list []rove.Download) bool { return !list[len(list)-1].Open }
			if err := s.Driver().WaitDownloads(ctx, all); err != nil {
				t.Fatal(err)
			}
		} else {
			time.AfterFunc(100*time.Millisecond, func() { close(finish) })
		}
		w, err := s.Wait(ctx, "download", 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		has(t, w.Text(), "ok wait download", "slow", `.csv" (4 bytes, text/csv`)
		if len(w.Downloads) != 1 || w.Downloads[0].Path == "" {
			t.Errorf("%+v", w.Downloads)
		}
	}
	l, err := s.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	hasNot(t, l.Text(), "download")
	if _, err := s.Wait(ctx, "download", 200*time.Millisecond); code(err) != rove.CodeTimeout {
		t.Errorf("a download that was told of is waited for again: %v", err)
	}
}

func TestHintsHelp(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<form><label>Email <input type=email required></label><button>Send</button></form>
<button type=button onclick="document.body.insertAdjacentHTML('beforeend','<p role=alert>Card declined</p>')">Pay</button>`)); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("{button}Send", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `hint: e1 textbox "Email": `)
	has(t, r.Hint, `e1 textbox "Email"`) // the field to fill in next
	r, err = s.Act(ctx, step("{button}Pay", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Hint, "Card declined")
	has(t, r.Text(), `hint: the page says: "Card declined"`)
	// Where it does not help there is none: the receipt tells of a navigation.
	for _, steps := range [][]rove.Step{{step("e1", "input", "a@b.c")}, {step("{button}Send", "click")}} {
		if r, err = s.Act(ctx, steps...); err != nil || r.Hint != "" {
			t.Errorf("%v: hint %q, %v", steps, r.Hint, err)
		}
		hasNot(t, r.Text(), "hint:")
	}
	has(t, r.Text(), `"Send" → /?`)
}

func TestPictureOnFailure(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, loginPage)); err != nil {
		t.Fatal(err)
	}
	r, _ := s.Act(ctx, step("#nope", "click"))
	if r.Screenshot != nil {
		t.Error("a picture that nobody asked for")
	}
	s.PictureOnFailure(true)
	r, _ = s.Act(ctx, step("#nope", "click"))
	if !strings.HasPrefix(string(r.Screenshot), "\x89PNG") {
		t.Errorf("no picture: %.20q", r.Screenshot)
	}
}

func TestFileChoosersAreAnswered(t *testing.T) {
	testkit.OnEveryBrowser(t)
	page := `<title>Chooser</title><input id=f type=file hidden multiple onchange="out.textContent = [...this.files].map(f => f.name)"><button onclick="f.click()">Pick</button><p id=out></p>`
	file := filepath.Join(t.TempDir(), "a b.txt")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, page)); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("{button}Pick", "upload", file))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `"a b.txt"`)
	hasNot(t, r.Text(), "file chooser")

	if _, err := s.Act(ctx, step("_page", "upload", file)); code(err) != rove.CodeInvalid {
		t.Errorf("no chooser is open: %v", err)
	}
	if _, err := s.Go(ctx, serve(t, page)); err != nil {
		t.Fatal(err)
	}
	r, err = s.Act(ctx, step("{button}Pick", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "file chooser; act _page upload PATH")
	if _, err := s.Act(ctx, step("_page", "upload", "/no/such/file")); code(err) != rove.CodeInvalid {
		t.Errorf("a file that is not there: %v", err)
	}
	r, err = s.Act(ctx, step("_page", "upload", file))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `"a b.txt"`)
}
