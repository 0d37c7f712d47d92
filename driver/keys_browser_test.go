package driver_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rove"
	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
)

// keyPage notes every event of its fields, one a line.
const keyPage = `<!doctype html><title>Keys</title>
<form onsubmit="log.push('submit'); return false"><input id=field autofocus><input id=next><button>Go</button></form>
<textarea id=area></textarea>
<script>
const log = []
for (const type of ['keydown', 'keypress', 'beforeinput', 'input', 'keyup']) document.addEventListener(type, e => {
	const line = [type]
	if (e instanceof KeyboardEvent) {
		line.push(e.key, e.code, e.keyCode, e.location)
		for (const m of ['ctrl', 'shift', 'alt', 'meta']) if (e[m + 'Key']) line.push(m)
	} else line.push(e.inputType, JSON.stringify(e.data))
	if (!e.isTrusted) line.push('untrusted')
	log.push(line.join(' ').trim())
}, true)
const focus = id => { const e = document.getElementById(id); e.value = ''; e.focus(); log.length = 0 }
</script>`

// typist sits at keyPage in a browser.
type typist struct {
	*testing.T
	ctx context.Context
	tab backend.Tab
}

func newTypist(t *testing.T) typist {
	ctx := testkit.Context(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(keyPage))
	}))
	t.Cleanup(server.Close)
	s, err := rove.Open(ctx, rove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	tab := s.Driver().Tab()
	if _, err := tab.Navigate(ctx, server.URL, driver.NavigateOptions{}); err != nil {
		t.Fatal(err)
	}
	return typist{t, ctx, tab.Backend()}
}

func (t typist) eval(expression string) (value string) {
	t.Helper()
	out, err := t.tab.Eval(t.ctx, "", expression)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &value); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return value
}

func (t typist) do(field string, events ...backend.Input) {
	t.Helper()
	t.eval("focus('" + field + "'), ''")
	if err := t.tab.Input(t.ctx, events...); err != nil {
		t.Fatal(err)
	}
}

func (t typist) press(chords string) []backend.Input {
	t.Helper()
	events, err := driver.Chords(chords)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func (t typist) value(field string) string {
	t.Helper()
	return t.eval("document.getElementById('" + field + "').value")
}

func (t typist) logged(want string) {
	t.Helper()
	var lines []string
	for l := range strings.Lines(want) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	if diff := cmp.Diff(lines, strings.Split(t.eval(`log.join('\n')`), "\n")); diff != "" {
		t.Error(diff)
	}
}

func (t typist) run(name string, fn func(typist)) {
	t.Run(name, func(sub *testing.T) { fn(typist{sub, t.ctx, t.tab}) })
}

// What a page sees of typing is what it sees of a person.
func TestKeysInBrowser(t *testing.T) {
	testkit.OnEveryBrowser(t)
	p := newTypist(t)

	p.run("text", func(t typist) {
		const text = "Hello, Wörld! 😀"
		t.do("field", driver.Typing(text)...)
		if got := t.value("field"); got != text {
			t.Errorf("typed %q", got)
		}
	})
	p.run("events", func(t typist) {
		t.do("field", driver.Typing("H.ö😀")...)
		t.logged(`
			keydown Shift ShiftLeft 16 1 shift
			keydown H KeyH 72 0 shift
			keypress H KeyH 72 0 shift
			beforeinput insertText "H"
			input insertText "H"
			keyup H KeyH 72 0 shift
			keyup Shift ShiftLeft 16 1
			keydown . Period 190 0
			keypress . Period 46 0
			beforeinput insertText "."
			input insertText "."
			keyup . Period 190 0
			keydown ö  0 0
			keypress ö  246 0
			beforeinput insertText "ö"
			input insertText "ö"
			keyup ö  0 0
			beforeinput insertText "😀"
			input insertText "😀"`)
	})
	p.run("shortcut", func(t typist) {
		t.do("field", append(driver.Typing("all"), t.press("Control+a")...)...)
		if got := t.eval("getSelection().toString()"); got != "all" {
			t.Errorf("Control+a selects %q", got)
		}
		t.do("field", t.press("Control+a")...)
		t.logged(`
			keydown Control ControlLeft 17 1 ctrl
			keydown a KeyA 65 0 ctrl
			keyup a KeyA 65 0 ctrl
			keyup Control ControlLeft 17 1`)
	})
	p.run("enter submits", func(t typist) {
		t.do("field", t.press("Enter")...)
		t.logged(`
			keydown Enter Enter 13 0
			keypress Enter Enter 13 0
			beforeinput insertLineBreak null
			submit
			keyup Enter Enter 13 0`)
	})
	p.run("editing", func(t typist) {
		for _, c := range []struct{ field, typed, chords, want string }{
			{"area", "one\ntwo\r\n", "Shift+Enter x", "one\ntwo\n\nx"},
			{"field", "one two", "Control+Backspace 2", "one 2"},
			{"field", "one two", "Control+Shift+ArrowLeft Delete", "one "},
			{"field", "abc", "Home Delete End Backspace", "b"},
			{"field", "ab", "Control+a Control+c End Control+v", "abab"},
			{"field", "a" + driver.KeyNumpad7 + driver.KeyMultiply + driver.KeyLeft + driver.KeyBackspace, "NumpadAdd", "a+*"},
			{"field", driver.KeyShift + "ab1" + driver.KeyNull + "ab1", "Alt+x Meta+y", "AB!ab1"},
			{"field", "e\u0301👩‍👩‍👧日\u00a0`~{}|\\", "a", "e\u0301👩‍👩‍👧日\u00a0`~{}|\\a"},
		} {
			t.do(c.field, append(driver.Typing(c.typed), t.press(c.chords)...)...)
			if got := t.value(c.field); got != c.want {
				t.Errorf("%q, then %s: %q, want %q", c.typed, c.chords, got, c.want)
			}
		}
	})
	p.run("tab moves on", func(t typist) {
		t.do("field", driver.Typing("a\tb")...)
		if got := t.value("field") + "," + t.value("next"); got != "a,b" {
			t.Errorf("fields hold %s", got)
		}
		t.do("next", t.press("Shift+Tab")...)
		if got := t.eval("document.activeElement.id"); got != "field" {
			t.Errorf("Shift+Tab goes to %s", got)
		}
	})
}
