package console

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rove/internal/testkit"
)

func flatten(groups map[string][]string, replace *strings.Replacer) string {
	var all strings.Builder
	for _, in := range slices.Sorted(maps.Keys(groups)) {
		for _, line := range slices.Backward(groups[in]) {
			all.WriteString(replace.Replace(line) + "\n")
		}
	}
	return varying.ReplaceAllString(all.String(), "${1}N ms")
}

// varying is what differs from run to run.
var varying = regexp.MustCompile(`(: )[0-9.e-]+ ms`)

// cleared is the line that a page's console.clear leaves.
var cleared = regexp.MustCompile(`(?m)^\[log clear\] .*\n`)

// TestPages visits the pages of testdata/pages and reads the console. An archive
// has the files of a site, of which index.html is visited, and the entries that
// are wanted, by context. When all but cleared are there the page gets the event
// "read": it takes what its objects have inside away, and nobody knows when it is asked.
func TestPages(t *testing.T) {
	testkit.OnEveryBrowser(t)
	archives, err := filepath.Glob("testdata/pages/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no pages", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
			if want < 0 {
				t.Fatal("it has no file named want")
			}
			b := open(t, a.Files...)
			b.visit(b.here + "/")
			got := ""
			shows := func(wanted string) {
				begin := time.Now()
				testkit.Within(func() bool {
					got = b.text()
					return *update && time.Since(begin) > 2*time.Second || got == wanted
				})
			}
			wanted := string(a.Files[want].Data)
			if before := cleared.ReplaceAllString(wanted, ""); before != wanted {
				shows(before)
				b.eval("dispatchEvent(new Event('read'))")
			}
			shows(wanted)
			if *update {
				a.Files[want].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(a), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(a.Files[want].Data) {
				t.Errorf("got:\n%s\nwant:\n%s", got, a.Files[want].Data)
			}
		})
	}
}
