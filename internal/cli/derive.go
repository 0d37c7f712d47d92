package cli

import "github.com/spf13/cobra"

// derived are the commands that make something of what was done: a line for each.
func derived() []*cobra.Command {
	return []*cobra.Command{
		newDeriveScriptCommand(),
		newDeriveAPICommand(),
	}
}

func newDeriveCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "derive",
		Short: "Make scripts and tests of what was done in a session",
		Args:  cobra.ArbitraryArgs,
		RunE:  commandsOnly,
	}
	c.AddCommand(derived()...)
	return c
}
