package rove

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unsafe"

	"rove/aria"
	"rove/driver"
	"rove/internal/har"
	"rove/internal/outlet"
)

const poison = "Kq7vTz9pLw2mXc4R"

// poisoned fills every text of a value, however deep and whether exported or not.
// Refs and codes are rove's own.
func poisoned(v reflect.Value, depth int) {
	if depth > 12 {
		return
	}
	switch v.Type() {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[aria.Ref](), reflect.TypeFor[Code]():
		return
	case reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(errors.New("because of " + poison)))
		return
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{"a":"` + url.QueryEscape(poison) + `"}`))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%d said %s,\nFORGED and went to https://name:pw@host/\u2028FORGED", depth, poison))
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf("any " + poison))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		poisoned(v.Elem(), depth+1)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return // bytes are pictures, or their owner cleans them
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		poisoned(v.Index(0), depth+1)
		poisoned(v.Index(1), depth+1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		poisoned(key, depth+1)
		poisoned(value, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			poisoned(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem(), depth+1)
		}
	}
}

// forged is a line that no answer began.
var forged = regexp.MustCompile("[\n\r\u2028\u2029]FORGED")

// tells lists what anybody can get out of a value: its exported texts, its JSON, and
// what its methods say.
func tells(v reflect.Value, path string, depth int, tell func(path, text string)) {
	if depth > 12 || !v.IsValid() {
		return
	}
	if v.CanInterface() && v.Kind() != reflect.Interface && v.Type() != reflect.TypeFor[time.Time]() {
		for i := range v.NumMethod() {
			m := v.Type().Method(i)
			if f := v.Method(i).Type(); f.NumIn() == 0 && f.NumOut() == 1 && f.Out(0).Kind() == reflect.String && !(v.Kind() == reflect.Pointer && v.IsNil()) {
				tell(path+"."+m.Name+"()", v.Method(i).Call(nil)[0].String())
			}
		}
	}
	switch v.Kind() {
	case reflect.String:
		tell(path, v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			tells(v.Elem(), path, depth+1, tell)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			tells(v.Index(i), path+"[]", depth+1, tell)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			tells(it.Key(), path+"{}", depth+1, tell)
			tells(it.Value(), path+"{}", depth+1, tell)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				tells(v.Field(i), path+"."+f.Name, depth+1, tell)
			}
		}
	}
}

// TestNoWayAroundTheExit fills every type that the methods of a session and of what
// hangs on it answer with, has it pass the exit, and looks for what got by. A type of a
// new method is found by itself.
func TestNoWayAroundTheExit(t *testing.T) {
	o := outlet.New(map[string]string{"A": poison})
	types := map[reflect.Type]bool{
		reflect.TypeFor[driver.Effect](): true, reflect.TypeFor[driver.Navigation](): true, reflect.TypeFor[Question](): true, reflect.TypeFor[Step](): true,
		reflect.TypeFor[har.Page](): true, reflect.TypeFor[har.Entry](): true, reflect.TypeFor[driver.TraceStep](): true,
	}
	// What is no answer: the parts of a session itself.
	parts := []reflect.Type{reflect.TypeFor[Session](), reflect.TypeFor[driver.Driver](), reflect.TypeFor[Network](), reflect.TypeFor[Console](), reflect.TypeFor[Folder](), reflect.TypeFor[outlet.Outlet](), reflect.TypeFor[driver.Expected]()}
	for _, of := range []reflect.Type{reflect.TypeFor[*Session](), reflect.TypeFor[*Network](), reflect.TypeFor[*Console]()} {
		for i := range of.NumMethod() {
			m := of.Method(i)
			for k := range m.Type.NumOut() {
				out := m.Type.Out(k)
				for out.Kind() == reflect.Pointer || out.Kind() == reflect.Slice {
					out = out.Elem()
				}
				if out.Kind() == reflect.Struct && !contains(parts, out) {
					types[out] = true
				}
			}
		}
	}
	if len(types) < 18 {
		t.Fatalf("only %d types were found", len(types))
	}
	for typ := range types {
		p := reflect.New(typ)
		poisoned(p.Elem(), 0)
		leave(o, p)
		found := func(path, text string) {
			if strings.Contains(text, poison) || strings.Contains(text, "name:pw") {
				t.Errorf("%v%s gets by: %q", typ, path, text)
			}
			if typ == reflect.TypeFor[PWAReport]() && strings.HasSuffix(path, "Text()") && forged.MatchString(text) {
				t.Errorf("%v%s has a line of the page: %q", typ, path, text)
			}
		}
		tells(p, "", 0, found)
		data, err := json.Marshal(p.Interface())
		if err != nil {
			t.Errorf("%v: %v", typ, err)
		}
		found(" as JSON", string(data))
	}
}

func contains(list []reflect.Type, t reflect.Type) bool {
	for _, one := range list {
		if one == t {
			return true
		}
	}
	return false
}

// leave has a value pass the exit that its type has.
func leave(o *outlet.Outlet, p reflect.Value) {
	type look interface{ ownTexts() []*string }
	switch r := p.Interface().(type) {
	case *Request:
		r.Clean(o)
	case *Requests:
		for i := range r.Requests {
			r.Requests[i].Clean(o)
		}
	case *LookResult:
		cleanTree(o, r.Actions.tree)
		cleanResult(o, r)
	case *ActResult:
		cleanTree(o, r.Actions.tree)
		cleanResult(o, r)
	case *GoResult:
		cleanTree(o, r.Actions.tree)
		cleanResult(o, r)
	case *WaitResult:
		cleanTree(o, r.Actions.tree)
		cleanResult(o, r)
	case *EvalResult:
		cleanTree(o, r.Actions.tree)
		cleanResult(o, r)
	case *FoundResult:
		cleanResult(o, r)
	default:
		if _, ok := r.(look); ok {
			panic(fmt.Sprintf("%T has texts of its own", r))
		}
		p.Elem().Set(reflect.ValueOf(outlet.Clean(o, p.Elem().Interface())))
	}
}

// TestMaskError: an error has no secret, one line for each part, and no cause that says
// more; one that may be told as it is stays the one it is.
func TestMaskError(t *testing.T) {
	o := outlet.New(map[string]string{"A": poison})
	plain := &Error{Code: CodeStale, Op: "click e5", Message: `button "Save" is gone`, Hint: "look again", Log: []string{"a"}, Err: aria.ErrStale}
	if got := driver.MaskError(o.Text, plain); got != error(plain) {
		t.Errorf("%#v", got)
	}
	for _, err := range []error{
		errors.New("x " + poison),
		fmt.Errorf("x: %w", &Error{Op: poison}),
		&Error{Message: "a\nhint: " + poison, Hint: "b\r\n\x1b[2Jc\u2028d\u009b", Log: []string{"ok", "e\n" + poison}},
		&Error{Message: "fine", Err: errors.New(poison)},
		&Error{Message: "https://name:pw@host is not there"},
	} {
		got := driver.MaskError(o.Text, err)
		for e := got; e != nil; e = errors.Unwrap(e) {
			text := e.Error()
			if strings.Contains(text, poison) || strings.Contains(text, "name:pw") || strings.ContainsAny(text, "\r\x1b\u2028\u009b") || strings.Count(text, "\n") > 2 {
				t.Errorf("%q", text)
			}
		}
		if CodeOf(got) != CodeOf(err) {
			t.Errorf("the code of %v is gone", err)
		}
	}
}
