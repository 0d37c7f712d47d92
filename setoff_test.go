package rove_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// tillPage is a page whose button Buy can be set off in many ways. What is bought
// is counted by what Buy itself sees.
const tillPage = `<!doctype html><title>Till</title><style>body { margin: 0 } #panel { width: 300px; height: 60px } #panel > * { width: 100%; height: 100% }</style>
	<div id=panel><button id=buy accesskey=b onclick="bought++">Buy now</button></div>
	<button id=before onclick="looked++">Look</button>
	<form id=f onsubmit="bought++; return false"><input id=card aria-label=Card><input id=agree type=checkbox aria-label=Agree><select id=month aria-label=Month><option>May<option>June</select><input type=image alt="Buy it" id=image></form>
	<form id=bare onsubmit="bought++; return false" aria-label="Buy form"><input id=lone aria-label=Lone></form>
	<label id=lab>Buy a year<input id=year type=checkbox onchange="bought++"></label>
	<details id=det ontoggle="if (open) bought++"><summary id=sum>Buy options</summary>more</details>
	<span id=span onclick="bought++" tabindex=0 onkeydown="if (event.key === 'Enter' || event.key === ' ') bought++">Buy span</span>
	<div id=fake role=button tabindex=0 onclick="bought++" onkeydown="if (event.key === 'Enter') bought++">Buy by role</div>
	<select id=plan aria-label=Plan onchange="bought++"><option>Free<option>Buy plan</select>
	<input type=radio name=r id=r1 aria-label=Nothing><input type=radio name=r id=r2 aria-label="Buy all" onchange="bought++">
	<div id=list role=listbox tabindex=0 aria-label=List aria-activedescendant=o1 onkeydown="if (event.key === 'Enter') bought++"><div id=o1 role=option>Buy option</div></div>
	<label id=for for=named>Go on</label><button id=named onclick="bought++">Buy</button><button id=said aria-label=Continue onclick="bought++">Buy</button><button id=hint title="Buy it" onclick="bought++">→</button><button id=drawn aria-label=Continue onclick="bought++"><img alt=Buy width=40 height=20></button>
	<button id=shy onclick="bought++">B&shy;u&#8203;y</button><button id=wide onclick="bought++">Ｂｕｙ</button><input type=submit id=value aria-label=Continue value="Buy" onclick="bought++">
	<div id=shadow></div><p id=text onmousedown="bought++">Buy this text</p><a id=link href="javascript:void(bought++)">Buy link</a><textarea id=area aria-label=Area></textarea>
	<script>var bought = 0, looked = 0;
	shadow.attachShadow({ mode: 'closed' }).innerHTML = '<button style="width:100%;height:40px">Buy inside</button>';
	addEventListener('click', (e) => { if (e.target === shadow) bought++ });
	card.onkeydown = card.onkeyup = null;</script>`

// buyShown is in a question about something with Buy in its name, in whichever letters.
var buyShown = regexp.MustCompile(`Buy|Ｂｕｙ|B(\\u00ad|\x{ad})?u(\\u200b|\x{200b}| )?y`)

