package script

import (
	"context"
	"fmt"
	"reflect"

	"github.com/dop251/goja"

	"rove/internal/data"
)

// Function is a function of Go that scripts call. What it gives may be data, a
// Value, a Function, a Host or a Class.
type Function func(ctx context.Context, args []Value) (any, error)

// Host is a live object of Go in scripts: its members are asked for each time
// they are read. A pointer, so that it is the same object each time.
type Host interface {
	// Member gives a property, or a Function for a method. An error is thrown.
	Member(name string) (any, bool)
	// Members are the names of its properties, those that a loop over it sees.
	Members() []string
}

// Setter is a Host whose properties can be set.
type Setter interface {
	SetMember(ctx context.Context, name string, v Value) error
}

// Exporter is a Host that has a form as data, for match, print and JSON.
type Exporter interface{ Export() any }

// Class is a function that scripts may also call with new; its members are those
// of Static.
type Class struct {
	Name string
	New  Function
	// Call is what a call without new does; nil is the same as with new.
	Call   Function
	Static Host
}

// host is the object of a Host as the engine sees it.
type host struct {
	rt      *Runtime
	h       Host
	methods map[string]goja.Value
}

func (o *host) member(name string) (goja.Value, bool) {
	if v, ok := o.methods[name]; ok {
		return v, true
	}
	x, ok := o.ask(name)
	if !ok {
		return nil, false
	}
	if err, failed := x.(error); failed {
		o.rt.throw(err)
	}
	v := o.rt.toValue(x)
	if _, method := x.(Function); method {
		if o.methods == nil {
			o.methods = map[string]goja.Value{}
		}
		o.methods[name] = v
	}
	return v, true
}

func (o *host) ask(name string) (x any, ok bool) {
	o.rt.paused(func() { x, ok = o.h.Member(name) })
	if ok {
		return x, ok
	}
	switch name {
	case "toString":
		if s, ok := o.h.(fmt.Stringer); ok {
			return Function(func(context.Context, []Value) (any, error) { return s.String(), nil }), true
		}
	case "toJSON":
		if e, ok := o.h.(Exporter); ok {
			return Function(func(context.Context, []Value) (any, error) { return e.Export(), nil }), true
		}
	}
	return nil, false
}

func (o *host) Get(name string) goja.Value {
	v, ok := o.member(name)
	if !ok {
		return nil
	}
	return v
}

func (o *host) Has(name string) bool {
	_, ok := o.member(name)
	return ok
}

func (o *host) Set(name string, v goja.Value) bool {
	s, ok := o.h.(Setter)
	if !ok {
		o.rt.throw(fmt.Errorf("%s cannot be set", name))
	}
	var err error
	o.rt.paused(func() { err = s.SetMember(o.rt.ctx, name, o.rt.value(v)) })
	if err != nil {
		o.rt.throw(err)
	}
	return true
}

func (o *host) Delete(string) bool { return false }
func (o *host) Keys() []string     { return o.h.Members() }

// paused runs Go code on behalf of a script; its time is not the script's.
func (rt *Runtime) paused(f func()) {
	was := rt.clock.pause()
	defer rt.clock.resume(was)
	f()
}

// throw lets a script see an error of Go as an exception. It does not return.
func (rt *Runtime) throw(err error) {
	if e, ok := err.(*Error); ok && e.raw != nil {
		panic(e.raw)
	}
	if thrown, ok := err.(*Thrown); ok {
		panic(rt.toValue(thrown.Value))
	}
	panic(rt.engine().NewGoError(err))
}

// Thrown is an error that scripts see as the value itself, not as an error of
// Go.
type Thrown struct{ Value any }

func (t *Thrown) Error() string { return data.JSON(t.Value) }

func (rt *Runtime) function(f Function) goja.Value {
	return rt.engine().ToValue(func(call goja.FunctionCall) goja.Value { return rt.call(f, call.Arguments) })
}

