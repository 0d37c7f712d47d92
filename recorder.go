package rove

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"rove/aria"
	"rove/driver"
	"rove/internal/outlet"
	"rove/recording"
)

// recorder keeps what was done in a session, always, as far back as there is room:
// that a way was worth keeping is only known afterwards.
type recorder struct {
	ring   recording.Ring
	off    bool           // nothing is recorded: only for a bench
	hidden *outlet.Outlet // takes what was typed into fields that hide it out of texts; nil for nothing
	// told takes out of what pages say those of them that are no ordinary words: such are
	// there by chance.
	told    *outlet.Outlet
	typedMu sync.Mutex
	typed   []typed
	names   []string // of what the steps of the act at work typed
	size    Viewport // of the page as the session began
	// answers are what replays of it got, where a proof asks for them.
	answers Answers
	// entered is what was typed or chosen last: lines that have it say most of all
	// about what a step did, however much else there is.
	entered []string
}

// mostEntered is how many of the last values are looked for.
const mostEntered = 32

// enter has the recorder know what was typed or chosen, unless it is hidden.
func (r *recorder) enter(st *recording.Step) {
	switch st.Op {
	case "input", "type", "select", "set":
	default:
		return
	}
	if v := strings.TrimSpace(st.Value); len(v) > 1 && len(v) <= 200 && v != mask && !named(v) && !slices.Contains(r.entered, v) {
		r.entered = append(r.entered, v)
		r.entered = r.entered[max(0, len(r.entered)-mostEntered):]
	}
}

// typed is something that was typed into a field that hides it. It is kept in
// memory for as long as the session, so that what was done can be done again there.
type typed struct {
	name, value, origin string
}

// hide has the recorder know what was typed into fields that hide it: pages put it
// into addresses. Each gets a name, which stands for it in the recording. A word that
// the address had before, such as admin, is shown anyway and stays there.
func (r *recorder) hide(address string, steps []Step, done []Receipt) {
	r.names = make([]string, len(done))
	for i, d := range done {
		value := steps[i].Value
		if d.Effect.Who == nil || !d.Effect.Who.Secret || value == "" || named(value) {
			continue
		}
		if r.hidden == nil {
			r.hidden, r.told = outlet.New(nil), outlet.New(nil)
		}
		if !strings.Contains(address, value) {
			r.hidden.Learn(value, value)
			if strings.ContainsFunc(value, unicode.IsLetter) && strings.ContainsFunc(value, func(c rune) bool { return !unicode.IsLetter(c) }) {
				r.told.Learn(value, value)
			}
		}
		if r.nameOf(value) == "" {
			name := "password"
			if len(r.typed) > 0 {
				name = fmt.Sprint("password", len(r.typed)+1)
			}
			r.typedMu.Lock() // who reads it may not be in the middle of an act
			r.typed = append(r.typed, typed{name, value, driver.Origin(address)})
			r.typedMu.Unlock()
		}
		r.names[i] = r.nameOf(value)
	}
}

// typedUnseen is what was typed into fields that hide it.
func (s *Session) typedUnseen() []string {
	s.recorder.typedMu.Lock()
	defer s.recorder.typedMu.Unlock()
	var list []string
	for _, t := range s.recorder.typed {
		list = append(list, t.value)
	}
	return list
}

// nameOf is the name of what was typed; "" where it was not.
func (r *recorder) nameOf(value string) string {
	for _, t := range r.typed {
		if t.value == value {
			return t.name
		}
	}
	return ""
}

// named says that a value is made of secrets by their names, and nothing else.
func named(value string) bool {
	return strings.Contains(value, "{{") && strings.TrimSpace(secretPlace.ReplaceAllString(value, "")) == ""
}

// Recording is what was done in the session, as far back as it remembers, and the
// requests that were made meanwhile, without secrets.
func (s *Session) Recording() *recording.Recording {
	rec := s.recorder.ring.Recording()
	if s.browser.backend != nil {
		rec.Browser = s.browser.Version()
	}
	if v := s.recorder.size; v.Width > 0 {
		rec.Size = &recording.Size{Width: v.Width, Height: v.Height}
	}
	if s.network == nil {
		return rec
	}
	if all, err := s.network.Requests(RequestFilter{}); err == nil {
		for _, q := range all.Requests {
			made := recording.Request{N: verbNumber(q.Cause), Method: q.Method, URL: s.recorder.hidden.Text(s.out.Text(q.URL)), Status: q.Status, Type: q.Type}
			if q.Method == "POST" && q.Sent != nil {
				made.Asks = s.recorder.hidden.Text(s.out.Text(recording.Asks([]byte(q.Sent.Text))))
			}
			rec.Requests = append(rec.Requests, made)
		}
	}
	return rec
}

