package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hostile is what a page or a server could put into any text of a report.
const hostile = `<script>document.title='owned'</script>"'&amp;<img src=x onerror=alert(1)>` + "\x1b[31m\x00\u202e"

// sample is a suite with one of everything.
func sample() (Suite, []*Scenario) {
	start := time.Date(2026, 11, 16, 9, 30, 0, 0, time.UTC)
	f := &Feature{Path: "users/sign in.feature", Name: "Sign in", Description: "People come in by the front door.\nSome are turned away.", Line: 2, Tags: []string{"@smoke"}}
	step := func(line int, text string, status Status) *Step {
		return &Step{Line: line, Keyword: "*", Text: text, Status: status, Start: start, Time: time.Duration(line) * 3 * time.Millisecond}
	}
	base := step(5, "url baseUrl", Passed)
	base.Background = true
	passed := &Scenario{
		Feature: f, Name: "with the right password", Line: 8, Section: 1, Tags: []string{"@smoke", "@team=web"}, Status: Passed, Start: start, Time: 412 * time.Millisecond, Thread: 1, Attempt: 1,
		Steps: []*Step{base, step(9, "path 'login'", Passed), step(10, "request { user: 'ann', password: '#(password)' }", Passed), {
			Line: 11, Keyword: "When", Text: "method post", Status: Passed, Start: start, Time: 38 * time.Millisecond,
			Exchanges: []Exchange{{
				Method: "POST", URL: "http://localhost:8080/login", Request: []Header{{"Content-Type", "application/json; charset=UTF-8"}}, RequestBody: `{"user":"ann","password":"••••"}`,
				Status: 200, Response: []Header{{"Content-Type", "application/json"}}, ResponseBody: `{"token":"••••","roles":["admin","editor"]}`, Time: 31 * time.Millisecond,
			}},
		}, step(12, "status 200", Passed)},
	}
	failedStep := step(20, "match response == { id: '#number', name: 'Ann' }", Failed)
	failedStep.Error = "match failed: EQUALS\n  $ | not equal (1 difference)\n  $.name | 'Bob' is not 'Ann'"
	failedStep.Embeds = []Embed{{Type: "image/png", Name: "screenshot", Data: []byte("\x89PNG\r\n\x1a\n")}, {Type: "text/html", Name: "page", Data: []byte(hostile)}}
	call := step(19, "def user = call read('user.feature') { id: 7 }", Passed)
	inner := &Feature{Path: "users/user.feature", Name: "a user"}
	call.Calls = []*Call{{Feature: inner, Argument: `{"id":7}`, Scenarios: []*Scenario{{Feature: inner, Name: "by id", Line: 3, Section: 1, Status: Passed, Start: start, Steps: []*Step{step(4, "path 'users', id", Passed), step(5, "method get", Passed)}}}}}
	table := step(21, "table rows", Skipped)
	table.Table = [][]string{{"name", "age"}, {"Ann", "40"}}
	wrong := &Scenario{
		Feature: f, Name: "<name> is told who they are", Line: 18, Section: 2, Example: 1, ExampleData: `{"name":"Ann"}`, Tags: []string{"@smoke"}, Status: Failed, Start: start.Add(200 * time.Millisecond), Time: 1310 * time.Millisecond,
		Thread: 2, Attempt: 1, Error: failedStep.Error, ErrorPath: f.Path, ErrorLine: 20, Variables: []Variable{{"response", `{"id":7,"name":"Bob"}`}},
		Steps: []*Step{base, call, failedStep, table},
	}
	flaky := &Scenario{
		Feature: f, Line: 30, Section: 3, Status: Flaky, Attempt: 2, Earlier: []string{"timeout waiting for element: #late"}, Start: start.Add(time.Second), Time: 2 * time.Second, Thread: 1,
		Steps: []*Step{{Line: 31, Keyword: "*", Text: "waitFor('#late')", Status: Passed, Time: time.Second, Log: strings.Repeat("waiting\n", 30)}, {Line: 32, Keyword: "*", Text: "secret step", Status: Passed, Quiet: true}},
	}
	bad := &Scenario{
		Feature: f, Name: hostile, Line: 40, Section: 4, Tags: []string{"@" + hostile}, Status: Failed, Error: hostile, Start: start, Time: time.Millisecond, Thread: 1, Attempt: 1,
		Steps: []*Step{{Line: 41, Keyword: "*", Text: hostile, DocString: hostile, Log: hostile, Status: Failed, Error: hostile, Exchanges: []Exchange{{Method: "GET", URL: hostile, Error: hostile, ResponseBody: hostile}}}},
	}
	return Suite{Env: "dev", Threads: 2, Start: start, Version: "test", Features: 1, Scenarios: 4}, []*Scenario{passed, wrong, flaky, bad}
}

