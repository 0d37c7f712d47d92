// Package savedstate is the file of what keeps a person logged in: cookies, storage and
// databases. Other tools read and write it as storage state.
package savedstate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"rove/driver"
	"rove/internal/ownfile"
	"rove/internal/wire"
)

// State is what a file has.
type State struct {
	Cookies []Cookie `json:"cookies"`
	Origins []Origin `json:"origins"`
	// Pages are where the session was: what is looked at to see whether it is still
	// logged in. Other tools leave it alone.
	Pages []Page `json:"rovePages,omitempty"`
}

// Page is a page of the session.
type Page struct {
	URL    string `json:"url"`
	Title  string `json:"title"`
	Asking bool   `json:"asking,omitempty"` // it had a field for a password
}

// Cookie is a cookie of any site.
type Cookie struct {
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

// Origin is what an origin has stored.
type Origin struct {
	Origin       string  `json:"origin"`
	LocalStorage []Entry `json:"localStorage"`
	// SessionStorage is that of a tab. IndexedDB is as Playwright writes it, but for
	// values that JSON has no form for.
	SessionStorage []Entry          `json:"sessionStorage,omitempty"`
	IndexedDB      driver.Databases `json:"indexedDB,omitempty"`
}

// Entry is an entry of a storage.
type Entry struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// New is a state with cookies, and nothing else yet.
func New(cookies []driver.Cookie) *State {
	s := &State{Cookies: []Cookie{}, Origins: []Origin{}}
	for _, c := range cookies {
		saved := Cookie{
			Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: -1,
			HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite, PartitionKey: c.PartitionKey,
		}
		if !c.Expires.IsZero() {
			saved.Expires = float64(c.Expires.UnixMicro()) / 1e6
		}
		s.Cookies = append(s.Cookies, saved)
	}
	return s
}

// Add adds what an origin has stored, if it has anything.
func (s *State) Add(origin string, local, ofTab map[string]string, databases driver.Databases) {
	if local == nil && databases == nil && ofTab == nil {
		return
	}
	s.Origins = append(s.Origins, Origin{
		Origin: origin, LocalStorage: append([]Entry{}, entries(local)...), SessionStorage: entries(ofTab), IndexedDB: databases,
	})
}

func entries(m map[string]string) (list []Entry) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, Entry{name, m[name]})
	}
	return list
}

// BrowserCookies are its cookies as the driver takes them.
func (s *State) BrowserCookies() []driver.Cookie {
	list := make([]driver.Cookie, len(s.Cookies))
	for i, c := range s.Cookies {
		list[i] = driver.Cookie{
			Name: c.Name, Value: c.Value, Domain: c.Domain, Path: cmp.Or(c.Path, "/"),
			HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite, PartitionKey: c.PartitionKey,
		}
		if c.Expires > 0 {
			list[i].Expires = time.UnixMicro(int64(c.Expires * 1e6))
		}
	}
	return list
}

// Storage is what its origins have stored, by origin: local storage, session storage and
// databases.
func (s *State) Storage() (local, ofTab map[string]map[string]string, databases map[string]driver.Databases) {
	local, ofTab, databases = map[string]map[string]string{}, map[string]map[string]string{}, map[string]driver.Databases{}
	add := func(to map[string]map[string]string, origin string, list []Entry) {
		for _, e := range list {
			if to[origin] == nil {
				to[origin] = map[string]string{}
			}
			to[origin][e.Name] = e.Value
		}
	}
	for _, o := range s.Origins {
		add(local, o.Origin, o.LocalStorage)
		add(ofTab, o.Origin, o.SessionStorage)
		if len(o.IndexedDB) > 0 {
			databases[o.Origin] = o.IndexedDB
		}
	}
	return local, ofTab, databases
}

// mostBytes bounds a file.
const mostBytes = 256 << 20

// Write writes it to a file that only its owner can read. A file that is there is
// replaced as a whole.
func (s *State) Write(path string) error {
	data, err := wire.Marshal(s)
	if err != nil {
		return err
	}
	return ownfile.Replace(path, append(data, '\n'))
}

// Read reads a file and checks all of it, so that a bad one changes nothing. No error
// says what is in it.
func Read(path string) (*State, error) {
	data, err := ownfile.Read(path, mostBytes)
	if err != nil {
		return nil, err
	}
	var s State
	if wire.Unmarshal(data, &s) != nil { // which would quote it
		return nil, fmt.Errorf("%s is no saved state: it is not JSON, or has another form", path)
	}
	for i, c := range s.Cookies {
		if c.Name == "" || c.Domain == "" || !slices.Contains([]string{"", "Strict", "Lax", "None"}, c.SameSite) {
			return nil, fmt.Errorf("%s is no saved state: cookie %d needs a name, a domain, and for sameSite Strict, Lax, None or nothing", path, i+1)
		}
	}
	for i, o := range s.Origins {
		if driver.Origin(o.Origin) != o.Origin || o.Origin == "" {
			return nil, fmt.Errorf("%s is no saved state: origin %d is none such as https://example.com", path, i+1)
		}
	}
	return &s, nil
}
