package house

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// commands are what a newcomer types, and what the README must show.
var commands = []string{"go run ./cmd/rove demo", "make test"}

func TestReadmeShowsTheTwoCommands(t *testing.T) {
	if !exists("README.md") {
		t.Fatal("there is no README.md")
	}
	text := read(t, "README.md")
	for _, c := range commands {
		if !strings.Contains(text, c) {
			t.Errorf("README.md does not show %q", c)
		}
	}
	if !strings.Contains(read(t, ".ci/run"), "make test") {
		t.Error(".ci/run does not run the README's test command, make test")
	}
}

var (
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	// source is a word in code quotes that means a file or folder of ours.
	source = regexp.MustCompile(`^(?:\.?[\w-]+/)+(?:[\w.-]+)?$|^[A-Z]\w+\.md$|^Makefile$`)
	fence  = regexp.MustCompile("(?ms)^```.*?^```$")
)

// unchecked are documents that speak of what is no more or not yet there.
var unchecked = map[string]string{
	"CHANGELOG.md": "tells of files that were",
	requirements:   "tells of files to come; those of finished rows are checked by TestRequirementsAreTrue",
}

func TestDocumentsNameFilesThatAreThere(t *testing.T) {
	tops := map[string]bool{}
	for _, f := range goFiles(t) {
		top, _, _ := strings.Cut(f.dir, "/")
		tops[top] = true
	}
	for _, d := range []string{"docs", "scripts", "testdata", ".ci"} {
		tops[d] = true
	}
	walk(t, func(name string) {
		if path.Ext(name) != ".md" {
			return
		}
		text := fence.ReplaceAllString(read(t, name), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, ":") {
				continue // within the page, or on the web
			}
			if !exists(path.Join(path.Dir(name), target)) {
				t.Errorf("%s links to %s, which is not there", name, target)
			}
		}
		if _, ok := unchecked[name]; ok {
			return
		}
		for _, word := range names(text) {
			top, _, _ := strings.Cut(word, "/")
			if !source.MatchString(word) || strings.Contains(word, "/") && !tops[top] {
				continue
			}
			if !slices.ContainsFunc([]string{word, path.Join(path.Dir(name), word)}, exists) {
				t.Errorf("%s names %s, which is not there", name, word)
			}
		}
	})
	for name := range unchecked {
		if !exists(name) {
			t.Errorf("%s is not there", name)
		}
	}
}

// code is a word in code quotes that means something declared in Go: a package or
// a type, and what is in it.
var code = regexp.MustCompile(`^[A-Za-z]\w*\.[A-Za-z]\w*$`)

// TestArchitectureNamesWhatIsThere holds the document that newcomers read to the
// letter: every file, function, method, field and type that it names is there.
func TestArchitectureNamesWhatIsThere(t *testing.T) {
	const name = "docs/ARCHITECTURE.md"
	known := declared(t)
	checked := 0
	for _, word := range names(fence.ReplaceAllString(read(t, name), "")) {
		switch {
		case slices.Contains(written, path.Ext(word)):
			if !exists(word) {
				t.Errorf("%s names the file %s, which is not there", name, word)
			}
		case code.MatchString(word):
			if !known[word] {
				t.Errorf("%s names %s, which is not there", name, word)
			}
		default:
			continue
		}
		checked++
	}
	if checked < 50 {
		t.Errorf("only %d names checked: has the form of the document changed?", checked)
	}
}

// declared is all that the house's Go files declare: package.Name, Type.Method and
// Type.Field.
func declared(t *testing.T) map[string]bool {
	known := map[string]bool{}
	for _, f := range goFiles(t) {
		for _, decl := range f.ast.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				of := f.pkg
				if d.Recv != nil {
					of = typeName(d.Recv.List[0].Type)
				}
				known[of+"."+d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.ValueSpec:
						for _, n := range s.Names {
							known[f.pkg+"."+n.Name] = true
						}
					case *ast.TypeSpec:
						known[f.pkg+"."+s.Name.Name] = true
						if fields, ok := s.Type.(*ast.StructType); ok {
							for _, field := range fields.Fields.List {
								for _, n := range field.Names {
									known[s.Name.Name+"."+n.Name] = true
								}
							}
						}
					}
				}
			}
		}
	}
	return known
}

// typeName is the name of a receiver's type.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

var (
	testName = regexp.MustCompile("`((?:Test|Fuzz|Benchmark)\\w+)`")
	tableRow = regexp.MustCompile(`(?m)^\|(.*)\|(.*)\|(.*)\|$`)
)

// TestSecurityNamesItsTests: every promise of docs/SECURITY.md has a test that is there,
// and stands in a table of promises, what is not promised, and tests.
func TestSecurityNamesItsTests(t *testing.T) {
	known := map[string]bool{}
	for _, f := range goFiles(t) {
		for _, decl := range f.ast.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && f.test {
				known[d.Name.Name] = true
			}
		}
	}
	promises := 0
	for _, row := range tableRow.FindAllStringSubmatch(read(t, "docs/SECURITY.md"), -1) {
		promise, by := strings.TrimSpace(row[1]), testName.FindAllStringSubmatch(row[3], -1)
		if promise == "" || promise == "promised" || strings.Trim(promise, "-") == "" {
			continue
		}
		promises++
		if len(by) == 0 {
			t.Errorf("no test holds: %s", promise)
		}
		for _, name := range by {
			if !known[name[1]] {
				t.Errorf("%s is not there, which is to hold: %s", name[1], promise)
			}
		}
	}
	if promises < 50 {
		t.Errorf("only %d promises: has the form of the document changed?", promises)
	}
}
