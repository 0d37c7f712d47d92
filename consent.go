package rove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rove/aria"
	"rove/driver"
	"rove/driver/advice"
	"rove/internal/outlet"
	"rove/internal/policy"
)

// What a session may do at all is said by Options.Caps; what a person has to
// agree to each time by Options.Confirm. Both hold for every verb, whatever door
// it came through.
//
// An operation is asked about before it is done; what it sets off, when that is
// about to happen. For whatever presses the two are one: what lies at the point is
// what is asked about, by whichever name it was found.

type asking struct{}

// WithConfirm has ask decide on what needs consent in the calls made with the
// context. It may take its time: the session waits. Without it, what needs consent
// is refused.
func WithConfirm(ctx context.Context, ask func(context.Context, Question) (bool, error)) context.Context {
	return context.WithValue(ctx, asking{}, ask)
}

// checkCapability refuses what is switched off by Options.Caps.
func (s *Session) checkCapability(capability string) error {
	return refusedBy(capability, s.browser.caps.Check(capability))
}

// agreement is what an operation was found to be about when it was asked about: this
// very element, as it was then.
type agreement struct {
	Ref aria.Ref // "" where it is none, or nobody had to know
	driver.Expected

	rule  string   // that somebody was asked for; "" if nobody was
	node  int      // the element itself
	about aria.Ref // the element that the question named
	url   string   // of the document
	all   bool     // the question was about whatever comes of it
}

// presses are the operations that press something: what lies there is asked about
// when they do.
var presses = []string{"click", "dblclick", "rightclick", "check", "uncheck", "drag"}

// askConsent asks about an operation, if Options.Confirm has it: on an element, by a
// ref or locator, or on the page ("" or "_page"). For go the target is the address.
func (s *Session) askConsent(ctx context.Context, op, target, value string) (*agreement, error) {
	rules := s.browser.confirm
	if len(rules) == 0 {
		return nil, nil
	}
	tab := s.driver.Tab()
	o := policy.Operation{Op: op, Known: true, URL: tab.URL()}
	q := Question{Op: op, Target: target, Value: value}
	agreed := &agreement{}
	if op == "go" {
		q.Target, _ = outlet.Login(target)
	}
	script := policy.Operation{Op: "eval", Known: true, URL: o.URL}
	onPage := target == "" || target == "_page"
	dialog := tab.Dialog()
	if op == "dialog" && dialog != nil {
		// To accept one is to press what it offers, under what it says.
		o.Name, o.Sets = dialog.Message, !dismisses(value)
		q.What = fmt.Sprintf("%s %q", dialog.Type, s.out.Text(dialog.Message))
	}
	switch {
	case isScript(target) && rules.Asks(script) != "":
		o = script // to find the element is to run it: one question has both
		agreed.all = true
	case op == "go":
		var err error
		if o.URL, err = driver.URL(target); err != nil {
			return nil, err
		}
	case op == "eval":
		q.Target = ""
	case !onPage && slices.Contains(presses, op) || !rules.Concerns(o):
		return nil, nil
	case op == "upload" && onPage:
		// Nobody says which frame wants the files.
		for _, f := range tab.FrameURLs() {
			if at := o; rules.Asks(o) == "" {
				at.URL = f
				o = at
			}
		}
	case op == "dialog":
		if dialog != nil && dialog.URL != "" {
			o.URL = dialog.URL
		}
	case !onPage || op == "press":
		r, err := s.subject(ctx, tab, target, onPage)
		if o.Known = err == nil; o.Known {
			o.Name, o.URL = r.Name, r.URL
			agreed.Ref, agreed.node, agreed.Expected = r.Ref, r.Node, driver.Expected{Role: r.Role, Name: r.Name}
			q.What = fmt.Sprintf("%s %q", r.Role, s.out.Text(r.Name))
		} else if url, err := tab.FrameURL(target); err == nil && !onPage {
			o.URL = url
		}
	}
	agreed.url, agreed.about = o.URL, agreed.Ref
	if onPage {
		agreed.Ref = ""
	}
	if q.Rule = rules.Asks(o); q.Rule == "" {
		return agreed, nil
	}
	if n := s.looks.find(aria.Ref(target)); n != nil && q.What == "" {
		q.What = sketchOf(n)
	}
	if op != "go" {
		q.at(o.URL, tab.URL())
	}
	agreed.rule = q.Rule
	if err := s.ask(ctx, q); err != nil {
		return agreed, err
	}
	if op == "go" {
		s.entries.agree(o.URL)
	}
	return agreed, nil
}

