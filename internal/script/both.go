package script

import (
	"context"

	"github.com/dop251/goja"
)

// Both is a member of a Host that scripts may read and call: element.text and
// element.text(), as both are written. Where it is read it is its value, for
// match, print, comparisons and the methods of text; JavaScript's typeof and
// truth see a function.
type Both struct {
	Read func(ctx context.Context) (any, error)
	// Call is what a call does; nil reads.
	Call Function
}

func (rt *Runtime) both(b *Both) goja.Value {
	read := func(ctx context.Context) (any, error) {
		x, err := b.Read(ctx)
		return x, err
	}
	call := b.Call
	if call == nil {
		call = func(ctx context.Context, _ []Value) (any, error) { return read(ctx) }
	}
	o := rt.function(call).(*goja.Object)
	value := rt.function(func(ctx context.Context, _ []Value) (any, error) { return read(ctx) })
	// The methods of text work on whatever gives a text.
	if text, ok := rt.engine().Get("String").(*goja.Object); ok {
		if proto, ok := text.Get("prototype").(*goja.Object); ok {
			_ = o.SetPrototype(proto)
		}
	}
	for _, name := range []string{"valueOf", "toString", "toJSON"} {
		_ = o.DefineDataProperty(name, value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	length := rt.engine().ToValue(func(goja.FunctionCall) goja.Value {
		v := rt.call(func(ctx context.Context, _ []Value) (any, error) { return read(ctx) }, nil)
		if l := v.ToObject(rt.engine()).Get("length"); l != nil {
			return l
		}
		return goja.Undefined()
	})
	_ = o.DefineAccessorProperty("length", length, nil, goja.FLAG_TRUE, goja.FLAG_FALSE)
	if rt.readable == nil {
		rt.readable = map[*goja.Object]*Both{}
	}
	rt.readable[o] = b
	return o
}

// readBoth gives the value of a member that can be read and called.
func (rt *Runtime) readBoth(o *goja.Object) (any, bool) {
	b, ok := rt.readable[o]
	if !ok {
		return nil, false
	}
	var x any
	var err error
	rt.paused(func() { x, err = b.Read(rt.ctx) })
	if err != nil {
		rt.throw(err)
	}
	return x, true
}
