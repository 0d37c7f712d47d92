// Package proposal runs action proposals: lists of actions that somebody, often
// a model, would like done, written down before any of them is. The runtime
// checks them all first, puts them in order by the state they need and make, and
// does them one by one, each with its preconditions, time limit and retries.
//
//	rt, err := proposal.NewRuntime(executor, proposal.Options{})
//	err = rt.RegisterToolSchema(proposal.ToolSchema{Name: "browse_navigate", Parameters: schema})
//	p, err := proposal.Parse([]byte(`{"actions": [
//	    {"id": "open", "tool": "browse_navigate", "parameters": {"url": "https://example.com"}}
//	]}`))
//	result := rt.Execute(ctx, p)
//	fmt.Println(result.Results[0].Status) // succeeded
//
// What becomes of an action is one of four things, and never two of them:
//
//   - succeeded: it was done.
//   - failed: it was begun, and could not be done.
//   - rejected: it was refused before anything of it was done: a tool that there
//     is not, parameters that its schema does not take, state that is missing, a
//     policy, or a precondition that does not hold when its turn comes.
//   - skipped: it was not begun, for a reason that lies elsewhere: what it depends
//     on did not succeed, another action aborted the proposal, the budget is used
//     up, or the proposal was cancelled.
//
// State is a map of keys to JSON values that belongs to the runtime. An action
// changes it with its expected_effects, which count as soon as it has succeeded,
// or by being a state_write. A proposal that is aborted or cancelled leaves no
// trace in it. What its actions did in the browser stays, and the result says so.
package proposal

import "time"

// ActionProposal is a list of actions that somebody would like done.
type ActionProposal struct {
	ID        string         `json:"id"`
	Source    string         `json:"source"` // who proposes it
	Actions   []Action       `json:"actions"`
	Timestamp time.Time      `json:"timestamp,omitzero"`
	Context   map[string]any `json:"context,omitempty"` // for the reader; the runtime does not look at it
}

// Action is one thing to be done.
type Action struct {
	ID         string         `json:"id"` // unique in its proposal; "" gets one by its place
	Type       ActionType     `json:"type"`
	Tool       string         `json:"tool,omitempty"`
	Parameters map[string]any `json:"parameters,omitempty"`
	// Preconditions must hold when its turn comes.
	Preconditions []Precondition `json:"preconditions,omitempty"`
	// ExpectedEffects is what becomes of the state when it has succeeded.
	ExpectedEffects map[string]any `json:"expected_effects,omitempty"`
	// StateDependencies are keys that must be there. Where another action of the
	// proposal writes one, that comes first.
	StateDependencies []string `json:"state_dependencies,omitempty"`
	// Idempotent: doing it again is as good as not doing it. The result of an
	// equal call (tool and parameters) that succeeded is taken instead.
	Idempotent bool `json:"idempotent,omitempty"`
	// MaxRetries is how often it is tried again under Retry. In JSON it is
	// DefaultMaxRetries where it is left out.
	MaxRetries      int             `json:"max_retries"`
	FailureBehavior FailureBehavior `json:"failure_behavior"`
	// TimeoutMS bounds each try, in milliseconds; 0 is DefaultTimeout.
	TimeoutMS int            `json:"timeout_ms,omitempty"`
	Metadata  map[string]any `json:"metadata,omitempty"` // for the reader
}

// DefaultMaxRetries is how often an action that is to be retried is, unless it
// says.
const DefaultMaxRetries = 3

// DefaultTimeout bounds a tool call that sets no limit itself.
const DefaultTimeout = 2 * time.Minute

// ActionType is what kind of action it is. "" is a ToolCall.
type ActionType string

const (
	// ToolCall calls a tool.
	ToolCall ActionType = "tool_call"
	// StateWrite sets a key of the state. Parameters: key, value.
	StateWrite ActionType = "state_write"
	// StateRead answers with a key of the state. Parameters: key.
	StateRead ActionType = "state_read"
	// Assertion fails unless a key of the state is as it says. Parameters: key,
	// and expected (a value that it must equal) or operator and value, as in a
	// Precondition.
	Assertion ActionType = "assertion"
)

