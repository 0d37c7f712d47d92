package feature

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"rove/internal/data"
	"rove/internal/match"
	"rove/internal/script"
)

func runMatch(s *scenario, in *input) error {
	text := in.rest
	if in.hasDoc {
		text += " " + in.doc
	}
	r, err := s.matchText(in.ctx, text)
	if err != nil {
		return err
	}
	if !r.Pass {
		return errors.New(r.Message())
	}
	return nil
}

// matchText does what stands behind the keyword match.
func (s *scenario) matchText(ctx context.Context, text string) (match.Result, error) {
	spec, err := match.ParseStep(text)
	if err != nil {
		return match.Result{}, err
	}
	actual, err := s.actual(ctx, spec)
	if err != nil {
		return match.Result{}, err
	}
	expected, err := s.evaluate(ctx, spec.Expected, true)
	if err != nil {
		return match.Result{}, err
	}
	return s.match(ctx, actual, s.seen(expected), spec.Op, spec.Each), nil
}

func (s *scenario) match(ctx context.Context, actual, expected any, op match.Op, each bool) match.Result {
	m := match.Matcher{Env: &matchEnv{s, ctx}, EmptyEach: s.config.bool("matchEachEmptyAllowed")}
	return m.Match(actual, expected, op, each)
}

// actual evaluates the left side of a match. A variable with a path behind it is
// looked into by JsonPath or XPath, all else is JavaScript.
func (s *scenario) actual(ctx context.Context, spec match.Spec) (any, error) {
	name, path := strings.TrimSpace(spec.Actual), strings.TrimSpace(spec.Path)
	whole := strings.TrimSpace(spec.Actual + " " + spec.Path)
	switch {
	case name == "header" && path != "":
		return s.responseHeader(path)
	case isResponsePath(name) || strings.HasPrefix(name, "/"):
		name, path = "response", whole
	case path == "":
		name = strings.TrimPrefix(name, "$")
		whole = name
		if strings.HasPrefix(name, "(") {
			v, err := s.js(ctx, name)
			return v.Export(), err
		}
		if leadingWord(name) == "" {
			v, err := s.eval(ctx, whole)
			return s.data(v), err
		}
		name, path = splitPath(name)
	}
	if isXPath(path) {
		v, err := s.evaluate(ctx, name, false)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(path, "/") || isXML(s.data(v)) {
			got, err := s.xpath(v, path)
			return s.data(got), err
		}
	} else if jsonPathForm(path) {
		got, ok, err := s.variablePath(ctx, name, path)
		if ok || err != nil {
			return got, err
		}
	}
	v, err := s.evaluate(ctx, whole, false)
	return s.data(v), err
}

func isXML(v any) bool {
	_, ok := v.(*data.XML)
	return ok
}

// jsonPathForm says whether a path can be one: a call or an operator outside of
// its brackets makes it JavaScript.
func jsonPathForm(path string) bool {
	if !strings.HasPrefix(path, "$") || strings.HasSuffix(path, ")") || strings.Contains(path, ").") {
		return false
	}
	depth, quote := 0, byte(0)
	for i := 1; i < len(path); i++ {
		c := path[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case depth > 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth > 0:
		case c == '*':
			if path[i-1] != '.' {
				return false
			}
		case strings.IndexByte(" \t\n+<>=!&|?,;%/(){}'\"`", c) >= 0:
			return false
		}
	}
	return true
}

// variablePath looks into a variable. Where that is no JSON, or the path no
// JsonPath, the whole is JavaScript.
func (s *scenario) variablePath(ctx context.Context, name, path string) (any, bool, error) {
	if d, ok := s.scope.Untouched(name); ok {
		// An answer that no script has seen is looked at as it is.
		if path == "$" {
			return s.seen(d), true, nil
		}
		switch d.(type) {
		case *data.Object, []any:
			if got, err := s.jsonPath(d, path); err == nil && got != data.NotPresent {
				return got, true, nil
			}
		}
	}
	v, err := s.evaluate(ctx, name, false)
	if err != nil {
		return nil, false, nil
	}
	if value, ok := v.(script.Value); ok && (value.Host() != nil || value.Callable()) && path != "$" {
		if _, xml := value.Export().(*data.XML); !xml {
			return s.fromHost(ctx, name, path)
		}
	}
	d := s.data(v)
	if path == "$" {
		return d, true, nil
	}
	switch d.(type) {
	case *data.Object, []any:
	default:
		return nil, false, nil
	}
	got, err := s.jsonPath(d, path)
	if err != nil {
		return nil, false, nil
	}
	if got == data.NotPresent && !strings.ContainsAny(path, "*?") && !strings.Contains(path, "..") {
		// JavaScript sees more than data: methods, properties of hosts, length.
		if last := path[strings.LastIndexByte(path, '.')+1:]; last == "length" || s.throughHost(ctx, name, path) {
			return nil, false, nil
		}
	}
	return got, true, nil
}

