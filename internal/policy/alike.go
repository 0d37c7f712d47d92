package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Names are compared as a person reads them: what looks like a word is that word,
// whichever characters it is written in.

// readings are what a text may be read as: as it is seen, without marks on its letters,
// and in Latin letters for all that look like them.
func readings(text string) []string {
	text = seen(text)
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
	return []string{text, bare, strings.Map(latin, bare)}
}

// seen is a text as a person sees it: without what takes no room, in ordinary letters
// instead of wide, bold or circled ones, with one blank where there are some.
func seen(text string) string {
	text = strings.Map(func(r rune) rune {
		if r >= 0x80 && (unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || unicode.IsControl(r)) {
			return -1
		}
		return r
	}, norm.NFKC.String(text))
	return strings.Join(strings.Fields(text), " ")
}

func lower(list []string) []string {
	for i, s := range list {
		list[i] = strings.ToLower(s)
	}
	return list
}

// latin is the Latin letter that a character is drawn as.
func latin(r rune) rune {
	if r < 0x80 {
		return r
	}
	for _, run := range []rune{0x1F150, 0x1F170, 0x1F1E6} { // white on black, in circles and squares; flags
		if r >= run && r < run+26 {
			return 'A' + r - run
		}
	}
	if l, ok := alike[r]; ok {
		return l
	}
	return r
}

// alike are letters of other scripts, and small capitals, that are drawn as Latin ones.
var alike = func() map[rune]rune {
	table := map[rune]rune{}
	for like, plain := range map[string]string{
		"АВЕЅІЈКМНОРСТУХҮԌԜԚ":       "ABESIJKMHOPCTYXYGWQ", // Cyrillic
		"аеѕіјорсухԁԛԝһӏѵүзгп":      "aesijopcyxdqwhlvy3rn",
		"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ":            "ABEZHIKMNOPTYX", // Greek
		"αβγικνορυχω":               "aByiKvopuXw",
		"ՍՕԼՏոսօհզցյ":               "UOLSnuohqgj",               // Armenian
		"ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᎩᏃ":       "ABCDEGHJKLMPRSTVWYZ",       // Cherokee
		"ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ": "BPDTGKJCZFMNLSRVHWXYAEIOU", // Lisu
		"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ":  "ABCDEFGHIJKLMNOPRSTUVWYZ",  // small capitals
		"ıȷɑɡʋʏ": "ijagvY",
	} {
		to := []rune(plain)
		for i, r := range []rune(like) {
			table[r] = to[i]
		}
	}
	return table
}()

// spread says whether a name stands in a text with other signs between its letters than
// it has: B u y, B-u-y, Sign-in. It begins and ends where words do: designing has no
// "sign in" in it.
func spread(text, name string) bool {
	flat, begins := letters(text)
	part, _ := letters(name)
	if part == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(flat[from:], part)
		if at < 0 {
			return false
		}
		at += from
		if begins[at] && begins[at+len(part)] {
			return true
		}
		_, size := utf8.DecodeRuneInString(flat[at:])
		from = at + size
	}
}

// letters are the letters and digits of a text, and where in them its words begin and
// end.
func letters(text string) (string, map[int]bool) {
	var b strings.Builder
	begins := map[int]bool{0: true}
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		} else {
			begins[b.Len()] = true
		}
	}
	begins[b.Len()] = true
	return b.String(), begins
}

// joined is a text with letters that stand alone put together: "B u y now" is "Buy now".
func joined(text string) string {
	var b strings.Builder
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		if i > 0 && (utf8.RuneCountInString(w) > 1 || utf8.RuneCountInString(words[i-1]) > 1) {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String()
}
