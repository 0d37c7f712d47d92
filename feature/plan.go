package feature

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rove/internal/data"
	"rove/internal/gherkin"
	"rove/internal/script"
	"rove/report"
)

// plan is a scenario to run: one of the file, or one row of an outline.
type plan struct {
	source      *source
	scenario    *gherkin.Scenario
	section     int // its place among the scenarios of the file, from 1
	row         *row
	tags        tagSet
	name        string
	description string
	line        int
	part        part
	background  int     // how many of the steps are the background's
	list        []*step // nil until it is wanted more than once

	setup    bool // run by karate.setup: no background, no hooks
	noConfig bool
	file     int // the place of its file in the suite
}

// row is a row of an outline.
type row struct {
	data   *data.Object
	number int // in the outline, from 0
	index  int // in its table, from 0: __num
	line   int
	// evaluated are the columns whose cells are expressions.
	evaluated map[string]bool
}

// part says which steps a plan has.
type part int

const (
	allSteps part = iota
	ownSteps      // without those of the background
	noSteps
)

// only leaves a part of the steps.
func (p *plan) only(which part) { p.part, p.background = which, 0 }

// keep makes the steps once, for a plan that is run often.
func (p *plan) keep() { p.list = p.steps() }

// steps are made when they are wanted: a suite has thousands of plans, and runs each
// of them once.
func (p *plan) steps() []*step {
	if p.list != nil || p.part == noSteps {
		return p.list
	}
	fill := func(text string) string { return text }
	if p.row != nil {
		fill = p.row.fill()
	}
	var before []*gherkin.Step
	if b := p.source.feature.Background; b != nil && p.part == allSteps {
		before = b.Steps
	}
	room := make([]step, len(before)+len(p.scenario.Steps))
	list := make([]*step, len(room))
	for i := range room {
		if i < len(before) {
			room[i].take(before[i], fill)
		} else {
			room[i].take(p.scenario.Steps[i-len(before)], fill)
		}
		list[i] = &room[i]
	}
	return list
}

// result is what a report begins with.
func (p *plan) result(s *scenario) *report.Scenario {
	r := &report.Scenario{
		Feature: s.feature.info(), Name: p.name, Description: p.description, Line: p.line, Section: p.section, Attempt: 1,
	}
	for _, t := range p.tags {
		r.Tags = append(r.Tags, "@"+t.text)
	}
	if p.row != nil {
		r.Example = p.row.number + 1
		r.ExampleData = data.JSON(p.row.data)
	}
	return r
}

// quiet says that the steps stay out of reports.
func (p *plan) quiet() bool {
	for _, v := range p.tags.values("report") {
		if v == "false" {
			return true
		}
	}
	return false
}

// newPlan makes a plan of a scenario, or of one row of it.
func newPlan(src *source, section int, tags tagSet, r *row) *plan {
	sc := src.feature.Scenarios[section]
	p := &plan{source: src, scenario: sc, section: section + 1, row: r, tags: tags, name: sc.Name, description: sc.Description, line: sc.Line}
	if r != nil {
		fill := r.fill()
		p.name, p.description = fill(sc.Name), fill(sc.Description)
		if r.line > 0 {
			p.line = r.line
		}
	}
	if b := src.feature.Background; b != nil {
		p.background = len(b.Steps)
	}
	return p
}

// take makes a step of one of the file.
func (n *step) take(st *gherkin.Step, fill func(string) string) {
	*n = step{line: st.Line, endLine: st.EndLine, keyword: st.Keyword, text: fill(st.Text), source: st}
	if st.DocString != nil {
		n.doc = &gherkin.DocString{Line: st.DocString.Line, ContentType: st.DocString.ContentType, Text: fill(st.DocString.Text)}
	}
	if st.Table != nil {
		n.table = &gherkin.Table{Line: st.Table.Line}
		for _, row := range st.Table.Rows {
			cells := make([]string, len(row.Cells))
			for i, cell := range row.Cells {
				cells[i] = fill(cell)
			}
			n.table.Rows = append(n.table.Rows, gherkin.Row{Line: row.Line, Cells: cells})
		}
	}
}

