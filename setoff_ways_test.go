package rove_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// ways are pages with a Buy that is set off by what does not look like it, and steps
// that would do so.
var ways = map[string]struct {
	page  string
	steps []rove.Step
}{
	"letters": {
		`<button contenteditable id=b onclick="bought++">Buy</button><button id=c onclick="bought++">Buy</button><details ontoggle="bought++"><summary>Buy<input id=s aria-label=In></summary>x</details>
		<script>{ const i = document.createElement('input'); i.id = 'i'; c.append(i) }</script>`,
		[]rove.Step{{Ref: "#b", Op: "type", Value: " x "}, {Ref: "#b", Op: "input", Value: "a b"}, {Ref: "#i", Op: "type", Value: "a b"}, {Ref: "#s", Op: "type", Value: "a b"}, {Ref: "#s", Op: "press", Value: "Space"}},
	},
	"a key that hands the focus on": {
		`<textarea id=a aria-label=A onkeydown="buy.focus()"></textarea><input id=b aria-label=B oninput="buy.focus()"><input id=c aria-label=C onkeyup="buy.focus()"><button id=buy onclick="bought++">Buy</button>`,
		[]rove.Step{{Ref: "#a", Op: "type", Value: "\n"}, {Ref: "#a", Op: "input", Value: "a b"}, {Ref: "#a", Op: "press", Value: "Space"}, {Ref: "#b", Op: "type", Value: "a \n "}, {Ref: "#c", Op: "press", Value: "a Space"}, {Ref: "#c", Op: "type", Value: "a\n"}},
	},
	"an option of a list that is none of the browser's": {
		`<div id=c role=combobox tabindex=0 aria-label=Plan aria-controls=l aria-expanded=true>Free</div><ul id=l role=listbox><li role=option>Free<li role=option onmousedown="bought++">Buy plan</ul>`,
		[]rove.Step{{Ref: "#c", Op: "select", Value: "Buy plan"}, {Ref: "#l", Op: "select", Value: "buy"}},
	},
	"files for a button": {
		`<button id=buy onclick="bought++">Buy</button><label id=l>Buy<input hidden type=file onclick="bought++"></label>`,
		[]rove.Step{{Ref: "#buy", Op: "upload", Value: "FILE"}, {Ref: "#l", Op: "upload", Value: "FILE"}},
	},
	"forms": {
		`<form onsubmit="bought++; return false"><select size=3 id=s aria-label=A><option>1<option>2</select><input type=number id=n aria-label=N><input type=date id=d aria-label=D><input type=range id=r aria-label=R><button>Buy</button></form>`,
		[]rove.Step{{Ref: "#s", Op: "press", Value: "Enter"}, {Ref: "#n", Op: "input", Value: "3\n"}, {Ref: "#d", Op: "press", Value: "Enter"}, {Ref: "#r", Op: "press", Value: "Enter"}},
	},
	"a second press": {
		`<style>button { position: absolute; left: 10px; top: 10px; width: 100px; height: 40px }</style><button id=a onclick="this.remove()">Look</button><button style="z-index: -1" onclick="bought++">Buy</button>`,
		[]rove.Step{{Ref: "#a", Op: "dblclick"}},
	},
	"documents in the page": {
		`<object id=o data="/svg" width=200 height=100></object><iframe id=f src="THERE/frame"></iframe><button id=x>Look</button><script>onmessage = () => bought++</script>`,
		[]rove.Step{{Ref: "#o", Op: "click"}, {Ref: "_page", Op: "press", Value: "Tab Enter"}, {Ref: "#f", Op: "dblclick"}, {Ref: "#x", Op: "press", Value: "Shift+Tab Enter"}, {Ref: "#x", Op: "drag", Value: "@300,50"}},
	},
	"groups of choices": {
		`<select id=s aria-label=Plan onchange="bought++"><option>Free<optgroup label="Buy group"><option>One</optgroup><option value=Buy>y</select>
		<div role=listbox aria-label=L tabindex=0><div role=group aria-label="Buy now"><div role=option id=o onclick="bought++">Two</div></div></div><fieldset><legend>Buy it?</legend><input type=radio id=r aria-label=Yes onchange="bought++"></fieldset>`,
		[]rove.Step{{Ref: "#s", Op: "select", Value: "One"}, {Ref: "#s", Op: "select", Value: "Buy"}, {Ref: "#s", Op: "type", Value: "Buy"}, {Ref: "#o", Op: "click"}, {Ref: "#r", Op: "check"}},
	},
	"an entry that a script has made the active one": {
		`<div id=a tabindex=0 onkeydown="if (event.key === 'Enter') bought++">x</div><div id=b>Buy</div><script>a.ariaActiveDescendantElement = b</script>`,
		[]rove.Step{{Ref: "#a", Op: "press", Value: "Enter"}, {Ref: "#a", Op: "type", Value: "\n"}},
	},
	"words elsewhere": {
		`<style>div, article { position: relative; width: 90px; height: 30px } .o { position: absolute; inset: 0 }</style>
		<div><button id=on class=o onclick="bought++"></button><b style="position:absolute;pointer-events:none">Buy</b></div><div><b>Buy</b><a id=over class=o href="javascript:void(bought++)"></a></div>
		<article><h3>Buy this</h3><p><i><a id=card class=o href="javascript:void(bought++)"></a></i></p></article>
		<svg width=100 height=40><g id=g onclick="bought++"><title>Buy</title><circle cx=20 cy=20 r=10 /></g><use id=use href=#g x=40 /></svg>`,
		[]rove.Step{{Ref: "#on", Op: "click"}, {Ref: "#over", Op: "click"}, {Ref: "#card", Op: "press", Value: "Enter"}, {Ref: "#use", Op: "click"}},
	},
	"words of style, and in fields": {
		`<style>@counter-style buy { system: cyclic; symbols: "Buy" } #s1::before { content: "Bu" / "Look" } #s1::after { content: "y" / "" } #s2::before { content: counter(x, buy) } #s3 { display: list-item; list-style: "Buy" inside } #s4::before { quotes: "Buy" ""; content: open-quote } #s5 { display: list-item; list-style: buy inside }</style>
		<button id=s1 onclick="bought++"></button><button id=s2 onclick="bought++"></button><div id=s3 onclick="bought++">-</div><button id=s4 onclick="bought++"></button><div id=s5 onclick="bought++">-</div>
		<input id=f1 readonly value=Buy onclick="bought++"><textarea id=f2 readonly onclick="bought++">Buy</textarea><button id=f3 aria-roledescription=Buy onclick="bought++">x</button><div role=slider aria-valuetext=Buy id=f4 onclick="bought++">x</div>`,
		[]rove.Step{
			{Ref: "#s1", Op: "click"},
			{Ref: "#s2", Op: "click"},
			{Ref: "#s3", Op: "click"},
			{Ref: "#s4", Op: "click"},
			{Ref: "#s5", Op: "click"},
			{Ref: "#f1", Op: "click"},
			{Ref: "#f2", Op: "dblclick"},
			{Ref: "#f3", Op: "click"},
			{Ref: "#f4", Op: "click"},
		},
	},
	"words": {
		`<style>.p::before { content: "Bu" } .p::after { content: "y" }</style><p hidden id=d>Buy it</p>
		<button id=w1 aria-label=Go onclick="bought++">Buy<i role=none></i></button><button id=w2 aria-label=Go onclick="bought++"><i class=p></i></button><button id=w3 aria-describedby=d onclick="bought++">→</button>
		<button id=w4 aria-description=Buy onclick="bought++">→</button><button id=w5 aria-label=Go onclick="bought++"><i title=Buy>x</i></button><button id=w6 aria-label=Go onclick="bought++"><x-t></x-t></button>
		<button id=w7 onclick="bought++">` + strings.Repeat("look at this ", 200) + `Buy</button><a id=w8 aria-label=Go href="javascript:void(bought++)"><i tabindex=-1>B</i>uy</a>
		<button id=w9 onclick="bought++"></button>
		<script>customElements.define('x-t', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = 'Buy' } }); w9.textContent = 'x'.repeat(200000) + ' Buy'</script>`,
		[]rove.Step{
			{Ref: "#w1", Op: "click"},
			{Ref: "#w2", Op: "click"},
			{Ref: "#w3", Op: "click"},
			{Ref: "#w4", Op: "press", Value: "Enter"},
			{Ref: "#w5", Op: "click"},
			{Ref: "#w6", Op: "click"},
			{Ref: "#w7", Op: "click"},
			{Ref: "#w8", Op: "click"},
			{Ref: "#w9", Op: "press", Value: "Space"},
		},
	},
	"what only shows once the pointer or the focus is there": {
		`<style>#a:hover::after { content: "Buy" } #b:hover { font-size: 0 } #b:hover::after { content: "Buy"; font-size: 16px } #c:focus::after { content: "Buy" }</style>
		<button id=a onclick="bought++">Go </button><button id=b onclick="bought++">Look</button><button id=c onclick="bought++">Look</button><button id=d onmouseenter="this.textContent = 'Buy'" onclick="bought++">Look</button>
		<button id=e onfocus="this.textContent = 'Buy'" onclick="bought++">Look</button>`,
		[]rove.Step{{Ref: "#a", Op: "click"}, {Ref: "#b", Op: "dblclick"}, {Ref: "#c", Op: "press", Value: "Enter"}, {Ref: "#d", Op: "click"}, {Ref: "#e", Op: "press", Value: "Enter"}},
	},
	"words that come with the press": {
		`<button id=a onmousemove="if (++n > 1) this.textContent = 'Buy'" onclick="bought++">Look</button><div onmousemove="if (++m > 1) this.lastChild.ariaLabel = 'Buy'"><button id=b onclick="bought++">Look</button></div><script>var n = 0, m = 0</script>`,
		[]rove.Step{{Ref: "#a", Op: "click"}, {Ref: "#a", Op: "dblclick"}, {Ref: "#a", Op: "drag", Value: "+2,2"}, {Ref: "#b", Op: "click"}, {Ref: "#b", Op: "rightclick"}},
	},
	"letters in another order": {
		`<button id=a onclick="bought++">&#x202E;yuB&#x202C;</button><button id=b onclick="bought++"><bdo dir=rtl>yuB</bdo></button><button id=c onclick="bought++" style="unicode-bidi: bidi-override; direction: rtl">yuB</button>
		<button id=d onclick="bought++"><span style="display: flex; flex-direction: row-reverse"><i>y</i><i>u</i><i>B</i></span></button><button id=e onclick="bought++" aria-label="&#x202E;yuB">x</button>
		<button id=f onclick="bought++"><b style="float: right">y</b><b style="float: right">u</b><b style="float: right">B</b></button><button id=g onclick="bought++"><span style="display: inline-block; transform: scaleX(-1)">yuB</span></button>
		<button id=h onclick="bought++"><svg width=60 height=20><text x="25 15 5" y=15>yuB</text></svg></button>`,
		[]rove.Step{{Ref: "#a", Op: "click"}, {Ref: "#b", Op: "click"}, {Ref: "#c", Op: "click"}, {Ref: "#d", Op: "click"}, {Ref: "#e", Op: "click"}, {Ref: "#f", Op: "click"}, {Ref: "#g", Op: "click"}, {Ref: "#h", Op: "click"}},
	},
	"letters that nobody sees": {
		`<button id=a onclick="bought++">B<i style="font-size: 0">xx</i>uy</button><button id=b onclick="bought++">B<i style="position: absolute; left: -9999px">elo</i>uy</button><button id=d onclick="bought++">B<i hidden>elo</i>uy</button>
		<button id=c onclick="bought++">B<i style="display: inline-block; width: 0; overflow: hidden">elo</i>uy</button><button id=e onclick="bought++">B<i style="position: absolute; opacity: 0">elo</i>uy</button>
		<button id=f onclick="bought++">B<i style="visibility: hidden; position: absolute">elo</i>uy</button><button id=g onclick="bought++" style="font-size: 0"><i style="font-size: 16px">Bu</i>elong<i style="font-size: 16px">y</i></button>`,
		[]rove.Step{{Ref: "#a", Op: "click"}, {Ref: "#b", Op: "click"}, {Ref: "#c", Op: "click"}, {Ref: "#d", Op: "click"}, {Ref: "#e", Op: "click"}, {Ref: "#f", Op: "click"}, {Ref: "#g", Op: "click"}},
	},
	"words over and below it": {
		`<style>div { position: relative; width: 120px; height: 40px } .o { position: absolute; inset: 0; width: 100%; height: 100% } .t { pointer-events: none; position: absolute; left: 5px; top: 5px; z-index: 2; background: #fff }</style>
		<div><button class=o id=a onclick="bought++">Continue</button><b class=t>Buy now</b></div><div>Buy<a id=b class=o aria-label=Continue href="javascript:void(bought++)"></a></div>
		<div>Buy<a id=c class=o href="javascript:void(bought++)"><i style="font-size: 0">Continue</i></a></div><div>Buy<a id=d class=o href="javascript:void(bought++)" style="opacity: 0">Continue</a></div>
		<style>#g { position: relative; left: 200px } #g:after, #i:after { content: "Buy"; position: absolute; inset: 0; background: #fff; pointer-events: none } .r { position: absolute; left: 400px; width: 90px; height: 30px } .r + * { position: absolute; left: 404px; width: 80px; pointer-events: none; margin: 2px }</style>
		<span id=g><button id=h onclick="bought++">Continue</button></span><button id=j class=r style="top: 0" onclick="bought++">Continue</button><p><i><u><b><s>Buy</s></b></u></i></p>
		<button id=k class=r style="top: 50px" onclick="bought++">Continue</button><input readonly value=Buy style="top: 50px"><button id=l class=r style="top: 100px" onclick="bought++">Continue</button><iframe srcdoc=Buy style="top: 100px; height: 20px"></iframe>
		<button id=m class=r style="top: 150px" onclick="bought++">Continue</button><b popover=manual style="top: 150px; inset: auto">Buy</b><script>document.querySelector('[popover]').showPopover()</script>
		<div>Buy<button id=e class=o onclick="bought++" style="color: transparent; background: none">Continue</button></div><div>Buy<input type=submit id=f class=o onclick="bought++" style="opacity: 0" value=Go></div>`,
		[]rove.Step{
			{Ref: "#a", Op: "click"},
			{Ref: "#b", Op: "click"},
			{Ref: "#c", Op: "click"},
			{Ref: "#d", Op: "click"},
			{Ref: "#e", Op: "click"},
			{Ref: "#f", Op: "click"},
			{Ref: "#h", Op: "click"},
			{Ref: "#j", Op: "click"},
			{Ref: "#k", Op: "click"},
			{Ref: "#l", Op: "click"},
			{Ref: "#m", Op: "click"},
		},
	},
	"labels that are not the name": {
		`<div id=h><input id=a type=checkbox onchange="bought++"></div><label for=b>Buy</label><input type=checkbox id=b aria-label=Go onchange="bought++"><span id=s hidden>Buy</span><input type=checkbox id=c aria-labelledby=s onchange="bought++">
		<script>h.attachShadow({ mode: 'open' }).innerHTML = '<label>Buy <slot></slot></label>'</script>
		<div title=Buy><p><button id=e onclick="bought++">Go</button></div><table><tr><th>Buy<td><input type=checkbox id=f onclick="bought++"></table>`,
		[]rove.Step{{Ref: "#a", Op: "check"}, {Ref: "#b", Op: "check"}, {Ref: "#b", Op: "press", Value: "Space"}, {Ref: "#c", Op: "click"}, {Ref: "#e", Op: "click"}, {Ref: "#f", Op: "check"}},
	},
	"maps and drawings": {
		`<img usemap=#m width=100 height=60 src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name=m><area id=a shape=rect coords="0,0,100,60" href="javascript:void(bought++)" alt=Buy></map>
		<svg width=100 height=40 id=s><a id=b xlink:href="javascript:void(bought++)" onclick="bought++"><text x=5 y=20>Buy</text></a></svg><ruby id=c onclick="bought++">買<rt>Buy</rt></ruby><math id=d onclick="bought++"><mi>B</mi><mi>u</mi><mi>y</mi></math>`,
		[]rove.Step{{Ref: "body", Op: "click", Value: "@20,20"}, {Ref: "#a", Op: "press", Value: "Enter"}, {Ref: "#b", Op: "click"}, {Ref: "#s", Op: "click", Value: "@10,15"}, {Ref: "#b", Op: "press", Value: "Enter"}, {Ref: "#c", Op: "click"}, {Ref: "#d", Op: "click"}},
	},
	"forms and keys around a corner": {
		`<input id=i form=f aria-label=I><form id=f onsubmit="bought++; return false"></form><button form=f id=b>Buy</button><form id=g onsubmit="bought++; return false"><input id=j aria-label=J></form><input type=image form=g alt=Buy>
		<dialog open onclose="bought++"><form method=dialog><input id=k aria-label=K><button id=l>Buy</button></form></dialog><select id=m multiple size=3 aria-label=M onchange="bought++"><option>A<option>Buy</select><input list=n id=o aria-label=O onchange="bought++"><datalist id=n><option>Buy</datalist>`,
		[]rove.Step{
			{Ref: "#i", Op: "press", Value: "Enter"},
			{Ref: "#j", Op: "input", Value: "x\n"},
			{Ref: "#k", Op: "press", Value: "Enter"},
			{Ref: "#l", Op: "press", Value: "Space"},
			{Ref: "#m", Op: "press", Value: "Control+a"},
			{Ref: "#m", Op: "press", Value: "End"},
			{Ref: "#o", Op: "select", Value: "Buy"},
			{Ref: "#b", Op: "press", Value: "Control+j"},
		},
	},
	"a drag that ends there": {
		`<style>button { display: block; width: 100px; height: 40px; margin: 0 }</style><button id=a>Look</button><button onclick="bought++" onmouseup="bought++" onpointerup="bought++">Buy</button>
		<p id=t draggable=true>Drag me</p><div id=z ondragover="event.preventDefault()" ondrop="bought++" role=button tabindex=0>Buy here</div>`,
		[]rove.Step{{Ref: "#a", Op: "drag", Value: "+0,40"}, {Ref: "#t", Op: "drag", Value: "#z"}, {Ref: "#t", Op: "drag", Value: "+0,30"}, {Ref: "#t", Op: "drag", Value: "#z after"}},
	},
	"letters in the colour of what is behind them": {
		`<style>button { background: #fff; color: #000 }</style><button id=a onclick="bought++">B<i style="color: #fff; font-size: 5px">elo</i>uy</button><button id=b onclick="bought++">B<i style="opacity: .01">elo</i>uy</button>
		<button id=c onclick="bought++">B<i style="color: rgba(0,0,0,.02)">elo</i>uy</button><button id=d onclick="bought++">B<i style="filter: opacity(0)">elo</i>uy</button><button id=e onclick="bought++">B<i style="display: inline-block; clip-path: inset(50%)">elo</i>uy</button>
		<button id=f onclick="bought++">B<i style="display: inline-block; mask: linear-gradient(transparent, transparent)">elo</i>uy</button><button id=g onclick="bought++" style="background: #fff url(data:,)">B<i style="color: #fefefe">elo</i>uy</button>
		<div id=h onclick="bought++" style="position: relative; color: #fff"><p style="position: absolute; inset: 0; background: #000; z-index: -1; pointer-events: none"></p>B<i style="font-size: 0">elo</i>uy</div>
		<button id=i onclick="bought++" style="color: transparent; text-shadow: 0 0 #000">B<i style="text-shadow: none">elo</i>uy</button>`,
		[]rove.Step{{Ref: "#a", Op: "click"}, {Ref: "#b", Op: "click"}, {Ref: "#c", Op: "click"}, {Ref: "#d", Op: "click"}, {Ref: "#e", Op: "click"}, {Ref: "#f", Op: "click"}, {Ref: "#g", Op: "click"}, {Ref: "#h", Op: "click"}, {Ref: "#i", Op: "click"}},
	},
	"letters that are hidden by no style of theirs": {
		`<style>::highlight(h) { color: transparent } #b::selection { color: transparent; background: transparent } .l { display: inline-block } .l::first-letter { color: transparent }</style>
		<button id=a onclick="bought++">Beloouy</button><p id=b onclick="bought++">Beloouy</p><button id=c onclick="bought++">B<span class=l>xu</span><span class=l>xy</span></button>
		<script>const part = (el) => { const r = new Range(); r.setStart(el.firstChild, 1); r.setEnd(el.firstChild, 5); return r }; CSS.highlights.set('h', new Highlight(part(a))); getSelection().addRange(part(b))</script>`,
		[]rove.Step{{Ref: "#a", Op: "click"}, {Ref: "#b", Op: "click"}, {Ref: "#c", Op: "click"}},
	},
	"words that a style adds": {
		`<style>#a { width: 60px; hyphens: manual; hyphenate-character: "Buy" } #b i { color: transparent; text-emphasis: "B" #000 } #s { width: 200px; height: 80px; overflow-x: scroll; white-space: nowrap; scroll-marker-group: after } #s > p { display: inline-block; width: 180px } #s > p::scroll-marker { content: "Buy" } #s::scroll-marker-group { display: flex; height: 30px } #t { width: 100px; overflow-x: scroll } #t::scroll-button(right) { content: "Buy" / "On" }</style>
		<button id=a onclick="bought++">Loooooooooo&shy;ooook</button><button id=b onclick="bought++"><i>a</i></button><div id=w onclick="bought++"><div id=s><p>1<p>2</div></div><div id=t onclick="bought++"><p style="width: 900px">3</div>`,
		[]rove.Step{{Ref: "#a", Op: "click"}, {Ref: "#b", Op: "click"}, {Ref: "#w", Op: "click"}, {Ref: "#s", Op: "click"}, {Ref: "#t", Op: "click"}},
	},
	"what is let go of in a list": {
		`<select multiple id=m aria-label=M onchange="bought++"><option selected>Buy<option>Free</select>`,
		[]rove.Step{{Ref: "#m", Op: "select", Value: "Free"}, {Ref: "#m", Op: "input", Value: "Free"}},
	},
	"frames in frames": {
		`<embed src="THERE/frame" width=200 height=100><div id=h></div><script>onmessage = () => bought++; h.attachShadow({ mode: 'closed' }).innerHTML = '<iframe src="THERE/nested" width=300 height=150></iframe>'</script>`,
		[]rove.Step{{Ref: "_page", Op: "press", Value: "Tab Enter"}, {Ref: "_page", Op: "press", Value: "Tab Tab Enter"}, {Ref: "_page", Op: "press", Value: "Tab Tab Space"}, {Ref: "#h", Op: "click", Value: "@100,50"}, {Ref: "body", Op: "click", Value: "@100,200"}},
	},
	"a focus that comes and goes": {
		`<button id=x>Look</button><iframe src="THERE/comes"></iframe><script>onmessage = () => bought++; setInterval(() => x.focus(), 3)</script>`,
		slices.Repeat([]rove.Step{{Ref: "_page", Op: "press", Value: "Enter"}}, 8),
	},
}

