package aria

import (
	"strconv"
	"strings"
)

// Markdown writes the readable content of a page, main content first, within a
// budget of tokens; 0 is no bound. Fields and buttons are not content.
func Markdown(t *Tree, budget int, opts Options) View {
	m := &markdown{t: t, ends: subtreeEnds(t.Nodes), done: make([]bool, len(t.Nodes))}
	l := &layout{t: t, ends: m.ends, opts: opts}
	l.hideLabels()
	if l.hide != nil {
		copy(m.done, l.hide) // a field's label is not content
	}
	if at := modal(t.Nodes); at >= 0 {
		m.walk(at)
		m.flush()
		l.behind = said(t.Nodes[:at]) + said(t.Nodes[m.ends[at]:])
	} else {
		m.page()
	}
	return m.fit(l.head(), l.notes(), budget)
}

type markdown struct {
	t      *Tree
	ends   []int32
	done   []bool // written already, or kept for the end
	blocks []string
	para   []byte
	list   int    // how many lists deep
	bullet string // stands before the next block
	quote  int    // how many quotations deep

	heading bool // inside a heading
}

// page writes the main content, then the rest, then what surrounds it.
func (m *markdown) page() {
	var aside, main []int
	for i := 0; i < len(m.t.Nodes); i++ {
		switch m.t.Nodes[i].Role {
		case "banner", "navigation", "complementary", "contentinfo", "search":
			aside = append(aside, i)
			m.done[i] = true
			i = int(m.ends[i]) - 1 // what is inside goes with it
		case "main":
			main = append(main, i)
		}
	}
	if len(main) == 0 {
		for i := 0; i < len(m.t.Nodes); i++ {
			if m.t.Nodes[i].Role == "article" {
				main = append(main, i)
				i = int(m.ends[i]) - 1
			}
		}
	}
	for _, i := range main {
		m.walk(i)
		m.flush()
		m.done[i] = true
	}
	for i := 0; i < len(m.t.Nodes); i = int(m.ends[i]) {
		m.walk(i)
	}
	m.flush()
	for _, i := range aside {
		m.done[i] = false
		m.walk(i)
		m.flush()
	}
}

func (m *markdown) walk(i int) {
	if m.done[i] {
		return
	}
	n := &m.t.Nodes[i]
	switch n.Role {
	case "text":
		m.text(n)
	case "heading":
		m.flush()
		m.heading = true // of an accordion, say, that is a button
		s := m.inline(i)
		m.heading = false
		if s != "" {
			m.bullet += strings.Repeat("#", min(max(n.Level, 1), 6)) + " "
			m.add(s)
			m.flush()
		}
	case "link", "clickable", "option", "treeitem", "img", "image":
		if int(m.ends[i]) > i+1 && blank(n.Name) {
			m.children(i)
			return
		}
		inline := n.Role == "link" || n.Role == "img" || n.Role == "image"
		if n.State&Block != 0 || !inline {
			m.flush()
		}
		if n.Role == "treeitem" {
			m.bullet = strings.Repeat("  ", min(max(n.Level, 1)-1, maxIndent)) + "- "
		}
		m.add(m.inline(i))
		if !inline {
			m.flush()
			m.children(i)
		}
	case "list", "directory", "feed", "menu":
		m.flush()
		m.list++
		m.children(i)
		m.flush()
		m.list--
	case "listitem":
		m.flush()
		m.bullet = strings.Repeat("  ", min(max(m.list-1, 0), maxIndent)) + "- "
		m.children(i)
		m.flush()
		m.bullet = ""
	case "blockquote":
		m.flush()
		m.quote++
		m.children(i)
		m.flush()
		m.quote--
	case "table", "grid", "treegrid":
		m.flush()
		m.table(i)
	case "button", "textbox", "searchbox", "checkbox", "radio", "switch", "combobox", "listbox", "slider",
		"spinbutton", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "scrollbar", "separator", "tooltip":
		// A way to operate the page, not something to read.
	default:
		block := kindOf(n)&wrapper == 0 || n.Role == "paragraph" || n.Role == "article" || n.Role == "row"
		if block {
			m.flush()
		}
		if int(m.ends[i]) == i+1 && !blank(n.Name) {
			m.add(Plain(n.Name))
		}
		m.children(i)
		if block {
			m.flush()
		}
	}
}

