package aria

import "unicode/utf8"

// Tokens estimates how many o200k_base tokens s has. It errs on the high side:
// a budget counted with it holds. It follows that encoding's own first step,
// which cuts text into words, numbers of three digits, runs of signs and line
// ends, and then guesses each piece by its length and letters. The numbers were
// fitted to user interface texts in 40 languages, code, addresses and noise.
//
// The count of a text is the sum of the counts of its lines.
func Tokens(s string) int {
	total := 0
	for s != "" {
		n, rest := lineTokens(s)
		total += n
		s = rest
	}
	return total
}

// Costs are counted in hundredths of a token.
const (
	costSign    = 100 // a run of signs, up to signRun
	costDigits  = 102 // up to three digits
	costNewline = 100 // part of the sign before, if there is one
)

// lineTokens counts the first line of s, its end included.
func lineTokens(s string) (n int, rest string) {
	cost, plain, foreign := 0, 0, 0 // plain: what ASCII words cost in English; foreign: elsewhere
	marks := 0                      // letters that English does not use
	i := 0
	for i < len(s) {
		c := s[i]
		switch class[c] {
		case lower, upper:
			j, p, f := asciiWord(s, i)
			if j < len(s) && s[j] >= utf8.RuneSelf {
				if k, runes, lat := latinWord(s, j); k > j {
					// A word with letters of both kinds.
					marks += lat
					cost += max(100, (j-i+runes)*43)
					i = k
					continue
				}
			}
			plain, foreign = plain+p, foreign+f
			i = j
		case digit:
			j := i + 1
			for j < len(s) && class[s[j]] == digit {
				j++
			}
			cost += (j - i + 2) / 3 * costDigits
			i = j
		case newline:
			if i == 0 || class[s[i-1]] != sign {
				cost += costNewline
			}
			i++
			if marks > 0 {
				plain = foreign
			}
			return (cost + plain + 99) / 100, s[i:]
		case space:
			j := i + 1
			for j < len(s) && class[s[j]] == space {
				j++
			}
			// The last space goes with the word or signs that follow.
			if j-i > 1 || j == len(s) || class[s[j]] == digit || class[s[j]] == newline {
				cost += 100
				if j-i > 1 && j < len(s) && class[s[j]] == digit {
					cost += 100
				}
			}
			i = j
		case sign:
			j, k := i+1, 1
			for j < len(s) && class[s[j]] == sign {
				if s[j] != s[j-1] {
					k++
				}
				j++
			}
			// `",` and `="` are one token, `")}]` two, `-----` one.
			cost += costSign * (1 + (k-1)*2/3)
			if run := j - i; run > 16 {
				cost += run / 16 * costSign
			}
			i = j
		default:
			if k, runes, lat := latinWord(s, i); k > i {
				marks += lat
				cost += max(100, runes*43)
				i = k
				continue
			}
			r, size := utf8.DecodeRuneInString(s[i:])
			cost += runeCost(r)
			i += size
		}
	}
	if marks > 0 {
		plain = foreign
	}
	return (cost + plain + 99) / 100, ""
}

