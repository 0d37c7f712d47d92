package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Names are compared as a person reads them: what looks like a word is that word,
// whichever characters it is written in.

// readings are what a text may be read as: as it is seen, without marks on its letters,
// and in Latin letters for all that look like them. Where it has signs that turn letters
// around, the same for what they have it look like.
func readings(text string) []string {
	if turned := overridden(text); turned != text {
		return append(inLetters(text), inLetters(turned)...)
	}
	return inLetters(text)
}

// kinds is how many readings there are of each text.
const kinds = 3

func inLetters(text string) []string {
	text = seen(text)
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
	return []string{text, bare, strings.Map(latin, bare)}
}

// leet are digits and signs that stand for letters; alikes are small letters that nobody
// tells from others.
var (
	leet   = strings.NewReplacer("0", "o", "1", "l", "3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "9", "g", "|", "l", "!", "l", "$", "s", "@", "a")
	alikes = strings.NewReplacer("l", "i", "rn", "m", "vv", "w")
)

// compared are readings as names are compared with each other.
func compared(list []string) []string {
	for i, s := range list {
		if s = strings.ToLower(s); i%kinds == kinds-1 {
			s = alikes.Replace(leet.Replace(s))
		}
		list[i] = s
	}
	return list
}

// overridden is a text as it is drawn where it has the characters that override the
// direction of what follows.
func overridden(text string) string {
	const rightToLeft, leftToRight, end, isolated, ended = '\u202e', '\u202d', '\u202c', '\u2066', '\u2069'
	if !strings.ContainsRune(text, rightToLeft) {
		return text
	}
	var out []rune
	from := -1 // of what is turned around
	turn := func() {
		if from >= 0 {
			slices.Reverse(out[from:])
		}
		from = -1
	}
	for _, r := range text {
		switch r {
		case rightToLeft:
			turn()
			from = len(out)
		case leftToRight, end, isolated, ended, '\n':
			turn()
		default:
			out = append(out, r)
		}
	}
	turn()
	return string(out)
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

// alike are letters of other scripts, letters with strokes and hooks, small
// capitals and signs that are drawn as Latin ones.
var alike = func() map[rune]rune {
	table := map[rune]rune{}
	for like, plain := range map[string]string{
		"АВЕЅІЈКМНОРСТУХҮԌԜԚ":       "ABESIJKMHOPCTYXYGWQ", // Cyrillic
		"аеѕіјорсухԁԛԝһӏѵүзгп":      "aesijopcyxdqwhlvyern",
		"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ":            "ABEZHIKMNOPTYX", // Greek
		"αβγικνορυχω":               "aByiKvopuXw",
		"ՍՕԼՏոսօհզցյ":               "UOLSnuohqgj",               // Armenian
		"ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᎩᏃ":       "ABCDEGHJKLMPRSTVWYZ",       // Cherokee
		"ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ": "BPDTGKJCZFMNLSRVHWXYAEIOU", // Lisu
		"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ":  "ABCDEFGHIJKLMNOPRSTUVWYZ",  // small capitals
		"ıȷɑɡʋʏ": "ijagvY",
		"ᗅᗷᑕᗞᕮᖴᕼᒍᐸᒪᗰᑎᑭᖇᔕᑌᐯᗯ᙭ᎽᏃ":                                     "ABCDEFHJKLMNPRSUVWXYZ",         // Canadian syllabics
		"ⲀⲂⲤⲈⲎⲒⲔⲘⲚⲞⲢⲦⲨⲬⲀⲁⲃⲥⲉⲏⲓⲕⲙⲛⲟⲣⲧⲩⲭ":                             "ABCEHIKMNOPTYXAabcehikmnoptyx", // Coptic
		"𐊠𐊂𐊡𐊤𐊢𐊭𐊲𐌀𐌁𐌂𐌄𐌉𐌊𐌌𐌏𐌕𐌖𐌗":                                        "ABBEDMYABCEIKMOTUX",            // Carian, Lycian, Old Italic
		"ȺɃƁƂƄßẞ₿฿ȻƇ¢ĐƉƊɆ€℮ЄƑǤƓĦꟸƗ₭ꝀŁȽ£ⱢⱮƝ₦ØƟŦƬȾƵȤ₩ɄƱµμɎƳ¥ʎɣƔ§Ƨ₱Ɍ×": "ABBBBBBBBCCCDDDEEEEFGGHHIKKLLLLMNNOOTTTZZWUUuuYYYyyYSSPRX",
		"ⱥƀɓƃƅȼƈđɖɗɇєεƒǥɠħⱨɨɩłƚⱡɱɲƞøɵŧƭƶȥʉᵾʊɏƴшω":                   "abbbbccdddeeefgghhiilllmnnoottzzuuuyyww",
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
