package driver_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rove"
	"rove/driver"
	"rove/driver/backend"
)

// exampleDriver opens a driver at a page, in the browser of the tests. Programs
// use rove.Drive, rove.Connect or rove.Pool.
func exampleDriver(html string) (d *driver.Driver, ctx context.Context, done func()) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, "<!doctype html><title>Home</title>"+html)
		case "/favicon.ico":
			http.NotFound(w, r)
		default:
			fmt.Fprintf(w, "<!doctype html><title>%s</title><p id=where>%s</p>", r.URL.Path, r.URL.Path)
		}
	}))
	d, err := driver.Open(ctx, shared, driver.Options{})
	if err == nil {
		err = d.SetURL(ctx, server.URL)
	}
	if err != nil {
		panic(err)
	}
	return d, ctx, func() {
		_ = d.Quit(ctx)
		server.CloseClientConnections()
		server.Close()
		cancel()
	}
}

func ExampleDriver_SetURL() {
	d, ctx, done := exampleDriver(`<a href="/about">About us</a>`)
	defer done()
	home := d.URL()
	_ = d.SetURL(ctx, home+"about")
	title, _ := d.Title(ctx)
	fmt.Println(title)
	_ = d.Back(ctx)
	fmt.Println(d.URL() == home)
	// Output:
	// /about
	// true
}

func ExampleDriver_Click() {
	d, ctx, done := exampleDriver(`<button onclick="this.textContent = 'Thanks'">Press me</button>`)
	defer done()
	if _, err := d.Click(ctx, "{button}Press me"); err != nil {
		fmt.Println(err)
	}
	text, _ := d.Text(ctx, "button")
	fmt.Println(text)
	// Output: Thanks
}

func ExampleDriver_Input() {
	d, ctx, done := exampleDriver(`<form action="/sent"><label>Name <input name=n></label></form>`)
	defer done()
	if _, err := d.Input(ctx, "{input}Name", "Ann", driver.KeyEnter); err != nil {
		fmt.Println(err)
	}
	title, _ := d.Title(ctx)
	fmt.Println(title, strings.HasSuffix(d.URL(), "/sent?n=Ann"))
	// Output: /sent true
}

func ExampleDriver_Select() {
	d, ctx, done := exampleDriver(`<select><option value=us>United States<option value=uk>United Kingdom</select>`)
	defer done()
	for _, option := range []string{"uk", "United States", "{^}King"} {
		_, _ = d.Select(ctx, "select", option)
		value, _ := d.Value(ctx, "select")
		fmt.Println(value)
	}
	// Output:
	// uk
	// us
	// uk
}

func ExampleDriver_Locate() {
	d, ctx, done := exampleDriver(`<ul><li>one<li>two</ul>`)
	defer done()
	list := d.Locate("ul")
	second, _ := list.Locate("./li[2]").Text(ctx)
	items, _ := list.LocateAll(ctx, "{li}")
	fmt.Println(second, len(items))
	// Output: two 2
}

func ExampleDriver_Optional() {
	d, ctx, done := exampleDriver(`<p>no banner here</p>`)
	defer done()
	fmt.Println(d.Optional("#cookie-banner button").Click(ctx))
	// Output: <nil>
}

func ExampleDriver_WaitFor() {
	d, ctx, done := exampleDriver(`<script>setTimeout(() => document.body.innerHTML = '<p id=p>there</p>', 100)</script>`)
	defer done()
	e, _ := d.WaitFor(ctx, "#p")
	text, _ := e.Text(ctx)
	_, err := d.WaitFor(ctx, "#never", 50*time.Millisecond)
	fmt.Println(text, driver.CodeOf(err))
	// Output: there timeout
}

func ExampleDriver_WaitUntil() {
	d, ctx, done := exampleDriver(`<button disabled>Go</button><script>setTimeout(() => document.querySelector('button').disabled = false, 100)</script>`)
	defer done()
	_, err := d.WaitUntilOn(ctx, "button", "!_.disabled")
	fmt.Println(err, d.WaitUntil(ctx, "() => document.readyState == 'complete'"))
	// Output: <nil> <nil>
}

