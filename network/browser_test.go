package network_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/har"
	"rove/internal/outlet"
	"rove/internal/policy"
	"rove/internal/testkit"
	"rove/network"
)

// TestRequests has a real browser do things, and looks at what is told of them.
func TestRequests(t *testing.T) {
	v := visit(t, nil)
	v.load("/")
	v.wants("GET 200 document HERE/")
	for _, c := range []struct {
		name, script string
		want         []string
	}{
		{"redirects", `fetch('/redirect?n=2').then(r=>r.text())`, []string{"GET 302 fetch HERE/redirect?n=2", "GET 302 fetch HERE/redirect?n=1", "GET 200 fetch HERE/json?end"}},
		{"status", `fetch('/status?n=503').then(r=>r.text())`, []string{"GET 503 fetch HERE/status?n=503"}},
		{"xhr", `new Promise(r=>{const x=new XMLHttpRequest;x.open('POST','/echo');x.onloadend=r;x.send('a')}).then(()=>1)`, []string{"POST 200 xhr HERE/echo"}},
		{"cors", `fetch('THERE/json').catch(e=>1)`, []string{"GET failed fetch THERE/json cors"}},
		{"cors allowed", `fetch('THERE/cors').then(r=>r.text())`, []string{"GET 200 fetch THERE/cors"}},
		{"preflight refused", `fetch('THERE/preflight',{method:'PUT',headers:{'x-key':'1'}}).catch(e=>1)`, []string{"PUT failed fetch THERE/preflight cors", "OPTIONS 200 preflight THERE/preflight"}},
		{"preflight", `fetch('THERE/preflight?ok',{method:'PUT',headers:{'x-key':'1'}}).then(r=>r.text())`, []string{"PUT 200 fetch THERE/preflight?ok", "OPTIONS 200 preflight THERE/preflight?ok"}},
		{"cache", `fetch('/cached').then(r=>r.text()).then(()=>fetch('/cached')).then(r=>r.text())`, []string{"GET 200 fetch HERE/cached", "GET 200 fetch HERE/cached from disk cache"}},
		{"abort", `(()=>{const c=new AbortController;const p=fetch('/slow?ms=5000',{signal:c.signal}).catch(e=>1);setTimeout(()=>c.abort(),50);return p})()`, []string{"GET cancelled fetch HERE/slow?ms=5000 aborted"}},
		{"refused", `fetch('CLOSED/').catch(e=>1)`, []string{"GET failed fetch CLOSED/ refused"}},
		{"dns", `fetch('http://name.invalid/').catch(e=>1)`, []string{"GET failed fetch http://name.invalid/ dns"}},
		{"reset", `fetch('/reset').catch(e=>1)`, []string{"GET failed fetch HERE/reset reset"}},
		{"cut off", `fetch('/cut').then(r=>r.text()).catch(e=>1)`, []string{"GET failed fetch HERE/cut answer"}},
		{"tls", `fetch('SECURE/json').catch(e=>1)`, []string{"GET failed fetch SECURE/json tls"}},
		{"data is none", `fetch('data:,x').then(r=>r.text())`, nil},
		{"blob", `fetch(URL.createObjectURL(new Blob(['x']))).then(r=>r.text()).then(()=>fetch('/json?blob')).then(r=>r.text())`, nil},
		{"beacon", `navigator.sendBeacon('/echo','b')`, []string{"POST 200 ping HERE/echo"}},
		{"socket", `new Promise(r=>{const w=new WebSocket(location.origin.replace('http','ws')+'/socket');w.onopen=()=>w.send('hello');w.onmessage=e=>{w.close();r(e.data)}})`, []string{"GET 101 websocket ws:HERE/socket"}},
		{"socket refused", `new Promise(r=>{const w=new WebSocket('CLOSED/'.replace('http','ws'));w.onerror=()=>r(1)})`, []string{"GET failed websocket ws:CLOSED/ refused"}},
		{"events", `new Promise(r=>{let n=0;const w=new EventSource('/events');w.addEventListener('tick',e=>{if(++n==3){w.close();r(e.data)}})})`, []string{"GET cancelled eventsource HERE/events aborted"}},
		{"worker", `new Promise(r=>{const w=new Worker('/worker.js');w.onmessage=e=>r(e.data)})`, []string{"GET 200 script HERE/worker.js", "GET 200 fetch HERE/json?from=worker in worker"}},
		{"shared worker", `new Promise(r=>{const w=new SharedWorker('/shared.js');w.port.onmessage=e=>r(e.data)})`, []string{"GET 200 script HERE/shared.js", "GET 200 fetch HERE/json?from=shared in shared worker"}},
		{"frame", `new Promise(r=>{const f=document.createElement('iframe');f.src='/frame';f.onload=()=>r(1);document.body.append(f)})`, []string{"GET 200 document HERE/frame in frame", "GET 200 fetch HERE/json?from=frame in frame"}},
		{"frame elsewhere", `new Promise(r=>{const f=document.createElement('iframe');f.src='THERE/frame';f.onload=()=>r(1);document.body.append(f)})`, []string{"GET 200 document THERE/frame in frame", "GET 200 fetch THERE/json?from=frame in frame"}},
		{"frame elsewhere, redirected", `new Promise(r=>{const f=document.createElement('iframe');f.src='THERE/redirect?n=1';f.onload=()=>r(1);document.body.append(f)})`, []string{"GET 302 document THERE/redirect?n=1 in frame", "GET 200 document THERE/json?end in frame"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := *v
			w.T = t
			w.js(c.script)
			switch c.name {
			case "blob":
				for i := 0; ; i++ {
					found, _ := w.log.Requests(network.Filter{After: w.seen})
					if len(found.Requests) == 2 && found.Requests[1].State == network.Done {
						if q := found.Requests[0]; q.Source != network.FromLocal || !strings.HasPrefix(q.URL, "blob:") {
							t.Errorf("%+v", q)
						}
						w.seen = found.Requests[1].Number
						break
					}
					if i > 500 {
						t.Fatal("no request for the blob")
					}
					w.js("new Promise(r=>setTimeout(r,10)).then(()=>1)")
				}
			default:
				w.check(w.wants(c.want...))
			}
			v.seen = w.seen
		})
	}
}

