// Package pwa inspects what makes a page an application: its service workers, its
// caches, its manifest, and what of it works offline.
//
// It asks the page itself, in a world that the page's scripts cannot reach, and the
// browser for what a page is not told: versions of workers, whether they run, and
// why the page cannot be installed. Nothing goes on between two calls.
package pwa

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/serviceworker"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/internal/wire"
)

// Page is a page under inspection.
type Page struct {
	source *chrome.Source
	stop   func()

	mu            sync.Mutex
	changed       chan struct{} // closed at the next change
	registrations map[string]*serviceworker.Registration
	versions      map[string]*serviceworker.Version
	failures      []string // errors that workers reported
}

// Why there is nothing to inspect.
var (
	ErrNoPage      = errors.New("there is no such page")
	ErrUnsupported = errors.New("this browser does not tell of service workers")
)

// Inspect begins the inspection of a tab's page, which has to be closed again. Only
// Chrome's own protocol tells what it needs to know.
func Inspect(ctx context.Context, of backend.Context, tab string) (*Page, error) {
	c, ok := of.(chrome.Speaker)
	if !ok {
		return nil, ErrUnsupported
	}
	p := &Page{
		changed:       make(chan struct{}),
		registrations: map[string]*serviceworker.Registration{},
		versions:      map[string]*serviceworker.Version{},
	}
	p.stop = c.ObserveProtocol(func(s *chrome.Source, ev cdp.Event) { p.event(s, ev, tab) })
	p.mu.Lock()
	source := p.source
	p.mu.Unlock()
	if source == nil {
		p.stop()
		return nil, ErrNoPage
	}
	if err := p.ask(ctx, serviceworker.CommandEnable, nil, nil); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// Close ends the inspection.
func (p *Page) Close() {
	p.source.Start(p.source.Command(serviceworker.CommandDisable, nil))
	p.stop()
}

func (p *Page) event(s *chrome.Source, ev cdp.Event, tab string) {
	if s.Kind != "page" || s.Tab != tab {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch ev.Method {
	case chrome.SourceAttached:
		p.source = s
	case "ServiceWorker.workerRegistrationUpdated":
		var e serviceworker.EventWorkerRegistrationUpdated
		if ev.Decode(&e) == nil {
			for _, r := range e.Registrations {
				p.registrations[string(r.RegistrationID)] = r
			}
		}
	case "ServiceWorker.workerVersionUpdated":
		var e serviceworker.EventWorkerVersionUpdated
		if ev.Decode(&e) == nil {
			for _, v := range e.Versions {
				p.versions[v.VersionID] = v
			}
		}
	case "ServiceWorker.workerErrorReported":
		var e serviceworker.EventWorkerErrorReported
		if ev.Decode(&e) == nil && e.ErrorMessage != nil && len(p.failures) < mostFailures {
			m := e.ErrorMessage
			p.failures = append(p.failures, fmt.Sprintf("%s (%s:%d)", m.ErrorMessage, m.SourceURL, m.LineNumber))
		}
	default:
		return
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

const mostFailures = 20

// wait waits until ok, which is called with the lock held, or for so long.
func (p *Page) wait(ctx context.Context, bound time.Duration, ok func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	for {
		p.mu.Lock()
		done, changed := ok(), p.changed
		p.mu.Unlock()
		if done {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// ask sends the page's session a command and waits for the answer.
func (p *Page) ask(ctx context.Context, method string, params, out any) error {
	return p.source.Call(ctx, method, params, out)
}

// script is what the page is asked with.
//
//go:embed page.js
var script string

// run calls a function of the script in a world of its own.
func (p *Page) run(ctx context.Context, call string, out any) error {
	var world page.CreateIsolatedWorldResult
	if err := p.ask(ctx, page.CommandCreateIsolatedWorld, map[string]any{"frameId": p.source.ID, "worldName": "rove-pwa"}, &world); err != nil {
		return err
	}
	var r runtime.EvaluateResult
	if err := p.ask(ctx, runtime.CommandEvaluate, map[string]any{
		"expression": "(" + script + ")." + call, "contextId": world.ExecutionContextID, "awaitPromise": true, "returnByValue": true,
	}, &r); err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		text := r.ExceptionDetails.Text
		if e := r.ExceptionDetails.Exception; e != nil && e.Description != "" {
			text, _, _ = strings.Cut(e.Description, "\n")
		}
		return errors.New("the page cannot be asked: " + text)
	}
	return wire.Unmarshal(r.Result.Value, out)
}