func ExampleDriver_Retry() {
	d, ctx, done := exampleDriver(``)
	defer done()
	_, err := d.Retry(3, 20*time.Millisecond).Click(ctx, "#none") // this call only
	fmt.Println(driver.CodeOf(err))
	// Output: notfound
}

func ExampleDriver_Script() {
	d, ctx, done := exampleDriver(`<li>a</li><li>b</li>`)
	defer done()
	sum, _ := d.Script(ctx, "[1, 2, 3].reduce((a, b) => a + b)")
	tag, _ := d.ScriptOn(ctx, "{li}b", "_.tagName")
	all, _ := d.ScriptAll(ctx, "li", "_.textContent")
	fmt.Println(sum, tag, all)
	// Output: 6 LI [a b]
}

func ExampleDriver_SwitchFrame() {
	d, ctx, done := exampleDriver(`<iframe id=f src="/inside"></iframe>`)
	defer done()
	_ = d.SwitchFrame(ctx, "#f")
	text, _ := d.Text(ctx, "#where")
	fmt.Println(text)
	_ = d.SwitchFrameAt(ctx, driver.ParentFrame)
	// Output: /inside
}

func ExampleDriver_OnDialog() {
	d, ctx, done := exampleDriver(`<button onclick="this.textContent = prompt('Name?')">Ask</button>`)
	defer done()
	d.OnDialog(func(g *driver.Dialog) { _ = g.Accept(ctx, "Ann") })
	_, _ = d.Click(ctx, "button")
	_, err := d.WaitForText(ctx, "button", "Ann")
	fmt.Println(err)
	// Output: <nil>
}

func ExampleDriver_Dialog() {
	d, ctx, done := exampleDriver(`<button onclick="alert('Hello')">Greet</button>`)
	defer done()
	_, _ = d.Click(ctx, "button")
	fmt.Println(d.DialogText())
	fmt.Println(d.Dialog(ctx, true, ""))
	// Output:
	// Hello true
	// <nil>
}

func ExampleDriver_SetCookies() {
	d, ctx, done := exampleDriver(``)
	defer done()
	_ = d.SetCookies(ctx, driver.Cookie{Name: "session", Value: "42"})
	c, _ := d.Cookie(ctx, "session")
	fmt.Println(c.Value)
	_ = d.ClearCookies(ctx)
	// Output: 42
}

func ExampleDriver_SetDimensions() {
	d, ctx, done := exampleDriver(``)
	defer done()
	_ = d.SetDimensions(ctx, driver.Window{Width: 800, Height: 600})
	width, _ := d.Script(ctx, "innerWidth")
	fmt.Println(width)
	// Output: 800
}

func ExampleDriver_PDF() {
	d, ctx, done := exampleDriver(`<h1>Report</h1>`)
	defer done()
	pdf, _ := d.PDF(ctx, backend.PDFOptions{Landscape: true, Background: true})
	fmt.Println(string(pdf[:5]))
	// Output: %PDF-
}

func ExampleDriver_Screenshot() {
	d, ctx, done := exampleDriver(`<h1>Picture</h1>`)
	defer done()
	page, _ := d.Screenshot(ctx, backend.ScreenshotOptions{FullPage: true})
	part, _ := d.Locate("h1").Screenshot(ctx)
	fmt.Println(string(page[1:4]), string(part[1:4]))
	// Output: PNG PNG
}

func ExampleDriver_Mouse() {
	d, ctx, done := exampleDriver(`<button onmouseover="this.textContent = 'over'" onclick="this.textContent = 'clicked'">b</button>`)
	defer done()
	m, _ := d.MouseAt(ctx, "button")
	before, _ := d.Text(ctx, "button")
	_ = m.Click(ctx)
	after, _ := d.Text(ctx, "button")
	fmt.Println(before, after)
	// Output: over clicked
}

