package outlet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// form is how a text is written before secrets are looked for in it. What nobody
// sees is left out (controls, zero widths, byte order marks), and so is what is only
// there to write the rest down. Letters beyond ASCII are in lower case, wide ones are
// narrow; bytes that are no UTF-8 count as Latin-1, as the halves of UTF-16 do.
type form int

const (
	// loose leaves out blanks, plus signs, quotes, backslashes and what stands between
	// the entries of a list or the cells of a row too: a value that was broken up,
	// joined from parts or quoted is still found.
	loose form = iota
	// strict keeps them, blanks of any kind as one kind. It is for values so short
	// that the loose form would find them where they are not.
	strict
	// bare keeps letters and digits alone: see parted.
	bare
)

// places says where the bytes of a form or of a decoded text came from.
type places struct{ from, to []int32 }

func (p *places) add(n, from, to int) {
	for ; n > 0; n-- {
		p.from, p.to = append(p.from, int32(from)), append(p.to, int32(to))
	}
}

// back gives spans of the text that they were found in as spans of its source.
func (p *places) back(spans []span) []span {
	out := spans[:0]
	for _, s := range spans {
		if s.from < s.to && s.to <= len(p.to) {
			out = append(out, span{int(p.from[s.from]), int(p.to[s.to-1])})
		}
	}
	return out
}

// of gives the form of a text.
func (f form) of(text []byte) []byte { return f.write(make([]byte, 0, len(text)), text, nil) }

// write appends the form of a text, and where it came from if somebody asks.
func (f form) write(b, text []byte, p *places) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if f == bare && c < utf8.RuneSelf && !alnum(c) {
			i++
			continue
		}
		if c > ' ' && c < 0x7F && (f == bare || plain[c] || f == strict && c != '+') {
			b = append(b, c)
			if p != nil {
				p.add(1, i, i+1)
			}
			i++
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			if r, size = utf8.DecodeRune(text[i:]); r == utf8.RuneError && size == 1 {
				r = rune(c)
			}
		}
		had := len(b)
		b = f.append(b, r)
		if p != nil {
			p.add(len(b)-had, i, i+size)
		}
		i += size
	}
	return b
}

// plain are the characters of ASCII that stand for themselves in the loose form.
var plain = func() (t [0x80]bool) {
	for c := '!'; c < 0x7F; c++ {
		t[c] = !strings.ContainsRune("\"'\\+,|", c)
	}
	return t
}()

func (f form) append(b []byte, r rune) []byte {
	if f == bare {
		if r >= utf8.RuneSelf && !lettered(r) {
			return b
		}
		f = loose
	}
	if r >= 0xFF01 && r <= 0xFF5E { // wide
		r -= 0xFEE0
	}
	switch {
	case r == '+' || unicode.IsSpace(r):
		if f == strict && r != '\n' && r != '\r' {
			return append(b, ' ')
		}
		return b
	case r < ' ' || r == 0x7F || ignorable(r):
		return b
	case r >= utf8.RuneSelf && unicode.Is(unicode.Nd, r):
		return append(b, digit(r))
	case r < utf8.RuneSelf:
		if f == loose && !plain[r] {
			return b
		}
		return append(b, byte(r))
	case r == 'ß' || r == 'ẞ':
		return append(b, "ss"...)
	case f == loose && unicode.Is(unicode.Mn, r):
		return b // a mark on the letter before it
	}
	if f == loose {
		return apart(b, r)
	}
	return utf8.AppendRune(b, unicode.ToLower(unicode.ToUpper(r)))
}

// digit is a digit of any script as one of ASCII: each has its ten in a row.
func digit(r rune) byte {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return '0' + byte((r-rune(t.Lo))%10)
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return '0' + byte((r-rune(t.Lo))%10)
		}
	}
	return '0'
}

// apart appends a character without the marks on it, and letters of another style as
// ordinary ones: ä may be one character or two.
func apart(b []byte, r rune) []byte {
	var buf [utf8.UTFMax]byte
	whole := norm.NFKD.Properties(buf[:utf8.EncodeRune(buf[:], r)]).Decomposition()
	if whole == nil {
		return utf8.AppendRune(b, unicode.ToLower(unicode.ToUpper(r)))
	}
	for len(whole) > 0 {
		part, size := utf8.DecodeRune(whole)
		whole = whole[size:]
		if !unicode.Is(unicode.Mn, part) {
			b = utf8.AppendRune(b, unicode.ToLower(unicode.ToUpper(part)))
		}
	}
	return b
}

// ignorable says whether a character can stand between others and not be seen.
func ignorable(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r <= 0x9F, r == 0x34F, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x17B4, r == 0x17B5, r == 0x2800, r >= 0x180B && r <= 0x180F,
		r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF, r >= 0x1D173 && r <= 0x1D17A:
		return true
	}
	return unicode.Is(unicode.Cf, r)
}
