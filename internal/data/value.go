// Package data has the values that features work with, and their text forms:
// JSON (strict, and relaxed as features write it), XML with XPath, YAML and CSV.
// It knows no JavaScript and does no input or output.
//
// A value is one of nil, Undefined, bool, int64, float64, *big.Int, string, []byte,
// time.Time, []any, *Object, *XML and Func.
package data

import (
	"bytes"
	"context"
	"math/big"
	"slices"
	"time"
)

type undefined struct{}

// Undefined is JavaScript's undefined: not null, but matched as null.
var Undefined any = undefined{}

// NotPresent is what a path gives that leads nowhere. It is a string, because
// features keep it in variables and match it with the marker of that name.
const NotPresent = "#notpresent"

// Func is a function that features can call. Source is its text.
type Func interface {
	Source() string
	Call(ctx context.Context, args ...any) (any, error)
}

// TypeOf names the type of a value as karate.typeOf does, with "bytes" and
// "date" beside.
func TypeOf(v any) string {
	switch v.(type) {
	case nil, undefined:
		return "null"
	case bool:
		return "boolean"
	case int, int64, float64, *big.Int:
		return "number"
	case string:
		return "string"
	case []byte:
		return "bytes"
	case time.Time:
		return "date"
	case []any:
		return "list"
	case *Object:
		return "map"
	case *XML:
		return "xml"
	case Func:
		return "function"
	}
	return "other"
}

// Equal compares whole values: numbers by what they are worth, objects without
// regard to the order of their keys, functions by their text.
func Equal(a, b any) bool {
	if r, ok := compareNumbers(a, b); ok {
		return r == 0
	}
	switch a := a.(type) {
	case nil, undefined:
		return b == nil || b == Undefined
	case bool:
		o, ok := b.(bool)
		return ok && a == o
	case string:
		o, ok := b.(string)
		return ok && a == o
	case []byte:
		o, ok := b.([]byte)
		return ok && bytes.Equal(a, o)
	case time.Time:
		o, ok := b.(time.Time)
		return ok && a.Equal(o)
	case []any:
		o, ok := b.([]any)
		return ok && slices.EqualFunc(a, o, Equal)
	case *Object:
		o, ok := b.(*Object)
		if !ok || a.Len() != o.Len() {
			return false
		}
		if a == o {
			return true
		}
		for key, v := range a.All() {
			other, ok := o.Get(key)
			if !ok || !Equal(v, other) {
				return false
			}
		}
		return true
	case *XML:
		o, ok := b.(*XML)
		return ok && a.String() == o.String()
	case Func:
		o, ok := b.(Func)
		return ok && (a == o || a.Source() == o.Source())
	}
	return false
}

// Clone copies a value with all that is in it. Functions are shared.
func Clone(v any) any {
	switch v := v.(type) {
	case []byte:
		return bytes.Clone(v)
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = Clone(e)
		}
		return c
	case *Object:
		return v.Clone()
	case *XML:
		return v.Clone()
	}
	return v
}

// Compare orders two numbers; ok is false where one of them is none.
func Compare(a, b any) (order int, ok bool) { return compareNumbers(a, b) }

func compareNumbers(a, b any) (int, bool) {
	if a, ok := a.(int64); ok {
		if b, ok := b.(int64); ok {
			switch {
			case a < b:
				return -1, true
			case a > b:
				return 1, true
			}
			return 0, true
		}
	}
	x, ok := toBig(a)
	if !ok {
		return 0, false
	}
	y, ok := toBig(b)
	if !ok {
		return 0, false
	}
	return x.Cmp(y), true
}

// toBig gives a number without loss. What is not finite is no number that can
// be compared.
func toBig(v any) (*big.Float, bool) {
	switch v := v.(type) {
	case int:
		return new(big.Float).SetInt64(int64(v)), true
	case int64:
		return new(big.Float).SetInt64(v), true
	case float64:
		if v != v {
			return nil, false
		}
		return new(big.Float).SetFloat64(v), true
	case *big.Int:
		return new(big.Float).SetInt(v), true
	}
	return nil, false
}
