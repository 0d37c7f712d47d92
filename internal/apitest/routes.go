package apitest

import (
	"net/url"
	"strings"
)

// routes know the words that the paths of an application are made of: /admin/login has no id
// in it, though an answer led there.
type routes struct {
	seen map[string]bool // segments of paths that were asked for or linked to
	sent []string        // what was sent so far, as slugs are made of it
}

// ask keeps what a call asked for and sent.
func (r *routes) ask(c *Call) {
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	for _, s := range c.slots() {
		text := s.text.plain()
		switch {
		case s.kind == "path":
			r.seen[text] = true
		case s.kind == "field" || s.kind == "json":
			if word := lettersOf(text); len(word) > 2 {
				r.sent = append(r.sent, word)
			}
		}
	}
}

// link keeps what the pages of an answer link to.
func (r *routes) link(c *Call) {
	if !strings.Contains(c.Answer.Type, "html") {
		return
	}
	for _, m := range linked().FindAllStringSubmatch(c.Answer.Text, -1) {
		if u, err := url.Parse(m[1]); err == nil {
			for segment := range strings.SplitSeq(u.EscapedPath(), "/") {
				r.seen[segment] = true
			}
		}
	}
}

var linked = pattern(`(?i)\s(?:href|action|src)\s*=\s*["']?([^"'\s>]+)`)

// word says that a segment of an address in an answer is a word of the application's own:
// none that a machine made or that is made of what was sent, but an ordinary word, or one
// that was there before. What is another in another recording or run is none.
func (r *routes) word(f *found) bool {
	if !strings.HasPrefix(f.source.Pattern, "/") || idLike(f.value) || hasDigit().MatchString(f.value) {
		return false
	}
	for _, t := range f.call.twins {
		if t == nil {
			continue
		}
		if other, ok := t.Answer.lookup(f.source); ok && other != f.value {
			return false
		}
	}
	letters := lettersOf(f.value)
	for _, sent := range r.sent {
		if len(letters) > 2 && (strings.Contains(sent, letters) || strings.Contains(letters, sent)) {
			return false
		}
	}
	// An answer to a question led there because it stands there, and not because it was made.
	return r.seen[f.value] || f.source.Kind == "header" && !f.call.writes() || ordinaryWord().MatchString(f.value) && !unspoken().MatchString(f.value)
}

var (
	ordinaryWord = pattern(`^[A-Z]?[a-z]{2,}$`)
	unspoken     = pattern(`(?i)^[^aeiouy]*$|[^aeiouy]{5}`)
)

// lettersOf is a text as slugs have it, without what stands between its words.
func lettersOf(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return -1
	}, s)
}
