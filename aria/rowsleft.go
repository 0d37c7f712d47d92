package aria

import "strings"

// Of a list of which most went, as one that was filtered, what is left is told: whoever has what went
// would have to find out which that is.

const (
	leftGone = 3  // rows that went, at least
	leftTold = 8  // rows that are left, at most
	leftRow  = 40 // tokens of each
)

// rowsLeft tells the rows that are as they were in lists that lost most of theirs.
func (d *differ) rowsLeft() (list []Entry) {
	for k := 0; k < len(d.old.lines); {
		end := k
		var left []int
		gone := 0
		for end < len(d.old.lines) && d.old.lines[end].whole && d.old.node(end).Role == "row" && d.old.lines[end].depth == d.old.lines[k].depth {
			switch {
			case d.old.mate[end] < 0:
				gone++
			case !d.old.headers(end) && d.old.tells(end):
				left = append(left, end)
			}
			end++
		}
		if n := len(left); n > 0 && n <= leftTold && gone >= max(leftGone, n) {
			for _, i := range left {
				j := int(d.old.mate[i])
				if d.old.line(i) != d.cur.line(j) {
					continue // told as changed
				}
				list = append(list, Entry{Ref: d.cur.ref[j], Text: "left: " + shortened(d.cur.line(j), leftRow), key: true})
			}
		}
		k = max(end, k+1)
	}
	return list
}

// tells says whether there is more in a row than what can be operated: the fields of a
// filter above a list are none of its rows.
func (s *diffSide) tells(k int) bool {
	at := s.lines[k].node
	for i := at; i < s.ends[at]; i++ {
		if n := &s.t.Nodes[i]; s.ends[i] == i+1 && speaks(n.Name) && n.State&Operable == 0 {
			return true
		}
	}
	return false
}

// ofRow says which row a nameless part of it is in, by the row's first words.
func (s *diffSide) ofRow(k int) string {
	at := s.lines[k].node
	var words []string
	for i := at + 1; i < s.ends[at] && len(words) < rowWords; i++ {
		if n := &s.t.Nodes[i]; speaks(n.Name) && !controlRoles[n.Role] {
			words = append(words, n.Name)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " in " + Quote(clip(strings.Join(words, " | "), titleWords))
}

const rowWords = 4
