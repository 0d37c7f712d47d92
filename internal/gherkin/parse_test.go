package gherkin

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	f, err := Parse("x.feature", []byte(`@a @b=1,2
# first
Feature: name
  free @text: {x}

Background:
* def a = 1

  @c
  Scenario Outline: <x> one
    Given url 'u'
      """json
      { "a": 1,
        "b": 2 }
      """
    When table t
      | a | b\|c |
      | 1 |      |

    @d
    Examples:
      | x! |
      | 5  |
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Tags) != 2 || f.Tags[1].Text != "b=1,2" || f.Name != "name" || f.Description != "free @text: {x}" || len(f.Comments) != 1 {
		t.Errorf("feature: %+v", f)
	}
	s := f.Scenarios[0]
	if !s.Outline || s.Name != "<x> one" || s.Tags[0].Text != "c" || len(s.Steps) != 2 || len(s.Examples) != 1 || s.Examples[0].Tags[0].Text != "d" {
		t.Errorf("scenario: %+v", s)
	}
	if d := s.Steps[0].DocString; d == nil || d.Text != "{ \"a\": 1,\n  \"b\": 2 }" || d.ContentType != "json" || s.Steps[0].EndLine != 15 {
		t.Errorf("doc string: %+v", d)
	}
	if tab := s.Steps[1].Table; tab == nil || strings.Join(tab.Rows[0].Cells, ";") != "a;b|c" || tab.Rows[1].Cells[1] != "" {
		t.Errorf("table: %+v", tab)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"":                                     "x.feature:1:1: the file ends here; expected 'Feature:' first, after tags and comments",
		"Scenario: a":                          "x.feature:1:1: unexpected 'Scenario: a'; expected 'Feature:' first, after tags and comments",
		"Feature:\nScenario:\n* a\n  stray":    "x.feature:4:3: unexpected 'stray'; expected a step, '@tag', 'Scenario:' or 'Scenario Outline:'",
		"Feature:\nScenario:\n* a\n\"\"\"\nb":  "x.feature:4:1: this doc string has no end; expected '\"\"\"' below it",
		"Feature:\nScenario:\n* a\n|a|b|\n|c|": "x.feature:5:1: this row has 1 cell, the first one has 2; expected 2 cells",
		"Feature:\nScenario Outline:\n* a":     "x.feature:3:1: the file ends here; expected 'Examples:' with a table, for the 'Scenario Outline:' above",
	} {
		_, err := Parse("x.feature", []byte(src))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v\nexpected %s", src, err, want)
		}
	}
}
