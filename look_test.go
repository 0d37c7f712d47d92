package rove_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rove"
	"rove/cdp"
	"rove/internal/testkit"
)

const loginPage = `<!doctype html><title>Login</title><h1>Login</h1>
<form><label>Email <input type=email required></label><label>Password <input type=password value=geheim></label>
<button disabled>Sign In</button></form>`

func TestGoShowsThePage(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	url := serve(t, loginPage)
	r, err := s.Go(ctx, strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	want := url + `/ — Login
heading "Login" 1
e1 textbox "Email" required
e2 textbox "Password" ="••••"
e3 button "Sign In" disabled
`
	if text := r.Text(); !strings.HasPrefix(text, want) {
		t.Errorf("got:\n%s\nwant it to begin:\n%s", text, want)
	}
	has(t, r.Text(), "can: ", "textbox input type clear focus")
	for _, op := range []string{"look", "wait", "back"} {
		if !slices.Contains(r.Actions.Map()["_page"], op) {
			t.Errorf("%s is not among the page's operations: %v", op, r.Actions.Map()["_page"])
		}
	}
	if r.Status != 200 || r.Title != "Login" || !r.OK {
		t.Errorf("status %d, title %q, ok %v", r.Status, r.Title, r.OK)
	}
	again, err := s.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	hasNot(t, again.Text(), "can: ")
}

func TestGoTellsFailuresApart(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	for _, c := range []struct {
		url  string
		code rove.Code
		says string
	}{
		{"http://127.0.0.1:1/", rove.CodeNavigation, "browsers do not open that port"},
		{"http://127.0.0.1:47/", rove.CodeNavigation, "refused"},
		{"http://no-such-host.invalid/", rove.CodeNavigation, "DNS"},
		{"file:///no/such/file", rove.CodePolicy, "file: addresses are not allowed"},
		{"not a url", rove.CodeInvalid, "not a URL"},
		{"", rove.CodeInvalid, "empty"},
		{"nosuchscheme://x", rove.CodePolicy, "not allowed"},
	} {
		_, err := s.Go(ctx, c.url)
		if code(err) != c.code {
			t.Errorf("%q: %v, want code %s", c.url, err, c.code)
		} else if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want it to say %q", c.url, err, c.says)
		}
	}
	r, err := s.Go(ctx, site(t)+"/no-such-page")
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "HTTP 404\n")
}

// Who may not come in is told how to, and the password is not repeated.
func TestGoWithAPassword(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	base := testkit.Serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
		if name, cleanResult, _ := r.BasicAuth(); name != "ann" || cleanResult != "hunter2" {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		testkit.Page(`<title>In</title><p>welcome`)(w, r)
	}})
	with := func(login string) string { return strings.Replace(base, "http://", "http://"+login+"@", 1) }
	for _, url := range []string{base, with("ann:wrongpass")} {
		_, err := s.Go(ctx, url)
		if code(err) != rove.CodeNavigation || !strings.Contains(err.Error(), "wants a name and a password") || strings.Contains(err.Error(), "wrongpass") {
			t.Errorf("%s: %v", url, err)
		}
	}
	r, err := s.Go(ctx, with("ann:hunter2"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `"welcome"`)
	requests, err := s.Network().Requests(rove.RequestFilter{})
	if err != nil {
		t.Fatal(err)
	}
	var told []any
	for _, e := range s.History() {
		told = append(told, e)
	}
	for _, q := range requests.Requests {
		told = append(told, q.URL)
	}
	for _, e := range told {
		if text := fmt.Sprintf("%+v", e); strings.Contains(text, "hunter2") || strings.Contains(text, "wrongpass") {
			t.Errorf("recorded: %s", text)
		}
	}
}

func TestLookIsTheDataFormToo(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, loginPage)); err != nil {
		t.Fatal(err)
	}
	r, err := s.Look(ctx, rove.LookOptions{Format: rove.FormatYAML})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		URL, Title, Tree string
		Actions          map[string][]string
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		t.Fatal(err)
	}
	has(t, data.Tree, `- heading "Login" [level=1]`, `- textbox "Email"`, `[ref=e1]`)
	hasNot(t, string(raw), "geheim")
	if !slices.Contains(data.Actions["e1"], "input") || data.Actions["e3"] != nil || len(data.Actions["_page"]) == 0 {
		t.Errorf("actions: %v", data.Actions)
	}
}

