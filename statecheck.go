package rove

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rove/aria"
	"rove/driver"
	"rove/driver/advice"
	"rove/internal/savedstate"
	"rove/internal/wire"
)

// checkPage bounds the look at one page.
const checkPage = 20 * time.Second

// mostChecked is how many pages a state notes.
const mostChecked = 5

// askToSave asks whether what keeps a person logged in may go to a file.
func (s *Session) askToSave(ctx context.Context, path string) error {
	err := s.ask(ctx, Question{Op: "session save", Target: path, Value: "cookies and storage of the sites this session has been to, with which anybody is logged in as you", Rule: "state"})
	if e, ok := err.(*Error); ok && e.Advice() == advice.AskNobody {
		e.Advise(advice.SayYes)
	}
	return err
}

// statePages are the pages that the session's tabs show.
func (s *Session) statePages(ctx context.Context) ([]savedstate.Page, error) {
	var list []savedstate.Page
	for _, t := range s.driver.Tabs() {
		if driver.Origin(t.URL()) == "" || len(list) == mostChecked {
			continue
		}
		p, err := pageNow(ctx, t)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// pageNow is what tells a page from the one that asks who is there.
func pageNow(ctx context.Context, t *driver.Tab) (savedstate.Page, error) {
	text, err := t.Script(ctx, `({ title: document.title, asking: !!document.querySelector('input[type=password]') })`)
	if err != nil {
		return savedstate.Page{}, err
	}
	p := savedstate.Page{URL: t.URL()}
	return p, wire.Unmarshal([]byte(text), &p)
}

// LoginCheck is whether a loaded state still keeps a person logged in at a page.
type LoginCheck struct {
	URL string `json:"url"`
	// Verified: the page is as it was when it was saved, and another one without the
	// state. Lost: it is as it is without the state. Neither: there is no telling.
	Verified bool   `json:"verified"`
	Lost     bool   `json:"lost,omitempty"`
	Why      string `json:"why"`
}

// String is the check on one line.
func (c LoginCheck) String() string {
	word := "not verified"
	switch {
	case c.Verified:
		word = "still logged in"
	case c.Lost:
		word = "NOT logged in"
	}
	return fmt.Sprintf("%s at %s: %s", word, aria.Plain(c.URL), c.Why)
}

// CheckState looks whether the session is logged in where it was when a state was
// saved, after LoadState: each page that was open then is loaded in a tab of its own,
// and in a session that has no state, and the two are compared.
func (s *Session) CheckState(ctx context.Context, path string) ([]LoginCheck, error) {
	state, err := savedstate.Read(path)
	if err != nil {
		return nil, stateError("load", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var checks []LoginCheck
	if len(state.Pages) == 0 {
		return append(checks, LoginCheck{URL: path, Why: "the file does not say which page to look at"}), nil
	}
	stranger, err := s.browser.Open(ctx, Viewport{})
	if err != nil {
		stranger = nil // a profile that is kept is for one session
	} else {
		defer stranger.Close()
	}
	for _, was := range state.Pages {
		checks = append(checks, s.checkPage(ctx, stranger, was))
	}
	for i := range checks {
		cleanResult(s.out, &checks[i])
	}
	return checks, nil
}

func (s *Session) checkPage(ctx context.Context, stranger *Session, was savedstate.Page) LoginCheck {
	c := LoginCheck{URL: was.URL}
	with, err := loadedPage(ctx, s.driver, was.URL)
	if err != nil {
		c.Why = "the page could not be loaded: " + err.Error()
		return c
	}
	as := func(a, b savedstate.Page) bool {
		return strings.TrimSuffix(a.URL, "/") == strings.TrimSuffix(b.URL, "/") && a.Title == b.Title && a.Asking == b.Asking
	}
	if stranger == nil {
		c.Why = "there is no page without the state to compare with"
		if with.Asking && !was.Asking {
			c.Lost, c.Why = true, "the page asks for a password now"
		}
		return c
	}
	without, err := loadedPage(ctx, stranger.driver, was.URL)
	switch {
	case err != nil:
		c.Why = "the page could not be loaded without the state: " + err.Error()
	case as(with, without) && !as(with, was):
		c.Lost, c.Why = true, "the page is what anybody gets: "+describe(with)
	case as(with, without):
		c.Why = "the page looks the same to anybody, by its address, title and fields: " + describe(with)
	case with.Asking && !was.Asking:
		c.Lost, c.Why = true, "the page asks for a password now"
	default:
		c.Verified, c.Why = true, fmt.Sprintf("%s; without the state it is %s", describe(with), describe(without))
	}
	return c
}

func describe(p savedstate.Page) string {
	text := aria.Quote(p.Title) + " " + aria.Plain(p.URL)
	if p.Asking {
		text += " (asks for a password)"
	}
	return text
}

// loadedPage loads a page in a tab that is closed again.
func loadedPage(ctx context.Context, d *driver.Driver, url string) (savedstate.Page, error) {
	ctx, cancel := context.WithTimeout(ctx, checkPage)
	defer cancel()
	before := d.Tab()
	t, err := d.NewTab(ctx)
	if err != nil {
		return savedstate.Page{}, err
	}
	defer func() {
		_ = t.Close(context.WithoutCancel(ctx))
		d.Choose(before)
	}()
	if _, err := t.Navigate(ctx, url, driver.NavigateOptions{}); err != nil {
		return savedstate.Page{}, err
	}
	return pageNow(ctx, t)
}
