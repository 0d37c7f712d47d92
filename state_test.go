package rove_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"rove"
	"rove/internal/testkit"
	"rove/internal/testkit/person"
)

// members serves a site with a login: a cookie that scripts cannot see, and an
// entry in local storage. hits counts the requests.
func members(t *testing.T) (url string, hits *atomic.Int32) {
	t.Helper()
	hits = new(atomic.Int32)
	page := func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		who := "a stranger"
		if c, err := r.Cookie("login"); err == nil {
			who = c.Value
		}
		testkit.Page(`<title>Members</title><h1>Hello `+who+`</h1><p id=p></p>
			<script>p.textContent = "cart: " + localStorage.getItem("cart") + " " + localStorage.getItem("__proto__")</script>`)(w, r)
	}
	return testkit.Serve(t, map[string]http.HandlerFunc{
		"/": page,
		"/login": func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "login", Value: "ada-s3cret", Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, MaxAge: 3600})
			http.SetCookie(w, &http.Cookie{Name: "visit", Value: "short", Path: "/deep", SameSite: http.SameSiteStrictMode})
			testkit.Page(`<title>In</title><script>localStorage.setItem("cart", "3 “pears”"); localStorage.setItem("__proto__", "odd")</script>`)(w, r)
		},
	}), hits
}

func state(t *testing.T, path string) (cookies, origins []map[string]any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var s struct{ Cookies, Origins []map[string]any }
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s.Cookies, s.Origins
}

