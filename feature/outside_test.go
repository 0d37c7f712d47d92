package feature_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rove/feature"
)

// TestReportsOutside has programs of others read the reports of the corpus:
// junitparser from the Python package index, a Cucumber reporter and axe from npm.
// See make outside; what a machine lacks is skipped.
func TestReportsOutside(t *testing.T) {
	if os.Getenv("ROVE_OUTSIDE") == "" {
		t.Skip("programs of others are run by make outside, which sets ROVE_OUTSIDE")
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	server := httptest.NewServer(corpusServer())
	defer server.Close()
	dir := t.TempDir()
	result, err := feature.Run(ctx, feature.Options{
		Dir: filepath.Join("testdata", "karate"), Paths: []string{"calls.feature", "data-json.feature", "http.feature", "match-equals.feature", "mended.feature", "outlines.feature", "xml.feature"},
		Tags: []string{"~@ignore"}, Properties: map[string]string{"corpus.prop": "given", "corpus.url": server.URL}, Output: dir, Threads: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	if result.Failed == 0 || result.Passed == 0 {
		t.Fatalf("%d passed and %d failed: reports of both are wanted", result.Passed, result.Failed)
	}
	t.Run("junitparser", func(t *testing.T) { readByJunitparser(t, ctx, dir, result) })
	t.Run("cucumber", func(t *testing.T) { readByCucumber(t, ctx, dir, result) })
	t.Run("axe", func(t *testing.T) { readByAxe(t, ctx, dir) })
}

// counts are what a program of others found in the reports.
type counts struct{ Tests, Failures, Passed int }

func (c counts) compare(t *testing.T, r *feature.Result) {
	t.Helper()
	if want := (counts{r.Passed + r.Failed + r.Skipped, r.Failed, r.Passed}); c != want {
		t.Errorf("it read %+v, expected %+v", c, want)
	}
}

func readByJunitparser(t *testing.T, ctx context.Context, dir string, r *feature.Result) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	venv := filepath.Join(t.TempDir(), "venv")
	if out, err := exec.CommandContext(ctx, python, "-m", "venv", venv).CombinedOutput(); err != nil {
		t.Skipf("no venv can be made: %s", out)
	}
	python = filepath.Join(venv, "bin", "python")
	if out, err := exec.CommandContext(ctx, python, "-m", "pip", "install", "-q", "junitparser").CombinedOutput(); err != nil {
		t.Skipf("junitparser cannot be fetched: %s", out)
	}
	const script = `
import glob, json, sys
from junitparser import JUnitXml, TestSuite, Failure
c = dict(Tests=0, Failures=0, Passed=0)
for f in glob.glob(sys.argv[1] + '/*.xml'):
    whole = JUnitXml.fromfile(f)
    for suite in [whole] if isinstance(whole, TestSuite) else whole:
        seen = failed = 0
        for case in suite:
            assert case.classname and case.name and case.time >= 0, f
            seen += 1
            failed += any(isinstance(r, Failure) for r in case.result)
        assert seen == suite.tests and failed == suite.failures, f
        c['Tests'] += seen; c['Failures'] += failed; c['Passed'] += seen - failed
print(json.dumps(c))
`
	out, err := exec.CommandContext(ctx, python, "-c", script, dir).CombinedOutput()
	var got counts
	if err != nil || json.Unmarshal(out, &got) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got.compare(t, r)
}

// fromNpm fetches a package, and gives the folder it is in.
func fromNpm(t *testing.T, ctx context.Context, name string) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("there is no npm")
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(ctx, npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", dir, name)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("%s cannot be fetched: %s", name, out)
	}
	return filepath.Join(dir, "node_modules", name)
}

func readByCucumber(t *testing.T, ctx context.Context, dir string, r *feature.Result) {
	reporter := fromNpm(t, ctx, "multiple-cucumber-html-reporter")
	to := t.TempDir()
	script := fmt.Sprintf("require(%q).generate({ jsonDir: %q, reportPath: %q, saveCollectedJSON: true, disableLog: true })", reporter, dir, to)
	if out, err := exec.CommandContext(ctx, "node", "-e", script).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(to, "enriched-output.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Scenarios struct{ Total, Failed, Passed int }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	counts{got.Scenarios.Total, got.Scenarios.Failed, got.Scenarios.Passed}.compare(t, r)
}

// readByAxe looks at the pages in a real browser, in the light and in the dark, as
// a feature does.
func readByAxe(t *testing.T, ctx context.Context, dir string) {
	axe := fromNpm(t, ctx, "axe-core")
	work := t.TempDir()
	text := `Feature: axe

  Scenario Outline: <page> <scheme>
    * configure driver = { type: 'chrome', headless: true }
    * driver site + '/<page>'
    * driver.emulate({ colorScheme: '<scheme>' })
    * script(karate.readAsString('axe.min.js') + '; 1')
    * def found = scriptAwait("axe.run().then(r => r.violations.filter(v => v.impact == 'serious' || v.impact == 'critical').map(v => v.id + ': ' + v.nodes[0].html))")
    * match found == []

    Examples:
      | page | scheme |
`
	for _, page := range []string{"karate-summary.html", "karate-timeline.html", "karate-tags.html", "http.html", "mended.html", "outlines.html"} {
		if _, err := os.Stat(filepath.Join(dir, page)); err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("      | %s | light |\n      | %s | dark |\n", page, page)
	}
	if err := os.WriteFile(filepath.Join(work, "axe.feature"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(axe, "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, "axe.min.js"), source, 0o600); err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf("({ site: 'file://%s' })", filepath.ToSlash(dir))
	if err := os.WriteFile(filepath.Join(work, "karate-config.js"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := feature.Run(ctx, feature.Options{Dir: work, Output: "-", Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		for _, s := range f.Scenarios {
			if s.Error != "" {
				t.Errorf("%s: %s", s.Name, strings.TrimSpace(s.Error))
			}
		}
	}
	if r.Passed != 12 {
		t.Errorf("%d pages passed, expected 12", r.Passed)
	}
}
