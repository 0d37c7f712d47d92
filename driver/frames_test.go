package driver_test

import (
	"testing"

	"rove/internal/testkit"

	"rove/driver"
)

// Frames by locator, by number, nested, of another site, and back.
func TestFrames(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := open(t, map[string]string{
		"/":      `<title>Top</title><p id=where>top</p><script>var world = 'top'</script><x-h id=h></x-h><iframe id=one src="/one"></iframe><iframe id=two src="THERE/two"></iframe><p id=nof></p>`,
		"/one":   `<title>One</title><p id=where>one</p><script>var world = 'one'</script><iframe id=deep src="/deep"></iframe><button onclick="top.document.title='clicked'">B</button>`,
		"/deep":  `<p id=where>deep</p><script>var world = 'deep'</script>`,
		"/two":   `<p id=where>two</p><script>var world = 'two'</script><input id=field>`,
		"/other": `<p id=where>other</p>`,
	})
	where := func(want string) {
		t.Helper()
		text, err := p.Text(p.ctx, "#where")
		p.ok(err)
		same(t, "frame", text, want)
		if want != "other" {
			same(t, "world", p.js("world"), want)
		}
	}
	where("top")
	f, err := p.CurrentFrame()
	p.ok(err)
	same(t, "main", f.Main, true)
	p.ok(p.SwitchFrame(p.ctx, "#one"))
	where("one")
	_, err = p.Click(p.ctx, "button")
	p.ok(err)
	p.ok(p.SwitchFrameAt(p.ctx, 0))
	where("deep")
	p.ok(p.SwitchFrameAt(p.ctx, driver.ParentFrame))
	where("one")
	p.ok(p.SwitchFrameAt(p.ctx, driver.ParentFrame))
	where("top")
	same(t, "title", p.js("document.title"), "clicked")
	p.ok(p.SwitchFrameAt(p.ctx, 1))
	where("two")
	_, err = p.Input(p.ctx, "#field", "typed")
	p.ok(err)
	same(t, "typed", p.js("field.value"), "typed")
	p.js("location = '/other'")
	_, err = p.WaitForText(p.ctx, "#where", "other")
	p.ok(err)
	where("other")
	f, err = p.CurrentFrame()
	p.ok(err)
	if f.Main || f.URL == "" {
		t.Errorf("current frame %+v", f)
	}
	p.ok(p.SwitchFrame(p.ctx, ""))
	where("top")

	p.SetTimeout(soon)
	fails(t, p.SwitchFrameAt(p.ctx, 7), driver.CodeNotFound, "no frame at index: 7", "/one")
	fails(t, p.SwitchFrame(p.ctx, "#none"), driver.CodeNotFound, "frame not found: #none", "/one")
	fails(t, p.SwitchFrame(p.ctx, "#nof"), driver.CodeInvalid, "frame not found: #nof", "holds no frame")
	p.ok(p.SwitchFrame(p.ctx, "#one"))
	p.ok(p.SwitchFrame(p.ctx, ""))
	p.js("one.remove()")
	p.ok(p.SwitchFrameAt(p.ctx, 0))
	where("other")
	p.ok(p.SwitchFrame(p.ctx, ""))
	p.ok(p.SwitchFrame(p.ctx, "#two"))
	e := p.Locate("#where")
	p.ok(p.SwitchFrame(p.ctx, ""))
	p.js("two.remove()")
	_, err = e.Text(p.ctx)
	fails(t, err, driver.CodeNotFound, "frame not found", "no frames")
	p.visit("/one")
	where("one")
}

// A frame of another site takes its request along to a process of its own. The
// page is at rest all the same when the frame has loaded.
func TestForeignFramesComeToRest(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := open(t, map[string]string{
		"/":     `<title>Start</title><a id=a href="/page">page</a>`,
		"/page": `<title>Page</title><iframe src="THERE/in"></iframe><iframe src="/in"></iframe>`, "/in": `<p>in</p>`,
	})
	e, err := p.Tab().Do(p.ctx, driver.At("#a"), driver.Op{Name: "click"})
	p.ok(err)
	same(t, "navigated", e.Navigated, true)
	documents := 0
	for _, r := range e.Requests {
		if r.Type == "Document" {
			documents++
		}
		if r.Open {
			t.Errorf("%s is taken for one under way", r.URL)
		}
	}
	same(t, "documents", documents, 3)
}
