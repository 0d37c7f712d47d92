package aria

import (
	"strconv"
)

// changeOf writes what changed of an element: `e5 textbox "Email" ="" → ="ada"`.
func changeOf(old, cur *Node) string {
	var b []byte
	if cur.Ref != "" {
		b = append(b, cur.Ref...)
		b = append(b, ' ')
	}
	b = append(b, cur.word()...)
	from := len(b)
	if old.Name != cur.Name {
		b = append(b, ' ')
		b = appendQuoted(b, old.Name)
		b = append(b, " → "...)
		b = appendQuoted(b, cur.Name)
	} else if !blank(cur.Name) {
		b = append(b, ' ')
		b = appendQuoted(b, cur.Name)
		from = len(b)
	} else if !blank(cur.Desc) {
		b = append(b, ' ')
		b = appendDesc(b, cur.Desc)
		from = len(b)
	}
	if old.Value != cur.Value {
		b = append(b, " ="...)
		b = appendQuoted(b, old.Value)
		b = append(b, " → ="...)
		b = appendQuoted(b, cur.Value)
	}
	if old.Count != cur.Count {
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(old.Count), 10)
		b = append(b, " → "...)
		b = strconv.AppendInt(b, int64(cur.Count), 10)
		b = append(b, ' ')
		b = append(b, countWord(cur)...)
	}
	if old.Level != cur.Level {
		b = append(b, " level "...)
		b = strconv.AppendInt(b, int64(old.Level), 10)
		b = append(b, " → "...)
		b = strconv.AppendInt(b, int64(cur.Level), 10)
	}
	for _, s := range stateWords {
		switch was, is := old.State&s.bit != 0, cur.State&s.bit != 0; {
		case is && !was && s.bit == Active && len(b) == from:
			// The focus came, and nothing else: every click does that.
		case is && !was:
			b = append(append(b, " +"...), s.word...)
		case was && !is && !superseded(s.bit, cur.State):
			b = append(append(b, " -"...), s.word...)
		}
	}
	if old.URL != cur.URL {
		b = append(append(b, " → "...), Quote(cur.URL)...)
	}
	if len(b) == from {
		return ""
	}
	return string(b)
}

// superseded says whether a lost state goes without saying: another element has
// the focus now, what is collapsed is not expanded.
func superseded(lost, now State) bool {
	switch lost {
	case Active:
		return true
	case Expanded:
		return now&Collapsed != 0
	case Collapsed:
		return now&Expanded != 0
	}
	return false
}
