package outlet

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Values that stand in pieces: half of one here and the rest on the next line, or each
// letter with its number.

const (
	leastPiece = 3  // characters of a value, but for the first piece, which has four
	widestWay  = 48 // between two pieces
	mostTries  = 64 // to find the rest of one value
)

// pieces finds values whose parts stand one after the other, with a little in between:
// on two lines of a view, in two cells, in two fields of an object.
func (x *index) pieces(shape []byte) []span {
	if x.heads == nil {
		return nil
	}
	var all []span
	for _, head := range x.heads.scan(shape) {
		for _, v := range x.begins {
			if same(v[:Shortest], shape[head.from:head.from+Shortest], false) {
				all = append(all, inPieces(shape, head.from, v)...)
			}
		}
	}
	return all
}

// inPieces gives the pieces of a value that begins at a place, if all of it is there.
func inPieces(shape []byte, at int, v []byte) []span {
	long := shared(shape[at:], v)
	if long == len(v) {
		return nil // that is found as a whole
	}
	tries := mostTries
	for n := long; n >= Shortest && long-n < leastPiece; n-- { // what follows a piece may happen to go on as the value does
		if rest, ok := follow(shape, at+n, v[n:], &tries); ok {
			return append(rest, span{at, at + n})
		}
	}
	return nil
}

// follow gives the pieces of the rest of a value.
func follow(shape []byte, from int, rest []byte, tries *int) ([]span, bool) {
	if len(rest) < leastPiece {
		return nil, true // whatever is left of it tells nothing
	}
	way := shape[from:min(len(shape), from+widestWay)]
	for i := 0; i+leastPiece <= len(way); i++ {
		if !same(way[i:i+leastPiece], rest[:leastPiece], false) {
			continue
		}
		if *tries--; *tries < 0 {
			break
		}
		long := shared(shape[from+i:], rest)
		for n := long; n >= leastPiece && long-n < leastPiece; n-- {
			if more, ok := follow(shape, from+i+n, rest[n:], tries); ok {
				return append(more, span{from + i, from + i + n}), true
			}
		}
	}
	return nil, false
}

// shared is how many bytes two texts begin with alike.
func shared(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && same(a[n:n+1], b[n:n+1], false) {
		n++
	}
	return n
}

// asPoints reads code points: U+0068, u0068.
func asPoints(text []byte, p *places) []byte {
	return replace(text, p, func(t []byte) (int, int, []byte) {
		for i := 0; i < len(t); i++ {
			at := bytes.IndexAny(t[i:], "uU")
			if at < 0 {
				break
			}
			i += at
			n := i + 1
			if n < len(t) && t[n] == '+' {
				n++
			}
			size := 4
			for t[n-1] == '+' && size < 6 && n+size < len(t) && isHex(t[n+size]) {
				size++
			}
			if size == 4 {
				if out, size := unit(nil, t[i:], n-i, string(t[i:n])); size > 0 {
					return i, size, out
				}
			} else if v, ok := hexAt(t, n, size); ok {
				return i, n + size - i, utf8.AppendRune(nil, rune(v))
			}
		}
		return 0, 0, nil
	})
}

// inOrder leaves the numbers out of what has one before each letter, as a list of them
// or a text that was spread into an object: {"0":"h","1":"u"}, 1. h 2. u.
func inOrder(text []byte, p *places) []byte {
	return replace(text, p, func(t []byte) (int, int, []byte) {
		for i := 0; i < len(t); i++ {
			if t[i] < '0' || t[i] > '9' || i > 0 && alnum(t[i-1]) {
				continue
			}
			if size, out := numberedAt(t[i:]); size > 0 {
				return i, size, out
			}
		}
		return 0, 0, nil
	})
}

// numberedAt reads letters with numbers that count up, at the beginning of a text.
func numberedAt(t []byte) (int, []byte) {
	number, n := digits(t)
	before := signs(t[n:])
	if n == 0 || before == 0 || n+before >= len(t) || !letterAt(t[n+before:]) {
		return 0, nil
	}
	_, size := utf8.DecodeRune(t[n+before:])
	after := signs(t[n+before+size:])
	if next, m := digits(t[min(len(t), n+before+size+after):]); after == 0 || m == 0 || next != number+1 {
		return 0, nil
	}
	prefix, suffix := t[n:n+before], t[n+before+size:n+before+size+after]
	at := 0
	var out []byte
	for {
		name := strconv.Itoa(number)
		if !bytes.HasPrefix(t[at:], []byte(name)) || !bytes.HasPrefix(t[at+len(name):], prefix) {
			break
		}
		from := at + len(name) + len(prefix)
		_, size := utf8.DecodeRune(t[from:])
		if size == 0 {
			break
		}
		if t[from] == '\\' && from+1 < len(t) { // an escaped sign
			from, size = from+1, 1
		}
		out = append(out, t[from:from+size]...)
		at = from + size
		number++
		if !bytes.HasPrefix(t[at:], suffix) || at+len(suffix) >= len(t) || t[at+len(suffix)] < '0' || t[at+len(suffix)] > '9' {
			break
		}
		at += len(suffix)
	}
	if len(out) < leastNumbers {
		return 0, nil
	}
	return at, out
}

// digits is the small number at the beginning of a text, and its size.
func digits(t []byte) (value, size int) {
	for size < len(t) && size < 4 && t[size] >= '0' && t[size] <= '9' {
		size++
	}
	value, _ = strconv.Atoi(string(t[:size]))
	return value, size
}

// signs is how many bytes at the beginning of a text are neither letter nor digit.
func signs(t []byte) int {
	n := 0
	for n < len(t) && n < widestGap && t[n] < utf8.RuneSelf && !alnum(t[n]) {
		n++
	}
	return n
}

func letterAt(t []byte) bool { return alnum(t[0]) || t[0] >= utf8.RuneSelf }
