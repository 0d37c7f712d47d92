package chrome

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rove/driver/backend"
	"rove/internal/policy"
	"rove/internal/testkit"
)

// fenced is a tab that may only reach one site; out collects what arrived at
// another. OUT in the pages is the origin of that one.
func fenced(t *testing.T, pages map[string]string) (tab *Tab, in *site, out *arrivals) {
	t.Helper()
	there := serve(t, nil)
	out = &arrivals{origin: there.here}
	there.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		out.add(r)
		fmt.Fprint(w, "<title>out</title>")
	})
	for path, html := range pages {
		pages[path] = out.address(html)
	}
	in = serve(t, pages)
	in.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, there.here+r.FormValue("to"), http.StatusFound)
	})
	in.HandleFunc("/hop", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/redirect?to=/hopped", http.StatusFound)
	})
	in.HandleFunc("/socket", hello)
	in.HandleFunc("/script.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, out.address(workerScript))
	})
	p, err := policy.New([]string{in.here, in.there}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return openIn(t, backend.ContextOptions{Policy: p}), in, out
}

// hello accepts a web socket and says so.
func hello(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	_ = c.Write(r.Context(), websocket.MessageText, []byte("hello"))
	_ = c.Close(websocket.StatusNormalClosure, "")
}

// arrivals are the requests that came to an origin.
type arrivals struct {
	origin string
	mu     sync.Mutex
	list   []string
}

func (a *arrivals) add(r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, r.Method+" "+r.URL.Path)
}

func (a *arrivals) address(s string) string {
	return strings.NewReplacer("WSOUT", "ws"+strings.TrimPrefix(a.origin, "http"), "OUT", a.origin).Replace(s)
}

func (a *arrivals) none(t *testing.T) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) > 0 {
		t.Errorf("arrived out of bounds: %q", a.list)
		a.list = nil
	}
}

const workerScript = `
const tell = async (port) => {
  const said = {};
  try { await fetch('OUT/worker', {mode: 'no-cors'}); said.fetch = 'open' } catch { said.fetch = 'refused' }
  said.socket = await new Promise(r => { const w = new WebSocket('WSOUT/worker'); w.onopen = () => r('open'); w.onerror = () => r('refused') });
  try { importScripts('OUT/import.js'); said.imported = 'open' } catch { said.imported = 'refused' }
  port.postMessage(said);
};
onmessage = (e) => tell(e.source || self);
onconnect = (e) => tell(e.ports[0]);
if (self.registration) { oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim()) }
`

