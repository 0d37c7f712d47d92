package rove

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/outlet"
	"rove/internal/policy"
)

// A rule such as go@bank.example is about coming to a site, whatever leads there: a
// link, a form, a key, back, a script, an answer that sends on. Which page it is shows
// when the page is asked for, and then nobody can be asked any more without holding
// the browser up. So the tab stays where it is, the person is asked, and whoever agrees
// is taken there.

// entries are what a session decides about pages that its tabs come to.
type entries struct {
	confirm policy.Confirm

	mu     sync.Mutex
	agreed map[string]bool // origins that were agreed to, for the step at work
	kept   *backend.Entry  // the last page that a tab was kept from, in it
	came   chan struct{}   // closed when there is one
}

// newEntries is nil where there is no rule about coming to a site.
func newEntries(rules policy.Confirm) *entries {
	if !rules.Guards() {
		return nil
	}
	return &entries{confirm: rules, agreed: map[string]bool{}, came: make(chan struct{})}
}

// decider is for backend.ContextOptions.Enters.
func (e *entries) decider() func(backend.Entry) error {
	if e == nil {
		return nil
	}
	return e.decide
}

func (e *entries) decide(to backend.Entry) error {
	origin := policy.Origin(to.To)
	rule := e.confirm.Enters(to.To)
	if rule == "" || policy.Origin(to.From) == origin {
		return nil // within a site one may go as one likes
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.agreed[origin] {
		return nil
	}
	e.kept = &to
	close(e.came)
	e.came = make(chan struct{})
	without, _ := outlet.Login(to.To)
	return &policy.Refusal{
		URL: origin, Reason: fmt.Sprintf("it leads to %s, and somebody has to agree to that (--confirm %s); the page stays as it was", clip(without, 200), rule),
		Hint: "go there by its address, which asks",
	}
}

// begin is the begin of a step: nothing is agreed to yet.
func (e *entries) begin() {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.agreed, e.kept = map[string]bool{}, nil
}

// agree lets the step at work come to the site of an address.
func (e *entries) agree(url string) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.agreed[policy.Origin(url)] = true
}

// take is the page that the step was kept from, if there is one.
func (e *entries) take() *backend.Entry {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	kept := e.kept
	e.kept = nil
	return kept
}

// tabPatience is how long the page of a tab that has just opened may take to be asked for.
const tabPatience = 300 * time.Millisecond

// awaitEntry waits for a page that a tab is kept from which has just opened.
func (e *entries) awaitEntry(ctx context.Context) *backend.Entry {
	ctx, cancel := context.WithTimeout(ctx, tabPatience)
	defer cancel()
	for {
		e.mu.Lock()
		came := e.came
		e.mu.Unlock()
		if to := e.take(); to != nil {
			return to
		}
		select {
		case <-came:
		case <-ctx.Done():
			return e.take()
		}
	}
}

// askEntry asks about a page that a step leads to.
func (s *Session) askEntry(ctx context.Context, st Step, to *backend.Entry) error {
	if to.Method != http.MethodGet && to.Method != http.MethodHead {
		return &Error{
			Code: CodePolicy, Op: st.Op + " " + st.Ref,
			Message: fmt.Sprintf("it sends a form to %s, and somebody has to agree to that (--confirm %s); nothing was sent", policy.Origin(to.To), s.browser.confirm.Enters(to.To)),
			Hint:    "nobody can be asked about a form that is on its way to another site: go there by its address, which asks",
		}
	}
	q := Question{Op: st.Op, Target: st.Ref, Value: st.Value, Leads: to.To, Rule: s.browser.confirm.Enters(to.To)}
	q.at(s.driver.Tab().URL(), s.driver.Tab().URL())
	if err := s.ask(ctx, q); err != nil {
		return err
	}
	s.entries.agree(to.To)
	return nil
}

// maxEntries bounds how often one step leads on to yet another site.
const maxEntries = 5

// followEntries goes on with a step that was kept from a page, if somebody agrees to it. again
// does the step once more.
func (s *Session) followEntries(ctx context.Context, st Step, did *driver.Effect, err error, again func() (*driver.Effect, error)) (*driver.Effect, error) {
	for range maxEntries {
		to := s.entries.take()
		if to == nil && s.entries != nil && did != nil && len(did.Tabs) > 0 {
			to = s.entries.awaitEntry(ctx)
		}
		if to == nil {
			break
		}
		if err := s.askEntry(ctx, st, to); err != nil {
			return did, err
		}
		first := did
		switch {
		case st.Op == "back" || st.Op == "forward":
			did, err = again()
		case to.Popup && st.Op != "tab":
			did, err = s.tabStep(ctx, "new "+to.To)
		default:
			did, err = s.visit(ctx, s.driver.Tab(), to.To)
		}
		if did != nil && first != nil {
			did.Ref, did.Role, did.Name = first.Ref, first.Role, first.Name
		}
	}
	return did, err
}
