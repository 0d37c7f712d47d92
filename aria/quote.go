package aria

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Page text is the page's word, not ours: wherever it stands in an answer it is
// between quotes, on one line, and without characters nobody can see. So no
// page can write a line that looks like one of rove's.

// appendQuoted writes s between quotes.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	b = appendEscaped(b, s, 0)
	return append(b, '"')
}

// appendEscaped writes s as it may stand between quotes, also escaping the byte
// also, if any: a bar, where bars divide cells.
func appendEscaped(b []byte, s string, also byte) []byte {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7F && c != '"' && c != '\\' && c != also {
			i++
			continue
		}
		size, repl := 1, ""
		switch {
		case c == '"':
			repl = `\"`
		case c == '\\':
			repl = `\\`
		case c == also && also != 0:
			b = append(b, s[from:i]...)
			b = append(b, '\\', c)
			i++
			from = i
			continue
		case c == '\n':
			repl = `\n`
		case c < ' ' || c == 0x7F:
			repl = " "
		default:
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			switch {
			case r == '\u2028' || r == '\u2029':
				repl = `\n`
			case r == utf8.RuneError && size == 1:
				repl = "\uFFFD"
			case !unseenAt(s, i, r, size):
				i += size
				continue
			}
		}
		b = append(b, s[from:i]...)
		b = append(b, repl...)
		i += size
		from = i
	}
	return append(b, s[from:]...)
}

// Unseen says whether a character says nothing to a reader: controls, invisible
// marks and fillers (a favourite place to hide words for a model), and the private
// use area, where icon fonts live. Those that only change what they stand beside are
// not among them; see unseenAt.
func Unseen(r rune) bool {
	switch {
	case r < 0xAD:
		return r >= 0x7F && r < 0xA0
	case r < 0x200B:
		return r == 0xAD || r == 0x34F || r == 0x61C || r == 0x115F || r == 0x1160 || r == 0x17B4 || r == 0x17B5 || r >= 0x180B && r <= 0x180F
	case r == 0x200B, r == 0x200E, r == 0x200F:
		return true
	case r < 0x202A:
		return false
	case r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true
	case r < 0xE000:
		return r == 0x2800 || r == 0x3164
	case r <= 0xF8FF, r >= 0xFE00 && r <= 0xFE0D, r == 0xFEFF, r == 0xFFA0, r >= 0xFFF9 && r <= 0xFFFB:
		return true
	}
	return r >= 0x1D173 && r <= 0x1D17A || r >= 0xE0000
}

const (
	nonJoiner = 0x200C
	joiner    = 0x200D
	asText    = 0xFE0E // how the emoji before it is drawn
	asEmoji   = 0xFE0F
)

// unseenAt is Unseen for a character of a text, at its place: joiners and the
// selectors of emoji are seen where they do their work, between or after emoji and
// within words of scripts that need them, and hide words everywhere else.
func unseenAt(s string, at int, r rune, size int) bool {
	switch r {
	case nonJoiner, joiner, asText, asEmoji:
	default:
		return Unseen(r)
	}
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at+size:])
	switch {
	case r == asText || r == asEmoji:
		return !emoji(before) && !(after == 0x20E3 && before < 0x80) // 1️⃣
	case r == joiner && (emoji(before) || before == asEmoji) && emoji(after):
		return false
	}
	return !joining(before) || !joining(after)
}

// emoji says whether a character may be part of a picture made of several.
func emoji(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2190 && r <= 0x2BFF && r != 0x2800 || r == 0xA9 || r == 0xAE || r == 0x203C || r == 0x2049 || r == 0x2122 || r == 0x2139 || r == 0x3030 || r == 0x303D || r == 0x3297 || r == 0x3299
}

// joining says whether a character is of a script whose words have joiners: Arabic,
// Syriac, those of India and its neighbours, Mongolian.
func joining(r rune) bool {
	return (r >= 0x600 && r <= 0xDFF || r >= 0xF00 && r <= 0x109F || r >= 0x1780 && r <= 0x18AF || r >= 0xA840 && r <= 0xA9FF) && !Unseen(r)
}

// Reveal writes out what nobody would see: control characters, which could command
// a terminal, what some take for the end of a line, and what is Unseen. Lines and
// tabs stay.
func Reveal(s string) string { return reveal(s, false) }

// OneLine is Reveal for what has to stay on one line.
func OneLine(s string) string { return reveal(s, true) }

func reveal(s string, oneLine bool) string {
	if plainText(s, oneLine) {
		return s
	}
	b := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n' && oneLine, r == '\r' && strings.HasPrefix(s[i+1:], "\n") && oneLine:
			if r == '\r' {
				size = 2
			}
			b = append(b, `\n`...)
		case r == '\t' && oneLine:
			b = append(b, ' ')
		case r == '\n', r == '\t':
			b = append(b, byte(r))
		case r == utf8.RuneError && size == 1:
			b = append(b, "\uFFFD"...)
		case r >= ' ' && r != 0x2028 && r != 0x2029 && !unseenAt(s, i, r, size):
			b = append(b, s[i:i+size]...)
		case r > 0xffff:
			b = fmt.Appendf(b, "\\u{%x}", r)
		case r > 0xff:
			b = fmt.Appendf(b, "\\u%04x", r)
		default:
			b = fmt.Appendf(b, "\\x%02x", r)
		}
		i += size
	}
	return string(b)
}

// plainText says whether a text is plain ASCII, with no controls but lines and tabs.
func plainText(s string, oneLine bool) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' && (oneLine || c != '\n' && c != '\t') || c >= 0x7F {
			return false
		}
	}
	return true
}

// RevealJSON does the same to JSON that was written already: what nobody would see
// becomes an escape that stands for it. The value stays as it is.
func RevealJSON(b []byte) []byte {
	from := 0
	var out []byte
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf && b[i] != 0x7F { // what JSON lets stand between values
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == 0x2028 || r == 0x2029 || Unseen(r) || r == nonJoiner || r == joiner || r == asText || r == asEmoji {
			out = append(out, b[from:i]...)
			for _, u := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, u)
			}
			from = i + size
		}
		i += size
	}
	if out == nil {
		return b
	}
	return append(out, b[from:]...)
}

// blank says whether nothing of s can be seen.
func blank(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c > ' ' && c != 0x7F {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !Unseen(r) && r != 0xA0 && r != '\u2028' && r != '\u2029' {
			return false
		}
		i += size
	}
	return true
}

// Quote writes page text between quotes, on one line and without characters
// nobody can see, as it stands in a view.
func Quote(s string) string { return string(appendQuoted(nil, s)) }

// Word writes a name or path that a page may have had a say in: as it is where it
// cannot be taken for more than that, otherwise between quotes.
func Word(s string) string {
	for _, r := range s {
		if r <= ' ' || r == '"' || r == '\\' || r == '(' || r == ')' || r == ',' || r >= 0x7F && !unicode.IsLetter(r) {
			return Quote(s)
		}
	}
	return s
}

// Plain makes page text fit for a line outside quotes, as a title or an address is:
// one line, and no characters that nobody can see.
func Plain(s string) string {
	simple := true
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7F {
			simple = false
			break
		}
	}
	if simple {
		return s
	}
	b := make([]byte, 0, len(s))
	for i, r := range s {
		size := max(1, utf8.RuneLen(r))
		if r == utf8.RuneError && s[i] != 0xEF {
			size = 1
		}
		switch {
		case r < ' ' || r == 0x7F || r == '\u2028' || r == '\u2029':
			b = append(b, ' ')
		case !unseenAt(s, i, r, size):
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}
