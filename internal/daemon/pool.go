package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"rove"
	"rove/internal/hub"
	"rove/internal/session"
	"rove/internal/tool"
)

// DefaultSession is the session of a command that names none.
const DefaultSession = "default"

// pool has the sessions of a daemon. Those that are started alike share a
// browser; each name is a conversation of its own.
type pool struct {
	idle   time.Duration
	memory int64
	log    *slog.Logger
	hub    *hub.Hub // the connections to browsers that run already

	mu     sync.Mutex
	closed bool
	kinds  map[kind]*session.Manager
	named  map[string]*named
	work   sync.WaitGroup // what is closed in the background; added to before closed

	keeping sync.Mutex // held while what a session did is kept

	watchMu  sync.Mutex
	watchers map[*lines]struct{} // who is told of a browser being fetched
}

// kind is how a browser is started.
type kind struct {
	browser  string
	headed   bool
	view     rove.Viewport
	profile  string
	output   string
	rules    string
	connect  string
	tabs     string
	grid     string
	emulated rove.EmulateOptions
}

type named struct {
	talk   *session.Conversation
	launch Launch
}

func newPool(c Config) *pool {
	return &pool{idle: c.Idle, memory: c.MaxMemory, log: c.Log, hub: hub.New(), kinds: map[kind]*session.Manager{}, named: map[string]*named{}, watchers: map[*lines]struct{}{}}
}

// call runs a tool on a session.
func (p *pool) call(ctx context.Context, req *Request) *Answer {
	start := time.Now()
	out, err := p.run(ctx, req)
	a := NewAnswer(out, err, req.Data)
	// What a call says may be secret; that it was made is not.
	line := []any{"tool", req.Tool, "session", req.Session, "ms", time.Since(start).Milliseconds()}
	if a.Error != nil {
		line = append(line, "code", a.Error.Code)
	}
	p.log.Info("call", line...)
	return a
}

func (p *pool) run(ctx context.Context, req *Request) (out tool.Output, err error) {
	// A fault in one call is no reason for all sessions to end.
	defer func() {
		if fault := recover(); fault != nil {
			p.log.Error("fault", "tool", req.Tool, "fault", fault, "stack", string(debug.Stack()))
			err = &rove.Error{Code: rove.CodeProtocol, Op: req.Tool, Message: fmt.Sprintf("a fault in rove: %v", fault), Hint: "see: rove daemon log"}
		}
	}()
	t, err := tool.Find(req.Tool)
	if err != nil {
		return tool.Output{}, err
	}
	call, err := p.prepare(t, req)
	if err != nil {
		return tool.Output{}, err
	}
	return call.Run(ctx)
}

// prepare finds or begins the session and takes the call's place in it, in one
// go: of two calls that begin a session in different ways one is refused.
func (p *pool) prepare(t *tool.Tool, req *Request) (*tool.Call, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	talk, err := p.begin(req)
	if err != nil {
		return nil, err
	}
	return t.Prepare(talk, req.Input, tool.Defaults{})
}

// begin finds the session of a request, or begins it. p.mu is held.
func (p *pool) begin(req *Request) (*session.Conversation, error) {
	name := cmp.Or(req.Session, DefaultSession)
	if p.closed {
		return nil, &rove.Error{Code: rove.CodeClosed, Op: "daemon", Message: "it is ending", Hint: "try again"}
	}
	n := p.named[name]
	// A session in somebody else's browser is never silently another in one of ours.
	elsewhere := n != nil && n.launch.Connect+n.launch.Grid != "" && len(req.Launch.Insisted) == 0
	if n != nil && !alive(n.talk) && !elsewhere && kindOf(n.launch) != kindOf(req.Launch) {
		p.forget(name)
		n = nil
	}
	if n == nil {
		if len(p.named) >= mostNames {
			p.prune()
		}
		m, err := p.manager(req.Launch)
		if err != nil {
			return nil, err
		}
		n = &named{m.Conversation(name), req.Launch}
		p.named[name] = n
	} else if differs := req.Launch.conflict(n.launch); differs != "" && alive(n.talk) {
		return nil, &rove.Error{
			Code: rove.CodeInvalid, Op: "session " + name, Message: "it runs already, " + differs,
			Hint: fmt.Sprintf("end it with: rove session end %s, or take another with --session", name),
		}
	}
	return n.talk, nil
}

func kindOf(l Launch) kind {
	return kind{l.Browser, l.Headed, rove.Viewport{Width: l.Width, Height: l.Height}, l.Profile, l.Output, l.rules(), l.Connect, l.Tabs, l.Grid, l.Emulate}
}

