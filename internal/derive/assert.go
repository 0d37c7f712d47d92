package derive

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"rove/internal/outlet"
	"rove/recording"
)

// How many texts are looked for after a step, and after the last one.
const (
	mostTexts = 2
	lastTexts = 3
	spares    = 5 // that may take the place of one that says nothing
)

// assert says what must be so after each step, from what was seen then and from
// nothing else: where it led, what came and went, what was saved.
func (d *deriver) assert(part *recording.Recording) {
	before := &recording.Page{}
	var typed []entry
	picked := map[string][]string{} // what was taken up on each page, by its path
	covered := map[string]bool{}    // what a dialog hides, and shows again when it closes
	was := map[string][]string{}    // what each page said before, by its path
	for i := range d.flow.Steps {
		do, s := &d.flow.Steps[i], &d.from[i]
		if do.Enters() && !hides(do.Value) {
			typed = append(typed, entry{do.Value, do.Op == "select"})
		}
		if do.Op == "upload" { // a list names the file
			for file := range strings.SplitSeq(do.Value, "\n") {
				typed = append(typed, entry{text: path.Base(strings.ReplaceAll(file, `\`, "/"))})
			}
		}
		if e := s.Effect; e != nil {
			if e.Dialog != nil {
				do.Checks = append(do.Checks, recording.Check{Kind: "dialog", Text: e.Dialog.Message})
			}
			if e.Place != nil {
				do.Checks = append(do.Checks, placed(e.Place))
			}
			for _, name := range e.Downloads {
				do.Checks = append(do.Checks, recording.Check{Kind: "download", Text: name})
			}
			if do.Saves != nil {
				do.Checks = append(do.Checks, recording.Check{Kind: "status", Text: do.Saves.Method + " " + recording.PathPattern(pathOf(do.Saves.URL)), Asks: do.Saves.Asks, Redirects: do.Saves.Status >= 300 && do.Saves.Status < 400})
			}
		}
		if who := do.Who; who != nil && before.URL != "" {
			at := pathOf(before.URL)
			picked[at] = append(picked[at], who.Near, who.Name)
		}
		page := s.Page
		if page == nil {
			page = d.pageAfter(part, i)
		}
		if page == nil {
			continue
		}
		most := mostTexts
		if i == len(d.flow.Steps)-1 {
			most = lastTexts
		}
		moved := page.URL != "" && before.URL != "" && page.URL != before.URL
		if moved && do.Op != "go" && !volatile().MatchString(pathOf(page.URL)) {
			do.Checks = append(do.Checks, recording.Check{Kind: "url", Text: d.within(page.URL)})
		}
		if page.Title != "" && before.Title != "" && page.Title != before.Title && steady(page.Title, nil) {
			do.Checks = append(do.Checks, recording.Check{Kind: "title", Text: page.Title})
		}
		if !do.Asks {
			outside := len(frameOf(do)) == 0 // which of the frames said it is not known then
			appeared := slices.DeleteFunc(slices.Clone(page.Appeared), func(l recording.Line) bool { return covered[l.Name] || l.Frame && outside })
			gone := slices.DeleteFunc(without(page.Gone, page.Appeared), func(l recording.Line) bool { return l.Frame && outside })
			var known []string // says nothing of what was saved
			if do.Saves != nil && moved {
				known = was[pathOf(page.URL)]
			}
			beside := d.nextBeside(i)
			list := texts("text", appeared, typed, known, beside, most+spares)
			most = min(most, len(list))
			if do.Saves == nil && most > 0 && list[0].Text == beside {
				most = 1 // the panel that the next step is done in: what else came with it says less
			}
			if n := slices.IndexFunc(list, func(c recording.Check) bool { return slices.Contains(known, c.Text) }); n > 0 {
				most = min(most, n)
			}
			do.Checks, do.Spares = append(do.Checks, list[:most]...), append(enteredIn(appeared, typed, list), list[most:]...)
			for _, c := range list[:most] { // among other things, should it turn out not to stand alone
				if c.Query == wordForWord(c.Text) {
					c.Query = textQuery(c.Role, c.Text)
					do.Spares = append(do.Spares, c)
				}
			}
			if !moved && !opens(page.Appeared) {
				went := texts("gone", gone, nil, nil, "", 1+spares)
				do.Checks = append(do.Checks, went[:min(1, len(went))]...)
				do.Spares = append(do.Spares, went[min(1, len(went)):]...)
			}
			// Back where it was taken up, or out of the dialog that hid it, which may be to find it gone: a proof will see.
			if (moved || opens(page.Gone)) && do.Saves != nil {
				do.Spares = append(do.Spares, missed(picked[pathOf(page.URL)], page.Appeared)...)
			}
			if moved || opens(page.Gone) {
				clear(covered)
			}
			if opens(page.Appeared) {
				for _, l := range page.Gone {
					covered[l.Name] = true
				}
			}
		}
		at := pathOf(page.URL)
		if moved {
			was[at] = nil
		}
		for _, l := range page.Appeared {
			was[at] = append(was[at], strings.TrimSpace(l.Name))
		}
		last := *page
		last.Title = cmp.Or(page.Title, before.Title)
		before = &last
	}
}

// missed are texts that a page had and may have no longer, as what is deleted on a page of
// its own.
func missed(names []string, appeared []recording.Line) (list []recording.Check) {
	for _, name := range names {
		named := func(l recording.Line) bool { return l.Name == name }
		if says(name) && len(name) <= 80 && !slices.ContainsFunc(appeared, named) {
			list = append(list, recording.Check{Kind: "gone", Text: name, Role: "cell", Query: textQuery("cell", name)})
		}
	}
	return list
}

// opens says that there is a dialog among lines.
func opens(lines []recording.Line) bool {
	return slices.ContainsFunc(lines, func(l recording.Line) bool { return l.Role == "dialog" || l.Role == "alertdialog" })
}

// pageAfter is where the verb of a step led to, where the step is the last of that
// verb which is left.
func (d *deriver) pageAfter(part *recording.Recording, i int) *recording.Page {
	if i+1 < len(d.from) && d.from[i+1].N == d.from[i].N || d.from[i].N == 0 {
		return nil
	}
	for _, s := range part.Steps {
		if s.N == d.from[i].N && s.Page != nil && s.OK {
			return s.Page
		}
	}
	return nil
}

// worth is how much a text of a role says about a page.
var worth = map[string]int{
	"heading": 6, "alert": 5, "status": 5, "cell": 4, "gridcell": 4, "rowheader": 4, "listitem": 4, "row": 2, "text": 3, "paragraph": 3, "caption": 2,
	"clickable": 3, "draggable": 3, "treeitem": 3, "term": 3, "definition": 3, "generic": 2, "link": 1, "menuitem": 1, "tab": 1,
}

// volatile is what is another one each time: times, dates, long numbers, hashes.
var volatile = pattern(`(?i)\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{5,}|[0-9a-f]{8}-[0-9a-f]{4}-|\b(just now|seconds?|minutes?|today|ago)\b`)

// steady says that a text is the same another day: all of it that a time or a number may
// be was entered.
func steady(text string, typed []entry) bool {
	if !changes(text) {
		return true
	}
	for _, e := range slices.SortedFunc(slices.Values(typed), func(a, b entry) int { return len(b.text) - len(a.text) }) {
		text = strings.ReplaceAll(text, e.text, "")
	}
	return !changes(text)
}

// changes says that there is something in a text that is another each time.
func changes(text string) bool {
	return volatile().MatchString(text) || slices.ContainsFunc(strings.Fields(text), random)
}

// random says that a word is a key that a program made up: long, of small and large letters
// with digits among them, and not only behind them.
func random(word string) bool {
	return len(word) >= 16 && !strings.ContainsAny(word, "./:@") && digitAmongLetters().MatchString(word) && strings.ToUpper(word) != word && strings.ToLower(word) != word
}

var digitAmongLetters = pattern(`[0-9][A-Za-z]`)

// nextBeside is the text that stands with what the next step is done on: where a step made
// it come, that is what the step was for.
func (d *deriver) nextBeside(i int) string {
	if i+1 == len(d.flow.Steps) || d.flow.Steps[i+1].Who == nil {
		return ""
	}
	return d.flow.Steps[i+1].Who.Near
}

// texts chooses the few texts that say most. Those that are known say least; what stands
// beside what is used next says more than another of its kind.
func texts(kind string, lines []recording.Line, typed []entry, known []string, beside string, most int) []recording.Check {
	type scored struct {
		recording.Check
		score int
	}
	var list []scored
	numbers := 0
	for _, l := range lines {
		if isFigure(l.Name) {
			numbers++
		}
	}
	for _, l := range lines {
		score := worth[l.Role]
		text := strings.TrimSpace(l.Name)
		if numbers > mostNumbers && isFigure(text) && entered(text, typed) == 0 {
			continue
		}
		if score == 0 || !says(text) || len(text) > 80 || strings.Contains(text, outlet.Mask) {
			continue
		}
		if !steady(text, typed) {
			// A row that went may have a date in it: a proof sees whether it stays without the step.
			if kind != "gone" || l.Role != "cell" && l.Role != "listitem" {
				continue
			}
			score--
		}
		if kind == "gone" {
			if l.Role == "heading" || l.Role == "row" || isFigure(text) {
				continue
			}
			if l.Role != "cell" && l.Role != "listitem" {
				score = 1 // messages come and go by themselves
			}
		}
		if slices.Contains(known, text) {
			score = 0
		} else if n := entered(text, typed); n > 0 {
			score = max(score, worth["text"]) + 7 + n // above all headings, in whatever it stands: it says that this was saved
		}
		if isFigure(text) {
			score -= 2
		}
		if score > 0 && beside != "" && text == beside {
			score += worth["heading"]
		}
		c := recording.Check{Kind: kind, Text: text, Role: l.Role, Query: textQuery(l.Role, text), Frame: l.Frame}
		if kind == "text" && !whole[l.Role] && slices.ContainsFunc(typed, func(e entry) bool { return e.text == text }) {
			c.Query = wordForWord(text)
		}
		if !slices.ContainsFunc(list, func(o scored) bool { return o.Text == text }) {
			list = append(list, scored{c, score})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return b.score - a.score })
	var checks []recording.Check
	for _, c := range list[:min(len(list), most)] {
		checks = append(checks, c.Check)
	}
	return checks
}

// Message is a check of the one of several texts that says most.
func Message(said []string) (c recording.Check, ok bool) {
	for _, text := range said {
		text = strings.TrimSpace(text)
		if len(text) > len(c.Text) && len(text) <= 80 && says(text) && steady(text, nil) && !strings.Contains(text, outlet.Mask) {
			c = recording.Check{Kind: "text", Role: "text", Text: text, Query: textQuery("text", text)}
		}
	}
	return c, c.Text != ""
}

// entered counts the values in a text that were entered. Words count most: figures, and
// what was chosen of a few, are there for other reasons too.
func entered(text string, typed []entry) (n int) {
	for _, t := range typed {
		switch {
		case !strings.Contains(text, t.text):
		case t.chosen || strings.Trim(t.text, figures) == "":
			n++
		default:
			n += 3
		}
	}
	return n
}

// entry is a value that was typed, or chosen of some.
type entry struct {
	text   string
	chosen bool
}

// isFigure says that a text is a figure by itself.
func isFigure(text string) bool { return strings.Trim(text, figures) == "" }

// mostNumbers is how many figures by themselves may say something: the days of a calendar
// are others each month.
const mostNumbers = 6

const figures = "0123456789 .,%$€-–"

// says says that a text has more in it than signs, or one letter.
func says(text string) bool {
	return len(text) > 1 && strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// enteredIn are the values that were entered and stand in lines among other things:
// where a line as a whole turns out to be another one, they still have to be there.
func enteredIn(lines []recording.Line, typed []entry, have []recording.Check) (checks []recording.Check) {
	for _, e := range typed {
		t := e.text
		if slices.ContainsFunc(append(checks, have...), func(c recording.Check) bool { return c.Text == t }) {
			continue
		}
		if n := slices.IndexFunc(lines, func(l recording.Line) bool { return worth[l.Role] > 0 && strings.Contains(l.Name, t) }); n >= 0 {
			checks = append(checks, recording.Check{Kind: "text", Text: t, Role: "text", Query: textQuery("text", t), Frame: lines[n].Frame})
		}
	}
	return checks
}

// without are the lines that did not come back in another form: a text that is
// still there cannot be waited for to go.
func without(gone, appeared []recording.Line) []recording.Line {
	return slices.DeleteFunc(slices.Clone(gone), func(g recording.Line) bool {
		return slices.ContainsFunc(appeared, func(a recording.Line) bool {
			return a.Name == g.Name || !whole[g.Role] && strings.Contains(a.Name, g.Name)
		})
	})
}

// whole are roles whose texts are looked for as a whole: "Deleted INV-7" is not INV-7.
var whole = map[string]bool{"cell": true, "gridcell": true, "rowheader": true, "listitem": true}

// textQuery is where a text is, in words that every format has.
func textQuery(role, text string) string {
	said := xpathText(text)
	switch role {
	case "listitem": // its buttons are no part of what it is called
		return "//body//*[normalize-space(.)=" + said + "] | //body//li[contains(normalize-space(.)," + said + ")][.//button or .//input or .//a]"
	case "heading", "cell", "gridcell", "rowheader":
		return "//body//*[normalize-space(.)=" + said + "]"
	}
	has := "contains(normalize-space(.)," + said + ")"
	return "//body/descendant-or-self::*[not(self::script or self::style)][" + has + " and not(*[" + has + "])]"
}

// wordForWord is where a text is that was entered, and nothing more: with something
// added to it, it is another one.
func wordForWord(text string) string {
	said := xpathText(text)
	return "//body//*[normalize-space(.)=" + said + " or text()[normalize-space(.)=" + said + "]]"
}

// placed checks that something stands where it was dragged to.
func placed(p *recording.Place) recording.Check {
	is := func(text string) string {
		said := xpathText(text)
		return "*[normalize-space(.)=" + said + " or text()[normalize-space(.)=" + said + "]]"
	}
	side, word := "following", "before"
	if p.After {
		side, word = "preceding", "after"
	}
	return recording.Check{Kind: "text", Role: "place", Text: fmt.Sprintf("%q stands %s %q", p.What, word, p.By), Query: "//body//" + is(p.What) + "[" + side + "::" + is(p.By) + "]"}
}

// xpathText is a text in XPath, which has no escapes.
func xpathText(s string) string {
	if !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	if !strings.Contains(s, `"`) {
		return `"` + s + `"`
	}
	return `concat('` + strings.Join(strings.Split(s, "'"), `', "'", '`) + `')`
}

func pathOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Path != "" {
		return u.Path
	}
	return address
}
