package rove

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/aria"
	"rove/driver"
	"rove/driver/backend"
)

// Step is one operation on an element, or on the page (ref "_page").
type Step struct {
	Ref   string `json:"ref"`             // a ref such as e3, a locator such as #save, or _page
	Op    string `json:"op"`              // click, input, select, …
	Value string `json:"value,omitempty"` // what to type, choose, set
}

// String is the step as a model would write it.
func (st Step) String() string {
	text := st.Op + " " + st.Ref
	if st.Value != "" {
		text += fmt.Sprintf(" %q", st.Value)
	}
	return text
}

// Receipt is what one step did.
type Receipt struct {
	Step
	Effect driver.Effect `json:"effect"`
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
	LookResult

	hung bool // the page does not answer
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
	for i, st := range steps {
		if st.Op == "" || st.Ref == "" {
			return nil, driver.Invalid("act", "step %d needs a ref and an op, such as e3 click", i+1)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	start := time.Now()
	r, err := s.act(ctx, steps)
	s.secrets.view(&r.LookResult)
	s.secrets.each(&r.Hint)
	var inputs []string
	for _, st := range steps {
		inputs = append(inputs, st.String())
	}
	s.record(start, "act", strings.Join(inputs, "; "), r.text, r.Done, err)
	return r, err
}

// act does the work; the session's turn is held.
func (s *Session) act(ctx context.Context, steps []Step) (*ActResult, error) {
	r := &ActResult{OK: true}
	before := s.looks.last()
	var failure error
	for i, st := range steps {
		effect, err := s.step(ctx, st, i < len(steps)-1)
		if err != nil {
			failure = s.held(s.explain(st, err))
			r.OK = false
			r.Failed = failureOf(st, failure)
			break
		}
		r.Done = append(r.Done, Receipt{st, *effect})
		r.Changed = r.Changed || effect.Seen()
		if effect.Picture != nil {
			r.Screenshot = effect.Picture
		}
		if effect.Dialog != nil && i < len(steps)-1 {
			next := steps[i+1]
			if next.Ref == "_page" && next.Op == "dialog" {
				continue
			}
			failure = &Error{
				Code: CodeDialog, Op: next.String(), Message: fmt.Sprintf("not done: the page shows a %s: %q", effect.Dialog.Type, effect.Dialog.Message),
				Hint: "answer it first: act _page dialog accept | dismiss",
			}
			r.OK, r.Failed = false, failureOf(next, failure)
			break
		}
	}
	for _, d := range r.Done {
		r.hung = r.hung || d.Effect.Hung
	}
	r.hung = r.hung || driver.IsBusy(failure)
	s.show(ctx, r, before)
	if failure != nil && s.PictureOnFailure && r.Screenshot == nil && r.Dialog == nil {
		// Without one the failure is told all the same.
		r.Screenshot, _ = s.driver.Tab().Screenshot(ctx, backend.ScreenshotOptions{})
	}
	return r, failure
}

// step does one thing, with the secrets that it names. more is true when another
// follows.
func (s *Session) step(ctx context.Context, st Step, more bool) (*driver.Effect, error) {
	st, err := s.reveal(st)
	if err != nil {
		return nil, s.secrets.failure(err)
	}
	effect, err := s.perform(ctx, st, more)
	s.secrets.effect(effect)
	if err == nil && effect.Refused != "" {
		err = &Error{Code: CodePolicy, Op: st.Op + " " + st.Ref, Message: effect.Refused}
	}
	return effect, s.secrets.failure(err)
}

func (s *Session) perform(ctx context.Context, st Step, more bool) (*driver.Effect, error) {
	if st.Op == "assert" {
		return s.assert(ctx, st)
	}
	if st.Ref == "_page" {
		return s.pageStep(ctx, st)
	}
	tab, _, err := s.present(ctx)
	if err != nil {
		return nil, err
	}
	return tab.Act(ctx, driver.Action{
		Target: st.Ref, Op: st.Op, Value: st.Value, Quick: more, Expect: s.looks.expected(st.Ref),
	})
}

func failureOf(st Step, err error) *Failure {
	f := &Failure{Step: st, Code: CodeOf(err), Message: err.Error()}
	var e *Error
	if errors.As(err, &e) {
		f.Message, f.Hint = e.Message, e.Hint
	}
	return f
}

// explain says of a stale ref what it was, and which element is like it now.
func (s *Session) explain(st Step, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeStale {
		return err
	}
	if !errors.Is(err, aria.ErrStale) { // it is there, but something else
		s.looks.warned(st.Ref)
		return err
	}
	was := s.looks.find(aria.Ref(st.Ref))
	if was == nil {
		return err
	}
	told := *e
	told.Message = fmt.Sprintf("%s is stale: %s is gone from the page", st.Ref, sketchOf(was))
	told.Hint = "look to see what is there now"
	if now := s.looks.like(was); now != "" {
		told.Hint = fmt.Sprintf("the same is now %s", now)
	}
	return &told
}

func sketchOf(n *aria.Node) string {
	if n.Name == "" {
		return n.Role
	}
	return fmt.Sprintf("%s %q", n.Role, n.Name)
}

// show adds what the page looks like now: what changed on the same page, or the
// first view of another.
func (s *Session) show(ctx context.Context, r *ActResult, before *aria.Tree) {
	var head strings.Builder
	navigated := false
	for _, d := range r.Done {
		navigated = navigated || d.Effect.Navigated
	}
	head.WriteString(receipts(r.Done))
	if r.Failed != nil {
		fmt.Fprintf(&head, "failed %s: %s", oneLine(r.Failed.Step.String()), oneLine(r.Failed.Message))
		if r.Failed.Hint != "" {
			head.WriteString("; " + oneLine(r.Failed.Hint))
		}
		fmt.Fprintf(&head, " [%s]\n", r.Failed.Code)
	}
	defer func() { r.text = strings.TrimRight(r.text, "\n") }()

	tab, note, err := s.present(ctx)
	if err != nil {
		r.text = head.String() + "the page cannot be read now: " + err.Error()
		return
	}
	if note != "" {
		navigated = true
		head.WriteString(note)
	}
	if d := tab.Dialog(); d != nil {
		view := s.blocked(tab, d)
		_, rest, _ := strings.Cut(view.text, "\n")
		view.text = head.String() + rest
		r.LookResult = withPicture(*view, r.Screenshot)
		return
	}
	if r.hung {
		r.URL, r.Tabs, r.text = tab.URL(), s.tabs(), head.String()
		if r.OK {
			r.text += hung
		}
		return
	}
	bound, cancel := s.patient(ctx)
	tree, err := tab.Snapshot(bound, driver.SnapshotOptions{})
	cancel()
	s.secrets.tree(tree)
	if err != nil {
		r.text = head.String() + "the page cannot be read now: " + s.held(err).Error()
		return
	}
	view := LookResult{
		Look: s.looks.keep(tree, true), URL: tree.URL, Title: tree.Title, Screenshot: r.Screenshot,
		Actions: Actions{tree}, Unreadable: tree.Unreadable, Tabs: s.tabs(),
	}
	budget := max(100, ViewBudget-Tokens(head.String()))
	if navigated || before == nil {
		seen := s.looks.named(budget)
		can := aria.Can(tree, seen)
		fit := aria.Fit(tree, max(1, budget-Tokens(can)), aria.Options{})
		view.Tree, view.Folded = fit.Text, fit.Left
		view.text = head.String() + fit.Text + can + s.tabsLine(view.Tabs)
		r.Changed = r.Changed || navigated
	} else {
		delta := aria.Diff(told(before, tree, r.Done), tree)
		view.Tree = delta.Render(budget)
		r.Changed = r.Changed || !delta.Empty()
		r.Hint = hint(delta, r.Done)
		text := head.String()
		if r.OK && delta.Empty() && len(r.Done) == 1 && !r.Done[0].Effect.Seen() && reactive[r.Done[0].Op] {
			text = strings.TrimRight(text, "\n") + ": no effect seen\n"
		}
		view.text = text + view.Tree
		if r.Hint != "" {
			view.text += "hint: " + r.Hint + "\n"
		}
		view.text += s.tabsLine(view.Tabs)
	}
	r.LookResult = view
}

func withPicture(l LookResult, picture []byte) LookResult {
	l.Screenshot = picture
	return l
}

// reactive are operations that one expects something of.
var reactive = map[string]bool{
	"click": true, "dblclick": true, "rightclick": true, "press": true, "input": true, "type": true, "clear": true,
	"select": true, "set": true, "drag": true, "check": true, "uncheck": true, "hover": true, "scroll": true,
}

// told is an earlier tree with the values that receipts tell of put in, so that
// they are not told again as changes.
func told(before, after *aria.Tree, done []Receipt) *aria.Tree {
	values := map[aria.Ref]bool{}
	for _, d := range done {
		if d.Effect.Value != nil && d.Op != "scroll" {
			values[d.Effect.Ref] = true
		}
	}
	if len(values) == 0 {
		return before
	}
	now := map[aria.Ref]*aria.Node{}
	for i := range after.Nodes {
		if n := &after.Nodes[i]; values[n.Ref] {
			now[n.Ref] = n
		}
	}
	const said = aria.Checked | aria.Mixed | aria.Selected | aria.Pressed | aria.Expanded | aria.Collapsed | aria.HasValue | aria.Masked
	tree := *before
	tree.Nodes = slices.Clone(before.Nodes)
	for i := range tree.Nodes {
		if n := now[tree.Nodes[i].Ref]; n != nil {
			tree.Nodes[i].Value = n.Value
			tree.Nodes[i].State = tree.Nodes[i].State&^said | n.State&said
		}
	}
	return &tree
}

// receipts writes what was done. Of several steps those that went as asked share
// a line, and so do the requests they sent: what they did to the page is told by
// what changed.
func receipts(done []Receipt) string {
	var b strings.Builder
	var plain []string
	var requests []driver.Request
	last := ""
	flush := func() {
		if len(plain) == 0 {
			return
		}
		b.WriteString("ok " + strings.Join(plain, " "))
		if list := notable(requests); list != "" {
			fmt.Fprintf(&b, " (%s)", list)
		}
		b.WriteByte('\n')
		plain, requests, last = nil, nil, ""
	}
	for _, d := range done {
		if len(done) == 1 || !d.asAsked() {
			flush()
			b.WriteString(receipt(d))
			b.WriteByte('\n')
			continue
		}
		if d.Op != last {
			plain = append(plain, d.Op)
			last = d.Op
		}
		plain = append(plain, string(d.Effect.Ref))
		requests = append(requests, d.Effect.Requests...)
	}
	flush()
	return b.String()
}

// asAsked is true of a step whose effect goes without saying.
func (d Receipt) asAsked() bool {
	e := &d.Effect
	if e.Ref == "" || e.Navigated || e.URL != "" || e.Text != nil || e.Dialog != nil || e.Chooser != nil || e.Closed || e.Crashed || e.Hung || e.Busy ||
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

// receipt is one step's effect on a line.
func receipt(d Receipt) string {
	var b strings.Builder
	e := &d.Effect
	b.WriteString("ok " + d.Op)
	ref := string(e.Ref)
	if ref == "" {
		ref = d.Ref
	}
	if d.Ref != "_page" {
		b.WriteString(" " + ref)
		if e.Name != "" {
			fmt.Fprintf(&b, " %q", clip(e.Name, 60))
		}
	} else if d.Value != "" {
		b.WriteString(" " + clip(d.Value, 40))
	}
	switch {
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
	if e.URL != "" {
		b.WriteString(" → " + aria.Plain(clip(e.URL, 300)))
	}
	if e.Dialog != nil {
		fmt.Fprintf(&b, " → %s dialog", e.Dialog.Type)
	}
	if e.Chooser != nil {
		b.WriteString(" → file chooser; act _page upload PATH")
	}
	if len(e.Tabs) > 0 {
		b.WriteString(" → new tab")
	}
	if e.Closed {
		b.WriteString(" → the tab closed")
	}
	if e.Crashed {
		b.WriteString(" → the page crashed")
	}
	for _, d := range e.Downloads {
		b.WriteString(" → " + downloaded(d))
	}
	if list := notable(e.Requests); list != "" {
		fmt.Fprintf(&b, " (%s)", list)
	}
	if e.Busy {
		b.WriteString(" (still loading)")
	}
	if left := leftBehind(e.Ended); left != "" {
		b.WriteString(" (" + left + ")")
	}
	for _, c := range e.Console {
		fmt.Fprintf(&b, "\nconsole error: %s", aria.Plain(clip(c, 160)))
	}
	return b.String()
}

// notable lists the requests worth a word: what was sent, asked of a server by a
// script, or failed. Pictures and scripts that a page loads are not.
func notable(requests []driver.Request) string {
	var list []string
	times := map[string]int{}
	more := 0
	for _, q := range requests {
		api := q.Type == "XHR" || q.Type == "Fetch" || q.Method != "GET"
		bad := q.Status >= 400 || q.Failure != "" && q.Failure != "net::ERR_ABORTED"
		if !api && !bad {
			continue
		}
		text := q.Method + " " + pathOf(q.URL)
		switch {
		case q.Status > 0:
			text += fmt.Sprintf(" %d", q.Status)
		case q.Failure != "":
			text += " " + strings.TrimPrefix(q.Failure, "net::")
		case q.Open:
			text += " open"
		}
		if times[text]++; times[text] > 1 {
			continue
		}
		if len(list) == 4 {
			more++
			continue
		}
		list = append(list, text)
	}
	for i, text := range list {
		if n := times[text]; n > 1 {
			list[i] = fmt.Sprintf("%s ×%d", text, n)
		}
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}

func pathOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Path == "" {
		return aria.Plain(clip(raw, 60))
	}
	return clip(u.EscapedPath(), 60) // decoded it could have lines of its own
}

func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
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
			return "the page says: " + clip(strings.TrimPrefix(e.Text, "alert "), 120)
		}
	}
	return ""
}

// pageStep does what concerns the page as a whole.
func (s *Session) pageStep(ctx context.Context, st Step) (*driver.Effect, error) {
	tab, _, err := s.present(ctx)
	if err != nil {
		return nil, err
	}
	switch st.Op {
	case "back":
		return tab.History(ctx, -1)
	case "forward":
		return tab.History(ctx, 1)
	case "refresh":
		return tab.Reload(ctx)
	case "press":
		return tab.Press(ctx, st.Value)
	case "scroll":
		return tab.Scroll(ctx, st.Value)
	case "screenshot":
		img, err := tab.Screenshot(ctx, backend.ScreenshotOptions{FullPage: st.Value == "full"})
		return &driver.Effect{Picture: img}, err
	case "dialog":
		return s.answer(ctx, tab, st.Value)
	case "tab":
		return s.tabStep(ctx, st.Value)
	case "pdf":
		pdf, err := tab.PDF(ctx, backend.PDFOptions{Background: true})
		if err != nil {
			return nil, err
		}
		return s.save("page.pdf", pdf)
	case "upload":
		return tab.Upload(ctx, st.Value)
	case "viewport":
		v, err := ParseViewport(st.Value)
		if err != nil {
			return nil, err
		}
		return tab.SetViewport(ctx, v)
	case "history":
		text := s.historyText(20)
		return &driver.Effect{Text: &text}, nil
	case "undo":
		return s.undo(ctx)
	}
	return nil, driver.Invalid(st.String(), "the page has no operation %q; it has %s", st.Op, strings.Join(aria.PageActions, ", "))
}

// ParseViewport reads a size such as 1280x720.
func ParseViewport(s string) (Viewport, error) {
	w, h, _ := strings.Cut(strings.ToLower(strings.TrimSpace(s)), "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if err1 != nil || err2 != nil || width < 1 || height < 1 {
		return Viewport{}, driver.Invalid("viewport", "%q is not a size; write it as WIDTHxHEIGHT, such as 1280x720", s)
	}
	return Viewport{Width: width, Height: height}, nil
}

func (s *Session) answer(ctx context.Context, tab *driver.Tab, value string) (*driver.Effect, error) {
	switch value {
	case "", "accept", "ok", "yes":
		return tab.Answer(ctx, true, "")
	case "dismiss", "cancel", "no":
		return tab.Answer(ctx, false, "")
	}
	return tab.Answer(ctx, true, value)
}

// tabStep opens, switches to or closes a tab: "new", "new URL", "2", "close".
func (s *Session) tabStep(ctx context.Context, value string) (*driver.Effect, error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(value), " ")
	switch word {
	case "new":
		tab, err := s.driver.NewTab(ctx)
		if err != nil {
			return nil, err
		}
		e := &driver.Effect{Navigated: true, URL: tab.URL()}
		if rest = strings.TrimSpace(rest); rest != "" {
			if _, err := tab.Navigate(ctx, rest, driver.NavigateOptions{}); err != nil {
				return nil, err
			}
			e.URL = tab.URL()
		}
		return e, nil
	case "close":
		if err := s.driver.CloseTab(ctx); err != nil {
			return nil, err
		}
		return &driver.Effect{Navigated: true, URL: s.driver.Tab().URL()}, nil
	case "switch":
		word = strings.TrimSpace(rest)
	}
	tab, err := s.driver.SwitchTab(word)
	if err != nil {
		return nil, err
	}
	return &driver.Effect{Navigated: true, URL: tab.URL()}, nil
}