// FailureBehavior is what becomes of the proposal when an action fails or is
// rejected. "" is Abort.
type FailureBehavior string

const (
	// Abort ends the proposal: the rest is skipped and the state rolled back. An
	// action that is rejected before anything has run keeps everything from running.
	Abort FailureBehavior = "abort"
	// Retry tries again, up to MaxRetries times, after 100 ms, 200 ms and so on.
	// After that only what depends on the action is skipped.
	Retry FailureBehavior = "retry"
	// Skip goes on without it: only what depends on it is skipped.
	Skip FailureBehavior = "skip"
)

// Precondition is what must be true of a key of the state.
type Precondition struct {
	Key         string   `json:"key"`
	Operator    Operator `json:"operator"`
	Value       any      `json:"value,omitempty"`
	Description string   `json:"description,omitempty"` // said when it does not hold
}

// Operator compares a key of the state with a value.
type Operator string

const (
	Eq        Operator = "eq"
	Neq       Operator = "neq"
	Gt        Operator = "gt" // numbers, or strings by their order
	Lt        Operator = "lt"
	Gte       Operator = "gte"
	Lte       Operator = "lte"
	Exists    Operator = "exists"
	NotExists Operator = "not_exists"
	Contains  Operator = "contains" // a string in a string, a value in a list, a key in an object
)

// ActionStatus is what became of an action.
type ActionStatus string

const (
	Succeeded ActionStatus = "succeeded"
	Failed    ActionStatus = "failed"
	Rejected  ActionStatus = "rejected"
	Skipped   ActionStatus = "skipped"
)

// ActionResult is what came of one action.
type ActionResult struct {
	ActionID string       `json:"action_id"`
	Status   ActionStatus `json:"status"`
	// Output is what its tool answered, as plain JSON values. A failure can have
	// one too: what there is to show beside the error.
	Output any    `json:"output,omitempty"`
	Error  string `json:"error,omitempty"` // why it did not succeed
	// StateChanges is what it wrote. It is told even if it was rolled back later.
	StateChanges map[string]any `json:"state_changes,omitempty"`
	Reused       bool           `json:"reused,omitempty"` // the output of an earlier call was taken
	DurationMS   float64        `json:"duration_ms"`
	Timestamp    time.Time      `json:"timestamp"` // when that was settled
}

// ProposalResult is what came of a proposal: one result per action, in the order
// of the actions.
type ProposalResult struct {
	ProposalID string         `json:"proposal_id"`
	Results    []ActionResult `json:"results"`
	Cost       Cost           `json:"cost"`
	// Stopped says why it ended before its end: aborted, cancelled, or over its
	// budget. "" where every action had its turn.
	Stopped    string   `json:"stopped,omitempty"`
	RolledBack bool     `json:"rolled_back,omitempty"` // the state is as it was before
	Warnings   []string `json:"warnings,omitempty"`
}

// Succeeded says whether every action did.
func (r *ProposalResult) Succeeded() bool {
	for i := range r.Results {
		if r.Results[i].Status != Succeeded {
			return false
		}
	}
	return true
}

// Cost is what a proposal took. Executed, rejected and skipped add up to the
// number of actions.
type Cost struct {
	ToolCalls       int     `json:"tool_calls"`       // made, each try for itself
	ActionsExecuted int     `json:"actions_executed"` // succeeded or failed
	ActionsRejected int     `json:"actions_rejected"`
	ActionsSkipped  int     `json:"actions_skipped"`
	Retries         int     `json:"retries"`
	TotalDurationMS float64 `json:"total_duration_ms"`
}

// Budget is the most that a proposal may take; a zero is no limit. What would go
// beyond it is skipped, and all after it.
type Budget struct {
	MaxToolCalls  int `json:"max_tool_calls,omitempty"`
	MaxActions    int `json:"max_actions,omitempty"`
	MaxDurationMS int `json:"max_duration_ms,omitempty"`
}
