package backendtest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"rove/cdp"
	"rove/driver"
	"rove/driver/backend"
	"rove/internal/policy"
)

var site = map[string]string{
	"/{$}": `<!doctype html><title>Home</title><h1 id=head>Home</h1><a id=next href="/second">Second</a> <a id=open href="/second" target=_blank>Another</a>
		<input id=field><select id=pick><option value=a>Apple<option value=b>Banana</select><button id=press onclick="document.title='pressed'">Press</button>
		<button id=ask onclick="document.title = String(confirm('Sure?'))">Ask</button><button id=off disabled>Off</button>
		<iframe id=frame src="/frame"></iframe>`,
	"/second": `<!doctype html><title>Second</title><p id=later></p><script>setTimeout(() => later.textContent = 'ready', 200)</script>`,
	"/frame":  `<!doctype html><p id=where>inside</p><input id=inner>`,
	"/api":    `real`,
	"/drag": `<!doctype html><title>Drag</title><div id=thing draggable=true ondragstart="event.dataTransfer.setData('text', 'x')">Thing</div>
		<div id=place style="height:200px;border:1px solid" ondragover="event.preventDefault()" ondrop="document.title='dropped'">Place</div>`,
}

func navigation(s *suite) {
	at := func(path, title string) {
		s.Helper()
		s.same("url", s.d.URL(), s.url+path)
		got, err := s.d.Title(s.ctx)
		s.must(err)
		s.same("title", got, title)
	}
	at("/", "Home")
	s.must(s.d.SetURL(s.ctx, s.url+"/second"))
	at("/second", "Second")
	s.must(s.d.Back(s.ctx))
	at("/", "Home")
	s.must(s.d.Forward(s.ctx))
	at("/second", "Second")
	s.must(s.d.Refresh(s.ctx))
	s.must(s.d.Reload(s.ctx))
	at("/second", "Second")
	s.must(s.d.WaitForPageLoad(s.ctx, driver.PageLoaded))
}

func actions(s *suite) {
	_, err := s.d.Input(s.ctx, "#field", "Grüße 😀")
	s.must(err)
	s.same("typed", s.js("field.value"), "Grüße 😀")
	_, err = s.d.Clear(s.ctx, "#field")
	s.must(err)
	s.same("cleared", s.js("field.value"), "")
	_, err = s.d.Select(s.ctx, "#pick", "Banana")
	s.must(err)
	s.same("chosen", s.js("pick.value"), "b")
	_, err = s.d.Click(s.ctx, "#press")
	s.must(err)
	s.same("clicked", s.js("document.title"), "pressed")
	_, err = s.d.Click(s.ctx, "{a}Second")
	s.must(err)
	s.same("followed", s.d.URL(), s.url+"/second")
}

func state(s *suite) {
	text, err := s.d.Text(s.ctx, "//h1")
	s.must(err)
	s.same("text", text, "Home")
	html, err := s.d.HTML(s.ctx, "#head")
	s.must(err)
	s.same("html", html, `<h1 id="head">Home</h1>`)
	enabled, err := s.d.Enabled(s.ctx, "#off")
	s.must(err)
	s.same("enabled", enabled, false)
	there, err := s.d.Exists(s.ctx, "#none")
	s.must(err)
	s.same("exists", there, false)
	list, err := s.d.LocateAll(s.ctx, "button")
	s.must(err)
	s.same("buttons", len(list), 3)
}

func waits(s *suite) {
	s.must(s.d.SetURL(s.ctx, s.url+"/second"))
	_, err := s.d.WaitForText(s.ctx, "#later", "ready")
	s.must(err)
	s.must(s.d.WaitUntil(s.ctx, "later.textContent.length > 0"))
	_, err = s.d.WaitFor(s.ctx, "#none", 200*time.Millisecond)
	if driver.CodeOf(err) != driver.CodeTimeout {
		s.Errorf("a wait in vain: %v", err)
	}
	url, err := s.d.WaitForURL(s.ctx, "second")
	s.must(err)
	s.same("url", url, s.url+"/second")
}

func scripts(s *suite) {
	s.same("value", s.js("({a: [1, 'x']}).a[1]"), "x")
	s.same("promise", s.js("Promise.resolve(7)"), 7)
	v, err := s.d.ScriptOn(s.ctx, "#head", "_.tagName")
	s.must(err)
	s.same("on an element", v, "H1")
	all, err := s.d.ScriptAll(s.ctx, "option", "_.value")
	s.must(err)
	s.same("on all", all, []any{"a", "b"})
	there, err := s.d.Exists(s.ctx, "(document.querySelector('#head'))")
	s.must(err)
	s.same("as a locator", there, true)
}

func screenshots(s *suite) {
	png, err := s.d.Screenshot(s.ctx, backend.ScreenshotOptions{})
	s.must(err)
	s.has(string(png[:8]), "PNG")
	part, err := s.d.Locate("#head").Screenshot(s.ctx)
	s.must(err)
	s.has(string(part[:8]), "PNG")
	if len(part) >= len(png) {
		s.Error("the picture of a part is not smaller than that of the page")
	}
}

