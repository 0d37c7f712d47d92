package driver_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"rove/driver"
)

// hand is somebody at a driver who writes scenarios: every step that fails ends
// the scenario.
type hand struct{ at }

func (h hand) do(e *driver.Element, err error) *driver.Element {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
	return e
}

func (h hand) click(locator string)              { h.Helper(); h.do(h.Click(h.ctx, locator)) }
func (h hand) input(locator string, t ...string) { h.Helper(); h.do(h.Input(h.ctx, locator, t...)) }

func (h hand) text(locator, want string) {
	h.Helper()
	got, err := h.Text(h.ctx, locator)
	h.ok(err)
	h.is("text of "+locator, strings.Join(strings.Fields(got), " "), want)
}

func (h hand) value(locator, want string) {
	h.Helper()
	got, err := h.Value(h.ctx, locator)
	h.ok(err)
	h.is("value of "+locator, got, want)
}

func (h hand) exists(locator string, want bool) {
	h.Helper()
	got, err := h.Exists(h.ctx, locator)
	h.ok(err)
	h.is("exists "+locator, got, want)
}

func (h hand) title(want string) {
	h.Helper()
	got, err := h.Title(h.ctx)
	h.ok(err)
	h.is("title", got, want)
}

func (h hand) is(what string, got, want any) {
	h.Helper()
	same(h.T, what, got, want)
}

// here is that the address ends so.
func (h hand) here(suffix string) {
	h.Helper()
	if url := h.URL(); !strings.HasSuffix(url, suffix) {
		h.Errorf("at %s, want %s", url, suffix)
	}
}

// refused is that a step fails so, and soon.
func (h hand) refused(code driver.Code, text string, do func() error) {
	h.Helper()
	h.Retry(1, 200*time.Millisecond)
	start := time.Now()
	err := do()
	fails(h.T, err, code, text)
	if took := time.Since(start); took > 8*time.Second {
		h.Errorf("it took %v to fail: %v", took, err)
	}
	var known *driver.Error
	if errors.As(err, &known) && known.Code != driver.CodeInvalid && !strings.Contains(err.Error(), "waited") && code != driver.CodeDialog {
		h.Errorf("the error does not say how long was waited: %v", err)
	}
}

// scenario is a few steps on one page.
type scenario struct {
	area, name, page string
	steps            func(h hand)
}

// TestScenarios goes through what testers do, area by area, with a driver for
// each area and a page for each scenario.
func TestScenarios(t *testing.T) {
	all := slices.Concat(pageScenarios(), fieldScenarios(), frameScenarios(), oddScenarios())
	for _, area := range areas(all) {
		t.Run(area, func(t *testing.T) {
			p := open(t, scenarioPages)
			for _, s := range all {
				if s.area != area {
					continue
				}
				t.Run(s.name, func(t *testing.T) {
					h := hand{at{T: t, Driver: p.Driver, ctx: p.ctx, url: p.url}}
					h.SetTimeout(10 * time.Second)
					h.OnDialog(nil)
					if _, open := h.DialogText(); open { // left by a scenario that failed
						_ = h.Dialog(h.ctx, true, "")
					}
					h.visit(s.page)
					s.steps(h)
				})
			}
		})
	}
}

func areas(all []scenario) (list []string) {
	seen := map[string]bool{}
	for _, s := range all {
		if !seen[s.area] {
			seen[s.area] = true
			list = append(list, s.area)
		}
	}
	return list
}

