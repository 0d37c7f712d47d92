package script

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/dop251/goja"

	"rove/internal/data"
)

// export gives a value as data.
func (rt *Runtime) export(v goja.Value) any {
	if _, object := v.(*goja.Object); !object {
		return rt.exportIn(v, nil)
	}
	var out any
	if err := rt.try(func() { out = rt.exportIn(v, nil) }); err != nil {
		return fmt.Sprintf("[not readable: %v]", err)
	}
	return out
}

// path is the chain of objects above the one that is exported: an object that
// holds itself must not be followed for ever.
type path struct {
	o  *goja.Object
	up *path
}

func (p *path) has(o *goja.Object) bool {
	for ; p != nil; p = p.up {
		if p.o == o {
			return true
		}
	}
	return false
}

func (rt *Runtime) exportIn(v goja.Value, up *path) any {
	if v == nil || goja.IsUndefined(v) {
		return data.Undefined
	}
	if goja.IsNull(v) {
		return nil
	}
	o, ok := v.(*goja.Object)
	if !ok {
		return plain(v)
	}
	if up.has(o) {
		return "[Circular]"
	}
	up = &path{o, up}
	switch o.ClassName() {
	case "Array", "Arguments":
		n := int(o.Get("length").ToInteger())
		list := make([]any, n)
		for i := range list {
			list[i] = rt.element(o.Get(strconv.Itoa(i)), up)
		}
		return list
	case "Function":
		if x, ok := rt.readBoth(o); ok {
			return x
		}
		return rt.value(o).Func()
	case "Error":
		return o.String()
	case "RegExp":
		return o.String()
	case "String", "Number", "Boolean", "BigInt", "Symbol":
		return plain(o)
	}
	switch o.ExportType() {
	case hostType:
		return exportHost(o.Export().(*host).h)
	case bytesType:
		return slices.Clone(o.Export().([]byte))
	case bufferType:
		return slices.Clone(o.Export().(goja.ArrayBuffer).Bytes())
	case timeType:
		return o.Export()
	case mapType:
		return rt.pairs(o, up)
	case setType:
		list := []any{}
		rt.engine().ForOf(o, func(v goja.Value) bool {
			list = append(list, rt.element(v, up))
			return true
		})
		return list
	}
	out := data.NewObject()
	for _, key := range o.Keys() {
		out.Set(key, rt.element(o.Get(key), up))
	}
	return out
}

// element is a value inside of another: there nothing is null, as in JSON.
func (rt *Runtime) element(v goja.Value, up *path) any {
	if v == nil || goja.IsUndefined(v) {
		return nil
	}
	return rt.exportIn(v, up)
}

func (rt *Runtime) pairs(o *goja.Object, up *path) *data.Object {
	out := data.NewObject()
	rt.engine().ForOf(o, func(v goja.Value) bool {
		pair := v.(*goja.Object)
		out.Set(pair.Get("0").String(), rt.element(pair.Get("1"), up))
		return true
	})
	return out
}

func exportHost(h Host) any {
	switch h := h.(type) {
	case *xmlHost:
		return h.xml
	case *opaque:
		return h.x
	case Exporter:
		return h.Export()
	}
	return h
}

// Plain is a copy of data as scripts would give it back. It reports false where
// something in it is more than data, so that only a script's engine can tell.
func Plain(x any) (any, bool) {
	switch x := x.(type) {
	case nil, bool, string, int64, *data.XML:
		return x, true
	case float64:
		return whole(x), true
	case []any:
		list := make([]any, len(x))
		for i, e := range x {
			if e == data.Undefined {
				continue // there nothing is null, as in JSON
			}
			var ok bool
			if list[i], ok = Plain(e); !ok {
				return nil, false
			}
		}
		return list, true
	case *data.Object:
		o := data.NewObject()
		for key, e := range x.All() {
			if e == data.Undefined {
				e = nil
			}
			copied, ok := Plain(e)
			if !ok {
				return nil, false
			}
			o.Set(key, copied)
		}
		return o, true
	}
	return nil, false
}

// IsPlain says whether data is as scripts would give it back, so that who only looks
// at it needs no copy.
func IsPlain(x any) bool {
	switch x := x.(type) {
	case nil, bool, string, int64, *data.XML:
		return true
	case float64:
		return whole(x) == any(x)
	case []any:
		for _, e := range x {
			if !IsPlain(e) {
				return false
			}
		}
		return true
	case *data.Object:
		for _, e := range x.All() {
			if !IsPlain(e) {
				return false
			}
		}
		return true
	}
	return false
}

// whole is a number as an integer where it is one.
func whole(x float64) any {
	if x == math.Trunc(x) && math.Abs(x) <= safeInteger && !(x == 0 && math.Signbit(x)) {
		return int64(x)
	}
	return x
}

// plain is a primitive as data.
func plain(v goja.Value) any {
	switch x := v.Export().(type) {
	case int64, string, bool, nil:
		return x
	case float64:
		return whole(x)
	case *big.Int:
		if x.IsInt64() {
			return x.Int64()
		}
		return x
	default:
		return v.String()
	}
}

// opaque is a value of Go that scripts can only hand on.
type opaque struct{ x any }

func (*opaque) Member(string) (any, bool) { return nil, false }
func (*opaque) Members() []string         { return nil }
func (o *opaque) String() string          { return fmt.Sprint(o.x) }

func jsonText(v any) string { return data.JSON(v) }

// Number gives a number of data as a float.
func Number(x any) (float64, bool) {
	switch n := x.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
