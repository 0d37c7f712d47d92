package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"rove/internal/daemon"
)

// kept is what is kept of the session, where it ended by itself and there is no other of
// its name; nil for nothing. It says that the session ended.
func (f *callFlags) kept(c *cobra.Command) (*daemon.Kept, error) {
	if f.noDaemon {
		return nil, nil
	}
	name := cmp.Or(f.session, daemon.DefaultSession)
	s, err := status(c)
	if err != nil || s != nil && slices.ContainsFunc(s.Sessions, func(one daemon.Session) bool { return one.Name == name }) {
		return nil, err
	}
	k := daemon.LatestKept(name)
	if k != nil {
		fmt.Fprintf(c.ErrOrStderr(), "%s; this is what was done in it (%s)\n", k, k.File)
	}
	return k, nil
}

// apart has what follows be done in a session of another name, which it ends: one of this
// name would stand for the one that ended from then on.
func (f *callFlags) apart(c *cobra.Command) (end func()) {
	f.session = fmt.Sprint("derive-", os.Getpid())
	return func() {
		client, err := newClient(c)
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), askTimeout)
		defer cancel()
		_ = client.End(ctx, f.session) // there is none where nothing was proved
	}
}

func newRecordingListCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List what is kept of sessions that ended by themselves",
		Args:  noArgs("recording list"),
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := daemon.KeptRecordings()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), append([]*daemon.Kept{}, list...))
			}
			if len(list) == 0 {
				_, err := fmt.Fprintln(c.OutOrStdout(), "Nothing is kept.")
				return err
			}
			t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, k := range list {
				fmt.Fprintf(t, "%s\t%s\t%s\n", k.Session, k.Ended.Local().Format(time.DateTime), k.File)
			}
			return t.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the data form")
	return c
}
