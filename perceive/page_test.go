package perceive_test

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"rove/aria"
	"rove/cdp"
	"rove/driver"
	"rove/driver/backend"
	"rove/internal/demo"
	"rove/perceive"
)

// TestMapsHoldWhatLookShows: on real pages, every element that look shows as
// operable is in the map, its box holds the point where a press works, and what
// did not change is seen the same twice.
func TestMapsHoldWhatLookShows(t *testing.T) {
	v := open(t, nil)
	site := httptest.NewServer(demo.Handler())
	t.Cleanup(site.Close)
	for _, page := range []string{"/form", "/items", "/frames", "/board", "/list", "/login"} {
		t.Run(page, func(t *testing.T) {
			if _, err := v.Navigate(v.ctx, site.URL+page); err != nil {
				t.Fatal(err)
			}
			v.ok(v.driver.Tab().WaitIdle(v.ctx))
			first, second := v.observe(), v.observe()
			if first.Map.ContentHash != second.Map.ContentHash {
				t.Error("the page did not change, and its hash did")
			}
			if diff := perceive.Diff(first.Map, second.Map); !diff.Empty() {
				t.Errorf("the page did not change: %+v", diff)
			}
			for i := range first.Map.Elements {
				if a, b := first.Map.Elements[i], second.Map.Elements[i]; a.ID != b.ID || a.AXRef != b.AXRef || a.Bounds != b.Bounds {
					t.Errorf("%s was %s at %v and is %s at %v", a.ID, a.AXRef, a.Bounds, b.AXRef, b.Bounds)
				}
			}
			byRef := map[string]*perceive.UiElement{}
			for _, e := range second.Map.InteractiveElements() {
				byRef[e.AXRef] = e
			}
			tree, err := v.driver.Tab().Snapshot(v.ctx, driver.SnapshotOptions{})
			v.ok(err)
			shown := 0
			for _, n := range tree.Nodes {
				if n.State&aria.Operable == 0 || n.Ref == "" {
					continue
				}
				shown++
				if e := byRef["ax_"+string(n.Ref)]; e == nil || e.Bounds.Empty() {
					t.Errorf("look shows %s %s %q; the map has %+v", n.Ref, n.Role, n.Name, e)
				}
			}
			if shown < 3 || shown != len(byRef) {
				t.Errorf("look shows %d, the map has %d", shown, len(byRef))
			}
			v.T = t
			v.pressable(second.Map)
		})
	}
}

// pressable holds the boxes of some elements in view to the points that the
// driver finds for pressing them.
func (v visit) pressable(m *perceive.UiMap) {
	v.Helper()
	v.js("addEventListener('mousemove', (e) => { window.pointerSeen = [e.clientX, e.clientY] }, true), 0")
	tried := 0
	all := m.InteractiveElements()
	for i, e := range all {
		ref := strings.TrimPrefix(e.AXRef, "ax_")
		// In a frame the pointer is told in the frame's own coordinates.
		if e.Is(perceive.Offscreen) || e.Is(perceive.Disabled) || strings.HasPrefix(ref, "f") || i%max(1, len(all)/10) != 0 {
			continue
		}
		if _, err := v.driver.Tab().Do(v.ctx, driver.At(ref), driver.Op{Name: "hover"}); err != nil {
			v.Errorf("%s %q: %v", e.ID, e.Name, err)
			continue
		}
		tried++
		at := v.js("window.pointerSeen || [-1, -1]").([]any)
		if x, y := at[0].(float64), at[1].(float64); !e.Bounds.Contains(x, y) {
			v.Errorf("%s %s %q is pressed at (%v,%v), which is not in its box %v", e.ID, e.Role, e.Name, x, y, e.Bounds)
		}
	}
	if tried == 0 {
		v.Error("nothing was tried")
	}
}

