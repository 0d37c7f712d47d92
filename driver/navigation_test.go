package driver_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
)

func TestNavigation(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := open(t, map[string]string{
		"/":     `<title>First</title><a id=a href="/two">two</a><button id=slow onclick="setTimeout(() => location = '/two', 400)">s</button>`,
		"/two":  `<title>Second</title><a href="#part" id=frag>part</a>`,
		"/push": `<title>Push</title><button id=b onclick="history.pushState(0, '', '/pushed')">b</button>`,
	})
	at := func(path, title string) {
		t.Helper()
		same(t, "url", p.URL(), p.url+path)
		got, err := p.Title(p.ctx)
		p.ok(err)
		same(t, "title", got, title)
	}
	at("/", "First")
	_, err := p.Click(p.ctx, "#a")
	p.ok(err)
	at("/two", "Second")
	p.ok(p.Back(p.ctx))
	at("/", "First")
	p.ok(p.Forward(p.ctx))
	at("/two", "Second")
	_, err = p.Click(p.ctx, "#frag")
	p.ok(err)
	at("/two#part", "Second")
	p.ok(p.Back(p.ctx))
	at("/two", "Second")
	p.visit("/push")
	_, err = p.Click(p.ctx, "#b")
	p.ok(err)
	same(t, "pushed", p.URL(), p.url+"/pushed")
	p.visit("/")
	_, err = p.Submit().Click(p.ctx, "#slow")
	p.ok(err)
	at("/two", "Second")
	p.SetTimeouts(driver.Timeouts{PageLoad: soon})
	_, err = p.Submit().Click(p.ctx, "#frag")
	fails(t, err, driver.CodeTimeout, "timeout waiting for the page to load")
	p.SetTimeouts(driver.Timeouts{PageLoad: time.Minute})
	_, err = p.Click(p.ctx, "#frag") // it counts for one call only
	p.ok(err)
	fails(t, p.Forward(p.ctx), driver.CodeInvalid, "no page to go forward to")
	fails(t, p.SetURL(p.ctx, ""), driver.CodeInvalid, "URL is empty")
	fails(t, p.SetURL(p.ctx, "http://127.0.0.1:1/"), driver.CodeNavigation, "UNSAFE_PORT")
}

// A page that does not come is waited for no longer than pages may take, whatever
// else has more time and however one goes there.
func TestPageLoadTimeout(t *testing.T) {
	p := open(t, nil)
	var silent atomic.Bool
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": func(w http.ResponseWriter, r *http.Request) {
			if silent.Load() {
				<-r.Context().Done()
			}
			w.Header().Set("Cache-Control", "no-store")
			testkit.Page(`<title>Page</title><a id=a href="/?next">next</a><script>onunload = () => {}</script>`)(w, r)
		},
	})
	p.ok(p.SetURL(p.ctx, url+"/?1"))
	p.ok(p.SetURL(p.ctx, url+"/?2"))
	p.SetTimeouts(driver.Timeouts{Session: time.Minute, Element: time.Minute, PageLoad: soon})
	silent.Store(true)
	for name, do := range map[string]func() error{
		"go": func() error { return p.SetURL(p.ctx, url+"/?3") }, "refresh": func() error { return p.Refresh(p.ctx) },
		"reload": func() error { return p.Reload(p.ctx) }, "back": func() error { return p.Back(p.ctx) },
	} {
		start := time.Now()
		fails(t, do(), driver.CodeTimeout)
		if took := time.Since(start); took < soon/2 || took > 8*time.Second {
			t.Errorf("%s waited %v", name, took)
		}
	}
}

