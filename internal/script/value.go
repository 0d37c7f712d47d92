package script

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/dop251/goja"

	"rove/internal/data"
)

// Value is a value of a runtime. The zero Value is undefined.
type Value struct {
	rt *Runtime
	v  goja.Value
}

func (rt *Runtime) value(v goja.Value) Value { return Value{rt, v} }

// Value makes a value of data, of a Function, of a Host or of a Class.
func (rt *Runtime) Value(x any) Value { return rt.value(rt.toValue(x)) }

// Undefined says whether there is no value.
func (v Value) Undefined() bool { return v.v == nil || goja.IsUndefined(v.v) }

// Null says whether it is null or undefined.
func (v Value) Null() bool { return v.Undefined() || goja.IsNull(v.v) }

// Truthy says whether it counts as true in a condition.
func (v Value) Truthy() bool { return v.v != nil && v.v.ToBoolean() }

// Text is the value as a script's String() would have it.
func (v Value) Text() string {
	if v.v == nil {
		return "undefined"
	}
	if _, object := v.v.(*goja.Object); !object {
		return v.v.String()
	}
	var s string
	if err := v.rt.try(func() { s = v.v.String() }); err != nil {
		return ""
	}
	return s
}

// Export gives the value as data: a copy that no script changes.
func (v Value) Export() any {
	if v.v == nil {
		return data.Undefined
	}
	return v.rt.export(v.v)
}

// Primitive is the value as data where it is a text, a number or a truth.
func (v Value) Primitive() (any, bool) {
	if v.Null() {
		return nil, false
	}
	if _, object := v.v.(*goja.Object); object {
		return nil, false
	}
	return plain(v.v), true
}

// Callable says whether it is a function.
func (v Value) Callable() bool { return v.Func() != nil }

// Func is the function that the value is, or nil.
func (v Value) Func() *Func {
	call, ok := goja.AssertFunction(v.v)
	if !ok {
		return nil
	}
	if _, both := v.rt.readable[v.v.(*goja.Object)]; both {
		return nil
	}
	return &Func{rt: v.rt, v: v.v.(*goja.Object), call: call}
}

// Host is the live object of Go that the value is, or nil.
func (v Value) Host() Host {
	if o, ok := v.v.(*goja.Object); ok && o.ExportType() == hostType {
		return o.Export().(*host).h
	}
	return nil
}

// IsList says whether it is an array.
func (v Value) IsList() bool {
	o, ok := v.v.(*goja.Object)
	return ok && isArray(o)
}

// isArray is true for the arguments of a function, too.
func isArray(o *goja.Object) bool {
	name := o.ClassName()
	return name == "Array" || name == "Arguments"
}

// Len is the number of an array's elements.
func (v Value) Len() int {
	o, ok := v.v.(*goja.Object)
	if !ok {
		return 0
	}
	return int(o.Get("length").ToInteger())
}

// Index is an element of an array.
func (v Value) Index(i int) Value { return v.Get(strconv.Itoa(i)) }

// Keys are the names of an object's properties.
func (v Value) Keys() []string {
	o, ok := v.v.(*goja.Object)
	if !ok {
		return nil
	}
	return o.Keys()
}

// Get is a property of an object; undefined where there is none.
func (v Value) Get(name string) Value {
	o, ok := v.v.(*goja.Object)
	if !ok {
		return v.rt.value(nil)
	}
	var got goja.Value
	_ = v.rt.try(func() { got = o.Get(name) })
	return v.rt.value(got)
}

// Set sets a property of an object.
func (v Value) Set(name string, x any) error {
	o, ok := v.v.(*goja.Object)
	if !ok {
		return fmt.Errorf("cannot set %s of %s", name, v.Text())
	}
	return v.rt.explain(o.Set(name, v.rt.toValue(x)))
}

// Append adds elements to an array.
func (v Value) Append(items ...any) {
	o, ok := v.v.(*goja.Object)
	if !ok {
		return
	}
	n := v.Len()
	for i, x := range items {
		_ = o.Set(strconv.Itoa(n+i), v.rt.toValue(x))
	}
}

func (rt *Runtime) try(f func()) error {
	if ex := rt.engine().Try(f); ex != nil {
		return rt.explain(ex)
	}
	return nil
}

// Func is a function of a script. It is called in the runtime it belongs to; in
// another runtime it is made anew from its source.
type Func struct {
	rt   *Runtime
	v    *goja.Object
	call goja.Callable
}

var _ data.Func = (*Func)(nil)

// Source is the text of the function.
func (f *Func) Source() string { return f.v.String() }

// Call calls it and waits for a promise it gives.
func (f *Func) Call(ctx context.Context, args ...any) (any, error) {
	v, err := f.Do(ctx, args...)
	if err != nil {
		return nil, err
	}
	return v.Export(), nil
}

// Do is Call, with the value as it is.
func (f *Func) Do(ctx context.Context, args ...any) (Value, error) {
	in := make([]goja.Value, len(args))
	for i, a := range args {
		in[i] = f.rt.toValue(a)
	}
	var v goja.Value
	err := f.rt.within(ctx, nil, func() error {
		var err error
		v, err = f.call(goja.Undefined(), in...)
		return err
	})
	if err != nil {
		return f.rt.value(nil), err
	}
	return f.rt.await(ctx, nil, v)
}

