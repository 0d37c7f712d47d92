package driver

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"rove/driver/backend"
)

// Intercept says which requests are stopped and what becomes of them.
type Intercept struct {
	// Patterns are URLs in which * is any text; none are every URL.
	Patterns []string
	// Type is the kind of request: Document, XHR, Fetch, Script, Image, …;
	// "" is any.
	Type string
	// Response stops requests once more when the answer's head is there.
	Response bool
	// Handler decides what becomes of a request. It is called in a goroutine
	// of its own and may take its time. A request it leaves as it is goes on;
	// so does one whose handler fails, and Logf is told.
	Handler func(ctx context.Context, r *Route) error
	// Mock answers without a handler.
	Mock *backend.RouteResponse
	// Logf is told of handlers that fail; nil keeps silent.
	Logf func(format string, args ...any)
}

// Route is a request that was stopped.
type Route struct {
	backend.RouteRequest
	// Response is the answer's head at the response stage, nil before.
	Response *backend.RouteResponse

	route backend.Route
	mu    sync.Mutex
	ended bool
}

// end has it ended once.
func (r *Route) end(do func() error) error {
	r.mu.Lock()
	if r.ended {
		r.mu.Unlock()
		return Invalid("intercept", "the request was answered already: %s", r.URL)
	}
	r.ended = true
	r.mu.Unlock()
	if err := do(); err != nil {
		r.mu.Lock()
		r.ended = false
		r.mu.Unlock()
		return Explain("intercept", err)
	}
	return nil
}

// Continue lets the request go on as it is.
func (r *Route) Continue(ctx context.Context) error {
	return r.end(func() error { return r.route.Continue(ctx, nil) })
}

// ContinueAs lets it go on changed: what is empty stays as it was.
func (r *Route) ContinueAs(ctx context.Context, change backend.RouteRequest) error {
	return r.end(func() error { return r.route.Continue(ctx, &change) })
}

// Fulfil answers it.
func (r *Route) Fulfil(ctx context.Context, answer backend.RouteResponse) error {
	return r.end(func() error { return r.route.Fulfil(ctx, answer) })
}

// Abort ends it with a network error.
func (r *Route) Abort(ctx context.Context) error {
	return r.end(func() error { return r.route.Abort(ctx) })
}

// ResponseBody reads the answer at the response stage.
func (r *Route) ResponseBody(ctx context.Context) ([]byte, error) {
	body, err := r.route.Body(ctx)
	if err != nil {
		return nil, Explain("intercept", err)
	}
	return body, nil
}

// Interception is an Intercept at work.
type Interception struct {
	driver  *Driver
	opts    Intercept
	match   []*regexp.Regexp
	life    context.Context
	endLife context.CancelFunc

	mu   sync.Mutex
	seen []backend.RouteRequest
}

// seenLimit is how many requests an interception remembers.
const seenLimit = 1000

// Intercept stops requests of all the driver's tabs, and of those to come.
// Several can be at work; the one that came last decides.
func (d *Driver) Intercept(ctx context.Context, opts Intercept) (*Interception, error) {
	if opts.Handler == nil && opts.Mock == nil {
		return nil, Invalid("intercept", "say what becomes of the requests: a handler, or an answer")
	}
	i := &Interception{driver: d, opts: opts}
	for _, p := range opts.Patterns {
		i.match = append(i.match, glob(p))
	}
	i.life, i.endLife = context.WithCancel(context.Background())
	d.mu.Lock()
	d.routes = append(d.routes, i)
	d.mu.Unlock()
	if err := d.arm(ctx); err != nil {
		d.mu.Lock()
		d.routes = slices.DeleteFunc(d.routes, func(o *Interception) bool { return o == i })
		d.mu.Unlock()
		i.endLife()
		return nil, d.failed("intercept", err)
	}
	return i, nil
}