// refresh may use the cache, reload goes past it.
func TestReload(t *testing.T) {
	p := open(t, nil)
	var pages, scripts atomic.Int32
	var control atomic.Value
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<title>Page %d</title><script src="/s.js"></script>`, pages.Add(1))
		},
		"/s.js": func(w http.ResponseWriter, r *http.Request) {
			scripts.Add(1)
			control.Store(r.Header.Get("Cache-Control"))
			w.Header().Set("Cache-Control", "max-age=3600")
			w.Header().Set("Content-Type", "text/javascript")
		},
	})
	p.ok(p.SetURL(p.ctx, url))
	p.ok(p.Refresh(p.ctx))
	same(t, "refreshed", p.js("document.title"), "Page 2")
	same(t, "scripts", scripts.Load(), 1)
	p.ok(p.Reload(p.ctx))
	same(t, "reloaded", p.js("document.title"), "Page 3")
	same(t, "scripts", scripts.Load(), 2)
	same(t, "cache", control.Load(), "no-cache")
}

// Each strategy waits for as much as it says, and for as long as it is told.
func TestWaitForPageLoad(t *testing.T) {
	p := open(t, nil)
	held := map[string]chan struct{}{"/slow": make(chan struct{}), "/frame": make(chan struct{}), "/api": make(chan struct{})}
	hold := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/frame" { // a document that is there and not at its end
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<p>begun</p>", strings.Repeat(" ", 2048))
			w.(http.Flusher).Flush()
		}
		select {
		case <-held[r.URL.Path]:
		case <-r.Context().Done():
		}
	}
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/":      testkit.Page(`<title>Page</title><img src="/slow"><iframe src="/frame"></iframe><script>onload = () => fetch('/api')</script>`),
		"/frame": hold, "/slow": hold, "/api": hold,
	})
	inVain := func(strategy driver.PageLoadStrategy, texts ...string) {
		t.Helper()
		start := time.Now()
		fails(t, p.WaitForPageLoad(p.ctx, strategy, soon), driver.CodeTimeout, append(texts, url, "waited")...)
		if took := time.Since(start); took < soon-5*time.Millisecond || took > 6*time.Second {
			t.Errorf("it waited %v", took)
		}
	}
	_, err := p.Tab().Navigate(p.ctx, url, driver.NavigateOptions{Until: backend.WaitCommit})
	p.ok(err)
	p.ok(p.WaitForPageLoad(p.ctx, driver.PageParsed))
	p.ok(p.WaitUntil(p.ctx, "frames[0]?.document.body?.innerText === 'begun'"))
	inVain(driver.PageAndFramesParsed, "timeout waiting for the page to load", "loading")
	close(held["/frame"])
	p.ok(p.WaitForPageLoad(p.ctx, driver.PageAndFramesParsed))
	inVain(driver.PageLoaded, "timeout waiting for the page to load", "interactive")
	close(held["/slow"])
	p.ok(p.WaitForPageLoad(p.ctx, driver.PageLoaded))
	inVain(driver.PageNetworkIdle, "timeout waiting for the network to be idle", "GET "+url+"/api")
	close(held["/api"])
	p.ok(p.WaitForPageLoad(p.ctx, driver.PageNetworkIdle))
	fails(t, p.WaitForPageLoad(p.ctx, "whatever"), driver.CodeInvalid, `no page load strategy "whatever"`)
}

// SetURL waits as the driver's strategy says: for requests that the page makes
// when it has loaded, too, and not for those that never end.
func TestPageLoadStrategies(t *testing.T) {
	p := open(t, nil)
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Idle</title><img src="/picture"><script>new EventSource('/events')
			onload = async () => { await fetch('/slow'); await fetch('/slow'); document.title = 'idle' }</script>`),
		"/slow":    func(w http.ResponseWriter, r *http.Request) { wait(r, 300); fmt.Fprint(w, "slow") },
		"/picture": func(w http.ResponseWriter, r *http.Request) { wait(r, 2000); fmt.Fprint(w, "slow") }, // longer than a busy machine takes to ask
		"/events": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: 1\n\n")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
	})
	for strategy, want := range map[driver.PageLoadStrategy]string{
		driver.PageParsed: "false Idle", driver.PageAndFramesParsed: "false Idle", driver.PageLoaded: "true Idle", driver.PageNetworkIdle: "true idle",
	} {
		d, err := driver.Open(p.ctx, shared, driver.Options{PageLoad: strategy})
		p.ok(err)
		p.ok(d.SetURL(p.ctx, url))
		got, err := d.Script(p.ctx, "(document.readyState == 'complete') + ' ' + document.title")
		p.ok(err)
		same(t, string(strategy), got, want)
		p.ok(d.Quit(p.ctx))
	}
}

