package outlet

import (
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"strings"
	"testing"

	"golang.org/x/net/idna"
)

func mail(s string) string {
	var b strings.Builder
	w := quotedprintable.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

func list(numbers []int) string { b, _ := json.Marshal(numbers); return string(b) }

func numbersOf[T byte | uint16 | rune](s []T) (n []int) {
	for _, c := range s {
		n = append(n, int(c))
	}
	return n
}

// ways to take a value apart.
var takenApart = []way{
	{name: "mail", of: mail},
	{name: "mail, every byte", of: eachByte("=%02X")},
	{name: "mail, lower", of: eachByte("=%02x")},
	{name: "mail, broken", of: func(s string) string { r := []rune(s); return mail(string(r[:4])) + "=\r\n" + mail(string(r[4:])) }},
	{name: "header", of: func(s string) string { return mime.QEncoding.Encode("utf-8", s+" é") }},
	{name: "padded entities", of: eachRune(func(r rune) string { return fmt.Sprintf("&#%07d;", r) })},
	{name: "UTF-8 as Latin-1", of: func(s string) string { return latin1([]byte(s)) }},
	{name: "marks apart", of: strings.NewReplacer("ä", "a\u0308", "ö", "o\u0308", "ü", "u\u0308", "й", "и\u0306").Replace},
	{name: "struck out", of: between("\u0336")},
	{name: "bold", of: eachRune(func(r rune) string {
		if r >= 'a' && r <= 'z' {
			return string(r - 'a' + 0x1D41A)
		}
		return string(r)
	})},
	{name: "tag characters", of: eachRune(func(r rune) string {
		if r > ' ' && r < 0x7F {
			return string(r + 0xE0000)
		}
		return string(r)
	})},
	{name: "base32", of: func(s string) string { return base32.StdEncoding.EncodeToString([]byte(s)) }},
	{name: "base32 within", of: func(s string) string {
		return strings.ToLower(base32.StdEncoding.EncodeToString([]byte("xy" + s + "z")))
	}},
	{name: "bytes", of: func(s string) string { return list(numbersOf([]byte(s))) }},
	{name: "bytes, spaced", of: func(s string) string { return fmt.Sprint([]byte(s)) }},
	{name: "code points", of: func(s string) string { return list(numbersOf([]rune(s))) }},
	{name: "an array of bytes", of: func(s string) string {
		var parts []string
		for i, c := range []byte(s) {
			parts = append(parts, fmt.Sprintf(`"%d": %d`, i, c))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}},
	{name: "hex with colons", of: eachByte("%02x:")},
	{name: "hex with dashes", of: eachByte("%02X-")},
	{name: "marked hex", of: eachByte("0x%02x, ")},
	{name: "hex of hex", of: func(s string) string { return hex.EncodeToString([]byte(hex.EncodeToString([]byte(s)))) }},
	{name: "elements", of: between("</b><b>")},
	{name: "elements with classes", of: between(`</span><span class="letter">`)},
	{name: "elements in JSON", of: then(between("</i><i>"), jsonOf)},
	{name: "comments", of: between("<!-- -->")},
	{name: "CDATA", of: func(s string) string {
		r := []rune(s)
		return "<![CDATA[" + string(r[:3]) + "]]><![CDATA[" + string(r[3:]) + "]]>"
	}},
	{name: "dots", of: between(".")},
	{name: "dashes", of: between("-")},
	{name: "middle dots", of: between("·")},
	{name: "underlines", of: between("_")},
	{name: "stars", of: between("**")},
	{name: "items", of: between("\n- ")},
	{name: "templates", of: between("${''}")},
	{name: "sums", of: between("' + '")},
	{name: "tags in brackets", of: between("[/b][b]")},
	{name: "colours of terminals", of: between("\x1b[0m\x1b[1;31m")},
	{name: "colours in JSON", of: then(between("\x1b[1m"), jsonOf)},
	{name: "braces", of: eachRune(func(r rune) string { return fmt.Sprintf(`\x{%x}`, r) })},
	{name: "octal in braces", of: eachRune(func(r rune) string { return fmt.Sprintf(`\o{%o}`, r) })},
	{name: "named by number", of: eachRune(func(r rune) string { return fmt.Sprintf(`\N{U+%04X}`, r) })},
	{name: "U+", of: eachRune(func(r rune) string { return fmt.Sprintf("U+%04X ", r) })},
	{name: "escapes that lost their backslash", of: units("u%04x"), any: true},
	{name: "percent, four times", of: func(s string) string {
		for range 4 {
			s = encodeURIComponent(s)
		}
		return s
	}},
	{name: "spread into an object", of: inRows(`%d:%q,`)},
	{name: "entries", of: inRows(`[%d,%q],`)},
	{name: "numbered lines", of: inRows("%d. %s\n")},
	{name: "two lines of a view", of: halves("\"\ne17 text \"")},
	{name: "two cells", of: halves(" | ")},
	{name: "two fields", of: halves(`","second":"`)},
	{name: "three lines", of: func(s string) string {
		r := []rune(s)
		if len(r) < 10 { // pieces of three characters, the first of four
			return s
		}
		return string(r[:len(r)-3-len(r)/3]) + "\n  e2 text " + string(r[len(r)-3-len(r)/3:len(r)-3]) + "\n  e3 text " + string(r[len(r)-3:])
	}},
	{name: "base32 with digits first", of: func(s string) string { return base32.HexEncoding.EncodeToString([]byte("x" + s)) }},
	{name: "octal numbers", of: func(s string) string { return strings.Trim(fmt.Sprintf("%o", []byte(s)), "[]") }},
	{name: "code points in hex", of: func(s string) string { return strings.Trim(fmt.Sprintf("%x", []rune(s)), "[]") }},
	{name: "bytes with signs", of: func(s string) string {
		var n []int
		for _, c := range []byte(s) {
			n = append(n, int(int8(c)))
		}
		return list(n)
	}},
	{name: "a host", of: func(s string) string {
		host, _ := idna.Lookup.ToASCII(strings.ToLower(strings.ReplaceAll(s, " ", "")))
		return "https://" + host + ".example/"
	}},
	{name: "a letter in each object", of: func(s string) string {
		var parts []string
		for _, r := range s {
			parts = append(parts, `{"letter":"`+string(r)+`"}`)
		}
		return strings.Join(parts, ",")
	}},
	{name: "a letter on each line of a view", of: func(s string) string {
		var b strings.Builder
		for i, r := range []rune(s) {
			fmt.Fprintf(&b, "  e%d text \"%c\"\n", i+8, r)
		}
		return b.String()
	}},
	{name: "two letters in each call", of: func(s string) string {
		r := []rune(s)
		var parts []string
		for ; len(r) > 2; r = r[2:] {
			parts = append(parts, string(r[:2]))
		}
		return `"` + strings.Join(append(parts, string(r)), `".concat("`) + `")`
	}},
	{name: "deleted in between", of: between("x\b")},
	{name: "digits of another script", of: eachRune(func(r rune) string {
		if r >= '0' && r <= '9' {
			return string(r - '0' + 0x660)
		}
		return string(r)
	})},
}

// inRows writes each letter with its number.
func inRows(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for i, r := range []rune(s) {
			fmt.Fprintf(&b, format, i, string(r))
		}
		return b.String()
	}
}

// halves writes one half of a value here, and the other there.
func halves(between string) func(string) string {
	return func(s string) string {
		r := []rune(s)
		return string(r[:(len(r)+1)/2]) + between + string(r[(len(r)+1)/2:])
	}
}

// TestTakenApart: a value is found by its letters, bytes or numbers, whatever signs
// stand between them.
func TestTakenApart(t *testing.T) {
	t.Parallel()
	for _, value := range values {
		o := New(map[string]string{"V": value, "OTHER": "something else entirely"})
		for _, w := range takenApart {
			for _, s := range surroundings[:2] {
				if got := o.Text(s.before + w.of(value) + s.after); !strings.Contains(got, Mask) {
					t.Errorf("%s of %q is left: %q", w.name, value, got)
				}
			}
		}
	}
}

// TestNotTakenApart: what only has the letters of a value, or numbers, stays.
func TestNotTakenApart(t *testing.T) {
	t.Parallel()
	o := New(map[string]string{"A": `p!a'ss(wo)r*d`, "B": "correct-horse-battery", "C": "91827364"})
	for _, text := range []string{
		"the password", "pass word", "p.a.s.s.w.o.r.d", "correct horse battery", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "12:34:56:7", "2026-11-18 10:11:12, 00:1a:2b:3c:4d:5e",
		"<b>correct</b> <i>horse</i>", "a=12&b=34&c=56", "x_y_z=20", "correct-h, and 1. a 2. b 3. c 4. d 5. e 6. f 7. g 8. h 9. i", "a correct-ho. It has no rse, but a bat", "[255, 0, 10, 99, 111, 114, 114, 3]", "c1 o2 r3 r4 e5", "cxoxrxrxe-cxt", "[-99, -1, 62, 157, 162, 3, 7, 1]",
	} {
		if got := o.Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
