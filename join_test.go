package rove_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
	"rove/internal/testkit/person"
)

const tall = `<title>NAME</title><input id=a autofocus><p style="height:4000px">…</p>
<script>window.heard = 0; for (const e of ['click','keydown','blur','visibilitychange','focus']) addEventListener(e, () => heard++); scrollTo(0, 700)</script>`

// home is what a person looks at: three tabs.
func home(t *testing.T, args ...string) (*person.Person, string, []string) {
	t.Helper()
	testkit.Parallel(t)
	origin := testkit.Pages(t, map[string]string{
		"/mail": strings.Replace(tall, "NAME", "Mail", 1), "/bank": strings.Replace(tall, "NAME", "Bank", 1), "/news": strings.Replace(tall, "NAME", "News", 1),
		"/work": `<title>Work</title><button onclick="this.textContent='done'">Do it</button><a href=/popup target=_blank>Open</a><script>window.name='w'</script>`, "/popup": `<title>Popup</title><h1>Popped</h1>`,
		"/file": `<a download=a.txt href="data:text/plain,hello">Get</a>`,
	})
	urls := []string{origin + "/mail", origin + "/bank", origin + "/news"}
	return person.Start(t, t.TempDir(), args, urls...), origin, urls
}

func joined(t *testing.T, ctx context.Context, opts rove.Options) *rove.Session {
	t.Helper()
	s, err := rove.Open(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestConnectedTabs: two agents in a person's browser have tabs of their own; the
// person's are as they were, all the time and afterwards.
func TestConnectedTabs(t *testing.T) {
	p, origin, urls := home(t)
	ctx := testkit.Context(t)
	before := map[string]string{}
	for _, u := range urls {
		before[u] = p.State(u)
	}
	untouched := func(when string) {
		t.Helper()
		for _, u := range urls {
			if now := p.State(u); now != before[u] {
				t.Errorf("%s, %s is\n%s\nand was\n%s", when, u, now, before[u])
			}
		}
	}
	var said strings.Builder
	b, err := rove.Launch(ctx, rove.Options{Connect: p.Port, Progress: &said})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	has(t, said.String(), "which a person uses", "Not held there: isolation", "limits on the network")
	one, err := b.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	two, err := b.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*rove.Session{one, two} {
		page, err := s.Go(ctx, origin+"/work")
		if err != nil {
			t.Fatal(err)
		}
		has(t, page.Text(), `button "Do it"`)
		if n := len(s.Driver().Tabs()); n != 1 {
			t.Errorf("the session has %d tabs", n)
		}
	}
	done, err := one.Act(ctx, rove.Step{Ref: "e1", Op: "click"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, done.Text(), "done")
	view, err := two.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	has(t, view.Text(), "Do it")
	untouched("at work")
	if n := len(p.Tabs()); n != 5 {
		t.Errorf("%d tabs in all: %q", n, p.URLs())
	}
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	if n := len(p.Tabs()); n != 4 {
		t.Errorf("%d tabs after the first agent: %q", n, p.URLs())
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	want := slices.Sorted(slices.Values(urls))
	if got := p.URLs(); !slices.Equal(got, want) {
		t.Errorf("left: %q", got)
	}
	untouched("afterwards")
}

// TestConnectedPopups: what a tab of rove's opens is rove's too, of that session
// alone, and goes with it.
func TestConnectedPopups(t *testing.T) {
	p, origin, urls := home(t)
	ctx := testkit.Context(t)
	b, err := rove.Launch(ctx, rove.Options{Connect: p.Port})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	inFront := func() (at string) {
		for _, u := range urls {
			var state string
			if p.Eval(u, "document.visibilityState", &state); state == "visible" {
				at = u
			}
		}
		return at
	}
	looked := inFront()
	if looked == "" {
		t.Fatal("the person looks at nothing")
	}
	var agents []*rove.Session
	for range 2 {
		s, err := b.Open(ctx, rove.Viewport{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Go(ctx, origin+"/work"); err != nil {
			t.Fatal(err)
		}
		agents = append(agents, s)
	}
	done, err := agents[0].Act(ctx, rove.Step{Ref: "e2", Op: "click"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, done.Text(), "new tab", "/popup")
	testkit.Eventually(t, "the person's tab is in front again", func() bool { return inFront() == looked })
	// Nor does it stay there when a page asks whether it may be left.
	if _, err := agents[1].Act(ctx, rove.Step{Ref: "{button}Do it", Op: "click"}); err != nil {
		t.Fatal(err)
	}
	if _, err := agents[1].Eval(ctx, "addEventListener('beforeunload', e => e.preventDefault())"); err != nil {
		t.Fatal(err)
	}
	if v, err := agents[1].Go(ctx, origin+"/popup"); err != nil {
		t.Fatal(err)
	} else {
		has(t, v.Text(), "beforeunload")
	}
	testkit.Eventually(t, "the person's tab is in front again after a question", func() bool { return inFront() == looked })
	if a, b := len(agents[0].Driver().Tabs()), len(agents[1].Driver().Tabs()); a != 2 || b != 1 {
		t.Errorf("%d and %d tabs after a popup", a, b)
	}
	if _, err := agents[0].Act(ctx, rove.Step{Ref: "_page", Op: "tab", Value: "2"}); err != nil {
		t.Fatal(err)
	}
	view, err := agents[0].Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	has(t, view.Text(), "Popped")
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if got, want := p.URLs(), slices.Sorted(slices.Values(urls)); !slices.Equal(got, want) {
		t.Errorf("left: %q", got)
	}
}

// TestConnectedTabsByName: a person's tab is told of and gone to only where that is
// allowed, and stays when the session ends.
func TestConnectedTabsByName(t *testing.T) {
	p, _, urls := home(t)
	ctx := testkit.Context(t)
	tab := func(s *rove.Session, value string) (string, error) {
		t.Helper()
		r, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "tab", Value: value})
		if r == nil {
			return "", err
		}
		return r.Text(), err
	}
	own := joined(t, ctx, rove.Options{Connect: "127.0.0.1:" + p.Port})
	text, err := tab(own, "list")
	if err != nil {
		t.Fatal(err)
	}
	has(t, text, "--tabs all")
	hasNot(t, text, "Mail", "/bank")
	text, err = tab(own, "Bank")
	if rove.CodeOf(err) != rove.CodePolicy {
		t.Errorf("a tab that was not allowed: %v, %s", err, text)
	}
	if err := own.Close(); err != nil {
		t.Error(err)
	}

	all := joined(t, ctx, rove.Options{Connect: "http://localhost:" + p.Port, Tabs: "all"})
	text, err = tab(all, "list")
	if err != nil {
		t.Fatal(err)
	}
	has(t, text, `the person's: "Mail"`, `the person's: "Bank"`)
	if _, err = tab(all, "bank"); err != nil {
		t.Fatal(err)
	}
	if at := all.Driver().Tab().URL(); at != urls[1] {
		t.Errorf("at %s", at)
	}
	view, err := all.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	has(t, view.Text(), "Bank")
	if _, err := all.Act(ctx, rove.Step{Ref: "_page", Op: "tab", Value: "close"}); err != nil {
		t.Fatal(err)
	}
	if _, err = tab(all, "mail"); err != nil {
		t.Fatal(err)
	}
	if err := all.Close(); err != nil {
		t.Error(err)
	}
	if got, want := p.URLs(), slices.Sorted(slices.Values(urls)); !slices.Equal(got, want) {
		t.Errorf("left: %q, want %q", got, want)
	}
	var globals string
	p.Eval(urls[1], `Object.keys(window).filter((k) => /^_*rove/i.test(k)).join()`, &globals)
	if globals != "" {
		t.Errorf("the page has %q", globals)
	}
}

// TestConnectedBounds: what would change the person's browser is refused, and what
// cannot be held is not promised.
func TestConnectedBounds(t *testing.T) {
	p, origin, _ := home(t)
	ctx := testkit.Context(t)
	for _, tt := range []struct {
		name string
		opts rove.Options
		code rove.Code
		says string
	}{
		{"limits", rove.Options{Connect: p.Port, Allow: []string{"example.com"}}, rove.CodePolicy, "cannot be held"},
		{"private", rove.Options{Connect: p.Port, Block: []string{"private"}}, rove.CodePolicy, "cannot be held"},
		{"profile", rove.Options{Connect: p.Port, Profile: "/x"}, rove.CodeInvalid, "leave profile out"},
		{"tabs", rove.Options{Connect: p.Port, Tabs: "some"}, rove.CodeInvalid, "own or all"},
		{"tabs alone", rove.Options{Tabs: "all"}, rove.CodeInvalid, "runs already"},
		{"place", rove.Options{Connect: "nine"}, rove.CodeInvalid, "write a port"},
		{"one tab", rove.Options{Connect: "ws://127.0.0.1:" + p.Port + "/devtools/page/AB"}, rove.CodeInvalid, "one tab"},
		{"no such browser", rove.Options{Connect: "ws://127.0.0.1:" + p.Port + "/devtools/browser/none"}, rove.CodeClosed, "not under this address"},
	} {
		_, err := rove.Open(ctx, tt.opts)
		if rove.CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	s := joined(t, ctx, rove.Options{Connect: p.Port, Caps: []string{"-eval"}})
	defer s.Close()
	if _, err := s.Go(ctx, origin+"/work"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Eval(ctx, "1"); rove.CodeOf(err) != rove.CodePolicy {
		t.Errorf("eval: %v", err)
	}
	if _, err := s.Go(ctx, "chrome://settings"); rove.CodeOf(err) != rove.CodePolicy {
		t.Errorf("chrome: %v", err)
	}
	if err := s.Driver().ClearCookies(ctx); rove.CodeOf(err) != rove.CodeUnsupported {
		t.Errorf("clear: %v", err)
	}
	keptFromItself(t, ctx, p.Port, origin)
}

// keptFromItself: the browser tells who asks it over HTTP of the person's tabs, and closes
// them. No page of rove's gets there, by whatever way.
func keptFromItself(t *testing.T, ctx context.Context, port, origin string) {
	s := joined(t, ctx, rove.Options{Connect: port})
	defer s.Close()
	if _, err := s.Go(ctx, origin+"/work"); err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "0x7f.1"} {
		if _, err := s.Go(ctx, "http://"+host+":"+port+"/json/list"); rove.CodeOf(err) != rove.CodePolicy || !strings.Contains(err.Error(), "way to this browser") {
			t.Errorf("%s: %v", host, err)
		}
	}
	at := "'http://127.0.0.1:" + port + "/json/list'"
	for name, js := range map[string]string{
		"fetch":  "fetch(" + at + ", {mode: 'no-cors'}).then(() => 'came', () => 'kept')",
		"worker": "new Promise(done => { new Worker(URL.createObjectURL(new Blob([`fetch(" + at + ", {mode: 'no-cors'}).then(() => postMessage('came'), () => postMessage('kept'))`]))).onmessage = e => done(e.data) })",
	} {
		got, err := s.Eval(ctx, js)
		if err != nil || !strings.Contains(got.Text(), "kept") {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := s.Eval(ctx, "new Promise(done => document.body.append(Object.assign(document.createElement('iframe'), {src: "+at+", onload: () => done(1)})))"); err != nil {
		t.Errorf("frame: %v, %v", got, err)
	}
	_, _ = s.Eval(ctx, "location = "+at)
	if view, err := s.Look(ctx, rove.LookOptions{}); err != nil || !strings.Contains(view.Text(), "Do it") || strings.Contains(view.Text(), "devtools") {
		t.Errorf("it went there: %v, %v", view, err)
	}
}

// TestConnectedBrowserEnds: a tab or a browser that the person closes is told as
// that; when it is back it can be had again.
func TestConnectedBrowserEnds(t *testing.T) {
	p, origin, _ := home(t)
	ctx := testkit.Context(t)
	s := joined(t, ctx, rove.Options{Connect: p.Port})
	if _, err := s.Go(ctx, origin+"/work"); err != nil {
		t.Fatal(err)
	}
	p.Close(origin + "/work")
	testkit.Eventually(t, "the tab is gone", func() bool { return len(s.Driver().Tabs()) == 0 })
	view, err := s.Look(ctx, rove.LookOptions{})
	if err != nil {
		t.Fatal(err)
	}
	has(t, view.Text(), "closed")
	p.Quit()
	<-s.Done()
	if _, err := s.Look(ctx, rove.LookOptions{}); rove.CodeOf(err) != rove.CodeClosed {
		t.Errorf("look: %v", err)
	}
	_ = s.Close()
	_, err = rove.Open(ctx, rove.Options{Connect: p.Port})
	if rove.CodeOf(err) != rove.CodeClosed || !strings.Contains(err.Error(), "nothing listens there") || !strings.Contains(err.Error(), "chrome://inspect") {
		t.Errorf("nobody there: %v", err)
	}
}

// TestConnectedToNoBrowser: what listens may be anything.
func TestConnectedToNoBrowser(t *testing.T) {
	t.Parallel()
	ctx := testkit.Context(t)
	other := testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusForbidden) }))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := l.Addr().String()
	_ = l.Close()
	for at, says := range map[string]string{
		other: "is no browser that can be driven",
		strings.Replace(other, "http:", "ws:", 1) + "/devtools/browser/x": "refused the connection",
		free:                                   "nothing listens there",
		"ws://" + free + "/devtools/browser/x": "nothing listens there",
	} {
		_, err := rove.Open(ctx, rove.Options{Connect: at})
		if rove.CodeOf(err) != rove.CodeClosed || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", at, err)
		}
	}
}

// TestConnectedDownloads: files go where the person's go, and are told of; where
// downloads are switched off there is none.
func TestConnectedDownloads(t *testing.T) {
	p, origin, _ := home(t)
	ctx := testkit.Context(t)
	s := joined(t, ctx, rove.Options{Connect: p.Port})
	defer s.Close()
	if _, err := s.Go(ctx, origin+"/file"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(ctx, rove.Step{Ref: "e1", Op: "click"}); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the file is there", func() bool {
		for _, d := range s.Driver().Downloads() {
			if !d.Open && !d.Failed {
				text, err := os.ReadFile(d.Path)
				t.Cleanup(func() { _ = os.Remove(d.Path) })
				return err == nil && string(text) == "hello"
			}
		}
		return false
	})
}
