package match

import (
	"fmt"
	"slices"
	"strings"

	"rove/internal/data"
)

// objects compares by keys, for equal and for contains.
func (m *run) objects(where place, a, e *data.Object, actual, expected any, r rule) {
	if r.family == containsAny {
		m.anyKey(where, a, e, actual, expected, r)
		return
	}
	for key, want := range e.All() {
		v, there := a.Get(key)
		if !there {
			if !optional(want) {
				m.differ(where.key(key), data.NotPresent, want, "actual does not contain key - '"+key+"'")
			}
			continue
		}
		m.compare(where.key(key), v, want, r.child(v))
	}
	if r.family == contains {
		return
	}
	var extra []string
	for key := range a.All() {
		if _, ok := e.Get(key); !ok {
			extra = append(extra, key)
		}
	}
	if len(extra) == 0 {
		return
	}
	more := &data.Object{}
	for _, key := range extra {
		v, _ := a.Get(key)
		more.Set(key, v)
	}
	m.differ(where, actual, expected, fmt.Sprintf("actual has %d more key(s) than expected - %s", len(extra), data.JSON(more)))
}

func (m *run) anyKey(where place, a, e *data.Object, actual, expected any, r rule) {
	if e.Len() == 0 {
		return
	}
	for key, want := range e.All() {
		v, there := a.Get(key)
		if !there && optional(want) || m.quiet(v, want, r.child(v)) {
			return
		}
	}
	m.differ(where, actual, expected, "no key-values matched")
}

// optional says whether a key may be missing.
func optional(want any) bool {
	s, ok := want.(string)
	return ok && (strings.HasPrefix(s, "##") || s == "#ignore" || s == data.NotPresent)
}

func (m *run) contain(where place, actual, expected any, r rule) {
	switch a := actual.(type) {
	case string:
		if !strings.Contains(a, expected.(string)) {
			m.differ(where, actual, expected, "actual does not contain expected")
		}
	case []any:
		m.lists(where, a, expected.([]any), r)
	case *data.Object:
		m.objects(where, a, expected.(*data.Object), actual, expected, r)
	case *data.XML:
		m.documents(where, a, expected.(*data.XML), false, r)
	default:
		m.differ(where, actual, expected, "a value of this type contains nothing, expected ==")
	}
}

func (m *run) lists(where place, a, e []any, r rule) {
	switch {
	case r.family == containsAny:
		for _, want := range e {
			if m.has(a, want, r) {
				return
			}
		}
		m.differ(where, a, e, "actual array does not contain any of the expected items")
		return
	case r.family == containsOnly && len(a) != len(e):
		m.differ(where, a, e, lengths("not equal to", a, e))
		return
	case r.family == containsOnly:
		for _, i := range m.unpaired(a, e, r) {
			m.differ(where, a, e, "actual array does not contain expected item - "+data.JSON(e[i]))
		}
		return
	case len(e) > len(a):
		m.differ(where, a, e, lengths("less than", a, e))
		return
	}
	for _, want := range e {
		if !m.has(a, want, r) {
			m.differ(where, a, e, "actual array does not contain expected item - "+data.JSON(want))
		}
	}
}

func (m *run) has(list []any, want any, r rule) bool {
	return slices.ContainsFunc(list, func(v any) bool { return m.quiet(v, want, r.child(v)) })
}

// unpaired gives the places of expected items for which no actual one is left,
// when each actual item serves once. An item that serves is given to another
// where that helps, so that the order of markers does not matter.
func (m *run) unpaired(a, e []any, r rule) []int {
	serves := make([]int, len(a)) // the expected item that each serves
	for i := range serves {
		serves[i] = -1
	}
	fits := map[[2]int]bool{}
	fit := func(i, j int) bool {
		known, ok := fits[[2]int{i, j}]
		if !ok {
			known = m.quiet(a[j], e[i], r.child(a[j]))
			fits[[2]int{i, j}] = known
		}
		return known
	}
	var place func(i int, seen []bool) bool
	place = func(i int, seen []bool) bool {
		for j := range a {
			if serves[j] < 0 && !seen[j] && fit(i, j) {
				serves[j] = i
				return true
			}
		}
		for j := range a {
			if seen[j] || !fit(i, j) {
				continue
			}
			seen[j] = true
			if place(serves[j], seen) {
				serves[j] = i
				return true
			}
		}
		return false
	}
	var left []int
	for i := range e {
		if !place(i, make([]bool, len(a))) {
			left = append(left, i)
		}
	}
	return left
}

// lengths says how the lengths of two lists differ, and what only one of them
// has.
func lengths(how string, a, e []any) string {
	s := fmt.Sprintf("actual array length is %s expected - %d:%d", how, len(a), len(e))
	const most = 100
	if len(a) > most || len(e) > most {
		return s
	}
	if only := without(e, a); len(only) > 0 && len(only) < len(e) {
		s += ", missing " + data.JSON(only)
	}
	if only := without(a, e); len(only) > 0 && len(only) < len(a) {
		s += ", unexpected " + data.JSON(only)
	}
	return s
}

// without gives the items of a list that another one has not.
func without(list, other []any) []any {
	var only []any
	other = slices.Clone(other)
	for _, v := range list {
		if i := slices.IndexFunc(other, func(o any) bool { return data.Equal(o, v) }); i >= 0 {
			other = slices.Delete(other, i, i+1)
		} else {
			only = append(only, v)
		}
	}
	return only
}

// plain gives a value in one of the forms that are compared.
func plain(v any) any {
	switch n := v.(type) {
	case int:
		return int64(n)
	case nil:
		return nil
	}
	if v == data.Undefined {
		return nil
	}
	return v
}

func asList(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case []byte:
		return numbers(v), true
	}
	return nil, false
}

func numbers(b []byte) []any {
	list := make([]any, len(b))
	for i, c := range b {
		list[i] = int64(int8(c))
	}
	return list
}

func kindOf(v any) string {
	switch t := data.TypeOf(v); t {
	case "null", "boolean", "number", "string", "bytes", "list", "map", "xml":
		return strings.ToUpper(t)
	}
	return "OTHER"
}