// Value is the function as a value.
func (f *Func) Value() Value { return f.rt.value(f.v) }

// Runtime is the runtime it belongs to.
func (f *Func) Runtime() *Runtime { return f.rt }

// safeInteger is the largest integer that a number of JavaScript holds exactly;
// larger ones become big integers.
const safeInteger = 1<<53 - 1

func (rt *Runtime) toValue(x any) goja.Value {
	switch x := x.(type) {
	case nil:
		return goja.Null()
	case Value:
		if x.v == nil {
			return goja.Undefined()
		}
		if x.rt == rt {
			return x.v
		}
		if _, object := x.v.(*goja.Object); !object {
			return x.v
		}
		return rt.toValue(x.Export())
	case goja.Value:
		return x
	case bool, string, float64, float32, int8, int16, int32, uint8, uint16, uint32:
		return primitives.ToValue(x)
	case int:
		return rt.integer(int64(x))
	case int64:
		return rt.integer(x)
	case *big.Int:
		if x.IsInt64() {
			return rt.integer(x.Int64())
		}
		return rt.engine().ToValue(x)
	case []byte:
		return rt.bytes(x)
	case time.Time:
		return rt.date(x)
	case []any:
		items := make([]any, len(x))
		for i, e := range x {
			items[i] = rt.toValue(e)
		}
		return rt.engine().NewArray(items...)
	case []string:
		items := make([]any, len(x))
		for i, e := range x {
			items[i] = e
		}
		return rt.engine().NewArray(items...)
	case *data.Object:
		o := rt.engine().NewObject()
		for key, e := range x.All() {
			rt.put(o, key, e)
		}
		return o
	case map[string]any:
		o := rt.engine().NewObject()
		for _, key := range sortedKeys(x) {
			rt.put(o, key, x[key])
		}
		return o
	case *Func:
		if x.rt == rt {
			return x.v
		}
		return rt.adopt(x.Source())
	case Source:
		return rt.adopt(string(x))
	case data.Func:
		return rt.function(func(ctx context.Context, args []Value) (any, error) {
			in := make([]any, len(args))
			for i, a := range args {
				in[i] = a.Export()
			}
			return x.Call(ctx, in...)
		})
	case Function:
		return rt.function(x)
	case func(context.Context, []Value) (any, error):
		return rt.function(x)
	case *Both:
		return rt.both(x)
	case *Class:
		return rt.class(x)
	case *data.XML:
		return rt.hostObject(&xmlHost{xml: x})
	case Host:
		return rt.hostObject(x)
	case error:
		return rt.engine().NewGoError(x)
	}
	if x == data.Undefined {
		return goja.Undefined()
	}
	return rt.hostObject(&opaque{x})
}

func sortedKeys(m map[string]any) []string {
	return slices.Sorted(maps.Keys(m))
}

// put sets a property even where the name has a meaning of its own (__proto__).
func (rt *Runtime) put(o *goja.Object, key string, x any) {
	_ = o.DefineDataProperty(key, rt.toValue(x), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
}

func (rt *Runtime) integer(i int64) goja.Value {
	if i > safeInteger || i < -safeInteger {
		return primitives.ToValue(big.NewInt(i))
	}
	return primitives.ToValue(i)
}

// primitives makes numbers, texts and truths, which belong to no runtime.
var primitives = goja.New()

func (rt *Runtime) bytes(b []byte) goja.Value {
	o, err := rt.engine().New(rt.engine().Get("Uint8Array"), rt.engine().ToValue(rt.engine().NewArrayBuffer(slices.Clone(b))))
	if err != nil {
		return goja.Null()
	}
	return o
}

func (rt *Runtime) date(t time.Time) goja.Value {
	o, err := rt.engine().New(rt.engine().Get("Date"), rt.engine().ToValue(t.UnixMilli()))
	if err != nil {
		return goja.Null()
	}
	return o
}

// adopt makes a function of its source, without the variables that it closed
// over.
func (rt *Runtime) adopt(source string) goja.Value {
	p, err := Compile(Place{}, source)
	if err == nil {
		scope := rt.current
		if scope == nil {
			scope = rt.NewScope(nil)
		}
		if v, err := rt.Run(rt.ctx, scope, p); err == nil && v.Callable() {
			return v.v
		}
	}
	return rt.function(func(context.Context, []Value) (any, error) {
		return nil, fmt.Errorf("this function cannot be called here: it belongs to another scenario and has no source (%s)", source)
	})
}

var (
	bytesType  = reflect.TypeFor[[]byte]()
	bufferType = reflect.TypeFor[goja.ArrayBuffer]()
	timeType   = reflect.TypeFor[time.Time]()
	hostType   = reflect.TypeFor[*host]()

	promiseType = reflect.TypeFor[*goja.Promise]()
	mapType     = reflect.TypeFor[[][2]any]()
	setType     = reflect.TypeFor[[]any]()
)
