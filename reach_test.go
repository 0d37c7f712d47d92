package rove_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"rove"
	"rove/internal/testkit"
)

// reachPage has what is hard to get hold of: a select that the page draws, things that
// never stand still, and zones that files are dropped on.
const reachPage = `<!doctype html><title>Reach</title><style>#bs, #bs::picker(select){appearance:base-select}
@keyframes tick{from{transform:translateX(300px)}to{transform:translateX(-300px)}} @keyframes turn{to{transform:rotate(360deg)}} @keyframes in{from{transform:translateX(-400px)}}
#ticker{width:300px;overflow:hidden} #ticker button{animation:tick 6s linear infinite} #spin{animation:turn 1s linear infinite;display:inline-block}
#late{animation:in .6s linear} .zone{width:200px;height:60px;border:2px dashed}</style>
<label>Fruit <select id=bs><option>Apple<option>Banana<option>Cherry</select></label>
<div id=ticker><button onclick="out.textContent='news'">News</button></div><div style="width:600px;overflow:hidden"><button id=quick style="animation:tick 3s linear infinite alternate" onclick="out.textContent='quick'">Quick</button></div><button id=spin onclick="out.textContent='spun'">Spin</button>
<div style="position:relative;height:40px"><button id=run style="position:absolute" onclick="out.textContent='caught'">Runner</button></div><button id=late onclick="out.textContent='late ' + Math.round(this.getBoundingClientRect().left)">Late</button>
<div class=zone id=zone>Drop files here</div><div class=zone id=deaf>Deaf zone</div><div class=zone id=plain>Plain</div>
<div class=zone id=both>Either<input type=file id=f hidden></div><p id=out role=status></p>
<script>
let x = 0; setInterval(() => { x = (x + 2) % 400; run.style.left = x + 'px' }, 16);
zone.ondragover = deaf.ondragover = (e) => e.preventDefault();
zone.ondrop = (e) => { e.preventDefault(); Promise.all([...e.dataTransfer.files].map((f) => f.text())).then((t) => { out.textContent = 'got ' + t.join('+') + ' ' + e.isTrusted }) };
deaf.ondrop = (e) => e.preventDefault();
both.onclick = () => f.click(); both.ondragover = (e) => e.preventDefault(); f.onclick = (e) => e.stopPropagation(); f.onchange = () => { out.textContent = 'chosen ' + f.files[0].name };
</script>`

func TestWithinReach(t *testing.T) {
	testkit.Parallel(t)
	url := serve(t, reachPage)
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b := file("a.txt", "one"), file("b.txt", "two")
	for _, c := range []struct {
		name  string
		steps []rove.Step
		says  []string
	}{
		{"a select that is drawn opens", []rove.Step{step("#bs", "click")}, []string{`"Fruit" "collapsed" → "expanded"`, `option "Banana"`}},
		{"and its options are pressed", []rove.Step{step("#bs", "click"), step("{option}Cherry", "click")}, []string{`="Cherry"`}},
		{"or chosen", []rove.Step{step("#bs", "select", "Banana")}, []string{`"Apple" → "Banana"`}},
		{"a ticker", []rove.Step{step("{button}News", "click")}, []string{`status "news"`}},
		{"a quick ticker", []rove.Step{step("#quick", "click")}, []string{`status "quick"`}},
		{"a spinner", []rove.Step{step("#spin", "click")}, []string{`status "spun"`}},
		{"what a script moves", []rove.Step{step("#run", "click")}, []string{`status "caught"`}},
		{"what a script moves, once more", []rove.Step{step("#spin", "click"), step("#run", "click")}, []string{`status "caught"`}},
		{"files dropped", []rove.Step{step("#zone", "upload", a)}, []string{`="a.txt"`, `status "got one true"`}},
		{"several", []rove.Step{step("#zone", "upload", a+"\n"+b)}, []string{`status "got one+two true"`}},
		{"several as a list", []rove.Step{step(`"Drop files here"`, "upload", fmt.Sprintf("[%q,%q]", a, b))}, []string{`status "got one+two true"`}},
		{"a chooser goes first", []rove.Step{step("#both", "upload", a)}, []string{`status "chosen a.txt"`}},
		{"nobody takes them", []rove.Step{step("#plain", "upload", a)}, []string{"failed upload", "it takes no files that are dropped on it", "[invalid]"}},
		{"nothing is made of them", []rove.Step{step("#deaf", "upload", a)}, []string{"failed upload", "the page made nothing of them that is seen"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, s := open(t)
			if _, err := s.Go(ctx, url); err != nil {
				t.Fatal(err)
			}
			r, _ := s.Act(ctx, c.steps...) // the receipt says whether it failed
			has(t, r.Text(), c.says...)
			if got, err := s.Eval(ctx, "location.href"); err != nil || got.Result != `"`+url+`/"` {
				t.Errorf("the page is %v now, %v", got, err)
			}
		})
	}
}

// What moves to its place and stays is waited for.
func TestWhatComesToRestIsWaitedFor(t *testing.T) {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, reachPage)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Eval(ctx, "late.style.animation = 'none'; late.offsetWidth; late.style.animation = ''; 0"); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("#late", "click"))
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.Eval(ctx, "'late ' + Math.round(late.getBoundingClientRect().left)")
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), "status "+at.Result)
}

// A feed is gone on with while it brings more, however slow its server is, and what
// was found is told with the row it is in.
func TestScrollGoesOnWhileThereIsMore(t *testing.T) {
	site := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<!doctype html><title>Feed</title><ul id=feed></ul><script>
			let n = 0, busy = false;
			const more = async () => { if (busy || n >= 60) return; busy = true; await fetch('/more'); for (let i = 0; i < 20; i++, n++) feed.insertAdjacentHTML('beforeend', '<li style="height:40px"><b>Post ' + n + '</b> <span>by author ' + n % 7 + '</span></li>'); busy = false };
			addEventListener('scroll', () => { if (scrollY + innerHeight > document.documentElement.scrollHeight - 10) more() }); more();</script>`),
		"/more": func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(1600 * time.Millisecond): // longer than nobody asks for
			case <-r.Context().Done():
			}
		},
	})
	ctx, s := open(t)
	if _, err := s.Go(ctx, site); err != nil {
		t.Fatal(err)
	}
	r, err := s.Act(ctx, step("_page", "scroll", "until:Post 45"))
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Text(), `"Post 45 by author 3"`)
}
