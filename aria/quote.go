package aria

import (
	"fmt"
	"strings"
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
			case !Unseen(r):
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
// marks (a favourite place to hide words for a model), and the private use area,
// where icon fonts live.
func Unseen(r rune) bool {
	switch {
	case r < 0xAD:
		return r >= 0x7F && r < 0xA0
	case r == 0xAD, r == 0x200B, r == 0x200E, r == 0x200F, r == 0xFEFF, r == 0x61C, r == 0x180E:
		return true
	case r < 0x202A:
		return false
	case r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true
	case r >= 0xE000 && r <= 0xF8FF:
		return true
	}
	return r >= 0xE0000
}

// Reveal writes out what nobody would see: control characters, which could command
// a terminal, what some take for the end of a line, and what is Unseen. Lines and
// tabs stay.
func Reveal(s string) string {
	hidden := func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r == 0x2028 || r == 0x2029 || Unseen(r)
	}
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, "\\u{%x}", r)
		case r > 0xff:
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			fmt.Fprintf(&b, "\\x%02x", r)
		}
	}
	return b.String()
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
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7F || r == '\u2028' || r == '\u2029':
			return ' '
		case Unseen(r):
			return -1
		}
		return r
	}, s)
}
