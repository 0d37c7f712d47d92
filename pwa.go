package rove

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/wire"
	"rove/pwa"
)

// NetworkConditions is how good a session's network is; the zero value is as it
// comes.
type NetworkConditions = driver.NetworkConditions

// SetNetwork takes the session's pages, frames and workers offline, or slows their
// network down. Caches and service workers still answer.
func (s *Session) SetNetwork(ctx context.Context, n NetworkConditions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed(s.held(s.driver.SetNetwork(ctx, n)))
}

// ServiceWorkers are the service workers of a page's origin: every registration,
// its workers and their state, and which one controls the page.
type ServiceWorkers = pwa.Workers

// ServiceWorkers tells of the service workers of the page's origin.
func (s *Session) ServiceWorkers(ctx context.Context) (*ServiceWorkers, error) {
	var w *ServiceWorkers
	err := s.inspect(ctx, "service workers", func(ctx context.Context, p *pwa.Page) (err error) {
		w, err = p.Workers(ctx)
		return err
	})
	cleanResult(s.out, w)
	return w, err
}

// The things that can be done to a service worker's registration.
const (
	WorkerUpdate      = pwa.Update      // fetch its script again
	WorkerSkipWaiting = pwa.SkipWaiting // the waiting one takes over
	WorkerUnregister  = pwa.Unregister
)

// ChangeServiceWorker does something to the registration of a scope ("" where
// there is only one) and tells what is there then.
func (s *Session) ChangeServiceWorker(ctx context.Context, action, scope string) (*ServiceWorkers, error) {
	switch action {
	case WorkerUpdate, WorkerSkipWaiting, WorkerUnregister:
	default:
		return nil, driver.Invalid("service workers", "there is no action %q; there are %s, %s and %s", action, WorkerUpdate, WorkerSkipWaiting, WorkerUnregister)
	}
	var w *ServiceWorkers
	err := s.inspect(ctx, "service workers", func(ctx context.Context, p *pwa.Page) (err error) {
		if err = p.Do(ctx, action, scope); err == nil {
			w, err = p.Workers(ctx)
		}
		return err
	})
	cleanResult(s.out, w)
	return w, err
}

// PWAReport is what makes a page an application, and what it lacks: its service
// workers, its caches, its manifest, and which addresses work offline.
type PWAReport struct {
	ServiceWorkers
	Manifest *pwa.Manifest `json:"manifest"`
	Caches   []pwa.Cache   `json:"caches"`
	Offline  []OfflinePage `json:"offline,omitempty"`
}

// OfflinePage is an address, tried without a network.
type OfflinePage struct {
	URL    string `json:"url"`
	Works  bool   `json:"works"`            // there is a page, and not an error of the server
	Status int    `json:"status,omitempty"` // HTTP status
	Title  string `json:"title,omitempty"`  // tells the page from one that says "you are offline"
	Source string `json:"source,omitempty"` // where it came from: service worker, disk cache, …
	Error  string `json:"error,omitempty"`
}

// Bounds of a report.
const (
	reportEntries = 200 // of a cache
	reportURLs    = 50
	offlineTime   = 10 * time.Second // for one address
)

