package feature

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"rove/internal/data"
	"rove/internal/script"
	"rove/report"
)

// call is how a scenario was called.
type call struct {
	arg    script.Value
	loop   int // -1 where it is no loop
	shared bool
	depth  int
}

// deepest is how far calls may go. Features may call themselves; a circle that
// never ends is told instead of running on.
const deepest = 100

// callError is a call that failed: the place is that of the innermost step.
type callError struct {
	path    string
	line    int
	message string
	err     error
}

func (e *callError) Error() string { return e.message }
func (e *callError) Unwrap() error { return e.err }

func isCallError(err error) bool {
	var e *callError
	return errors.As(err, &e)
}

func runCall(s *scenario, in *input) error {
	text := in.expression(in.rest)
	var v any
	var err error
	if in.word == "callonce" {
		v, err = s.callOnce(in.ctx, text, true)
	} else {
		v, err = s.callExpression(in.ctx, text, true)
	}
	if err != nil {
		return err
	}
	s.setAll(v)
	return nil
}

// setAll makes variables of what a shared call gave, where it is an object.
func (s *scenario) setAll(v any) {
	value := s.value(v)
	if !value.IsObject() {
		return
	}
	for _, name := range value.Keys() {
		s.scope.Set(name, value.Get(name))
	}
}

// splitCall parts what is called from its argument.
func splitCall(text string) (called, arg string) {
	text = strings.TrimSpace(text)
	if at := strings.Index(text, "read("); at >= 0 && at == strings.IndexFunc(text, func(r rune) bool { return r != ' ' }) || strings.HasPrefix(text, "karate.read(") {
		if end := closing(text, strings.IndexByte(text, '(')); end > 0 {
			return text[:end+1], strings.TrimSpace(text[end+1:])
		}
	}
	at := strings.IndexAny(text, " \t\n")
	if at < 0 {
		return text, ""
	}
	return text[:at], strings.TrimSpace(text[at:])
}

