package outlet

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// page is a look of 100 KB, with links, quotes and escapes as pages have them.
func page() string {
	var b strings.Builder
	for i := 0; b.Len() < 100<<10; i++ {
		fmt.Fprintf(&b, "e%d link \"Article %d: the quick brown fox\" → https://shop.example/articles/the-quick-brown-fox-%d?ref=list%%20of%%20news&id=%d\n  text \"by Ada Lovelace, 5 minutes & more\"\n", i, i, i, i)
	}
	return b.String()
}

func secretsFor(n int) map[string]string {
	m := map[string]string{}
	for i := range n {
		m[fmt.Sprint("S", i)] = fmt.Sprintf("correct horse %d battery staple", i*7919)
	}
	return m
}

func BenchmarkText(b *testing.B) {
	text := page()
	for _, n := range []int{0, 1, 10} {
		b.Run(fmt.Sprintf("%d secrets", n), func(b *testing.B) {
			o := New(secretsFor(n))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				o.Text(text)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(secretsFor(10))
	}
}

// FuzzText: whatever stands around a value, and however it is written, nothing of it
// is left, and the rest of the text is as it was.
func FuzzText(f *testing.F) {
	f.Add("hunter22", "you typed ", "!", 0)
	f.Add("correct horse battery staple", "a", "b", 3)
	f.Add("pässwörd-ünd-mehr", "x", "y", 7)
	f.Add("aaaa", "aaa", "aaaaaa", 9)
	f.Add("a%4", "1", "1", 0)
	f.Add("100%", "%", "25", 0)
	f.Add("x\\", "\\", "u0041", 0)
	f.Add("&amp", "&", ";", 18)
	f.Fuzz(func(t *testing.T, value, before, after string, how int) {
		if !utf8.ValidString(value) || !Long(value) || strings.Contains(value, "•") || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' }) {
			return
		}
		o := New(map[string]string{"A": value})
		w := simple[uint(how)%uint(len(simple))]
		got := o.Text(before + value + after)
		if strings.Contains(got, value) {
			t.Errorf("%q is left in %q", value, got)
		}
		if utf8.ValidString(before) && utf8.ValidString(after) && !utf8.ValidString(got) {
			t.Errorf("%q is not UTF-8 any more", got)
		}
		o.Text(before + w.of(value) + after) // which must come to an end
		if Long(value) && len(value) > 20 && o.Text("nothing to see") != "nothing to see" {
			t.Error("a text without it was changed")
		}
	})
}
