package outlet

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// layers is how many encodings may lie over each other: an address in JSON in an
// address has three.
const layers = 3

// reading says what counts as an escape, where that can be one thing or another.
type reading int

const (
	asCSS     reading = iota // all kinds; a backslash before digits as in style sheets: \73 and \000073, with a blank after it or not
	asOctal                  // all kinds; a backslash before digits as in older languages: \163
	asAddress                // percent signs alone: &amp%3B is no entity yet
)

var readings = []reading{asCSS, asOctal, asAddress}

// decode reads the escapes of a text, of all kinds at once: percent signs, entities,
// those of JSON, scripts and style sheets. It gives nil where there are none.
func decode(text []byte, how reading, p *places) []byte {
	if how == asOctal && !hasOctal(text) {
		return nil
	}
	var b []byte
	from := 0
	for i := 0; i < len(text); {
		at := bytes.IndexAny(text[i:], `%&\`)
		if at < 0 {
			break
		}
		i += at
		var buf [8]byte
		out, size := unescape(buf[:0], text[i:], how)
		if size == 0 {
			i++
			continue
		}
		if b == nil {
			b = make([]byte, 0, len(text))
		}
		if p != nil {
			for k := from; k < i; k++ {
				p.add(1, k, k+1)
			}
			p.add(len(out), i, i+size)
		}
		b = append(append(b, text[from:i]...), out...)
		i += size
		from = i
	}
	if b == nil {
		return nil
	}
	if p != nil {
		for k := from; k < len(text); k++ {
			p.add(1, k, k+1)
		}
	}
	return append(b, text[from:]...)
}

// unescape reads the escape at the beginning of a text: what it stands for, and its
// size, which is 0 where there is none.
func unescape(b, t []byte, how reading) ([]byte, int) {
	if len(t) < 2 {
		return b, 0
	}
	switch t[0] {
	case '%':
		if v, ok := hexAt(t, 1, 2); ok {
			if size := again(t); how == asAddress && size > 0 {
				v, _ := hexAt(t, size-2, 2)
				return append(b, byte(v)), size
			}
			return append(b, byte(v)), 3
		}
		if t[1] == 'u' {
			return unit(b, t, 2, `%u`)
		}
		return b, 0
	case '&':
		if how == asAddress {
			return b, 0
		}
		return entity(b, t)
	}
	if how == asAddress {
		return b, 0
	}
	switch c := t[1]; {
	case len(t) > 2 && t[2] == '{' && (c == 'u' || c == 'x' || c == 'o' || c == 'N'):
		return braced(b, t)
	case c == 'u':
		return unit(b, t, 2, `\u`)
	case c == 'U':
		if v, ok := hexAt(t, 2, 8); ok {
			return utf8.AppendRune(b, rune(v)), 10
		}
		return append(b, c), 2
	case c == 'x':
		if v, ok := hexAt(t, 2, 2); ok {
			return append(b, byte(v)), 4 // of UTF-8 or Latin-1: the form takes both
		}
		return append(b, c), 2
	case how == asOctal && octal(t):
		return append(b, (c-'0')<<6|(t[2]-'0')<<3|(t[3]-'0')), 4
	case how == asCSS && isHex(c):
		n := 1
		for n < 6 && n+1 < len(t) && isHex(t[n+1]) {
			n++
		}
		v, _ := hexAt(t, 1, n)
		if n++; n < len(t) && (t[n] == ' ' || t[n] == '+') { // a plus is a blank in an address
			n++
		}
		return utf8.AppendRune(b, rune(v)), n
	case c == 'n' || c == 't' || c == 'r' || c == 'v':
		return append(b, ' '), 2
	case c < utf8.RuneSelf:
		return append(b, c), 2
	}
	return b, 0
}

// again is the size of an escape that was escaped time and again: %252541.
func again(t []byte) int {
	n := 1
	for bytes.HasPrefix(t[n:], []byte("25")) {
		n += 2
	}
	if _, ok := hexAt(t, n, 2); !ok || n == 1 {
		return 0
	}
	return n + 2
}

// braced reads \u{68}, \x{68}, \o{150} and \N{U+0068}.
func braced(b, t []byte) ([]byte, int) {
	end := bytes.IndexByte(t[:min(len(t), 16)], '}')
	if end < 4 {
		return b, 0
	}
	digits, base := string(t[3:end]), 16
	switch t[1] {
	case 'o':
		base = 8
	case 'N':
		digits = strings.TrimPrefix(digits, "U+")
	}
	v, err := strconv.ParseUint(digits, base, 21)
	if err != nil {
		return b, 0
	}
	return utf8.AppendRune(b, rune(v)), end + 1
}

// unit reads four hex digits as a unit of UTF-16, or two of them as a pair.
func unit(b, t []byte, at int, prefix string) ([]byte, int) {
	v, ok := hexAt(t, at, 4)
	if !ok {
		return b, 0
	}
	next := at + 4
	if utf16.IsSurrogate(rune(v)) && bytes.HasPrefix(t[next:], []byte(prefix)) {
		if low, ok := hexAt(t, next+len(prefix), 4); ok {
			if r := utf16.DecodeRune(rune(v), rune(low)); r != utf8.RuneError {
				return utf8.AppendRune(b, r), next + len(prefix) + 4
			}
		}
	}
	return utf8.AppendRune(b, rune(v)), next
}

// entity reads an entity of HTML: &quot; &#34; &#x22; and those that go without a
// semicolon.
func entity(b, t []byte) ([]byte, int) {
	const longest = 34
	end := 1
	for end < len(t) && end < longest && (t[end] == '#' && end == 1 || t[end] >= '0' && t[end] <= '9' || t[end]|0x20 >= 'a' && t[end]|0x20 <= 'z') {
		end++
	}
	if t[1] == '#' && end > 2 { // its digits end where they end
		digits, base := 2, 10
		if t[2]|0x20 == 'x' {
			digits, base = 3, 16
		}
		n := digits
		for n < end && (base == 16 && isHex(t[n]) || t[n] >= '0' && t[n] <= '9') {
			n++
		}
		v, err := strconv.ParseUint(string(t[digits:n]), base, 32)
		if err != nil || v > utf8.MaxRune {
			return b, 0
		}
		if n < len(t) && t[n] == ';' {
			n++
		}
		return utf8.AppendRune(b, rune(v)), n
	}
	if end < len(t) && t[end] == ';' {
		end++
	}
	if end < 3 {
		return b, 0
	}
	was := string(t[:end])
	is := html.UnescapeString(was)
	if is == was {
		return b, 0
	}
	return append(b, is...), end
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func hexAt(t []byte, at, n int) (uint64, bool) {
	if at+n > len(t) {
		return 0, false
	}
	v := uint64(0)
	for _, c := range t[at : at+n] {
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | uint64(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			v = v<<4 | uint64(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return v, true
}

func octal(t []byte) bool {
	return len(t) > 3 && t[1] >= '0' && t[1] <= '3' && t[2] >= '0' && t[2] <= '7' && t[3] >= '0' && t[3] <= '7'
}

func hasOctal(text []byte) bool {
	for i := 0; ; i++ {
		at := bytes.IndexByte(text[i:], '\\')
		if at < 0 {
			return false
		}
		if i += at; octal(text[i:]) {
			return true
		}
	}
}

// leastRun is how many characters of base64 or hex are worth reading: what is
// written plainly in fewer is looked for as it is (spell.go).
const leastRun = 16

// run is a part of a text that may be base64 or hex.
type run struct {
	span
	hex bool // nothing but hex digits
}

// runs finds them.
func runs(text []byte) []run {
	var list []run
	for i := 0; i < len(text); {
		if alphabet[text[i]] == 0 {
			i++
			continue
		}
		from, all := i, byte(isDigit)
		for i < len(text) && alphabet[text[i]] != 0 {
			all &= alphabet[text[i]]
			i++
		}
		if i-from >= leastRun {
			list = append(list, run{span{from, i}, all&isDigit != 0})
		}
	}
	return list
}

const (
	inBase64 = 1 << iota
	isDigit  // of hex
)

var alphabet = func() (t [256]byte) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") {
		t[c] = inBase64
		if isHex(c) {
			t[c] |= isDigit
		}
	}
	return t
}()

// read gives what a run stands for as base64 or as hex, with so many characters of
// it left out at the beginning.
func (r run) read(text []byte, asHex bool, skip int) []byte {
	in := text[r.from+skip : r.to]
	if asHex {
		out := make([]byte, len(in)/2)
		n, _ := hex.Decode(out, in[:len(in)/2*2])
		return out[:n]
	}
	plain := make([]byte, len(in), len(in)+3)
	for i, c := range in {
		switch c {
		case '-':
			c = '+'
		case '_':
			c = '/'
		}
		plain[i] = c
	}
	if len(plain)%4 == 1 {
		plain = plain[:len(plain)-1] // which is no byte yet
	}
	for len(plain)%4 != 0 {
		plain = append(plain, 'A') // which adds nothing but zeroes
	}
	out := make([]byte, base64.StdEncoding.DecodedLen(len(plain)))
	n, _ := base64.StdEncoding.Decode(out, plain)
	return out[:n]
}

// back gives spans of what a run was read as, as spans of the text.
func (r run) back(spans []span, asHex bool, skip int) []span {
	for i, s := range spans {
		if asHex {
			s = span{s.from * 2, s.to * 2}
		} else {
			s = span{s.from * 8 / 6, (s.to*8 + 5) / 6}
		}
		spans[i] = span{min(r.from+skip+s.from, r.to), min(r.from+skip+s.to, r.to)}
	}
	return spans
}
