package data

import (
	"fmt"
	"strings"
	"sync"

	"github.com/antchfx/xpath"
)

// Get evaluates an XPath. One node gives its text, or a document of its own where
// it has elements in it; several give a list of these; none gives NotPresent.
// count() gives a number, other functions give text.
func (x *XML) Get(path string) (any, error) {
	result, err := x.evaluate(path)
	if err != nil {
		return nil, err
	}
	switch r := result.(type) {
	case []*Node:
		switch len(r) {
		case 0:
			return NotPresent, nil
		case 1:
			return r[0].content(), nil
		}
		list := make([]any, len(r))
		for i, n := range r {
			list[i] = n.content()
		}
		return list, nil
	case float64:
		if strings.HasPrefix(strings.TrimSpace(path), "count") {
			return int64(r), nil
		}
		return Number(r), nil
	case bool:
		return fmt.Sprint(r), nil
	case string:
		return r, nil
	}
	return nil, fmt.Errorf("XPath %s gives a %T, which is no value", path, result)
}

// Set sets what an XPath leads to, and makes it where it is not there: a value
// that is XML or an object goes into the element, all else becomes its text.
func (x *XML) Set(path string, value any) error {
	n, err := x.find(path, true)
	if err != nil {
		return err
	}
	var in *Node
	switch v := value.(type) {
	case *XML:
		in = v.Root()
	case *Object:
		doc, err := FromObject(v)
		if err != nil {
			return err
		}
		in = doc.Root()
	}
	text := ""
	if in == nil && value != nil && value != Undefined {
		text = Text(value)
	}
	switch {
	case n.Kind != ElementNode:
		n.Value = text
	case in != nil:
		c := in.clone()
		if n.First != nil && n.First.Kind == TextNode {
			n.First.Replace(c)
		} else {
			n.append(c)
		}
	case n.First != nil && n.First.Kind == TextNode:
		n.First.Value = text
	default:
		n.SetText(text)
	}
	return nil
}

// Delete removes the first node that an XPath leads to, if there is one.
func (x *XML) Delete(path string) error {
	n, err := x.find(path, false)
	if err != nil || n == nil {
		return err
	}
	n.Remove()
	return nil
}

func (n *Node) content() any {
	if n.Kind == DocumentNode {
		return &XML{Node: n}
	}
	if n.elements() == 0 {
		return n.Text()
	}
	return (&XML{Node: n}).Clone()
}

// find gives the first node of a path; with create it makes the elements and the
// attribute that are missing.
func (x *XML) find(path string, create bool) (*Node, error) {
	path = strings.TrimSpace(path)
	result, err := x.evaluate(path)
	if err != nil {
		return nil, err
	}
	nodes, ok := result.([]*Node)
	switch {
	case !ok:
		return nil, fmt.Errorf("XPath %s gives a value, expected a path to an element or attribute", path)
	case len(nodes) > 0 && nodes[0].Kind == DocumentNode && create:
		return nil, fmt.Errorf("XPath %s is the document, expected a path to an element or attribute", path)
	case len(nodes) > 0:
		return nodes[0], nil
	case !create:
		return nil, nil
	}
	slash := strings.LastIndexByte(path, '/')
	if slash < 0 {
		return nil, fmt.Errorf("XPath %s leads nowhere, and only paths that begin with / can be made", path)
	}
	name := path[slash+1:]
	bare, attribute := strings.CutPrefix(name, "@")
	if i := strings.IndexByte(bare, '['); i >= 0 {
		bare = bare[:i]
	}
	if !plainName(bare) {
		return nil, fmt.Errorf("XPath %s leads nowhere, and no element can be named %q", path, bare)
	}
	parent := x.Node
	if slash > 0 {
		if parent, err = x.find(path[:slash], true); err != nil {
			return nil, err
		}
		if parent.Kind != ElementNode {
			return nil, fmt.Errorf("XPath %s leads nowhere: %s is no element", path, path[:slash])
		}
	} else if root := x.Root(); root != nil {
		return root, nil
	}
	if attribute {
		return parent.setAttr(bare, ""), nil
	}
	e := &Node{Kind: ElementNode, Name: bare}
	parent.append(e)
	return e, nil
}

func plainName(s string) bool {
	return s != "" && !strings.ContainsAny(s, " \t*/()[]@'\"<>=&") && !strings.HasSuffix(s, "::")
}

func (x *XML) evaluate(path string) (result any, err error) {
	expr, err := takeXPath(path)
	if err != nil {
		return nil, err
	}
	// The library panics on some expressions that it compiles.
	defer func() {
		if r := recover(); r != nil {
			result, err = nil, fmt.Errorf("XPath %s: %v", path, r)
		}
	}()
	result = expr.Evaluate(&navigator{root: x.Node, at: x.Node})
	if r, ok := result.(*xpath.NodeIterator); ok {
		nodes := []*Node{}
		for r.MoveNext() {
			nodes = append(nodes, r.Current().(*navigator).at)
		}
		result = nodes
	}
	giveBackXPath(path, expr)
	return result, nil
}