// undo goes back over the last navigation, or gives a field the value it had.
func (s *Session) undo(ctx context.Context) (*driver.Effect, error) {
	all := s.History()
	for i := len(all) - 1; i >= 0; i-- {
		e := all[i]
		if e.Verb == "go" && e.OK {
			return s.driver.Tab().History(ctx, -1)
		}
		for j := len(e.Steps) - 1; j >= 0; j-- {
			d := e.Steps[j]
			switch {
			case d.Op == "undo":
				return nil, driver.Invalid("undo", "the last undo is as far as it goes back; what was before it stays")
			case d.Effect.Navigated:
				return s.driver.Tab().History(ctx, -1)
			case d.Effect.Value != nil && strings.Contains(d.Effect.Value.From, mask):
				return nil, driver.Invalid("undo", "%s cannot be undone: what was there before is a secret", d.Step)
			case d.Effect.Value != nil && (d.Op == "input" || d.Op == "type" || d.Op == "clear" || d.Op == "set" || d.Op == "select"):
				op := "input"
				if d.Op == "set" || d.Op == "select" {
					op = d.Op
				}
				return s.driver.Tab().Act(ctx, driver.Action{Target: string(d.Effect.Ref), Op: op, Value: d.Effect.Value.From})
			case d.Op == "check" || d.Op == "uncheck":
				op := map[string]string{"check": "uncheck", "uncheck": "check"}[d.Op]
				return s.driver.Tab().Act(ctx, driver.Action{Target: string(d.Effect.Ref), Op: op})
			case d.Effect.Seen() && reactive[d.Op]:
				return nil, driver.Invalid("undo", "%s cannot be undone", d.Step)
			}
		}
	}
	return nil, driver.Invalid("undo", "there is nothing to undo")
}