// subject is what an operation is about: an element, or what has the focus.
func (s *Session) subject(ctx context.Context, tab *driver.Tab, target string, focus bool) (*driver.Reading, error) {
	if focus {
		return tab.Focused(ctx)
	}
	return tab.Read(ctx, target)
}

// stepAsked is what a Touch belongs to.
type stepAsked struct {
	Step
	agreed *agreement
}

type stepKey struct{}

// alreadyAsked says whether the question about the step was about this as well: it named
// the element, or what is chosen, or was asked for the same rule.
func (st *stepAsked) alreadyAsked(t driver.Trigger, n driver.ElementInfo, rule string) bool {
	if st.agreed == nil || st.agreed.rule == "" || st.agreed.url != t.URL {
		return false
	}
	return n.Ref != "" && n.Ref == st.agreed.about || t.Op == "select" || t.Op == "refresh" || t.Op == "upload" && rule == st.agreed.rule
}

// withStep notes in a context what was asked about a step before it is done.
func withStep(ctx context.Context, st Step, agreed *agreement) context.Context {
	return context.WithValue(ctx, stepKey{}, &stepAsked{st, agreed})
}

// touch asks about what is about to be set off. It is the driver that knows.
func (s *Session) touch(ctx context.Context, t driver.Trigger) (asked bool, err error) {
	st, _ := ctx.Value(stepKey{}).(*stepAsked)
	if st == nil {
		st = &stepAsked{Step: Step{Ref: t.Target, Op: t.Op, Value: t.Value}}
	}
	if st.agreed != nil && st.agreed.all {
		return false, nil
	}
	o := policy.Operation{Op: t.Op, Known: true, URL: t.URL, Sets: t.Op != "upload" && len(t.Nodes) > 0}
	o.Asked = st.agreed != nil && st.agreed.url == t.URL && t.Op == st.Op
	nodes := t.Nodes
	if len(nodes) == 0 {
		nodes = []driver.ElementInfo{{}}
	}
	for _, n := range nodes {
		o.Name, o.Words, o.Known = n.Name, n.Words, !n.More
		rule := s.browser.confirm.Asks(o)
		if rule == "" || st.alreadyAsked(t, n, rule) {
			continue
		}
		q := Question{Op: st.Op, Target: st.Ref, Value: st.Value, Rule: rule, Sets: t.Keys}
		if t.Op == "upload" {
			q.Op = t.Op
		}
		if n.Role != "" {
			q.What = fmt.Sprintf("%s %q", n.Role, s.out.Text(n.Name))
			if o.Words = ""; s.browser.confirm.Asks(o) != rule { // it goes by what it shows
				q.What += fmt.Sprintf(" that shows %q", s.out.Text(strings.ReplaceAll(n.Words, "\n", ", ")))
			}
		}
		q.at(t.URL, s.driver.Tab().URL())
		return true, s.ask(ctx, q)
	}
	return false, nil
}

