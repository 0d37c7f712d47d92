package chrome

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rove/driver/backend"
	"rove/internal/policy"
	"rove/internal/testkit"
)

// TestPolicyOutlivesTheNetworkService: the process that does the browser's
// networking may die, by itself or killed. The one that takes its place is held to
// the policy as well; where contexts have policies of their own, it reaches nothing.
func TestPolicyOutlivesTheNetworkService(t *testing.T) {
	testkit.NeedsBrowser(t)
	t.Parallel()
	there := serve(t, nil)
	out := &arrivals{origin: there.here}
	there.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		out.add(r)
		fmt.Fprint(w, "<title>out</title>")
	})
	datagrams, err := net.ListenPacket("udp", strings.TrimPrefix(there.here, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = datagrams.Close() })
	go func() {
		for {
			if _, _, err := datagrams.ReadFrom(make([]byte, 1)); err != nil {
				return
			}
			out.add(&http.Request{Method: "UDP", URL: &url.URL{}})
		}
	}()
	in := serve(t, map[string]string{"/": "<title>in</title><body>in"})
	in.HandleFunc("/socket", hello)
	rules, err := policy.New([]string{in.here, in.there}, nil)
	if err != nil {
		t.Fatal(err)
	}
	launch := func(change func(*Options)) *Browser {
		opts := options("")
		change(&opts)
		b, err := Launch(testkit.Context(t), opts)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		return b
	}
	whole := launch(func(o *Options) { o.Policy = rules })
	single := launch(func(o *Options) { o.Limited = true })
	other, err := policy.New([]string{in.here}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := whole.NewContext(testkit.Context(t), backend.ContextOptions{Policy: other}); err == nil {
		t.Error("a context with limits that would not outlive the service was made")
	}
	for _, c := range []struct {
		name string
		in   *Browser
	}{{"the first context", whole}, {"another", whole}, {"with limits of its own", single}} {
		b := c.in
		made, err := b.NewContext(testkit.Context(t), backend.ContextOptions{Policy: rules})
		if err != nil {
			t.Fatal(err)
		}
		one, err := made.NewTab(testkit.Context(t))
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
		const socket = `new Promise(r => { const w = new WebSocket('ws://' + location.host + '/socket'); w.onmessage = (e) => r(e.data); w.onerror = () => r('refused') })`
		if b == whole {
			testkit.Eventually(t, "what is allowed can be had again", func() bool {
				got, err := tab.Eval(within(t, 15*time.Second), "", socket)
				return err == nil && string(got) == `"hello"`
			})
		}
		// Answers may be the proxy's, which the page cannot tell: what counts is that nothing arrives.
		for _, script := range []string{
			`new Promise(r => { const w = new WebSocket('WSOUT/socket'); w.onopen = () => r('open'); w.onerror = () => r('refused') })`,
			`fetch('OUT/fetch', {mode: 'no-cors'}).then(() => 'open', () => 'refused')`,
			`new Promise(r => { const f = document.createElement('iframe'); f.sandbox = 'allow-scripts'; onmessage = (e) => r(e.data); f.srcdoc = "<script>fetch('OUT/framed', {mode: 'no-cors'}).finally(() => parent.postMessage('refused', '*'))</" + "script>"; document.body.append(f) })`,
			`new Promise(r => { const w = new Worker(URL.createObjectURL(new Blob(["const w = new WebSocket('WSOUT/w'); w.onopen = () => postMessage('open'); w.onerror = () => postMessage('refused')"]))); w.onmessage = (e) => r(e.data) })`,
			`new Promise(r => { const w = new SharedWorker(URL.createObjectURL(new Blob(["onconnect = (e) => { const w = new WebSocket('WSOUT/shared'); w.onopen = () => e.ports[0].postMessage('open'); w.onerror = () => e.ports[0].postMessage('refused') }"]))); w.port.onmessage = (e) => r(e.data) })`,
			`(() => { for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload']) { const l = document.createElement('link'); l.rel = rel; l.href = 'OUT/' + rel; l.as = 'script'; document.head.append(l) } const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: ['OUT/ahead'], eagerness: 'immediate' }], prerender: [{ source: 'list', urls: ['OUT/ahead2'], eagerness: 'immediate' }] }); document.head.append(s); navigator.sendBeacon('OUT/beacon', 'a'); return fetch('OUT/y').then(() => 'open', () => 'refused') })()`,
			`new Promise(r => { const e = new EventSource('OUT/events'); e.onopen = () => r('open'); e.onerror = () => { e.close(); r('refused') } })`,
			`new Promise(r => { const host = new URL('OUT').host; const c = new RTCPeerConnection({ iceServers: [{ urls: ['stun:' + host, 'turn:' + host, 'turn:' + host + '?transport=tcp'], username: 'u', credential: 'c' }] }); c.onicegatheringstatechange = () => c.iceGatheringState === 'complete' && r('refused'); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o)) })`,
			`self.WebTransport ? new WebTransport('https://' + new URL('OUT').host + '/transport').ready.then(() => 'open', () => 'refused') : 'refused'`,
			`new Promise(r => { const f = document.createElement('iframe'); f.onload = () => r('refused'); f.src = 'OUT/frame'; document.body.append(f) })`,
		} {
			got, err := tab.Eval(within(t, 20*time.Second), "", out.address(script))
			if err != nil || string(got) != `"refused"` {
				t.Errorf("%s: %s: %s, %v", c.name, script, got, err)
			}
		}
		out.none(t)
		if b == single {
			got, err := tab.Eval(within(t, 20*time.Second), "", socket)
			if err != nil || string(got) != `"refused"` {
				t.Errorf("%s: a socket that was allowed: %s, %v", c.name, got, err)
			}
		}
	}
}
