package driver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rove/internal/testkit"

	"rove/driver"
	"rove/driver/backend"
)

const elementPage = `<style>#far{margin-top:2000px}</style>
<h1 id=title data-x="1">A <b>title</b></h1>
<input id=name value=old><input id=mail type=email><textarea id=area>text</textarea><input id=when type=date><input id=tone type=color><input id=level type=range>
<div id=edit contenteditable>edit</div>
<select id=country><option value=us>United States<option value=uk>United Kingdom<option value=x>us</select>
<button id=go onclick="note('click')" ondblclick="note('dblclick')" oncontextmenu="note('menu');return false" onmouseover="note('over')">Go</button>
<button id=off disabled>Off</button><input type=checkbox id=box><input type=file id=file multiple><button id=choose onclick="chosen.click()">Choose</button><input type=file id=chosen hidden><button id=soon onclick="setTimeout(() => later.click(), 250)">Soon</button><input type=file id=later hidden>
<ul id=list><li>a<li>b<li>c</ul>
<div id=far>far away</div>
<script>
 const events = []; const note = (e) => events.push(e)
 for (const id of ['country', 'name', 'when', 'level']) for (const type of ['input', 'change', 'blur']) document.getElementById(id).addEventListener(type, e => note(type + (e.bubbles ? '^' : '')))
 title.custom = {a: [1, 2]}
</script>`

// Every operation, and what the page sees of it.
func TestElementOperations(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := one(t, elementPage)
	file := filepath.Join(t.TempDir(), "a.txt")
	p.ok(os.WriteFile(file, []byte("hello"), 0o600))
	do := func(_ *driver.Element, err error) error { return err }
	for _, c := range []struct {
		name string
		do   func() error
		js   string
		want any
	}{
		{"click", func() error { return do(p.Click(p.ctx, "#go")) }, "events.filter(e => e != 'over').join()", "click"},
		{"double click", func() error { return do(p.DoubleClick(p.ctx, "#go")) }, "events.filter(e => e != 'over').join()", "click,click,dblclick"},
		{"right click", func() error { return do(p.RightClick(p.ctx, "#go")) }, "events.filter(e => e != 'over').join()", "menu"},
		{"hover", func() error { p.js("title.scrollIntoView()"); return do(p.Hover(p.ctx, "#title")) }, "title.matches(':hover')", true},
		{"hover disabled", func() error { p.js("document.getElementById('go').disabled = true"); return do(p.Hover(p.ctx, "#go")) }, "(b => { b.disabled = false; return b.matches(':hover') })(document.getElementById('go'))", true},
		{"focus", func() error { return do(p.Focus(p.ctx, "#mail")) }, "document.activeElement.id", "mail"},
		{"clear", func() error { return do(p.Clear(p.ctx, "#area")) }, "area.value", ""},
		{"input replaces", func() error { return do(p.Input(p.ctx, "#name", "New €😀")) }, "name.value || document.getElementById('name').value", "New €😀"},
		{"input mixes", func() error { return do(p.Input(p.ctx, "#area", "ab", driver.KeyLeft, "X", driver.KeyEnd, "!")) }, "area.value", "aXb!"},
		{"input keys only", func() error { return do(p.Input(p.ctx, "#area", driver.KeyEnd, "?")) }, "area.value", "aXb!?"},
		{"input slowly", func() error { return p.Locate("#mail").InputSlowly(p.ctx, 5*time.Millisecond, "a@B.c") }, "mail.value", "a@B.c"},
		{"input date", func() error { return do(p.Input(p.ctx, "#when", "2026-01-31")) }, "document.getElementById('when').value + events.join()", "2026-01-31input^,change^"},
		{"input colour", func() error { return do(p.Input(p.ctx, "#tone", "#336699")) }, "tone.value", "#336699"},
		{"input editable", func() error { return do(p.Input(p.ctx, "#edit", "new")) }, "edit.textContent", "new"},
		{"value", func() error { return do(p.SetValue(p.ctx, "#name", "set")) }, "document.getElementById('name').value + events.join()", "setinput^,change^"},
		{"value range", func() error { return do(p.SetValue(p.ctx, "#level", "70")) }, "level.value + events.join()", "70input^,change^"},
		{"value editable", func() error { return do(p.SetValue(p.ctx, "#edit", "set")) }, "edit.textContent", "set"},
		{"select value first", func() error { return do(p.Select(p.ctx, "#country", "us")) }, "country.selectedIndex", 0},
		{"select text", func() error { return do(p.Select(p.ctx, "#country", "United Kingdom")) }, "country.value + events.join()", "ukinput^,change^,blur"},
		{"select exact text", func() error { return do(p.Select(p.ctx, "#country", "{}us")) }, "country.value", "x"},
		{"select part", func() error { return do(p.Select(p.ctx, "#country", "{^}ited St")) }, "country.value", "us"},
		{"select index", func() error { return do(p.SelectIndex(p.ctx, "#country", 1)) }, "country.value", "uk"},
		{"scroll", func() error { return do(p.Scroll(p.ctx, "#far")) }, "scrollY > 1000", true},
		{"highlight", func() error { return do(p.Highlight(p.ctx, "#title", time.Minute)) }, "getComputedStyle(title).outlineStyle + title.getAttribute('style')", "solidnull"},
		{"check", func() error { return p.Locate("#box").Check(p.ctx) }, "box.checked", true},
		{"uncheck", func() error { return p.Locate("#box").Uncheck(p.ctx) }, "box.checked", false},
		{"file", func() error { return do(p.InputFile(p.ctx, "#file", file)) }, "file.files[0].name", "a.txt"},
		{"file chooser", func() error { return do(p.InputFile(p.ctx, "#choose", file)) }, "chosen.files[0].name", "a.txt"},
		{"file chooser a moment later", func() error { return do(p.InputFile(p.ctx, "#soon", file)) }, "later.files[0].name", "a.txt"},
		{"press", func() error { return p.Locate("#area").Press(p.ctx, "Control+a Delete") }, "area.value", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.js("events.length = 0")
			if err := c.do(); err != nil {
				t.Fatal(err)
			}
			same(t, c.js, p.js(c.js), c.want)
		})
	}
	_, err := p.Select(p.ctx, "#country", "Mars")
	fails(t, err, driver.CodeInvalid, "select failed, no option matching: 'Mars' for: #country", "United Kingdom")
}