// closing finds the bracket that closes the one at a place.
func closing(text string, at int) int {
	depth, quote := 0, byte(0)
	for i := at; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (s *scenario) callExpression(ctx context.Context, text string, shared bool) (any, error) {
	left, right := splitCall(text)
	called, err := s.eval(ctx, left)
	if err != nil {
		return nil, err
	}
	arg := script.Value{}
	if right != "" {
		v, err := s.eval(ctx, right)
		if err != nil {
			return nil, err
		}
		if arg = s.value(v); arg.Null() && isFeature(s.value(called)) {
			return nil, fmt.Errorf("feature call argument is not a json object or array: %s is null", right)
		}
	}
	return s.invoke(ctx, s.value(called), arg, shared)
}

// invoke calls a function or a feature.
func (s *scenario) invoke(ctx context.Context, called, arg script.Value, shared bool) (any, error) {
	if f := called.Func(); f != nil {
		var args []any
		if !arg.Undefined() {
			args = append(args, arg)
		}
		v, err := f.Do(ctx, args...)
		if err != nil {
			return nil, jsError(f.Source(), err)
		}
		return v, nil
	}
	if file, ok := called.Host().(*featureFile); ok {
		return s.callFeature(ctx, file, arg, shared)
	}
	return nil, fmt.Errorf("not a callable feature or js function: %s", data.Text(called.Export()))
}

// callFeature calls a feature once, or once for each element of a list, or as
// long as a function gives an argument.
func (s *scenario) callFeature(ctx context.Context, file *featureFile, arg script.Value, shared bool) (any, error) {
	switch {
	case arg.Null() || arg.IsObject():
		return s.callOne(ctx, file, arg, -1, shared)
	case arg.IsList(), arg.Callable():
	default:
		return nil, fmt.Errorf("feature call argument is not a json object or array: %s", data.Text(arg.Export()))
	}
	results := []any{}
	var failures []error
	for i := 0; ; i++ {
		var one script.Value
		if arg.IsList() {
			if i == arg.Len() {
				break
			}
			one = arg.Index(i)
		} else {
			var err error
			if one, err = generated(ctx, arg.Func(), i); err != nil {
				return nil, err
			}
		}
		if !one.IsObject() {
			break
		}
		v, err := s.callOne(ctx, file, one, i, shared)
		if err != nil {
			failures = append(failures, fmt.Errorf("feature call loop failed at index: %d, %w", i, err))
			s.print(failures[len(failures)-1].Error())
			if ctx.Err() != nil || !arg.IsList() {
				break
			}
			continue
		}
		results = append(results, v)
	}
	if len(failures) > 0 {
		var first *callError
		errors.As(failures[0], &first)
		joined := &callError{message: errors.Join(failures...).Error(), err: failures[0]}
		if first != nil {
			joined.path, joined.line = first.path, first.line
		}
		return nil, joined
	}
	return results, nil
}

// mostRows is how many rows a function may give: one that never says null would have its
// scenario run until the disk is full.
const mostRows = 100_000

// generated is a row of a function that makes them one by one.
func generated(ctx context.Context, f *script.Func, i int) (script.Value, error) {
	if i >= mostRows {
		return script.Value{}, fmt.Errorf("the function gave %d rows and no end: it says so with null: %s", mostRows, cut(f.Source()))
	}
	v, err := f.Do(ctx, int64(i))
	if err != nil {
		return v, jsError(f.Source(), err)
	}
	return v, nil
}

// callOne runs the scenarios of a feature once, on this goroutine.
func (s *scenario) callOne(ctx context.Context, file *featureFile, arg script.Value, loop int, shared bool) (any, error) {
	c := &call{arg: arg, loop: loop, shared: shared, depth: 1}
	if s.call != nil {
		c.depth = s.call.depth + 1
	}
	if c.depth > deepest {
		return nil, fmt.Errorf("calls go in a circle, %d deep: %s", deepest, s.chain(file))
	}
	fr := newFeatureRun(s.suite, file.source)
	told := &report.Call{Feature: fr.info(), Loop: max(loop+1, 0)}
	if !arg.Null() {
		told.Argument = cut(data.JSON(arg.Export()))
	}
	s.calls = append(s.calls, told)
	var last *scenario
	var failure error
	ran := 0
	err := fr.each(ctx, s, c, file.chooses, func(p *plan) bool {
		child := newCalled(s, fr, p, c)
		told.Scenarios = append(told.Scenarios, child.run(ctx))
		last = child
		ran++
		if child.err != nil && failure == nil {
			failure = child.callFailure()
		}
		return ctx.Err() == nil
	})
	s.root.current = s
	switch {
	case err != nil:
		return nil, err
	case failure != nil:
		return nil, failure
	case last == nil:
		if file.selector() != "" {
			return nil, fmt.Errorf("no scenario of %s is selected by %s", file.source.shown, file.selector())
		}
		return data.NewObject(), nil
	}
	return last.all(), nil
}

func cut(text string) string {
	if len(text) > variableLimit {
		return strings.ToValidUTF8(text[:variableLimit], "") + "…"
	}
	return text
}

// all are the variables as an object that keeps them as they are.
func (s *scenario) all() script.Value {
	o := s.root.rt.Value(data.NewObject())
	for _, name := range s.scope.Names() {
		v, _ := s.scope.Get(name)
		_ = o.Set(name, v)
	}
	return o
}

// callFailure is what a failed scenario means to its caller.
func (s *scenario) callFailure() error {
	e := &callError{path: s.result.ErrorPath, line: s.result.ErrorLine, message: s.result.Error, err: s.err}
	if !strings.Contains(e.message, fmt.Sprintf("%s:%d", e.path, e.line)) {
		e.message = fmt.Sprintf("%s\n%s:%d", e.message, e.path, e.line)
	}
	return e
}

// chain names the features that call each other, for people.
func (s *scenario) chain(file *featureFile) string {
	names := []string{file.source.shown}
	for at := s; at != nil && len(names) < 8; at = at.caller {
		names = append(names, at.feature.source.shown)
	}
	for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
		names[i], names[j] = names[j], names[i]
	}
	return "… → " + strings.Join(names, " → ")
}

// once is something that is done by whoever comes first; others wait and take the
// outcome.
type once struct {
	mu   sync.Mutex
	done bool
	kept any
	err  error
}

// onces are such by name.
type onces struct {
	mu  sync.Mutex
	all map[string]*once
}

func (o *onces) of(key string) *once {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all == nil {
		o.all = map[string]*once{}
	}
	if o.all[key] == nil {
		o.all[key] = &once{}
	}
	return o.all[key]
}