// TestUnlikelyWaysToSetOff: Buy is asked about, or kept from being set off, where
// neither the operation nor the element looks like a press on it.
func TestUnlikelyWaysToSetOff(t *testing.T) {
	testkit.Parallel(t)
	ctx, s := strict(t, rove.Options{Confirm: []string{"click:Buy"}})
	asking := rove.WithConfirm(ctx, func(context.Context, rove.Question) (bool, error) { return false, nil })
	pages := map[string]string{
		"/svg":    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><a href="#" onclick="parent.bought++"><text x="5" y="30">Buy</text><rect width="200" height="100" opacity="0.2"/></a></svg>`,
		"/frame":  `<body style="margin:0"><button style="width:200px;height:100px" onclick="top.postMessage(1, '*')">Buy</button>`,
		"/comes":  `<button id=b onclick="top.postMessage(1, '*')">Buy</button><script>setInterval(() => b.focus(), 5)</script>`,
		"/nested": `<body style="margin:0"><iframe src="HERE/frame" style="border:0;width:300px;height:150px"></iframe>`,
	}
	path := func(name string) string { return "/" + strings.ReplaceAll(name, " ", "-") }
	for name, w := range ways {
		pages[path(name)] = `<!doctype html><title>Till</title><body style="margin:8px"><script>var bought = 0</script>` + w.page
	}
	site := testkit.Pages(t, pages)
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, w := range ways {
		t.Run(name, func(t *testing.T) {
			n := "" // how often it was bought; the page is as it was where nothing was
			for _, st := range w.steps {
				if n != "0" {
					if _, err := s.Go(ctx, site+path(name)); err != nil {
						t.Fatal(err)
					}
				}
				st.Value = strings.Replace(st.Value, "FILE", file, 1)
				_, err := s.Act(asking, st)
				if n = run(t, ctx, s, "'' + bought"); n != "0" {
					t.Errorf("%v: bought %s, %v", st, n, err)
				}
			}
		})
	}
}

// TestFormsAreNotSentAgain: to load a page again that came of a form is to send the form
// again, which is asked about.
func TestFormsAreNotSentAgain(t *testing.T) {
	testkit.Parallel(t)
	var bought atomic.Int32
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Till</title><form method=post action=/buy><button id=buy>Buy</button></form><form method=post action=/on><button id=on>On</button></form>`),
		"/buy": func(w http.ResponseWriter, _ *http.Request) {
			bought.Add(1)
			testkit.Page(`<title>Thanks</title><a id=again href=/buy>Again</a>`)(w, nil)
		},
		"/on": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/#there", http.StatusSeeOther) },
	})
	ctx, s := strict(t, rove.Options{Confirm: []string{"click:Buy"}})
	asked, answer := 0, true
	asking := rove.WithConfirm(ctx, func(context.Context, rove.Question) (bool, error) { asked++; return answer, nil })
	refresh := rove.Step{Ref: "_page", Op: "refresh"}
	if _, err := s.Go(ctx, site); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(asking, rove.Step{Ref: "#buy", Op: "click"}); err != nil || bought.Load() != 1 {
		t.Fatalf("bought %d, %v", bought.Load(), err)
	}
	for _, answer = range []bool{false, true} {
		asked = 0
		_, err := s.Act(asking, refresh)
		if want := map[bool]int32{false: 1, true: 2}[answer]; asked != 1 || (err == nil) != answer || bought.Load() != want {
			t.Errorf("answered %v: asked %d times, bought %d, %v", answer, asked, bought.Load(), err)
		}
	}
	// What was only asked for is loaded as often as one likes.
	for _, way := range [][]rove.Step{{{Ref: "#again", Op: "click"}, refresh}, {{Ref: "_page", Op: "go", Value: site}, refresh, {Ref: "#on", Op: "click"}, refresh}} {
		asked = 0
		if _, err := s.Act(asking, way...); err != nil || asked != 0 {
			t.Errorf("%v: asked %d times, %v", way, asked, err)
		}
	}
}

