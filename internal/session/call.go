package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"rove"
)

// slot is one session of a conversation: its place, whether or not a browser
// context is open in it yet.
type slot struct {
	conversation *Conversation
	name         string
	left         chan struct{} // closed when the session has ended

	// guarded by Manager.mu
	why   string        // why it ended
	calls int           // begun and not ended
	last  chan struct{} // closed at the end of the latest call
	idle  *time.Timer   // runs while there is no call
	used  time.Time     // end of the latest call

	// written by the call whose turn it is, under Manager.mu
	process *process
	context opened
}

// opened is a session in a browser.
type opened interface {
	session() *rove.Session
	Close() error
}

// Call is one call of a tool on one session. It has its place in the session's
// order from the start.
type Call struct {
	m      *Manager
	slot   *slot
	err    error           // why there is no session to be had
	before <-chan struct{} // closed when it is this call's turn
	after  chan struct{}   // closed when this call has ended
	note   string
	given  time.Time // when the session was handed out, if it was
	opened bool      // by this call
	end    sync.Once
}

// Call begins a call on the session of that name and takes its place among the
// session's calls. It never waits; what is wrong is told by Session.
func (c *Conversation) Call(name string) *Call {
	name = c.name(name)
	if err := checkName(name); err != nil {
		return &Call{err: err}
	}
	m := c.m
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.closed || m.closed {
		return &Call{err: refuse(rove.CodeClosed, "the conversation has ended", "begin another")}
	}
	r := c.slots[name]
	if r != nil && r.process.dead() {
		// Its end was not noticed yet.
		m.lost(r.process)
		r = nil
	}
	if r == nil {
		if m.count >= m.opts.Max {
			return &Call{err: m.tooMany()}
		}
		r = &slot{conversation: c, name: name, left: make(chan struct{}), last: make(chan struct{})}
		close(r.last)
		c.slots[name] = r
		m.count++
	}
	call := &Call{m: m, slot: r, before: r.last, after: make(chan struct{}), note: c.gone[name]}
	delete(c.gone, name)
	r.last = call.after
	r.calls++
	if r.idle != nil {
		r.idle.Stop()
	}
	return call
}

// Session waits for the call's turn and gives the session, which is opened if
// need be. It is the call's until End.
func (c *Call) Session(ctx context.Context) (*rove.Session, error) {
	r, why, context, err := c.turn(ctx)
	switch {
	case err != nil:
		return nil, err
	case why != "":
		return nil, ended(why)
	case context != nil:
		c.given = time.Now()
		return context.session(), nil
	}
	s, err := c.m.open(ctx, r)
	if err == nil {
		c.given, c.opened = time.Now(), true
		return s, nil
	}
	if known, ok := errors.AsType[*rove.Error](err); c.note != "" && ok {
		// Why there is none any more is the news, not that there is none.
		more := *known
		more.Message, more.Err = c.note+"; "+known.Message, err
		return nil, &more
	}
	return nil, err
}

// AnyFile says that the session may read any file of this machine.
func (c *Call) AnyFile() bool { return c.err == nil && c.m.opts.Browser.Uploads == nil }

// turn waits for the call's turn and tells what there is then: a session, or why it has
// ended, or neither.
func (c *Call) turn(ctx context.Context) (r *slot, why string, there opened, err error) {
	if c.err != nil {
		return nil, "", nil, c.err
	}
	r = c.slot
	select {
	case <-c.before:
	case <-r.left:
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return nil, "", nil, cancelled(ctx)
	}
	c.m.mu.Lock()
	defer c.m.mu.Unlock()
	return r, r.why, r.context, nil
}

// None says, at the call's turn, that there is no session yet: Session would open one.
func (c *Call) None(ctx context.Context) bool {
	_, why, there, err := c.turn(ctx)
	return err == nil && why == "" && there == nil
}

// Opened says that there was no session before this call, which has opened it: nobody has
// been to any page in it.
func (c *Call) Opened() bool { return c.opened }

// Note is what the caller must know of the session: that it is a new one,
// because the browser of the last ended, or it was idle too long. It is ""
// where there is nothing to say, and as long as no session was handed out: then
// the next call has it.
func (c *Call) Note() string {
	if c.note == "" || c.given.IsZero() {
		return ""
	}
	return "note: " + c.note + "; this is a new session, without its pages, cookies and refs"
}

const (
	// atOnce is how soon a browser is found to be gone that was gone before the
	// call began.
	atOnce = 3 * time.Second
	// tells is how long the news of its end may take to come by all ways.
	tells = 500 * time.Millisecond
)

// Again gives a call in the place of this one, which failed and has not ended: its
// browser was gone before it began, though nobody knew, or went soon after. Nil if it
// was not so. The new call is on a new session, and says so.
func (c *Call) Again(ctx context.Context, err error) *Call {
	if err == nil || ctx.Err() != nil || c.given.IsZero() || time.Since(c.given) > atOnce || !c.lostBrowser(err) {
		return nil
	}
	c.End()
	return c.slot.conversation.Call(c.slot.name)
}