func (m *markdown) children(i int) {
	for c := i + 1; c < int(m.ends[i]); c = int(m.ends[c]) {
		m.walk(c)
	}
}

func (m *markdown) text(n *Node) {
	if blank(n.Name) {
		return
	}
	if n.State&Pre != 0 && strings.ContainsRune(n.Name, '\u2028') {
		m.flush()
		m.fence(n.Name)
		return
	}
	if n.State&Block != 0 {
		m.flush()
	}
	if n.State&Pre != 0 && !strings.Contains(n.Name, "`") {
		m.add("`" + Plain(n.Name) + "`")
		return
	}
	m.add(Plain(n.Name))
}

// fence writes preformatted text as a code block, with a fence longer than any in it.
func (m *markdown) fence(s string) {
	ticks := "```"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	lines := strings.Split(s, "\u2028")
	for i := range lines {
		lines[i] = Plain(lines[i])
	}
	m.blocks = append(m.blocks, m.prefix()+ticks+"\n"+strings.Join(lines, "\n")+"\n"+ticks)
}

// inline is the text of a node and what is below it, on one line.
func (m *markdown) inline(i int) string {
	n := &m.t.Nodes[i]
	switch s := Plain(n.Name); {
	case kindOf(n)&labelled != 0 || n.Role == "button" && !m.heading:
		return ""
	case blank(n.Name):
	case n.Role == "img" || n.Role == "image":
		return "![" + s + "]"
	case n.Role == "link" && n.URL != "":
		return "[" + s + "](" + linkTarget(m.t.URL, n.URL) + ")"
	default:
		return s
	}
	var b []byte
	for c := i + 1; c < int(m.ends[i]); c = int(m.ends[c]) {
		b = joinText(b, m.inline(c))
	}
	return string(b)
}

// table writes rows; nested tables read as part of their cell.
func (m *markdown) table(i int) {
	var rows [][]string
	for c := i + 1; c < int(m.ends[i]); c++ {
		n := &m.t.Nodes[c]
		if n.Role != "row" {
			if n.Role == "caption" && len(rows) == 0 {
				m.add(m.inline(c))
				m.flush()
			}
			continue
		}
		var cells []string
		for k := c + 1; k < int(m.ends[c]); k = int(m.ends[k]) {
			m.heading = m.t.Nodes[k].Role == "columnheader" // that sorts, as a button
			cells = append(cells, strings.ReplaceAll(m.inline(k), "|", `\|`))
		}
		m.heading = false
		if len(cells) == 0 && !blank(n.Name) {
			cells = []string{strings.ReplaceAll(m.inline(c), "|", `\|`)}
		}
		if len(cells) > 0 {
			rows = append(rows, cells)
		}
		c = int(m.ends[c]) - 1
	}
	rows = dropEmptyColumns(rows)
	if len(rows) == 0 {
		return
	}
	var b strings.Builder
	for k, cells := range rows {
		if k > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |")
		if k == 0 && len(rows) > 1 { // Markdown has no table without a header
			b.WriteString("\n|" + strings.Repeat("-|", len(cells)))
		}
	}
	m.blocks = append(m.blocks, b.String())
}

// dropEmptyColumns leaves out the columns that only hold what is not text, as
// check boxes and buttons.
func dropEmptyColumns(rows [][]string) [][]string {
	var used []bool
	for _, cells := range rows {
		for i, c := range cells {
			if i == len(used) {
				used = append(used, false)
			}
			used[i] = used[i] || c != ""
		}
	}
	kept := rows[:0]
	for _, cells := range rows {
		row := cells[:0]
		for i, c := range cells {
			if used[i] {
				row = append(row, c)
			}
		}
		if len(row) > 0 {
			kept = append(kept, row)
		}
	}
	return kept
}

