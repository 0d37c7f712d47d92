package chrome

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"rove/driver/backend"
	"rove/internal/policy"
	"rove/internal/testkit"
)

// TestPolicyOutlivesTheNetworkService: the process that does the browser's
// networking may die, by itself or killed. The one that takes its place is held to
// the policy as well.
func TestPolicyOutlivesTheNetworkService(t *testing.T) {
	testkit.NeedsBrowser(t)
	t.Parallel()
	there := serve(t, nil)
	out := &arrivals{origin: there.here}
	there.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		out.add(r)
		fmt.Fprint(w, "<title>out</title>")
	})
	in := serve(t, map[string]string{"/": "<title>in</title><body>in"})
	in.HandleFunc("/socket", hello)
	rules, err := policy.New([]string{in.here, in.there}, nil)
	if err != nil {
		t.Fatal(err)
	}
	opts := options("")
	opts.Policy = rules
	b, err := Launch(testkit.Context(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	// The first context is the browser's own, the second one of those that are made.
	for _, name := range []string{"the first context", "another"} {
		c, err := b.NewContext(testkit.Context(t), backend.ContextOptions{Policy: rules})
		if err != nil {
			t.Fatal(err)
		}
		one, err := c.NewTab(testkit.Context(t))
		if err != nil {
			t.Fatal(err)
		}
		tab := one.(*Tab)
		visit(t, tab, in.here+"/")
		services, err := b.process.Members("--utility-sub-type=network.mojom.NetworkService")
		if err != nil || len(services) != 1 {
			t.Fatalf("%d network services, %v", len(services), err)
		}
		if err := b.process.End(services[0]); err != nil {
			t.Fatal(err)
		}
		testkit.Eventually(t, "another service has taken its place", func() bool {
			now, err := b.process.Members("--utility-sub-type=network.mojom.NetworkService")
			return err == nil && len(now) == 1 && now[0].Pid != services[0].Pid
		})
		testkit.Eventually(t, "what is allowed can be had again", func() bool {
			got, err := tab.Eval(within(t, 15*time.Second), "", `new Promise(r => { const w = new WebSocket('ws://' + location.host + '/socket'); w.onmessage = (e) => r(e.data); w.onerror = () => r('refused') })`)
			return err == nil && string(got) == `"hello"`
		})
		// The frame's fetch may be answered by the proxy, which the page cannot tell:
		// what counts is that nothing arrives.
		for _, script := range []string{
			`new Promise(r => { const w = new WebSocket('WSOUT/socket'); w.onopen = () => r('open'); w.onerror = () => r('refused') })`,
			`fetch('OUT/fetch', {mode: 'no-cors'}).then(() => 'open', () => 'refused')`,
			`new Promise(r => { const f = document.createElement('iframe'); f.sandbox = 'allow-scripts'; onmessage = (e) => r(e.data); f.srcdoc = "<script>fetch('OUT/framed', {mode: 'no-cors'}).finally(() => parent.postMessage('refused', '*'))</" + "script>"; document.body.append(f) })`,
			`new Promise(r => { const w = new Worker(URL.createObjectURL(new Blob(["const w = new WebSocket('WSOUT/w'); w.onopen = () => postMessage('open'); w.onerror = () => postMessage('refused')"]))); w.onmessage = (e) => r(e.data) })`,
			`(() => { for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload']) { const l = document.createElement('link'); l.rel = rel; l.href = 'OUT/' + rel; l.as = 'script'; document.head.append(l) } navigator.sendBeacon('OUT/beacon', 'a'); return fetch('OUT/y').then(() => 'open', () => 'refused') })()`,
		} {
			got, err := tab.Eval(within(t, 20*time.Second), "", out.address(script))
			if err != nil || string(got) != `"refused"` {
				t.Errorf("%s: %s: %s, %v", name, script, got, err)
			}
		}
		out.none(t)
	}
}
