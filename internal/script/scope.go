package script

import (
	"maps"
	"slices"

	"github.com/dop251/goja"
)

// Scope holds the variables that programs see by name. Each scenario has one;
// all scopes of a runtime share its built-in objects, and values go from one to
// the other as they are.
//
// A name is looked up in this order: variables; hidden ones, which scripts see
// and lists of variables do not show; what is bound firmly; inherited ones, those
// of a caller; what is bound otherwise. A function finds names where it was
// written first, then in the scope of the run that called it.
type Scope struct {
	rt        *Runtime
	object    *goja.Object // nil until a program runs in it
	names     []string
	vars      map[string]goja.Value // nil for one that is in later
	later     map[string]any        // values that nobody has asked for yet
	hidden    map[string]goja.Value
	inherited map[string]goja.Value
	known     map[string]goja.Value // functions that bound gave: they do not change
	bound     Bound
}

// Bound finds what a name is bound to besides variables. Where firmly is set, it
// gives only what goes before inherited variables.
type Bound func(name string, firmly bool) (any, bool)

// NewScope makes a scope.
func (rt *Runtime) NewScope(bound Bound) *Scope {
	return &Scope{rt: rt, vars: map[string]goja.Value{}, hidden: map[string]goja.Value{}, bound: bound}
}

func (s *Scope) engineObject() *goja.Object {
	if s.object == nil {
		s.object = s.rt.engine().NewDynamicObject((*names)(s))
		_ = s.object.SetPrototype(nil)
	}
	return s.object
}

// Runtime is the runtime of the scope.
func (s *Scope) Runtime() *Runtime { return s.rt }

// Set sets a variable.
func (s *Scope) Set(name string, value any) {
	s.put(name, s.take(value))
}

func (s *Scope) put(name string, v goja.Value) {
	if _, ok := s.vars[name]; !ok {
		s.names = append(s.names, name)
	}
	s.vars[name] = v
	if v != nil {
		delete(s.later, name)
	}
}

// Later makes the data of a variable that few scripts ask for.
type Later func() any

// SetLater sets a variable whose value is made when somebody asks for it. A Later
// makes its data then, too.
func (s *Scope) SetLater(name string, value any) {
	if s.later == nil {
		s.later = map[string]any{}
	}
	s.later[name] = value
	s.put(name, nil)
}

// Untouched gives the data of a variable that was set to be made later and that
// nobody has asked for. It must not be changed.
func (s *Scope) Untouched(name string) (any, bool) {
	x, ok := s.later[name]
	if f, lazy := x.(Later); lazy {
		x = f()
		s.later[name] = x
	}
	return x, ok
}

// own gives a variable of its own.
func (s *Scope) own(name string) (goja.Value, bool) {
	v, ok := s.vars[name]
	if ok && v == nil {
		x, _ := s.Untouched(name)
		v = s.take(x)
		s.vars[name] = v
		delete(s.later, name)
	}
	return v, ok
}

// take makes a value for this scope: functions that come as text see it.
func (s *Scope) take(x any) goja.Value {
	before := s.rt.current
	s.rt.current = s
	defer func() { s.rt.current = before }()
	return s.rt.toValue(x)
}

// Take makes a value that is for this scope.
func (s *Scope) Take(x any) Value { return s.rt.value(s.take(x)) }

// GetHidden gives a hidden one.
func (s *Scope) GetHidden(name string) (Value, bool) {
	v, ok := s.hidden[name]
	return s.rt.value(v), ok
}

// Unhide removes a hidden one.
func (s *Scope) Unhide(name string) { delete(s.hidden, name) }

// Hide sets what scripts see by name and lists of variables do not show.
func (s *Scope) Hide(name string, value any) { s.hidden[name] = s.take(value) }

// Inherit sets a variable of a caller, which all others go before.
func (s *Scope) Inherit(name string, value any) {
	if s.inherited == nil {
		s.inherited = map[string]goja.Value{}
	}
	s.inherited[name] = s.take(value)
}