// lostBrowser says whether a call failed because its browser is gone. That it cannot be
// talked to is known before it is known to be gone.
func (c *Call) lostBrowser(err error) bool {
	if rove.CodeOf(err) != rove.CodeClosed {
		return false
	}
	c.m.mu.Lock()
	p := c.slot.process
	c.m.mu.Unlock()
	if p == nil || p.browser == nil {
		return false
	}
	select {
	case <-p.browser.Done():
		return true
	case <-time.After(tells):
		return false
	}
}

// Explain names the end of the session as the cause of an error, if it was.
func (c *Call) Explain(err error) error {
	var e *rove.Error
	if err == nil || c.slot == nil || errors.As(err, &e) && e.Op == "session" {
		return err
	}
	c.m.mu.Lock()
	defer c.m.mu.Unlock()
	r := c.slot
	if r.why == "" && r.process.dead() {
		c.m.lost(r.process)
	}
	if r.why == "" {
		return err
	}
	explained := ended(r.why)
	explained.Err = err
	return explained
}

// End ends the call: the next one's turn comes, and the idle clock begins to
// run. It may be called twice.
func (c *Call) End() {
	if c.slot == nil {
		return
	}
	c.end.Do(func() {
		select {
		case <-c.before:
			close(c.after)
		default: // it gave up before its turn; those behind it still wait for those before
			go func() {
				<-c.before
				close(c.after)
			}()
		}
		c.m.callEnded(c)
	})
}

// callEnded is the end of a call in a slot. After the last one the idle clock runs;
// a slot that nothing was opened in is given up.
func (m *Manager) callEnded(c *Call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := c.slot
	if c.note != "" && c.given.IsZero() {
		r.conversation.gone[r.name] = c.note // for the next call
	}
	r.calls--
	r.used = time.Now()
	m.freeMemoryLater()
	if r.calls > 0 || r.why != "" {
		return
	}
	switch {
	case r.context == nil:
		m.leave(r, "it was never opened", false)
	case m.opts.Idle < 0:
	case r.idle == nil:
		r.idle = time.AfterFunc(m.opts.Idle, func() { m.expire(r) })
	default:
		r.idle.Reset(m.opts.Idle)
	}
}

// expire ends a session that was idle too long.
func (m *Manager) expire(r *slot) {
	m.mu.Lock()
	// The clock may have gone off just as a call came.
	if m.closed || r.calls > 0 || r.why != "" || time.Since(r.used) < m.opts.Idle {
		m.mu.Unlock()
		return
	}
	m.leave(r, fmt.Sprintf("the session ended after %v without a call", m.opts.Idle), true)
	told := m.tellEnd(r, r.context)
	m.work.Go(func() {
		<-told
		_ = m.clear(r)
	})
	m.mu.Unlock()
}

// tellEnd tells who wants to know of a session that ended by itself, in the background,
// and closes what it gives when that is done. m.mu is held.
func (m *Manager) tellEnd(r *slot, s opened) <-chan struct{} {
	done := make(chan struct{})
	if m.opts.Ended == nil || m.closed || s == nil {
		close(done)
		return done
	}
	m.telling.Go(func() {
		defer close(done)
		more := m.opts.Ended(s.session(), r.name, r.why)
		m.mu.Lock()
		defer m.mu.Unlock()
		if c := r.conversation; more != "" && c.gone[r.name] == r.why {
			c.gone[r.name] = r.why + "; " + more
		}
	})
	return done
}

// leave takes a slot out of its conversation; clear has to follow for one that
// was opened. tell keeps the reason for the next caller of that name. m.mu is
// held.
func (m *Manager) leave(r *slot, why string, tell bool) {
	if r.why != "" {
		return
	}
	r.why = why
	close(r.left)
	if r.idle != nil {
		r.idle.Stop()
	}
	c := r.conversation
	delete(c.slots, r.name)
	m.count--
	if !tell {
		return
	}
	if len(c.gone) >= mostReasons {
		clear(c.gone)
	}
	c.gone[r.name] = why
}

// mostReasons bounds what is remembered of sessions that nobody asked for again.
const mostReasons = 1000

func ended(why string) *rove.Error {
	return refuse(rove.CodeClosed, why, "the next call starts a new session: go to the page again")
}

func cancelled(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &rove.Error{Code: rove.CodeTimeout, Op: "session", Message: "timed out before the session was ready", Hint: "try again with more time", Err: ctx.Err()}
	}
	return &rove.Error{Code: rove.CodeTimeout, Op: "session", Message: "cancelled", Hint: "nothing was done", Err: ctx.Err()}
}