// TestBoxesCanBePressed: a press in the middle of a box is one on its element, in
// frames of every kind too.
func TestBoxesCanBePressed(t *testing.T) {
	inner := func(name string) string {
		return `<!doctype html><style>body{margin:30px}</style><button onclick="top.postMessage('` + name + `', '*')">` + name + `</button>`
	}
	v := open(t, map[string]string{
		"/": `<!doctype html><title>Test</title><style>body{margin:0}iframe{display:block;width:300px;height:80px}.v{position:absolute;opacity:0}</style>
<script>hits = []; addEventListener('message', (e) => hits.push(e.data)); hit = (name) => hits.push(name)</script>
<button onclick="hit('Plain')">Plain</button>
<input type=checkbox class=v id=c onchange="hit('Hidden box')"><label for=c>Hidden box</label>
<label><input type=radio style="display:none" onchange="hit('No box')">No box</label>
<div id=shadow></div>
<a href="#x" onclick="hit('Floating')"><span style="float:left;width:100px;height:30px">Floating</span></a>
<div style="clear:both;width:120px">words before <a href="#y" onclick="hit('wide')" style="display:inline-block">wide</a></div>
<iframe src="/same"></iframe>
<iframe src="THERE/other" style="border:9px solid;padding:12px"></iframe>
<iframe src="/scaled" style="transform:scale(.5);transform-origin:0 0"></iframe>
<iframe src="/nested" style="height:160px"></iframe>
<script>shadow.attachShadow({mode: 'closed'}).innerHTML = '<button onclick="hit(\'Shadow\')">Shadow</button>'</script>`,
		"/same": inner("Same"), "/other": inner("Other"), "/scaled": inner("Scaled"),
		"/nested": `<!doctype html><iframe src="THERE/deep" style="margin:20px"></iframe>`, "/deep": inner("Deep"),
	})
	names := []string{"Plain", "Hidden box", "No box", "Shadow", "Floating", "wide", "Same", "Other", "Scaled", "Deep"}
	for _, name := range names { // frames come when they come
		if w, err := v.Wait(v.ctx, "element_with_name:"+name, 20*time.Second); err != nil || !w.Met {
			t.Fatalf("%s: %+v, %v", name, w, err)
		}
	}
	seen := v.observe()
	const hit = `new Promise((done) => {
		const end = Date.now() + 5000, look = () => hits.length || Date.now() > end ? done(hits.splice(0)) : setTimeout(look, 10)
		look()
	})`
	for _, name := range names {
		e := seen.Map.Element(v.id(seen, name))
		x, y := e.Bounds.Center()
		v.ok(v.page.Click(v.ctx, x, y))
		if got := fmt.Sprint(v.js(hit)); got != "["+name+"]" {
			t.Errorf("a click at (%v,%v), in the middle of %q, was one on %s", x, y, name, got)
		}
	}
}

// TestKeysAndText: what a page is told of keys, and of text that comes without.
func TestKeysAndText(t *testing.T) {
	v := one(t, `<input aria-label=Field><script>log = []
for (const type of ['keydown', 'keypress', 'beforeinput', 'click']) addEventListener(type, (e) => log.push([type, e.key, e.code, e.keyCode, e.inputType, e.data, e.isTrusted, e.shiftKey, e.ctrlKey].filter((x) => x !== undefined && x !== null).join(' ')), true)</script>`)
	seen := v.observe()
	v.ok(v.Focus(v.ctx, v.id(seen, "Field")))
	press := func(key string, held ...perceive.Modifier) {
		t.Helper()
		_, err := v.Keypress(v.ctx, key, held...)
		v.ok(err)
	}
	log := func() string {
		var lines []string
		for _, l := range v.js("log.splice(0)").([]any) {
			lines = append(lines, l.(string))
		}
		return strings.Join(lines, "\n")
	}
	log()
	press("a")
	if got, want := log(), "keydown a KeyA 65 true false false\nkeypress a KeyA 97 true false false\nbeforeinput insertText a true"; got != want {
		t.Errorf("a:\n%s\nwant\n%s", got, want)
	}
	press("a", perceive.Shift)
	if got := log(); !strings.Contains(got, "keydown A KeyA 65 true true false") || !strings.Contains(got, "insertText A") {
		t.Errorf("shift+a:\n%s", got)
	}
	press("a", perceive.Control)
	if got := log(); !strings.Contains(got, "keydown a KeyA 65 true false true") || strings.Contains(got, "beforeinput") {
		t.Errorf("control+a:\n%s", got)
	}
	v.ok(v.page.Text(v.ctx, "pasted 文"))
	if got := log(); strings.Contains(got, "keydown") || !strings.Contains(got, "beforeinput insertText pasted 文 true") {
		t.Errorf("text:\n%s", got)
	}
	if got := v.js("document.querySelector('input').value"); got != "pasted 文" { // control+a had selected all
		t.Errorf("the field holds %q", got)
	}
	for _, key := range []string{" ", "Enter", "Tab", "ArrowDown", "F5", "+"} {
		press(key)
	}
	if _, err := v.Keypress(v.ctx, "Retrun"); err == nil || !strings.Contains(err.Error(), "Retrun") {
		t.Errorf("a key that there is not: %v", err)
	}
	_, err := v.Keypress(v.ctx, "a b")
	fails(t, err, driver.CodeInvalid, "is not one key")
}

