package outlet

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Values that were taken apart: written as mail, as marked up letters, as numbers of
// their bytes or letters, with signs between their letters.

// reader is a way to read a text as another one. It gives nil where there is nothing
// to read that way.
type reader func(text []byte, p *places) []byte

// readers are those of escapes, and those that are only looked for in a text itself or
// one layer below: they would be tried too often.
var readers, rare = func() (list []reader, rare []reader) {
	for _, how := range readings {
		list = append(list, func(t []byte, p *places) []byte { return decode(t, how, p) })
	}
	return list, []reader{asMail, unmarked, untagged, asPoints, inOrder}
}()

// replace writes a text anew: at finds, in what is left of it, the next part that reads
// as something else.
func replace(text []byte, p *places, at func(rest []byte) (from, size int, out []byte)) []byte {
	var b []byte
	done := 0
	keep := func(to int) {
		if p != nil {
			for k := done; k < to; k++ {
				p.add(1, k, k+1)
			}
		}
		b = append(b, text[done:to]...)
	}
	for {
		from, size, out := at(text[done:])
		if size == 0 {
			break
		}
		if b == nil {
			b = make([]byte, 0, len(text))
		}
		from += done
		keep(from)
		if p != nil {
			p.add(len(out), from, from+size)
		}
		b = append(b, out...)
		done = from + size
	}
	if b != nil {
		keep(len(text))
	}
	return b
}

// asMail reads quoted-printable: =C3=A4, a line that ends with =, a blank as _.
func asMail(text []byte, p *places) []byte {
	escaped := func(t []byte, i int) (byte, bool) {
		v, ok := hexAt(t, i+1, 2)
		return byte(v), ok && t[i] == '='
	}
	some := false
	for i := 0; !some; i++ {
		at := bytes.IndexByte(text[i:], '=')
		if at < 0 {
			return nil
		}
		i += at
		_, some = escaped(text, i)
	}
	return replace(text, p, func(t []byte) (int, int, []byte) {
		for i := 0; i < len(t); i++ {
			switch {
			case t[i] == '_':
				return i, 1, []byte{' '}
			case t[i] != '=':
			case bytes.HasPrefix(t[i+1:], []byte("\r\n")):
				return i, 3, nil
			case bytes.HasPrefix(t[i+1:], []byte("\n")):
				return i, 2, nil
			default:
				if c, ok := escaped(t, i); ok {
					return i, 3, []byte{c}
				}
			}
		}
		return 0, 0, nil
	})
}

const longestTag = 400 // characters of what is taken for one

// unmarked leaves out the tags of HTML, those in brackets, and what sets the colours of
// terminals.
func unmarked(text []byte, p *places) []byte {
	return replace(text, p, func(t []byte) (int, int, []byte) {
		for i := 0; i+2 < len(t); i++ {
			at := bytes.IndexAny(t[i:], "<[\x1b")
			if at < 0 {
				break
			}
			if i += at; t[i] != '<' {
				if size := bracketed(t[i:]); size > 0 {
					return i, size, nil
				}
				continue
			}
			if i+2 >= len(t) || !(t[i+1] == '/' || t[i+1] == '!' || t[i+1]|0x20 >= 'a' && t[i+1]|0x20 <= 'z') {
				continue
			}
			if cdata := []byte("<![CDATA["); bytes.HasPrefix(t[i:], cdata) {
				return i, len(cdata), nil
			}
			if end := bytes.IndexByte(t[i:min(len(t), i+longestTag)], '>'); end > 0 {
				return i, end + 1, nil
			}
		}
		return 0, 0, nil
	})
}

// bracketed is the size of [b], [/b] or ESC [ 1 m at the beginning of a text.
func bracketed(t []byte) int {
	const longest = 16
	if len(t) < 3 {
		return 0
	}
	n, command := 1, t[0] == 0x1b
	if command {
		n++ // the bracket
	} else if t[n] == '/' {
		n++
	}
	from := n
	for n < len(t) && n < longest && (command && (t[n] < 'A' || t[n] > 'z') || !command && t[n]|0x20 >= 'a' && t[n]|0x20 <= 'z') {
		n++
	}
	switch {
	case n >= len(t) || n == longest || command && t[1] != '[':
		return 0
	case command || t[n] == ']' && n > from:
		return n + 1
	}
	return 0
}

// untagged reads tag characters, which nobody sees, as the letters they stand for.
func untagged(text []byte, p *places) []byte {
	return replace(text, p, func(t []byte) (int, int, []byte) {
		at := bytes.Index(t, []byte("\xf3\xa0"))
		if at < 0 {
			return 0, 0, nil
		}
		r, size := utf8.DecodeRune(t[at:])
		if r < 0xE0020 || r > 0xE007E {
			return at, size, nil
		}
		return at, size, []byte{byte(r - 0xE0000)}
	})
}

