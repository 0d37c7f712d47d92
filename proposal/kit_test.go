package proposal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"rove/proposal"
)

// tools is an executor for tests. Each tool does one thing.
//
//	ok     answers with its parameters
//	fail   fails
//	flaky  fails until its nth call for an id, then answers
//	hang   waits for its context
//	deaf   does not listen to its context for so long
//	sleep  takes a while
//	panic  panics
//	odd    answers with what is no JSON
type tools struct {
	mu      sync.Mutex
	calls   []string // id parameters, in the order in which they began
	running int
	most    int // at once
	began   []time.Time
}

func (x *tools) Execute(ctx context.Context, tool string, params map[string]any) (any, error) {
	id, _ := params["id"].(string)
	x.mu.Lock()
	x.calls = append(x.calls, id)
	x.began = append(x.began, time.Now())
	x.running++
	x.most = max(x.most, x.running)
	nth := 0
	for _, c := range x.calls {
		if c == id {
			nth++
		}
	}
	x.mu.Unlock()
	defer func() {
		x.mu.Lock()
		x.running--
		x.mu.Unlock()
	}()
	ms, _ := params["ms"].(float64)
	wait := time.Duration(ms) * time.Millisecond
	switch tool {
	case "fail":
		return map[string]any{"seen": "half"}, errors.New("it broke")
	case "flaky":
		if until, _ := params["until"].(float64); nth < int(until) {
			return nil, fmt.Errorf("not yet (%d)", nth)
		}
	case "hang":
		<-ctx.Done()
		return nil, ctx.Err()
	case "deaf":
		<-time.After(wait)
	case "sleep":
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case "panic":
		panic("oh no")
	case "odd":
		return make(chan int), nil
	}
	return params, nil
}

// called is which ids were called, in order.
func (x *tools) called() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.calls)
}

var parameters = map[string]any{
	"type": "object",
	"properties": map[string]any{
		"id": map[string]any{"type": "string"}, "ms": map[string]any{"type": "integer"}, "until": map[string]any{"type": "integer"},
		"url": map[string]any{"type": "string"}, "steps": map[string]any{"type": "array"},
	},
	"required": []any{"id"},
}

func newRuntime(t *testing.T, opts proposal.Options, schemas ...proposal.ToolSchema) (*proposal.Runtime, *tools) {
	t.Helper()
	x := new(tools)
	rt, err := proposal.NewRuntime(x, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ok", "fail", "flaky", "hang", "deaf", "sleep", "panic", "odd"} {
		schemas = append([]proposal.ToolSchema{{Name: name, Parameters: parameters}}, schemas...)
	}
	if err := rt.RegisterToolSchemas(schemas); err != nil {
		t.Fatal(err)
	}
	return rt, x
}

// call is an action that calls a tool with its own id.
func call(id, tool string, more ...func(*proposal.Action)) proposal.Action {
	a := proposal.Action{ID: id, Type: proposal.ToolCall, Tool: tool, Parameters: map[string]any{"id": id}}
	for _, m := range more {
		m(&a)
	}
	return a
}

func on(b proposal.FailureBehavior, retries int) func(*proposal.Action) {
	return func(a *proposal.Action) { a.FailureBehavior, a.MaxRetries = b, retries }
}

func skip(a *proposal.Action) { a.FailureBehavior = proposal.Skip }

func makes(key string) func(*proposal.Action) {
	return func(a *proposal.Action) { a.ExpectedEffects = map[string]any{key: a.ID} }
}

func needs(keys ...string) func(*proposal.Action) {
	return func(a *proposal.Action) { a.StateDependencies = keys }
}

func given(key string, op proposal.Operator, value any) func(*proposal.Action) {
	return func(a *proposal.Action) {
		a.Preconditions = append(a.Preconditions, proposal.Precondition{Key: key, Operator: op, Value: value})
	}
}

func with(name string, value any) func(*proposal.Action) {
	return func(a *proposal.Action) { a.Parameters[name] = value }
}

func within(ms int) func(*proposal.Action) { return func(a *proposal.Action) { a.TimeoutMS = ms } }

func of(actions ...proposal.Action) *proposal.ActionProposal {
	return &proposal.ActionProposal{ID: "p", Source: "test", Actions: actions}
}

// statuses is what became of the actions, in one line.
func statuses(r *proposal.ProposalResult) string {
	s := ""
	for _, a := range r.Results {
		s += a.ActionID + ":" + string(a.Status) + " "
	}
	if s != "" {
		s = s[:len(s)-1]
	}
	return s
}

// sound holds a result to what is true of every one.
func sound(t *testing.T, p *proposal.ActionProposal, r *proposal.ProposalResult) {
	t.Helper()
	if len(r.Results) != len(p.Actions) {
		t.Fatalf("%d results for %d actions", len(r.Results), len(p.Actions))
	}
	count := map[proposal.ActionStatus]int{}
	for i, a := range r.Results {
		count[a.Status]++
		if p.Actions[i].ID != "" && a.ActionID != p.Actions[i].ID {
			t.Errorf("result %d is of %s, the action is %s", i, a.ActionID, p.Actions[i].ID)
		}
		if (a.Status == proposal.Succeeded) != (a.Error == "") {
			t.Errorf("%s %s with the error %q", a.ActionID, a.Status, a.Error)
		}
		if a.Timestamp.IsZero() || a.DurationMS < 0 {
			t.Errorf("%s: time %v, duration %v", a.ActionID, a.Timestamp, a.DurationMS)
		}
		if a.Status != proposal.Succeeded && a.StateChanges != nil {
			t.Errorf("%s %s and has changed the state: %v", a.ActionID, a.Status, a.StateChanges)
		}
	}
	c := r.Cost
	if c.ActionsExecuted != count[proposal.Succeeded]+count[proposal.Failed] || c.ActionsRejected != count[proposal.Rejected] || c.ActionsSkipped != count[proposal.Skipped] {
		t.Errorf("the cost does not add up: %+v, %v", c, count)
	}
}
