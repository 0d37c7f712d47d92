package anypage

import (
	"maps"
	"slices"
	"sync"

	"rove/driver/backend"
)

// News is what a tab tells those who watch it: in order, and one thing at a time. The
// zero value is ready.
type News struct {
	telling sync.Mutex // held while watchers are told; taken before mu

	mu       sync.Mutex
	outbox   []backend.Event
	watchers map[int]func(backend.Event)
	watched  int
}

// Watch has fn called for every event until stop is called. When stop has returned, fn
// is not called any more; it must not be called by fn.
func (n *News) Watch(fn func(backend.Event)) (stop func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.watchers == nil {
		n.watchers = make(map[int]func(backend.Event))
	}
	n.watched++
	id := n.watched
	n.watchers[id] = fn
	return func() {
		n.mu.Lock()
		delete(n.watchers, id)
		n.mu.Unlock()
		n.telling.Lock() // until it is not called any more
		defer n.telling.Unlock()
	}
}

// Add puts events out, to be told by the next Flush. It may be called with any lock held.
func (n *News) Add(events ...backend.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.outbox = append(n.outbox, events...)
}

// Tell adds an event and tells it.
func (n *News) Tell(ev backend.Event) {
	n.Add(ev)
	n.Flush()
}

// Flush tells the watchers what was added. When it returns, all of that has been told,
// here or by somebody else: who completes calls does so after it.
func (n *News) Flush() {
	n.telling.Lock()
	defer n.telling.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	for len(n.outbox) > 0 {
		ev := n.outbox[0]
		n.outbox = n.outbox[1:]
		fns := make([]func(backend.Event), 0, len(n.watchers))
		for _, id := range slices.Sorted(maps.Keys(n.watchers)) {
			fns = append(fns, n.watchers[id])
		}
		n.mu.Unlock()
		for _, fn := range fns {
			fn(ev)
		}
		n.mu.Lock()
	}
}
