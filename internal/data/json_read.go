package data

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// SyntaxError says where a text is not what it should be. Rest is what follows a
// whole value, where that is all that is wrong.
type SyntaxError struct {
	Format       string // JSON, XML, YAML or CSV
	Line, Column int    // from 1, in characters
	Message      string
	Rest         string
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Format, e.Message)
	}
	return fmt.Sprintf("%s, line %d column %d: %s", e.Format, e.Line, e.Column, e.Message)
}

// maxDepth bounds how deep lists and objects may stand in each other.
const maxDepth = 1000

// ParseJSON reads strict JSON. Keys keep their order, a key that comes again
// replaces the one before, and whole numbers keep all their digits.
func ParseJSON(text string) (any, error) { return parseJSON(text, false) }

// ParseRelaxed reads JSON as features write it: bare words and single quotes are
// strings, commas may be too many. Where more follows than one value, it gives
// that value and a *SyntaxError that has the rest.
func ParseRelaxed(text string) (any, error) { return parseJSON(text, true) }

func parseJSON(text string, relaxed bool) (any, error) {
	p := reader{text: text, relaxed: relaxed}
	if strings.HasPrefix(text, "\ufeff") {
		p.pos = len("\ufeff")
	}
	p.space()
	v := p.value(0, 0)
	if p.err != nil {
		return nil, p.err
	}
	p.space()
	if p.pos < len(p.text) {
		p.fail("one value ends here, but more follows")
		p.err.Rest = p.text[p.pos:]
		return v, p.err
	}
	return v, nil
}

type reader struct {
	text    string
	pos     int
	relaxed bool
	err     *SyntaxError
}

func (p *reader) fail(format string, args ...any) any {
	if p.err == nil {
		line, column := position(p.text, p.pos)
		p.err = &SyntaxError{Format: "JSON", Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
	}
	return nil
}

// position gives line and column of a byte, from 1, in characters.
func position(text string, pos int) (line, column int) {
	before := text[:min(pos, len(text))]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

func (p *reader) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		case 0xa0, 0xc2:
			// A no-break space, which people paste.
			if !p.relaxed || !strings.HasPrefix(p.text[p.pos:], "\u00a0") {
				return
			}
			p.pos += 2
		default:
			return
		}
	}
}

func (p *reader) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// found says in words what stands at the current place.
func (p *reader) found() string {
	if p.pos >= len(p.text) {
		return "the end"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return strconv.Quote(string(r))
}

// value reads a value. end is the bracket that closes what it stands in: a bare
// word goes up to it, or to a comma.
func (p *reader) value(end byte, depth int) any {
	if depth > maxDepth {
		return p.fail("more than %d lists and objects in each other", maxDepth)
	}
	switch c := p.peek(); {
	case p.pos >= len(p.text):
		return p.fail("a value is missing at the end")
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.list(depth)
	case c == '"' || c == '\'' && p.relaxed:
		return p.string(c)
	case c == '}' || c == ']' || c == ':':
		return p.fail("expected a value, found %s", p.found())
	}
	return p.word(end)
}

func (p *reader) list(depth int) any {
	p.pos++
	list := []any{}
	for {
		p.space()
		switch c := p.peek(); {
		case c == ']' && (p.relaxed || len(list) == 0 || p.text[p.pos-1] != ','):
			p.pos++
			return list
		case c == ',' && p.relaxed:
			p.pos++
			continue
		}
		list = append(list, p.value(']', depth+1))
		if p.err != nil {
			return nil
		}
		if !p.next(']') {
			return nil
		}
		if p.text[p.pos-1] == ']' {
			return list
		}
		if p.trailing(']') {
			return nil
		}
	}
}

// next passes the comma or the closing bracket behind an entry.
func (p *reader) next(end byte) bool {
	p.space()
	switch p.peek() {
	case ',', end:
		if p.pos < len(p.text) {
			p.pos++
			return true
		}
	}
	p.fail("expected a comma or %q, found %s", end, p.found())
	return false
}

// trailing refuses, in strict JSON, a comma before a closing bracket.
func (p *reader) trailing(end byte) bool {
	if p.relaxed {
		return false
	}
	p.space()
	if p.peek() != end {
		return false
	}
	p.fail("expected a value behind the comma, found %q", end)
	return true
}

func (p *reader) object(depth int) any {
	p.pos++
	o := &Object{}
	for {
		p.space()
		c := p.peek()
		if c == '}' {
			p.pos++
			return o
		}
		if c == ',' && p.relaxed {
			p.pos++
			continue
		}
		key, ok := p.key()
		if !ok {
			return nil
		}
		p.space()
		v := p.entry(depth)
		if p.err != nil {
			return nil
		}
		o.Set(key, v)
		if !p.next('}') {
			return nil
		}
		if p.text[p.pos-1] == '}' {
			return o
		}
		if p.trailing('}') {
			return nil
		}
	}
}

// entry reads the value of a key. Relaxed, nothing at all before a comma is an
// empty string.
func (p *reader) entry(depth int) any {
	if p.relaxed && p.peek() == ',' {
		return ""
	}
	return p.value('}', depth+1)
}

func (p *reader) key() (string, bool) {
	var key string
	switch c := p.peek(); {
	case p.pos >= len(p.text):
		p.fail("expected a key or '}', found the end")
		return "", false
	case c == '"' || c == '\'' && p.relaxed:
		key, _ = p.string(c).(string)
		if p.err != nil {
			return "", false
		}
	case !p.relaxed || c == ':' || c == '{' || c == '[' || c == ']':
		p.fail("expected a key, found %s", p.found())
		return "", false
	default:
		n := strings.IndexByte(p.text[p.pos:], ':')
		if n < 0 {
			p.fail("expected ':' behind the key")
			return "", false
		}
		key = trim(p.text[p.pos : p.pos+n])
		p.pos += n
	}
	p.space()
	if p.peek() != ':' {
		p.fail("expected ':' behind the key %q, found %s", key, p.found())
		return "", false
	}
	p.pos++
	return key, true
}

func trim(s string) string { return strings.Trim(s, " \t\r\n\u00a0") }

func (p *reader) string(quote byte) any {
	start := p.pos
	p.pos++
	// Most strings have no escape: they are a part of the text.
	for i := p.pos; i < len(p.text); i++ {
		c := p.text[i]
		if c == quote {
			s := p.text[p.pos:i]
			p.pos = i + 1
			return s
		}
		if c == '\\' || c < 0x20 && !p.relaxed {
			break
		}
	}
	var out strings.Builder
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case c == quote:
			p.pos++
			return out.String()
		case c == '\\':
			if !p.escape(&out) {
				return nil
			}
		case c < 0x20 && !p.relaxed:
			return p.fail("a character of code %d in a string must be escaped", c)
		default:
			out.WriteByte(c)
			p.pos++
		}
	}
	p.pos = start
	return p.fail("this string has no closing quote")
}

