package house

import (
	"go/ast"
	"strings"
	"testing"
)

// TestErrorsSayWhatToDo: an error that a model reads tells it what to do next. What
// is wrong with an input says so by naming what is taken.
func TestErrorsSayWhatToDo(t *testing.T) {
	seen := 0
	for _, f := range goFiles(t) {
		if f.test || f.bench() {
			continue
		}
		advised := map[*ast.CompositeLit]bool{} // whose hint is a code: (&Error{…}).Advise(…)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && call.Sel.Name == "Advise" {
				if inside, ok := call.X.(*ast.ParenExpr); ok {
					if made, ok := inside.X.(*ast.UnaryExpr); ok {
						if lit, ok := made.X.(*ast.CompositeLit); ok {
							advised[lit] = true
						}
					}
				}
			}
			lit, ok := n.(*ast.CompositeLit)
			if !ok || nameOf(lit.Type) != "Error" {
				return true
			}
			fields := map[string]ast.Expr{}
			for _, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					fields[nameOf(kv.Key)] = kv.Value
				}
			}
			code := nameOf(fields["Code"])
			if !strings.HasPrefix(code, "Code") || code == "Code" || fields["Message"] == nil { // another type, or told by who has it
				return true
			}
			seen++
			if code != "CodeInvalid" && fields["Hint"] == nil && !advised[lit] {
				t.Errorf("%s: an error %s without a hint", f.path, code)
			}
			return true
		})
	}
	if seen < 20 {
		t.Errorf("only %d errors seen", seen)
	}
}

// nameOf is the last part of a name, such as Error of driver.Error.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