// TestPixelRatio: boxes are in CSS pixels, pictures in the screen's.
func TestPixelRatio(t *testing.T) {
	v := one(t, `<style>body{margin:0}</style><button style="position:absolute;left:100px;top:50px;width:80px;height:30px">Go</button><div style="height:3000px">`)
	v.ok(v.driver.Emulate(v.ctx, driver.Emulation{Emulation: backend.Emulation{Viewport: &backend.Viewport{Width: 640, Height: 400, Scale: 2}}}))
	seen := v.observe()
	view, err := v.page.Viewport(v.ctx)
	v.ok(err)
	if view.Width != 640 || view.Height != 400 || view.DevicePixelRatio != 2 || seen.Map.Viewport != view {
		t.Errorf("viewport %+v", view)
	}
	if b := seen.Map.Element("el_0").Bounds; b != (perceive.Bounds{X: 100, Y: 50, Width: 80, Height: 30}) {
		t.Errorf("the button is at %v", b)
	}
	picture, err := png.Decode(bytes.NewReader(seen.PNG))
	v.ok(err)
	if w := picture.Bounds().Dx(); w != 1280 {
		t.Errorf("the picture is %d wide", w)
	}
	saved, err := os.ReadFile(seen.ScreenshotPath)
	v.ok(err)
	info, err := os.Stat(seen.ScreenshotPath)
	if err != nil || !bytes.Equal(saved, seen.PNG) || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("the file: %v, %v", info.Mode(), err)
	}
	v.ok(v.Visitor.Close())
	if _, err := os.Stat(seen.ScreenshotPath); err == nil {
		t.Error("the picture outlives the visitor")
	}
	if _, err := v.Scroll(v.ctx, 500); err != nil {
		t.Fatal(err)
	}
	after := v.observe()
	if d := perceive.Diff(seen.Map, after.Map); !d.ScrollChanged || len(d.Changed)+len(d.Added)+len(d.Removed) > 0 || after.Map.Element("el_0").Bounds.Y != -450 {
		t.Errorf("after scrolling: %+v, %+v", d, after.Map.Elements)
	}
}

// TestScrollInside: where the page itself does not scroll, what fills it does.
func TestScrollInside(t *testing.T) {
	v := one(t, `<style>html,body{margin:0;height:100%;overflow:hidden}body{display:flex}nav,main{overflow:auto}nav{width:200px}main{flex:1}</style>
<nav><p style="height:2000px">Menu</p></nav><main id=m><h1>Top</h1><p style="height:3000px">Text</p><button>Far</button></main>`)
	far := func() float64 { return v.observe().Map.Element("el_0").Bounds.Y }
	at := far()
	for _, delta := range []int{400, -150} {
		if _, err := v.Scroll(v.ctx, delta); err != nil {
			t.Fatal(err)
		}
		at -= float64(delta)
		v.js(fmt.Sprintf("new Promise((done) => { const end = Date.now() + 5000, look = () => Math.abs(m.getElementsByTagName('button')[0].getBoundingClientRect().y - %v) < 1 || Date.now() > end ? done() : setTimeout(look, 10); look() })", at))
		if got := far(); got < at-1 || got > at+1 {
			t.Errorf("scrolled by %d it is at %v, want %v", delta, got, at)
		}
	}
}

