package apitest

import (
	"strconv"
	"strings"

	"rove/internal/data"
)

// Call is a request of the application's API and what it answered.
type Call struct {
	ID      int // from 1, in the order of the recording
	Method  string
	Origin  int    // of Suite.Origins
	Path    []Text // the segments, as they stand in the address
	Query   []*Field
	Headers []*Field
	Cookies []*Field // those that no answer set
	Body    *Body    // nil for none

	// Needed has values that others send, and is no API call by itself: a page with
	// the token of a form.
	Needed bool
	// Until is a condition that a call is repeated for, as the application did.
	Until string
	// Finds are the variables that are taken from the answer.
	Finds  []*Variable
	Answer Answer
	Expect Expect

	sent     map[string]string // cookies that were sent, by name
	hidden   map[string]bool   // names of fields whose values nobody was to see
	setNames []string          // cookies that the answer set, in order
	twins    []*Call           // the same call in other recordings
	folded   []*Call           // the same call again, with nothing done between
	shape    string
	document bool // it was a page, not a script, that asked
	leaves   bool // it ends the session
	bodyless bool // the recording lacks the body of the answer
	referer  string
	refers   bool // the answer has the address that it was asked from
	started  int64
}

// Answer is what was answered.
type Answer struct {
	Status  int
	Type    string // the content type, without parameters
	Headers []Pair
	Cookies map[string]string
	Text    string
	JSON    any  // where it is JSON
	IsJSON  bool // JSON may be null
	Binary  bool
}

// Pair is a name and a value.
type Pair struct{ Name, Value string }

// Text is what is sent at one place: literal parts and variables.
type Text []Part

// Part is a literal, or a variable where Var is set.
type Part struct {
	Lit string
	Var *Variable
}

// Field is a named place: a parameter, a header, a field of a form.
type Field struct {
	Name     string
	Value    Text
	FileName string // of a file that is uploaded
	Type     string
	File     bool
	Escaped  bool
}

// Body is what is sent as a body.
type Body struct {
	Kind   string // json, form, multipart, text
	Type   string // the content type as it was sent
	JSON   *Node
	Fields []*Field
	Text   Text
}

// Node is a value of a JSON body that is sent.
type Node struct {
	Kind  byte // o, a, s, n, or l for true, false and null
	Keys  []string
	Nodes []*Node
	Value Text // of s, n and l
}

// Variable is a value that differs from run to run, or that is kept out of the
// texts.
type Variable struct {
	Name string
	// From is the call whose answer has it; nil where the config has it.
	From   *Call
	Source Source
	Number bool
	Secret bool
	// Default may be written where the config has it.
	Default string
	// Value is as recorded. It is never written.
	Value string
	// Fresh is another value in every scenario: the application takes each only once.
	Fresh  bool
	shared bool // it is found by signing in
	first  place
}

// Source is where an answer has a value.
type Source struct {
	Kind string // json, header, cookie, field, meta, text, script
	Path []any  // of json: strings and ints
	Name string // of header, cookie, field, meta
	// Pattern has one group, for a value that is a part of what Path or Name lead to,
	// or of the whole text.
	Pattern string
}

func literal(s string) Text { return Text{{Lit: s}} }

// plain is the text as it was recorded.
func (t Text) plain() string {
	var b strings.Builder
	for _, p := range t {
		if p.Var != nil {
			b.WriteString(p.Var.Value)
		} else {
			b.WriteString(p.Lit)
		}
	}
	return b.String()
}

// variables are those in the text.
func (t Text) variables() (list []*Variable) {
	for _, p := range t {
		if p.Var != nil {
			list = append(list, p.Var)
		}
	}
	return list
}

// alone is the variable that the text is, if it is nothing else.
func (t Text) alone() *Variable {
	if len(t) == 1 {
		return t[0].Var
	}
	return nil
}

// place is a slot of a call, in every recording.
type place struct {
	call int
	key  string
}

// slot is a place of a request that may hold a value from somewhere.
type slot struct {
	key   string // its place, the same in every recording
	kind  string // path, query, header, cookie, field, json, text
	name  string // what it is called
	where []any  // the way to it in a JSON body
	text  *Text
	node  *Node // of a JSON body
}