// What can be read of an element.
func TestElementState(t *testing.T) {
	p := one(t, elementPage)
	e := p.Locate("#title")
	read := func(v any, err error) any {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for what, c := range map[string]struct{ got, want any }{
		"text":       {read(p.Text(p.ctx, "#title")), "A title"},
		"html":       {read(p.HTML(p.ctx, "#title")), `<h1 id="title" data-x="1">A <b>title</b></h1>`},
		"value":      {read(p.Value(p.ctx, "#name")), "old"},
		"no value":   {read(p.Value(p.ctx, "#title")), ""},
		"select":     {read(p.Value(p.ctx, "#country")), "us"},
		"property":   {read(p.Property(p.ctx, "#title", "custom")), map[string]any{"a": []any{1, 2}}},
		"enabled":    {read(p.Enabled(p.ctx, "#go")), true},
		"disabled":   {read(p.Enabled(p.ctx, "#off")), false},
		"exists":     {read(p.Exists(p.ctx, "#title")), true},
		"not exists": {read(p.Exists(p.ctx, "#none")), false},
		"role":       {read(p.Role(p.ctx, "#title")), "heading"},
		"name":       {read(p.Name(p.ctx, "#title")), "A title"},
		"tag":        {read(e.Tag(p.ctx)), "h1"},
		"matches":    {read(e.Matches(p.ctx, "h1[data-x]")), true},
		"closest":    {read(p.Locate("#title b").Closest("h1").Tag(p.ctx)), "h1"},
		"parent":     {read(e.Parent().Tag(p.ctx)), "body"},
		"script":     {read(p.ScriptOn(p.ctx, "#title", "_.tagName")), "H1"},
		"function":   {read(p.ScriptOn(p.ctx, "#title", "el => el.id")), "title"},
		"all":        {read(p.ScriptAll(p.ctx, "#list li", "_.textContent")), []any{"a", "b", "c"}},
	} {
		same(t, what, c.got, c.want)
	}
	value, ok, err := p.Attribute(p.ctx, "#title", "data-x")
	p.ok(err)
	same(t, "attribute", fmt.Sprintln(value, ok), "1 true\n")
	_, ok, err = p.Attribute(p.ctx, "#title", "none")
	p.ok(err)
	same(t, "no attribute", ok, false)
	children, err := p.Locate("#list").Children(p.ctx)
	p.ok(err)
	same(t, "children", len(children), 3)
	text, err := children[2].Text(p.ctx)
	p.ok(err)
	same(t, "third", text, "c")

	_, err = p.Scroll(p.ctx, "#far")
	p.ok(err)
	inPage, err := p.Position(p.ctx, "#far", false)
	p.ok(err)
	inView, err := p.Position(p.ctx, "#far", true)
	p.ok(err)
	if inPage.Y < 2000 || inView.Y > 720 || inView.Y < 0 || inPage.Width < 100 || inPage.Height < 10 {
		t.Errorf("position %v in the page, %v in the viewport", inPage, inView)
	}
	same(t, "scrolled by", inPage.Y-inView.Y, p.js("scrollY"))
}

// An element is its locator: it is found again in whatever the page has become.
func TestElementsResolveAnew(t *testing.T) {
	p := one(t, `<div id=root><button onclick="document.title='first'">B</button></div>`)
	e := p.Locate("#root button")
	p.js(`root.innerHTML = '<button onclick="document.title=\'second\'">B</button>'`)
	p.ok(e.Click(p.ctx))
	same(t, "title", p.js("document.title"), "second")
	p.ok(p.Refresh(p.ctx))
	p.ok(e.Click(p.ctx))
	same(t, "title", p.js("document.title"), "first")
}

// What need not be there does nothing where it is not.
func TestOptional(t *testing.T) {
	p := one(t, `<button id=b onclick="document.title='clicked'">B</button>`)
	start := time.Now()
	none := p.Optional("#none")
	for _, err := range []error{none.Click(p.ctx), none.Input(p.ctx, "x"), none.Select(p.ctx, "x"), none.SetValue(p.ctx, "x"), none.Highlight(p.ctx)} {
		p.ok(err)
	}
	text, err := none.Text(p.ctx)
	p.ok(err)
	same(t, "text", text, "")
	there, err := none.Present(p.ctx)
	p.ok(err)
	same(t, "there", there, false)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it waited %v", took)
	}
	p.ok(p.Optional("#b").Click(p.ctx))
	same(t, "title", p.js("document.title"), "clicked")
}

