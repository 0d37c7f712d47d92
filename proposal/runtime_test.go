package proposal_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rove/proposal"
)

func TestFailureKeepsItsOutput(t *testing.T) {
	rt, _ := newRuntime(t, proposal.Options{})
	r := rt.Execute(t.Context(), of(call("a", "fail"), call("b", "panic")))
	want := map[string]any{"seen": "half"}
	if diff := cmp.Diff(want, r.Results[0].Output); diff != "" || r.Results[0].Error != "it broke" {
		t.Errorf("%s %q", diff, r.Results[0].Error)
	}
	if want := "the state was rolled back, but the browser's own state was not: what these actions did there stays: a"; len(r.Warnings) != 1 || r.Warnings[0] != want {
		t.Errorf("%q", r.Warnings)
	}
	if r.Stopped != "aborted: a failed" || r.Results[1].Error != r.Stopped {
		t.Errorf("%q %q", r.Stopped, r.Results[1].Error)
	}
}

// TestIDs: without one an action gets its place; two of the same are refused.
func TestIDs(t *testing.T) {
	rt, x := newRuntime(t, proposal.Options{})
	p := of(call("", "ok", skip), call("twice", "ok", skip), call("twice", "ok", skip), call("", "ok", skip))
	r := rt.Execute(t.Context(), p)
	sound(t, p, r)
	if got := statuses(r); got != "action_1:succeeded twice:rejected twice:rejected action_4:succeeded" {
		t.Error(got)
	}
	if r.Results[1].Error != `2 actions have the id "twice"` || len(x.called()) != 2 {
		t.Errorf("%q %q", r.Results[1].Error, x.called())
	}
}

// TestRejections: each is told in words that say what to do.
func TestRejections(t *testing.T) {
	for name, c := range map[string]struct {
		action proposal.Action
		want   string
	}{
		"unknown tool":      {call("a", "nothing"), `there is no tool "nothing"; there are deaf, fail, flaky, hang, odd, ok, panic, sleep`},
		"no tool":           {call("a", ""), "tool is missing: which one is to be called?"},
		"missing parameter": {proposal.Action{Tool: "ok"}, "parameters of ok: id is missing"},
		"unknown parameter": {call("a", "ok", with("idd", 1)), `parameters of ok: there is no parameter "idd"; it takes id, ms, steps, until, url`},
		"wrong type":        {call("a", "ok", with("ms", "x")), `parameters of ok: `},
		"no JSON":           {call("a", "ok", with("url", make(chan int))), "parameters: json: unsupported type: chan int"},
		"type":              {proposal.Action{Type: "tool"}, `type "tool": it is one of tool_call, state_write, state_read, assertion`},
		"behavior":          {proposal.Action{Tool: "ok", FailureBehavior: "ignore"}, `failure_behavior "ignore": it is one of abort, retry, skip`},
		"retries":           {call("a", "ok", on(proposal.Abort, -1)), "max_retries -1: it is from 0 to 100"},
		"timeout":           {call("a", "ok", within(-1)), "timeout_ms -1: it is from 0 to 86400000"},
		"operator":          {call("a", "ok", given("x", "is", 1)), `preconditions[0]: operator "is": it is one of eq, neq, gt, lt, gte, lte, exists, not_exists, contains`},
		"condition's key":   {call("a", "ok", given("", proposal.Eq, 1)), "preconditions[0]: key is missing"},
		"condition's value": {call("a", "ok", given("x", proposal.Exists, 1)), "preconditions[0]: exists takes no value"},
		"write: no key":     {proposal.Action{Type: proposal.StateWrite, Parameters: map[string]any{"value": 1}}, "state_write: key is missing, or no string"},
		"write: no value":   {proposal.Action{Type: proposal.StateWrite, Parameters: map[string]any{"key": "x"}}, "state_write: value is missing"},
		"write: more":       {proposal.Action{Type: proposal.StateWrite, Parameters: map[string]any{"key": "x", "value": 1, "to": 2}}, `state_write: there is no parameter "to"; it takes key, value`},
		"write: a tool":     {proposal.Action{Type: proposal.StateWrite, Tool: "ok", Parameters: map[string]any{"key": "x", "value": 1}}, "state_write: it calls no tool, and one is named"},
		"read: missing":     {proposal.Action{Type: proposal.StateRead, Parameters: map[string]any{"key": "x"}}, `it depends on "x", which is not in the state and which no action writes`},
		"assert: nothing":   {proposal.Action{Type: proposal.Assertion, Parameters: map[string]any{"key": "x"}}, "assertion: say either expected, or operator and value"},
		"assert: both":      {proposal.Action{Type: proposal.Assertion, Parameters: map[string]any{"key": "x", "expected": 1, "operator": "eq"}}, "assertion: say either expected, or operator and value"},
		"assert: operator":  {proposal.Action{Type: proposal.Assertion, Parameters: map[string]any{"key": "x", "operator": 1.0}}, `assertion: operator "": it is one of`},
		"missing state":     {call("a", "ok", needs("x")), `it depends on "x", which is not in the state and which no action writes`},
		"unnamed key":       {call("a", "ok", needs("")), "a key of the state has a name"},
	} {
		t.Run(name, func(t *testing.T) {
			rt, x := newRuntime(t, proposal.Options{})
			p := of(call("first", "ok"), c.action)
			r := rt.Execute(t.Context(), p)
			sound(t, p, r)
			if got := r.Results[1]; got.Status != proposal.Rejected || !strings.HasPrefix(got.Error, c.want) {
				t.Errorf("%s: %q, want %q", got.Status, got.Error, c.want)
			}
			if r.Results[0].Status != proposal.Skipped || len(x.called()) > 0 || r.RolledBack || r.Cost.ToolCalls != 0 {
				t.Errorf("something ran: %s, %q", statuses(r), x.called())
			}
		})
	}
}