// TestPolicyHolds has every way a page has to reach out. Each must be refused,
// and nothing may arrive.
func TestPolicyHolds(t *testing.T) {
	const refused = `"refused"`
	const nothing = `{"fetch":"refused","imported":"refused","socket":"refused"}`
	cases := []struct{ name, script, want string }{
		{"fetch", `fetch('OUT/fetch', {mode: 'no-cors'}).then(() => 'open', () => 'refused')`, refused},
		{"fetch, redirected", `fetch('/redirect?to=/fetched', {mode: 'no-cors'}).then(() => 'open', () => 'refused')`, refused},
		{"fetch, redirected twice", `fetch('/hop', {mode: 'no-cors'}).then(() => 'open', () => 'refused')`, refused},
		{"request", `new Promise(r => { const x = new XMLHttpRequest(); x.onload = () => r('open'); x.onerror = () => r('refused'); x.open('POST', 'OUT/xhr'); x.send('a') })`, refused},
		{"picture", `new Promise(r => { const i = new Image(); i.onload = () => r('open'); i.onerror = () => r('refused'); i.src = 'OUT/img' })`, refused},
		{"script", `new Promise(r => { const s = document.createElement('script'); s.onload = () => r('open'); s.onerror = () => r('refused'); s.src = 'OUT/s.js'; document.head.append(s) })`, refused},
		{"style", `new Promise(r => { const s = document.createElement('link'); s.rel = 'stylesheet'; s.onload = () => r('open'); s.onerror = () => r('refused'); s.href = 'OUT/s.css'; document.head.append(s) })`, refused},
		{"module", `import('OUT/m.js').then(() => 'open', () => 'refused')`, refused},
		{"beacon", `(navigator.sendBeacon('OUT/beacon', 'a'), fetch('OUT/x').then(() => 'open', () => 'refused'))`, refused},
		{"web socket", `new Promise(r => { const w = new WebSocket('WSOUT/socket'); w.onopen = () => r('open'); w.onerror = () => r('refused') })`, refused},
		{"web socket stream", `typeof WebSocketStream === 'undefined' ? 'refused' : new WebSocketStream('WSOUT/socket').opened.then(() => 'open', () => 'refused')`, refused},
		{"event source", `new Promise(r => { const e = new EventSource('OUT/events'); e.onopen = () => r('open'); e.onerror = () => { e.close(); r('refused') } })`, refused},
		{"worker", `new Promise(r => { const w = new Worker('/script.js'); w.onmessage = (e) => r(e.data); w.postMessage(0) })`, nothing},
		{"worker of a blob", `new Promise(r => { const w = new Worker(URL.createObjectURL(new Blob(["fetch('OUT/blob').then(() => postMessage('open'), () => postMessage('refused'))"]))); w.onmessage = (e) => r(e.data) })`, refused},
		{"shared worker", `new Promise(r => { const w = new SharedWorker('/script.js'); w.port.onmessage = (e) => r(e.data) })`, nothing},
		{"service worker", `(async () => { await navigator.serviceWorker.register('/script.js'); const g = await navigator.serviceWorker.ready; return new Promise(r => { navigator.serviceWorker.onmessage = (e) => r(e.data); g.active.postMessage(0) }) })()`, nothing},
		{"service worker from outside", `navigator.serviceWorker.register('OUT/sw.js').then(() => 'open', () => 'refused')`, refused},
		{"blank frame", `new Promise(r => { const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.fetch('OUT/framed').then(() => r('open'), () => r('refused')) })`, refused},
		{"preconnect and its like", `(() => { for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload']) { const l = document.createElement('link'); l.rel = rel; l.href = 'OUT/' + rel; l.as = 'script'; document.head.append(l) } return fetch('OUT/y').then(() => 'open', () => 'refused') })()`, refused},
		{"what is allowed", `fetch('/script.js').then((r) => r.ok ? 'open' : 'refused', () => 'refused')`, `"open"`},
		{"a socket that is allowed", `new Promise(r => { const w = new WebSocket('ws://' + location.host + '/socket'); w.onmessage = (e) => r(e.data); w.onerror = () => r('refused') })`, `"hello"`},
		{"data and blobs", `Promise.all([fetch('data:,x'), fetch(URL.createObjectURL(new Blob(['x'])))]).then(() => 'open', () => 'refused')`, `"open"`},
	}
	tab, in, out := fenced(t, map[string]string{"/": "<title>in</title><body>in"})
	visit(t, tab, in.here+"/")
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := tab.Eval(within(t, 15*time.Second), "", out.address(c.script))
			var said any
			if err == nil {
				err = json.Unmarshal(got, &said)
			}
			same, _ := json.Marshal(said)
			if err != nil || string(same) != c.want {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
			out.none(t)
		})
	}
}

// TestPolicyNavigations: a page that is out of bounds is not shown, and the one
// that is there stays.
func TestPolicyNavigations(t *testing.T) {
	tab, in, out := fenced(t, map[string]string{
		"/":       `<title>in</title><a id=a href="OUT/link">x</a><a id=b href="OUT/blank" target=_blank>y</a><form id=f action="OUT/form" method=post></form>`,
		"/frame":  `<title>frame</title><iframe src="OUT/frame"></iframe><iframe src="THERE/nested"></iframe>`,
		"/nested": `<title>nested</title><iframe src="OUT/deep"></iframe><script>fetch('OUT/oop', {mode: 'no-cors'}).catch(() => {})</script>`,
		"/meta":   `<title>meta</title><meta http-equiv=refresh content="0;url=OUT/meta">`,
	})
	visit(t, tab, in.here+"/")
	isIn := func(t *testing.T) {
		t.Helper()
		got, err := tab.Eval(within(t, 10*time.Second), "", "document.title + location.pathname")
		if err != nil || string(got) != `"in/"` {
			t.Errorf("the page did not stay: %s, %v", got, err)
		}
	}
	for _, url := range []string{out.origin + "/", in.here + "/redirect?to=/x", in.here + "/hop", "file:///etc/passwd", "chrome://version", "view-source:" + in.here, "javascript:alert(1)"} {
		_, err := tab.Navigate(within(t, 10*time.Second), url, backend.NavigateOptions{})
		var r *policy.Refusal
		if !isKind(err, backend.KindPolicy) || !errors.As(err, &r) {
			t.Errorf("%s: %v", url, err)
		}
		isIn(t)
	}
	for _, js := range []string{
		"a.click()", "location = a.href", "f.submit()", "location = '/redirect?to=/r'", "open(a.href)", "b.click()", "open('/redirect?to=/popup')",
		"open('', 'w').location = a.href",
	} {
		t.Run(js, func(t *testing.T) {
			told := make(chan backend.Refused, 10)
			stop := tab.Watch(func(ev backend.Event) {
				if e, ok := ev.(backend.Refused); ok && e.Main {
					told <- e
				}
			})
			defer stop()
			if _, err := tab.Eval(within(t, 10*time.Second), "", js+"; 0"); err != nil {
				t.Fatal(err)
			}
			select {
			case e := <-told:
				if !strings.HasPrefix(e.URL, out.origin) || e.Err == nil {
					t.Errorf("%+v", e)
				}
			case <-time.After(5 * time.Second):
				t.Error("nobody was told")
			}
			isIn(t)
			if strings.HasPrefix(js, "open('',") {
				return // it was a window of the page's own before
			}
			testkit.Eventually(t, "the popup that was refused is closed", func() bool { return len(openedBy(tab)) == 0 })
		})
	}
	for _, path := range []string{"/frame", "/meta"} {
		visit(t, tab, in.here+path)
		// A round trip of the page's own, after whatever it began.
		if _, err := tab.Eval(within(t, 10*time.Second), "", "fetch('/').then(() => 0)"); err != nil {
			t.Error(err)
		}
	}
	out.none(t)
	for _, f := range tab.Frames() {
		if strings.HasPrefix(f.URL, out.origin) {
			t.Logf("frame at %s", f.URL)
		}
	}
}