func TestLookOptionsAreChecked(t *testing.T) {
	ctx, s := open(t)
	for _, o := range []rove.LookOptions{
		{Budget: new(-5)}, {Mode: "nonsense"}, {Format: "xml"}, {Find: "/(/"}, {Since: "last"}, {Since: "x", Find: "y"},
	} {
		if _, err := s.Look(ctx, o); code(err) != rove.CodeInvalid {
			t.Errorf("%+v: %v, want code invalid", o, err)
		}
	}
	for _, nowhere := range []string{"e99", "button", "{button}Save"} {
		if _, err := s.Look(ctx, rove.LookOptions{Ref: nowhere}); code(err) != rove.CodeNotFound {
			t.Errorf("%s, which is not there: %v", nowhere, err)
		}
	}
}

func TestLookKeepsWithinItsBudget(t *testing.T) {
	ctx, s := open(t)
	base := site(t)
	for _, page := range []string{"/dashboard", "/form", "/article", "/list", "/frames"} {
		if _, err := s.Go(ctx, base+page); err != nil {
			t.Fatal(err)
		}
		for _, budget := range []*int{new(60), new(200), new(800), nil, new(0)} {
			r, err := s.Look(ctx, rove.LookOptions{Budget: budget})
			if err != nil {
				t.Fatal(err)
			}
			limit := rove.LookBudget
			if budget != nil {
				limit = *budget
			}
			n := rove.Tokens(r.Text())
			if limit > 0 && n > limit {
				t.Errorf("%s with %d: %d tokens", page, limit, n)
			}
			if limit == 0 && r.Folded > 0 {
				t.Errorf("%s in full leaves out %d lines", page, r.Folded)
			}
			if r.Folded > 0 {
				has(t, r.Text(), "…")
			}
		}
	}
}

func TestLookFindsAndNarrows(t *testing.T) {
	ctx, s := open(t)
	base := site(t)
	if _, err := s.Go(ctx, base+"/dashboard"); err != nil {
		t.Fatal(err)
	}
	r, err := s.Look(ctx, rove.LookOptions{Find: "/grace hopper/i"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "Grace Hopper")
	hasNot(t, r.Text(), "Ada Lovelace")

	r, err = s.Look(ctx, rove.LookOptions{Mode: rove.ModeInteractive, Budget: new(0)})
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `searchbox "Search"`)

	if _, err = s.Go(ctx, base+"/form"); err != nil {
		t.Fatal(err)
	}
	r, err = s.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ref := regexp.MustCompile(`(e\d+) combobox "[^"]+" .*options`).FindStringSubmatch(r.Text())
	if ref == nil {
		t.Fatalf("no select in:\n%s", r.Text())
	}
	r, err = s.Look(ctx, rove.LookOptions{Ref: ref[1]})
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "option ")

	if _, err = s.Go(ctx, base+"/article"); err != nil {
		t.Fatal(err)
	}
	r, err = s.Look(ctx, rove.LookOptions{Mode: rove.ModeText, Budget: new(0)})
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "\n# ", "](http")
}

func TestLookSinceShowsWhatChanged(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<h1>One</h1><p id=p>before</p>`+strings.Repeat("<p>filler text that stays as it is</p>", 30))); err != nil {
		t.Fatal(err)
	}
	same, err := s.Look(ctx, rove.LookOptions{Since: "last"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, same.Text(), "no change")
	if _, err := s.Eval(ctx, `document.getElementById('p').textContent = 'after'`); err != nil {
		t.Fatal(err)
	}
	r, err := s.Look(ctx, rove.LookOptions{Since: fmt.Sprint(same.Look)})
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "after")
	hasNot(t, r.Text(), "filler")
}

// A ref's number is never given to another element: over looks, changes,
// navigations, frames and tabs. The menu of a site keeps its refs from page to page.
func TestRefsNeverRepeat(t *testing.T) {
	ctx, s := open(t)
	base := site(t)
	owner := map[string]string{} // ref → page and line
	note := func(page string) {
		t.Helper()
		r, err := s.Look(ctx, rove.LookOptions{Budget: new(0), Format: rove.FormatYAML})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(r.Tree, "\n") {
			m := regexp.MustCompile(`- (\S+ "[^"]*").*\[ref=(\w+)\]`).FindStringSubmatch(line)
			if m == nil {
				continue
			}
			is := page + " " + m[1]
			if was, known := owner[m[2]]; known && was != is && (!strings.HasPrefix(m[1], "link ") || !strings.HasSuffix(was, " "+m[1])) {
				t.Errorf("%s was %s, is now %s", m[2], was, is)
			}
			owner[m[2]] = is
		}
	}
	for round := range 2 {
		for _, page := range []string{"/frames", "/login", "/todo"} {
			if _, err := s.Go(ctx, base+page); err != nil {
				t.Fatal(err)
			}
			note(fmt.Sprint(round, page))
			note(fmt.Sprint(round, page))
		}
		if _, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "tab", Value: "new " + base + "/form"}); err != nil {
			t.Fatal(err)
		}
		note(fmt.Sprint(round, "tab"))
	}
	if len(owner) < 100 {
		t.Errorf("only %d refs seen", len(owner))
	}
}