// TestUnknownToolAmongMany: where there are many tools only those are named that
// could have been meant.
func TestUnknownToolAmongMany(t *testing.T) {
	rt, _ := newRuntime(t, proposal.Options{})
	if err := rt.RegisterToolSchemas(proposal.BrowseSchemas()); err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[string]string{
		"browse_clik":            `there is no tool "browse_clik"; did you mean browse_click?`,
		"browser_type":           `there is no tool "browser_type"; did you mean browse_type?`,
		"dance":                  `there is no tool "dance"`,
		strings.Repeat("x", 500): `there is no tool "` + strings.Repeat("x", 79) + `…`,
	} {
		if got := rt.Execute(t.Context(), of(call("a", tool))).Results[0].Error; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestStateActions(t *testing.T) {
	write := func(id, key string, v any) proposal.Action {
		return proposal.Action{ID: id, Type: proposal.StateWrite, Parameters: map[string]any{"key": key, "value": v}}
	}
	assert := func(id string, params map[string]any) proposal.Action {
		return proposal.Action{ID: id, Type: proposal.Assertion, Parameters: params, FailureBehavior: proposal.Skip}
	}
	rt, x := newRuntime(t, proposal.Options{State: map[string]any{"n": 3}})
	p := of(
		proposal.Action{ID: "read", Type: proposal.StateRead, Parameters: map[string]any{"key": "list"}, FailureBehavior: proposal.Skip},
		write("write", "list", []int{1, 2}),
		assert("equal", map[string]any{"key": "list", "expected": []any{1, 2}}),
		assert("contains", map[string]any{"key": "list", "operator": "contains", "value": 2}),
		assert("more", map[string]any{"key": "n", "operator": "gt", "value": 3}),
		assert("absent", map[string]any{"key": "nothing", "operator": "not_exists"}),
		assert("null", map[string]any{"key": "nothing", "expected": nil}),
	)
	r := rt.Execute(t.Context(), p)
	sound(t, p, r)
	if got := statuses(r); got != "read:succeeded write:succeeded equal:succeeded contains:succeeded more:failed absent:succeeded null:failed" {
		t.Error(got)
	}
	if diff := cmp.Diff([]any{1.0, 2.0}, r.Results[0].Output); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]any{"list": []any{1.0, 2.0}}, r.Results[1].StateChanges); diff != "" {
		t.Error(diff)
	}
	if want := "n gt 3 does not hold: it is 3"; r.Results[4].Error != want {
		t.Errorf("%q", r.Results[4].Error)
	}
	if len(x.called()) > 0 || r.Cost.ToolCalls != 0 {
		t.Error("tools were called")
	}
	// What is handed out is a copy.
	r.Results[0].Output.([]any)[0] = "changed"
	rt.State()["list"].([]any)[0] = "changed"
	if diff := cmp.Diff([]any{1.0, 2.0}, rt.State()["list"]); diff != "" {
		t.Error(diff)
	}
}