// snapshot is what callonce keeps: values that belong to no scenario.
type snapshot struct {
	value  any
	names  []string
	vars   map[string]any
	config map[string]any
}

// callOnce calls once for a feature file; the scenarios that come later get what
// it left behind.
func (s *scenario) callOnce(ctx context.Context, text string, shared bool) (any, error) {
	key := fmt.Sprint(shared, " ", text)
	o := s.feature.once.of(key)
	var first any
	snap, err := func() (*snapshot, error) {
		s.root.rt.Outside(o.mu.Lock)
		defer o.mu.Unlock()
		if o.done {
			return o.kept.(*snapshot), nil
		}
		v, err := s.callExpression(ctx, text, shared)
		if err != nil {
			return nil, err
		}
		snap := &snapshot{value: s.value(v).Detach(), config: s.config.detached()}
		if shared {
			s.setAll(v)
			snap.vars = map[string]any{}
			for _, name := range s.scope.Names() {
				value, _ := s.scope.Get(name)
				snap.names = append(snap.names, name)
				snap.vars[name] = value.Detach()
			}
		}
		o.kept, o.done = snap, true
		first = v
		return nil, nil
	}()
	if err != nil {
		return nil, err
	}
	if snap == nil {
		return first, nil
	}
	if !shared {
		return s.scope.Take(data.Clone(snap.value)), nil
	}
	for _, name := range snap.names {
		s.scope.Set(name, data.Clone(snap.vars[name]))
	}
	s.config.take(snap.config, s.scope)
	return nil, s.reconfigured()
}

// callSingle calls once for the whole suite. One scenario does so at a time:
// calls that need each other cannot wait for each other.
func (s *scenario) callSingle(ctx context.Context, name string, arg script.Value) (any, error) {
	for at := s; at != nil; at = at.caller {
		if at.singles[name] {
			return nil, fmt.Errorf("callSingle goes in a circle: %s calls itself", name)
		}
	}
	o := s.suite.single.of(name)
	if kept, ok, err := o.outcome(); ok {
		return s.fresh(kept), err
	}
	top := s.top()
	if !top.inSingle {
		s.root.rt.Outside(s.suite.singleLock.Lock)
		top.inSingle = true
		defer func() {
			top.inSingle = false
			s.suite.singleLock.Unlock()
		}()
	}
	if kept, ok, err := o.outcome(); ok {
		return s.fresh(kept), err
	}
	if s.singles == nil {
		s.singles = map[string]bool{}
	}
	s.singles[name] = true
	kept, err := s.single(ctx, name, arg)
	delete(s.singles, name)
	if err == nil || ctx.Err() == nil { // an interrupted one is nobody's outcome
		o.settle(kept, err)
	}
	return s.fresh(kept), err
}

// fresh is what was kept, as a value that is this scenario's own.
func (s *scenario) fresh(kept any) any {
	if kept == nil {
		return nil
	}
	return s.scope.Take(data.Clone(kept))
}

// outcome is what whoever came first left, if anybody did.
func (o *once) outcome() (kept any, done bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept, o.done, o.err
}

func (o *once) settle(kept any, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept, o.err, o.done = kept, err, true
}

// top is the scenario of the suite that this one was called from.
func (s *scenario) top() *scenario {
	for s.caller != nil {
		s = s.caller
	}
	return s
}

func (s *scenario) single(ctx context.Context, name string, arg script.Value) (any, error) {
	minutes, dir := s.config.singleCache(s.suite)
	if kept, ok := s.suite.cachedSingle(dir, name, minutes); ok {
		return kept, nil
	}
	path, _, _ := strings.Cut(name, "?")
	called, err := s.read(ctx, path)
	if err != nil {
		return nil, err
	}
	value := s.value(called)
	var v any = value
	if value.Func() != nil || isFeature(value) {
		if v, err = s.invoke(ctx, value, arg, false); err != nil {
			return nil, &callError{message: err.Error(), err: err}
		}
	}
	kept := s.value(v).Detach()
	if minutes > 0 {
		if err := s.suite.keepSingle(dir, name, kept); err != nil {
			s.print("callSingleCache: " + err.Error())
		}
	}
	return kept, nil
}

func isFeature(v script.Value) bool {
	_, ok := v.Host().(*featureFile)
	return ok
}
