package rove

import (
	"context"
	"fmt"
	"strings"

	"rove/aria"
	"rove/driver"
)

// GoResult is what came of opening a page: where it ended, and its first view.
type GoResult struct {
	OK       bool      `json:"ok"`
	Status   int       `json:"status,omitempty"`   // HTTP status, where there is one
	Download *Download `json:"download,omitempty"` // the URL gave a file, not a page
	// Left is what had to be ended to leave the page before: a dialog, a script
	// without end.
	Left []string `json:"left,omitempty"`
	LookResult

	// Unanswered are addresses that the page's scripts had asked for and the server had
	// said nothing to.
	Unanswered []string `json:"unanswered,omitempty"`

	awaits []string // what it was still loading
}

// Text is what a model reads.
func (r *GoResult) Text() string { return r.head() + r.text }

// head is what is said before the page itself.
func (r *GoResult) head() string {
	var b strings.Builder
	if left := endedText(r.Left); left != "" {
		b.WriteString(left + "\n")
	}
	switch {
	case r.Download != nil:
		b.WriteString(downloaded(*r.Download, nil) + "; the page stays as it was\n")
	case r.Status >= 400:
		fmt.Fprintf(&b, "HTTP %d\n", r.Status)
	case r.Loading && len(r.awaits) > 0:
		b.WriteString("still loading: " + r.someOf(r.awaits))
	case len(r.Unanswered) > 0:
		b.WriteString("not answered yet: " + r.someOf(r.Unanswered))
	case r.Loading:
		b.WriteString("still loading\n")
	}
	return b.String()
}

// someOf names the first of some addresses, and how many more there are.
func (r *GoResult) someOf(urls []string) string {
	more := ""
	if n := len(urls) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return aria.Plain(clip(within(urls[0], r.URL), 80)) + more + "\n"
}

// Go opens a URL as a person would type it, waits for the page and shows it
// within ViewBudget tokens. A page that answers with an HTTP error is shown all
// the same; one that cannot be reached is an error that says why.
func (s *Session) Go(ctx context.Context, url string) (*GoResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return verb(s, "go", s.opening(url), func() (*GoResult, error) {
		r, err := s.goTo(ctx, url)
		return r, inVerbs(err)
	})
}

// shell says that a view has nothing in it, or a link past what is to come.
func shell(view string) bool {
	view = strings.TrimSpace(view)
	ref, rest, _ := strings.Cut(view, " ")
	return view == "" || driver.IsRef(ref) && strings.HasPrefix(rest, "link ") && !strings.Contains(view, "\n")
}

func (s *Session) goTo(ctx context.Context, url string) (*GoResult, error) {
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return nil, err
	}
	s.entries.begin()
	if _, err := s.askConsent(ctx, "go", url, ""); err != nil {
		return nil, err
	}
	r := &GoResult{OK: true}
	nav, left, err := s.navigateAway(ctx, tab, url)
	for range maxEntries {
		to := s.entries.take()
		if to == nil {
			break
		}
		if err := s.askEntry(ctx, Step{Ref: s.opening(url), Op: "go"}, to); err != nil {
			return nil, err
		}
		nav, left, err = s.navigateAway(ctx, s.driver.Tab(), to.To)
	}
	r.Left = left
	if err != nil && s.driver.Tab().Dialog() == nil {
		return nil, err
	}
	if nav != nil {
		cleanResult(s.out, nav)
		r.Status, r.Download, r.Loading = nav.Status, nav.File, nav.Loading
		r.awaits, r.Unanswered = nav.Awaits, nav.Unanswered
		r.Left = append(r.Left, nav.Left...)
		if nav.File != nil {
			s.reported(*nav.File)
		}
	}
	head := r.head()
	want := lookPlan{budget: ViewBudget - Tokens(head), whole: true, arrival: true, before: s.looks.last()}
	view, err := s.look(ctx, LookOptions{}, want)
	if err == nil && r.Status < 400 && shell(view.Tree) && s.driver.Tab().WaitContent(ctx) {
		view, err = s.look(ctx, LookOptions{}, want)
	}
	if err != nil {
		return nil, err
	}
	if tree := s.looks.last(); tree != nil && !r.Loading && s.driver.Tab().Dialog() == nil {
		if words := tree.AtWork(nil); words != "" {
			r.Loading = !s.worked(ctx, s.driver.Tab(), words)
			if view, err = s.look(ctx, LookOptions{}, want); err != nil {
				return nil, err
			}
		}
	}
	view.Loading = r.Loading
	if line := s.flowsLine(view.URL); line != "" {
		view.text = strings.TrimRight(view.text, "\n") + line
	}
	r.LookResult = *view
	return r, nil
}

// navigateAway leaves the page for another, and its tab where the page cannot be left.
func (s *Session) navigateAway(ctx context.Context, tab *driver.Tab, url string) (nav *driver.Navigation, left []string, err error) {
	opts := driver.NavigateOptions{Leave: true, Patience: loadPatience}
	nav, err = tab.Navigate(ctx, url, opts)
	if !driver.IsBusy(err) {
		return nav, nil, err
	}
	if tab, err = s.driver.Abandon(ctx); err != nil {
		return nil, nil, err
	}
	nav, err = tab.Navigate(ctx, url, opts)
	return nav, []string{"a tab that could not be left, which was closed"}, err
}

// visit goes to a URL as a step of an act.
func (s *Session) visit(ctx context.Context, tab *driver.Tab, url string) (*driver.Effect, error) {
	nav, left, err := s.navigateAway(ctx, tab, url)
	if err != nil && s.driver.Tab().Dialog() == nil {
		return nil, inVerbs(err)
	}
	e := &driver.Effect{Navigated: true, URL: s.driver.Tab().URL(), Ended: left}
	if nav != nil {
		e.Busy, e.Ended = nav.Loading, append(left, nav.Left...)
		if nav.File != nil {
			e.Navigated, e.URL, e.Downloads = false, "", []Download{*nav.File}
		}
	}
	return e, nil
}
