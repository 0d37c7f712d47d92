package pwa_test

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rove"
	"rove/cdp"
	"rove/internal/testkit"
)

var browser *rove.Browser

func TestMain(m *testing.M) {
	os.Exit(testkit.Main(m, testkit.Share(&browser, func(ctx context.Context) (*rove.Browser, error) {
		return rove.Launch(ctx, rove.Options{})
	})))
}

func open(t *testing.T) (context.Context, *rove.Session) {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	s, err := browser.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, s)
	return ctx, s
}

//go:embed testdata/app
var files embed.FS

// app is an application with a precache, a runtime cache and a page for when there
// is no network.
type app struct {
	*httptest.Server
	version atomic.Int32 // of its service worker
	hits    atomic.Int32 // of /api
}

const worker = `// version %d
const precache = ["/", "/offline.html"];
self.addEventListener("install", (e) => e.waitUntil(caches.open("pre-v1").then((c) => c.addAll(precache))));
self.addEventListener("activate", (e) => e.waitUntil(clients.claim()));
self.addEventListener("fetch", (e) => {
  const u = new URL(e.request.url);
  if (u.pathname === "/") return e.respondWith(caches.match("/"));
  if (u.pathname === "/api") return; // the network's alone
  e.respondWith(fetch(e.request).then(
    (r) => caches.open("runtime").then((c) => { c.put(e.request, r.clone()); return r; }),
    () => caches.match(e.request).then((r) => r || (e.request.mode === "navigate" ? caches.match("/offline.html") : Response.error()))));
});
self.addEventListener("message", async (e) => {
  const answer = await fetch("/api").then((r) => r.text(), (x) => "failed: " + x.message);
  e.source.postMessage(answer);
});`

func serve(t *testing.T) *app {
	t.Helper()
	content, err := fs.Sub(files, "testdata/app")
	if err != nil {
		t.Fatal(err)
	}
	a := &app{}
	a.version.Store(1)
	var icon bytes.Buffer
	if err := png.Encode(&icon, image.NewRGBA(image.Rect(0, 0, 192, 192))); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServerFS(content))
	mux.HandleFunc("/sw.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintf(w, worker, a.version.Load())
	})
	mux.HandleFunc("/manifest.webmanifest", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/manifest+json")
		http.ServeFileFS(w, r, content, "manifest.webmanifest")
	})
	mux.HandleFunc("/icon.png", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(icon.Bytes())
	})
	mux.HandleFunc("/api", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintf(w, "hit %d", a.hits.Add(1))
	})
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `onmessage = () => fetch("/api").then((r) => r.text(), (x) => "failed: " + x.message).then(postMessage)`)
	})
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

// installed opens the application and waits until its worker has control.
func installed(t *testing.T) (context.Context, *rove.Session, *app) {
	t.Helper()
	ctx, s := open(t)
	a := serve(t)
	if _, err := s.Go(ctx, a.URL); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Wait(ctx, "document.querySelector('#state').textContent === 'ready' && !!navigator.serviceWorker.controller", 20*time.Second); err != nil {
		t.Fatal(err)
	}
	return ctx, s, a
}

func eval(t *testing.T, ctx context.Context, s *rove.Session, js string) string {
	t.Helper()
	r, err := s.Eval(ctx, js)
	if err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return r.Text()
}

