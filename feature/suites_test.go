package feature_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rove/feature"
	"rove/report"
)

// TestSuites runs the suites of testdata/suites. Each is an archive of files;
// "options" says how to run it, "want" has the results, line by line: a line stands
// for the beginning of a result, and "… text" for something the one before it says.
func TestSuites(t *testing.T) {
	t.Parallel()
	all, err := filepath.Glob("testdata/suites/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatal("no suites", err)
	}
	for _, path := range all {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var pairs []string
			want, options := "", ""
			for _, f := range archive.Files {
				switch f.Name {
				case "want":
					want = string(f.Data)
				case "options":
					options = string(f.Data)
				default:
					pairs = append(pairs, f.Name, string(f.Data))
				}
			}
			opts := suiteOptions(t, options)
			opts.Dir = files(t, pairs...)
			opts.Output = "-"
			counts := &counted{}
			opts.Writers = []report.Writer{counts}
			r, err := feature.Run(context.Background(), opts)
			if s := counts.end; err == nil && s.Passed+s.Failed+s.Flaky+s.Skipped != counts.scenarios {
				t.Errorf("reports are told of %d scenarios, and of %+v", counts.scenarios, s)
			}
			got := ""
			if err != nil {
				got = "error " + err.Error() + "\n"
			} else {
				got = told(r)
				if r.Config != "" {
					got += "config " + r.Config + "\n"
				}
				if r.Interrupted != "" {
					got += "interrupted " + r.Interrupted + "\n"
				}
			}
			if missing := lacks(got, want); missing != "" {
				t.Errorf("no %q in\n%s", missing, got)
			}
			if n := strings.Count("\n"+want, "\npassed") + strings.Count("\n"+want, "\nflaky"); n != strings.Count("\n"+got, "\npassed")+strings.Count("\n"+got, "\nflaky") {
				t.Errorf("%d passed are wanted:\n%s", n, got)
			}
		})
	}
}

// counted is a report that counts.
type counted struct {
	scenarios int
	end       report.Summary
}

func (c *counted) Begin(report.Suite) error                      { return nil }
func (c *counted) Scenario(*report.Scenario) error               { c.scenarios++; return nil }
func (c *counted) Feature(*report.Feature, report.Results) error { return nil }
func (c *counted) End(s report.Summary) error                    { c.end = s; return nil }

func suiteOptions(t *testing.T, text string) feature.Options {
	opts := feature.Options{Properties: map[string]string{}}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "path":
			opts.Paths = append(opts.Paths, value)
		case "tags":
			opts.Tags = append(opts.Tags, value)
		case "name":
			opts.Name = value
		case "env":
			opts.Env = value
		case "classpath":
			opts.Classpath = append(opts.Classpath, value)
		case "config-dir":
			opts.ConfigDir = value
		case "define":
			k, v, _ := strings.Cut(value, "=")
			opts.Properties[k] = v
		case "threads":
			opts.Threads, _ = strconv.Atoi(value)
		case "retry":
			opts.Retry, _ = strconv.Atoi(value)
		case "shard":
			opts.Shard = value
		case "fail-fast":
			opts.FailFast = true
		case "dry-run":
			opts.DryRun = true
		case "":
		default:
			t.Fatalf("no option %q", name)
		}
	}
	return opts
}

// lacks gives the first wanted line that is not there, in order.
func lacks(got, want string) string {
	for line := range strings.Lines(want) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			continue
		}
		text, inner := strings.CutPrefix(line, "… ")
		at := strings.Index("\n"+got, "\n"+text)
		if inner {
			at = strings.Index(got, text)
		}
		if at < 0 {
			return line
		}
		got = got[min(at+len(text), len(got)):]
	}
	return ""
}

func TestSuiteOrderIsThatOfTheFiles(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("Feature: many\n")
	for i := range 40 {
		fmt.Fprintf(&b, "Scenario: number %02d\n* karate.pause(%d)\n", i, (40-i)%7)
	}
	dir := files(t, "many.feature", b.String())
	r := run(t, feature.Options{Dir: dir, Threads: 8})
	for i, s := range r.Files[0].Scenarios {
		if s.Name != fmt.Sprintf("number %02d", i) {
			t.Fatalf("place %d has %s", i, s.Name)
		}
	}
	if len(r.Files[0].Scenarios) != 40 {
		t.Errorf("%d of 40", len(r.Files[0].Scenarios))
	}
}

