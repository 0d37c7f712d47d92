package rove

import (
	"context"
	"fmt"
	"time"

	"rove/driver"
)

// GoResult is what came of opening a page: where it ended, and its first view.
type GoResult struct {
	OK       bool      `json:"ok"`
	Status   int       `json:"status,omitempty"`   // HTTP status, where there is one
	Download *Download `json:"download,omitempty"` // the URL gave a file, not a page
	LookResult
}

// Text is what a model reads.
func (r *GoResult) Text() string {
	switch {
	case r.Download != nil:
		return fmt.Sprintf("%s; the page stays as it was\n%s", downloaded(*r.Download), r.text)
	case r.Status >= 400:
		return fmt.Sprintf("HTTP %d\n%s", r.Status, r.text)
	}
	return r.text
}

// Go opens a URL as a person would type it, waits for the page and shows it
// within ViewBudget tokens. A page that answers with an HTTP error is shown all
// the same; one that cannot be reached is an error that says why.
func (s *Session) Go(ctx context.Context, url string) (*GoResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	start := time.Now()
	r, err := s.goTo(ctx, url)
	text := ""
	if r != nil {
		text = r.Text()
	}
	s.record(start, "go", url, text, nil, err)
	return r, err
}

func (s *Session) goTo(ctx context.Context, url string) (*GoResult, error) {
	tab := s.driver.Tab()
	nav, err := tab.Navigate(ctx, url, driver.NavigateOptions{})
	if err != nil && tab.Dialog() == nil {
		return nil, err
	}
	r := &GoResult{OK: true}
	budget := ViewBudget
	if nav != nil {
		r.Status, r.Download = nav.Status, nav.File
	}
	if r.Status >= 400 || r.Download != nil {
		budget -= statusCost
	}
	view, err := s.look(ctx, LookOptions{}, wanted{budget: budget, whole: true})
	if err != nil {
		return nil, err
	}
	r.LookResult = *view
	return r, nil
}

// Download is a file that a page gave.
type Download = driver.Download

// downloaded says where a file is.
func downloaded(d Download) string {
	switch {
	case d.Failed:
		return fmt.Sprintf("download %q failed", d.Name)
	case d.Open:
		return fmt.Sprintf("download %q is on its way; wait download", d.Name)
	}
	return fmt.Sprintf("download %s (%d bytes, %s)", d.Path, d.Size, d.Type)
}

// statusCost is what a status line or a download's costs at most, in tokens.
const statusCost = 60
