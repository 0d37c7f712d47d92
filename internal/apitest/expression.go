package apitest

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rove/internal/data"
)

// dialect knows how the variables are called where a text is written.
type dialect struct {
	auth   bool   // within the part that signs in
	prefix string // of what is found there
}

// name is how a variable is called.
func (w dialect) name(v *Variable) string {
	switch {
	case v.shared && !w.auth:
		return "auth." + v.Name
	case v.From != nil:
		return w.prefix + v.Name
	}
	return v.Name
}

// expression writes a text as an expression of JavaScript.
func (w dialect) expression(t Text) string {
	if len(t) == 0 {
		return "''"
	}
	var list []string
	for _, p := range t {
		if p.Var != nil {
			list = append(list, w.name(p.Var))
		} else {
			list = append(list, quote(p.Lit))
		}
	}
	return strings.Join(list, " + ")
}

// address is the address of a call, without its query.
func (w dialect) address(c *Call, base string) string {
	var list []string
	text := ""
	flush := func() {
		if text != "" {
			list = append(list, quote(text))
			text = ""
		}
	}
	list = append(list, base)
	for _, segment := range c.Path {
		text += "/"
		for _, p := range segment {
			if p.Var == nil {
				text += p.Lit
				continue
			}
			flush()
			name := w.name(p.Var)
			if url.PathEscape(p.Var.Value) != p.Var.Value {
				name = "encodeURIComponent(" + name + ")"
			}
			list = append(list, name)
		}
	}
	flush()
	return strings.Join(list, " + ")
}

// baseName is the name of an origin.
func baseName(origin int) string {
	if origin == 0 {
		return "baseUrl"
	}
	return "baseUrl" + strconv.Itoa(origin+1)
}

// named puts fields of one name together, in order.
func named(fields []*Field) (names []string, of map[string][]*Field) {
	of = map[string][]*Field{}
	for _, f := range fields {
		if of[f.Name] == nil {
			names = append(names, f.Name)
		}
		of[f.Name] = append(of[f.Name], f)
	}
	return names, of
}

