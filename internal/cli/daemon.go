package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"rove/internal/daemon"
)

func newClient(c *cobra.Command) (*daemon.Client, error) {
	place, err := daemon.Locate()
	if err != nil {
		return nil, err
	}
	return &daemon.Client{Place: place, Version: version(), Progress: c.ErrOrStderr(), Confirm: asker(c)}, nil
}

// askTimeout bounds what a daemon answers at once.
const askTimeout = 10 * time.Second

func newDaemonCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "daemon",
		Short: "See and stop the process that keeps browsers open",
		Long: `The verbs (go, look, act, wait, eval) talk to a process in the background, which
keeps the browser open between them. It starts with the first of them and ends by
itself after 30 minutes without a call, so there is nothing to set up. Nobody but
you can talk to it.

What it starts with is in the environment of the first verb: ROVE_IDLE=2h is
another time, ROVE_MAX_MEMORY=2G opens no more sessions while the browsers have
more than that, ROVE_KEEP=off keeps nothing of sessions that end by themselves.`,
		Example: "  rove daemon status\n  rove daemon stop\n  rove daemon log",
		Args:    cobra.ArbitraryArgs,
		RunE:    commandsOnly,
	}
	c.AddCommand(newDaemonStatusCommand(), newDaemonStopCommand(), newDaemonLogCommand(), newDaemonRunCommand())
	return c
}

// status asks the daemon; nil without an error is that there is none.
func status(c *cobra.Command) (*daemon.Status, error) {
	client, err := newClient(c)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(c.Context(), askTimeout)
	defer cancel()
	s, err := client.Status(ctx)
	if errors.Is(err, daemon.ErrNone) {
		return nil, nil
	}
	return s, err
}

func newDaemonStatusCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "status",
		Short:   "Say whether the daemon runs, and what it keeps open",
		Example: "  rove daemon status\n  rove daemon status --json",
		Args:    noArgs("daemon status"),
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := status(c)
			if err != nil {
				return err
			}
			w := c.OutOrStdout()
			switch {
			case asJSON && s == nil:
				return printJSON(w, map[string]bool{"running": false})
			case asJSON:
				return printJSON(w, struct {
					Running bool `json:"running"`
					*daemon.Status
				}{true, s})
			case s == nil:
				_, err = fmt.Fprintln(w, "No daemon is running; the next verb starts one.")
				return err
			}
			fmt.Fprintf(w, "running   pid %d, rove %s, for %v\n", s.Pid, s.Version, time.Since(s.Started).Round(time.Second))
			fmt.Fprintf(w, "ends      after %s without a call\n", s.Idle)
			fmt.Fprintf(w, "socket    %s\nlog       %s\n", s.Socket, s.Log)
			fmt.Fprintf(w, "sessions  %d\n", len(s.Sessions))
			return listSessions(w, s.Sessions, "  ")
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the data form")
	return c
}

func newDaemonStopCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "End the daemon, its sessions and their browsers",
		Long:  "Ends the daemon with all sessions and browsers, and returns when they are gone.",
		Args:  noArgs("daemon stop"),
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := newClient(c)
			if err != nil {
				return err
			}
			said := "stopped"
			err = client.Stop(c.Context())
			if errors.Is(err, daemon.ErrNone) {
				said, err = "No daemon is running.", nil
			}
			if err == nil {
				_, err = fmt.Fprintln(c.OutOrStdout(), said)
			}
			return err
		},
	}
}

func newDaemonLogCommand() *cobra.Command {
	var count int
	var follow bool
	c := &cobra.Command{
		Use:     "log",
		Short:   "Print the daemon's log",
		Long:    "Prints what the daemon noted: its start and end, and which calls it ran, but not\nwhat was in them.",
		Example: "  rove daemon log\n  rove daemon log --lines 0    all of it\n  rove daemon log --follow     as it goes on",
		Args:    noArgs("daemon log"),
		RunE: func(c *cobra.Command, _ []string) error {
			place, err := daemon.Locate()
			if err != nil {
				return err
			}
			text, err := os.ReadFile(place.Log())
			if errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("there is no log yet: %s", place.Log())
			}
			if err != nil {
				return err
			}
			lines := bytes.SplitAfter(text, []byte("\n"))
			if keep := count + 1; count > 0 && len(lines) > keep { // one is empty, after the last newline
				lines = lines[len(lines)-keep:]
			}
			_, err = c.OutOrStdout().Write(bytes.Join(lines, nil))
			if err != nil || !follow {
				return err
			}
			return followFile(c.Context(), place.Log(), int64(len(text)), c.OutOrStdout())
		},
	}
	c.Flags().IntVar(&count, "lines", 100, "the last `N` lines; 0 for all")
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what is added, until interrupted")
	return c
}

