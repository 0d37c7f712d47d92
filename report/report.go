// Package report writes down what a suite of features did: as HTML for people,
// as JUnit and Cucumber JSON for other programs, as JSON lines while it runs.
//
// A suite tells a Writer of every scenario when it has ended; a Writer writes at
// once, so that a crash loses nothing and thousands of scenarios need no memory.
package report

import (
	"iter"
	"time"
)

// A Status is how a step, a scenario or a feature ended.
type Status string

// The ways to end. A scenario is Flaky where it failed first and passed when it
// was tried again.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
	Flaky   Status = "flaky"
)

// A Suite is what is known before the first scenario runs.
type Suite struct {
	Env     string    `json:"env,omitempty"`
	Threads int       `json:"threads"`
	Start   time.Time `json:"start"`
	// Version is rove's.
	Version string `json:"version,omitempty"`
	// Scenarios and Features are how many there are to run, as far as that can
	// be known: dynamic outlines make more.
	Scenarios int `json:"scenarios,omitempty"`
	Features  int `json:"features,omitempty"`
	// Shard says which part of all it is, such as "2/5".
	Shard string `json:"shard,omitempty"`
}

// A Feature is a file.
type Feature struct {
	// Path is relative to the folder that the suite ran in, with slashes.
	Path        string   `json:"path"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Line        int      `json:"line,omitempty"`
	Tags        []string `json:"tags,omitempty"`
}

// A Scenario is one result: a scenario, or one row of an outline.
type Scenario struct {
	Feature     *Feature `json:"-"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Line        int      `json:"line"`
	// Tags are its own and its feature's, with "@".
	Tags []string `json:"tags,omitempty"`
	// Section counts the scenarios of a feature from 1, Example the rows of an
	// outline from 1; 0 where it is none.
	Section int `json:"section"`
	Example int `json:"example,omitempty"`
	// ExampleData is the row, as JSON.
	ExampleData string        `json:"exampleData,omitempty"`
	Status      Status        `json:"status"`
	Start       time.Time     `json:"start"`
	Time        time.Duration `json:"time"`
	// Thread is the worker that ran it, from 1.
	Thread int `json:"thread"`
	// Attempt counts from 1; a scenario that was tried again is told once, with
	// its last attempt, and Earlier holds the failures before.
	Attempt int      `json:"attempt"`
	Earlier []string `json:"earlier,omitempty"`
	// Error is the failure's sentence, ErrorLine and ErrorPath where it happened
	// (in a called feature perhaps).
	Error     string `json:"error,omitempty"`
	ErrorPath string `json:"errorPath,omitempty"`
	ErrorLine int    `json:"errorLine,omitempty"`
	// Variables are those at a failure, written as text.
	Variables []Variable `json:"variables,omitempty"`
	Steps     []*Step    `json:"steps"`
	// Aside says that the steps are on disk alone.
	Aside bool `json:"-"`
}

// A Variable is a name and its value as text, cut where it is long.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Step is a step that ran, or that was skipped.
type Step struct {
	Line    int    `json:"line"`
	EndLine int    `json:"endLine,omitempty"`
	Keyword string `json:"keyword"`
	Text    string `json:"text"`
	// DocString and Table are as they stand in the file.
	DocString string     `json:"docString,omitempty"`
	Table     [][]string `json:"table,omitempty"`
	// Background says that the step stands in the background; Hook names what
	// is no step of the file, such as "afterScenario".
	Background bool          `json:"background,omitempty"`
	Hook       string        `json:"hook,omitempty"`
	Status     Status        `json:"status"`
	Start      time.Time     `json:"start"`
	Time       time.Duration `json:"time"`
	Error      string        `json:"error,omitempty"`
	// Log is what was printed, logged, asked and answered, in order.
	Log string `json:"log,omitempty"`
	// Exchanges are the requests that the step made.
	Exchanges []Exchange `json:"exchanges,omitempty"`
	Embeds    []Embed    `json:"embeds,omitempty"`
	Calls     []*Call    `json:"calls,omitempty"`
	// Quiet steps are left out of reports: those of @report=false.
	Quiet bool `json:"quiet,omitempty"`
}

