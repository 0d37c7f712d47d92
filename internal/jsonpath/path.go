// Package jsonpath finds, sets and deletes values by JsonPath, in the dialect of
// Jayway's library that features are written for: filters with all its operators,
// slices, unions, deep scans and functions. It is pure.
package jsonpath

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"rove/internal/data"
)

// ErrNotFound is in the chain of the error that Get gives for a definite path
// that leads nowhere.
var ErrNotFound = errors.New("no value at this path")

// SyntaxError says where a path is not one.
type SyntaxError struct {
	Path    string
	Offset  int // in bytes
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("JsonPath %s: %s (at character %d)", e.Path, e.Message, e.Offset+1)
}

// Path is a compiled path. It can be used by many at once.
type Path struct {
	text     string
	tokens   []token
	function *function // the last part, where it is a function
}

type kind int

const (
	property kind = iota
	wildcard
	index
	slice
	filter
	scan // applies the token behind it to all that is below
	appending
)

type token struct {
	kind     kind
	names    []string
	indexes  []int
	from, to *int
	expr     node
}

// definite says whether a token leads to one value at most.
func (t token) definite() bool {
	switch t.kind {
	case property:
		return true
	case index:
		return len(t.indexes) == 1
	case appending:
		return true
	}
	return false
}

// String is the path as it was written.
func (p *Path) String() string { return p.text }

// Definite says whether the path leads to one value at most. Any other gives a
// list.
func (p *Path) Definite() bool {
	if p.function != nil {
		return true
	}
	return p.definite()
}

func (p *Path) definite() bool {
	for i, t := range p.tokens {
		if !t.definite() || t.kind == property && len(t.names) > 1 && i < len(p.tokens)-1 {
			return false
		}
	}
	return true
}

// Get finds what the path leads to in a value of package data.
func (p *Path) Get(root any) (any, error) {
	return p.get(root, root)
}

// get evaluates at a node; $ in filters is the root.
func (p *Path) get(at, root any) (any, error) {
	e := evaluation{root: root}
	e.walk(p.tokens, at)
	var result any
	switch {
	case p.definite():
		if len(e.found) == 0 {
			return nil, fmt.Errorf("%w: %s", ErrNotFound, p.text)
		}
		result = e.found[0]
	case e.found == nil:
		result = []any{}
	default:
		result = e.found
	}
	if p.function != nil {
		return p.apply(result, root)
	}
	return result, nil
}

// apply calls the function of a path: on all that ".." found at once, else on
// each list and object that a path found.
func (p *Path) apply(found, root any) (any, error) {
	list, _ := found.([]any)
	switch {
	case p.definite():
		return p.function.call(found, root)
	case slices.ContainsFunc(p.tokens, func(t token) bool { return t.kind == scan }):
		if name := p.function.name; name == "length" || name == "size" {
			// What was found is counted by what is in it.
			members := int64(0)
			for _, v := range list {
				members += int64(max(0, count(v)))
			}
			return members, nil
		}
		return p.function.call(found, root)
	case slices.ContainsFunc(list, func(v any) bool { return count(v) < 0 }):
		return p.function.call(found, root)
	}
	results := make([]any, len(list))
	for i, v := range list {
		var err error
		if results[i], err = p.function.call(v, root); err != nil {
			return nil, err
		}
	}
	return results, nil
}

var cache struct {
	sync.RWMutex
	paths map[string]*Path
}

// Compile reads a path. It begins with $ or @; without, "$." is put before.
func Compile(path string) (*Path, error) {
	cache.RLock()
	p := cache.paths[path]
	cache.RUnlock()
	if p != nil {
		return p, nil
	}
	p, err := compile(path)
	if err != nil {
		return nil, err
	}
	cache.Lock()
	if cache.paths == nil || len(cache.paths) > 2000 {
		cache.paths = map[string]*Path{}
	}
	cache.paths[path] = p
	cache.Unlock()
	return p, nil
}

