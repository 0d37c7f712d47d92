// Package cli is the command line: rove go, look, act, browser and so on. It
// turns arguments into calls and answers into text; what is done is done below.
// The verbs are called in the daemon, or with --no-daemon in this process.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"rove"
	"rove/aria"
)

// Main runs the program with the given arguments and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// The first signal cancels the context and lets everything close in order;
	// stop restores the default, so a second one ends the program at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	root := newRootCommand(args...)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(plainly(stdout, args))
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	var told *toldError
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit.code
	}
	if ctx.Err() != nil { // and what it was in the middle of is no news
		fmt.Fprintln(stderr, "rove: interrupted")
		return 130 // as a shell counts an interrupt
	}
	if !errors.As(err, &told) {
		fmt.Fprintf(stderr, "rove: %s\n", aria.Reveal(err.Error()))
	}
	return exitCode(err)
}

// newRootCommand makes the commands that a line may be about.
func newRootCommand(args ...string) *cobra.Command {
	root := &cobra.Command{
		Use:   "rove",
		Short: "The browser for agents",
		Long: `rove gives a language model, or a tester, a real browser.

Try it with nothing set up:

  rove demo                 drives a demo site and prints what an agent sees
  rove go example.com       opens a page and shows it
  rove look --find price    looks at it again
  rove act e3 click         does something, and tells what came of it

rove finds a browser on the machine, or fetches one and keeps it. The page stays
open between commands, in a daemon that starts and ends by itself.

Every other tool is a command as well, such as rove browser_click '#buy'; 'rove
tools' lists them all.

A command that fails ends with a code that tells why:
` + exitCodeHelp() + `.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE:          commandsOnly,
		// The tools are no help among the commands, but complete once it is clear that
		// one is meant.
		ValidArgsFunction: func(c *cobra.Command, args []string, typed string) (names []string, _ cobra.ShellCompDirective) {
			for _, sub := range c.Commands() {
				if len(args) == 0 && sub.Hidden && strings.Contains(typed, "_") && strings.HasPrefix(sub.Name(), typed) {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	root.SetVersionTemplate("rove {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(usage)
	root.CompletionOptions.DisableDefaultCmd = true // there is one that says more
	root.AddGroup(groups...)
	for _, v := range verbs {
		root.AddCommand(newVerbCommand(v))
	}
	root.AddCommand(grouped(doorGroup, newMCPCommand(), newServeCommand(), newCallCommand(), newProposeCommand(), newToolsCommand())...)
	root.AddCommand(grouped(peopleGroup, newDemoCommand(), newReplCommand(), newRunCommand(), newLintCommand(), newMockCommand(), newReportCommand(), newInitCommand(), newDeriveCommand(), newRecordCommand(), newReplayCommand(), newRecordingCommand())...)
	root.AddCommand(grouped(careGroup, newSessionCommand(), newDaemonCommand(), newBrowserCommand(), newDevicesCommand(), newDoctorCommand())...)
	root.AddCommand(newCompletionCommand(), newVersionCommand())
	// The tools are many, and a line that begins with one of these commands is not
	// about them. Help and completion are yet to come here, and want all.
	if c, _, err := root.Find(args); err != nil || c == root {
		root.AddCommand(toolCommands()...)
	}
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

// release is the version that make build and make dist write in.
var release string

// version is that of the release, of the module as built, or of the commit.
func version() string {
	if release != "" {
		return release
	}
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

// toldError is a failure that the answer on standard output has told.
type toldError struct{ error }

func (e *toldError) Unwrap() error { return e.error }

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

// exitCodeHelp lists the exit codes, within the width of a help text.
func exitCodeHelp() string {
	codes := slices.Sorted(maps.Values(exitCodes))
	var b strings.Builder
	b.WriteString("1 anything else")
	width := len("1 anything else")
	for _, n := range codes {
		for code, m := range exitCodes {
			if m != n {
				continue
			}
			word := fmt.Sprintf("%d %s", n, code)
			if width += len(word) + 2; width > 78 {
				b.WriteString(",\n" + word)
				width = len(word)
			} else {
				b.WriteString(", " + word)
			}
		}
	}
	return b.String()
}

func exitCode(err error) int {
	if _, ok := errors.AsType[*usageError](err); ok {
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
