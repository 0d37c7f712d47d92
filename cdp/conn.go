package cdp

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"rove/internal/wire"
)

// Conn is a connection to a browser.
//
//	 Start, Call                                         Handler    Wait
//	     │                                                  ▲         ▲
//	     │ encode, note as pending                          │ events  │ replies
//	     ▼                                                  │         │
//	┌─────────┐                                        ┌────┴─────────┴────┐
//	│   out   │  all that                 of one tab   │ Queue (unbounded) ├─┐
//	└────┬────┘  is waiting               and its      │   one goroutine   │ │
//	     │       leaves in                frames and   └─┬─────────────────┘ │
//	     ▼       one write                workers        └──────▲────────────┘
//	┌─────────┐                                                 │ push, in the
//	│ writer  │                                                 │ order of arrival
//	└────┬────┘                                           ┌─────┴─────┐
//	     │                                                │  reader   │ splits, never
//	     │                 ┌───────────┐                  └─────▲─────┘ decodes, never
//	     └────────────────►│ Transport ├────────────────────────┘       waits
//	                       └───────────┘
//
// An event and a reply of the same session travel through the same queue, so
// the event that came first is handled first, and a call returns only after
// that. The reader waits for nobody: a slow handler holds up its own queue and
// no other, and a browser is never kept from writing.
//
// Two locks exist, Conn.mu and Queue.mu. Neither is held over I/O, a handler
// or a channel operation, and Queue.mu is never held while taking Conn.mu.
type Conn struct {
	transport Transport
	root      *Session
	lastID    atomic.Int64
	stats     counters

	wake       chan struct{} // tells the writer that out has grown; holds one
	readerDone chan struct{}
	writerDone chan struct{}
	done       chan struct{} // closed when the connection has ended

	mu       sync.Mutex
	err      error // why it ended; nil while it lives
	out      [][]byte
	pending  map[int64]*Pending
	sessions map[string]*Session
	queues   map[*Queue]struct{}

	// Sessions that are announced and not yet attached, with their events.
	unclaimed map[string][]Event
}

// ErrClosed is what every call ends with once the connection is closed, by us
// or by the browser. The error returned wraps it together with the cause.
var ErrClosed = errors.New("cdp: connection closed")

// Transport carries messages to a browser and back: a pipe, a websocket.
type Transport interface {
	// Read returns the next message, which belongs to the caller. After the peer has
	// closed, it returns io.EOF.
	Read() ([]byte, error)
	// Write sends the messages, in one write where it can. It does not keep the slices.
	Write(msgs [][]byte) error
	// Close ends the connection and unblocks Read and Write.
	Close() error
}

// New starts a connection over t and owns it from then on.
func New(t Transport) *Conn {
	c := &Conn{
		transport:  t,
		wake:       make(chan struct{}, 1),
		readerDone: make(chan struct{}),
		writerDone: make(chan struct{}),
		done:       make(chan struct{}),
		pending:    make(map[int64]*Pending),
		sessions:   make(map[string]*Session),
		queues:     make(map[*Queue]struct{}),
		unclaimed:  make(map[string][]Event),
	}
	c.root = &Session{conn: c, queue: c.NewQueue()}
	c.sessions[""] = c.root
	go c.read()
	go c.write()
	return c
}

// Root returns the session of the browser itself.
func (c *Conn) Root() *Session { return c.root }

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err tells why the connection has ended: nil while it lives, ErrClosed after
// Close, and otherwise an error that wraps ErrClosed and the cause.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection. Calls under way end with ErrClosed; messages that
// had been received before are still handled. It may be called from a handler,
// so it does not wait for handlers.
func (c *Conn) Close() error {
	err := c.end(ErrClosed)
	<-c.readerDone
	<-c.writerDone
	return err
}

// end closes the connection for the reason given. Only the first call counts.
func (c *Conn) end(reason error) error {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		<-c.done
		return nil
	}
	c.err = reason
	orphans := slices.Collect(maps.Values(c.pending))
	clear(c.pending)
	clear(c.unclaimed)
	queues := c.queues
	c.queues, c.out = nil, nil
	c.mu.Unlock()

	err := c.transport.Close()
	close(c.done)
	// Behind all that was received before, and then nothing more.
	for _, p := range orphans {
		p.session.queue.push(item{call: p, err: reason})
	}
	for q := range queues {
		q.end()
	}
	return err
}

func (c *Conn) read() {
	defer close(c.readerDone)
	for {
		msg, err := c.transport.Read()
		if err != nil {
			c.end(fmt.Errorf("%w: %w", ErrClosed, err))
			return
		}
		c.stats.bytesIn.Add(int64(len(msg)))
		e, err := wire.Split(msg)
		if err == nil {
			err = c.route(e)
		}
		// After a message that cannot be understood some call might wait for
		// ever, so the connection ends with it.
		if err != nil {
			c.end(fmt.Errorf("%w: %w", ErrClosed, err))
			return
		}
	}
}