// glob makes a pattern with * and ? into an expression.
func glob(pattern string) *regexp.Regexp {
	e := regexp.QuoteMeta(pattern)
	e = strings.ReplaceAll(e, `\*`, `.*`)
	e = strings.ReplaceAll(e, `\?`, `.`)
	return regexp.MustCompile(`(?s)^` + e + `$`)
}

// Seen are the requests that were stopped so far, at their first stage.
func (i *Interception) Seen() []backend.RouteRequest {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.seen)
}

// Stop lets all requests go again. It may be called twice.
func (i *Interception) Stop(ctx context.Context) error {
	d := i.driver
	d.mu.Lock()
	before := len(d.routes)
	d.routes = slices.DeleteFunc(d.routes, func(o *Interception) bool { return o == i })
	changed := len(d.routes) != before
	d.mu.Unlock()
	i.endLife()
	if !changed {
		return nil
	}
	if err := d.arm(ctx); err != nil {
		return Explain("intercept", err)
	}
	return nil
}

// StopIntercept ends all interceptions.
func (d *Driver) StopIntercept(ctx context.Context) error {
	d.disarm()
	if err := d.arm(ctx); err != nil {
		return Explain("intercept", err)
	}
	return nil
}

func (d *Driver) disarm() {
	d.mu.Lock()
	routes := d.routes
	d.routes = nil
	d.mu.Unlock()
	for _, i := range routes {
		i.endLife()
	}
}

// arm tells the browser what to stop.
func (d *Driver) arm(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.limit(scriptWait))
	defer cancel()
	d.mu.Lock()
	var patterns []backend.Pattern
	for _, i := range d.routes {
		if len(i.opts.Patterns) == 0 {
			patterns = append(patterns, backend.Pattern{URL: "*", Type: i.opts.Type, Response: i.opts.Response})
		}
		for _, p := range i.opts.Patterns {
			patterns = append(patterns, backend.Pattern{URL: p, Type: i.opts.Type, Response: i.opts.Response})
		}
	}
	d.mu.Unlock()
	return d.browser.Intercept(ctx, patterns, d.paused)
}

// paused gives a stopped request to the interception that came last of those
// that want it.
func (d *Driver) paused(route backend.Route) {
	r := &Route{RouteRequest: route.Request(), Response: route.Response(), route: route}
	d.mu.Lock()
	var who *Interception
	for _, i := range slices.Backward(d.routes) {
		if i.wants(r) {
			who = i
			break
		}
	}
	d.mu.Unlock()
	if who == nil {
		_ = r.Continue(context.Background())
		return
	}
	who.handle(r)
}

func (i *Interception) wants(r *Route) bool {
	if i.opts.Type != "" && i.opts.Type != r.Type || r.Response != nil && !i.opts.Response {
		return false
	}
	url, _, _ := strings.Cut(r.URL, "#")
	return len(i.match) == 0 || slices.ContainsFunc(i.match, func(m *regexp.Regexp) bool { return m.MatchString(url) })
}

// letGo bounds the last word about a request.
const letGo = 10 * time.Second

func (i *Interception) handle(r *Route) {
	if r.Response == nil {
		i.mu.Lock()
		if len(i.seen) < seenLimit {
			i.seen = append(i.seen, r.RouteRequest)
		}
		i.mu.Unlock()
	}
	err := i.decide(r)
	if err != nil && i.opts.Logf != nil && i.life.Err() == nil {
		i.opts.Logf("intercept %s %s: %v", r.Method, r.URL, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), letGo)
	defer cancel()
	r.mu.Lock()
	open := !r.ended
	r.mu.Unlock()
	if open {
		_ = r.Continue(ctx)
	}
}

// decide asks the handler; one that panics has failed.
func (i *Interception) decide(r *Route) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the handler panicked: %v", p)
		}
	}()
	if i.opts.Handler != nil {
		return i.opts.Handler(i.life, r)
	}
	if r.Response != nil {
		return nil
	}
	return r.Fulfil(i.life, *i.opts.Mock)
}
