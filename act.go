package rove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"rove/aria"
	"rove/driver"
	"rove/driver/advice"
	"rove/driver/backend"
)

// Step is one operation on an element, or on the page (ref "_page").
type Step struct {
	Ref   string `json:"ref"`             // a ref such as e3, a locator such as #save, or _page
	Op    string `json:"op"`              // click, input, select, …
	Value string `json:"value,omitempty"` // what to type, choose, set

	// First takes the first of several elements that a locator finds, in any
	// frame, and refuses at once where there is none.
	First bool `json:"-"`
	// Wait is for how long First waits for one; Timeout is for how long an element
	// may take to be ready, 3 s unless told.
	Wait, Timeout time.Duration `json:"-"`

	at   *[2]float64 // where in the element, for one that was named by a place
	drop *[2]float64 // where on the page to drag to, where that was a place of a picture
}

// String is the step as a model would write it.
func (st Step) String() string {
	text := st.Op + " " + st.Ref
	if st.Value != "" {
		text += fmt.Sprintf(" %q", clip(st.Value, 200))
	}
	return text
}

// Receipt is what one step did.
type Receipt struct {
	Step
	Effect driver.Effect `json:"effect"`
	// Left is the field of the step before that was left by Tab first, as what it had
	// opened (a calendar, a list) lay over this one.
	Left string `json:"left,omitempty"`

	usual map[string]bool // requests that are not told again
}

// Failure is the step that stopped an act.
type Failure struct {
	Step
	Code    Code   `json:"code"`
	Message string `json:"error"`
	Hint    string `json:"hint,omitempty"`
}

// ActResult is the receipt of one act: what was done and what came of it.
type ActResult struct {
	OK      bool      `json:"ok"`
	Changed bool      `json:"changed"` // something was seen to change
	Done    []Receipt `json:"done"`    // a receipt for each step that was done
	Failed  *Failure  `json:"failed,omitempty"`
	Hint    string    `json:"hint,omitempty"`
	// Error and Code are Failed's, where programs look for them.
	Error string `json:"error,omitempty"`
	Code  Code   `json:"code,omitempty"`
	LookResult

	hung bool  // the page does not answer
	left bool  // the step that failed has led to another page
	lost error // there is no page any more

	between []*aria.Tree // the page between two steps, where it was read

	files   []Download // that came meanwhile
	arrived string     // and what is said of them
}

// Text is what a model reads.
func (r *ActResult) Text() string { return r.text }

// Act performs steps in order and answers with what they did and what changed.
// It stops at the first that fails; the result then has the receipts of those
// before it beside the error.
func (s *Session) Act(ctx context.Context, steps ...Step) (*ActResult, error) {
	if len(steps) == 0 {
		return nil, driver.Invalid("act", "nothing to do: say a ref and an operation, such as e3 click")
	}
	if err := checkSteps(steps); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	start := s.begin()
	address := s.driver.Tab().URL()
	said := make([]Step, len(steps)) // as they may be told
	for i, st := range steps {
		said[i] = s.said(st)
	}
	r, err := s.act(ctx, steps, said)
	if r.Failed != nil {
		r.Error, r.Code = r.Failed.Message, r.Failed.Code
	}
	cleanResult(s.out, r)
	s.recorder.hide(address, steps, r.Done)
	inputs, done := withoutTyped(said, r.Done)
	s.record(start, "act", strings.Join(inputs, "; "), r.text, done, err)
	return r, err
}

// types are the operations whose value is written into a field.
var types = map[string]bool{"input": true, "type": true, "set": true}

// withoutTyped is what was done, without what was typed into fields that hide it, or
// would have been typed had nothing failed.
func withoutTyped(steps []Step, done []Receipt) (inputs []string, kept []Receipt) {
	kept = slices.Clone(done)
	for i, st := range steps {
		if i < len(done) && done[i].Effect.Value != nil && strings.HasPrefix(done[i].Effect.Value.To, mask) && !named(st.Value) {
			st.Value = mask
			kept[i].Value = mask
		}
		if i >= len(done) && st.Value != "" && types[st.Op] && !named(st.Value) {
			st.Value = mask // nobody knows what field it was meant for
		}
		inputs = append(inputs, st.String())
	}
	return inputs, kept
}