func compile(path string) (*Path, error) {
	text := strings.TrimSpace(path)
	if text == "" {
		return nil, &SyntaxError{Path: path, Message: "it is empty, expected $"}
	}
	if text[0] != '$' && text[0] != '@' {
		if text[0] == '[' {
			text = "$" + text
		} else {
			text = "$." + text
		}
	}
	c := compiler{text: text, pos: 1}
	p := &Path{text: text}
	for c.err == nil && c.pos < len(c.text) {
		c.token(p)
	}
	if c.err != nil {
		return nil, c.err
	}
	return p, nil
}

// evaluation collects what a path leads to.
type evaluation struct {
	root  any
	found []any
}

func (e *evaluation) walk(tokens []token, at any) {
	if len(tokens) == 0 {
		e.found = append(e.found, at)
		return
	}
	t, rest := tokens[0], tokens[1:]
	switch t.kind {
	case property:
		e.property(t, rest, at)
	case wildcard:
		each(at, func(_ string, _ int, v any) { e.walk(rest, v) })
	case index, slice:
		list, ok := at.([]any)
		if !ok {
			return
		}
		for _, i := range t.places(len(list)) {
			e.walk(rest, list[i])
		}
	case filter:
		e.filter(t, rest, at)
	case scan:
		e.scan(rest, at)
	}
}

func (e *evaluation) property(t token, rest []token, at any) {
	o, ok := at.(*data.Object)
	if !ok {
		return
	}
	if len(t.names) == 1 {
		if v, ok := o.Get(t.names[0]); ok {
			e.walk(rest, v)
		}
		return
	}
	if len(rest) > 0 {
		for _, name := range t.names {
			if v, ok := o.Get(name); ok {
				e.walk(rest, v)
			}
		}
		return
	}
	// Several names at the end give one object that has only these.
	some := &data.Object{}
	for _, name := range t.names {
		if v, ok := o.Get(name); ok {
			some.Set(name, v)
		}
	}
	e.found = append(e.found, some)
}

func (e *evaluation) filter(t token, rest []token, at any) {
	switch v := at.(type) {
	case []any:
		for _, item := range v {
			if t.expr.accepts(item, e.root) {
				e.walk(rest, item)
			}
		}
	case *data.Object:
		if t.expr.accepts(v, e.root) {
			e.walk(rest, v)
		}
	}
}

// scan applies what follows to a value and to all below it, from the top.
func (e *evaluation) scan(rest []token, at any) {
	if len(rest) == 0 {
		e.found = append(e.found, at)
	} else if takes(rest[0], at, e.root) {
		e.walk(rest, at)
	}
	each(at, func(_ string, _ int, v any) {
		switch v.(type) {
		case []any, *data.Object:
			e.scan(rest, v)
		}
	})
}

// takes says whether a token that stands behind ".." is tried on a value. A
// filter is tried on what it accepts itself: members of lists have their turn.
func takes(t token, at, root any) bool {
	switch at := at.(type) {
	case []any:
		return t.kind != property && (t.kind != filter || t.expr.accepts(at, root))
	case *data.Object:
		switch t.kind {
		case property:
			for _, name := range t.names {
				if _, ok := at.Get(name); !ok {
					return false
				}
			}
			return true
		case wildcard, filter:
			return true
		}
	}
	return false
}

// each goes through the members of a list or an object.
func each(at any, do func(key string, index int, v any)) {
	switch v := at.(type) {
	case []any:
		for i, item := range v {
			do("", i, item)
		}
	case *data.Object:
		for key, item := range v.All() {
			do(key, -1, item)
		}
	}
}

// places are the indexes of a list of that length that a token leads to.
func (t token) places(length int) []int {
	var found []int
	if t.kind == index {
		for _, i := range t.indexes {
			if i < 0 {
				i += length
			}
			if i >= 0 && i < length {
				found = append(found, i)
			}
		}
		return found
	}
	from, to := 0, length
	if t.from != nil {
		if from = *t.from; from < 0 {
			from = max(0, from+length)
		}
	}
	if t.to != nil {
		if to = *t.to; to < 0 {
			to += length
		}
	}
	for i := from; i < min(to, length); i++ {
		found = append(found, i)
	}
	return found
}
