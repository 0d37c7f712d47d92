package feature

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rove/internal/data"
	"rove/internal/outlet"
	"rove/internal/script"
	"rove/report"
)

// scenario is one scenario, or one row of an outline, as it runs. A scenario of
// the suite has a runtime of its own; one that is called shares its caller's.
type scenario struct {
	suite   *suite
	feature *featureRun
	plan    *plan
	caller  *scenario // nil for a scenario of the suite
	call    *call     // how it was called
	root    *root
	scope   *script.Scope
	config  *config
	// magic are the hidden variables that called scenarios inherit, too: the
	// row of an outline, the argument of a call.
	magic map[string]any

	extensions []extension

	result      *report.Scenario
	step        *report.Step
	unusedSteps []report.Step // for the results of the steps that follow
	log         strings.Builder
	calls       []*report.Call
	embeds      []report.Embed
	exchanges   []report.Exchange

	err        error // why it failed
	failReason error // karate.fail
	aborted    bool
	stopped    bool
	ignoring   bool            // a failure was ignored (continueOnStepFailure)
	singles    map[string]bool // what callSingle is about to call
	inSingle   bool            // it, or what it called, is about to call single
	signals    *signals
	closers    []func()
	onStart    func(*report.Scenario)
}

// newScenario makes a scenario of the suite.
func newScenario(fr *featureRun, p *plan) *scenario {
	s := &scenario{suite: fr.suite, feature: fr, plan: p, root: newRoot(fr.suite), config: newConfig(), signals: &signals{}}
	s.scope = s.root.rt.NewScope(s.bound)
	for _, make := range extensions {
		s.extensions = append(s.extensions, make(s))
	}
	return s
}

// newCalled makes a scenario that another one calls.
func newCalled(caller *scenario, fr *featureRun, p *plan, c *call) *scenario {
	s := &scenario{suite: fr.suite, feature: fr, plan: p, caller: caller, call: c, root: caller.root, magic: maps.Clone(caller.magic), signals: caller.signals}
	if c.shared {
		s.scope, s.config = caller.scope, caller.config
	} else {
		s.config = caller.config.clone()
		s.scope = s.root.rt.NewScope(s.bound)
		for _, name := range caller.scope.Inherited() {
			v, _ := caller.scope.Get(name)
			s.scope.Inherit(name, v.Copy())
		}
		for _, name := range caller.scope.Names() {
			v, _ := caller.scope.Get(name)
			s.scope.Inherit(name, v.Copy())
		}
	}
	for _, e := range caller.extensions {
		s.extensions = append(s.extensions, e.called(s, c.shared))
	}
	return s
}

// run runs all of it. It does not fail: what goes wrong is in the result.
func (s *scenario) run(ctx context.Context) *report.Scenario {
	s.result = s.plan.result(s)
	s.result.Start = time.Now()
	if s.onStart != nil {
		s.onStart(s.result)
	}
	if s.caller == nil {
		s.root.rt.Lock()
		defer s.root.rt.Unlock()
	}
	before := s.root.current
	s.root.current = s
	restore := s.enter(ctx)
	s.prepare(ctx)
	steps := s.plan.steps()
	s.unusedSteps = make([]report.Step, len(steps))
	s.result.Steps = slices.Grow(s.result.Steps, len(steps))
	for i, st := range steps {
		s.runStep(ctx, st, i < s.plan.background)
	}
	s.finish(ctx)
	restore()
	s.root.current = before
	s.result.Time = time.Since(s.result.Start)
	s.conclude()
	return s.result
}

// enter makes the hidden variables of the scenario visible. In a shared call
// they are the caller's again afterwards.
func (s *scenario) enter(ctx context.Context) (restore func()) {
	if s.call == nil && s.plan.row == nil {
		return func() {}
	}
	if s.magic == nil {
		s.magic = map[string]any{}
	}
	if s.call != nil {
		s.magic["__arg"], s.magic["__loop"] = s.call.arg, int64(s.call.loop)
	}
	if row := s.plan.row; row != nil {
		values := data.NewObject()
		for name, v := range row.data.All() {
			if row.evaluated[name] {
				v = s.cell(ctx, name, v)
			}
			values.Set(name, v)
		}
		whole := s.scope.Take(data.Clone(values))
		for _, name := range whole.Keys() {
			s.magic[name] = whole.Get(name)
		}
		s.magic["__row"], s.magic["__num"] = whole, int64(row.index)
	}
	before := map[string]script.Value{}
	for name, v := range s.magic {
		if s.call != nil && s.call.shared {
			if had, ok := s.scope.GetHidden(name); ok {
				before[name] = had
			} else {
				before[name] = script.Value{}
			}
		}
		s.scope.Hide(name, v)
	}
	if s.call != nil {
		if arg := s.call.arg; arg.IsObject() {
			for _, name := range arg.Keys() {
				s.scope.Set(name, arg.Get(name))
			}
		}
	}
	return func() {
		for name, v := range before {
			if v.Undefined() {
				s.scope.Unhide(name)
			} else {
				s.scope.Hide(name, v)
			}
		}
	}
}

