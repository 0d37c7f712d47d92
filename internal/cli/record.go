package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rove"
	"rove/recording"
)

func newRecordCommand() *cobra.Command {
	var f launchFlags
	var output string
	c := &cobra.Command{
		Use:   "record URL",
		Short: "Record what you do in a window, for rove derive script",
		Long: `Opens a window at URL and records what you do there: clicks, typing, choices, addresses. An
Alt+click on something says that it must be there. End it with Ctrl+C; the recording
is written to FILE then, which 'rove derive script --recording FILE' and 'rove
replay FILE' read.

Passwords are never recorded: a script asks for them by name.`,
		Example: "  rove record localhost:8080 -o add.jsonl\n  rove derive script --recording add.jsonl --param password=… -o add.feature",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{errors.New("record takes the address of the page to begin on")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			opts, err := f.options(c.ErrOrStderr())
			if err != nil {
				return err
			}
			if !c.Flags().Changed("headed") {
				opts.Headed = true
			}
			// The browser must outlive the signal that ends the recording.
			s, err := rove.Open(c.Context(), opts)
			if err != nil {
				return err
			}
			defer s.Close()
			if _, err := s.Go(c.Context(), args[0]); err != nil {
				return err
			}
			fmt.Fprintln(c.ErrOrStderr(), "recording; Ctrl+C ends it")
			if err := s.Watch(c.Context(), func(st recording.Step) {
				if st.Who == nil {
					fmt.Fprintln(c.ErrOrStderr(), st.Verb, st.Value)
					return
				}
				fmt.Fprintf(c.ErrOrStderr(), "%s %s %q %s\n", st.Op, st.Who.Role, st.Who.Name, st.Value)
			}); err != nil {
				return err
			}
			var b strings.Builder
			if err := s.SaveRecording(&b); err != nil {
				return err
			}
			return writeOut(c, output, b.String())
		},
	}
	f.register(c, 0)
	c.Flags().StringVarP(&output, "out", "o", "", "`FILE` to write it to (default: standard output)")
	return c
}