func TestOperators(t *testing.T) {
	state := map[string]any{
		"n": 3, "f": 2.5, "s": "hello world", "t": true, "null": nil, "list": []any{1, "a"}, "object": map[string]any{"k": 1},
		"when": "2026-01-31T12:00:00Z",
	}
	for _, c := range []struct {
		key   string
		op    proposal.Operator
		value any
		holds bool
	}{
		{"n", "eq", 3, true},
		{"n", "eq", 3.0, true},
		{"n", "eq", "3", false},
		{"n", "neq", 4, true},
		{"n", "neq", 3, false},
		{"nobody", "neq", 3, true},
		{"nobody", "eq", nil, false},
		{"null", "eq", nil, true},
		{"n", "gt", 2, true},
		{"n", "gt", 3, false},
		{"n", "gte", 3, true},
		{"n", "lt", 3.5, true},
		{"n", "lt", 3, false},
		{"n", "lte", 3, true},
		{"f", "lte", 2, false},
		{"n", "gt", "2", false},
		{"t", "gt", false, false},
		{"nobody", "lt", 3, false},
		{"when", "gt", "2026-01-01T00:00:00Z", true},
		{"s", "contains", "lo wo", true},
		{"s", "contains", "Hello", false},
		{"s", "contains", 1, false},
		{"list", "contains", "a", true},
		{"list", "contains", 1, true},
		{"list", "contains", 2, false},
		{"object", "contains", "k", true},
		{"object", "contains", "v", false},
		{"object", "eq", map[string]any{"k": 1}, true},
		{"n", "contains", 3, false},
		{"n", "exists", nil, true},
		{"null", "exists", nil, true},
		{"nobody", "exists", nil, false},
		{"nobody", "not_exists", nil, true},
		{"n", "not_exists", nil, false},
	} {
		rt, _ := newRuntime(t, proposal.Options{State: state})
		r := rt.Execute(t.Context(), of(call("a", "ok", given(c.key, c.op, c.value))))
		want := proposal.Rejected
		if c.holds {
			want = proposal.Succeeded
		}
		if r.Results[0].Status != want {
			t.Errorf("%s %s %v: %s %s", c.key, c.op, c.value, r.Results[0].Status, r.Results[0].Error)
		}
	}
}

// TestRollbackLeavesOthersAlone: of two proposals that write the same key the
// one that aborts takes only its own away, whichever comes first.
func TestRollbackLeavesOthersAlone(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string // what becomes of the one that writes first, and second
		want          any
	}{
		"both stay":       {"ok", "ok", "b"},
		"the first goes":  {"fail", "ok", "b"},
		"the second goes": {"ok", "fail", "a"},
		"both go":         {"fail", "fail", "before"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rt, _ := newRuntime(t, proposal.Options{State: map[string]any{"x": "before"}})
				write := func(v string) proposal.Action {
					return proposal.Action{ID: v, Type: proposal.StateWrite, Parameters: map[string]any{"key": "x", "value": v}}
				}
				var wg sync.WaitGroup
				wg.Go(func() {
					rt.Execute(t.Context(), of(write("a"), call("wait", "sleep", with("ms", 200)), call("end", c.first)))
				})
				wg.Go(func() {
					rt.Execute(t.Context(), of(call("later", "sleep", with("ms", 100)), write("b"), call("wait", "sleep", with("ms", 200)), call("end", c.second)))
				})
				wg.Wait()
				if got := rt.State()["x"]; got != c.want {
					t.Errorf("x is %v, want %v", got, c.want)
				}
			})
		})
	}
}

