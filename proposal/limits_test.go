package proposal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rove/proposal"
)

// TestIdempotent: an equal call that succeeded is not made again, whatever the
// order of its parameters, and not even at the same time.
func TestIdempotent(t *testing.T) {
	once := func(a *proposal.Action) { a.Idempotent = true }
	same := func(id string, more ...func(*proposal.Action)) proposal.Action {
		return call(id, "sleep", append(more, with("id", "same"), with("ms", 100))...)
	}
	synctest.Test(t, func(t *testing.T) {
		rt, x := newRuntime(t, proposal.Options{})
		p := of(same("a", once, skip, makes("x")), same("b", once, skip, makes("y")), same("c", skip), same("d", once, skip, with("url", "other")))
		r := rt.Execute(t.Context(), p)
		sound(t, p, r)
		reused := 0
		for i := range 2 {
			if r.Results[i].Reused {
				reused++
			}
			if diff := cmp.Diff(map[string]any{"id": "same", "ms": 100.0}, r.Results[i].Output); diff != "" {
				t.Error(diff)
			}
		}
		if !r.Succeeded() || reused != 1 || len(x.called()) != 3 || r.Cost.ToolCalls != 3 {
			t.Errorf("%s, %d reused, %d calls, %+v", statuses(r), reused, len(x.called()), r.Cost)
		}
		if s := rt.State(); s["x"] != "a" || s["y"] != "b" {
			t.Errorf("a result that is taken over has its effects too: %v", s)
		}
		p = of(same("e", once), call("f", "fail", once, skip), call("f2", "fail", once, skip, with("id", "f")))
		r = rt.Execute(t.Context(), p)
		if !r.Results[0].Reused || r.Results[2].Reused || r.Results[2].Status != proposal.Failed || len(x.called()) != 5 {
			t.Errorf("%+v, %d calls", r.Results, len(x.called()))
		}
	})
}

// TestCache: an answer is good for as long as its tool says.
func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt, x := newRuntime(t, proposal.Options{}, proposal.ToolSchema{Name: "slow", CacheTTLSecs: 10})
		reused := ""
		for _, after := range []time.Duration{0, 9 * time.Second, 2 * time.Second, 9 * time.Second} {
			time.Sleep(after)
			r := rt.Execute(t.Context(), of(call("a", "slow", with("x", 1)), call("b", "slow", with("id", "a"), with("x", 2))))
			for _, a := range r.Results {
				reused += fmt.Sprintf("%t ", a.Reused)
			}
		}
		if reused != "false false true true false false true true " || len(x.called()) != 4 {
			t.Errorf("%s %d", reused, len(x.called()))
		}
	})
}

// TestRateLimit: no more calls begin in an interval than are allowed, tries
// counted one by one.
func TestRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt, x := newRuntime(t, proposal.Options{}, proposal.ToolSchema{Name: "fail", RateLimit: &proposal.RateLimit{MaxCalls: 2, IntervalSecs: 1}})
		var p proposal.ActionProposal
		for i := range 4 {
			p.Actions = append(p.Actions, call(fmt.Sprint(i), "fail", on(proposal.Retry, 1)))
		}
		begun := time.Now()
		r := rt.Execute(t.Context(), &p)
		sound(t, &p, r)
		if len(x.began) != 8 || r.Cost.Retries != 4 {
			t.Fatalf("%d calls, %+v", len(x.began), r.Cost)
		}
		for i, at := range x.began {
			if want := time.Duration(i/2) * time.Second; at.Sub(begun) != want {
				t.Errorf("call %d began after %v, want %v", i, at.Sub(begun), want)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		r = rt.Execute(ctx, of(call("a", "fail", skip), call("b", "fail", skip), call("c", "fail", skip)))
		if !strings.Contains(fmt.Sprint(r.Results), "the time for the proposal was over") || r.Cost.ToolCalls != len(x.began)-8 {
			t.Errorf("%+v, %d calls", r, len(x.began)-8)
		}
	})
}

