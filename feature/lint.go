package feature

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"rove/internal/data"
	"rove/internal/gherkin"
	"rove/internal/jsonpath"
	"rove/internal/match"
	"rove/internal/script"
)

// Problem is something that is wrong with a file, found without running it.
type Problem struct {
	Path    string
	Line    int
	Message string
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.Path, p.Line, p.Message) }

// Lint checks features without running them: their grammar, keywords and
// expressions, the files they read, the columns of outlines. It gives the number
// of files it checked, too.
func Lint(opts Options) ([]Problem, int, error) {
	su, err := newSuite(opts)
	if err != nil {
		return nil, 0, err
	}
	found, err := su.find()
	if err != nil {
		return nil, 0, err
	}
	l := &linter{suite: su}
	for _, f := range su.configs {
		if f.wrong != nil {
			l.script(f.name, f.wrong)
		}
	}
	for _, f := range found {
		l.file(f)
	}
	slices.SortStableFunc(l.problems, func(a, b Problem) int {
		if a.Path != b.Path {
			return strings.Compare(a.Path, b.Path)
		}
		return a.Line - b.Line
	})
	return l.problems, len(found), nil
}

type linter struct {
	suite    *suite
	source   *source
	problems []Problem
}

func (l *linter) add(line int, format string, args ...any) {
	p := Problem{l.source.shown, line, fmt.Sprintf(format, args...)}
	if !slices.Contains(l.problems, p) {
		l.problems = append(l.problems, p)
	}
}

func (l *linter) script(name string, err error) {
	p := Problem{Path: name, Line: 1, Message: err.Error()}
	if e, ok := errors.AsType[*script.Error](err); ok {
		p.Line = e.Line
	}
	l.problems = append(l.problems, p)
}

func (l *linter) file(f *suiteFile) {
	if f.js {
		text, err := fileText(f.path)
		if err == nil {
			_, err = script.Compile(script.Place{Name: l.suite.show(f.path), Line: 1}, text)
		}
		if err != nil {
			l.script(l.suite.show(f.path), err)
		}
		return
	}
	src, err := l.suite.load(f.path)
	if err != nil {
		p := Problem{Path: l.suite.show(f.path), Line: 1, Message: err.Error()}
		if wrong, ok := errors.AsType[*gherkin.Error](err); ok {
			p.Line, p.Message = wrong.Line, wrong.Message
			if wrong.Expected != "" {
				p.Message += "; expected " + wrong.Expected
			}
		}
		l.problems = append(l.problems, p)
		return
	}
	l.source = src
	for section, sc := range src.feature.Scenarios {
		plans, dynamic := expand(src, section)
		if len(dynamic) > 0 {
			for _, d := range dynamic {
				l.expression(d.line, d.expression)
				l.setup(d)
			}
			plans = append(plans, newPlan(src, section, nil, nil))
		}
		if sc.Outline && len(dynamic) == 0 {
			l.columns(sc)
		}
		for _, p := range plans {
			for _, st := range p.steps() {
				l.step(st, len(dynamic) > 0)
			}
		}
	}
}

// setup looks for the scenario that dynamic examples take their rows from.
func (l *linter) setup(d *dynamicExamples) {
	if !strings.Contains(d.expression, "karate.setup") {
		return
	}
	for _, sc := range l.source.feature.Scenarios {
		if tagsOf(sc.Tags).has("setup") {
			return
		}
	}
	l.add(d.line, "karate.setup() needs a scenario tagged @setup, and there is none")
}

var placeholderForm = regexp.MustCompile(`<([^<>\s]+)>`)

// columns finds placeholders that no column fills. What may be XML or an arrow
// is not looked at.
func (l *linter) columns(sc *gherkin.Scenario) {
	known := map[string]bool{}
	for _, ex := range sc.Examples {
		if ex.Table != nil && len(ex.Table.Rows) > 0 {
			for _, cell := range ex.Table.Rows[0].Cells {
				known[strings.TrimSuffix(cell, "!")] = true
			}
		}
	}
	for _, st := range sc.Steps {
		if strings.Contains(st.Text, "</") || strings.Contains(st.Text, "/>") || strings.HasPrefix(st.Text, "replace") {
			continue
		}
		for _, m := range placeholderForm.FindAllStringSubmatch(st.Text, -1) {
			if variableForm(m[1]) && !known[m[1]] {
				l.add(st.Line, "<%s> is no column of the examples", m[1])
			}
		}
	}
}