// ask puts a question to whoever is there. What is not agreed to is an error.
func (s *Session) ask(ctx context.Context, q Question) error {
	refusal := &Error{Code: CodePolicy, Op: strings.TrimSpace(q.Op + " " + q.Target)}
	ask, ok := ctx.Value(asking{}).(func(context.Context, Question) (bool, error))
	if !ok {
		refusal.Message = "somebody has to agree to this, and there is nobody to ask here"
		return refusal.Advise(advice.AskNobody, q.Rule)
	}
	yes, err := ask(ctx, outlet.Clean(s.out, q))
	var known *Error
	switch {
	case errors.As(err, &known):
		return err
	case err != nil:
		refusal.Message, refusal.Err = "somebody has to agree to this, and could not be asked: "+err.Error(), err
		return refusal.Advise(advice.AskNobody, q.Rule)
	case !yes:
		refusal.Message, refusal.Hint = "the user did not agree to this; nothing was done", "do not try it another way; ask what to do instead"
		return refusal
	}
	return nil
}

// consent is Consent for a step, after what it needs was found switched on.
func (s *Session) consent(ctx context.Context, st Step) (*agreement, error) {
	if needs := stepNeeds[st.Op]; needs != "" {
		if err := s.checkCapability(needs); err != nil {
			return nil, err
		}
	}
	if isScript(st.Ref) {
		if err := s.checkCapability("eval"); err != nil {
			return nil, err
		}
	}
	if url, ok := strings.CutPrefix(strings.TrimSpace(st.Value), "new "); ok && st.Ref == "_page" && st.Op == "tab" {
		if s.browser.confirm.Asks(policy.Operation{Op: "tab", Known: true, URL: s.driver.Tab().URL()}) == "" {
			return s.askConsent(ctx, "go", strings.TrimSpace(url), "")
		}
	}
	if st.Ref == "_page" && st.Op == "emulate" && decidesOffline(st.Value) {
		if err := s.checkCapability("network"); err != nil {
			return nil, err
		}
		if s.browser.confirm.Asks(policy.Operation{Op: "emulate", Known: true, URL: s.driver.Tab().URL()}) == "" {
			return s.askConsent(ctx, "offline", "", st.Value)
		}
	}
	if st.Ref == "_page" {
		switch st.Op {
		case "go":
			return s.askConsent(ctx, "go", st.Value, "")
		case "look", "wait": // nobody is asked about a look
			return nil, nil
		}
	}
	return s.askConsent(ctx, st.Op, st.Ref, st.Value)
}

// decidesOffline says whether settings to emulate say that there is a network, or none.
func decidesOffline(settings string) bool {
	with, _ := EmulateOptions{}.Change(settings)
	without, _ := EmulateOptions{Offline: true}.Change(settings)
	return with.Offline == without.Offline
}

// isScript says whether a locator is found by running it.
func isScript(locator string) bool {
	l := strings.TrimSpace(locator)
	return strings.HasPrefix(l, "(") && !strings.HasPrefix(l, "(//")
}

var stepNeeds = map[string]string{"upload": "upload", "pdf": "pdf", "screenshot": "screenshot"}

// script refuses scripts that are switched off, and asks about them.
func (s *Session) script(ctx context.Context, js string) error {
	if err := s.checkCapability("eval"); err != nil {
		return err
	}
	_, err := s.askConsent(ctx, "eval", "", js)
	return err
}

func refusedBy(op string, err error) error {
	var r *policy.Refusal
	if !errors.As(err, &r) {
		return err
	}
	return &Error{Code: CodePolicy, Op: op, Message: r.Reason, Hint: r.Hint, Err: err}
}

// ConfirmOperations are what Options.Confirm can name.
func ConfirmOperations() []string {
	ops := append(driver.Operations(), aria.PageActions...)
	ops = append(ops, "go", "eval", "offline", "worker")
	slices.Sort(ops)
	return slices.DeleteFunc(slices.Compact(ops), func(op string) bool { return op == "look" || op == "wait" })
}

// rules reads what a session may do from its options.
func (o *Options) rules() (policy.Caps, policy.Confirm, error) {
	caps, err := policy.ParseCaps(o.Caps)
	if err != nil {
		return caps, nil, driver.Invalid("launch", "%v", err)
	}
	confirm, err := policy.ParseConfirm(o.Confirm, ConfirmOperations())
	if err != nil {
		return caps, nil, driver.Invalid("launch", "%v", err)
	}
	return caps, confirm, nil
}
