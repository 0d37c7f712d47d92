// Package derive makes scripts of recordings: what counts of what was done, what
// must be so after each step, and one text for each format. It is pure: nothing is
// run, and the same recording gives the same script.
package derive

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"rove/internal/outlet"
	"rove/recording"
)

// Options shape a flow.
type Options struct {
	Name     string
	From, To int // the verbs that count, by their numbers; 0 is the first, or the last
}

// Flow makes a flow of a recording. One without a step that does anything is an
// error that says so.
func Flow(rec *recording.Recording, opts Options) (*recording.Flow, error) {
	part := rec.Cut(opts.From, opts.To)
	f := &recording.Flow{FlowHeader: recording.FlowHeader{Rove: "flow", Version: recording.Version, Name: opts.Name, Size: rec.Size}}
	if rec.Lost > 0 && opts.From == 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("the first %d steps of the session were not remembered any more", rec.Lost))
	}
	d := &deriver{flow: f, graphQL: map[string]bool{}}
	for _, q := range part.Requests {
		if q.Asks != "" {
			d.graphQL[q.Path()] = true
		}
	}
	for _, s := range part.Steps {
		d.take(s)
	}
	d.belated(part)
	if len(f.Steps) == 0 {
		return nil, errors.New("nothing was done that could be done again: go to a page and act on it first")
	}
	if f.Steps[0].Op != "go" {
		if err := d.begin(rec, part); err != nil {
			return nil, err
		}
	}
	d.shorten()
	d.rebase()
	d.assert(part)
	d.signedIn()
	d.params()
	return f, nil
}

// deriver makes a flow.
type deriver struct {
	flow *recording.Flow
	from []recording.Step // what each step of the flow was made of
	// graphQL are the paths that take operations of GraphQL, whether they write or read.
	graphQL map[string]bool
}

// reads are operations that change nothing.
var reads = map[string]bool{"text": true, "attribute": true, "screenshot": true, "look": true, "history": true, "pdf": true, "mark": true, "viewport": true}

// take adds a step of the recording, if it counts.
func (d *deriver) take(s recording.Step) {
	if !s.OK {
		return // a try that failed
	}
	do := recording.Do{N: s.N, Op: s.Op, Who: s.Who, Value: s.Value}
	e := s.Effect
	if e == nil {
		e = &recording.Effect{}
	}
	switch s.Verb {
	case "go":
		do.Op, do.Value = "go", s.Value
		if s.Page != nil && s.Page.URL != "" {
			do.Value = wanted(s.Value, s.Page.URL)
		}
	case "act":
		if s.Op == "assert" {
			d.pointed(s)
			return
		}
		if reads[s.Op] || s.Op == "wait" {
			return
		}
		if s.Op == "go" && e.URL != "" {
			do.Value = wanted(s.Value, e.URL)
		}
		if s.Op == "undo" {
			d.undo()
			return
		}
		if e.Already && (s.Op == "check" || s.Op == "uncheck" || s.Op == "select") {
			return
		}
		if (s.Op == "hover" || s.Op == "scroll" || s.Op == "focus") && idle(&s) {
			return
		}
		do.Empty = e.From != nil && *e.From == "" || s.Who != nil && s.Who.Secret
		if s.Op == "select" && s.Who != nil && s.Who.Tag == "select" && e.To != nil && *e.To != "" && !strings.Contains(*e.To, ", ") {
			do.Value = *e.To // as it is shown, however it was named
		}
		do.Leads, do.Asks = e.Navigated, e.Dialog != nil
		do.Drops = s.Op == "upload" && s.Who != nil && !s.Who.TakesFiles() && e.To != nil
		do.Opens = s.Op == "click" && s.Page != nil && slices.ContainsFunc(s.Page.Appeared, func(l recording.Line) bool {
			return l.Role == "menu" || l.Role == "menuitem" || l.Role == "listbox" || l.Role == "option"
		})
		for _, q := range e.Requests {
			d.saves(&do, q)
		}
		if s.Ref == "_page" && s.Op == "press" && s.Who == nil {
			// Keys go to what has the focus: the field that was just typed into.
			for i := len(d.flow.Steps) - 1; i >= 0 && d.flow.Steps[i].Who != nil; i-- {
				if typing[d.flow.Steps[i].Op] {
					do.Who = d.flow.Steps[i].Who
					break
				}
			}
		}
		if s.Ref != "_page" && do.Who == nil {
			d.flow.Notes = append(d.flow.Notes, fmt.Sprintf("%s %s was left out: what it was done to is not known", s.Op, s.Ref))
			return
		}
	case "eval":
		if s.Page == nil || len(s.Page.Appeared)+len(s.Page.Gone) == 0 {
			return // it only read
		}
		do.Op = "script"
	default:
		return // looks and waits: what was waited for is a check, or comes by itself
	}
	d.flow.Steps, d.from = append(d.flow.Steps, do), append(d.from, s)
}