func (l *linter) step(st *step, dynamic bool) {
	if dynamic && placeholderForm.MatchString(st.text) {
		return
	}
	word, rest, _, ok := keywordOf(st.text)
	in := &input{step: st, word: word, rest: rest}
	if st.doc != nil {
		in.doc, in.hasDoc = st.doc.Text, true
	}
	if !ok {
		text := in.expression(st.text)
		if _, err := script.Compile(script.Place{Name: l.source.shown, Line: st.line}, text); err != nil {
			if word, after := cutWord(text); word != "" && ends(after) && !reserved[word] {
				l.add(st.line, "no step-definition method match found for: %s%s", st.text, didYouMean(word))
				return
			}
			l.wrong(st.line, err)
		}
		return
	}
	switch word {
	case "def", "copy", "json", "xml", "xmlstring", "string", "bytes":
		name, expr, err := splitAssign(in)
		if err == nil {
			err = validName(name)
		}
		if err != nil {
			l.add(st.line, "%v", err)
			return
		}
		l.expression(st.line, expr)
	case "configure":
		name, expr, err := splitAssign(in)
		if err != nil {
			l.add(st.line, "%v", err)
			return
		}
		if _, ok := settings[name]; !ok {
			l.add(st.line, "unexpected 'configure' key: '%s'%s", name, nearestSetting(name))
		}
		l.expression(st.line, expr)
	case "match":
		text := rest
		if in.hasDoc {
			text += " " + in.doc
		}
		spec, err := match.ParseStep(text)
		if err != nil {
			l.add(st.line, "%v", err)
			return
		}
		l.expression(st.line, spec.Expected)
	case "assert", "eval":
		l.js(st.line, in.expression(rest))
	case "print":
		l.js(st.line, "karate.log("+in.expression(rest)+")")
	case "call", "callonce":
		l.expression(st.line, word+" "+in.expression(rest))
	case "table", "replace":
		if word == "table" && st.table == nil {
			l.add(st.line, "table needs a table below the step")
		}
	}
	l.reads(st.line, in.expression(rest))
}

func (l *linter) wrong(line int, err error) {
	if e, ok := errors.AsType[*script.Error](err); ok && e.Line > 0 {
		line = e.Line
	}
	l.add(line, "%v", err)
}

func (l *linter) js(line int, text string) {
	if _, err := script.Compile(script.Place{Name: l.source.shown, Line: line}, text); err != nil {
		l.wrong(line, err)
	}
}

// expression checks a right-hand side as far as that can be done unseen.
func (l *linter) expression(line int, text string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "", strings.HasPrefix(text, "get "), strings.HasPrefix(text, "get["), dollarName(text), text[0] == '/':
	case hasWord(text, "call"), hasWord(text, "callonce"):
		_, rest, _ := strings.Cut(text, " ")
		called, arg := splitCall(rest)
		l.expression(line, called)
		l.expression(line, arg)
	case isResponsePath(text):
		if _, err := jsonpath.Compile(text); err != nil {
			l.add(line, "%v", err)
		}
	case text[0] == '{' || text[0] == '[':
		if _, err := data.ParseRelaxed(text); err != nil {
			if _, jsErr := script.Compile(script.Place{}, text); jsErr != nil {
				l.add(line, "%v", err)
			}
		}
	case text[0] == '<':
		if _, err := data.ParseXML(text); err != nil {
			l.add(line, "%v", err)
		}
	default:
		l.js(line, text)
	}
}

var readForm = regexp.MustCompile(`\bread\(\s*'([^'$]+)'\s*\)|\bread\(\s*"([^"$]+)"\s*\)`)

// reads looks for files that are read by name and are not there. Where a feature
// is only called, its paths may be meant from its caller's folder.
func (l *linter) reads(line int, text string) {
	for _, m := range readForm.FindAllStringSubmatch(text, -1) {
		path := m[1] + m[2]
		if at := strings.LastIndexByte(path, '@'); at >= 0 {
			path = path[:at]
		}
		if path == "" || strings.HasPrefix(path, "file:") || strings.Contains(path, "<") {
			continue
		}
		if tagsOf(l.source.feature.Tags).has("ignore") && !strings.Contains(path, ":") {
			continue
		}
		s := &scenario{suite: l.suite, feature: &featureRun{suite: l.suite, source: l.source}}
		if file, err := s.resolve(path); err != nil || !exists(file) {
			l.add(line, "there is no file %s beside %s", path, filepath.Base(l.source.file))
		}
	}
}
