package anypage

import (
	"slices"
	"sync"
	"sync/atomic"

	"rove/driver/backend"
)

// Observers are those who are told what a context loads and writes; see
// backend.Observable. The zero value is ready.
type Observers = Audience[*backend.Source, backend.Event]

// Audience are those who are told what the sources of a context say, each in order,
// between its arrival and its end. S is a source, E what it says. The zero value is ready
// where E is a backend.Event.
type Audience[S comparable, E any] struct {
	// Attached and Detached are what is told of a source itself.
	Attached, Detached func(S) E
	// Gone says that a source has ended, whatever still comes of it; nil is that of none.
	Gone func(S) bool

	list atomic.Pointer[[]*listener[S, E]] // replaced, never changed: it is read for every event

	mu      sync.Mutex
	sources []S
}

type listener[S comparable, E any] struct {
	in   *Audience[S, E]
	what backend.Observation
	fn   func(S, E)

	mu      sync.Mutex
	stopped bool
	known   map[S]bool
}

// Observe has fn called until stop is called.
func (a *Audience[S, E]) Observe(what backend.Observation, fn func(S, E)) (stop func()) {
	l := &listener[S, E]{in: a, what: what, fn: fn, known: map[S]bool{}}
	a.mu.Lock()
	list := append(slices.Clone(a.listeners()), l)
	a.list.Store(&list)
	there := slices.Clone(a.sources)
	a.mu.Unlock()
	for _, s := range there {
		l.tell(s)
	}
	return func() {
		a.mu.Lock()
		list := slices.DeleteFunc(slices.Clone(a.listeners()), func(other *listener[S, E]) bool { return other == l })
		a.list.Store(&list)
		a.mu.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.stopped = true
	}
}

func (a *Audience[S, E]) listeners() []*listener[S, E] {
	if list := a.list.Load(); list != nil {
		return *list
	}
	return nil
}

// Sources are those that are there, in the order in which they came.
func (a *Audience[S, E]) Sources() []S {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.sources)
}

// Arrive takes in a source.
func (a *Audience[S, E]) Arrive(s S) {
	a.mu.Lock()
	a.sources = append(a.sources, s)
	a.mu.Unlock()
	a.Tell(^backend.Observation(0), s)
}

// Leave is the end of a source.
func (a *Audience[S, E]) Leave(s S) {
	a.mu.Lock()
	a.sources = slices.DeleteFunc(a.sources, func(o S) bool { return o == s })
	a.mu.Unlock()
	for _, l := range a.listeners() {
		l.leave(s)
	}
}

// Want says whether anybody wants to know.
func (a *Audience[S, E]) Want(what backend.Observation) bool {
	return slices.ContainsFunc(a.listeners(), func(l *listener[S, E]) bool { return l.what&what != 0 })
}

// Tell tells those who want to know.
func (a *Audience[S, E]) Tell(what backend.Observation, s S, events ...E) {
	for _, l := range a.listeners() {
		if l.what&what != 0 {
			l.tell(s, events...)
		}
	}
}

// about is what is told of a source itself: what a backend says of it in its own words, or
// in those of all.
func about[S comparable, E any](s S, own func(S) E, all backend.Event) E {
	if own != nil {
		return own(s)
	}
	return any(all).(E)
}

// tell tells of a source that it is there, whichever comes first: its arrival, the
// beginning of the observation, or an event of it.
func (l *listener[S, E]) tell(s S, events ...E) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped || l.in.Gone != nil && l.in.Gone(s) {
		return
	}
	if !l.known[s] {
		l.known[s] = true
		l.fn(s, about(s, l.in.Attached, backend.SourceAttached{}))
	}
	for _, ev := range events {
		l.fn(s, ev)
	}
}

func (l *listener[S, E]) leave(s S) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.stopped && l.known[s] {
		delete(l.known, s)
		l.fn(s, about(s, l.in.Detached, backend.SourceDetached{}))
	}
}