func (p *reader) escape(out *strings.Builder) bool {
	at := p.pos
	p.pos++
	c := p.peek()
	if p.pos >= len(p.text) {
		p.fail("expected a character behind the backslash, found the end")
		return false
	}
	p.pos++
	switch c {
	case '"', '\\', '/':
		out.WriteByte(c)
	case 'n':
		out.WriteByte('\n')
	case 't':
		out.WriteByte('\t')
	case 'r':
		out.WriteByte('\r')
	case 'b':
		out.WriteByte('\b')
	case 'f':
		out.WriteByte('\f')
	case 'u':
		r, ok := p.hex(4)
		if !ok {
			return false
		}
		if utf16.IsSurrogate(r) && strings.HasPrefix(p.text[p.pos:], `\u`) {
			saved := p.pos
			p.pos += 2
			low, ok := p.hex(4)
			if !ok {
				return false
			}
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				r = pair
			} else {
				p.pos = saved
			}
		}
		out.WriteRune(r)
	default:
		switch {
		case !p.relaxed:
			p.pos = at
			p.fail(`no such escape in a string: \%c`, c)
			return false
		case c == 'x':
			r, ok := p.hex(2)
			if !ok {
				return false
			}
			out.WriteRune(r)
		case c == '\'':
			out.WriteByte(c)
		case c >= utf8.RuneSelf:
			p.pos-- // the backslash alone is dropped
		}
		// Any other letter is dropped with its backslash, as Karate does.
	}
	return true
}

func (p *reader) hex(n int) (rune, bool) {
	if p.pos+n <= len(p.text) {
		if v, err := strconv.ParseUint(p.text[p.pos:p.pos+n], 16, 32); err == nil {
			p.pos += n
			return rune(v), true
		}
	}
	p.fail("expected %d hexadecimal digits", n)
	return 0, false
}

// word reads what stands without quotes: true, false, null, a number, and in
// relaxed JSON any text up to a comma or the closing bracket.
func (p *reader) word(end byte) any {
	start := p.pos
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		if c == ',' || c == end && end != 0 || !p.relaxed && strings.IndexByte(" \t\r\n}]{[:\"", c) >= 0 {
			break
		}
		p.pos++
	}
	word := trim(p.text[start:p.pos])
	switch word {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	if v, ok := number(word, p.relaxed); ok {
		return v
	}
	if !p.relaxed {
		p.pos = start
		return p.fail("expected a value, found %s", p.found())
	}
	if end != 0 && p.pos >= len(p.text) {
		return p.fail("expected %q, found the end", end)
	}
	return word
}

// number reads a number as JSON has it; relaxed, with zeros in front, a point at
// its end, and NaN.
func number(s string, relaxed bool) (any, bool) {
	if s == "" || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		if relaxed && s == "NaN" {
			return math.NaN(), true
		}
		return nil, false
	}
	i := 0
	if s[0] == '-' {
		i++
	}
	whole := digits(s, &i)
	zeros := whole > 1 && s[i-whole] == '0'
	switch {
	case whole == 0 && !(relaxed && s == "-"):
		return nil, false
	case whole == 0:
		return int64(0), true
	case zeros && !relaxed:
		return nil, false
	}
	if i == len(s) {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n, true
		}
		n, ok := new(big.Int).SetString(s, 10)
		return n, ok
	}
	if s[i] == '.' {
		i++
		if digits(s, &i) == 0 && !relaxed {
			return nil, false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if digits(s, &i) == 0 {
			return nil, false
		}
	}
	if i < len(s) {
		return nil, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return nil, false
	}
	return f, true
}

func digits(s string, i *int) int {
	start := *i
	for *i < len(s) && s[*i] >= '0' && s[*i] <= '9' {
		*i++
	}
	return *i - start
}