// cell evaluates a cell of a column whose name ends with an exclamation mark.
func (s *scenario) cell(ctx context.Context, name string, text any) any {
	if text == nil {
		return nil
	}
	v, err := s.evalData(ctx, data.Text(text))
	if err != nil {
		s.fakeStep("Examples", fmt.Errorf("column %s!: %w", name, err))
		return nil
	}
	return v
}

// prepare runs what comes before the first step: the config, the hooks, the name.
func (s *scenario) prepare(ctx context.Context) {
	if s.suite.opts.DryRun {
		return
	}
	if s.caller == nil && !s.plan.noConfig {
		if err := s.suite.configure(ctx, s); err != nil {
			s.fakeStep("karate-config", err)
			s.result.Error = err.Error()
			return
		}
	}
	if s.plan.setup {
		return
	}
	if s.caller == nil {
		if err := s.hook(ctx, "beforeScenario"); err != nil {
			s.fakeStep("beforeScenario", err)
			return
		}
	}
	s.evaluateName(ctx)
}

// evaluateName fills in a name that has expressions: `user ${name}`.
func (s *scenario) evaluateName(ctx context.Context) {
	name := s.result.Name
	ticked := len(name) > 1 && name[0] == '`' && name[len(name)-1] == '`'
	if !ticked && !placeholder(name) {
		return
	}
	if !ticked {
		name = "`" + name + "`"
	}
	v, err := s.js(ctx, name)
	if err != nil {
		s.fakeStep("name", fmt.Errorf("the scenario's name cannot be evaluated: %w", err))
		return
	}
	s.result.Name = data.Text(v.Export())
}

func placeholder(name string) bool {
	_, rest, ok := strings.Cut(name, "${")
	return ok && strings.Contains(rest, "}")
}

// fakeStep tells a failure that has no step of the file.
func (s *scenario) fakeStep(hook string, err error) {
	st := &report.Step{Keyword: "*", Text: hook, Hook: hook, Line: s.plan.scenario.Line, Status: report.Failed, Start: time.Now(), Error: err.Error()}
	st.Log = s.takeLog()
	s.result.Steps = append(s.result.Steps, st)
	s.fail(err, st)
}

// fail ends the scenario for a reason.
func (s *scenario) fail(err error, st *report.Step) {
	s.stopped = true
	if s.err != nil {
		return
	}
	s.err = err
	s.result.Error = err.Error()
	s.result.ErrorPath, s.result.ErrorLine = s.feature.source.shown, st.Line
	if inner, ok := errors.AsType[*callError](err); ok && inner.path != "" {
		s.result.ErrorPath, s.result.ErrorLine = inner.path, inner.line
	}
}

// finish runs the hooks after the last step and gives back what the scenario
// owns.
func (s *scenario) finish(ctx context.Context) {
	if len(s.result.Steps) == 0 && s.caller == nil && !s.suite.opts.DryRun {
		s.result.Steps = append(s.result.Steps, &report.Step{Keyword: "*", Text: "no steps executed", Hook: "empty", Line: s.plan.scenario.Line, Status: report.Passed, Start: time.Now()})
	}
	if s.suite.opts.DryRun {
		return
	}
	if s.err != nil {
		s.result.Variables = s.variables()
	}
	if s.hasCleanup() {
		// What is left to do is done even when the run was ended: bounded, and
		// without the context that ended.
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
		defer cancel()
		ctx = bounded
	}
	if s.caller == nil && !s.plan.setup {
		if err := s.hook(ctx, "afterScenario"); err != nil {
			s.print(fmt.Sprintf("afterScenario hook failed: %v", err))
		}
	}
	s.remember()
	var last *report.Step
	if n := len(s.result.Steps); n > 0 {
		last = s.result.Steps[n-1]
	} else {
		last = &report.Step{}
	}
	if s.caller != nil {
		for i, e := range s.caller.extensions {
			e.returned(s.extensions[i], s.call.shared)
		}
	}
	for _, e := range s.extensions {
		e.close(ctx, last)
	}
	if s.caller == nil {
		for _, c := range s.closers {
			c()
		}
	}
	s.attach(last)
}