// TestPageWaits: what comes is waited for, and what does not come is an answer.
func TestPageWaits(t *testing.T) {
	v := open(t, map[string]string{
		"/":      `<!doctype html><title>Test</title><h1>Start</h1><button onclick="setTimeout(() => { history.pushState(0, '', '/there'); document.body.insertAdjacentHTML('beforeend', '<a href=1>Late link</a><p>Done at last</p>') }, 300)">Go</button><iframe src="THERE/inner"></iframe>`,
		"/inner": `<p id=p>waiting</p><script>setTimeout(() => { p.textContent = 'Ready in the frame' }, 300)</script>`,
	})
	wait := func(condition string, timeout time.Duration) bool {
		t.Helper()
		w, err := v.Wait(v.ctx, condition, timeout)
		v.ok(err)
		if w.Condition != condition {
			t.Errorf("the answer is about %q", w.Condition)
		}
		return w.Met
	}
	if !wait("a11y_contains_text:ready in the frame", 10*time.Second) {
		t.Error("the text in the frame was not seen")
	}
	if wait("url_changed", 200*time.Millisecond) || wait("element_with_name:Late", 200*time.Millisecond) {
		t.Error("nothing happened yet")
	}
	seen := v.observe()
	_, err := v.Click(v.ctx, v.id(seen, "Go"))
	v.ok(err)
	if !wait("element_with_name:Late@link", 10*time.Second) || !wait("element_with_name:Late link", time.Second) || !wait("a11y_contains_text:at last", time.Second) {
		t.Error("what came was not seen")
	}
	if wait("element_with_name:Late@button", 200*time.Millisecond) {
		t.Error("the link is no button")
	}
	// It changed before it was waited for, but after what was observed.
	if !wait("url_changed", time.Second) {
		t.Error("the URL is another than the observed one")
	}
	if loaded, err := v.page.PageLoaded(v.ctx); err != nil || !loaded || !wait("page_loaded", time.Second) {
		t.Errorf("loaded: %v, %v", loaded, err)
	}
	if there, err := v.page.ElementExists(v.ctx, "late", "link"); err != nil || !there {
		t.Errorf("exists: %v, %v", there, err)
	}
}

// TestPageDialogs: what the browser itself shows is seen and answered like the rest.
func TestPageDialogs(t *testing.T) {
	v := one(t, `<button onclick="setTimeout(() => out.textContent = 'confirmed ' + confirm('Delete it?'))">Confirm</button><button onclick="setTimeout(() => out.textContent = 'name ' + prompt('Your name?', 'Ann'))">Prompt</button><p id=out></p>`)
	opens := func(name string) *perceive.Observed {
		t.Helper()
		seen := v.observe()
		_, err := v.Click(v.ctx, v.id(seen, name))
		v.ok(err)
		seen = v.observe()
		if seen.Map.PageSignals.Modal == nil {
			t.Fatalf("the dialog is not seen:\n%s", seen.UIMap)
		}
		return seen
	}
	says := func(text string) {
		t.Helper()
		w, err := v.Wait(v.ctx, "a11y_contains_text:"+text, 5*time.Second)
		v.ok(err)
		if !w.Met {
			t.Errorf("the page does not say %q:\n%s", text, v.observe().UIMap)
		}
	}
	seen := opens("Confirm")
	if !strings.Contains(seen.UIMap, `modal "Delete it?"`) {
		t.Errorf("summary:\n%s", seen.UIMap)
	}
	_, err := v.Click(v.ctx, v.id(seen, "OK"))
	v.ok(err)
	says("confirmed true")
	opens("Confirm")
	_, err = v.Keypress(v.ctx, "Escape")
	v.ok(err)
	says("confirmed false")
	seen = opens("Prompt")
	_, err = v.Type(v.ctx, v.id(seen, "Your name?"), "Bo")
	v.ok(err)
	_, err = v.Keypress(v.ctx, "Enter")
	v.ok(err)
	says("name Bo")
}

// TestTabsAreFollowed: what opens in front is what is seen.
func TestTabsAreFollowed(t *testing.T) {
	v := open(t, map[string]string{
		"/":     `<!doctype html><title>First</title><button onclick="window.open('/next')">Open</button><a href="/next" target="_blank">Link</a>`,
		"/next": `<!doctype html><title>Next</title><button onclick="window.close()">Close me</button>`,
	})
	_, err := v.Click(v.ctx, v.id(v.observe(), "Open"))
	v.ok(err)
	seen := v.observe()
	if seen.Title != "Next" {
		t.Fatalf("in front is %q", seen.Title)
	}
	_, err = v.Click(v.ctx, v.id(seen, "Close me"))
	v.ok(err)
	seen = v.observe()
	if seen.Title != "First" {
		t.Fatalf("in front is %q", seen.Title)
	}
	_, err = v.Click(v.ctx, v.id(seen, "Link"))
	v.ok(err)
	if seen := v.observe(); seen.Title != "Next" {
		t.Errorf("in front is %q", seen.Title)
	}
}

