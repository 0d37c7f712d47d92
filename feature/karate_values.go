package feature

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"rove/internal/data"
	"rove/internal/script"
)

func kSizeOf(c *karateCall) (any, error) {
	switch v := c.arg(0).Export().(type) {
	case []any:
		return int64(len(v)), nil
	case *data.Object:
		return int64(v.Len()), nil
	case []byte:
		return int64(len(v)), nil
	}
	return int64(-1), nil
}

func kSort(c *karateCall) (any, error) {
	in := c.arg(0)
	if !in.IsList() {
		return []any{}, nil
	}
	type item struct{ v, key script.Value }
	items := make([]item, in.Len())
	for i := range items {
		v := in.Index(i)
		items[i] = item{v, v}
		if len(c.args) > 1 {
			f, err := c.function()
			if err != nil {
				return nil, err
			}
			if items[i].key, err = f.Do(c.ctx, v, int64(i)); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(items, func(a, b item) int {
		x, y := a.key.Export(), b.key.Export()
		if order, ok := data.Compare(x, y); ok {
			return order
		}
		return strings.Compare(data.Text(x), data.Text(y))
	})
	list := c.list()
	for _, it := range items {
		list.Append(it.v)
	}
	return list, nil
}

func kToCSV(c *karateCall) (any, error) {
	list, ok := c.arg(0).Export().([]any)
	if !ok {
		return nil, c.wrong("not a json array: %s", data.Text(c.arg(0).Export()))
	}
	return data.CSV(list), nil
}

func kSame(c *karateCall) (any, error) { return c.arg(0), nil }

func kToJSON(c *karateCall) (any, error) {
	v := c.arg(0).Export()
	if f, ok := v.(data.Func); ok {
		return nil, c.wrong("a function is no JSON: %s", f.Source())
	}
	v, err := asJSON(data.Clone(v))
	if err != nil {
		return nil, err
	}
	if c.arg(1).Truthy() {
		v = withoutNulls(v)
	}
	return v, nil
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			v[i] = withoutNulls(e)
		}
	case *data.Object:
		for _, key := range v.Keys() {
			e, _ := v.Get(key)
			if e == nil {
				v.Delete(key)
			} else {
				v.Set(key, withoutNulls(e))
			}
		}
	}
	return v
}

func kToString(c *karateCall) (any, error) {
	v := c.arg(0).Export()
	if v == nil || v == data.Undefined {
		return nil, nil
	}
	return data.Text(v), nil
}

func kToBytes(c *karateCall) (any, error) {
	switch v := c.arg(0).Export().(type) {
	case []any:
		out := make([]byte, len(v))
		for i, e := range v {
			n, ok := e.(int64)
			if !ok {
				return nil, c.wrong("element %d is no number", i)
			}
			out[i] = byte(n)
		}
		return out, nil
	case []byte:
		return v, nil
	default:
		return []byte(data.Text(v)), nil
	}
}

func kTypeOf(c *karateCall) (any, error) {
	if isFeature(c.arg(0)) {
		return "feature", nil
	}
	kind := data.TypeOf(c.arg(0).Export())
	if kind == "function" {
		kind = "js_function" // as Karate has it
	}
	return kind, nil
}

func kURLEncode(c *karateCall) (any, error) {
	text, err := c.text(0)
	return url.QueryEscape(text), err
}

func kURLDecode(c *karateCall) (any, error) {
	text, err := c.text(0)
	if err != nil {
		return nil, err
	}
	plain, err := url.QueryUnescape(text)
	if err != nil {
		c.s.print(fmt.Sprintf("url decode failed: %v", err))
		return text, nil
	}
	return plain, nil
}

func kXMLPath(c *karateCall) (any, error) {
	path, err := c.text(1)
	if err != nil {
		return nil, err
	}
	return c.s.xpath(c.arg(0), path)
}

func kUUID(*karateCall) (any, error) { return randomUUID(), nil }