func TestScript(t *testing.T) {
	p := one(t, `<p id=p>text</p><script>var mine = {a: [1, 'x', null], f: () => 7}</script>`)
	for js, want := range map[string]any{
		"1 + 1": 2, "'a'": "a", "null": nil, "undefined": nil, "mine": map[string]any{"a": []any{1, "x", nil}, "f": map[string]any{}},
		"[1,2].map(x => x * 2)": []any{2, 4}, "() => 5": 5, "mine.f": nil, "(() => 6)": 6, "mine.g = () => { throw 1 }": nil, "mine.f()": 7, "function() { return 3 }": 3,
		"Promise.resolve(4)": 4, "async () => { await 0; return 9 }": 9,
		"const a = 2; return a + 1": 3, "for (let i = 0; i < 2; i++) mine.n = i; return mine.n": 1,
		"document.title + (x => x)('!')": "Test!",
	} {
		got, err := p.Script(p.ctx, js)
		p.ok(err)
		if js == "mine" {
			got, want = fmt.Sprint(got)[:18], "map[a:[1 x <nil>] "
		}
		same(t, js, got, want)
	}
	_, err := p.Script(p.ctx, "throw new Error('broken')")
	fails(t, err, driver.CodeInvalid, "broken")
	_, err = p.Script(p.ctx, "1 +")
	fails(t, err, driver.CodeInvalid, "SyntaxError")
}

// A PDF has the size, pages and looks that were asked for.
func TestPDF(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := one(t, `<style>h1{background:rgb(255,0,0)}</style><h1>Print</h1><div style="height:2500px">tall</div>`)
	printed := func(opts backend.PDFOptions) (box string, pages int, content string) {
		t.Helper()
		pdf, err := p.PDF(p.ctx, opts)
		p.ok(err)
		if !strings.HasPrefix(string(pdf), "%PDF-") {
			t.Fatalf("no PDF: %.20q", pdf)
		}
		all := strings.Join(strings.Fields(string(pdf)), " ")
		if _, rest, ok := strings.Cut(all, "/MediaBox ["); ok {
			box, _, _ = strings.Cut(rest, "]")
		}
		return box, strings.Count(all, "/Type /Page "), inflated(pdf)
	}
	box, pages, content := printed(backend.PDFOptions{})
	same(t, "plain", box, "0 0 612 792")
	if pages < 3 || strings.Contains(content, "1 0 0 rg") {
		t.Errorf("plain: %d pages", pages)
	}
	if box, _, _ := printed(backend.PDFOptions{Landscape: true}); box != "0 0 792 612" {
		t.Errorf("landscape is %s", box)
	}
	if box, _, _ := printed(backend.PDFOptions{Width: 10, Height: 4, Margin: &backend.Margin{}}); box != "0 0 720 288" {
		t.Errorf("10×4 in is %s", box)
	}
	p.js("document.head.insertAdjacentHTML('beforeend', '<style id=own>@page{size: 5in 3in}</style>')")
	if box, _, _ := printed(backend.PDFOptions{PreferCSS: true}); box != "0 0 360 216" {
		t.Errorf("the page's own size is %s", box)
	}
	p.js("own.remove()")
	if _, _, c := printed(backend.PDFOptions{Background: true}); !strings.Contains(c, "1 0 0 rg") {
		t.Error("there is no background")
	}
	if _, n, _ := printed(backend.PDFOptions{Scale: 0.5}); n >= pages {
		t.Errorf("half the size takes %d pages of %d", n, pages)
	}
	if _, n, _ := printed(backend.PDFOptions{Margin: &backend.Margin{Top: 4, Bottom: 4}}); n <= pages {
		t.Errorf("wide margins take %d pages, narrow ones %d", n, pages)
	}
	if _, n, _ := printed(backend.PDFOptions{Pages: "2"}); n != 1 {
		t.Errorf("of page 2 there are %d", n)
	}
	texts := strings.Count(content, "BT")
	for name, opts := range map[string]backend.PDFOptions{"header": {Header: "<b style='font-size:10px'>head</b>"}, "footer": {Footer: "<b style='font-size:10px'>foot</b>"}} {
		if _, n, c := printed(opts); strings.Count(c, "BT") != texts+n {
			t.Errorf("with a %s, %d pages have %d texts; without, %d", name, n, strings.Count(c, "BT"), texts)
		}
	}
	_, err := p.PDF(p.ctx, backend.PDFOptions{Pages: "99"})
	fails(t, err, driver.CodeInvalid, `no pages "99"`)
}

