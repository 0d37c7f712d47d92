package rove_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"rove/internal/testkit"

	"github.com/coder/websocket"
)

// takes is a server that takes its time to answer.
func takes(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// talking serves an application that shows and hears of everything over a socket.
func talking(mux *http.ServeMux) {
	mux.HandleFunc("/talk", func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		for say := "Ready"; ; {
			takes(r, 2*slow)
			if c.Write(r.Context(), websocket.MessageText, []byte(say)) != nil {
				return
			}
			_, heard, err := c.Read(r.Context())
			if err != nil {
				return
			}
			say = "Heard " + string(heard)
		}
	})
	mux.HandleFunc("/talk.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `const s = new WebSocket('/talk'); s.onmessage = (e) => { root.innerHTML = '<p>' + e.data + '</p><input id=q aria-label=Ask>'; q.onkeydown = (k) => { if (k.key === 'Enter') s.send('you') } }`)
	})
	mux.HandleFunc("/shell", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Shell</title><a href="#root">Skip to the content</a><div id=root></div><script src="/talk.js"></script>`)
	})
}

// What an action brings about later, by a timer that it set, is in its answer.
func TestLateEffects(t *testing.T) {
	testkit.Parallel(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/find", func(w http.ResponseWriter, r *http.Request) {
		takes(r, 50*time.Millisecond)
		fmt.Fprint(w, "Found "+r.URL.Query().Get("q"))
	})
	page := func(path, html string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>Late</title>", html)
		})
	}
	for _, ms := range []int{100, 300, 450} {
		page(fmt.Sprintf("/typed%d", ms), fmt.Sprintf(`<label>Search <input id=q></label><ul id=out></ul><script>let t
			q.oninput = () => { clearTimeout(t); t = setTimeout(() => { out.innerHTML = '<li>Result for ' + q.value }, %d) }</script>`, ms))
	}
	page("/searched", `<label>Cars <input id=q placeholder="Search ..."></label><ul id=out><li>all</ul><script>let t
		q.oninput = () => { clearTimeout(t); t = setTimeout(() => { out.innerHTML = '<li>Only ' + q.value }, 750) }</script>`)
	page("/said", `<style>#live{position:absolute;left:-9999px}</style><label>Filter <input id=q></label><ul id=out><li>all</ul><div id=live aria-live=polite></div><script>let t
		q.oninput = () => { clearTimeout(t); t = setTimeout(() => { out.innerHTML = '<li>Only ' + q.value }, 500); setTimeout(() => { live.textContent = 'Press Enter to filter' }, 50) }</script>`)
	page("/asked", `<label>Search <input id=q></label><p id=out></p><script>let t
		q.oninput = () => { clearTimeout(t); t = setTimeout(async () => { out.textContent = await (await fetch('/find?q=' + q.value)).text() }, 250) }</script>`)
	page("/narrowed", `<label>Search <input id=q></label><p id=n></p><ul id=out><li>7<button>Edit</button><li>8<button>Edit</button></ul><p id=s></p><script>let t
		out.onclick = (e) => { s.textContent = 'Edits ' + e.target.parentNode.firstChild.data }
		q.oninput = () => { n.textContent = 'Searching'; clearTimeout(t); t = setTimeout(async () => { const a = await (await fetch('/find?q=' + q.value)).text(); out.innerHTML = '<li>' + a + '<button>Edit</button>' }, 300) }</script>`)
	page("/tabs", `<div role=tablist><button role=tab id=a aria-selected=true>One</button><button role=tab id=b aria-selected=false>Two</button></div><div role=tabpanel id=p>First</div>
		<script>b.onclick = () => { b.setAttribute('aria-selected', 'true'); a.setAttribute('aria-selected', 'false'); setTimeout(() => { p.textContent = 'Second' }, 300) }</script>`)
	page("/drop", `<div id=a draggable=true style="width:100px">Card</div><div id=z style="width:200px;height:100px;background:#eee">Zone</div><p id=out></p>
		<script>a.ondragstart = (e) => e.dataTransfer.setData('text', 'Card'); z.ondragover = (e) => e.preventDefault(); z.ondrop = (e) => { e.preventDefault(); setTimeout(() => { out.textContent = 'Dropped' }, 250) }</script>`)
	page("/press", `<button id=b>Go</button><p id=out></p><script>b.onclick = () => setTimeout(() => { out.textContent = 'Gone' }, 450)</script>`)
	page("/ticking", `<label>Search <input id=q></label><p id=out></p><p id=clock></p><script>setInterval(() => setTimeout(() => {}, 5), 20); let t
		q.oninput = () => { clearTimeout(t); t = setTimeout(() => { out.textContent = 'Result for ' + q.value }, 200) }</script>`)
	// What a worker has for the page: it computes, fetches, or waits for something of its own.
	for path, work := range map[string]string{
		"/computed": "for (const end = Date.now() + 350; Date.now() < end;); postMessage('Answer')",
		"/fetched":  "fetch(e.data + '/find?q=it').then((r) => r.text()).then((t) => setTimeout(() => postMessage(t), 100))",
		"/silent":   "setTimeout(() => postMessage('Answer'), 400)",
	} {
		page(path, `<button id=b>Go</button><p id=out>Before</p><script>const w = new Worker(URL.createObjectURL(new Blob(["onmessage = (e) => { `+work+` }"])));
			b.onclick = () => { b.innerHTML = '<i>…</i>'; w.postMessage(location.origin) }; w.onmessage = (e) => { out.textContent = e.data }</script>`)
	}
	page("/view", `<button id=b>Budget</button><main id=out><h1>Schedules</h1><p>Rent</main><script>const w = new Worker(URL.createObjectURL(new Blob(["onmessage = (e) => { for (const end = Date.now() + 300; Date.now() < end;); postMessage('25.00') }"])));
		b.onclick = () => { history.pushState({}, '', '/budget'); out.innerHTML = ''; w.postMessage(0) }; w.onmessage = (e) => { out.textContent = e.data }</script>`)
	talking(mux)
	base := testkit.ServeHandler(t, mux)
	for _, c := range []struct{ page, step, says string }{
		{"/shell", "#q press Enter", `"Heard you"`},
		{"/typed100", "#q input abc", `"Result for abc"`},
		{"/typed300", "#q input abc", `"Result for abc"`},
		{"/typed450", "#q input abc", `"Result for abc"`},
		{"/searched", "#q input abc", `"Only abc"`}, // the keys may stop for longer in a field that is there for this
		{"/said", "#q input abc", `"Only abc"`},     // after a word for readers
		{"/asked", "#q input abc", `"Found abc"`},
		{"/narrowed", "#q input 7; {button}Edit click", `"Edits Found 7"`}, // the next step is after what the keys put off
		{"/tabs", "#b click", `"Second"`},
		{"/drop", "#a drag #z", `"Dropped"`},
		{"/press", "#b click", `"Gone"`},
		{"/computed", "#b click", `"Answer"`},
		{"/fetched", "#b click", `"Found it"`},
		{"/silent", "#b click", `"Answer"`},
		{"/view", "#b click", `"25.00"`},
	} {
		t.Run(c.page, func(t *testing.T) {
			t.Parallel()
			if c.page == "/drop" { // browsers drag in ways of their own
				testkit.OnEveryBrowser(t)
			}
			ctx, s := open(t)
			if _, err := s.Go(ctx, base+c.page); err != nil {
				t.Fatal(err)
			}
			r, err := s.Act(ctx, steps(strings.Split(c.step, "; ")...)...)
			if err != nil {
				t.Fatal(err)
			}
			has(t, r.Text(), c.says)
		})
	}
}

// The next step begins when the page has handled the one before, however it does.
func TestStepsWaitForWhatThePageMakesOfThem(t *testing.T) {
	testkit.Parallel(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		takes(r, slow)
		fmt.Fprint(w, `{"ok":true}`)
	})
	page := func(path, take string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, `<!doctype html><title>Confirm</title><div id=app></div><p id=out></p><script>
				const state = { ticked: false, n: 0 };
				const wait = (ms) => new Promise((r) => setTimeout(r, ms));
				function render() {
					app.innerHTML = '<label><input type=checkbox ' + (state.ticked ? 'checked' : '') + '> Agree</label><button>Confirm</button>';
					app.querySelector('input').onchange = () => (`+take+`)();
					app.querySelector('button').onclick = () => { out.textContent = state.ticked ? 'confirmed' : 'not ticked' };
				}
				render();
			</script>`)
		})
	}
	page("/task", `async () => { await wait(0); state.ticked = true; render() }`)
	page("/timer", `async () => { await wait(120); state.ticked = true; render() }`)
	page("/answer", `async () => { const r = await fetch('/slow', { method: 'PATCH' }); const j = await r.json(); await wait(20); state.ticked = j.ok; render() }`)
	page("/late-answer", `async () => { await wait(40); const j = await (await fetch('/slow')).json(); await null; requestAnimationFrame(() => { state.ticked = j.ok; render() }) }`)
	page("/channel", `() => { const c = new MessageChannel(); c.port1.onmessage = () => requestAnimationFrame(() => { state.ticked = true; render() }); c.port2.postMessage(0); app.firstChild.title = 'busy' }`)
	base := testkit.ServeHandler(t, mux)
	for _, path := range []string{"/task", "/timer", "/answer", "/late-answer", "/channel"} {
		t.Run(strings.TrimPrefix(path, "/"), func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			if _, err := s.Go(ctx, base+path); err != nil {
				t.Fatal(err)
			}
			r, err := s.Act(ctx, steps("e1 check", "e2 click")...)
			if err != nil {
				t.Fatalf("%v\n%s", err, r.Text())
			}
			has(t, r.Text(), `"confirmed"`)
		})
	}
}

// A page that loads in stages is waited for while it gets on, and not called loading
// when it has all.
func TestLoadingInStages(t *testing.T) {
	testkit.Parallel(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/part", func(w http.ResponseWriter, r *http.Request) {
		takes(r, slow)
		fmt.Fprint(w, "x")
	})
	mux.HandleFunc("/long/part", func(w http.ResponseWriter, r *http.Request) {
		takes(r, 3*slow)
		fmt.Fprint(w, "x")
	})
	mux.HandleFunc("/hold", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	stages := func(n, pause int, more string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><title>Stages</title><p id=out>Loading 0/%d</p><script>let busy = () => {}; (async () => { %s
				for (let i = 1; i <= %d; i++) { const r = await fetch('part?' + i); busy(); await r.text(); out.textContent = 'Loading ' + i + '/%[1]d'; await new Promise((r) => setTimeout(r, %[4]d)) }
				out.textContent = 'Ready' })()</script>`, n, more, n, pause)
		}
	}
	// Longer in all than one answer may take, in few enough stages for a busy machine.
	mux.HandleFunc("/long/some", stages(6, 10, ""))
	mux.HandleFunc("/pauses", stages(6, 200, ""))
	mux.HandleFunc("/many", stages(2000, 250, "")) // mostly between two of them
	// An answer is there and told of before the page can read it.
	mux.HandleFunc("/busy", stages(6, 10, "busy = () => { for (const end = performance.now() + 60; performance.now() < end;); };"))
	// A worker whose script nobody tells the page the end of fetches what it shows.
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `(async () => { for (let i = 0; i < 3; i++) await (await fetch('/part?' + i)).text(); for (const end = Date.now() + 200; Date.now() < end;); postMessage('Ready') })()`)
	})
	mux.HandleFunc("/worker", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Worker</title><p id=out>Loading</p><script>const w = new Worker('/worker.js'); w.onmessage = (e) => { out.textContent = e.data }</script>`)
	})
	mux.HandleFunc("/polled", stages(3, 10, "fetch('/hold');"))
	talking(mux)
	base := testkit.ServeHandler(t, mux)
	for path, says := range map[string]string{"/shell": `"Ready"`, "/worker": `"Ready"`, "/long/some": `"Ready"`, "/pauses": `"Ready"`, "/busy": `"Ready"`, "/many": "still loading: ", "/polled": `"Ready"`} {
		t.Run(strings.TrimPrefix(path, "/"), func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			r, err := s.Go(ctx, base+path)
			if err != nil {
				t.Fatal(err)
			}
			has(t, r.Text(), says)
			switch path {
			case "/many":
				has(t, r.Text(), "/part?")
			case "/polled":
				has(t, r.Text(), "not answered yet: /hold")
				fallthrough
			default:
				hasNot(t, r.Text(), "loading")
			}
			if path == "/worker" {
				hasNot(t, r.Text(), "not answered")
			}
		})
	}
}