// One look at a page with nested and cross-origin frames is one write.
func TestLookIsOneRoundTrip(t *testing.T) {
	ctx, s := alone(t)
	if _, err := s.Go(ctx, site(t)+"/frames"); err != nil {
		t.Fatal(err)
	}
	conn, _ := cdp.Of(s.Driver().Tab())
	var before cdp.Stats
	testkit.Eventually(t, "the bodies of its frames are kept", func() bool {
		was := before
		<-time.After(50 * time.Millisecond)
		before = conn.Stats()
		return before == was
	})
	r, err := s.Look(ctx, rove.LookOptions{Budget: new(0)})
	if err != nil {
		t.Fatal(err)
	}
	after := conn.Stats()
	has(t, r.Text(), `f1e1 textbox "Your address"`, `button "Pay now"`, `button "Closed from markup"`, "Show Fahrenheit")
	if writes := after.Writes - before.Writes; writes != 1 {
		t.Errorf("%d writes, want 1", writes)
	}
	if n := len(s.Driver().Tab().Frames()); after.Replies-before.Replies != int64(n) {
		t.Errorf("%d replies for %d frames", after.Replies-before.Replies, n)
	}
}

func TestLookTakesAPicture(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, loginPage)); err != nil {
		t.Fatal(err)
	}
	r, err := s.Look(ctx, rove.LookOptions{Screenshot: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(r.Screenshot), "\x89PNG") {
		t.Errorf("no PNG: %.20q", r.Screenshot)
	}
}

func TestLookAtADialogDoesNotHang(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	r, err := s.Go(ctx, serve(t, `<title>Hi</title><script>confirm('Sure?')</script><p>done <script>document.querySelector('p').append('by ' + prompt('Name?', 'nobody'))</script>`))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `dialog confirm "Sure?"`, "act _page dialog accept")
	l, err := s.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if l.Dialog == nil || l.Dialog.Message != "Sure?" {
		t.Errorf("dialog: %+v", l.Dialog)
	}
	// What the driver refuses is advised in verbs.
	for verb, run := range map[string]func() error{
		"eval":       func() error { _, err := s.Eval(ctx, "1"); return err },
		"screenshot": func() error { _, err := s.Screenshot(ctx, rove.ScreenshotOptions{}); return err },
	} {
		if err := run(); rove.CodeOf(err) != rove.CodeDialog || !strings.Contains(err.Error(), "answer it first: act _page dialog accept | dismiss") {
			t.Errorf("%s: %v", verb, err)
		}
	}
	a, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "dialog", Value: "accept"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, a.Text(), "ok dialog", `dialog prompt "Name?"`)
	// A prompt that is accepted gets what stands in it, as when a person presses OK.
	if a, err = s.Act(ctx, rove.Step{Ref: "_page", Op: "dialog", Value: "accept"}); err != nil {
		t.Fatal(err)
	}
	has(t, a.Text(), "ok dialog", `"done by nobody"`)
}

// What comes after the load, and is clickable only because somebody listens, is
// there at the next look.
func TestLookSeesLateListeners(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<title>Late</title><div id=d></div>`)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Eval(ctx, `d.innerHTML = '<div id=late>Late one</div>'; late.addEventListener('click', () => {}); 1`); err != nil {
		t.Fatal(err)
	}
	r, err := s.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `clickable "Late one"`)
}

// Reading a page as text, which tells addresses too, is no change of it.
func TestTextIsNoChange(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<h1>One</h1><p>See <a href=/x>there</a></p>`)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Look(ctx, rove.LookOptions{Mode: rove.ModeText}); err != nil {
		t.Fatal(err)
	}
	r, err := s.Look(ctx, rove.LookOptions{Since: "last"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "no change")
}