func TestServiceWorkers(t *testing.T) {
	ctx, s, a := installed(t)
	w, err := s.ServiceWorkers(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !w.Controlled || w.Controller != a.URL+"/sw.js" || len(w.Registrations) != 1 || !w.Secure || !w.Online {
		t.Fatalf("%+v", w)
	}
	r := w.Registrations[0]
	if r.Scope != a.URL+"/" || !r.Controls || r.Active == nil || r.Active.State != "activated" || r.Active.Version == "" || r.Waiting != nil {
		t.Fatalf("%+v %+v", r, r.Active)
	}
	if text := w.Text(); !strings.Contains(text, "scope /, controls this page\n  active /sw.js (activated, version "+r.Active.Version) {
		t.Errorf("text:\n%s", text)
	}

	// Another version waits until it is told to take over.
	a.version.Store(2)
	w, err = s.ChangeServiceWorker(ctx, rove.WorkerUpdate, "")
	if err != nil {
		t.Fatal(err)
	}
	now := w.Registrations[0]
	if now.Waiting == nil || now.Waiting.State != "installed" || now.Waiting.Version == r.Active.Version {
		t.Fatalf("nothing waits after an update:\n%s", w.Text())
	}
	w, err = s.ChangeServiceWorker(ctx, rove.WorkerSkipWaiting, "/")
	if err != nil {
		t.Fatal(err)
	}
	after := w.Registrations[0]
	if after.Waiting != nil || after.Active == nil || after.Active.Version != now.Waiting.Version {
		t.Fatalf("the waiting worker did not take over:\n%s", w.Text())
	}
	// What is the same again changes nothing.
	if w, err := s.ChangeServiceWorker(ctx, rove.WorkerUpdate, a.URL+"/"); err != nil || w.Registrations[0].Waiting != nil {
		t.Errorf("update to the same: %v\n%s", err, w.Text())
	}
	if _, err := s.ChangeServiceWorker(ctx, rove.WorkerSkipWaiting, ""); err == nil || !strings.Contains(err.Error(), "no service worker is waiting") {
		t.Errorf("skip_waiting with nobody waiting: %v", err)
	}
	if _, err := s.ChangeServiceWorker(ctx, rove.WorkerUpdate, "/other/"); err == nil || !strings.Contains(err.Error(), "there are: "+a.URL+"/") {
		t.Errorf("an unknown scope: %v", err)
	}
	if w, err = s.ChangeServiceWorker(ctx, rove.WorkerUnregister, ""); err != nil {
		t.Fatal(err)
	}
	if len(w.Registrations) != 0 {
		t.Errorf("still registered:\n%s", w.Text())
	}
}

func TestPageWithoutServiceWorker(t *testing.T) {
	ctx, s := open(t)
	a := serve(t)
	if _, err := s.Go(ctx, a.URL+"/about.html"); err != nil {
		t.Fatal(err)
	}
	w, err := s.ServiceWorkers(ctx)
	if err != nil || w.Controlled || len(w.Registrations) != 0 || !strings.Contains(w.Text(), "no service worker: none was registered") {
		t.Fatalf("%+v, %v", w, err)
	}
	if _, err := s.ChangeServiceWorker(ctx, rove.WorkerUpdate, ""); rove.CodeOf(err) != rove.CodeInvalid {
		t.Errorf("update of nothing: %v", err)
	}
	if _, err := s.ChangeServiceWorker(ctx, "restart", ""); rove.CodeOf(err) != rove.CodeInvalid || !strings.Contains(err.Error(), "skip_waiting") {
		t.Errorf("an unknown action: %v", err)
	}
	// A page that shows a dialog answers nothing else, and says so at once.
	if _, err := s.Eval(ctx, "alert('hello')"); rove.CodeOf(err) != rove.CodeDialog {
		t.Fatal(err)
	}
	if _, err := s.ServiceWorkers(ctx); rove.CodeOf(err) != rove.CodeDialog {
		t.Errorf("under a dialog: %v", err)
	}
	if _, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "dialog", Value: "accept"}); err != nil {
		t.Fatal(err)
	}
	// Nor does one that crashed, before or meanwhile.
	_, page := cdp.Of(s.Driver().Tab())
	page.Start("Page.crash", nil)
	for range 2 {
		if _, err := s.ServiceWorkers(ctx); rove.CodeOf(err) != rove.CodeCrashed {
			t.Errorf("crashed: %v", err)
		}
	}
}

// Offline, pages, their workers and service workers reach nothing, and caches still
// answer.
func TestOffline(t *testing.T) {
	ctx, s, a := installed(t)
	const (
		inPage   = `fetch("/api").then((r) => r.text(), () => "failed")`
		inWorker = `new Promise((done) => { const w = new Worker("/worker.js"); w.onmessage = (e) => done(e.data); w.postMessage(1) })`
		kept     = `new Promise((done) => { window.kept ??= new Worker("/worker.js"); window.kept.onmessage = (e) => done(e.data); window.kept.postMessage(1) })`
		inSW     = `new Promise((done) => { navigator.serviceWorker.onmessage = (e) => done(e.data); navigator.serviceWorker.controller.postMessage(1) })`
		cached   = `fetch("/").then((r) => r.status)`
	)
	for _, js := range []string{inPage, inWorker, kept, inSW} {
		if got := eval(t, ctx, s, js); !strings.Contains(got, "hit") {
			t.Errorf("online: %s\n%s", js, got)
		}
	}
	if err := s.SetNetwork(ctx, rove.NetworkConditions{Offline: true}); err != nil {
		t.Fatal(err)
	}
	before := a.hits.Load()
	for _, js := range []string{inPage, inWorker, kept, inSW} {
		if got := eval(t, ctx, s, js); !strings.Contains(got, "failed") {
			t.Errorf("offline: %s\n%s", js, got)
		}
	}
	if got := eval(t, ctx, s, "navigator.onLine"); got != "false" {
		t.Errorf("navigator.onLine offline: %s", got)
	}
	if got := eval(t, ctx, s, cached); got != "200" {
		t.Errorf("from the cache, offline: %s", got)
	}
	if hits := a.hits.Load(); hits != before {
		t.Errorf("the server was reached %d times while offline", hits-before)
	}
	if r, err := s.Go(ctx, a.URL+"/"); err != nil || r.Title != "Notes" {
		t.Errorf("a page of the cache, offline: %v", err)
	}
	if err := s.SetNetwork(ctx, rove.NetworkConditions{}); err != nil {
		t.Fatal(err)
	}
	for _, js := range []string{inPage, inWorker, inSW} {
		if got := eval(t, ctx, s, js); !strings.Contains(got, "hit") {
			t.Errorf("online again: %s\n%s", js, got)
		}
	}
	if got := eval(t, ctx, s, "navigator.onLine"); got != "true" {
		t.Errorf("navigator.onLine again: %s", got)
	}
}