// act does the work; the session's turn is held.
func (s *Session) act(ctx context.Context, steps, said []Step) (*ActResult, error) {
	r := &ActResult{OK: true, Done: []Receipt{}}
	before := s.looks.last()
	tabs := s.driver.Tabs()
	s.looks.chose = map[string]bool{}
	var failure error
	for i, st := range steps {
		if tree := s.between(ctx, r.Done, st); tree != nil {
			r.between = append(r.between, tree)
		}
		effect, err := s.step(ctx, st, i < len(steps)-1)
		if CodeOf(err) == CodeStale {
			if i > 0 {
				effect, err = s.awaited(ctx, st, i < len(steps)-1, effect, err)
			}
		}
		if CodeOf(err) == CodeStale {
			effect, err = s.stale(ctx, st, i < len(steps)-1, err)
		}
		left := ""
		if CodeOf(err) == CodeCovered && s.leaveField(ctx, r.Done) {
			left = r.Done[i-1].Ref
			effect, err = s.step(ctx, st, i < len(steps)-1)
		}
		if err != nil {
			failure = s.held(err)
			r.OK = false
			r.Failed = failureOf(ctx, said[i], failure)
			r.left = effect != nil && effect.Navigated
			break
		}
		if effect.Picture != nil {
			r.Screenshot = effect.Picture
			s.pictures.keep(effect.Picture, effect.Shot, s.driver.Tab())
		}
		r.Done = append(r.Done, Receipt{Step: said[i], Effect: *effect, Left: left})
		r.Changed = r.Changed || effect.Seen()
		if st.Op == "select" {
			s.looks.chose[st.Ref] = true
		}
		if effect.Dialog != nil && i < len(steps)-1 {
			next := said[i+1].alone()
			if next.Ref == "_page" && next.Op == "dialog" {
				continue
			}
			failure = (&Error{
				Code: CodeDialog, Op: next.String(), Message: fmt.Sprintf("not done: the page shows a dialog (%s %q)", effect.Dialog.Type, effect.Dialog.Message),
			}).Advise(advice.AnswerAlert)
			r.OK, r.Failed = false, failureOf(ctx, next, failure)
			break
		}
	}
	s.opened(r, tabs)
	for _, d := range r.Done {
		r.hung = r.hung || d.Effect.Hung
	}
	r.hung = r.hung || driver.IsBusy(failure)
	s.show(ctx, r, before)
	if failure != nil && s.failurePictures && s.checkCapability("screenshot") == nil && r.Screenshot == nil && r.Dialog == nil {
		// Without one the failure is told all the same.
		r.Screenshot, _ = s.driver.Tab().Screenshot(ctx, backend.ScreenshotOptions{})
	}
	return r, failure
}

// leaveField leaves the field of the last step by Tab, as people do, where what it has
// opened may lie over what comes next. It is false where the last step was in no field.
func (s *Session) leaveField(ctx context.Context, done []Receipt) bool {
	if len(done) == 0 {
		return false
	}
	last := done[len(done)-1]
	if last.Ref == "_page" || last.Op != "select" && !types[last.Op] || last.Effect.Navigated || last.Left != "" {
		return false
	}
	_, err := s.step(ctx, Step{Ref: last.Ref, Op: "press", Value: "Tab"}, true)
	return err == nil
}

// opened puts tabs that are new into the receipt of the last step, where no step
// has told of any: the news of a tab can come after that of what opened it.
func (s *Session) opened(r *ActResult, before []*driver.Tab) {
	if len(r.Done) == 0 || r.Done[len(r.Done)-1].Op == "tab" {
		return
	}
	for _, d := range r.Done {
		if len(d.Effect.Tabs) > 0 {
			return
		}
	}
	last := &r.Done[len(r.Done)-1].Effect
	for _, t := range s.driver.Tabs() {
		if !slices.Contains(before, t) {
			last.Tabs = append(last.Tabs, s.out.Text(t.URL()))
			r.Changed = true
		}
	}
}

// step does one thing, with the secrets that it names. more is true when another
// follows.
func (s *Session) step(ctx context.Context, st Step, more bool) (*driver.Effect, error) {
	fail := func(err error) (*driver.Effect, error) { return nil, s.failed(err) }
	s.entries.begin()
	var agreed *agreement
	var err error
	script := isScript(st.Ref) // which is asked about before it is run
	if script {
		if agreed, err = s.consent(ctx, st); err != nil {
			return fail(err)
		}
	}
	// Which element it is comes before whether it may have a secret: it may be in
	// a frame of another site.
	matches := 0
	if st, err = s.resolvePlaces(ctx, st); err != nil {
		return fail(err)
	}
	if st.First {
		st.Ref, matches, err = s.first(ctx, st)
	} else {
		st.Ref, err = s.inFrames(ctx, st)
	}
	if err != nil {
		return fail(err)
	}
	named := st // with secrets by their names
	secret := ""
	if st, secret, err = s.withSecrets(st); err != nil {
		return fail(err)
	}
	if !script {
		if agreed, err = s.consent(ctx, named); err != nil {
			return fail(err)
		}
	}
	ctx = withStep(ctx, named, agreed)
	do := func() (*driver.Effect, error) { return s.perform(ctx, st, more, agreed, secret) }
	effect, err := do()
	effect, err = s.followEntries(ctx, named, effect, err, do)
	if effect != nil {
		effect.Matches = matches
	}
	cleanResult(s.out, effect)
	if err == nil && effect.Refused != "" {
		err = &Error{Code: CodePolicy, Op: st.Op + " " + st.Ref, Message: effect.Refused, Hint: driver.PolicyHint}
	}
	if err == nil {
		err = effect.NavigationError(st.Op + " " + st.Ref)
	}
	return effect, s.failed(err)
}

