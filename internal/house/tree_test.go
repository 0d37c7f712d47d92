package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// module is the module path; a package's import path is module + "/" + its
// directory, and the root package's is module alone.
const module = "rove"

// root is the repository, seen from this package's directory.
const root = "../.."

// file is one Go file of the repository, parsed. Build constraints are left
// aside, so that the rules hold for every platform.
type file struct {
	path    string // from the root, with slashes
	dir     string // "." for the root
	pkg     string // the name in the package clause
	test    bool
	ast     *ast.File
	text    []byte
	imports []string
}

// generated is the mark that Go tools agree on, in a comment of any language.
var generated = regexp.MustCompile(`(?m)^(//|/\*|#) ?Code generated .* DO NOT EDIT\.`)

func (f *file) generated() bool { return generated.Match(f.text) }

// bench says whether the file belongs to the benchmarks, a module of their own.
func (f *file) bench() bool { return f.dir == "bench" || strings.HasPrefix(f.dir, "bench/") }

// buildTool says whether the file is a program that helps to build the house,
// such as one that go:generate runs, and not one that ships.
func buildTool(f *file) bool { return f.pkg == "main" && !strings.HasPrefix(f.dir, "cmd/") }

// walk calls fn with every file of the repository that people wrote for it:
// not what git keeps, hidden directories, fixtures or what a build leaves.
func walk(t *testing.T, fn func(name string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if p != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || name == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		fn(filepath.ToSlash(rel))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var parsed struct {
	once  sync.Once
	files []*file
}

// goFiles returns every Go file of the repository.
func goFiles(t *testing.T) []*file {
	t.Helper()
	parsed.once.Do(func() {
		walk(t, func(name string) {
			if strings.HasSuffix(name, ".go") {
				parsed.files = append(parsed.files, parse(t, name))
			}
		})
	})
	if len(parsed.files) == 0 {
		t.Fatal("no Go file found: is the root right?")
	}
	return parsed.files
}

func parse(t *testing.T, name string) *file {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	f := &file{
		path: name,
		dir:  path.Dir(name),
		pkg:  tree.Name.Name,
		test: strings.HasSuffix(name, "_test.go"),
		ast:  tree,
		text: text,
	}
	for _, spec := range tree.Imports {
		f.imports = append(f.imports, strings.Trim(spec.Path.Value, "`\""))
	}
	return f
}

// house returns the directory of an import path of this module, as the level
// table writes it, and whether it is one.
func house(importPath string) (string, bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

func exists(name string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
