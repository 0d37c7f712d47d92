package aria

import (
	"strconv"
	"strings"
)

// minBrief is how many links a navigation has to have to read as one line.
const minBrief = 5

// brief writes a navigation that is links and nothing else as one line of their
// names, or, where the page before had the same, says so, as of a toolbar, a menu or a
// footer. It answers false where there is more to it.
func (l *layout) brief(i, depth int) bool {
	if !l.opts.Brief || !beside[l.t.Nodes[i].Role] {
		return false
	}
	if said := contents(l.t.Nodes[i:l.ends[i]]); said != "" && l.before[said] {
		from := len(l.buf)
		l.buf = appendElement(l.buf, &l.t.Nodes[i])
		l.buf = append(l.buf, " as before"...)
		l.add(i, depth, from, true)
		return true
	}
	if l.t.Nodes[i].Role != "navigation" {
		return false
	}
	names := linksOf(l.t.Nodes[i:l.ends[i]])
	if len(names) < minBrief {
		return false
	}
	n := l.t.Nodes[i]
	from := len(l.buf)
	l.buf = appendElement(l.buf, &n)
	if l.before[signature(n.Name, names)] {
		l.buf = append(l.buf, " as before"...)
	} else {
		l.buf = append(l.buf, ' ')
		l.buf = strconv.AppendInt(l.buf, int64(len(names)), 10)
		l.buf = append(l.buf, ` links "`...)
		for k, name := range names {
			if k > 0 {
				l.buf = append(l.buf, " | "...)
			}
			l.buf = appendEscaped(l.buf, name, '|')
		}
		l.buf = append(l.buf, '"')
	}
	l.add(i, depth, from, true)
	return true
}

// beside are the roles of what stands beside a page's content, on one page as on the
// next.
var beside = map[string]bool{
	"navigation": true, "toolbar": true, "menubar": true, "menu": true, "tablist": true, "contentinfo": true, "complementary": true,
	"banner": true, "search": true,
}

// contents is all that is said in a part of a page, but for states; "" where that is
// next to nothing. Something to fill in is the same only with the same ref and value: a
// field that looks like another may be of something else.
func contents(nodes []Node) string {
	var b strings.Builder
	said := 0
	for i := range nodes {
		n := &nodes[i]
		if kindOf(n)&labelled != 0 {
			b.WriteString(string(n.Ref) + "\t" + n.Value + "\t" + strconv.FormatBool(n.State&Checked != 0) + "\t")
		}
		if !blank(n.Name) {
			said++
		}
		b.WriteString(n.Role + "\t" + n.Name + "\t")
	}
	if said < minBefore {
		return ""
	}
	return b.String()
}

// minBefore is how many things such a part has to have.
const minBefore = 3

// linksOf gives the names of the links in a navigation, or nil if it holds
// anything else: then the links alone would not tell what is there.
func linksOf(nodes []Node) []string {
	var names []string
	for i := range nodes[1:] {
		n := &nodes[1+i]
		switch {
		case n.Role == "link" && n.Ref != "" && !blank(n.Name) && n.State&(saidStates&^(Current|Active)) == 0:
			names = append(names, n.Name)
		case n.Role == "text" && (blank(n.Name) || punctuation(n.Name)) && n.Ref == "":
		case kindOf(n)&wrapper != 0 && blank(n.Name) && n.State&Operable == 0:
		default:
			return nil
		}
	}
	return names
}

func signature(name string, links []string) string { return name + "\n" + strings.Join(links, "\n") }

// navigations are the signatures of what stands beside a page's content.
func navigations(t *Tree) map[string]bool {
	if t == nil {
		return nil
	}
	ends := subtreeEnds(t.Nodes)
	found := make(map[string]bool)
	for i := range t.Nodes {
		if beside[t.Nodes[i].Role] {
			if said := contents(t.Nodes[i:ends[i]]); said != "" {
				found[said] = true
			}
		}
		if t.Nodes[i].Role == "navigation" {
			if names := linksOf(t.Nodes[i:ends[i]]); len(names) >= minBrief {
				found[signature(t.Nodes[i].Name, names)] = true
			}
		}
	}
	return found
}
