package aria

import "regexp"

// atWork are the words of a page that is getting something, and will say otherwise when it has it.
var atWork = regexp.MustCompile(`(?i)^(?:please wait|loading|searching|saving|fetching|updating|refreshing|processing|sending|submitting|uploading|calculating|generating|connecting)\b[^.…]{0,30}(?:…|\.\.\.)$`)

// AtWork gives the words with which a page says that it is at work, where it did not say them before; ""
// where it does not. before may be nil.
func (t *Tree) AtWork(before *Tree) string {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.State&Editable != 0 || kindOf(n)&labelled != 0 || len(n.Name) > 60 || !atWork.MatchString(n.Name) {
			continue
		}
		if before == nil || !before.Says(n.Name) {
			return n.Name
		}
	}
	return ""
}

// Says tells whether a node of a tree is called so.
func (t *Tree) Says(name string) bool {
	for i := range t.Nodes {
		if t.Nodes[i].Name == name {
			return true
		}
	}
	return false
}

// Has tells whether an element is in a tree.
func (t *Tree) Has(r Ref) bool {
	for i := range t.Nodes {
		if t.Nodes[i].Ref == r {
			return true
		}
	}
	return false
}