// perform does a step. agreed is what somebody agreed to have it done to; secret is
// the origin of the document that may have the value, where that is a secret.
func (s *Session) perform(ctx context.Context, st Step, more bool, agreed *agreement, secret string) (*driver.Effect, error) {
	if st.Op == "assert" {
		return s.assert(ctx, st)
	}
	if st.Ref == "_page" {
		return s.pageStep(ctx, st)
	}
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return nil, err
	}
	if err := driver.CheckOperation(st.Ref, st.Op, st.Value, aria.PageActions...); err != nil {
		return nil, err
	}
	expect, target, node := s.looks.expected(st.Ref), st.Ref, 0
	if agreed != nil && agreed.Ref != "" {
		expect, target, node = &agreed.Expected, string(agreed.Ref), agreed.node
	}
	return tab.Do(ctx, driver.At(target), driver.Op{
		Node: node, Name: st.Op, Value: st.Value, Origin: secret, Followed: more, Sense: true, Identify: !s.recorder.off, Expect: expect, Timeout: st.Timeout,
		At: st.at, Drop: st.drop,
	})
}

func failureOf(ctx context.Context, st Step, err error) *Failure {
	f := &Failure{Step: st.alone(), Code: CodeOf(err), Message: err.Error()}
	if e, ok := errors.AsType[*Error](err); ok {
		f.Message, f.Hint = e.Message, e.In(advice.From(ctx)).Hint
	}
	return f
}

// show adds what the page looks like now: what changed on the same page, or the
// first view of another.
func (s *Session) show(ctx context.Context, r *ActResult, before *aria.Tree) {
	if closed := s.view(ctx, r, before); closed && ctx.Err() == nil {
		r.lost = nil // there may be another tab
		s.view(ctx, r, before)
	}
	r.text = strings.TrimRight(r.text, "\n")
}

