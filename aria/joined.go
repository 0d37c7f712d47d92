package aria

// Elements are compared one by one. Only then, of those that came and of those that
// went, lines are joined as views join them: what stayed is in none of these.

func (d *differ) join() {
	old, cur := d.old.joinOpen(d.cur), d.cur.joinOpen(d.old)
	if old == nil && cur == nil {
		return
	}
	remap(d.cur.mate, old)
	remap(d.old.mate, cur)
}

func remap(mates, to []int32) {
	if to == nil {
		return
	}
	for k, m := range mates {
		if m >= 0 {
			mates[k] = to[m]
		}
	}
}

// joinOpen joins the lines without a mate that follow one another, and whose elements the
// other side has not got. It answers where each line that has a mate is now; nil where nothing was joined.
func (s *diffSide) joinOpen(other *diffSide) []int32 {
	open := func(k int) bool {
		if s.mate[k] >= 0 {
			return false
		}
		_, there := other.at(s.node(k).Ref)
		return !there
	}
	lines := s.lines
	place := make([]int32, len(lines))
	out := make([]line, 0, len(lines))
	mate := make([]int32, 0, len(lines))
	for k := 0; k < len(lines); {
		end := k
		for end < len(lines) && open(end) {
			end++
		}
		if end == k {
			place[k] = int32(len(out))
			out, mate = append(out, lines[k]), append(mate, s.mate[k])
			k++
			continue
		}
		s.lines = append([]line(nil), lines[k:end]...)
		s.joinShapes(false)
		for range s.lines {
			mate = append(mate, -1)
		}
		out = append(out, s.lines...)
		s.lines = lines
		k = end
	}
	if len(out) == len(lines) {
		return nil
	}
	s.lines, s.mate = out, mate
	s.all = string(s.buf)
	s.lineEnd = s.lineEnds()
	s.ref = make([]Ref, len(out))
	for k := range out {
		s.ref[k] = s.knownBy(k)
	}
	s.times = nil
	return place
}