// TestLastWriterStays: who wrote a key last has the last word, whoever ends last;
// and what one proposal wrote twice is taken back at once.
func TestLastWriterStays(t *testing.T) {
	write := func(id string) proposal.Action {
		return proposal.Action{ID: id, Type: proposal.StateWrite, Parameters: map[string]any{"key": "x", "value": id}}
	}
	synctest.Test(t, func(t *testing.T) {
		rt, _ := newRuntime(t, proposal.Options{State: map[string]any{"x": "before"}})
		var wg sync.WaitGroup
		wg.Go(func() {
			rt.Execute(t.Context(), of(write("early"), call("wait", "sleep", with("ms", 300))))
		})
		wg.Go(func() {
			rt.Execute(t.Context(), of(call("later", "sleep", with("ms", 100)), write("late")))
		})
		wg.Wait()
		if got := rt.State()["x"]; got != "late" {
			t.Errorf("x is %v", got)
		}
		if r := rt.Execute(t.Context(), of(write("one"), write("two"), call("end", "fail"))); !r.RolledBack || rt.State()["x"] != "late" {
			t.Errorf("x is %v", rt.State()["x"])
		}
		// A later proposal that goes takes nothing with it that came before.
		rt.Execute(t.Context(), of(write("three"), call("end", "ok")))
		rt.Execute(t.Context(), of(write("four"), call("end", "fail")))
		if got := rt.State()["x"]; got != "three" {
			t.Errorf("x is %v", got)
		}
	})
}

// TestCancel: what is at work is ended, the rest is skipped, nothing is left.
func TestCancel(t *testing.T) {
	for name, c := range map[string]struct {
		p     *proposal.ActionProposal
		want  string
		after time.Duration
	}{
		"one at work":   {of(call("a", "ok", makes("x")), call("b", "hang"), call("c", "ok")), "a:succeeded b:failed c:skipped", time.Second},
		"several":       {of(call("a", "hang", skip), call("b", "hang", skip), call("c", "ok")), "a:failed b:failed c:skipped", time.Second},
		"while waiting": {of(call("a", "fail", on(proposal.Retry, 10)), call("b", "ok", skip)), "a:failed b:succeeded", time.Second},
		"before":        {of(call("a", "ok"), call("b", "ok")), "a:skipped b:skipped", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rt, x := newRuntime(t, proposal.Options{})
				ctx, cancel := context.WithCancel(t.Context())
				if c.after == 0 {
					cancel()
				}
				time.AfterFunc(c.after, cancel)
				begun := time.Now()
				r := rt.Execute(ctx, c.p)
				sound(t, c.p, r)
				if got := statuses(r); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
				if took := time.Since(begun); took != c.after {
					t.Errorf("it took %v", took)
				}
				if !r.RolledBack || r.Stopped != "the proposal was cancelled" || len(rt.State()) > 0 {
					t.Errorf("%v %q %v", r.RolledBack, r.Stopped, rt.State())
				}
				if x.running != 0 {
					t.Errorf("%d are still at work", x.running)
				}
				synctest.Wait()
			})
		})
	}
}

// TestStray: a tool that does not end is not waited for for ever, and not tried
// again beside itself.
func TestStray(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt, x := newRuntime(t, proposal.Options{})
		begun := time.Now()
		p := of(call("a", "deaf", with("ms", 60_000), within(1000), on(proposal.Retry, 3)))
		r := rt.Execute(t.Context(), p)
		sound(t, p, r)
		if took := time.Since(begun); took != 6*time.Second || len(x.called()) != 1 {
			t.Errorf("%v, %d calls", took, len(x.called()))
		}
		if want := "timed out after 1s; it was told to end and did not within 5s, and may still be at work"; r.Results[0].Error != want || len(r.Warnings) != 1 {
			t.Errorf("%q %q", r.Results[0].Error, r.Warnings)
		}
		time.Sleep(time.Minute) // for the tool to end
	})
}

func TestTimeoutSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt, _ := newRuntime(t, proposal.Options{})
		r := rt.Execute(t.Context(), of(call("a", "hang", within(50), skip), call("b", "hang", skip)))
		if r.Results[0].Error != "timed out after 50ms" || r.Results[1].Error != "timed out after 2m0s" {
			t.Errorf("%q %q", r.Results[0].Error, r.Results[1].Error)
		}
		if r.Results[0].DurationMS != 50 || r.Cost.TotalDurationMS != 120_000 {
			t.Errorf("%v %v", r.Results[0].DurationMS, r.Cost.TotalDurationMS)
		}
	})
}

func TestBadRegistrations(t *testing.T) {
	rt, _ := newRuntime(t, proposal.Options{})
	for _, s := range []proposal.ToolSchema{
		{},
		{Name: "x", CacheTTLSecs: -1},
		{Name: "x", RateLimit: &proposal.RateLimit{MaxCalls: 1}},
		{Name: "x", RateLimit: &proposal.RateLimit{IntervalSecs: 1}},
		{Name: "x", Parameters: make(chan int)},
		{Name: "x", Parameters: "object"},
		{Name: "x", Parameters: map[string]any{"$ref": "#/nowhere"}},
	} {
		if err := rt.RegisterToolSchema(s); err == nil {
			t.Errorf("%+v was taken", s)
		}
	}
	if _, err := proposal.NewRuntime(nil, proposal.Options{Budget: proposal.Budget{MaxActions: -1}}); err == nil {
		t.Error("a budget below 0 was taken")
	}
	none, err := proposal.NewRuntime(nil, proposal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := none.RegisterToolSchema(proposal.ToolSchema{Name: "ok"}); err != nil {
		t.Fatal(err)
	}
	if r := none.Execute(t.Context(), of(call("a", "ok"))); r.Results[0].Status != proposal.Rejected {
		t.Errorf("without an executor: %+v", r.Results[0])
	}
	if r := none.Execute(t.Context(), nil); len(r.Results) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestVerify(t *testing.T) {
	rt, x := newRuntime(t, proposal.Options{State: map[string]any{"old": 1}})
	p := of(
		call("a", "ok", makes("x")),
		call("b", "nothing"),
		call("c", "ok", given("x", proposal.Eq, "a")),
		call("d", "ok", given("x", proposal.Eq, "b")),
		call("e", "ok", needs("x"), makes("x"), on(proposal.Retry, 0)),
	)
	want := &proposal.Verification{
		ProposalID: "p",
		Issues: []proposal.Issue{
			{ActionID: "b", Severity: "error", Message: `rejected: there is no tool "nothing"; there are deaf, fail, flaky, hang, odd, ok, panic, sleep`},
			{ActionID: "d", Severity: "error", Message: `rejected: precondition: x eq "b" does not hold: it is "a"`},
			{ActionID: "e", Severity: "warning", Message: "failure_behavior is retry, and max_retries 0: it is never tried again"},
			{ActionID: "e", Severity: "warning", Message: `it writes "x", and so does a`},
		},
		Levels: [][]string{{"a"}, {"b"}, {"c"}, {"d"}, {"e"}},
	}
	if diff := cmp.Diff(want, rt.Verify(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p.Actions = p.Actions[:1]
	if v := rt.Verify(p); !v.Valid || len(v.Issues) > 0 {
		t.Errorf("%+v", v)
	}
	if len(x.called()) > 0 || len(rt.State()) != 1 {
		t.Error("something was done")
	}
}

func TestSimulate(t *testing.T) {
	var journal strings.Builder
	rt, x := newRuntime(t, proposal.Options{State: map[string]any{"old": 1}, Journal: proposal.NewJournal(&journal)})
	before := journal.Len()
	s := rt.Simulate(of(call("a", "fail", makes("x")), call("b", "hang", needs("x"), makes("y"), skip), call("c", "ok", given("y", proposal.NotExists, nil), skip)))
	if got := statuses(&s.ProposalResult); got != "a:succeeded b:succeeded c:rejected" {
		t.Error(got)
	}
	if diff := cmp.Diff(map[string]any{"old": 1.0, "x": "a", "y": "b"}, s.State); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"a"}, {"b"}, {"c"}}, s.Levels); diff != "" {
		t.Error(diff)
	}
	if s.Cost.ToolCalls != 2 {
		t.Errorf("%+v", s.Cost)
	}
	s = rt.Simulate(of(call("a", "ok", makes("x")), call("b", "ok", given("x", proposal.Eq, 1))))
	if !s.RolledBack || len(s.Warnings) > 0 || len(s.State) != 1 {
		t.Errorf("%+v", s)
	}
	if len(x.called()) > 0 || len(rt.State()) != 1 || journal.Len() != before {
		t.Error("something was done")
	}
}

// TestEvents: who watches is told of every step, in order.
func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt, _ := newRuntime(t, proposal.Options{})
		var got []string
		r := rt.Execute(t.Context(), of(call("bad", "nothing", skip), call("a", "flaky", with("until", 2), on(proposal.Retry, 3), makes("x")), call("b", "fail"), call("c", "ok")), func(e proposal.Event) {
			line := string(e.Kind)
			if e.ActionID != "" {
				line += " " + e.ActionID
			}
			switch {
			case e.Result != nil:
				line += " " + string(e.Result.Status)
			case e.Kind == proposal.ActionRetrying:
				line += fmt.Sprintf(" %d %d %s", e.Attempt, e.DelayMS, e.Error)
			case e.Attempt > 0:
				line += fmt.Sprint(" ", e.Attempt)
			}
			if e.Time.IsZero() || e.ProposalID != "p" || e.Run == "" {
				t.Errorf("%+v", e)
			}
			got = append(got, line)
		})
		want := []string{
			"proposal_started",
			"action_finished bad rejected",
			"action_started a 1",
			"action_retrying a 2 100 not yet (1)",
			"action_started a 2",
			"action_finished a succeeded",
			"action_started b 1",
			"action_finished b failed",
			"action_finished c skipped",
			"state_rolled_back",
			"proposal_finished",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if !r.RolledBack {
			t.Error("not rolled back")
		}
	})
}

