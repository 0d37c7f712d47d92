package driver_test

import (
	"fmt"
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
	_, err = p.Click(p.ctx, "#frag") // it counts for one call only
	p.ok(err)
	fails(t, p.Forward(p.ctx), driver.CodeInvalid, "no page to go forward to")
	fails(t, p.SetURL(p.ctx, ""), driver.CodeInvalid, "URL is empty")
	fails(t, p.SetURL(p.ctx, "http://127.0.0.1:1/"), driver.CodeNavigation, "UNSAFE_PORT")
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

// Each strategy waits for as much as it says.
func TestWaitForPageLoad(t *testing.T) {
	p := open(t, nil)
	release := make(chan struct{})
	url := testkit.Serve(t, map[string]http.HandlerFunc{
		"/":      testkit.Page(`<title>Page</title><img src="/slow"><iframe src="/frame"></iframe>`),
		"/frame": testkit.Page(`<p>frame</p>`),
		"/slow": func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		},
	})
	_, err := p.Tab().Navigate(p.ctx, url, driver.NavigateOptions{Until: backend.WaitCommit})
	p.ok(err)
	p.ok(p.WaitForPageLoad(p.ctx, driver.PageParsed))
	p.ok(p.WaitForPageLoad(p.ctx, driver.PageAndFramesParsed))
	start := time.Now()
	fails(t, p.WaitForPageLoad(p.ctx, driver.PageLoaded, soon), driver.CodeTimeout, "timeout waiting for the page to load", "interactive")
	if time.Since(start) < soon {
		t.Error("it did not wait")
	}
	close(release)
	p.ok(p.WaitForPageLoad(p.ctx, driver.PageLoaded))
	p.ok(p.WaitForPageLoad(p.ctx, driver.PageNetworkIdle))
	fails(t, p.WaitForPageLoad(p.ctx, "whatever"), driver.CodeInvalid, `no page load strategy "whatever"`)
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

func TestPDF(t *testing.T) {
	p := one(t, `<h1>Print</h1>`)
	plain, err := p.PDF(p.ctx, backend.PDFOptions{})
	p.ok(err)
	wide, err := p.PDF(p.ctx, backend.PDFOptions{Width: 10, Height: 4, Margin: &backend.Margin{}})
	p.ok(err)
	for want, pdf := range map[string][]byte{"[0 0 612 792]": plain, "[0 0 720 288]": wide} {
		if !strings.HasPrefix(string(pdf), "%PDF-") || !strings.Contains(strings.ReplaceAll(string(pdf), "  ", " "), want) {
			t.Errorf("no PDF of %s: %d bytes", want, len(pdf))
		}
	}
}

func TestPages(t *testing.T) {
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
	same(t, "terminated", d.IsTerminated(), false)
	p.ok(d.Quit(p.ctx))
	p.ok(d.Quit(p.ctx))
	same(t, "terminated", d.IsTerminated(), true)
	same(t, "ended", ended, 1)
	fails(t, d.SetURL(p.ctx, p.url), driver.CodeClosed, "gone")
	_, err = d.Text(p.ctx, "p")
	fails(t, err, driver.CodeClosed)
}