func TestSlowNetwork(t *testing.T) {
	ctx, s := open(t)
	a := serve(t)
	if _, err := s.Go(ctx, a.URL+"/about.html"); err != nil {
		t.Fatal(err)
	}
	if err := s.SetNetwork(ctx, rove.NetworkConditions{Latency: 400 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	took := eval(t, ctx, s, `(async () => { const t = performance.now(); await fetch("/api"); return performance.now() - t >= 390 })()`)
	if took != "true" {
		t.Error("a request with 400 ms latency took less")
	}
	if err := s.SetNetwork(ctx, rove.NetworkConditions{Latency: -1}); rove.CodeOf(err) != rove.CodeInvalid {
		t.Errorf("a negative latency: %v", err)
	}
}

func TestReport(t *testing.T) {
	ctx, s, a := installed(t)
	// What the page was asked for once is in its runtime cache.
	eval(t, ctx, s, `fetch("/about.html").then((r) => r.text()).then(() => 1)`)
	r, err := s.PWA(ctx, a.URL+"/", a.URL+"/about.html", a.URL+"/never-seen", a.URL+"/api")
	if err != nil {
		t.Fatal(err)
	}
	text := r.Text()
	for _, want := range []string{
		"manifest " + a.URL + "/manifest.webmanifest",
		"start_url " + a.URL + "/?source=home",
		"icon " + a.URL + "/icon.png 192x192 image/png any",
		"scope /, controls this page",
		`cache "pre-v1": 2 entries`,
		"GET " + a.URL + "/offline.html 200 text/html",
		`cache "runtime":`,
		"works " + a.URL + `/: 200 "Notes" from service worker`,
		"works " + a.URL + `/about.html: 200 "About" from service worker`,
		"works " + a.URL + `/never-seen: 200 "You are offline" from service worker`,
		"fails " + a.URL + "/api: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if !r.Manifest.Unknown && !r.Manifest.Installable {
		t.Errorf("not installable: %v", r.Manifest.Missing)
	}
	// The network is there again, and so is the page.
	if got := eval(t, ctx, s, `fetch("/api").then((r) => r.text(), () => "failed")`); !strings.Contains(got, "hit") {
		t.Errorf("after the report: %s", got)
	}
	if tabs := s.Driver().Tabs(); len(tabs) != 1 {
		t.Errorf("%d tabs after the report", len(tabs))
	}
}

// Every kind of a manifest that cannot be installed, with the reason.
func TestManifestAudit(t *testing.T) {
	for name, c := range map[string]struct{ manifest, want string }{
		"no manifest":      {"", "the page has no manifest"},
		"no name":          {`{"start_url": "/", "display": "standalone", "icons": [{"src": "/icon.png", "sizes": "192x192", "type": "image/png"}]}`, "no name or short_name"},
		"display":          {`{"name": "A", "start_url": "/", "display": "browser", "icons": [{"src": "/icon.png", "sizes": "192x192", "type": "image/png"}]}`, "display has to be"},
		"no icon":          {`{"name": "A", "start_url": "/", "display": "standalone"}`, "icon"},
		"no JSON":          {`{"name": `, "error: "},
		"start_url abroad": {`{"name": "A", "start_url": "https://example.com/", "display": "standalone", "icons": [{"src": "/icon.png", "sizes": "192x192", "type": "image/png"}]}`, "start_url"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, s := open(t)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == "/m.json":
					w.Header().Set("Content-Type", "application/manifest+json")
					fmt.Fprint(w, c.manifest)
				case r.URL.Path == "/icon.png":
					w.Header().Set("Content-Type", "image/png")
					_ = png.Encode(w, image.NewRGBA(image.Rect(0, 0, 192, 192)))
				default:
					link := `<link rel="manifest" href="/m.json">`
					if c.manifest == "" {
						link = ""
					}
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprintf(w, `<!doctype html><title>A</title>%s<link rel="icon" href="data:,"><p>A</p>`, link)
				}
			}))
			defer srv.Close()
			if _, err := s.Go(ctx, srv.URL); err != nil {
				t.Fatal(err)
			}
			r, err := s.PWA(ctx, srv.URL)
			if err != nil {
				t.Fatal(err)
			}
			if text := r.Manifest.Text(); r.Manifest.Installable || !strings.Contains(text, c.want) {
				t.Errorf("no %q in:\n%s", c.want, text)
			}
			if len(r.Offline) != 1 || r.Offline[0].Works || r.Offline[0].Error == "" {
				t.Errorf("offline: %+v", r.Offline)
			}
		})
	}
}
