package wire

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

var (
	textHead = []byte(`{"result":{"type":"string","value":"`)
	textTail = []byte(`}}`)
)

// Text returns the string in a result of the form
//
//	{"result":{"type":"string","value":"…"}}
//
// which is what Runtime.evaluate and Runtime.callFunctionOn answer when the
// script returns a string. It agrees with Unmarshal, but makes one copy and
// looks at escapes only; pages' views arrive this way, some of them megabytes.
// False means that the body has another form, or text that needs more care:
// decode it in full.
func Text(body []byte) (string, bool) {
	src, ok := bytes.CutPrefix(body, textHead)
	if !ok {
		return "", false
	}
	n := skipString(src)
	if n < 0 || !bytes.Equal(src[n:], textTail) {
		return "", false
	}
	src = src[:n-1]
	if !utf8.Valid(src) {
		return "", false
	}
	dst := make([]byte, 0, len(src))
	for len(src) > 0 {
		if src[0] != '\\' {
			n := bytes.IndexByte(src, '\\')
			if n < 0 {
				n = len(src)
			}
			dst = append(dst, src[:n]...)
			src = src[n:]
			continue
		}
		r, size := unescape(src)
		if size == 0 {
			return "", false
		}
		if r < utf8.RuneSelf {
			dst = append(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		src = src[size:]
	}
	return unsafe.String(unsafe.SliceData(dst), len(dst)), true
}

// unescape decodes the escape that b begins with. A size of 0 means that it is
// none, or half of a surrogate pair.
func unescape(b []byte) (r rune, size int) {
	if len(b) < 2 {
		return 0, 0
	}
	switch b[1] {
	case '"', '\\', '/':
		return rune(b[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, ok := hex4(b[2:])
		if !ok {
			return 0, 0
		}
		if !utf16.IsSurrogate(r) {
			return r, 6
		}
		if len(b) < 8 || b[6] != '\\' || b[7] != 'u' {
			return 0, 0
		}
		low, ok := hex4(b[8:])
		if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
			return 0, 0
		}
		return r, 12
	}
	return 0, 0
}

// hexDigit maps a digit to its value, and everything else to 0xff.
var hexDigit = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range byte(10) {
		t['0'+i] = i
	}
	for i := range byte(6) {
		t['a'+i], t['A'+i] = 10+i, 10+i
	}
	return t
}()

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	d0, d1, d2, d3 := hexDigit[b[0]], hexDigit[b[1]], hexDigit[b[2]], hexDigit[b[3]]
	return rune(d0)<<12 | rune(d1)<<8 | rune(d2)<<4 | rune(d3), d0|d1|d2|d3 != 0xff
}
