package match

import (
	"errors"
	"regexp"
	"strings"
)

// Spec is what stands behind the keyword match, taken apart.
type Spec struct {
	Each bool
	// Actual is the left side: an expression, or a variable where Path is a path
	// into it ("foo $.bar", "foo /a/b", "header Content-Type").
	Actual, Path string
	Op           Op
	Expected     string // may be empty: a doc string follows then
}

// ParseStep takes the text behind the keyword match apart. Its operator is the
// first one that stands neither in quotes nor in brackets.
func ParseStep(text string) (Spec, error) {
	text = strings.TrimSpace(text)
	var s Spec
	if rest, ok := strings.CutPrefix(text, "each"); ok && rest != "" && strings.IndexByte(" \t(", rest[0]) >= 0 {
		s.Each = true
		text = strings.TrimSpace(rest)
	}
	at, length, op, ok := findOperator(text, true)
	if !ok && unbalanced(text) {
		at, length, op, ok = findOperator(text, false)
	}
	if !ok {
		return Spec{}, errors.New("syntax error, expected '==' for match: one of ==, !=, contains, !contains, within, !within between what is and what is expected")
	}
	s.Op = op
	left := strings.TrimSpace(text[:at])
	s.Expected = strings.TrimSpace(text[at+length:])
	if left == "" {
		return Spec{}, errors.New("syntax error, expected something before the operator of match")
	}
	s.Actual = left
	if !strings.ContainsAny(left, " \t\n\r\f") {
		return s, nil // most are a name or a path alone
	}
	if m := withPath.FindStringSubmatch(left); m != nil {
		s.Actual, s.Path = m[1]+m[3], m[2]+m[4]
	}
	return s, nil
}

// withPath is a variable, white space and a path.
var withPath = regexp.MustCompile(`^([a-zA-Z_]\w*)\s+(\$.*|/.*|[a-z-]+\(/.*)$|^(header)\s+(\S.*)$`)

// findOperator gives place, length and meaning of the operator; nested says that
// quotes and brackets count.
func findOperator(text string, nested bool) (at, length int, op Op, ok bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if nested {
			switch c {
			case '\'', '"', '`':
				end := closingQuote(text, i)
				if end < 0 {
					return 0, 0, 0, false
				}
				i = end
				continue
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
			if depth > 0 {
				continue
			}
		}
		rest := text[i:]
		switch {
		case c == '=' || c == '!':
			if n := equality(text, i); n > 0 {
				if c == '!' {
					return i, n, NotEquals, true
				}
				return i, n, Equals, true
			}
			// A comparison of JavaScript is passed whole.
			for i+1 < len(text) && text[i+1] == '=' {
				i++
			}
			if c != '!' || !blankBefore(text, i) {
				continue
			}
		case c == '<' || c == '>':
			if strings.HasPrefix(rest[1:], "=") {
				i++
			}
			continue
		}
		if blankBefore(text, i) {
			if n, op, ok := wordOperator(rest); ok {
				return i, n, op, true
			}
		}
	}
	return 0, 0, 0, false
}

// unbalanced says whether a quote is not closed, such as that of "it's".
func unbalanced(text string) bool {
	for i := 0; i < len(text); i++ {
		if strings.IndexByte("'\"`", text[i]) >= 0 {
			end := closingQuote(text, i)
			if end < 0 {
				return true
			}
			i = end
		}
	}
	return false
}

func blankBefore(text string, i int) bool {
	return i > 0 && strings.IndexByte(" \t\n\r", text[i-1]) >= 0
}

// equality says how long == or != is at a place; 0 where it is none, such as
// === of JavaScript.
func equality(text string, i int) int {
	rest := text[i:]
	if len(rest) < 2 || rest[1] != '=' || len(rest) > 2 && rest[2] == '=' {
		return 0
	}
	return 2
}

func closingQuote(text string, open int) int {
	for i := open + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[open]:
			return i
		}
	}
	return -1
}

// wordOperators in the order in which they are tried.
var wordOperators = []struct {
	words []string
	op    Op
}{
	{[]string{"contains", "only", "deep"}, ContainsOnlyDeep},
	{[]string{"contains", "any", "deep"}, ContainsAnyDeep},
	{[]string{"contains", "only"}, ContainsOnly},
	{[]string{"contains", "any"}, ContainsAny},
	{[]string{"contains", "deep"}, ContainsDeep},
	{[]string{"contains"}, Contains},
	{[]string{"!contains", "deep"}, NotContainsDeep},
	{[]string{"!contains", "only"}, NotContainsOnly},
	{[]string{"!contains", "any"}, NotContainsAny},
	{[]string{"!contains"}, NotContains},
	{[]string{"within"}, Within},
	{[]string{"!within"}, NotWithin},
}

func wordOperator(text string) (length int, op Op, ok bool) {
	if c := text[0]; c != 'c' && c != '!' && c != 'w' {
		return 0, 0, false
	}
	for _, w := range wordOperators {
		at := 0
		for i, word := range w.words {
			if i > 0 {
				for at < len(text) && strings.IndexByte(" \t", text[at]) >= 0 {
					at++
				}
			}
			if !strings.HasPrefix(text[at:], word) || at+len(word) < len(text) && wordByte(text[at+len(word)]) {
				at = -1
				break
			}
			at += len(word)
		}
		// A variable may be named as the last word: something has to follow it.
		if at < 0 || len(w.words) > 1 && strings.TrimSpace(text[at:]) == "" {
			continue
		}
		return at, w.op, true
	}
	return 0, 0, false
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.'
}
