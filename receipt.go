package rove

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rove/aria"
	"rove/driver"
	"rove/driver/advice"
)

// expectsEffect are operations that one expects something of.
var expectsEffect = map[string]bool{
	"click": true, "dblclick": true, "rightclick": true, "press": true, "input": true, "type": true, "clear": true,
	"select": true, "set": true, "drag": true, "check": true, "uncheck": true, "hover": true, "scroll": true,
}

// severalSteps is how many steps that went as asked are told one by one.
const severalSteps = 3

// receipts writes what was done. Of several steps those that went as asked share
// a line, and so do the requests they sent: what they did to the page is told by
// what changed. from is where the page was before, and title that of the page it
// is at now, where the last step led to one.
func receipts(done []Receipt, from, title string, w advice.Words) string {
	var b strings.Builder
	var plain []Receipt
	flush := func() {
		if len(plain) == 0 {
			return
		}
		b.WriteString("ok " + asked(plain))
		var requests []driver.Request
		for _, d := range plain {
			requests = append(requests, d.Effect.Requests...)
		}
		list := notableRequests(requests, from, nil)
		if short := answered(requests, from); short != "" && len(short) < len(list) {
			list = short
		}
		if list != "" {
			fmt.Fprintf(&b, " (%s)", list)
		}
		b.WriteByte('\n')
		plain = nil
	}
	for i, d := range done {
		if len(done) > 1 && d.isObvious() {
			plain = append(plain, d)
			continue
		}
		flush()
		at, last := "", i == len(done)-1
		if last {
			at = title
		}
		line := receipt(d, from, at, w)
		if len(done) > 1 && d.idle() {
			first, rest, _ := strings.Cut(line, "\n")
			line = first + ": no effect seen"
			if !last {
				line += " by then" // it may have come later
			}
			if rest != "" {
				line += "\n" + rest
			}
		}
		b.WriteString(line)
		b.WriteByte('\n')
		if d.Effect.URL != "" {
			from = d.Effect.URL
		}
	}
	flush()
	return b.String()
}

// asked names steps that went as asked: a few one by one, many by their number.
func asked(done []Receipt) string {
	if len(done) > severalSteps {
		return fmt.Sprintf("%d steps as asked", len(done))
	}
	var words []string
	last := ""
	for _, d := range done {
		if d.Op != last {
			words = append(words, d.Op)
			last = d.Op
		}
		words = append(words, string(d.Effect.Ref))
	}
	return strings.Join(words, " ")
}

// isObvious is true of a step whose effect goes without saying.
func (d Receipt) isObvious() bool {
	e := &d.Effect
	if d.Left != "" || e.Already != "" || e.Unclicked || e.Unchosen != "" || e.Ref == "" || e.Navigated || e.URL != "" || e.Outside != "" || e.Text != nil || e.Dialog != nil || e.Chooser != nil || e.Closed || e.Crashed || e.Hung || e.Busy ||
		len(e.Downloads) > 0 || len(e.Tabs) > 0 || len(e.Console) > 0 {
		return false
	}
	switch d.Op {
	case "click":
		return e.Seen() && (e.Value == nil || e.Role == "radio")
	case "input", "set", "select":
		return e.Value != nil && (e.Value.To == d.Value || strings.HasPrefix(e.Value.To, "••••")) || e.Value == nil && d.Op != "input"
	case "check", "uncheck", "focus", "hover", "clear", "upload":
		return true
	}
	return false
}

// noEffectNote says that a step by itself came to nothing that is shown; "" where it did, or
// where nothing is expected of it.
func (d Receipt) noEffectNote() string {
	e := d.Effect
	if !d.mayDraw() {
		e.Drawn = 0
	}
	switch {
	case !expectsEffect[d.Op] || e.Already != "":
		return ""
	case !e.Seen(), d.Op == "drag" && !e.Told():
		return "no effect seen"
	case !e.Told() && d.Effect.Drawn != 0:
		return "nothing changed that a view shows but a drawing, which has " + shapes(d.Effect.Drawn)
	case !e.Told() && (d.Op == "click" || d.Op == "dblclick" || d.Op == "press" && !e.Stirred):
		return nothingShown
	}
	return ""
}

const nothingShown = "nothing changed that a view shows"

// noVisibleEffect is true of steps that came to nothing that is shown, and of which not every
// one says so itself: what they stirred is not seen.
func noVisibleEffect(done []Receipt) bool {
	silent := false
	for _, d := range done {
		if d.noEffectNote() == "" {
			return false
		}
		silent = silent || !d.idle()
	}
	return silent
}

// idle is true of a step of several that was seen to do nothing. What a pointer
// shows by style alone is not heard of.
func (d Receipt) idle() bool {
	e := &d.Effect
	keys := d.Op == "press" && e.Stirred // a press of a button moves the focus, and means more
	return expectsEffect[d.Op] && d.Op != "hover" && !e.Seen() && !keys && e.Text == nil && e.Already == "" && e.Unfilled == "" && len(e.Console) == 0
}

// mayDraw is true of a step that may be meant for a drawing. Pages redraw icons on any
// other.
func (d Receipt) mayDraw() bool { return d.Op == "drag" || d.Op == "press" || d.Op == "dblclick" }

func shapes(n int) string {
	word, more := " shape", " more"
	if n < 0 {
		n, more = -n, " fewer"
	}
	if n > 1 {
		word += "s"
	}
	return strconv.Itoa(n) + more + word
}

