package aria

import (
	"strconv"
	"strings"
)

// walkYAML lays out node i in the form that seeds and test tools know: every
// role has its line, `- role "name" [state] [ref=e1]: text`.
func (l *layout) walkYAML(i, depth int) {
	n := &l.t.Nodes[i]
	end := int(l.ends[i])
	if l.hidden(i) || n.Role == "text" && n.Ref == "" && blank(n.Name) {
		l.childrenYAML(i, depth)
		return
	}
	if (n.Role == "generic" || n.Role == "none" || n.Role == "presentation") && n.Ref == "" && blank(n.Name) {
		l.childrenYAML(i, depth)
		return
	}
	if kindOf(n)&idle != 0 && end == i+1 && n.Ref == "" && n.Value == "" && blank(n.Name) {
		return
	}
	from := len(l.buf)
	l.buf = append(l.buf, "- "...)
	if n.Role == "text" && n.Ref == "" {
		l.buf = append(l.buf, "text: "...)
		l.buf = appendScalar(l.buf, n.Name)
		l.add(i, depth, from, false)
		l.childrenYAML(i, depth)
		return
	}
	l.buf = appendKey(l.buf, n)
	text := n.Value
	only := i + 1
	whole := false
	if text == "" && n.URL == "" && end == i+2 && l.t.Nodes[only].Role == "text" && l.t.Nodes[only].Ref == "" && !l.hidden(only) {
		text, whole = l.t.Nodes[only].Name, true
	}
	switch {
	case text != "" && !blank(text):
		l.buf = append(l.buf, ": "...)
		l.buf = appendScalar(l.buf, text)
	case end > i+1 || n.URL != "":
		l.buf = append(l.buf, ':')
	}
	l.add(i, depth, from, whole)
	if n.URL != "" {
		from := len(l.buf)
		l.buf = append(l.buf, "- /url: "...)
		l.buf = appendScalar(l.buf, n.URL)
		l.add(i, depth+1, from, false)
	}
	if !whole {
		l.childrenYAML(i, depth+1)
	}
}

func (l *layout) childrenYAML(i, depth int) {
	for c := i + 1; c < int(l.ends[i]); c = int(l.ends[c]) {
		l.walkYAML(c, depth)
	}
}

// appendKey writes `role "name" [state] [ref=e1]`, in single quotes where YAML
// would read it as something else.
func appendKey(b []byte, n *Node) []byte {
	from := len(b)
	b = append(b, n.Role...)
	if !blank(n.Name) {
		b = append(b, ' ')
		b = appendQuoted(b, n.Name)
	} else if !blank(n.Desc) {
		b = append(b, ' ')
		b = appendQuoted(b, n.Desc)
	}
	for _, s := range stateWords {
		if n.State&s.bit == 0 {
			continue
		}
		b = append(b, " ["...)
		if s.bit == Mixed {
			b = append(b, "checked=mixed"...)
		} else {
			b = append(b, s.word...)
		}
		b = append(b, ']')
	}
	if n.Level > 0 {
		b = append(b, " [level="...)
		b = strconv.AppendInt(b, int64(n.Level), 10)
		b = append(b, ']')
	}
	if n.Count > 0 {
		b = append(b, " ["...)
		b = append(b, countWord(n)...)
		b = append(b, '=')
		b = strconv.AppendInt(b, int64(n.Count), 10)
		b = append(b, ']')
	}
	if n.Ref != "" {
		b = append(b, " [ref="...)
		b = append(b, n.Ref...)
		b = append(b, ']')
	}
	key := string(b[from:])
	if strings.Contains(key, ": ") || strings.Contains(key, " #") || strings.HasSuffix(key, ":") {
		b = append(b[:from], '\'')
		b = append(b, strings.ReplaceAll(key, "'", "''")...)
		b = append(b, '\'')
	}
	return b
}

// appendScalar writes s as a YAML value: plain where that is safe.
func appendScalar(b []byte, s string) []byte {
	if plainScalar(s) {
		return append(b, s...)
	}
	return appendQuoted(b, s)
}

func plainScalar(s string) bool {
	if s == "" || s[0] == ' ' || s[len(s)-1] == ' ' || strings.Contains(s, ": ") || strings.Contains(s, " #") || s[len(s)-1] == ':' {
		return false
	}
	if strings.IndexByte("!&*-?[]{}|>@`'\"%#,:=~", s[0]) >= 0 {
		return false
	}
	if strings.ContainsAny(s, `"[\`) { // nor what looks like an element
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7F {
			return string(appendEscaped(nil, s, 0)) == s
		}
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off":
		return false
	}
	// Digits first may be a number or a date.
	return s[0] < '0' || s[0] > '9'
}