// view does it once. closed says that the tab closed under the look.
func (s *Session) view(ctx context.Context, r *ActResult, before *aria.Tree) (closed bool) {
	navigated := r.left
	for _, d := range r.Done {
		navigated = navigated || d.Effect.Navigated
		s.reported(d.Effect.Downloads...)
	}
	from := ""
	if before != nil {
		from = before.URL
	}
	tab, note, err := s.currentTab(ctx)
	if n := len(r.Done); note != "" && n > 0 && r.Failed == nil {
		r.Done[n-1].Effect.Closed = true // later than it was waited for
	}
	s.looks.asUsual(r.Done)
	head := receipts(r.Done, from, "", advice.From(ctx)) + failure(r.Failed)
	if err != nil {
		r.lost = err
		r.text = head + "the page cannot be read now: " + inWords(ctx, err)
		return false
	}
	if note != "" {
		navigated = true
	}
	files, arrived := s.arrived()
	r.files, r.arrived = append(r.files, files...), r.arrived+arrived
	note += r.arrived
	defer func() { r.Downloads = r.files }()
	asked := func() bool {
		d := tab.Dialog()
		if d == nil {
			return false
		}
		view := s.blocked(ctx, tab, d)
		_, rest, _ := strings.Cut(view.text, "\n")
		view.text = head + note + rest
		r.LookResult = withPicture(*view, r.Screenshot)
		return true
	}
	if asked() {
		return false
	}
	if r.hung {
		r.URL, r.Tabs, r.text = tab.URL(), s.tabs(), head+note
		if r.OK {
			r.text += hung + advice.From(ctx).Say(advice.StopPage)
		}
		return false
	}
	bound, cancel := s.boundedWait(ctx)
	tree, err := tab.Snapshot(bound, driver.SnapshotOptions{})
	cleanTree(s.out, tree)
	if err == nil {
		if words := tree.AtWork(before); words != "" && len(r.Done) > 0 {
			if !s.worked(ctx, tab, words) {
				note += "still at work: " + aria.Quote(words) + "\n"
			}
			if later, failed := tab.Snapshot(bound, driver.SnapshotOptions{Again: true}); failed == nil {
				tree = later
				cleanTree(s.out, tree)
			}
		}
	}
	cancel()
	if err != nil && asked() { // it opened under the look
		return false
	}
	if err != nil {
		if closed = CodeOf(err) == CodeClosed; closed {
			r.lost = err
		}
		r.text = head + note + "the page cannot be read now: " + inWords(ctx, s.held(err))
		return closed
	}
	view := LookResult{
		Look: s.looks.keep(tree, true), URL: tree.URL, Title: tree.Title, Screenshot: r.Screenshot,
		Actions: Actions{tree}, Unreadable: tree.Unreadable, Tabs: s.tabs(),
	}
	looked := len(r.Done) > 0 && r.Done[len(r.Done)-1].Ref == "_page" && r.Done[len(r.Done)-1].Op == "look"
	base := before
	again := false
	if navigated && !looked {
		if was := s.looks.again(before, tree); was != nil {
			base, again = was, true
		}
	}
	if navigated && !again || looked || before == nil {
		o, budget := aria.Options{Brief: true, Before: before}, ViewBudget
		if looked {
			o, budget = aria.Options{}, LookBudget
		} else if n := len(r.Done); n > 0 {
			budget = ArrivalBudget
			if r.Done[n-1].Effect.URL == tree.URL {
				// The receipt says where this is.
				head, o.Bare = receipts(r.Done, from, tree.Title, advice.From(ctx))+failure(r.Failed), true
			}
		}
		head += note
		budget = max(100, budget-Tokens(head))
		can := s.looks.can(tree, budget, o)
		fit := aria.Fit(tree, max(1, budget-Tokens(can(""))), o)
		if fit.Left > 0 && budget < SmallPage {
			// A page that is small enough is shown whole: whoever has to look again pays more.
			if whole := aria.Fit(tree, SmallPage, o); whole.Left == 0 {
				fit = whole
			} else if fit.Asked >= formFields {
				// So is a form: what there is to fill in, and to press.
				for more := budget + formStep; fit.Fields > 0 && more <= FormBudget; more += formStep {
					fit = aria.Fit(tree, more, o)
				}
			}
		}
		view.Tree, view.Folded = fit.Text, fit.Left
		view.text = head + fit.Text + can(fit.Text) + s.tabsLine(view.Tabs)
		r.Changed = r.Changed || navigated
	} else {
		head += note
		delta := s.looks.delta(base, tree, r.Done)
		delta.Changed = append(append(unlined(before, tree, r.Done), passed(before, r.between, tree, r.Done)...), delta.Changed...)
		if again {
			head += cameAgain(delta, before.URL, tree.URL)
		}
		view.Tree = delta.Render(max(100, ViewBudget-Tokens(head)))
		r.Changed = r.Changed || navigated || !delta.Empty()
		r.Hint = hint(delta, r.Done)
		if r.OK && delta.Empty() && len(r.Done) == 1 {
			if word := r.Done[0].noEffectNote(); word != "" {
				line, rest, _ := strings.Cut(head, "\n")
				head = line + ": " + word + "\n" + rest
			}
		} else if r.OK && delta.Empty() && noVisibleEffect(r.Done) {
			head += nothingShown + "\n"
		} else if r.OK && delta.Empty() && len(r.Done) > 1 {
			// The steps before it may well have done something, and said so.
			if last := r.Done[len(r.Done)-1]; !last.idle() && last.noEffectNote() != "" {
				head += fmt.Sprintf("%s %s: %s\n", last.Op, last.Effect.Ref, last.noEffectNote())
			}
		}
		view.text = head + view.Tree
		if r.Hint != "" {
			view.text += "hint: " + r.Hint + "\n"
		}
		view.text += s.tabsLine(view.Tabs)
	}
	r.LookResult = view
	return false
}

// failure is the line of the step that stopped an act.
func failure(f *Failure) string {
	if f == nil {
		return ""
	}
	text := fmt.Sprintf("failed %s: %s", oneLine(f.Step.String()), oneLine(f.Message))
	if f.Hint != "" {
		text += "; " + oneLine(f.Hint)
	}
	return fmt.Sprintf("%s [%s]\n", text, f.Code)
}

func withPicture(l LookResult, picture []byte) LookResult {
	l.Screenshot = picture
	return l
}
