package rove

import (
	"context"
	"maps"
	"slices"

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
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.guest() != nil {
		return (&Error{
			Code: CodeUnsupported, Op: "session load", Message: "this is the browser of a person, whose own logins stay as they are",
		}).Advise(advice.OwnBrowser)
	}
	state, err := savedstate.Read(path)
	if err != nil {
		return stateError("load", err)
	}
	cookies := state.BrowserCookies()
	local, ofTab, databases := state.Storage()
	if len(cookies) > 0 {
		if err := s.driver.SetCookies(ctx, cookies...); err != nil {
			return inVerbs(err)
		}
	}
	if err := s.driver.SetLocalStorage(ctx, local); err != nil {
		return inVerbs(err)
	}
	if err := s.driver.SetDatabases(ctx, databases); err != nil {
		return inVerbs(err)
	}
	s.unset, err = s.driver.SetSessionStorage(ctx, ofTab)
	return inVerbs(err)
}

func stateError(op string, err error) error {
	return &Error{Code: CodeInvalid, Op: "session " + op, Message: err.Error(), Err: err}
}
