package rove_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// placesPage has nodes that are dragged freely, a canvas that tells where it was
// pressed, a bar that stays, and something far below.
const placesPage = `<!doctype html><title>Places</title><style>body{margin:0;height:3000px} .node{position:absolute;width:100px;height:50px;background:#cde;touch-action:none}
#bar{position:fixed;right:0;top:0;width:90px;height:40px;background:#fc8} #low{position:absolute;top:1500px;left:300px;width:200px;height:60px}
#group{position:absolute;left:700px;top:100px;width:500px;height:300px;background:#efe;z-index:-1}</style>
<div id=board><div class=node id=a style="left:20px;top:100px">Alpha</div><div class=node id=b style="left:220px;top:100px">Beta</div>
<div class=node id=c style="left:250px;top:120px">Gamma</div><div class=node id=group>Group</div></div>
<canvas id=c1 width=300 height=100 style="position:absolute;left:20px;top:300px;background:linear-gradient(90deg,#fff,#06c)" aria-label=Plot></canvas>
<button id=bar onclick="out.textContent = 'bar'">Bar</button><button id=low onclick="out.textContent = 'low'">Low</button><p id=out role=status></p>
<script>
c1.onclick = (e) => { out.textContent = 'plot ' + Math.round(e.offsetX) + ',' + Math.round(e.offsetY) };
for (const n of document.querySelectorAll('.node')) n.onpointerdown = (d) => {
  n.setPointerCapture(d.pointerId); const [x, y] = [n.offsetLeft - d.clientX, n.offsetTop - d.clientY];
  n.onpointermove = (e) => { n.style.left = e.clientX + x + 'px'; n.style.top = e.clientY + y + 'px' };
  n.onpointerup = () => { n.onpointermove = null };
};
</script>`

// Points of pictures and of elements, as refs and as where to drag to. A point of a
// picture means what the picture showed there, wherever that is now.
func TestPlaces(t *testing.T) {
	testkit.Parallel(t)
	const ofBrowsers = "of a picture, of a picture of the whole page, scrolled since, dragged" // browsers take them, and scroll
	url := serve(t, placesPage)
	for _, c := range []struct {
		name  string
		steps []rove.Step // the first takes the picture
		do    string      // meanwhile
		act   rove.Step
		says  string
		js    string // is true then
	}{
		{"of a picture", nil, "", step("p1@70,340", "click"), "ok click", "out.textContent === 'plot 50,40'"},
		{"of the screen", nil, "", step("@70,340", "click"), "ok click", "out.textContent === 'plot 50,40'"},
		{"of an element", nil, "", step("REF@30,20", "click"), "ok click", "out.textContent === 'plot 30,20'"},
		{"of a picture of an element", []rove.Step{step("#c1", "screenshot")}, "", step("p1@30,20", "click"), "ok click", "out.textContent === 'plot 30,20'"},
		{"of a picture of the whole page", []rove.Step{step("_page", "screenshot", "full")}, "", step("p1@400,1530", "click"), "ok click", "out.textContent === 'low'"},
		{"scrolled since", nil, "scrollTo(0, 120)", step("p1@70,340", "click"), "ok click", "out.textContent === 'plot 50,40'"},
		{"scrolled far since", nil, "scrollTo(0, 1400)", step("p1@70,340", "click"), "ok click", "out.textContent === 'plot 50,40'"},
		{"of what stays on screen", nil, "scrollTo(0, 1400)", step("p1@1230,20", "click"), "ok click", "out.textContent === 'bar'"},
		{"changed since", nil, "c1.remove()", step("p1@70,340", "click"), "does not look as it does in picture 1; take another: act _page screenshot", "out.textContent === ''"},
		{"covered since", nil, "document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;inset:0;background:#000\">Wait</div>')", step("p1@70,340", "click"), "does not look as", "out.textContent === ''"},
		{"never taken", nil, "", step("p7@70,340", "click"), "there is no picture 7; the last is 1", "out.textContent === ''"},
		{"outside", nil, "", step("p1@2000,5", "click"), "outside of picture 1, which is 1280×720", "out.textContent === ''"},
		{"not for that", nil, "", step("p1@70,340", "input", "x"), "is a place, which takes click, dblclick, rightclick, hover, drag", "out.textContent === ''"},
		{"dragged", nil, "", step("p1@30,110", "drag", "p1@430,210"), "ok drag", "a.offsetLeft === 420 && a.offsetTop === 200"},
		{"dragged to", nil, "", step("#a", "drag", "p1@470,225"), "ok drag", "a.offsetLeft === 420 && a.offsetTop === 200"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if slices.Contains(strings.Split(ofBrowsers, ", "), c.name) {
				testkit.OnEveryBrowser(t)
			}
			ctx, s := open(t)
			if _, err := s.Go(ctx, url); err != nil {
				t.Fatal(err)
			}
			if c.steps == nil {
				c.steps = []rove.Step{step("_page", "screenshot")}
			}
			shot, err := s.Act(ctx, c.steps...)
			if err != nil {
				t.Fatal(err)
			}
			has(t, shot.Text(), ": picture 1 (", "p1@x,y is a place in it")
			if c.do != "" {
				if _, err := s.Eval(ctx, c.do); err != nil {
					t.Fatal(err)
				}
			}
			if ref, ok := strings.CutPrefix(c.act.Ref, "REF"); ok {
				r, err := s.Act(ctx, step("#c1", "attribute", "id"))
				if err != nil {
					t.Fatal(err)
				}
				c.act.Ref = string(r.Done[0].Effect.Ref) + ref
			}
			r, _ := s.Act(ctx, c.act) // the receipt says whether it failed
			has(t, r.Text(), c.says)
			if got, err := s.Eval(ctx, c.js); err != nil || got.Result != "true" {
				t.Errorf("%s is %+v, %v\n%s", c.js, got, err, r.Text())
			}
		})
	}
}