func TestStateSurvives(t *testing.T) {
	ctx, s := open(t)
	a, hits := members(t)
	b, _ := members(t)
	b = strings.Replace(b, "127.0.0.1", "localhost", 1) // another site
	for _, url := range []string{a + "/login", b + "/login"} {
		if _, err := s.Go(ctx, url); err != nil {
			t.Fatal(err)
		}
	}
	before := hits.Load()
	path := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(path, []byte("older"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveState(ctx, path); err != nil {
		t.Fatal(err)
	}
	if n := hits.Load(); n != before {
		t.Errorf("saving made %d requests", n-before)
	}
	if n := len(s.Driver().Tabs()); n != 1 {
		t.Errorf("%d tabs after saving", n)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("beside the file: %v", left)
	}
	cookies, origins := state(t, path)
	if len(cookies) != 4 || len(origins) != 2 {
		t.Fatalf("%d cookies, %d origins", len(cookies), len(origins))
	}
	for _, c := range cookies {
		login := c["name"] == "login"
		if c["httpOnly"] != login || login != (c["expires"].(float64) > 0) || login != (c["sameSite"] == "Lax") {
			t.Errorf("cookie %v", c)
		}
	}

	// Another session knows nothing, until it is told.
	ctx, next := open(t)
	page, err := next.Go(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	has(t, page.Text(), "Hello a stranger", "cart: null null")
	before = hits.Load()
	if err := next.LoadState(ctx, path); err != nil {
		t.Fatal(err)
	}
	if n := hits.Load(); n != before {
		t.Errorf("loading made %d requests", n-before)
	}
	for _, url := range []string{a, b} {
		if page, err = next.Go(ctx, url); err != nil {
			t.Fatal(err)
		}
		has(t, page.Text(), "Hello ada-s3cret", "cart: 3 “pears” odd")
	}
	// And what it saves is the same, but for the page it is at.
	again := filepath.Join(t.TempDir(), "again.json")
	if err := next.SaveState(ctx, again); err != nil {
		t.Fatal(err)
	}
	kept := func(path string) string {
		text, _ := os.ReadFile(path)
		state, _, _ := strings.Cut(string(text), `,"rovePages"`)
		return state
	}
	if x, y := kept(path), kept(again); x != y || x == "" {
		t.Errorf("saved again it differs:\n%s\n%s", x, y)
	}
}

func TestStateRespectsThePolicy(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	ctx := t.Context()
	url, _ := members(t)
	s, err := rove.Open(ctx, rove.Options{Allow: []string{strings.TrimPrefix(url, "http://")}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	path := filepath.Join(t.TempDir(), "state.json")
	save := func(origin string) {
		t.Helper()
		text := `{"cookies": [], "origins": [{"origin": "` + origin + `", "localStorage": [{"name": "cart", "value": "4"}]}]}`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save(url)
	if err := s.LoadState(ctx, path); err != nil {
		t.Fatal(err)
	}
	page, err := s.Go(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	has(t, page.Text(), "cart: 4 null")
	save("https://elsewhere.example")
	if err := s.LoadState(ctx, path); rove.CodeOf(err) != rove.CodePolicy || !strings.Contains(err.Error(), "https://elsewhere.example") {
		t.Errorf("an origin that is not allowed: %v", err)
	}
}

// What a browser does not take of a file is told, with the reason where it is known.
func TestWhatIsNotLoaded(t *testing.T) {
	ctx, s := open(t)
	path := filepath.Join(t.TempDir(), "state.json")
	text := `{"cookies": [{"name": "kept", "value": "1", "domain": "x.example", "path": "/", "expires": -1},
		{"name": "old", "value": "1", "domain": ".x.example", "path": "/", "expires": 1000000000},
		{"name": "lax", "value": "1", "domain": "x.example", "path": "/", "expires": -1, "sameSite": "None"}],
		"origins": [{"origin": "https://x.example", "localStorage": [], "sessionStorage": [{"name": "a", "value": "b"}]}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Go(ctx, "data:text/html,elsewhere"); err != nil {
		t.Fatal(err)
	}
	lost, err := s.LoadStateNoting(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(lost, "\n")
	has(t, all, `cookie "old" of .x.example: it expired on 2001-09-09`, "session storage of https://x.example: the tab shows another page")
	hasNot(t, all, "kept")
}

func TestBadStateFiles(t *testing.T) {
	ctx, s := open(t)
	dir := t.TempDir()
	for _, c := range []struct {
		text string
		mode os.FileMode
		want string
	}{
		{`{}`, 0o644, "others can read"},
		{`{}`, 0o620, "others can read"},
		{``, 0o600, "not JSON"},
		{`{"cookies": [{"name": "a", "value": "s3cret`, 0o600, "not JSON"},
		{`{"cookies": "s3cret"}`, 0o600, "not JSON"},
		{`{"cookies": [{"name": "a", "value": 53237}]}`, 0o600, "not JSON"},
		{`["s3cret"]`, 0o600, "not JSON"},
		{`{"cookies": [{"name": "a", "value": "s3cret"}]}`, 0o600, "cookie 1 needs"},
		{`{"cookies": [{"name": "a", "value": "s3cret", "domain": "x.example", "sameSite": "Often"}]}`, 0o600, "cookie 1 needs"},
		{`{"origins": [{"origin": "https://s3cret@x.example/"}]}`, 0o600, "origin 1 is none"},
		{`{"origins": [{"origin": "file:///etc"}]}`, 0o600, "origin 1 is none"},
	} {
		if runtime.GOOS == "windows" && c.mode != 0o600 {
			continue
		}
		path := filepath.Join(dir, "state.json")
		if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil { // whatever the umask
			t.Fatal(err)
		}
		err := s.LoadState(ctx, path)
		if rove.CodeOf(err) != rove.CodeInvalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "53237")) {
			t.Errorf("the error tells what is in the file: %v", err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "none")} {
		if err := s.LoadState(ctx, path); rove.CodeOf(err) != rove.CodeInvalid {
			t.Errorf("load %s: %v", path, err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "none", "state.json")} {
		if err := s.SaveState(ctx, path); rove.CodeOf(err) != rove.CodeInvalid {
			t.Errorf("save %s: %v", path, err)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.SaveState(ended, filepath.Join(dir, "late.json")); err == nil {
		t.Error("saved after its context had ended")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// club serves a site that sends strangers to its login, keeps who somebody is in a
// database, and the step he is at in the storage of his tab.
func club(t *testing.T, alive *atomic.Bool) string {
	t.Helper()
	alive.Store(true)
	return testkit.Serve(t, map[string]http.HandlerFunc{
		"/login": func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				http.SetCookie(w, &http.Cookie{Name: "member", Value: "ada", Path: "/", HttpOnly: true})
				http.Redirect(w, r, "/home", http.StatusSeeOther)
				return
			}
			testkit.Page(`<title>Sign in</title><form method=post><input type=password aria-label=Password><button>In</button></form>`)(w, r)
		},
		"/home": func(w http.ResponseWriter, r *http.Request) {
			if _, err := r.Cookie("member"); err != nil || !alive.Load() {
				http.Redirect(w, r, "/login", http.StatusSeeOther)
				return
			}
			testkit.Page(`<title>Home</title><p id=p>…</p><button onclick="fill()">Fill</button><script>
const open = () => new Promise((yes) => { const r = indexedDB.open('who', 3); r.onupgradeneeded = () => { const s = r.result.createObjectStore('keys', { keyPath: 'id' });
	s.createIndex('by', 'name'); r.result.createObjectStore('odd') }; r.onsuccess = () => yes(r.result) })
const done = (r) => new Promise((yes) => { r.onsuccess = () => yes(r.result) })
async function fill() { const db = await open(); const tx = db.transaction(['keys', 'odd'], 'readwrite')
	tx.objectStore('keys').put({ id: 7, name: 'Ada', since: new Date(86400000), set: new Set(['x']), raw: new Uint8Array([1, 2, 255]) })
	tx.objectStore('odd').put(12n, ['k', 2]); await new Promise((yes) => { tx.oncomplete = yes }); sessionStorage.step = '4'; show() }
async function show() { const db = await open(); const tx = db.transaction(['keys', 'odd'])
	const k = await done(tx.objectStore('keys').index('by').get('Ada')), o = await done(db.transaction('odd').objectStore('odd').get(['k', 2]))
	p.textContent = k ? [k.id, k.since.getTime(), k.set.has('x'), k.raw.join(), String(o), sessionStorage.step].join(' ') : 'empty' }
show()</script>`)(w, r)
		},
	})
}

// TestLoginMovesOut: what keeps a person logged in is taken from the person's browser,
// when the person agrees, to one of rove's own, databases and all; and whether that
// still counts is looked at.
func TestLoginMovesOut(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	var alive atomic.Bool
	url := club(t, &alive)
	other, _ := members(t)
	other = strings.Replace(other, "127.0.0.1", "localhost", 1)
	p := person.Start(t, t.TempDir(), nil, other+"/login")
	ctx := testkit.Context(t)
	own := joined(t, ctx, rove.Options{Connect: p.Port})
	defer own.Close()
	if _, err := own.Go(ctx, url+"/home"); err != nil {
		t.Fatal(err)
	}
	if _, err := own.Act(ctx, rove.Step{Ref: "{button}In", Op: "click"}, rove.Step{Ref: "{button}Fill", Op: "click"}, rove.Step{Ref: "_page", Op: "wait", Value: "text:7 86400000 true 1,2,255 12 4"}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "login.json")
	if err := own.SaveState(ctx, path); rove.CodeOf(err) != rove.CodePolicy || !strings.Contains(err.Error(), "--yes") {
		t.Errorf("nobody was asked: %v", err)
	}
	asked := ""
	agree := rove.WithConfirm(ctx, func(_ context.Context, q rove.Question) (bool, error) {
		asked = q.String()
		return true, nil
	})
	if err := own.SaveState(agree, path); err != nil {
		t.Fatal(err)
	}
	has(t, asked, "session save", path, "logged in as you")
	if text, _ := os.ReadFile(path); strings.Contains(string(text), "s3cret") {
		t.Error("the file has a cookie of a site that the session has not been to")
	}
	if err := own.LoadState(ctx, path); rove.CodeOf(err) != rove.CodeUnsupported {
		t.Errorf("into the person's browser: %v", err)
	}

	s, err := browser.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, s)
	if err := s.LoadState(ctx, path); err != nil {
		t.Fatal(err)
	}
	check := func() string {
		t.Helper()
		checks, err := s.CheckState(ctx, path)
		if err != nil || len(checks) != 1 {
			t.Fatal(checks, err)
		}
		return checks[0].String()
	}
	has(t, check(), "still logged in at "+url+"/home", `without the state it is "Sign in"`)
	page, err := s.Go(ctx, url+"/home")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Wait(ctx, "text:7 86400000 true 1,2,255 12 4", rove.WaitTimeout); err != nil {
		t.Errorf("%v\n%s", err, page.Text())
	}
	alive.Store(false)
	has(t, check(), "NOT logged in", "what anybody gets")
}

// TestLoginThatCannotBeChecked: a page that looks the same to all says nothing.
func TestLoginThatCannotBeChecked(t *testing.T) {
	ctx, s := open(t)
	url := serve(t, `<title>Same</title><p>for all</p>`)
	if _, err := s.Go(ctx, url); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "state.json")
	if err := s.SaveState(ctx, path); err != nil {
		t.Fatal(err)
	}
	checks, err := s.CheckState(ctx, path)
	if err != nil || len(checks) != 1 || checks[0].Verified || checks[0].Lost {
		t.Fatal(checks, err)
	}
	has(t, checks[0].String(), "not verified", "the same to anybody")
}
