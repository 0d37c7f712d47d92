package data

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

// XML is a document or an element of one. Names are kept as they are written,
// prefix and all: features do not care for namespaces.
type XML struct{ Node *Node }

// Node is a node of a document.
type Node struct {
	Kind   NodeKind
	Name   string // of elements, attributes and instructions
	Value  string // of all others, and of attributes
	Attrs  []*Node
	Parent *Node

	First, Last, Next, Prev *Node
}

// NodeKind says what a node is.
type NodeKind int

const (
	DocumentNode NodeKind = iota
	ElementNode
	TextNode
	CDataNode
	CommentNode
	InstructionNode
	AttributeNode
)

// NewDocument makes a document with nothing in it.
func NewDocument() *XML { return &XML{Node: &Node{Kind: DocumentNode}} }

// ParseXML reads a document. Its type declaration is dropped.
func ParseXML(text string) (*XML, error) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "\ufeff")
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	doc := &Node{Kind: DocumentNode}
	at := doc
	depth := 0
	fail := func(offset int64, message string) (*XML, error) {
		line, column := position(text, int(offset))
		return nil, &SyntaxError{Format: "XML", Line: line, Column: column, Message: message}
	}
	for {
		start := d.InputOffset()
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if bad, ok := errors.AsType[*xml.SyntaxError](err); ok {
				return fail(d.InputOffset(), bad.Msg)
			}
			return fail(d.InputOffset(), err.Error())
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return fail(start, "elements are too deep in each other")
			}
			if at == doc && doc.element() != nil {
				return fail(start, "a second root element, <"+rawName(t.Name)+">")
			}
			e := &Node{Kind: ElementNode, Name: rawName(t.Name)}
			for _, a := range t.Attr {
				if e.attr(rawName(a.Name)) != nil {
					return fail(start, "<"+e.Name+"> has the attribute "+rawName(a.Name)+" twice")
				}
				e.setAttr(rawName(a.Name), a.Value)
			}
			at.append(e)
			at = e
		case xml.EndElement:
			if at == doc || at.Name != rawName(t.Name) {
				if at == doc {
					return fail(start, "</"+rawName(t.Name)+"> closes nothing")
				}
				return fail(start, "expected </"+at.Name+">, found </"+rawName(t.Name)+">")
			}
			depth--
			at = at.Parent
		case xml.CharData:
			kind := TextNode
			if strings.HasPrefix(text[start:], "<![CDATA[") {
				kind = CDataNode
			}
			if at == doc {
				if strings.TrimSpace(string(t)) != "" {
					return fail(start, "text outside of the root element")
				}
				continue
			}
			at.append(&Node{Kind: kind, Value: string(t)})
		case xml.Comment:
			at.append(&Node{Kind: CommentNode, Value: string(t)})
		case xml.ProcInst:
			if t.Target != "xml" {
				at.append(&Node{Kind: InstructionNode, Name: t.Target, Value: string(t.Inst)})
			}
		}
	}
	if at != doc {
		return fail(int64(len(text)), "expected </"+at.Name+">, found the end")
	}
	if doc.element() == nil {
		return fail(0, "no element in it")
	}
	return &XML{Node: doc}, nil
}

func rawName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// Root is the root element, or the element itself; nil in an empty document.
func (x *XML) Root() *Node {
	if x.Node.Kind == DocumentNode {
		return x.Node.element()
	}
	return x.Node
}

// Clone copies the document, or the element as a document of its own.
func (x *XML) Clone() *XML {
	c := x.Node.clone()
	if c.Kind == DocumentNode {
		return &XML{Node: c}
	}
	doc := &Node{Kind: DocumentNode}
	doc.append(c)
	return &XML{Node: doc}
}

// element is the first child that is an element.
func (n *Node) element() *Node {
	for c := n.First; c != nil; c = c.Next {
		if c.Kind == ElementNode {
			return c
		}
	}
	return nil
}

func (n *Node) append(c *Node) {
	c.Parent, c.Prev, c.Next = n, n.Last, nil
	if n.Last != nil {
		n.Last.Next = c
	} else {
		n.First = c
	}
	n.Last = c
}

// Remove takes a node out of its document.
func (n *Node) Remove() {
	p := n.Parent
	if p == nil {
		return
	}
	if n.Kind == AttributeNode {
		p.Attrs = slices.DeleteFunc(p.Attrs, func(a *Node) bool { return a == n })
		return
	}
	if n.Prev != nil {
		n.Prev.Next = n.Next
	} else {
		p.First = n.Next
	}
	if n.Next != nil {
		n.Next.Prev = n.Prev
	} else {
		p.Last = n.Prev
	}
	n.Parent, n.Prev, n.Next = nil, nil, nil
}

// Replace puts another node in the place of this one.
func (n *Node) Replace(by *Node) {
	p := n.Parent
	by.Parent, by.Prev, by.Next = p, n.Prev, n.Next
	if n.Prev != nil {
		n.Prev.Next = by
	} else {
		p.First = by
	}
	if n.Next != nil {
		n.Next.Prev = by
	} else {
		p.Last = by
	}
	n.Parent, n.Prev, n.Next = nil, nil, nil
}

func (n *Node) attr(name string) *Node {
	for _, a := range n.Attrs {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// setAttr sets an attribute. Attributes stand in the order of their names, so
// that two documents that say the same read the same.
func (n *Node) setAttr(name, value string) *Node {
	if a := n.attr(name); a != nil {
		a.Value = value
		return a
	}
	a := &Node{Kind: AttributeNode, Name: name, Value: value, Parent: n}
	i, _ := slices.BinarySearchFunc(n.Attrs, a, func(x, y *Node) int { return strings.Compare(x.Name, y.Name) })
	n.Attrs = slices.Insert(n.Attrs, i, a)
	return a
}

func (n *Node) clone() *Node {
	c := &Node{Kind: n.Kind, Name: n.Name, Value: n.Value}
	for _, a := range n.Attrs {
		c.Attrs = append(c.Attrs, &Node{Kind: AttributeNode, Name: a.Name, Value: a.Value, Parent: c})
	}
	for child := n.First; child != nil; child = child.Next {
		c.append(child.clone())
	}
	return c
}

// elements is the number of children that are elements.
func (n *Node) elements() int {
	count := 0
	for c := n.First; c != nil; c = c.Next {
		if c.Kind == ElementNode {
			count++
		}
	}
	return count
}

// Text is the text of a node and all below it.
func (n *Node) Text() string {
	switch n.Kind {
	case DocumentNode, ElementNode:
	default:
		return n.Value
	}
	// Most elements have one text.
	if c := n.First; c != nil && c.Next == nil && (c.Kind == TextNode || c.Kind == CDataNode) {
		return c.Value
	}
	var out strings.Builder
	n.text(&out)
	return out.String()
}

func (n *Node) text(out *strings.Builder) {
	for c := n.First; c != nil; c = c.Next {
		switch c.Kind {
		case TextNode, CDataNode:
			out.WriteString(c.Value)
		case ElementNode:
			c.text(out)
		}
	}
}

// SetText replaces all that is in an element by a text.
func (n *Node) SetText(s string) {
	n.First, n.Last = nil, nil
	if s != "" {
		n.append(&Node{Kind: TextNode, Value: s})
	}
}
