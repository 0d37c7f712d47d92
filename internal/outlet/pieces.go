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

// What is between the pieces of a value that always has the same there: {"c":"h"},{"c":"u"}.
const (
	longestJoint = 32 // bytes
	longestPiece = 7  // characters
	leastJoints  = 4  // that are the same
)

// jointed finds values whose letters, or pieces of so many of them, have the same in
// between each time. Numbers in it may count.
func (x *index) jointed(text []byte) []span {
	var all []span
	for _, v := range x.plain {
		for at := 0; at+len(v) < len(text); at++ {
			if !same(text[at:at+1], v[:1], false) {
				continue
			}
			long := 1
			for ; long <= longestPiece && long <= len(v)/leastJoints; long++ {
				if !same(text[at+long-1:at+long], v[long-1:long], false) {
					break
				}
				if !utf8.RuneStart(v[long]) {
					continue
				}
				if to := jointsFrom(text, at, v, long); to > 0 {
					all = append(all, span{at, to})
					at = to - 1
					break
				}
			}
		}
	}
	return all
}

// jointsFrom is where a value ends that begins at a place and has the same after every
// so many letters of it; 0 where it does not.
func jointsFrom(text []byte, at int, v []byte, long int) int {
	size := utf8.RuneCount(v[:long])
	for wide := 1; wide <= longestJoint && at+long+wide < len(text); wide++ {
		if !same(text[at+long+wide:at+long+wide+1], v[long:long+1], false) {
			continue
		}
		joint := text[at+long : at+long+wide]
		end, rest := at+long, v[long:]
		for len(rest) > 0 {
			n, ok := pastJoint(text[end:], joint)
			if !ok {
				break
			}
			piece := 0
			for i := 0; i < size && piece < len(rest); i++ {
				_, width := utf8.DecodeRune(rest[piece:])
				piece += width
			}
			if end += n; end+piece > len(text) || !same(text[end:end+piece], rest[:piece], false) {
				break
			}
			end, rest = end+piece, rest[piece:]
		}
		if len(rest) == 0 {
			return end
		}
	}
	return 0
}

// pastJoint is how many bytes of a text are like a joint, but for the numbers in it.
func pastJoint(text, joint []byte) (int, bool) {
	n := 0
	for k := 0; k < len(joint); {
		if _, was := digits(joint[k:]); was > 0 {
			_, is := digits(text[n:])
			if is == 0 {
				return 0, false
			}
			n, k = n+is, k+was
			continue
		}
		if n >= len(text) || text[n] != joint[k] {
			return 0, false
		}
		n, k = n+1, k+1
	}
	return n, true
}