// TestManyAtOnce: a hundred proposals at once over one runtime, which is what the
// race detector is for.
func TestManyAtOnce(t *testing.T) {
	var journal safeBuilder
	rt, x := newRuntime(t, proposal.Options{Journal: proposal.NewJournal(&journal)}, proposal.ToolSchema{Name: "cached", Parameters: parameters, CacheTTLSecs: 60})
	const many = 100
	var wg sync.WaitGroup
	for n := range many {
		wg.Go(func() {
			key := fmt.Sprintf("own_%d", n)
			p := of(
				call("a", "ok", makes(key)),
				call("b", "ok", needs(key), makes("shared"), skip),
				call("c", "cached", with("id", "same"), skip),
				call("d", "sleep", with("ms", 1), skip, func(a *proposal.Action) { a.Idempotent = true }),
				call("e", "flaky", with("id", fmt.Sprint("e", n)), with("until", 2), on(proposal.Retry, 2)),
				call("f", "nothing", skip),
				call("g", []string{"ok", "fail"}[n%2]),
			)
			r := rt.Execute(t.Context(), p, func(proposal.Event) {})
			sound(t, p, r)
			want := "a:succeeded b:succeeded c:succeeded d:succeeded e:succeeded f:rejected g:" + []string{"succeeded", "failed"}[n%2]
			if got := statuses(r); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if r.RolledBack != (n%2 == 1) {
				t.Errorf("rolled back: %v", r.RolledBack)
			}
			rt.Verify(p)
			rt.State()
		})
	}
	wg.Wait()
	state := rt.State()
	for n := range many {
		if _, there := state[fmt.Sprintf("own_%d", n)]; there != (n%2 == 0) {
			t.Errorf("own_%d: %v", n, there)
		}
	}
	if x.running != 0 {
		t.Errorf("%d are still at work", x.running)
	}
	replayed, err := proposal.Replay(strings.NewReader(journal.String()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(state, replayed.State); diff != "" {
		t.Errorf("the journal tells of another state (-runtime +journal):\n%s", diff)
	}
}

type safeBuilder struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *safeBuilder) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuilder) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
