package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"rove"
	"rove/internal/tool"
	"rove/proposal"
)

// proposeFlags are the flags of rove propose.
type proposeFlags struct {
	callFlags
	verify, simulate bool
	journal          string
	policies         string
	show             []string
	budget           proposal.Budget
}

// proposeTimeout bounds a proposal that does not say.
const proposeTimeout = 30 * time.Minute

func newProposeCommand() *cobra.Command {
	var f proposeFlags
	c := &cobra.Command{
		Use:   "propose FILE | -",
		Short: "Run a proposal: actions with conditions, retries and state",
		Long: `Runs the actions of a proposal, a JSON file or standard input with "-". All are
checked before the first is done: a tool that there is not, or parameters that it
does not take, are found before the browser is touched. Any tool can be an
action ('rove tools' lists them), and one proposal may mix them. They run in the
session that the other commands use.

  {"id": "sign-in", "actions": [
    {"id": "open", "tool": "go", "parameters": {"url": "example.com/login"}},
    {"id": "name", "tool": "act", "parameters": {"ref": "#email", "op": "input", "value": "ada"},
     "failure_behavior": "retry", "max_retries": 2, "timeout_ms": 5000},
    {"id": "in", "tool": "act", "parameters": {"ref": "{button}Sign in", "op": "click"},
     "expected_effects": {"signed_in": true}},
    {"id": "see", "tool": "browse_observe", "state_dependencies": ["signed_in"]}
  ]}

An action is
  type              tool_call (the default), state_write, state_read, assertion
  preconditions     [{"key", "operator", "value"}], operators eq neq gt lt gte lte
                    exists not_exists contains, on the state
  expected_effects  what it makes of the state once it succeeded
  state_dependencies  keys it needs; whoever writes them comes first
  failure_behavior  abort (the default): the rest is skipped and the state rolled
                    back; retry, max_retries times (3) after 100 ms, 200 ms, …;
                    skip: go on without it
  timeout_ms, idempotent, metadata

Each ends as succeeded, failed, rejected (it was not begun, for what it is) or
skipped (it was not begun, for what another is). Progress is told on standard
error. --journal keeps the state from one time to the next.

Exit codes: 0 all succeeded; 2 the proposal, or an action, was rejected; else that
of the first action that failed.`,
		Example: `  rove propose sign-in.json
  rove propose --verify sign-in.json          what is wrong with it
  rove propose --simulate sign-in.json        what would come of it
  rove propose sign-in.json --show see        with what that action answered
  rove propose - --json < sign-in.json
  rove propose buy.json --journal buy.jsonl --policies rules.json --max-calls 20`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{errors.New("propose takes the file of a proposal, or - for standard input; see 'rove propose --help'")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args[0]) },
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVar(&f.verify, "verify", false, "say what is wrong with it, and run nothing")
	c.Flags().BoolVar(&f.simulate, "simulate", false, "say what would come of it if every tool did as it should, and run nothing")
	c.Flags().StringArrayVar(&f.show, "show", nil, "print what the `ACTION` of this id answered; may be said often")
	c.Flags().StringVar(&f.journal, "journal", "", "keep what is done, and the state, in `FILE`, and begin with the state that is there")
	c.Flags().StringVar(&f.policies, "policies", "", "hold it to the rules in `FILE`, a JSON list of {rule, target, key, pattern, value}; rules are deny_tool, deny_tool_param, require_state")
	c.Flags().IntVar(&f.budget.MaxToolCalls, "max-calls", 0, "call tools `N` times at most")
	c.Flags().IntVar(&f.budget.MaxActions, "max-actions", 0, "do `N` actions at most")
	f.register(c, proposeTimeout)
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return c
}

func (f *proposeFlags) run(c *cobra.Command, from string) (err error) {
	p, err := readProposal(c, from)
	if err != nil {
		return &usageError{err}
	}
	if f.verify && f.simulate {
		return &usageError{errors.New("propose takes --verify or --simulate, not both")}
	}
	for _, id := range f.show {
		if !has(p, id) {
			return &usageError{fmt.Errorf("--show %s: the proposal has no action of this id", id)}
		}
	}
	opts := proposal.Options{Budget: f.budget}
	if opts.Policies, err = readPolicies(f.policies); err != nil {
		return &usageError{err}
	}
	if f.verify || f.simulate {
		return f.dryRun(c, p, opts)
	}
	ctx := asked(c.Context(), c)
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	if f.journal != "" {
		if opts.Journal, err = proposal.OpenJournal(ctx, f.journal); err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, opts.Journal.Close()) }()
	}
	with := f.callFlags
	with.json = true // a proposal's answers are data, whatever is printed
	caller, err := with.caller(c)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, caller.close()) }()
	x := &callExecutor{caller: caller, texts: map[string]string{}, equal: map[string]string{}, failed: map[string]error{}}
	rt, err := newProposals(x, opts)
	if err != nil {
		return &usageError{err}
	}
	result := rt.Execute(ctx, p, progressTo(c.ErrOrStderr()))
	if f.json {
		err = printJSON(c.OutOrStdout(), result)
	} else {
		err = printResult(c.OutOrStdout(), p, result, true)
	}
	f.shown(c, p, result, x)
	return cmp.Or(err, x.resultError(ctx, result))
}

