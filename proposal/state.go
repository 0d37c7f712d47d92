package proposal

import "sync"

// store is the state: keys and plain values. Each key has its writes in layers,
// the latest on top. A proposal that is at work owns its layers, and takes them
// away if it is rolled back, wherever in the pile they are by then: what others
// wrote before or since comes to light or stays.
type store struct {
	mu     sync.Mutex
	layers map[string][]layer
}

type layer struct {
	owner *tx // nil: it stays
	value any
}

func newStore(values map[string]any) *store {
	s := &store{layers: map[string][]layer{}}
	for k, v := range values {
		s.layers[k] = []layer{{value: clone(v)}}
	}
	return s
}

// get gives a value, which must not be changed.
func (s *store) get(key string) (any, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.top(key)
}

func (s *store) top(key string) (any, bool) {
	pile := s.layers[key]
	if len(pile) == 0 {
		return nil, false
	}
	return pile[len(pile)-1].value, true
}

func (s *store) all() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]any, len(s.layers))
	for k := range s.layers {
		v, _ := s.top(k)
		out[k] = clone(v)
	}
	return out
}

// tx is what one proposal does to the state. Others see it at once; it can be
// undone until it is committed.
type tx struct {
	store *store
	keys  map[string]bool
}

func (s *store) begin() *tx { return &tx{store: s, keys: map[string]bool{}} }

// set writes. record is called with nobody else writing, so that a journal has
// the writes in the order in which they were made.
func (t *tx) set(changes map[string]any, record func()) {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	record()
	for key, value := range changes {
		t.lift(key)
		t.store.layers[key] = append(t.store.layers[key], layer{t, clone(value)})
		t.keys[key] = true
	}
}

// lift takes this proposal's layer of a key away and says whether it was on top.
func (t *tx) lift(key string) bool {
	pile := t.store.layers[key]
	for i := range pile {
		if pile[i].owner == t {
			t.store.layers[key] = append(pile[:i:i], pile[i+1:]...)
			if len(t.store.layers[key]) == 0 {
				delete(t.store.layers, key)
			}
			return i == len(pile)-1
		}
	}
	return false
}

// commit makes the writes last, and forgets what they were written over.
func (t *tx) commit(record func()) {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	record()
	for key := range t.keys {
		pile := t.store.layers[key]
		for i := range pile {
			if pile[i].owner == t {
				pile[i].owner = nil
				t.store.layers[key] = append([]layer(nil), pile[i:]...)
				break
			}
		}
	}
	clear(t.keys)
}

// Undone is what a rollback changed: the values that are there now, and the keys
// that are not there any more. What somebody else has written since is in
// neither.
type Undone struct {
	Restored map[string]any `json:"restored,omitempty"`
	Removed  []string       `json:"removed,omitempty"`
}

// rollback takes the writes back.
func (t *tx) rollback(record func(Undone)) {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	u := Undone{Restored: map[string]any{}}
	for _, key := range sorted(t.keys) {
		if !t.lift(key) {
			continue
		}
		if v, there := t.store.top(key); there {
			u.Restored[key] = clone(v)
		} else {
			u.Removed = append(u.Removed, key)
		}
	}
	clear(t.keys)
	record(u)
}