// inflated is what the compressed parts of a PDF hold.
func inflated(pdf []byte) string {
	var all strings.Builder
	for rest := pdf; ; {
		_, after, ok := bytes.Cut(rest, []byte("stream\n"))
		if !ok {
			return all.String()
		}
		if z, err := zlib.NewReader(bytes.NewReader(after)); err == nil {
			_, _ = io.Copy(&all, z)
		}
		rest = after
	}
}

func TestPages(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := open(t, map[string]string{
		"/":     `<title>First</title><button id=b onclick="setTimeout(() => window.open('/two'), 200)">b</button>`,
		"/two":  `<title>Second page</title><p id=p>two</p>`,
		"/last": `<title>Third</title>`,
	})
	_, err := p.Click(p.ctx, "#b")
	p.ok(err)
	p.ok(p.SwitchPage(p.ctx, "Second"))
	same(t, "title", p.js("document.title"), "Second page")
	p.ok(p.SwitchPageAt(p.ctx, 0))
	same(t, "title", p.js("document.title"), "First")
	p.ok(p.SwitchPage(p.ctx, "/two"))
	list, err := p.Pages(p.ctx)
	p.ok(err)
	same(t, "pages", list, fmt.Sprintf("[{First %s/ false} {Second page %s/two true}]", p.url, p.url))
	p.ok(p.CloseTab(p.ctx))
	same(t, "title", p.js("document.title"), "First")
	p.SetTimeout(soon)
	fails(t, p.SwitchPage(p.ctx, "Second"), driver.CodeNotFound, "no page found matching: Second", p.url)
	fails(t, p.SwitchPageAt(p.ctx, 5), driver.CodeNotFound, "no page found matching: 5")

	other := open(t, nil)
	list, err = other.Pages(other.ctx)
	other.ok(err)
	same(t, "of this context only", len(list), 1)
}

func TestLifecycle(t *testing.T) {
	p := one(t, "")
	ended := 0
	d, err := driver.Open(p.ctx, shared, driver.Options{OnQuit: func() error { ended++; return nil }, RetryInterval: time.Second})
	p.ok(err)
	same(t, "options", d.Options().RetryInterval, time.Second)
	d.SetTimeout(7 * time.Second)
	same(t, "options as they stand", d.Options().Timeouts.Session, 7*time.Second)
	same(t, "terminated", d.IsTerminated(), false)
	p.ok(d.Quit(p.ctx))
	p.ok(d.Quit(p.ctx))
	same(t, "terminated", d.IsTerminated(), true)
	same(t, "ended", ended, 1)
	fails(t, d.SetURL(p.ctx, p.url), driver.CodeClosed, "gone")
	_, err = d.Text(p.ctx, "p")
	fails(t, err, driver.CodeClosed)
	closed, err := driver.Open(p.ctx, shared, driver.Options{})
	p.ok(err)
	p.ok(closed.Close(p.ctx))
	same(t, "terminated by close", closed.IsTerminated(), true)
	fails(t, closed.SetURL(p.ctx, p.url), driver.CodeClosed)
}
