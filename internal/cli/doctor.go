package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"rove/internal/daemon"
	"rove/internal/doctor"
)

func newDoctorCommand() *cobra.Command {
	var d doctor.Doctor
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check that everything is there, and say how to mend what is not",
		Long: `Looks for what keeps a browser from working: whether there is one and it starts,
its sandbox, fonts, disk, memory, what killed runs have left, the daemon. Each line
says what was found, and what to do if it is wrong. With --fix what can be mended
is. The exit code is 1 if something does not work.`,
		Example: "  rove doctor\n  rove doctor --fix\n  rove doctor --json",
		Args:    noArgs("doctor"),
		RunE: func(c *cobra.Command, _ []string) error {
			d.Progress = c.ErrOrStderr()
			d.More = []doctor.Check{{Name: "connect", Run: checkConnect}, {Name: "daemon", Run: func(ctx context.Context, d *doctor.Doctor) doctor.Result { return checkDaemon(ctx, c, d) }}}
			report := d.Examine(c.Context(), version())
			var err error
			if asJSON {
				err = printJSON(c.OutOrStdout(), report)
			} else {
				_, err = fmt.Fprint(c.OutOrStdout(), report.Text())
			}
			if err == nil && !report.OK {
				err = &toldError{errors.New("something is wrong")}
			}
			return err
		},
	}
	c.Flags().BoolVar(&d.Fix, "fix", false, "mend what can be: fetch a missing browser, end a daemon that hangs")
	c.Flags().BoolVar(&asJSON, "json", false, "print the data form")
	return c
}

// checkDaemon is whether a daemon that runs answers.
func checkDaemon(ctx context.Context, c *cobra.Command, d *doctor.Doctor) doctor.Result {
	client, err := newClient(c)
	if err != nil {
		return doctor.Result{State: doctor.Bad, Found: err.Error()}
	}
	ask, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	s, err := client.Status(ask)
	switch {
	case errors.Is(err, daemon.ErrNone):
		return doctor.Result{State: doctor.OK, Found: "none is running; the next verb starts one"}
	case err == nil && s.Version != version():
		return doctor.Result{
			State: doctor.Warn, Found: fmt.Sprintf("the daemon that runs is of rove %s", s.Version),
			Mend: "rove daemon stop, if its sessions are not needed",
		}
	case err == nil:
		return doctor.Result{State: doctor.OK, Found: fmt.Sprintf("pid %d answers; %d sessions", s.Pid, len(s.Sessions))}
	}
	r := doctor.Result{State: doctor.Bad, Found: "the daemon does not answer: " + err.Error(), Mend: "rove daemon stop"}
	if d.Fix {
		if err := client.Stop(ctx); err == nil || errors.Is(err, daemon.ErrNone) {
			return doctor.Result{State: doctor.OK, Found: "the daemon did not answer", Fixed: "ended it"}
		}
	}
	return r
}
