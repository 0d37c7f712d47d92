package chrome

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// reaching are ways in which a browser asks for something by itself, and tells no
// script what came of it. OUT is out of bounds, and each way has a path of its own.
var reaching = map[string]string{
	"ping":               `const a = document.createElement('a'); a.href = '#'; a.ping = 'OUT/ping'; document.body.append(a); a.click()`,
	"icon":               `document.head.insertAdjacentHTML('beforeend', '<link rel=icon href="OUT/icon.png"><link rel="apple-touch-icon" href="OUT/apple.png"><link rel=manifest href="OUT/manifest.json"><link rel=mask-icon href="OUT/mask.svg">')`,
	"links":              `for (const rel of ['alternate', 'next', 'prev', 'prerender', 'search', 'compression-dictionary', 'expect', 'pingback', 'subresource', 'stylesheet alternate']) { const l = document.createElement('link'); l.rel = rel; l.href = 'OUT/rel-' + rel.split(' ')[0]; l.as = 'fetch'; document.head.append(l) }`,
	"media":              `document.body.insertAdjacentHTML('beforeend', '<video autoplay muted src="OUT/v.mp4" poster="OUT/poster"><track default src="OUT/t.vtt"></video><audio autoplay src="OUT/a.mp3"></audio><picture><source srcset="OUT/srcset 2x"><img srcset="OUT/set 1x"></picture><input type=image src="OUT/input">')`,
	"embedded":           `document.body.insertAdjacentHTML('beforeend', '<object data="OUT/object"></object><embed src="OUT/embed"><iframe srcdoc="<img src=OUT/srcdoc><script src=OUT/srcdoc.js><\/script>"></iframe><frameset><frame src="OUT/frame"></frameset>')`,
	"styles":             `document.head.insertAdjacentHTML('beforeend', '<style>@import "OUT/import.css"; @font-face { font-family: f; src: url(OUT/font) } body { font-family: f; background: url(OUT/background); cursor: url(OUT/cursor), auto; list-style: url(OUT/list) } body::before { content: url(OUT/content) } p { mask: url(OUT/mask); filter: url(OUT/filter#f); border-image: url(OUT/border) 1 }</style><p>p')`,
	"pictures in SVG":    `document.body.insertAdjacentHTML('beforeend', '<svg><use href="OUT/use#x"/><image href="OUT/image" width="9" height="9"/><feImage href="OUT/fe"/><script href="OUT/svg.js"/></svg><math><mi href="OUT/math">x</mi></math>')`,
	"style sheets":       `const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(['<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="OUT/style.xsl"?><!DOCTYPE a SYSTEM "OUT/a.dtd"><a/>'], { type: 'application/xml' })); document.body.append(f)`,
	"speculation":        `const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: ['OUT/prefetch'], eagerness: 'immediate' }], prerender: [{ source: 'list', urls: ['OUT/prerender', '/redirect?to=/prerendered'], eagerness: 'immediate' }] }); document.head.append(s)`,
	"later":              `fetch('OUT/keepalive', { keepalive: true, mode: 'no-cors', method: 'POST', body: 'x' }).catch(() => 0); self.fetchLater && fetchLater('OUT/later', { activateAfter: 0 })`,
	"downloads":          `const a = document.createElement('a'); a.download = 'x'; a.href = 'OUT/download'; document.body.append(a); a.click(); a.href = '/redirect?to=/download'; a.click()`,
	"forms":              `document.body.insertAdjacentHTML('beforeend', '<iframe name=t></iframe><form id=fm target=t><button id=fb formaction="OUT/formaction" formmethod=post>x</button></form>'); fb.click()`,
	"worklets":           `new AudioContext().audioWorklet.addModule('OUT/worklet.js').catch(() => 0); CSS.paintWorklet && CSS.paintWorklet.addModule('OUT/paint.js').catch(() => 0); WebAssembly.compileStreaming(fetch('OUT/wasm')).catch(() => 0)`,
	"modules":            `document.head.insertAdjacentHTML('beforeend', '<script type=importmap>{"imports":{"m":"OUT/mapped.js"}}<\/script>'); import('data:text/javascript,import "OUT/nested.js"').catch(() => 0)`,
	"identity":           `navigator.credentials.get({ identity: { providers: [{ configURL: 'OUT/fedcm.json', clientId: 'x' }] } }).catch(() => 0)`,
	"auctions":           `navigator.joinAdInterestGroup && navigator.joinAdInterestGroup({ owner: 'OUT', name: 'x', biddingLogicURL: 'OUT/bid.js' }, 9).catch(() => 0); navigator.runAdAuction && navigator.runAdAuction({ seller: 'OUT', decisionLogicURL: 'OUT/decide.js' }).catch(() => 0)`,
	"attribution":        `const i = new Image(); i.attributionSrc = 'OUT/attribution'; i.src = '/'; document.body.append(i)`,
	"policy reports":     `const f = document.createElement('iframe'); f.src = '/reports'; document.body.append(f)`,
	"early hints":        `const f = document.createElement('iframe'); f.src = '/headers'; document.body.append(f); fetch('/headers').catch(() => 0)`,
	"refresh":            `const f = document.createElement('iframe'); f.src = '/refresh'; document.body.append(f)`,
	"sandboxed":          `const f = document.createElement('iframe'); f.sandbox = 'allow-scripts allow-popups allow-forms'; f.srcdoc = '<img src=OUT/sandboxed><script>fetch("OUT/sandboxed-fetch", {mode: "no-cors"}); new WebSocket("WSOUT/sandboxed"); open("OUT/sandboxed-popup")<\/script>'; document.body.append(f)`,
	"background fetch":   `navigator.serviceWorker.register('/script.js').then(async (r) => { await navigator.serviceWorker.ready; r.backgroundFetch && await r.backgroundFetch.fetch('x', ['OUT/background-fetch']) }).catch(() => 0)`,
	"payment":            `self.PaymentRequest && new PaymentRequest([{ supportedMethods: 'OUT/pay' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment().catch(() => 0)`,
	"sockets":            `for (const url of ['WSOUT/ws', 'WSOUT/ws?' + Math.random()]) new WebSocket(url, ['a']); new Worker(URL.createObjectURL(new Blob(["new WebSocket('WSOUT/worker-ws'); fetch('OUT/worker-fetch', {keepalive: true, mode: 'no-cors'})"])))`,
	"workers of workers": `const inner = "new Worker(URL.createObjectURL(new Blob([\"fetch('OUT/deep', {mode: 'no-cors'}).catch(() => 0); new WebSocket('WSOUT/deep-ws'); importScripts('OUT/deep.js')\"])))"; new Worker(URL.createObjectURL(new Blob([inner]))); new SharedWorker('data:text/javascript,' + encodeURIComponent(inner)); new Worker('data:text/javascript,import("OUT/data-module.js")', { type: 'module' })`,
	"a base":             `document.head.insertAdjacentHTML('afterbegin', '<base href="OUT/based/">'); document.body.insertAdjacentHTML('beforeend', '<img src=img><iframe src=frame></iframe>'); fetch('fetched', { mode: 'no-cors' }).catch(() => 0); new EventSource('events'); navigator.sendBeacon('beacon', 'x')`,
	"windows":            `open('OUT/noopener', '_blank', 'noopener'); const w = open('about:blank'); w && (w.location = 'OUT/located'); const a = document.createElement('a'); a.href = 'OUT/blank'; a.target = '_blank'; a.rel = 'noopener'; document.body.append(a); a.click(); const f = document.createElement('form'); f.action = 'OUT/form'; f.target = '_blank'; f.method = 'post'; document.body.append(f); f.submit()`,
	"leaving":            `addEventListener('pagehide', () => { navigator.sendBeacon('OUT/hidden', 'x'); fetch('OUT/hidden-fetch', { method: 'POST', keepalive: true, mode: 'no-cors' }); new Image().src = 'OUT/hidden-image' }); addEventListener('visibilitychange', () => navigator.sendBeacon('OUT/visible', 'x')); addEventListener('unload', () => { const x = new XMLHttpRequest(); x.open('POST', 'OUT/sync', false); try { x.send('x') } catch {} })`,
	"transports":         `const host = new URL('OUT').host; try { new WebTransport('https://' + host + '/transport').ready.catch(() => 0) } catch {} const c = new RTCPeerConnection({ iceTransportPolicy: 'all', iceServers: [{ urls: ['turn:' + host + '?transport=tcp', 'turns:' + host, 'stun:' + host], username: 'u', credential: 'c' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`,
	"fonts and sets":     `new FontFace('f', 'url(OUT/face)').load().catch(() => 0); document.head.insertAdjacentHTML('beforeend', '<link rel=preload as=image imagesrcset="OUT/set 1x" href="OUT/set-href"><style>body { background: image-set(url(OUT/image-set) 1x); mask: url(OUT/mask#x); border-image: url(OUT/border) 3; list-style: url(OUT/list) } body::after { content: url(OUT/content) } @namespace url(OUT/ns); @layer x; @import url(OUT/late.css) layer(x)</style>'); const sheet = new CSSStyleSheet(); sheet.replaceSync('body { cursor: url(OUT/adopted), auto; filter: url(OUT/filter#x) }'); document.adoptedStyleSheets = [sheet]`,
	"written documents":  `const f = document.createElement('iframe'); document.body.append(f); f.contentDocument.write('<base href="OUT/written/"><img src=a><script src=b><\/script><link rel=preconnect href="OUT"><meta http-equiv=refresh content="0; url=OUT/meta">'); const g = document.createElement('iframe'); g.src = 'javascript:"<img src=OUT/scripted>"'; document.body.append(g); document.body.insertAdjacentHTML('beforeend', '<fencedframe></fencedframe><iframe credentialless src="OUT/credentialless"></iframe><iframe loading=lazy src="OUT/lazy"></iframe>')`,
}

