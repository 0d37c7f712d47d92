package perceive

import (
	"fmt"
	"math"
	"strings"

	"rove/aria"
)

const (
	longestName = 120 // characters of a name in a row
	longestText = 400 // characters of a block of text
	// farRows is how many tokens a summary spends on what has to be scrolled to.
	farRows = 1500
	// farText is how many tokens a summary spends on text.
	farText = 2000
)

// FormatSummary is the map as a model reads it: where it is, what stands out,
// a row for everything that can be operated, and the text that is in view.
func (m *UiMap) FormatSummary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "URL: %s\nTitle: %s\nViewport: %dx%d", plain(m.URL, 500), quoted(m.Title, 200), m.Viewport.Width, m.Viewport.Height)
	if m.Viewport.ScrollX != 0 || m.Viewport.ScrollY != 0 {
		fmt.Fprintf(&b, " scrolled to %d,%d", m.Viewport.ScrollX, m.Viewport.ScrollY)
	}
	b.WriteByte('\n')
	if line := m.PageSignals.String(); line != "" {
		fmt.Fprintf(&b, "Signals: %s\n", line)
	}
	for _, u := range m.Unreadable {
		fmt.Fprintf(&b, "Unreadable: %s\n", plain(u, 200))
	}
	b.WriteString("\nInteractive Elements:\n")
	left, rows, room := 0, 0, farRows
	for _, e := range m.InteractiveElements() {
		row := e.row()
		if e.Is(Offscreen) {
			if room -= aria.Tokens(row); room < 0 {
				left++
				continue
			}
		}
		rows++
		b.WriteString(row)
	}
	switch {
	case left > 0:
		fmt.Fprintf(&b, "… %d more off screen; scroll to see them\n", left)
	case rows == 0:
		b.WriteString("none\n")
	}
	b.WriteString("\nVisible Text:\n")
	room = farText
	text, far := 0, 0
	for i := range m.TextBlocks {
		t := &m.TextBlocks[i]
		if t.Offscreen {
			far++
			continue
		}
		line := "  " + quoted(t.Text, longestText) + "\n"
		if room -= aria.Tokens(line); room < 0 {
			fmt.Fprintf(&b, "  … and %s more\n", blocks(m.inView(i)))
			break
		}
		text++
		b.WriteString(line)
	}
	switch {
	case text == 0:
		b.WriteString("  none\n")
	case far > 0 && room >= 0:
		fmt.Fprintf(&b, "  … and %s off screen\n", blocks(far))
	}
	return b.String()
}

func blocks(n int) string {
	if n == 1 {
		return "1 block of text"
	}
	return fmt.Sprintf("%d blocks of text", n)
}

// inView is how many blocks of text are in view, from the i-th on.
func (m *UiMap) inView(i int) int {
	n := 0
	for ; i < len(m.TextBlocks); i++ {
		if !m.TextBlocks[i].Offscreen {
			n++
		}
	}
	return n
}

// FormatCompact is the rows alone, within a number of tokens: what is in view
// first, then the rest. What is left out is said. 0 is no limit.
func (m *UiMap) FormatCompact(limit int) string {
	all := m.InteractiveElements()
	rows := make([]string, len(all))
	total := 0
	for i, e := range all {
		rows[i] = e.row()
		total += aria.Tokens(rows[i])
	}
	if limit <= 0 || total <= limit {
		return strings.Join(rows, "")
	}
	more := func(n int) string { return fmt.Sprintf("… %d more\n", n) }
	room := limit - aria.Tokens(more(len(all)))
	kept := make([]bool, len(all))
	left := len(all)
	full := false
	for _, offscreen := range []bool{false, true} {
		for i, e := range all {
			if full || e.Is(Offscreen) != offscreen {
				continue
			}
			if room -= aria.Tokens(rows[i]); room < 0 {
				full = true
				break
			}
			kept[i] = true
			left--
		}
	}
	var b strings.Builder
	for i, row := range rows {
		if kept[i] {
			b.WriteString(row)
		}
	}
	if note := more(left); aria.Tokens(b.String()+note) <= limit {
		b.WriteString(note)
	}
	return b.String()
}

// EstimateTokens is what the rows cost a model: of what can be operated, or of
// all elements.
func (m *UiMap) EstimateTokens(interactiveOnly bool) int {
	n := 0
	for i := range m.Elements {
		if e := &m.Elements[i]; e.Interactive || !interactiveOnly {
			n += aria.Tokens(e.row())
		}
	}
	return n
}

// row is an element on one line: [el_0] Button "Submit" (460,115) disabled.
func (e *UiElement) row() string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s] %s", e.ID, e.Role)
	if e.Name != "" {
		b.WriteString(" " + quoted(e.Name, longestName))
	}
	x, y := e.Bounds.Center()
	fmt.Fprintf(&b, " (%d,%d)", int(math.Round(x)), int(math.Round(y)))
	if e.Value != nil && *e.Value != "" {
		b.WriteString(" value=" + quoted(*e.Value, longestName))
	}
	for _, s := range e.States {
		b.WriteString(" " + string(s))
	}
	b.WriteByte('\n')
	return b.String()
}

// plain makes text of a page fit for a line of its own: no line ends, nothing that
// cannot be seen, no more than n characters. It cannot pass for a row, which begins
// with a bracket.
func plain(s string, n int) string {
	s = strings.Join(strings.Fields(aria.Plain(s)), " ")
	if r := []rune(s); len(r) > n {
		s = strings.TrimRight(string(r[:n]), " ") + "…"
	}
	return s
}

// quoted is text of a page in quotes that it cannot end by itself.
func quoted(s string, n int) string { return aria.Quote(plain(s, n)) }
