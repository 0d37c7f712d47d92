package aria

import (
	"strconv"
	"strings"
)

// minBrief is how many links a navigation has to have to read as one line.
const minBrief = 5

// brief writes a navigation that is links and nothing else as one line of their
// names, or, where the page before had the same, says so. It answers false where
// there is more to it.
func (l *layout) brief(i, depth int) bool {
	if !l.opts.Brief || l.t.Nodes[i].Role != "navigation" {
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

// navigations are the signatures of a page's navigations.
func navigations(t *Tree) map[string]bool {
	if t == nil {
		return nil
	}
	ends := subtreeEnds(t.Nodes)
	found := make(map[string]bool)
	for i := range t.Nodes {
		if t.Nodes[i].Role == "navigation" {
			if names := linksOf(t.Nodes[i:ends[i]]); len(names) >= minBrief {
				found[signature(t.Nodes[i].Name, names)] = true
			}
		}
	}
	return found
}
