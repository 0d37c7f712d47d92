package report

import (
	"fmt"
	"strings"
	"time"
)

// Karate writes karate-summary-json.txt and a *.karate-json.txt for each
// feature, for tools that read Karate's own results.
type Karate struct {
	Dir      string
	features []karateFeature
}

type karateFeature struct {
	Failed        bool    `json:"failed"`
	Name          string  `json:"name"`
	Description   string  `json:"description"`
	Millis        float64 `json:"durationMillis"`
	PassedCount   int     `json:"passedCount"`
	FailedCount   int     `json:"failedCount"`
	ScenarioCount int     `json:"scenarioCount"`
	Qualified     string  `json:"packageQualifiedName"`
	Path          string  `json:"relativePath"`
}

type karateScenario struct {
	SectionIndex int          `json:"sectionIndex"`
	ExampleIndex int          `json:"exampleIndex"`
	Name         string       `json:"name"`
	Description  string       `json:"description"`
	Line         int          `json:"line"`
	RefID        string       `json:"refId"`
	Tags         []string     `json:"tags"`
	Failed       bool         `json:"failed"`
	Error        string       `json:"error,omitempty"`
	Executor     string       `json:"executorName"`
	Start        int64        `json:"startTime"`
	End          int64        `json:"endTime"`
	Millis       float64      `json:"durationMillis"`
	Steps        []karateStep `json:"stepResults"`
}

type karateStep struct {
	Step struct {
		Background bool   `json:"background,omitempty"`
		Line       int    `json:"line"`
		Prefix     string `json:"prefix"`
		Index      int    `json:"index"`
		Text       string `json:"text"`
		DocString  string `json:"docString,omitempty"`
	} `json:"step"`
	Result struct {
		Nanos  int64   `json:"nanos"`
		Millis float64 `json:"millis"`
		Start  int64   `json:"startTime"`
		End    int64   `json:"endTime"`
		Status string  `json:"status"`
		Error  string  `json:"errorMessage,omitempty"`
	} `json:"result"`
	Log   string            `json:"stepLog,omitempty"`
	Calls []karateOneResult `json:"callResults,omitempty"`
}

type karateOneResult struct {
	karateFeature
	Prefixed  string           `json:"prefixedPath"`
	LoopIndex int              `json:"loopIndex"`
	CallDepth int              `json:"callDepth"`
	Scenarios []karateScenario `json:"scenarioResults"`
}

// Begin is part of Writer.
func (*Karate) Begin(Suite) error { return nil }

// Scenario is part of Writer.
func (*Karate) Scenario(*Scenario) error { return nil }

// Feature writes the file of a feature, scenario by scenario.
func (k *Karate) Feature(f *Feature, r Results) error {
	head := karateHead(f, r.Heads, -1, 0)
	k.features = append(k.features, head.karateFeature)
	return createList(k.Dir, head.Qualified+".karate-json.txt", "", head, "", func(add func(any) error) error {
		for s, err := range r.All() {
			if err == nil {
				err = add(newKarateScenario(s, 0))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// End writes the summary.
func (k *Karate) End(s Summary) error {
	var sum float64
	for _, f := range k.features {
		sum += f.Millis
	}
	elapsed := millis(s.Time)
	out := struct {
		Version         string          `json:"version"`
		Env             string          `json:"env"`
		Threads         int             `json:"threads"`
		FeaturesPassed  int             `json:"featuresPassed"`
		FeaturesFailed  int             `json:"featuresFailed"`
		FeaturesSkipped int             `json:"featuresSkipped"`
		ScenariosPassed int             `json:"scenariosPassed"`
		ScenariosFailed int             `json:"scenariosfailed"`
		Elapsed         float64         `json:"elapsedTime"`
		Total           float64         `json:"totalTime"`
		Efficiency      float64         `json:"efficiency"`
		Date            string          `json:"resultDate"`
		Features        []karateFeature `json:"featureSummary"`
	}{
		Version: s.Suite.Version, Env: s.Suite.Env, Threads: s.Suite.Threads,
		FeaturesPassed: s.Features - s.FailedFeatures, FeaturesFailed: s.FailedFeatures,
		ScenariosPassed: s.Passed + s.Flaky, ScenariosFailed: s.Failed,
		Elapsed: elapsed, Total: sum, Date: s.Suite.Start.Add(s.Time).Format("2006-01-02 03:04:05 PM"), Features: k.features,
	}
	if elapsed > 0 && s.Suite.Threads > 0 {
		out.Efficiency = sum / (elapsed * float64(s.Suite.Threads))
	}
	if out.Features == nil {
		out.Features = []karateFeature{}
	}
	return createJSON(k.Dir, "karate-summary-json.txt", out)
}

// karateHead is a feature's result without its scenarios.
func karateHead(f *Feature, list []*Scenario, loop, depth int) karateOneResult {
	r := karateOneResult{Prefixed: f.Path, LoopIndex: loop, CallDepth: depth, Scenarios: []karateScenario{}}
	r.Name, r.Description, r.Path, r.Qualified = f.Name, f.Description, f.Path, QualifiedName(f.Path)
	for _, s := range list {
		r.ScenarioCount++
		r.Millis += millis(s.Time)
		if failed(s.Status) {
			r.FailedCount++
			r.Failed = true
		} else {
			r.PassedCount++
		}
	}
	return r
}

func newKarateScenario(s *Scenario, depth int) karateScenario {
	k := karateScenario{
		SectionIndex: s.Section - 1, ExampleIndex: s.Example - 1, Name: s.Name, Description: s.Description, Line: s.Line, RefID: id(s),
		Tags: bare(s.Tags), Failed: failed(s.Status), Error: s.Error, Executor: fmt.Sprint("thread-", s.Thread),
		Start: s.Start.UnixMilli(), End: s.Start.Add(s.Time).UnixMilli(), Millis: millis(s.Time), Steps: []karateStep{},
	}
	for index, step := range shown(s.Steps) {
		var t karateStep
		t.Step.Background, t.Step.Line, t.Step.Prefix, t.Step.Text, t.Step.DocString = step.Background, step.Line, step.Keyword, step.Text, step.DocString
		t.Step.Index = index
		t.Result.Nanos, t.Result.Millis, t.Result.Status, t.Result.Error = int64(step.Time), millis(step.Time), string(step.Status), step.Error
		t.Result.Start, t.Result.End = step.Start.UnixMilli(), step.Start.Add(step.Time).UnixMilli()
		t.Log = step.Log
		for _, c := range step.Calls {
			called := karateHead(c.Feature, c.Scenarios, c.Loop, depth+1)
			for _, inner := range c.Scenarios {
				called.Scenarios = append(called.Scenarios, newKarateScenario(inner, depth+1))
			}
			t.Calls = append(t.Calls, called)
		}
		k.Steps = append(k.Steps, t)
	}
	return k
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// bare are tags without their "@".
func bare(tags []string) []string {
	out := make([]string, len(tags))
	for i, t := range tags {
		out[i] = strings.TrimPrefix(t, "@")
	}
	return out
}