func frames(s *suite) {
	s.must(s.d.SwitchFrame(s.ctx, "#frame"))
	text, err := s.d.Text(s.ctx, "#where")
	s.must(err)
	s.same("text", text, "inside")
	_, err = s.d.Input(s.ctx, "#inner", "typed")
	s.must(err)
	s.same("typed", s.js("inner.value"), "typed")
	s.must(s.d.SwitchFrameAt(s.ctx, driver.ParentFrame))
	s.must(s.d.SwitchFrameAt(s.ctx, 0))
	s.must(s.d.SwitchFrame(s.ctx, ""))
	s.same("back", s.js("document.title"), "Home")
}

func pages(s *suite) {
	_, err := s.d.Click(s.ctx, "#open")
	s.must(err)
	s.must(s.d.SwitchPage(s.ctx, "/second"))
	list, err := s.d.Pages(s.ctx)
	s.must(err)
	s.same("pages", len(list), 2)
	if slices.Contains(s.list, backend.CanEmulateScreen) {
		s.same("size of a page that another opened", s.js("innerWidth + 'x' + innerHeight"), "1280x720")
	}
	s.must(s.d.CloseTab(s.ctx))
	s.same("back", s.d.URL(), s.url+"/")
}

func cookies(s *suite) {
	s.must(s.d.SetCookies(s.ctx, driver.Cookie{Name: "a", Value: "1"}, driver.Cookie{Name: "b", Value: "2"}))
	s.same("in the page", s.js("document.cookie"), "a=1; b=2")
	c, err := s.d.Cookie(s.ctx, "b")
	s.must(err)
	s.same("read", c.Value, "2")
	s.must(s.d.DeleteCookie(s.ctx, "a"))
	s.same("deleted", s.js("document.cookie"), "b=2")
	s.must(s.d.ClearCookies(s.ctx))
	s.same("cleared", s.js("document.cookie"), "")
	s.js("document.cookie = 'c=3; max-age=1000'") // which says nothing of other sites
	kept, err := s.d.Cookies(s.ctx)
	s.must(err)
	s.must(s.d.ClearCookies(s.ctx))
	s.must(s.d.SetCookies(s.ctx, kept...))
	s.same("put back", s.js("document.cookie"), "c=3")
	s.must(s.d.ClearCookies(s.ctx))
}

func hands(s *suite) {
	m, err := s.d.MouseAt(s.ctx, "#field")
	s.must(err)
	s.must(m.Click(s.ctx))
	k := s.d.Keys()
	s.must(k.Type(s.ctx, "Abc"))
	s.must(k.Press(s.ctx, "Shift+ArrowLeft"))
	s.must(k.Press(s.ctx, "Backspace"))
	s.same("typed", s.js("field.value"), "Ab")
}

func failures(s *suite) {
	s.d.SetTimeout(200 * time.Millisecond)
	_, err := s.d.Click(s.ctx, "#none")
	if driver.CodeOf(err) != driver.CodeNotFound {
		s.Errorf("what is not there: %v", err)
	}
	_, err = s.d.Click(s.ctx, "#off")
	if driver.CodeOf(err) != driver.CodeDisabled {
		s.Errorf("what is disabled: %v", err)
	}
	s.d.SetTimeout(10 * time.Second)
	err = s.d.SetURL(s.ctx, "http://127.0.0.1:1/")
	if driver.CodeOf(err) != driver.CodeNavigation {
		s.Errorf("what cannot be reached: %v", err)
	}
}

// capabilities are what the backend itself says that it can do: what it was said
// to be able to, no more and no less.
func capabilities(s *suite) {
	for _, c := range backend.Capabilities() {
		s.same("can "+string(c), s.d.Can(c), slices.Contains(s.list, c))
	}
	s.same("number", len(s.d.Capabilities()), len(s.list))
}

func dialogs(s *suite) {
	_, err := s.d.Click(s.ctx, "#ask")
	s.must(err)
	text, _ := s.d.DialogText()
	s.same("text", text, "Sure?")
	s.must(s.d.Dialog(s.ctx, false, ""))
	s.same("dismissed", s.js("document.title"), "false")
	s.d.OnDialog(func(g *driver.Dialog) { _ = g.Accept(context.Background(), "") })
	_, err = s.d.Click(s.ctx, "#ask")
	s.must(err)
	s.must(s.d.WaitUntil(s.ctx, "document.title == 'true'"))
}

