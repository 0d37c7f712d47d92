package proposal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// The wait before an action is tried again begins with firstDelay and doubles.
const (
	firstDelay = 100 * time.Millisecond
	mostDelay  = 30 * time.Second
)

// run is one run of a proposal.
type run struct {
	*Runtime
	id       string
	proposal *ActionProposal
	steps    []*step
	levels   [][]int
	rules    []*rule
	state    *store // in a simulation, a copy
	journal  *Journal
	tx       *tx
	dry      bool // no tool is called
	all      bool // go on after what would stop it, to see what else is wrong

	watchMu sync.Mutex
	watch   []func(Event)

	mu       sync.Mutex
	cost     Cost
	begun    int   // actions
	stopped  error // why nothing more is begun
	rollback bool
	warnings []string
}

// step is an action on its way.
type step struct {
	Action
	tool    *registered
	depends []string // keys it must have
	looks   []string // keys whose value decides
	writes  []string
	needs   []need
	refused error // before anything ran

	result  *ActionResult
	begun   time.Time
	touched bool // a tool was called, whatever came of it
}

func (r *run) execute(ctx context.Context) *ProposalResult {
	begun := time.Now()
	if ms := r.budget.MaxDurationMS; ms > 0 && !r.dry {
		limit := time.Duration(ms) * time.Millisecond
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, &budgetError{limit.String()})
		defer cancel()
	}
	r.tx = r.state.begin()
	r.validate()
	r.emit(&Event{Kind: ProposalStarted, Proposal: r.written()})
	for _, s := range r.steps {
		if s.refused != nil {
			s.begun = time.Now()
			r.settle(s, Rejected, nil, s.refused)
		}
	}
	for _, level := range r.levels {
		var wg sync.WaitGroup
		for _, i := range level {
			if r.dry || len(level) == 1 {
				r.turn(ctx, r.steps[i])
				continue
			}
			wg.Go(func() { r.turn(ctx, r.steps[i]) })
		}
		wg.Wait()
	}
	return r.finish(begun)
}

// finish ends the run and adds everything up.
func (r *run) finish(begun time.Time) *ProposalResult {
	out := &ProposalResult{ProposalID: r.proposal.ID, Results: make([]ActionResult, len(r.steps))}
	var touched []string
	for i, s := range r.steps {
		out.Results[i] = *s.result
		switch s.result.Status {
		case Rejected:
			r.cost.ActionsRejected++
		case Skipped:
			r.cost.ActionsSkipped++
		default:
			r.cost.ActionsExecuted++
		}
		if s.touched {
			touched = append(touched, s.ID)
		}
	}
	if r.stopped != nil {
		out.Stopped = r.stopped.Error()
	}
	if r.rollback {
		e := r.stamp(&Event{Kind: StateRolledBack})
		r.tx.rollback(func(u Undone) {
			e.Undone = &u
			r.journal.write(e)
		})
		r.tell(e)
		out.RolledBack = true
		if len(touched) > 0 && !r.dry {
			r.warnings = append(r.warnings, "the state was rolled back, but the browser's own state was not: what these actions did there stays: "+strings.Join(touched, ", "))
		}
	}
	r.cost.TotalDurationMS = millis(time.Since(begun))
	out.Cost = r.cost
	end := r.stamp(&Event{Kind: ProposalFinished, Cost: &out.Cost, Stopped: out.Stopped})
	r.tx.commit(func() { r.journal.write(end) })
	r.tell(end)
	if err := r.journal.trouble(); err != nil {
		r.warnings = append(r.warnings, fmt.Sprintf("the journal is not complete: %v", err))
	}
	out.Warnings = r.warnings
	return out
}

// turn is an action's turn.
func (r *run) turn(ctx context.Context, s *step) {
	if s.refused != nil {
		return
	}
	s.begun = time.Now()
	if ctx.Err() != nil {
		err := interrupted(ctx)
		var over *budgetError
		r.stop(err, !errors.As(err, &over))
	}
	if err := r.halted(); err != nil {
		r.settle(s, Skipped, nil, err)
		return
	}
	if err := r.unmetNeed(s); err != nil {
		r.settle(s, Skipped, nil, err)
		return
	}
	if err := r.conditions(s); err != nil {
		r.settle(s, Rejected, nil, err)
		r.mayStop(s, "was rejected")
		return
	}
	if err := r.takeBudget(s); err != nil {
		r.stop(err, false)
		r.settle(s, Skipped, nil, err)
		return
	}
	output, reused, err := r.try(ctx, s)
	if err != nil {
		r.settle(s, Failed, output, err)
		if ctx.Err() == nil {
			r.mayStop(s, "failed")
			return
		}
		var over *budgetError
		err = interrupted(ctx)
		r.stop(err, !errors.As(err, &over) || s.FailureBehavior == Abort)
		return
	}
	s.result = &ActionResult{ActionID: s.ID, Status: Succeeded, Output: output, Reused: reused}
	changes := s.effects()
	if len(changes) > 0 {
		s.result.StateChanges = changes
	}
	e := r.finished(s)
	r.tx.set(changes, func() { r.journal.write(e) })
	r.tell(e)
}

