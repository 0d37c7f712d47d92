package cli

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"rove"
	"rove/internal/mcp"
	"rove/internal/session"
	"rove/internal/tool"
)

func newMCPCommand() *cobra.Command {
	var (
		opts     mcp.Options
		tools    string
		viewport string
		budget   int
		memory   size
		idle     time.Duration
		rules    policyFlags
	)
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve an agent in an MCP client, over standard input and output",
		Long: `Serves the tools of an agent to the MCP client that started it, over standard
input and output, until the client ends the connection.

Every connection has a browser session of its own, and as many more as it names
in a tool's session parameter; no cookie, storage or ref crosses over. Nothing
is left when the client is gone, however it went.`,
		Example: `  claude mcp add rove -- rove mcp
  rove mcp --headed                with a window, to watch
  rove mcp --profile ~/agent       stays logged in from one time to the next
  rove mcp --tools agent --budget 3000`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &usageError{fmt.Errorf("mcp takes no arguments; see 'rove mcp --help'")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			var err error
			if opts.Tools, err = tool.Set(tools); err != nil {
				return &usageError{err}
			}
			if viewport != "" {
				if opts.Sessions.Browser.Viewport, err = rove.ParseViewport(viewport); err != nil {
					return &usageError{fmt.Errorf("--viewport %q: write it as WIDTHxHEIGHT, such as 1280x720", viewport)}
				}
			}
			if opts.Defaults.Budget, err = parseBudget(budget, c.Flags().Changed("budget")); err != nil {
				return err
			}
			if err := rules.apply(&opts.Sessions.Browser, false); err != nil {
				return err
			}
			if opts.Tools, err = tool.Able(opts.Tools, opts.Sessions.Browser.Caps); err != nil {
				return &usageError{err}
			}
			if opts.Sessions.Idle = idle; idle <= 0 {
				opts.Sessions.Idle = -1
			}
			opts.Sessions.MaxMemory = int64(memory)
			opts.Version = version()
			opts.Sessions.Browser.Progress = c.ErrOrStderr() // standard output is the client's

			// A client that was killed must not take rove with it before rove
			// has ended its browser.
			signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
			if terminal(os.Stdin) && terminal(os.Stdout) {
				fmt.Fprintln(c.ErrOrStderr(), "rove mcp speaks to the MCP client that starts it, and waits for one here. To try rove by hand: rove repl. Ctrl-C ends it.")
			}
			s := mcp.New(opts)
			if err = s.Serve(c.Context(), os.Stdin, os.Stdout); err != nil {
				err = fmt.Errorf("what comes over standard input is no MCP: %w", err)
			}
			if closing := s.Close(); err == nil {
				err = closing
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&tools, "tools", "", "the `SETS` of tools to offer, with commas, or all: "+strings.Join(tool.Sets(), ", "))
	f.StringVar(&opts.Session, "session", os.Getenv("ROVE_SESSION"), "`NAME` of the session that calls use when they name none")
	f.BoolVar(&opts.Sessions.Browser.Headed, "headed", !headless(), "show the browser's window")
	f.StringVar(&opts.Sessions.Browser.Browser, "browser", "", "`WHICH` browser: shell, chrome, or the path of an executable (default: what is there)")
	f.StringVar(&viewport, "viewport", "", "size of the page as `WxH` (default 1280x720)")
	f.IntVar(&budget, "budget", 0, "`TOKENS` at most of a look that does not say (default 1,500; 0: everything)")
	f.BoolVar(&opts.Structured, "structured", false, "answer with data as well as text; clients that show both to the model pay twice")
	f.DurationVar(&idle, "idle", session.DefaultIdle, "end a session after `DURATION` without a call; 0: never")
	f.StringVar(&opts.Sessions.Browser.Profile, "profile", "", "`DIR` to keep cookies, storage and all in, from one time to the next; for one session at a time")
	_ = c.MarkFlagDirname("profile")
	markOfSession(c, "browser", "headed", "viewport", "profile")
	memory.register(c)
	rules.register(c)
	f.BoolVar(&opts.Warm, "warm", true, "start the browser as soon as a client connects; --warm=false: at the first call")
	return c
}

// parseBudget reads --budget, where 0 means everything if it was said.
func parseBudget(budget int, said bool) (int, error) {
	switch {
	case budget < 0:
		return 0, &usageError{fmt.Errorf("--budget %d: a number of tokens, or 0 for everything", budget)}
	case budget == 0 && said:
		return rove.All, nil
	}
	return budget, nil
}
