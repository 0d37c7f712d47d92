package feature

import (
	"time"

	"rove"
	"rove/driver"
	"rove/report"
)

// Options say what to run and how.
type Options struct {
	// Paths are files and folders, files with lines too (login.feature:12:30);
	// none is the folder Dir. A path may begin with classpath:.
	Paths []string
	// Dir is the folder that paths are relative to; empty is the current one.
	Dir string
	// Tags are selectors, all of which must hold: "@smoke,@fast", "~@slow", or an
	// expression such as "anyOf('@a','@b')".
	Tags []string
	// Name is a regular expression that a scenario's name must match.
	Name string
	// Env is karate.env.
	Env string
	// Properties are karate.properties, before the environment.
	Properties map[string]string
	// Classpath are the folders that classpath: means; none is the folder of the
	// config, src/test/java and src/test/resources.
	Classpath []string
	// ConfigDir is the folder of karate-config.js; empty is where it is found.
	ConfigDir string
	// Threads is how many scenarios run at a time; 0 is the number of processors.
	Threads int
	// Output is the folder for reports; empty is target/karate-reports, "-" is
	// none.
	Output string
	// Formats are the reports to write: "html,junit", "~html"; empty is all.
	Formats string
	// Clean empties the folder for reports first.
	Clean bool
	// DryRun runs no step: all that would run pass.
	DryRun bool
	// FailFast ends the suite at the first failure.
	FailFast bool
	// Retry is how often a scenario that failed is tried again.
	Retry int
	// RerunFailed runs what failed in the last run alone.
	RerunFailed bool
	// Shard runs a part: "2/5".
	Shard string
	// ScriptLimit is how long a script may run by itself; 0 is a minute.
	ScriptLimit time.Duration

	// Provider gives the drivers; nil starts browsers as the features configure
	// them.
	Provider driver.Provider
	// Headed shows browsers; Browser and Backend choose them.
	Headed           bool
	Browser, Backend string
	// Connect is a browser that runs already, which is used instead of starting any;
	// see rove.Options. Dial reaches it by a connection that is shared.
	Connect string
	Dial    rove.Dialer
	// Grid is the address of a Selenium Grid whose browser is used.
	Grid string
	// Emulate is what pages are to take browsers for; it counts more than what
	// features configure.
	Emulate rove.EmulateOptions

	// Writers are told of results, besides those of Formats.
	Writers []report.Writer
	// Progress is told what begins and ends. It is called by several goroutines.
	Progress func(Progress)
	// Verbose has Progress told what steps log, too.
	Verbose bool
	// BeforeStep is called before each step, for debuggers.
	BeforeStep func(*Pause)
	// Version is rove's, for reports.
	Version string
}

// Progress is something that began or ended.
type Progress struct {
	// Started and Ended are scenarios; one of them is set. Broken is a file that
	// could not be read.
	Started, Ended *report.Scenario
	Broken         *report.Broken
	// Picture is the file of the picture of a failure, where there is one.
	Picture string
	// Done, Failed and All count scenarios. All grows while dynamic outlines are
	// unfolded.
	Done, Failed, All int
	// Text is a line of log.
	Text string
}

// Result is what a suite did. Flaky scenarios have passed, and are counted in Passed, too.
type Result struct {
	report.Summary
	// Files are the features in the order of the files.
	Files []*File
	// Config is the failure of the config that kept every scenario from running.
	Config string
	// Output is the folder of the reports, "" where none were written; Trouble is
	// what kept some from being written.
	Output  string
	Trouble error
	// Unwritten says that a report is missing or not whole.
	Unwritten bool
}

// File is the results of a file. Where reports are written, the steps are in these
// alone: a suite of many scenarios needs no memory for them.
type File struct {
	Feature   *report.Feature
	Scenarios []*report.Scenario
	Broken    *report.Broken
}

// Ok says whether something ran and all of it passed.
func (r *Result) Ok() bool {
	return r.Failed == 0 && len(r.Broken) == 0 && r.Interrupted == ""
}
