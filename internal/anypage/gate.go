// Package anypage is what is the same for a page in every browser, whatever protocol
// it is spoken to by: the page script and how it is called, elements between worlds,
// who waits for a page and what ends that, and the order in which it tells its news.
// Backends are made of it and of their protocol.
package anypage

import (
	"context"
	"errors"
	"sync"

	"rove/driver/backend"
)

// Gate is what everybody who waits for a page also waits for. It is shut once,
// with the reason; what opens it again is a new gate.
type Gate struct {
	*barrier
	patient bool // whoever waits here outlasts dialogs
}

type barrier struct {
	Shut chan struct{}
	Err  error // written before Shut is closed
}

// NewGate makes a gate that is open.
func NewGate() *Gate { return &Gate{barrier: &barrier{Shut: make(chan struct{})}} }

// For is the same gate for a call of a function, which may outlast dialogs.
func (g *Gate) For(f backend.Function) *Gate { return &Gate{barrier: g.barrier, patient: f.Patient} }

// Close shuts the gate. The caller sees to it that this happens once.
func (g *Gate) Close(err error) {
	g.Err = err
	close(g.Shut)
}

// Signal tells any number of waiters that something changed. Its owner's lock
// guards it; the zero value is ready.
type Signal struct{ c chan struct{} }

// Next is closed at the next change.
func (s *Signal) Next() <-chan struct{} {
	if s.c == nil {
		s.c = make(chan struct{})
	}
	return s.c
}

// Fire tells those who wait.
func (s *Signal) Fire() {
	if s.c != nil {
		close(s.c)
		s.c = nil
	}
}

// BatchWorker is work done behind a tab's calls, one batch at a time: Add says what
// there is to do, and what is added while a batch runs makes up the next one.
type BatchWorker[K comparable] struct {
	Run func(batch []K)

	mu   sync.Mutex
	todo []K
	in   map[K]bool    // what is in todo
	idle chan struct{} // closed when nothing is left to do; nil when nothing is
}

// Add says what there is to do.
func (c *BatchWorker[K]) Add(keys ...K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		if c.in[k] {
			continue
		}
		if c.in == nil {
			c.in = make(map[K]bool)
		}
		c.in[k] = true
		c.todo = append(c.todo, k)
	}
	if c.idle == nil && len(c.todo) > 0 {
		c.idle = make(chan struct{})
		go c.work()
	}
}

func (c *BatchWorker[K]) work() {
	for {
		c.mu.Lock()
		batch := c.todo
		c.todo, c.in = nil, nil
		if len(batch) == 0 {
			close(c.idle)
			c.idle = nil
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		c.Run(batch)
	}
}

// Busy is nil when there is nothing to do, else closed when all is done.
func (c *BatchWorker[K]) Busy() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle == nil {
		return nil
	}
	return c.idle
}

// Await waits for an answer, or for what makes waiting pointless: the gate is shut, the
// context ends. A patient call outlasts dialogs, until its tab is gone.
func (g *Gate) Await(ctx context.Context, answered, gone <-chan struct{}) error {
	select {
	case <-answered:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-g.Shut:
	}
	select {
	case <-answered:
		return nil
	default:
	}
	if !g.Outlasts(ctx, answered, gone) {
		return g.Err
	}
	return nil
}

// Outlasts waits, behind a gate that is shut, for an answer that comes when somebody has
// closed the dialog.
func (g *Gate) Outlasts(ctx context.Context, answered, gone <-chan struct{}) bool {
	var e *backend.Error
	if !g.patient || !errors.As(g.Err, &e) || e.Kind != backend.KindDialog {
		return false
	}
	select {
	case <-answered:
		return true
	case <-gone:
	case <-ctx.Done():
	}
	return false
}
