package jsonpath

import (
	"fmt"
	"strconv"
	"strings"
)

type compiler struct {
	text string
	pos  int
	err  error
}

func (c *compiler) fail(format string, args ...any) {
	if c.err == nil {
		c.err = &SyntaxError{Path: c.text, Offset: c.pos, Message: fmt.Sprintf(format, args...)}
	}
}

func (c *compiler) peek() byte {
	if c.pos < len(c.text) {
		return c.text[c.pos]
	}
	return 0
}

// token reads one part: behind a dot, behind two, or in brackets.
func (c *compiler) token(p *Path) {
	if p.function != nil {
		c.fail("nothing may follow the function %s()", p.function.name)
		return
	}
	switch c.peek() {
	case '.':
		c.pos++
		if c.peek() == '.' {
			c.pos++
			p.tokens = append(p.tokens, token{kind: scan})
		}
		switch c.peek() {
		case 0, '.':
			c.fail("expected a name, * or [ behind the dot")
		case '[':
			c.bracket(p)
		default:
			c.name(p)
		}
	case '[':
		c.bracket(p)
	default:
		c.fail("expected . or [, found %q", c.text[c.pos:])
	}
}

func (c *compiler) name(p *Path) {
	if c.peek() == '*' {
		c.pos++
		p.tokens = append(p.tokens, token{kind: wildcard})
		return
	}
	start := c.pos
	for c.pos < len(c.text) && strings.IndexByte(".[(", c.text[c.pos]) < 0 {
		if c.text[c.pos] == ' ' {
			if strings.TrimSpace(c.text[c.pos:]) == "" {
				break
			}
			c.fail("a name with a blank stands in brackets and quotes: ['my name']")
			return
		}
		c.pos++
	}
	name := c.text[start:c.pos]
	if name == "" {
		c.fail("expected a name, found %q", c.text[c.pos:])
		return
	}
	if c.peek() == '(' {
		c.function(p, name)
		return
	}
	p.tokens = append(p.tokens, token{kind: property, names: []string{name}})
}

func (c *compiler) bracket(p *Path) {
	end := c.closing(c.pos)
	if end < 0 {
		c.fail("this [ is not closed")
		return
	}
	inside := strings.TrimSpace(c.text[c.pos+1 : end])
	var t token
	switch {
	case inside == "":
		t.kind = appending
	case inside == "*":
		t.kind = wildcard
	case inside[0] == '\'' || inside[0] == '"':
		t.kind = property
		t.names = c.names(inside)
	case inside[0] == '?':
		expr, err := compileFilter(strings.TrimSpace(inside[1:]))
		if err != nil {
			c.fail("%v", err)
			return
		}
		t.kind, t.expr = filter, expr
	case strings.Contains(inside, ":"):
		t.kind = slice
		c.slice(&t, inside)
	default:
		t.kind = index
		for part := range strings.SplitSeq(inside, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(part))
			if err != nil {
				c.fail("expected ?, a quote, a number or * in brackets, found %q", inside)
				return
			}
			t.indexes = append(t.indexes, n)
		}
	}
	if c.err == nil {
		p.tokens = append(p.tokens, t)
		c.pos = end + 1
	}
}

// closing finds the bracket that closes the one at a place. Brackets in strings
// and in regular expressions do not count.
func (c *compiler) closing(open int) int {
	depth := 0
	for i := open; i < len(c.text); i++ {
		switch b := c.text[i]; b {
		case '[', '(':
			depth++
		case ']', ')':
			if depth--; depth == 0 {
				return i
			}
		case '\'', '"':
			i = skip(c.text, i, b)
		case '/':
			if before := strings.TrimRight(c.text[open:i], " "); strings.HasSuffix(before, "=~") {
				i = skip(c.text, i, b)
			}
		}
	}
	return -1
}

// skip gives the place of the quote that ends the string that begins at a place,
// or the end of the text.
func skip(text string, start int, quote byte) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return len(text)
}

func (c *compiler) names(inside string) []string {
	var names []string
	for inside != "" {
		quote := inside[0]
		if quote != '\'' && quote != '"' {
			c.fail("expected a name in quotes, found %q", inside)
			return nil
		}
		end := skip(inside, 0, quote)
		if end >= len(inside) {
			c.fail("a name has no closing quote")
			return nil
		}
		names = append(names, unescape(inside[1:end]))
		inside = strings.TrimSpace(inside[end+1:])
		if inside == "" {
			break
		}
		if inside[0] != ',' {
			c.fail("expected a comma between names, found %q", inside)
			return nil
		}
		if inside = strings.TrimSpace(inside[1:]); inside == "" {
			c.fail("expected a name behind the comma")
			return nil
		}
	}
	return names
}

func (c *compiler) slice(t *token, inside string) {
	parts := strings.Split(inside, ":")
	if len(parts) != 2 {
		c.fail("expected from:to, found %q", inside)
		return
	}
	for i, into := range []**int{&t.from, &t.to} {
		s := strings.TrimSpace(parts[i])
		if s == "" {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			c.fail("expected a number, found %q", s)
			return
		}
		*into = &n
	}
}

// unescape reads the escapes of a string in a path.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
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
			if i+4 < len(s) {
				if r, err := strconv.ParseUint(s[i+1:i+5], 16, 16); err == nil {
					out.WriteRune(rune(r))
					i += 4
					continue
				}
			}
			out.WriteByte('u')
		default:
			out.WriteByte(s[i])
		}
	}
	return out.String()
}