// What a page's scripts fetch when it is opened is part of what it shows.
func TestGoShowsWhatScriptsFetch(t *testing.T) {
	slowly := func(answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(slow):
				fmt.Fprint(w, answer)
			case <-r.Context().Done():
			}
		}
	}
	ended := make(chan struct{})
	base := testkit.Serve(t, map[string]http.HandlerFunc{
		"/one": slowly("/two"), "/two": slowly("at last"),
		"/never": func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-ended:
			}
		},
		// One answer leads to the next request.
		"/": testkit.Page(`<title>App</title><p id=out>loading</p><script>
			fetch('/one').then(r => r.text()).then(fetch).then(r => r.text()).then(t => requestAnimationFrame(() => out.textContent = t))</script>`),
		"/poll": testkit.Page(`<title>Poll</title><p>here</p><script>fetch('/never')</script>`),
		"/form": testkit.Page(`<title>Form</title><form action=/><button>Go</button></form>`),
	})
	t.Cleanup(func() { close(ended) })
	ctx, s := open(t)
	for _, path := range []string{"/", "/poll", "/form"} {
		page, err := s.Go(ctx, base+path)
		if err != nil {
			t.Fatal(err)
		}
		has(t, page.Text(), map[string]string{"/": `"at last"`, "/poll": `"here"`, "/form": "button"}[path])
	}
	r, err := s.Act(ctx, step("{button}Go", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "— App", `"at last"`)
}

// A dialog that opens at any moment of an act is in its answer.
func TestReceiptsTellOfDialogs(t *testing.T) {
	testkit.OnEveryBrowser(t)
	ctx, s := open(t)
	url := serve(t, `<!doctype html><title>Ask</title><button id=b onclick="setTimeout(() => confirm('sure?'), Number(location.hash.slice(1)))">Ask</button>`)
	for ms := 0; ms <= 24; ms += 2 {
		if _, err := s.Go(ctx, fmt.Sprintf("%s/?%d#%d", url, ms, ms)); err != nil {
			t.Fatal(err)
		}
		r, err := s.Act(ctx, rove.Step{Ref: "#b", Op: "click"})
		if err != nil || strings.Contains(r.Text(), "cannot be read") {
			t.Errorf("after %d ms: %v\n%s", ms, err, r.Text())
		}
		if r, err := s.Look(ctx, rove.LookOptions{}); err != nil || r.Dialog == nil && !strings.Contains(r.Text(), "button") {
			t.Errorf("after %d ms: %v", ms, err)
		}
		_, _ = s.Act(ctx, rove.Step{Ref: "_page", Op: "dialog", Value: "accept"})
	}
}

// A look takes what an act takes.
func TestLookByLocator(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<h1>Page</h1><section id=one><h2>One</h2><button>First</button></section><section class=two><h2>Two</h2><button title=Second>+</button></section><p>words here</p>`)); err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{"#one": `button "First"`, ".two": `button "+" (Second)`, "//section[2]": `button "+"`, "{button}Second": `button "+"`, `"words here"`: `"words here"`} {
		r, err := s.Look(ctx, rove.LookOptions{Ref: ref})
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		has(t, r.Text(), want)
		hasNot(t, r.Text(), `"Page"`)
	}
	for ref, want := range map[string]string{"section": "section matches 2 elements: e", "#none": "element not found", "[": "not a valid CSS selector"} {
		if _, err := s.Look(ctx, rove.LookOptions{Ref: ref}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %q", ref, err, want)
		}
	}
}

// Rows are found as they are printed, and hits come with what can be done there.
func TestFindAsPrinted(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, `<table><thead><tr><th>Name<th>Age<th></tr></thead><tr><td>Ann<td>34<td><button>Edit</button></tr><tr><td>Bob<td>35<td><button>Edit</button></tr></table>
		<ul><li>feed the cat <button>Remove</button></li><li>walk the dog <button>Remove</button></li></ul><h3>Blue shirt</h3><p>of cotton</p><button>Add</button>`)); err != nil {
		t.Fatal(err)
	}
	for find, want := range map[string]string{
		"Bob | 35": `"Bob | 35" | e2 button "Edit"`, "bob 35": `"Bob | 35" | e2 button "Edit"`, "the dog": `button "Remove"`, "cotton": `button "Add"`, "shirt": `button "Add"`,
	} {
		r, err := s.Look(ctx, rove.LookOptions{Find: find})
		if err != nil {
			t.Fatal(err)
		}
		has(t, r.Text(), want)
		hasNot(t, r.Text(), "Ann", "the cat")
	}
}
