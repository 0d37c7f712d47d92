package aria

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// boxes are the boxes of a page that hold several nodes: a card, a column, a row, a
// toolbar, most of which are no nodes themselves.
type boxes struct {
	dialogs []int32 // around each node; nil until asked for
	t       *Tree
	all     []box
	of      []int32       // for each node: the innermost box it is in, -1 for none
	ends    []int32       // for each node: the first after what is below it
	kids    [][]int32     // the boxes directly in a box
	own     map[int32]int // see title
	// Of a box: how many of those in it are alike, and how many say something.
	roles map[int32]map[face]int
	faces map[int32]map[face]int
}

// face is what an element is known by.
type face struct{ role, name string }

type box struct {
	level    int32 // of the document
	from, to int32 // nodes
	up       int32 // the box around it, -1 for none
}

func boxesOf(t *Tree) *boxes {
	b := &boxes{
		t: t, of: make([]int32, len(t.Nodes)), ends: subtreeEnds(t.Nodes), own: map[int32]int{},
		roles: map[int32]map[face]int{}, faces: map[int32]map[face]int{},
	}
	if len(t.Nodes) == 0 {
		return b
	}
	// A box is a run of nodes that share more levels with each other than with what is
	// around them. Boxes are numbered as they begin; those that are open are on a stack.
	var open []int32
	last := int32(0) // where the node or box before began
	lastBox := int32(-1)
	closeTop := func(to int32) {
		k := open[len(open)-1]
		open = open[:len(open)-1]
		b.put(k, last, lastBox)
		b.all[k].to = to
		last, lastBox = b.all[k].from, k
	}
	above := 0
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if i > 0 {
			level := int32(min(n.Share, above+1))
			for len(open) > 0 && b.all[open[len(open)-1]].level > level {
				closeTop(int32(i))
			}
			if len(open) == 0 || b.all[open[len(open)-1]].level < level {
				b.all = append(b.all, box{level: level, from: last, up: -1})
				b.kids = append(b.kids, nil)
				open = append(open, int32(len(b.all)-1))
			}
			b.put(open[len(open)-1], last, lastBox)
			last, lastBox = int32(i), -1
		}
		b.of[i] = -1
		above = n.Nest
	}
	for len(open) > 0 {
		closeTop(int32(len(t.Nodes)))
	}
	return b
}

// put notes that a node, or a box, is directly in box k.
func (b *boxes) put(k, node, inner int32) {
	if inner < 0 {
		b.of[node] = k
		return
	}
	b.all[inner].up = k
	b.kids[k] = append(b.kids[k], inner)
}

// item finds the innermost box around a node that is one of several alike: a row, a
// card, a column. -1 for none. Of the box k itself it finds the one around it.
func (b *boxes) item(k int32) int32 {
	for ; k >= 0; k = b.all[k].up {
		if b.isItem(k) {
			return k
		}
	}
	return -1
}

func (b *boxes) isItem(k int32) bool {
	first, like := b.first(k), b.like(k)
	if kindOf(first)&item != 0 && b.ends[b.all[k].from] >= b.all[k].to {
		return true
	}
	up := b.all[k].up
	if up < 0 || kindOf(first)&cell != 0 {
		return false
	}
	if b.rolesIn(up)[like] > 1 {
		return true
	}
	// The only card of a column is one of those of the columns beside it. What a card holds is no card.
	around := b.all[up].up
	if around < 0 || !b.isItem(up) || b.several(k) || b.held(up) {
		return false
	}
	return slices.ContainsFunc(b.kids[around], func(o int32) bool { return o != up && b.rolesIn(o)[like] > 0 })
}

// held says whether a box is all that an element holds, or is that element.
func (b *boxes) held(k int32) bool {
	box := &b.all[k]
	for _, at := range []int32{box.from, box.from - 1} {
		if at >= 0 && b.ends[at] == box.to && b.t.Nodes[at].Ref != "" {
			return true
		}
	}
	return false
}

// several says whether a box holds boxes that are alike: it is their list.
func (b *boxes) several(k int32) bool {
	for _, n := range b.rolesIn(k) {
		if n > 1 {
			return true
		}
	}
	return false
}

// small says whether an item can be told as one line: it holds no other items, and not
// much.
func (b *boxes) small(k int32) bool {
	if b.all[k].to-b.all[k].from > maxItem {
		return false
	}
	return !slices.ContainsFunc(b.kids[k], func(o int32) bool { return b.isItem(o) || !b.small(o) })
}

// rolesIn counts the boxes in a box by what they begin with.
func (b *boxes) rolesIn(k int32) map[face]int {
	roles, ok := b.roles[k]
	if !ok {
		roles = map[face]int{}
		for _, o := range b.kids[k] {
			roles[b.like(o)]++
		}
		b.roles[k] = roles
	}
	return roles
}

// like is what alike boxes have in common: what they begin and end with.
func (b *boxes) like(k int32) face {
	first, last := b.first(k), &b.t.Nodes[b.all[k].to-1]
	return face{first.Role + strconv.Itoa(first.Level), last.Role}
}

func (b *boxes) first(k int32) *Node { return &b.t.Nodes[b.all[k].from] }

