package httpapi

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

// TestManyStreams: whoever opens one stream of events after the other is in nobody
// else's way.
func TestManyStreams(t *testing.T) {
	s, addr, _ := start(t, Options{})
	for _, id := range []string{"MANY", "OTHER"} {
		s.talks[id] = &talk{id: id, talk: s.opts.Sessions.Conversation(""), used: time.Now()}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	status := func(path string) int {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0
		}
		t.Cleanup(func() { _ = a.Body.Close() })
		return a.StatusCode
	}
	var mu sync.Mutex
	got := map[int]int{}
	var all sync.WaitGroup
	for range mostRequests {
		all.Go(func() {
			one := status("/sessions/MANY/events")
			mu.Lock()
			defer mu.Unlock()
			got[one]++
		})
	}
	all.Wait()
	if got[200] != mostShare || got[429] != mostRequests-mostShare {
		t.Errorf("answers by status: %v", got)
	}
	for _, path := range []string{"/sessions", "/openapi.json", "/sessions/OTHER/events"} {
		if got := status(path); got != 200 {
			t.Errorf("%s meanwhile: %d", path, got)
		}
	}
	cancel()
	testkit.Eventually(t, "all have left", func() bool {
		s.room.mu.Lock()
		defer s.room.mu.Unlock()
		return s.room.all == 0 && len(s.room.of) == 0
	})
}

