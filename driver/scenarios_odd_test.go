package driver_test

import (
	"bytes"
	"image/png"
	"strconv"
	"strings"
	"time"

	"rove/driver"
	"rove/driver/backend"
)

// body gives the page another content.
func (h hand) body(html string) {
	h.Helper()
	h.js("document.body.innerHTML = " + strconv.Quote(html) + "; return 0")
}

// oddScenarios are what pages do that is not in any primer.
func oddScenarios() []scenario {
	return []scenario{
		{"navigation", "a path with spaces and letters", "/", func(h hand) {
			h.ok(h.SetURL(h.ctx, h.url+"/two?q=a b&ü=ß"))
			h.title("Two")
			h.is("query", h.js("new URLSearchParams(location.search).get('q') + new URLSearchParams(location.search).get('ü')"), "a bß")
		}},
		{"navigation", "an address that makes no sense", "/", func(h hand) {
			for _, url := range []string{"", "   ", "http://", "http://a b/"} {
				if err := h.SetURL(h.ctx, url); err == nil {
					h.Errorf("went to %q", url)
				}
			}
			h.title("Home")
		}},
		{"navigation", "a form that is posted, and again", "/", func(h hand) {
			h.js("form.method = 'post'; form.action = '/two'; return 0")
			h.click("#send")
			h.title("Two")
			h.ok(h.Refresh(h.ctx))
			h.title("Two")
			h.ok(h.Back(h.ctx))
			h.title("Home")
		}},
		{"navigation", "a link by its keys, and by script", "/", func(h hand) {
			h.ok(h.Locate("#two").Press(h.ctx, "Enter"))
			h.title("Two")
			h.js("setTimeout(() => home.click(), 50), 0")
			h.do(h.WaitFor(h.ctx, "#two"))
			h.title("Home")
		}},
		{"history", "forward is gone after another way", "/?a", func(h hand) {
			h.visit("/?b")
			h.ok(h.Back(h.ctx))
			h.visit("/?c")
			fails(h.T, h.Forward(h.ctx), driver.CodeInvalid, "no page to go forward to")
			h.ok(h.Back(h.ctx))
			h.here("/?a")
		}},
		{"history", "replaceState leaves no step", "/?before", func(h hand) {
			h.visit("/")
			h.click("#replace")
			h.here("/replaced")
			h.ok(h.Back(h.ctx))
			h.here("/?before")
		}},
		{"history", "a page kept by the browser is as it was left", "/form", func(h hand) {
			h.click("#count")
			h.js("window.kept = 7")
			h.visit("/two")
			h.ok(h.Back(h.ctx))
			h.do(h.WaitFor(h.ctx, "#count"))
			if kept := h.js("window.kept"); kept != nil {
				h.text("#count", "1")
			}
		}},

		{"elements", "a link over two lines", "/other", func(h hand) {
			h.body(`<p style="width:120px;font:16px monospace">some words <a id=a href="#hit">that are a long link here</a></p>`)
			h.click("#a")
			h.here("#hit")
		}},
		{"elements", "what is turned, scaled, inside a box that scrolls", "/other", func(h hand) {
			h.body(`<div style="transform:rotate(5deg) scale(.8);width:300px"><div style="height:80px;width:200px;overflow:auto"><div style="height:900px"></div><button id=b onclick="this.textContent='hit'">B</button></div></div>`)
			h.click("#b")
			h.text("#b", "hit")
		}},
		{"elements", "below a header that sticks", "/other", func(h hand) {
			h.body(`<div style="position:sticky;top:0;height:200px;background:#ccc;z-index:2">head</div><div style="height:1500px"></div><button id=b onclick="this.textContent='hit'">B</button><div style="height:1500px"></div>`)
			h.js("scrollTo(0, document.getElementById('b').offsetTop - 20)")
			h.click("#b")
			h.text("#b", "hit")
		}},
		{"elements", "an image map, a drawing, a summary", "/other", func(h hand) {
			h.body(`<svg width=100 height=50><circle id=c cx=30 cy=25 r=20 onclick="document.title='circle'"/></svg><details id=d><summary>S</summary>open</details>
				<img width=100 height=50 usemap="#m" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name=m><area id=area shape=rect coords="0,0,100,50" href="#area"></map>`)
			h.click("#c")
			h.title("circle")
			h.click("summary")
			h.is("open", h.js("d.open"), true)
		}},
		{"elements", "a fieldset that is disabled, and enabled", "/other", func(h hand) {
			h.body(`<fieldset id=f disabled><legend>L</legend><input id=i><button id=b onclick="this.textContent='hit'">B</button></fieldset>`)
			is, err := h.Enabled(h.ctx, "#i")
			h.ok(err)
			h.is("enabled", is, false)
			h.refused(driver.CodeDisabled, "disabled", func() error { _, err := h.Click(h.ctx, "#b"); return err })
			h.js("setTimeout(() => f.disabled = false, 200), 0")
			h.input("#i", "now")
			h.value("#i", "now")
		}},
		{"elements", "a field that formats what is typed", "/other", func(h hand) {
			h.body(`<input id=i oninput="this.value = this.value.replace(/\D/g, '').replace(/(\d{3})(?=\d)/g, '$1-')">`)
			h.input("#i", "5551234")
			h.value("#i", "555-123-4")
		}},
		{"elements", "a field that another takes the place of", "/other", func(h hand) {
			h.body(`<div id=d><input id=i onfocus="if (!window.done) { window.done = 1; setTimeout(() => d.innerHTML = '<input id=i>', 0) }"></div>`)
			h.do(h.Focus(h.ctx, "#i"))
			h.do(h.WaitUntilOn(h.ctx, "#i", "!_.onfocus"))
			h.input("#i", "typed")
			h.value("#i", "typed")
		}},
		{"elements", "nothing empties, keys go on", "/form", func(h hand) {
			h.input("#mail", "")
			h.value("#mail", "")
			h.input("#user", "a", driver.KeyTab, "b@c")
			h.value("#user", "a")
			h.value("#mail", "b@c")
		}},
		{"elements", "options in groups, by label, of a select that leaves", "/other", func(h hand) {
			h.body(`<select id=s><option>-<optgroup label=G><option value=1>One &nbsp; thing<option value=2 label=Second>x</optgroup><optgroup disabled label=H><option value=3>Three</optgroup></select>
				<select id=go onchange="location = '/two?' + this.value"><option>-<option value=chosen>Go</select>`)
			h.do(h.Select(h.ctx, "#s", "One thing"))
			h.value("#s", "1")
			h.do(h.Select(h.ctx, "#s", "Second"))
			h.value("#s", "2")
			h.refused(driver.CodeDisabled, "disabled", func() error { _, err := h.Select(h.ctx, "#s", "Three"); return err })
			h.refused(driver.CodeInvalid, "no option matching", func() error { _, err := h.SelectIndex(h.ctx, "#s", 9); return err })
			h.do(h.Select(h.ctx, "#go", "Go"))
			h.here("/two?chosen")
			h.title("Two")
		}},
		{"elements", "attributes and properties of all kinds", "/other", func(h hand) {
			h.body(`<a id=a href="/x" hidden data-n=1>a</a><input id=i disabled required value=v>`)
			attribute := func(locator, name, want string) {
				h.Helper()
				v, ok, err := h.Attribute(h.ctx, locator, name)
				h.ok(err)
				h.is(name, v+"|"+strconv.FormatBool(ok), want)
			}
			attribute("#a", "href", "/x|true")
			attribute("#a", "hidden", "|true")
			attribute("#i", "disabled", "|true")
			attribute("#i", "readonly", "|false")
			for name, want := range map[string]any{"href": h.url + "/x", "hidden": true, "none": nil, "click": nil, "tabIndex": 0} {
				v, err := h.Property(h.ctx, "#a", name)
				h.ok(err)
				h.is(name, v, want)
			}
		}},
		{"elements", "a script about what is not there, and one that throws", "/form", func(h hand) {
			h.refused(driver.CodeNotFound, "element not found: #none", func() error { _, err := h.ScriptOn(h.ctx, "#none", "_.id"); return err })
			_, err := h.ScriptOn(h.ctx, "#user", "_.nothing.at.all")
			fails(h.T, err, driver.CodeInvalid, "TypeError")
			all, err := h.ScriptAll(h.ctx, ".none", "_.id")
			h.ok(err)
			h.is("of none", len(all), 0)
			all, err = h.ScriptAll(h.ctx, "#t td", "el => el.cellIndex")
			h.ok(err)
			h.is("by a function", all, "[0 1 0 1]")
		}},

		{"waits", "what is replaced while it is waited for", "/waits", func(h hand) {
			h.js("let n = 0; const timer = setInterval(() => { if (++n == 8) clearInterval(timer); slot.innerHTML = '<b id=turn>' + n + '</b>' }, 50); return 0")
			h.do(h.WaitForText(h.ctx, "#turn", "8"))
			h.do(h.Click(h.ctx, "#turn"))
		}},
		{"waits", "a promise, and a condition that throws at first", "/waits", func(h hand) {
			h.ok(h.WaitUntil(h.ctx, "new Promise(ok => setTimeout(() => ok(true), 100))"))
			h.js("setTimeout(() => window.late = {deep: {ok: 1}}, 150), 0")
			h.ok(h.WaitUntil(h.ctx, "late.deep.ok"))
			h.refused(driver.CodeInvalid, "makes no sense", func() error { return h.WaitUntil(h.ctx, "1 +") })
			h.refused(driver.CodeTimeout, "did not answer in time", func() error { return h.WaitUntil(h.ctx, "new Promise(() => {})") })
		}},
		{"waits", "over a page that goes on to another", "/chain", func(h hand) {
			h.ok(h.WaitUntil(h.ctx, "document.title == 'Two'"))
			list, err := h.WaitForResultCount(h.ctx, "h1", 1)
			h.ok(err)
			h.is("text", h.tell(list[0]), "Two")
		}},
		{"waits", "what goes away", "/waits", func(h hand) {
			h.click("#start")
			_, err := h.WaitForResultCount(h.ctx, "#hide", 0)
			h.ok(err)
			h.exists("#hide", false)
		}},

		{"keys", "space ticks, arrows choose, Escape closes", "/other", func(h hand) {
			h.body(`<input type=checkbox id=c><input type=radio name=r id=r1 checked><input type=radio name=r id=r2><select id=s><option>a<option>b<option>c</select><dialog id=d>Hi <button>x</button></dialog>`)
			h.do(h.Focus(h.ctx, "#c"))
			k := h.Keys()
			h.ok(k.Press(h.ctx, "Space"))
			h.is("ticked", h.js("c.checked"), true)
			h.do(h.Focus(h.ctx, "#r1"))
			h.ok(k.Press(h.ctx, "ArrowRight"))
			h.is("radio", h.js("r2.checked"), true)
			h.do(h.Focus(h.ctx, "#s"))
			h.ok(k.Press(h.ctx, "ArrowDown ArrowDown"))
			h.value("#s", "c")
			h.js("d.showModal()")
			h.ok(k.Press(h.ctx, "Escape"))
			h.is("open", h.js("d.open"), false)
		}},
		{"keys", "letters of other keyboards and compositions", "/keys", func(h hand) {
			h.input("#a", "éßøñ 한국 ½ e\u0301 👍🏽")
			h.value("#a", "éßøñ 한국 ½ e\u0301 👍🏽")
			h.is("keys of letters", h.js("seen.filter(s => s[0] == 'keydown').slice(0, 2).map(s => s[1]).join()"), "é,ß")
		}},
		{"keys", "undo, select to the start, delete a word", "/keys", func(h hand) {
			h.input("#c", "one two three")
			k := h.Keys()
			h.ok(k.Press(h.ctx, "Control+Backspace"))
			h.value("#c", "one two ")
			h.ok(k.Press(h.ctx, "Shift+Home"))
			h.ok(k.Type(h.ctx, "x"))
			h.value("#c", "x")
			h.ok(k.Press(h.ctx, "Control+z"))
			h.value("#c", "one two ")
		}},
		{"keys", "a key that the page takes for itself", "/keys", func(h hand) {
			h.js("a.addEventListener('keydown', e => { if (e.key == 'x') e.preventDefault() }), 0")
			h.input("#a", "axbx")
			h.value("#a", "ab")
		}},

		{"mouse", "a menu that opens below the pointer", "/other", func(h hand) {
			h.body(`<style>#m ul{display:none}#m:hover ul{display:block}</style><div id=m style="width:150px">Menu<ul><li id=i onclick="document.title='item'">Item</ul></div>`)
			h.do(h.Hover(h.ctx, "#m"))
			h.click("#i")
			h.title("item")
		}},
		{"mouse", "pressed here and let go there is no click", "/other", func(h hand) {
			h.body(`<button id=a onclick="document.title='a'">aaaa</button><button id=b onclick="document.title='b'">bbbb</button>`)
			m, err := h.MouseAt(h.ctx, "#a")
			h.ok(err)
			h.ok(m.Down(h.ctx))
			h.ok(m.MoveTo(h.ctx, h.Locate("#b")))
			h.ok(m.Up(h.ctx))
			h.title("Other")
		}},
		{"mouse", "in a frame that is scrolled", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#far"))
			m, err := h.MouseAt(h.ctx, "#low")
			h.ok(err)
			h.ok(m.Click(h.ctx))
			h.text("#low", "low hit")
		}},
		{"mouse", "two clicks select a word", "/other", func(h hand) {
			h.body(`<p id=p style="width:fit-content">word</p>`)
			h.do(h.DoubleClick(h.ctx, "#p"))
			h.is("selected", h.js("getSelection().toString().trim()"), "word")
		}},

		{"frames", "written by a script, of no address", "/other", func(h hand) {
			h.body(`<iframe id=f></iframe><iframe id=d src="data:text/html,<p id=p>data</p>"></iframe>`)
			h.js("f.contentDocument.write('<p id=p>written</p><button id=b onclick=\"this.textContent=1\">0</button>'); f.contentDocument.close(); return 0")
			h.ok(h.SwitchFrame(h.ctx, "#f"))
			h.text("#p", "written")
			h.click("#b")
			h.text("#b", "1")
			h.ok(h.SwitchFrame(h.ctx, ""))
			h.ok(h.SwitchFrame(h.ctx, "#d"))
			h.text("#p", "data")
		}},
		{"frames", "in a shadow tree, below the fold, lazy", "/other", func(h hand) {
			h.body(`<div id=host></div><div style="height:4000px"></div><iframe id=lazy loading=lazy src="/inner?lazy"></iframe>`)
			h.js("host.attachShadow({mode: 'open'}).innerHTML = '<iframe id=in src=/inner?shadow></iframe>'; return 0")
			h.ok(h.SwitchFrame(h.ctx, "#in"))
			h.text("#where", "inner?shadow")
			h.ok(h.SwitchFrame(h.ctx, ""))
			h.do(h.Scroll(h.ctx, "#lazy"))
			h.ok(h.SwitchFrame(h.ctx, "#lazy"))
			h.text("#where", "inner?lazy")
		}},
		{"frames", "one that goes and comes back", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			h.ok(h.SwitchFrame(h.ctx, ""))
			h.js("const f = one; f.remove(); document.body.prepend(f); return 0")
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			h.text("#where", "inner?1")
		}},
		{"frames", "by JavaScript, inside an element, with no scripts of its own", "/other", func(h hand) {
			h.body(`<div id=d><iframe sandbox src="/inner?sandbox"></iframe></div>`)
			h.ok(h.SwitchFrame(h.ctx, "(document.querySelector('#d iframe'))"))
			h.text("#where", "inner")
			h.ok(h.SwitchFrameAt(h.ctx, driver.ParentFrame))
			h.ok(h.Locate("#d").Locate("iframe").SwitchFrame(h.ctx))
			h.text("#where", "inner")
		}},
		{"cross-origin frames", "covered from outside", "/other", func(h hand) {
			there := strings.Replace(h.url, "127.0.0.1", "localhost", 1)
			h.body(`<iframe id=f width=400 height=300 src="` + there + `/nested"></iframe><div id=cover style="position:fixed;inset:0;background:#fff8">cover</div>`)
			h.ok(h.SwitchFrame(h.ctx, "#f"))
			h.do(h.WaitFor(h.ctx, "#nb"))
			h.refused(driver.CodeCovered, "covered", func() error { _, err := h.Click(h.ctx, "#nb"); return err })
			h.ok(h.SwitchFrame(h.ctx, ""))
			h.js("cover.remove()")
			h.ok(h.SwitchFrame(h.ctx, "#f"))
			h.click("#nb")
			h.text("#nb", "nested hit")
		}},
		{"cross-origin frames", "a picture of what is inside, a drag, a dialog", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#cross"))
			picture, err := h.Locate("#b").Screenshot(h.ctx)
			h.ok(err)
			if img, err := png.Decode(bytes.NewReader(picture)); err != nil || img.Bounds().Dx() < 10 {
				h.Errorf("picture: %v", err)
			}
			h.OnDialog(func(g *driver.Dialog) { _ = g.Accept(h.ctx, "") })
			h.is("confirm", h.js("confirm('from there')"), true)
		}},

		{"dialogs", "nobody leaves while a handler says no", "/two", func(h hand) {
			h.js("window.stay = 1")
			h.click("#home") // a gesture, without which no page may ask
			h.visit("/form")
			h.click("#count")
			h.js("onbeforeunload = e => { e.preventDefault(); return 'x' }, 0")
			h.OnDialog(func(g *driver.Dialog) { _ = g.Dismiss(h.ctx) })
			_ = h.SetURL(h.ctx, h.url+"/two")
			h.here("/form")
			h.OnDialog(nil)
			h.visit("/two")
			h.title("Two")
		}},
		{"dialogs", "a prompt's preset is what a handler sees", "/dialogs", func(h hand) {
			h.OnDialog(func(g *driver.Dialog) { _ = g.Accept(h.ctx, g.Type+g.Message+g.Default) })
			h.click("#prompt")
			h.text("#out", "promptName?preset")
		}},
		{"dialogs", "two handlers: the last one answers", "/dialogs", func(h hand) {
			h.OnDialog(func(g *driver.Dialog) { _ = g.Accept(h.ctx, "first") })
			h.OnDialog(func(g *driver.Dialog) { _ = g.Accept(h.ctx, "second") })
			h.click("#prompt")
			h.text("#out", "second")
		}},

		{"cookies", "expired, of a path, of letters", "/", func(h hand) {
			h.ok(h.ClearCookies(h.ctx))
			h.ok(h.SetCookies(h.ctx, driver.Cookie{Name: "old", Value: "1", Expires: time.Now().Add(-time.Hour)}, driver.Cookie{Name: "deep", Value: "1", URL: h.url, Path: "/deep"}, driver.Cookie{Name: "u", Value: "ü=%20 x"}))
			old, err := h.Cookie(h.ctx, "old")
			h.ok(err)
			h.is("expired", old == nil, true)
			h.is("in the page", h.js("document.cookie"), "u=ü=%20 x")
			deep, err := h.Cookie(h.ctx, "deep")
			h.ok(err)
			h.is("path", deep.Path, "/deep")
			h.ok(h.DeleteCookie(h.ctx, "deep"))
			deep, err = h.Cookie(h.ctx, "deep")
			h.ok(err)
			h.is("deleted", deep == nil, true)
		}},
		{"cookies", "not for scripts, and sent all the same", "/", func(h hand) {
			h.ok(h.SetCookies(h.ctx, driver.Cookie{Name: "http", Value: "only", HTTPOnly: true}))
			h.is("seen", strings.Contains(h.js("document.cookie").(string), "http="), false)
			got := ""
			i, err := h.Intercept(h.ctx, driver.Intercept{Patterns: []string{"*/two*"}, Response: true, Handler: func(c ctx, r *driver.Route) error { return nil }})
			h.ok(err)
			h.visit("/two")
			if seen := i.Seen(); len(seen) > 0 {
				got = seen[0].Method
			}
			h.ok(i.Stop(h.ctx))
			h.is("seen", got, "GET")
			c, err := h.Cookie(h.ctx, "http")
			h.ok(err)
			h.is("http only", c.HTTPOnly, true)
		}},

		{"windows", "only the place, only the size", "/", func(h hand) {
			h.ok(h.SetDimensions(h.ctx, driver.Window{X: 11, Y: 22, Width: 810, Height: 620}))
			h.ok(h.SetDimensions(h.ctx, driver.Window{X: 33, Y: 44}))
			w, err := h.Dimensions(h.ctx)
			h.ok(err)
			h.is("moved", []int{w.X, w.Y, w.Width, w.Height}, "[33 44 810 620]")
			h.is("page", h.js("innerWidth"), 810)
			fails(h.T, h.SetDimensions(h.ctx, driver.Window{Width: 20000, Height: 5}), driver.CodeInvalid, "10,000")
		}},

		{"screenshots", "a part, an element larger than the window, one that is hidden", "/other", func(h hand) {
			h.ok(h.SetDimensions(h.ctx, driver.Window{Width: 600, Height: 400}))
			h.body(`<div id=big style="width:900px;height:1200px;background:rgb(0,128,0)">big</div><p id=none style="display:none">x</p>`)
			part, err := h.Screenshot(h.ctx, driver.ScreenshotOptions{Clip: &driver.Rect{X: 20, Y: 30, Width: 40, Height: 50}})
			h.ok(err)
			h.is("part", pngSize(part), "40x50")
			big, err := h.Locate("#big").Screenshot(h.ctx)
			h.ok(err)
			h.is("big", pngSize(big), "900x1200")
			img, err := png.Decode(bytes.NewReader(big))
			h.ok(err)
			r, g, b, _ := img.At(890, 1190).RGBA()
			h.is("its far corner", []uint32{r >> 8, g >> 8, b >> 8}, "[0 128 0]")
			h.refused(driver.CodeHidden, "no size", func() error { _, err := h.Locate("#none").Screenshot(h.ctx); return err })
			_, err = h.Screenshot(h.ctx, driver.ScreenshotOptions{Format: "gif"})
			fails(h.T, err, driver.CodeUnsupported, "gif")
		}},

		{"intercept", "a redirect, bytes, heads, an answer that is changed", "/", func(h hand) {
			_, err := h.Intercept(h.ctx, driver.Intercept{Response: true, Handler: func(c ctx, r *driver.Route) error {
				switch {
				case r.Response != nil && strings.HasSuffix(r.URL, "/two?change"):
					body, err := r.ResponseBody(c)
					if err != nil {
						return err
					}
					return r.Fulfil(c, backend.RouteResponse{Status: 200, Header: map[string][]string{"Content-Type": {"text/html"}, "X-Made": {"yes"}}, Body: bytes.ReplaceAll(body, []byte("<h1>Two"), []byte("<h1>Changed"))})
				case r.Response == nil && strings.HasSuffix(r.URL, "/from"):
					return r.Fulfil(c, backend.RouteResponse{Status: 302, Header: map[string][]string{"Location": {"/two?redirected"}}})
				case r.Response == nil && strings.HasSuffix(r.URL, "/bytes"):
					return r.Fulfil(c, backend.RouteResponse{Status: 200, Body: []byte{0, 255, 1, 254}})
				}
				return nil
			}})
			h.ok(err)
			h.visit("/two?change")
			h.text("h1", "Changed")
			h.visit("/from")
			h.here("/two?redirected")
			h.is("bytes", h.js("fetch('/bytes').then(r => r.arrayBuffer()).then(b => [...new Uint8Array(b)].join())"), "0,255,1,254")
			h.is("head", h.js("fetch('/two?change').then(r => r.headers.get('x-made'))"), "yes")
			h.ok(h.StopIntercept(h.ctx))
			h.visit("/two?change")
			h.text("h1", "Two")
		}},
		{"intercept", "a page that is kept from loading", "/", func(h hand) {
			_, err := h.Intercept(h.ctx, driver.Intercept{Patterns: []string{"*/two*"}, Type: "Document", Handler: func(c ctx, r *driver.Route) error { return r.Abort(c) }})
			h.ok(err)
			h.is("of another kind", h.js("fetch('/two').then(r => r.status)"), 200)
			fails(h.T, h.SetURL(h.ctx, h.url+"/two"), driver.CodeNavigation)
			h.ok(h.StopIntercept(h.ctx))
			h.visit("/two")
			h.title("Two")
		}},
		{"intercept", "a request is answered once", "/", func(h hand) {
			again := make(chan error, 1)
			_, err := h.Intercept(h.ctx, driver.Intercept{Patterns: []string{"*/once"}, Handler: func(c ctx, r *driver.Route) error {
				if err := r.Fulfil(c, backend.RouteResponse{Status: 200, Body: []byte("once")}); err != nil {
					return err
				}
				again <- r.Continue(c)
				return nil
			}})
			h.ok(err)
			h.is("answer", h.js("fetch('/once').then(r => r.text())"), "once")
			fails(h.T, <-again, driver.CodeInvalid, "answered already")
			h.ok(h.StopIntercept(h.ctx))
		}},

		{"tabs", "without an opener, by script and by a modifier", "/", func(h hand) {
			h.js("blank.rel = 'noopener'; return 0")
			h.click("#blank")
			h.ok(h.SwitchPage(h.ctx, "two?tab"))
			h.is("opener", h.js("opener"), nil)
			h.ok(h.CloseTab(h.ctx))
			h.js("setTimeout(() => window.open('/two?late', 'named', 'width=300,height=200'), 150), 0")
			h.ok(h.SwitchPage(h.ctx, "two?late"))
			h.ok(h.WaitUntil(h.ctx, "document.readyState == 'complete'"))
			h.title("Two")
			h.ok(h.CloseTab(h.ctx))
			h.title("Home")
		}},
		{"tabs", "a click that closes its own tab", "/", func(h hand) {
			h.js("window.open('/leave') && 0")
			h.ok(h.SwitchPage(h.ctx, "/leave"))
			h.js("open.onclick = null; js.onclick = () => window.close(); return 0")
			h.click("#js")
			h.ok(h.SwitchPageAt(h.ctx, 0))
			h.title("Home")
			pages, err := h.Pages(h.ctx)
			h.ok(err)
			h.is("pages", len(pages), 1)
		}},
		{"tabs", "the last one gives way to an empty one", "/", func(h hand) {
			h.ok(h.CloseTab(h.ctx))
			h.is("url", h.URL(), "about:blank")
			h.visit("/two")
			h.title("Two")
		}},

		{"shadow DOM", "closed ones are closed to CSS", "/other", func(h hand) {
			h.body(`<div id=h></div>`)
			h.js("const r = h.attachShadow({mode: 'closed'}); r.innerHTML = '<button class=inside>In</button>'; return 0")
			h.exists("#h", true)
			h.is("scripts", h.js("h.shadowRoot"), nil)
		}},
		{"shadow DOM", "all of them, in order, and one inside the other", "/shadow", func(h hand) {
			all, err := h.LocateAll(h.ctx, "button")
			h.ok(err)
			h.is("buttons", len(all), 2)
			all, err = h.Locate("#card").LocateAll(h.ctx, "button")
			h.ok(err)
			h.is("of the host", len(all), 2)
			h.do(h.WaitForText(h.ctx, "#deep", "Deep one"))
			at, err := h.Position(h.ctx, "#deep", true)
			h.ok(err)
			h.is("place", at.Width > 10, true)
			h.do(h.Focus(h.ctx, "#name"))
			is, err := h.Locate("#name").Focused(h.ctx)
			h.ok(err)
			h.is("focused", is, true)
		}},

		{"visibility", "a corner that is free is enough", "/other", func(h hand) {
			h.body(`<button id=b style="position:fixed;left:50px;top:50px;width:200px;height:100px" onclick="document.title='corner'">B</button><div style="position:fixed;left:100px;top:20px;width:300px;height:300px;background:#ccc"></div>`)
			h.click("#b")
			h.title("corner")
		}},
		{"visibility", "what cannot be pressed", "/visible", func(h hand) {
			h.refused(driver.CodeCovered, "#b4", func() error { _, err := h.Click(h.ctx, "#b4"); return err })
			h.refused(driver.CodeHidden, "no size", func() error { _, err := h.Click(h.ctx, "#b3"); return err })
			h.body(`<div inert><button id=i>In</button></div><button id=away style="position:absolute;left:-9999px">Away</button>`)
			h.refused(driver.CodeDisabled, "#i", func() error { _, err := h.Click(h.ctx, "#i"); return err })
			h.refused(driver.CodeHidden, "scrolled into view", func() error { _, err := h.Click(h.ctx, "#away"); return err })
		}},
		{"visibility", "what comes with scrolling", "/other", func(h hand) {
			h.body(`<div style="height:2500px"></div><div id=end style="min-height:20px"></div>`)
			h.js("new IntersectionObserver((e, o) => { if (e[0].isIntersecting) { o.disconnect(); setTimeout(() => end.innerHTML = '<button id=b onclick=\"this.textContent=1\">0</button>', 100) } }).observe(end); return 0")
			h.do(h.Scroll(h.ctx, "#end"))
			h.click("#b")
			h.text("#b", "1")
		}},

		{"positional", "in a page that is scrolled, the nearest first", "/other", func(h hand) {
			h.body(`<div style="height:1500px"></div><table><tr><td id=name>Name<td><input id=i1><td><input id=i2><tr><td>Mail<td><input id=i3></table><div style="height:900px"></div>`)
			h.do(h.Scroll(h.ctx, "#name"))
			h.ok(h.RightOf("{td}Name").Input(h.ctx, "", "right"))
			h.value("#i1", "right")
			h.ok(h.RightOf("{td}Mail").Input(h.ctx, "input", "mail"))
			h.value("#i3", "mail")
			h.ok(h.Below("#i1").Find("input").Input(h.ctx, "below"))
			h.value("#i3", "below")
			all, err := h.RightOf("#name").FindAll(h.ctx, "input")
			h.ok(err)
			h.is("in the row", len(all), 2)
		}},
		{"positional", "from what is not there, to what is not there", "/form", func(h hand) {
			h.refused(driver.CodeNotFound, "no element found to the right of #none matching: input", func() error { return h.RightOf("#none").Click(h.ctx, "input") })
			h.refused(driver.CodeNotFound, "no element found above #user matching: .none", func() error { return h.Above("#user").Click(h.ctx, ".none") })
			h.refused(driver.CodeNotFound, "no element found near #user matching: #deep", func() error { return h.Near("#user").Click(h.ctx, "#deep") })
			there, err := h.Below("#user").Exists(h.ctx, "#deep")
			h.ok(err)
			_ = there
			h.refused(driver.CodeInvalid, "not a valid CSS selector", func() error { return h.LeftOf("#user").Click(h.ctx, "a[") })
		}},
		{"positional", "one that comes later", "/other", func(h hand) {
			h.body(`<b id=ref>Ref</b> <span id=slot></span>`)
			h.js("setTimeout(() => slot.innerHTML = '<button onclick=\"this.textContent=1\">0</button>', 250), 0")
			h.ok(h.RightOf("#ref").Click(h.ctx, "button"))
			h.text("button", "1")
		}},
	}
}
