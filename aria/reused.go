package aria

import (
	"slices"
	"strings"
)

// Some applications keep the elements of a list in their places and write other words into
// them: what was the first card is gone, and its element says now what the second one said. People
// see cards and no elements, so that such cards are compared by what they say, and their refs of now are told.

// reused gives the tree before with the refs that its cards have now, and the cards
// whose refs are others than before. The tree is as it was where there is none.
func reused(before, after *Tree) (*Tree, []*card) {
	if !shifted(before, after) {
		return before, nil
	}
	old, cur := cardsOf(before), cardsOf(after)
	moved := false
	for title, c := range cur {
		o, ok := old[title]
		moved = moved || ok && c.holds(o.refs) == 0 && old.has(c.refs)
	}
	if !moved {
		return before, nil
	}
	now := &Tree{URL: before.URL, Title: before.Title, Nodes: slices.Clone(before.Nodes), Unreadable: before.Unreadable, More: before.More, Screen: before.Screen}
	for _, o := range old {
		for _, i := range o.nodes {
			now.Nodes[i].Ref = "" // nobody's, or given below
		}
	}
	var list []*card
	for title, c := range cur {
		o, ok := old[title]
		if !ok {
			continue
		}
		for _, i := range o.nodes {
			for _, j := range c.nodes {
				if n, m := &before.Nodes[i], &after.Nodes[j]; n.Role == m.Role && o.order[i] == c.order[j] {
					now.Nodes[i].Ref = m.Ref
				}
			}
		}
		if c.holds(o.refs) == 0 {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *card) int { return int(a.from - b.from) })
	return now, list
}

// shifted says whether an element says what another said before, while it said something else.
func shifted(before, after *Tree) bool {
	was, is := firstWords(before), firstWords(after)
	said := map[string]bool{}
	for ref, words := range was {
		if now, ok := is[ref]; ok && now != words {
			said[words] = true
		}
	}
	if len(said) == 0 {
		return false
	}
	for ref, words := range is {
		if then, ok := was[ref]; ok && then != words && said[words] {
			return true
		}
	}
	return false
}

// firstWords are what is said first in each element that has a ref and no name.
func firstWords(t *Tree) map[Ref]string {
	words := map[Ref]string{}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Ref == "" || !blank(n.Name) {
			continue
		}
		for k := i + 1; k < len(t.Nodes) && t.Nodes[k].Depth > n.Depth && k < i+maxItem; k++ {
			if speaks(t.Nodes[k].Name) {
				words[n.Ref] = t.Nodes[k].Name
				break
			}
		}
	}
	return words
}

// A card is an item that is known by its title, with the elements in it.
type card struct {
	from  int32 // the node it begins with
	to    int32
	box   int32
	nodes []int32
	refs  []Ref
	order map[int32]int // of its elements: which of their role it is
}

func (c *card) holds(refs []Ref) int {
	return len(refs) - len(slices.DeleteFunc(slices.Clone(refs), func(r Ref) bool { return slices.Contains(c.refs, r) }))
}

type cards map[string]*card

// has says whether one of them has one of the refs.
func (c cards) has(refs []Ref) bool {
	for _, o := range c {
		if o.holds(refs) > 0 {
			return true
		}
	}
	return false
}

// cardsOf are the cards of a tree by title, but for those whose title another has as well.
func cardsOf(t *Tree) cards {
	b := boxesOf(t)
	found, twice := cards{}, map[string]bool{}
	for k := range b.all {
		box := &b.all[k]
		if !b.isItem(int32(k)) || !b.small(int32(k)) || kindOf(&t.Nodes[box.from])&(cell|absorbs) != 0 && t.Nodes[box.from].Role != "article" || t.Nodes[box.from].Role == "row" {
			continue
		}
		at := b.title(int32(k))
		if at < 0 || t.Nodes[at].State&Operable != 0 && controlRoles[t.Nodes[at].Role] {
			continue
		}
		c := &card{from: box.from, to: box.to, box: int32(k), order: map[int32]int{}}
		if up := c.from - 1; up >= 0 && b.ends[up] == c.to && t.Nodes[up].Depth < t.Nodes[c.from].Depth && blank(t.Nodes[up].Name) {
			c.from = up // what holds it together
		}
		count := map[string]int{}
		for i := c.from; i < c.to; i++ {
			if n := &t.Nodes[i]; n.Ref != "" {
				c.nodes, c.refs = append(c.nodes, i), append(c.refs, n.Ref)
				count[n.Role]++
				c.order[i] = count[n.Role]
			}
		}
		title := strings.TrimSpace(t.Nodes[at].Name)
		if len(c.nodes) == 0 {
			continue
		}
		if _, ok := found[title]; ok {
			twice[title] = true
		}
		found[title] = c
	}
	for title := range twice {
		delete(found, title)
	}
	return found
}

// reusedCards tells of each such card the refs that it has now.
func (d *differ) reusedCards() (list []Entry) {
	for k := 0; k < len(d.cur.lines) && len(d.reused) > 0; k++ {
		c := d.reused[0]
		if node := d.cur.lines[k].node; node < c.from {
			continue
		}
		d.reused = d.reused[1:]
		end := k
		for end < len(d.cur.lines) && d.cur.lines[end].node < c.to {
			end++
		}
		if end == k || d.cur.mate[k] < 0 {
			continue
		}
		e := Entry{Text: d.cur.joined(k, end) + d.cur.in().outside(c.box), key: true}
		if len(list) == 0 {
			e.Text += " (these are the refs now: the page wrote other words into its elements)"
		}
		list = append(list, e)
		k = end - 1
	}
	return list
}
