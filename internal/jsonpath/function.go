package jsonpath

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"rove/internal/data"
)

// function is the last part of a path such as $.prices.sum().
type function struct {
	name string
	args []operand
}

var functions = []string{"min", "max", "avg", "stddev", "sum", "length", "size", "keys", "concat", "append", "first", "last", "index"}

func (c *compiler) function(p *Path, name string) {
	if !slices.Contains(functions, name) {
		c.fail("no function %s(), expected one of %s", name, strings.Join(functions, ", "))
		return
	}
	end := c.closing(c.pos)
	if end < 0 {
		c.fail("the arguments of %s are not closed", name)
		return
	}
	fn := &function{name: name}
	rest := filterReader{text: strings.TrimSpace(c.text[c.pos+1 : end])}
	for rest.pos < len(rest.text) {
		arg, err := rest.argument()
		if err != nil {
			c.fail("%v", err)
			return
		}
		fn.args = append(fn.args, arg)
		if rest.space(); rest.pos < len(rest.text) && !rest.eat(",") {
			c.fail("expected a comma between arguments of %s", name)
			return
		}
	}
	p.function = fn
	c.pos = end + 1
}

// argument reads a path, a string or a number up to a comma.
func (f *filterReader) argument() (operand, error) {
	f.space()
	switch f.peek() {
	case '\'', '"', '[', '{':
		return f.operand()
	}
	start := f.pos
	depth := 0
	for f.pos < len(f.text) {
		switch f.text[f.pos] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
		if f.text[f.pos] == ',' && depth <= 0 {
			break
		}
		f.pos++
	}
	inner := filterReader{text: strings.TrimSpace(f.text[start:f.pos])}
	return inner.operand()
}

// closingAny finds the bracket or brace that closes the one at a place.
func (c *compiler) closingAny(open int) int {
	depth := 0
	for i := open; i < len(c.text); i++ {
		switch b := c.text[i]; b {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i
			}
		case '\'', '"':
			i = skip(c.text, i, b)
		}
	}
	return -1
}

func (fn *function) call(v, root any) (any, error) {
	switch fn.name {
	case "length", "size":
		if len(fn.args) > 0 {
			v, _ = fn.args[0].value(v, root)
		}
		if n := count(v); n >= 0 {
			return int64(n), nil
		}
		return nil, nil
	case "keys":
		o, ok := v.(*data.Object)
		if !ok {
			return nil, fmt.Errorf("keys() is of objects, this is a %s", data.TypeOf(v))
		}
		keys := []any{}
		for key := range o.All() {
			keys = append(keys, key)
		}
		return keys, nil
	}
	args := fn.values(v, root)
	list, isList := v.([]any)
	switch fn.name {
	case "concat":
		var out strings.Builder
		for _, part := range append(slices.Clone(list), args...) {
			if part != nil {
				out.WriteString(data.Text(part))
			}
		}
		return out.String(), nil
	case "append":
		if !isList {
			return v, nil
		}
		return append(slices.Clone(list), args...), nil
	case "first", "last", "index":
		return fn.pick(list, args)
	}
	return fn.statistics(append(slices.Clone(list), args...))
}

func (fn *function) values(v, root any) []any {
	var all []any
	for _, arg := range fn.args {
		value, ok := arg.value(v, root)
		if !ok {
			continue
		}
		if list, isList := value.([]any); isList && fn.name != "append" {
			all = append(all, list...)
		} else {
			all = append(all, value)
		}
	}
	return all
}

func (fn *function) pick(list, args []any) (any, error) {
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: %s() of an empty list", ErrNotFound, fn.name)
	}
	i := 0
	switch fn.name {
	case "last":
		i = -1
	case "index":
		if len(args) > 0 {
			n, _ := args[0].(int64)
			i = int(n)
		}
	}
	at := token{kind: index, indexes: []int{i}}.places(len(list))
	if len(at) == 0 {
		return nil, fmt.Errorf("%w: index(%d) of a list of %d", ErrNotFound, i, len(list))
	}
	return list[at[0]], nil
}

func (fn *function) statistics(list []any) (any, error) {
	var sum, squares, count float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range list {
		var f float64
		switch v := v.(type) {
		case int64:
			f = float64(v)
		case float64:
			f = v
		default:
			continue
		}
		sum, squares, count = sum+f, squares+f*f, count+1
		low, high = min(low, f), max(high, f)
	}
	if count == 0 {
		return nil, errors.New(fn.name + "() found no numbers")
	}
	switch fn.name {
	case "min":
		return low, nil
	case "max":
		return high, nil
	case "avg":
		return sum / count, nil
	case "stddev":
		return math.Sqrt(squares/count - sum*sum/(count*count)), nil
	}
	return sum, nil
}