func TestBudget(t *testing.T) {
	for name, c := range map[string]struct {
		budget  proposal.Budget
		p       *proposal.ActionProposal
		want    string
		stopped string
	}{
		"tool calls": {
			proposal.Budget{MaxToolCalls: 2},
			of(call("a", "ok", makes("x")), call("b", "ok"), call("c", "ok"), call("d", "ok")),
			"a:succeeded b:succeeded c:skipped d:skipped", "the budget of 2 tool calls is used up",
		},
		"actions": {
			proposal.Budget{MaxActions: 1},
			of(call("a", "ok", makes("x")), proposal.Action{ID: "b", Type: proposal.StateWrite, Parameters: map[string]any{"key": "y", "value": 1}}),
			"a:succeeded b:skipped", "the budget of 1 action is used up",
		},
		"retries": {
			proposal.Budget{MaxToolCalls: 3},
			of(call("a", "ok", makes("x")), call("b", "fail", on(proposal.Retry, 5)), call("c", "ok")),
			"a:succeeded b:failed c:skipped", "the budget of 3 tool calls is used up",
		},
		"time": {
			proposal.Budget{MaxDurationMS: 500},
			of(call("a", "ok", makes("x")), call("b", "hang", skip), call("c", "ok")),
			"a:succeeded b:failed c:skipped", "the budget of 500ms is used up",
		},
		"enough": {
			proposal.Budget{MaxToolCalls: 2, MaxActions: 2, MaxDurationMS: 1000},
			of(call("a", "ok", makes("x")), call("b", "sleep", with("ms", 900))),
			"a:succeeded b:succeeded", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rt, x := newRuntime(t, proposal.Options{Budget: c.budget})
				r := rt.Execute(t.Context(), c.p)
				sound(t, c.p, r)
				if got := statuses(r); got != c.want || r.Stopped != c.stopped {
					t.Errorf("%s, %q", got, r.Stopped)
				}
				if r.RolledBack || rt.State()["x"] != "a" {
					t.Errorf("what was done within the budget is lost: %v", rt.State())
				}
				if n := len(x.called()); c.budget.MaxToolCalls > 0 && n > c.budget.MaxToolCalls || n != r.Cost.ToolCalls {
					t.Errorf("%d calls, %+v", n, r.Cost)
				}
			})
		})
	}
}

