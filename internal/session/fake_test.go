package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rove"
)

// farm makes browsers that are nothing but their own life and death.
type farm struct {
	takes time.Duration // how long a start takes
	fails error         // what a start fails with
	once  bool          // and only the first

	mu       sync.Mutex
	browsers []*fakeBrowser
}

func (f *farm) launch(ctx context.Context) (browser, error) {
	b := &fakeBrowser{done: make(chan struct{})}
	f.mu.Lock()
	f.browsers = append(f.browsers, b)
	takes, fails := f.takes, f.fails
	if f.once {
		f.fails = nil
	}
	f.mu.Unlock()
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		b.die()
		return nil, ctx.Err()
	}
	if fails != nil {
		b.die()
		return nil, fails
	}
	return b, nil
}

func (f *farm) started() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.browsers)
}

func (f *farm) living() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, b := range f.browsers {
		select {
		case <-b.done:
		default:
			n++
		}
	}
	return n
}

func (f *farm) last() *fakeBrowser {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.browsers[len(f.browsers)-1]
}

type fakeBrowser struct {
	once     sync.Once
	done     chan struct{}
	contexts atomic.Int32
	blocks   bool // opening a session hangs
	memory   int64
}

func (b *fakeBrowser) die()                  { b.once.Do(func() { close(b.done) }) }
func (b *fakeBrowser) Done() <-chan struct{} { return b.done }

func (b *fakeBrowser) Memory() (int64, error) {
	if b.memory < 0 {
		return 0, errors.ErrUnsupported
	}
	return b.memory, nil
}

func (b *fakeBrowser) Close() error { b.die(); return nil }

func (b *fakeBrowser) open(ctx context.Context, _ rove.Viewport) (opened, error) {
	if b.blocks {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	select {
	case <-b.done:
		return nil, errors.New("the browser is gone")
	default:
	}
	b.contexts.Add(1)
	return &fakeSession{b: b, s: new(rove.Session)}, nil
}

type fakeSession struct {
	b    *fakeBrowser
	s    *rove.Session
	once sync.Once
}

func (s *fakeSession) session() *rove.Session { return s.s }
func (s *fakeSession) Close() error           { s.once.Do(func() { s.b.contexts.Add(-1) }); return nil }

// manager makes a manager on a farm that ends with the test.
func manager(t *testing.T, f *farm, opts Options) *Manager {
	t.Helper()
	opts.launch = f.launch
	m := NewManager(opts)
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		if n := f.living(); n != 0 {
			t.Errorf("%d browsers live on after Close", n)
		}
	})
	return m
}

// use makes one call on a session and gives what it was handed.
func use(t *testing.T, c *Conversation, name string) (s *rove.Session, note string) {
	t.Helper()
	call := c.Call(name)
	defer call.End()
	s, err := call.Session(t.Context())
	if err != nil {
		t.Errorf("session %q: %v", name, err)
	}
	return s, call.Note()
}

// code is the code of an error, or "" for none.
func code(err error) rove.Code {
	if err == nil {
		return ""
	}
	var e *rove.Error
	if !errors.As(err, &e) {
		return "not a rove.Error: " + rove.Code(err.Error())
	}
	return e.Code
}

func ptr(s *rove.Session) string { return fmt.Sprintf("%p", s) }
