package aria

import "strings"

// A long row, as the week of a calendar is, is told by the cells that changed.

const (
	rowTold  = 40 // tokens of a row that is told as a whole
	cellRow  = 12 // tokens that a row is known by beside a cell of it
	cellsMin = 3  // fewer cells than these are told as a whole
)

// cells are what the cells of a row say, each as it is printed.
func (s *diffSide) cells(k int) []string {
	at := int(s.lines[k].node)
	end := int(s.ends[at])
	var list []string
	var w *rowWriter
	for c := at + 1; c < end; c++ {
		if kindOf(&s.t.Nodes[c])&cell != 0 {
			if w != nil {
				list = append(list, string(w.done()))
			}
			w = &rowWriter{}
		}
		if w == nil {
			return nil // something stands beside its cells
		}
		s.part(w, c)
	}
	if w != nil {
		list = append(list, string(w.done()))
	}
	return list
}

// matchRows pairs rows that begin alike and are the same in most of their cells,
// where there is one such pair.
func (d *differ) matchRows() {
	type row struct {
		at    int
		cells []string
	}
	open := map[string][]row{} // what the first cell says, of rows without a mate
	for i := range d.old.lines {
		if ln := &d.old.lines[i]; d.old.mate[i] < 0 && ln.whole && d.old.node(i).Role == "row" {
			if cells := d.old.cells(i); len(cells) >= cellsMin && cells[0] != "" {
				open[cells[0]] = append(open[cells[0]], row{i, cells})
			}
		}
	}
	if len(open) == 0 {
		return
	}
	taken := map[string]int{}
	for j := range d.cur.lines {
		if ln := &d.cur.lines[j]; d.cur.mate[j] >= 0 || !ln.whole || d.cur.node(j).Role != "row" {
			continue
		}
		cells := d.cur.cells(j)
		if len(cells) < cellsMin || len(open[cells[0]]) != 1 {
			continue
		}
		was := open[cells[0]][0]
		if taken[cells[0]]++; taken[cells[0]] > 1 || len(was.cells) != len(cells) || differing(was.cells, cells)*2 > len(cells) {
			continue
		}
		d.pair(was.at, j)
	}
}

func differing(a, b []string) (n int) {
	for k := range a {
		if a[k] != b[k] {
			n++
		}
	}
	return n
}

// rowCells notes the cells of a long row that changed, where they are few.
func (d *differ) rowCells(out *Delta, i, j int) bool {
	if Tokens(d.cur.line(j)) <= rowTold {
		return false
	}
	was, is := d.old.cells(i), d.cur.cells(j)
	n := 0
	if len(is) >= cellsMin && len(was) == len(is) {
		n = differing(was, is)
	}
	if n == 0 || n*2 > len(is) {
		return false
	}
	in := ""
	if d.cur.ref[j] == "" || is[0] != "" {
		in = " in row " + shortened(is[0], cellRow)
	}
	for k := range is {
		if was[k] == is[k] {
			continue
		}
		text := is[k]
		switch {
		case text == "":
			text = was[k] + ` → ""`
		case !strings.Contains(strings.Trim(text, `"`), strings.Trim(was[k], `"`)):
			text = was[k] + " → " + text
		}
		if k > 0 {
			text += in
		}
		out.Changed = append(out.Changed, Entry{Text: text, key: true})
	}
	return true
}
