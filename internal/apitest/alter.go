package apitest

import (
	"fmt"
	"slices"
	"strings"

	"rove/internal/data"
)

// alteration is a way to answer wrongly that a test must notice.
type alteration struct {
	call *Call
	kind string
	do   func(*Answer) bool
}

// alterations are, for each call, another status, and its key field gone, of
// another type, and of another value where the value is known.
func (s *Suite) alterations() (list []alteration) {
	seen := map[*Call]bool{}
	for _, sc := range s.Scenarios {
		for _, c := range sc.Calls {
			if sc.Negative == nil && !seen[c] {
				seen[c] = true
				list = append(list, c.alterations()...)
			}
		}
	}
	return list
}

func (c *Call) alterations() []alteration {
	list := []alteration{{c, "status", func(a *Answer) bool {
		if a.Status = 503; c.Expect.Status == 503 {
			a.Status = 500
		}
		return true
	}}}
	if c.Expect.Schema == nil {
		for _, t := range c.Expect.Shows {
			list = append(list, alteration{c, "text gone", func(a *Answer) bool {
				if a.Text = without(a.Text, t.plain()); t.variables() != nil {
					a.Text = ""
				}
				return true
			}})
		}
		return list
	}
	path, known := c.Expect.keyField()
	change := func(kind string, to func(any) (any, bool)) {
		list = append(list, alteration{c, kind + " of " + way("response", path), func(a *Answer) bool {
			v, err := data.ParseJSON(a.Text)
			if err != nil {
				return false
			}
			v, ok := replace(v, path, to)
			if ok {
				a.Text = data.JSON(v)
			}
			return ok
		}})
	}
	if len(path) > 0 {
		change("absence", func(any) (any, bool) { return nil, false })
	}
	change("type", func(v any) (any, bool) {
		if _, ok := v.(string); ok {
			return int64(7), true
		}
		return "altered", true
	})
	if known {
		change("value", func(v any) (any, bool) {
			switch v := v.(type) {
			case string:
				return v + "x", true
			case bool:
				return !v, true
			case int64:
				return v + 1, true
			}
			return int64(-1), true
		})
	}
	for _, m := range c.Expect.Has {
		list = append(list, alteration{c, "staleness of " + way("response", m.List), func(a *Answer) bool {
			v, err := data.ParseJSON(a.Text)
			if err != nil {
				return false
			}
			v, ok := replace(v, m.List, func(any) (any, bool) { return []any{}, true })
			a.Text = data.JSON(v)
			return ok
		}})
	}
	return list
}

func without(text, part string) string { return strings.ReplaceAll(text, part, "") }

// keyField is the field that says most: one whose value is known, else the first
// that is always there.
func (e *Expect) keyField() (key []any, known bool) {
	rank := 0
	e.Schema.all(nil, func(path []any, s *Schema) {
		r := 1
		switch {
		case slices.Contains(path, any(0)) || s.Optional || s.Null || s.types() != 1:
			return
		case len(s.Equal) > 0:
			r = 4
		case len(path) > 0 && !s.Object && !s.List:
			r = 3
		case len(path) > 0:
			r = 2
		}
		if r > rank {
			rank, key, known = r, path, len(s.Equal) > 0
		}
	})
	return key, known
}

// replace puts something else where a path leads, or takes it away.
func replace(v any, path []any, to func(any) (any, bool)) (any, bool) {
	if len(path) == 0 {
		out, _ := to(v)
		return out, true
	}
	name, ok := path[0].(string)
	o, isObject := v.(*data.Object)
	if !ok || !isObject {
		return v, false
	}
	kid, there := o.Get(name)
	if !there {
		return v, false
	}
	if len(path) > 1 {
		out, ok := replace(kid, path[1:], to)
		if ok {
			o.Set(name, out)
		}
		return o, ok
	}
	if out, stays := to(kid); stays {
		o.Set(name, out)
	} else {
		o.Delete(name)
	}
	return o, true
}

func (a alteration) String() string { return fmt.Sprintf("%s: %s", a.call.title(), a.kind) }