// values is the expression for fields of one name.
func (w dialect) values(fields []*Field) string {
	if len(fields) == 1 {
		return w.expression(fields[0].Value)
	}
	var list []string
	for _, f := range fields {
		list = append(list, w.expression(f.Value))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// embedded writes a body as JSON with embedded expressions.
func (w dialect) embedded(n *Node) string { return data.JSON(w.value(n)) }

func (w dialect) value(n *Node) any {
	switch n.Kind {
	case 'o':
		o := data.NewObject()
		for i, k := range n.Keys {
			o.Set(k, w.value(n.Nodes[i]))
		}
		return o
	case 'a':
		list := []any{}
		for _, kid := range n.Nodes {
			list = append(list, w.value(kid))
		}
		return list
	}
	if n.Value.variables() != nil {
		return "#(" + w.expression(n.Value) + ")"
	}
	text := n.Value.plain()
	if n.Kind == 's' {
		return text
	}
	v, err := data.ParseJSON(text)
	if err != nil {
		return text
	}
	return v
}

// script writes a body as an object of JavaScript.
func (w dialect) script(n *Node) string {
	switch n.Kind {
	case 'o':
		var list []string
		for i, k := range n.Keys {
			list = append(list, key(k)+": "+w.script(n.Nodes[i]))
		}
		if len(list) == 0 {
			return "{}"
		}
		return "{ " + strings.Join(list, ", ") + " }"
	case 'a':
		var list []string
		for _, kid := range n.Nodes {
			list = append(list, w.script(kid))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	if n.Kind == 's' || n.Value.variables() != nil {
		return w.expression(n.Value)
	}
	return n.Value.plain()
}

func key(k string) string {
	if identifier().MatchString(k) {
		return k
	}
	return quote(k)
}

// marked says whether a text of a body would be read as an expression.
func (n *Node) marked() bool {
	return n.Kind == 's' && n.Value.variables() == nil && strings.HasPrefix(n.Value.plain(), "#") || slices.ContainsFunc(n.Nodes, (*Node).marked)
}

// way writes a path of JSON in JavaScript.
func way(root string, path []any) string {
	var b strings.Builder
	b.WriteString(root)
	for _, step := range path {
		switch s := step.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(s) + "]")
		case string:
			if identifier().MatchString(s) {
				b.WriteString("." + s)
			} else {
				b.WriteString("[" + quote(s) + "]")
			}
		}
	}
	return b.String()
}

// find is the expression that takes a variable from an answer. Pages are in a
// variable html.
func (v *Variable) find() string {
	s := v.Source
	switch s.Kind {
	case "json":
		return extract(way("response", s.Path), s.Pattern)
	case "header":
		return extract("responseHeaders["+quote(s.Name)+"][0]", s.Pattern)
	case "cookie":
		one := "responseCookies[" + quote(s.Name) + "].value"
		if s.Pattern != "" {
			return "decodeURIComponent(" + one + ")"
		}
		return one
	case "text":
		return extract("html", s.Pattern)
	case "script":
		return extract("html", s.Pattern) + plainScript
	}
	return extract("html", s.Pattern) + plainMarkup
}

// plainMarkup makes plain text of what stands in an attribute.
const plainMarkup = `.replace(/&#(x?)([0-9a-f]+);/gi, (all, hex, code) => String.fromCharCode(parseInt(code, hex ? 16 : 10))).replace(/&amp;/g, '&')`

// plainScript makes plain text of what a script spells with backslashes.
const plainScript = `.replace(/\\(.)/g, '$1')`

func extract(text, pattern string) string {
	if pattern == "" {
		return text
	}
	return "karate.extract(" + text + ", " + quote(pattern) + ", 1)"
}

// ofPage says whether a variable stands in a text that is no JSON.
func (v *Variable) ofPage() bool {
	return v.Source.Kind == "field" || v.Source.Kind == "meta" || v.Source.Kind == "text" || v.Source.Kind == "script"
}

// shapes are the schemas that others refer to by name, in the order in which they
// have to be defined.
type shapes struct {
	w     dialect
	names []string
	texts []string
	known map[string]string // the texts of all in the scenario
}

// marker writes what a schema wants as the right side of a match.
func (h *shapes) marker(s *Schema, name string) any {
	if len(s.Equal) > 0 {
		if s.Equal.variables() != nil {
			return "#(" + h.w.expression(s.Equal) + ")"
		}
		text := s.Equal.plain()
		if s.String && !strings.HasPrefix(text, "#") {
			return text
		}
		if v, err := data.ParseJSON(text); err == nil && !s.String {
			return v
		}
	}
	optional := ""
	if s.Optional || s.Null {
		optional = "#"
	}
	if s.types() > 1 {
		if s.Optional || s.Null {
			return "#ignore"
		}
		return "#present"
	}
	switch {
	case s.Flag:
		return optional + "#boolean"
	case s.Number:
		return optional + "#number"
	case s.String && s.Format == "uuid":
		return optional + "#uuid"
	case s.String && s.Format == "date-time":
		return optional + "#regex [0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}.*"
	case s.String && s.Format == "date":
		return optional + "#regex [0-9]{4}-[0-9]{2}-[0-9]{2}"
	case s.String:
		return optional + "#string"
	case s.List:
		return optional + h.list(s, name)
	case s.Object && s.Open:
		return optional + "#object"
	case s.Object && optional != "":
		return "##(" + h.define(s, name) + ")"
	case s.Object:
		return h.object(s)
	}
	if s.Optional {
		return "#ignore"
	}
	return "#present" // it was always null
}

func (h *shapes) object(s *Schema) *data.Object {
	o := data.NewObject()
	for _, k := range s.Keys {
		o.Set(k, h.marker(s.Props[k], k))
	}
	return o
}

func (h *shapes) list(s *Schema, name string) string {
	if s.Items == nil {
		return "#[]"
	}
	item := h.marker(s.Items, singular(name))
	switch v := item.(type) {
	case string:
		if v == "#ignore" || v == "#present" || strings.HasPrefix(v, "##") || strings.HasPrefix(v, "#[") {
			return "#[]"
		}
		return "#[] " + v
	case *data.Object:
		return "#[] " + h.add(v, singular(name))
	}
	return "#[]"
}

func (h *shapes) define(s *Schema, name string) string { return h.add(h.object(s), name) }

func (h *shapes) add(o *data.Object, name string) string {
	name = identifierOf(name)
	if name == "" {
		name = "one"
	}
	text := data.JSON(o)
	for one, known := range h.known {
		if known == text {
			return one
		}
	}
	base := name + "Schema"
	one := base
	for i := 2; h.known[one] != ""; i++ {
		one = base + strconv.Itoa(i)
	}
	h.known[one] = text
	h.names, h.texts = append(h.names, one), append(h.texts, text)
	return one
}
