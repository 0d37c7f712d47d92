package driver_test

import (
	"strings"
	"testing"

	"rove/internal/testkit"

	"rove/driver"
)

func TestMouse(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := one(t, `<style>body{margin:0;height:3000px}#pad{position:absolute;left:100px;top:100px;width:200px;height:100px;background:#ddd}</style><div id=pad></div>
		<script>const log = []
		for (const type of ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu']) pad.addEventListener(type, e => log.push(type + ' ' + e.clientX + ',' + e.clientY + (e.isTrusted ? '' : '!') + (e.buttons && type == 'mousemove' ? ' held' : '')))
		oncontextmenu = () => false</script>`)
	logged := func(what, want string) {
		t.Helper()
		same(t, what, p.js("log.splice(0).join()"), want)
	}
	_, err := p.Mouse(p.ctx, 0, 0)
	p.ok(err)
	logged("at 0,0", "")
	m, err := p.MouseAt(p.ctx, "#pad")
	p.ok(err)
	logged("on the element", "mousemove 200,150")
	p.ok(m.Click(p.ctx))
	logged("click", "mousedown 200,150,mouseup 200,150,click 200,150")
	p.ok(m.Offset(p.ctx, 10, -5))
	logged("offset", "mousemove 210,145")
	p.ok(m.Down(p.ctx))
	p.ok(m.Move(p.ctx, 220, 150))
	p.ok(m.Up(p.ctx))
	logged("down, move, up", "mousedown 210,145,mousemove 220,150 held,mouseup 220,150,click 220,150")
	p.ok(m.DoubleClick(p.ctx))
	logged("double", "mousedown 220,150,mouseup 220,150,click 220,150,mousedown 220,150,mouseup 220,150,click 220,150,dblclick 220,150")
	p.ok(m.RightClick(p.ctx))
	logged("right", "mousedown 220,150,contextmenu 220,150,mouseup 220,150")
	m, err = p.Mouse(p.ctx, 110, 110)
	p.ok(err)
	p.js("log.length = 0")
	p.ok(m.DragTo(p.ctx, 250, 180))
	if got := p.js("log.splice(0).join()").(string); !strings.HasPrefix(got, "mousemove 110,110,mousedown 110,110,mousemove 11") ||
		!strings.HasSuffix(got, "mousemove 250,180 held,mouseup 250,180,click 250,180") {
		t.Errorf("drag: %s", got)
	}
	p.ok(m.Wheel(p.ctx, 0, 400))
	p.ok(p.WaitUntil(p.ctx, "scrollY >= 300"))
}

func TestKeys(t *testing.T) {
	p := one(t, `<form onsubmit="document.title='sent'; return false"><input id=f></form><script>const log = []
		for (const type of ['keydown', 'keyup']) addEventListener(type, e => log.push(type + ' ' + e.key + (e.shiftKey ? '^' : '')))</script>`)
	k := p.Keys()
	do := func(name, want string, steps ...error) {
		t.Helper()
		for _, err := range steps {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		same(t, name, p.js("f.value"), want)
	}
	_, err := p.Focus(p.ctx, "#f")
	p.ok(err)
	do("type", "Hi +", k.Type(p.ctx, "Hi +"))
	do("combo", "Hi ", k.Press(p.ctx, "Control+Shift+ArrowLeft"), k.Press(p.ctx, "Delete"))
	do("plus", "Hi +", k.Press(p.ctx, "+"))
	p.js("log.length = 0")
	do("held", "Hi +AB", k.Down(p.ctx, "Shift"), k.Type(p.ctx, "ab"), k.Up(p.ctx, "Shift"))
	same(t, "events", p.js("log.join()"), "keydown Shift^,keydown A^,keyup A^,keydown B^,keyup B^,keyup Shift")
	do("select with a held key", "Hi +A", k.Down(p.ctx, "Shift"), k.Press(p.ctx, "ArrowLeft"), k.Up(p.ctx, "Shift"), k.Press(p.ctx, "Backspace"))
	do("control types nothing", "Hi +A", k.Down(p.ctx, "Control"), k.Type(p.ctx, "x"), k.Up(p.ctx, "Control"))
	do("constants", "Hi +B", k.Type(p.ctx, driver.KeyBackspace+"B"))
	do("enter", "Hi +B", k.Press(p.ctx, "Enter"))
	same(t, "sent", p.js("document.title"), "sent")
	fails(t, k.Press(p.ctx, "Entr"), driver.CodeInvalid, "there is no key", "Enter")
	fails(t, k.Down(p.ctx, "Nope"), driver.CodeInvalid, "there is no key")
}
