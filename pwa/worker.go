package pwa

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/serviceworker"

	"rove/internal/wire"
)

// Workers are the service workers of a page's origin.
type Workers struct {
	URL    string `json:"url"` // of the page
	Origin string `json:"origin"`
	Secure bool   `json:"secure"` // only secure pages have service workers: https, and localhost
	Online bool   `json:"online"` // navigator.onLine
	// Controlled says that a service worker answers for the page: Controller is its
	// script.
	Controlled    bool           `json:"controlled"`
	Controller    string         `json:"controller,omitempty"`
	Registrations []Registration `json:"registrations"`
	Errors        []string       `json:"errors,omitempty"` // that workers reported
}

// Registration is a scope and the workers that are there for it.
type Registration struct {
	Scope      string  `json:"scope"`
	Installing *Worker `json:"installing,omitempty"`
	Waiting    *Worker `json:"waiting,omitempty"` // until no page uses the active one any more
	Active     *Worker `json:"active,omitempty"`
	Controls   bool    `json:"controls"` // it is what controls this page
	Preload    bool    `json:"navigation_preload,omitempty"`
}

// Worker is one version of a service worker.
type Worker struct {
	Script  string `json:"script"`
	State   string `json:"state"`             // parsed, installing, installed, activating, activated, redundant
	Version string `json:"version,omitempty"` // the browser's number for it: another one, another version
	Running string `json:"running,omitempty"` // running, stopped, starting, stopping
	Clients int    `json:"clients,omitempty"` // how many pages and workers it controls
}

// tellTime bounds the wait for the browser to tell of workers that the page knows.
const tellTime = 500 * time.Millisecond

// Workers tells of the page's service workers.
func (p *Page) Workers(ctx context.Context) (*Workers, error) {
	var said struct {
		URL        string         `json:"url"`
		Origin     string         `json:"origin"`
		Controller string         `json:"controller"`
		Error      string         `json:"error"`
		Secure     bool           `json:"secure"`
		Online     bool           `json:"online"`
		List       []Registration `json:"list"`
	}
	if err := p.run(ctx, "workers()", &said); err != nil {
		return nil, err
	}
	w := &Workers{
		URL: said.URL, Origin: said.Origin, Secure: said.Secure, Online: said.Online,
		Controlled: said.Controller != "", Controller: said.Controller, Registrations: said.List,
	}
	if said.Error != "" {
		w.Errors = append(w.Errors, said.Error)
	}
	slices.SortFunc(w.Registrations, func(a, b Registration) int { return strings.Compare(a.Scope, b.Scope) })
	// The browser tells of all it knows after the inspection began, in its own time.
	p.wait(ctx, tellTime, func() bool { return p.number(w) })
	p.mu.Lock()
	w.Errors = append(w.Errors, p.failures...)
	p.mu.Unlock()
	return w, nil
}

// number fills in what only the browser knows of workers. It says whether nothing
// is missing. The lock is held.
func (p *Page) number(w *Workers) bool {
	complete := true
	for i := range w.Registrations {
		r := &w.Registrations[i]
		for _, worker := range []*Worker{r.Installing, r.Waiting, r.Active} {
			if worker == nil {
				continue
			}
			found := p.version(r.Scope, worker)
			complete = complete && found
		}
	}
	return complete
}

// version finds the newest version in a scope that is in the same state.
func (p *Page) version(scope string, w *Worker) bool {
	var best *serviceworker.Version
	for _, v := range p.versions {
		r := p.registrations[string(v.RegistrationID)]
		if r == nil || r.IsDeleted || r.ScopeURL != scope || v.ScriptURL != w.Script || stateOf(v.Status) != w.State {
			continue
		}
		if best == nil || newer(v.VersionID, best.VersionID) {
			best = v
		}
	}
	if best == nil {
		return false
	}
	w.Version, w.Running, w.Clients = best.VersionID, string(best.RunningStatus), len(best.ControlledClients)
	return true
}

// newer compares numbers in words.
func newer(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// stateOf is a page's word for the browser's.
func stateOf(s serviceworker.VersionStatus) string {
	if s == serviceworker.VersionStatusNew {
		return "parsed"
	}
	return string(s)
}

// The things that can be done to a registration.
const (
	Update      = "update"       // fetch the script again; another one is installed
	SkipWaiting = "skip_waiting" // the waiting worker becomes the active one
	Unregister  = "unregister"
)

// Do does something to the registration of a scope, or to the page's only one, and
// returns when it is done: a page script function of the same name waits for that.
func (p *Page) Do(ctx context.Context, action, scope string) error {
	w, err := p.Workers(ctx)
	if err != nil {
		return err
	}
	r, err := w.find(scope)
	if err != nil {
		return err
	}
	if action == SkipWaiting && r.Waiting == nil {
		return errors.New("no service worker is waiting in " + r.Scope)
	}
	if action == SkipWaiting {
		if err := p.ask(ctx, serviceworker.CommandSkipWaiting, map[string]any{"scopeURL": r.Scope}, nil); err != nil {
			return err
		}
	}
	arg, err := wire.Marshal(r.Scope)
	if err != nil {
		return err
	}
	var trouble string
	if err := p.run(ctx, action+"("+string(arg)+")", &trouble); err != nil {
		return err
	}
	if trouble != "" {
		return errors.New(action + ": " + trouble)
	}
	return nil
}

// find gives the registration of a scope: what it is called, its path, or "" where
// there is only one.
func (w *Workers) find(scope string) (*Registration, error) {
	var scopes []string
	for i := range w.Registrations {
		r := &w.Registrations[i]
		if scope == "" && len(w.Registrations) == 1 || scope != "" && (r.Scope == scope || r.Scope == w.Origin+scope) {
			return r, nil
		}
		scopes = append(scopes, r.Scope)
	}
	switch {
	case len(scopes) == 0:
		return nil, errors.New("the page's origin has no service worker: " + w.why())
	case scope == "":
		return nil, fmt.Errorf("there are several registrations; say which scope: %s", strings.Join(scopes, ", "))
	}
	return nil, fmt.Errorf("there is no registration for the scope %s; there are: %s", scope, strings.Join(scopes, ", "))
}

// why says why there is no service worker.
func (w *Workers) why() string {
	if !w.Secure {
		return "only pages over https, and those of localhost, can have one"
	}
	return "none was registered"
}
