package driver_test

import (
	"fmt"
	"net/http"
	"testing"

	"rove/driver"
	"rove/internal/testkit"
)

// Requests of workers are intercepted like those of the page: of workers that run
// already, and of those to come.
func TestInterceptWorkers(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := open(t, nil)
	const asks = "fetch(e.data).then(r => r.text(), () => 'failed')"
	script := func(js string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, js)
		}
	}
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/{$}": testkit.Page(`<title>Workers</title><script>
			const answer = (port) => new Promise(ok => { port.onmessage = e => ok(e.data) })
			const begin = {
				dedicated: () => new Worker('/worker.js'),
				blob: () => new Worker(URL.createObjectURL(new Blob(["onmessage = e => ` + asks + `.then(postMessage)"]))),
				nested: () => new Worker('/outer.js'),
				// By a name of this document's own: the one of the page before may still be ending.
				shared: () => new SharedWorker('/shared.js', String(performance.timeOrigin)).port,
				service: async () => { await navigator.serviceWorker.register('/service.js'); return (await navigator.serviceWorker.ready).active },
			}
			const running = {}
			const start = async (kind) => { running[kind] = await begin[kind](); return ask(kind) }
			const ask = async (kind) => {
				if (kind === 'service') { const c = new MessageChannel(), got = answer(c.port1); running[kind].postMessage(location.origin + '/api/x', [c.port2]); return got }
				const got = answer(running[kind]); running[kind].postMessage(location.origin + '/api/x'); return got
			}
		</script>`),
		"/worker.js":  script("onmessage = e => " + asks + ".then(postMessage)"),
		"/outer.js":   script("const inner = new Worker('/worker.js'); inner.onmessage = e => postMessage(e.data); onmessage = e => inner.postMessage(e.data)"),
		"/shared.js":  script("onconnect = c => { const port = c.ports[0]; port.onmessage = e => " + asks + ".then(t => port.postMessage(t)) }"),
		"/service.js": script("onmessage = e => " + asks + ".then(t => e.ports[0].postMessage(t)); oninstall = () => skipWaiting()"),
		"/api/":       func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "real") },
	})
	mock := driver.Intercept{Patterns: []string{"*/api/*"}, Mock: &driver.RouteResponse{Status: 200, Body: []byte("mocked")}}
	kinds := []string{"dedicated", "blob", "nested", "shared", "service"}
	// A secure origin, which service workers ask for.
	p.ok(p.SetURL(p.ctx, "http://localhost"+url[len("http://127.0.0.1"):]))
	for _, kind := range kinds {
		same(t, kind+", nothing intercepted", p.js("start('"+kind+"')"), "real")
	}
	i, err := p.Intercept(p.ctx, mock)
	p.ok(err)
	for _, kind := range kinds {
		if kind != "shared" { // which the browser may not let be reached once it runs
			same(t, kind+" that ran before", p.js("ask('"+kind+"')"), "mocked")
		}
	}
	before := len(i.Seen())
	p.ok(p.Refresh(p.ctx))
	for _, kind := range kinds {
		same(t, kind+" started since", p.js("start('"+kind+"')"), "mocked")
	}
	p.ok(i.Stop(p.ctx))
	for _, kind := range kinds {
		same(t, kind+" at the end", p.js("ask('"+kind+"')"), "real")
	}
	same(t, "seen", len(i.Seen()), before+len(kinds))
}
