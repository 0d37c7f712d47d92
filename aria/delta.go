package aria

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Render writes a delta within a budget of tokens; 0 is no bound. Dialogs and messages
// come first, then changes, then what appeared, then what is gone. Where not all has room, elements
// and headings stay before text, and what is gone goes first.
func (d *Delta) Render(budget int) string {
	first, added := apart(d.Added)
	said, changed := apart(d.Changed)
	parts := []*deltaPart{
		{mark: "+ ", what: "appeared", list: first},
		{mark: "~ ", what: "changed", list: said},
		{mark: "~ ", what: "changed", list: renumbered(changed)},
		{mark: "+ ", what: "appeared", list: added},
		{mark: "- ", what: "gone", list: counted(d.Removed)},
	}
	gone := parts[len(parts)-1]
	limit := 0
	if budget > 0 {
		limit = max(40, budget/8)
	}
	total := 0
	for _, p := range parts {
		p.prepare(limit)
		for _, c := range p.costs {
			total += c
		}
	}
	room := budget
	if total > budget && budget > 0 {
		room -= 12
	}
	for try := 1; budget > 0 && room > 0 && try < 16; try++ {
		left := room
		for _, pressing := range []bool{true, false} {
			of := parts[2 : len(parts)-1]
			if pressing {
				of = parts[:2]
			}
			for _, key := range []bool{true, false} {
				for _, p := range of {
					left = p.choose(left, key)
				}
			}
		}
		gone.choose(gone.choose(left, true), false)
		out := writeDelta(parts)
		n := Tokens(out)
		if n <= budget {
			return out
		}
		room -= max(n-budget, try*room/64)
	}
	for _, p := range parts {
		p.take = slices.Repeat([]bool{budget <= 0}, len(p.list))
	}
	return bounded(writeDelta(parts), budget, 0).Text
}

// apart divides entries into those that people see first and the others.
func apart(list []Entry) (first, rest []Entry) {
	for _, e := range list {
		if e.urgent {
			first = append(first, e)
		} else {
			rest = append(rest, e)
		}
	}
	return first, rest
}

// How many entries that went together, a menu or a calendar that closed, are told
// one by one, and how many are told of more.
const (
	goneTold = 6
	goneHead = 3
	goneRow  = 30 // tokens of a row that are enough to know it by
)

// renamed is an element that is called otherwise by a number, and nothing else.
var renamed = regexp.MustCompile(`^\S+ (\S+) "([^"\d]*)(\d{1,9})([^"\d]*)" → "([^"\d]*)(\d{1,9})([^"\d]*)"`)

// renumbered makes one entry of elements whose names all count on by as much, as the
// boxes of rows do when one above them went.
func renumbered(changed []Entry) []Entry {
	first := map[string]int{}
	count := map[string]int{}
	kind := func(e Entry) string {
		m := renamed.FindStringSubmatch(e.Text)
		if e.Ref == "" || m == nil || m[2] != m[5] || m[4] != m[7] || !speaks(m[2]+m[4]) {
			return ""
		}
		was, _ := strconv.Atoi(m[3])
		is, _ := strconv.Atoi(m[6])
		return m[1] + " " + m[2] + m[4] + strconv.Itoa(is-was)
	}
	for _, e := range changed {
		count[kind(e)]++
	}
	out := make([]Entry, 0, len(changed))
	for _, e := range changed {
		k := kind(e)
		if at, ok := first[k]; ok && k != "" && count[k] > renumberedTold {
			out[at].more++
			continue
		}
		first[k] = len(out)
		out = append(out, e)
	}
	return out
}

const renumberedTold = 3

// counted leaves of many entries that went together the first few, and counts the
// rest: nothing can be done with them any more.
func counted(gone []Entry) []Entry {
	out := make([]Entry, 0, len(gone))
	for i := 0; i < len(gone); {
		end := i + 1
		for end < len(gone) && gone[end].follows {
			end++
		}
		if end-i <= goneTold {
			out = append(out, gone[i:end]...)
		} else {
			out = append(out, gone[i:i+goneHead]...)
			for _, e := range gone[i+goneHead : end] {
				out[len(out)-1].more += 1 + e.Below
			}
		}
		i = end
	}
	return out
}

// writeDelta puts out what was taken, and a line that counts the rest.
func writeDelta(parts []*deltaPart) string {
	var b strings.Builder
	var left []string
	more := map[string]int{}
	for _, p := range parts {
		for i, ln := range p.lines {
			if p.take[i] {
				b.WriteString(ln)
			} else {
				more[p.what]++
			}
		}
	}
	for _, what := range []string{"changed", "appeared", "gone"} {
		if n := more[what]; n > 0 {
			left = append(left, strconv.Itoa(n)+" "+what)
		}
	}
	if len(left) > 0 {
		b.WriteString("… more: " + strings.Join(left, ", ") + "\n")
	}
	return b.String()
}

// deltaPart is what changed, what appeared or what is gone.
type deltaPart struct {
	mark, what string
	list       []Entry
	lines      []string
	costs      []int
	take       []bool
}

// prepare writes the lines, cut to limit tokens where that is not 0.
func (p *deltaPart) prepare(limit int) {
	p.lines = make([]string, len(p.list))
	p.costs = make([]int, len(p.list))
	for i, e := range p.list {
		var b strings.Builder
		b.WriteString(p.mark)
		b.WriteString(strings.Repeat(" ", min(e.Depth, maxIndent)))
		text := e.Text
		if limit > 0 {
			text = shortened(text, limit)
		}
		b.WriteString(text)
		if e.Below > 0 {
			b.WriteString(" and " + strconv.Itoa(e.Below) + " below")
		}
		if e.more > 0 {
			b.WriteString(" and " + strconv.Itoa(e.more) + " more")
		}
		b.WriteByte('\n')
		p.lines[i] = b.String()
		p.costs[i] = Tokens(p.lines[i])
	}
}

// choose takes what there is room for and answers the room that is left.
func (p *deltaPart) choose(room int, key bool) int {
	if key {
		p.take = make([]bool, len(p.list))
	}
	for i, e := range p.list {
		if e.key == key && p.costs[i] <= room {
			p.take[i] = true
			room -= p.costs[i]
		}
	}
	return room
}
