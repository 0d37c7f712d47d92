package daemon

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/tool"
)

// state saves a session's cookies and storage to a file, or loads them. A
// session is begun for what is loaded, if there is none of that name.
func (p *pool) state(ctx context.Context, req *Request) *Answer {
	start := time.Now()
	err := p.carry(ctx, req)
	p.log.Info("session "+req.Do, "session", req.Session, "ms", time.Since(start).Milliseconds(), "ok", err == nil)
	return &Answer{Error: tool.NewFailure(err)}
}

func (p *pool) carry(ctx context.Context, req *Request) error {
	call, err := p.join(req)
	if err != nil {
		return err
	}
	defer call.End()
	s, err := call.Session(ctx)
	if err != nil {
		return err
	}
	if req.Do == doSave {
		return call.Explain(s.SaveState(ctx, req.File))
	}
	return call.Explain(s.LoadState(ctx, req.File))
}

// join takes the call's place in the session.
func (p *pool) join(req *Request) (*session.Call, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if req.Do == doSave {
		n := p.named[cmp.Or(req.Session, DefaultSession)]
		if n == nil || !alive(n.talk) {
			return nil, NoSession("save", req.Session)
		}
		return n.talk.Call(""), nil
	}
	talk, err := p.begin(req)
	if err != nil {
		return nil, err
	}
	return talk.Call(""), nil
}

// NoSession says that there is no session of a name to do something with.
func NoSession(op, name string) *rove.Error {
	return &rove.Error{
		Code: rove.CodeNotFound, Op: "session " + op,
		Message: fmt.Sprintf("there is no session %q", cmp.Or(name, DefaultSession)), Hint: "see: rove session list",
	}
}

// Save writes a session's cookies and storage to a file, by its absolute path.
func (c *Client) Save(ctx context.Context, session, file string) error {
	_, err := c.ask(ctx, Request{Do: doSave, Session: session, File: file})
	return err
}

// Load puts what Save wrote into a session, which is begun if there is none.
func (c *Client) Load(ctx context.Context, session, file string, launch Launch) error {
	_, err := c.run(ctx, Request{Do: doLoad, Session: session, File: file, Launch: launch})
	return err
}
