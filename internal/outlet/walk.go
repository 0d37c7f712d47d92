package outlet

import (
	"encoding/json"
	"reflect"
	"sync"
	"time"
)

// Clean gives a value without secrets and logins in any text of it, however deep:
// fields, lists, maps and their keys, raw JSON. What has to change is copied; the
// value itself stays as it is. Bytes are left alone: they are pictures, or what their
// owner cleans; so are fields that are not exported.
func Clean[T any](o *Outlet, value T) T {
	v := reflect.ValueOf(&value).Elem()
	if clean, changed := o.walk(v); changed {
		v.Set(clean)
	}
	return value
}

var (
	rawJSON = reflect.TypeFor[json.RawMessage]()
	moment  = reflect.TypeFor[time.Time]()
)

func (o *Outlet) walk(v reflect.Value) (reflect.Value, bool) {
	if !v.IsValid() || !tells(v.Type()) {
		return v, false
	}
	switch v.Kind() {
	case reflect.String:
		was := v.String()
		if is := o.Text(was); is != was {
			return reflect.ValueOf(is).Convert(v.Type()), true
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		inner, changed := o.walk(v.Elem())
		if !changed || v.Kind() == reflect.Interface {
			return inner, changed
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(inner)
		return p.Convert(v.Type()), true
	case reflect.Struct:
		return o.fields(v)
	case reflect.Slice:
		if v.Type() == rawJSON {
			return o.raw(v)
		}
		return o.elements(v, func() reflect.Value {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(c, v)
			return c
		})
	case reflect.Array:
		return o.elements(v, func() reflect.Value { return copied(v) })
	case reflect.Map:
		return o.entries(v)
	}
	return v, false
}

func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func (o *Outlet) fields(v reflect.Value) (reflect.Value, bool) {
	out, changed := v, false
	var each func(reflect.Value, []int)
	each = func(at reflect.Value, path []int) {
		for i := range at.NumField() {
			f, here := at.Type().Field(i), append(path[:len(path):len(path)], i)
			switch {
			case f.IsExported():
				if is, ok := o.walk(at.Field(i)); ok {
					if !changed {
						out, changed = copied(v), true
					}
					out.FieldByIndex(here).Set(is)
				}
			case f.Anonymous && f.Type.Kind() == reflect.Struct: // its fields are ours
				each(at.Field(i), here)
			}
		}
	}
	each(v, nil)
	return out, changed
}

func (o *Outlet) elements(v reflect.Value, clone func() reflect.Value) (reflect.Value, bool) {
	out, changed := v, false
	for i := range v.Len() {
		if e, ok := o.walk(v.Index(i)); ok {
			if !changed {
				out, changed = clone(), true
			}
			out.Index(i).Set(e)
		}
	}
	return out, changed
}

func (o *Outlet) entries(v reflect.Value) (reflect.Value, bool) {
	type entry struct{ was, key, value reflect.Value }
	var changes []entry
	for it := v.MapRange(); it.Next(); {
		key, one := o.walk(it.Key())
		value, two := o.walk(it.Value())
		if one || two {
			changes = append(changes, entry{it.Key(), key, value})
		}
	}
	if len(changes) == 0 {
		return v, false
	}
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		out.SetMapIndex(it.Key(), it.Value())
	}
	for _, e := range changes {
		out.SetMapIndex(e.was, reflect.Value{})
	}
	for _, e := range changes {
		out.SetMapIndex(e.key, e.value)
	}
	return out, true
}

// raw cleans JSON that was written already. Where that would leave none, all of it is
// hidden.
func (o *Outlet) raw(v reflect.Value) (reflect.Value, bool) {
	was := string(v.Bytes())
	is := o.Text(was)
	if is == was {
		return v, false
	}
	if json.Valid([]byte(was)) && !json.Valid([]byte(is)) {
		is = `"` + Mask + `"`
	}
	return reflect.ValueOf(json.RawMessage(is)), true
}

// known are the types that were asked about.
var known sync.Map // of reflect.Type to bool

// tells says whether a value of a type can have a text in it.
func tells(t reflect.Type) bool {
	if is, ok := known.Load(t); ok {
		return is.(bool)
	}
	is := hasText(t, map[reflect.Type]bool{})
	known.Store(t, is)
	return is
}

func hasText(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == rawJSON {
		return true
	}
	if t == moment || seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.String, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return hasText(t.Elem(), seen)
	case reflect.Map:
		return hasText(t.Key(), seen) || hasText(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || f.Anonymous) && hasText(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
