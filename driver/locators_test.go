package driver_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rove/driver"
)

const locatorPage = `
<style>.none{display:none} .gone{visibility:hidden} .off{pointer-events:none} .upper{text-transform:uppercase}
 #cover{position:fixed;left:0;top:650px;width:200px;height:50px;background:#ccc} #under{position:fixed;left:20px;top:660px}
 #box{height:40px;width:200px;overflow:auto}</style>
<h1 id=head>Locators</h1>
<div id=list class=list><p class=item>one</p><p class=item>two <b>bold</b></p><p class=item>three</p></div>
<div id=other><p class=item>one</p><span>inner <i>deep</i></span></div>
<button id=save>  Save&nbsp;
  all </button><div role=button id=fake>Fake</div><input type=submit id=go value="Send it">
<a id=plain href="#x">Link</a><span role=link id=rl tabindex=0>Role link</span>
<label for=mail>Email</label><input id=mail><textarea id=note aria-label="Note"></textarea>
<select id=pick><option>A</option></select>
<p class=none>hidden text</p><p class=gone>hidden text</p><p aria-hidden=true>hidden text</p><p class=off>hidden text</p>
<p id=shown>hidden text</p><p id=caps class=upper>shout</p>
<div id=under>covered</div><div id=cover>cover</div>
<div id=box><div style="height:200px">tall</div><p id=below>scrolled out</p></div>
<div id=nested><div><span id=inmost>nested</span></div></div>
<button>Twin</button><button>Twin</button>
<x-host id=host></x-host>
<script>
 host.attachShadow({mode: 'open'}).innerHTML = '<p class=shady>in the shadow</p><button id=dark>Dark</button><x-in></x-in>'
 host.shadowRoot.querySelector('x-in').attachShadow({mode: 'open'}).innerHTML = '<em id=deepest>deepest</em>'
 window.mine = document.getElementById('save')
</script>`

// Every kind of locator, from the page and from inside an element.
func TestLocators(t *testing.T) {
	p := one(t, locatorPage)
	tree, err := p.AriaTree(p.ctx)
	p.ok(err)
	ref := refIn(t, tree, "Save all")
	for _, c := range []struct{ scope, locator, want string }{
		{"", "#save", "save"},
		{"", "p.item", "P P P P"},
		{"", "#list p", "P P P"},
		{"", "//h1", "head"},
		{"", "//p[@class='item'][2]", "P"},
		{"", "(//p)[1]", "P"},
		{"", "./html/body/h1", "head"},
		{"", "/html/body/h1", "head"},
		{"", "(document.querySelector('#head'))", "head"},
		{"", "(window.mine)", "save"},
		{"", "(() => window.mine)", "save"},
		{"", "(document.querySelectorAll('#list p'))", "P P P"},
		{"", "([mine, mine.nextSibling, null])", "save fake"},
		{"", "ref:" + ref, "save"},
		{"", "{button}Save all", "save"},
		{"", "{}Save all", "save"},
		{"", "{^button}ave", "save"},
		{"", "{button}save all", ""},
		{"", "{button}Fake", "fake"},
		{"", "{button}Send it", "go"},
		{"", "{a}Link", "plain"},
		{"", "{a}Role link", "rl"},
		{"", "{input}Email", "mail"},
		{"", "{input}Note", "note"},
		{"", "{select}", "pick"},
		{"", "{link}Link", "plain"},
		{"", "{link}Role link", "rl"},
		{"", "{textbox}Email", "mail"},
		{"", "{combobox}", "pick"},
		{"", "{heading}", "head"},
		{"", "{^Heading}Loc", "head"},
		{"", "{h1}", "head"},
		{"", "{p}one", "P P"},
		{"", "{p:2}one", "P"},
		{"", "{p:3}one", ""},
		{"", "{}hidden text", "shown"},
		{"", "{}covered", ""},
		{"", "{}scrolled out", "below"},
		{"", "{}nested", "inmost"},
		{"", "{}shout", "caps"},
		{"", "{}SHOUT", "caps"},
		{"", "{}two bold", "P"},
		{"", "{button}Twin", "BUTTON BUTTON"},
		{"", ".shady", "P"},
		{"", "#deepest", "deepest"},
		{"", "{button}Dark", "dark"},
		{"", "{}in the shadow", "P"},
		{"", ".nothing", ""},
		{"#other", "p", "P"},
		{"#other", "{}deep", "I"},
		{"#other", "{p}three", ""},
		{"#other", "./p", "P"},
		{"#other", ".//i", "I"},
		{"#other", "//i", "I"},
		{"#other", "(//p)[1]", "P"},
		{"#other", "../h1", "head"},
		{"#other", "(_.firstElementChild)", "P"},
		{"#other", "(_.children)", "P SPAN"},
		{"#other", ":scope > span", "SPAN"},
		{"#host", "#dark", "dark"},
		{"#host", "{}deepest", "deepest"},
	} {
		t.Run(strings.TrimSpace(c.scope+" "+c.locator), func(t *testing.T) {
			const name = "_.id || _.tagName"
			var values []any
			if c.scope == "" {
				values, err = p.ScriptAll(p.ctx, c.locator, name)
			} else {
				values, err = p.Locate(c.scope).ScriptAll(p.ctx, c.locator, name)
			}
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Trim(fmt.Sprint(values), "[]")
			same(t, "all", got, c.want)
			e := p.Locate(c.locator)
			if c.scope != "" {
				e = p.Locate(c.scope).Locate(c.locator)
			}
			there, err := e.Exists(p.ctx)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "exists", there, c.want != "")
		})
	}
}

