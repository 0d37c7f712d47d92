package rove

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rove/aria"
	"rove/driver"
	"rove/driver/advice"
	"rove/internal/savedstate"
)

// SaveState writes what keeps a person logged in to a file that only its owner
// can read: all cookies of the session, and the local storage and databases of the
// origins of its open tabs and of those its verbs have been to, and the session
// storage of those tabs. In a person's browser it is the cookies of the sites that the
// session has been to, and the person is asked first (WithConfirm). The form is that of other
// tools' storage state. A file that is there is replaced as a whole.
func (s *Session) SaveState(ctx context.Context, path string) error {
	_, err := s.saveState(ctx, path)
	return err
}

// SaveStateNoting is SaveState, and says what could not be saved.
func (s *Session) SaveStateNoting(ctx context.Context, path string) (lost []string, err error) {
	return s.saveState(ctx, path)
}

func (s *Session) saveState(ctx context.Context, path string) (lost []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.guest() != nil {
		if err := s.askToSave(ctx, path); err != nil {
			return nil, err
		}
	}
	state, lost, err := s.state(ctx)
	if err != nil {
		return nil, inVerbs(err)
	}
	if err := state.Write(path); err != nil {
		return nil, stateError("save", err)
	}
	return lost, nil
}

func (s *Session) state(ctx context.Context) (_ *savedstate.State, lost []string, _ error) {
	cookies, err := s.driver.Cookies(ctx)
	if err != nil {
		return nil, nil, err
	}
	state := savedstate.New(cookies)
	origins := map[string]bool{}
	for _, t := range s.driver.Tabs() {
		origins[driver.Origin(t.URL())] = true
	}
	for _, e := range s.History() {
		origins[driver.Origin(e.URL)] = true
	}
	delete(origins, "")
	list := slices.Sorted(maps.Keys(origins))
	stored, err := s.driver.LocalStorage(ctx, list...)
	if err != nil {
		return nil, nil, err
	}
	databases, unread, err := s.driver.Databases(ctx, list...)
	if err != nil {
		return nil, nil, err
	}
	ofTabs, err := s.driver.SessionStorage(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, o := range list {
		state.Add(o, stored[o], ofTabs[o], databases[o])
		for _, what := range unread[o] {
			lost = append(lost, o+": "+what)
		}
	}
	state.Pages, err = s.statePages(ctx)
	return state, lost, err
}

// LoadState puts cookies, storage and databases from a file of SaveState into the
// session, beside those that are there, and session storage into its current tab. It
// does so at once, by an empty page of
// each origin in a tab of its own: no server is asked, and no page needs to be
// open or loaded again. The file must be one that only its owner can read.
func (s *Session) LoadState(ctx context.Context, path string) error {
	_, err := s.LoadStateNoting(ctx, path)
	return err
}

// LoadStateNoting is LoadState, and says what could not be loaded: cookies that have
// expired or that the browser did not take, and session storage of origins that the
// current tab does not show.
func (s *Session) LoadStateNoting(ctx context.Context, path string) (lost []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.guest() != nil {
		return nil, (&Error{
			Code: CodeUnsupported, Op: "session load", Message: "this is the browser of a person, whose own logins stay as they are",
		}).Advise(advice.OwnBrowser)
	}
	state, err := savedstate.Read(path)
	if err != nil {
		return nil, stateError("load", err)
	}
	lost, err = s.load(ctx, state)
	for i := range lost {
		lost[i] = s.out.Text(lost[i])
	}
	return lost, inVerbs(err)
}

func (s *Session) load(ctx context.Context, state *savedstate.State) (lost []string, err error) {
	local, ofTab, databases := state.Storage()
	if cookies := state.BrowserCookies(); len(cookies) > 0 {
		if err := s.driver.SetCookies(ctx, cookies...); err != nil {
			return nil, err
		}
		there, err := s.driver.Cookies(ctx)
		if err != nil {
			return nil, err
		}
		lost = notTaken(cookies, there)
	}
	if err := s.driver.SetLocalStorage(ctx, local); err != nil {
		return nil, err
	}
	if err := s.driver.SetDatabases(ctx, databases); err != nil {
		return nil, err
	}
	elsewhere, err := s.driver.SetSessionStorage(ctx, ofTab)
	for _, o := range elsewhere {
		lost = append(lost, "session storage of "+o+": the tab shows another page; load it into a new session")
	}
	return lost, err
}

// notTaken says which cookies a browser does not have that was given them. Browsers
// drop some without a word.
func notTaken(given, there []driver.Cookie) (lost []string) {
	domain := func(c driver.Cookie) string { return strings.ToLower(strings.TrimPrefix(c.Domain, ".")) }
	for _, c := range given {
		if slices.ContainsFunc(there, func(has driver.Cookie) bool { return has.Name == c.Name && domain(has) == domain(c) }) {
			continue
		}
		why := "the browser did not take it"
		if !c.Expires.IsZero() && c.Expires.Before(time.Now()) {
			why = "it expired on " + c.Expires.UTC().Format(time.DateOnly)
		}
		lost = append(lost, fmt.Sprintf("cookie %s of %s: %s", aria.Quote(c.Name), aria.Plain(c.Domain), why))
	}
	return lost
}

func stateError(op string, err error) error {
	return &Error{Code: CodeInvalid, Op: "session " + op, Message: err.Error(), Err: err}
}
