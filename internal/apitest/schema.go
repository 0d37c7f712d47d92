package apitest

import (
	"slices"

	"rove/internal/data"
)

// Schema is what values at one place have in common.
type Schema struct {
	Null, Flag, Number, Whole, String, Object, List bool // the types that were seen

	Optional bool // it was not always there
	Keys     []string
	Props    map[string]*Schema
	Open     bool    // an object whose keys are data
	Items    *Schema // of lists; nil where all were empty
	Filled   bool    // no list was empty
	Format   string  // of strings: uuid, date-time, date, email, uri
	Equal    Text    // what it must be, where that is known
	// Example is one of the values.
	Example any

	seen int
}

var (
	dateTime = pattern(`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d`)
	dateOnly = pattern(`^\d{4}-\d\d-\d\d$`)
	email    = pattern(`^[^@\s]+@[^@\s]+\.[^@\s]+$`)
)

func formatOf(s string) string {
	switch {
	case uuid().MatchString(s):
		return "uuid"
	case dateOnly().MatchString(s):
		return "date"
	case dateTime().MatchString(s):
		return "date-time"
	case email().MatchString(s):
		return "email"
	}
	return ""
}

// merge makes one schema of samples.
func merge(samples []any) *Schema {
	s := &Schema{Whole: true}
	for _, v := range samples {
		s.add(v, 0)
	}
	return s
}

func (s *Schema) add(v any, depth int) {
	if s.seen == 0 {
		s.Filled = true
	}
	s.seen++
	if s.Example == nil {
		s.Example = v
	}
	switch v := v.(type) {
	case nil:
		s.Null = true
	case bool:
		s.Flag = true
	case string:
		format := formatOf(v)
		if s.String && s.Format != format {
			format = ""
		}
		s.String, s.Format = true, format
	case []any:
		s.List = true
		s.Filled = s.Filled && len(v) > 0
		for _, one := range v {
			if s.Items == nil {
				s.Items = &Schema{Whole: true}
			}
			if depth < 100 {
				s.Items.add(one, depth+1)
			}
		}
	case *data.Object:
		s.object(v, depth)
	default:
		s.Number = true
		if _, ok := v.(float64); ok {
			s.Whole = false
		}
	}
}

func (s *Schema) object(o *data.Object, depth int) {
	first := !s.Object
	s.Object = true
	if s.Props == nil {
		s.Props = map[string]*Schema{}
	}
	ids := 0
	for k, v := range o.All() {
		if idLike(k) {
			ids++
		}
		p := s.Props[k]
		if p == nil {
			p = &Schema{Whole: true, Optional: !first}
			s.Props[k], s.Keys = p, append(s.Keys, k)
		}
		if depth < 100 {
			p.add(v, depth+1)
		}
	}
	for k, p := range s.Props {
		if _, ok := o.Get(k); !ok {
			p.Optional = true
		}
	}
	if ids > 0 && ids*2 >= o.Len() {
		s.Open = true
	}
}

// types counts the types that were seen, without null.
func (s *Schema) types() int {
	n := 0
	for _, one := range []bool{s.Flag, s.Number, s.String, s.Object, s.List} {
		if one {
			n++
		}
	}
	return n
}

// nullable are properties that were always there and sometimes, or always, null.
func (s *Schema) nullable() (keys []string) {
	if !s.Object || s.Open || s.types() > 1 {
		return nil
	}
	for _, k := range s.Keys {
		if p := s.Props[k]; p.Null && !p.Optional && p.types() == 1 {
			keys = append(keys, k)
		}
	}
	return keys
}

// all is every schema below this one, with its path; lists are [].
func (s *Schema) all(path []any, yield func([]any, *Schema)) {
	path = slices.Clip(path)
	yield(path, s)
	if s.Object && !s.Open {
		for _, k := range s.Keys {
			s.Props[k].all(append(path, k), yield)
		}
	}
	if s.Items != nil {
		s.Items.all(append(path, 0), yield)
	}
}