func intercept(s *suite) {
	i, err := s.d.Intercept(s.ctx, driver.Intercept{Patterns: []string{"*/api"}, Mock: &backend.RouteResponse{
		Status: 200, Body: []byte("mocked"), Header: http.Header{"Content-Type": {"text/plain"}},
	}})
	s.must(err)
	const get = "fetch('/api').then(r => r.text())"
	s.same("mocked", s.js(get), "mocked")
	s.same("seen", len(i.Seen()), 1)
	s.must(i.Stop(s.ctx))
	s.same("real", s.js(get), "real")

	// One that begins while the last still holds a request does not end with that.
	held, free := make(chan struct{}), make(chan struct{})
	last, err := s.d.Intercept(s.ctx, driver.Intercept{Patterns: []string{"*/api"}, Handler: func(_ context.Context, r *driver.Route) error {
		close(held)
		<-free
		return r.Continue(s.ctx)
	}})
	s.must(err)
	s.js("void " + get + ".then((text) => document.title = text)")
	<-held
	s.must(last.Stop(s.ctx))
	_, err = s.d.Intercept(s.ctx, driver.Intercept{Patterns: []string{"*/api"}, Mock: &backend.RouteResponse{Status: 200, Body: []byte("mocked")}})
	s.must(err)
	close(free)
	s.must(s.d.WaitUntil(s.ctx, "document.title == 'real'"))
	s.same("after it", s.js(get), "mocked")
	s.must(s.d.StopIntercept(s.ctx))
}

func pdf(s *suite) {
	b, err := s.d.PDF(s.ctx, backend.PDFOptions{Landscape: true})
	s.must(err)
	s.has(string(b[:8]), "%PDF")
}

func tree(s *suite) {
	text, err := s.d.AriaTree(s.ctx)
	s.must(err)
	s.has(text, `button "Press" [ref=`)
	_, rest, _ := strings.Cut(text, `button "Press" [ref=`)
	ref, _, _ := strings.Cut(rest, "]")
	_, err = s.d.Click(s.ctx, "ref:"+ref)
	s.must(err)
	s.same("clicked", s.js("document.title"), "pressed")
	role, err := s.d.Role(s.ctx, "#head")
	s.must(err)
	s.same("role", role, "heading")
}

func raw(s *suite) {
	conn, session := cdp.Of(s.d.Tab())
	if conn == nil || session == nil {
		s.Fatal("there is no protocol to speak")
	}
	var r struct {
		Result struct {
			Value int `json:"value"`
		} `json:"result"`
	}
	s.must(session.Call(s.ctx, "Runtime.evaluate", map[string]any{"expression": "6*7"}, &r))
	s.same("answer", r.Result.Value, 42)
}

func emulate(s *suite) {
	s.must(s.d.Emulate(s.ctx, driver.Emulation{Device: "Pixel 8", Emulation: backend.Emulation{Timezone: "Asia/Tokyo"}}))
	s.same("width and touch", s.js("screen.width + ' ' + navigator.maxTouchPoints + ' ' + navigator.platform"), "412 5 Linux armv81")
	s.has(s.js("navigator.userAgent").(string), "Pixel 8")
	s.same("time zone", s.js("Intl.DateTimeFormat().resolvedOptions().timeZone"), "Asia/Tokyo")
}

func window(s *suite) {
	s.must(s.d.SetDimensions(s.ctx, driver.Window{Width: 900, Height: 600}))
	s.same("page", s.js("innerWidth"), 900)
	w, err := s.d.Dimensions(s.ctx)
	s.must(err)
	s.same("window", w.Width, 900)
}

func isolated(s *suite) {
	other := s.open()
	s.must(other.SetURL(s.ctx, s.url))
	s.must(s.d.SetCookies(s.ctx, driver.Cookie{Name: "mine", Value: "1"}))
	s.js("localStorage.x = 1")
	v, err := other.Script(s.ctx, "document.cookie + Object.keys(localStorage)")
	s.must(err)
	s.same("seen by another context", v, "")
}

func screencast(s *suite) {
	pictures := make(chan driver.Picture, 100)
	stop, err := s.d.Screencast(s.ctx, driver.ScreencastOptions{}, func(p driver.Picture) {
		select {
		case pictures <- p:
		default:
		}
	})
	s.must(err)
	defer stop()
	s.js("document.body.style.background = 'red'")
	select {
	case p := <-pictures:
		if len(p.Data) == 0 {
			s.Error("a picture of nothing")
		}
	case <-s.ctx.Done():
		s.Error("no picture came")
	}
}

// rules let a context reach one host.
func (s *suite) rules(host string) backend.Policy {
	s.Helper()
	p, err := policy.New([]string{host}, nil)
	s.must(err)
	return p
}

func policies(s *suite) {
	d, err := driver.Open(s.ctx, s.b, driver.Options{Context: backend.ContextOptions{Policy: s.rules("localhost:*")}})
	s.must(err)
	defer func() { s.must(d.Quit(s.ctx)) }()
	there := strings.Replace(s.url, "127.0.0.1", "localhost", 1)
	s.must(d.SetURL(s.ctx, there+"/second"))
	if err := d.SetURL(s.ctx, s.url); driver.CodeOf(err) != driver.CodePolicy {
		s.Errorf("what is not allowed: %v", err)
	}
	got, err := d.Script(s.ctx, "fetch('"+s.url+"/api', {mode: 'no-cors'}).then(() => 'reached', () => 'kept back')")
	s.must(err)
	s.same("a request of the page", got, "kept back")
}

func drop(s *suite) {
	s.must(s.d.SetURL(s.ctx, s.url+"/drag"))
	_, err := s.d.DragTo(s.ctx, "#thing", "#place")
	s.must(err)
	s.same("dropped", s.js("document.title"), "dropped")
}
