package rove_test

import (
	"testing"

	"rove"
)

// scrollPage is longer than the window, has a list of its own rows that are only
// there while they are seen, and a feed that brings more a moment after its end
// was reached.
const scrollPage = `<!doctype html><title>S</title><style>body{margin:0} #long{height:3000px} #list,#wide{height:100px;overflow:auto;position:relative}</style>
<button id=first>First</button>
<div id=list tabindex=0 aria-label=Rows role=region><div id=all style="height:20000px"></div></div>
<div id=wide tabindex=0 role=region aria-label=Wide><div style="width:4000px;height:20px">wide</div></div>
<div id=plain style="height:60px;overflow:auto" tabindex=0 role=region aria-label=Plain><div style="height:900px">top</div><p>hidden words</p></div>
<div id=long></div><div id=host></div><button id=last>Last</button><div id=feed></div>
<script>
const draw = () => { const at = Math.floor(list.scrollTop / 20); all.innerHTML = ''; for (let i = at; i < Math.min(at + 7, 1000); i++) { const p = document.createElement('div'); p.style.cssText = 'position:absolute;height:20px;top:' + i * 20 + 'px'; p.textContent = 'row ' + i + '.'; all.append(p) } };
list.onscroll = draw; draw();
host.attachShadow({mode: 'open'}).innerHTML = '<p>shadow words</p>';
let batch = 0, asked = false;
addEventListener('scroll', () => {
  if (asked || batch >= 5 || scrollY + innerHeight < document.documentElement.scrollHeight - 5) return;
  asked = true;
  setTimeout(() => { batch++; for (let i = 0; i < 20; i++) { const p = document.createElement('p'); p.textContent = 'post ' + (batch * 20 + i) + '.'; feed.append(p) } asked = false }, 60);
});
</script>`

// By direction and amount, to a ref, and until a text is there: in the page and in
// what scrolls by itself.
func TestScroll(t *testing.T) {
	t.Parallel()
	url := serve(t, scrollPage)
	for _, c := range []struct {
		name string
		step rove.Step
		says string // the receipt
		js   string // is true then
	}{
		{"a screen", step("_page", "scroll", "down"), "ok scroll", "Math.abs(scrollY - innerHeight * .9) < 2"},
		{"pixels", step("_page", "scroll", "down 300px"), "ok scroll", "scrollY === 300"},
		{"screens", step("_page", "scroll", "down 2"), "ok scroll", "Math.abs(scrollY - innerHeight * 1.8) < 2"},
		{"to the end", step("_page", "scroll", "bottom"), "ok scroll", "scrollY + innerHeight >= 3000"},
		{"a list", step("#list", "scroll", "down 400px"), "ok scroll", "list.scrollTop === 400 && scrollY === 0"},
		{"a list, to its end", step("#list", "scroll", "bottom"), "ok scroll", "list.scrollTop === 19900"},
		{"sideways", step("#wide", "scroll", "right 150px"), "ok scroll", "wide.scrollLeft === 150"},
		{"into view", step("#last", "scroll"), `"Last" to 2`, "scrollY > 2000 && last.getBoundingClientRect().top > 0 && last.getBoundingClientRect().bottom <= innerHeight"},
		{"the page to a ref", step("_page", "scroll", "REF"), "to 2", "scrollY > 2000 && last.getBoundingClientRect().bottom <= innerHeight"},
		{"a list to a ref", step("#list", "scroll", "REF"), "ok scroll", "scrollY > 2000 && last.getBoundingClientRect().bottom <= innerHeight"},
		{"until a row", step("#list", "scroll", "until:row 432."), `"row 432."`, "all.textContent.includes('row 432.') && scrollY === 0"},
		{"until a post", step("_page", "scroll", "until:post 97."), `"post 97."`, "batch === 4"},
		{"until words that are there, but out of sight", step("#plain", "scroll", "until:hidden words"), "ok scroll", "plain.scrollTop > 800"},
		{"until words in a shadow root", step("_page", "scroll", "until:shadow words"), "ok scroll", "batch === 0 && scrollY > 2000"},
		{"until what never comes", step("_page", "scroll", "until:post 999."), "failed scroll", "batch === 5"},
		{"nowhere", step("_page", "scroll", "sideways"), "say down, up, left, right", "scrollY === 0"},
		{"to what was never there", step("_page", "scroll", "e999"), "there is no e999", "scrollY === 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			if _, err := s.Go(ctx, url); err != nil {
				t.Fatal(err)
			}
			if c.step.Value == "REF" {
				last, err := s.Act(ctx, step("#last", "attribute", "id"))
				if err != nil {
					t.Fatal(err)
				}
				c.step.Value = string(last.Done[0].Effect.Ref)
			}
			r, _ := s.Act(ctx, c.step) // the receipt says whether it failed
			has(t, r.Text(), c.says)
			if got, err := s.Eval(ctx, c.js); err != nil || got.Result != "true" {
				where, _ := s.Eval(ctx, "[scrollY, list.scrollTop, plain.scrollTop, batch, innerHeight, document.documentElement.scrollHeight]")
				t.Errorf("%s is %+v, %v; at %s\n%s", c.js, got, err, where.Result, r.Text())
			}
		})
	}
}
