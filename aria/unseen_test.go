package aria

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestUnseen: what misleads is taken out of quotes and plain lines and is written out
// where all is shown; what people write stays as it is.
func TestUnseen(t *testing.T) {
	for _, text := range []string{
		"👩\u200d👧", "👩🏽\u200d🚀 to the moon", "❤️\u200d🔥", "1️⃣ 2️⃣", "🏳️\u200d🌈", "©️ ™", "☎︎", "نمی\u200cخواهم", "क्\u200dष", "日本語", "ünïcödé", "a b", "price: 5 €",
	} {
		if got := Plain(text); got != text {
			t.Errorf("Plain(%q) = %q", text, got)
		}
		if got := Quote(text); got != `"`+text+`"` {
			t.Errorf("Quote(%q) = %s", text, got)
		}
		if got := OneLine(text); got != text {
			t.Errorf("OneLine(%q) = %q", text, got)
		}
	}
	for _, r := range []rune{
		0x00, 0x07, 0x08, 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f,
		0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x206f, 0x2800, 0x3164, 0xe000, 0xf8ff, 0xfe00, 0xfe0e, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0x1d173,
		0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xe01ef, 0xf0000, 0x10ffff, '\r', '\v', '\f',
	} {
		in := "ab" + string(r) + "cd"
		for name, got := range map[string]string{"Plain": Plain(in), "Quote": Quote(in), "OneLine": OneLine(in), "Reveal": Reveal(in)} {
			if strings.ContainsRune(got, r) {
				t.Errorf("%s leaves %U in %q", name, r, got)
			}
			if !strings.Contains(got, "ab") || !strings.Contains(got, "cd") {
				t.Errorf("%s(%q) = %q", name, in, got)
			}
		}
	}
	for in, want := range map[string]string{"a\nb": `a\nb`, "a\r\nb": `a\nb`, "a\tb": "a b", "a\x1bb": `a\x1bb`, "a\u202eb": `a\u202eb`, "a\U000e0041b": `a\u{e0041}b`, "a\xffb": "a\uFFFDb"} {
		if got := OneLine(in); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestRevealJSON: the value is the same, and nothing in the text of it is unseen.
func TestRevealJSON(t *testing.T) {
	for _, value := range []string{"plain", "a\u009bb\u2028c\U000e0041d\u200de\ufe0f\x7f", "👩‍👧", "ü\u202e"} {
		data, err := json.Marshal(map[string]string{value: value})
		if err != nil {
			t.Fatal(err)
		}
		safe := RevealJSON(data)
		var back map[string]string
		if err := json.Unmarshal(safe, &back); err != nil || back[value] != value {
			t.Errorf("%q became %s, %v", value, safe, err)
		}
		if strings.ContainsFunc(string(safe), func(r rune) bool { return r == 0x7f || Unseen(r) || r == 0x2028 || r == joiner }) {
			t.Errorf("%q is still in %q", value, safe)
		}
	}
}

func TestWord(t *testing.T) {
	for in, want := range map[string]string{"/tmp/a-b_1.csv": "/tmp/a-b_1.csv", "bücher.pdf": "bücher.pdf", "a b": `"a b"`, "a\nb": `"a\nb"`, "a(1": `"a(1"`, `a"b`: `"a\"b"`} {
		if got := Word(in); got != want {
			t.Errorf("Word(%q) = %s, want %s", in, got, want)
		}
	}
}

func FuzzReveal(f *testing.F) {
	f.Add("a\u200db\ufe0f\x1b\u2028\xff👩‍👧")
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{Reveal(s), OneLine(s), Plain(s), Quote(s)} {
			if utf8.ValidString(s) && !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\u009b\u2028\u202e\r") {
				t.Errorf("%q became %q", s, got)
			}
		}
		if one := OneLine(s); OneLine(one) != one || strings.Contains(one, "\n") {
			t.Errorf("%q", one)
		}
	})
}
