package cdp

import (
	"sync"
	"sync/atomic"

	"rove/internal/wire"
)

// Queue takes the messages of its sessions in the order in which they came:
// it hands events to handlers and completes calls, one at a time, on one
// goroutine. Sessions that belong together share a queue.
type Queue struct {
	conn  *Conn
	mute  atomic.Bool // Close was called: no more events
	tally atomic.Pointer[atomic.Int64]
	ahead atomic.Int64 // events that are counted, and still to be handled
	kind  func(method string) bool

	mu     sync.Mutex
	more   sync.Cond
	items  []item
	ending bool // leave when items is empty
	left   bool // the goroutine is gone
}

// item is an event, or a call with what it is to be completed with.
type item struct {
	event Event
	call  *Pending
	reply wire.Envelope
	err   error
}

// NewQueue starts a queue. It ends with the connection, or with its Close.
func (c *Conn) NewQueue() *Queue {
	q := &Queue{conn: c}
	q.more.L = &q.mu
	c.mu.Lock()
	if c.err != nil {
		q.ending = true
	} else {
		c.queues[q] = struct{}{}
	}
	c.mu.Unlock()
	go q.run()
	return q
}

// Close ends the queue: no further event is handled. Calls under way on its
// sessions still get their replies. It may be called from a handler of the
// queue, so it does not wait for one that is running.
func (q *Queue) Close() {
	q.mute.Store(true)
	q.conn.mu.Lock()
	delete(q.conn.queues, q)
	q.conn.mu.Unlock()
	q.end()
}

// Tally has n counted up by one whenever commands for sessions of the queue are
// sent, however many go out together: the round trips that something took.
func (q *Queue) Tally(n *atomic.Int64) { q.tally.Store(n) }

// Count has Waiting count the events of these methods. It is called before a session is
// attached.
func (q *Queue) Count(kind func(method string) bool) { q.kind = kind }

// Waiting is how many events of the kind that is counted have come and are still to be
// handled. The one that is being handled is none of them.
func (q *Queue) Waiting() int { return int(q.ahead.Load()) }

// counts says whether an item is counted.
func (q *Queue) counts(it *item) bool {
	return q.kind != nil && it.call == nil && q.kind(it.event.Method)
}

// end lets the goroutine leave once it has done all there is.
func (q *Queue) end() {
	q.mu.Lock()
	q.ending = true
	q.mu.Unlock()
	q.more.Signal()
}

// push adds to the queue and never waits. When the goroutine has left, calls
// are completed right here, and events are dropped.
func (q *Queue) push(items ...item) {
	q.mu.Lock()
	left := q.left
	if !left {
		q.items = append(q.items, items...)
		for i := range items {
			if q.counts(&items[i]) {
				q.ahead.Add(1)
			}
		}
	}
	q.mu.Unlock()
	if !left {
		q.more.Signal()
		return
	}
	for _, it := range items {
		if it.call != nil {
			it.call.complete(it)
		}
	}
}

func (q *Queue) run() {
	var batch []item
	for {
		q.mu.Lock()
		for len(q.items) == 0 && !q.ending {
			q.more.Wait()
		}
		if len(q.items) == 0 {
			q.left = true
			q.mu.Unlock()
			return
		}
		batch, q.items = q.items, batch[:0]
		q.mu.Unlock()

		for i := range batch {
			if q.counts(&batch[i]) {
				q.ahead.Add(-1)
			}
			q.do(batch[i])
			batch[i] = item{} // bodies may be large
		}
		if cap(batch) > 1024 {
			batch = nil
		}
	}
}

func (q *Queue) do(it item) {
	if it.call != nil {
		it.call.complete(it)
		return
	}
	if h := it.event.Session.handler.Load(); h != nil && !q.mute.Load() {
		(*h)(it.event)
	}
}
