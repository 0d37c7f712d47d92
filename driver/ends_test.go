package driver_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"rove/driver"
	"rove/driver/backend"
)

// Every call comes to an end by itself, whatever its page does and however much
// time its context leaves: of a page whose script never ends, too.
func TestEveryCallEnds(t *testing.T) {
	p := one(t, `<button id=b>B</button><input id=f><select id=s><option>A</select><iframe id=i srcdoc="<p>in</p>"></iframe><input type=file id=up>`)
	keys, mouse := p.Keys(), func() *driver.Mouse { m, err := p.Mouse(p.ctx, 5, 5); p.ok(err); return m }()
	short := driver.Timeouts{Session: 300 * time.Millisecond, PageLoad: 300 * time.Millisecond, Element: 300 * time.Millisecond, Script: 300 * time.Millisecond}
	p.SetTimeouts(short)
	forever, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	el := func(_ *driver.Element, err error) error { return err }
	calls := map[string]func() error{
		"title":     func() error { _, err := p.Title(forever); return err },
		"script":    func() error { _, err := p.Script(forever, "1"); return err },
		"scriptOn":  func() error { _, err := p.ScriptOn(forever, "#b", "_.id"); return err },
		"scriptAll": func() error { _, err := p.ScriptAll(forever, "#b", "_.id"); return err },
		"text":      func() error { _, err := p.Text(forever, "#b"); return err },
		"protocol": func() error {
			_, err := p.Protocol(forever, "Runtime.evaluate", map[string]any{"expression": "1"})
			return err
		},
		"exists":      func() error { _, err := p.Exists(forever, "#b"); return err },
		"locateAll":   func() error { _, err := p.LocateAll(forever, "#b"); return err },
		"click":       func() error { return el(p.Click(forever, "#b")) },
		"input":       func() error { return el(p.Input(forever, "#f", "x")) },
		"slowly":      func() error { return p.Locate("#f").InputSlowly(forever, time.Millisecond, "x") },
		"value":       func() error { return el(p.SetValue(forever, "#f", "x")) },
		"select":      func() error { return el(p.Select(forever, "#s", "A")) },
		"drag":        func() error { return el(p.DragTo(forever, "#b", "#f")) },
		"files":       func() error { return el(p.InputFile(forever, "#up", "ends_test.go")) },
		"highlight":   func() error { return el(p.Highlight(forever, "#b")) },
		"mouse":       func() error { return mouse.Click(forever) },
		"mouse drag":  func() error { return mouse.DragTo(forever, 50, 50) },
		"mouse at":    func() error { _, err := p.MouseAt(forever, "#b"); return err },
		"keys":        func() error { return keys.Press(forever, "Tab") },
		"type":        func() error { return keys.Type(forever, "abc") },
		"waitFor":     func() error { return el(p.WaitFor(forever, "#none")) },
		"waitForAny":  func() error { return el(p.WaitForAny(forever, []string{"#none", "i"})) },
		"waitForText": func() error { return el(p.WaitForText(forever, "#b", "x")) },
		"enabled":     func() error { return el(p.WaitForEnabled(forever, "#none")) },
		"count":       func() error { _, err := p.WaitForResultCount(forever, "#b", 7); return err },
		"url":         func() error { _, err := p.WaitForURL(forever, "nowhere"); return err },
		"until":       func() error { return p.WaitUntil(forever, "false") },
		"untilOn":     func() error { return el(p.WaitUntilOn(forever, "#b", "false")) },
		"load":        func() error { return p.WaitForPageLoad(forever, driver.PageLoaded) },
		"idle":        func() error { return p.WaitForPageLoad(forever, driver.PageNetworkIdle) },
		"frame":       func() error { return p.SwitchFrame(forever, "#i") },
		"frame at":    func() error { return p.SwitchFrameAt(forever, 0) },
		"page":        func() error { return p.SwitchPage(forever, "Nowhere") },
		"pages":       func() error { _, err := p.Pages(forever); return err },
		"screenshot":  func() error { _, err := p.Screenshot(forever, backend.ScreenshotOptions{}); return err },
		"picture":     func() error { _, err := p.Locate("#b").Screenshot(forever); return err },
		"pdf":         func() error { _, err := p.PDF(forever, backend.PDFOptions{}); return err },
		"tree":        func() error { _, err := p.AriaTree(forever); return err },
		"dimensions":  func() error { _, err := p.Dimensions(forever); return err },
		"resize":      func() error { return p.SetDimensions(forever, driver.Window{Width: 700, Height: 500}) },
		"maximize":    func() error { return p.Maximize(forever) },
		"activate":    func() error { return p.Activate(forever) },
		"cookies":     func() error { _, err := p.Cookies(forever); return err },
		"set cookies": func() error { return p.SetCookies(forever, driver.Cookie{Name: "a", Value: "1"}) },
		"storage":     func() error { _, err := p.Storage(forever); return err },
		"intercept": func() error {
			_, err := p.Intercept(forever, driver.Intercept{Mock: &driver.RouteResponse{}})
			return err
		},
		"emulate": func() error { return p.Emulate(forever, driver.Emulation{Device: "iPad"}) },
	}
	// On a busy machine the page hangs before this is answered.
	_, _ = p.Script(p.ctx, "setTimeout(() => { for (;;) {} }, 20), 0")
	type ended struct {
		name string
		err  error
	}
	done := make(chan ended, len(calls))
	for name, call := range calls {
		go func() { done <- ended{name, call()} }()
	}
	for late := time.After(30 * time.Second); len(calls) > 0; {
		select {
		case e := <-done:
			delete(calls, e.name)
			switch driver.CodeOf(e.err) {
			case driver.CodeTimeout, driver.CodeNotFound:
			case driver.CodeProtocol, driver.CodeCovered:
				// All at once get in each other's way: one maximizes while another
				// resizes, one lets go of what another looks at. That each ends is
				// what is asked here.
				t.Logf("%s: %v", e.name, e.err)
			default:
				if e.err != nil {
					t.Errorf("%s: %v", e.name, e.err)
				}
			}
			if driver.IsBusy(e.err) {
				advises(t, e.err)
			}
		case <-late:
			t.Fatalf("these do not end: %v", slices.Sorted(maps.Keys(calls)))
		}
	}
	p.SetTimeouts(driver.Timeouts{Session: 10 * time.Second, PageLoad: 10 * time.Second, Element: 10 * time.Second, Script: 10 * time.Second})
	p.ok(p.StopIntercept(p.ctx))
	p.visit("/")
	same(t, "afterwards", p.js("document.title"), "Test")
}

// A driver's calls end by its Timeouts however long their context is; those of a
// tab have the time that their context gives them.
func TestWhoseTimeCounts(t *testing.T) {
	p := one(t, "")
	p.SetTimeouts(driver.Timeouts{Script: 200 * time.Millisecond})
	long, cancel := context.WithTimeout(p.ctx, 20*time.Second)
	defer cancel()
	const slow = "new Promise((resolve) => setTimeout(() => resolve(7), 1000))"
	_, err := p.Script(long, slow)
	fails(t, err, driver.CodeTimeout)
	got, err := p.Tab().Script(long, slow)
	p.ok(err)
	same(t, "of the tab", got, "7")
	short, cancel := context.WithTimeout(p.ctx, 200*time.Millisecond)
	defer cancel()
	_, err = p.Tab().Script(short, slow)
	fails(t, err, driver.CodeTimeout)
	// A wait without a deadline is one all the same, and not over at once.
	p.js("setTimeout(() => { document.body.textContent = document.title = 'come' }, 300), 0")
	p.ok(p.Tab().WaitText(context.Background(), "come", false))
	p.ok(p.Tab().WaitScript(context.Background(), "document.title === 'come'"))
}