// refIn is the ref on the line of a tree that has a name.
func refIn(t *testing.T, tree, name string) string {
	t.Helper()
	for line := range strings.Lines(tree) {
		if strings.Contains(line, `"`+name+`"`) {
			_, rest, _ := strings.Cut(line, "[ref=")
			ref, _, _ := strings.Cut(rest, "]")
			return ref
		}
	}
	t.Fatalf("no %q in:\n%s", name, tree)
	return ""
}

func TestLocatorErrors(t *testing.T) {
	p := one(t, `<p id=p>text</p>`)
	p.SetTimeout(300 * time.Millisecond)
	for locator, want := range map[string]string{
		"":            "locator cannot be null or empty",
		"p[":          "not a valid CSS selector: p[",
		"//p[":        "not a valid XPath: //p[",
		"{p:0}x":      "not a valid wildcard",
		"{p":          "not a valid wildcard",
		"(document.)": "not a valid locator: (document.)",
	} {
		_, err := p.Text(p.ctx, locator)
		fails(t, err, driver.CodeInvalid, want)
	}
	_, err := p.Text(p.ctx, "#none")
	fails(t, err, driver.CodeNotFound, "element not found: #none", p.url, "waited ", "check the locator")
	saysWait(t, err)
	_, err = p.Text(p.ctx, "(document.querySelector('#none'))")
	fails(t, err, driver.CodeNotFound, "element not found: (document.querySelector('#none'))")
	_, err = p.Text(p.ctx, "ref:e99")
	fails(t, err, driver.CodeNotFound, "e99")
}

// A ref stands for its element for as long as that lives, and no longer.
func TestRefLocators(t *testing.T) {
	p := open(t, map[string]string{
		"/":       `<title>Refs</title><button id=a onclick="document.title='clicked'">Press</button><iframe src="/inside"></iframe>`,
		"/inside": `<button onclick="parent.document.title='inside'">Inside</button>`,
	})
	tree, err := p.AriaTree(p.ctx)
	p.ok(err)
	press, inside := refIn(t, tree, "Press"), refIn(t, tree, "Inside")
	_, err = p.Click(p.ctx, "ref:"+press)
	p.ok(err)
	same(t, "title", p.js("document.title"), "clicked")
	_, err = p.Click(p.ctx, "ref:"+inside)
	p.ok(err)
	same(t, "title", p.js("document.title"), "inside")
	p.js("a.remove()")
	start := time.Now()
	_, err = p.Click(p.ctx, "ref:"+press)
	fails(t, err, driver.CodeStale, press+" is stale", "look")
	_, err = p.Text(p.ctx, "ref:"+press)
	fails(t, err, driver.CodeStale, press+" is stale")
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("a stale ref was waited for: %v", took)
	}
}