// followFile copies what is added to a file from an offset on, until the context
// is done. A file that was put aside for a new one is followed there.
func followFile(ctx context.Context, path string, offset int64, w io.Writer) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		if info, err := os.Stat(path); err == nil && info.Size() < offset {
			offset = 0
		}
		if f, err := os.Open(path); err == nil {
			n, err := io.Copy(w, io.NewSectionReader(f, offset, 1<<40))
			offset += n
			_ = f.Close()
			if err != nil {
				return err
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// newDaemonRunCommand is the daemon itself, which a client starts.
func newDaemonRunCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "run",
		Short:  "Be the daemon",
		Hidden: true,
		Args:   noArgs("daemon run"),
		RunE: func(c *cobra.Command, _ []string) error {
			// Its standard output is closed once it is up, and the number of that
			// file goes to another; a write to that which fails must not end it.
			signal.Ignore(syscall.SIGPIPE)
			// However often it is told to end, it ends in order.
			ctx, stop := signal.NotifyContext(context.WithoutCancel(c.Context()), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
			defer stop()
			out, ok := c.OutOrStdout().(io.WriteCloser)
			if !ok {
				return errors.New("daemon run needs a standard output of its own")
			}
			return daemon.Run(ctx, version(), out, c.ErrOrStderr())
		},
	}
}

func newSessionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "session",
		Short: "List and end the sessions that are open; save and load what they keep",
		Long: `A session is a browser of its own: its pages, cookies and storage. The verbs use
the one named by --session or ROVE_SESSION, or "default", and open it on first
use.`,
		Example: "  rove session list\n  rove session end\n  rove session end two\n  rove session save default login.json\n  rove session load two login.json",
		Args:    cobra.ArbitraryArgs,
		RunE:    commandsOnly,
	}
	c.AddCommand(newSessionListCommand(), newSessionEndCommand(), newSessionSaveCommand(), newSessionLoadCommand())
	return c
}

func newSessionListCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the sessions that are open",
		Args:  noArgs("session list"),
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := status(c)
			if err != nil {
				return err
			}
			sessions := []daemon.Session{}
			if s != nil {
				sessions = s.Sessions
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), sessions)
			}
			if len(sessions) == 0 {
				_, err := fmt.Fprintln(c.OutOrStdout(), "No session is open.")
				return err
			}
			return listSessions(c.OutOrStdout(), sessions, "")
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the data form")
	return c
}

func listSessions(w io.Writer, sessions []daemon.Session, indent string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range sessions {
		state := fmt.Sprintf("idle for %v", time.Duration(s.Idle)*time.Second)
		if s.Busy {
			state = "at work"
		}
		if s.Headed {
			state += ", in a window"
		}
		fmt.Fprintf(t, "%s%s\t%s\t%s\n", indent, s.Name, state, s.URL)
	}
	return t.Flush()
}

func newSessionEndCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:     "end [NAME] | --all",
		Short:   "End a session: its pages, cookies and storage",
		Long:    "Ends the session of that name, or the default one, or all of them. The browser\nends with the last.",
		Example: "  rove session end\n  rove session end two\n  rove session end --all",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && all {
				return &usageError{errors.New("session end takes one name, or --all")}
			}
			return nil
		},
		ValidArgsFunction: completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			client, err := newClient(c)
			if err != nil {
				return err
			}
			names := args
			if len(names) == 0 {
				names = []string{os.Getenv("ROVE_SESSION")}
			}
			if all {
				names = nil
				s, err := status(c)
				if err != nil {
					return err
				}
				if s != nil {
					for _, open := range s.Sessions {
						names = append(names, open.Name)
					}
				}
			}
			for _, name := range names {
				if err := client.End(c.Context(), name); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "end every session")
	return c
}

// completeSessions names the sessions that are open.
func completeSessions(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if c.Context() == nil {
		c.SetContext(context.Background())
	}
	s, err := status(c)
	if err != nil || s == nil || len(args) > 0 && c.Name() == "end" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, open := range s.Sessions {
		if strings.HasPrefix(open.Name, typed) {
			names = append(names, open.Name+"\t"+open.URL)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