// title is the node that an item is known by: the first with a name that no item
// beside it has, words before figures, and before what a control in it is called. -1 for none.
func (b *boxes) title(k int32) int {
	if at, ok := b.own[k]; ok {
		return at
	}
	at, best := -1, 0
	for i := b.all[k].from; i < b.all[k].to && best < 3; i++ {
		n := &b.t.Nodes[i]
		if worth := titled(n); worth > best && !b.shared(k, n) {
			at, best = int(i), worth
		}
	}
	b.own[k] = at
	return at
}

// titled says how well an item is known by a node: 3 by words in it, 2 by figures, 1 by the
// name of a control, 0 not at all.
func titled(n *Node) int {
	switch {
	case !speaks(n.Name):
		return 0
	case n.State&Operable != 0 && controlRoles[n.Role]:
		return 1
	case !strings.ContainsFunc(n.Name, unicode.IsLetter):
		return 2
	}
	return 3
}

// controlRoles are what one operates in an item, and not what the item is.
var controlRoles = map[string]bool{
	"button": true, "textbox": true, "searchbox": true, "spinbutton": true, "combobox": true, "checkbox": true, "switch": true, "slider": true, "listbox": true,
}

// shared says whether an item beside k has a node that is called so, too.
func (b *boxes) shared(k int32, n *Node) bool {
	up := b.all[k].up
	if up < 0 {
		return false
	}
	faces, ok := b.faces[up]
	if !ok {
		faces = map[face]int{}
		for _, o := range b.kids[up] {
			here := map[face]bool{}
			for i := b.all[o].from; i < b.all[o].to; i++ {
				f := face{b.t.Nodes[i].Role, b.t.Nodes[i].Name}
				if !here[f] {
					here[f] = true
					faces[f]++
				}
			}
		}
		b.faces[up] = faces
	}
	return faces[face{n.Role, n.Name}] > 1
}

// speaks says whether a name has words or figures.
func speaks(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// titleWords is how many characters of a title are enough to know it by.
const titleWords = 48

// label is what the title of a box is for a node in it: where it stands in every card alike,
// it labels what is behind it, and the words nearest before a node that do so are its own.
func (b *boxes) label(i int, k int32, title int) int {
	around := b.item(b.all[k].up)
	if around < 0 || !b.shared(around, &b.t.Nodes[title]) {
		return title
	}
	for at := i - 1; at > title; at-- {
		if n := &b.t.Nodes[at]; n.Role == "text" && titled(n) == 3 && b.shared(around, n) {
			return at
		}
	}
	return title
}

// where says what a node belongs to: the row or card it is in, by what that is known
// by, and the column or dialog around it: `in "Milk" in "To do"`. "" where it is one of
// no several, or is known by itself.
func (b *boxes) where(i int) string {
	out, told := "", -1
	for k := b.item(b.of[i]); k >= 0; k = b.item(b.all[k].up) {
		at := b.title(k)
		if at < 0 || at == i || at == told {
			continue
		}
		if at = b.label(i, k, at); b.t.Nodes[at].Name == b.t.Nodes[i].Desc {
			continue
		}
		out += " in " + Quote(clip(b.t.Nodes[at].Name, titleWords))
		if told >= 0 {
			return out
		}
		told = at
	}
	if d := b.dialog(i); d >= 0 && told < 0 {
		out += " in " + b.t.Nodes[d].Role
		if name := b.t.Nodes[d].Name; name != "" {
			out += " " + Quote(clip(name, titleWords))
		}
	}
	return out
}

// dialog finds the dialog around a node, -1 for none. All are found at once, when the
// first is asked for.
func (b *boxes) dialog(i int) int {
	if b.dialogs == nil {
		b.dialogs = make([]int32, len(b.t.Nodes))
		type level struct {
			depth int
			at    int32
		}
		around := []level{}
		for k := range b.t.Nodes {
			n := &b.t.Nodes[k]
			for len(around) > 0 && around[len(around)-1].depth >= int(n.Depth) {
				around = around[:len(around)-1]
			}
			b.dialogs[k] = -1
			if len(around) > 0 {
				b.dialogs[k] = around[len(around)-1].at
			}
			if n.Role == "dialog" || n.Role == "alertdialog" {
				around = append(around, level{int(n.Depth), int32(k)})
			}
		}
	}
	if i < 0 {
		return -1
	}
	return int(b.dialogs[i])
}

// Like finds the elements of a tree that have the role and name of one in another,
// and says of each where it is. Those with a ref that the other tree has are others.
func Like(was *Node, then, now *Tree) []string {
	known := map[Ref]bool{}
	if then != nil {
		for i := range then.Nodes {
			known[then.Nodes[i].Ref] = true
		}
	}
	var b *boxes
	var found []string
	for i := range now.Nodes {
		n := &now.Nodes[i]
		if n.Ref == "" || known[n.Ref] || n.Role != was.Role || n.Name != was.Name || n.Name == "" {
			continue
		}
		if b == nil {
			b = boxesOf(now)
		}
		found = append(found, string(n.Ref)+b.where(i))
	}
	return found
}
