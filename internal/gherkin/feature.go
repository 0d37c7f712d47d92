// Package gherkin reads feature files as Karate has them: the grammar of
// Cucumber without rules and languages, with free descriptions, and more lenient
// about what stands in a step. It knows nothing of what steps mean.
package gherkin

import "fmt"

// Feature is a file. Lines and columns count from 1; columns count characters.
type Feature struct {
	Path        string
	Line        int
	Tags        []Tag
	Name        string
	Description string
	Background  *Background // nil where there is none
	Scenarios   []*Scenario
	Comments    []Comment // all of the file, in order
}

// Background are the steps before each scenario.
type Background struct {
	Line        int
	Name        string
	Description string
	Steps       []*Step
}

// Scenario is a scenario, or an outline with its examples.
type Scenario struct {
	Line        int
	Tags        []Tag // its own, not those of the feature
	Name        string
	Description string
	Steps       []*Step
	Outline     bool
	Examples    []*Examples
}

// Step is one step. EndLine is the last line of its table or doc string, or its
// own.
type Step struct {
	Line, Column, EndLine int
	Keyword               string // "*", "Given", "When", "Then", "And" or "But"
	Text                  string // what follows the keyword, trimmed
	TextColumn            int
	DocString             *DocString
	Table                 *Table
}

// DocString is a text in triple quotes, without the indentation that all of it
// has.
type DocString struct {
	Line        int
	ContentType string
	Text        string
}

// Examples is a table of an outline.
type Examples struct {
	Line        int
	Tags        []Tag
	Name        string
	Description string
	Table       *Table
}

// Table has rows of cells, each row as many as the first.
type Table struct {
	Line int
	Rows []Row
}

// Row is one line of a table.
type Row struct {
	Line  int
	Cells []string
}

// Tag is a tag without its "@", such as "smoke" or "env=dev,qa".
type Tag struct {
	Line, Column int
	Text         string
}

// Comment is a line that begins with "#", without its indentation.
type Comment struct {
	Line, Column int
	Text         string
}

// Error says where a file is not a feature, what is wrong, and what would have
// been right.
type Error struct {
	Path         string
	Line, Column int
	Message      string
	Expected     string
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
	if e.Expected != "" {
		s += "; expected " + e.Expected
	}
	return s
}
