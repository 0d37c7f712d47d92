package mock

import (
	"regexp"
	"strings"
)

// MatchPath says whether a path, as Request.Path has it, fits a pattern such as "/cats/{id}", and what
// stands in its places. A trailing slash makes no difference; "/files/*" takes
// all that is below.
func MatchPath(pattern, path string) (map[string]string, bool) {
	pattern, path = strings.Trim(pattern, "/"), strings.Trim(path, "/")
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	params := map[string]string{}
	for i, w := range want {
		if w == "*" && i == len(want)-1 && i < len(got) {
			return params, true
		}
		if i >= len(got) {
			return nil, false
		}
		open, shut := strings.IndexByte(w, '{'), strings.IndexByte(w, '}')
		if open < 0 || shut < open {
			if w != got[i] {
				return nil, false
			}
			continue
		}
		// Text may stand before and behind the place: "v{n}.json".
		before, after := w[:open], w[shut+1:]
		value, ok := strings.CutPrefix(got[i], before)
		if ok {
			value, ok = strings.CutSuffix(value, after)
		}
		if !ok || value == "" {
			return nil, false
		}
		params[w[open+1:shut]] = value
	}
	return params, len(want) == len(got)
}

// A Filter is what can be told of a matcher such as
// pathMatches('/cats/{id}') && methodIs('get') without running it. A mock with
// very many routes runs only the few that may fit.
type Filter struct {
	path   string
	method string
}

var condition = regexp.MustCompile(`^\s*(pathMatches|methodIs)\s*\(\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\)\s*$`)

// NewFilter reads a matcher. What it does not understand it lets pass.
func NewFilter(expression string) Filter {
	var f Filter
	if strings.Contains(expression, "||") || strings.Contains(expression, "?") {
		return f
	}
	for _, part := range conjuncts(expression) {
		m := condition.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		switch value := m[2] + m[3]; m[1] {
		case "pathMatches":
			f.path = value
		case "methodIs":
			f.method = value
		}
	}
	return f
}

// Excludes says that a matcher cannot fit a request.
func (f Filter) Excludes(r *Request) bool {
	if f.method != "" && !strings.EqualFold(f.method, r.Method) {
		return true
	}
	if f.path == "" {
		return false
	}
	_, ok := MatchPath(f.path, r.Path)
	return !ok
}

// conjuncts splits at && outside of brackets and quotes.
func conjuncts(s string) []string {
	var out []string
	depth, begin := 0, 0
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == '&' && depth == 0 && strings.HasPrefix(s[i:], "&&"):
			out = append(out, s[begin:i])
			begin = i + 2
			i++
		}
	}
	return append(out, s[begin:])
}