func TestPolicies(t *testing.T) {
	nested := with("steps", []any{map[string]any{"op": "go", "value": "http://evil.example/x"}})
	for name, c := range map[string]struct {
		policy proposal.Policy
		state  map[string]any
		action proposal.Action
		want   string // "" is allowed
	}{
		"tool":                {proposal.Policy{Name: "no ok", Rule: "deny_tool", Target: "ok"}, nil, call("a", "ok"), "policy no ok: ok is not allowed"},
		"another tool":        {proposal.Policy{Rule: "deny_tool", Target: "fail"}, nil, call("a", "ok"), ""},
		"tools by a pattern":  {proposal.Policy{Rule: "deny_tool", Target: "o*"}, nil, call("a", "ok"), "policy deny_tool: ok is not allowed"},
		"all tools":           {proposal.Policy{Rule: "deny_tool", Target: "*"}, nil, call("a", "ok"), "policy deny_tool: ok is not allowed"},
		"parameter":           {proposal.Policy{Rule: "deny_tool_param", Target: "ok", Key: "url"}, nil, call("a", "ok", with("url", "x")), "policy deny_tool_param: ok is not allowed with this url"},
		"no such parameter":   {proposal.Policy{Rule: "deny_tool_param", Target: "ok", Key: "url"}, nil, call("a", "ok"), ""},
		"parameter's value":   {proposal.Policy{Rule: "deny_tool_param", Key: "url", Pattern: `evil\.example`}, nil, call("a", "ok", with("url", "http://evil.example")), "policy deny_tool_param: ok"},
		"another value":       {proposal.Policy{Rule: "deny_tool_param", Key: "url", Pattern: `evil\.example`}, nil, call("a", "ok", with("url", "http://good.example")), ""},
		"a value in a list":   {proposal.Policy{Rule: "deny_tool_param", Key: "steps", Pattern: `^http://evil`}, nil, call("a", "ok", nested), "policy deny_tool_param: ok"},
		"a number":            {proposal.Policy{Rule: "deny_tool_param", Key: "ms", Pattern: `^\d{4,}$`}, nil, call("a", "ok", with("ms", 1000)), "policy deny_tool_param: ok"},
		"state that is not":   {proposal.Policy{Rule: "require_state", Target: "ok", Key: "in"}, nil, call("a", "ok"), `policy require_state: ok needs "in" in the state`},
		"state that is":       {proposal.Policy{Rule: "require_state", Target: "ok", Key: "in"}, map[string]any{"in": false}, call("a", "ok"), ""},
		"another state":       {proposal.Policy{Rule: "require_state", Key: "in", Value: true}, map[string]any{"in": false}, call("a", "ok"), `policy require_state: ok needs "in" to be true, and it is false`},
		"not for this tool":   {proposal.Policy{Rule: "require_state", Target: "fail", Key: "in"}, nil, call("a", "ok"), ""},
		"not for state alone": {proposal.Policy{Rule: "require_state", Key: "in"}, nil, proposal.Action{Type: proposal.StateWrite, Parameters: map[string]any{"key": "x", "value": 1}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			rt, x := newRuntime(t, proposal.Options{Policies: []proposal.Policy{c.policy}, State: c.state})
			r := rt.Execute(t.Context(), of(c.action))
			got := r.Results[0]
			if c.want == "" && got.Status != proposal.Succeeded || c.want != "" && (got.Status != proposal.Rejected || !strings.HasPrefix(got.Error, c.want) || len(x.called()) > 0) {
				t.Errorf("%s %q, want %q", got.Status, got.Error, c.want)
			}
		})
	}

	t.Run("state that comes to be", func(t *testing.T) {
		rt, _ := newRuntime(t, proposal.Options{Policies: []proposal.Policy{{Rule: proposal.RequireState, Target: "ok", Key: "in", Value: true}}})
		login := call("login", "flaky", skip)
		login.ExpectedEffects = map[string]any{"in": true}
		if r := rt.Execute(t.Context(), of(login, call("use", "ok", skip))); !r.Succeeded() {
			t.Error(statuses(r))
		}
		// What can't come to be is refused before anything runs.
		rt, x := newRuntime(t, proposal.Options{Policies: []proposal.Policy{{Rule: proposal.RequireState, Target: "ok", Key: "in"}}})
		if r := rt.Execute(t.Context(), of(call("first", "sleep"), call("use", "ok"))); statuses(r) != "first:skipped use:rejected" || len(x.called()) > 0 {
			t.Errorf("%s, %q", statuses(r), x.called())
		}
		// The same where it does not come to be.
		rt, _ = newRuntime(t, proposal.Options{Policies: []proposal.Policy{{Rule: proposal.RequireState, Target: "ok", Key: "in", Value: true}}})
		login.Tool = "fail"
		if r := rt.Execute(t.Context(), of(login, call("use", "ok", skip))); statuses(r) != "login:failed use:rejected" {
			t.Error(statuses(r))
		}
	})

	for _, bad := range []proposal.Policy{
		{},
		{Rule: "deny"},
		{Rule: "deny_tool"},
		{Rule: "deny_tool", Target: "[", Key: ""},
		{Rule: "deny_tool", Target: "a", Key: "b"},
		{Rule: "deny_tool_param", Target: "a"},
		{Rule: "deny_tool_param", Key: "k", Pattern: "("},
		{Rule: "require_state"},
		{Rule: "require_state", Key: "k", Pattern: "x"},
		{Rule: "deny_tool_param", Key: "k", Value: 1},
	} {
		if _, err := proposal.NewRuntime(nil, proposal.Options{Policies: []proposal.Policy{bad}}); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// An assertion is no tool call: trying it again costs none, and giving it up gives
// none back.
func TestAssertionsCostNoCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt, _ := newRuntime(t, proposal.Options{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r := rt.Execute(ctx, of(proposal.Action{
			ID: "wait", Type: proposal.Assertion, Parameters: map[string]any{"key": "done", "expected": true},
			FailureBehavior: proposal.Retry, MaxRetries: 100,
		}))
		if r.Cost.ToolCalls != 0 || r.Cost.Retries == 0 || r.Results[0].Status != proposal.Failed {
			t.Errorf("%+v, %+v", r.Cost, r.Results[0])
		}
	})
}

// Nothing changes while a proposal is only looked at, so nothing is waited for.
func TestLookingTakesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt, _ := newRuntime(t, proposal.Options{})
		p := of(proposal.Action{
			ID: "wait", Type: proposal.Assertion, Parameters: map[string]any{"key": "done", "expected": true},
			FailureBehavior: proposal.Retry, MaxRetries: 100,
		})
		begun := time.Now()
		if v := rt.Verify(p); v.Valid {
			t.Error("it is valid")
		}
		if s := rt.Simulate(p); s.Results[0].Status != proposal.Failed {
			t.Errorf("%+v", s.Results[0])
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("it took %v", took)
		}
	})
}

// TestPoliciesAreReadStrictly: a rule that is misspelt, or written over, must not be
// one that is not there.
func TestPoliciesAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		`{"rule":"deny_tool","target":"ok"}`:               "",
		`{"rule":"deny_tol"}`:                              `rule takes one of deny_tool, deny_tool_param, require_state, not "deny_tol"`,
		`{"rul":"deny_tool"}`:                              `there is no "rul"; it takes name, rule, target, key, pattern, value`,
		`{"rule":"deny_tool","target":"ok","target":"no"}`: `the policy has "target" twice in one object`,
		`[]`: "the policy takes an object with name, rule, target, key, pattern, value, not []",
	} {
		var p proposal.Policy
		err := json.Unmarshal([]byte(text), &p)
		if got := fmt.Sprint(err); err != nil && got != want || err == nil && want != "" {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
