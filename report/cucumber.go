package report

import (
	"encoding/base64"
	"strings"
	"time"
	"unicode"
)

// Cucumber writes a file for each feature, as Cucumber's reporters read them.
type Cucumber struct{ Dir string }

type cucumberFeature struct {
	URI         string            `json:"uri"`
	ID          string            `json:"id"`
	Keyword     string            `json:"keyword"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Line        int               `json:"line"`
	Tags        []cucumberTag     `json:"tags"`
	Elements    []cucumberElement `json:"elements"`
}

type cucumberTag struct {
	Name string `json:"name"`
	Line int    `json:"line"`
}

type cucumberElement struct {
	Start       string         `json:"start_timestamp,omitempty"`
	Line        int            `json:"line"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	ID          string         `json:"id,omitempty"`
	Type        string         `json:"type"`
	Keyword     string         `json:"keyword"`
	Tags        []cucumberTag  `json:"tags,omitempty"`
	Steps       []cucumberStep `json:"steps"`
}

type cucumberStep struct {
	Name    string `json:"name"`
	Keyword string `json:"keyword"`
	Line    int    `json:"line"`
	Match   struct {
		Location  string   `json:"location"`
		Arguments []string `json:"arguments"`
	} `json:"match"`
	Result struct {
		Duration int64  `json:"duration"`
		Status   string `json:"status"`
		Error    string `json:"error_message,omitempty"`
	} `json:"result"`
	DocString  *cucumberText       `json:"doc_string,omitempty"`
	Embeddings []cucumberEmbedding `json:"embeddings,omitempty"`
	Rows       []cucumberRow       `json:"rows,omitempty"`
}

type cucumberText struct {
	ContentType string `json:"content_type"`
	Value       string `json:"value"`
	Line        int    `json:"line"`
}

type cucumberRow struct {
	Cells []string `json:"cells"`
}

type cucumberEmbedding struct {
	MIME string `json:"mime_type"`
	Name string `json:"name,omitempty"`
	Data string `json:"data"`
}

// Begin is part of Writer.
func (Cucumber) Begin(Suite) error { return nil }

// Scenario is part of Writer.
func (Cucumber) Scenario(*Scenario) error { return nil }

// Feature writes the file of a feature, scenario by scenario.
func (c Cucumber) Feature(f *Feature, r Results) error {
	out := cucumberFeature{
		URI: f.Path, ID: dashed(f.Name), Keyword: "Feature", Name: f.Name, Description: f.Description, Line: f.Line,
		Tags: cucumberTags(f.Tags, f.Line), Elements: []cucumberElement{},
	}
	return createList(c.Dir, QualifiedName(f.Path)+".json", "[", out, "]", func(add func(any) error) error {
		for s, err := range r.All() {
			if err != nil {
				return err
			}
			for _, e := range cucumberElements(s) {
				if err := add(e); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// cucumberElements are a scenario, and before it the background where it has one.
func cucumberElements(s *Scenario) []cucumberElement {
	var out []cucumberElement
	var background, steps []cucumberStep
	line := 0
	for _, step := range shown(s.Steps) {
		if step.Background {
			if line == 0 {
				line = max(1, step.Line-1)
			}
			background = append(background, cucumberSteps(step)...)
		} else {
			steps = append(steps, cucumberSteps(step)...)
		}
	}
	if background != nil {
		out = append(out, cucumberElement{Line: line, Type: "background", Keyword: "Background", Steps: background})
	}
	keyword := "Scenario"
	if s.Example > 0 {
		keyword = "Scenario Outline"
	}
	if steps == nil {
		steps = []cucumberStep{}
	}
	return append(out, cucumberElement{
		Start: s.Start.UTC().Format("2006-01-02T15:04:05.000Z"), Line: s.Line, Name: s.Name, Description: s.Description,
		ID: dashed(s.Name), Type: "scenario", Keyword: keyword, Tags: cucumberTags(s.Tags, s.Line), Steps: steps,
	})
}

// End writes files for what could not be read.
func (c Cucumber) End(s Summary) error {
	for _, b := range s.Broken {
		step := &Step{Line: b.Line, Keyword: "*", Text: "read the file", Status: Failed, Error: b.Error}
		f := &Feature{Path: b.Path, Name: b.Path, Line: 1}
		one := &Scenario{Feature: f, Name: "could not be read", Line: b.Line, Start: s.Suite.Start, Status: Failed, Error: b.Error, Steps: []*Step{step}}
		if err := c.Feature(f, Results{Heads: []*Scenario{one}}); err != nil {
			return err
		}
	}
	return nil
}

func cucumberTags(tags []string, line int) []cucumberTag {
	out := make([]cucumberTag, len(tags))
	for i, t := range tags {
		out[i] = cucumberTag{t, line}
	}
	return out
}

// cucumberSteps are a step, and below it those of the features that it called.
func cucumberSteps(s *Step) []cucumberStep {
	c := cucumberStep{Name: s.Text, Keyword: s.Keyword, Line: s.Line}
	if s.Hook != "" {
		c.Name, c.Keyword = s.Hook, "*"
	}
	c.Match.Location, c.Match.Arguments = "karate", []string{}
	c.Result.Duration, c.Result.Status, c.Result.Error = int64(s.Time/time.Nanosecond), string(s.Status), s.Error
	text := strings.Trim(s.DocString+"\n"+s.Log, "\n")
	if text != "" {
		c.DocString = &cucumberText{Value: text, Line: s.Line}
	}
	for _, row := range s.Table {
		c.Rows = append(c.Rows, cucumberRow{row})
	}
	for _, e := range s.Embeds {
		c.Embeddings = append(c.Embeddings, cucumberEmbedding{e.Type, e.Name, base64.StdEncoding.EncodeToString(e.Data)})
	}
	out := []cucumberStep{c}
	for _, call := range s.Calls {
		for _, scenario := range call.Scenarios {
			for _, inner := range shown(scenario.Steps) {
				for _, i := range cucumberSteps(inner) {
					i.Keyword = "> " + i.Keyword
					out = append(out, i)
				}
			}
		}
	}
	return out
}

// dashed is a name as Cucumber makes ids.
func dashed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '/' {
			return '-'
		}
		return unicode.ToLower(r)
	}, s)
}