// add appends to the paragraph at hand.
func (m *markdown) add(s string) { m.para = joinText(m.para, s) }

// joinText puts a space between two runs, but not before a sign that closes.
func joinText(b []byte, s string) []byte {
	if s == "" {
		return b
	}
	if len(b) > 0 && !strings.ContainsRune(".,;:!?)]}%", rune(s[0])) && b[len(b)-1] != '(' {
		b = append(b, ' ')
	}
	return append(b, s...)
}

// flush ends the paragraph at hand.
func (m *markdown) flush() {
	if len(m.para) == 0 {
		return
	}
	s := string(m.para)
	m.para = m.para[:0]
	if m.bullet == "" { // text is not a heading, an item or a quotation by its looks
		if strings.IndexByte("#>-+*~|=", s[0]) >= 0 || strings.HasPrefix(s, "```") {
			s = `\` + s
		}
	}
	m.blocks = append(m.blocks, m.prefix()+s)
}

// prefix is what stands before a block, once for a bullet.
func (m *markdown) prefix() string {
	p := strings.Repeat("> ", min(m.quote, 8))
	if m.bullet != "" {
		p += m.bullet
		m.bullet = ""
	} else if m.list > 0 {
		p += strings.Repeat("  ", min(m.list, maxIndent))
	}
	return p
}

// fit joins the blocks, as many as the budget holds.
func (m *markdown) fit(head, notes string, budget int) View {
	var b strings.Builder
	b.WriteString(head)
	room := budget - Tokens(head) - Tokens(notes)
	for i, s := range m.blocks {
		s = separator(m.blocks, i) + s + "\n"
		n := Tokens(s)
		if last := i == len(m.blocks)-1; budget > 0 && (n > room || n > room-endCost && !last) {
			// The block that does not fit is cut, if enough of it would stay.
			if rest := room - endCost - 4; rest > 16 {
				b.WriteString(separator(m.blocks, i) + cutTo(firstLine(m.blocks[i]), rest) + "…\n")
			}
			words := 0
			for _, left := range m.blocks[i:] {
				words += len(strings.Fields(left))
			}
			b.WriteString("… about " + strconv.Itoa(words) + " words more (larger budget, or look eN)\n")
			b.WriteString(notes)
			return bounded(b.String(), budget, len(m.blocks)-i)
		}
		room -= n
		b.WriteString(s)
	}
	b.WriteString(notes)
	v := bounded(b.String(), budget, 0)
	v.Lines = len(m.blocks)
	return v
}

// separator is an empty line between blocks, but not between the items of a list.
func separator(blocks []string, i int) string {
	if i == 0 || isItem(blocks[i]) && isItem(blocks[i-1]) {
		return ""
	}
	return "\n"
}

func isItem(s string) bool { return strings.HasPrefix(strings.TrimLeft(s, " "), "- ") }

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// linkTarget makes an address fit between parentheses: as somebody on the same site would
// write it, and of a long query only the beginning.
func linkTarget(page, u string) string {
	if site := siteOf(page); site != "" && siteOf(u) == site {
		if u = u[len(site):]; u == "" {
			u = "/"
		}
	}
	if at := strings.IndexByte(u, '?'); at >= 0 && len(u) > longAddress && at+20 < len(u) {
		u = clip(u, max(longAddress, at+20))
	}
	return strings.NewReplacer(" ", "%20", ")", "%29", "(", "%28", "\n", "").Replace(Plain(u))
}

// longAddress is how long an address may be before its query is cut.
const longAddress = 100

// siteOf is the beginning of an address, up to its path; "" where it has no host.
func siteOf(u string) string {
	at := strings.Index(u, "://")
	if at < 0 {
		return ""
	}
	if end := strings.IndexAny(u[at+3:], "/?#"); end >= 0 {
		return u[:at+3+end]
	}
	return u
}
