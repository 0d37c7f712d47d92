package outlet

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// needle is one spelling of a secret, in the form it is looked for in.
type needle struct {
	text  []byte
	exact bool // upper and lower case differ, as in base64
	// As much of it tells enough: of its beginning, and of any part.
	begin, part int
}

// The loose form of a value has so many bytes at least; a shorter one is looked for
// in the strict form, and only whole.
const leastLoose = 8

// spell lists the spellings of values that are no escapes: as they are, in base64
// wherever in it they begin, in hex, and in UTF-16 that was read as something else.
func spell(values []string) (free, tight []needle) {
	for _, v := range values {
		f, list := loose, &free
		if len(loose.of([]byte(v))) < leastLoose {
			f, list = strict, &tight
		}
		add := func(text string, exact bool, least, size int) {
			n := needle{text: f.of([]byte(text)), exact: exact}
			if f == loose {
				least = leastLoose
			}
			if len(n.text) < least || slices.ContainsFunc(*list, func(o needle) bool { return string(o.text) == string(n.text) }) {
				return
			}
			// 12 characters of the beginning of a value tell enough, 16 of any part of
			// it, or three quarters of a shorter one. size is what a character takes
			// in this spelling, in thirds.
			n.begin, n.part = min(len(n.text), max(leastLoose, min(len(n.text)*3/4, 12*size/3))), min(len(n.text), max(leastLoose, min(len(n.text)*3/4, 16*size/3)))
			if f == strict {
				n.begin, n.part = len(n.text), len(n.text)
			}
			*list = append(*list, n)
		}
		for _, text := range layersOf(v) {
			add(text, false, Shortest, 3)
		}
		for _, text := range misread(v) {
			add(text, false, Shortest, 3)
		}
		for skip := range 5 {
			add(offset32(base32.StdEncoding, []byte(v), skip), false, leastLoose, 5)
			add(offset32(base32.HexEncoding, []byte(v), skip), false, leastLoose, 5)
		}
		for _, b := range bytesOf(v) {
			add(hex.EncodeToString(b), false, leastLoose, 6)
			for skip := range 3 {
				text := offset(b, skip)
				add(text, true, leastBase64, 4)
				add(strings.NewReplacer("+", "-", "/", "_").Replace(text), true, leastBase64, 4)
			}
			if len(b) == Shortest { // so short that only a whole one can be told
				add(base64.RawStdEncoding.EncodeToString(b), true, leastBase64, 4)
			}
		}
	}
	return free, tight
}

// leastBase64 is how many characters of base64 are not there by chance.
const leastBase64 = 6

// layersOf is a value, and what is left of it where the escapes in it are read as
// such.
func layersOf(value string) []string {
	list := []string{value}
	for _, how := range readings {
		text := []byte(value)
		for range layers {
			if text = decode(text, how, nil); text == nil {
				break
			}
			list = append(list, string(text))
		}
	}
	return list
}

// bytesOf is a value as bytes: UTF-8 in three cases, Latin-1, UTF-16.
func bytesOf(value string) [][]byte {
	list := [][]byte{[]byte(value)}
	for _, other := range []string{strings.ToLower(value), strings.ToUpper(value)} {
		if other != value {
			list = append(list, []byte(other))
		}
	}
	var latin []byte
	for _, r := range value {
		if r > 0xFF {
			latin = nil
			break
		}
		latin = append(latin, byte(r))
	}
	if len(latin) > 0 && string(latin) != value {
		list = append(list, latin)
	}
	little, big := wide(value)
	return append(list, little, big)
}

// wide is a value in UTF-16, the lower byte first and last.
func wide(value string) (little, big []byte) {
	for _, u := range utf16.Encode([]rune(value)) {
		little, big = append(little, byte(u), byte(u>>8)), append(big, byte(u>>8), byte(u))
	}
	return little, big
}

// misread is what a value looks like where its bytes were taken for those of another
// encoding: UTF-16 for Latin-1, or in the wrong order; UTF-8 for UTF-16. A file's name is
// among them.
func misread(value string) []string {
	little, big := wide(value)
	swapped := make([]uint16, len(little)/2)
	for i := range swapped {
		swapped[i] = uint16(little[2*i])<<8 | uint16(little[2*i+1])
	}
	list := []string{latin1([]byte(value)), latin1(little), latin1(big), string(little), string(big), string(utf16.Decode(swapped))}
	for skip := range 2 {
		b := []byte(value)[min(skip, len(value)):]
		var first, last []uint16
		for i := 0; i+1 < len(b); i += 2 {
			first, last = append(first, uint16(b[i])<<8|uint16(b[i+1])), append(last, uint16(b[i+1])<<8|uint16(b[i]))
		}
		for _, units := range [][]uint16{first, last} {
			if text := string(utf16.Decode(units)); !strings.ContainsRune(text, utf8.RuneError) {
				list = append(list, text)
			}
		}
	}
	// Whoever wants UTF-8 puts a mark in the place of each byte that is none.
	for _, b := range [][]byte{little, big} {
		text := string([]rune(string(b)))
		if seen := len(strings.ReplaceAll(text, string(utf8.RuneError), "")); seen < len(text) && seen >= leastLoose {
			list = append(list, text)
		}
	}
	// A host's name is written in ASCII.
	for _, as := range []*idna.Profile{idna.Punycode, idna.Lookup} {
		if host, _ := as.ToASCII(strings.ToLower(strings.ReplaceAll(value, " ", ""))); strings.HasPrefix(host, "xn--") {
			list = append(list, host)
		}
	}
	// A file's name has something else for what none may have in it.
	for _, safe := range []string{"_", "-", " ", ""} {
		list = append(list, unnameable.ReplaceAllString(value, safe))
	}
	return list
}

var unnameable = regexp.MustCompile("[\"*/:<>?|\\\\]")

func latin1(b []byte) string {
	r := make([]rune, len(b))
	for i, c := range b {
		r[i] = rune(c)
	}
	return string(r)
}

// offset gives the characters of base64 that bytes alone decide, where so many
// others (0 to 2) go before them.
func offset(b []byte, skip int) string {
	text := base64.RawStdEncoding.EncodeToString(append(make([]byte, skip), b...))
	from := (skip*8 + 5) / 6
	to := (skip + len(b)) * 8 / 6
	return text[from:max(from, to)]
}

// offset32 is offset for base32, where up to four others go before them.
func offset32(in *base32.Encoding, b []byte, skip int) string {
	text := in.WithPadding(base32.NoPadding).EncodeToString(append(make([]byte, skip), b...))
	from := (skip*8 + 4) / 5
	to := (skip + len(b)) * 8 / 5
	return text[from:max(from, to)]
}