// manager gives the manager of sessions that are started in one way. p.mu is
// held.
func (p *pool) manager(l Launch) (*session.Manager, error) {
	k := kindOf(l)
	if m := p.kinds[k]; m != nil {
		return m, nil
	}
	opts := rove.Options{
		Browser: k.browser, Headed: k.headed, Viewport: k.view, Profile: k.profile, Progress: progress{p},
		Allow: l.Allow, Block: l.Block, Uploads: l.Uploads, Output: l.Output, Caps: l.Caps, Confirm: l.Confirm,
		Connect: l.Connect, Tabs: l.Tabs, Grid: l.Grid, Emulate: l.Emulate,
	}
	if l.Connect != "" {
		opts.Dial = p.hub.Dial
	}
	if l.Secrets != "" {
		var err error
		if opts.Secrets, err = rove.ReadSecrets(l.Secrets); err != nil {
			return nil, err
		}
	}
	for name, value := range l.Display {
		_ = os.Setenv(name, value)
	}
	how := session.Options{Browser: opts, Idle: p.idle, MaxMemory: p.memory}
	if keepsEnded() {
		how.Ended = func(s *rove.Session, name, why string) string { return p.keepEnded(s, name, why, l.Connect == "") }
	}
	m := session.NewManager(how)
	p.kinds[k] = m
	return m, nil
}

// forget drops a name whose session has ended, and the manager that then serves
// nobody. p.mu is held.
func (p *pool) forget(name string) {
	k := kindOf(p.named[name].launch)
	talk := p.named[name].talk
	delete(p.named, name)
	p.work.Go(func() { _ = talk.Close() }) // holds nothing any more
	for _, other := range p.named {
		if kindOf(other.launch) == k {
			return
		}
	}
	m := p.kinds[k]
	delete(p.kinds, k)
	p.work.Go(func() { _ = m.Close() })
}

// mostNames is how many names are remembered before those whose session has
// ended are dropped, with the reason for it that their next caller would be told.
const mostNames = 200

func (p *pool) prune() {
	for name, n := range p.named {
		if !alive(n.talk) {
			p.forget(name)
		}
	}
}

func alive(talk *session.Conversation) bool { return len(talk.Sessions()) > 0 }

// empty says whether no session is open.
func (p *pool) empty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.named {
		if alive(n.talk) {
			return false
		}
	}
	return true
}

func (p *pool) list() []Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := []Session{}
	for name, n := range p.named {
		for _, info := range n.talk.Sessions() {
			s := Session{Name: name, Headed: n.launch.Headed, Browser: n.launch.Browser, Busy: info.Busy}
			if !info.Used.IsZero() {
				s.Idle = int64(time.Since(info.Used).Seconds())
			}
			if info.Session != nil {
				s.URL = info.Session.URL()
			}
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b Session) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// end ends a session.
func (p *pool) end(name string) *Answer {
	name = cmp.Or(name, DefaultSession)
	p.mu.Lock()
	n := p.named[name]
	p.mu.Unlock()
	if n == nil || !alive(n.talk) {
		return &Answer{Error: tool.NewFailure(NoSession("end", name))}
	}
	return &Answer{Error: tool.NewFailure(n.talk.EndSession(""))}
}

// close ends all sessions and browsers. It may be called twice.
func (p *pool) close() error {
	p.mu.Lock()
	p.closed = true
	managers := slices.Collect(maps.Values(p.kinds))
	p.mu.Unlock()
	errs := make([]error, len(managers))
	var wg sync.WaitGroup
	for i, m := range managers {
		wg.Go(func() { errs[i] = m.Close() })
	}
	wg.Wait()
	p.work.Wait()
	p.hub.Close()
	return errors.Join(errs...)
}

// progress passes on how the fetching of a browser goes, to the log and to all
// who wait for an answer.
type progress struct{ p *pool }

var _ io.Writer = progress{}

func (w progress) Write(text []byte) (int, error) {
	w.p.log.Info("browser", "progress", string(text))
	w.p.watchMu.Lock()
	watchers := slices.Collect(maps.Keys(w.p.watchers))
	w.p.watchMu.Unlock()
	for _, l := range watchers {
		l.send(message{Progress: string(text)})
	}
	return len(text), nil
}

func (p *pool) watch(l *lines) {
	p.watchMu.Lock()
	defer p.watchMu.Unlock()
	p.watchers[l] = struct{}{}
}

func (p *pool) unwatch(l *lines) {
	p.watchMu.Lock()
	defer p.watchMu.Unlock()
	delete(p.watchers, l)
}
