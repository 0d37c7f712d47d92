package driver_test

import (
	"fmt"
	"strings"
	"time"

	"rove/driver"
	"rove/driver/backend"
)

// pageScenarios are about pages as a whole: going there and back, waiting,
// dialogs, cookies, windows, tabs, pictures.
func pageScenarios() []scenario {
	return []scenario{
		{"navigation", "address and title", "/", func(h hand) { h.here("/"); h.title("Home") }},
		{"navigation", "a query and a fragment", "/two?a=1&b=%20x#frag", func(h hand) { h.here("/two?a=1&b=%20x#frag"); h.title("Two") }},
		{"navigation", "a title of any letters", "/unicode", func(h hand) { h.title("Prüfung “日本” & 😀"); h.text("#p", "grüß") }},
		{"navigation", "no title, and one with spaces", "/other", func(h hand) {
			h.ok(h.SetURL(h.ctx, "data:text/html,<p>none"))
			h.title("")
			h.ok(h.SetURL(h.ctx, "data:text/html,<title>  two   words </title>"))
			h.title("two words")
		}},
		{"navigation", "a title that a script changes", "/", func(h hand) { h.js("document.title = 'Changed'"); h.title("Changed") }},
		{"navigation", "the same address again is loaded again", "/two", func(h hand) {
			before := h.js("loads").(float64)
			h.visit("/two")
			h.is("loads", h.js("loads"), before+1)
		}},
		{"navigation", "a fragment of the same page is not", "/two", func(h hand) {
			before := h.js("loads")
			h.visit("/two#there")
			h.here("/two#there")
			h.is("loads", h.js("loads"), before)
		}},
		{"navigation", "a link", "/", func(h hand) { h.click("#two"); h.here("/two"); h.title("Two") }},
		{"navigation", "a form", "/", func(h hand) { h.click("#send"); h.here("/two?q=v"); h.title("Two") }},
		{"navigation", "submit waits for what comes late", "/", func(h hand) { h.do(h.Submit().Click(h.ctx, "#later")); h.here("/two?later"); h.title("Two") }},
		{"navigation", "waitForUrl after a click", "/", func(h hand) {
			h.click("#later")
			url, err := h.WaitForURL(h.ctx, "two?later")
			h.ok(err)
			h.is("url", url, h.url+"/two?later")
			h.do(h.WaitFor(h.ctx, "#home"))
		}},
		{"navigation", "a click whose handler leaves after a change", "/leave", func(h hand) {
			for range 10 {
				h.visit("/leave")
				h.click("#js")
				h.title("Two")
				h.here("/two?js")
				h.visit("/leave")
				h.click("#made")
				h.title("Two")
			}
		}},
		{"navigation", "a script that redirects", "/redirect", func(h hand) {
			_, err := h.WaitForURL(h.ctx, "redirected")
			h.ok(err)
			h.do(h.WaitForText(h.ctx, "h1", "Two"))
		}},
		{"navigation", "a page that refreshes to another", "/meta", func(h hand) {
			_, err := h.WaitForURL(h.ctx, "?meta")
			h.ok(err)
			h.do(h.WaitForText(h.ctx, "h1", "Two"))
		}},
		{"navigation", "one redirect after another", "/chain", func(h hand) {
			_, err := h.WaitForURL(h.ctx, "redirected")
			h.ok(err)
			h.do(h.WaitForText(h.ctx, "h1", "Two"))
		}},
		{"navigation", "pushState", "/", func(h hand) { h.click("#push"); h.here("/pushed?x=1"); h.title("Pushed") }},
		{"navigation", "replaceState", "/", func(h hand) { h.click("#replace"); h.here("/replaced") }},
		{"navigation", "a status of 404 is a page", "/", func(h hand) { h.ok(h.SetURL(h.ctx, h.url+"/missing")); h.here("/missing") }},
		{"navigation", "a host that is not there", "/", func(h hand) {
			fails(h.T, h.SetURL(h.ctx, "http://nowhere.invalid/"), driver.CodeNavigation, "DNS")
			h.visit("/two")
			h.title("Two")
		}},
		{"navigation", "about:blank and data", "/", func(h hand) {
			h.ok(h.SetURL(h.ctx, "about:blank"))
			h.is("url", h.URL(), "about:blank")
			h.ok(h.SetURL(h.ctx, "data:text/html,<title>Data</title><p id=p>data</p>"))
			h.title("Data")
			h.text("#p", "data")
		}},
		{"navigation", "refresh forgets what was typed and keeps the address", "/form?x#y", func(h hand) {
			h.input("#user", "typed")
			h.js("window.mark = 1")
			h.ok(h.Refresh(h.ctx))
			h.here("/form?x#y")
			h.is("mark", h.js("window.mark"), nil)
		}},
		{"navigation", "reload too", "/two", func(h hand) {
			h.js("window.mark = 1")
			h.ok(h.Reload(h.ctx))
			h.is("mark", h.js("window.mark"), nil)
			h.title("Two")
		}},

		{"history", "back and forward", "/", func(h hand) {
			h.click("#two")
			h.ok(h.Back(h.ctx))
			h.title("Home")
			h.ok(h.Forward(h.ctx))
			h.title("Two")
			h.ok(h.Back(h.ctx))
			h.click("#two")
			h.title("Two")
		}},
		{"history", "several steps", "/?1", func(h hand) {
			h.visit("/?2")
			h.visit("/?3")
			h.ok(h.Back(h.ctx))
			h.ok(h.Back(h.ctx))
			h.here("/?1")
			h.ok(h.Forward(h.ctx))
			h.here("/?2")
		}},
		{"history", "over a fragment", "/", func(h hand) { h.click("#frag"); h.here("/#part"); h.ok(h.Back(h.ctx)); h.here("/"); h.title("Home") }},
		{"history", "over pushState", "/", func(h hand) {
			h.click("#push")
			h.ok(h.Back(h.ctx))
			h.here("/")
			h.ok(h.Forward(h.ctx))
			h.here("/pushed?x=1")
		}},
		{"history", "a page that comes back works", "/form", func(h hand) {
			h.visit("/two")
			h.ok(h.Back(h.ctx))
			h.input("#user", "again")
			h.value("#user", "again")
			h.click("#count")
			h.text("#count", "1")
		}},
		{"history", "nothing to go forward to", "/", func(h hand) { fails(h.T, h.Forward(h.ctx), driver.CodeInvalid, "no page to go forward to") }},

		{"waits", "waitFor what comes", "/waits", func(h hand) { h.click("#start"); h.is("text", h.tell(h.do(h.WaitFor(h.ctx, "#new"))), "new") }},
		{"waits", "waitFor what is there", "/waits", func(h hand) { h.do(h.WaitFor(h.ctx, "#status")) }},
		{"waits", "waitFor a wildcard", "/waits", func(h hand) { h.click("#start"); h.do(h.WaitFor(h.ctx, "{b}new")) }},
		{"waits", "waitFor an XPath", "/waits", func(h hand) { h.click("#start"); h.do(h.WaitFor(h.ctx, "//b[text()='new']")) }},
		{"waits", "waitForAny gives the one that came", "/waits", func(h hand) {
			h.click("#start")
			e, err := h.WaitForAny(h.ctx, []string{"#never", "#new"})
			h.is("which", h.do(e, err), "#new")
			e, err = h.WaitForAny(h.ctx, []string{"#new", "#never"})
			h.is("which", h.do(e, err), "#new")
		}},
		{"waits", "waitForText by a part", "/waits", func(h hand) { h.click("#start"); h.do(h.WaitForText(h.ctx, "#status", "done")) }},
		{"waits", "waitForEnabled, then click", "/waits", func(h hand) {
			h.click("#start")
			h.ok(h.do(h.WaitForEnabled(h.ctx, "#dis")).Click(h.ctx))
			h.text("#dis", "pressed")
		}},
		{"waits", "a click waits until it is enabled", "/waits", func(h hand) { h.click("#start"); h.click("#dis"); h.text("#dis", "pressed") }},
		{"waits", "an action waits for its element", "/waits", func(h hand) { h.click("#start"); h.click("#new") }},
		{"waits", "a read waits for its element", "/waits", func(h hand) { h.click("#start"); h.text("#new", "new") }},
		{"waits", "waitForUrl of pushState", "/waits", func(h hand) { h.click("#start"); _, err := h.WaitForURL(h.ctx, "step=2"); h.ok(err) }},
		{"waits", "waitForResultCount", "/waits", func(h hand) {
			h.click("#start")
			list, err := h.WaitForResultCount(h.ctx, "#list li", 4)
			h.ok(err)
			h.is("last", h.tell(list[3]), "4")
		}},
		{"waits", "waitUntil JavaScript", "/waits", func(h hand) { h.click("#start"); h.ok(h.WaitUntil(h.ctx, "window.ready.n == 3")) }},
		{"waits", "waitUntil a function", "/waits", func(h hand) { h.click("#start"); h.ok(h.WaitUntil(h.ctx, "() => !document.querySelector('#hide')")) }},
		{"waits", "waitUntil of an element: underscore", "/waits", func(h hand) { h.click("#start"); h.do(h.WaitUntilOn(h.ctx, "#dis", "!_.disabled")) }},
		{"waits", "waitUntil of an element: arrow", "/waits", func(h hand) { h.click("#start"); h.do(h.WaitUntilOn(h.ctx, "#dis", "el => !el.disabled")) }},
		{"waits", "retry before a wait", "/waits", func(h hand) {
			h.click("#start")
			h.do(h.Retry(20, 100*time.Millisecond).WaitFor(h.ctx, "#new"))
			h.do(h.Retry(20, 100*time.Millisecond).Click(h.ctx, "#new"))
		}},
		{"waits", "what never comes", "/waits", func(h hand) {
			h.refused(driver.CodeTimeout, "timeout waiting for element: #never", func() error { _, err := h.WaitFor(h.ctx, "#never"); return err })
			h.refused(driver.CodeTimeout, "timeout waiting for 9 elements: li", func() error { _, err := h.WaitForResultCount(h.ctx, "li", 9); return err })
			h.refused(driver.CodeTimeout, "timeout waiting for text 'x' in element: #status", func() error { _, err := h.WaitForText(h.ctx, "#status", "x"); return err })
			h.refused(driver.CodeTimeout, "timeout waiting for URL to contain: nowhere", func() error { _, err := h.WaitForURL(h.ctx, "nowhere"); return err })
			h.refused(driver.CodeTimeout, "timeout waiting for condition: 1 == 2", func() error { return h.WaitUntil(h.ctx, "1 == 2") })
			h.refused(driver.CodeNotFound, "element not found: #never", func() error { _, err := h.Text(h.ctx, "#never"); return err })
			h.refused(driver.CodeDisabled, "is disabled", func() error { _, err := h.Click(h.ctx, "#dis"); return err })
		}},

		{"dialogs", "an alert by hand", "/dialogs", func(h hand) {
			h.click("#alert")
			h.dialog("Hello")
			h.ok(h.Dialog(h.ctx, true, ""))
			h.text("#out", "alerted")
		}},
		{"dialogs", "a confirm, both ways", "/dialogs", func(h hand) {
			h.click("#confirm")
			h.dialog("Sure?")
			h.ok(h.Dialog(h.ctx, true, ""))
			h.text("#out", "true")
			h.click("#confirm")
			h.ok(h.Dialog(h.ctx, false, ""))
			h.text("#out", "false")
		}},
		{"dialogs", "a prompt", "/dialogs", func(h hand) {
			h.click("#prompt")
			h.dialog("Name?")
			h.ok(h.Dialog(h.ctx, true, "Ann Ü"))
			h.text("#out", "Ann Ü")
			h.click("#prompt")
			h.ok(h.Dialog(h.ctx, false, ""))
			h.text("#out", "")
		}},
		{"dialogs", "a prompt accepted with no text is empty", "/dialogs", func(h hand) { h.click("#prompt"); h.ok(h.Dialog(h.ctx, true, "")); h.text("#out", "") }},
		{"dialogs", "one that opens late", "/dialogs", func(h hand) {
			h.click("#late")
			_, err := h.WaitUntilFunc(h.ctx, func(c ctx) (any, error) { _, open := h.DialogText(); return open, nil })
			h.ok(err)
			h.dialog("late")
			h.ok(h.Dialog(h.ctx, true, ""))
			h.text("#out", "late done")
		}},
		{"dialogs", "three in a row by hand", "/dialogs", func(h hand) {
			h.click("#three")
			for _, m := range []string{"1", "2", "3"} {
				h.dialog(m)
				h.ok(h.Dialog(h.ctx, m != "2", ""))
			}
			h.text("#out", "true,false,true")
		}},
		{"dialogs", "three in a row by a handler", "/dialogs", func(h hand) {
			h.OnDialog(func(g *driver.Dialog) {
				if g.Message == "2" {
					_ = g.Dismiss(h.ctx)
				} else {
					_ = g.Accept(h.ctx, "")
				}
			})
			h.click("#three")
			h.text("#out", "true,false,true")
		}},
		{"dialogs", "of a page that loads", "/", func(h hand) {
			h.OnDialog(func(g *driver.Dialog) { _ = g.Accept(h.ctx, "") })
			h.visit("/onload")
			h.text("#p", "text")
		}},
		{"dialogs", "in a frame", "/dialogs", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#f"))
			h.click("#in")
			h.dialog("from a frame")
			h.ok(h.Dialog(h.ctx, true, ""))
			h.do(h.WaitForText(h.ctx, "body", "true"))
		}},
		{"dialogs", "a script that opens one by a handler", "/dialogs", func(h hand) {
			h.OnDialog(func(g *driver.Dialog) { _ = g.Accept(h.ctx, "given") })
			h.is("prompt", h.js("prompt('x')"), "given")
		}},
		{"dialogs", "other calls fail fast while one is open", "/dialogs", func(h hand) {
			h.click("#alert")
			h.refused(driver.CodeDialog, "Hello", func() error { _, err := h.Click(h.ctx, "#confirm"); return err })
			h.refused(driver.CodeDialog, "Hello", func() error { _, err := h.Title(h.ctx); return err })
			h.refused(driver.CodeDialog, "(#none)", func() error { _, err := h.WaitFor(h.ctx, "#none"); return err })
			h.refused(driver.CodeDialog, "Hello", func() error { _, err := h.Script(h.ctx, "1"); return err })
			h.ok(h.Dialog(h.ctx, true, ""))
			h.text("#out", "alerted")
		}},
		{"dialogs", "of a tab that a page opened", "/", func(h hand) {
			h.OnDialog(func(g *driver.Dialog) { _ = g.Accept(h.ctx, "from "+g.Message) })
			h.js("window.open('/dialogs') && 0")
			h.ok(h.SwitchPage(h.ctx, "Dialogs"))
			h.click("#prompt")
			h.text("#out", "from Name?")
			h.ok(h.CloseTab(h.ctx))
			h.title("Home")
		}},
		{"dialogs", "of a tab that nobody switched to", "/", func(h hand) {
			heard := make(chan string, 1)
			h.OnDialog(func(g *driver.Dialog) { _ = g.Accept(h.ctx, ""); heard <- g.Message })
			h.js("window.open('/onload') && 0")
			select {
			case message := <-heard:
				h.is("message", message, "welcome")
			case <-time.After(10 * time.Second):
				h.Error("nobody heard of it")
			}
			h.ok(h.SwitchPage(h.ctx, "Onload"))
			h.ok(h.CloseTab(h.ctx))
		}},
		{"dialogs", "none is open", "/dialogs", func(h hand) {
			_, open := h.DialogText()
			h.is("open", open, false)
			fails(h.T, h.Dialog(h.ctx, true, ""), driver.CodeInvalid, "no dialog is open")
		}},

		{"cookies", "set, read, list, delete, clear", "/", func(h hand) {
			h.ok(h.ClearCookies(h.ctx))
			h.ok(h.SetCookies(h.ctx, driver.Cookie{Name: "a", Value: "1"}, driver.Cookie{Name: "b", Value: "x y"}))
			fails(h.T, h.SetCookies(h.ctx, driver.Cookie{Name: "c", Value: "x; y"}), driver.CodeInvalid, `the cookie "c" cannot be set`)
			c, err := h.Cookie(h.ctx, "a")
			h.ok(err)
			h.is("cookie", c.Name+"="+c.Value+" "+c.Domain+c.Path, "a=1 127.0.0.1/")
			h.visit("/two")
			h.is("in the page", strings.Contains(h.js("document.cookie").(string), "a=1"), true)
			list, err := h.Cookies(h.ctx)
			h.ok(err)
			h.is("cookies", len(list), 2)
			h.ok(h.DeleteCookie(h.ctx, "a"))
			c, err = h.Cookie(h.ctx, "a")
			h.ok(err)
			h.is("deleted", c == nil, true)
			h.ok(h.ClearCookies(h.ctx))
			h.is("cleared", h.js("document.cookie"), "")
		}},
		{"cookies", "of the page's own making", "/", func(h hand) {
			h.js("document.cookie = 'own=made; path=/'")
			own, err := h.Cookie(h.ctx, "own")
			h.ok(err)
			if own == nil {
				h.Fatal("there is none")
			}
			h.is("value", own.Value, "made")
		}},
		{"cookies", "one is replaced by the next of its name", "/", func(h hand) {
			h.ok(h.SetCookies(h.ctx, driver.Cookie{Name: "same", Value: "1"}))
			h.ok(h.SetCookies(h.ctx, driver.Cookie{Name: "same", Value: "2"}))
			h.is("in the page", h.js("document.cookie.match(/same=./g).join()"), "same=2")
		}},
		{"cookies", "for another site, before going there", "/", func(h hand) {
			there := strings.Replace(h.url, "127.0.0.1", "localhost", 1)
			h.ok(h.SetCookies(h.ctx, driver.Cookie{Name: "there", Value: "yes", URL: there}))
			h.is("here", strings.Contains(h.js("document.cookie").(string), "there"), false)
			h.ok(h.SetURL(h.ctx, there))
			h.is("there", strings.Contains(h.js("document.cookie").(string), "there=yes"), true)
		}},

		{"windows", "place and size", "/", func(h hand) {
			h.ok(h.SetDimensions(h.ctx, driver.Window{X: 5, Y: 6, Width: 820, Height: 610}))
			w, err := h.Dimensions(h.ctx)
			h.ok(err)
			h.is("window", fmt.Sprintln(w.Width, w.Height), "820 610\n")
			h.is("page", h.js("[innerWidth, innerHeight].join()"), "820,610")
			h.visit("/two")
			h.is("page after going on", h.js("innerWidth"), 820)
		}},
		{"windows", "maximize, minimize, fullscreen, and back", "/", func(h hand) {
			for _, do := range []func(ctx) error{h.Maximize, h.Fullscreen, h.Minimize, h.Activate} {
				h.ok(do(h.ctx))
				h.title("Home")
			}
			h.ok(h.SetDimensions(h.ctx, driver.Window{Width: 1000, Height: 700}))
			h.click("#two")
			h.title("Two")
		}},

		{"screenshots", "page, full page, element", "/form", func(h hand) {
			h.ok(h.SetDimensions(h.ctx, driver.Window{Width: 800, Height: 600}))
			page, err := h.Screenshot(h.ctx, driver.ScreenshotOptions{})
			h.ok(err)
			h.is("page", pngSize(page), "800x600")
			all, err := h.Screenshot(h.ctx, driver.ScreenshotOptions{FullPage: true})
			h.ok(err)
			if size := pngSize(all); !strings.HasPrefix(size, "800x") || size == "800x600" {
				h.Errorf("full page %s", size)
			}
			part, err := h.Locate("#deep").Screenshot(h.ctx)
			h.ok(err)
			box, err := h.Position(h.ctx, "#deep", false)
			h.ok(err)
			var w, tall int
			fmt.Sscanf(pngSize(part), "%dx%d", &w, &tall)
			if w < int(box.Width) || w > int(box.Width)+1 || tall < int(box.Height) || tall > int(box.Height)+1 {
				h.Errorf("element %s of %v", pngSize(part), box)
			}
		}},
		{"screenshots", "other formats", "/", func(h hand) {
			jpeg, err := h.Screenshot(h.ctx, driver.ScreenshotOptions{Format: "jpeg", Quality: 50})
			h.ok(err)
			webp, err := h.Screenshot(h.ctx, driver.ScreenshotOptions{Format: "webp"})
			h.ok(err)
			h.is("formats", fmt.Sprintf("%x %s", jpeg[:2], webp[8:12]), "ffd8 WEBP")
		}},

		{"pdf", "plain, and with options", "/", func(h hand) {
			plain, err := h.PDF(h.ctx, driver.PDFOptions{})
			h.ok(err)
			wide, err := h.PDF(h.ctx, driver.PDFOptions{Landscape: true, Background: true, Scale: 0.8, Pages: "1", Margin: &driver.Margin{Top: 1}})
			h.ok(err)
			h.is("PDF", string(plain[:5])+string(wide[:5]), "%PDF-%PDF-")
			_, err = h.PDF(h.ctx, driver.PDFOptions{Pages: "99"})
			if err == nil {
				h.Error("a page that is not there was printed")
			}
		}},

		{"tabs", "a link opens one", "/", func(h hand) {
			h.click("#blank")
			h.title("Home")
			h.ok(h.SwitchPage(h.ctx, "two?tab"))
			h.title("Two")
			h.ok(h.CloseTab(h.ctx))
			h.title("Home")
		}},
		{"tabs", "by title and by number", "/", func(h hand) {
			h.click("#blank")
			h.ok(h.SwitchPage(h.ctx, "Two"))
			h.here("two?tab")
			h.ok(h.SwitchPageAt(h.ctx, 0))
			h.title("Home")
			h.ok(h.SwitchPageAt(h.ctx, 1))
			h.title("Two")
			pages, err := h.Pages(h.ctx)
			h.ok(err)
			h.is("pages", fmt.Sprint(pages), fmt.Sprintf("[{Home %s/ false} {Two %s/two?tab true}]", h.url, h.url))
			h.ok(h.CloseTab(h.ctx))
		}},
		{"tabs", "each has its own history and frame", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			_, err := h.NewTab(h.ctx)
			h.ok(err)
			h.visit("/two")
			h.title("Two")
			h.text("h1", "Two")
			h.ok(h.CloseTab(h.ctx))
			h.text("#where", "inner?1")
			h.ok(h.SwitchFrame(h.ctx, ""))
		}},
		{"tabs", "one that closes itself", "/", func(h hand) {
			h.js("window.child = window.open('/two?self') && 0")
			h.ok(h.SwitchPage(h.ctx, "?self"))
			h.js("setTimeout(() => window.close(), 50)")
			h.ok(h.Retry(50, 100*time.Millisecond).SwitchPage(h.ctx, h.url+"/"))
			h.title("Home")
		}},
		{"tabs", "one that closes goes back to the one that opened it", "/", func(h hand) {
			h.js("window.open('/two?first') && 0")
			h.js("window.open('/two?second') && 0")
			h.ok(h.SwitchPage(h.ctx, "?first"))
			h.ok(h.CloseTab(h.ctx))
			h.title("Home")
			h.ok(h.SwitchPage(h.ctx, "?second"))
			h.ok(h.CloseTab(h.ctx))
		}},
		{"tabs", "cookies are shared", "/", func(h hand) {
			h.js("document.cookie = 'tab=1'")
			_, err := h.NewTab(h.ctx)
			h.ok(err)
			h.visit("/two")
			h.is("cookie", strings.Contains(h.js("document.cookie").(string), "tab=1"), true)
			h.ok(h.CloseTab(h.ctx))
		}},
		{"tabs", "what is intercepted is in all of them", "/", func(h hand) {
			_, err := h.Intercept(h.ctx, driver.Intercept{Patterns: []string{"*/two*"}, Mock: &driver.RouteResponse{Body: []byte("<title>Mocked</title>"), Header: map[string][]string{"Content-Type": {"text/html"}}}})
			h.ok(err)
			h.click("#blank")
			h.ok(h.SwitchPage(h.ctx, "two?tab"))
			h.title("Mocked")
			h.ok(h.StopIntercept(h.ctx))
			h.ok(h.Reload(h.ctx))
			h.title("Two")
			h.ok(h.CloseTab(h.ctx))
		}},
		{"tabs", "no such page", "/", func(h hand) {
			h.refused(driver.CodeNotFound, "no page found matching: Nowhere", func() error { return h.SwitchPage(h.ctx, "Nowhere") })
			h.refused(driver.CodeNotFound, "no page found matching: 7", func() error { return h.SwitchPageAt(h.ctx, 7) })
		}},

		{"intercept", "a document, a script's request, an image", "/", func(h hand) {
			i, err := h.Intercept(h.ctx, driver.Intercept{Handler: func(c ctx, r *driver.Route) error {
				switch {
				case strings.HasSuffix(r.URL, "/made"):
					return r.Fulfil(c, backend.RouteResponse{Status: 200, Body: []byte("<title>Made</title><p id=p>made</p>"), Header: map[string][]string{"Content-Type": {"text/html"}}})
				case strings.HasSuffix(r.URL, "/api"):
					return r.Fulfil(c, backend.RouteResponse{Status: 418, Body: []byte(r.Method + string(r.Body))})
				case r.Type == "Image":
					return r.Abort(c)
				}
				return nil
			}})
			h.ok(err)
			h.visit("/made")
			h.title("Made")
			h.text("#p", "made")
			h.is("api", h.js("fetch('/api', {method: 'POST', body: 'data'}).then(async r => r.status + await r.text())"), "418POSTdata")
			h.is("image", h.js("new Promise(d => { const i = new Image(); i.onload = () => d('loaded'); i.onerror = () => d('failed'); i.src = '/x.png' })"), "failed")
			if n := len(i.Seen()); n < 3 {
				h.Errorf("seen %d requests", n)
			}
			h.ok(i.Stop(h.ctx))
			h.visit("/two")
			h.title("Two")
		}},
	}
}

// tell is an element's text.
func (h hand) tell(e *driver.Element) string {
	h.Helper()
	text, err := e.Text(h.ctx)
	h.ok(err)
	return text
}

// dialog is that one is open with a message.
func (h hand) dialog(message string) {
	h.Helper()
	text, open := h.DialogText()
	h.is("dialog", fmt.Sprintln(text, open), fmt.Sprintln(message, true))
}