// TestEveryWayToSetOff: a rule for a click on Buy asks before Buy is set off, by
// whatever operation, name, point or key; and nothing is set off without a yes.
func TestEveryWayToSetOff(t *testing.T) {
	testkit.Parallel(t)
	ctx, s := strict(t, rove.Options{Confirm: []string{"click:Buy"}})
	site := serve(t, tillPage)
	var asked []string
	answer := false
	asking := rove.WithConfirm(ctx, func(_ context.Context, q rove.Question) (bool, error) {
		asked = append(asked, q.String())
		return answer, nil
	})
	ways := []rove.Step{
		{Ref: "#buy", Op: "click"},
		{Ref: "#buy", Op: "dblclick"},
		{Ref: "#buy", Op: "rightclick"},
		{Ref: "#panel", Op: "click"},
		{Ref: "body", Op: "click", Value: "@150,30"},
		{Ref: "html", Op: "click", Value: "@150,30"},
		{Ref: "#buy", Op: "drag", Value: "#buy"},
		{Ref: "#before", Op: "drag", Value: "#buy"},
		{Ref: "#before", Op: "drag", Value: "@150,30"},
		{Ref: "#buy", Op: "drag", Value: "@150,31"},
		{Ref: "#lab", Op: "click"},
		{Ref: "#year", Op: "check"},
		{Ref: "#year", Op: "click"},
		{Ref: "#sum", Op: "click"},
		{Ref: "#det", Op: "click"},
		{Ref: "#span", Op: "click"},
		{Ref: "#fake", Op: "click"},
		{Ref: "#link", Op: "click"},
		{Ref: "#shadow", Op: "click"},
		{Ref: "#text", Op: "click"},
		{Ref: "#text", Op: "mark", Value: "this"},
		{Ref: "#image", Op: "click"},
		{Ref: "#for", Op: "click"},
		{Ref: "#named", Op: "click"},
		{Ref: "#said", Op: "click"},
		{Ref: "#said", Op: "press", Value: "Enter"},
		{Ref: "#hint", Op: "click"},
		{Ref: "#drawn", Op: "click"},
		{Ref: "#shy", Op: "click"},
		{Ref: "#wide", Op: "click"},
		{Ref: "#value", Op: "click"},
		{Ref: "#r2", Op: "check"},
		{Ref: "#r1", Op: "press", Value: "ArrowDown"},
		{Ref: "#r1", Op: "press", Value: "arrowright"},
		{Ref: "#plan", Op: "select", Value: "Buy plan"},
		{Ref: "#plan", Op: "input", Value: "Buy plan"},
		{Ref: "#plan", Op: "select", Value: "#1"},
		{Ref: "#plan", Op: "press", Value: "ArrowDown"},
		{Ref: "#plan", Op: "press", Value: "B"},
		{Ref: "#list", Op: "press", Value: "Enter"},
		{Ref: "#lone", Op: "press", Value: "Enter"},
		{Ref: "#before", Op: "press", Value: "Alt+b"},
		{Ref: "_page", Op: "press", Value: "Alt+B"},
		{Ref: "#before", Op: "press", Value: "alt+KeyB"},
		{Ref: "#before", Op: "press", Value: "Shift+Tab Enter"},
		{Ref: "#before", Op: "press", Value: "Shift+Tab Shift Space"},
		{Ref: "#card", Op: "press", Value: "Enter"},
		{Ref: "#card", Op: "input", Value: "4711\n"},
		{Ref: "#card", Op: "type", Value: "4711\r"},
		{Ref: "#card", Op: "type", Value: "1\ue007"},
		{Ref: "#card", Op: "type", Value: "\ue006"},
		{Ref: "#agree", Op: "press", Value: "Enter"},
		{Ref: "#card", Op: "press", Value: "Control+Enter"},
		{Ref: "#area", Op: "press", Value: "Shift+Tab Enter"},
		{Ref: "#area", Op: "type", Value: "x\ue008\t\ue008\n"},
		{Ref: "#span", Op: "type", Value: " "},
		{Ref: "#span", Op: "press", Value: "Space"},
	}
	for _, key := range []string{"Enter", "enter", "ENTER", "Return", "return", "\n", "\r", "NumpadEnter", "Space", "space", "SPACE", " ", "Spacebar", "\ue007", "\ue006", "\ue00d", "Shift+Enter", "Control+Enter", "Enter Enter", "a Enter"} {
		ways = append(ways, rove.Step{Ref: "#buy", Op: "press", Value: key})
	}
	if _, err := s.Go(ctx, site); err != nil {
		t.Fatal(err)
	}
	for _, st := range ways {
		asked = nil
		_, err := s.Act(asking, st)
		if err == nil || code(err) != rove.CodePolicy && code(err) != rove.CodeInvalid {
			t.Errorf("%v: %v", st, err)
		}
		if len(asked) > 1 || code(err) == rove.CodePolicy && (len(asked) != 1 || !buyShown.MatchString(asked[0])) {
			t.Errorf("%v: asked %q", st, asked)
		}
		if n := run(t, ctx, s, "'' + bought"); n != "0" {
			t.Fatalf("%v: it was bought, %v", st, err)
		}
	}
	// What sets off something else is nobody's business.
	for _, st := range []rove.Step{
		{Ref: "#before", Op: "click"},
		{Ref: "#before", Op: "press", Value: "enter"},
		{Ref: "#card", Op: "input", Value: "Buy now please"},
		{Ref: "#area", Op: "input", Value: "Buy\nmore"},
		{Ref: "#month", Op: "select", Value: "June"},
		{Ref: "#buy", Op: "hover"},
		{Ref: "#buy", Op: "focus"},
		{Ref: "#buy", Op: "press", Value: "ArrowDown"},
		{Ref: "#agree", Op: "check"},
		{Ref: "#area", Op: "drag", Value: "#area"},
	} {
		asked = nil
		if _, err := s.Act(asking, st); err != nil || len(asked) > 0 {
			t.Errorf("%v: %v, asked %q", st, err, asked)
		}
	}
	// With a yes it is done, once.
	answer = true
	for _, st := range []rove.Step{
		{Ref: "#buy", Op: "click"},
		{Ref: "#panel", Op: "click"},
		{Ref: "#buy", Op: "press", Value: "enter"},
		{Ref: "#buy", Op: "press", Value: "Space"},
		{Ref: "#card", Op: "input", Value: "4711\n"},
		{Ref: "#span", Op: "click"},
		{Ref: "#before", Op: "press", Value: "Shift+Tab Enter"},
		{Ref: "#plan", Op: "select", Value: "Buy plan"},
		{Ref: "#fake", Op: "click"},
		{Ref: "#shadow", Op: "click"},
		{Ref: "#r2", Op: "check"},
	} {
		if _, err := s.Go(ctx, site); err != nil {
			t.Fatal(err)
		}
		asked = nil
		_, err := s.Act(asking, st)
		if n := run(t, ctx, s, "'' + bought"); err != nil || n != "1" || len(asked) != 1 {
			t.Errorf("%v, agreed: %v, bought %s, asked %q", st, err, n, asked)
		}
	}
}

