// Package match compares values as features do: equal or containing, with markers
// such as '#string', schemas and expressions, and every difference told in one
// message. It is pure: expressions are evaluated by an Env.
package match

import (
	"slices"

	"rove/internal/data"
)

// Op says how values are compared.
type Op int

const (
	Equals Op = iota
	NotEquals
	Contains
	NotContains
	ContainsOnly
	ContainsAny
	ContainsDeep
	ContainsOnlyDeep
	ContainsAnyDeep
	NotContainsDeep
	NotContainsOnly
	NotContainsAny
	Within
	NotWithin
)

var opNames = [...]string{
	"EQUALS", "NOT_EQUALS", "CONTAINS", "NOT_CONTAINS", "CONTAINS_ONLY", "CONTAINS_ANY", "CONTAINS_DEEP",
	"CONTAINS_ONLY_DEEP", "CONTAINS_ANY_DEEP", "NOT_CONTAINS_DEEP", "NOT_CONTAINS_ONLY", "NOT_CONTAINS_ANY", "WITHIN", "NOT_WITHIN",
}

func (op Op) String() string { return opNames[op] }

// rule is an operator without its "not": what holds of a value and, where it is
// deep, of all in it.
type rule struct {
	family family
	deep   bool
	// members is the rule for members of a list where it is not the usual one:
	// '#(^part)' looks for a part in each.
	members *rule
	not     bool
}

type family int

const (
	equals family = iota
	contains
	containsOnly
	containsAny
)

func (op Op) rule() rule {
	switch op {
	case NotEquals:
		return rule{family: equals, not: true}
	case Contains:
		return rule{family: contains}
	case NotContains:
		return rule{family: contains, not: true}
	case ContainsOnly:
		return rule{family: containsOnly}
	case ContainsAny:
		return rule{family: containsAny}
	case ContainsDeep:
		return rule{family: contains, deep: true}
	case ContainsOnlyDeep:
		return rule{family: containsOnly, deep: true}
	case ContainsAnyDeep:
		return rule{family: containsAny, deep: true}
	case NotContainsDeep:
		return rule{family: contains, deep: true, not: true}
	case NotContainsOnly:
		return rule{family: containsOnly, not: true}
	case NotContainsAny:
		return rule{family: containsAny, not: true}
	}
	return rule{family: equals}
}

// child is the rule for what is in a value.
func (r rule) child(v any) rule {
	if r.members != nil {
		return *r.members
	}
	if r.deep {
		switch v.(type) {
		case []any, *data.Object, *data.XML:
			return r
		}
	}
	return rule{family: equals}
}

// Env evaluates the expressions of markers, such as '#? _ > 0' and '#(schema)'.
// The variables are _ (the value itself), $ (the whole actual value) and, below
// "match each", _$ (the member).
type Env interface {
	Eval(expr string, vars map[string]any) (any, error)
}

// Matcher compares values. The zero value evaluates no expressions.
type Matcher struct {
	Env Env
	// EmptyEach lets "match each" pass on an empty list.
	EmptyEach bool
}

// Match compares an actual with an expected value, each member of the actual one
// if each is set.
func (m Matcher) Match(actual, expected any, op Op, each bool) Result {
	run := &run{Matcher: m, root: actual}
	where := place{path: "$"}
	if _, ok := actual.(*data.XML); ok {
		where = place{path: "/", xml: true}
	}
	r := Result{Op: op, Each: each}
	if op == Within || op == NotWithin {
		run.within(where, actual, expected, op, each)
	} else {
		run.start(where, actual, expected, op.rule(), each)
	}
	r.Differences = run.differences
	r.Pass = len(run.differences) == 0
	return r
}

// run is one comparison under way.
type run struct {
	Matcher
	root        any
	member      any // of match each
	inEach      bool
	differences []Difference
}

// quiet compares without telling differences.
func (m *run) quiet(actual, expected any, r rule) bool {
	before := len(m.differences)
	m.compare(place{path: ""}, actual, expected, r)
	ok := len(m.differences) == before
	m.differences = m.differences[:before]
	return ok
}

func (m *run) differ(where place, actual, expected any, reason string) {
	m.differences = append(m.differences, Difference{Path: where.path, Actual: actual, Expected: expected, Reason: reason, xml: where.xml})
}

