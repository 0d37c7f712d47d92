package script

import (
	"reflect"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/unistring"
)

// Facts are members that are true or false, and are written both ways: element.enabled and
// element.enabled(). A Both cannot be one of them: it is a function where it is read, and a
// function is never false. So they are plain values, and a call of one gives it.
var facts = []string{"present", "enabled"}

// factCall is the global that calls of facts go through. No script can name it.
const factCall = "\x00fact"

// readFacts has calls of facts without arguments give what is there where that is no
// function: x.enabled() becomes factCall(x, 'enabled').
func readFacts(tree *ast.Program, source string) {
	for _, name := range facts {
		if !strings.Contains(source, name) {
			continue
		}
		eachCall(reflect.ValueOf(tree), map[uintptr]bool{}, func(c *ast.CallExpression) {
			dot, ok := c.Callee.(*ast.DotExpression)
			if !ok || len(c.ArgumentList) > 0 || dot.Identifier.Name.String() != name {
				return
			}
			c.ArgumentList = []ast.Expression{dot.Left, &ast.StringLiteral{Idx: dot.Identifier.Idx, Value: unistring.String(name)}}
			c.Callee = &ast.Identifier{Idx: dot.Identifier.Idx, Name: factCall}
		})
	}
}

// eachCall finds the calls in a tree, whatever they stand in.
func eachCall(v reflect.Value, seen map[uintptr]bool, found func(*ast.CallExpression)) {
	switch v.Kind() {
	case reflect.Interface:
		eachCall(v.Elem(), seen, found)
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] || !strings.HasSuffix(v.Type().Elem().PkgPath(), "goja/ast") {
			return
		}
		seen[v.Pointer()] = true
		eachCall(v.Elem(), seen, found)
		if c, ok := v.Interface().(*ast.CallExpression); ok {
			found(c)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachCall(v.Field(i), seen, found)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachCall(v.Index(i), seen, found)
		}
	}
}

// factOf is factCall.
func (rt *Runtime) factOf(call goja.FunctionCall) goja.Value {
	name := call.Argument(1).String()
	o := call.Argument(0).ToObject(rt.engine())
	v := o.Get(name)
	if f, ok := goja.AssertFunction(v); ok {
		result, err := f(call.Argument(0))
		if err != nil {
			panic(err)
		}
		return result
	}
	if v != nil {
		if _, ok := v.Export().(bool); ok {
			return v
		}
	}
	panic(rt.engine().NewTypeError("%s is not a function", name))
}