func ExampleDriver_Keys() {
	d, ctx, done := exampleDriver(`<input autofocus>`)
	defer done()
	_, _ = d.Focus(ctx, "input")
	k := d.Keys()
	_ = k.Type(ctx, "one two")
	_ = k.Press(ctx, "Control+Shift+ArrowLeft")
	_ = k.Press(ctx, "Delete")
	value, _ := d.Value(ctx, "input")
	fmt.Printf("%q\n", value)
	// Output: "one "
}

func ExampleDriver_SwitchPage() {
	d, ctx, done := exampleDriver(`<a href="/help" target=_blank>Help</a>`)
	defer done()
	_, _ = d.Click(ctx, "a")
	_ = d.SwitchPage(ctx, "/help")
	pages, _ := d.Pages(ctx)
	fmt.Println(len(pages), pages[1].Title)
	// Output: 2 /help
}

func ExampleDriver_RightOf() {
	d, ctx, done := exampleDriver(`<p><b>Amount</b> <input id=amount></p>`)
	defer done()
	_ = d.RightOf("{}Amount").Input(ctx, "", "12")
	value, _ := d.Value(ctx, "#amount")
	fmt.Println(value)
	// Output: 12
}

// What a driver's session loads, and a HAR of it.
func ExampleDriver_BrowserContext() {
	d, ctx, done := exampleDriver("")
	defer done()
	n, _ := rove.WatchNetwork(d)
	_ = d.SetURL(ctx, d.URL()+"about")
	list, _ := n.Requests(rove.RequestFilter{Type: "document"})
	for _, q := range list.Requests {
		fmt.Println(q.Method, q.Status, q.ContentType, q.Source)
	}
	var archive bytes.Buffer
	_ = n.HAR(ctx, &archive, rove.HAROptions{Bodies: true})
	fmt.Println(strings.Contains(archive.String(), "<p id=where>/about</p>"))
	// Output:
	// GET 200 text/html network
	// true
}

func ExampleDriver_Intercept() {
	d, ctx, done := exampleDriver(``)
	defer done()
	i, _ := d.Intercept(ctx, driver.Intercept{
		Patterns: []string{"*/api/*"},
		Mock:     &backend.RouteResponse{Status: 200, Body: []byte(`{"name":"mock"}`)},
	})
	name, _ := d.Script(ctx, "fetch('/api/user').then(r => r.json()).then(u => u.name)")
	fmt.Println(name, len(i.Seen()))
	_ = d.StopIntercept(ctx)
	// Output: mock 1
}

func ExampleDriver_Emulate() {
	d, ctx, done := exampleDriver(`<meta name=viewport content="width=device-width">`)
	defer done()
	_ = d.Emulate(ctx, driver.Emulation{Device: "iPhone 15", Emulation: backend.Emulation{Timezone: "Asia/Tokyo", ColorScheme: "dark"}})
	width, _ := d.Script(ctx, "innerWidth")
	dark, _ := d.Script(ctx, "matchMedia('(prefers-color-scheme: dark)').matches")
	fmt.Println(width, dark)
	// Output: 393 true
}

func ExampleDriver_AriaTree() {
	d, ctx, done := exampleDriver(`<h1>Shop</h1><button onclick="document.title = 'bought'">Buy</button>`)
	defer done()
	tree, _ := d.AriaTree(ctx)
	fmt.Print(tree)
	_, _ = d.Click(ctx, "ref:e1")
	title, _ := d.Title(ctx)
	fmt.Println(title)
	// Output:
	// - heading "Shop" [level=1]
	// - button "Buy" [ref=e1]
	// bought
}

func ExampleDriver_Storage() {
	d, ctx, done := exampleDriver(``)
	defer done()
	_ = d.SetStorage(ctx, map[string]string{"theme": "dark"}, nil)
	s, _ := d.Storage(ctx)
	fmt.Println(s.Local["theme"])
	// Output: dark
}

