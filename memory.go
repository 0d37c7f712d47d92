package rove

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rove/aria"
	"rove/driver"
	"rove/internal/wire"
)

// remembered is how many whole looks a session can compare with, and
// rememberedNodes of how many nodes in all: of large pages it is fewer.
const (
	remembered      = 8
	rememberedNodes = 30000
)

// memory is what a session has shown so far.
type memory struct {
	count int
	trees []seen          // the last whole looks, oldest first
	kinds map[string]bool // kinds of elements whose operations were told
	warn  map[string]bool // refs of which was said that they are something else now
	chose map[string]bool // refs that something was chosen in by a step of this act: many are called by that
	asked map[string]bool // what pages asked for when they were loaded, as it was told
}

type seen struct {
	number int
	tree   *aria.Tree
}

// keep numbers a look and remembers the tree if it is that of a whole page.
func (m *memory) keep(tree *aria.Tree, whole bool) int {
	m.count++
	if whole {
		m.trees = append(m.trees, seen{m.count, tree})
		nodes := 0
		for i := len(m.trees) - 1; i >= 0; i-- {
			nodes += len(m.trees[i].tree.Nodes)
			// The last two are always there: what changed is told from them.
			if back := len(m.trees) - i; back > remembered || back > 2 && nodes > rememberedNodes {
				m.trees = slices.Delete(m.trees, 0, i+1)
				break
			}
		}
	}
	return m.count
}

// last is the last whole look, or nil.
func (m *memory) last() *aria.Tree {
	if len(m.trees) == 0 {
		return nil
	}
	return m.trees[len(m.trees)-1].tree
}

// delta is what steps changed since the last look. A dialog of the browser's own
// kind takes the page behind it out of the view: once it is closed, the page is
// compared with what it was before, and not told anew.
func (m *memory) delta(before, after *aria.Tree, done []Receipt) *aria.Delta {
	d := aria.Diff(told(before, after, done), after)
	if !before.Covered() || after.Covered() || len(d.Added) == 0 {
		return d
	}
	behind := m.uncovered(after)
	if behind == nil {
		return d
	}
	page := aria.Diff(told(behind, after, done), after)
	if len(page.Added) >= len(d.Added) {
		return d
	}
	// What is gone of the page that could be read behind the dialog, too, is told once.
	listed := map[string]bool{}
	for _, e := range d.Removed {
		listed[refOrText(e)] = true
	}
	for _, e := range page.Removed {
		if !listed[refOrText(e)] {
			d.Removed = append(d.Removed, e)
		}
	}
	page.Removed = d.Removed
	return page
}

// refOrText is what the line of an entry is known by: the first ref in it.
func refOrText(e aria.Entry) string {
	for word := range strings.FieldsSeq(e.Text) {
		if refWord.MatchString(word) {
			return word
		}
	}
	return e.Text
}

var refWord = regexp.MustCompile(`^(?:f\d+)?e\d+$`)

// uncovered is the last look at the document of a tree, other than that itself,
// without a dialog over it; nil where there is none.
func (m *memory) uncovered(of *aria.Tree) *aria.Tree {
	for _, s := range slices.Backward(m.trees) {
		if s.tree == of || s.tree.Covered() {
			continue
		}
		// A ref is never given again: one in both, and it is the same document.
		there := map[aria.Ref]bool{}
		for i := range s.tree.Nodes {
			there[s.tree.Nodes[i].Ref] = true
		}
		for i := range of.Nodes {
			if r := of.Nodes[i].Ref; r != "" && there[r] {
				return s.tree
			}
		}
		return nil
	}
	return nil
}

// find is what a ref was when it was last shown, or nil.
func (m *memory) find(ref aria.Ref) *aria.Node {
	for _, s := range slices.Backward(m.trees) {
		for i := range s.tree.Nodes {
			if s.tree.Nodes[i].Ref == ref {
				return &s.tree.Nodes[i]
			}
		}
	}
	return nil
}

// expected is what an element was shown as, for a step on it. After one warning
// that it is something else now the next try goes through.
func (m *memory) expected(ref string) *driver.Expected {
	if m.warn[ref] {
		delete(m.warn, ref)
		return nil
	}
	n := m.find(aria.Ref(ref))
	if n == nil || m.chose[ref] || n.State&aria.Operable == 0 || strings.Contains(n.Name, mask) {
		return nil
	}
	return &driver.Expected{Role: n.Role, Name: n.Name}
}

// warned notes that a ref is no longer what it was.
func (m *memory) warned(ref string) {
	if m.warn == nil {
		m.warn = map[string]bool{}
	}
	m.warn[ref] = true
}

// lastWith is the last look that showed a ref, or nil.
func (m *memory) lastWith(ref aria.Ref) *aria.Tree {
	for _, s := range slices.Backward(m.trees) {
		for i := range s.tree.Nodes {
			if s.tree.Nodes[i].Ref == ref {
				return s.tree
			}
		}
	}
	return nil
}

// recall finds an earlier look: "last", or its number.
func (m *memory) recall(since string) (*aria.Tree, error) {
	if len(m.trees) == 0 {
		return nil, driver.Invalid("look", "since %q: there was no look at the whole page yet", since)
	}
	if since == "last" {
		return m.trees[len(m.trees)-1].tree, nil
	}
	n, err := strconv.Atoi(since)
	if err != nil {
		return nil, driver.Invalid("look", "since %q: say last, or the number of a look", since)
	}
	for _, s := range m.trees {
		if s.number == n {
			return s.tree, nil
		}
	}
	return nil, driver.Invalid("look", "since %d: that look is not remembered; the earliest is %d, the last %d",
		n, m.trees[0].number, m.trees[len(m.trees)-1].number)
}

// named are the kinds whose operations were told. A view with next to no room
// has none for the telling either, so it does not count as told there.
func (m *memory) named(budget int) map[string]bool {
	if m.kinds == nil {
		m.kinds = map[string]bool{}
	}
	if budget > 0 && budget < leastToTell {
		return maps.Clone(m.kinds)
	}
	return m.kinds
}

const leastToTell = 200

// can gives the line that tells what can be done with what a view shows, and
// notes that it was told; for "" it is the longest that it may get.
func (m *memory) can(tree *aria.Tree, budget int, o aria.Options) func(view string) string {
	kinds := m.named(budget)
	return func(view string) string {
		if view == "" {
			return aria.Can(tree, "", maps.Clone(kinds), o)
		}
		return aria.Can(tree, view, kinds, o)
	}
}

// Actions are the operations that make sense now: per ref, and for the page.
// They are worked out when asked for: a text for a model needs none.
type Actions struct{ tree *aria.Tree }

// Map gives the operations by ref; those of the page are under "_page".
func (a Actions) Map() map[string][]string {
	m := map[string][]string{"_page": aria.PageActions}
	if a.tree == nil {
		return m
	}
	for i := range a.tree.Nodes {
		if ops := aria.Actions(&a.tree.Nodes[i]); len(ops) > 0 {
			m[string(a.tree.Nodes[i].Ref)] = ops
		}
	}
	return m
}

// MarshalJSON writes the map.
func (a Actions) MarshalJSON() ([]byte, error) { return wire.Marshal(a.Map()) }
