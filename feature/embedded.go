package feature

import (
	"context"
	"strings"

	"rove/internal/data"
	"rove/internal/script"
)

// embeddedExpression takes "#(expr)" and "##(expr)" apart.
func embeddedExpression(text string) (expr string, optional, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasSuffix(text, ")") {
		return "", false, false
	}
	if rest, ok := strings.CutPrefix(text, "##("); ok {
		return "(" + rest, true, true
	}
	if rest, ok := strings.CutPrefix(text, "#("); ok {
		return "(" + rest, false, true
	}
	return "", false, false
}

// embedded evaluates the expressions within JSON. An optional one that gives null
// takes its key or element along. What cannot be evaluated stays as it is: a
// schema may name what is there only later.
func (s *scenario) embedded(ctx context.Context, v any, forMatch bool) (any, error) {
	out, remove, err := s.embed(ctx, v, forMatch)
	if err != nil || remove {
		return nil, err
	}
	return out, nil
}

func (s *scenario) embed(ctx context.Context, v any, forMatch bool) (out any, remove bool, err error) {
	switch v := v.(type) {
	case string:
		expr, optional, ok := embeddedExpression(v)
		if !ok || macro(expr) {
			return v, false, nil
		}
		got, err := s.js(ctx, expr)
		if err != nil {
			if script.Interrupted(err) {
				return nil, false, err
			}
			return v, false, nil
		}
		if optional {
			if got.Null() {
				return nil, true, nil
			}
			if forMatch && (got.IsList() || got.IsObject()) {
				return v, false, nil
			}
		}
		if forMatch {
			return got.Export(), false, nil
		}
		return got, false, nil
	case []any:
		list := v[:0]
		for _, e := range v {
			e, remove, err := s.embed(ctx, e, forMatch)
			if err != nil {
				return nil, false, err
			}
			if !remove {
				list = append(list, e)
			}
		}
		return list, false, nil
	case *data.Object:
		for _, key := range v.Keys() {
			e, _ := v.Get(key)
			e, remove, err := s.embed(ctx, e, forMatch)
			if err != nil {
				return nil, false, err
			}
			if remove {
				v.Delete(key)
			} else {
				v.Set(key, e)
			}
		}
	}
	return v, false, nil
}

// macro says whether an expression is one that match evaluates: #(^x), #(!^x).
func macro(expr string) bool {
	inner := strings.TrimSpace(strings.TrimPrefix(expr, "("))
	return strings.HasPrefix(inner, "^") || strings.HasPrefix(inner, "!^")
}

// embeddedXML evaluates the expressions in the text and the attributes of a
// document.
func (s *scenario) embeddedXML(ctx context.Context, x *data.XML, forMatch bool) error {
	node := x.Node
	if node.Kind == data.DocumentNode {
		node = x.Root()
	}
	if node == nil {
		return nil
	}
	return s.embedNode(ctx, node, forMatch)
}

func (s *scenario) embedNode(ctx context.Context, n *data.Node, forMatch bool) error {
	for i := 0; i < len(n.Attrs); i++ {
		a := n.Attrs[i]
		expr, optional, ok := embeddedExpression(a.Value)
		if !ok {
			continue
		}
		v, err := s.js(ctx, expr)
		switch {
		case err != nil && script.Interrupted(err):
			return err
		case err != nil:
		case optional && v.Null():
			n.Attrs = append(n.Attrs[:i], n.Attrs[i+1:]...)
			i--
		default:
			a.Value = data.Text(v.Export())
		}
	}
	for c := n.First; c != nil; {
		next := c.Next
		if c.Kind == data.TextNode || c.Kind == data.CDataNode {
			gone, err := s.embedText(ctx, n, c, forMatch)
			if err != nil || gone {
				return err
			}
		} else if c.Kind == data.ElementNode {
			if err := s.embedNode(ctx, c, forMatch); err != nil {
				return err
			}
		}
		c = next
	}
	return nil
}

// embedText evaluates the text of an element. Where it is optional and null, the
// whole element goes.
func (s *scenario) embedText(ctx context.Context, parent, c *data.Node, forMatch bool) (gone bool, err error) {
	expr, optional, ok := embeddedExpression(c.Value)
	if !ok {
		return false, nil
	}
	v, err := s.js(ctx, expr)
	if err != nil {
		if script.Interrupted(err) {
			return false, err
		}
		return false, nil
	}
	got := v.Export()
	if optional && v.Null() {
		parent.Remove()
		return true, nil
	}
	var inner *data.XML
	switch got := got.(type) {
	case *data.XML:
		inner = got
	case *data.Object:
		inner, err = data.FromObject(got)
	}
	if err != nil {
		return false, err
	}
	if inner == nil {
		c.Value = data.Text(got)
		return false, nil
	}
	if optional && forMatch {
		return false, nil
	}
	root := inner.Clone()
	if c.Kind == data.CDataNode {
		c.Value = root.String()
		return false, nil
	}
	c.Replace(root.Root())
	return false, nil
}
