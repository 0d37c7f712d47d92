package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rove"
	"rove/internal/derive"
	"rove/internal/replay"
	"rove/recording"
)

func newReplayCommand() *cobra.Command {
	var f launchFlags
	var asJSON, heal bool
	var runs int
	var against, reset string
	var params []string
	var wait time.Duration
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Do a flow or a recording again, without a model",
		Long: `Does again what was done: FILE is a flow (rove derive script --format flow) or a
recording. Each element has to be what it was: of the same role and name, in the
same place. Where the first way to it leads nowhere the next is tried, which is told
as a heal, and --heal writes it back. Where none does, it stops and says what is
there instead.

--runs does it several times and gives a flake score: the share of runs that failed
while others passed.`,
		Example: `  rove replay login.flow
  rove replay login.flow --against https://staging.example --param password=…
  rove replay login.flow --runs 10 --reset 'make seed'
  rove replay login.flow --heal`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{errors.New("replay takes the file of a flow or of a recording")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if runs < 1 {
				return &usageError{fmt.Errorf("--runs is %d: it must be at least 1", runs)}
			}
			flow, err := readFlow(args[0])
			if err != nil {
				return err
			}
			values, err := parameters(params)
			if err != nil {
				return err
			}
			opts, err := f.options(c.ErrOrStderr())
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(c.Context(), f.timeout)
			defer cancel()
			b, err := rove.Launch(ctx, opts)
			if err != nil {
				return err
			}
			defer b.Close()
			run := func(ctx context.Context, f *recording.Flow, o rove.ReplayOptions) (*rove.ReplayResult, error) {
				s, err := b.Open(ctx, opts.Viewport)
				if err != nil {
					return nil, err
				}
				defer s.Close()
				return s.Replay(ctx, f, o)
			}
			report, err := replay.Times(ctx, runs, flow, rove.ReplayOptions{Base: against, Params: values, Patience: wait, Environment: true}, reset, run)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(c.OutOrStdout(), report)
			} else {
				_, err = fmt.Fprintln(c.OutOrStdout(), strings.TrimSpace(replayText(report)))
			}
			if err != nil {
				return err
			}
			if heal {
				if n := replay.Heal(flow, report.Runs); n > 0 {
					if err := saveFlow(args[0], flow); err != nil {
						return err
					}
					fmt.Fprintf(c.ErrOrStderr(), "healed %d steps of %s\n", n, args[0])
				}
			}
			if report.Passed < len(report.Runs) {
				return &exitError{1, errors.New("it did not pass")}
			}
			return nil
		},
	}
	f.register(c, deriveTimeout)
	fl := c.Flags()
	fl.BoolVar(&asJSON, "json", false, "print the data form")
	fl.BoolVar(&heal, "heal", false, "write ways that were found back to the file")
	fl.IntVar(&runs, "runs", 1, "how many times")
	fl.StringVar(&against, "against", "", "`URL` of another origin to run on, such as staging")
	fl.StringVar(&reset, "reset", "", "`COMMAND` that puts the application back, run before each")
	fl.StringArrayVar(&params, "param", nil, "`NAME=VALUE` of a parameter")
	fl.DurationVar(&wait, "wait", 0, "how long to wait for an element, and for what must be so (default 10s)")
	return c
}

// replayText is a report for people: one run with its steps, several by their ends.
func replayText(r *replay.Report) string {
	if len(r.Runs) != 1 {
		return r.Text()
	}
	return strings.Join(r.Runs[0].Trace, "\n") + "\n" + r.Runs[0].Text()
}

// isFlow says whether a file begins as a flow does.
func isFlow(data []byte) bool {
	return bytes.Contains(data[:min(len(data), 200)], []byte(`"rove":"flow"`))
}

// readFlow reads a flow, or makes one of a recording.
func readFlow(path string) (*recording.Flow, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if !isFlow(data) && bytes.Contains(data[:min(len(data), 200)], []byte(`"recording"`)) {
		rec, err := recording.Read(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return derive.Flow(rec, derive.Options{Name: filepath.Base(path)})
	}
	flow, err := recording.ReadFlow(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; derive one with 'rove derive script --format flow', and run features with 'rove run'", path, err)
	}
	return flow, nil
}

func saveFlow(path string, f *recording.Flow) error {
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o600)
}
