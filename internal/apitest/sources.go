package apitest

import (
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// found is a value that an answer has, and where.
type found struct {
	call   *Call
	source Source
	value  string
	key    string // what it is called there
	number bool
	depth  int // how many lists it stands in
}

// sourceLimit bounds the values that are read out of one answer.
const sourceLimit = 20_000

// sources are the values of an answer that may be sent again.
func (c *Call) sources() (list []found) {
	a := &c.Answer
	add := func(f found) {
		if f.value != "" && len(list) < sourceLimit {
			f.call = c
			list = append(list, f)
		}
	}
	if a.IsJSON {
		leaves(a.JSON, nil, func(l leaf) {
			if _, flag := l.value.(bool); flag {
				return
			}
			text, number := scalar(l.value)
			f := found{source: Source{Kind: "json", Path: l.path}, value: text, key: l.key(), number: number}
			for _, step := range l.path {
				if _, ok := step.(int); ok {
					f.depth++
				}
			}
			add(f)
			pieces(f, add)
		})
	}
	for _, h := range a.Headers {
		f := found{source: Source{Kind: "header", Name: strings.ToLower(h.Name)}, value: h.Value, key: h.Name}
		if !quietHeader().MatchString(h.Name) {
			add(f)
			pieces(f, add)
		}
	}
	for _, name := range c.setNames {
		value := a.Cookies[name]
		f := found{source: Source{Kind: "cookie", Name: name}, value: value, key: name}
		add(f)
		if plain := unescape(value); plain != value {
			f.value, f.source.Pattern = plain, "decoded"
			add(f)
		}
	}
	if strings.Contains(a.Type, "html") {
		markup(a.Text, add)
	}
	return list
}

// quietHeader are those that say nothing about what was asked for.
var quietHeader = pattern(`(?i)^(:.*|date|content-.*|server|cache-control|vary|connection|keep-alive|transfer-encoding|expires|pragma|access-control-.*|strict-transport-.*|x-frame-options|x-xss-.*|x-powered-by|alt-svc|age|via|accept-ranges|report-to|nel|server-timing|last-modified)$`)

// pieces are the segments and parameters of a value that is an address.
func pieces(f found, add func(found)) {
	if !strings.HasPrefix(f.value, "/") && !strings.HasPrefix(f.value, "http") && !strings.HasPrefix(f.value, "?") {
		return
	}
	u, err := url.Parse(f.value)
	if err != nil {
		return
	}
	segments := strings.Split(strings.TrimPrefix(u.EscapedPath(), "/"), "/")
	for i, s := range segments {
		one := f
		one.value, one.number = s, false
		one.source.Pattern = `/([^/?#]+)$`
		if i > 0 {
			one.key = segments[i-1]
			one.source.Pattern = "/" + regexp.QuoteMeta(segments[i-1]) + `/([^/?#]+)`
		}
		if i == 0 && len(segments) > 1 {
			continue
		}
		if first(one.source.Pattern, f.value) == s {
			add(one)
		}
	}
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, ok := strings.Cut(part, "=")
		if !ok || value == "" {
			continue
		}
		one := f
		one.value, one.number, one.key = value, false, name
		one.source.Pattern = "[?&]" + regexp.QuoteMeta(name) + "=([^&#]+)"
		if first(one.source.Pattern, f.value) == value {
			add(one)
		}
	}
}

// first is the group of the first match.
func first(pattern, text string) string {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return ""
	}
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// markup finds fields of forms and meta tags.
func markup(text string, add func(found)) {
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		raw := string(z.Raw())
		t := z.Token()
		var nameAttr, valueAttr string
		kind := "field"
		switch t.Data {
		case "input", "button":
			nameAttr, valueAttr = "name", "value"
		case "meta":
			nameAttr, valueAttr, kind = "name", "content", "meta"
		default:
			continue
		}
		name, value := "", ""
		for _, a := range t.Attr {
			switch a.Key {
			case nameAttr:
				name = a.Val
			case valueAttr:
				value = a.Val
			}
		}
		if name == "" || value == "" {
			continue
		}
		if pattern := tagPattern(raw, t.Data, nameAttr, name, valueAttr); pattern != "" && html.UnescapeString(first(pattern, text)) == value {
			add(found{source: Source{Kind: kind, Name: name, Pattern: pattern}, value: value, key: name})
		}
	}
}