// idle says that nothing came of a step. What a style shows while the mouse is over something
// is no change of the page, but is there when it is looked at again; a hover that its verb went
// on from was for what came next.
func idle(s *recording.Step) bool {
	if s.Effect != nil && s.Effect.Changed {
		return false
	}
	if s.Page == nil {
		return s.Op != "hover"
	}
	return len(s.Page.Appeared)+len(s.Page.Gone) == 0
}

// pointed makes a check of what somebody said must be there, after the step before.
func (d *deriver) pointed(s recording.Step) {
	text := strings.TrimSpace(s.Value)
	if s.Ref != "person" {
		property, rest, _ := strings.Cut(text, " ")
		if property != "text" {
			return
		}
		text = rest
	}
	if n := len(d.flow.Steps); n > 0 && text != "" && len(text) <= 200 && !strings.Contains(text, "\n") {
		d.flow.Steps[n-1].Checks = append(d.flow.Steps[n-1].Checks, recording.Check{Kind: "text", Text: text, Role: "text", Query: textQuery("text", text), Frame: s.Who != nil && len(s.Who.Frame) > 0})
	}
}

var typing = map[string]bool{"input": true, "type": true, "clear": true, "press": true, "click": true, "focus": true}

// wanted is the address that was asked for, in full: as it was typed it may have no
// scheme, and where it led to is another matter.
func wanted(typed, came string) string {
	u, err := url.Parse(came)
	if err != nil {
		return typed
	}
	if t, err := url.Parse(typed); err == nil && t.Host != "" && (t.Scheme == "http" || t.Scheme == "https" || t.Scheme == "file") {
		return typed
	}
	if rest, ok := strings.CutPrefix(typed, u.Host); ok && (rest == "" || rest[0] == '/' || rest[0] == '?') {
		if rest == "" || rest[0] == '?' {
			rest = "/" + rest
		}
		return u.Scheme + "://" + u.Host + rest
	}
	return came
}

// saves has a step know of a request that wrote something, and went well. Several to the
// same place are one; what is sent elsewhere beside the first is not of the application.
// What follows on a form that led to a page is that page's own, as a dashboard's news.
func (d *deriver) saves(do *recording.Do, q recording.Request) {
	if q.Asks != "" && !recording.Mutates(q.Asks) || q.Asks == "" && d.graphQL[q.Path()] {
		return // what it asks for is known of the traffic
	}
	if !recording.Writing(q.Method) || q.Status < 200 || q.Status >= 400 || strings.EqualFold(q.Type, "ping") {
		return
	}
	if do.Saves == nil {
		do.Saves = &q
		return
	}
	if strings.EqualFold(do.Saves.Type, "document") {
		return
	}
	if originOf(q.URL) == originOf(do.Saves.URL) && !slices.ContainsFunc(do.Writes(), func(o recording.Request) bool { return o.Same(&q) }) {
		do.Also = append(do.Also, q)
	}
}

// belated has steps that saved know of what was sent later because of their verb: pages
// save some things after a while.
func (d *deriver) belated(part *recording.Recording) {
	last := map[int]*recording.Do{}
	for i := range d.flow.Steps {
		do := &d.flow.Steps[i]
		asked := d.from[i].Effect != nil && slices.ContainsFunc(d.from[i].Effect.Requests, func(q recording.Request) bool { return d.graphQL[q.Path()] })
		if do.Saves != nil || asked {
			last[do.N] = do
		}
	}
	for _, q := range part.Requests {
		do := last[q.N]
		if do == nil || slices.ContainsFunc(d.flow.Steps, func(o recording.Do) bool {
			return o.N == q.N && slices.ContainsFunc(o.Writes(), func(w recording.Request) bool { return w.Same(&q) })
		}) {
			continue
		}
		q.N = 0
		d.saves(do, q)
	}
}

// signedIn leaves a login what it is: what an application sends by itself once somebody is
// signed in is no part of that.
func (d *deriver) signedIn() {
	for i := range d.flow.Steps {
		if do := &d.flow.Steps[i]; d.flow.SignsIn(i) && slices.ContainsFunc(do.Checks, func(c recording.Check) bool { return c.Kind == "url" }) {
			do.Also = nil
		}
	}
}