// TestShares: with many sessions each has less, so that all together leave some.
func TestShares(t *testing.T) {
	s := New(Options{})
	for n := range 100 {
		id := fmt.Sprint("S", n)
		s.talks[id] = &talk{id: id}
		r, err := http.NewRequest(http.MethodGet, "http://x/sessions/"+id+"/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		session, share := s.limitFor(r)
		if session == "" || share*(n+1) >= mostRequests || share < leastShare {
			t.Fatalf("%d sessions: %q may have %d", n+1, session, share)
		}
	}
}

// TestDrivenBrowserIsRefused: no page of a session reaches what drives it, by
// whatever means a page has, and not by a person's typing either.
func TestDrivenBrowserIsRefused(t *testing.T) {
	testkit.NeedsBrowser(t)
	_, addr, logged := start(t, Options{})
	// A browser that calls itself something else is one all the same.
	b, err := rove.Open(testkit.Context(t), rove.Options{Args: []string{"--user-agent=curl/8.0"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	page := testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.FormValue("to"); to != "" {
			http.Redirect(w, r, to, http.StatusTemporaryRedirect)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>a page</title><body>")
	}))
	_, port, _ := net.SplitHostPort(addr)
	for _, at := range []string{"http://" + addr, "http://localhost:" + port, "http://0.0.0.0:" + port, "http://a.localhost:" + port, "http://[::ffff:127.0.0.1]:" + port} {
		if r, err := b.Go(testkit.Context(t), at+"/sessions"); err == nil && r.Status < 400 {
			t.Errorf("go: %s", r.Text())
		}
		for _, from := range []string{at + "/openapi.json", page} {
			_, _ = b.Go(testkit.Context(t), from)
			for _, script := range []string{
				`fetch('AT/sessions').then(r => r.status, () => 0)`,
				`fetch('AT/sessions', {mode: 'no-cors'}).then(r => r.status, () => 0)`,
				`fetch('AT/sessions', {method: 'POST', mode: 'no-cors', body: '{}'}).then(r => r.status, () => 0)`,
				`fetch('AT/sessions', {method: 'POST', body: '{}', headers: {'Content-Type': 'application/json'}}).then(r => r.status, () => 0)`,
				`new Promise(r => { const x = new XMLHttpRequest(); x.onloadend = () => r(x.status); x.open('GET', 'AT/sessions'); x.send() })`,
				`new Promise(r => { const e = new EventSource('AT/sessions/x/events'); e.onopen = () => r(200); e.onerror = () => r(0) })`,
				`new Promise(r => { const w = new WebSocket('AT/sessions'.replace('http', 'ws')); w.onopen = () => r(200); w.onerror = () => r(0) })`,
				`new Promise(r => { const f = document.createElement('iframe'); f.onload = () => r(0); f.src = 'AT/sessions'; document.body.append(f) })`,
				`new Promise(r => { const s = document.createElement('script'); s.onload = () => r(200); s.onerror = () => r(0); s.src = 'AT/openapi.json'; document.body.append(s) })`,
				`(navigator.sendBeacon('AT/sessions', '{}'), 0)`,
				`fetch('/?to=AT/sessions', {mode: 'no-cors'}).then(r => r.status, () => 0)`,
				`fetch('/?to=AT/sessions', {method: 'POST', body: '{}', headers: {'Content-Type': 'application/json'}}).then(r => r.status, () => 0)`,
				`fetch('AT/sessions', {headers: {'User-Agent': 'curl', 'Sec-Fetch-Site': 'none', 'X': '1'}}).then(r => r.status, () => 0)`,
				`fetch('AT/sessions', {mode: 'no-cors', targetAddressSpace: 'loopback', priority: 'high', keepalive: true}).then(r => r.status, () => 0)`,
				`import('AT/openapi.json').then(() => 200, () => 0)`,
				`import('AT/openapi.json', {with: {type: 'json'}}).then(() => 200, () => 0)`,
				`new Promise(r => { const w = new Worker(URL.createObjectURL(new Blob(["fetch('AT/sessions').then((r) => postMessage(r.status), () => postMessage(0))"]))); w.onmessage = (e) => r(e.data); w.onerror = () => r(0) })`,
				`new Promise(r => { const o = document.createElement('object'); o.onload = o.onerror = () => r(0); o.data = 'AT/sessions'; document.body.append(o); setTimeout(r, 300, 0) })`,
				`new Promise(r => { const l = document.createElement('link'); l.rel = 'prefetch'; l.href = 'AT/sessions'; l.onload = () => r(0); l.onerror = () => r(0); document.head.append(l); setTimeout(r, 300, 0) })`,
				`new Promise(r => { const l = document.createElement('link'); l.rel = 'icon'; l.href = 'AT/sessions'; document.head.append(l); const i = new Image(); i.onload = () => r(200); i.onerror = () => r(0); i.src = 'AT/sessions' })`,
				`new Promise(r => { const f = document.createElement('iframe'); f.sandbox = 'allow-scripts'; onmessage = (e) => r(e.data); f.srcdoc = "<script>fetch('AT/sessions').then((r) => parent.postMessage(r.status, '*'), () => parent.postMessage(0, '*'))</" + "script>"; f.onload = () => setTimeout(r, 300, 0); document.body.append(f) })`,
				`new Promise(r => { const f = document.createElement('form'); f.method = 'post'; f.enctype = 'text/plain'; f.action = 'AT/sessions'; const i = document.createElement('iframe'); i.name = f.target = 'posted'; i.onload = () => r(0); document.body.append(i, f); f.submit(); setTimeout(r, 300, 0) })`,
				`(() => { const a = document.createElement('a'); a.href = '#'; a.ping = 'AT/sessions'; document.body.append(a); a.click(); return 0 })()`,
				`self.WebTransport ? new WebTransport('AT/sessions'.replace('http:', 'https:')).ready.then(() => 200, () => 0) : 0`,
			} {
				got, err := b.Eval(testkit.Context(t), strings.ReplaceAll(script, "AT", at))
				if err != nil || got.Text() != "0" && got.Text() != "403" {
					t.Errorf("%s from %s: %v, %v", script, from, got, err)
				}
			}
		}
	}
	if said := logged.String(); strings.Contains(said, "status=20") {
		t.Errorf("answered:\n%s", said)
	}
	// A program is not a browser, also one that says it fetches.
	r, err := http.NewRequest(http.MethodGet, "http://"+addr+"/sessions", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Mode", "cors")
	r.Header.Set("User-Agent", "node")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = a.Body.Close()
	if a.StatusCode != 200 {
		t.Errorf("a program: %d", a.StatusCode)
	}
}
