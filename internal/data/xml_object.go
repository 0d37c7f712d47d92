package data

import (
	"fmt"
	"strings"
)

// Object gives the document as JSON does: an element as what is in it, repeated
// ones as a list, attributes under "@" with the content under "_". Without
// prefixes, names have none and declarations of namespaces are left out.
func (x *XML) Object(withoutPrefixes bool) any {
	if x.Node.Kind != DocumentNode {
		return x.Node.object(withoutPrefixes)
	}
	o := &Object{}
	if root := x.Node.element(); root != nil {
		o.Set(localName(root.Name, withoutPrefixes), root.object(withoutPrefixes))
	}
	return o
}

func localName(name string, without bool) string {
	if i := strings.LastIndexByte(name, ':'); without && i >= 0 {
		return name[i+1:]
	}
	return name
}

func (n *Node) object(without bool) any {
	content := n.children(without)
	attrs := &Object{}
	for _, a := range n.Attrs {
		if without && (a.Name == "xmlns" || strings.HasPrefix(a.Name, "xmlns:")) {
			continue
		}
		attrs.Set(a.Name, a.Value)
	}
	if attrs.Len() == 0 {
		return content
	}
	return NewObject("_", content, "@", attrs)
}

func (n *Node) children(without bool) any {
	if n.elements() == 0 {
		text := n.Text()
		if strings.TrimSpace(text) == "" {
			return nil
		}
		return text
	}
	o := &Object{}
	repeated := map[string]bool{}
	for c := n.First; c != nil; c = c.Next {
		if c.Kind != ElementNode {
			continue
		}
		name := localName(c.Name, without)
		v := c.object(without)
		before, there := o.Get(name)
		switch {
		case !there:
			o.Set(name, v)
		case repeated[name]:
			o.Set(name, append(before.([]any), v))
		default:
			repeated[name] = true
			o.Set(name, []any{before, v})
		}
	}
	return o
}

// FromObject makes a document of an object that has one key, the name of the root
// element.
func FromObject(o *Object) (*XML, error) {
	for name, v := range o.All() {
		return NewXML(name, v)
	}
	return nil, fmt.Errorf("an empty object makes no XML, expected one key: the root element")
}

// NewXML makes a document with a root element of that name, the reverse of
// Object.
func NewXML(name string, v any) (*XML, error) {
	if _, ok := v.([]any); ok {
		return nil, fmt.Errorf("a list makes no XML, a document has one root element; expected an object")
	}
	doc := NewDocument()
	for _, e := range elementsOf(name, v) {
		doc.Node.append(e)
	}
	return doc, nil
}

func elementsOf(name string, v any) []*Node {
	switch v := v.(type) {
	case *Object:
		content, hasContent := v.Get("_")
		attrs, hasAttrs := v.Get("@")
		if hasContent && content != nil || hasAttrs && attrs != nil {
			made := elementsOf(name, content)
			if attrs, ok := attrs.(*Object); ok && len(made) > 0 {
				for key, value := range attrs.All() {
					made[0].setAttr(key, Text(value))
				}
			}
			return made
		}
		e := &Node{Kind: ElementNode, Name: name}
		for key, value := range v.All() {
			for _, c := range elementsOf(key, value) {
				e.append(c)
			}
		}
		return []*Node{e}
	case []any:
		var made []*Node
		for _, value := range v {
			made = append(made, elementsOf(name, value)...)
		}
		return made
	case *XML:
		e := &Node{Kind: ElementNode, Name: name}
		e.append(v.Root().clone())
		return []*Node{e}
	}
	e := &Node{Kind: ElementNode, Name: name}
	if v != nil && v != Undefined {
		e.SetText(Text(v))
	}
	return []*Node{e}
}