// fill replaces <column> by the row's values.
func (r *row) fill() func(string) string {
	var pairs []string
	for name, v := range r.data.All() {
		text := ""
		if v != nil {
			text = data.Text(v)
		}
		pairs = append(pairs, "<"+name+">", text)
	}
	if len(pairs) == 0 {
		return func(text string) string { return text }
	}
	rep := strings.NewReplacer(pairs...)
	return func(text string) string {
		if !strings.Contains(text, "<") {
			return text
		}
		return rep.Replace(text)
	}
}

// expand gives the plans of a scenario that has no dynamic examples, and the
// expressions of those that have.
func expand(src *source, section int) (plans []*plan, dynamic []*dynamicExamples) {
	f := src.feature
	sc := f.Scenarios[section]
	if !sc.Outline || len(sc.Examples) == 0 {
		return []*plan{newPlan(src, section, tagsOf(f.Tags, sc.Tags), nil)}, nil
	}
	number := 0
	for _, ex := range sc.Examples {
		tags := tagsOf(f.Tags, sc.Tags, ex.Tags)
		if ex.Table == nil || len(ex.Table.Rows) == 0 {
			continue
		}
		if t := ex.Table; len(t.Rows) == 1 && len(t.Rows[0].Cells) == 1 {
			dynamic = append(dynamic, &dynamicExamples{source: src, section: section, tags: tags, expression: t.Rows[0].Cells[0], line: t.Rows[0].Line, number: number})
			continue
		}
		for i, cells := range ex.Table.Rows[1:] {
			plans = append(plans, newPlan(src, section, tags, tableRow(ex.Table, cells, number, i)))
			number++
		}
	}
	return plans, dynamic
}

func tableRow(t *gherkin.Table, cells gherkin.Row, number, index int) *row {
	r := &row{data: data.NewObject(), number: number, index: index, line: cells.Line}
	for i, cell := range cells.Cells {
		name, evaluated := strings.CutSuffix(t.Rows[0].Cells[i], "!")
		if cell == "" {
			r.data.Set(name, nil) // a blank cell is null
			continue
		}
		r.data.Set(name, cell)
		if evaluated {
			if r.evaluated == nil {
				r.evaluated = map[string]bool{}
			}
			r.evaluated[name] = true
		}
	}
	return r
}

// dynamicExamples is an outline whose rows an expression gives.
type dynamicExamples struct {
	source     *source
	section    int
	tags       tagSet
	expression string
	line       int
	number     int
	file       int
}

// unfold evaluates the expression in a scenario of its own and calls each with
// the rows, as they come. Where it needs the background, that is run first.
func (d *dynamicExamples) unfold(ctx context.Context, s *scenario, each func(*plan) bool) error {
	s.step = &report.Step{Line: d.line}
	v, err := s.eval(ctx, d.expression)
	if _, ok := errors.AsType[*scriptError](err); ok && d.source.feature.Background != nil {
		p := newPlan(d.source, d.section, nil, nil)
		for _, st := range p.steps()[:p.background] {
			if _, stepErr := s.execute(ctx, st); stepErr != nil {
				return d.failed(stepErr)
			}
		}
		v, err = s.eval(ctx, d.expression)
	}
	if err != nil {
		return d.failed(err)
	}
	value := s.value(v)
	number := d.number
	add := func(v script.Value) bool {
		o, ok := v.Detach().(*data.Object)
		if !ok {
			return true
		}
		p := newPlan(d.source, d.section, d.tags, &row{data: o, number: number, index: number - d.number, line: d.line})
		p.file = d.file
		number++
		return each(p)
	}
	switch {
	case value.IsList():
		for i := range value.Len() {
			if !add(value.Index(i)) {
				break
			}
		}
	case value.Callable():
		for i := 0; ; i++ {
			v, err := generated(ctx, value.Func(), i)
			if err != nil {
				return d.failed(err)
			}
			if !v.IsObject() || !add(v) {
				break
			}
		}
	default:
		return d.failed(fmt.Errorf("it gives %s, not a list or a function", data.TypeOf(value.Export())))
	}
	return nil
}

func (d *dynamicExamples) failed(err error) error {
	return fmt.Errorf("dynamic expression evaluation failed: %s: %w", d.expression, err)
}
