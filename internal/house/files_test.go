package house

import (
	"bytes"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// longest is how many lines a file may have; longestOther counts for tests, benchmarks
// and what is not Go.
const longest, longestOther = 500, 700

// written are the kinds of files that count as source.
var written = []string{".go", ".ts", ".js", ".mjs", ".css", ".sh"}

func TestFilesCanBeReadInOneSitting(t *testing.T) {
	walk(t, func(name string) {
		if !slices.Contains(written, path.Ext(name)) {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Error(err)
			return
		}
		most := longest
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "bench/") {
			most = longestOther
		}
		if n := bytes.Count(text, []byte("\n")); n > most && !generated.Match(text) {
			t.Errorf("%s has %d lines, more than %d: split it by what it does", name, n, most)
		}
	})
}

// empty are names that say nothing of what is inside and so collect everything.
var empty = []string{"pkg", "common", "util", "utils", "types", "helper", "helpers", "misc", "base", "shared", "lib"}

func TestPackageNamesSaySomething(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range goFiles(t) {
		if seen[f.dir] {
			continue
		}
		seen[f.dir] = true
		for part := range strings.SplitSeq(f.dir, "/") {
			if slices.Contains(empty, part) {
				t.Errorf("%s: the name %q says nothing", f.dir, part)
			}
		}
		if slices.Contains(empty, f.pkg) {
			t.Errorf("%s: the package name %q says nothing", f.path, f.pkg)
		}
	}
}

func TestEveryPackageIntroducesItself(t *testing.T) {
	comments := map[string][]string{} // directory → files with a package comment
	packages := map[string]string{}   // directory → package name
	for _, f := range goFiles(t) {
		if f.test || ignored(f) {
			continue
		}
		packages[f.dir] = f.pkg
		if f.ast.Doc == nil || f.generated() {
			continue
		}
		text := f.ast.Doc.Text()
		if strings.TrimSpace(text) == "" {
			continue // a directive alone, such as //go:build
		}
		comments[f.dir] = append(comments[f.dir], f.path)
		begins := "Package " + f.pkg + " "
		if f.pkg == "main" {
			begins = "Command " + program(f.dir) + " "
		}
		if !strings.HasPrefix(strings.ReplaceAll(text, "\n", " "), begins) {
			t.Errorf("%s: the package comment must begin with %q", f.path, begins)
		}
	}
	for dir, pkg := range packages {
		switch n := len(comments[dir]); {
		case n == 0:
			t.Errorf("package %s in %s has no package comment", pkg, dir)
		case n > 1:
			t.Errorf("package %s in %s has %d package comments, in %s: keep one", pkg, dir, n, strings.Join(comments[dir], ", "))
		}
	}
}

// program is what a command in a directory is called once it is built.
func program(dir string) string {
	if dir == "." {
		return module
	}
	return path.Base(dir)
}

// ignored says whether a file is left out of every build, as the small programs
// that go:generate runs are.
func ignored(f *file) bool {
	return bytes.Contains(f.text, []byte("\n//go:build ignore\n")) || bytes.HasPrefix(f.text, []byte("//go:build ignore\n"))
}

// oneHome are imports that belong in one file, so that what is behind them can
// be changed in one place.
var oneHome = []struct {
	path    string // itself and all below it
	home    string
	within  []string // the packages the rule holds for; nil: all
	instead string
}{
	{
		path: "github.com/go-json-experiment/json", home: "internal/wire/json.go",
		instead: "wire.Marshal and wire.Unmarshal, so that the move to encoding/json/v2 is one line",
	},
	{
		path: "encoding/json", home: "internal/wire/json.go",
		within:  []string{".", "driver", "aria", "cdp", "internal/wire", "internal/chrome"},
		instead: "wire.Marshal and wire.Unmarshal, which are four times quicker on the way of a look",
	},
}

func TestSomeImportsHaveOneHome(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || f.bench() || buildTool(f) {
			continue
		}
		for _, rule := range oneHome {
			if f.path == rule.home || rule.within != nil && !slices.Contains(rule.within, f.dir) {
				continue
			}
			for _, imp := range f.imports {
				if imp == rule.path || strings.HasPrefix(imp, rule.path+"/") {
					t.Errorf("%s: imports %s, which has its home in %s: use %s", f.path, imp, rule.home, rule.instead)
				}
			}
		}
	}
}

// sleepers are the files that may sleep, with the reason.
var sleepers = map[string]string{}

// TestNothingSleeps holds what rove promises: it waits for events, or on a
// timer beside a context, never for a time and nothing else. So do its tests; those
// with a clock of their own may let it run.
func TestNothingSleeps(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.bench() || f.test && slices.Contains(f.imports, "testing/synctest") {
			continue
		}
		if _, ok := sleepers[f.path]; ok {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Sleep" {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" {
				t.Errorf("%s: time.Sleep: wait for an event, or select on a timer and the context; testkit.Eventually in a test", f.path)
			}
			return true
		})
	}
}
