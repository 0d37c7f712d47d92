package feature

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the names that docs/FEATURES.md lacks, and take away those that are gone")

const document = "../docs/FEATURES.md"

func names[V any](tables ...map[string]V) []string {
	var all []string
	for _, t := range tables {
		all = slices.AppendSeq(all, maps.Keys(t))
	}
	slices.Sort(all)
	return all
}

// documented are the tables of docs/FEATURES.md, by the name in their mark, and
// what they must have.
func documented() map[string][]string {
	return map[string][]string{
		"keywords":           names(keywords),
		"karate functions":   names(karateFunctions),
		"karate properties":  names(karateProperties),
		"without Java":       names(withoutJava),
		"driver methods":     names(driverMethods),
		"driver properties":  names(driverReads),
		"element methods":    names(elementMethods),
		"element properties": slices.Sorted(slices.Values(append(names(elementReads), names(elementFacts)...))),
		"configure":          names(settings),
		"mock functions":     names(mockFunctions),
		"mock variables":     slices.Sorted(slices.Values(requestVariables)),
	}
}

var tick = regexp.MustCompile("`([^`]+)`")

// TestDocument holds the tables of the document to the tables of the code: a row
// for every name, none for what is not there, and no row without a word.
func TestDocument(t *testing.T) {
	b, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for mark, want := range documented() {
		begin, end := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->"
		at, until := strings.Index(text, begin), strings.Index(text, end)
		if at < 0 || until < at {
			t.Errorf("the document has no table between %q and %q", strings.TrimSpace(begin), end)
			continue
		}
		at += len(begin)
		lines := strings.Split(strings.TrimRight(text[at:until], "\n"), "\n")
		kept, have := lines[:0:0], map[string]bool{}
		for i, line := range lines {
			if i < 2 { // the head
				kept = append(kept, line)
				continue
			}
			cells := strings.SplitN(line, " | ", 2)
			gone := ""
			for _, m := range tick.FindAllStringSubmatch(cells[0], -1) {
				have[m[1]] = true
				if !slices.Contains(want, m[1]) {
					gone = m[1]
				}
			}
			if gone != "" {
				if !*update {
					t.Errorf("%s: the document has %q, which is not there", mark, gone)
				}
				continue
			}
			if len(cells) < 2 || strings.Trim(cells[1], " |") == "" {
				t.Errorf("%s: the row has no word about it: %s", mark, line)
			}
			kept = append(kept, line)
		}
		for _, name := range want {
			if have[name] {
				continue
			}
			if !*update {
				t.Errorf("%s: the document lacks %q", mark, name)
			}
			kept = append(kept, fmt.Sprintf("| `%s` | |", name))
		}
		text = text[:at] + strings.Join(kept, "\n") + "\n" + text[until:]
	}
	if *update {
		if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTutorial follows the document: the features that it has the reader write
// run in the project that it begins with.
func TestTutorial(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := Init(dir); err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```gherkin\n(.*?)```").FindAllStringSubmatch(string(b), 2)
	for i, name := range []string{"api/cats.feature", "ui/greeting.feature"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(blocks[i][1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	paths, all := []string{"api", "ui"}, 6
	if testing.Short() {
		paths, all = paths[:1], 3
	}
	r, err := Run(t.Context(), Options{Dir: dir, Paths: paths, Output: "-"})
	if err != nil {
		t.Fatal(err)
	}
	allPass(t, r, all)
}
