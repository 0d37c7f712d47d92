package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rove/feature"
	"rove/report"
)

func newReportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "report",
		Short: "Make reports of runs",
		Args:  cobra.ArbitraryArgs,
		RunE:  commandsOnly,
	}
	c.AddCommand(newMergeCommand())
	return c
}

func newMergeCommand() *cobra.Command {
	var output, formats, summary string
	c := &cobra.Command{
		Use:   "merge FOLDER...",
		Short: "Make one report of the folders of several runs",
		Long: `Puts the results of several runs together: the shards of a suite, or a run that was
ended before its reports were written. It reads the JSON lines of each folder, which
runs write unless --format leaves them out. Of a scenario that ran twice, the folder
that is named last counts.

It ends with 0 where all passed, 1 where something failed or did not come to its end.`,
		Example: "  rove run --shard 1/2 -o one; rove run --shard 2/2 -o two\n  rove report merge one two -o target/karate-reports",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{errors.New("name the folders of reports to put together")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := notWithin(output, args); err != nil {
				return &usageError{err}
			}
			var list []string
			if formats != "" {
				list = strings.Split(formats, ",")
			}
			writers, err := report.Writers(output, list)
			if err != nil {
				return &usageError{err}
			}
			sum, err := report.Merge(args, append(writers, extraWriters(summary, c.OutOrStdout())...))
			if err != nil {
				return err
			}
			r := &feature.Result{Summary: sum, Output: output}
			newRunPrinter(c.OutOrStdout(), false, false).summary(r)
			if !r.Ok() {
				return &exitError{1, errors.New("there are failures")}
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVarP(&output, "output", "o", filepath.Join("target", "karate-reports"), "folder for the report")
	f.StringVar(&formats, "format", "", "reports to write: html,junit,cucumber,jsonl; ~html leaves one out")
	f.StringVar(&summary, "summary", "", "file for a summary in Markdown")
	return c
}

// notWithin says that the report must not be written over what it is made of.
func notWithin(output string, dirs []string) error {
	out, err := filepath.Abs(output)
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		if d, err := filepath.Abs(dir); err == nil && d == out {
			return fmt.Errorf("%s is read and cannot be written to: name another folder with -o", dir)
		}
	}
	return nil
}

// extraWriters are those that a command line and its surroundings ask for: a
// summary in Markdown, and on GitHub marks at the lines that failed.
func extraWriters(summary string, out io.Writer) []report.Writer {
	var list []report.Writer
	if summary != "" {
		list = append(list, &report.Markdown{File: summary})
	}
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		marks := &lines{out: out}
		list = append(list, report.Annotations{Write: func(line string) { marks.print("%s", line) }})
	}
	return list
}
