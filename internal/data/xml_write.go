package data

import "strings"

var (
	escapeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
	escapeAttr = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\r", "&#13;", "\t", "&#9;")
)

// String writes the document in one go, without a declaration.
func (x *XML) String() string {
	var out strings.Builder
	x.Node.write(&out, -1)
	return out.String()
}

// Pretty writes each element that has others in it over several lines, with two
// spaces for each level.
func (x *XML) Pretty() string {
	var out strings.Builder
	x.Node.write(&out, 0)
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// write writes a node; a depth below zero means as it is.
func (n *Node) write(out *strings.Builder, depth int) {
	pretty := depth >= 0
	line := func(depth int) {
		if pretty {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			for range depth {
				out.WriteString("  ")
			}
		}
	}
	switch n.Kind {
	case DocumentNode:
		for c := n.First; c != nil; c = c.Next {
			line(0)
			c.write(out, depth)
		}
	case TextNode:
		escapeText.WriteString(out, n.Value)
	case AttributeNode:
		out.WriteString(n.Name + `="` + escapeAttr.Replace(n.Value) + `"`)
	case CDataNode:
		out.WriteString("<![CDATA[" + strings.ReplaceAll(n.Value, "]]>", "]]]]><![CDATA[>") + "]]>")
	case CommentNode:
		out.WriteString("<!--" + n.Value + "-->")
	case InstructionNode:
		out.WriteString("<?" + n.Name + " " + n.Value + "?>")
	case ElementNode:
		out.WriteString("<" + n.Name)
		for _, a := range n.Attrs {
			out.WriteByte(' ')
			a.write(out, depth)
		}
		if n.First == nil {
			out.WriteString("/>")
			return
		}
		out.WriteByte('>')
		if !pretty || n.elements() == 0 || n.mixed() {
			for c := n.First; c != nil; c = c.Next {
				c.write(out, -1)
			}
		} else {
			for c := n.First; c != nil; c = c.Next {
				if c.Kind == TextNode {
					continue // white space between elements
				}
				line(depth + 1)
				c.write(out, depth+1)
			}
			line(depth)
		}
		out.WriteString("</" + n.Name + ">")
	}
}

// mixed says whether an element has text beside elements, which a line more
// would change.
func (n *Node) mixed() bool {
	for c := n.First; c != nil; c = c.Next {
		if c.Kind == CDataNode || c.Kind == TextNode && strings.TrimSpace(c.Value) != "" {
			return true
		}
	}
	return false
}
