package cli

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"rove/internal/mcp"
)

func newMCPCommand() *cobra.Command {
	var (
		f    doorFlags
		opts mcp.Options
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
			d, err := f.door(c, false)
			if err != nil {
				return err
			}
			opts.Tools, opts.Defaults, opts.Sessions, opts.Version = d.tools, d.defaults, d.sessions, version()

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
	f.register(c, "")
	c.Flags().StringVar(&opts.Session, "session", os.Getenv("ROVE_SESSION"), "`NAME` of the session that calls use when they name none")
	c.Flags().BoolVar(&opts.Structured, "structured", false, "answer with data as well as text; clients that show both to the model pay twice")
	c.Flags().BoolVar(&opts.Warm, "warm", false, "start the browser as soon as a client connects, not at the first call")
	return c
}
