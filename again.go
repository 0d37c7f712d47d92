package rove

import (
	"slices"
	"strings"

	"rove/aria"
)

// A page that is loaded anew is often the same one: a form that comes back, a list with an
// entry more. Its elements keep their refs then (internal/inject/src/succession.js), and
// what is told of it is what changed.

// again is the look to compare a page with that has come anew: the last one at the page
// of that address, where most of what can be acted on is the same, by succession. It is
// nil where this is another page.
func (m *memory) again(before, after *aria.Tree) *aria.Tree {
	if before == nil || after.Covered() || !samePage(before.URL, after.URL) {
		return nil
	}
	if before.Covered() {
		if before = m.uncovered(after); before == nil {
			return nil
		}
	}
	there := map[aria.Ref]bool{}
	for i := range before.Nodes {
		if r := before.Nodes[i].Ref; r != "" {
			there[r] = true
		}
	}
	same, all := 0, 0
	for i := range after.Nodes {
		if r := after.Nodes[i].Ref; r != "" {
			all++
			if there[r] {
				same++
			}
		}
	}
	if same < leastAgain || 4*same < 3*max(all, len(there)) {
		return nil
	}
	return before
}

// leastAgain is how many elements a page has at least that is worth comparing.
const leastAgain = 4

// samePage says that two addresses are of one page, whatever is asked of it.
func samePage(a, b string) bool {
	cut := func(s string) string {
		s, _, _ = strings.Cut(s, "#")
		s, _, _ = strings.Cut(s, "?")
		return s
	}
	return cut(a) == cut(b)
}

// question is what an address asks of its page.
func question(address string) string {
	address, _, _ = strings.Cut(address, "#")
	_, asked, _ := strings.Cut(address, "?")
	return asked
}

// cameAgain says that the page is the same one, loaded anew: all that is not told is as it was.
func cameAgain(d *aria.Delta, before, after string) string {
	if question(before) != question(after) {
		return "a page of the same form, but for:\n" // perhaps of another record
	}
	if d.Empty() {
		return "the same page again, as it was\n"
	}
	return "the same page again, but for:\n"
}

// told is an earlier tree with the values that receipts tell of put in, so that
// they are not told again as changes. What a page has made of them that was loaded anew
// since is a change.
func told(before, after *aria.Tree, done []Receipt) *aria.Tree {
	values, sent := map[aria.Ref]string{}, map[aria.Ref]bool{}
	for _, d := range done {
		if d.Effect.Navigated {
			for ref := range values {
				sent[ref] = true
			}
		}
		if d.Effect.Value != nil && d.Op != "scroll" {
			values[d.Effect.Ref] = d.Effect.Value.To
		}
	}
	if len(values) == 0 {
		return before
	}
	now := map[aria.Ref]*aria.Node{}
	lost := map[aria.Ref]bool{} // whose state the page that was loaded anew does not have
	for i := range after.Nodes {
		n := &after.Nodes[i]
		to, ok := values[n.Ref]
		is, word := stateWords[to]
		if ok && (!word || (n.State&is.bit != 0) == is.set) {
			now[n.Ref] = n
		} else if ok {
			lost[n.Ref] = sent[n.Ref]
		}
	}
	const said = aria.Checked | aria.Mixed | aria.Selected | aria.Pressed | aria.Expanded | aria.Collapsed | aria.HasValue | aria.Masked
	tree := *before
	tree.Nodes = slices.Clone(before.Nodes)
	for i := range tree.Nodes {
		if ref := tree.Nodes[i].Ref; lost[ref] {
			is := stateWords[values[ref]]
			if tree.Nodes[i].State &^= is.bit; is.set {
				tree.Nodes[i].State |= is.bit
			}
		}
		if n := now[tree.Nodes[i].Ref]; n != nil {
			// What a receipt says of a state says nothing of what a field holds.
			if _, word := stateWords[values[n.Ref]]; !word && sent[n.Ref] {
				tree.Nodes[i].Value, tree.Nodes[i].State = values[n.Ref], tree.Nodes[i].State|aria.HasValue
				continue
			} else if !word {
				tree.Nodes[i].Value = n.Value
			}
			tree.Nodes[i].State = tree.Nodes[i].State&^said | n.State&said
		}
	}
	return &tree
}

// stateWords are the states that receipts tell of, and what they are in a tree.
var stateWords = map[string]struct {
	bit aria.State
	set bool
}{
	"checked": {aria.Checked, true}, "unchecked": {aria.Checked, false}, "expanded": {aria.Expanded, true}, "collapsed": {aria.Expanded, false},
	"selected": {aria.Selected, true}, "unselected": {aria.Selected, false}, "pressed": {aria.Pressed, true}, "unpressed": {aria.Pressed, false},
}
