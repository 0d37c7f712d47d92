package proposal

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

var operators = []Operator{Eq, Neq, Gt, Lt, Gte, Lte, Exists, NotExists, Contains}

// check says what is wrong with a condition as it is written.
func (c *Precondition) check() error {
	switch {
	case c.Key == "":
		return errors.New("key is missing")
	case !slices.Contains(operators, c.Operator):
		return fmt.Errorf("operator %q: it is one of %s", c.Operator, words(operators))
	case c.Value != nil && (c.Operator == Exists || c.Operator == NotExists):
		return fmt.Errorf("%s takes no value", c.Operator)
	}
	return nil
}

// holds says whether a condition is true of a state, and if not, why.
func (c *Precondition) holds(get func(key string) (any, bool)) error {
	value, there := get(c.Key)
	ok := false
	switch {
	case c.Operator == Exists:
		ok = there
	case c.Operator == NotExists:
		ok = !there
	case c.Operator == Neq:
		ok = !there || !reflect.DeepEqual(value, c.Value)
	case !there:
	case c.Operator == Eq:
		ok = reflect.DeepEqual(value, c.Value)
	case c.Operator == Contains:
		ok = contains(value, c.Value)
	default:
		order, comparable := compare(value, c.Value)
		if !comparable {
			return c.unmet("%s and %s can't be compared", brief(value), brief(c.Value))
		}
		switch c.Operator {
		case Gt:
			ok = order > 0
		case Lt:
			ok = order < 0
		case Gte:
			ok = order >= 0
		case Lte:
			ok = order <= 0
		}
	}
	switch {
	case ok:
		return nil
	case !there:
		return c.unmet("there is no %q in the state", c.Key)
	}
	return c.unmet("it is %s", brief(value))
}

func (c *Precondition) unmet(format string, args ...any) error {
	what := c.Key + " " + string(c.Operator)
	if c.Operator != Exists && c.Operator != NotExists {
		what += " " + brief(c.Value)
	}
	if c.Description != "" {
		what += " (" + c.Description + ")"
	}
	return fmt.Errorf("%s does not hold: %s", what, fmt.Sprintf(format, args...))
}

// compare puts two numbers or two strings in order.
func compare(a, b any) (order int, comparable bool) {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return cmp.Compare(a, b), ok
	case string:
		b, ok := b.(string)
		return strings.Compare(a, b), ok
	}
	return 0, false
}

func contains(whole, part any) bool {
	switch whole := whole.(type) {
	case string:
		part, ok := part.(string)
		return ok && strings.Contains(whole, part)
	case []any:
		return slices.ContainsFunc(whole, func(item any) bool { return reflect.DeepEqual(item, part) })
	case map[string]any:
		key, ok := part.(string)
		_, there := whole[key]
		return ok && there
	}
	return false
}