// PWA reports on the page as an application, and tries addresses offline, each in a
// tab of its own that is closed again: those given, or the page's own and that of
// its manifest.
func (s *Session) PWA(ctx context.Context, urls ...string) (*PWAReport, error) {
	if len(urls) > reportURLs {
		return nil, driver.Invalid("pwa", "%d addresses are too many to try: %d at most", len(urls), reportURLs)
	}
	tried := make([]string, len(urls))
	for i, u := range urls {
		full, err := driver.URL(u)
		if err != nil {
			return nil, err
		}
		tried[i] = full
	}
	r := &PWAReport{}
	err := s.inspect(ctx, "pwa", func(ctx context.Context, p *pwa.Page) error {
		w, err := p.Workers(ctx)
		if err != nil {
			return err
		}
		r.ServiceWorkers = *w
		if r.Caches, err = p.Caches(ctx, reportEntries); err != nil {
			return err
		}
		r.Manifest, err = p.Manifest(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(tried) == 0 && strings.HasPrefix(r.URL, "http") {
		tried = append(tried, r.URL)
		if start := r.Manifest.StartURL; start != "" && start != r.URL {
			tried = append(tried, start)
		}
	}
	if r.Offline, err = s.tryOffline(ctx, tried); err != nil {
		return nil, s.failed(s.held(err))
	}
	cleanResult(s.out, r)
	return r, nil
}

// inspect has the current page inspected.
func (s *Session) inspect(ctx context.Context, op string, look func(context.Context, *pwa.Page) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	tab, _, err := s.currentTab(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, inspectTime)
	defer cancel()
	p, err := pwa.Inspect(ctx, s.driver.BrowserContext(), tab.ID())
	if err == nil {
		defer p.Close()
		err = look(ctx, p)
	}
	var lost *backend.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pwa.ErrUnsupported):
		return &Error{Code: CodeUnsupported, Op: op, Message: err.Error(), Hint: "use another browser for that", Err: err}
	case errors.As(err, &lost), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return s.failed(s.held(driver.Explain(op, err)))
	}
	return s.failed(s.held(driver.Invalid(op, "%v", err)))
}

const inspectTime = 15 * time.Second

// tryOffline opens addresses without a network. The network is as it was before
// when it returns.
func (s *Session) tryOffline(ctx context.Context, urls []string) (list []OfflinePage, err error) {
	if len(urls) == 0 {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.driver.Network()
	if err := s.driver.SetNetwork(ctx, NetworkConditions{Offline: true}); err != nil {
		return nil, err
	}
	defer func() {
		back, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		if e := s.driver.SetNetwork(back, before); err == nil {
			err = e
		}
	}()
	for _, u := range urls {
		p, err := s.openOffline(ctx, u)
		if err != nil {
			return list, err
		}
		list = append(list, p)
	}
	return list, nil
}

func (s *Session) openOffline(ctx context.Context, url string) (OfflinePage, error) {
	p := OfflinePage{URL: url}
	ctx, cancel := context.WithTimeout(ctx, offlineTime)
	defer cancel()
	tab, err := s.driver.BrowserContext().NewTab(ctx)
	if err != nil {
		return p, driver.Explain("pwa", err)
	}
	defer func() { _ = tab.Close(context.WithoutCancel(ctx)) }() // which has an end of its own
	nav, err := tab.Navigate(ctx, url, backend.NavigateOptions{Patience: offlineTime / 2, Leave: true})
	if err != nil {
		p.Error = err.Error()
		return p, nil
	}
	p.Status = nav.Status
	p.Works = nav.Status < 400
	if title, err := tab.Eval(ctx, "", "document.title"); err == nil {
		_ = wire.Unmarshal(title, &p.Title)
	}
	if s.network != nil {
		if r, err := s.network.Requests(RequestFilter{URL: url, Type: "document", Limit: 1}); err == nil && len(r.Requests) == 1 {
			p.Source = string(r.Requests[0].Source)
		}
	}
	return p, nil
}

// Text is what a model reads.
func (r *PWAReport) Text() string {
	parts := []string{"page " + oneLine(r.URL), r.Manifest.Text(), "service workers:\n" + r.ServiceWorkers.Text()}
	if len(r.Caches) == 0 {
		parts = append(parts, "caches: none")
	}
	for i := range r.Caches {
		parts = append(parts, r.Caches[i].Text())
	}
	if len(r.Offline) > 0 {
		parts = append(parts, "offline:")
	}
	for _, o := range r.Offline {
		parts = append(parts, "  "+o.text())
	}
	return strings.Join(parts, "\n")
}

func (o *OfflinePage) text() string {
	url := oneLine(o.URL) // the start that a manifest names is the page's own word
	switch {
	case o.Error != "":
		return "fails " + url + ": " + oneLine(clip(o.Error, 200))
	case !o.Works:
		return fmt.Sprintf("fails %s: HTTP %d %q", url, o.Status, clip(o.Title, 80))
	}
	text := fmt.Sprintf("works %s: %d %q", url, o.Status, clip(o.Title, 80))
	if o.Source != "" {
		text += " from " + o.Source
	}
	return text
}