// TestPolicyHoldsForWhatBrowsersAskFor: nothing of it arrives, whoever in the browser
// asks for it.
func TestPolicyHoldsForWhatBrowsersAskFor(t *testing.T) {
	tab, in, out := fenced(t, map[string]string{"/": "<title>in</title><body>in"})
	in.HandleFunc("/reports", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", out.address("img-src 'none'; report-uri OUT/csp; report-to r"))
		w.Header().Set("Reporting-Endpoints", out.address(`r="OUT/reporting", default="OUT/default"`))
		w.Header().Set("Report-To", out.address(`{"group":"r","max_age":9,"endpoints":[{"url":"OUT/report-to"}]}`))
		w.Header().Set("NEL", `{"report_to":"r","max_age":9,"success_fraction":1}`)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<img src=/x><script>navigator.vibrate && navigator.vibrate(1)</script>")
	})
	in.HandleFunc("/headers", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", out.address(`<OUT/link-preload>; rel=preload; as=script, <OUT/link-prefetch>; rel=prefetch, <OUT>; rel=preconnect, <OUT/link.css>; rel=stylesheet`))
		w.Header().Set("Speculation-Rules", out.address(`"OUT/rules.json"`))
		w.Header().Set("SourceMap", out.address(`OUT/map.json`))
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusEarlyHints)
		fmt.Fprint(w, "headers")
	})
	in.HandleFunc("/refresh", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Refresh", out.address("0; url=OUT/refresh"))
		fmt.Fprint(w, "refresh")
	})
	for name, script := range reaching {
		visit(t, tab, in.here+"/")
		if _, err := tab.Eval(within(t, 15*time.Second), "", out.address("(() => { "+script+" })(); 0")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// A round trip of the page's own, and a while for what goes on beside it.
		if _, err := tab.Eval(within(t, 15*time.Second), "", "fetch(location.href).then(() => new Promise((r) => setTimeout(r, 100)))"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		out.none(t)
	}
	visit(t, tab, in.here+"/")
	out.none(t)
}
