package script

import (
	"context"
	"errors"
	"strconv"

	"github.com/dop251/goja"

	"rove/internal/data"
)

// Copy gives an array or a plain object with the same elements; anything else it
// gives as it is.
func (v Value) Copy() Value {
	o, ok := v.v.(*goja.Object)
	if !ok {
		return v
	}
	out := v
	_ = v.rt.try(func() {
		switch {
		case isArray(o):
			n := int(o.Get("length").ToInteger())
			items := make([]any, n)
			for i := range items {
				items[i] = o.Get(strconv.Itoa(i))
			}
			out = v.rt.value(v.rt.engine().NewArray(items...))
		case v.plainObject():
			c := v.rt.engine().NewObject()
			for _, key := range o.Keys() {
				v.rt.put(c, key, o.Get(key))
			}
			out = v.rt.value(c)
		}
	})
	return out
}

// plainObject says whether it is an object of data: no array, function, host,
// date, bytes or the like.
func (v Value) plainObject() bool {
	o, ok := v.v.(*goja.Object)
	if !ok || o.ClassName() != "Object" {
		return false
	}
	switch o.ExportType() {
	case hostType, bytesType, bufferType, timeType:
		return false
	}
	return true
}

// IsObject says whether it is an object with properties of data.
func (v Value) IsObject() bool { return v.plainObject() }

// Assign makes an array or object hold what the data says, in place: whoever
// else has it sees the change, and what did not change inside of it stays the same
// object. It reports whether that was possible.
func (v Value) Assign(x any) bool {
	o, ok := v.v.(*goja.Object)
	if !ok {
		return false
	}
	err := v.rt.try(func() { ok = v.rt.assign(o, x) })
	return ok && err == nil
}

func (rt *Runtime) assign(o *goja.Object, x any) bool {
	switch x := x.(type) {
	case []any:
		if o.ClassName() != "Array" {
			return false
		}
		for i, e := range x {
			rt.assignAt(o, strconv.Itoa(i), e)
		}
		_ = o.Set("length", len(x))
		return true
	case *data.Object:
		if !rt.value(o).plainObject() {
			return false
		}
		for _, key := range o.Keys() {
			if _, ok := x.Get(key); !ok {
				_ = o.Delete(key)
			}
		}
		for key, e := range x.All() {
			rt.assignAt(o, key, e)
		}
		return true
	}
	return false
}

func (rt *Runtime) assignAt(o *goja.Object, key string, x any) {
	before := o.Get(key)
	if inner, ok := before.(*goja.Object); ok && rt.assign(inner, x) {
		return
	}
	if before != nil {
		switch x.(type) {
		case []any, *data.Object:
		default:
			if same(rt.exportIn(before, nil), x) {
				return
			}
		}
	}
	rt.put(o, key, x)
}

// same says whether a value did not change on its way through data.
func same(a, b any) bool {
	if f, ok := a.(*Func); ok {
		g, ok := b.(*Func)
		return ok && f.v == g.v
	}
	return data.Equal(a, b)
}

// Source is a function without a runtime: its text. It becomes a function where
// it is handed to a runtime.
type Source string

var _ data.Func = Source("")

// Source is the text.
func (s Source) Source() string { return string(s) }

// Call fails: a text is not called.
func (s Source) Call(context.Context, ...any) (any, error) {
	return nil, errors.New("a function that was kept as text cannot be called before it is in a scenario")
}

// Detach gives the value as data that belongs to no runtime, for other
// scenarios: functions become their source.
func (v Value) Detach() any { return detach(v.Export()) }

func detach(x any) any {
	switch x := x.(type) {
	case *Func:
		return Source(x.Source())
	case []any:
		for i, e := range x {
			x[i] = detach(e)
		}
	case *data.Object:
		for key, e := range x.All() {
			x.Set(key, detach(e))
		}
	}
	return x
}

// xmlHost is a document as scripts see it: its elements as properties.
type xmlHost struct {
	xml *data.XML
}

func (h *xmlHost) object() *data.Object {
	o, _ := h.xml.Object(false).(*data.Object)
	return o
}

func (h *xmlHost) Member(name string) (any, bool) {
	if o := h.object(); o != nil {
		return o.Get(name)
	}
	return nil, false
}

func (h *xmlHost) Members() []string {
	if o := h.object(); o != nil {
		return o.Keys()
	}
	return nil
}

func (h *xmlHost) String() string { return h.xml.String() }
