package anypage

import (
	"slices"
	"sync"

	"rove/driver/backend"
)

// Observers are those who are told what a context loads and writes; see
// backend.Observable. The zero value is ready.
type Observers struct {
	mu      sync.Mutex
	list    []*observer
	sources []*backend.Source
}

type observer struct {
	what backend.Observation
	fn   func(*backend.Source, backend.Event)

	mu      sync.Mutex
	stopped bool
	known   map[*backend.Source]bool
}

// Observe has fn called until stop is called.
func (w *Observers) Observe(what backend.Observation, fn func(*backend.Source, backend.Event)) (stop func()) {
	o := &observer{what: what, fn: fn, known: map[*backend.Source]bool{}}
	w.mu.Lock()
	w.list = append(slices.Clone(w.list), o)
	there := slices.Clone(w.sources)
	w.mu.Unlock()
	for _, s := range there {
		o.tell(s, backend.SourceAttached{})
	}
	return func() {
		w.mu.Lock()
		w.list = slices.DeleteFunc(slices.Clone(w.list), func(other *observer) bool { return other == o })
		w.mu.Unlock()
		o.mu.Lock()
		defer o.mu.Unlock()
		o.stopped = true
	}
}

// Arrive takes in a source.
func (w *Observers) Arrive(s *backend.Source) {
	w.mu.Lock()
	w.sources = append(w.sources, s)
	w.mu.Unlock()
	w.tell(^backend.Observation(0), s, backend.SourceAttached{})
}

// Leave is the end of a source.
func (w *Observers) Leave(s *backend.Source) {
	w.mu.Lock()
	w.sources = slices.DeleteFunc(w.sources, func(o *backend.Source) bool { return o == s })
	w.mu.Unlock()
	w.tell(^backend.Observation(0), s, backend.SourceDetached{})
}

// Want says whether anybody wants to know.
func (w *Observers) Want(what backend.Observation) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.list, func(o *observer) bool { return o.what&what != 0 })
}

// Tell tells those who want to know.
func (w *Observers) Tell(what backend.Observation, s *backend.Source, events ...backend.Event) {
	w.tell(what, s, events...)
}

func (w *Observers) tell(what backend.Observation, s *backend.Source, events ...backend.Event) {
	w.mu.Lock()
	list := w.list // replaced, never changed
	w.mu.Unlock()
	for _, o := range list {
		if o.what&what != 0 {
			o.tell(s, events...)
		}
	}
}

// tell tells of a source once that it is there, whichever comes first.
func (o *observer) tell(s *backend.Source, events ...backend.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, ev := range events {
		_, attached := ev.(backend.SourceAttached)
		_, detached := ev.(backend.SourceDetached)
		switch {
		case o.stopped, attached && o.known[s], detached && !o.known[s]:
			continue
		case !attached && !o.known[s]:
			o.fn(s, backend.SourceAttached{})
		}
		o.known[s] = true
		if detached {
			delete(o.known, s)
		}
		o.fn(s, ev)
	}
}
