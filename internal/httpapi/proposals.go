package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"rove"
	"rove/aria"
	"rove/internal/tool"
	"rove/proposal"
)

// propose runs a proposal in a session, or says what would come of it. The work
// ends with the request.
func (s *Server) propose(w http.ResponseWriter, r *http.Request) {
	t := s.find(w, r)
	if t == nil {
		return
	}
	mode := r.URL.Query().Get("mode")
	switch mode {
	case "", "execute", "verify", "simulate":
	default:
		refuse(w, http.StatusBadRequest, rove.CodeInvalid, "there is no mode %.40q; it is execute, verify or simulate", mode)
		return
	}
	input, ok := s.readInput(w, r)
	if !ok {
		return
	}
	p, err := proposal.Parse(input)
	if err != nil {
		refuse(w, http.StatusBadRequest, rove.CodeInvalid, "%v", err)
		return
	}
	rt, err := t.proposals(s)
	if err != nil {
		fail(w, err, tool.Output{})
		return
	}
	switch {
	case mode == "verify":
		reply(w, http.StatusOK, rt.Verify(p))
	case mode == "simulate":
		reply(w, http.StatusOK, rt.Simulate(p))
	case strings.Contains(r.Header.Get("Accept"), "text/event-stream"):
		follow(w, r, rt, p)
	default:
		reply(w, http.StatusOK, rt.Execute(r.Context(), p))
	}
}

// follow runs a proposal and sends each step as it is done, and the result at
// last.
func follow(w http.ResponseWriter, r *http.Request, rt *proposal.Runtime, p *proposal.ActionProposal) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	events := make(chan proposal.Event)
	done := make(chan *proposal.ProposalResult, 1)
	go func() {
		done <- rt.Execute(ctx, p, func(e proposal.Event) {
			select {
			case events <- e:
			case <-ctx.Done(): // nobody reads any more
			}
		})
	}()
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	send := func(kind string, v any) {
		text := ": still here\n\n"
		if v != nil {
			data, err := json.Marshal(v)
			if err != nil {
				cancel()
				return
			}
			text = fmt.Sprintf("event: %s\ndata: %s\n\n", kind, aria.RevealJSON(data))
		}
		_ = out.SetWriteDeadline(time.Now().Add(writeTime))
		if _, err := w.Write([]byte(text)); err != nil || out.Flush() != nil {
			cancel()
		}
	}
	tick := time.NewTicker(pingInterval)
	defer tick.Stop()
	for {
		select {
		case e := <-events:
			e.Proposal = nil // its sender has it
			send(string(e.Kind), e)
		case <-tick.C:
			send("", nil)
		case result := <-done:
			send("result", result)
			return
		}
	}
}

// proposals is the session's runtime, whose state lasts as long as the session.
func (t *talk) proposals(s *Server) (*proposal.Runtime, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.runtime != nil {
		return t.runtime, nil
	}
	x := proposal.ExecutorFunc(func(ctx context.Context, name string, params map[string]any) (any, error) {
		input, err := json.Marshal(params)
		if err != nil {
			return nil, err
		}
		out, err := t.run(ctx, s.tools[name], input, s.opts.Defaults)
		if len(out.Images) > 0 {
			return out.Outcome(out.Images), err
		}
		return out.Outcome(nil), err
	})
	rt, err := tool.Proposals(s.opts.Tools, x, "the path names", proposal.Options{})
	if err != nil {
		return nil, err
	}
	t.runtime = rt
	return rt, nil
}

// proposalPath describes propose.
func proposalPath(id node, content func(string, node) node, refused node) node {
	text, object, number := node{"type": "string"}, node{"type": "object"}, node{"type": "integer"}
	list := func(items node) node { return node{"type": "array", "items": items} }
	action := node{"type": "object", "properties": node{
		"id": text, "type": node{"type": "string", "enum": []proposal.ActionType{proposal.ToolCall, proposal.StateWrite, proposal.StateRead, proposal.Assertion}},
		"tool": text, "parameters": object,
		"preconditions": list(node{"type": "object", "properties": node{
			"key": text, "operator": node{"type": "string", "enum": []proposal.Operator{
				proposal.Eq, proposal.Neq, proposal.Gt, proposal.Lt, proposal.Gte, proposal.Lte, proposal.Exists, proposal.NotExists, proposal.Contains,
			}}, "value": node{}, "description": text,
		}}),
		"expected_effects": object, "state_dependencies": list(text), "idempotent": node{"type": "boolean"}, "max_retries": number,
		"failure_behavior": node{"type": "string", "enum": []proposal.FailureBehavior{proposal.Abort, proposal.Retry, proposal.Skip}},
		"timeout_ms":       number, "metadata": object,
	}}
	result := node{"type": "object", "properties": node{
		"proposal_id": text, "cost": object, "stopped": text, "rolled_back": node{"type": "boolean"}, "warnings": list(text),
		"results": list(node{"type": "object", "properties": node{
			"action_id": text, "status": node{"type": "string", "enum": []proposal.ActionStatus{proposal.Succeeded, proposal.Failed, proposal.Rejected, proposal.Skipped}},
			"output": node{}, "error": text, "state_changes": object, "reused": node{"type": "boolean"},
			"duration_ms": node{"type": "number"}, "timestamp": node{"type": "string", "format": "date-time"},
		}}),
	}}
	ran := content("One result per action. With Accept: text/event-stream an event for each step, and the result as the last.", result)
	ran["content"].(node)["text/event-stream"] = node{"schema": text}
	return node{
		"parameters": []node{id},
		"post": node{
			"operationId": "propose", "summary": "Run a proposal: actions that are checked together, put in order by state, and done with conditions and retries",
			"parameters": []node{{"name": "mode", "in": "query", "schema": node{"type": "string", "enum": []string{"execute", "verify", "simulate"}}}},
			"requestBody": node{"content": node{"application/json": node{"schema": node{"type": "object", "required": []string{"actions"}, "properties": node{
				"id": text, "source": text, "timestamp": node{"type": "string", "format": "date-time"}, "context": object, "actions": list(action),
			}}}}},
			"responses": node{"200": ran, "default": refused},
		},
	}
}
