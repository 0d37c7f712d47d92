package feature

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rove/internal/gherkin"
	"rove/report"
)

// suiteFile is a file of the suite and what was asked of it.
type suiteFile struct {
	path   string
	lines  []int // those asked for; none is all
	source *source
	broken *report.Broken
	run    *featureRun
	index  int
	js     bool // a JavaScript test

	told    *report.Feature
	left    int // scenarios that have not ended
	results []*report.Scenario
}

// splitLines parts login.feature:12:30 into the path and its lines.
func splitLines(path string) (file string, lines []int, err error) {
	for {
		at := strings.LastIndexByte(path, ':')
		if at <= 0 {
			break
		}
		n, convErr := strconv.Atoi(path[at+1:])
		if convErr != nil {
			break
		}
		if n <= 0 {
			return "", nil, fmt.Errorf("%s: lines count from 1", path)
		}
		lines = append(lines, n)
		path = path[:at]
	}
	slices.Sort(lines)
	return path, lines, nil
}

// skipped are folders that hold no features of a project's own.
var skipped = map[string]bool{"node_modules": true, "target": true, "build": true, ".git": true, "vendor": true, ".gradle": true, ".idea": true}

func testFile(name string) bool {
	return strings.HasSuffix(name, ".feature") || strings.HasSuffix(name, ".karate.js")
}

// find finds the files of the suite, in order, each once.
func (su *suite) find() ([]*suiteFile, error) {
	paths := su.opts.Paths
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var files []*suiteFile
	add := func(path string, lines []int) {
		if i := slices.IndexFunc(files, func(f *suiteFile) bool { return f.path == path }); i >= 0 {
			if len(lines) == 0 || len(files[i].lines) == 0 {
				files[i].lines = nil
			} else {
				files[i].lines = append(files[i].lines, lines...)
			}
			return
		}
		files = append(files, &suiteFile{path: path, lines: lines, js: strings.HasSuffix(path, ".js")})
	}
	for _, given := range paths {
		path, lines, err := splitLines(given)
		if err != nil {
			return nil, err
		}
		at, err := su.locate(path)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(at)
		if err != nil {
			return nil, fmt.Errorf("%s: there is no such file or folder", path)
		}
		if !info.IsDir() {
			if !strings.HasSuffix(at, ".feature") && !strings.HasSuffix(at, ".js") {
				return nil, fmt.Errorf("%s is no feature and no JavaScript test: they end with .feature and .js", path)
			}
			add(at, lines)
			continue
		}
		if len(lines) > 0 {
			return nil, fmt.Errorf("%s: lines are of a file, and this is a folder", given)
		}
		err = filepath.WalkDir(at, func(file string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && file != at && (skipped[e.Name()] || strings.HasPrefix(e.Name(), ".")):
				return filepath.SkipDir
			case !e.IsDir() && testFile(e.Name()):
				add(file, nil)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for i, f := range files {
		f.index = i
	}
	return files, nil
}

func (su *suite) locate(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, classpathPrefix); ok {
		return su.onClasspath(rest)
	}
	return su.absolute(strings.TrimPrefix(path, filePrefix)), nil
}

// read reads a file of the suite. One that cannot be read is told and does not
// keep the others from running.
func (su *suite) read(f *suiteFile) {
	src, err := su.load(f.path)
	if err != nil {
		f.broken = &report.Broken{Path: su.show(f.path), Error: err.Error()}
		if wrong, ok := errors.AsType[*gherkin.Error](err); ok {
			f.broken.Line = wrong.Line
		}
		f.told = &report.Feature{Path: su.show(f.path)}
		return
	}
	f.source = src
	f.run = newFeatureRun(su, src)
	f.told = f.run.info()
}

// chosen says whether a plan of the suite is to run.
func (su *suite) chosen(f *suiteFile, p *plan, name *regexp.Regexp) (bool, error) {
	if len(f.lines) > 0 {
		return slices.ContainsFunc(f.lines, func(line int) bool { return p.covers(line) }), nil
	}
	if name != nil && !name.MatchString(p.name) && !name.MatchString(p.scenario.Name) {
		return false, nil
	}
	return su.selector.selects(p.tags, su.env)
}

// covers says whether a line belongs to a plan: the scenario's own, one of its
// steps', or that of its row.
func (p *plan) covers(line int) bool {
	sc := p.scenario
	if p.row != nil && p.row.line > 0 {
		for _, ex := range sc.Examples {
			last := ex.Line
			if ex.Table != nil && len(ex.Table.Rows) > 0 {
				last = ex.Table.Rows[len(ex.Table.Rows)-1].Line
			}
			if line > sc.Examples[0].Line && line >= ex.Line && line <= last {
				return line == p.row.line || line == ex.Line && p.row.line > ex.Line && p.row.line <= last
			}
		}
	}
	return line >= first(sc) && line <= last(sc)
}

func first(sc *gherkin.Scenario) int {
	line := sc.Line
	for _, t := range sc.Tags {
		line = min(line, t.Line)
	}
	return line
}

func last(sc *gherkin.Scenario) int {
	line := sc.Line
	for _, st := range sc.Steps {
		line = max(line, st.EndLine, st.Line)
	}
	for _, ex := range sc.Examples {
		line = max(line, ex.Line)
		if ex.Table != nil {
			for _, row := range ex.Table.Rows {
				line = max(line, row.Line)
			}
		}
	}
	return line
}

// failedName is the file that remembers what failed.
const failedName = "rove-failed.txt"

// keepFailed remembers what failed, for --rerun-failed.
func (su *suite) keepFailed(r *Result) error {
	lines := []string{}
	for _, f := range r.Files {
		if f.Broken != nil {
			lines = append(lines, f.Feature.Path)
		}
		for _, s := range f.Scenarios {
			if s.Status == report.Failed {
				lines = append(lines, fmt.Sprintf("%s:%d", f.Feature.Path, s.Line))
			}
		}
	}
	text, err := json.MarshalIndent(lines, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(su.outputDir(), 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return os.WriteFile(filepath.Join(su.outputDir(), failedName), text, 0o644)
}

// onlyFailed leaves what failed in the last run.
func (su *suite) onlyFailed(files []*suiteFile) ([]*suiteFile, error) {
	text, err := os.ReadFile(filepath.Join(su.outputDir(), failedName))
	if err != nil {
		return nil, fmt.Errorf("there is no last run in %s whose failures could be run again", su.outputDir())
	}
	var failed []string
	if err := json.Unmarshal(text, &failed); err != nil {
		return nil, fmt.Errorf("%s: %w", failedName, err)
	}
	byPath := map[string][]int{}
	for _, one := range failed {
		path, lines, err := splitLines(one)
		if err != nil {
			return nil, err
		}
		byPath[path] = append(byPath[path], lines...)
	}
	var left []*suiteFile
	for _, f := range files {
		if lines, ok := byPath[su.show(f.path)]; ok {
			f.lines = lines
			left = append(left, f)
		}
	}
	return left, nil
}
