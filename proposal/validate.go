package proposal

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rove/internal/spell"
)

// validate looks at all actions before anything of any is done, puts them in
// order, and stops the proposal if one that aborts is refused.
func (r *run) validate() {
	times := map[string]int{}
	for i, s := range r.steps {
		if s.ID == "" {
			s.ID = fmt.Sprintf("action_%d", i+1)
		}
		times[s.ID]++
	}
	for _, s := range r.steps {
		s.refused = s.prepare()
		switch {
		case s.refused != nil:
		case len(r.steps) > mostActions:
			s.refused = fmt.Errorf("the proposal has %d actions, and %d are the most", len(r.steps), mostActions)
		case times[s.ID] > 1:
			s.refused = fmt.Errorf("%d actions have the id %s", times[s.ID], brief(s.ID))
		case s.Type == ToolCall:
			s.refused = r.permitted(s)
		}
	}
	if len(r.steps) > mostActions {
		return // all are refused; how they hang together makes no difference
	}
	depends := link(r.steps)
	for i, err := range dependencyCycles(r.steps, depends) {
		if r.steps[i].refused == nil {
			r.steps[i].refused = err
		}
		depends[i] = nil
	}
	for _, s := range r.steps {
		if s.refused == nil {
			s.refused = r.missing(s)
		}
	}
	r.levels = order(r.steps, depends, r.inTurn)
	for _, s := range r.steps {
		if s.refused != nil && s.FailureBehavior == Abort && !r.all {
			// Nothing has run, so there is nothing to roll back either.
			r.stop(fmt.Errorf("aborted before anything ran: %s was rejected", s.ID), false)
			break
		}
	}
}

// prepare makes an action fit to be run, with values that are its own, or says
// what is wrong with it.
func (s *step) prepare() error {
	if s.Type == "" {
		s.Type = ToolCall
	}
	if s.FailureBehavior == "" {
		s.FailureBehavior = Abort
	}
	switch {
	case !slices.Contains(types, s.Type):
		return fmt.Errorf("type %q: it is one of %s", s.Type, words(types))
	case !slices.Contains(behaviors, s.FailureBehavior):
		// A behavior that nobody knows must not be one that goes on.
		err := fmt.Errorf("failure_behavior %q: it is one of %s", s.FailureBehavior, words(behaviors))
		s.FailureBehavior = Abort
		return err
	case s.MaxRetries < 0 || s.MaxRetries > mostRetries:
		return fmt.Errorf("max_retries %d: it is from 0 to %d", s.MaxRetries, mostRetries)
	case s.TimeoutMS < 0 || s.TimeoutMS > int(longest.Milliseconds()):
		return fmt.Errorf("timeout_ms %d: it is from 0 to %d", s.TimeoutMS, longest.Milliseconds())
	}
	var err error
	if s.Parameters, err = plainMap(s.Parameters); err != nil {
		return fmt.Errorf("parameters: %w", err)
	}
	if s.ExpectedEffects, err = plainMap(s.ExpectedEffects); err != nil {
		return fmt.Errorf("expected_effects: %w", err)
	}
	if s.Metadata, err = plainMap(s.Metadata); err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	s.Preconditions = slices.Clone(s.Preconditions)
	for i := range s.Preconditions {
		c := &s.Preconditions[i]
		if err := c.check(); err != nil {
			return fmt.Errorf("preconditions[%d]: %w", i, err)
		}
		if c.Value, err = plain(c.Value); err != nil {
			return fmt.Errorf("preconditions[%d]: value: %w", i, err)
		}
		s.looks = append(s.looks, c.Key)
	}
	s.writes = sorted(s.ExpectedEffects)
	s.depends = slices.Clone(s.StateDependencies)
	if slices.Contains(s.writes, "") || slices.Contains(s.depends, "") {
		return errors.New("a key of the state has a name")
	}
	if s.Type != ToolCall {
		if err := s.prepareState(); err != nil {
			return fmt.Errorf("%s: %w", s.Type, err)
		}
	}
	slices.Sort(s.depends)
	s.depends = slices.Compact(s.depends)
	return nil
}

