package rove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rove/aria"
	"rove/driver"
	"rove/internal/outlet"
	"rove/internal/policy"
)

// What a session may do at all is said by Options.Caps; what a person has to
// agree to each time by Options.Confirm. Both hold for every verb, whatever door
// it came through.

// Question is what a person is asked before something is done.
type Question struct {
	Op     string // click, upload, go, eval, …
	Target string // a ref or locator, an address; "" for the page
	What   string // the element, such as button "Buy now"; "" where it is not known
	Value  string // what is typed, chosen, uploaded or run; secrets by their names
	URL    string // of the page
	Rule   string // of Options.Confirm, that asks for it
}

// String is the question on one line.
func (q Question) String() string {
	text := q.Op
	for _, part := range []string{q.Target, q.What} {
		if part != "" {
			text += " " + oneLine(clip(part, 200))
		}
	}
	if q.Value != "" {
		text += fmt.Sprintf(" %q", clip(q.Value, 200))
	}
	if q.URL != "" && q.Op != "go" {
		text += " on " + oneLine(clip(q.URL, 200))
	}
	return text
}

type asking struct{}

// WithConfirm has ask decide on what needs consent in the calls made with the
// context. It may take its time: the session waits. Without it, what needs consent
// is refused.
func WithConfirm(ctx context.Context, ask func(context.Context, Question) (bool, error)) context.Context {
	return context.WithValue(ctx, asking{}, ask)
}

// May refuses what is switched off by Options.Caps.
func (s *Session) May(capability string) error {
	return refusedBy(capability, s.browser.caps.Check(capability))
}

// Consent asks about an operation, if Options.Confirm has it: on an element, by a
// ref or locator, or on the page ("" or "_page"). For go the target is the address.
// The expectation is what the element was seen to be when somebody agreed.
func (s *Session) Consent(ctx context.Context, op, target, value string) (*driver.Expected, error) {
	rules := s.browser.confirm
	if len(rules) == 0 {
		return nil, nil
	}
	tab := s.driver.Tab()
	o := policy.Operation{Op: op, Value: value, Known: true, URL: tab.URL()}
	q := Question{Op: op, Target: target, Value: value, URL: o.URL}
	if op == "go" {
		q.Target, _ = outlet.Login(target)
	}
	var seen *driver.Expected
	script := policy.Operation{Op: "eval", Known: true, URL: o.URL}
	switch {
	case isScript(target) && rules.Asks(script) != "":
		o = script // to find the element is to run it: one question has both
	case op == "go":
		var err error
		if o.URL, err = driver.URL(target); err != nil {
			return nil, err
		}
	case op == "eval":
		q.Target = ""
	case rules.Named(o):
		if target == "" || target == "_page" {
			target = ":focus" // what keys go to
		}
		if url, err := tab.FrameURL(target); err == nil {
			o.URL = url
		}
		r, err := tab.Read(ctx, target)
		if o.Known = err == nil; o.Known {
			o.Name, seen = r.Name, &driver.Expected{Role: r.Role, Name: r.Name}
			q.What = fmt.Sprintf("%s %q", r.Role, s.out.Text(r.Name))
		}
	}
	if q.Rule = rules.Asks(o); q.Rule == "" {
		return seen, nil
	}
	if n := s.looks.find(aria.Ref(target)); n != nil && q.What == "" {
		q.What = sketchOf(n)
	}
	refusal := &Error{Code: CodePolicy, Op: op + " " + q.Target}
	ask, ok := ctx.Value(asking{}).(func(context.Context, Question) (bool, error))
	if !ok {
		refusal.Message = "somebody has to agree to this, and there is nobody to ask here"
		refusal.Hint = fmt.Sprintf("do without it, or have rove started without --confirm %s", q.Rule)
		return nil, refusal
	}
	yes, err := ask(ctx, outlet.Clean(s.out, q))
	var known *Error
	switch {
	case errors.As(err, &known):
		return nil, err
	case err != nil:
		refusal.Message, refusal.Err = "somebody has to agree to this, and could not be asked: "+err.Error(), err
		refusal.Hint = fmt.Sprintf("do without it, or have rove started without --confirm %s", q.Rule)
		return nil, refusal
	case !yes:
		refusal.Message, refusal.Hint = "the user did not agree to this; nothing was done", "do not try it another way; ask what to do instead"
		return nil, refusal
	}
	return seen, nil
}

// consent is Consent for a step, after what it needs was found switched on. What
// was agreed to is what the element has to be still.
func (s *Session) consent(ctx context.Context, st Step) (*driver.Expected, error) {
	if needs := stepNeeds[st.Op]; needs != "" {
		if err := s.May(needs); err != nil {
			return nil, err
		}
	}
	if isScript(st.Ref) {
		if err := s.May("eval"); err != nil {
			return nil, err
		}
	}
	if url, ok := strings.CutPrefix(strings.TrimSpace(st.Value), "new "); ok && st.Ref == "_page" && st.Op == "tab" {
		if s.browser.confirm.Asks(policy.Operation{Op: "tab", Known: true, URL: s.driver.Tab().URL()}) == "" {
			return s.Consent(ctx, "go", strings.TrimSpace(url), "")
		}
	}
	if st.Ref == "_page" {
		switch st.Op {
		case "go":
			return s.Consent(ctx, "go", st.Value, "")
		case "look", "wait": // nobody is asked about a look
			return nil, nil
		}
	}
	return s.Consent(ctx, st.Op, st.Ref, st.Value)
}

// isScript says whether a locator is found by running it.
func isScript(locator string) bool {
	l := strings.TrimSpace(locator)
	return strings.HasPrefix(l, "(") && !strings.HasPrefix(l, "(//")
}

var stepNeeds = map[string]string{"upload": "upload", "pdf": "pdf", "screenshot": "screenshot"}

// script refuses scripts that are switched off, and asks about them.
func (s *Session) script(ctx context.Context, js string) error {
	if err := s.May("eval"); err != nil {
		return err
	}
	_, err := s.Consent(ctx, "eval", "", js)
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
