package proposal_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rove/proposal"
)

// TestBehaviors goes through failure_behavior × max_retries × what happens to an
// action in the middle of a proposal, and says of each combination what becomes
// of it, of what comes before and after, of what depends on it, of the state, and
// how long all of it takes.
func TestBehaviors(t *testing.T) {
	outcomes := []struct {
		name string
		tool string
		more []func(*proposal.Action)
		// What becomes of it if it is tried n times, and how long a try takes.
		status func(tries int) proposal.ActionStatus
		tries  int // at most, before it succeeds
		takes  time.Duration
		early  bool // refused before anything runs
	}{
		{name: "it works", tool: "ok", status: always(proposal.Succeeded), tries: 1},
		{name: "it fails", tool: "fail", status: always(proposal.Failed), tries: 1000},
		{name: "it works the third time", tool: "flaky", more: all(with("until", 3)), tries: 3, status: func(tries int) proposal.ActionStatus {
			if tries >= 3 {
				return proposal.Succeeded
			}
			return proposal.Failed
		}},
		{name: "it hangs", tool: "hang", more: all(within(250)), status: always(proposal.Failed), tries: 1000, takes: 250 * time.Millisecond},
		{name: "its tool does not listen", tool: "deaf", more: all(within(50), with("ms", 150)), status: always(proposal.Failed), tries: 1000, takes: 150 * time.Millisecond},
		{name: "it panics", tool: "panic", status: always(proposal.Failed), tries: 1000},
		{name: "its answer is no JSON", tool: "odd", status: always(proposal.Failed), tries: 1000},
		{name: "unknown tool", tool: "nothing", status: always(proposal.Rejected), early: true},
		{name: "parameter of the wrong type", tool: "ok", more: all(with("ms", "soon")), status: always(proposal.Rejected), early: true},
		{name: "unknown parameter", tool: "ok", more: all(with("sm", 1)), status: always(proposal.Rejected), early: true},
		{name: "missing state", tool: "ok", more: all(needs("nobody's")), status: always(proposal.Rejected), early: true},
		{name: "precondition that holds", tool: "ok", more: all(given("first", proposal.Eq, "before")), status: always(proposal.Succeeded), tries: 1},
		{name: "precondition that does not", tool: "ok", more: all(given("first", proposal.Neq, "before")), status: always(proposal.Rejected)},
	}
	for _, behavior := range []proposal.FailureBehavior{proposal.Abort, proposal.Retry, proposal.Skip} {
		for _, retries := range []int{0, 1, 3} {
			for _, o := range outcomes {
				t.Run(fmt.Sprintf("%s/%d/%s", behavior, retries, o.name), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						rt, x := newRuntime(t, proposal.Options{State: map[string]any{"old": 1.0}})
						p := of(
							call("before", "ok", makes("first")),
							call("mid", o.tool, append(o.more, on(behavior, retries), makes("middle"))...),
							call("dependent", "ok", needs("middle"), makes("last")),
							call("apart", "ok", makes("other")),
						)
						begun := time.Now()
						r := rt.Execute(t.Context(), p)
						took := time.Since(begun)
						sound(t, p, r)

						tries := 1
						if behavior == proposal.Retry {
							tries += retries
						}
						tries = min(tries, o.tries)
						status := o.status(tries)
						aborted := behavior == proposal.Abort && status != proposal.Succeeded
						want := map[string]proposal.ActionStatus{"before": "succeeded", "mid": status, "dependent": "succeeded", "apart": "succeeded"}
						if status != proposal.Succeeded {
							want["dependent"] = proposal.Skipped
						}
						if aborted {
							want["apart"] = proposal.Skipped
							if o.early {
								want["before"] = proposal.Skipped
							}
						}
						got := map[string]proposal.ActionStatus{}
						for _, a := range r.Results {
							got[a.ActionID] = a.Status
						}
						if diff := cmp.Diff(want, got); diff != "" {
							t.Errorf("statuses (-want +got):\n%s", diff)
						}

						state := map[string]any{"old": 1.0}
						if !aborted {
							for id, key := range map[string]string{"before": "first", "mid": "middle", "dependent": "last", "apart": "other"} {
								if want[id] == proposal.Succeeded {
									state[key] = id
								}
							}
						}
						if diff := cmp.Diff(state, rt.State()); diff != "" {
							t.Errorf("state (-want +got):\n%s", diff)
						}
						if r.RolledBack != (aborted && !o.early) || (len(r.Warnings) > 0) != r.RolledBack {
							t.Errorf("rolled back: %v, warnings: %q", r.RolledBack, r.Warnings)
						}
						if (r.Stopped != "") != aborted {
							t.Errorf("stopped: %q", r.Stopped)
						}

						calls, waited := 0, time.Duration(0)
						for _, id := range x.called() {
							if id == "mid" {
								calls++
							}
						}
						if status == proposal.Rejected {
							tries = 0
						}
						for i := range tries - 1 {
							waited += 100 * time.Millisecond << i
						}
						waited += time.Duration(tries) * o.takes
						if calls != tries || r.Cost.Retries != max(tries-1, 0) || r.Cost.ToolCalls != len(x.called()) {
							t.Errorf("called %d times, want %d; cost %+v for %d calls", calls, tries, r.Cost, len(x.called()))
						}
						if took != waited {
							t.Errorf("it took %v, want %v", took, waited)
						}
						if x.running != 0 {
							t.Errorf("%d calls are still at work", x.running)
						}
					})
				})
			}
		}
	}
}

func always(s proposal.ActionStatus) func(int) proposal.ActionStatus {
	return func(int) proposal.ActionStatus { return s }
}

func all(f ...func(*proposal.Action)) []func(*proposal.Action) { return f[:len(f):len(f)] }