// slots are the places of a request.
func (c *Call) slots() []slot {
	var list []slot
	for i := range c.Path {
		name := ""
		if i > 0 {
			name = c.Path[i-1].plain()
		}
		list = append(list, slot{key: "path" + strconv.Itoa(i), kind: "path", name: name, text: &c.Path[i]})
	}
	fields := func(kind string, all []*Field) {
		seen := map[string]int{}
		for _, f := range all {
			seen[f.Name]++
			list = append(list, slot{key: kind + " " + f.Name + " " + strconv.Itoa(seen[f.Name]), kind: kind, name: f.Name, text: &f.Value})
		}
	}
	fields("query", c.Query)
	fields("header", c.Headers)
	fields("cookie", c.Cookies)
	if b := c.Body; b != nil {
		fields("field", b.Fields)
		if b.JSON != nil {
			b.JSON.slots("json", "", nil, &list)
		}
		if b.Kind == "text" {
			list = append(list, slot{key: "text", kind: "text", text: &b.Text})
		}
	}
	return list
}

func (n *Node) slots(key, name string, where []any, list *[]slot) {
	switch n.Kind {
	case 'o':
		for i, k := range n.Keys {
			n.Nodes[i].slots(key+"."+k, k, append(where[:len(where):len(where)], k), list)
		}
	case 'a':
		for i, kid := range n.Nodes {
			kid.slots(key+"["+strconv.Itoa(i)+"]", name, append(where[:len(where):len(where)], i), list)
		}
	case 's', 'n', 'l':
		*list = append(*list, slot{key: key, kind: "json", name: name, where: where, text: &n.Value, node: n})
	}
}

// newNode makes a body of a value.
func newNode(v any) *Node {
	switch v := v.(type) {
	case *data.Object:
		n := &Node{Kind: 'o'}
		for k, kid := range v.All() {
			n.Keys = append(n.Keys, k)
			n.Nodes = append(n.Nodes, newNode(kid))
		}
		return n
	case []any:
		n := &Node{Kind: 'a'}
		for _, kid := range v {
			n.Nodes = append(n.Nodes, newNode(kid))
		}
		return n
	case string:
		return &Node{Kind: 's', Value: literal(v)}
	case bool, nil:
		return &Node{Kind: 'l', Value: literal(data.JSON(v))}
	}
	return &Node{Kind: 'n', Value: literal(data.JSON(v))}
}

// leaf is a value of an answer that is no object and no list.
type leaf struct {
	path  []any
	value any
}

// leaves walks all values of JSON that are no objects or lists.
func leaves(v any, path []any, yield func(leaf)) {
	path = path[:len(path):len(path)]
	switch v := v.(type) {
	case *data.Object:
		for k, kid := range v.All() {
			leaves(kid, append(path, k), yield)
		}
	case []any:
		for i, kid := range v {
			leaves(kid, append(path, i), yield)
		}
	default:
		yield(leaf{path, v})
	}
}

// key is the last name in a path.
func (l leaf) key() string {
	for i := len(l.path) - 1; i >= 0; i-- {
		if k, ok := l.path[i].(string); ok {
			return k
		}
	}
	return ""
}

// scalar is a leaf as text, as it would be sent.
func scalar(v any) (text string, number bool) {
	switch v := v.(type) {
	case string:
		return v, false
	case nil:
		return "", false
	case bool:
		return strconv.FormatBool(v), false
	}
	return data.JSON(v), true
}

// at gives the value that a path leads to.
func at(v any, path []any) (any, bool) {
	for _, step := range path {
		switch s := step.(type) {
		case string:
			o, ok := v.(*data.Object)
			if !ok {
				return nil, false
			}
			if v, ok = o.Get(s); !ok {
				return nil, false
			}
		case int:
			list, ok := v.([]any)
			if !ok || s < 0 || s >= len(list) {
				return nil, false
			}
			v = list[s]
		}
	}
	return v, true
}
