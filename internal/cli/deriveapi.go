package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rove/internal/apitest"
	"rove/record"
)

// deriveAPIFlags are the flags of rove derive api.
type deriveAPIFlags struct {
	callFlags
	archives         []string
	format           string
	include, exclude string
	baseURL          string
	prove            int
	reset            string
	unproved         bool
	output           string
	secrets          []string
}

// deriveTimeout bounds a derivation and its proof.
const deriveTimeout = 10 * time.Minute

func newDeriveAPICommand() *cobra.Command {
	var f deriveAPIFlags
	c := &cobra.Command{
		Use:   "api",
		Short: "Make API tests of the traffic of a session, or of HAR archives",
		Long: `Makes API tests of what was sent and answered: of the session's traffic, or of
HAR archives that a browser or a proxy wrote (--har). Several archives of the same
flow tell what differs from time to time.

What is no API call is left out: pages, pictures, fonts, analytics, preflights,
repeated calls. A value of an answer that is sent again later becomes a variable:
ids, CSRF tokens of forms and meta tags, bearer and refresh tokens, ETags, cursors.
Answers are held to status, type and the schema of all samples, and to values that
the flow sent itself. Signing in is done once, and no secret is written: tests read
passwords and keys by name, from properties (-Dpassword=...) or the environment
(API_PASSWORD).

  --format feature   a folder: api.feature, auth.feature, karate-config.js, for
                     rove run and for Karate alike (the default)
           js        a folder: api.karate.js and karate-config.js, for rove run
           openapi   a description, OpenAPI 3.1
           mock      a feature that answers as the application did, for rove mock
           har       the calls alone, without secrets
           curl, k6  a shell script, a load test

Features and scripts are proved before they are written: they pass twice (--prove)
on the running application, and fail when its answers are altered on the way; what
must be refused (without signing in, with a stranger's id, without a field) is tried
and kept where the application refuses it. The verdict stands at the head. The
application must be running, and is changed by it: --reset COMMAND is run before
every run, to bring it back. What cannot be proved is written only with --unproved.`,
		Example: `  rove derive api -o tests
  rove derive api --har flow.har --har again.har --reset ./seed.sh -o tests
  rove derive api --har flow.har --base-url http://localhost:8080 --include /api/
  rove derive api --format openapi -o api.json
  rove derive api --format mock -o mock.feature && rove mock -m mock.feature -p 8080
  rove run tests -D password=... `,
		Args: noArgs("derive api"),
		RunE: func(c *cobra.Command, _ []string) error { return f.derive(c) },
	}
	c.Flags().SortFlags = false
	c.Flags().StringArrayVar(&f.archives, "har", nil, "read the HAR archive `FILE`; may be said often, for recordings of the same flow (default: the session's traffic)")
	c.Flags().StringVar(&f.format, "format", "feature", "what to write: "+strings.Join(record.APIFormats(), ", "))
	c.Flags().StringVar(&f.include, "include", "", "only calls whose address matches `REGEX`")
	c.Flags().StringVar(&f.exclude, "exclude", "", "no calls whose address matches `REGEX`")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "`URL` of the application to prove on and to write into the tests (default: where it was recorded)")
	c.Flags().IntVar(&f.prove, "prove", 2, "how often it must pass, `N` times; 0 runs nothing")
	c.Flags().StringVar(&f.reset, "reset", "", "`COMMAND` that brings the application back, before every run")
	c.Flags().BoolVar(&f.unproved, "unproved", false, "write what could not be proved too; it says so in its first line")
	c.Flags().StringArrayVar(&f.secrets, "secret", nil, "a variable of the environment, by `NAME`, whose value is a secret: tests read it by that name")
	c.Flags().StringVarP(&f.output, "out", "o", "", "`FILE` or folder to write (default: standard output, or the folder api-tests)")
	f.register(c, deriveTimeout)
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(record.APIFormats(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (f *deriveAPIFlags) derive(c *cobra.Command) error {
	if !slices.Contains(record.APIFormats(), f.format) {
		return &usageError{fmt.Errorf("there is no format %q: there are %s", f.format, strings.Join(record.APIFormats(), ", "))}
	}
	o, err := f.options()
	if err != nil {
		return &usageError{err}
	}
	ctx, cancel := context.WithTimeout(c.Context(), f.timeout)
	defer cancel()
	files, err := f.traffic(ctx, c)
	if err != nil {
		return err
	}
	var archives []io.Reader
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		archives = append(archives, bytes.NewReader(text))
	}
	o.Progress = func(text string) { fmt.Fprintln(c.ErrOrStderr(), "rove:", text) }
	tests, err := record.API(ctx, archives, o)
	var unproved *apitest.Unproved
	var unread *record.ArchiveError
	switch {
	case errors.As(err, &unread):
		return fmt.Errorf("%s: %w", files[unread.Index], unread.Err)
	case errors.As(err, &unproved):
		return fmt.Errorf("not proved: %w\n--unproved writes it all the same, --reset COMMAND brings the application back before each run", unproved)
	case err != nil:
		return err
	}
	return f.write(c, tests)
}

func (f *deriveAPIFlags) options() (o record.APIOptions, err error) {
	o = record.APIOptions{Format: f.format, BaseURL: f.baseURL, Runs: f.prove, Reset: f.reset, Unproved: f.unproved, Secrets: map[string]string{}}
	if f.prove <= 0 {
		if o.Runs = -1; !f.unproved && (f.format == "feature" || f.format == "js") {
			return o, errors.New("--prove 0 writes what nobody has run: say --unproved too")
		}
	}
	for _, one := range []struct {
		flag, text string
		to         **regexp.Regexp
	}{{"include", f.include, &o.Include}, {"exclude", f.exclude, &o.Exclude}} {
		if one.text == "" {
			continue
		}
		if *one.to, err = regexp.Compile(one.text); err != nil {
			return o, fmt.Errorf("--%s: %w", one.flag, err)
		}
	}
	for _, name := range f.secrets {
		value, ok := os.LookupEnv(name)
		if !ok {
			return o, fmt.Errorf("--secret %s: there is no such variable in the environment", name)
		}
		o.Secrets[name] = value
	}
	return o, nil
}

// traffic names the archives, or one of what the session tells of its traffic.
func (f *deriveAPIFlags) traffic(ctx context.Context, c *cobra.Command) ([]string, error) {
	if len(f.archives) > 0 {
		return f.archives, nil
	}
	switch kept, err := f.kept(c); {
	case err != nil:
		return nil, err
	case kept != nil && kept.Traffic == "":
		return nil, errors.New("of what it sent and was answered nothing is kept: there was too much of it, or the browser was your own")
	case kept != nil:
		return []string{kept.Traffic}, nil
	}
	caller, err := f.caller(c)
	if err != nil {
		return nil, err
	}
	f.json = true // the name of the file is wanted
	a, err := caller.call(ctx, "browser_network_requests", map[string]any{"har": true, "bodies": true})
	if err := cmp.Or(err, caller.close()); err != nil {
		return nil, err
	}
	var answer struct {
		File string `json:"file"`
	}
	if json.Unmarshal(a.Data, &answer) != nil || answer.File == "" {
		answer.File, _, _ = strings.Cut(a.Text[strings.LastIndex(a.Text, " in ")+len(" in "):], " (")
	}
	return []string{answer.File}, nil
}

// write writes the files: one to standard output unless told otherwise, several
// to a folder.
func (f *deriveAPIFlags) write(c *cobra.Command, tests *record.Tests) error {
	files := tests.Files
	if len(files) == 1 && f.output == "" {
		_, err := fmt.Fprint(c.OutOrStdout(), files[0].Text)
		return err
	}
	dir := f.output
	switch {
	case len(files) == 1:
		dir = filepath.Dir(f.output)
		files[0].Name = filepath.Base(f.output)
	case dir == "":
		dir = "api-tests"
	case strings.HasSuffix(dir, ".feature") || strings.HasSuffix(dir, ".js"):
		files[0].Name = filepath.Base(dir)
		dir = filepath.Dir(dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, file := range files {
		to := filepath.Join(dir, file.Name)
		if old, err := os.ReadFile(to); err == nil && file.Name == "karate-config.js" && !strings.HasPrefix(string(old), apitest.ConfigHead) {
			return fmt.Errorf("%s is there, and was not derived: choose another folder with -o", to)
		}
		if err := os.WriteFile(to, []byte(file.Text), 0o666); err != nil {
			return err
		}
		fmt.Fprintln(c.OutOrStdout(), "wrote", to)
	}
	for _, line := range tests.Head {
		fmt.Fprintln(c.OutOrStdout(), line)
	}
	return nil
}