// SaveRecording writes what was done, and the requests that were made meanwhile,
// as JSON lines: see docs/RECORD.md.
func (s *Session) SaveRecording(w io.Writer) error { return s.Recording().Write(w) }

// verbNumber is that of a cause such as "act 3"; 0 for none.
func verbNumber(cause string) int {
	_, number, _ := strings.Cut(cause, " ")
	n, _ := strconv.Atoi(number)
	return n
}

// keepSteps records a verb; histMu is held.
func (s *Session) keepSteps(b begun, e *Entry, input string, done []Receipt) {
	if s.recorder.off {
		return
	}
	steps := make([]recording.Step, 0, max(1, len(done)))
	one := func() *recording.Step {
		steps = append(steps, recording.Step{N: e.Number, Time: e.Time, Verb: e.Verb, OK: true})
		return &steps[len(steps)-1]
	}
	for i, d := range done {
		st := one()
		st.Ref, st.Op, st.Value = d.Ref, d.Op, d.Value
		if driver.IsRef(st.Ref) {
			st.Ref = string(d.Effect.Ref)
		}
		st.Who, st.Effect = d.Effect.Who, effectOf(&d.Effect)
		if st.Who != nil && st.Who.Secret {
			st.Effect.From, st.Effect.To = nil, nil
			if st.Value != "" && !named(st.Value) {
				st.Value = mask
				if i < len(s.recorder.names) {
					st.Param = s.recorder.names[i]
				}
			}
		}
		if st.Op == "drag" && d.Effect.Onto != nil {
			st.Value = dropTarget(st.Value, d.Effect.Onto)
		}
		s.recorder.enter(st)
	}
	if !e.OK || len(done) == 0 {
		st := one()
		st.Value, st.OK, st.Code, st.Error = clip(input, longestInput), e.OK, string(e.Code), e.Error
	}
	last := &steps[len(steps)-1]
	last.Took = e.Took.Milliseconds()
	if e.Verb != "look" {
		before := b.before
		if e.Verb == "go" { // all that is there came with it, whatever page was there before
			before = nil
		}
		last.Page = pageOf(before, s.looks.last(), e.URL, s.recorder.entered)
		if last.Op == "drag" && last.OK {
			last.Effect.Place = placeOf(done[len(done)-1].Effect.Name, linesOf(before), linesOf(s.looks.last()))
		}
	}
	for _, st := range steps {
		cleanResult(s.out, &st)
		s.recorder.clean(&st)
		s.recorder.ring.Add(st)
	}
}

// dropTarget is where something was dropped, by what is known of it beyond the life of the page:
// a ref is another thing the next time.
func dropTarget(value string, who *recording.Identity) string {
	value = strings.TrimSpace(value)
	n := 0
	for n < len(value) && value[n] != ' ' && value[n] != '@' {
		n++
	}
	query := ""
	for _, w := range who.Ways {
		query = cmp.Or(query, w.Query)
	}
	if !driver.IsRef(value[:n]) || len(who.Frame) > 0 || query == "" {
		return value
	}
	return query + value[n:]
}

const longestInput = 64 << 10

// clean takes what was typed unseen out of what a page made of it. What was typed
// into other fields stays: it is the same word by chance, and shown anyway.
func (r *recorder) clean(st *recording.Step) {
	if r.hidden == nil {
		return
	}
	if st.Effect != nil {
		*st.Effect = outlet.Clean(r.hidden, *st.Effect)
	}
	if st.Page != nil {
		*st.Page = outlet.Clean(r.told, *st.Page)
		st.Page.URL = r.hidden.Text(st.Page.URL)
	}
	st.Error = r.hidden.Text(st.Error)
}

func effectOf(e *driver.Effect) *recording.Effect {
	r := &recording.Effect{Navigated: e.Navigated, URL: e.URL, Already: e.Already != "", Tabs: e.Tabs, Changed: e.Seen()}
	if e.Value != nil {
		from, to := clip(e.Value.From, 2000), clip(e.Value.To, 2000)
		r.From, r.To = &from, &to
	}
	if e.Dialog != nil {
		r.Dialog = &recording.Dialog{Type: string(e.Dialog.Type), Message: e.Dialog.Message}
	}
	for _, d := range e.Downloads {
		r.Downloads = append(r.Downloads, d.Name)
	}
	for _, q := range e.Requests {
		if recording.Writing(q.Method) || q.Type == "XHR" || q.Type == "Fetch" {
			r.Requests = append(r.Requests, recording.Request{Method: q.Method, URL: clip(q.URL, 2000), Status: q.Status, Type: q.Type})
		}
		if len(r.Requests) == mostWrites {
			break
		}
	}
	return r
}