// check looks closer at requests: links, times, sizes.
func (v *visitor) check(list []network.Request) {
	v.Helper()
	for i, q := range list {
		if q.Start.IsZero() || q.Millis < 0 || q.Millis > 60_000 {
			v.Errorf("%s began %v and took %v ms", q.URL, q.Start, q.Millis)
		}
		if q.Status == 302 && (q.RedirectTo == 0 || list[i+1].RedirectFrom != q.Number) {
			v.Errorf("%s is not linked: %d, %d", q.URL, q.RedirectTo, list[i+1].RedirectFrom)
		}
		if q.Type == "preflight" && q.PreflightFor == 0 {
			v.Errorf("the preflight of %s is not linked", q.URL)
		}
		if q.Type == "websocket" && q.Status == 101 && (q.MessageCount != 2 || !q.Messages[0].Sent || q.Messages[1].Data != "hello") {
			v.Errorf("messages %+v", q.Messages)
		}
		if q.Type == "eventsource" && (q.MessageCount != 3 || q.Messages[2].Event != "tick" || q.Messages[2].Data != `{"n":2}`) {
			v.Errorf("messages %+v", q.Messages)
		}
		if q.Status == 200 && q.Source == network.FromNetwork && q.Type != "preflight" {
			if q.Transferred == 0 || q.Protocol != "http/1.1" || !strings.HasPrefix(q.Remote, "127.0.0.1:") && !strings.HasPrefix(q.Remote, "[::1]:") || q.Phases == nil || q.Answered == nil {
				v.Errorf("%s: %d bytes, %s, %s, %+v, %v", q.URL, q.Transferred, q.Protocol, q.Remote, q.Phases, q.Answered)
			}
			if len(q.ResponseHeaders) < 3 {
				v.Errorf("%s: headers %v", q.URL, q.ResponseHeaders)
			}
		}
	}
}

