package session

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"rove"
)

// browser is what this package needs of a *rove.Browser; tests have their own.
type browser interface {
	open(ctx context.Context, view rove.Viewport) (opened, error)
	Done() <-chan struct{}
	Memory() (int64, error)
	Close() error
}

// started is a browser as rove starts it.
type started struct{ *rove.Browser }

func launch(ctx context.Context, opts rove.Options) (browser, error) {
	b, err := rove.Launch(ctx, opts)
	if err != nil {
		return nil, err
	}
	return started{b}, nil
}

func (b started) open(ctx context.Context, view rove.Viewport) (opened, error) {
	s, err := b.Open(ctx, view)
	if err != nil {
		return nil, err
	}
	return realSession{s}, nil
}

type realSession struct{ *rove.Session }

func (s realSession) session() *rove.Session { return s.Session }

// process is a browser, from the moment its start is decided.
type process struct {
	ready   chan struct{} // closed when the start is over
	browser browser       // then set, or
	err     error

	cancel context.CancelFunc // gives the start up
	ending sync.Once
	failed error // of ending

	// guarded by Manager.mu
	users map[*slot]struct{}
	spare *time.Timer // runs while nobody uses it
}

// dead says whether the browser is gone. A nil process, or one that is still
// starting, is not.
func (p *process) dead() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.ready:
	default:
		return false
	}
	if p.browser == nil {
		return false // it never came up, which its users have been told
	}
	select {
	case <-p.browser.Done():
		return true
	default:
		return false
	}
}

// gone says why the browser is no more.
func (p *process) gone() string {
	if b, ok := p.browser.(started); ok && b.Gone() != "" {
		return b.Gone()
	}
	return "the browser ended unexpectedly"
}

// end ends the browser, and returns when it is gone.
func (p *process) end() error {
	p.ending.Do(func() {
		p.cancel()
		<-p.ready
		if p.browser != nil {
			p.failed = p.browser.Close()
		}
	})
	return p.failed
}

// begin starts a browser in the background. m.mu is held.
func (m *Manager) begin() *process {
	ctx, cancel := context.WithTimeout(m.stop, m.opts.Start)
	p := &process{ready: make(chan struct{}), cancel: cancel, users: make(map[*slot]struct{})}
	m.work.Go(func() {
		defer cancel()
		b, err := m.opts.launch(ctx)
		if killed(err) && ctx.Err() == nil {
			b, err = m.opts.launch(ctx) // nobody has used it yet
		}
		if err != nil {
			m.mu.Lock()
			p.err = startError(err)
			if m.shared == p {
				m.shared = nil // the next call tries again
			}
			m.mu.Unlock()
			close(p.ready)
			return
		}
		p.browser = b
		close(p.ready)
		m.work.Go(func() {
			<-b.Done()
			m.mu.Lock()
			m.lost(p)
			m.mu.Unlock()
			_ = p.end() // what it left behind
		})
	})
	return p
}

// killed says of a browser that did not start that somebody, or the system, ended it.
func killed(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == -1
}

func startError(err error) error {
	if _, ok := errors.AsType[*rove.Error](err); ok {
		return err
	}
	code := rove.CodeClosed
	if errors.Is(err, context.DeadlineExceeded) {
		code = rove.CodeTimeout
	}
	return &rove.Error{Code: code, Op: "session", Message: fmt.Sprintf("the browser did not start: %v", err), Hint: "rove doctor tells what it lacks", Err: err}
}

// spare ends a browser that finds no use for a while. m.mu is held.
func (m *Manager) spare(p *process) {
	if m.opts.Idle < 0 {
		return
	}
	if p.spare != nil {
		p.spare.Reset(m.opts.Spare)
		return
	}
	p.spare = time.AfterFunc(m.opts.Spare, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.closed || m.shared != p || len(p.users) > 0 {
			return
		}
		m.shared = nil
		go p.end()
	})
}

// open opens a session in a slot whose turn the caller has.
func (m *Manager) open(ctx context.Context, r *slot) (*rove.Session, error) {
	if err := m.memoryExceeded(); err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		p, err := m.acquire(ctx, r)
		if err != nil {
			return nil, err
		}
		s, err := p.browser.open(ctx, m.opts.Browser.Viewport)
		if err == nil {
			return m.keepSession(r, p, s)
		}
		m.releaseUnused(r, p)
		// The browser may have died between two sessions; one more is tried.
		if try == 0 && p.dead() && ctx.Err() == nil {
			m.mu.Lock()
			m.lost(p)
			m.mu.Unlock()
			continue
		}
		if ctx.Err() != nil {
			return nil, cancelled(ctx)
		}
		return nil, startError(err)
	}
}

// acquire gives a running browser, started if there is none, and counts the slot
// among its users.
func (m *Manager) acquire(ctx context.Context, r *slot) (*process, error) {
	m.mu.Lock()
	if r.why != "" {
		m.mu.Unlock()
		return nil, ended(r.why)
	}
	p := m.shared
	if m.opts.Own || p == nil {
		p = m.begin()
		if !m.opts.Own {
			m.shared = p
		}
	}
	p.users[r] = struct{}{}
	if p.spare != nil {
		p.spare.Stop()
	}
	m.mu.Unlock()

	select {
	case <-p.ready:
	case <-r.left:
	case <-ctx.Done():
	}
	var err error
	select {
	case <-p.ready:
		if err = p.err; err == nil {
			return p, nil
		}
	default:
		if err = cancelled(ctx); ctx.Err() == nil {
			err = ended(r.why) // written before left was closed
		}
	}
	m.releaseUnused(r, p)
	return nil, err
}

// releaseUnused takes back what acquire did, for a session that was not opened. The
// browser is left for the next try, for a while.
func (m *Manager) releaseUnused(r *slot, p *process) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(p.users, r)
	switch {
	case len(p.users) > 0:
	case m.shared == p:
		m.spare(p)
	default:
		go p.end()
	}
}

// keepSession makes an opened session the slot's.
func (m *Manager) keepSession(r *slot, p *process, s opened) (*rove.Session, error) {
	m.mu.Lock()
	r.process, r.context = p, s
	why := r.why
	m.mu.Unlock()
	if why != "" {
		// The slot was left while the session opened, too early for clear to
		// find it.
		_ = m.clear(r)
		return nil, ended(why)
	}
	return s.session(), nil
}

// clear closes what is open in a slot that was left. The last user of a browser
// ends it.
func (m *Manager) clear(r *slot) error {
	m.mu.Lock()
	p, s := r.process, r.context
	r.context = nil
	if s == nil {
		m.mu.Unlock()
		return nil
	}
	delete(p.users, r)
	last := len(p.users) == 0
	if last && m.shared == p {
		m.shared = nil
	}
	m.mu.Unlock()
	if last {
		return p.end()
	}
	if p.dead() {
		return nil
	}
	return s.Close()
}

// lost ends the sessions of a browser that ended by itself. m.mu is held.
func (m *Manager) lost(p *process) {
	if m.shared == p {
		m.shared = nil
	}
	for r := range p.users {
		if r.context == nil {
			continue // still opening: it finds out by itself
		}
		s := r.context
		r.context = nil
		delete(p.users, r)
		if r.why == "" {
			m.leave(r, p.gone(), true)
			m.tellEnd(r, s)
		}
	}
}