// route hands a message to the queue it belongs to.
func (c *Conn) route(e wire.Envelope) error {
	switch {
	case e.ID != 0:
		c.stats.replies.Add(1)
		// By id and not by session: a browser leaves the session out of the
		// reply when it is gone.
		if p := c.take(e.ID); p != nil {
			p.session.queue.push(item{call: p, reply: e})
		}
		return nil
	case e.Failed:
		return fmt.Errorf("the browser could not read a command: %w", decodeError("", e.Body))
	}
	c.stats.events.Add(1)
	switch e.Method {
	case "Target.attachedToTarget":
		c.expectSession(e.Body)
	case "Target.detachedFromTarget":
		c.forgetSession(e.Body)
	}
	c.mu.Lock()
	s := c.sessions[e.Session]
	if s == nil {
		if held, ok := c.unclaimed[e.Session]; ok {
			c.unclaimed[e.Session] = append(held, Event{Method: e.Method, Params: e.Body})
		}
		c.mu.Unlock()
		return nil // not attached yet, detached, or never ours
	}
	c.mu.Unlock()
	s.queue.push(item{event: Event{Session: s, Method: e.Method, Params: e.Body}})
	return nil
}

// expectSession notes a session that the browser has just announced. Its own events
// may be read before a handler has seen the announcement and called Attach;
// they are kept until then. This and unexpect are all that the reader decodes.
func (c *Conn) expectSession(params []byte) {
	id := sessionOf(params)
	c.mu.Lock()
	defer c.mu.Unlock()
	if id != "" && c.sessions[id] == nil && c.err == nil {
		c.unclaimed[id] = nil
	}
}

func (c *Conn) forgetSession(params []byte) {
	id := sessionOf(params)
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.unclaimed, id)
}

func sessionOf(params []byte) string {
	var v struct {
		SessionID string `json:"sessionId"`
	}
	if wire.Unmarshal(params, &v) != nil {
		return "" // the handler will meet the error
	}
	return v.SessionID
}

// take removes a pending call. Whoever gets it has to complete it.
func (c *Conn) take(id int64) *Pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pending[id]
	delete(c.pending, id)
	return p
}

func (c *Conn) write() {
	defer close(c.writerDone)
	for {
		select {
		case <-c.wake:
		case <-c.done:
			return
		}
		c.mu.Lock()
		batch := c.out
		c.out = nil
		c.mu.Unlock()
		if len(batch) == 0 {
			continue
		}
		var size int64
		for _, m := range batch {
			size += int64(len(m))
		}
		// Counted first, so that whoever has a reply sees its write counted.
		c.stats.writes.Add(1)
		c.stats.bytesOut.Add(size)
		if err := c.transport.Write(batch); err != nil {
			c.end(fmt.Errorf("%w: write: %w", ErrClosed, err))
			return
		}
	}
}

// Start sends the commands in one write and does not wait, neither for the
// replies nor for the write. A command that cannot be sent (its params do not
// encode, its session or the connection is gone) says so when waited for; the
// others are sent all the same.
func (c *Conn) Start(cmds ...Command) []*Pending {
	calls := make([]*Pending, len(cmds))
	msgs := make([][]byte, len(cmds))
	for i, cmd := range cmds {
		p := &Pending{session: cmd.session, id: c.lastID.Add(1), method: cmd.method, done: make(chan struct{})}
		calls[i] = p
		if p.session == nil || p.session.conn != c {
			p.session, p.err = c.root, errors.New("command of another connection")
			continue
		}
		msgs[i], p.err = wire.AppendCommand(nil, p.id, cmd.method, cmd.params, cmd.session.id)
	}

	c.mu.Lock()
	var refused []*Pending
	var counted *atomic.Int64
	for i, p := range calls {
		switch {
		case p.err != nil:
		case c.err != nil:
			p.err = c.err
		case p.session.gone:
			p.err = ErrSessionGone
		}
		if p.err != nil {
			refused = append(refused, p)
			continue
		}
		c.pending[p.id] = p
		c.out = append(c.out, msgs[i])
		if n := p.session.queue.tally.Load(); n != nil && n != counted && !cmds[i].aside {
			n.Add(1)
			counted = n
		}
	}
	sent := len(calls) - len(refused)
	c.stats.commands.Add(int64(sent))
	c.mu.Unlock()

	for _, p := range refused {
		close(p.done)
	}
	if sent > 0 {
		select {
		case c.wake <- struct{}{}:
		default: // the writer has not looked yet
		}
	}
	return calls
}

// Stats counts what has passed. Reading it before and after proves how many
// writes something took.
type Stats struct {
	Writes   int64 // writes to the transport
	Commands int64 // commands put out for sending
	Replies  int64 // replies received, wanted or not
	Events   int64 // events received, wanted or not
	BytesIn  int64 // of messages, without framing
	BytesOut int64
}

type counters struct {
	writes, commands, replies, events, bytesIn, bytesOut atomic.Int64
}

// Stats returns the counts so far.
func (c *Conn) Stats() Stats {
	return Stats{
		Writes:   c.stats.writes.Load(),
		Commands: c.stats.commands.Load(),
		Replies:  c.stats.replies.Load(),
		Events:   c.stats.events.Load(),
		BytesIn:  c.stats.bytesIn.Load(),
		BytesOut: c.stats.bytesOut.Load(),
	}
}
