package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"rove/internal/tool"
)

func newToolsCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "tools [SET]",
		Short: "List the tools that agents are offered, and their parameters",
		Long: `Lists the tools of a set, or of all, as every door offers them: MCP, the command
line and HTTP. With --json the definitions are printed with the schemas of their
inputs.`,
		Example: "  rove tools\n  rove tools agent --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{fmt.Errorf("tools takes one set at most; see 'rove tools --help'")}
			}
			return nil
		},
		ValidArgs: append(tool.Sets(), "all"),
		RunE: func(c *cobra.Command, args []string) error {
			set := "all"
			if len(args) == 1 {
				set = args[0]
			}
			tools, err := tool.Set(set)
			if err != nil {
				return &usageError{err}
			}
			if asJSON {
				enc := json.NewEncoder(c.OutOrStdout())
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				return enc.Encode(tool.Definitions(tools))
			}
			return listTools(c.OutOrStdout(), tools)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the definitions as JSON")
	return c
}

// listTools prints tools for people.
func listTools(w io.Writer, tools []*tool.Tool) error {
	var b strings.Builder
	set := ""
	for i, t := range tools {
		if t.Set != set {
			if i > 0 {
				b.WriteByte('\n')
			}
			set = t.Set
			fmt.Fprintf(&b, "set %s\n", set)
		}
		fmt.Fprintf(&b, "\n%s\n  %s\n", t.Name, t.Help)
		for _, p := range t.Parameters() {
			star := ""
			if p.Required {
				star = "*"
			}
			fmt.Fprintf(&b, "    %-11s %-8s %s\n", p.Name+star, p.Type, p.About)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
