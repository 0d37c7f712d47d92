package rove

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"rove/driver"
	"rove/internal/wire"
)

// storageState is the state of a session as a file has it, which other tools
// read and write as well.
type storageState struct {
	Cookies []stateCookie `json:"cookies"`
	Origins []stateOrigin `json:"origins"`
	// Pages are where the session was: what is looked at to see whether it is still
	// logged in. Other tools leave it alone.
	Pages []statePage `json:"rovePages,omitempty"`
}

type statePage struct {
	URL    string `json:"url"`
	Title  string `json:"title"`
	Asking bool   `json:"asking,omitempty"` // it had a field for a password
}

type stateCookie struct {
	Name         string  `json:"name"`
	Value        string  `json:"value"`
	Domain       string  `json:"domain"`
	Path         string  `json:"path"`
	Expires      float64 `json:"expires"` // seconds since 1970; -1: with the browser
	HTTPOnly     bool    `json:"httpOnly"`
	Secure       bool    `json:"secure"`
	SameSite     string  `json:"sameSite,omitempty"`
	PartitionKey string  `json:"partitionKey,omitempty"`
}

type stateOrigin struct {
	Origin       string       `json:"origin"`
	LocalStorage []stateEntry `json:"localStorage"`
	// SessionStorage is that of a tab. IndexedDB is as Playwright writes it, but for
	// values that JSON has no form for.
	SessionStorage []stateEntry     `json:"sessionStorage,omitempty"`
	IndexedDB      driver.Databases `json:"indexedDB,omitempty"`
}

type stateEntry struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// mostState bounds a file of state, in bytes.
const mostState = 256 << 20

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
	data, err := wire.Marshal(state)
	if err != nil {
		return nil, err
	}
	if err := replaceFile(path, append(data, '\n')); err != nil {
		return nil, stateError("save", "", err)
	}
	return lost, nil
}

func (s *Session) state(ctx context.Context) (_ *storageState, lost []string, _ error) {
	cookies, err := s.driver.Cookies(ctx)
	if err != nil {
		return nil, nil, err
	}
	state := &storageState{Cookies: []stateCookie{}, Origins: []stateOrigin{}}
	for _, c := range cookies {
		saved := stateCookie{
			Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: -1,
			HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite, PartitionKey: c.PartitionKey,
		}
		if !c.Expires.IsZero() {
			saved.Expires = float64(c.Expires.UnixMicro()) / 1e6
		}
		state.Cookies = append(state.Cookies, saved)
	}
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
		if stored[o] == nil && databases[o] == nil && ofTabs[o] == nil {
			continue
		}
		origin := stateOrigin{Origin: o, LocalStorage: entriesOf(stored[o]), SessionStorage: entriesOf(ofTabs[o]), IndexedDB: databases[o]}
		if origin.LocalStorage == nil {
			origin.LocalStorage = []stateEntry{}
		}
		state.Origins = append(state.Origins, origin)
		for _, what := range unread[o] {
			lost = append(lost, o+": "+what)
		}
	}
	state.Pages, err = s.statePages(ctx)
	return state, lost, err
}

func entriesOf(m map[string]string) (list []stateEntry) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, stateEntry{name, m[name]})
	}
	return list
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
		return &Error{
			Code: CodeUnsupported, Op: "session load", Message: "this is the browser of a person, whose own logins stay as they are",
			Hint: "load it into a session of rove's own: without --connect",
		}
	}
	state, err := readState(path)
	if err != nil {
		return err
	}
	var cookies []driver.Cookie
	for _, c := range state.Cookies {
		cookie := driver.Cookie{
			Name: c.Name, Value: c.Value, Domain: c.Domain, Path: cmp.Or(c.Path, "/"),
			HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite, PartitionKey: c.PartitionKey,
		}
		if c.Expires > 0 {
			cookie.Expires = time.UnixMicro(int64(c.Expires * 1e6))
		}
		cookies = append(cookies, cookie)
	}
	local, ofTab := make(map[string]map[string]string), make(map[string]map[string]string)
	databases := make(map[string]driver.Databases)
	add := func(to map[string]map[string]string, origin string, list []stateEntry) {
		for _, e := range list {
			if to[origin] == nil {
				to[origin] = make(map[string]string)
			}
			to[origin][e.Name] = e.Value
		}
	}
	for _, o := range state.Origins {
		add(local, o.Origin, o.LocalStorage)
		add(ofTab, o.Origin, o.SessionStorage)
		if len(o.IndexedDB) > 0 {
			databases[o.Origin] = o.IndexedDB
		}
	}
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

// readState reads a file and checks all of it, so that a bad one changes nothing.
// No error says what is in it.
func readState(path string) (*storageState, error) {
	// Before it is opened: a pipe would wait for a writer.
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, stateError("load", "", err)
	case !info.Mode().IsRegular():
		return nil, stateError("load", path+" is not a file", nil)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, stateError("load", "", err)
	}
	defer f.Close()
	info, err = f.Stat()
	switch {
	case err != nil:
		return nil, stateError("load", "", err)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, stateError("load", fmt.Sprintf("others can read %s; make it yours alone: chmod 600 %[1]s", path), nil)
	case info.Size() > mostState:
		return nil, stateError("load", path+" is too large", nil)
	}
	data, err := io.ReadAll(io.LimitReader(f, mostState))
	if err != nil {
		return nil, stateError("load", "", err)
	}
	var state storageState
	if wire.Unmarshal(data, &state) != nil { // which would quote it
		return nil, stateError("load", path+" is no saved state: it is not JSON, or has another form", nil)
	}
	for i, c := range state.Cookies {
		if c.Name == "" || c.Domain == "" || !slices.Contains([]string{"", "Strict", "Lax", "None"}, c.SameSite) {
			return nil, stateError("load", fmt.Sprintf("%s is no saved state: cookie %d needs a name, a domain, and for sameSite Strict, Lax, None or nothing", path, i+1), nil)
		}
	}
	for i, o := range state.Origins {
		if driver.Origin(o.Origin) != o.Origin || o.Origin == "" {
			return nil, stateError("load", fmt.Sprintf("%s is no saved state: origin %d is none such as https://example.com", path, i+1), nil)
		}
	}
	return &state, nil
}

func stateError(op, message string, err error) error {
	if err != nil {
		message = err.Error()
	}
	return &Error{Code: CodeInvalid, Op: "session " + op, Message: message, Err: err}
}

// replaceFile writes a file that only its owner can read. Whoever reads it has
// the old one or the new one, and a write that fails leaves nothing.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