// An action waits for its element, and says what kept it.
func TestActionsWait(t *testing.T) {
	for name, c := range map[string]struct{ before, after, code, text, hint string }{
		"present":   {``, `document.body.insertAdjacentHTML('beforeend', '<button id=b>B</button>')`, "notfound", "element not found: #b", "check the locator"},
		"visible":   {`<button id=b style="display:none">B</button>`, `b.style.display = ''`, "hidden", "not visible", "opened or scrolled first"},
		"invisible": {`<button id=b style="visibility:hidden">B</button>`, `b.style.visibility = ''`, "hidden", "not visible: visibility", "opened or scrolled first"},
		"folded":    {`<details id=d><summary>S</summary><button id=b>B</button></details>`, `d.open = true`, "hidden", "not visible", "opened or scrolled first"},
		"enabled":   {`<button id=b disabled>B</button>`, `b.disabled = false`, "disabled", "is disabled", "filled in first"},
		"covered":   {`<button id=b>B</button><div id=c role=dialog aria-label=Cover style="position:fixed;inset:0">c</div>`, `c.remove()`, "covered", `"Cover"`, "close or move that first"},
		"moving": {
			`<style>@keyframes m{from{margin-left:0}to{margin-left:300px}}</style><button id=b style="animation:m 4s linear">B</button>`,
			`b.style.animation = ''`, "timeout", "does not stop moving", "stop the animation",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := one(t, c.before+`<script>addEventListener('click', e => { if (e.target.id == 'b') document.title = 'clicked' })</script>`)
			_, err := p.Retry(2, 150*time.Millisecond).Click(p.ctx, "#b")
			fails(t, err, driver.Code(c.code), c.text, "#b", p.url, c.hint)
			saysWait(t, err)
			p.js("setTimeout(() => {" + c.after + "}, 300), 0")
			_, err = p.Click(p.ctx, "#b")
			p.ok(err)
			same(t, "title", p.js("document.title"), "clicked")
		})
	}
}

// Trusted drags, of both kinds.
func TestDrag(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := one(t, `<style>div{width:80px;height:80px;display:inline-block;background:#ddd;margin:20px}</style>
		<div id=a draggable=true>a</div><div id=b ondragover="event.preventDefault()" ondrop="document.title='dropped'">b</div>
		<div id=c>c</div><script>c.onmousedown=()=>{onmousemove=e=>{document.title='moved';trusted=e.isTrusted};onmouseup=()=>{onmousemove=null}}</script>`)
	_, err := p.DragTo(p.ctx, "#a", "#b")
	p.ok(err)
	same(t, "title", p.js("document.title"), "dropped")
	_, err = p.DragTo(p.ctx, "#c", "#b")
	p.ok(err)
	same(t, "title", p.js("document.title + trusted"), "movedtrue")
}

// A picture of an element has its size.
func TestElementScreenshot(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := one(t, `<div id=a style="width:120px;height:45px;background:red"></div>`)
	png, err := p.Locate("#a").Screenshot(p.ctx)
	p.ok(err)
	same(t, "size", pngSize(png), "120x45")
	all, err := p.Screenshot(p.ctx, backend.ScreenshotOptions{})
	p.ok(err)
	same(t, "page", pngSize(all), "1280x720")
}

func pngSize(b []byte) string {
	if len(b) < 24 || !strings.HasPrefix(string(b), "\x89PNG") {
		return "no picture"
	}
	size := func(b []byte) int { return int(b[0])<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3]) }
	return fmt.Sprintf("%dx%d", size(b[16:]), size(b[20:]))
}
