package rove

import (
	"fmt"
	"strings"

	"rove/internal/policy"
)

// Question is what a person is asked before something is done.
type Question struct {
	Op     string // click, upload, go, eval, …
	Target string // a ref or locator, an address; "" for the page
	What   string // the element, such as button "Buy now"; "" where it is not known
	Sets   bool   // the element is not the target, but what a key sets off
	Value  string // what is typed, chosen, uploaded or run; secrets by their names
	URL    string // of the document acted on
	Page   string // of the page it is in, where that is another
	Leads  string // the address that it leads to, where that is what is asked about
	Rule   string // of Options.Confirm, that asks for it
}

// at notes which document it is about, and in which page that is.
func (q *Question) at(document, page string) {
	if q.URL = document; document != page {
		q.Page = page
	}
}

// shownMost is how many characters of one thing a question shows.
const shownMost = 4000

// String is the question on one line. What it does not show, it says how much it is.
func (q Question) String() string {
	text, _ := q.text()
	return text
}

// Unseen is how many characters String does not show. Where there are any, a plain
// yes is not enough: whoever asks has to have that number said.
func (q Question) Unseen() int {
	_, unseen := q.text()
	return unseen
}

func (q Question) text() (text string, unseen int) {
	part := func(s string, write func(string) string) string {
		r := []rune(s)
		if len(r) <= shownMost {
			return write(s)
		}
		left := len(r) - shownMost
		unseen += left
		return write(string(r[:shownMost])) + fmt.Sprintf(" … and %d more characters that are not shown", left)
	}
	quoted := func(s string) string { return fmt.Sprintf("%q", s) }
	var b strings.Builder
	b.WriteString(q.Op)
	if q.Target != "" {
		b.WriteString(" " + part(q.Target, oneLine))
	}
	if q.What != "" && !q.Sets {
		b.WriteString(" " + part(q.What, oneLine))
	}
	if q.Value != "" {
		b.WriteString(" " + part(q.Value, quoted))
	}
	if q.What != "" && q.Sets {
		b.WriteString(", which sets off " + part(q.What, oneLine) + ",")
	}
	if q.Leads != "" {
		b.WriteString(", which leads to " + part(q.Leads, oneLine) + ",")
	}
	if q.URL != "" {
		b.WriteString(" on " + part(q.URL, oneLine))
	}
	if q.Page != "" {
		b.WriteString(" in the page " + part(q.Page, oneLine))
	}
	return b.String(), unseen
}

// Agrees says whether what somebody typed is a yes. Where not all was shown, it is
// the number of what was not.
func (q Question) Agrees(answer string) bool { return policy.Agrees(answer, q.Unseen()) }