func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// begin puts the page that it began on in front.
func (d *deriver) begin(rec, part *recording.Recording) error {
	at := ""
	for _, s := range rec.Steps {
		if len(part.Steps) > 0 && s.N >= part.Steps[0].N {
			break
		}
		if s.Page != nil && s.Page.URL != "" {
			at = s.Page.URL
		}
	}
	if at == "" || at == "about:blank" {
		return errors.New("it is not known on which page it began: begin with the verb that opened it (--from)")
	}
	first := recording.Do{Op: "go", Value: at}
	d.flow.Steps = append([]recording.Do{first}, d.flow.Steps...)
	d.from = append([]recording.Step{{Verb: "go", OK: true, Value: at}}, d.from...)
	return nil
}

// undo takes back the last step that an undo would.
func (d *deriver) undo() {
	for i := len(d.flow.Steps) - 1; i >= 0; i-- {
		do := d.flow.Steps[i]
		if typing[do.Op] && do.Op != "click" || do.Op == "select" || do.Op == "set" || do.Op == "check" || do.Op == "uncheck" || do.Leads || do.Op == "go" {
			d.drop(i)
			return
		}
	}
}

func (d *deriver) drop(i int) {
	d.flow.Steps = append(d.flow.Steps[:i], d.flow.Steps[i+1:]...)
	d.from = append(d.from[:i], d.from[i+1:]...)
}

// shorten leaves out what has no effect in the end: what was typed over, a page
// that was left at once, a box that was ticked and unticked.
func (d *deriver) shorten() {
	for i := 0; i+1 < len(d.flow.Steps); {
		a, b := &d.flow.Steps[i], &d.flow.Steps[i+1]
		same := a.Who != nil && b.Who != nil && sameElement(a.Who, b.Who)
		quiet := a.Saves == nil && !a.Leads && !a.Asks
		switch {
		case a.Op == "go" && b.Op == "go":
			d.drop(i)
		case same && quiet && (a.Op == "input" || a.Op == "type" || a.Op == "clear") && b.Op == "input",
			same && quiet && a.Op == "select" && b.Op == "select" && a.Who.Tag == "select",
			same && quiet && a.Op == "set" && b.Op == "set":
			b.Empty = a.Empty
			d.drop(i)
			if b = &d.flow.Steps[i]; b.Op == "input" && b.Value == "" && b.Empty && b.Saves == nil && !b.Leads {
				d.drop(i) // it is as empty as it was
				i = max(i-1, 0)
			}
		case same && quiet && (a.Op == "input" || a.Op == "type") && b.Op == "type" && !hides(a.Value) && !hides(b.Value):
			b.Op, b.Value, b.Empty = a.Op, a.Value+b.Value, a.Empty
			d.drop(i)
		case same && quiet && b.Saves == nil && !b.Leads && (a.Op == "check" && b.Op == "uncheck" || a.Op == "uncheck" && b.Op == "check"):
			d.drop(i)
			d.drop(i)
			i = max(i-1, 0)
		case (a.Op == "focus" || a.Op == "click" && a.Who != nil && fields[a.Who.Role] && quiet) && same && (b.Op == "input" || b.Op == "type"):
			d.drop(i) // typing takes the focus by itself
		case a.Op == "click" && a.Who != nil && quiet && b.Op == "upload" && b.Who == nil:
			b.Who = a.Who // whose press opened the chooser
			d.drop(i)
		case a.Leads && a.Saves == nil && b.Op == "back" && a.Op == "click":
			d.drop(i)
			d.drop(i)
			i = max(i-1, 0)
		default:
			i++
		}
	}
}

var fields = map[string]bool{"textbox": true, "searchbox": true, "spinbutton": true}

func hides(value string) bool {
	return strings.Contains(value, outlet.Mask) || strings.Contains(value, "{{secret:")
}

func sameElement(a, b *recording.Identity) bool {
	if a.Role != b.Role || a.Name != b.Name || a.Near != b.Near || len(a.Frame) != len(b.Frame) || len(a.Ways) == 0 || len(b.Ways) == 0 {
		return false
	}
	return a.Ways[len(a.Ways)-1] == b.Ways[len(b.Ways)-1]
}

// rebase takes the origin out of addresses: it is a parameter.
func (d *deriver) rebase() {
	f := d.flow
	for _, do := range f.Steps {
		if u, err := url.Parse(do.Value); do.Op == "go" && err == nil && u.Host != "" {
			f.Base = u.Scheme + "://" + u.Host
			break
		}
	}
	for i := range f.Steps {
		if do := &f.Steps[i]; do.Op == "go" {
			do.Value = d.within(do.Value)
		}
	}
}

// within is an address without the origin of the flow.
func (d *deriver) within(address string) string {
	if rest, ok := strings.CutPrefix(address, d.flow.Base); ok && d.flow.Base != "" && (rest == "" || rest[0] == '/' || rest[0] == '?' || rest[0] == '#') {
		if rest == "" || rest[0] != '/' {
			rest = "/" + rest
		}
		return rest
	}
	return address
}