func (m *run) start(where place, actual, expected any, r rule, each bool) {
	if !each {
		m.compare(where, actual, expected, r)
		return
	}
	saved, savedIn := m.member, m.inEach
	for i, v := range m.each(where, actual, expected) {
		m.member, m.inEach = v, true
		m.compare(where.index(i), v, expected, r)
	}
	m.member, m.inEach = saved, savedIn
}

// each are the members of what each of is held to expected.
func (m *run) each(where place, actual, expected any) []any {
	list, ok := asList(actual)
	switch {
	case !ok:
		m.differ(where, actual, expected, "actual is not an array or list")
	case len(list) == 0 && !m.EmptyEach:
		m.differ(where, actual, expected, "match each failed, empty array / list")
	}
	return list
}

func (m *run) within(where place, actual, expected any, op Op, each bool) {
	one := func(where place, v any) {
		var holds bool
		if list, ok := asList(expected); ok && data.TypeOf(v) != "list" {
			holds = slices.ContainsFunc(list, func(e any) bool { return m.quiet(v, e, rule{family: equals}) })
		} else {
			holds = m.quiet(expected, v, rule{family: contains})
		}
		switch {
		case !holds && op == Within:
			m.differ(where, v, expected, "actual is not within expected")
		case holds && op == NotWithin:
			m.differ(where, v, expected, "actual is within expected")
		}
	}
	if !each {
		one(where, actual)
		return
	}
	for i, v := range m.each(where, actual, expected) {
		one(where.index(i), v)
	}
}

// compare tells how an actual value differs from what a rule wants.
func (m *run) compare(where place, actual, expected any, r rule) {
	actual, expected = plain(actual), plain(expected)
	if r.not {
		m.negate(where, actual, expected, r)
		return
	}
	marker, isString := expected.(string)
	isMarker := isString && len(marker) > 0 && marker[0] == '#'
	if actual == data.NotPresent && !isMarker {
		m.differ(where, actual, expected, "actual path does not exist")
		return
	}
	if kindOf(actual) != kindOf(expected) {
		_, isList := expected.([]any)
		if r.family != equals && !isList && !(isString && structural(marker)) {
			if _, ok := asList(actual); ok {
				m.compare(where, actual, []any{expected}, r)
				return
			}
			m.differ(where, actual, expected, "data types don't match")
			return
		}
		if x, ok := expected.(*data.XML); ok {
			if _, ok := actual.(*data.Object); ok {
				m.compare(where, actual, x.Object(true), r)
				return
			}
		}
		if b, ok := actual.([]byte); ok && isList {
			m.compare(where, numbers(b), expected, r)
			return
		}
		if b, ok := expected.([]byte); ok {
			if list, ok := actual.([]any); ok {
				m.compare(where, list, numbers(b), r)
				return
			}
		}
		if !isMarker {
			m.differ(where, actual, expected, "data types don't match")
			return
		}
	}
	switch {
	case isMarker:
		m.marker(where, actual, marker, r)
	case r.family == equals:
		m.equal(where, actual, expected, r)
	default:
		m.contain(where, actual, expected, r)
	}
}

func (m *run) negate(where place, actual, expected any, r rule) {
	r.not = false
	if o, ok := expected.(*data.Object); ok && r.family == contains && o.Len() == 0 {
		return // no object contains nothing
	}
	if !m.quiet(actual, expected, r) {
		return
	}
	reason := "equals"
	if r.family != equals {
		reason = "actual contains expected"
	}
	m.differ(where, actual, expected, reason)
}

func (m *run) equal(where place, actual, expected any, r rule) {
	switch a := actual.(type) {
	case []any:
		e := expected.([]any)
		if len(a) != len(e) {
			m.differ(where, actual, expected, lengths("not equal to", a, e))
			return
		}
		for i, v := range a {
			m.compare(where.index(i), v, e[i], r.child(v))
		}
	case *data.Object:
		m.objects(where, a, expected.(*data.Object), actual, expected, r)
	case *data.XML:
		m.documents(where, a, expected.(*data.XML), true, r)
	default:
		if !data.Equal(actual, expected) {
			m.differ(where, actual, expected, "not equal")
		}
	}
}

// documents compares XML by what is in it, without the white space between.
func (m *run) documents(where place, a, e *data.XML, withoutPrefixes bool, r rule) {
	where.xml = true
	actual, expected := a.Object(withoutPrefixes), e.Object(withoutPrefixes)
	m.compare(where, actual, expected, r)
}