func (rt *Runtime) call(f Function, arguments []goja.Value) goja.Value {
	args := make([]Value, len(arguments))
	for i, a := range arguments {
		args[i] = rt.value(a)
	}
	var x any
	var err error
	rt.paused(func() { x, err = f(rt.ctx, args) })
	if err != nil {
		rt.throw(err)
	}
	return rt.toValue(x)
}

func (rt *Runtime) hostObject(h Host) goja.Value {
	comparable := reflect.TypeOf(h).Comparable()
	if comparable {
		if o, ok := rt.objects[h]; ok {
			return o
		}
	}
	o := rt.engine().NewDynamicObject(&host{rt: rt, h: h})
	if comparable {
		if rt.objects == nil {
			rt.objects = map[any]*goja.Object{}
		}
		rt.objects[h] = o
	}
	return o
}

func (rt *Runtime) class(c *Class) goja.Value {
	if o, ok := rt.objects[c]; ok {
		return o
	}
	construct := func(call goja.ConstructorCall) *goja.Object {
		f := c.New
		if call.NewTarget == nil && c.Call != nil {
			f = c.Call
		}
		if f == nil {
			rt.throw(fmt.Errorf("%s cannot be made with new", c.Name))
		}
		v := rt.call(f, call.Arguments)
		if o, ok := v.(*goja.Object); ok {
			return o
		}
		return v.ToObject(rt.engine())
	}
	o := rt.engine().ToValue(construct).(*goja.Object)
	if c.Static != nil {
		names := c.Static.Members()
		for _, name := range names {
			if x, ok := c.Static.Member(name); ok {
				_ = o.Set(name, rt.toValue(x))
			}
		}
		if len(names) == 0 { // one that answers to any name
			_ = o.SetPrototype(rt.hostObject(c.Static).(*goja.Object))
		}
	}
	if rt.objects == nil {
		rt.objects = map[any]*goja.Object{}
	}
	rt.objects[c] = o
	return o
}

// StringMethods gives strings methods besides their own, such as those that Java
// has. They are not seen by loops, and made when one is called: an object that knows
// them stands between the prototype of strings and that of objects.
func (rt *Runtime) StringMethods(methods map[string]func(this string, args []Value) (any, error)) {
	rt.strings = methods
	if rt.vm != nil {
		rt.addStringMethods()
	}
}

func (rt *Runtime) addStringMethods() {
	if rt.strings == nil {
		return
	}
	proto, ok := rt.vm.Get("String").(*goja.Object).Get("prototype").(*goja.Object)
	if !ok {
		return
	}
	between := rt.vm.NewDynamicObject(&stringMethods{rt: rt, methods: rt.strings})
	_ = between.SetPrototype(proto.Prototype())
	_ = proto.SetPrototype(between)
}

// listMethods are those of Java's lists that features call on what the browser or Java
// gave them, such as results.size(). Loops do not see them.
var listMethods = goja.MustCompile("lists", `
	for (const [name, value] of Object.entries({
		size() { return this.length },
		get(i) { return this[i] },
		contains(x) { return this.includes(x) },
		isEmpty() { return this.length === 0 },
	})) Object.defineProperty(Array.prototype, name, { value, writable: true, configurable: true });`, false)

type stringMethods struct {
	rt      *Runtime
	methods map[string]func(this string, args []Value) (any, error)
	made    map[string]goja.Value
}

func (m *stringMethods) Get(name string) goja.Value {
	if v, ok := m.made[name]; ok {
		return v
	}
	f, ok := m.methods[name]
	if !ok {
		return nil
	}
	v := m.rt.engine().ToValue(func(call goja.FunctionCall) goja.Value {
		return m.rt.call(func(_ context.Context, args []Value) (any, error) { return f(call.This.String(), args) }, call.Arguments)
	})
	if m.made == nil {
		m.made = map[string]goja.Value{}
	}
	m.made[name] = v
	return v
}

func (m *stringMethods) Has(name string) bool        { _, ok := m.methods[name]; return ok }
func (m *stringMethods) Set(string, goja.Value) bool { return false }
func (m *stringMethods) Delete(string) bool          { return false }
func (m *stringMethods) Keys() []string              { return nil }
