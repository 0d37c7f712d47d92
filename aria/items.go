package aria

// What came or went as one, a card, a row, an entry of a list, is told as one line.

// maxItem is how many nodes such a line may stand for.
const maxItem = 16

// in gives the boxes of a side, made when they are first asked for.
func (s *diffSide) in() *boxes {
	if s.boxed == nil {
		s.boxed = boxesOf(s.t)
		s.faces = make(map[face]int)
		for i := range s.t.Nodes {
			if n := &s.t.Nodes[i]; n.Ref != "" {
				s.faces[face{n.Role, n.Name}]++
			}
		}
	}
	return s.boxed
}

// context says what an element belongs to, where its name alone does not tell it from
// others.
func (s *diffSide) context(node int) string {
	b := s.in()
	n := &s.t.Nodes[node]
	if n.Ref == "" || speaks(n.Name) && s.faces[face{n.Role, n.Name}] < 2 {
		return ""
	}
	return b.where(node)
}

// item finds the lines of the item that begins with line k: k itself where it begins
// none. It has to be one of several alike that a line can say, none of which has a mate.
func (s *diffSide) item(k int) (end int, outside string) {
	if s.lines[k].whole {
		return k + 1, s.around(int(s.lines[k].node))
	}
	b := s.in()
	box := b.item(b.of[s.lines[k].node])
	if box < 0 || !b.small(box) || k > 0 && s.lines[k-1].node >= b.all[box].from {
		return k + 1, ""
	}
	for end = k; end < len(s.lines) && s.lines[end].node < b.all[box].to; end++ {
		n := s.node(end)
		if s.mate[end] >= 0 || s.lines[end].whole || kindOf(n)&(absorbs|landmark) != 0 && n.Role != "heading" || n.Role == "dialog" || n.Role == "alertdialog" || len(s.line(end)) > 200 {
			return k + 1, ""
		}
	}
	return end, b.outside(box)
}

// around says what a row or entry is in, where there are several such.
func (s *diffSide) around(node int) string {
	b := s.in()
	if box := b.item(b.of[node]); box >= 0 {
		return b.outside(box)
	}
	return ""
}

// outside says what an item is in, where that is one of several, too: a column.
func (b *boxes) outside(box int32) string {
	k := b.item(b.all[box].up)
	if k < 0 {
		return ""
	}
	own := b.all[box]
	if at := int32(b.title(k)); at >= 0 && (at < own.from || at >= own.to) { // not what names itself
		return " in " + Quote(clip(b.t.Nodes[at].Name, titleWords))
	}
	return ""
}

// joined writes lines as one: texts between quotes, elements as they are.
func (s *diffSide) joined(from, to int) string {
	var w rowWriter
	for k := from; k < to; k++ {
		if n := s.node(k); n.Role == "text" && n.Ref == "" {
			if w.quote {
				w.borders = 1
			}
			w.text(n.Name)
		} else {
			w.line(s.line(k))
		}
	}
	return string(w.done())
}

func (w *rowWriter) line(s string) {
	if w.quote {
		w.buf = append(w.buf, '"')
		w.quote = false
	}
	w.join()
	w.buf = append(w.buf, s...)
}