var scenarioPages = map[string]string{
	"/": `<!doctype html><title>Home</title><h1>Home</h1><a id=two href="/two">Two</a> <a id=frag href="#part">Part</a><p id=part>part</p>
		<a id=blank href="/two?tab" target=_blank>New tab</a><button id=later onclick="setTimeout(() => location = '/two?later', 300)">Later</button>
		<button id=push onclick="history.pushState(1, '', '/pushed?x=1'); document.title = 'Pushed'">Push</button>
		<button id=replace onclick="history.replaceState(1, '', '/replaced')">Replace</button>
		<form action="/two" method=get id=form><input name=q value=v><button id=send>Send</button></form>`,
	"/two":      `<!doctype html><title>Two</title><h1>Two</h1><a id=home href="/">Home</a><script>window.loads = (+sessionStorage.loads || 0) + 1; sessionStorage.loads = loads</script>`,
	"/redirect": `<!doctype html><title>Redirecting</title><script>location.replace('/two?redirected')</script>`,
	"/meta":     `<!doctype html><title>Meta</title><meta http-equiv=refresh content="0;url=/two?meta"><p>wait`,
	"/chain":    `<!doctype html><title>Chain</title><script>setTimeout(() => location = '/redirect', 150)</script>`,
	"/leave": `<!doctype html><title>Leave</title><p id=s>here</p><button id=js onclick="s.textContent = 'leaving'; location = '/two?js'">Go</button><button id=open onclick="s.textContent = 'opened'; window.open('/two?opened')">Open</button>
		<div id=made onclick="s.textContent = 'made'; const f = document.body.appendChild(document.createElement('form')); f.action = '/two'; f.submit()">Made</div>`,
	"/unicode": `<!doctype html><title>Prüfung “日本” &amp; 😀</title><p id=p>grüß</p>`,

	"/form": `<!doctype html><title>Form</title><style>#custom{position:absolute;opacity:0} #tall{height:1500px}</style>
		<form onsubmit="result.textContent = 'sent ' + user.value + '/' + agree.checked; return false">
		<label for=user>User</label><input id=user name=user placeholder="Your name" maxlength=12>
		<input id=mail type=email value="old@example.com"><input id=num type=number value=1><input id=pw type=password>
		<input id=date type=date><input id=time type=time><input id=local type=datetime-local><input id=month type=month><input id=week type=week><input id=color type=color><input id=range type=range min=0 max=100>
		<textarea id=area>one</textarea><div id=rich contenteditable>rich</div>
		<input type=checkbox id=agree><label for=custom id=customlabel>Custom</label><input type=checkbox id=custom>
		<input type=radio name=r id=r1 value=1 checked><input type=radio name=r id=r2 value=2>
		<select id=country><option value="">Choose<option value=us>United States<option value=uk>United Kingdom<option value=de disabled>Germany<option value=us2>us</select>
		<select id=many multiple><option>a<option>b<option>c</select>
		<button id=submit>Submit</button><button type=reset id=reset>Reset</button></form><input id=ro readonly value=fixed><input id=off disabled value=off><button id=offb disabled>Off</button>
		<p id=result>none</p><div id=parent class=outer data-x=" y "><span class=inner>First</span><span class=inner>Second <b>bold</b></span></div>
		<button id=count onclick="this.textContent = +this.textContent + 1">0</button><table id=t><tr><td>a1<td>a2<tr><td>b1<td>b2</table>
		<div id=tall></div><button id=deep onclick="this.textContent='deep clicked'">Deep</button>
		<script>window.log = []; for (const e of document.querySelectorAll('input, select, textarea')) for (const type of ['input', 'change', 'focus', 'blur']) e.addEventListener(type, ev => log.push(e.id + ':' + type + (ev.bubbles ? '' : '')))</script>`,

	"/waits": `<!doctype html><title>Waits</title><div id=slot></div><p id=status>loading</p><button id=dis disabled onclick="this.textContent='pressed'">Dis</button><ul id=list></ul><p id=hide>here</p>
		<button id=start onclick="
			setTimeout(() => { slot.innerHTML = '<b id=new>new</b>' }, 150)
			setTimeout(() => { status.textContent = 'almost'; document.getElementById('status').textContent = 'all done' }, 200)
			setTimeout(() => { dis.disabled = false }, 250)
			for (let i = 1; i < 5; i++) setTimeout(() => list.insertAdjacentHTML('beforeend', '<li>' + i), 60 * i)
			setTimeout(() => { hide.remove() }, 200)
			setTimeout(() => { window.ready = {n: 3} }, 200)
			setTimeout(() => { history.pushState(0, '', '/waits?step=2') }, 200)">Start</button>`,

	"/dialogs": `<!doctype html><title>Dialogs</title><button id=alert onclick="alert('Hello'); out.textContent = 'alerted'">A</button><button id=confirm onclick="out.textContent = confirm('Sure?')">C</button>
		<button id=prompt onclick="out.textContent = prompt('Name?', 'preset')">P</button><button id=late onclick="setTimeout(() => { alert('late'); out.textContent = 'late done' }, 200)">L</button>
		<button id=three onclick="out.textContent = [confirm('1'), confirm('2'), confirm('3')].join()">T</button><p id=out>none</p><iframe id=f src="/dialogframe"></iframe>`,
	"/dialogframe": `<button id=in onclick="document.body.append(confirm('from a frame'))">In</button>`,
	"/onload":      `<!doctype html><title>Onload</title><p id=p>text</p><script>setTimeout(() => alert('welcome'), 50)</script>`,

	"/shadow": `<!doctype html><title>Shadow</title><h1>Light</h1><x-card id=card></x-card><x-late id=late></x-late><p class=both>light</p><script>
		const root = card.attachShadow({mode: 'open'})
		root.innerHTML = '<style>button{color:red}</style><p class=both>dark</p><label>Name <input id=name></label><button id=save>Save</button><p id=out></p><slot></slot><x-inner></x-inner>'
		root.querySelector('#save').onclick = () => { root.querySelector('#out').textContent = 'saved ' + root.querySelector('#name').value }
		const inner = root.querySelector('x-inner').attachShadow({mode: 'open'}); inner.innerHTML = '<button id=deep>Deep one</button><select id=pick><option value=a>A<option value=b>B</select>'
		inner.querySelector('#deep').onclick = (e) => { e.target.textContent = 'Deep clicked' }
		card.innerHTML = '<span id=slotted>Slotted text</span>'
		setTimeout(() => late.attachShadow({mode: 'open'}).innerHTML = '<i id=arrived>arrived</i>', 250)</script>`,

	"/visible": `<!doctype html><title>Visible</title><style>.none{display:none}.hid{visibility:hidden}.zero{width:0;height:0;overflow:hidden;border:0;padding:0}.clear{opacity:0}.away{position:absolute;left:-9999px}.nopoint{pointer-events:none}
		#cover{position:fixed;left:0;top:300px;width:300px;height:100px;background:#eee} #under{position:fixed;left:20px;top:320px}</style>
		<button class=none id=b1>One</button><button class=hid id=b2>One</button><button class=zero id=b3>One</button><button class=nopoint id=b4>One</button><button aria-hidden=true id=b5>One</button><button id=b6 onclick="document.title='right one'">One</button>
		<div class=none><button id=inside>Inside</button></div><button hidden id=attr>Attr</button><details><summary>More</summary><button id=indetails onclick="document.title='in details'">Details button</button></details>
		<button class=clear id=clear onclick="document.title='clear'">Clear</button><button id=under onclick="document.title='under'">Under</button><div id=cover></div>
		<button class=none id=later onclick="document.title='later'">Later</button><p class=none id=text>hidden text</p><input class=none id=field value=kept><input type=hidden id=h value=secret>
		<script>setTimeout(() => later.className = '', 300)</script>`,

	"/keys": `<!doctype html><title>Keys</title><form onsubmit="document.title='submitted'; return false"><input id=a><input id=b><textarea id=c></textarea><button hidden></button></form><p id=log></p>
		<script>const seen = []; for (const type of ['keydown', 'keypress', 'keyup']) addEventListener(type, e => { seen.push([type, e.key, e.code, e.keyCode, e.shiftKey, e.ctrlKey, e.isTrusted]) })
		const downs = () => seen.filter(s => s[0] == 'keydown').map(s => s[1] + ' ' + s[2] + ' ' + s[3]).join()</script>`,

	"/frames": `<!doctype html><title>Frames</title><p id=where>top</p><iframe id=one name=first src="/inner?1"></iframe><iframe id=src srcdoc="<p id=where>srcdoc</p><script>var world = 's'</script>"></iframe><iframe id=cross src="THERE/inner?cross"></iframe><script>var world = 'top'</script><div style="height:2000px"></div><iframe id=far src="/inner?far"></iframe>`,
	"/inner":  `<title>Inner</title><p id=where>inner</p><script>var world = 'inner' + location.search; where.textContent = world</script><input id=in><button id=b onclick="this.textContent = 'hit'">Hit</button><a id=go href="/other">go</a><a id=cross href="THERE/other">cross</a><iframe id=nest src="/nested"></iframe><div style="height:1000px"></div><button id=low onclick="this.textContent='low hit'">Low</button>`,
	"/other":  `<title>Other</title><p id=where>other</p>`,
	"/nested": `<p id=where>nested</p><button id=nb onclick="this.textContent='nested hit'">N</button>`,
}