// dryRun verifies or simulates.
func (f *proposeFlags) dryRun(c *cobra.Command, p *proposal.ActionProposal, opts proposal.Options) error {
	if f.journal != "" {
		file, err := os.Open(f.journal)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err == nil {
			defer file.Close()
			had, err := proposal.Replay(file)
			if err != nil {
				return fmt.Errorf("journal %s: %w", f.journal, err)
			}
			opts.State = had.State
		}
	}
	rt, err := newProposals(nil, opts)
	if err != nil {
		return &usageError{err}
	}
	w := c.OutOrStdout()
	if f.simulate {
		s := rt.Simulate(p)
		if f.json {
			err = printJSON(w, s)
		} else if err = printResult(w, p, &s.ProposalResult, false); err == nil {
			state, _ := json.Marshal(s.State)
			_, err = fmt.Fprintf(w, "state at the end: %s\n", state)
		}
		if err == nil && !s.Succeeded() {
			return &toldError{&usageError{errors.New("it would not succeed")}}
		}
		return err
	}
	v := rt.Verify(p)
	if f.json {
		err = printJSON(w, v)
	} else {
		for _, i := range v.Issues {
			fmt.Fprintf(w, "%s: %s: %s\n", i.Severity, firstLine(i.ActionID), firstLine(i.Message))
		}
		for i, level := range v.Levels {
			fmt.Fprintf(w, "%d. %s\n", i+1, firstLine(strings.Join(level, ", ")))
		}
		if v.Valid {
			_, err = fmt.Fprintln(w, "it can be run")
		}
	}
	if err == nil && !v.Valid {
		return &toldError{&usageError{errors.New("it is not valid")}}
	}
	return err
}

func readProposal(c *cobra.Command, from string) (*proposal.ActionProposal, error) {
	name, text := from, []byte(nil)
	var err error
	if from == "-" {
		name = "standard input"
		text, err = io.ReadAll(io.LimitReader(c.InOrStdin(), inputLimit+1))
	} else {
		text, err = os.ReadFile(from)
	}
	if err != nil {
		return nil, err
	}
	p, err := proposal.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range p.Actions {
		fromHere(&p.Actions[i])
	}
	return p, nil
}

// fromHere makes the paths of an upload absolute: the daemon is elsewhere.
func fromHere(a *proposal.Action) {
	if a.Tool != "act" {
		return
	}
	steps, _ := a.Parameters["steps"].([]any)
	for _, s := range append(steps, any(a.Parameters)) {
		step, _ := s.(map[string]any)
		if value, ok := step["value"].(string); ok && step["op"] == "upload" {
			step["value"] = absolute(value)
		}
	}
}

func readPolicies(path string) ([]proposal.Policy, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--policies: %w", err)
	}
	var list []proposal.Policy
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf(`--policies: %s holds something else than a list of policies, such as [{"rule": "deny_tool", "target": "eval"}]: %w`, path, err)
	}
	return list, nil
}

func has(p *proposal.ActionProposal, id string) bool {
	for i := range p.Actions {
		if p.Actions[i].ID == id {
			return true
		}
	}
	return false
}

// newProposals makes a runtime that has every tool of the table.
func newProposals(x proposal.Executor, opts proposal.Options) (*proposal.Runtime, error) {
	tools, err := tool.Set("all")
	if err != nil {
		return nil, err
	}
	return tool.Proposals(tools, x, "--session says", opts)
}

// callExecutor runs the tools of a proposal as the commands do.
type callExecutor struct {
	caller caller

	mu     sync.Mutex
	texts  map[string]string // what the call of each action answered last, in words
	equal  map[string]string // the same by the call: for actions that took over what an equal one had answered
	failed map[string]error  // by their texts, which is what results have
}

func callID(name string, params map[string]any) string {
	text, _ := json.Marshal(params)
	return name + string(text)
}

func (x *callExecutor) Execute(ctx context.Context, name string, params map[string]any) (any, error) {
	a, err := x.caller.call(ctx, name, params)
	x.mu.Lock()
	defer x.mu.Unlock()
	if err != nil {
		x.failed[err.Error()] = err
	}
	if a == nil {
		return nil, err
	}
	x.texts[proposal.ActionOf(ctx)] = a.Text
	x.equal[callID(name, params)] = a.Text
	out := tool.Output{Text: a.Text, Images: a.Images}
	if len(a.Data) > 0 && json.Unmarshal(a.Data, &out.Data) != nil {
		out.Data = nil
	}
	// A picture that the tool has not saved is saved here, as that of a look is.
	if object, _ := out.Data.(map[string]any); len(a.Images) > 0 && object["path"] == nil {
		saved, bad := savePictures(a.Images, "")
		if bad != nil {
			return out.Outcome(nil), cmp.Or(err, bad)
		}
		return out.Outcome(saved), err
	}
	return out.Outcome(nil), err
}

// resultError is the error that a result amounts to: that of the first action that
// did not do what it should, by itself.
func (x *callExecutor) resultError(ctx context.Context, r *proposal.ProposalResult) error {
	if r.Succeeded() {
		return nil
	}
	told := func(code rove.Code, op, message string) error {
		return &toldError{&rove.Error{Code: code, Op: op, Message: message}}
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return told(rove.CodeTimeout, "propose", r.Stopped)
	}
	for _, a := range r.Results {
		switch {
		case a.Status == proposal.Rejected:
			return told(rove.CodeInvalid, a.ActionID, a.Error)
		case a.Status != proposal.Failed:
		case x.failed[a.Error] != nil:
			return &toldError{x.failed[a.Error]}
		case strings.HasPrefix(a.Error, "timed out"):
			return told(rove.CodeTimeout, a.ActionID, a.Error)
		default:
			return told("", a.ActionID, a.Error)
		}
	}
	return told("", "propose", r.Stopped)
}