// Inherited are the names of those of callers.
func (s *Scope) Inherited() []string {
	return slices.Sorted(maps.Keys(s.inherited))
}

// Get gives a variable, a hidden one or an inherited one.
func (s *Scope) Get(name string) (Value, bool) {
	if v, ok := s.own(name); ok {
		return s.rt.value(v), true
	}
	for _, m := range []map[string]goja.Value{s.hidden, s.inherited} {
		if v, ok := m[name]; ok {
			return s.rt.value(v), true
		}
	}
	return s.rt.value(nil), false
}

// Has says whether there is a variable of that name, one of its own.
func (s *Scope) Has(name string) bool {
	_, ok := s.vars[name]
	return ok
}

// Lookup gives what a script would see by that name, built-in objects apart.
func (s *Scope) Lookup(name string) (Value, bool) {
	n := (*names)(s)
	if !n.Has(name) {
		return s.rt.value(nil), false
	}
	return s.rt.value(n.Get(name)), true
}

// Delete removes a variable.
func (s *Scope) Delete(name string) {
	if _, ok := s.vars[name]; ok {
		delete(s.vars, name)
		s.names = slices.DeleteFunc(s.names, func(n string) bool { return n == name })
	}
	delete(s.hidden, name)
}

// Names are the names of the variables, in the order in which they were first
// set.
func (s *Scope) Names() []string { return slices.Clone(s.names) }

// Hidden are the names of the hidden ones.
func (s *Scope) Hidden() []string {
	return slices.Sorted(maps.Keys(s.hidden))
}

// Clear removes all variables; hidden ones stay.
func (s *Scope) Clear() {
	s.names, s.vars, s.later = nil, map[string]goja.Value{}, nil
}

// declare makes room for a name that a program declares.
func (s *Scope) declare(name string) {
	if _, ok := s.Get(name); !ok {
		s.hidden[name] = goja.Undefined()
	}
}

// names is what the engine sees of a scope.
type names Scope

func (n *names) Has(name string) bool {
	_, ok := n.look(name)
	return ok
}

func (n *names) Get(name string) goja.Value {
	v, ok := n.look(name)
	if !ok {
		return nil
	}
	return v
}

func (n *names) look(name string) (goja.Value, bool) {
	if v, ok := (*Scope)(n).own(name); ok {
		return v, true
	}
	if v, ok := n.hidden[name]; ok {
		return v, true
	}
	inherited, has := n.inherited[name]
	if v, ok := n.find(name, has); ok {
		return v, true
	}
	if has {
		return inherited, true
	}
	if c := n.caller(); c != nil {
		if v, ok := c.Get(name); ok {
			return v.v, true
		}
	}
	return nil, false
}

func (n *names) find(name string, firmly bool) (goja.Value, bool) {
	if n.bound == nil {
		return nil, false
	}
	x, ok := n.bound(name, firmly)
	if !ok {
		return nil, false
	}
	if _, function := x.(Function); !function {
		return n.rt.toValue(x), true
	}
	if v, ok := n.known[name]; ok {
		return v, true
	}
	if n.known == nil {
		n.known = map[string]goja.Value{}
	}
	n.known[name] = n.rt.toValue(x)
	return n.known[name], true
}

// caller is the scope of the run, where it is another one.
func (n *names) caller() *Scope {
	if c := n.rt.current; c != nil && c != (*Scope)(n) {
		return c
	}
	return nil
}

func (n *names) Set(name string, v goja.Value) bool {
	s := (*Scope)(n)
	_, hidden := s.hidden[name]
	_, inherited := s.inherited[name]
	switch {
	case s.Has(name):
		s.vars[name] = v
	case hidden:
		s.hidden[name] = v
	case inherited:
		s.inherited[name] = v
	case n.caller() != nil && n.caller().Has(name):
		n.caller().vars[name] = v
	default:
		s.hidden[name] = v
	}
	return true
}

func (n *names) Delete(name string) bool {
	(*Scope)(n).Delete(name)
	return true
}

func (n *names) Keys() []string { return (*Scope)(n).Names() }