// onlyPaths is where a path begins that JavaScript cannot read.
var onlyPaths = regexp.MustCompile(`\[\s*[*?]|\.\.|\.\*`)

// fromHost looks into what a live object gives: driver.cookies[*].name is the path [*].name
// in driver.cookies. All else is for JavaScript.
func (s *scenario) fromHost(ctx context.Context, name, path string) (any, bool, error) {
	at := onlyPaths.FindStringIndex(path)
	if at == nil {
		return nil, false, nil
	}
	v, err := s.js(ctx, name+path[1:at[0]])
	if err != nil {
		return nil, false, nil
	}
	got, err := s.jsonPath(v, "$"+path[at[0]:])
	return got, err == nil, nil
}

// throughHost says whether a path leads to a live object, such as an element of a
// page, and on from there.
func (s *scenario) throughHost(ctx context.Context, name, path string) bool {
	for cut := strings.LastIndexAny(path, ".["); cut > 0; cut = strings.LastIndexAny(path[:cut], ".[") {
		v, err := s.js(ctx, name+path[1:cut])
		if err == nil && v.Host() != nil {
			return true
		}
	}
	return false
}

// matchEnv evaluates the expressions in what is expected.
type matchEnv struct {
	s   *scenario
	ctx context.Context
}

func (e *matchEnv) Eval(expr string, vars map[string]any) (any, error) {
	s := e.s
	type saved struct {
		v  script.Value
		ok bool
	}
	before := map[string]saved{}
	for name, v := range vars {
		if !strings.Contains(expr, name) {
			continue
		}
		had, ok := s.scope.GetHidden(name)
		before[name] = saved{had, ok}
		s.scope.Hide(name, v)
	}
	defer func() {
		for name, had := range before {
			if had.ok {
				s.scope.Hide(name, had.v)
			} else {
				s.scope.Unhide(name)
			}
		}
	}()
	v, err := s.js(e.ctx, expr)
	if err != nil {
		return nil, err
	}
	return v.Export(), nil
}

// fluentMatch is match('text == …') and match(actual).equals(expected) in
// scripts.
func fluentMatch(c *karateCall) (any, error) {
	if len(c.args) == 2 {
		return c.matched(c.s.match(c.ctx, c.args[0].Export(), c.args[1].Export(), match.Equals, false)), nil
	}
	return &expectation{c.s, c.arg(0).Export()}, nil
}

// matched is the result of a match as scripts see it.
func (c *karateCall) matched(r match.Result) any {
	o := data.NewObject("pass", r.Pass, "message", nil)
	if !r.Pass {
		o.Set("message", r.Message())
	}
	return o
}

// expectation is match(x): its methods compare, and throw where they fail.
type expectation struct {
	s      *scenario
	actual any
}

var expectations = map[string]struct {
	op   match.Op
	each bool
}{
	"equals": {op: match.Equals}, "notEquals": {op: match.NotEquals}, "is": {op: match.Equals}, "isEqualTo": {op: match.Equals}, "isNotEqualTo": {op: match.NotEquals},
	"contains": {op: match.Contains}, "notContains": {op: match.NotContains}, "containsDeep": {op: match.ContainsDeep},
	"containsOnly": {op: match.ContainsOnly}, "containsAny": {op: match.ContainsAny}, "containsOnlyDeep": {op: match.ContainsOnlyDeep}, "containsAnyDeep": {op: match.ContainsAnyDeep},
	"within": {op: match.Within}, "notWithin": {op: match.NotWithin},
	"eachEquals": {match.Equals, true}, "eachNotEquals": {match.NotEquals, true}, "eachContains": {match.Contains, true}, "eachNotContains": {match.NotContains, true},
	"eachContainsDeep": {match.ContainsDeep, true}, "eachContainsOnly": {match.ContainsOnly, true}, "eachContainsAny": {match.ContainsAny, true},
}

func (e *expectation) Member(name string) (any, bool) {
	row, ok := expectations[name]
	if !ok {
		return nil, false
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
		if len(args) == 0 {
			return nil, fmt.Errorf("%s needs what is expected", name)
		}
		if r := e.s.match(ctx, e.actual, args[0].Export(), row.op, row.each); !r.Pass {
			return nil, errors.New(r.Message())
		}
		return true, nil
	}), true
}

func (e *expectation) Members() []string { return nil }
