package driver

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rove/driver/backend"
)

// While drivers come back, those who wait go on waiting: their turn comes.
func TestPoolWaitsWhileTurnsCome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, err := NewPool(PoolOptions{Size: 1, Start: func(context.Context) (backend.Browser, error) { return nil, nil }})
		if err != nil {
			t.Fatal(err)
		}
		p.slots <- struct{}{}
		go func() {
			for range 5 {
				time.Sleep(20 * time.Second)
				p.mu.Lock()
				p.back = time.Now()
				p.mu.Unlock()
			}
			time.Sleep(20 * time.Second)
			<-p.slots
		}()
		start := time.Now()
		if err := p.takeSlot(t.Context()); err != nil || time.Since(start) != 120*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		start = time.Now()
		if err := p.takeSlot(t.Context()); err == nil || !strings.Contains(err.Error(), "the pool is exhausted, waited 30.0 s") || time.Since(start) != poolWait {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

// hollow is a browser that starts and ends, and no more.
type hollow struct {
	backend.Browser
	ended bool
}

func (*hollow) NewContext(context.Context, backend.ContextOptions) (backend.Context, error) {
	return nil, nil
}
func (h *hollow) Done() <-chan struct{} { return nil }
func (h *hollow) Close() error          { h.ended = true; return nil }

// A browser that is too slow for one is not ended while others open something in it,
// and is replaced once, however many say that it does not work.
func TestPoolKeepsABrowserThatOthersOpen(t *testing.T) {
	t.Parallel()
	p, err := NewPool(PoolOptions{Size: 8, Start: func(context.Context) (backend.Browser, error) { return &hollow{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	started := func(opening int, failed backend.Browser) *hollow {
		t.Helper()
		p.opening = opening
		b, err := p.started(t.Context(), failed)
		if err != nil {
			t.Fatal(err)
		}
		return b.(*hollow)
	}
	first := started(8, nil)
	if started(8, first) != first || first.ended {
		t.Error("it was ended while seven others opened something in it")
	}
	second := started(1, first)
	if second == first || !first.ended {
		t.Error("it was not replaced when nobody else needed it")
	}
	if started(1, first) != second || second.ended {
		t.Error("its successor was ended for it")
	}
}
