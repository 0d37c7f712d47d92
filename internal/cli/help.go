package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rove/internal/spell"
)

// The groups of commands, as the help lists them.
const (
	verbGroup   = "verbs"
	doorGroup   = "doors"
	peopleGroup = "people"
	careGroup   = "care"
)

var groups = []*cobra.Group{
	{ID: verbGroup, Title: "The verbs:"},
	{ID: doorGroup, Title: "For agents and programs:"},
	{ID: peopleGroup, Title: "For people:"},
	{ID: careGroup, Title: "What rove keeps, and needs:"},
}

// grouped puts commands into a group.
func grouped(group string, list ...*cobra.Command) []*cobra.Command {
	for _, c := range list {
		c.GroupID = group
	}
	return list
}

// ofSession is the annotation of flags that say what a session is like, which are
// many and the same everywhere: the help has them after a command's own.
const ofSession = "rove_session"

func markOfSession(c *cobra.Command, names ...string) {
	for _, name := range names {
		if err := c.Flags().SetAnnotation(name, ofSession, nil); err != nil {
			panic(err) // a name that is not among the flags, found by any test
		}
	}
}

// usage prints how a command is used.
func usage(c *cobra.Command) error {
	w := c.OutOrStderr()
	fmt.Fprint(w, "Usage:")
	if c.Runnable() && !c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n  %s", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n  %s COMMAND", c.CommandPath())
	}
	fmt.Fprintln(w)
	if c.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	listCommands(w, c)
	own, session := pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	own.SortFlags, session.SortFlags = false, false
	c.LocalFlags().SortFlags = false
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, there := f.Annotations[ofSession]; there {
			session.AddFlag(f)
		} else {
			own.AddFlag(f)
		}
	})
	for _, part := range []struct {
		title string
		flags *pflag.FlagSet
	}{{"Flags:", own}, {"Flags of the session, when this begins it:", session}} {
		if part.flags.HasAvailableFlags() {
			fmt.Fprintf(w, "\n%s\n%s", part.title, part.flags.FlagUsagesWrapped(width()))
		}
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n'%s COMMAND --help' tells more about a command.\n", c.CommandPath())
	}
	return nil
}

func listCommands(w io.Writer, c *cobra.Command) {
	if !c.HasAvailableSubCommands() {
		return
	}
	all := c.Commands()
	longest := 0
	for _, sub := range all {
		if sub.IsAvailableCommand() {
			longest = max(longest, len(sub.Name()))
		}
	}
	list := func(title, group string) {
		for _, sub := range all {
			if sub.GroupID != group || !sub.IsAvailableCommand() {
				continue
			}
			if title != "" {
				fmt.Fprintf(w, "\n%s\n", title)
				title = ""
			}
			fmt.Fprintf(w, "  %-*s  %s\n", longest, sub.Name(), sub.Short)
		}
	}
	for _, g := range c.Groups() {
		list(g.Title, g.ID)
	}
	list(map[bool]string{true: "And:", false: "Commands:"}[len(c.Groups()) > 0], "")
}

// width is that of the terminal, as far as the shell tells, and no more than one
// likes to read.
func width() int {
	const most = 100
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n >= 40 {
		return min(n, most)
	}
	return most
}

// flagError is a flag that there is not, or that does not take what it was given.
func flagError(c *cobra.Command, err error) error {
	hint := ""
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var like, begins []string
		typed := unknown.GetSpecifiedName()
		c.Flags().VisitAll(func(f *pflag.Flag) {
			switch {
			case len(typed) > 1 && strings.HasPrefix(f.Name, typed):
				begins = append(begins, "--"+f.Name)
			case isTypo(f.Name, typed):
				like = append(like, "--"+f.Name)
			}
		})
		if begins != nil {
			like = begins
		}
		if len(like) > 0 {
			hint = "; did you mean " + strings.Join(like, " or ") + "?"
		}
	}
	return &usageError{fmt.Errorf("%w%s\nSee '%s --help'", err, hint, c.CommandPath())}
}

// isTypo says whether one word may be the other, mistyped: two letters make the
// difference.
func isTypo(word, typed string) bool {
	most := min(2, len(typed)/2)
	return spell.Distance(word, typed, most+1) <= most
}

// shells are those that completion is written for, and where it goes.
var shells = map[string]struct {
	how   string
	write func(*cobra.Command, io.Writer) error
}{
	"bash":       {"source <(rove completion bash)           in ~/.bashrc, with the package bash-completion", func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) }},
	"zsh":        {"source <(rove completion zsh)            in ~/.zshrc, after compinit", func(c *cobra.Command, w io.Writer) error { return c.GenZshCompletion(w) }},
	"fish":       {"rove completion fish | source            in ~/.config/fish/config.fish", func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) }},
	"powershell": {"rove completion powershell | Out-String | Invoke-Expression", func(c *cobra.Command, w io.Writer) error { return c.GenPowerShellCompletionWithDesc(w) }},
}

func newCompletionCommand() *cobra.Command {
	names := []string{"bash", "zsh", "fish", "powershell"}
	long := "Prints a script that has the shell complete commands, flags, sessions, and the refs\nand operations of the page that is open.\n"
	for _, name := range names {
		long += "\n  " + shells[name].how
	}
	return &cobra.Command{
		Use:       "completion " + strings.Join(names, "|"),
		Short:     "Print a script that completes rove's commands in a shell",
		Long:      long,
		ValidArgs: names,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(names, args[0]) {
				return &usageError{fmt.Errorf("completion takes the name of a shell: %s", strings.Join(names, ", "))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return shells[args[0]].write(c.Root(), c.OutOrStdout())
		},
	}
}
