package proposal_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rove/proposal"
)

// TestLevels reads proposals in short: a line per action, its id, what it reads
// (<key), looks at (?key) and writes (>key), and ! where it may abort.
func TestLevels(t *testing.T) {
	cases := map[string]struct{ actions, want string }{
		"no dependencies, none may abort": {"a; b; c", "a b c"},
		"each may abort":                  {"a!; b!; c!", "a | b | c"},
		"one may abort":                   {"a; b; c!; d; e", "a b | c | d e"},
		"a chain":                         {"a >x; b <x >y; c <y", "a | b | c"},
		"a diamond":                       {"a >x; b <x >y; c <x >z; d <y <z", "a | b c | d"},
		"the writer stands later":         {"a <x; b; c >x", "b c | a"},
		"… and may abort":                 {"a! <x; b!; c! >x", "b | c | a"},
		"a writer before counts, one after does not": {"a >x; b <x; c >x", "a | b c"},
		"what is written twice":                      {"a >x; b >x; c <x", "a | b | c"},
		"what is read and written":                   {"a >x; b <x >x; c <x >x; d <x", "a | b | c | d"},
		"reading what one writes oneself":            {"a <old >old; b", "a b"},
		"a precondition keeps its place":             {"a ?x; b >x; c ?x", "a | b | c"},
		"a precondition behind a dependency":         {"w >k; login <k >in; fetch ?in", "w | login | fetch"},
		"the list is kept around what may abort":     {"open! >page; type! <page; click!", "open | type | click"},
		"a circle":                                   {"a <x >y; b <y >x; c; d <x", "a b c | d"},
		"a circle of three":                          {"a <x >y; b <y >z; c <z >x", "a b c"},
		"two circles and a way":                      {"a <b >a; b <a >b; c <d >c <a; d <c >d", "a b c d"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rt, _ := newRuntime(t, proposal.Options{State: map[string]any{"old": true}})
			v := rt.Verify(short(c.actions))
			var levels []string
			for _, l := range v.Levels {
				levels = append(levels, strings.Join(l, " "))
			}
			if diff := cmp.Diff(c.want, strings.Join(levels, " | ")); diff != "" {
				t.Errorf("levels (-want +got):\n%s", diff)
			}
		})
	}
}

func short(text string) *proposal.ActionProposal {
	p := of()
	for part := range strings.SplitSeq(text, ";") {
		words := strings.Fields(part)
		id, abort := strings.CutSuffix(words[0], "!")
		a := call(id, "ok")
		if a.FailureBehavior = proposal.Skip; abort {
			a.FailureBehavior = proposal.Abort
		}
		a.ExpectedEffects = map[string]any{}
		for _, w := range words[1:] {
			switch w[0] {
			case '<':
				a.StateDependencies = append(a.StateDependencies, w[1:])
			case '>':
				a.ExpectedEffects[w[1:]] = id
			case '?':
				a.Preconditions = append(a.Preconditions, proposal.Precondition{Key: w[1:], Operator: proposal.Exists})
			}
		}
		p.Actions = append(p.Actions, a)
	}
	return p
}

func TestCirclesAreRejectedAndNamed(t *testing.T) {
	rt, x := newRuntime(t, proposal.Options{})
	p := short("a <x >y; b <y >x; c; d <x")
	r := rt.Execute(t.Context(), p)
	sound(t, p, r)
	if got := statuses(r); got != "a:rejected b:rejected c:succeeded d:skipped" {
		t.Error(got)
	}
	if want := `the dependencies go round in a circle: a needs "x" of b, b needs "y" of a`; r.Results[0].Error != want || r.Results[1].Error != want {
		t.Errorf("%q, %q", r.Results[0].Error, r.Results[1].Error)
	}
	if !strings.Contains(r.Results[3].Error, `depends on "x" of b, which was not done: rejected`) {
		t.Error(r.Results[3].Error)
	}
	if diff := cmp.Diff([]string{"c"}, x.called()); diff != "" {
		t.Error(diff)
	}
}

// TestLevelsRunAtOnce: what does not abort runs at once, what may abort alone.
func TestLevelsRunAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		more func(*proposal.Action)
		most int
		took time.Duration
	}{
		"skip":  {on(proposal.Skip, 0), 3, 100 * time.Millisecond},
		"retry": {on(proposal.Retry, 0), 3, 100 * time.Millisecond},
		"abort": {on(proposal.Abort, 0), 1, 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rt, x := newRuntime(t, proposal.Options{})
				begun := time.Now()
				p := of(call("a", "sleep", with("ms", 100), c.more), call("b", "sleep", with("ms", 100), c.more), call("c", "sleep", with("ms", 100), c.more))
				r := rt.Execute(t.Context(), p)
				sound(t, p, r)
				if !r.Succeeded() || x.most != c.most || time.Since(begun) != c.took {
					t.Errorf("%s; %d at once, want %d; took %v, want %v", statuses(r), x.most, c.most, time.Since(begun), c.took)
				}
			})
		})
	}
}

// TestInTurn: one at a time, in the order of the list, except for what has to
// wait.
func TestInTurn(t *testing.T) {
	rt, x := newRuntime(t, proposal.Options{InTurn: true})
	p := short("a <x; b >y; c; d <y >x; e")
	for i := range p.Actions {
		p.Actions[i].Tool = "sleep"
		p.Actions[i].Parameters["ms"] = 1
	}
	r := rt.Execute(t.Context(), p)
	sound(t, p, r)
	if got := strings.Join(x.called(), " "); got != "b c d a e" || x.most != 1 || !r.Succeeded() {
		t.Errorf("%s, %d at once, %s", got, x.most, statuses(r))
	}
}

// TestManyDependencies: the worst that a proposal can ask for is put in order
// within a moment.
func TestManyDependencies(t *testing.T) {
	rt, _ := newRuntime(t, proposal.Options{})
	var p proposal.ActionProposal
	for range 1000 {
		p.Actions = append(p.Actions, proposal.Action{Tool: "ok", Parameters: map[string]any{"id": "a"}, StateDependencies: []string{"x"}, ExpectedEffects: map[string]any{"x": 1}})
	}
	p.Actions[0].StateDependencies = nil
	begun := time.Now()
	if v := rt.Verify(&p); !v.Valid || len(v.Levels) != 1000 {
		t.Errorf("%v, %d levels", v.Valid, len(v.Levels))
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	p.Actions = append(p.Actions, p.Actions[0])
	if r := rt.Execute(t.Context(), &p); r.Cost.ActionsRejected != 1001 || !strings.Contains(r.Results[0].Error, "1000 are the most") {
		t.Errorf("%+v %s", r.Cost, r.Results[0].Error)
	}
}
