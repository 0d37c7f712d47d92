package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// commandsOnly is what a command does that is nothing without one below it.
func commandsOnly(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	c.SuggestionsMinimumDistance = 2
	hint := "there are " + strings.Join(names, ", ")
	if like := c.SuggestionsFor(args[0]); len(like) > 0 {
		hint = "did you mean " + strings.Join(like, " or ") + "?"
	} else if strings.Contains(args[0], "_") {
		hint = "'rove tools' lists the tools"
	}
	return &usageError{fmt.Errorf("%s has no command %q: %s", c.CommandPath(), args[0], hint)}
}