func ExamplePool() {
	pool, _ := driver.NewPool(driver.PoolOptions{Size: 4, Start: launch})
	defer pool.Shutdown(context.Background())
	d, err := pool.Acquire(context.Background(), driver.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pool.Stats().InUse, pool.Release(context.Background(), d))
	// Output: 1 <nil>
}

func ExampleDriver_EmbedScreenshot() {
	ctx := context.Background()
	d, err := driver.Open(ctx, shared, driver.Options{
		ScreenshotOnFailure: true,
		Embed:               func(e driver.Embedding) { fmt.Println(e.Name, e.MIME) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Quit(ctx)
	_, _ = d.EmbedScreenshot(ctx, driver.ScreenshotOptions{})
	_, _ = d.Retry(1, time.Millisecond).Click(ctx, "#none")
	// Output:
	// screenshot image/png
	// click #none image/png
}

func ExampleDriver_Downloads() {
	ctx := context.Background()
	folder, _ := os.MkdirTemp("", "files")
	defer os.RemoveAll(folder)
	d, err := driver.Open(ctx, shared, driver.Options{Context: driver.ContextOptions{Downloads: folder}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Quit(ctx)
	_ = d.SetURL(ctx, "data:text/html,<a download=hello.txt href='data:,Hello'>Save</a>")
	_, _ = d.Click(ctx, "{a}Save")
	_ = d.WaitDownloads(ctx, func(files []driver.Download) bool { return len(files) > 0 && !files[0].Open })
	file := d.Downloads()[0]
	content, _ := os.ReadFile(file.Path)
	fmt.Println(file.Name, string(content))
	// Output: hello.txt Hello
}

func ExampleDriver_Screencast() {
	d, ctx, done := exampleDriver(`<h1>Live</h1>`)
	defer done()
	pictures := make(chan driver.Picture, 1)
	stop, err := d.Screencast(ctx, driver.ScreencastOptions{MaxWidth: 640}, func(p driver.Picture) {
		select {
		case pictures <- p:
		default: // nobody looks
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stop()
	first := <-pictures
	fmt.Println(first.Width, len(first.Data) > 0)
	// Output: 1280 true
}

func ExampleDriver_StartVideo() {
	d, ctx, done := exampleDriver(`<h1>Film</h1><button onclick="document.body.style.background='teal'">Paint</button>`)
	defer done()
	folder, _ := os.MkdirTemp("", "video")
	defer os.RemoveAll(folder)
	video, err := d.StartVideo(ctx, driver.VideoOptions{Path: filepath.Join(folder, "run.html")})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = d.Click(ctx, "{button}Paint")
	_ = d.WaitUntil(ctx, "new Promise(later => setTimeout(later, 300, true))")
	file, err := video.Stop(ctx)
	fmt.Println(file.Format, file.Pictures > 0, err)
	// Output: html true <nil>
}

func ExampleDriver_StartTrace() {
	d, ctx, done := exampleDriver(`<button>Press</button>`)
	defer done()
	folder, _ := os.MkdirTemp("", "trace")
	defer os.RemoveAll(folder)
	trace, _ := d.StartTrace(driver.TraceOptions{Folder: folder})
	_, _ = d.Click(ctx, "{button}Press")
	_ = trace.Stop()
	steps, _ := driver.ReadTrace(folder)
	for _, s := range steps {
		fmt.Printf("%d %s %s\n%s", s.N, s.Op, s.Target, s.Tree)
	}
	// Output:
	// 1 click {button}Press
	// - button "Press" [active] [ref=e1]
}

func ExampleParseConfig() {
	c, _ := driver.ParseConfig(map[string]any{"type": "chrome", "timeout": 20000, "pageLoadStrategy": "domcontent"})
	fmt.Println(c.Type, c.Options.Timeouts.Session)
	_, err := driver.ParseConfig(map[string]any{"headless": "yes"})
	fmt.Println(err)
	// Output:
	// chrome 20s
	// configure driver: headless takes true or false, not the text "yes"
}