// A look's picture has a number, too, and is told of once.
func TestPicturesAreNumbered(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, placesPage)); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"picture 1 (1280×720); p1@x,y is a place in it", "picture 2 (1280×720)"} {
		r, err := s.Look(ctx, rove.LookOptions{Screenshot: true})
		if err != nil {
			t.Fatal(err)
		}
		has(t, r.Text(), want)
		if r.Picture.Number != i+1 || strings.Contains(r.Text(), "@x,y") != (i == 0) {
			t.Errorf("%+v:\n%s", r.Picture, r.Text())
		}
	}
	r, err := s.Act(ctx, step("p2@70,340", "click"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `"plot 50,40"`)
}

// What lies over another of its kind since it was moved is told, and what did before,
// or only lies in a group, is not.
func TestOverlapsAreTold(t *testing.T) {
	testkit.Parallel(t)
	url := serve(t, placesPage)
	for _, c := range []struct{ name, ref, to, want string }{
		{"over", "#c", "+30,+30", ""}, // of Beta, as before
		{"onto another", "#a", "+190,+10", `lies under `},
		{"clear", "#a", "+10,+60", ""},
		{"into a group", "#a", "+740,+60", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			if _, err := s.Go(ctx, url); err != nil {
				t.Fatal(err)
			}
			r, err := s.Act(ctx, step(c.ref, "drag", c.to))
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				hasNot(t, r.Text(), "lies ")
				return
			}
			has(t, r.Text(), c.want, `"Beta" now`, `"Gamma" now`)
		})
	}
}

// A drag says what came of it where no line of a view does: how far a thing was moved,
// and that a line was drawn.
func TestDragsTellWhatCameOfThem(t *testing.T) {
	t.Parallel()
	ctx, s := open(t)
	url := testkit.ServeHandler(t, http.FileServer(http.Dir("testdata/pages/act"))) + "/wires.html"
	if _, err := s.Go(ctx, url); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ ref, op, to, want string }{
		{"#a", "drag", "+0,+200", `"Source" moved +0,+200`},
		{"#fixed", "drag", "+0,+100", "no effect seen"},
		{".port.out", "drag", ".port.in", "; the drawing has 1 more shape"},
		{".port.out", "drag", "+0,+90", "no effect seen"}, // let go where nothing is: the line goes again
		{"_page", "press", "Delete", "; the drawing has 1 fewer shape"},
		{"#chip", "drag", "#sheet@300,100", `"landed at 300,100"`}, // a place of something larger than its window is scrolled to
		{"#chip", "drag", "#sheet@3000,2500", `"landed at 3000,2500"`},
		{"#plain", "click", "", "nothing changed that a view shows but a drawing, which has 1 more shape"},
	} {
		r, err := s.Act(ctx, step(c.ref, c.op, c.to))
		if err != nil {
			t.Fatalf("%s %s: %v", c.ref, c.op, err)
		}
		has(t, r.Text(), c.want)
	}
	// Of several as well: what stirs the page shows nothing.
	r, err := s.Act(ctx, step("#chip", "drag", "#plain"), step("#chip", "drag", "#fixed"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "\nnothing changed that a view shows")
	_, err = s.Act(ctx, step("#chip", "drag", "#sheet@-9000,20"))
	if err == nil || !strings.Contains(err.Error(), "that place cannot be scrolled into view") {
		t.Error(err)
	}
}

// What is dragged in lists that sort themselves ends where it was asked to, and the
// answer says where that is: among its neighbours, in which list.
func TestDragsInLists(t *testing.T) {
	testkit.OnEveryBrowser(t)
	t.Parallel()
	ctx, s := open(t)
	url := testkit.ServeHandler(t, http.FileServer(http.Dir("testdata/pages/act"))) + "/lists.html"
	if _, err := s.Go(ctx, url); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ what, to, order, want string }{
		{`"Sleep"`, `"Paint" before`, "Sleep Paint Cook | Wash", `"Sleep" draggable, now below heading "Todo"`},
		{`"Sleep"`, `"Cook" after`, "Paint Cook Sleep | Wash", `"Sleep" draggable, now below e2 listitem "Cook"`},
		{`"Paint"`, `"Wash" before`, "Cook Sleep | Paint Wash", `"Paint" draggable, now in "Done"`}, // the only one of its list
		{`"Cook"`, `"Wash" after`, "Sleep | Paint Wash Cook", `"Cook" draggable, now below e4 listitem "Wash"`},
		{`"Cook"`, `before/e4`, "Sleep | Paint Cook Wash", `"Cook" draggable, now below`}, // the other way round
	} {
		r, err := s.Act(ctx, step(c.what, "drag", c.to))
		if err != nil {
			t.Fatalf("%s to %s: %v", c.what, c.to, err)
		}
		has(t, r.Text(), c.want)
		order, err := s.Eval(ctx, "[todo, done].map((ul) => ul.innerText.split('\\n').join(' ')).join(' | ')")
		if err != nil {
			t.Fatal(err)
		}
		has(t, order.Text(), c.order)
	}
}
