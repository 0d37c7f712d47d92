package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rove/recording"
)

func newRecordingCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "recording",
		Short: "Show, cut and merge what sessions did",
		Long: `Every session remembers what was done in it. 'rove session save NAME FILE
--recording' writes it to a file, which these commands read.

Of a session that ended by itself, because nobody called for 30 minutes or its browser
died, what was done is kept for a week in a file that only you can read. 'recording
show' and 'derive' take it by the name of the session, until there is another of that
name; 'recording list' says what there is. ROVE_KEEP=off, where the daemon starts, has
nothing be kept.`,
		Args: cobra.ArbitraryArgs,
		RunE: commandsOnly,
	}
	c.AddCommand(newRecordingListCommand(), newRecordingShowCommand(), newRecordingCutCommand(), newRecordingMergeCommand())
	return c
}

func newRecordingShowCommand() *cobra.Command {
	var f callFlags
	c := &cobra.Command{
		Use:     "show [FILE]",
		Short:   "List the steps of a recording or a flow, or of the session",
		Example: "  rove recording show\n  rove recording show monday.jsonl",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{errors.New("recording show takes one file, or none for the session")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var rec *recording.Recording
			var err error
			if len(args) == 1 {
				if data, err := os.ReadFile(args[0]); err == nil && isFlow(data) {
					flow, err := readFlow(args[0])
					if err != nil {
						return err
					}
					return listFlow(c.OutOrStdout(), flow)
				}
				rec, err = readRecording(args[0])
			} else if kept, e := f.kept(c); e != nil || kept != nil {
				if err = e; err == nil {
					rec, err = readRecording(kept.File)
				}
			} else {
				caller, e := f.caller(c)
				if e != nil {
					return e
				}
				defer caller.close()
				rec, err = recorded(c.Context(), caller)
			}
			if err != nil {
				return err
			}
			return listSteps(c.OutOrStdout(), rec)
		},
	}
	f.register(c, callTimeout)
	return c
}

// listFlow prints the verdict of a flow, and a line for each step and for what must be so
// after it.
func listFlow(w io.Writer, f *recording.Flow) error {
	fmt.Fprintln(w, f.Proof)
	for i, do := range f.Steps {
		line := fmt.Sprintf("%d %s", i+1, do.Op)
		if do.Who != nil {
			line += fmt.Sprintf(" %s %q", do.Who.Role, do.Who.Name)
		}
		if do.Value != "" {
			line += " " + strings.ReplaceAll(do.Value, "\n", " ")
		}
		for _, c := range do.Checks {
			line += "\n    " + c.String()
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// listSteps prints a line for each step, with the number of its verb.
func listSteps(w io.Writer, rec *recording.Recording) error {
	if rec.Lost > 0 {
		fmt.Fprintf(w, "the first %d steps are not remembered any more\n", rec.Lost)
	}
	for _, s := range rec.Steps {
		line := fmt.Sprintf("%d %s", s.N, s.Verb)
		if s.Verb == "act" && s.Op != "" {
			line += " " + s.Op
		}
		if s.Who != nil {
			line += fmt.Sprintf(" %s %q", s.Who.Role, s.Who.Name)
			if s.Who.Near != "" && s.Who.Near != s.Who.Name {
				line += fmt.Sprintf(" near %q", s.Who.Near)
			}
		}
		if s.Value != "" {
			line += " " + strings.ReplaceAll(s.Value, "\n", " ")
		}
		if !s.OK {
			line += ": failed [" + s.Code + "]"
		}
		if s.Effect != nil && s.Effect.URL != "" {
			line += " → " + s.Effect.URL
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	if len(rec.Steps) == 0 {
		fmt.Fprintln(w, "nothing was done in it")
	}
	if len(rec.Requests) > 0 {
		fmt.Fprintf(w, "%d requests\n", len(rec.Requests))
	}
	return nil
}

func newRecordingCutCommand() *cobra.Command {
	var from, to int
	var output string
	c := &cobra.Command{
		Use:     "cut FILE",
		Short:   "Write a part of a recording, from one verb to another",
		Example: "  rove recording cut monday.jsonl --from 4 --to 9 -o add.jsonl",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{errors.New("recording cut takes one file")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			rec, err := readRecording(args[0])
			if err != nil {
				return err
			}
			if from > 0 && to > 0 && from > to {
				return &usageError{fmt.Errorf("--from %d is after --to %d", from, to)}
			}
			part := rec.Cut(from, to)
			if len(part.Steps) == 0 {
				return fmt.Errorf("there is no step from %d to %d in %s", from, to, args[0])
			}
			return writeRecording(c, output, part)
		},
	}
	c.Flags().IntVar(&from, "from", 0, "the number of the first verb (default: the first there is)")
	c.Flags().IntVar(&to, "to", 0, "the number of the last (default: the last there is)")
	c.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write it to (default: standard output)")
	return c
}

func newRecordingMergeCommand() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:     "merge FILE...",
		Short:   "Put recordings one after the other",
		Example: "  rove recording merge login.jsonl add.jsonl -o both.jsonl",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return &usageError{errors.New("recording merge takes two files or more")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var list []*recording.Recording
			for _, path := range args {
				rec, err := readRecording(path)
				if err != nil {
					return err
				}
				list = append(list, rec)
			}
			return writeRecording(c, output, recording.Merge(list...))
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write it to (default: standard output)")
	return c
}

func writeRecording(c *cobra.Command, path string, rec *recording.Recording) error {
	var b strings.Builder
	if err := rec.Write(&b); err != nil {
		return err
	}
	return writeOut(c, path, b.String())
}
