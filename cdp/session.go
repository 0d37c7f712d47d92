package cdp

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"rove/internal/wire"
)

// Session is a conversation with one target: a page, a frame in a process of
// its own, a worker, or the browser itself.
type Session struct {
	conn    *Conn
	id      string
	queue   *Queue
	handler atomic.Pointer[Handler]
	gone    bool // guarded by conn.mu
}

// ErrSessionGone is what the calls of a session end with once it is detached.
var ErrSessionGone = errors.New("cdp: session is gone")

// Event is something that the browser reports of its own accord.
type Event struct {
	Session *Session
	Method  string
	Params  []byte // JSON; may be kept
}

// Decode decodes the params into v.
func (e Event) Decode(v any) error {
	if err := wire.Unmarshal(e.Params, v); err != nil {
		return fmt.Errorf("%s: decode params: %w", e.Method, err)
	}
	return nil
}

// Handler is called for each event of a session, on the goroutine of the
// session's queue, one event at a time. It must not wait for a reply on the
// same queue, because that reply is behind it in the queue; to Start commands
// is fine.
type Handler func(Event)

// Attach makes the session known that a Target.attachedToTarget event has
// named, and puts it on a queue: nil means the browser's own. No event is lost
// between the announcement and Attach. It may be called from a handler.
func (c *Conn) Attach(id string, q *Queue, h Handler) *Session {
	if q == nil {
		q = c.root.queue
	}
	s := &Session{conn: c, id: id, queue: q}
	s.OnEvent(h)
	c.mu.Lock()
	defer c.mu.Unlock()
	early := c.unclaimed[id]
	delete(c.unclaimed, id)
	if c.err == nil {
		c.sessions[id] = s
	}
	// Under the lock, so that the reader cannot push a later event first.
	for _, e := range early {
		e.Session = s
		q.push(item{event: e})
	}
	return s
}

// ID returns the session's id, "" for the browser.
func (s *Session) ID() string { return s.id }

// Queue returns the queue that the session's messages go through.
func (s *Session) Queue() *Queue { return s.queue }

// OnEvent sets the handler, in place of the one before; nil drops events.
func (s *Session) OnEvent(h Handler) {
	if h == nil {
		s.handler.Store(nil)
		return
	}
	s.handler.Store(&h)
}

// Detach says that the session is gone. Its calls end with ErrSessionGone,
// after the events that came before; messages that come later are dropped.
// The browser's own session cannot be detached.
func (s *Session) Detach() {
	if s == s.conn.root {
		return
	}
	c := s.conn
	c.mu.Lock()
	s.gone = true
	if c.sessions[s.id] == s {
		delete(c.sessions, s.id)
	}
	c.mu.Unlock()
	s.Abort(ErrSessionGone)
}

// Abort ends the calls that are under way on the session with err and leaves
// the session as it is. A page that has crashed does not answer what it was
// asked before, but can be asked to load again.
func (s *Session) Abort(err error) {
	c := s.conn
	c.mu.Lock()
	var calls []item
	for id, p := range c.pending {
		if p.session == s {
			calls = append(calls, item{call: p, err: err})
			delete(c.pending, id)
		}
	}
	c.mu.Unlock()
	s.queue.push(calls...)
}

// Command is a call to be made, for Conn.Start.
type Command struct {
	session *Session
	method  string
	params  any
	aside   bool
}

// Aside gives the command as one that is sent beside what is being done: it is not
// counted by Queue.Tally.
func (c Command) Aside() Command {
	c.aside = true
	return c
}

// Command describes a call of this session. Params are a struct or map that
// encodes as a JSON object, or nil.
func (s *Session) Command(method string, params any) Command {
	return Command{session: s, method: method, params: params}
}

// Start sends one command and does not wait.
func (s *Session) Start(method string, params any) *Pending {
	return s.conn.Start(s.Command(method, params))[0]
}

// Call sends one command, waits for its reply, and decodes the result into
// out, which may be nil.
func (s *Session) Call(ctx context.Context, method string, params, out any) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", method, contextError(ctx))
	}
	return s.Start(method, params).Wait(ctx, out)
}