// TestHeadersThatReallyLeft: cookies and the like are not known to the page.
func TestHeadersThatReallyLeft(t *testing.T) {
	v := visit(t, nil)
	v.load("/")
	v.js(`fetch('/redirect?n=1').then(r=>r.text())`)
	list := v.wants("GET 200 document HERE/", "GET 302 fetch HERE/redirect?n=1", "GET 200 fetch HERE/json?end")
	has := func(q network.Request, response bool, name, value string) {
		t.Helper()
		in := q.RequestHeaders
		if response {
			in = q.ResponseHeaders
		}
		for _, h := range in {
			if strings.EqualFold(h.Name, name) && strings.Contains(h.Value, value) {
				return
			}
		}
		t.Errorf("%s has no %s: %s in %v", q.URL, name, value, in)
	}
	has(list[1], true, "Set-Cookie", "hop=1")
	has(list[2], false, "Cookie", "hop=1")
	has(list[2], false, "Host", "127.0.0.1")
}

func TestMemoryCacheAndInitiators(t *testing.T) {
	v := visit(t, nil)
	v.load("/resources")
	first := v.wants("GET 200 document HERE/resources", "GET 200 stylesheet HERE/style.css", "GET 200 image HERE/pic.svg", "GET 200 script HERE/script.js", "GET 200 fetch HERE/json?from=script")
	for _, q := range first {
		switch {
		case q.Type == "image" && (q.Initiator.Type != "parser" || q.Initiator.Line != 1 || q.Initiator.Column == 0),
			q.Type == "fetch" && (q.Initiator.Type != "script" || !strings.HasSuffix(q.Initiator.URL, "/script.js") || q.Initiator.Line != 1):
			t.Errorf("%s was begun by %+v", q.URL, q.Initiator)
		}
	}
	v.load("/resources")
	v.wants("GET 200 document HERE/resources", "GET 200 stylesheet HERE/style.css from memory cache", "GET 200 image HERE/pic.svg from memory cache",
		"GET 200 script HERE/script.js from memory cache", "GET 200 fetch HERE/json?from=script")
}

func TestPrefetchCache(t *testing.T) {
	v := visit(t, nil)
	v.load("/prefetch")
	v.wants("GET 200 document HERE/prefetch", "GET 200 prefetch HERE/prefetched")
	v.load("/prefetched")
	v.wants("GET 200 document HERE/prefetched from prefetch cache")
}

func TestServiceWorker(t *testing.T) {
	v := visit(t, nil)
	v.load("/")
	v.wants("GET 200 document HERE/")
	v.js(`navigator.serviceWorker.register('/sw.js').then(()=>navigator.serviceWorker.ready).then(()=>new Promise(r=>navigator.serviceWorker.controller?r(1):navigator.serviceWorker.oncontrollerchange=()=>r(2)))`)
	v.wants("GET 200 script HERE/sw.js in service worker", "GET 200 fetch HERE/json?from=cache in service worker")
	for from, want := range map[string][]string{
		"cache":   {`GET 200 fetch HERE/json?from=cache from service worker: cache storage "v1"`},
		"made":    {"GET 200 fetch HERE/json?from=made from service worker: the worker itself"},
		"through": {"GET 200 fetch HERE/json?from=through from service worker: network", "GET 200 fetch HERE/json?from=through in service worker"},
		"network": {"GET 200 fetch HERE/json?from=network"},
	} {
		v.js(`fetch('/json?from=` + from + `').then(r=>r.text())`)
		v.wants(want...)
	}
	// Offline, what the worker keeps is still there.
	if err := v.Emulate(v.ctx, driver.Emulation{Emulation: backend.Emulation{Offline: true}}); err != nil {
		t.Fatal(err)
	}
	v.js(`fetch('/json?from=cache').then(r=>r.text())`)
	v.wants(`GET 200 fetch HERE/json?from=cache from service worker: cache storage "v1"`)
	v.js(`fetch('/json?gone').catch(e=>1)`)
	v.wants("GET failed fetch HERE/json?gone offline")
}

