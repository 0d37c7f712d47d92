package aria

// elsewhere pairs what can be dragged and is gone with what came and says the same, where
// neither is there twice: it was dragged to another list, which made it anew. It answers
// by the lines now, and by those before.
func (d *differ) elsewhere() (now, was map[int]int) {
	type card struct{ role, name string }
	lone := func(s *diffSide) map[card]int {
		found := map[card]int{}
		for k := range s.lines {
			n := s.node(k)
			if n.State&Draggable == 0 || n.Ref == "" || blank(n.Name) || s.lines[k].whole || int(s.lineEnd[k]) != k+1 {
				continue
			}
			c := card{n.Role, n.Name}
			if _, twice := found[c]; twice {
				found[c] = -1
			} else {
				found[c] = k
			}
		}
		return found
	}
	before := lone(d.old)
	if len(before) == 0 {
		return nil, nil
	}
	now, was = map[int]int{}, map[int]int{}
	for c, j := range lone(d.cur) {
		i, ok := before[c]
		if !ok || i < 0 || j < 0 || d.cur.mate[j] >= 0 || d.old.mate[i] >= 0 {
			continue
		}
		if _, here := d.cur.at(d.old.node(i).Ref); here {
			continue
		}
		now[j], was[i] = i, j
	}
	return now, was
}