// How much of what came and went is kept of one verb, and of pages of what size.
const (
	mostLines   = 40
	mostCompare = 20000
)

// pageOf is where a verb led to, and what came and went: the first of it, and what
// has something in it that was entered.
func pageOf(before, after *aria.Tree, url string, entered []string) *recording.Page {
	p := &recording.Page{URL: url}
	if after == nil || after == before {
		return p
	}
	p.Title = after.Title
	if len(after.Nodes) > mostCompare || before != nil && len(before.Nodes) > mostCompare {
		return p
	}
	was, is := linesOf(before), linesOf(after)
	if slices.Equal(was, is) { // as when something is typed
		return p
	}
	count, still := make(map[recording.Line]int, len(was)), make(map[recording.Line]bool, len(is))
	for _, l := range was {
		count[l]++
	}
	for _, l := range is {
		still[l] = true
		if count[l]--; count[l] < 0 && (len(p.Appeared) < mostLines || len(p.Appeared) < 2*mostLines && hasAny(l.Name, entered)) {
			p.Appeared = append(p.Appeared, l)
		}
	}
	// What is nowhere any more comes first: it says more than one of several that went.
	was = slices.DeleteFunc(was, func(l recording.Line) bool { return count[l] <= 0 })
	slices.SortStableFunc(was, func(a, b recording.Line) int { return rank(still[a]) - rank(still[b]) })
	for _, l := range was {
		if count[l] > 0 && (len(p.Gone) < mostLines || len(p.Gone) < 2*mostLines && hasAny(l.Name, entered)) {
			count[l]--
			p.Gone = append(p.Gone, l)
		}
	}
	return p
}

// namedByText are roles whose names are texts of the page.
var namedByText = map[string]bool{
	"heading": true, "text": true, "paragraph": true, "listitem": true, "cell": true, "link": true, "button": true, "draggable": true, "clickable": true, "treeitem": true, "option": true,
}

// placeOf finds what something was dragged past: the nearest to it now that it stood on the
// other side of before. What there are several of tells no place; nil is for none.
func placeOf(name string, before, after []recording.Line) *recording.Place {
	where := func(lines []recording.Line) map[string]int {
		at := map[string]int{}
		for i, l := range lines {
			if _, twice := at[l.Name]; twice && i > 0 && lines[i-1].Name != l.Name {
				i = -1
			}
			if at[l.Name] >= 0 && !l.Frame {
				at[l.Name] = i
			}
		}
		return at
	}
	was, is := where(before), where(after)
	from, okay := was[name]
	to, still := is[name]
	if name == "" || !okay || !still || from < 0 || to < 0 {
		return nil
	}
	var best *recording.Place
	far := 0
	for now, l := range after {
		other := l.Name
		then, known := was[other]
		if !known || then < 0 || is[other] < 0 || !namedByText[l.Role] || (then < from) == (now < to) || strings.Contains(other, name) || strings.Contains(name, other) {
			continue
		}
		if d := max(now-to, to-now); best == nil || d < far {
			best, far = &recording.Place{What: name, By: other, After: now < to}, d
		}
	}
	return best
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

// hasAny says whether a text has one of some others in it.
func hasAny(text string, others []string) bool {
	return slices.ContainsFunc(others, func(o string) bool { return strings.Contains(text, o) })
}

// linesOf is what a page says, in order. What is named by no text of it, as an icon is, is
// left out: no script could look for that again.
func linesOf(t *aria.Tree) []recording.Line {
	if t == nil {
		return nil
	}
	list := make([]recording.Line, 0, len(t.Nodes))
	inside := -1 // how deep the frame is that is being read
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Depth <= inside {
			inside = -1
		}
		if n.Role == "iframe" && inside < 0 {
			inside = n.Depth
		} else if n.Name != "" && len(n.Name) <= 200 && n.State&aria.Unwritten == 0 {
			list = append(list, recording.Line{Role: n.Role, Name: n.Name, Frame: inside >= 0})
		}
	}
	return list
}
