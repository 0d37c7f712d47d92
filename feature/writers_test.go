package feature

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"rove/report"
)

// TestPutAside: reports are the same, whether results waited for their file's end
// in memory or on disk.
func TestPutAside(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	play := func(most int64) (dir string, list []*report.Scenario) {
		dir = t.TempDir()
		made, err := report.Writers(dir, []string{"~jsonl"})
		if err != nil {
			t.Fatal(err)
		}
		w := &writers{all: made, lines: &report.Lines{Dir: dir, Hidden: true}, most: most}
		w.all = append(w.all, w.lines)
		w.begin(report.Suite{Threads: 1, Start: start})
		f := &report.Feature{Path: "a/b.feature", Name: "b"}
		for i, status := range []report.Status{report.Passed, report.Failed, report.Flaky} {
			inner := &report.Scenario{Name: "inner", Line: 3, Status: report.Passed, Steps: []*report.Step{{Line: 4, Keyword: "*", Text: "print 1", Status: report.Passed, Log: "1"}}}
			s := &report.Scenario{Feature: f, Name: "s", Line: 5 + i, Section: i + 1, Status: status, Start: start, Time: time.Second, Thread: 1, Attempt: 1, Tags: []string{"@id=1"}, Steps: []*report.Step{
				{Line: 6, Keyword: "Given", Text: "url 'x'", Background: true, Status: report.Passed, Start: start, Exchanges: []report.Exchange{{Method: "GET", URL: "http://x", Status: 200, ResponseBody: `{"a":1}`}}},
				{Line: 7, Keyword: "*", Text: "call read('c.feature')", Status: status, Start: start, Embeds: []report.Embed{{Type: "image/png", Data: []byte{1, 2, 3}}}, Calls: []*report.Call{{Feature: &report.Feature{Path: "c.feature"}, Scenarios: []*report.Scenario{inner}}}},
			}}
			if status == report.Failed {
				s.Error, s.ErrorPath, s.ErrorLine, s.Variables = "a <b> & c", "a/b.feature", 7, []report.Variable{{Name: "v", Value: "1"}}
			}
			w.scenario(s)
			w.spare(s)
			if s.Aside != (most == 1) {
				t.Errorf("with %d bytes, put aside is %v", most, s.Aside)
			}
			list = append(list, s)
		}
		w.feature(f, list)
		w.end(report.Summary{Suite: report.Suite{Start: start}, Time: time.Second, Passed: 2, Failed: 1, Features: 1})
		if err := w.err(); err != nil {
			t.Fatal(err)
		}
		if w.held != 0 {
			t.Errorf("%d bytes are held in the end", w.held)
		}
		return dir, list
	}
	disk, list := play(1)
	memory, _ := play(1 << 30)
	for _, s := range list {
		if !s.Aside || s.Steps != nil || s.Feature == nil || s.Line == 0 {
			t.Errorf("what stays of a result: %+v", s)
		}
	}
	names, err := os.ReadDir(memory)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, e := range names {
		if e.IsDir() || !strings.HasPrefix(e.Name(), "a.b.") {
			if strings.HasSuffix(e.Name(), report.LinesName) {
				t.Errorf("%s is still there", e.Name())
			}
			continue
		}
		seen++
		a, err := os.ReadFile(filepath.Join(disk, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(memory, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if string(a) != string(b) {
			t.Errorf("%s differs:\n%s\n%s", e.Name(), a, b)
		}
	}
	if seen != 4 {
		t.Errorf("%d files of the feature, expected 4", seen)
	}
}

// TestReportsAloneAreTheSame: JUnit tells the same where it is the only report, and
// steps go as soon as their scenario has ended.
func TestReportsAloneAreTheSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "Feature: a\n\nScenario: one\n* def a = '<&>'\n* match a == '<&>'\n\nScenario: two\n* def a = 1\n* match a == 2\n* print a\n"
	if err := os.WriteFile(filepath.Join(dir, "a.feature"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	times := regexp.MustCompile(`time(stamp)?="[^"]*"`)
	var got []string
	for _, formats := range []string{"junit", "junit,html"} {
		out := filepath.Join(dir, strings.ReplaceAll(formats, ",", "-"))
		r, err := Run(t.Context(), Options{Dir: dir, Output: out, Formats: formats, Threads: 1})
		if err != nil || r.Trouble != nil || r.Passed != 1 || r.Failed != 1 {
			t.Fatal(err, r)
		}
		for _, s := range r.Files[0].Scenarios {
			if !s.Aside || s.Steps != nil {
				t.Errorf("%s: the steps of %q are still there", formats, s.Name)
			}
		}
		b, err := os.ReadFile(filepath.Join(out, "a.xml"))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, times.ReplaceAllString(string(b), ""))
	}
	if got[0] != got[1] || !strings.Contains(got[0], "&lt;&amp;&gt;") || !strings.Contains(got[0], "... failed") {
		t.Errorf("alone:\n%s\nbeside others:\n%s", got[0], got[1])
	}
}
