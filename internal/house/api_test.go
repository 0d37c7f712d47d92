package house

import (
	"go/ast"
	"path"
	"strings"
	"testing"
)

// handedIn are declarations of public packages that show a type of an internal one,
// and why: the root package calls them, programs have no use for them.
var handedIn = map[string]string{
	"network.HAROptions": "the root gives it its exit for secrets and who it is",
	"network.Clean":      "the root has requests and bodies pass its exit for secrets",
}

// TestPublicAPIShowsNoInternalTypes: what a public package declares can be read in its
// documentation, and named by programs. A type of an internal package cannot.
func TestPublicAPIShowsNoInternalTypes(t *testing.T) {
	used := map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test || f.bench() || f.pkg == "main" || strings.Contains(f.dir+"/", "internal/") {
			continue
		}
		internal := map[string]bool{}
		for _, spec := range f.ast.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			if !strings.HasPrefix(name, module+"/internal/") {
				continue
			}
			if spec.Name != nil {
				internal[spec.Name.Name] = true
			} else {
				internal[path.Base(name)] = true
			}
		}
		for name, shown := range exported(f.ast) {
			for _, s := range selectors(shown) {
				id, ok := s.X.(*ast.Ident)
				if !ok || !internal[id.Name] {
					continue
				}
				if what := f.pkg + "." + name; handedIn[what] != "" {
					used[what] = true
				} else {
					t.Errorf("%s: %s shows %s.%s, which documentation cannot", f.path, name, id.Name, s.Sel.Name)
				}
			}
		}
	}
	for what := range handedIn {
		if !used[what] {
			t.Errorf("%s shows no internal type any more: take it off the list", what)
		}
	}
}

// exported are the exported declarations of a file with the types that they show.
func exported(f *ast.File) map[string]ast.Node {
	out := map[string]ast.Node{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(typeName(d.Recv.List[0].Type))) {
				out[d.Name.Name] = d.Type
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						out[s.Name.Name] = s.Type
					}
				case *ast.ValueSpec:
					if s.Type != nil && s.Names[0].IsExported() {
						out[s.Names[0].Name] = s.Type
					}
				}
			}
		}
	}
	return out
}

// selectors are the names of other packages in a type, without fields that are not
// exported.
func selectors(n ast.Node) (list []*ast.SelectorExpr) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			list = append(list, n)
		case *ast.StructType:
			for _, f := range n.Fields.List {
				if len(f.Names) == 0 || f.Names[0].IsExported() {
					list = append(list, selectors(f.Type)...)
				}
			}
			return false
		}
		return true
	})
	return list
}
