package chrome

import "sync"

// gate is what everybody who waits for a page also waits for. It is shut once,
// with the reason; what opens it again is a new gate.
type gate struct {
	shut chan struct{}
	err  error // written before shut is closed
}

func newGate() *gate { return &gate{shut: make(chan struct{})} }

// close shuts the gate. The caller sees to it that this happens once.
func (g *gate) close(err error) {
	g.err = err
	close(g.shut)
}

// signal tells any number of waiters that something changed. Its owner's lock
// guards it; the zero value is ready.
type signal struct{ c chan struct{} }

// next is closed at the next change.
func (s *signal) next() <-chan struct{} {
	if s.c == nil {
		s.c = make(chan struct{})
	}
	return s.c
}

func (s *signal) fire() {
	if s.c != nil {
		close(s.c)
		s.c = nil
	}
}

// chore is work done behind a tab's calls, one batch at a time: add says what
// there is to do, and what is added while a batch runs makes up the next one.
type chore[K comparable] struct {
	run func(batch []K)

	mu   sync.Mutex
	todo []K
	in   map[K]bool    // what is in todo
	idle chan struct{} // closed when nothing is left to do; nil when nothing is
}

func (c *chore[K]) add(keys ...K) {
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

func (c *chore[K]) work() {
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
		c.run(batch)
	}
}

// busy is nil when there is nothing to do, else closed when all is done.
func (c *chore[K]) busy() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle == nil {
		return nil
	}
	return c.idle
}