// hasCleanup says whether there is something to do after the last step.
func (s *scenario) hasCleanup() bool {
	if _, hook := s.config.value("afterScenario"); hook || len(s.closers) > 0 {
		return true
	}
	return slices.ContainsFunc(s.extensions, extension.holds)
}

// closeLimit bounds hooks and clean-up after a scenario.
const closeLimit = 2 * time.Minute

// onClose asks for something to be done when the scenario of the suite ends.
func (s *scenario) onClose(f func()) {
	top := s.top()
	top.closers = append(top.closers, f)
}

// conclude decides how the scenario ended.
func (s *scenario) conclude() {
	failed := s.err != nil
	for _, st := range s.result.Steps {
		if st.Status == report.Failed {
			failed = true
			if s.result.Error == "" {
				s.result.Error, s.result.ErrorPath, s.result.ErrorLine = st.Error, s.feature.source.shown, st.Line
			}
		}
	}
	if s.caller == nil && s.plan.tags.has("fail") {
		failed = s.expectFailure(failed)
	}
	s.result.Status = report.Passed
	if failed {
		s.result.Status = report.Failed
		return
	}
	s.result.Error, s.result.ErrorPath, s.result.ErrorLine, s.result.Variables = "", "", 0, nil
}

// expectFailure turns the outcome of a scenario with @fail around.
func (s *scenario) expectFailure(failed bool) bool {
	st := &report.Step{Keyword: "*", Text: "@fail", Hook: "@fail", Line: s.plan.scenario.Line, Status: report.Passed, Start: time.Now()}
	if failed {
		for _, each := range s.result.Steps {
			if each.Status == report.Failed {
				each.Status = report.Passed
				each.Log += "expected to fail: " + each.Error + "\n"
				each.Error = ""
			}
		}
		st.Log = "failed as expected\n"
	} else {
		s.result.Error = "the scenario is tagged @fail, but it passed"
		s.result.ErrorPath, s.result.ErrorLine = s.feature.source.shown, s.plan.scenario.Line
		st.Status, st.Error = report.Failed, s.result.Error
	}
	s.result.Steps = append(s.result.Steps, st)
	return !failed
}

// variables are those at a failure, as text.
func (s *scenario) variables() []report.Variable {
	var list []report.Variable
	for _, name := range s.scope.Names() {
		v, _ := s.scope.Get(name)
		if v.Callable() {
			continue
		}
		text := data.Text(v.Export())
		if text != "" && outlet.Secretive(name) { // reports are passed on
			text = newMask().replacement
		}
		if len(text) > variableLimit {
			text = strings.ToValidUTF8(text[:variableLimit], "") + "…"
		}
		list = append(list, report.Variable{Name: name, Value: text})
	}
	return list
}

const variableLimit = 2000

// print writes a line to the log of the step.
func (s *scenario) print(text string) {
	s.log.WriteString(text)
	if !strings.HasSuffix(text, "\n") {
		s.log.WriteByte('\n')
	}
	if s.suite.opts.Progress != nil && s.suite.opts.Verbose {
		s.suite.opts.Progress(Progress{Text: s.suite.cleanText(text)})
	}
}

func (s *scenario) takeLog() string {
	text := s.log.String()
	s.log.Reset()
	return text
}

// attach hands a step what was logged, embedded and called meanwhile.
func (s *scenario) attach(st *report.Step) {
	log := s.takeLog()
	logs, all := s.config.reporting()
	if logs {
		st.Log += log
	} else {
		s.exchanges = nil
	}
	if !all && st.Status == report.Passed && st.Keyword == "*" && !strings.HasPrefix(st.Text, "print") {
		st.Quiet = true
	}
	st.Embeds = append(st.Embeds, s.embeds...)
	st.Calls = append(st.Calls, s.calls...)
	st.Exchanges = append(st.Exchanges, s.exchanges...)
	s.embeds, s.calls, s.exchanges = nil, nil, nil
}

// place is where the scenario is in a file, for scripts in its steps.
func (s *scenario) place(line int) script.Place {
	return script.Place{Name: s.feature.source.shown, Line: line}
}
