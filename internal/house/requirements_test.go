package house

import (
	"flag"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the counts at the head of docs/REQUIREMENTS.md anew")

const requirements = "docs/REQUIREMENTS.md"

// states are what a requirement can be in, in the order the head counts them.
var states = []string{"done", "partial", "planned"}

// row is one requirement.
type row struct {
	line                           int
	id, text, where, tests, status string
}

var (
	idForm   = regexp.MustCompile(`^(REQ-BT-\d{3}(\.\d+)?|[A-Z]{3}-[A-Z0-9]+(\.\d+)?)$`)
	quoted   = regexp.MustCompile("`([^`]+)`")
	testForm = regexp.MustCompile(`^([\w/]+\.)?(Test|Fuzz|Example|Benchmark)\w*$|^make [a-z-]+$`)
)

// rows reads the tables of the requirements. A table of requirements is one
// whose head begins with "id".
func rows(t *testing.T, text string) []row {
	t.Helper()
	var list []row
	in := false
	for i, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "|") {
			in = false
			continue
		}
		cells := cells(line)
		switch {
		case cells[0] == "id":
			in = true
			continue
		case !in || strings.HasPrefix(cells[0], "--"):
			continue
		case len(cells) != 5:
			t.Errorf("%s:%d: %d cells, want id, requirement, where, test, state (a bar inside a cell is written \\|)", requirements, i+1, len(cells))
			continue
		}
		list = append(list, row{i + 1, cells[0], cells[1], cells[2], cells[3], cells[4]})
	}
	return list
}

// cells splits a table row; a bar behind a backslash is text.
func cells(line string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(line, `\|`, bar)
	parts := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(strings.ReplaceAll(p, bar, "|"))
	}
	return parts
}

// testNames is every test, fuzz target, example and benchmark there is, with the
// packages that have one of that name, and every target of the Makefile, as "make
// check".
func testNames(t *testing.T) map[string][]string {
	names := map[string][]string{}
	for line := range strings.Lines(read(t, "Makefile")) {
		if target, ok := strings.CutPrefix(line, ".PHONY: "); ok {
			names["make "+strings.TrimSpace(target)] = []string{"Makefile"}
		}
	}
	for _, f := range goFiles(t) {
		if !f.test {
			continue
		}
		for _, decl := range f.ast.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
				if in := packageOf(f.path); !slices.Contains(names[fn.Name.Name], in) {
					names[fn.Name.Name] = append(names[fn.Name.Name], in)
				}
			}
		}
	}
	return names
}

// packageOf is the package that a file, or a folder, belongs to, as rows write it.
func packageOf(path string) string {
	if info, err := os.Stat(filepath.Join(root, path)); err != nil || !info.IsDir() {
		path = filepath.Dir(path)
	}
	if path = filepath.ToSlash(filepath.Clean(path)); path == "." {
		return "rove"
	}
	return path
}

// meant are the packages that have a test which a row of some places names: the one it
// says, the only one, or the one that the row is about.
func meant(name string, known map[string][]string, places []string) []string {
	if in, test, ok := strings.Cut(name, "."); ok {
		if slices.Contains(known[test], in) {
			return []string{in}
		}
		return nil
	}
	all := known[name]
	if len(all) < 2 {
		return all
	}
	near := slices.DeleteFunc(slices.Clone(all), func(in string) bool {
		return !slices.ContainsFunc(places, func(p string) bool { return packageOf(p) == in })
	})
	if len(near) == 1 {
		return near
	}
	return all
}

func TestRequirementsAreTrue(t *testing.T) {
	list := rows(t, read(t, requirements))
	if len(list) < 100 {
		t.Fatalf("only %d requirements read: has the form of the tables changed?", len(list))
	}
	known := testNames(t)
	seen := map[string]int{}
	for _, r := range list {
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("%s:%d: %s: %s", requirements, r.line, r.id, fmt.Sprintf(format, args...))
		}
		if !idForm.MatchString(r.id) {
			fail("not an id; ids look like REQ-BT-001.1, AGT-LOOK or DRV-CLICK.2")
		}
		if first, ok := seen[r.id]; ok {
			fail("already used in line %d", first)
		}
		seen[r.id] = r.line
		if r.text == "" {
			fail("says nothing")
		}
		if !slices.Contains(states, r.status) {
			fail("state %q is none of %s", r.status, strings.Join(states, ", "))
		}
		if r.status == "planned" {
			continue
		}
		places, tests := names(r.where), names(r.tests)
		if len(places) == 0 {
			fail("is %s, but names no file or package", r.status)
		}
		for _, p := range places {
			if !exists(p) {
				fail("names %s, which is not there", p)
			}
		}
		if r.status == "done" && len(tests) == 0 {
			fail("is done, but names no test")
		}
		for _, name := range tests {
			in, test, own := strings.Cut(name, ".")
			if !own {
				in, test = "", name
			}
			top, _, _ := strings.Cut(test, "/") // what follows is a subtest
			if own {
				top = in + "." + top
			}
			switch {
			case !testForm.MatchString(top):
				fail("%q is not the name of a test", name)
			default:
				switch in := meant(top, known, places); len(in) {
				case 0:
					fail("names the test %s, which is not there", top)
				case 1:
				default:
					fail("names the test %s, which %s have: write which, as in %s.%s", top, strings.Join(in, " and "), in[0], top)
				}
			}
		}
	}
}

// names are the words of a cell that stand in code quotes.
func names(cell string) []string {
	var list []string
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		list = append(list, m[1])
	}
	return list
}

// The counts stand between these two lines.
const (
	countsBegin = "<!-- counts: written by make generate -->"
	countsEnd   = "<!-- end of counts -->"
)

func TestRequirementsAreCounted(t *testing.T) {
	text := read(t, requirements)
	head, rest, ok1 := strings.Cut(text, countsBegin+"\n")
	have, tail, ok2 := strings.Cut(rest, countsEnd)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no counts between %q and %q", requirements, countsBegin, countsEnd)
	}
	want := counts(text, rows(t, text))
	if have == want {
		return
	}
	if !*update {
		t.Fatalf("the counts of %s are out of date; make generate writes them anew:\n%s", requirements, want)
	}
	text = head + countsBegin + "\n" + want + countsEnd + tail
	if err := os.WriteFile(filepath.Join(root, requirements), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// counts is the table at the head: a line for each section, and the sum.
func counts(text string, list []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| section | %s | all |\n|---|%s---:|\n", strings.Join(states, " | "), strings.Repeat("---:|", len(states)))
	line := func(name string, of []row) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, s := range states {
			n := 0
			for _, r := range of {
				if r.status == s {
					n++
				}
			}
			fmt.Fprintf(&b, " %d |", n)
		}
		fmt.Fprintf(&b, " %d |\n", len(of))
	}
	section, from := "", 0
	flush := func(to int) {
		var of []row
		for _, r := range list {
			if r.line > from && r.line < to {
				of = append(of, r)
			}
		}
		if len(of) > 0 {
			line(section, of)
		}
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if name, ok := strings.CutPrefix(l, "## "); ok {
			flush(i + 1)
			section, from = name, i+1
		}
	}
	flush(len(lines) + 1)
	line("**all**", list)
	return b.String()
}
