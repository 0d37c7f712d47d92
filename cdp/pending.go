package cdp

import (
	"context"
	"errors"
	"fmt"

	"rove/internal/wire"
)

// Pending is a call under way.
type Pending struct {
	session *Session
	id      int64
	method  string
	done    chan struct{}

	// Set before done is closed.
	body []byte
	err  error
}

// complete is called once, by the queue; see Conn.take.
func (p *Pending) complete(it item) {
	switch {
	case it.err != nil:
		p.err = it.err
	case it.reply.Failed:
		p.err = decodeError(p.method, it.reply.Body)
	default:
		p.body = it.reply.Body
	}
	close(p.done)
}

// Session is the session that was asked.
func (p *Pending) Session() *Session { return p.session }

// Done is closed when the call has ended, by a reply or otherwise.
func (p *Pending) Done() <-chan struct{} { return p.done }

// Wait waits for the reply and decodes its result into out, unless out is nil.
// All that the browser reported before the reply has been handled by then, on
// the session's queue.
//
// When ctx ends first, the call is forgotten: it ends with the context's
// error, and its reply will be dropped.
func (p *Pending) Wait(ctx context.Context, out any) error {
	select {
	case <-p.done:
	default:
		select {
		case <-p.done:
		case <-ctx.Done():
			return p.forget(ctx)
		}
	}
	body, err := p.Result()
	if err != nil || out == nil {
		return err
	}
	if err := wire.Unmarshal(body, out); err != nil {
		return fmt.Errorf("%s: decode result: %w", p.method, err)
	}
	return nil
}

// Forget gives the call up: it ends, if it has not, and its reply will be dropped.
func (p *Pending) Forget() { _ = p.Wait(endedContext, nil) }

var endedContext = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// forget gives the call up for a context that has ended. A reply that is
// already in the queue completes the call all the same, which harms nobody.
func (p *Pending) forget(ctx context.Context) error {
	err := contextError(ctx)
	if p.session.conn.take(p.id) != nil {
		p.err = err
		close(p.done)
	}
	return fmt.Errorf("%s: %w", p.method, err)
}

// contextError returns why ctx ended: its error, and its cause if it has one.
func contextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// Result returns the raw result, a JSON object, once Done is closed.
func (p *Pending) Result() ([]byte, error) {
	select {
	case <-p.done:
	default:
		return nil, fmt.Errorf("%s: no reply yet", p.method)
	}
	if p.err == nil {
		return p.body, nil
	}
	if e, ok := p.err.(*Error); ok {
		return nil, e
	}
	return nil, fmt.Errorf("%s: %w", p.method, p.err)
}

// Text returns the string that a Runtime.evaluate or Runtime.callFunctionOn
// answered, once Done is closed. It is two to three times quicker than Wait
// with a struct. False means that the answer is something else (another type,
// an exception, no reply): look at it with Wait.
func (p *Pending) Text() (string, bool) {
	body, err := p.Result()
	if err != nil {
		return "", false
	}
	return wire.Text(body)
}

// Error is a browser's refusal of a call.
type Error struct {
	Method  string
	Code    int
	Message string
	Data    string // more about it, often empty
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code)
	if e.Data != "" {
		s += ": " + e.Data
	}
	return s
}

// codeNoSession is Chrome's "Session with given id not found".
const codeNoSession = -32001

// Is makes a call to a session that the browser no longer knows the same as
// one to a session that was detached here.
func (e *Error) Is(target error) bool {
	return target == ErrSessionGone && e.Code == codeNoSession
}

// decodeError makes an error of the error member of a reply.
func decodeError(method string, body []byte) error {
	var v struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data"`
	}
	if err := wire.Unmarshal(body, &v); err != nil {
		return fmt.Errorf("error reply %.80q: %w", body, err)
	}
	e := &Error{Method: method, Code: v.Code, Message: v.Message}
	switch d := v.Data.(type) {
	case nil:
	case string:
		e.Data = d
	default:
		if raw, err := wire.Marshal(d); err == nil {
			e.Data = string(raw)
		}
	}
	return e
}