// number is one of a list of them, and where it stands.
type number struct {
	span
	value uint64
}

const (
	leastNumbers = 8 // that are worth reading
	widestGap    = 8 // between two of a list
)

// lists finds what may be lists of the bytes or letters of a value: [99, 111], 63:6f,
// 0x63,0x6f, {"0": 99, "1": 111}.
func lists(text []byte) [][]number {
	var all [][]number
	var decimal, base16, base8, named []number // named: those of an object, without its keys
	last := 0
	end := func() {
		for _, list := range [][]number{decimal, base16, base8} {
			if len(list) >= leastNumbers {
				all = append(all, list)
			}
		}
		if len(decimal) >= 2*leastNumbers && decimal[0].value == 0 && decimal[2].value == 1 && decimal[4].value == 2 {
			named = nil
			for i := 1; i < len(decimal); i += 2 {
				named = append(named, decimal[i])
			}
			all = append(all, named)
		}
		decimal, base16, base8 = nil, nil, nil
	}
	for i := 0; i < len(text); {
		if !alnum(text[i]) {
			i++
			continue
		}
		from := i
		digits, hexes := true, true
		for ; i < len(text) && alnum(text[i]); i++ {
			digits, hexes = digits && text[i] <= '9', hexes && isHex(text[i])
		}
		if from-last > widestGap {
			end()
		}
		last = i
		word := text[from:i]
		marked := len(word) > 2 && word[0] == '0' && word[1]|0x20 == 'x'
		d, h := false, false
		if digits && len(word) <= 7 {
			v, _ := strconv.ParseUint(string(word), 10, 32)
			if from > 1 && text[from-1] == '-' && !alnum(text[from-2]) && v <= 0x80 {
				v = 0x100 - v // a byte with a sign
			}
			decimal, d = append(decimal, number{span{from, i}, v}), true
			if v, err := strconv.ParseUint(string(word), 8, 8); err == nil {
				base8 = append(base8, number{span{from, i}, v})
			}
		}
		if marked {
			if v, ok := hexAt(word, 2, len(word)-2); ok && len(word) <= 8 {
				base16, h = append(base16, number{span{from, i}, v}), true
			}
		} else if hexes && len(word) >= 2 && len(word) <= 5 {
			v, _ := hexAt(word, 0, len(word))
			base16, h = append(base16, number{span{from, i}, v}), true
		}
		if !d && !h {
			end()
			continue
		}
		if !d { // a list is of one kind
			decimal, base8 = nil, nil
		}
		if !h {
			base16 = nil
		}
	}
	end()
	return all
}

func alnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// counted gives what numbers stand for, as bytes where they are small enough, and where
// they stand.
func counted(list []number, p *places) []byte {
	var b []byte
	for i := 0; i < len(list); i++ {
		n := list[i]
		had := len(b)
		switch {
		case n.value < 0x100:
			b = append(b, byte(n.value))
		case utf16.IsSurrogate(rune(n.value)) && i+1 < len(list):
			i++
			b = utf8.AppendRune(b, utf16.DecodeRune(rune(n.value), rune(list[i].value)))
		default:
			b = utf8.AppendRune(b, rune(min(n.value, utf8.MaxRune)))
		}
		p.add(len(b)-had, n.from, list[i].to)
	}
	return b
}

// counts gives the places of secrets that are written as numbers.
func (x *index) counts(text []byte, depth int) []span {
	var all []span
	for _, list := range lists(text) {
		var p places
		inner := counted(list, &p)
		if texty(inner) {
			all = append(all, p.back(x.find(inner, depth))...)
		}
	}
	return all
}

// parted finds values with signs between their letters: no letter or digit is between
// them, and none of the value's own signs is missing.
func (x *index) parted(text []byte) []span {
	if x.bare == nil {
		return nil
	}
	room := shapes.Get().(*[]byte)
	shape := bare.write((*room)[:0], text, nil)
	spans := x.bare.scan(shape)
	*room = shape
	shapes.Put(room)
	if len(spans) == 0 {
		return nil
	}
	var p places
	bare.write(nil, text, &p)
	var all []span
	for _, s := range p.back(spans) {
		from, to := s.from, s.to
		for from > 0 && !alnum(text[from-1]) && s.from-from < widestGap {
			from--
		}
		for to < len(text) && !alnum(text[to]) && to-s.to < widestGap {
			to++
		}
		around := bytes.ToLower(loose.of(text[from:to]))
		for _, v := range x.begins {
			if within(around, bytes.ToLower(v)) {
				all = append(all, s)
				break
			}
		}
	}
	return all
}

// within says whether all of a value stands in a text, in its order.
func within(text, value []byte) bool {
	for _, c := range text {
		if len(value) > 0 && value[0] == c {
			value = value[1:]
		}
	}
	return len(value) == 0
}

// lettered says whether a character is one of those that the bare form keeps.
func lettered(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r >= 0x1F000 }
