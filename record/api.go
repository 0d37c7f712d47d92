package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"rove"
	"rove/driver"
	"rove/feature"
	"rove/internal/apitest"
	"rove/internal/har"
	"rove/internal/replay"
)

// APIOptions say which API tests are made of traffic, and how they are proved. The zero
// value is a feature that has passed twice on the application it was recorded from.
type APIOptions struct {
	// Format is feature, js, openapi, mock, har, curl or k6; "" is feature. Features
	// and scripts are proved; the others run nothing.
	Format string
	// Include keeps only calls whose address matches, Exclude leaves some out.
	Include, Exclude *regexp.Regexp
	// BaseURL is where the tests run, if not where the recording was made.
	BaseURL string
	// Secrets are values that the tests read by these names.
	Secrets map[string]string
	// Runs is how often they must pass; 0 is twice. With Unproved, a number below 0
	// runs nothing.
	Runs int
	// Reset is a command that puts the application back before each run.
	Reset string
	// Unproved gives what could not be proved too; its first line says so.
	Unproved bool
	// Progress is told what is being done; nil keeps silent.
	Progress func(string)
}

// File is one of the files of API tests.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ArchiveError is an archive that cannot be read.
type ArchiveError struct {
	Index int // which of the archives, from 0
	Err   error
}

func (e *ArchiveError) Error() string { return fmt.Sprintf("archive %d: %v", e.Index+1, e.Err) }
func (e *ArchiveError) Unwrap() error { return e.Err }

// Tests are API tests.
type Tests struct {
	Files []File
	Head  []string // the verdict, and what is to be said about them
}

// APIFormats are the formats of API tests.
func APIFormats() []string { return apitest.Formats() }

// Traffic is what the pages of a session asked and were answered, as a HAR archive with
// bodies.
func Traffic(ctx context.Context, s *rove.Session) (io.Reader, error) {
	n := s.Network()
	if n == nil {
		return nil, &rove.Error{Code: rove.CodeUnsupported, Op: "derive api", Message: "this browser does not tell what pages load", Hint: "take Chrome, Firefox, or a HAR archive from elsewhere"}
	}
	var b bytes.Buffer
	return &b, n.HAR(ctx, &b, rove.HAROptions{Bodies: true})
}

// API makes API tests of HAR archives: one, or several of the same flow, which tell what
// is different each time. Features and scripts are proved on the running application:
// they have to pass, and to fail when its answers are altered on the way. Tests that are
// not proved are an error, unless Unproved is set.
func API(ctx context.Context, archives []io.Reader, opts APIOptions) (*Tests, error) {
	const op = "derive api"
	if opts.Format == "" {
		opts.Format = apitest.Formats()[0]
	}
	switch {
	case !slices.Contains(apitest.Formats(), opts.Format):
		return nil, driver.Invalid(op, "there is no format %q: there are %s", opts.Format, strings.Join(apitest.Formats(), ", "))
	case opts.Runs < 0 && !opts.Unproved && opts.runs():
		return nil, driver.Invalid(op, "what nobody has run is given only with Unproved")
	}
	var recordings [][]*har.Entry
	for i, archive := range archives {
		entries, err := har.Read(archive)
		if err != nil {
			err = &ArchiveError{i, err}
			return nil, &rove.Error{Code: rove.CodeInvalid, Op: op, Message: err.Error(), Err: err}
		}
		recordings = append(recordings, entries)
	}
	suite, err := opts.suite(ctx, recordings)
	if err != nil {
		return nil, err
	}
	files, err := suite.Write(opts.Format)
	if err != nil {
		return nil, err
	}
	t := &Tests{Head: suite.Head()}
	for _, f := range files {
		t.Files = append(t.Files, File(f))
	}
	return t, nil
}

// runs says whether the format is one that can be run.
func (o *APIOptions) runs() bool { return o.Format == "feature" || o.Format == "js" }

// suite derives, and proves what can be run.
func (o *APIOptions) suite(ctx context.Context, recordings [][]*har.Entry) (*apitest.Suite, error) {
	from := apitest.Options{Include: o.Include, Exclude: o.Exclude, BaseURL: o.BaseURL, Secrets: o.Secrets}
	if !o.runs() || o.Runs < 0 {
		return apitest.Derive(recordings, from)
	}
	suite, err := apitest.Prove(ctx, recordings, from, apitest.Proof{
		Run: run, Times: o.Runs, Script: o.Format == "js", Progress: o.Progress,
		Reset: func(ctx context.Context) error { return replay.Reset(ctx, o.Reset) },
	})
	if unproved, ok := errors.AsType[*apitest.Unproved](err); ok {
		if o.Unproved {
			return suite, nil
		}
		return nil, &rove.Error{Code: rove.CodeInvalid, Op: "derive api", Message: "not proved: " + unproved.Reason, Hint: "Reset puts the application back before each run; Unproved gives it all the same", Err: err}
	}
	return suite, err
}

// run runs what was derived, in this process.
func run(ctx context.Context, r apitest.Run) (apitest.RunResult, error) {
	result, err := feature.Run(ctx, feature.Options{
		Paths: []string{filepath.Join(r.Dir, r.File)}, Dir: r.Dir, ConfigDir: r.Dir, Properties: r.Properties, Name: r.Name, Threads: 1, Output: "-",
	})
	if err != nil {
		return apitest.RunResult{}, err
	}
	out := apitest.RunResult{Passed: result.Passed, Failed: result.Failed + len(result.Broken)}
	for _, file := range result.Files {
		for _, s := range file.Scenarios {
			if s.Error != "" {
				out.Failures = append(out.Failures, s.Name+": "+s.Error)
			}
		}
	}
	for _, b := range result.Broken {
		out.Failures = append(out.Failures, b.Path+": "+b.Error)
	}
	return out, ctx.Err()
}

// String is what a person reads of tests: each file with its name.
func (t *Tests) String() string {
	var b strings.Builder
	for _, f := range t.Files {
		fmt.Fprintf(&b, "%s\n%s\n", f.Name, f.Text)
	}
	return b.String()
}
