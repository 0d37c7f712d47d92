package feature_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rove/feature"
)

// wantKarate has real Karate run beside rove: see make karate.
const wantKarate = "ROVE_KARATE"

// TestBesideKarate runs the corpus with rove and with real Karate. Each scenario
// must end alike: pass, or fail at the same step for the same reason. What does
// not is listed in docs/KARATE.md with its reason; what is listed and ends alike
// all the same fails, too.
func TestBesideKarate(t *testing.T) {
	if os.Getenv(wantKarate) == "" {
		t.Skip("real Karate is run by make karate, which sets " + wantKarate)
	}
	corpus, err := filepath.Abs(filepath.Join("testdata", "karate"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(corpusServer())
	defer server.Close()
	theirs := runKarate(t, karate(t), corpus, server.URL)
	ours := runCorpus(t, corpus, server.URL)
	listed := listedDifferences(t)

	scenarios, failing := 0, 0
	for _, file := range slices.Sorted(keys(theirs)) {
		if len(ours[file]) != len(theirs[file]) {
			t.Errorf("%s: %d results, Karate has %d", file, len(ours[file]), len(theirs[file]))
			continue
		}
		for i, their := range theirs[file] {
			our := ours[file][i]
			scenarios++
			if their.failed {
				failing++
			}
			difference := compare(our, their)
			name := file + ": " + their.name
			_, isListed := listed[name]
			switch {
			case difference != "" && !isListed:
				t.Errorf("%s\n%s\nlist it in docs/KARATE.md with the reason, or mend it", name, difference)
			case difference == "" && isListed:
				t.Errorf("%s is listed in docs/KARATE.md, but there is no difference any more", name)
			case isListed:
				listed[name] = true
				// What the original does wrong, rove does as the scenario says.
				if want := strings.HasPrefix(our.name, "fails:"); our.failed != want {
					t.Errorf("%s: failed is %v, expected %v\n%s", name, our.failed, want, our.message)
				}
			}
		}
	}
	for file := range ours {
		if theirs[file] == nil {
			t.Errorf("%s: Karate has no results of it", file)
		}
	}
	for name, seen := range listed {
		if !seen {
			t.Errorf("docs/KARATE.md lists %q, which is no difference", name)
		}
	}
	if scenarios < 400 {
		t.Errorf("%d scenarios, expected at least 400", scenarios)
	}
	t.Logf("%d scenarios, %d of them fail in Karate, %d listed differences", scenarios, failing, len(listed))
}

// TestCorpus runs the corpus with rove alone: what is named so fails, all else
// passes.
func TestCorpus(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(corpusServer())
	defer server.Close()
	corpus, err := filepath.Abs(filepath.Join("testdata", "karate"))
	if err != nil {
		t.Fatal(err)
	}
	for file, outcomes := range runCorpus(t, corpus, server.URL) {
		for _, o := range outcomes {
			if want := strings.HasPrefix(o.name, "fails:"); o.failed != want {
				t.Errorf("%s: %s\nfailed is %v, expected %v\n%s", file, o.name, o.failed, want, o.message)
			}
		}
	}
}

// outcome is how a scenario ended.
type outcome struct {
	name    string
	failed  bool
	line    int // of the step that failed
	message string
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// compare says how two outcomes differ; nothing where they do not.
func compare(our, their outcome) string {
	verdict := map[bool]string{true: "failed", false: "passed"}
	switch {
	case our.name != their.name:
		return fmt.Sprintf("it is named %q here", our.name)
	case our.failed != their.failed:
		return fmt.Sprintf("Karate: %s\n%s\nrove: %s\n%s", verdict[their.failed], their.message, verdict[our.failed], our.message)
	case !our.failed:
		return ""
	case our.line != their.line && their.line != 0:
		return fmt.Sprintf("Karate fails in line %d: %s\nrove in line %d: %s", their.line, their.message, our.line, our.message)
	}
	if a, b := failureKind(our.message), failureKind(their.message); a != b {
		return fmt.Sprintf("Karate fails of %s: %s\nrove of %s: %s", b, their.message, a, our.message)
	}
	if strings.Contains(their.message, "match failed") && !samePlace(our.message, their.message) {
		return fmt.Sprintf("the differences are not at the same place\nKarate: %s\nrove: %s", their.message, our.message)
	}
	return ""
}

var failureKinds = []struct {
	kind    string
	pattern *regexp.Regexp
}{
	{"assert", regexp.MustCompile(`did not evaluate to 'true'`)},
	{"a missing file", regexp.MustCompile(`FileNotFoundException|could not find or read file|not found: `)},
	{"ReferenceError", regexp.MustCompile(`ReferenceError`)},
	{"TypeError", regexp.MustCompile(`TypeError`)},
	{"SyntaxError", regexp.MustCompile(`SyntaxError`)},
	{"JsonPath", regexp.MustCompile(`Could not parse token|JsonPath`)},
	{"JSON", regexp.MustCompile(`ParseException: Unexpected|JSON, line`)},
	{"XML", regexp.MustCompile(`SAXParseException|XML, line`)},
	{"a connection", regexp.MustCompile(`http call failed|Connection refused|connection refused`)},
	{"what was thrown", regexp.MustCompile(`(?m)^oops$`)},
	{"a charset", regexp.MustCompile(`(?m)^no-such-charset$|charset "no-such-charset" is not known`)}, // Karate tells its name only
	{"@fail", regexp.MustCompile(`@fail`)},
}

var (
	operation      = regexp.MustCompile(`match failed: (\w+)`)
	unexpectedType = regexp.MustCompile(`unexpected type \(match (\w+)\)`)
)

// failureKind names what a failure is about: of a match its operator, else the
// first words.
func failureKind(message string) string {
	if m := operation.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	if m := unexpectedType.FindStringSubmatch(message); m != nil {
		return strings.ToUpper(m[1]) // what a match that throws was about
	}
	for _, k := range failureKinds {
		if k.pattern.MatchString(message) {
			return k.kind
		}
	}
	first, _, _ := strings.Cut(message, "\n")
	first, _, _ = strings.Cut(first, ":")
	first, _, _ = strings.Cut(first, " (")
	return strings.TrimSpace(first)
}

var differencePath = regexp.MustCompile(`(?m)^ +([$/].*?) \| `)

// samePlace says whether one of our differences is where Karate has one, or below
// or above it. Karate tells the way from the root, and what it tried in vain.
func samePlace(ours, theirs string) bool {
	all := differencePath.FindAllStringSubmatch(theirs, -1)
	if len(all) < 2 {
		return true // the root alone
	}
	for _, our := range differencePath.FindAllStringSubmatch(ours, -1) {
		for _, their := range all[1:] {
			if strings.HasPrefix(our[1], their[1]) || strings.HasPrefix(their[1], our[1]) {
				return true
			}
		}
	}
	return false
}

// listedDifferences are the rows of the table in docs/KARATE.md: a file and a
// scenario, in one cell each.
func listedDifferences(t *testing.T) map[string]bool {
	page, err := os.ReadFile(filepath.Join("..", "docs", "KARATE.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([\\w-]+\\.feature)` \\| (.+?) \\| .+ \\|$").FindAllStringSubmatch(string(page), -1) {
		listed[m[1]+": "+strings.ReplaceAll(m[2], `\|`, "|")] = false
	}
	return listed
}

func runCorpus(t *testing.T, corpus, url string) map[string][]outcome {
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	result, err := feature.Run(ctx, feature.Options{
		Dir: corpus, Tags: []string{"~@ignore"}, Properties: map[string]string{"corpus.prop": "given", "corpus.url": url}, Output: "-", Threads: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	return outcomes(t, result)
}

// outcomes are how the scenarios of each file ended.
func outcomes(t *testing.T, result *feature.Result) map[string][]outcome {
	all := map[string][]outcome{}
	for _, f := range result.Files {
		if f.Broken != nil {
			t.Errorf("%s: %s", f.Broken.Path, f.Broken.Error)
			continue
		}
		for _, s := range f.Scenarios {
			o := outcome{name: s.Name, failed: s.Status == "failed", message: s.Error}
			for _, step := range s.Steps {
				if step.Status == "failed" && o.line == 0 {
					o.line = step.Line
				}
			}
			all[filepath.Base(f.Feature.Path)] = append(all[filepath.Base(f.Feature.Path)], o)
		}
	}
	return all
}

func runKarate(t *testing.T, library, corpus, url string, properties ...string) map[string][]outcome {
	out := t.TempDir()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "java", append(properties, "-Dcorpus.prop=given", "-Dcorpus.url="+url, "-cp", library+string(os.PathListSeparator)+corpus,
		"com.intuit.karate.Main", "-t", "~@ignore", "-o", out, "-f", "~html", corpus)...)
	cmd.Dir = out
	log, err := cmd.CombinedOutput()
	files, _ := filepath.Glob(filepath.Join(out, "karate-reports", "*.karate-json.txt"))
	if len(files) == 0 {
		t.Fatalf("Karate wrote no results: %v\n%s", err, log)
	}
	all := map[string][]outcome{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var result struct {
			RelativePath    string
			ScenarioResults []struct {
				Name        string
				Failed      bool
				StepResults []struct {
					Step   struct{ Line int }
					Result struct{ Status, ErrorMessage string }
				}
			}
		}
		if err := json.Unmarshal(text, &result); err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(result.RelativePath)
		for _, s := range result.ScenarioResults {
			o := outcome{name: s.Name, failed: s.Failed}
			for _, step := range s.StepResults {
				if step.Result.Status == "failed" && o.message == "" {
					o.line, o.message = step.Step.Line, step.Result.ErrorMessage
				}
			}
			all[name] = append(all[name], o)
		}
	}
	return all
}

// karate gives the class path of real Karate, which comes from Maven Central once
// and stays in the cache.
func karate(t *testing.T) string {
	cmd := exec.CommandContext(t.Context(), filepath.Join("..", "scripts", "fetch-karate.sh"))
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed) && failed.ExitCode() == 3:
		t.Skip(strings.TrimSpace(trouble.String()))
	case err != nil:
		t.Fatalf("Karate cannot be fetched: %v\n%s", err, trouble.String())
	}
	return strings.TrimSpace(string(out))
}
