package driver_test

import (
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"testing"

	"rove/driver"
)

// The page about the driver leaves no method out, and its examples are there.
func TestDriverPageIsWhole(t *testing.T) {
	page, err := os.ReadFile("../docs/DRIVER.md")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, m := range regexp.MustCompile("`([A-Za-z_.]+)`").FindAllStringSubmatch(string(page), -1) {
		said[m[1]] = true
	}
	d := reflect.TypeFor[*driver.Driver]()
	for i := range d.NumMethod() {
		if name := d.Method(i).Name; !said[name] {
			t.Errorf("docs/DRIVER.md does not tell of Driver.%s", name)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "example_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name := range said {
		if len(name) > 7 && name[:7] == "Example" && file.Scope.Lookup(name) == nil {
			t.Errorf("docs/DRIVER.md names %s, which is not there", name)
		}
	}
}