// receipt is one step's effect on a line.
func receipt(d Receipt, from, title string, w advice.Words) string {
	var b strings.Builder
	e := &d.Effect
	b.WriteString("ok " + d.Op)
	ref := cmp.Or(string(e.Ref), d.Ref)
	if d.Ref != "_page" {
		b.WriteString(" " + ref)
		if e.Name != "" {
			fmt.Fprintf(&b, " %q", clip(e.Name, 60))
		}
		if e.Matches > 1 {
			fmt.Fprintf(&b, " (the first of %d)", e.Matches)
		}
	} else if d.Value != "" {
		b.WriteString(" " + clip(d.Value, 40))
	}
	switch {
	case e.Already != "":
		b.WriteString(": already " + e.Already)
	case e.Text != nil && pageText[d.Op]:
		b.WriteString(": " + aria.Quote(clip(*e.Text, 2000)))
	case e.Text != nil:
		fmt.Fprintf(&b, ": %s", clip(*e.Text, 2000))
	case e.Value != nil && e.Value.From == "" && d.Op != "scroll":
		fmt.Fprintf(&b, " =%q", clip(e.Value.To, 80))
	case e.Value != nil && d.Op != "scroll":
		fmt.Fprintf(&b, " %q → %q", clip(e.Value.From, 60), clip(e.Value.To, 80))
	case e.Value != nil:
		fmt.Fprintf(&b, " to %s", e.Value.To)
	}
	if d.Left != "" {
		b.WriteString(" (after Tab in " + d.Left + ", which had something open over it)")
	}
	if said := pictured(e.Shot); said != "" {
		b.WriteString(": " + said)
	}
	if e.Moved != nil {
		fmt.Fprintf(&b, " moved %+d,%+d", e.Moved[0], e.Moved[1])
	}
	if e.Drawn != 0 && d.mayDraw() {
		b.WriteString("; the drawing has " + shapes(e.Drawn))
	}
	for _, other := range e.Covers {
		b.WriteString("; lies " + other + " now")
	}
	if e.URL != "" {
		b.WriteString(" → " + aria.Plain(clip(within(e.URL, from), 300)))
	}
	if e.Outside != "" {
		b.WriteString(" → " + aria.Quote(clip(e.Outside, 300)) + ", for another program; not opened")
	}
	if e.Dialog != nil {
		fmt.Fprintf(&b, " → %s dialog", e.Dialog.Type)
	}
	switch {
	case e.Chooser == nil:
	case e.Chooser.Declined:
		b.WriteString(" → file chooser of a kind that cannot be answered; the page was told that nothing was chosen")
	default:
		b.WriteString(" → file chooser; " + w.Say(advice.Upload))
	}
	if len(e.Tabs) > 0 {
		b.WriteString(" → new tab")
	}
	if e.Unclicked {
		b.WriteString("; pressed, but no click came of it")
	}
	if e.Unchosen != "" {
		b.WriteString("; " + e.Unchosen + " is as it was")
	}
	if e.Closed {
		b.WriteString(" → the tab closed")
	}
	if e.Crashed {
		b.WriteString(" → the page crashed")
		if e.Why != "" {
			b.WriteString(": " + e.Why)
		}
	}
	for _, d := range e.Downloads {
		b.WriteString(" → " + downloaded(d, w))
	}
	if list := notableRequests(e.Requests, cmp.Or(e.URL, from), d.usual); list != "" {
		fmt.Fprintf(&b, " (%s)", list)
	}
	if e.Busy {
		b.WriteString(" (still loading)")
	}
	if left := endedText(e.Ended); left != "" {
		b.WriteString(" (" + left + ")")
	}
	if title != "" { // last: to the end of the line it is the page's word
		b.WriteString(" — " + aria.Plain(clip(title, 300)))
	}
	for _, c := range e.Console {
		if line := consoleLine(c); !d.usual[line] {
			b.WriteString("\n" + line)
		}
	}
	return b.String()
}

// within is an address as somebody at another one of the same site would write it.
func within(address, from string) string {
	u, err := url.Parse(address)
	f, err2 := url.Parse(from)
	if err != nil || err2 != nil || u.Host == "" || u.Host != f.Host || u.Scheme != f.Scheme || u.User != nil {
		return address
	}
	return address[strings.Index(address, u.Host)+len(u.Host):]
}

func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

// unlined is what changed of a page that no line of it says: its title, an address that
// it gave itself since it was last read, and where Tab has led.
func unlined(before, after *aria.Tree, done []Receipt) (list []aria.Entry) {
	if after.Title != before.Title {
		list = append(list, aria.Entry{Text: "title " + aria.Quote(clip(before.Title, 60)) + " → " + aria.Quote(clip(after.Title, 120))})
	}
	said := func(d Receipt) bool { return d.Effect.URL == after.URL }
	if after.URL != before.URL && !slices.ContainsFunc(done, said) {
		list = append(list, aria.Entry{Text: "address → " + aria.Plain(clip(within(after.URL, before.URL), 300))})
	}
	if n := len(done); n > 0 && done[n-1].Op == "press" && strings.HasSuffix(done[n-1].Value, "Tab") {
		if focused := after.Focused(); focused != "" && focused != before.Focused() {
			list = append(list, aria.Entry{Text: "focus → " + focused})
		}
	}
	return list
}

// hint is a word on what to do next, where it helps: a field that keeps a form
// from being sent, an error message that appeared.
func hint(d *aria.Delta, done []Receipt) string {
	for _, r := range done {
		if e := &r.Effect; e.Unfilled != "" && !e.Navigated && len(e.Requests) == 0 {
			return e.Unfilled
		}
	}
	for _, e := range d.Added {
		if strings.HasPrefix(e.Text, "alert ") {
			said := strings.TrimPrefix(e.Text, "alert ")
			if text := clip(said, 120); text != said {
				return "the page says: " + strings.TrimSuffix(text, "…") + "…\"" // which was cut off with the rest
			}
			return "the page says: " + said
		}
	}
	return ""
}