// TestDialogsAreAskedAbout: to accept a dialog is to press what it offers under its
// words; a no is nobody's business.
func TestDialogsAreAskedAbout(t *testing.T) {
	testkit.Parallel(t)
	ctx, s := strict(t, rove.Options{Confirm: []string{"click:Buy"}})
	site := serve(t, `<button id=c onclick="said = confirm('Buy now for $100?')">Continue</button><button id=p onclick="said = prompt('Who is to buy it?') !== null">Continue</button><button id=o onclick="said = confirm('Leave?')">Continue</button><script>var said = false</script>`)
	if _, err := s.Go(ctx, site); err != nil {
		t.Fatal(err)
	}
	asked := 0
	asking := rove.WithConfirm(ctx, func(_ context.Context, q rove.Question) (bool, error) {
		if asked++; !strings.Contains(strings.ToLower(q.String()), "buy") {
			t.Errorf("asked %q", q)
		}
		return false, nil
	})
	for _, c := range []struct {
		button, answer string
		asks           bool
	}{{"#c", "accept", true}, {"#c", "yes", true}, {"#c", "dismiss me", true}, {"#c", "no", false}, {"#p", "text:no", true}, {"#p", "dismiss", false}, {"#o", "accept", false}} {
		if _, err := s.Act(ctx, rove.Step{Ref: c.button, Op: "click"}); err != nil {
			t.Fatal(err)
		}
		asked = 0
		_, err := s.Act(asking, rove.Step{Ref: "_page", Op: "dialog", Value: c.answer})
		if (asked == 1) != c.asks || (code(err) == rove.CodePolicy) != c.asks {
			t.Errorf("%v: asked %d times, %v", c, asked, err)
		}
		if c.asks {
			if _, err := s.Act(ctx, rove.Step{Ref: "_page", Op: "dialog", Value: "dismiss"}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestConsentIsForTheNode: another element of the same name is not what was agreed
// to.
func TestConsentIsForTheNode(t *testing.T) {
	testkit.Parallel(t)
	ctx, s := strict(t, rove.Options{Confirm: []string{"click:Buy", "input"}})
	if _, err := s.Go(ctx, serve(t, `<button id=buy onclick="document.title = 'old'">Buy</button><p><input id=i aria-label=Name></p>`)); err != nil {
		t.Fatal(err)
	}
	n := 0
	asking := rove.WithConfirm(ctx, func(ctx context.Context, _ rove.Question) (bool, error) {
		n++
		run(t, ctx, s, `{ const b = document.createElement('button'); b.id = 'buy'; b.textContent = 'Buy'; b.onclick = () => document.title = 'new'; buy.replaceWith(b); const c = i.cloneNode(); i.replaceWith(c); '' }`)
		return n < 2, nil
	})
	if _, err := s.Act(asking, rove.Step{Ref: "#buy", Op: "click"}); err == nil {
		t.Error("the new button was clicked")
	}
	n = 0
	if _, err := s.Act(asking, rove.Step{Ref: "#i", Op: "input", Value: "x"}); err == nil {
		t.Error("the new field was typed into")
	}
	if title := run(t, ctx, s, "document.title + i.value"); title != "" {
		t.Errorf("done: %q", title)
	}
}

// TestConsentByOrigin: the document acted on counts, in whichever page it is, and
// the question names both.
func TestConsentByOrigin(t *testing.T) {
	testkit.Parallel(t)
	ctx, s := strict(t, rove.Options{Confirm: []string{"*@localhost"}})
	site := testkit.Pages(t, map[string]string{
		"/":     `<title>Top</title><button id=mine>Mine</button><iframe id=bank src="THERE/bank" style="width:400px;height:300px"></iframe>`,
		"/bank": `<body><button id=pay onclick="n++">Pay</button><input id=sum aria-label=Sum><select id=acc aria-label=Account><option>A<option>B</select><iframe id=blank srcdoc="<button id=deep onclick='parent.n++'>Deep</button>"></iframe><script>var n = 0; if (location.search) onload = () => open('about:blank').document.body.innerHTML = '<button id=pop>Pop</button>'</script>`,
		"/pops": `<title>Pops</title><iframe src="THERE/bank?pops"></iframe>`,
	})
	there := strings.Replace(site, "127.0.0.1", "localhost", 1)
	if _, err := s.Go(ctx, site); err != nil {
		t.Fatal(err)
	}
	var asked []string
	asking := rove.WithConfirm(ctx, func(_ context.Context, q rove.Question) (bool, error) {
		asked = append(asked, q.String())
		return false, nil
	})
	for _, st := range []rove.Step{
		{Ref: "#pay", Op: "click"},
		{Ref: "#pay", Op: "press", Value: "Enter"},
		{Ref: "#sum", Op: "input", Value: "1"},
		{Ref: "#sum", Op: "clear"},
		{Ref: "#acc", Op: "select", Value: "B"},
		{Ref: "#deep", Op: "click"},
		{Ref: "#bank", Op: "click"},
		{Ref: "#bank", Op: "click", Value: "@20,20"},
		{Ref: "body", Op: "click", Value: "@250,150"},
		{Ref: "#mine", Op: "drag", Value: "@250,150"},
		{Ref: "#mine", Op: "press", Value: "Tab a"},
		{Ref: "#bank", Op: "press", Value: "Tab"},
	} {
		asked = nil
		_, err := s.Act(asking, st)
		if code(err) != rove.CodePolicy || len(asked) != 1 || !strings.Contains(asked[0], "on "+there) || !strings.Contains(asked[0], "in the page "+site) {
			t.Errorf("%v: %v, asked %q", st, err, asked)
		}
	}
	asked = nil
	if _, err := s.Act(asking, rove.Step{Ref: "#mine", Op: "click"}); err != nil || len(asked) > 0 {
		t.Errorf("the page around it: %v, asked %q", err, asked)
	}
	// A window without an address of its own has the origin of whoever has written it.
	if _, err := s.Go(ctx, site+"/pops"); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the window", func() bool {
		_, err := s.Driver().SwitchTab("2")
		return err == nil && run(t, ctx, s, "document.body.innerText") == "Pop"
	})
	for _, st := range []rove.Step{{Ref: "#pop", Op: "click"}, {Ref: "#pop", Op: "press", Value: "Enter"}, {Ref: "_page", Op: "press", Value: "Tab Enter"}} {
		asked = nil
		if _, err := s.Act(asking, st); code(err) != rove.CodePolicy || len(asked) != 1 || !strings.Contains(asked[0], "on "+there) {
			t.Errorf("%v in a window without an address: %v, asked %q", st, err, asked)
		}
	}
}

// TestConsentToUploads: files are asked about however they come to be given.
func TestConsentToUploads(t *testing.T) {
	testkit.Parallel(t)
	ctx, s := strict(t, rove.Options{Confirm: []string{"upload"}})
	var paths []string
	for i := range 12 {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("a-file-with-a-long-name-%d.txt", i))
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	if _, err := s.Go(ctx, serve(t, `<input id=f type=file multiple aria-label=File>`)); err != nil {
		t.Fatal(err)
	}
	var asked []rove.Question
	asking := rove.WithConfirm(ctx, func(_ context.Context, q rove.Question) (bool, error) {
		asked = append(asked, q)
		return false, nil
	})
	for _, op := range []string{"upload", "input"} {
		asked = nil
		_, err := s.Act(asking, rove.Step{Ref: "#f", Op: op, Value: strings.Join(paths, "\n")})
		if code(err) != rove.CodePolicy || len(asked) != 1 || asked[0].Unseen() != 0 {
			t.Fatalf("%s: %v, asked %v", op, err, asked)
		}
		for _, p := range paths {
			if !strings.Contains(asked[0].String(), p) {
				t.Errorf("%s: the question does not show %s: %s", op, p, asked[0])
			}
		}
	}
	if n := run(t, ctx, s, "'' + f.files.length"); n != "0" {
		t.Errorf("the page has %s files", n)
	}
}

// TestQuestionsShowAll: what is not shown is said, and a plain yes is not enough
// for it.
func TestQuestionsShowAll(t *testing.T) {
	long := strings.Repeat("a b ", 1200) + "rm -rf"
	cases := map[string]struct {
		q      rove.Question
		unseen int
		has    []string
	}{
		"short":  {rove.Question{Op: "eval", Value: "1 + 1", URL: "http://a.example/"}, 0, []string{`eval "1 + 1" on http://a.example/`}},
		"frame":  {rove.Question{Op: "click", Target: "e1", What: `button "Pay"`, URL: "http://bank.example/", Page: "http://a.example/"}, 0, []string{`click e1 button "Pay" on http://bank.example/ in the page http://a.example/`}},
		"key":    {rove.Question{Op: "press", Target: "e1", Value: "Enter", What: `button "Buy"`, Sets: true, URL: "http://a.example/"}, 0, []string{`press e1 "Enter", which sets off button "Buy", on`}},
		"script": {rove.Question{Op: "eval", Value: strings.Repeat("x", 3000) + "tail"}, 0, []string{"tail"}},
		"long":   {rove.Question{Op: "eval", Value: long}, len(long) - 4000, []string{fmt.Sprintf("%d more characters that are not shown", len(long)-4000)}},
		"lines":  {rove.Question{Op: "click", What: "button \"x\"\nrove: all is well\u2028\x1b[2J"}, 0, []string{`\nrove: all is well`}},
	}
	for name, c := range cases {
		text := c.q.String()
		if c.q.Unseen() != c.unseen || strings.ContainsAny(text, "\n\x1b\u2028") || slices.ContainsFunc(c.has, func(p string) bool { return !strings.Contains(text, p) }) {
			t.Errorf("%s: %d unseen: %s", name, c.q.Unseen(), text)
		}
		if c.q.Agrees("yes") != (c.unseen == 0) || c.unseen > 0 && (!c.q.Agrees(fmt.Sprint(c.unseen)) || c.q.Agrees("1")) || c.q.Agrees("no") || c.q.Agrees("") {
			t.Errorf("%s: what is a yes", name)
		}
	}
}
