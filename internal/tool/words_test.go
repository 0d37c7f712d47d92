package tool

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// ofTheVerbs are words that only somebody with the agent's tools can follow.
var ofTheVerbs = regexp.MustCompile(`\bact (_page|e\d|REF|\w+ \w+ )|\blook (to see|at what|shows|again|e\d)|\bwait (download|for the download)|\bgo elsewhere|typed with input\b`)

// TestHintsInOurWords: nothing that rove or its driver advises speaks of the verbs
// once a tool of the set browser has put it into words. A new hint needs its words in
// inOurWords.
func TestHintsInOurWords(t *testing.T) {
	for _, dir := range []string{"../..", "../../driver"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(lit.Value)
				if err == nil && ofTheVerbs.MatchString(inOurWords(text)) {
					t.Errorf("%s: %q is told as %q", filepath.Base(name), text, inOurWords(text))
				}
				return true
			})
		}
	}
}
