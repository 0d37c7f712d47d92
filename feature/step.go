package feature

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rove/internal/gherkin"
	"rove/internal/spell"
	"rove/report"
)

// step is a step of a scenario with its placeholders filled in.
type step struct {
	line, endLine int
	keyword, text string
	doc           *gherkin.DocString
	table         *gherkin.Table
	source        *gherkin.Step
}

// input is what a keyword works on.
type input struct {
	ctx  context.Context
	step *step
	// word is the keyword as it is in the table, rest what follows it.
	word, rest string
	// doc is the doc string; hasDoc says whether there is one.
	doc    string
	hasDoc bool
	table  *gherkin.Table
}

// expression is the right-hand side of a step: what follows, or the doc string.
func (in *input) expression(rest string) string {
	rest = strings.TrimSpace(rest)
	if !in.hasDoc {
		return rest
	}
	if rest == "" {
		return in.doc
	}
	return rest + "\n" + in.doc
}

// keyword is a row of the table of keywords.
type keyword struct {
	run func(s *scenario, in *input) error
	// method is the name that continueOnStepFailure knows it by; the keyword
	// itself where it is empty.
	method string
}

// keywords are all there are. Files add their own in init.
var keywords = map[string]keyword{}

func addKeywords(rows map[string]keyword) {
	for name, row := range rows {
		keywords[name] = row
	}
}

// keywordOf finds the keyword a step begins with: the longest that stands there
// as words of its own. An identifier that is called, indexed, followed by a dot or
// assigned to is JavaScript, even where it is a keyword, too.
func keywordOf(text string) (word, rest string, row keyword, ok bool) {
	first, after := cutWord(text)
	if first == "" {
		return "", text, keyword{}, false
	}
	if second, more := cutWord(strings.TrimLeft(after, " \t")); second != "" && after != "" && (after[0] == ' ' || after[0] == '\t') {
		if row, ok := keywords[first+" "+second]; ok && ends(more) {
			return first + " " + second, strings.TrimSpace(more), row, true
		}
	}
	row, ok = keywords[first]
	if !ok || !ends(after) {
		return "", text, keyword{}, false
	}
	rest = strings.TrimSpace(after)
	if strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") {
		return "", text, keyword{}, false
	}
	return first, rest, row, true
}

func ends(after string) bool {
	return after == "" || after[0] == ' ' || after[0] == '\t' || after[0] == '\n'
}

// cutWord cuts an identifier off the beginning.
func cutWord(text string) (word, after string) {
	i := 0
	for i < len(text) && (text[i] == '_' || text[i] == '$' || text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z' || i > 0 && text[i] >= '0' && text[i] <= '9') {
		i++
	}
	return text[:i], text[i:]
}

// runStep runs one step and adds it to the result.
func (s *scenario) runStep(ctx context.Context, st *step, background bool) {
	r := s.newStep()
	*r = report.Step{
		Line: st.line, EndLine: st.endLine, Keyword: st.keyword, Text: st.text, Background: background,
		Start: time.Now(), Status: report.Passed, Quiet: s.plan.quiet(),
	}
	if st.doc != nil {
		r.DocString = st.doc.Text
	}
	if st.table != nil {
		for _, row := range st.table.Rows {
			r.Table = append(r.Table, row.Cells)
		}
	}
	s.result.Steps = append(s.result.Steps, r)
	switch {
	case s.stopped && s.aborted && s.config.bool("abortedStepsShouldPass"):
		return
	case s.stopped:
		r.Status = report.Skipped
		return
	case s.suite.opts.DryRun:
		return
	}
	before := s.step
	s.step = r
	word, err := s.execute(ctx, st)
	if err == nil && s.failReason != nil {
		err = s.failReason
	}
	s.failReason = nil
	r.Time = time.Since(r.Start)
	s.settle(ctx, r, word, err)
	s.attach(r)
	s.step = before
}

// newStep is the result of a step, of those that were made for all at once.
func (s *scenario) newStep() *report.Step {
	if len(s.unusedSteps) == 0 {
		return new(report.Step)
	}
	r := &s.unusedSteps[0]
	s.unusedSteps = s.unusedSteps[1:]
	return r
}

// execute does what a step says.
func (s *scenario) execute(ctx context.Context, st *step) (word string, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("this step broke rove itself: %v", x)
		}
	}()
	if s.suite.opts.BeforeStep != nil {
		s.suite.opts.BeforeStep(s.pause(ctx, st))
	}
	if err := ctx.Err(); err != nil {
		return "", errInterrupted(ctx)
	}
	in := &input{ctx: ctx, step: st, table: st.table}
	if st.doc != nil {
		in.doc, in.hasDoc = st.doc.Text, true
	}
	var row keyword
	var ok bool
	if in.word, in.rest, row, ok = keywordOf(st.text); ok {
		err := row.run(s, in)
		if row.method != "" {
			return row.method, err
		}
		return in.word, err
	}
	return "eval", s.evalStep(in)
}

func errInterrupted(ctx context.Context) error {
	return fmt.Errorf("interrupted: %w", context.Cause(ctx))
}

// evalStep runs a step that is JavaScript.
func (s *scenario) evalStep(in *input) error {
	text := in.expression(in.step.text)
	_, err := s.js(in.ctx, text)
	if isSyntax(err) {
		if word, after := cutWord(text); word != "" && ends(after) && !reserved[word] {
			return fmt.Errorf("no step-definition method match found for: %s%s", in.step.text, didYouMean(word))
		}
	}
	return err
}

// reserved are words that begin statements of JavaScript.
var reserved = map[string]bool{
	"if": true, "for": true, "while": true, "do": true, "var": true, "let": true, "const": true, "function": true, "return": true, "throw": true,
	"try": true, "switch": true, "new": true, "typeof": true, "delete": true, "void": true, "await": true, "async": true, "class": true,
}

func didYouMean(word string) string {
	near := nearest(word, slices.Collect(maps.Keys(keywords)))
	if near != "" {
		return fmt.Sprintf(" (there is no keyword %q; did you mean %q?)", word, near)
	}
	return fmt.Sprintf(" (there is no keyword %q, and it is no JavaScript)", word)
}

// nearest is the name that is most like a word, where one is like it.
func nearest(word string, names []string) string {
	const limit = 4
	best, distance := "", limit
	slices.Sort(names)
	for _, name := range names {
		d := spell.Distance(strings.ToLower(word), strings.ToLower(name), limit)
		if d < distance && d <= (len(word)+1)/2 {
			best, distance = name, d
		}
	}
	return best
}

// settle decides what a step's outcome means for the scenario.
func (s *scenario) settle(ctx context.Context, r *report.Step, word string, err error) {
	switch {
	case s.aborted && err == nil:
		s.stopped = true
		return
	case err == nil:
		if s.ignoring && !s.config.ignoresFailures() {
			s.endIgnoring()
		}
		return
	}
	r.Status, r.Error = report.Failed, err.Error()
	if !isCallError(err) {
		for _, e := range s.extensions {
			e.failed(context.WithoutCancel(ctx), r)
		}
	}
	if s.config.continues(word) {
		s.ignoring = true
		if s.result.Error == "" {
			s.result.Error, s.result.ErrorPath, s.result.ErrorLine = r.Error, s.feature.source.shown, r.Line
		}
		return
	}
	s.fail(err, r)
}

// endIgnoring ends a scenario whose failures were ignored up to here.
func (s *scenario) endIgnoring() {
	s.ignoring = false
	if s.config.goesOn {
		return
	}
	s.stopped = true
	if s.err == nil {
		s.err = errors.New(s.result.Error)
	}
}
