package proposal

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"
)

// Options shape a runtime. The zero value has no limits and keeps no journal.
type Options struct {
	State    map[string]any // to begin with, over what the journal has
	Policies []Policy
	Budget   Budget // of each proposal
	Journal  *Journal
	// InTurn runs one action at a time, in the order of the list as far as
	// dependencies let it. It is for executors whose calls take turns anyway, as
	// those of one browser do, and would do so in an order that nobody has chosen.
	InTurn bool
	Now    func() time.Time // for time stamps; nil is time.Now
}

// Runtime runs proposals, any number at once. They share its state.
type Runtime struct {
	executor Executor
	budget   Budget
	journal  *Journal
	inTurn   bool
	now      func() time.Time
	state    *store
	memory   *memory // of idempotent calls
	cache    *memory

	mu    sync.RWMutex
	tools map[string]*registered
	rules []*rule
}

// NewRuntime makes a runtime that calls the tools of an executor, once they are
// registered.
func NewRuntime(x Executor, opts Options) (*Runtime, error) {
	values := map[string]any{}
	if opts.Journal != nil {
		values = opts.Journal.State()
	}
	rt := &Runtime{
		executor: x, budget: opts.Budget, journal: opts.Journal, inTurn: opts.InTurn, now: opts.Now,
		state: newStore(values), memory: newMemory(), cache: newMemory(), tools: map[string]*registered{},
	}
	if rt.now == nil {
		rt.now = time.Now
	}
	if b := opts.Budget; b.MaxActions < 0 || b.MaxToolCalls < 0 || b.MaxDurationMS < 0 || b.MaxDurationMS > int(longest.Milliseconds()) {
		return nil, fmt.Errorf("a budget is a number from 0 on, 0 is no limit; its time is at most %d ms", longest.Milliseconds())
	}
	for _, p := range opts.Policies {
		if err := rt.AddPolicy(p); err != nil {
			return nil, err
		}
	}
	if len(opts.State) > 0 {
		if err := rt.SetState(opts.State); err != nil {
			return nil, err
		}
	}
	return rt, nil
}

// RegisterToolSchema tells the runtime of a tool. One of the same name is
// replaced; proposals at work keep what they began with.
func (rt *Runtime) RegisterToolSchema(s ToolSchema) error {
	t, err := newRegistered(s)
	if err != nil {
		return err
	}
	rt.mu.Lock()
	defer rt.mu.Unlock()
	rt.tools[s.Name] = t
	return nil
}

// RegisterToolSchemas registers several, up to the first that is refused.
func (rt *Runtime) RegisterToolSchemas(all []ToolSchema) error {
	for _, s := range all {
		if err := rt.RegisterToolSchema(s); err != nil {
			return err
		}
	}
	return nil
}

// AddPolicy adds a rule for the proposals to come.
func (rt *Runtime) AddPolicy(p Policy) error {
	r, err := newRule(p)
	if err != nil {
		return err
	}
	rt.mu.Lock()
	defer rt.mu.Unlock()
	rt.rules = append(rt.rules, r)
	return nil
}

// State is a copy of the state as it is now.
func (rt *Runtime) State() map[string]any { return rt.state.all() }

// SetState sets keys from outside of any proposal.
func (rt *Runtime) SetState(values map[string]any) error {
	changes, err := plainMap(values)
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	t := rt.state.begin()
	t.set(changes, func() { rt.journal.write(&Event{Kind: StateSet, Time: rt.now().UTC(), State: changes}) })
	t.commit(func() {})
	return rt.journal.trouble()
}

// Execute runs a proposal. There is always a result, with one entry per action.
// When the context ends, what is at work is cancelled, waited for and counted as
// failed, and the rest is skipped. Who watches is told of every step, in order, by
// the goroutines that do the work, which wait for it to return.
func (rt *Runtime) Execute(ctx context.Context, p *ActionProposal, watch ...func(Event)) *ProposalResult {
	r := rt.newRun(p)
	r.watch = watch
	return r.execute(ctx)
}

// Simulation is what would come of a proposal if every tool call succeeded.
type Simulation struct {
	ProposalResult
	Levels [][]string     `json:"levels"` // ids of actions; each level needs only those before it
	State  map[string]any `json:"state"`  // at the end
}

// Simulate goes through a proposal without calling a tool or changing anything.
func (rt *Runtime) Simulate(p *ActionProposal) *Simulation {
	r := rt.newRun(p)
	r.dry = true
	r.journal = nil
	r.state = newStore(rt.State())
	result := r.execute(context.Background())
	return &Simulation{*result, r.levelNames(), r.state.all()}
}

// Verification is what is wrong with a proposal.
type Verification struct {
	ProposalID string     `json:"proposal_id"`
	Valid      bool       `json:"valid"` // it can be run
	Issues     []Issue    `json:"issues"`
	Levels     [][]string `json:"levels"`
}

// Issue is something wrong with one action.
type Issue struct {
	ActionID string   `json:"action_id,omitempty"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
}

// Severity is how bad an issue is.
type Severity string

const (
	SeverityError   Severity = "error"   // it would not succeed
	SeverityWarning Severity = "warning" // it would, but hardly as it is meant
)

// Verify says what is wrong with a proposal as the state is now, without calling a
// tool or changing anything.
func (rt *Runtime) Verify(p *ActionProposal) *Verification {
	r := rt.newRun(p)
	r.dry, r.all = true, true
	r.journal = nil
	r.state = newStore(rt.State())
	result := r.execute(context.Background())
	v := &Verification{ProposalID: result.ProposalID, Valid: true, Issues: []Issue{}, Levels: r.levelNames()}
	for _, a := range result.Results {
		if a.Status != Succeeded {
			v.Valid = false
			v.Issues = append(v.Issues, Issue{a.ActionID, SeverityError, string(a.Status) + ": " + a.Error})
		}
	}
	written := map[string]string{}
	for _, s := range r.steps {
		if s.FailureBehavior == Retry && s.MaxRetries == 0 {
			v.Issues = append(v.Issues, Issue{s.ID, SeverityWarning, "failure_behavior is retry, and max_retries 0: it is never tried again"})
		}
		for _, key := range s.writes {
			if other := written[key]; other != "" && other != s.ID {
				v.Issues = append(v.Issues, Issue{s.ID, SeverityWarning, fmt.Sprintf("it writes %q, and so does %s", key, other)})
			}
			written[key] = s.ID
		}
	}
	return v
}

func (rt *Runtime) newRun(p *ActionProposal) *run {
	if p == nil {
		p = new(ActionProposal)
	}
	rt.mu.RLock()
	defer rt.mu.RUnlock()
	r := &run{Runtime: rt, id: rand.Text()[:12], proposal: p, state: rt.state, journal: rt.journal, rules: rt.rules[:len(rt.rules):len(rt.rules)]}
	r.steps = make([]*step, len(p.Actions))
	for i := range p.Actions {
		r.steps[i] = &step{Action: p.Actions[i], tool: rt.tools[p.Actions[i].Tool]}
	}
	return r
}