func TestDocumentsThatFail(t *testing.T) {
	v := visit(t, nil)
	for _, url := range []string{v.site.refused, v.site.tls, "http://name.invalid/", v.site.here + "/reset"} {
		if err := v.SetURL(v.ctx, url); err == nil {
			t.Errorf("%s was loaded", url)
		}
	}
	found, err := v.log.Requests(network.Filter{Type: "document", Status: "failed"})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, q := range found.Requests {
		kinds = append(kinds, q.Failure.Kind)
		if q.Size != 0 {
			t.Errorf("%s: the %d bytes of the browser's own page are not its", q.URL, q.Size)
		}
	}
	if got := strings.Join(kinds, " "); !strings.Contains(got, "refused") || !strings.Contains(got, "tls") || !strings.Contains(got, "dns") || !strings.Contains(got, "reset") {
		t.Errorf("failures: %s", got)
	}
}

func TestBlocked(t *testing.T) {
	v := visit(t, nil)
	v.load("/csp")
	v.wants("GET 200 document HERE/csp")
	v.js(`new Promise(r=>{const i=new Image;i.onerror=()=>r(1);i.src='/pic.svg?x';document.body.append(i)})`)
	v.wants("GET failed image HERE/pic.svg?x csp")
	v.js(`fetch('/json?x').catch(e=>1)`)
	q := v.wants("? failed fetch HERE/json?x csp")[0]
	for _, c := range []struct{ script, want string }{
		{`new Promise(r=>{const x=new XMLHttpRequest;x.open('GET','/json?y');x.onloadend=()=>r(1);x.send()})`, "GET failed xhr HERE/json?y csp"},
		{`new Promise(r=>{const x=new EventSource('/json?y');x.onerror=()=>{x.close();r(1)}})`, "GET failed eventsource HERE/json?y csp"},
		{`new Promise(r=>{const x=new WebSocket(location.origin.replace('http','ws')+'/json?y');x.onerror=()=>r(1)})`, "GET failed websocket ws:HERE/json?y csp"},
		{`navigator.sendBeacon('/json?y','x')`, "? failed fetch HERE/json?y csp"},
	} {
		v.js(c.script)
		v.wants(c.want)
	}
	if !strings.Contains(q.Line(), "blocked by the page's Content-Security-Policy") {
		t.Errorf("%s", q.Line())
	}
}