// TestElementsThatChange: an id is for the element that was seen, and for nothing
// that took its place.
func TestElementsThatChange(t *testing.T) {
	v := one(t, `<button id=a onclick="out.textContent += 'pressed'">Keep</button><button id=b>Gone</button><p id=out></p>`)
	seen := v.observe()
	v.js("a.textContent = 'Delete everything', b.remove(), 0")
	_, err := v.Click(v.ctx, v.id(seen, "Keep"))
	fails(t, err, driver.CodeStale, "el_0", `Button "Keep" in obs_1`, "browse_observe")
	_, err = v.Click(v.ctx, v.id(seen, "Gone"))
	fails(t, err, driver.CodeStale, `Button "Gone" in obs_1`)
	if got := v.js("out.textContent"); got != "" {
		t.Errorf("something was pressed: %v", got)
	}
	_, err = v.Click(v.ctx, "ax_t1")
	fails(t, err, driver.CodeInvalid, "nothing that can be operated")
	_, err = v.Click(v.ctx, "ax_e99")
	fails(t, err, driver.CodeNotFound, "e99")
	v.page.Hide = func(s string) string { return strings.ReplaceAll(s, "everything", "••••") }
	if seen := v.observe(); !strings.Contains(seen.UIMap, `"Delete ••••"`) || strings.Contains(seen.UIMap, "everything") {
		t.Errorf("what must not be seen:\n%s", seen.UIMap)
	}
	v.page.Blind = true
	if seen := v.observe(); seen.ScreenshotPath != "" || seen.PNG != nil || seen.ElementCount == 0 {
		t.Errorf("a picture of %d bytes in %q, where none may be taken", len(seen.PNG), seen.ScreenshotPath)
	}
}

// TestObserveIsCheap: on a page of ten thousand elements, seeing it costs at most
// three times what the browser takes for its accessibility tree alone.
func TestObserveIsCheap(t *testing.T) {
	var b strings.Builder
	for i := range 1430 {
		fmt.Fprintf(&b, `<div class=row><span>Item %d</span><a href="#%d">Open %d</a><button>Edit</button><p>Some <b>words</b> about it</p><input aria-label="Note %d"></div>`, i, i, i, i)
	}
	v := one(t, b.String())
	if n := v.js("document.querySelectorAll('*').length").(float64); n < 10000 {
		t.Fatalf("the page has %v elements", n)
	}
	_, session := cdp.Of(v.driver.Tab())
	best := func(times int, do func()) time.Duration {
		least := time.Hour
		for range times {
			start := time.Now()
			do()
			least = min(least, time.Since(start))
		}
		return least
	}
	raw := best(1, func() {
		var tree struct {
			Nodes []struct {
				NodeID string `json:"nodeId"`
			} `json:"nodes"`
		}
		v.ok(session.Call(v.ctx, "Accessibility.getFullAXTree", nil, &tree))
		if len(tree.Nodes) < 5000 {
			t.Fatalf("%d nodes", len(tree.Nodes))
		}
	})
	var seen *perceive.Observed
	whole := best(2, func() { seen = v.observe() })
	t.Logf("accessibility tree %v, observation with picture, map and summary %v, %d elements", raw, whole, seen.ElementCount)
	if whole > 3*raw {
		t.Errorf("an observation takes %v, which is more than three times %v", whole, raw)
	}
	if seen.ElementCount < 4290 {
		t.Errorf("%d elements", seen.ElementCount)
	}
}

// TestWhatIsInTheWay: an error names elements as the observation does.
func TestWhatIsInTheWay(t *testing.T) {
	v := one(t, `<p>words</p><button>Under</button><button style="position:fixed;inset:0;opacity:.9">Over</button>`)
	seen := v.observe()
	_, err := v.Click(v.ctx, v.id(seen, "Under"))
	fails(t, err, driver.CodeCovered, "click "+v.id(seen, "Under"), v.id(seen, "Over")+` button "Over"`)
	if err != nil && strings.Contains(err.Error(), "e1 ") {
		t.Errorf("the error has a name that nobody was told: %v", err)
	}
}