// effects is what an action that succeeded makes of the state.
func (s *step) effects() map[string]any {
	changes := cloneMap(s.ExpectedEffects)
	if s.Type == StateWrite {
		changes[s.Parameters["key"].(string)] = clone(s.Parameters["value"])
	}
	return changes
}

// settle says what became of an action that did not succeed.
func (r *run) settle(s *step, status ActionStatus, output any, err error) {
	s.result = &ActionResult{ActionID: s.ID, Status: status, Output: output, Error: err.Error()}
	r.emit(r.finished(s))
}

func (r *run) finished(s *step) *Event {
	s.result.Timestamp = r.now().UTC()
	s.result.DurationMS = millis(time.Since(s.begun))
	return r.stamp(&Event{Kind: ActionFinished, ActionID: s.ID, Tool: s.Tool, Result: s.result})
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// stop keeps everything else from being begun. The first reason counts.
func (r *run) stop(why error, rollback bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped == nil {
		r.stopped = why
	}
	r.rollback = r.rollback || rollback
}

// mayStop ends the proposal if the action wants that.
func (r *run) mayStop(s *step, what string) {
	if s.FailureBehavior == Abort && !r.all {
		r.stop(fmt.Errorf("aborted: %s %s", s.ID, what), true)
	}
}

func (r *run) halted() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

// unmetNeed says which dependency did not come about.
func (r *run) unmetNeed(s *step) error {
	for _, n := range s.needs {
		if len(n.writers) == 0 || slices.ContainsFunc(n.writers, func(i int) bool { return r.steps[i].result.Status == Succeeded }) {
			continue
		}
		w := r.steps[n.writers[len(n.writers)-1]]
		return fmt.Errorf("it depends on %q of %s, which was not done: %s", n.key, w.ID, w.result.Status)
	}
	return nil
}

// conditions looks at what has to be so when the turn of an action has come.
func (r *run) conditions(s *step) error {
	for i := range s.Preconditions {
		if err := s.Preconditions[i].holds(r.state.get); err != nil {
			return fmt.Errorf("precondition: %w", err)
		}
	}
	if s.Type == ToolCall {
		for _, rule := range r.rules {
			if err := rule.blockedByState(s.Tool, r.state.get); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeBudget takes an action, and the first call of its tool, from the budget.
func (r *run) takeBudget(s *step) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if most := r.budget.MaxActions; most > 0 && r.begun >= most {
		return &budgetError{plural(most, "action")}
	}
	if s.Type == ToolCall {
		if err := r.takeCall(); err != nil {
			return err
		}
	}
	r.begun++
	return nil
}

// takeCall takes a tool call from the budget. The lock is held.
func (r *run) takeCall() error {
	if most := r.budget.MaxToolCalls; most > 0 && r.cost.ToolCalls >= most {
		return &budgetError{plural(most, "tool call")}
	}
	r.cost.ToolCalls++
	return nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// try does an action, again and again if that is wanted.
func (r *run) try(ctx context.Context, s *step) (output any, reused bool, err error) {
	delay := firstDelay
	for attempt := 1; ; attempt++ {
		r.emit(&Event{Kind: ActionStarted, ActionID: s.ID, Tool: s.Tool, Attempt: attempt})
		output, reused, err = r.perform(context.WithValue(ctx, actionKey{}, s.ID), s)
		var stray *unendedError
		var decided interface{ Final() bool }
		switch {
		case err == nil:
			return output, reused, nil
		case errors.As(err, &stray):
			r.warn("%s: %v", s.ID, err)
			return output, false, err
		case errors.As(err, &decided) && decided.Final(), s.FailureBehavior != Retry || attempt > s.MaxRetries || ctx.Err() != nil || r.dry:
			return output, false, err
		}
		if s.Type == ToolCall {
			if over := r.affordRetry(); over != nil {
				return output, false, fmt.Errorf("%w (not tried again: %w)", err, over)
			}
		}
		r.emit(&Event{Kind: ActionRetrying, ActionID: s.ID, Tool: s.Tool, Attempt: attempt + 1, Error: err.Error(), DelayMS: delay.Milliseconds()})
		if pause(ctx, delay) != nil {
			if s.Type == ToolCall {
				r.returnBudget()
			}
			return output, false, fmt.Errorf("%w; before that: %w", interrupted(ctx), err)
		}
		delay = min(2*delay, mostDelay)
		r.mu.Lock()
		r.cost.Retries++
		r.mu.Unlock()
	}
}

func (r *run) affordRetry() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.takeCall()
}

// returnBudget returns a tool call to the budget that was not made.
func (r *run) returnBudget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cost.ToolCalls--
}

// perform does an action once.
func (r *run) perform(ctx context.Context, s *step) (output any, reused bool, err error) {
	switch s.Type {
	case StateRead:
		value, there := r.state.get(s.Parameters["key"].(string))
		if !there {
			return nil, false, fmt.Errorf("there is no %q in the state any more", s.Parameters["key"])
		}
		return clone(value), false, nil
	case Assertion:
		c := s.asserted()
		return nil, false, c.holds(r.state.get)
	case StateWrite:
		return nil, false, nil // see effects
	}
	if r.dry {
		return nil, false, nil
	}
	return r.call(ctx, s)
}

// call calls the tool of an action, unless an equal call has the answer.
func (r *run) call(ctx context.Context, s *step) (output any, reused bool, err error) {
	key := callKey(s.Tool, s.Parameters)
	ttl := time.Duration(s.tool.CacheTTLSecs) * time.Second
	if ttl > 0 {
		if output, ok := r.cache.get(key, r.now()); ok {
			r.returnBudget()
			return output, true, nil
		}
	}
	if s.Idempotent {
		output, found, done, err := r.memory.enter(ctx, key, r.now)
		if found || err != nil {
			r.returnBudget()
			return output, found, wrapInterrupted(ctx, err)
		}
		defer done()
	}
	if l := s.tool.limiter; l != nil {
		if err := l.wait(ctx); err != nil {
			r.returnBudget()
			return nil, false, wrapInterrupted(ctx, err)
		}
	}
	limit := DefaultTimeout
	if s.TimeoutMS > 0 {
		limit = time.Duration(s.TimeoutMS) * time.Millisecond
	}
	s.touched = true
	if output, err = invoke(ctx, r.executor, s.Tool, cloneMap(s.Parameters), limit); err != nil {
		return output, false, err
	}
	if s.Idempotent {
		r.memory.put(key, output, time.Time{})
	}
	if ttl > 0 {
		r.cache.put(key, output, r.now().Add(ttl))
	}
	return output, false, nil
}

func wrapInterrupted(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	return interrupted(ctx)
}

func (r *run) warn(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
}

func (r *run) stamp(e *Event) *Event {
	e.Time, e.Run, e.ProposalID = r.now().UTC(), r.id, r.proposal.ID
	return e
}

// emit writes an event down and tells who watches.
func (r *run) emit(e *Event) {
	r.journal.write(r.stamp(e))
	r.tell(e)
}

func (r *run) tell(e *Event) {
	r.watchMu.Lock()
	defer r.watchMu.Unlock()
	for _, watch := range r.watch {
		watch(*e)
	}
}

// written is the proposal as it is about to be run, in values of its own.
func (r *run) written() *ActionProposal {
	p := &ActionProposal{ID: r.proposal.ID, Source: r.proposal.Source, Timestamp: r.proposal.Timestamp, Actions: make([]Action, len(r.steps))}
	for i, s := range r.steps {
		if p.Actions[i] = s.Action; s.refused != nil {
			a := &p.Actions[i] // it may hold what can't be written
			*a = Action{ID: a.ID, Type: a.Type, Tool: a.Tool, FailureBehavior: a.FailureBehavior, Parameters: a.Parameters}
			a.Parameters, _ = plainMap(a.Parameters)
		}
	}
	p.Context, _ = plainMap(r.proposal.Context) // what can't be written is nobody's loss
	return p
}

func (r *run) levelNames() [][]string {
	out := make([][]string, 0, len(r.levels))
	for _, level := range r.levels {
		names := make([]string, len(level))
		for i, at := range level {
			names[i] = r.steps[at].ID
		}
		out = append(out, names)
	}
	return out
}
