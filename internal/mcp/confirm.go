package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove"
	"rove/internal/policy"
	"rove/internal/tool"
)

// A call that needs somebody's consent asks for it in the middle of its work, by
// elicitation. Up to the protocol of 2025-11-25 that is a request of the server's.
// From 2026-07-28 on a server has none: the call is answered with the question, and
// the client makes it once more, with the answer. The work must not be done twice,
// so it is held where it is, and the second call goes on with it.
//
//	call ──▶ work ──▶ question ──▶ (held) ──▶ answer: input required, state
//	call, state, yes ──────────────▶ work goes on ──▶ answer
const retried = "2026-07-28"

// patience is how long a question waits for its answer.
const patience = 10 * time.Minute

var (
	errNoElicitation = errors.New("this client has no way to ask its user (elicitation)")
	errNoAnswer      = errors.New("nobody answered")
)

// elicitation is a question as a client gets it: to accept it is to agree.
func elicitation(q rove.Question) *sdk.ElicitParams {
	if n := q.Unseen(); n > 0 { // a plain yes is not enough
		return &sdk.ElicitParams{
			Mode: "form", Message: "rove is about to do this: " + q.String() + ". " + policy.HowToAgree(n),
			RequestedSchema: json.RawMessage(`{"type":"object","properties":{"unseen":{"type":"string","description":"how many characters are not shown"}},"required":["unseen"]}`),
		}
	}
	return &sdk.ElicitParams{
		Mode: "form", Message: "rove is about to do this: " + q.String() + ". Accept to let it.",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
	}
}

// agreed says whether the answer to a question is a yes.
func agreed(q rove.Question, r *sdk.ElicitResult) bool {
	if r == nil || r.Action != "accept" {
		return false
	}
	return q.Unseen() == 0 || q.Agrees(fmt.Sprint(r.Content["unseen"]))
}

// canAsk says whether a client can ask its user.
func canAsk(req *sdk.CallToolRequest) bool {
	caps := req.ClientCapabilities()
	return caps != nil && caps.Elicitation != nil && (caps.Elicitation.Form != nil || caps.Elicitation.URL == nil)
}

// retries says whether a client gets questions as answers.
func retries(req *sdk.CallToolRequest) bool {
	p := req.Session.InitializeParams()
	return p == nil || p.ProtocolVersion >= retried
}

// confirmed has a call ask its client.
func confirmed(ctx context.Context, req *sdk.CallToolRequest) context.Context {
	return rove.WithConfirm(ctx, func(ctx context.Context, q rove.Question) (bool, error) {
		if !canAsk(req) {
			return false, errNoElicitation
		}
		ctx, cancel := context.WithTimeoutCause(ctx, patience, errNoAnswer)
		defer cancel()
		r, err := req.Session.Elicit(ctx, elicitation(q))
		if err != nil {
			return false, because(ctx, err)
		}
		return agreed(q, r), nil
	})
}

func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// held is a call whose work outlasts the request that began it.
type held struct {
	id     string
	ask    chan rove.Question
	asked  rove.Question // the one that waits for its answer
	answer chan bool
	done   chan *sdk.CallToolResult
	cancel context.CancelFunc
}

// holds are the calls of a conversation that wait for an answer.
type holds struct {
	mu   sync.Mutex
	byID map[string]*held
}

func (h *holds) put(one *held) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byID == nil {
		h.byID = map[string]*held{}
	}
	h.byID[one.id] = one
}

func (h *holds) take(id string) *held {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.byID[id]
	delete(h.byID, id)
	return one
}

// hold runs a call so that it can outlast its request.
func (s *Server) hold(ctx context.Context, req *sdk.CallToolRequest, talk *talk, call *tool.Call) *sdk.CallToolResult {
	work, cancel := context.WithCancel(s.stop)
	one := &held{
		id: rand.Text(), ask: make(chan rove.Question), answer: make(chan bool), done: make(chan *sdk.CallToolResult, 1), cancel: cancel,
	}
	able := canAsk(req)
	work = rove.WithConfirm(work, func(ctx context.Context, q rove.Question) (bool, error) {
		if !able {
			return false, errNoElicitation
		}
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case one.ask <- q:
		case <-ctx.Done():
			return false, ctx.Err()
		}
		select {
		case yes := <-one.answer:
			return yes, nil
		case <-timer.C:
			talk.held.take(one.id)
			return false, errNoAnswer
		case <-talk.over:
			return false, errNoAnswer
		case <-ctx.Done():
			return false, ctx.Err()
		}
	})
	s.work.Go(func() {
		defer cancel()
		one.done <- s.result(call.Run(work))
	})
	return s.awaitHeld(ctx, talk, one)
}

// awaitHeld waits for a call that is held to end, or to ask.
func (s *Server) awaitHeld(ctx context.Context, talk *talk, one *held) *sdk.CallToolResult {
	select {
	case r := <-one.done:
		return r
	case q := <-one.ask:
		one.asked = q
		talk.held.put(one)
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"confirm": elicitation(q)}, RequestState: one.id}
	case <-ctx.Done():
		one.cancel()
		return <-one.done
	}
}

// resume goes on with a call that was held, with the answer to its question.
func (s *Server) resume(ctx context.Context, req *sdk.CallToolRequest) *sdk.CallToolResult {
	talk := s.talk(req.Session)
	one := talk.held.take(req.Params.RequestState)
	if one == nil {
		return s.result(tool.Output{}, &rove.Error{Code: rove.CodeClosed, Op: req.Params.Name, Message: "that call is over: its question waited too long", Hint: "make it again"})
	}
	r, _ := req.Params.InputResponses["confirm"].(*sdk.ElicitResult)
	select {
	case one.answer <- agreed(one.asked, r):
		return s.awaitHeld(ctx, talk, one)
	case r := <-one.done:
		return r
	case <-ctx.Done():
		one.cancel()
		return <-one.done
	}
}