// prepareState reads the parameters of an action that is about the state alone.
func (s *step) prepareState() error {
	if s.Tool != "" {
		return errors.New("it calls no tool, and one is named")
	}
	key, _ := s.Parameters["key"].(string)
	_, value := s.Parameters["value"]
	_, expected := s.Parameters["expected"]
	_, operator := s.Parameters["operator"]
	takes := map[ActionType][]string{
		StateWrite: {"key", "value"}, StateRead: {"key"}, Assertion: {"key", "expected", "operator", "value"},
	}[s.Type]
	for _, name := range sorted(s.Parameters) {
		if !slices.Contains(takes, name) {
			return fmt.Errorf("there is no parameter %s; it takes %s", brief(name), strings.Join(takes, ", "))
		}
	}
	if key == "" {
		return errors.New("key is missing, or no string")
	}
	switch s.Type {
	case StateWrite:
		if !value {
			return errors.New("value is missing")
		}
		if !slices.Contains(s.writes, key) {
			s.writes = append(s.writes, key)
		}
	case StateRead:
		s.depends = append(s.depends, key)
	case Assertion:
		s.looks = append(s.looks, key)
		if expected == operator || expected && value {
			return errors.New("say either expected, or operator and value")
		}
		c := s.asserted()
		return c.check()
	}
	return nil
}

// asserted is what an assertion holds to be true.
func (s *step) asserted() *Precondition {
	c := &Precondition{Key: s.Parameters["key"].(string), Operator: Eq, Value: s.Parameters["expected"]}
	if op, ok := s.Parameters["operator"]; ok {
		word, _ := op.(string)
		c.Operator, c.Value = Operator(word), s.Parameters["value"]
	}
	return c
}

// permitted holds a tool call to what the runtime has and allows.
func (r *run) permitted(s *step) error {
	switch {
	case s.Tool == "":
		return errors.New("tool is missing: which one is to be called?")
	case s.tool == nil:
		return fmt.Errorf("there is no tool %s", brief(s.Tool)+r.known(s.Tool))
	case r.executor == nil && !r.dry:
		return errors.New("there is nobody to call tools: the runtime has no executor")
	}
	if err := s.tool.check(s.Parameters); err != nil {
		return fmt.Errorf("parameters of %s: %w", s.Tool, err)
	}
	for _, rule := range r.rules {
		if err := rule.forbids(s.Tool, s.Parameters); err != nil {
			return err
		}
		if rule.Rule == RequireState && rule.about(s.Tool) {
			s.looks = append(s.looks, rule.Key)
		}
	}
	return nil
}

// known lists the tools that could have been meant, or all where they are few
// enough to be read.
func (r *run) known(name string) string {
	r.Runtime.mu.RLock()
	names := sorted(r.tools)
	r.Runtime.mu.RUnlock()
	const few = 12
	if 0 < len(names) && len(names) <= few {
		return "; there are " + strings.Join(names, ", ")
	}
	near, like := len(name)/3, []string(nil)
	for _, n := range names {
		if d := spell.Distance(name, n, near+1); d < near {
			near, like = d, []string{n}
		} else if d == near {
			like = append(like, n)
		}
	}
	if len(like) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(like, " or ") + "?"
}

// missing says which key an action depends on that neither the state has nor any
// action makes.
func (r *run) missing(s *step) error {
	for _, n := range s.needs {
		if _, there := r.state.get(n.key); !there && len(n.writers) == 0 {
			return fmt.Errorf("it depends on %q, which is not in the state and which no action writes", n.key)
		}
	}
	if s.Type != ToolCall {
		return nil
	}
	for _, rule := range r.rules {
		if rule.Rule != RequireState || slices.ContainsFunc(r.steps, func(o *step) bool { return slices.Contains(o.writes, rule.Key) }) {
			continue
		}
		if err := rule.blockedByState(s.Tool, r.state.get); err != nil {
			return err
		}
	}
	return nil
}
