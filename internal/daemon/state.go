package daemon

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/tool"
)

// state saves a session's cookies and storage to a file, or loads them. A
// session is begun for what is loaded, if there is none of that name.
func (p *pool) state(ctx context.Context, req *Request) *Answer {
	start := time.Now()
	text, err := p.saveOrLoad(ctx, req)
	p.log.Info("session "+req.Do, "session", req.Session, "ms", time.Since(start).Milliseconds(), "ok", err == nil)
	return &Answer{Text: text, Error: tool.NewFailure(err)}
}

func (p *pool) saveOrLoad(ctx context.Context, req *Request) (_ string, err error) {
	call, begun, err := p.join(req)
	if err != nil {
		return "", err
	}
	loaded := false
	defer func() {
		call.End()
		if begun != nil && !loaded {
			_ = begun.EndSession("") // nobody asked for an empty one
		}
	}()
	s, err := call.Session(ctx)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if req.Do == doSave {
		if req.Agreed {
			ctx = rove.WithConfirm(ctx, func(context.Context, rove.Question) (bool, error) { return true, nil })
		}
		lost, err := s.SaveStateNoting(ctx, req.File)
		for _, what := range lost {
			fmt.Fprintf(&b, "not saved: %s\n", what)
		}
		return b.String(), call.Explain(err)
	}
	lost, err := s.LoadStateNoting(ctx, req.File)
	for _, what := range lost {
		fmt.Fprintf(&b, "not loaded: %s\n", what)
	}
	loaded = err == nil
	if err != nil || req.Unchecked {
		return b.String(), call.Explain(err)
	}
	checks, err := s.CheckState(ctx, req.File)
	for _, c := range checks {
		fmt.Fprintln(&b, c)
	}
	return b.String(), call.Explain(err)
}

// join takes the call's place in the session, and gives the conversation that it
// begins by that.
func (p *pool) join(req *Request) (_ *session.Call, begun *session.Conversation, _ error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.named[cmp.Or(req.Session, DefaultSession)]
	open := n != nil && alive(n.talk)
	if req.Do == doSave {
		if !open {
			return nil, nil, NoSession("save", req.Session)
		}
		return n.talk.Call(""), nil, nil
	}
	talk, err := p.begin(req)
	if err != nil {
		return nil, nil, err
	}
	if !open {
		begun = talk
	}
	return talk.Call(""), begun, nil
}

// NoSession says that there is no session of a name to do something with.
func NoSession(op, name string) *rove.Error {
	return &rove.Error{
		Code: rove.CodeNotFound, Op: "session " + op,
		Message: fmt.Sprintf("there is no session %q", cmp.Or(name, DefaultSession)), Hint: "see: rove session list",
	}
}

// Save writes a session's cookies and storage to a file, by its absolute path.
// agreed is that whoever is logged in there agrees; else he is asked. The text says
// what could not be saved.
func (c *Client) Save(ctx context.Context, session, file string, agreed bool) (string, error) {
	return c.text(c.ask(ctx, Request{Do: doSave, Session: session, File: file, Agreed: agreed}))
}

func (c *Client) text(a *Answer, err error) (string, error) {
	if a == nil {
		return "", err
	}
	return a.Text, err
}

// Load puts what Save wrote into a session, which is begun if there is none.
// The text says whether it is still logged in, unless nobody is to look.
func (c *Client) Load(ctx context.Context, session, file string, launch Launch, unchecked bool) (string, error) {
	return c.text(c.run(ctx, Request{Do: doLoad, Session: session, File: file, Launch: launch, Unchecked: unchecked}))
}
