package cli

import (
	"context"
	"errors"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"rove/internal/proc"
	"rove/internal/repl"
)

func newReplCommand() *cobra.Command {
	var f launchFlags
	c := &cobra.Command{
		Use:   "repl [URL]",
		Short: "Try the verbs by hand",
		Long: `Reads verbs line by line and answers as it would a model, in a browser of its own.
On a terminal there are history and completion (Tab) of verbs, refs, by their
names too, and operations. 'help' tells more.

Lines can come from a pipe as well; the exit code is then that of the first that
failed.`,
		Example: `  rove repl example.com
  rove repl --headed
  printf 'go example.com\neval document.title\n' | rove repl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{errors.New("repl takes one URL at most; see 'rove repl --help'")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			opts, err := f.options(c.ErrOrStderr())
			if err != nil {
				return err
			}
			// An interrupt ends the verb at work, and not the REPL.
			ctx, stop := signal.NotifyContext(context.WithoutCancel(c.Context()), syscall.SIGTERM, syscall.SIGHUP)
			defer stop()
			r := repl.Options{Browser: opts, In: c.InOrStdin(), Out: c.OutOrStdout(), Terminal: terminal(c.InOrStdin()) && terminal(c.OutOrStdout())}
			if len(args) == 1 {
				r.URL = args[0]
			}
			if home, err := proc.Home(); err == nil {
				r.History = filepath.Join(home, "history")
			}
			if err := repl.Run(ctx, r); err != nil {
				return &toldError{err}
			}
			return nil
		},
	}
	f.register(c, 0)
	return c
}
