package rove

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rove/driver"
	"rove/driver/backend"
)

// TestAdviceIsInVerbs: nothing that the driver advises names a method once the
// session has put it into words. A new hint that does needs its verb in verbs.
func TestAdviceIsInVerbs(t *testing.T) {
	methods := regexp.MustCompile(`\b(Driver|Tab|Element)\.[A-Z]`)
	files, err := filepath.Glob("driver/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	told := 0
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
			hint, err := strconv.Unquote(lit.Value)
			if err != nil || !methods.MatchString(hint) {
				return true
			}
			told++
			var e *Error
			if said := inVerbs(&Error{Hint: hint}); !errors.As(said, &e) || methods.MatchString(e.Hint) {
				t.Errorf("%s: %q is told as %q", name, hint, said)
			}
			return true
		})
	}
	if told == 0 {
		t.Error("the driver names no method of its own: is this test still of use?")
	}
}

// What is wrapped stays, and an error that names no method is left alone.
func TestInVerbsKeepsTheError(t *testing.T) {
	busy := &backend.Error{Kind: backend.KindBusy}
	methods := &Error{Code: CodeTimeout, Op: "look", Message: "busy", Hint: "wait for it, or stop it: Driver.Refresh, or Driver.SetURL to go elsewhere", Err: busy}
	said := inVerbs(methods)
	if want := "look: busy; " + stopIt; said.Error() != want || !driver.IsBusy(said) || CodeOf(said) != CodeTimeout {
		t.Errorf("got %q, want %q, with its code and cause", said, want)
	}
	for _, err := range []error{nil, busy, fmt.Errorf("plain"), &Error{Hint: "look again"}} {
		if got := inVerbs(err); !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
}
