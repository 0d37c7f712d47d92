package jsonpath

import (
	"fmt"

	"rove/internal/data"
)

// maxIndex bounds the lists that Set makes longer.
const maxIndex = 1_000_000

// Set sets what the path leads to and gives the root back, which is another one
// where the path is $ or the root is a list that grew. Objects and lists that are
// missing on the way are made; "[]" adds to the end of a list. A path that is not
// definite sets all that it finds. What it leads to must be inside of the root.
// The error of a path that leads nowhere is ErrNotFound.
func (p *Path) Set(root, value any) (any, error) {
	return p.update(update{path: p, root: root, value: value, create: p.definite()})
}

// Delete removes what the path leads to and gives the root back. The error of a
// path that leads nowhere is ErrNotFound.
func (p *Path) Delete(root any) (any, error) {
	return p.update(update{path: p, root: root, remove: true})
}

func (p *Path) update(u update) (any, error) {
	if len(p.tokens) == 0 || p.function != nil {
		return u.root, fmt.Errorf("JsonPath %s: expected a path to something inside", p.text)
	}
	result := u.walk(p.tokens, u.root)
	if u.err == nil && !u.done {
		u.err = fmt.Errorf("%w: %s", ErrNotFound, p.text)
	}
	return result, u.err
}

type update struct {
	path   *Path
	root   any
	value  any
	create bool
	remove bool
	done   bool // something was set or removed
	err    error
}

// gone is what walk gives for a value that is to be removed.
type gone struct{}

// walk gives what stands at a place after the update.
func (u *update) walk(tokens []token, at any) any {
	if u.err != nil {
		return at
	}
	if len(tokens) == 0 {
		u.done = true
		if u.remove {
			return gone{}
		}
		return u.value
	}
	t, rest := tokens[0], tokens[1:]
	switch t.kind {
	case property:
		return u.property(t, rest, at)
	case index, slice, appending:
		return u.places(t, rest, at)
	case wildcard:
		return u.members(at, func(any) bool { return true }, rest)
	case filter:
		if _, ok := at.(*data.Object); ok {
			if t.expr.accepts(at, u.root) {
				return u.walk(rest, at)
			}
			return at
		}
		return u.members(at, func(v any) bool { return t.expr.accepts(v, u.root) }, rest)
	case scan:
		return u.scan(tokens, at)
	}
	return at
}

func (u *update) fail(format string, args ...any) {
	if u.err == nil {
		u.err = fmt.Errorf("JsonPath %s: %s", u.path.text, fmt.Sprintf(format, args...))
	}
}

func (u *update) property(t token, rest []token, at any) any {
	if at == nil && u.create {
		at = &data.Object{}
	}
	o, ok := at.(*data.Object)
	if !ok {
		if u.create {
			u.fail("%s is set in objects, this is a %s", t.names[0], data.TypeOf(at))
		}
		return at
	}
	for _, name := range t.names {
		before, there := o.Get(name)
		// The last name of a path is set in every object that is found.
		if !there && !u.create && (u.remove || len(rest) > 0) {
			continue
		}
		after := u.walk(rest, before)
		if u.err != nil {
			return at
		}
		if after == (gone{}) {
			o.Delete(name)
		} else {
			o.Set(name, after)
		}
	}
	return o
}

func (u *update) places(t token, rest []token, at any) any {
	if at == nil && u.create {
		at = []any{}
	}
	list, ok := at.([]any)
	if !ok {
		if u.create {
			u.fail("[…] is set in lists, this is a %s", data.TypeOf(at))
		}
		return at
	}
	if t.kind == appending {
		if u.remove {
			return at
		}
		return append(list, u.walk(rest, nil))
	}
	if u.create && t.kind == index && (t.indexes[0] >= len(list) || len(list) == 0) {
		i := max(0, t.indexes[0])
		if i > maxIndex {
			u.fail("the index %d is too large", i)
			return at
		}
		list = append(list, make([]any, i+1-len(list))...)
	}
	return u.replace(list, t.places(len(list)), rest)
}

// replace updates some members of a list.
func (u *update) replace(list []any, places []int, rest []token) any {
	removed := map[int]bool{}
	for _, i := range places {
		after := u.walk(rest, list[i])
		if u.err != nil {
			return list
		}
		if after == (gone{}) {
			removed[i] = true
		} else {
			list[i] = after
		}
	}
	if len(removed) == 0 {
		return list
	}
	kept := make([]any, 0, len(list))
	for i, v := range list {
		if !removed[i] {
			kept = append(kept, v)
		}
	}
	return kept
}

func (u *update) members(at any, which func(any) bool, rest []token) any {
	switch v := at.(type) {
	case []any:
		var places []int
		for i, item := range v {
			if which(item) {
				places = append(places, i)
			}
		}
		return u.replace(v, places, rest)
	case *data.Object:
		for _, key := range v.Keys() {
			before, _ := v.Get(key)
			if after := u.walk(rest, before); after == (gone{}) {
				v.Delete(key)
			} else {
				v.Set(key, after)
			}
		}
	}
	return at
}

// scan updates below first, so that what it sets is not looked into.
func (u *update) scan(tokens []token, at any) any {
	switch v := at.(type) {
	case []any:
		for i, item := range v {
			v[i] = u.scan(tokens, item)
		}
	case *data.Object:
		for _, key := range v.Keys() {
			item, _ := v.Get(key)
			v.Set(key, u.scan(tokens, item))
		}
	}
	rest := tokens[1:]
	if len(rest) > 0 && takes(rest[0], at, u.root) && rest[0].kind != appending {
		return u.walk(rest, at)
	}
	return at
}
