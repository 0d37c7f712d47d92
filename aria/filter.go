package aria

// Interactive is what can be operated, with as much around it as tells equal
// things apart: the row, the item, the heading they belong to.
func Interactive(t *Tree) *Tree {
	keep := make([]bool, len(t.Nodes))
	count := make(map[face]int)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.State&Operable != 0 {
			keep[i] = true
			count[face{n.Role, n.Name}]++
		}
	}
	ends, parents := subtreeEnds(t.Nodes), parentsOf(t.Nodes)
	heading := -1
	told := make(map[int32]bool) // rows and items whose text is kept
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case n.Role == "heading":
			heading = i
		case n.State&Operable != 0 && (count[face{n.Role, n.Name}] > 1 || blank(n.Name)):
			if p := itemOf(t.Nodes, parents, int32(i)); p >= 0 {
				if !told[p] {
					told[p] = true
					keepText(t.Nodes, keep, p, ends[p], func(n *Node) bool { return count[face{n.Role, n.Name}] == 1 })
				}
			} else if heading >= 0 {
				keep[heading] = true
				for c := heading + 1; c < int(ends[heading]); c++ {
					keep[c] = true
				}
			}
		case n.State&Modal != 0:
			keep[i] = true
		}
	}
	return t.only(keep)
}

// itemOf finds the row or item that a node is in, or is; -1 for none.
func itemOf(nodes []Node, parents []int32, i int32) int32 {
	for p := i; p >= 0; p = parents[p] {
		if kindOf(&nodes[p])&item != 0 {
			return p
		}
	}
	return -1
}

// keepText keeps what tells a row or item apart: all texts of a row, the first
// text or heading of an item, unless something unique in it comes before.
func keepText(nodes []Node, keep []bool, i, end int32, unique func(*Node) bool) {
	row := nodes[i].Role == "row"
	for c := i + 1; c < end; c++ {
		n := &nodes[c]
		says := n.Role == "text" || n.Role == "heading" || kindOf(n)&cell != 0
		if says && !blank(n.Name) {
			keep[c] = true
		} else if n.State&Operable == 0 || blank(n.Name) || !unique(n) {
			continue
		}
		if !row {
			return
		}
	}
}

// only is the tree of the nodes to keep and those above them.
func (t *Tree) only(keep []bool) *Tree {
	out := &Tree{URL: t.URL, Title: t.Title, Unreadable: t.Unreadable, More: t.More}
	stay := make([]bool, len(t.Nodes))
	// Backwards: a node stays if it is wanted or if one below it stays.
	below := make([]bool, 0, 64) // by depth: whether a node at that depth wants its parent
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		d := t.Nodes[i].Depth
		for len(below) <= d+1 {
			below = append(below, false)
		}
		stay[i] = keep[i] || below[d+1]
		below[d+1] = false
		if stay[i] {
			below[d] = true
		}
	}
	n := 0
	for _, s := range stay {
		if s {
			n++
		}
	}
	out.Nodes = make([]Node, 0, n)
	ends := subtreeEnds(t.Nodes)
	for i, s := range stay {
		if !s {
			continue
		}
		n := t.Nodes[i]
		if end := int(ends[i]); n.Role == "row" && n.Name != "" && end > i+1 && end-i <= maxRow && fromContent(t.Nodes, i, end) {
			n.Name = "" // its cells say it, as far as they are wanted
		}
		out.Nodes = append(out.Nodes, n)
	}
	return out
}