// A Call is a feature that a step called.
type Call struct {
	Feature   *Feature    `json:"feature"`
	Argument  string      `json:"argument,omitempty"`
	Loop      int         `json:"loop,omitempty"`
	Scenarios []*Scenario `json:"scenarios"`
}

// An Exchange is a request and its answer, as reports show them: secrets are
// masked and long bodies cut before they come here.
type Exchange struct {
	Method       string        `json:"method"`
	URL          string        `json:"url"`
	Request      []Header      `json:"request,omitempty"`
	RequestBody  string        `json:"requestBody,omitempty"`
	Status       int           `json:"status,omitempty"`
	Response     []Header      `json:"response,omitempty"`
	ResponseBody string        `json:"responseBody,omitempty"`
	Time         time.Duration `json:"time,omitempty"`
	Error        string        `json:"error,omitempty"`
}

// A Header is one line of an exchange.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// An Embed is a picture or a text that belongs to a step.
type Embed struct {
	// Type is its content type.
	Type string `json:"type"`
	Name string `json:"name,omitempty"`
	Data []byte `json:"data,omitempty"`
}

// A Summary is what is known when the suite has ended.
type Summary struct {
	Suite Suite         `json:"suite"`
	Time  time.Duration `json:"time"`
	// Passed is without Flaky.
	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
	Skipped  int `json:"skipped"`
	Flaky    int `json:"flaky"`
	Features int `json:"features"`
	// FailedFeatures are files that have a failed scenario, or that could not
	// be read.
	FailedFeatures int `json:"failedFeatures"`
	// Broken are files that could not be read, with the reason.
	Broken []Broken `json:"broken,omitempty"`
	// Interrupted says that not all was run, and why.
	Interrupted string `json:"interrupted,omitempty"`
}

// A Broken file could not be run at all.
type Broken struct {
	Path  string `json:"path"`
	Line  int    `json:"line,omitempty"`
	Error string `json:"error"`
}

// Results are those of a feature, in the order of its file.
type Results struct {
	// Heads are all of them; those that were put aside are without their steps.
	Heads []*Scenario
	// Load gets one that was put aside; nil where none was.
	Load func(*Scenario) (*Scenario, error)
}

// All are the results whole, one after the other: what was put aside is in memory
// only while it is looked at.
func (r Results) All() iter.Seq2[*Scenario, error] {
	return func(yield func(*Scenario, error) bool) {
		for _, s := range r.Heads {
			var err error
			if s.Aside && r.Load != nil {
				s, err = r.Load(s)
			}
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// Brief is a Writer that takes what it needs of the steps when their scenario ends:
// where all are brief, steps need not wait for the end of their file.
type Brief interface {
	Writer
	// Exchanges says whether it tells of requests and answers.
	Exchanges() bool
}

// Size is about how many bytes a result takes.
func (s *Scenario) Size() int64 {
	n := len(s.Name) + len(s.Error) + len(s.ExampleData) + 300
	for _, v := range s.Variables {
		n += len(v.Value)
	}
	size := int64(n)
	for _, step := range s.Steps {
		size += int64(len(step.Text) + len(step.DocString) + len(step.Log) + len(step.Error) + 300)
		for _, e := range step.Exchanges {
			size += int64(len(e.URL) + len(e.RequestBody) + len(e.ResponseBody) + 100*(len(e.Request)+len(e.Response)))
		}
		for _, e := range step.Embeds {
			size += int64(len(e.Data))
		}
		for _, c := range step.Calls {
			for _, inner := range c.Scenarios {
				size += inner.Size()
			}
		}
	}
	return size
}

// PutAside takes away what only reports need, once it is on disk.
func (s *Scenario) PutAside() {
	s.Aside, s.Steps, s.Variables, s.ExampleData = true, nil, nil, ""
}

// A Writer is told what a suite does. Its methods are called one at a time, in
// the order in which scenarios end; Feature comes when the last scenario of a
// file has ended, with its results in the order of the file. Begin and End are
// called once.
type Writer interface {
	Begin(Suite) error
	// Scenario comes as soon as one has ended.
	Scenario(*Scenario) error
	// Feature comes when all of a file's scenarios have ended.
	Feature(*Feature, Results) error
	End(Summary) error
}
