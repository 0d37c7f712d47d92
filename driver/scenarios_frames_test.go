package driver_test

import (
	"strings"

	"rove/driver"
)

// frameScenarios are about what is inside something: frames, frames of other
// sites, shadow trees.
func frameScenarios() []scenario {
	where := func(h hand, want string) { h.Helper(); h.text("#where", want) }
	return []scenario{
		{"frames", "by locator, and back", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			where(h, "inner?1")
			h.is("world", h.js("world"), "inner?1")
			h.ok(h.SwitchFrame(h.ctx, ""))
			where(h, "top")
		}},
		{"frames", "by number", "/frames", func(h hand) {
			h.ok(h.SwitchFrameAt(h.ctx, 1))
			where(h, "srcdoc")
			h.ok(h.SwitchFrameAt(h.ctx, driver.ParentFrame))
			h.ok(h.SwitchFrameAt(h.ctx, 0))
			where(h, "inner?1")
		}},
		{"frames", "by XPath and by attribute", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "//iframe[@name='first']"))
			where(h, "inner?1")
			h.ok(h.SwitchFrame(h.ctx, ""))
			h.ok(h.SwitchFrame(h.ctx, "iframe[name=first]"))
			where(h, "inner?1")
		}},
		{"frames", "one inside another", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			h.ok(h.SwitchFrame(h.ctx, "#nest"))
			where(h, "nested")
			h.click("#nb")
			h.text("#nb", "nested hit")
			h.ok(h.SwitchFrameAt(h.ctx, driver.ParentFrame))
			where(h, "inner?1")
			h.ok(h.SwitchFrameAt(h.ctx, driver.ParentFrame))
			where(h, "top")
			h.ok(h.SwitchFrameAt(h.ctx, driver.ParentFrame))
			where(h, "top")
		}},
		{"frames", "actions, scrolled to in both", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#far"))
			h.click("#low")
			h.text("#low", "low hit")
			h.input("#in", "typed")
			h.value("#in", "typed")
			h.do(h.WaitFor(h.ctx, "{button}Hit"))
			h.click("{button}Hit")
			h.text("#b", "hit")
		}},
		{"frames", "a frame that navigates stays the current one", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			h.click("#go")
			h.do(h.WaitForText(h.ctx, "#where", "other"))
			f, err := h.CurrentFrame()
			h.ok(err)
			h.is("frame", strings.HasSuffix(f.URL, "/other") && !f.Main && f.Name == "first", true)
		}},
		{"frames", "a new page ends in the main frame", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			h.visit("/two")
			h.text("h1", "Two")
		}},
		{"frames", "a reload too", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			h.ok(h.Refresh(h.ctx))
			where(h, "top")
		}},
		{"frames", "one that comes later", "/frames", func(h hand) {
			h.js("setTimeout(() => document.body.insertAdjacentHTML('afterbegin', '<iframe id=late src=/inner?late></iframe>'), 200), 0")
			h.ok(h.SwitchFrame(h.ctx, "#late"))
			where(h, "inner?late")
		}},
		{"frames", "by number, one that comes later", "/frames", func(h hand) {
			h.js("setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<iframe src=/inner?fifth></iframe>'), 300), 0")
			h.ok(h.SwitchFrameAt(h.ctx, 4))
			where(h, "inner?fifth")
		}},
		{"frames", "a locator means the frame it finds, not the first", "/frames", func(h hand) {
			for id, text := range map[string]string{"#src": "srcdoc", "#far": "inner?far", "iframe:nth-of-type(2)": "srcdoc", "#one": "inner?1"} {
				h.ok(h.SwitchFrame(h.ctx, ""))
				h.ok(h.SwitchFrame(h.ctx, id))
				where(h, text)
			}
		}},
		{"frames", "the page's address and title stay", "/frames", func(h hand) { h.ok(h.SwitchFrame(h.ctx, "#one")); h.here("/frames"); h.title("Frames") }},
		{"frames", "an element remembers its frame", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			e := h.Locate("#where")
			h.ok(h.SwitchFrame(h.ctx, ""))
			h.is("text", h.tell(e), "inner?1")
		}},
		{"frames", "no such frame", "/frames", func(h hand) {
			h.refused(driver.CodeNotFound, "no frame at index: 9", func() error { return h.SwitchFrameAt(h.ctx, 9) })
			h.refused(driver.CodeNotFound, "frame not found: #none", func() error { return h.SwitchFrame(h.ctx, "#none") })
			h.refusedPlain(driver.CodeInvalid, "holds no frame", func() error { return h.SwitchFrame(h.ctx, "#where") })
			where(h, "top")
		}},
		{"frames", "one that is removed", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			h.js("setTimeout(() => parent.document.querySelector('#one').remove(), 100), 0")
			_, err := h.WaitUntilFunc(h.ctx, func(ctx) (any, error) { _, err := h.CurrentFrame(); return err != nil, nil })
			h.ok(err)
			h.refusedPlain(driver.CodeNotFound, "frame not found", func() error { _, err := h.Text(h.ctx, "#where"); return err })
			h.ok(h.SwitchFrame(h.ctx, ""))
			where(h, "top")
		}},

		{"cross-origin frames", "reads, actions, world", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#cross"))
			where(h, "inner?cross")
			h.is("world", h.js("world"), "inner?cross")
			h.is("origin", strings.Contains(h.js("location.href").(string), "localhost"), true)
			h.input("#in", "typed there")
			h.value("#in", "typed there")
			h.click("#b")
			h.text("#b", "hit")
			h.click("#low")
			h.text("#low", "low hit")
		}},
		{"cross-origin frames", "one inside another", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#cross"))
			h.ok(h.SwitchFrame(h.ctx, "#nest"))
			where(h, "nested")
			h.click("#nb")
			h.text("#nb", "nested hit")
			h.ok(h.SwitchFrameAt(h.ctx, driver.ParentFrame))
			where(h, "inner?cross")
			h.ok(h.SwitchFrame(h.ctx, ""))
			where(h, "top")
		}},
		{"cross-origin frames", "into another process and back", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#one"))
			h.click("#cross")
			h.do(h.WaitForText(h.ctx, "#where", "other"))
			h.is("origin", strings.Contains(h.js("location.href").(string), "localhost"), true)
			h.js("location = '" + h.url + "/inner?back', 0")
			h.do(h.WaitForText(h.ctx, "#where", "inner?back"))
			h.click("#b")
			h.text("#b", "hit")
		}},
		{"cross-origin frames", "by number, and the tree has them all", "/frames", func(h hand) {
			h.ok(h.SwitchFrameAt(h.ctx, 2))
			where(h, "inner?cross")
			tree, err := h.AriaTree(h.ctx)
			h.ok(err)
			h.is("frames in the tree", strings.Count(tree, `button "Hit"`), 3)
		}},
		{"cross-origin frames", "waits and scripts", "/frames", func(h hand) {
			h.ok(h.SwitchFrame(h.ctx, "#cross"))
			h.js("setTimeout(() => document.body.append(Object.assign(document.createElement('i'), {id: 'late', textContent: 'late'})), 200), 0")
			h.is("text", h.tell(h.do(h.WaitFor(h.ctx, "#late"))), "late")
			h.ok(h.WaitUntil(h.ctx, "world == 'inner?cross'"))
			at, err := h.Position(h.ctx, "#b", true)
			h.ok(err)
			h.is("has a place", at.Width > 10, true)
		}},

		{"shadow DOM", "CSS reaches in, the light first", "/shadow", func(h hand) {
			h.text(".both", "light")
			h.input("#name", "Ann")
			h.click("#save")
			h.text("#out", "saved Ann")
		}},
		{"shadow DOM", "in another shadow", "/shadow", func(h hand) {
			h.click("#deep")
			h.text("#deep", "Deep clicked")
			h.do(h.Select(h.ctx, "#pick", "B"))
			h.value("#pick", "b")
		}},
		{"shadow DOM", "wildcards and labels", "/shadow", func(h hand) {
			h.input("{input}Name", "Bob")
			h.click("{button}Save")
			h.text("#out", "saved Bob")
			h.exists("{span}Slotted text", true)
		}},
		{"shadow DOM", "from a host, and up to it", "/shadow", func(h hand) {
			h.is("inside", h.tell(h.Locate("#card").Locate(".both")), "dark")
			is, err := h.Locate("#save").Closest("x-card").Matches(h.ctx, "#card")
			h.ok(err)
			h.is("closest", is, true)
		}},
		{"shadow DOM", "one that is attached later", "/shadow", func(h hand) { h.is("text", h.tell(h.do(h.WaitFor(h.ctx, "#arrived"))), "arrived") }},
		{"shadow DOM", "what is not there", "/shadow", func(h hand) { h.exists("#nothing", false); h.exists("//button[@id='save']", false) }},
	}
}

// refusedPlain is that a step fails so; how long was waited need not be said.
func (h hand) refusedPlain(code driver.Code, text string, do func() error) {
	h.Helper()
	h.SetTimeout(soon)
	defer h.SetTimeout(10 * soon)
	fails(h.T, do(), code, text)
}
