package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

func newDeriveScriptCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "script",
		Short:  "Make a script of what was done",
		Args:   noArgs("derive script"),
		Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("derive script is on its way: it cannot be used yet")
		},
	}
}
