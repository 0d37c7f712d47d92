package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"time"

	"rove"
)

// ErrNone says that no daemon runs.
var ErrNone = errors.New("no daemon is running")

// Client talks to this user's daemon.
type Client struct {
	Place    Place
	Version  string
	Progress io.Writer // told of a browser being fetched
	// Confirm asks whether something may be done; nil: there is nobody to ask.
	Confirm func(ctx context.Context, question string, unseen int) (bool, error)
}

// Call runs a tool in the daemon, which is started if there is none.
func (c *Client) Call(ctx context.Context, req Request) (*Answer, error) {
	req.Do = doCall
	return c.run(ctx, req)
}

// run has a daemon do something, and starts one if there is none.
func (c *Client) run(ctx context.Context, req Request) (*Answer, error) {
	// Another round is for a daemon that ends just as it is called.
	for range 5 {
		a, again, err := c.do(ctx, &req)
		if !again {
			return a, err
		}
		if err := c.start(ctx); err != nil {
			return nil, &rove.Error{Code: rove.CodeClosed, Op: "daemon", Message: err.Error(), Hint: "--no-daemon does without", Err: err}
		}
	}
	return nil, &rove.Error{Code: rove.CodeClosed, Op: "daemon", Message: "it ends as soon as it is called", Hint: "see: rove daemon log"}
}

// Status asks a daemon for its state, and starts none.
func (c *Client) Status(ctx context.Context) (*Status, error) {
	a, err := c.ask(ctx, Request{Do: doStatus})
	if err != nil {
		return nil, err
	}
	if a.Status == nil {
		return nil, errors.New("the daemon does not say how it is")
	}
	return a.Status, nil
}

// End ends a session.
func (c *Client) End(ctx context.Context, session string) error {
	_, err := c.ask(ctx, Request{Do: doEnd, Session: session})
	return err
}

// Stop ends the daemon and all its sessions, and returns when it is gone. One
// that does not answer is made to.
func (c *Client) Stop(ctx context.Context) error {
	asked, cancel := context.WithTimeout(ctx, leave)
	defer cancel()
	_, err := c.ask(asked, Request{Do: doStop})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if told, ok := errors.AsType[*rove.Error](err); ok && told.Op != "daemon" {
		return err // it ends, but not all went well
	}
	// It holds its lock to the end. Without one this is had at once.
	unlock, locked := c.Place.lock(ctx, leave)
	if errors.Is(locked, context.DeadlineExceeded) && ctx.Err() == nil {
		unlock, locked = c.Place.evict(ctx)
	}
	if locked != nil {
		if errors.Is(err, ErrNone) {
			return err // there is not even a directory for it
		}
		return locked
	}
	unlock()
	if errors.Is(err, ErrNone) {
		return err
	}
	return nil
}

// ask asks a daemon that runs.
func (c *Client) ask(ctx context.Context, req Request) (*Answer, error) {
	a, again, err := c.do(ctx, &req)
	if again {
		return nil, ErrNone
	}
	return a, err
}

// dial connects to the daemon, and makes sure that it is this user's.
func (c *Client) dial(ctx context.Context) (net.Conn, error) {
	conn, err := connect(ctx, c.Place.Socket)
	if err != nil {
		return nil, err
	}
	if err := checkPeer(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// do sends a request and reads the answer. again says that the daemon is not
// there, or ended before it began.
func (c *Client) do(ctx context.Context, req *Request) (a *Answer, again bool, err error) {
	req.Protocol, req.Build = protocol, ThisBuild(c.Version)
	if deadline, ok := ctx.Deadline(); ok {
		req.Within = max(time.Until(deadline).Milliseconds(), 1)
	}
	conn, err := c.dial(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, false, timedOut(ctx)
		}
		return nil, true, nil
	}
	defer conn.Close()
	// The daemon gives the call up when the connection is closed.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	body, err := json.Marshal(req)
	if err != nil {
		return nil, false, err
	}
	if _, err := conn.Write(append(body, '\n')); err != nil {
		return nil, ctx.Err() == nil, timedOut(ctx)
	}
	begun := false
	dec := json.NewDecoder(bufio.NewReaderSize(conn, 64<<10))
	for {
		var m message
		if err := dec.Decode(&m); err != nil {
			switch {
			case ctx.Err() != nil:
				return nil, false, timedOut(ctx)
			case !begun:
				return nil, true, nil
			}
			return nil, false, &rove.Error{
				Code: rove.CodeClosed, Op: "daemon", Message: "it ended while the call was at work", Err: err,
				Hint: "the next call starts afresh; see: rove daemon log",
			}
		}
		switch {
		case m.Again:
			return nil, true, nil
		case m.Begun:
			begun = true
		case m.Progress != "":
			if c.Progress != nil {
				_, _ = io.WriteString(c.Progress, m.Progress)
			}
		case m.Ask != "":
			if err := json.NewEncoder(conn).Encode(c.consent(ctx, m)); err != nil && ctx.Err() != nil {
				return nil, false, timedOut(ctx)
			}
		case m.Answer != nil:
			return m.Answer, false, m.Answer.Error.Err()
		}
	}
}

func (c *Client) consent(ctx context.Context, m message) consent {
	if c.Confirm == nil {
		return consent{Refused: "this is not a terminal"}
	}
	yes, err := c.Confirm(ctx, m.Ask, m.Unseen)
	if err != nil {
		return consent{Refused: err.Error()}
	}
	return consent{Yes: yes}
}

func timedOut(ctx context.Context) error {
	switch {
	case ctx.Err() == nil:
		return nil
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return &rove.Error{Code: rove.CodeTimeout, Op: "daemon", Message: "no answer in time", Hint: "--timeout gives it longer", Err: ctx.Err()}
	}
	return &rove.Error{Code: rove.CodeTimeout, Op: "daemon", Message: "interrupted; the call was given up", Hint: "look at what it did", Err: ctx.Err()}
}
