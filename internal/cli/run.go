package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"rove"
	"rove/feature"
)

// exitError ends the program with a code of its own; what is wrong was told.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func newRunCommand() *cobra.Command {
	var opts feature.Options
	var defines []string
	var summary string
	var noColor, quiet, watch, debug bool
	c := &cobra.Command{
		Use:   "run [PATH[:LINE]...]",
		Short: "Run Karate features and JavaScript tests",
		Long: `Run the features of a folder, of files, or the scenarios at lines of a file:

  rove run                        all below this folder
  rove run login.feature:12       the scenario at line 12
  rove run -t @smoke -t ~@slow    those tagged @smoke and not @slow
  rove run -e qa -D user=ada      karate.env and karate.properties

It ends with 0 where all passed, 1 where something failed or a report could not be written, 2 where there is nothing
to run or a flag is wrong, 3 where the config fails, 130 where it was interrupted.`,
		RunE: func(c *cobra.Command, args []string) error {
			opts.Paths = args
			opts.Version = version()
			if os.Getenv("GOGC") == "" {
				room := collectCalmly()
				defer runtime.KeepAlive(room)
			}
			var err error
			if opts.Properties, err = readDefines(defines); err != nil {
				return &usageError{err}
			}
			if opts.Connect != "" {
				opts.Dial = daemonDialer(c.ErrOrStderr())
			}
			where := rove.Options{Connect: opts.Connect, Grid: opts.Grid, Emulate: opts.Emulate}
			if err := where.Check(); err != nil {
				return &usageError{err}
			}
			opts.Writers = extraWriters(summary, c.OutOrStdout())
			out := newRunPrinter(c.OutOrStdout(), !noColor, quiet)
			opts.Progress = out.progress
			ctx, cancel := context.WithCancelCause(c.Context())
			defer cancel(nil)
			if debug {
				opts.Threads, out.terminal = 1, false
				opts.BeforeStep = debugger(c.InOrStdin(), c.OutOrStdout(), cancel)
			}
			if watch {
				return watchRun(ctx, c, opts, out)
			}
			result, err := feature.Run(ctx, opts)
			out.clear()
			if err != nil {
				return &usageError{err}
			}
			out.summary(result)
			return runOutcome(result)
		},
	}
	f := c.Flags()
	f.StringArrayVarP(&opts.Tags, "tags", "t", nil, "tags to select, such as @smoke,@fast or ~@slow; several must all hold")
	f.IntVarP(&opts.Threads, "threads", "T", 0, "scenarios at a time (default: the number of processors)")
	f.StringVarP(&opts.Env, "env", "e", "", "karate.env")
	f.StringVarP(&opts.Name, "name", "n", "", "only scenarios whose name matches this regular expression")
	f.StringVarP(&opts.Output, "output", "o", "", "folder for reports (default target/karate-reports)")
	f.StringVar(&opts.Formats, "format", "", "reports to write: html,junit,cucumber,jsonl; ~html leaves one out")
	f.StringVar(&summary, "summary", "", "file for a summary in Markdown")
	f.StringArrayVarP(&defines, "define", "D", nil, "a property, name=value, for karate.properties")
	f.StringArrayVar(&opts.Classpath, "classpath", nil, "a folder that classpath: means")
	f.StringVar(&opts.ConfigDir, "config-dir", "", "folder of karate-config.js")
	f.BoolVar(&opts.DryRun, "dry-run", false, "run no step, show what would run")
	f.BoolVar(&opts.RerunFailed, "rerun-failed", false, "run only what failed in the last run")
	f.IntVar(&opts.Retry, "retry-failed", 0, "try a failed scenario again that often; a pass then is told as flaky")
	f.StringVar(&opts.Shard, "shard", "", "run a part of all, such as 2/5")
	f.BoolVar(&opts.FailFast, "fail-fast", false, "stop at the first failure")
	f.BoolVar(&opts.Clean, "clean", false, "empty the folder for reports first")
	f.BoolVar(&opts.Headed, "headed", false, "show the browsers")
	f.StringVar(&opts.Browser, "browser", "", "the browser to use")
	f.StringVar(&opts.Backend, "backend", "", "the backend to drive browsers with")
	f.StringVar(&opts.Connect, "connect", os.Getenv("ROVE_CONNECT"), "use a browser that runs already, your own: its debugging `PORT`, http://… or ws://… address, or auto")
	f.Lookup("connect").DefValue = ""
	f.StringVar(&opts.Grid, "grid", "", "use a browser of the Selenium Grid at `URL`, such as http://grid.example:4444")
	registerEmulate(c, &opts.Emulate)
	f.BoolVar(&watch, "watch", false, "run again whenever a file changes")
	f.BoolVar(&debug, "debug", false, "stop before each step and take lines: steps, JavaScript, help")
	f.BoolVar(&noColor, "no-color", os.Getenv("NO_COLOR") != "", "print without colours")
	f.BoolVarP(&opts.Verbose, "verbose", "v", false, "print what steps log, too")
	f.BoolVarP(&quiet, "quiet", "q", false, "print failures and the summary alone")
	return c
}

// watchRun runs again and again, until it is interrupted.
func watchRun(ctx context.Context, c *cobra.Command, opts feature.Options, out *runPrinter) error {
	_ = feature.Watch(ctx, opts, func(r *feature.Result, err error) {
		out.clear()
		if err != nil {
			fmt.Fprintln(c.OutOrStdout(), "rove:", err)
		} else {
			out.summary(r)
		}
		fmt.Fprintln(c.OutOrStdout(), "waiting for a change; Ctrl-C ends")
		out.restart()
	})
	return &exitError{130, errors.New("interrupted")}
}

func readDefines(list []string) (map[string]string, error) {
	all := map[string]string{}
	for _, d := range list {
		name, value, ok := strings.Cut(d, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("wrong property %q: it is name=value", d)
		}
		all[name] = value
	}
	return all, nil
}

// runOutcome is how the program ends after a run.
func runOutcome(r *feature.Result) error {
	switch {
	case r.Interrupted == "interrupted":
		return &exitError{130, errors.New("interrupted")}
	case r.Config != "":
		return &exitError{3, errors.New(r.Config)}
	case r.Passed+r.Failed+r.Skipped+len(r.Broken) == 0:
		return &exitError{2, errors.New("nothing to run")}
	case !r.Ok():
		return &exitError{1, errors.New("there are failures")}
	case r.Unwritten: // who reads the reports would take an old one for this run's
		return &exitError{1, errors.New("the reports could not be written")}
	}
	return nil
}