// compiled are expressions that nobody evaluates now. One keeps where it is while it is
// evaluated, so that two goroutines never have the same.
var compiled struct {
	sync.Mutex
	idle map[string][]*xpath.Expr
}

func takeXPath(path string) (expr *xpath.Expr, err error) {
	compiled.Lock()
	if idle := compiled.idle[path]; len(idle) > 0 {
		last := len(idle) - 1
		expr, compiled.idle[path] = idle[last], idle[:last]
	}
	compiled.Unlock()
	if expr != nil {
		return expr, nil
	}
	defer func() {
		if r := recover(); r != nil {
			expr, err = nil, fmt.Errorf("XPath %s: %v", path, r)
		}
	}()
	if expr, err = xpath.Compile(withoutPrefixes(path)); err != nil {
		return nil, fmt.Errorf("XPath %s: %w", path, err)
	}
	return expr, nil
}

func giveBackXPath(path string, expr *xpath.Expr) {
	compiled.Lock()
	defer compiled.Unlock()
	if compiled.idle == nil || len(compiled.idle) > 1000 {
		compiled.idle = map[string][]*xpath.Expr{}
	}
	compiled.idle[path] = append(compiled.idle[path], expr)
}

// withoutPrefixes drops namespace prefixes from a path: names are compared
// without them. Strings and axes stay.
func withoutPrefixes(path string) string {
	if !strings.Contains(path, ":") {
		return path
	}
	var out []byte
	for i := 0; i < len(path); i++ {
		c := path[i]
		switch {
		case c == '\'' || c == '"':
			end := strings.IndexByte(path[i+1:], c)
			if end < 0 {
				return string(append(out, path[i:]...))
			}
			out = append(out, path[i:i+end+2]...)
			i += end + 1
		case c == ':' && i+1 < len(path) && path[i+1] == ':':
			out = append(out, "::"...)
			i++
		case c == ':':
			for len(out) > 0 && nameByte(out[len(out)-1]) {
				out = out[:len(out)-1]
			}
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

func nameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// navigator walks a document for the XPath library.
type navigator struct{ root, at *Node }

func (n *navigator) NodeType() xpath.NodeType {
	switch n.at.Kind {
	case DocumentNode:
		return xpath.RootNode
	case ElementNode:
		return xpath.ElementNode
	case AttributeNode:
		return xpath.AttributeNode
	case TextNode, CDataNode:
		return xpath.TextNode
	}
	return xpath.CommentNode
}

func (n *navigator) LocalName() string {
	if i := strings.LastIndexByte(n.at.Name, ':'); i >= 0 {
		return n.at.Name[i+1:]
	}
	return n.at.Name
}

func (n *navigator) Prefix() string { return "" }
func (n *navigator) Value() string  { return n.at.Text() }

func (n *navigator) Copy() xpath.NodeNavigator {
	c := *n
	return &c
}

func (n *navigator) to(node *Node) bool {
	if node == nil {
		return false
	}
	n.at = node
	return true
}

func (n *navigator) MoveToRoot() { n.at = n.root }

func (n *navigator) MoveToParent() bool { return n.at != n.root && n.to(n.at.Parent) }

func (n *navigator) MoveToNextAttribute() bool {
	if n.at.Kind != AttributeNode {
		if n.at.Kind != ElementNode || len(n.at.Attrs) == 0 {
			return false
		}
		return n.to(n.at.Attrs[0])
	}
	attrs := n.at.Parent.Attrs
	for i, a := range attrs {
		if a == n.at && i+1 < len(attrs) {
			return n.to(attrs[i+1])
		}
	}
	return false
}

func (n *navigator) MoveToChild() bool    { return n.at.Kind != AttributeNode && n.to(n.at.First) }
func (n *navigator) MoveToNext() bool     { return n.sibling() && n.to(n.at.Next) }
func (n *navigator) MoveToPrevious() bool { return n.sibling() && n.to(n.at.Prev) }
func (n *navigator) sibling() bool        { return n.at.Kind != AttributeNode && n.at != n.root }

func (n *navigator) MoveToFirst() bool {
	if !n.sibling() || n.at.Parent == nil {
		return false
	}
	return n.to(n.at.Parent.First)
}

func (n *navigator) MoveTo(other xpath.NodeNavigator) bool {
	o, ok := other.(*navigator)
	if !ok || o.root != n.root {
		return false
	}
	n.at = o.at
	return true
}
