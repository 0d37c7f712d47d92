package webdriver

import (
	"context"
	"errors"
	"sync"

	"rove/driver/backend"
)

// Browser drives browsers by WebDriver alone. A session has one set of cookies and
// storage, so every context is a session of its own, with a browser of its own. It
// implements backend.Browser.
type Browser struct {
	open  func(context.Context) (*Session, error)
	first *Session

	mu       sync.Mutex
	spare    *Session // the first one, until a context has it
	sessions []*Session
	done     chan struct{}
	close    func() error
}

var _ backend.Browser = (*Browser)(nil)

// NewBrowser drives the browser of a session, and those of further ones, which open
// opens when they are needed.
func NewBrowser(s *Session, open func(context.Context) (*Session, error)) *Browser {
	b := &Browser{open: open, first: s, spare: s, sessions: []*Session{s}, done: make(chan struct{})}
	b.close = sync.OnceValue(b.end)
	if gone := s.Done(); gone != nil {
		go func() {
			<-gone
			_ = b.Close()
		}()
	}
	return b
}

// Version is the product and version of the browser.
func (b *Browser) Version() string { return b.first.Product() }

// Done is closed when the browser is gone.
func (b *Browser) Done() <-chan struct{} { return b.done }

// Memory is how much memory the browser's processes have.
func (b *Browser) Memory() (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var sum int64
	for _, s := range b.sessions {
		n, err := s.Memory()
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// Folder is a directory that goes with the browser.
func (b *Browser) Folder() string { return b.first.Folder() }

// Close ends the browser, and all that it opened.
func (b *Browser) Close() error { return b.close() }

func (b *Browser) end() error {
	b.mu.Lock()
	all := b.sessions
	b.sessions, b.spare = nil, nil
	b.mu.Unlock()
	var errs []error
	for _, s := range all {
		errs = append(errs, s.End())
	}
	close(b.done)
	return errors.Join(errs...)
}

// NewContext opens a context: a session of its own. One that may not reach everything is
// refused, there is nothing that would keep the browser to it.
func (b *Browser) NewContext(ctx context.Context, opts backend.ContextOptions) (backend.Context, error) {
	if opts.Policy != nil && opts.Policy.Limits() {
		return nil, backend.Fail(backend.KindUnsupported, "a session whose network is limited (allow, block) on "+b.first.Name+"; with Chrome it works")
	}
	b.mu.Lock()
	s := b.spare
	b.spare = nil
	b.mu.Unlock()
	if s == nil {
		var err error
		if s, err = b.open(ctx); err != nil {
			return nil, fault(err)
		}
		b.mu.Lock()
		b.sessions = append(b.sessions, s)
		b.mu.Unlock()
	}
	c := newContext(b, s, opts)
	if err := c.begin(ctx); err != nil {
		_ = c.Close(ctx)
		return nil, err
	}
	return c, nil
}
