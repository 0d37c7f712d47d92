package proposal

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// limiter lets so many calls begin in any interval.
type limiter struct {
	most     int
	interval time.Duration

	mu   sync.Mutex
	last []time.Time // when the last calls began, or will; at most most of them
}

// wait waits for its turn, which is given in the order of arrival.
func (l *limiter) wait(ctx context.Context) error {
	now := time.Now()
	l.mu.Lock()
	at := now
	if len(l.last) == l.most {
		if next := l.last[0].Add(l.interval); next.After(now) {
			at = next
		}
		l.last = l.last[1:]
	}
	l.last = append(l.last, at)
	l.mu.Unlock()
	return pause(ctx, at.Sub(now))
}

// pause waits a while, or for the context.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// callKey is the same for equal calls: JSON writes the names of an object in
// order.
func callKey(tool string, params map[string]any) string {
	text, _ := json.Marshal(params) // they are plain
	return tool + " " + string(text)
}

// memory has what calls answered: for good, where an action is idempotent, or for
// a while. It forgets what was not asked for longest.
type memory struct {
	mu     sync.Mutex
	most   int
	byKey  map[string]*list.Element
	recent list.List // of *memo, the latest first
	flying map[string]chan struct{}
}

type memo struct {
	key   string
	value any
	until time.Time // zero: for good
}

const mostMemos = 1000

func newMemory() *memory {
	return &memory{most: mostMemos, byKey: map[string]*list.Element{}, flying: map[string]chan struct{}{}}
}

func (m *memory) get(key string, now time.Time) (any, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.find(key, now)
}

func (m *memory) find(key string, now time.Time) (any, bool) {
	e := m.byKey[key]
	if e == nil {
		return nil, false
	}
	found := e.Value.(*memo)
	if !found.until.IsZero() && !now.Before(found.until) {
		m.recent.Remove(e)
		delete(m.byKey, key)
		return nil, false
	}
	m.recent.MoveToFront(e)
	return clone(found.value), true
}

func (m *memory) put(key string, value any, until time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.byKey[key]; e != nil {
		m.recent.Remove(e)
	}
	m.byKey[key] = m.recent.PushFront(&memo{key, clone(value), until})
	if m.recent.Len() > m.most {
		oldest := m.recent.Remove(m.recent.Back()).(*memo)
		delete(m.byKey, oldest.key)
	}
}

// enter gives what an equal call answered, waiting for one that is under way, or
// lets the caller be the one; done must then be called.
func (m *memory) enter(ctx context.Context, key string, now func() time.Time) (value any, found bool, done func(), err error) {
	for {
		m.mu.Lock()
		if value, found = m.find(key, now()); found {
			m.mu.Unlock()
			return value, true, nil, nil
		}
		other := m.flying[key]
		if other == nil {
			mine := make(chan struct{})
			m.flying[key] = mine
			m.mu.Unlock()
			return nil, false, func() {
				m.mu.Lock()
				delete(m.flying, key)
				m.mu.Unlock()
				close(mine)
			}, nil
		}
		m.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, false, nil, ctx.Err()
		}
	}
}

// grace is how long an executor that was told to end is waited for.
const grace = 5 * time.Second

// unendedError says that a tool did not end when it was told to.
type unendedError struct{ error }

var errTime = errors.New("out of time")

// invoke calls a tool once, for so long at most, and leaves nothing running if it
// can help it.
func invoke(ctx context.Context, x Executor, tool string, params map[string]any, limit time.Duration) (any, error) {
	bound, cancel := context.WithTimeoutCause(ctx, limit, errTime)
	defer cancel()
	type answer struct {
		output any
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if fault := recover(); fault != nil {
				a = answer{nil, fmt.Errorf("a fault in the tool: %v", fault)}
			}
			done <- a
		}()
		a.output, a.err = x.Execute(bound, tool, params)
		if a.output != nil {
			plained, err := plain(a.output)
			if a.output = plained; err != nil && a.err == nil {
				a.err = fmt.Errorf("the answer can't be written as JSON: %w", err)
			}
		}
	}()
	var a answer
	select {
	case a = <-done:
		if a.err == nil || bound.Err() == nil {
			return a.output, a.err
		}
	case <-bound.Done():
		late := time.NewTimer(grace)
		defer late.Stop()
		select {
		case a = <-done:
		case <-late.C:
			return nil, &unendedError{fmt.Errorf("%w; it was told to end and did not within %v, and may still be at work", ended(ctx, bound, limit), grace)}
		}
	}
	err := ended(ctx, bound, limit)
	if a.err != nil && !errors.Is(a.err, context.DeadlineExceeded) && !errors.Is(a.err, context.Canceled) {
		err = fmt.Errorf("%w: %w", err, a.err)
	}
	return a.output, err
}

// ended says why a call was cut off.
func ended(ctx, bound context.Context, limit time.Duration) error {
	if ctx.Err() == nil && context.Cause(bound) == errTime {
		return fmt.Errorf("timed out after %v", limit)
	}
	return interrupted(ctx)
}

// interrupted says why a proposal was cut off.
func interrupted(ctx context.Context) error {
	var over *budgetError
	if errors.As(context.Cause(ctx), &over) {
		return over
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("the time for the proposal was over")
	}
	return errors.New("the proposal was cancelled")
}

// budgetError says which budget is used up.
type budgetError struct{ what string }

func (e *budgetError) Error() string { return "the budget of " + e.what + " is used up" }