// A large page is searched in milliseconds.
func TestLocatorsAreQuick(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "<section><div><p>Row %d</p><ul><li>some</li><li>more words here</li></ul></div></section>", i)
		if i%8 == 0 {
			b.WriteString("<div><span>Same text</span></div>")
		}
	}
	p := one(t, b.String())
	for _, locator := range []string{"{}Same text", "{^}more words", "{li}some", "{span:40}Same text", "{div}"} {
		best := time.Hour
		for range 3 {
			start := time.Now()
			list, err := p.LocateAll(p.ctx, locator)
			p.ok(err)
			best = min(best, time.Since(start))
			if len(list) == 0 {
				t.Errorf("%s finds nothing", locator)
			}
		}
		if best > 500*time.Millisecond {
			t.Errorf("%s took %v", locator, best)
		}
		t.Logf("%s: %v", locator, best)
	}
}

// What is below, above, beside and near, the nearest first.
func TestFinders(t *testing.T) {
	p := one(t, `<style>b,input,select{position:absolute;width:60px;height:20px;box-sizing:border-box}</style>
		<b id=mid style="left:300px;top:300px">mid</b>
		<input id=right style="left:400px;top:305px"><input id=far style="left:600px;top:295px"><input id=off style="left:400px;top:400px">
		<b id=left style="left:200px;top:300px">left</b><b id=up style="left:310px;top:200px">up</b><b id=top style="left:310px;top:100px">top</b>
		<b id=down style="left:290px;top:340px">down</b>
		<b id=upleft style="left:150px;top:180px">off</b><b id=upright style="left:500px;top:150px">off</b><b id=downright style="left:500px;top:450px">off</b><select id=sel style="left:700px;top:300px"><option>A<option>B</select>
		<input id=hid style="left:380px;top:300px;visibility:hidden">`)
	for _, c := range []struct {
		name   string
		finder *driver.Finder
		by     string
		want   string
	}{
		{"right", p.RightOf("#mid"), "input", "[right far]"},
		{"right within", p.RightOf("#mid").Within(100), "input", "[right]"},
		{"left", p.LeftOf("#mid"), "b", "[left]"},
		{"above", p.Above("#mid"), "b", "[up top]"},
		{"below", p.Below("#mid"), "b", "[down]"},
		{"near", p.Near("#mid"), "b", "[down]"},
		{"near within", p.Near("#mid").Within(110), "b", "[down left up]"},
		{"wildcard", p.RightOf("{b}mid"), "{input}", "[right far]"},
		{"xpath", p.Below("//b[@id='mid']"), "//b", "[down]"},
	} {
		list, err := c.finder.FindAll(p.ctx, c.by)
		p.ok(err)
		var ids []any
		for _, e := range list {
			id, _, err := e.Attribute(p.ctx, "id")
			p.ok(err)
			ids = append(ids, id)
		}
		same(t, c.name, ids, c.want)
	}
	p.ok(p.RightOf("#mid").Input(p.ctx, "", "hello"))
	same(t, "typed", p.js("right.value"), "hello")
	p.ok(p.RightOf("#mid").Select(p.ctx, "", "B"))
	same(t, "chosen", p.js("sel.value"), "B")
	there, err := p.LeftOf("#left").Exists(p.ctx, "input")
	p.ok(err)
	same(t, "exists", there, false)
	p.Retry(1, 200*time.Millisecond)
	fails(t, p.RightOf("#far").Click(p.ctx, "b"), driver.CodeNotFound, "no element found to the right of #far matching: b")
}
