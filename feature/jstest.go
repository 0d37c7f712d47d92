package feature

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"rove/internal/gherkin"
	"rove/internal/script"
	"rove/report"
)

// A JavaScript test is a file with calls of test('name', function), or without
// any: then the file is the test. It sees what features see: karate, the variables
// of the config, the functions of the driver.

// jsTest is one test of a file.
type jsTest struct {
	name string
	run  *script.Func
	line int
}

// planScript makes the task of a file of JavaScript.
func (su *suite) planScript(f *suiteFile, name *regexp.Regexp) *task {
	shown := su.show(f.path)
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f.path), ".js"), ".karate")
	src := &source{file: f.path, shown: shown, feature: &gherkin.Feature{Path: shown, Name: base, Line: 1, Scenarios: []*gherkin.Scenario{{Name: base, Line: 1}}}}
	f.source, f.run = src, newFeatureRun(su, src)
	f.told = f.run.info()
	return &task{file: f, script: true, name: name}
}

// script runs a file of JavaScript: its top level, then its tests in order.
func (w *work) script(ctx context.Context, t *task, number int) {
	f := t.file
	s := newScenario(f.run, newPlan(f.source, 0, nil, nil))
	begin := func(name string, line, section int) *report.Scenario {
		r := s.plan.result(s)
		r.Name, r.Line, r.Section, r.Thread, r.Start = name, line, section, number, time.Now()
		s.result, s.err, s.stopped, s.aborted, s.failReason = r, nil, false, false, nil
		s.step = &report.Step{Keyword: "*", Text: name, Line: line, Start: time.Now(), Status: report.Passed}
		r.Steps = []*report.Step{s.step}
		w.tell(Progress{Started: r})
		return r
	}
	end := func(err error) {
		st := s.step
		if err == nil {
			err = s.failReason
		}
		if err != nil {
			st.Status, st.Error = report.Failed, err.Error()
			if at, ok := errors.AsType[*script.Error](err); ok && at.Line > 0 {
				st.Line = at.Line
			}
			for _, e := range s.extensions {
				e.failed(context.WithoutCancel(ctx), st)
			}
			s.fail(err, st)
			s.result.Variables = s.variables()
		}
		st.Time = time.Since(st.Start)
		s.attach(st)
		s.result.Time = time.Since(s.result.Start)
		s.conclude()
	}
	s.root.rt.Lock()
	s.root.current = s
	var tests []*jsTest
	s.scope.Hide("test", s.root.function("test", func(c *karateCall) (any, error) {
		fn, err := c.function()
		if err != nil {
			return nil, fmt.Errorf("test needs a name and a function: test('logs in', () => { … })")
		}
		tests = append(tests, &jsTest{name: c.arg(0).Text(), run: fn, line: s.root.rt.CallerLine()})
		return undefined, nil
	}))
	whole := begin(s.plan.name, 1, 1)
	err := w.suite.configure(ctx, s)
	if err == nil {
		err = s.runFile(ctx, f.path)
	}
	if err != nil || len(tests) == 0 {
		end(err)
		w.closeScript(ctx, s)
		w.ended(f, whole, s.err)
		return
	}
	var results []*report.Scenario
	for i, test := range tests {
		if ctx.Err() != nil || t.name != nil && !t.name.MatchString(test.name) {
			continue
		}
		r := begin(test.name, max(test.line, 1), i+1)
		_, err := test.run.Do(ctx)
		if err != nil {
			err = jsError(test.run.Source(), err)
		}
		end(err)
		results = append(results, r)
	}
	w.closeScript(ctx, s)
	w.mu.Lock()
	w.all += len(results) - 1
	f.left += len(results) - 1
	w.mu.Unlock()
	for _, r := range results {
		var err error
		if r.Status == report.Failed {
			err = errors.New(r.Error)
		}
		w.ended(f, r, err)
	}
	if len(results) == 0 {
		w.fileEnds(f)
	}
}

func (s *scenario) runFile(ctx context.Context, path string) error {
	text, err := fileText(path)
	if err != nil {
		return err
	}
	if isFunction(text) {
		// A file that is a function, as read gives it to whoever calls it.
		text = "(" + text + "\n)()"
	}
	_, err = s.script(ctx, s.feature.source.shown, text)
	return err
}

var (
	leading  = regexp.MustCompile(`^(\s+|//[^\n]*\n|/\*[^*]*\*/)+`)
	function = regexp.MustCompile(`^(async\s+)?function\b`)
)

// isFunction says whether a file is one function and nothing else.
func isFunction(text string) bool {
	text = strings.TrimSpace(leading.ReplaceAllString(text, ""))
	if !function.MatchString(text) || !strings.HasSuffix(text, "}") {
		return false
	}
	_, err := script.Compile(script.Place{}, "("+text+"\n)")
	return err == nil
}

// closeScript gives back what the file's tests owned.
func (w *work) closeScript(ctx context.Context, s *scenario) {
	s.finish(ctx)
	s.root.rt.Unlock()
}
