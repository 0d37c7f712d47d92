package driver

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"rove/internal/testkit"

	"github.com/google/go-cmp/cmp"

	"rove/driver/backend"
)

// script writes events one a line: "+" for a press and "-" for a release, then
// key, code, and what else there is.
func script(events []backend.Input) string {
	var b strings.Builder
	for _, e := range events {
		switch e := e.(type) {
		case backend.Text:
			fmt.Fprintf(&b, "text %s\n", e.Text)
		case backend.Key:
			sign := "-"
			if e.Down {
				sign = "+"
			}
			fmt.Fprintf(&b, "%s%s %s", sign, e.Key, e.Code)
			for _, m := range []struct {
				mod  backend.Mods
				name string
			}{{backend.Control, "ctrl"}, {backend.Shift, "shift"}, {backend.Alt, "alt"}, {backend.Meta, "meta"}} {
				if e.Mods&m.mod != 0 {
					b.WriteString(" " + m.name)
				}
			}
			if e.Location != 0 {
				fmt.Fprintf(&b, " at %d", e.Location)
			}
			if e.Text != "" {
				fmt.Fprintf(&b, " %q", e.Text)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// trim takes the indentation of a table off.
func trim(s string) string {
	var b strings.Builder
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" {
			b.WriteString(l + "\n")
		}
	}
	return b.String()
}

func TestTyping(t *testing.T) {
	testkit.OnEveryBrowser(t)
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"plain", "a1 ", `
			+a KeyA "a"
			-a KeyA
			+1 Digit1 "1"
			-1 Digit1
			+  Space " "
			-  Space`},
		{"one Shift for a run", "aB!c", `
			+a KeyA "a"
			-a KeyA
			+Shift ShiftLeft shift at 1
			+B KeyB shift "B"
			-B KeyB shift
			+! Digit1 shift "!"
			-! Digit1 shift
			-Shift ShiftLeft at 1
			+c KeyC "c"
			-c KeyC`},
		{"Shift is let go at the end", "A", `
			+Shift ShiftLeft shift at 1
			+A KeyA shift "A"
			-A KeyA shift
			-Shift ShiftLeft at 1`},
		{"line ends and tab", "\n\r\n\r\t", `
			+Enter Enter "\r"
			-Enter Enter
			+Enter Enter "\r"
			-Enter Enter
			+Enter Enter "\r"
			-Enter Enter
			+Tab Tab
			-Tab Tab`},
		{"keys of other keyboards", "é日", `
			+é  "é"
			-é 
			+日  "日"
			-日 `},
		{"clusters stay whole", "😀👩‍👩‍👧e\u0301🇩🇪", `
			text 😀
			text 👩‍👩‍👧
			text ` + "e\u0301" + `
			text 🇩🇪`},
		{"Shift is let go before an insertion", "A😀", `
			+Shift ShiftLeft shift at 1
			+A KeyA shift "A"
			-A KeyA shift
			-Shift ShiftLeft at 1
			text 😀`},
		{"WebDriver keys", "a" + KeyEnter + KeyNumpad5 + KeyF12 + KeyLeft + "\uE05A", `
			+a KeyA "a"
			-a KeyA
			+Enter Enter "\r"
			-Enter Enter
			+5 Numpad5 at 3 "5"
			-5 Numpad5 at 3
			+F12 F12
			-F12 F12
			+ArrowLeft ArrowLeft
			-ArrowLeft ArrowLeft
			+ArrowRight Numpad6 at 3
			-ArrowRight Numpad6 at 3`},
		{"a modifier is held to the end", KeyControl + "aB😀", `
			+Control ControlLeft ctrl at 1
			+a KeyA ctrl
			-a KeyA ctrl
			+b KeyB ctrl
			-b KeyB ctrl
			+😀  ctrl
			-😀  ctrl
			-Control ControlLeft at 1`},
		{"a modifier comes again", KeyShift + "a1" + KeyShift + "a", `
			+Shift ShiftLeft shift at 1
			+A KeyA shift "A"
			-A KeyA shift
			+! Digit1 shift "!"
			-! Digit1 shift
			-Shift ShiftLeft at 1
			+a KeyA "a"
			-a KeyA`},
		{"null lets all go, last first", KeyControl + KeyAlt + KeyNull + "a", `
			+Control ControlLeft ctrl at 1
			+Alt AltLeft ctrl alt at 1
			-Alt AltLeft ctrl at 1
			-Control ControlLeft at 1
			+a KeyA "a"
			-a KeyA`},
		{"a mark after a key does not join it", KeyTab + "\u0301", `
			+Tab Tab
			-Tab Tab
			+` + "\u0301" + `  "` + "\u0301" + `"
			-` + "\u0301" + `  `},
		{"icons of fonts are characters", "\uF015", `
			+` + "\uF015" + `  "\uf015"
			-` + "\uF015" + `  `},
		{"broken UTF-8", "\xff", `
			+` + "\uFFFD" + `  "` + "\uFFFD" + `"
			-` + "\uFFFD" + `  `},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(trim(c.want), trim(script(typing(c.text)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestChords(t *testing.T) {
	const ctrlA = `
		+Control ControlLeft ctrl at 1
		+a KeyA ctrl
		-a KeyA ctrl
		-Control ControlLeft at 1`
	for _, c := range []struct{ chords, want string }{
		{"Enter", "+Enter Enter \"\\r\"\n-Enter Enter"},
		{"Shift+Enter", `
			+Shift ShiftLeft shift at 1
			+Enter Enter shift "\r"
			-Enter Enter shift
			-Shift ShiftLeft at 1`},
		{"Control+Enter", `
			+Control ControlLeft ctrl at 1
			+Enter Enter ctrl
			-Enter Enter ctrl
			-Control ControlLeft at 1`},
		{"a", "+a KeyA \"a\"\n-a KeyA"},
		{"A", `
			+Shift ShiftLeft shift at 1
			+A KeyA shift "A"
			-A KeyA shift
			-Shift ShiftLeft at 1`},
		{"Control+a", ctrlA},
		{"Control+A", ctrlA},
		{"ctrl+KeyA", ctrlA},
		{"Ctrl + a", ctrlA},
		{KeyControl + "+a", ctrlA},
		{"Control+Shift+a", `
			+Control ControlLeft ctrl at 1
			+Shift ShiftLeft ctrl shift at 1
			+A KeyA ctrl shift
			-A KeyA ctrl shift
			-Shift ShiftLeft ctrl at 1
			-Control ControlLeft at 1`},
		{"Control+Shift+ArrowLeft", `
			+Control ControlLeft ctrl at 1
			+Shift ShiftLeft ctrl shift at 1
			+ArrowLeft ArrowLeft ctrl shift
			-ArrowLeft ArrowLeft ctrl shift
			-Shift ShiftLeft ctrl at 1
			-Control ControlLeft at 1`},
		{"+", `
			+Shift ShiftLeft shift at 1
			++ Equal shift "+"
			-+ Equal shift
			-Shift ShiftLeft at 1`},
		{"Control++", `
			+Control ControlLeft ctrl at 1
			+Shift ShiftLeft ctrl shift at 1
			++ Equal ctrl shift
			-+ Equal ctrl shift
			-Shift ShiftLeft ctrl at 1
			-Control ControlLeft at 1`},
		{"Meta+.", `
			+Meta MetaLeft meta at 1
			+. Period meta
			-. Period meta
			-Meta MetaLeft at 1`},
		{"Control+Control+ShiftRight", `
			+Control ControlLeft ctrl at 1
			+Shift ShiftRight ctrl shift at 2
			-Shift ShiftRight ctrl at 2
			-Control ControlLeft at 1`},
		{"Tab Tab x", `
			+Tab Tab
			-Tab Tab
			+Tab Tab
			-Tab Tab
			+x KeyX "x"
			-x KeyX`},
		{"a + b", `
			+a KeyA "a"
			-a KeyA
			+Shift ShiftLeft shift at 1
			++ Equal shift "+"
			-+ Equal shift
			-Shift ShiftLeft at 1
			+b KeyB "b"
			-b KeyB`},
		{" ", "+  Space \" \"\n-  Space"},
		{"\n", "+Enter Enter \"\\r\"\n-Enter Enter"},
		{"é", "+é  \"é\"\n-é "},
		{"NumpadAdd", "++ NumpadAdd at 3 \"+\"\n-+ NumpadAdd at 3"},
	} {
		t.Run(c.chords, func(t *testing.T) {
			events, err := chords(c.chords)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(trim(c.want), trim(script(events))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestKeyNames(t *testing.T) {
	for name, code := range map[string]string{
		"return": "Enter", "ESC": "Escape", "Del": "Delete", "Up": "ArrowUp", "DOWN": "ArrowDown", "left": "ArrowLeft",
		"Right": "ArrowRight", "PageUp": "PageUp", "page_up": "PageUp", "page-up": "PageUp", "PgUp": "PageUp", "pgdn": "PageDown",
		"Space": "Space", "spacebar": "Space", "BACK_SPACE": "Backspace", "f24": "F24", "F5": "F5",
		"Ctl": "ControlLeft", "Cmd": "MetaLeft", "Command": "MetaLeft", "Option": "AltLeft", "Win": "MetaLeft",
		"plus": "Equal", "Comma": "Comma", "period": "Period", "Slash": "Slash", "Minus": "Minus", "clear": "NumpadClear",
		"Numpad7": "Numpad7", "NumpadEnter": "NumpadEnter", "menu": "ContextMenu",
		"ControlOrMeta": controlOrMeta("linux") + "Left", "CmdOrCtrl": "ControlLeft",
	} {
		st, ok := findStroke(name)
		if !ok || st.code != code {
			t.Errorf("%s is %q, %v; want %s", name, st.code, ok, code)
		}
	}
	if got := controlOrMeta("darwin"); got != "Meta" {
		t.Errorf("on darwin shortcuts are with %s", got)
	}
	for alias := range keyAliases {
		if st, ok := findStroke(alias); !ok || st.code == "" {
			t.Errorf("alias %s leads nowhere", alias)
		}
		if alias != plainName(alias) {
			t.Errorf("alias %s is never looked up", alias)
		}
	}
	for r := '\uE001'; r <= '\uE05D'; r++ {
		gap := r > '\uE029' && r < '\uE031' || r > '\uE03D' && r < '\uE050' // ZenkakuHankaku is on no US keyboard
		if st := strokesByPoint[string(r)]; (st.code == "") != gap {
			t.Errorf("%U is %q", r, st.code)
		}
	}
}

// Every character of ASCII has a key, and no two keys share a code.
func TestTableIsWhole(t *testing.T) {
	for c := ' '; c <= '~'; c++ {
		st, ok := strokesByChar[string(c)]
		if !ok || st.code == "" || st.side != 0 {
			t.Errorf("%q is struck as %+v", c, st)
		}
	}
	seen := map[string]bool{}
	for _, k := range usKeys {
		if seen[k.code] || k.code == "" || k.name == "" {
			t.Errorf("entry %+v", k)
		}
		seen[k.code] = true
	}
}

func TestChordErrors(t *testing.T) {
	for _, c := range []struct{ chords, want string }{
		{"", "no key given"},
		{"  ", "no key"},
		{"Control+", "nothing on one side"},
		{"+a", "nothing on one side"},
		{"+++", "nothing on one side"},
		{"Entr", "did you mean Enter?"},
		{"ArowLeft", "did you mean ArrowLeft?"},
		{"Contrl+a", "did you mean Control?"},
		{"Page", "did you mean PageUp?"},
		{"Ctrl-A", "did you mean Ctrl+A?"},
		{"Alt-Left", "did you mean Alt+Left?"},
		{"hello", "PageDown, Insert"},
		{"hello", "text is typed with input"},
		{"Tab F25", `no key "F25"`},
		{"a+b", `write "a b"`},
		{"😀", "no key"},
		{"\x00", "no key"},
		{"\xff", "no key"},
		{KeyNull, "no key"},
		{strings.Repeat("x", 1000), "…"},
	} {
		events, err := chords(c.chords)
		if err == nil || !strings.Contains(err.Error(), c.want) || CodeOf(err) != CodeInvalid {
			t.Errorf("%q: %v, want %s", c.chords, err, c.want)
		}
		if len(events) != 0 {
			t.Errorf("%q presses something all the same", c.chords)
		}
		if err != nil && len(err.Error()) > 600 {
			t.Errorf("%.20q: %d characters of error", c.chords, len(err.Error()))
		}
	}
}

// balanced holds for all hands: every press is released, modifiers last first,
// and every event tells the modifiers that are held.
func balanced(events []backend.Input) error {
	type id struct{ key, code string }
	modifiers := map[string]backend.Mods{
		"Shift": backend.Shift, "Control": backend.Control, "Alt": backend.Alt, "Meta": backend.Meta,
	}
	down := map[id]bool{}
	var held []backend.Key
	for i, e := range events {
		k, ok := e.(backend.Key)
		if !ok {
			for id := range down {
				if id.key != "Shift" {
					return fmt.Errorf("event %d: text while %s is down", i, id.key)
				}
			}
			continue
		}
		mod := modifiers[k.Key]
		name := id{k.Key, k.Code}
		if k.Down == down[name] {
			return fmt.Errorf("event %d: %s down %v twice", i, k.Key, k.Down)
		}
		if k.Down {
			down[name] = true
		} else {
			delete(down, name)
		}
		switch {
		case mod == 0:
		case k.Down:
			held = append(held, k)
		default:
			for j := range held {
				if held[j].Code == k.Code {
					held = append(held[:j], held[j+1:]...)
					break
				}
			}
		}
		var mods backend.Mods
		for _, h := range held {
			mods |= modifiers[h.Key]
		}
		if k.Mods != mods {
			return fmt.Errorf("event %d: %s says modifiers %d, held are %d", i, k.Key, k.Mods, mods)
		}
		if k.Text != "" && (!k.Down || mods&^backend.Shift != 0) {
			return fmt.Errorf("event %d: %s types %q", i, k.Key, k.Text)
		}
	}
	if len(down) > 0 {
		return fmt.Errorf("still down: %v", down)
	}
	return nil
}

// typed is the text that comes of the events.
func typed(events []backend.Input) string {
	var b strings.Builder
	for _, e := range events {
		switch e := e.(type) {
		case backend.Key:
			b.WriteString(e.Text)
		case backend.Text:
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// A long text comes at once, but for its first key and for those that do something.
func TestTypingLongTexts(t *testing.T) {
	testkit.OnEveryBrowser(t)
	line := strings.Repeat("Ab é 😀 ", 50_000)
	events := typing(line + "\n" + line + KeyControl + "a" + KeyNull + line)
	if len(events) > 30 {
		t.Errorf("%d events", len(events))
	}
	if err := balanced(events); err != nil {
		t.Error(err)
	}
	if got := strings.Count(typed(events), line[1:]); got != 3 {
		t.Errorf("the line is typed %d times", got)
	}
	if n := len(typing(strings.Repeat("a", byHand))); n < byHand {
		t.Errorf("a text of %d keys has %d events", byHand, n)
	}
}

func FuzzTyping(f *testing.F) {
	for _, s := range []string{
		"", "Hello, Wörld! 😀", "A\r\nB\tC", KeyControl + "aA" + KeyNull + "é", KeyShift + "Aa1!" + KeyShift,
		KeyAlt + KeyAlt + KeyAlt, "\uE050" + KeyShift + "x", "e\u0301\u200d\xff\x00", "\u0600" + KeyEnter, "\uE050\f", strings.Repeat("Ab é", 300),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		events := typing(s)
		if err := balanced(events); err != nil {
			t.Fatalf("%q: %v\n%s", s, err, script(events))
		}
		if strings.ContainsFunc(s, isWebDriverKey) || strings.ContainsAny(s, "\t\b\r\n") || !utf8.ValidString(s) {
			return
		}
		if got := typed(events); got != s {
			t.Fatalf("%q types %q", s, got)
		}
	})
}

func FuzzChords(f *testing.F) {
	for _, s := range []string{
		"", " ", "+", "++", "Control++", "Control + a", "Tab Tab Enter", "Ctrl-A", "Shift+Shift+A", "\uE009+\uE050+é",
		"ShiftRight+Shift+a", "a+", "Alt Alt+", "-", "\xff-a",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		events, err := chords(s)
		var known *Error
		if err != nil && !errors.As(err, &known) {
			t.Fatalf("%q: %T", s, err)
		}
		if err == nil && len(events) == 0 {
			t.Fatalf("%q presses nothing and says nothing", s)
		}
		if err := balanced(events); err != nil {
			t.Fatalf("%q: %v\n%s", s, err, script(events))
		}
	})
}
