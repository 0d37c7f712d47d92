package rove_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"

	"rove"
	"rove/cdp"
)

// composePage notes what its fields see of an input method.
const composePage = `<!doctype html><meta charset=utf-8><title>Compose</title>
<label>Name <input id=name></label><label>City <input id=city></label><div id=edit contenteditable role=textbox aria-label=Note></div><p id=said></p>
<script>window.LOG = [];
for (const type of ['compositionstart', 'compositionupdate', 'compositionend', 'blur']) addEventListener(type, (e) => LOG.push(type + (e.data === undefined ? '' : ' ' + e.data)), true);
</script>`

// composer is a session whose user writes with an input method.
type composer struct {
	*testing.T
	ctx context.Context
	s   *rove.Session
}

// compose shows text that is not decided yet, as an input method does between keys.
func (c composer) compose(text string) {
	c.Helper()
	n := int64(len([]rune(text)))
	_, session := cdp.Of(c.s.Driver().Tab())
	if err := session.Call(c.ctx, input.CommandImeSetComposition, &input.ImeSetCompositionParams{Text: text, SelectionStart: n, SelectionEnd: n}, nil); err != nil {
		c.Fatal(err)
	}
}

// decide ends it with a text.
func (c composer) decide(text string) {
	c.Helper()
	_, session := cdp.Of(c.s.Driver().Tab())
	if err := session.Call(c.ctx, input.CommandInsertText, &input.InsertTextParams{Text: text}, nil); err != nil {
		c.Fatal(err)
	}
}

func (c composer) is(js, want string) {
	c.Helper()
	if r, err := c.s.Eval(c.ctx, js); err != nil || r.Result != want {
		c.Errorf("%s is %+v, %v; not %s", js, r, err, want)
	}
}

func (c composer) act(st rove.Step) string {
	c.Helper()
	r, err := c.s.Act(c.ctx, st)
	if err != nil {
		c.Fatal(err)
	}
	return r.Text()
}

func newComposer(t *testing.T) composer {
	ctx, s := open(t)
	if _, err := s.Go(ctx, serve(t, composePage)); err != nil {
		t.Fatal(err)
	}
	return composer{t, ctx, s}
}

// Whoever looks, waits and reads does not end what is being composed.
func TestCompositionIsLeftAlone(t *testing.T) {
	for field, value := range map[string]string{"#name": "document.getElementById('name').value", "#edit": "edit.textContent"} {
		t.Run(field, func(t *testing.T) {
			c := newComposer(t)
			c.act(step(field, "focus"))
			c.compose("に")
			c.compose("にほん")
			look, err := c.s.Look(c.ctx, rove.LookOptions{})
			if err != nil {
				t.Fatal(err)
			}
			has(t, look.Text(), `="にほん"`)
			if _, err := c.s.Wait(c.ctx, "idle", 0); err != nil {
				t.Fatal(err)
			}
			has(t, c.act(step(field, "text")), "にほん")
			c.act(step("#said", "scroll"))
			c.is("LOG.join()", `"compositionstart ,compositionupdate に,compositionupdate にほん"`)
			c.decide("日本")
			c.is(value, `"日本"`)
			c.is("LOG.at(-1)", `"compositionend 日本"`)
		})
	}
}

// Acting elsewhere ends a composition as a person's click does: what was shown
// stays, and the other field gets its own text alone.
func TestActingEndsAComposition(t *testing.T) {
	c := newComposer(t)
	c.act(step("#name", "focus"))
	c.compose("~")
	has(t, c.act(step("#city", "input", "São Paulo")), `="São Paulo"`)
	c.is("[document.getElementById('name').value, city.value].join('|')", `"~|São Paulo"`)
	c.is("LOG.includes('compositionend ~')", "true")
	// Typing into the field itself replaces what was half composed.
	c.act(step("#name", "focus"))
	c.compose("´")
	has(t, c.act(step("#name", "input", "José")), `"José"`)
	c.is("document.getElementById('name').value", `"José"`)
}

// Texts of all scripts arrive as they are, in fields and editors, replaced, added
// and taken away again.
func TestTextsOfAllScripts(t *testing.T) {
	for _, text := range []string{"日本語", "한국어 입력", "für É ñ ação", "עברית ו-English", "नमस्ते", "👩‍👩‍👧 👍🏽 🇯🇵", "𝒳 e\u0301"} {
		t.Run(text, func(t *testing.T) {
			c := newComposer(t)
			for _, field := range []string{"#name", "#edit"} {
				has(t, c.act(step(field, "input", text)), "ok input")
				has(t, c.act(step(field, "type", text)), "ok type")
				c.is("["+strconv.Quote(text+text)+"].includes(document.querySelector('"+field+"').value || edit.innerText)", "true")
				c.act(step(field, "clear"))
				c.is("(document.querySelector('"+field+"').value ?? edit.innerText.trim()) === ''", "true")
			}
		})
	}
}