func TestReportsAreWrittenWhateverHappens(t *testing.T) {
	t.Parallel()
	dir := files(t, "a.feature", "Feature:\nScenario: waits\n* karate.pause(60000)\nScenario: quick\n* def x = 1\n", "broken.feature", "Scenario: no feature\n")
	ctx, cancel := context.WithCancel(t.Context())
	r, err := feature.Run(ctx, feature.Options{Dir: dir, Threads: 2, Output: "out", Progress: func(p feature.Progress) {
		if p.Ended != nil && p.Ended.Name == "quick" {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Interrupted != "interrupted" || r.Passed != 1 {
		t.Errorf("%q, %d passed", r.Interrupted, r.Passed)
	}
	for _, name := range []string{"out/a.xml", "out/a.json", "out/karate-summary.html"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestReportsThatCannotBeWrittenAreTold(t *testing.T) {
	t.Parallel()
	dir := files(t, "a.feature", "Feature:\nScenario: passes\n* def x = 1\n", "out", "a file where the folder should be")
	r, err := feature.Run(t.Context(), feature.Options{Dir: dir, Output: "out"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Trouble == nil || strings.Contains(r.Trouble.Error(), "\n") || !r.Unwritten || r.Passed != 1 {
		t.Errorf("trouble %v, unwritten %v, %d passed", r.Trouble, r.Unwritten, r.Passed)
	}
}

func TestOnlyWhatFailedRunsAgain(t *testing.T) {
	t.Parallel()
	dir := files(t, "a.feature", "Feature:\nScenario: passes\n* def x = 1\nScenario: fails\n* match karate.properties['mended'] == 'yes'\n", "b.feature", "Feature:\nScenario: passes too\n* def x = 1\n")
	r, err := feature.Run(t.Context(), feature.Options{Dir: dir})
	if err != nil || r.Failed != 1 || r.Passed != 2 {
		t.Fatalf("%v\n%s", err, told(r))
	}
	r, err = feature.Run(t.Context(), feature.Options{Dir: dir, RerunFailed: true, Properties: map[string]string{"mended": "yes"}})
	if err != nil || told(r) != "passed a.feature fails\n" {
		t.Errorf("%v\n%s", err, told(r))
	}
}

func TestPicturesOfFailuresAreFilesAtOnce(t *testing.T) {
	t.Parallel()
	dir := files(t, "a.feature", "Feature:\nScenario: fails\n* call read('b.feature')\n", "b.feature",
		"@ignore\nFeature:\nScenario:\n* eval karate.embed(karate.toBytes([137, 80, 78, 71]), 'image/png'); throw 'no'\n")
	var seen string
	r, err := feature.Run(t.Context(), feature.Options{Dir: dir, Output: "out", Progress: func(p feature.Progress) {
		if p.Ended != nil {
			seen = p.Picture
		}
	}})
	if err != nil || r.Failed != 1 {
		t.Fatalf("%v\n%s", err, told(r))
	}
	if b, err := os.ReadFile(seen); err != nil || string(b) != "\x89PNG" {
		t.Errorf("%q: %v %q", seen, err, b)
	}
}

// TestReportSetting: configure report leaves logs and quiet steps out.
func TestReportSetting(t *testing.T) {
	t.Parallel()
	dir := files(t, "a.feature", `Feature:
Scenario: all
* print 'seen'
* def a = 1
Scenario: no logs
* configure report = { showLog: false }
* print 'not seen'
Scenario: no stars
* configure report = { showAllSteps: false }
* print 'seen'
* def quiet = 1
Given def loud = 1
Scenario: nothing
* configure report = false
* print 'not seen'
* def quiet = 1
`)
	r, err := feature.Run(t.Context(), feature.Options{Dir: dir, Output: "-", Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Files[0].Scenarios {
		if s.Status != "passed" {
			t.Errorf("%s: %s", s.Name, s.Error)
		}
		for _, st := range s.Steps {
			if strings.Contains(st.Log, "not seen") || strings.HasPrefix(st.Text, "print 'seen'") && st.Log == "" {
				t.Errorf("%s: %s: the log is %q", s.Name, st.Text, st.Log)
			}
			if want := strings.HasPrefix(st.Text, "def quiet") || strings.HasPrefix(st.Text, "configure report = { showAll") || st.Text == "configure report = false"; st.Quiet != want {
				t.Errorf("%s: %s: quiet is %v", s.Name, st.Text, st.Quiet)
			}
		}
	}
}

// TestHooks: which hooks run when, once each, and none of a feature that is called.
func TestHooks(t *testing.T) {
	t.Parallel()
	dir := files(t, "a.feature", `Feature: hooks
Background:
* configure afterScenario = function(){ karate.log('after-scenario ' + karate.scenario.name) }
* configure afterScenarioOutline = function(){ karate.log('after-outline ' + karate.scenarioOutline.name) }
* configure afterFeature = function(){ karate.log('after-feature ' + karate.feature.fileName) }
Scenario: first
* def a = 1
Scenario Outline: row <n>
* def a = <n>
Examples:
| n |
| 1 |
| 2 |
Scenario: calls
* def r = call read('called.feature')
* match r.b == 2
Scenario: fails
* match 1 == 2
`, "called.feature", "@ignore\nFeature: called\nScenario: inner\n* configure afterScenario = function(){ karate.log('after-scenario inner') }\n* def b = 2\n")
	r, err := feature.Run(t.Context(), feature.Options{Dir: dir, Output: "-", Threads: 2, Tags: []string{"~@ignore"}})
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	for _, s := range r.Files[0].Scenarios {
		for _, st := range s.Steps {
			log.WriteString(st.Log + "\n")
		}
	}
	for _, want := range []string{"after-scenario first", "after-scenario row 1", "after-scenario row 2", "after-scenario calls", "after-scenario fails", "after-outline row", "after-feature a.feature"} {
		if n := strings.Count(log.String(), want); n != 1 {
			t.Errorf("%q is told %d times\n%s", want, n, log.String())
		}
	}
	if strings.Contains(log.String(), "inner") || r.Passed != 4 || r.Failed != 1 {
		t.Errorf("%d passed, %d failed\n%s", r.Passed, r.Failed, log.String())
	}
}

// TestWatchTakesNoReportForAChange: a run that writes its reports beside the features
// is not followed by another.
func TestWatchTakesNoReportForAChange(t *testing.T) {
	t.Parallel()
	dir := files(t, "a.feature", "Feature:\nScenario: passes\n* def x = 1\n")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	runs := make(chan *feature.Result, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = feature.Watch(ctx, feature.Options{Dir: dir, Output: "out"}, func(r *feature.Result, _ error) { runs <- r })
	}()
	<-runs
	select {
	case <-runs:
		t.Error("it ran again though nothing changed")
	case <-time.After(time.Second):
	}
	if err := os.WriteFile(filepath.Join(dir, "b.feature"), []byte("Feature:\nScenario: too\n* def y = 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := <-runs; r == nil || r.Passed != 2 {
		t.Errorf("after a new file: %+v", r)
	}
	cancel()
	<-done
}
