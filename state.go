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
}

type stateEntry struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// mostState bounds a file of state, in bytes.
const mostState = 256 << 20

// SaveState writes what keeps a person logged in to a file that only its owner
// can read: all cookies of the session, and the local storage of the origins of
// its open tabs and of those its verbs have been to. The form is that of other
// tools' storage state. A file that is there is replaced as a whole.
func (s *Session) SaveState(ctx context.Context, path string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, err := s.state(ctx)
	if err != nil {
		return inVerbs(err)
	}
	data, err := wire.Marshal(state)
	if err != nil {
		return err
	}
	if err := replaceFile(path, append(data, '\n')); err != nil {
		return stateError("save", "", err)
	}
	return nil
}

func (s *Session) state(ctx context.Context) (*storageState, error) {
	cookies, err := s.driver.Cookies(ctx)
	if err != nil {
		return nil, err
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
	stored, err := s.driver.LocalStorage(ctx, slices.Sorted(maps.Keys(origins))...)
	if err != nil {
		return nil, err
	}
	for _, o := range slices.Sorted(maps.Keys(stored)) {
		origin := stateOrigin{Origin: o}
		for _, name := range slices.Sorted(maps.Keys(stored[o])) {
			origin.LocalStorage = append(origin.LocalStorage, stateEntry{name, stored[o][name]})
		}
		state.Origins = append(state.Origins, origin)
	}
	return state, nil
}

// LoadState puts cookies and local storage from a file of SaveState into the
// session, beside those that are there. It does so at once, by an empty page of
// each origin in a tab of its own: no server is asked, and no page needs to be
// open or loaded again. The file must be one that only its owner can read.
func (s *Session) LoadState(ctx context.Context, path string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
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
	entries := make(map[string]map[string]string)
	for _, o := range state.Origins {
		if entries[o.Origin] == nil {
			entries[o.Origin] = make(map[string]string)
		}
		for _, e := range o.LocalStorage {
			entries[o.Origin][e.Name] = e.Value
		}
	}
	if len(cookies) > 0 {
		if err := s.driver.SetCookies(ctx, cookies...); err != nil {
			return inVerbs(err)
		}
	}
	return inVerbs(s.driver.SetLocalStorage(ctx, entries))
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
