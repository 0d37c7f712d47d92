package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"rove"
	"rove/internal/chrome"
	"rove/internal/daemon"
	"rove/internal/doctor"
	"rove/internal/proc"
	"rove/internal/provision"
)

// daemonDialer reaches a browser that runs already by the one connection that the
// daemon keeps, so that its person is asked once, whoever comes.
func daemonDialer(progress io.Writer) rove.Dialer {
	return func(ctx context.Context, connect string) (io.ReadWriteCloser, error) {
		place, err := daemon.Locate()
		if err != nil {
			return nil, err
		}
		return (&daemon.Client{Place: place, Version: version(), Progress: progress}).Share(ctx, connect)
	}
}

func newBrowserOpenCommand() *cobra.Command {
	var (
		opts  chrome.OpenOptions
		which string
		as    bool
	)
	c := &cobra.Command{
		Use:   "open [URL]",
		Short: "Open a browser for yourself that --connect can use",
		Long: `Opens a browser with a window and a profile of its own that is kept, in which
remote debugging is on, for you to sign in where your agents shall be signed in. It
stays until you close it. 'rove mcp --connect auto' and all else with --connect then
find it. The port is one of its own choosing, and only on this machine.

With a profile that a browser has open already, that one is told of.`,
		Example: `  rove browser open
  rove browser open shop.example --profile ~/shop
  rove mcp --connect auto`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{fmt.Errorf("browser open takes one URL at most")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				opts.URL = args[0]
			}
			found, err := provision.Find(c.Context(), provision.Request{Want: which, Headed: !opts.Headless, Fetch: true, Progress: c.ErrOrStderr()})
			if err != nil {
				return err
			}
			if found.Kind == provision.Shell {
				return &usageError{fmt.Errorf("browser open needs a full browser: rove browser install chrome")}
			}
			if opts.Profile == "" {
				home, err := proc.Home()
				if err != nil {
					return err
				}
				opts.Profile = filepath.Join(home, "profiles", "own")
			}
			opts.Path, opts.Args = found.Path, found.Args
			ctx, cancel := context.WithTimeout(c.Context(), openTime)
			defer cancel()
			o, err := chrome.Open(ctx, opts)
			if err != nil {
				return err
			}
			if as {
				return printJSON(c.OutOrStdout(), map[string]any{"address": o.Address, "pid": o.Pid, "profile": o.Profile})
			}
			how := "opened"
			if o.Pid == 0 {
				how = "is open already"
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %s\nprofile: %s\nuse it with --connect auto\n", how, o.Address, o.Profile)
			return err
		},
	}
	c.Flags().StringVar(&opts.Profile, "profile", "", "`DIR` of the profile, which is kept (default: one in rove's home)")
	c.Flags().StringVar(&which, "browser", provision.Chrome, "`WHICH` browser: chrome, or the path of an executable")
	c.Flags().BoolVar(&opts.Headless, "headless", false, "without a window, where there is no screen")
	c.Flags().BoolVar(&as, "json", false, "print the data form")
	_ = c.MarkFlagDirname("profile")
	return c
}

const openTime = 30 * time.Second

// checkConnect says whether there is a browser that --connect auto would use.
func checkConnect(ctx context.Context, _ *doctor.Doctor) doctor.Result {
	addresses, err := chrome.Running(ctx, chrome.Auto)
	if err != nil {
		return doctor.Result{State: doctor.OK, Found: "no browser of yours has remote debugging on; for --connect, see docs/CONNECT.md or: rove browser open"}
	}
	return doctor.Result{State: doctor.OK, Found: "--connect auto would use " + addresses[0]}
}