func TestPolicy(t *testing.T) {
	rules, err := policy.New([]string{"127.0.0.1:*"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := visit(t, rules)
	v.load("/")
	v.wants("GET 200 document HERE/")
	v.js(`fetch('THERE/cors').catch(e=>1)`)
	v.wants("GET failed fetch THERE/cors policy")
	v.js(`new Promise(r=>{const w=new WebSocket('THERE/socket'.replace('http','ws'));w.onerror=()=>r(1)})`)
	v.wants("GET failed websocket ws:THERE/socket policy")
	if err := v.SetURL(v.ctx, v.site.there); err == nil {
		t.Error("the policy let a page through")
	}
	for _, q := range all(t, v.log, network.Filter{After: v.seen}) { // the browser may not even begin
		if q.Failure == nil || q.Failure.Kind != "policy" || !strings.Contains(q.Failure.Text, "localhost") {
			t.Errorf("%s %+v", q.URL, q.Failure)
		}
	}
}

// TestAnsweredByRove: what an interception answers never was on a network.
func TestAnsweredByRove(t *testing.T) {
	v := visit(t, nil)
	if _, err := v.Intercept(v.ctx, driver.Intercept{Patterns: []string{"*/json?mock*", "*/cached?mock"}, Mock: &backend.RouteResponse{Status: 200, Body: []byte(`{"mock":1}`)}}); err != nil {
		t.Fatal(err)
	}
	v.load("/")
	v.js(`fetch('/json?mock').then(r=>r.text()).then(()=>fetch('/json')).then(r=>r.text())`)
	list := v.wants("GET 200 document HERE/", "GET 200 fetch HERE/json?mock from local: an interception", "GET 200 fetch HERE/json")
	if b, err := v.log.Body(v.ctx, list[1].Number, 0); err != nil || string(b.Data) != `{"mock":1}` {
		t.Errorf("%v, %v", b, err)
	}
}

func TestDocumentsThatAreNone(t *testing.T) {
	v := visit(t, nil)
	v.load("/")
	v.wants("GET 200 document HERE/")
	for path, want := range map[string]string{"/file": "it became a download", "/status?n=204": "the page stayed"} {
		v.js(`location.href = '` + path + `', 1`)
		if q := v.wants("GET cancelled document HERE" + path + " aborted")[0]; !strings.Contains(q.Line(), want) {
			t.Errorf("%s", q.Line())
		}
	}
}

// TestLeftBehind: what a page had not finished when it was left does not stay
// pending for ever.
func TestLeftBehind(t *testing.T) {
	v := visit(t, nil)
	v.load("/")
	v.js(`(()=>{fetch('/slow?ms=20000').catch(e=>1);fetch('/events?endless');new WebSocket(location.origin.replace('http','ws')+'/socket')})()`)
	v.wants("GET 200 document HERE/", "GET pending fetch HERE/slow?ms=20000", "GET pending fetch HERE/events?endless", "GET pending websocket ws:HERE/socket")
	v.seen = 0
	v.load("/frame")
	got := all(t, v.log, network.Filter{Status: "pending"})
	for i := range got {
		if !strings.Contains(got[i].URL, "from=frame") {
			t.Errorf("still pending: %s", got[i].Line())
		}
	}
}

func TestPosts(t *testing.T) {
	testkit.ShellIsEnough(t)
	v := visit(t, nil)
	v.load("/")
	v.wants("GET 200 document HERE/")
	for _, c := range []struct {
		body, text string
		base64     bool
		size       int
	}{
		{`new URLSearchParams({a:'1 2',b:'é'})`, "a=1+2&b=%C3%A9", false, 14},
		{`JSON.stringify({user:'ann ✓'})`, `{"user":"ann ✓"}`, false, 18},
		{`new Uint8Array([0,255,1])`, base64.StdEncoding.EncodeToString([]byte{0, 255, 1}), true, 3},
		{`'x'.repeat(200000)`, "", false, 200000},
		{`'x'.repeat(3000000)`, "", false, 3000000},
	} {
		v.js(`fetch('/echo',{method:'POST',body:` + c.body + `}).then(r=>r.text()).then(t=>t.length)`)
		q := v.wants("POST 200 fetch HERE/echo")[0]
		if q.Sent == nil || q.Sent.Size != c.size || q.Sent.Base64 != c.base64 || c.text != "" && q.Sent.Text != c.text {
			t.Errorf("%s: sent %.200v", c.body, q.Sent)
		}
		b, err := v.log.Body(v.ctx, q.Number, 0)
		if err != nil || b.Size != int64(c.size) {
			t.Errorf("%s: body %.200v, %v", c.body, b, err)
		}
	}
}

func TestBodies(t *testing.T) {
	testkit.ShellIsEnough(t)
	v := visit(t, nil)
	v.load("/")
	v.js(`fetch('/zipped').then(r=>r.text()).then(()=>fetch('/large?n=300000')).then(r=>r.text()).then(()=>fetch('/drip')).then(r=>r.text()).then(()=>fetch('/pic.svg')).then(r=>r.text())`)
	list := v.wants("GET 200 document HERE/", "GET 200 fetch HERE/zipped", "GET 200 fetch HERE/large?n=300000", "GET 200 fetch HERE/drip", "GET 200 fetch HERE/pic.svg")
	for _, c := range []struct {
		q    network.Request
		size int64
		part string
	}{{list[0], 0, "<title>Network"}, {list[1], 80000, "the same again."}, {list[2], 300000, "000"}, {list[3], 35, "part 4"}, {list[4], 0, "<svg"}} {
		b, err := v.log.Body(v.ctx, c.q.Number, 0)
		if err != nil {
			t.Errorf("%s: %v", c.q.URL, err)
			continue
		}
		if c.size > 0 && (b.Size != c.size || c.q.Size != c.size) || !strings.Contains(string(b.Data), c.part) {
			t.Errorf("%s: %d bytes, %.100q", c.q.URL, b.Size, b.Data)
		}
	}
	if z := list[1]; z.Transferred > 1000 {
		t.Errorf("compressed: %d bytes on the network", z.Transferred)
	}
	if _, err := v.log.Body(v.ctx, list[2].Number, 1000); err == nil || !strings.Contains(err.Error(), "more than 1000") {
		t.Errorf("a body over the limit: %v", err)
	}
	// The browser forgets the bodies of a page that it has left.
	v.load("/frame")
	if _, err := v.log.Body(v.ctx, list[1].Number, 0); err == nil || !strings.Contains(err.Error(), "any more") {
		t.Errorf("a body that is gone: %v", err)
	}
	// Unless they are kept.
	v.log.KeepBodies(1 << 20)
	v.js(`fetch('/zipped').then(r=>r.text())`)
	v.load("/")
	for _, q := range all(t, v.log, network.Filter{URL: "/zipped", Limit: 1}) {
		if b, err := v.log.Body(v.ctx, q.Number, 0); err != nil || b.Size != 80000 {
			t.Errorf("a body that was kept: %v, %v", b, err)
		}
	}
	// The newest are, where there is no room for all.
	v.log.KeepBodies(100_000)
	v.js(`fetch('/zipped?1').then(r=>r.text()).then(()=>fetch('/zipped?2')).then(r=>r.text())`)
	v.load("/frame")
	for url, kept := range map[string]bool{"/zipped?1": false, "/zipped?2": true} {
		for _, q := range all(t, v.log, network.Filter{URL: url}) {
			if _, err := v.log.Body(v.ctx, q.Number, 0); (err == nil) != kept {
				t.Errorf("%s: %v", url, err)
			}
		}
	}
}

// A page that waits for somebody, or whose script does not end, gives no bodies. That is
// known at once, or after one of them: an archive of many is not kept up by each.
func TestBodiesOfAPageThatDoesNotAnswer(t *testing.T) {
	testkit.ShellIsEnough(t)
	v := visit(t, nil)
	v.load("/")
	v.js(`fetch('/zipped').then(r=>r.text()).then(()=>fetch('/drip')).then(r=>r.text())`)
	list := v.wants("GET 200 document HERE/", "GET 200 fetch HERE/zipped", "GET 200 fetch HERE/drip")
	shown := make(chan struct{})
	v.OnDialog(func(*driver.Dialog) { close(shown) })
	v.js(`setTimeout(() => alert('wait'), 1); 1`)
	select {
	case <-shown:
	case <-v.ctx.Done():
		t.Fatal("no dialog")
	}
	if _, err := v.log.Body(v.ctx, list[1].Number, 0); !errors.Is(err, network.ErrDialog) {
		t.Errorf("under a dialog: %v", err)
	}
	if err := v.Tab().AnswerDialog(v.ctx, true, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := v.log.Body(v.ctx, list[1].Number, 0); err != nil {
		t.Errorf("after it: %v", err)
	}
	v.js(`setTimeout(() => { for (;;); }, 1); 1`)
	late := "did not give the body of request"
	for silent := false; !silent; {
		bound, cancel := context.WithTimeout(v.ctx, 500*time.Millisecond)
		_, err := v.log.Body(bound, list[1].Number, 0)
		cancel()
		if silent = err != nil; silent && !strings.Contains(err.Error(), late) {
			t.Errorf("under a script without end: %v", err)
		}
	}
	var archive strings.Builder
	start := time.Now()
	if err := v.log.HAR(v.ctx, &archive, network.HAROptions{Bodies: 1 << 20}); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 5*time.Second || strings.Count(archive.String(), late) != 3 {
		t.Errorf("an archive after %v:\n%s", took, archive.String())
	}
}

// TestHAR writes an archive of a little of everything and holds it to the schema.
func TestHAR(t *testing.T) {
	v := visit(t, nil)
	v.load("/resources")
	v.js(`fetch('/redirect?n=1').then(r=>r.text()).then(()=>fetch('/echo?q=a%20b&c',{method:'POST',body:new URLSearchParams({a:'hunter2secret'})})).then(r=>r.text()).then(()=>fetch('THERE/json').catch(e=>1)).then(()=>1)`)
	v.js(`new Promise(r=>{const w=new WebSocket(location.origin.replace('http','ws')+'/socket');w.onopen=()=>w.send('hunter2secret');w.onmessage=e=>{w.close();r(e.data)}})`)
	v.js(`fetch('/pic.svg').then(r=>r.text())`)
	v.load("/")
	v.js(`fetch('/json').then(r=>r.text())`)
	v.wants("GET 200 document HERE/resources", "GET 200 stylesheet HERE/style.css", "GET 200 image HERE/pic.svg", "GET 200 script HERE/script.js", "GET 200 fetch HERE/json?from=script",
		"GET 302 fetch HERE/redirect?n=1", "GET 200 fetch HERE/json?end", "POST 200 fetch HERE/echo?q=a%20b&c", "GET failed fetch THERE/json cors", "GET 101 websocket ws:HERE/socket",
		"GET 200 fetch HERE/pic.svg from disk cache", "GET 200 document HERE/", "GET 200 fetch HERE/json")
	var out bytes.Buffer
	secrets := outlet.New(map[string]string{"A": "hunter2secret"})
	if err := v.log.HAR(v.ctx, &out, network.HAROptions{Bodies: 1 << 20, Out: secrets, Creator: har.Name{Name: "rove", Version: "1"}, Browser: har.Name{Name: "Chrome", Version: "1"}}); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out.Bytes(), []byte("hunter2secret")) {
		t.Error("a secret is in the archive")
	}
	log := testkit.CheckHAR(t, schema, out.Bytes())["log"].(map[string]any)
	pages, entries := log["pages"].([]any), log["entries"].([]any)
	if len(pages) != 2 || len(entries) != 13 {
		t.Fatalf("%d pages, %d entries", len(pages), len(entries))
	}
	first := pages[0].(map[string]any)
	timings := first["pageTimings"].(map[string]any)
	if c, l := timings["onContentLoad"].(float64), timings["onLoad"].(float64); c <= 0 || l < c || l > 30_000 || !strings.HasSuffix(first["title"].(string), "/resources") {
		t.Errorf("page %v", first)
	}
	text := out.String()
	for _, want := range []string{
		`"name":"q","value":"a b"`, `"params":[{"name":"a","value":"••••"}]`, `"redirectURL":"/json?end"`, `"_webSocketMessages":[{"type":"send"`, `"data":"••••"`,
		`"_fromCache":"disk"`, `"_error":"MissingAllowOriginHeader"`, `"cookies":[{"name":"hop","value":"1"`, `"text":"{\"ok\":true}"`, `the browser does not have that`, `"_resourceType":"stylesheet"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	byPage := map[any]int{}
	for _, e := range entries {
		byPage[e.(map[string]any)["pageref"]]++
	}
	if byPage[first["id"]] != 11 {
		t.Errorf("entries by page: %v", byPage)
	}
}
