package outlet

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"sync"
	"unicode/utf8"
)

// index finds the needles of all secrets in one pass, however many there are.
type index struct {
	free, tight *grams
	bare        *grams
	heads       *grams   // the first characters of values, for those that stand in pieces
	plain       [][]byte // values as they are, if they have eight characters or more
	begins      [][]byte // of values in the loose form, for those that are cut off
}

func newIndex(secrets map[string]string) *index {
	values := slices.Sorted(maps.Values(secrets))
	free, tight := spell(values)
	var letters, heads []needle
	x := &index{free: newGrams(free, leastLoose), tight: newGrams(tight, Shortest)}
	for _, v := range values {
		if text := loose.of([]byte(v)); len(text) >= leastLoose {
			x.begins = append(x.begins, text)
			if utf8.RuneCountInString(v) >= leastLoose {
				x.plain = append(x.plain, []byte(v))
			}
			heads = append(heads, needle{text: text[:Shortest], begin: Shortest, part: Shortest})
		}
		if text := bare.of([]byte(v)); len(text) >= leastLoose {
			letters = append(letters, needle{text: text, begin: len(text), part: len(text)})
		}
	}
	x.bare, x.heads = newGrams(letters, leastLoose), newGrams(heads, Shortest)
	return x
}

// find gives the places of secrets in a text that may have so many layers of
// encodings.
func (x *index) find(text []byte, depth int) []span {
	var all []span
	for _, f := range []struct {
		form  form
		grams *grams
	}{{loose, x.free}, {strict, x.tight}} {
		if f.grams == nil {
			continue
		}
		room := shapes.Get().(*[]byte)
		shape := f.form.write((*room)[:0], text, nil)
		spans := f.grams.scan(shape)
		if f.form == loose {
			spans = append(append(spans, x.cutOff(shape)...), x.pieces(shape)...)
		}
		*room = shape
		shapes.Put(room)
		if len(spans) > 0 {
			var p places
			f.form.write(nil, text, &p)
			all = append(all, p.back(spans)...)
		}
	}
	if all == nil {
		all = x.parted(text)
	}
	if depth == 0 {
		return all
	}
	var before []byte
	try := func(read reader, depth int) {
		inner := read(text, nil)
		if inner == nil || bytes.Equal(inner, before) {
			return
		}
		before = inner
		if spans := x.find(inner, depth); len(spans) > 0 {
			var p places
			read(text, &p)
			all = append(all, p.back(spans)...)
		}
	}
	for _, read := range readers {
		try(read, depth-1)
	}
	if depth >= layers-1 {
		for _, read := range rare {
			try(read, 1)
		}
		all = append(append(all, x.counts(text, 1)...), x.jointed(text)...)
	}
	for _, r := range runs(text) {
		all = append(all, x.inRun(text, r, depth-1)...)
	}
	return all
}

// shapes are used again: a session with secrets makes many.
var shapes = sync.Pool{New: func() any { return new([]byte) }}

// inRun gives the places of secrets in what a run of base64 or hex stands for.
func (x *index) inRun(text []byte, r run, depth int) []span {
	var all []span
	try := func(asHex bool, skips int) {
		for skip := range skips {
			inner := r.read(text, asHex, skip)
			if len(inner) < Shortest || !texty(inner) {
				continue
			}
			all = append(all, r.back(x.find(inner, depth), asHex, skip)...)
		}
	}
	if r.hex {
		try(true, 2)
	}
	try(false, 4)
	return all
}

// texty says whether bytes may be a text, and are not noise.
func texty(b []byte) bool {
	odd := 0
	for _, c := range b {
		if c >= 0x80 || c < ' ' && c != 0 && c != '\n' && c != '\r' && c != '\t' {
			odd++
		}
	}
	return odd*4 <= len(b) || utf8.Valid(b)
}

// cutOff finds the beginnings of values before dots that say that the rest was cut
// off.
func (x *index) cutOff(shape []byte) []span {
	var all []span
	for _, dots := range [][]byte{[]byte("…"), []byte("...")} {
		for from := 0; ; {
			at := bytes.Index(shape[from:], dots)
			if at < 0 {
				break
			}
			at += from
			from = at + len(dots)
			for _, v := range x.begins {
				for n := min(at, len(v)); n >= Shortest; n-- {
					if same(shape[at-n:at], v[:n], false) {
						all = append(all, span{at - n, at})
						break
					}
				}
			}
		}
	}
	return all
}

// grams are the needles by the parts of a few bytes that they are made of, in lower
// case. Whatever stands of a needle in a text has one of them.
type grams struct {
	size    int
	needles []needle
	at      map[uint64][]place
	filter  [1 << 12]uint64
}

type place struct{ needle, offset int32 }

// mostPlaces bounds how often a part that a needle repeats is listed.
const mostPlaces = 4

func newGrams(needles []needle, size int) *grams {
	if len(needles) == 0 {
		return nil
	}
	g := &grams{size: size, needles: needles, at: map[uint64][]place{}}
	for i, n := range needles {
		last := len(n.text) - size
		if n.part == len(n.text) {
			last = 0 // only whole: where it begins is enough
		}
		for k := range last + 1 {
			key := g.key(n.text[k:])
			listed := 0
			for _, p := range g.at[key] {
				if p.needle == int32(i) {
					listed++
				}
			}
			if listed < mostPlaces {
				g.at[key] = append(g.at[key], place{int32(i), int32(k)})
			}
			bit := key * 0x9E3779B97F4A7C15 >> 46
			g.filter[bit>>6] |= 1 << (bit & 63)
		}
	}
	return g
}

func (g *grams) key(b []byte) uint64 {
	if g.size == 8 {
		return binary.LittleEndian.Uint64(b) | 0x2020202020202020
	}
	return uint64(binary.LittleEndian.Uint32(b)) | 0x20202020
}

// scan gives the places of needles in a text of their form.
func (g *grams) scan(text []byte) []span {
	var all []span
	for i := 0; i+g.size <= len(text); i++ {
		key := g.key(text[i:])
		if bit := key * 0x9E3779B97F4A7C15 >> 46; g.filter[bit>>6]&(1<<(bit&63)) == 0 {
			continue
		}
		end := 0
		for _, p := range g.at[key] {
			if s, ok := g.needles[p.needle].extend(text, i, int(p.offset)); ok {
				all = append(all, s)
				end = max(end, s.to)
			}
		}
		if end > 0 {
			i = max(i, end-g.size) // what is beyond has a part that reaches beyond
		}
	}
	return all
}

// extend gives as much of a needle as there is around a place of the text where its
// byte at offset is, if that is enough to tell.
func (n *needle) extend(text []byte, at, offset int) (span, bool) {
	from, k := at, offset
	for from > 0 && k > 0 && same(text[from-1:from], n.text[k-1:k], n.exact) {
		from, k = from-1, k-1
	}
	to, e := at, offset
	for to < len(text) && e < len(n.text) && same(text[to:to+1], n.text[e:e+1], n.exact) {
		to, e = to+1, e+1
	}
	least := n.part
	if k == 0 {
		least = n.begin
	}
	return span{from, to}, to-from >= least
}

// same compares two texts of one length.
func same(a, b []byte, exact bool) bool {
	for i, c := range a {
		d := b[i]
		if c == d {
			continue
		}
		if exact || c|0x20 != d|0x20 || c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}