// asciiWord reads the word at i as the encoding cuts it: capitals, then small
// letters. It answers its end and its cost, in English and in other languages.
func asciiWord(s string, i int) (end, english, foreign int) {
	j := i
	vowels, run, rough, odd := 0, 0, 0, 0
	for j < len(s) && class[s[j]] == upper {
		switch s[j] {
		case 'A', 'E', 'I', 'O', 'U', 'Y':
			vowels++
		}
		j++
	}
	caps := j - i
	for j < len(s) && class[s[j]] == lower {
		switch c := s[j]; c {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowels++
			run = 0
			if c == s[j-min(j, 1)] && c != 'e' && c != 'o' {
				odd++
			}
		case 'j', 'q', 'z':
			odd++
			run++
		case 'k', 'w':
			if run == 0 && j > i+1 && j+1 < len(s) && s[j+1] != 'e' && s[j+1] != 'i' && class[s[j+1]] == lower {
				odd++
			}
			run++
		default:
			run++
		}
		if run > 3 {
			rough++
		}
		j++
	}
	n := j - i
	// A word between digits is code, not language.
	coded := i > 0 && class[s[i-1]] == digit || j < len(s) && class[s[j]] == digit
	switch {
	case n <= 2:
		return j, 103, 103
	case rough > 0 || vowels*5 < n || coded && n > 2:
		c := max(100, n*68)
		return j, c, c
	case n == caps: // ALL CAPITALS
		c := 100 + (n-3)*54
		return j, c, c
	case caps > 1: // HTTPServer
		c := 100 + (n-2)*64
		return j, c, c
	}
	foreign = 100
	if n > 3 {
		foreign += (n - 3) * 26
	}
	english = 103 + odd*62
	if n > 7 {
		english += min(n-7, 5) * 6
	}
	if n > 12 {
		english += (n - 12) * 30
	}
	switch s[j-1] {
	case 'a', 'i', 'o', 'u':
		if n > 3 {
			english += 75 + max(0, n-6)*33
		}
	case 'n', 't', 'r', 'k', 'm':
		if n > 8 && !suffix(s[:j]) {
			english += (n - 8) * 38
		}
	}
	// A word that does not follow a space is less often a token of its own.
	if n > 4 && (i == 0 || class[s[i-1]] != space) {
		english += 12
	}
	return j, english, max(english, foreign)
}

// suffix says whether a long word ends as English ones do.
func suffix(s string) bool {
	switch s[len(s)-3:] {
	case "ion", "ent", "ant", "tor", "ter", "ism", "der", "ger", "ner", "ver":
		return true
	}
	return false
}

// latinWord reads on from i over letters of the extended Latin alphabet and ASCII
// letters. end is i where there are none.
func latinWord(s string, i int) (end, runes, marks int) {
	end = i
	for end < len(s) {
		c := s[end]
		if k := class[c]; k == lower || k == upper {
			end++
			runes++
			continue
		}
		if c < 0xC3 || c > 0xC9 && c != 0xE1 {
			return end, runes, marks
		}
		r, size := utf8.DecodeRuneInString(s[end:])
		if r < 0xC0 || r == 0xD7 || r == 0xF7 || r > 0x24F && (r < 0x1E00 || r > 0x1EFF) {
			return end, runes, marks
		}
		end += size
		runes++
		marks++
	}
	return end, runes, marks
}

// runeCost is the cost of a character beyond the Latin alphabets.
func runeCost(r rune) int {
	switch {
	case r < 0x250:
		return 100
	case r < 0x370:
		return 80
	case r < 0x400: // Greek
		return 52
	case r < 0x530: // Cyrillic
		return 44
	case r < 0x590: // Armenian
		return 60
	case r < 0x600: // Hebrew
		return 56
	case r < 0x700: // Arabic
		return 50
	case r < 0x900:
		return 220
	case r < 0xE00: // the scripts of India
		return 58
	case r < 0xE80: // Thai
		return 50
	case r < 0x1000:
		return 110
	case r < 0x10A0: // Burmese
		return 60
	case r < 0x1100: // Georgian
		return 47
	case r >= 0x1780 && r < 0x1800: // Khmer
		return 72
	case r < 0x2000:
		return 230
	case r < 0x2070: // punctuation
		return 100
	case r < 0x3000:
		return 200
	case r < 0x3100: // kana
		return 78
	case r < 0x3400:
		return 200
	case r < 0x4E00:
		return 300
	case r < 0xA000: // Han
		return 106
	case r >= 0xAC00 && r < 0xD7B0: // Hangul
		return 90
	case r >= 0xFE00 && r < 0xFE10: // variation selectors
		return 100
	case r >= 0xFF00 && r < 0x10000:
		return 130
	case r >= 0x1F000 && r < 0x20000: // emoji
		return 300
	}
	return 350
}

const (
	other = iota
	lower
	upper
	digit
	space
	newline
	sign
)

// class sorts bytes as the encoding does; other is the start of something longer.
var class = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = lower
		case c >= 'A' && c <= 'Z':
			t[c] = upper
		case c >= '0' && c <= '9':
			t[c] = digit
		case c == '\n' || c == '\r':
			t[c] = newline
		case c == ' ' || c == '\t':
			t[c] = space
		case c < utf8.RuneSelf:
			t[c] = sign
		}
	}
	return t
}()
