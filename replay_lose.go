package rove

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"

	"rove/driver"
	"rove/driver/backend"
	"rove/recording"
)

// Answers are what an application answered to the requests of a flow that saved
// something. With them a save can be answered as it was, and not be made: an
// application that says it saved, and kept nothing.
type Answers struct {
	mu     sync.Mutex
	known  []answer
	params map[string]string // of the replay they were learned in
}

type answer struct {
	saved
	backend.RouteResponse
}

// saved is a request that saves: which of those of its flow, and where to.
type saved struct {
	turn         int
	method, path string
	asks         string // of GraphQL
}

// begin forgets what was learned before a replay with other values.
func (a *Answers) begin(params map[string]string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known, a.params = nil, params
}

func (a *Answers) learn(at saved, r backend.RouteResponse) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known = append(a.known, answer{at, r})
}

// to is the answer to such a request, best that of the same turn. What was typed in that
// replay only is what was typed in this one.
func (a *Answers) to(at saved, params map[string]string) *backend.RouteResponse {
	a.mu.Lock()
	defer a.mu.Unlock()
	var best *answer
	for i := range a.known {
		if k := &a.known[i]; k.method == at.method && k.path == at.path && k.asks == at.asks && (best == nil || k.turn == at.turn || best.turn != at.turn) {
			best = k
		}
	}
	if best != nil {
		r := best.RouteResponse
		for name, old := range a.params {
			if now := params[name]; old != "" && now != old {
				r.Body = bytes.ReplaceAll(r.Body, []byte(old), []byte(now))
			}
		}
		return &r
	}
	return nil
}

// Learned are the answers that replays in fresh contexts of this session got last, for
// replays after them.
func (s *Session) Learned() *Answers { return &s.recorder.answers }

// loseSaves stops the requests that save, until stop is called: their answers are learned,
// or those of one step get the answer that was learned.
func (p *player) loseSaves(ctx context.Context) (stop func(), err error) {
	opts := p.opts
	saves, last := map[saved]saved{}, len(p.flow.Steps) // as it is sent now, and as the flow has it
	turn := func(step int) (n int) {
		for i := range p.flow.Steps[:step+1] {
			if p.flow.Steps[i].Saves != nil {
				n++
			}
		}
		return n
	}
	for i := range p.flow.Steps {
		if opts.Lose > 0 && i < opts.Lose-1 {
			continue
		}
		for n, q := range p.flow.Steps[i].Writes() {
			of := saved{method: q.Method, path: q.Path(), asks: q.Asks}
			q.URL = p.fill(q.URL)
			now := saved{method: q.Method, path: q.Path(), asks: q.Asks}
			if opts.Lose > 0 && i > opts.Lose-1 {
				if _, ok := saves[now]; ok && last == len(p.flow.Steps) {
					last = i // the next that saves in the same place is another matter
				}
				continue
			}
			if opts.Lose == 0 || opts.Write == 0 || opts.Write == n+1 {
				saves[now] = of
			}
		}
	}
	intercept := driver.Intercept{Response: opts.Lose == 0}
	for s := range saves {
		intercept.Patterns = append(intercept.Patterns, "*"+asSent(s.path)+"*")
	}
	if len(saves) == 0 {
		return func() {}, nil
	}
	if opts.Lose == 0 {
		opts.Answers.begin(p.params)
	}
	intercept.Handler = func(ctx context.Context, r *driver.Route) error {
		q := recording.Request{Method: r.Method, URL: r.URL, Asks: recording.Asks(r.Body)}
		at, ok := saves[saved{method: r.Method, path: q.Path(), asks: q.Asks}]
		step := int(p.at.Load())
		switch {
		case !ok:
		case opts.Lose == 0 && r.Response != nil:
			known := *r.Response
			if known.Status < 300 || known.Status >= 400 { // what leads on has no body
				known.Body, _ = r.ResponseBody(ctx)
			}
			known.Header = comparableHeaders(known.Header)
			at.turn = turn(step)
			opts.Answers.learn(at, known)
			p.wrote(step, at, q, r.Body, known)
		case opts.Lose > 0 && step >= opts.Lose-1 && step < last:
			at.turn = turn(opts.Lose - 1)
			if known := opts.Answers.to(at, p.params); known != nil {
				return r.Fulfil(ctx, *known)
			}
		}
		return r.Continue(ctx)
	}
	return p.session.intercept(ctx, intercept)
}

// asSent is a path as a pattern of addresses, in which anything may be escaped.
func asSent(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/-_.", r) {
			return r
		}
		return '*'
	}, path)
}

// comparableHeaders are headers without those of a body that was packed, and without cookies: a
// session of another replay is none.
func comparableHeaders(h http.Header) http.Header {
	h = h.Clone()
	for _, name := range []string{"Content-Encoding", "Content-Length", "Transfer-Encoding", "Set-Cookie"} {
		h.Del(name)
	}
	return h
}
