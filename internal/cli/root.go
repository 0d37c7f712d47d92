// Package cli is the command line: rove go, look, demo, browser and so on. It
// turns arguments into calls and results into text; what is done is done below.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"rove"
)

// Main runs the program with the given arguments and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// The first signal cancels the context and lets everything close in order;
	// stop restores the default, so a second one ends the program at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "rove: %v\n", err)
	return exitCode(err)
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "rove",
		Short: "The browser for agents",
		Long: `rove gives a language model, or a tester, a real browser.

Try it with nothing set up:

  rove demo                      drives a demo site and prints what an agent sees
  rove go example.com            opens a page and shows it
  rove look example.com --find price

rove finds a browser on the machine, or fetches one and keeps it.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetVersionTemplate("rove {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{fmt.Errorf("%w\nSee '%s --help'", err, c.CommandPath())}
	})
	root.AddCommand(newGoCommand(), newLookCommand(), newDemoCommand(), newBrowserCommand(), newToolsCommand(), newVersionCommand())
	return root
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run:   func(c *cobra.Command, _ []string) { fmt.Fprintln(c.OutOrStdout(), "rove", version()) },
	}
}

// version is that of the module as built, or of the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel " + s.Value[:12]
		}
	}
	return "devel"
}

// usageError is a command line that makes no sense.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// exitCodes has one exit code per error code, so that a shell script can tell
// failures apart. 1 is anything else, 2 a wrong command line.
var exitCodes = map[rove.Code]int{
	rove.CodeInvalid:     2,
	rove.CodeStale:       10,
	rove.CodeNotFound:    11,
	rove.CodeHidden:      12,
	rove.CodeCovered:     13,
	rove.CodeDisabled:    14,
	rove.CodeTimeout:     15,
	rove.CodeNavigation:  16,
	rove.CodeDialog:      17,
	rove.CodeCrashed:     18,
	rove.CodeClosed:      19,
	rove.CodeUnsupported: 20,
	rove.CodePolicy:      21,
	rove.CodeProtocol:    22,
}

func exitCode(err error) int {
	var usage *usageError
	if errors.As(err, &usage) {
		return 2
	}
	var e *rove.Error
	if errors.As(err, &e) {
		if code, ok := exitCodes[e.Code]; ok {
			return code
		}
	}
	return 1
}