// TestUndoIsAskedAbout: what undo does is asked about as that.
func TestUndoIsAskedAbout(t *testing.T) {
	testkit.Parallel(t)
	ctx, s := strict(t, rove.Options{Confirm: []string{"click:Buy", "input:Card"}})
	site := serve(t, `<title>Till</title><select id=plan aria-label=Plan><option>Buy plan<option>Free</select><input id=card aria-label=Card value=old>`)
	var asked []string
	answer := false
	asking := rove.WithConfirm(ctx, func(_ context.Context, q rove.Question) (bool, error) {
		asked = append(asked, q.String())
		return answer, nil
	})
	for _, done := range []rove.Step{{Ref: "#plan", Op: "select", Value: "Free"}, {Ref: "#card", Op: "type", Value: "new"}} {
		if _, err := s.Go(ctx, site); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Act(ctx, done); err != nil {
			t.Fatal(err)
		}
		for _, answer = range []bool{false, true} {
			asked = nil
			_, err := s.Act(asking, rove.Step{Ref: "_page", Op: "undo"})
			put := run(t, ctx, s, "plan.value + card.value") == "Buy planold"
			if len(asked) != 1 || put != answer || (err == nil) != answer {
				t.Errorf("%v, undone: %v, answered %v, asked %q, put back %v", done, err, answer, asked, put)
			}
		}
	}
}