// tagPattern is an expression for the value of a tag that has a name, with the
// attributes in the order in which they stand.
func tagPattern(raw, tag, nameAttr, name, valueAttr string) string {
	attribute := func(name string) (int, string) {
		m := regexp.MustCompile(`(?i)\s` + name + `\s*=\s*(["'])`).FindStringSubmatchIndex(raw)
		if m == nil {
			return -1, ""
		}
		return m[0], raw[m[2]:m[3]]
	}
	n, nameQuote := attribute(nameAttr)
	v, valueQuote := attribute(valueAttr)
	if n < 0 || v < 0 {
		return ""
	}
	named := `\s` + nameAttr + "=" + nameQuote + regexp.QuoteMeta(html.EscapeString(name)) + nameQuote
	valued := `\s` + valueAttr + "=" + valueQuote + "([^" + valueQuote + "]*)" + valueQuote
	if n < v {
		return "<" + tag + `\b[^>]*` + named + "[^>]*" + valued
	}
	return "<" + tag + `\b[^>]*` + valued + "[^>]*" + named
}

// How many occurrences of a value are tried, and how far before it what tells it from
// others may begin.
const (
	mostOccurrences = 5
	farthestBefore  = 80
)

// inText finds a value that stands somewhere in a text, such as a script of a page, by the
// word before it: "nonce":"…", token = '…', useToken( "…" ). Where that word is before
// others too, what stands before the word is taken to it. Scripts may spell a value with
// backslashes.
func (c *Call) inText(value string) (found, bool) {
	if c.Answer.IsJSON || c.Answer.Binary || len(value) < 8 {
		return found{}, false
	}
	kind := "text"
	for _, spelled := range []string{value, escaped.Replace(value), escapedSlashes.Replace(value)} {
		if name, pattern := wordBefore(c.Answer.Text, spelled); name != "" {
			return found{call: c, source: Source{Kind: kind, Name: name, Pattern: pattern}, value: value, key: name}, true
		}
		kind = "script"
	}
	return found{}, false
}

var (
	escaped        = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	escapedSlashes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `/`, `\/`)
)

// unescaped is a value as a script means it.
func unescaped(spelled string) string { return backslash().ReplaceAllString(spelled, "$1") }

var backslash = pattern(`\\(.)`)

// wordBefore is the word before a value in a text, and an expression that finds the value by
// it; "" for none.
func wordBefore(text, value string) (name, find string) {
	from := 0
	for range mostOccurrences {
		i := strings.Index(text[from:], value)
		if i < 0 {
			break
		}
		i += from
		from = i + len(value)
		before := text[max(0, i-farthestBefore):i]
		if cut := strings.LastIndexAny(before, "\n\r"); cut >= 0 {
			before = before[cut+1:]
		}
		at := lastWord().FindStringIndex(before)
		if at == nil {
			continue
		}
		for start := at[0]; ; start = max(0, strings.LastIndexAny(before[:start], " {(;")) {
			find = regexp.QuoteMeta(before[start:]) + `([^"'<>&\s;)]+)`
			if first(find, text) == value {
				return strings.TrimRight(strings.ReplaceAll(before[at[0]:], "&quot;", `"`), " :=(\"'"), find
			}
			if start == 0 {
				break
			}
		}
	}
	return "", ""
}

var lastWord = pattern(`[A-Za-z_][\w-]*(["']|&quot;)?\s*[:=(]\s*(["']|&quot;)?$`)

// lookup gives the value that a source leads to in an answer.
func (a *Answer) lookup(s Source) (string, bool) {
	whole := ""
	switch s.Kind {
	case "json":
		v, ok := at(a.JSON, s.Path)
		if !ok || !a.IsJSON {
			return "", false
		}
		switch v.(type) {
		case nil:
			return "", false
		default:
			whole, _ = scalar(v)
		}
	case "header":
		for _, h := range a.Headers {
			if strings.EqualFold(h.Name, s.Name) {
				whole = h.Value
			}
		}
	case "cookie":
		value, ok := a.Cookies[s.Name]
		if s.Pattern != "" {
			value = unescape(value)
		}
		return value, ok
	case "script":
		value := unescaped(first(s.Pattern, a.Text))
		return value, value != ""
	default:
		value := html.UnescapeString(first(s.Pattern, a.Text))
		return value, value != ""
	}
	if s.Pattern != "" {
		whole = first(s.Pattern, whole)
	}
	return whole, whole != ""
}
