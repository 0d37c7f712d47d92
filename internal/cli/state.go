package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"rove/internal/daemon"
)

func newSessionSaveCommand() *cobra.Command {
	var recorded, yes bool
	c := &cobra.Command{
		Use:   "save NAME FILE",
		Short: "Save a session's cookies and storage to a file",
		Long: `Writes what keeps you logged in to a file that only you can read: all cookies of
the session, and the local storage, session storage and databases (IndexedDB) of the
sites it has been to. 'rove session load' puts it into another session, today or next
week; other tools that know storage state read it as well. Whoever has the file is
logged in as you.

In your own browser (--connect) it takes the cookies of the sites that the session
has been to, no others, and asks you first; --yes is for where nobody can be asked.

With --recording the file gets what was done in the session instead, as JSON lines:
steps, receipts, what elements are known by, requests, and no secret.`,
		Example:           "  rove session save default login.json\n  rove go shop.example --connect auto && rove session save default shop.json\n  rove session save default monday.jsonl --recording",
		Args:              nameAndFile("save"),
		ValidArgsFunction: completeNameAndFile,
		RunE: func(c *cobra.Command, args []string) error {
			client, err := newClient(c)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(c.Context(), callTimeout)
			defer cancel()
			return carried(c, "saved", args, func(file string) (string, error) {
				if recorded {
					return "", saveRecording(ctx, client, args[0], file)
				}
				text, err := client.Save(ctx, args[0], file, yes)
				if errors.Is(err, daemon.ErrNone) {
					return "", daemon.NoSession("save", args[0])
				}
				return text, err
			})
		},
	}
	c.Flags().BoolVar(&recorded, "recording", false, "save what was done, and not what keeps you logged in")
	c.Flags().BoolVar(&yes, "yes", false, "agree to saving what your own browser keeps (--connect)")
	return c
}

// saveRecording writes what was done in a session that is open, or what is kept of one
// that ended by itself, to a file that is its owner's.
func saveRecording(ctx context.Context, client *daemon.Client, name, file string) error {
	status, err := client.Status(ctx)
	if err != nil && !errors.Is(err, daemon.ErrNone) {
		return err
	}
	if status == nil || !slices.ContainsFunc(status.Sessions, func(s daemon.Session) bool { return s.Name == name }) {
		kept := daemon.LatestKept(name)
		if kept == nil {
			return daemon.NoSession("save", name)
		}
		text, err := os.ReadFile(kept.File)
		if err != nil {
			return err
		}
		return os.WriteFile(file, text, 0o600)
	}
	a, err := client.Call(ctx, daemon.Request{Session: name, Tool: "read_recording", Input: []byte("{}")})
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(a.Text), 0o600)
}

func newSessionLoadCommand() *cobra.Command {
	var f launchFlags
	verify := true
	c := &cobra.Command{
		Use:   "load NAME FILE",
		Short: "Load saved cookies and storage into a session",
		Long: `Puts cookies, storage and databases from a file of 'rove session save' into the
session of that name, beside what is there. The session is begun if it is not open. A
page that is open sees them when it is loaded again. A file that others can read is
refused.

Then the pages that were open when it was saved are loaded, in the session and
without the state, and compared: each line says whether you are still logged in
there, or that there is no telling. --verify=false leaves that out.`,
		Example:           "  rove session load two login.json\n  rove go shop.example/account --session two",
		Args:              nameAndFile("load"),
		ValidArgsFunction: completeNameAndFile,
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := os.Stat(args[1]); err != nil { // before a session is begun for it
				return &usageError{fmt.Errorf("session load: %w", err)}
			}
			launch, err := f.launch(c)
			if err != nil {
				return err
			}
			client, err := newClient(c)
			if err != nil {
				return err
			}
			ctx := c.Context()
			if f.timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, f.timeout)
				defer cancel()
			}
			return carried(c, "loaded", args, func(file string) (string, error) { return client.Load(ctx, args[0], file, launch, !verify) })
		},
	}
	f.register(c, callTimeout)
	c.Flags().BoolVar(&verify, "verify", true, "look whether it is still logged in; --verify=false: load no page")
	return c
}

// carried has something done with a file, as the daemon sees it, and says so.
func carried(c *cobra.Command, said string, args []string, do func(file string) (string, error)) error {
	file, err := filepath.Abs(args[1])
	var text string
	if err == nil {
		text, err = do(file)
	}
	if err == nil {
		_, err = fmt.Fprintf(c.OutOrStdout(), "%s %s\n%s", said, args[1], text)
	}
	return err
}

func nameAndFile(command string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 2 || args[0] == "" || args[1] == "" {
			return &usageError{fmt.Errorf("session %s takes the name of a session and a file; see 'rove session %[1]s --help'", command)}
		}
		return nil
	}
}

func completeNameAndFile(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeSessions(c, args, typed)
	}
	return nil, cobra.ShellCompDirectiveDefault
}