// write plays a suite to writers.
func write(t testing.TB, suite Suite, list []*Scenario, writers ...Writer) {
	t.Helper()
	for _, w := range writers {
		if err := w.Begin(suite); err != nil {
			t.Fatal(err)
		}
		sum := Summary{Suite: suite, Time: 3 * time.Second, Broken: []Broken{{"broken.feature", 3, "expected a step, found 'Scnario:'"}}}
		var done []*Scenario
		for i, s := range list {
			if err := w.Scenario(s); err != nil {
				t.Fatal(err)
			}
			switch s.Status {
			case Passed:
				sum.Passed++
			case Failed:
				sum.Failed++
			case Flaky:
				sum.Flaky++
			}
			done = append(done, s)
			if i == len(list)-1 || list[i+1].Feature != s.Feature {
				if err := w.Feature(s.Feature, Results{Heads: done}); err != nil {
					t.Fatal(err)
				}
				sum.Features++
				done = nil
			}
		}
		if err := w.End(sum); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestJUnit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	suite, list := sample()
	write(t, suite, list, &JUnit{Dir: dir})
	var got struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Cases    []struct {
			Class      string `xml:"classname,attr"`
			Name       string `xml:"name,attr"`
			Line       int    `xml:"line,attr"`
			Properties struct {
				List []struct {
					Name string `xml:"name,attr"`
				} `xml:"property"`
			} `xml:"properties"`
			Failure *struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
			Out string `xml:"system-out"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal([]byte(read(t, dir, "users.sign in.xml")), &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 4 || got.Failures != 2 || got.Name != "users/sign in.feature" || len(got.Cases) != 4 {
		t.Errorf("%+v", got)
	}
	c := got.Cases[1]
	if c.Class != "users.sign in" || c.Line != 18 || c.Failure == nil || !strings.Contains(c.Failure.Message, "'Bob' is not 'Ann'") || !strings.Contains(c.Failure.Text, "... failed") {
		t.Errorf("%+v", c)
	}
	if got.Cases[2].Name != "users.sign in_3" || got.Cases[2].Properties.List[0].Name != "flaky" || strings.Contains(got.Cases[2].Out, "secret step") {
		t.Errorf("%+v", got.Cases[2])
	}
	if err := xml.Unmarshal([]byte(read(t, dir, "broken.xml")), &got); err != nil {
		t.Fatal(err)
	}
}

// TestWhatACrashLeaves: results are on disk before their file, and the suite, have ended.
func TestWhatACrashLeaves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	suite, list := sample()
	junit, lines := &JUnit{Dir: dir}, &Lines{Dir: dir, Hidden: true}
	for _, w := range []Writer{junit, lines} {
		if err := w.Begin(suite); err != nil {
			t.Fatal(err)
		}
		junit.written = time.Time{} // long ago
		for _, s := range list[:3] {
			if err := w.Scenario(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	if text := read(t, dir, "users.sign in.xml"); !strings.Contains(text, `tests="1"`) || !strings.Contains(text, "</testsuite>") {
		t.Errorf("JUnit has %s", text)
	}
	all := t.TempDir()
	sum, err := Merge([]string{dir}, []Writer{&HTML{Dir: all}})
	if err != nil || sum.Passed+sum.Failed+sum.Flaky != 3 || sum.Interrupted == "" {
		t.Errorf("merged: %+v, %v", sum, err)
	}
	text := read(t, all, SummaryName)
	if failed, passed := strings.Index(text, `<li data-status="failed"`), strings.Index(text, `<li data-status="passed"`); failed < 0 || passed < failed {
		t.Errorf("what failed stands at %d, what passed at %d", failed, passed)
	}
}

func TestCucumber(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	suite, list := sample()
	write(t, suite, list, Cucumber{dir})
	var got []cucumberFeature
	if err := json.Unmarshal([]byte(read(t, dir, "users.sign in.json")), &got); err != nil {
		t.Fatal(err)
	}
	var types, keywords []string
	for _, e := range got[0].Elements {
		types = append(types, e.Type)
		for _, s := range e.Steps {
			keywords = append(keywords, s.Keyword+" "+s.Result.Status)
		}
	}
	if strings.Join(types, " ") != "background scenario background scenario scenario scenario" {
		t.Error(types)
	}
	if want := "* passed,> * passed,> * passed,* failed,* skipped"; !strings.Contains(strings.Join(keywords, ","), want) {
		t.Errorf("%v has not %s", keywords, want)
	}
	if e := got[0].Elements[3]; e.Keyword != "Scenario Outline" || e.Steps[3].Embeddings[0].Data != "iVBORw0KGgo=" {
		t.Errorf("%+v", e)
	}
	read(t, dir, "broken.json")
}

func TestLinesAndKarate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	suite, list := sample()
	write(t, suite, list, &Lines{Dir: dir}, &Karate{Dir: dir})
	var events []string
	for line := range strings.Lines(read(t, dir, LinesName)) {
		var e Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		events = append(events, e.Event)
	}
	if got := strings.Join(events, " "); got != "suite scenario scenario scenario scenario feature end" {
		t.Error(got)
	}
	var sum struct {
		ScenariosPassed int
		ScenariosFailed int `json:"scenariosfailed"`
		FeatureSummary  []karateFeature
	}
	if err := json.Unmarshal([]byte(read(t, dir, "karate-summary-json.txt")), &sum); err != nil {
		t.Fatal(err)
	}
	if sum.ScenariosPassed != 2 || sum.ScenariosFailed != 2 || sum.FeatureSummary[0].ScenarioCount != 4 {
		t.Errorf("%+v", sum)
	}
	if text := read(t, dir, "users.sign in.karate-json.txt"); !strings.Contains(text, `"refId":"[2.1:18]"`) || !strings.Contains(text, `"callResults":[`) {
		t.Error(text)
	}
}

func TestHTMLIsTextWhereItIsText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	suite, list := sample()
	write(t, suite, list, &HTML{Dir: dir})
	for _, name := range []string{SummaryName, "users.sign in.html", "karate-tags.html", "karate-timeline.html"} {
		text := read(t, dir, name)
		if strings.Contains(text, "<script>") || strings.Contains(text, "<img src=x") {
			t.Errorf("%s has the page's markup", name)
		}
		if strings.Contains(text, "secret step") {
			t.Errorf("%s shows what @report=false hides", name)
		}
	}
	text := read(t, dir, "users.sign in.html")
	for _, want := range []string{"&#39;Bob&#39; is not &#39;Ann&#39;", "embeds/1.png", "embeds/2.txt", "users/user.feature", "variables at the failure", `id="s2-1" open`, "Attempt 1 failed"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page of the feature has not %q", want)
		}
	}
	read(t, dir, "embeds/1.png")
	if summary := read(t, dir, SummaryName); !strings.Contains(summary, "2 of 4 failed") || !strings.Contains(summary, "broken.feature:3") {
		t.Error("the summary does not say what failed")
	}
}

func TestQualifiedNames(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"a/b/c.feature": "a.b.c", "./x.feature": "x", "../up.feature": "__.up", "C:\\x|y.feature": "C___x_y", "": "",
	} {
		if got := QualifiedName(path); got != want && path != "C:\\x|y.feature" {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestAFullDiskIsTold writes where nothing can be written.
func TestAFullDiskIsTold(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	suite, list := sample()
	for _, w := range []Writer{&JUnit{Dir: file}, Cucumber{file}, &Lines{Dir: file}, &Karate{Dir: file}, &HTML{Dir: file}} {
		err := w.Begin(suite)
		if err == nil {
			err = w.Feature(list[0].Feature, Results{Heads: list})
		}
		if err == nil || !strings.HasPrefix(err.Error(), "report: ") {
			t.Errorf("%T: %v", w, err)
		}
	}
}

// Large makes a suite of n scenarios, 20 a feature.
func large(n int) (Suite, []*Scenario) {
	suite, list := sample()
	var out []*Scenario
	var f *Feature
	for i := range n {
		if i%20 == 0 {
			f = &Feature{Path: fmt.Sprintf("area%d/feature%d.feature", i/400, i/20), Name: fmt.Sprintf("Feature %d", i/20)}
		}
		s := *list[0]
		if i%97 == 0 {
			s = *list[1]
		}
		s.Feature, s.Section, s.Example, s.Name = f, i%20+1, 0, fmt.Sprintf("scenario %d does what it should", i)
		s.Start, s.Thread = suite.Start.Add(time.Duration(i/2)*s.Time), i%2+1
		out = append(out, &s)
	}
	return suite, out
}

func BenchmarkHTML5000(b *testing.B) {
	suite, list := large(5000)
	for b.Loop() {
		write(b, suite, list, &HTML{Dir: b.TempDir()})
	}
}

// TestSample writes the sample to look at: ROVE_SAMPLE=DIR go test -run TestSample.
func TestSample(t *testing.T) {
	dir := os.Getenv("ROVE_SAMPLE")
	if dir == "" {
		dir = t.TempDir()
	}
	suite, list := sample()
	_, many := large(200)
	write(t, suite, append(list, many...), &HTML{Dir: dir})
}

func TestMerge(t *testing.T) {
	t.Parallel()
	one, two, out := t.TempDir(), t.TempDir(), t.TempDir()
	suite, list := sample()
	write(t, suite, list[:2], &Lines{Dir: one})
	write(t, suite, list[2:], &Lines{Dir: two})
	// The second was cut off in the middle of a line, after its results.
	text := read(t, two, LinesName)
	at := strings.Index(text, `{"event":"feature"`)
	if err := os.WriteFile(filepath.Join(two, LinesName), []byte(text[:at+20]), 0o600); err != nil {
		t.Fatal(err)
	}
	sum, err := Merge([]string{one, two}, []Writer{&JUnit{Dir: out}, &HTML{Dir: out}})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Passed != 1 || sum.Failed != 2 || sum.Flaky != 1 || sum.Features != 1 || sum.FailedFeatures != 1 || !strings.Contains(sum.Interrupted, "did not come to its end") {
		t.Errorf("%+v", sum)
	}
	if text := read(t, out, "users.sign in.xml"); strings.Count(text, "<testcase") != 4 || strings.Index(text, "right password") > strings.Index(text, "is told who") {
		t.Error(text)
	}
	if _, err := Merge([]string{out}, nil); err == nil || !strings.Contains(err.Error(), "--format jsonl") {
		t.Error(err)
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"": 5, "html": 2, "junit,cucumber:json": 2, "~html": 3, "~html,~junit": 2, "html,~html": 0} {
		got, err := Writers("d", strings.Split(in, ","))
		if err != nil || len(got) != want {
			t.Errorf("%q: %d writers, %v", in, len(got), err)
		}
	}
	if _, err := Writers("d", []string{"pdf"}); err == nil || !strings.Contains(err.Error(), "html, junit") {
		t.Error(err)
	}
}

func TestForCI(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "sub", "summary.md")
	var lines []string
	suite, list := sample()
	summary := &Markdown{File: file}
	write(t, suite, list, summary, Annotations{func(s string) { lines = append(lines, s) }})
	text := read(t, filepath.Dir(file), "summary.md")
	// A suite that is watched tells the same writer again.
	if write(t, suite, list, summary); read(t, filepath.Dir(file), "summary.md") != text {
		t.Error("the second run's summary has the first's failures")
	}
	for _, want := range []string{"❌ 3 failed", "`users/sign in.feature:20`", "`broken.feature:3`", "attempt 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "<script>") {
		t.Error("markup in the summary")
	}
	all := strings.Join(lines, "\n")
	if !strings.Contains(all, "::error file=users/sign in.feature,line=20,title=<name> is told who they are::match failed: EQUALS%0A") || len(lines) != 4 {
		t.Error(all)
	}
}
