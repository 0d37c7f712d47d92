package cli

import (
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"rove/internal/tool"
)

// newCallCommand calls any tool of any set with its parameters as JSON.
func newCallCommand() *cobra.Command {
	var f callFlags
	c := &cobra.Command{
		Use:   "call TOOL [JSON | -]",
		Short: "Call any tool, with its parameters as JSON",
		Long: `Calls a tool of any set by its name, as an MCP client would, with its parameters
as a JSON object: given, or read from standard input with "-". 'rove tools' lists
the tools and their parameters.`,
		Example: `  rove call go '{"url": "example.com"}'
  rove call look '{"find": "price"}' --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return &usageError{errors.New("call takes the name of a tool and perhaps its parameters as JSON; see 'rove call --help'")}
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if tools, err := tool.Set("all"); err == nil && len(args) == 0 {
				for _, t := range tools {
					names = append(names, t.Name+"\t"+t.Help)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := tool.Find(args[0]); err != nil {
				return err
			}
			input := map[string]any{}
			if len(args) == 2 {
				text, err := readAll(c, args[1])
				if err != nil {
					return err
				}
				if err := json.Unmarshal([]byte(text), &input); err != nil {
					return &usageError{errors.New("the parameters are not a JSON object")}
				}
			}
			if name, ok := input["session"].(string); ok { // the same as the flag
				f.session = name
				delete(input, "session")
			}
			return f.run(c, one{tool: args[0], input: input})
		},
	}
	f.register(c, callTimeout)
	return c
}