// openedBy are the tabs that a page has opened.
func openedBy(t *Tab) (list []*Tab) {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	for _, o := range t.browser.tabs {
		if o.opener == t {
			list = append(list, o)
		}
	}
	return list
}

// TestHostsAsTheBrowserReadsThem holds the policy's reading of addresses to that
// of the browser: what they disagree about is a way around.
func TestHostsAsTheBrowserReadsThem(t *testing.T) {
	testkit.OnEveryBrowser(t)
	tab := open(t)
	all, err := policy.New([]string{"*:*"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{
		"http://EXAMPLE.com/", "http://example.com./", "http://0x7f.1/", "http://0177.0.0.1/", "http://2130706433/", "http://127.1/", "http://127.0.0.1./",
		"http://0x/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://09.1/", "http://1e3/", "http://0x1g/", "http://a.0x1/", "http://a.09/",
		"http://[::FFFF:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[1:2:0:0:0:0:7:8]/", "http://[::1%25eth0]/", "http://[::1/",
		"http://%65xample.com/", "http://ex%2fample.com/", "http://ex%00ample.com/", "http://bücher.example/", "http://BÜCHER.example/",
		"http://münchen.straße.example/", "http://例え.テスト/", "http://пример.испытание/", "http://παράδειγμα.example/", "http://한국.example/",
		"http://a b.example/", "http://a_b.example/", "http://user:pa@ss@example.com/", `http:\\example.com\x`, `http://evil.example\@example.com`,
		"http:example.com", "http:///example.com", "  http://example.com", "ht\ntp://exa\tmple.com", "http://example.com:080/", "http://example.com:65536/",
		"http://example.com:+80/", "http://-a.example/", "http://xn--bcher-kva.example/", "http://a~b.example/", "http://a!$&'()*+,;=b.example/",
	} {
		arg, err := json.Marshal(raw)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tab.Eval(within(t, 10*time.Second), "", fmt.Sprintf(`(() => { try { const u = new URL(%s); return u.hostname + ':' + (u.port || 80) } catch { return '' } })()`, arg))
		if err != nil {
			t.Fatal(err)
		}
		var browser string
		if err := json.Unmarshal(got, &browser); err != nil {
			t.Fatal(err)
		}
		if browser == "" {
			if all.URL(raw) == nil {
				t.Errorf("%q is no address to the browser, but is to the policy", raw)
			}
			continue
		}
		only, err := policy.New([]string{"http://" + browser}, nil)
		if err != nil {
			if all.URL(raw) == nil {
				t.Errorf("%q is %s to the browser, which the policy cannot read: %v", raw, browser, err)
			}
			continue
		}
		if err := only.URL(raw); err != nil {
			t.Errorf("%q is %s to the browser; the policy says %v", raw, browser, err)
		}
	}
}

// TestPolicyProxyIsNoServer: the way out answers nobody who takes it for a web
// server, and carries nothing that is out of bounds.
func TestPolicyProxyIsNoServer(t *testing.T) {
	tab, _, out := fenced(t, nil)
	way := tab.context.egress
	status := func(proxy func(*http.Request) (*url.URL, error), to string) int {
		t.Helper()
		c := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{Proxy: proxy, DisableKeepAlives: true}}
		r, err := c.Get(to)
		if err != nil {
			return 0
		}
		_ = r.Body.Close()
		return r.StatusCode
	}
	if got := status(nil, way.address()+"/"); got != http.StatusNotFound {
		t.Errorf("as a server: %d", got)
	}
	proxy, err := url.Parse(way.address())
	if err != nil {
		t.Fatal(err)
	}
	if got := status(http.ProxyURL(proxy), "http://evil.example/"); got != http.StatusForbidden {
		t.Errorf("out of bounds: %d", got)
	}
	if got := status(http.ProxyURL(proxy), strings.Replace(out.origin, "http:", "https:", 1)); got != 0 {
		t.Errorf("tunnel out of bounds: %d", got)
	}
	out.none(t)
}
