package tool

import (
	"net/http"
	"strings"
	"testing"

	"rove"
	"rove/internal/session"
	"rove/internal/testkit"
)

// TestBrowserPWA has one browser, and a conversation for each part. What the tools
// tell is tested in pwa; here, that each parameter counts.
func TestBrowserPWA(t *testing.T) {
	testkit.NeedsBrowser(t)
	m := manage(t, session.Options{})
	for name, test := range map[string]func(networked){"workers": testWorkers, "offline": testOffline, "report": testPWAReport, "wrong": testPWAWrong} {
		t.Run(name, func(t *testing.T) { test(atApp(t, m)) })
	}
}

// atApp is at a page with a service worker in control.
func atApp(t *testing.T, m *session.Manager) networked {
	t.Helper()
	ctx := testkit.Context(t)
	n := networked{T: t, ctx: ctx, talk: m.Conversation("")}
	n.url = testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<!doctype html><title>App</title><link rel=icon href=data:,><p>app
<script>navigator.serviceWorker.register("/sw.js")</script>`),
		"/sw.js": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(`addEventListener("activate", (e) => e.waitUntil(clients.claim()))`))
		},
		"/api": testkit.Page("hello"),
	})
	n.call("go", `{"url":"`+n.url+`"}`)
	n.call("wait", `{"for":"!!navigator.serviceWorker.controller"}`)
	return n
}

func testWorkers(n networked) {
	out := n.call("browser_service_workers", `{}`)
	w, ok := out.Data.(*rove.ServiceWorkers)
	if !ok || !w.Controlled || len(w.Registrations) != 1 || !strings.Contains(out.Text, "scope /, controls this page\n  active /sw.js (activated") {
		n.Fatalf("%+v\n%s", out.Data, out.Text)
	}
	if out = n.call("browser_service_workers", `{"action":"update","scope":"/"}`); !strings.Contains(out.Text, "active /sw.js") {
		n.Errorf("update:\n%s", out.Text)
	}
	if out = n.call("browser_service_workers", `{"action":"unregister"}`); !strings.Contains(out.Text, "no service worker") {
		n.Errorf("unregister:\n%s", out.Text)
	}
}

func testOffline(n networked) {
	const get = `fetch("/api").then((r) => r.ok, () => "unreachable")`
	reach := func() string { return n.call("eval", `{"js":`+quote(get)+`}`).Text }
	if out := n.call("browser_set_offline", `{"offline":true}`); !strings.HasPrefix(out.Text, "offline") {
		n.Errorf("%s", out.Text)
	}
	if got := reach(); !strings.Contains(got, "unreachable") {
		n.Errorf("offline: %s", got)
	}
	if out := n.call("browser_set_offline", `{"offline":false}`); out.Text != "online" {
		n.Errorf("%s", out.Text)
	}
	if got := reach(); got != "true" {
		n.Errorf("online: %s", got)
	}
	if out := n.call("browser_set_offline", `{"latency":300,"throughput":100000}`); out.Text != "online, slowed down: 300ms latency, 100000 bytes a second" {
		n.Errorf("%s", out.Text)
	}
	slow := `{"js":` + quote(`(async () => { const t = performance.now(); await fetch("/api"); return performance.now() - t >= 290 })()`) + `}`
	if out := n.call("eval", slow); out.Text != "true" {
		n.Error("300 ms of latency took less")
	}
}

func testPWAReport(n networked) {
	out := n.call("browser_pwa_report", `{}`)
	for _, want := range []string{"page " + n.url, "manifest: none", "installable: no", "scope /, controls this page", "caches: none", "fails " + n.url} {
		if !strings.Contains(out.Text, want) {
			n.Errorf("no %q in:\n%s", want, out.Text)
		}
	}
	out = n.call("browser_pwa_report", `{"urls":["`+n.url+`/api"]}`)
	if r, ok := out.Data.(*rove.PWAReport); !ok || len(r.Offline) != 1 || r.Offline[0].URL != n.url+"/api" || r.Offline[0].Works {
		n.Errorf("%+v", out.Data)
	}
}

func testPWAWrong(n networked) {
	for _, c := range []struct{ tool, input, want string }{
		{"browser_service_workers", `{"action":"restart"}`, "update, skip_waiting"},
		{"browser_service_workers", `{"scope":"/"}`, "scope goes with action"},
		{"browser_service_workers", `{"action":"skip_waiting"}`, "no service worker is waiting"},
		{"browser_service_workers", `{"action":"update","scope":"/x/"}`, "there is no registration for the scope /x/"},
		{"browser_set_offline", `{}`, "give offline"},
		{"browser_set_offline", `{"offline":"yes"}`, "offline takes true or false"},
		{"browser_set_offline", `{"offline":true,"latency":5}`, "offline true goes without"},
		{"browser_set_offline", `{"throughput":0}`, "more than 0"},
		{"browser_set_offline", `{"latency":-1}`, "latency"},
		{"browser_pwa_report", `{"urls":"/"}`, "urls takes a list"},
		{"browser_pwa_report", `{"url":"/"}`, "it takes urls, session"},
	} {
		if _, err := n.try(c.tool, c.input); rove.CodeOf(err) != rove.CodeInvalid || !strings.Contains(err.Error(), c.want) {
			n.Errorf("%s %s: %v, want %s", c.tool, c.input, err, c.want)
		}
	}
}
