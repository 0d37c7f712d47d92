package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"rove"
)

// browserFlags are the flags of every command that opens a browser.
type browserFlags struct {
	browser  string
	headed   bool
	viewport string
	timeout  time.Duration
	json     bool
}

func (f *browserFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.browser, "browser", "", "`WHICH` browser: shell, chrome, or the path of an executable (default: what is there)")
	c.Flags().BoolVar(&f.headed, "headed", false, "show the browser's window")
	c.Flags().StringVar(&f.viewport, "viewport", "", "size of the page as `WxH` (default 1280x720)")
	c.Flags().DurationVar(&f.timeout, "timeout", 60*time.Second, "give up after `DURATION`")
	c.Flags().BoolVar(&f.json, "json", false, "print the data form")
}

// open starts a browser as the flags say. Fetching one, if need be, reports to
// the command's standard error.
func (f *browserFlags) open(ctx context.Context, progress io.Writer) (*rove.Session, error) {
	opts := rove.Options{Browser: f.browser, Headed: f.headed, Progress: progress}
	if f.viewport != "" {
		v, err := rove.ParseViewport(f.viewport)
		if err != nil {
			return nil, err
		}
		opts.Viewport = v
	}
	return rove.Open(ctx, opts)
}

// result is what every verb answers with: a text for models, data for programs.
type result interface{ Text() string }

// print writes a verb's result in the form asked for.
func (f *browserFlags) print(w io.Writer, r result) error {
	if !f.json {
		_, err := fmt.Fprintln(w, r.Text())
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

func newGoCommand() *cobra.Command {
	var f browserFlags
	c := &cobra.Command{
		Use:   "go URL",
		Short: "Open a page and show what is on it",
		Long: `Opens a page in a browser and prints it as an agent would see it: the address,
the title, and a line for every element that says or does something.

A name without a scheme is https; localhost and bare addresses are http.`,
		Example: `  rove go example.com
  rove go localhost:3000 --json`,
		Args: exactlyOne("the URL to open"),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, cancel := context.WithTimeout(c.Context(), f.timeout)
			defer cancel()
			s, err := f.open(ctx, c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := s.Go(ctx, args[0])
			if err != nil {
				return err
			}
			return f.print(c.OutOrStdout(), r)
		},
	}
	f.register(c)
	return c
}

func newLookCommand() *cobra.Command {
	var f browserFlags
	var opts rove.LookOptions
	var budget int
	var mode, format, picture string
	c := &cobra.Command{
		Use:   "look URL [REF]",
		Short: "Look at a page, or at a part of it",
		Long: `Opens a page and prints it, whole or in part.

The view is kept within a budget of tokens: what is on screen and what can be
operated comes first, long lists are folded, and what was left out is named.`,
		Example: `  rove look example.com                      the page within 1,500 tokens
  rove look example.com --budget 0           all of it
  rove look example.com e12                  only element e12 and what is in it
  rove look example.com --find /price|cost/i only matching lines
  rove look example.com --mode text          the content as Markdown`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return &usageError{fmt.Errorf("look takes a URL and perhaps a ref; see 'rove look --help'")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			opts.Budget = budget
			if c.Flags().Changed("budget") && budget == 0 {
				opts.Budget = rove.All
			}
			opts.Mode, opts.Format = rove.Mode(mode), rove.Format(format)
			opts.Screenshot = picture != ""
			if len(args) == 2 {
				opts.Ref = args[1]
			}
			ctx, cancel := context.WithTimeout(c.Context(), f.timeout)
			defer cancel()
			s, err := f.open(ctx, c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer s.Close()
			if _, err := s.Go(ctx, args[0]); err != nil {
				return err
			}
			r, err := s.Look(ctx, opts)
			if err != nil {
				return err
			}
			if picture != "" {
				if err := os.WriteFile(picture, r.Screenshot, 0o600); err != nil {
					return err
				}
				r.Screenshot = nil
			}
			return f.print(c.OutOrStdout(), r)
		},
	}
	f.register(c)
	c.Flags().StringVar(&opts.Find, "find", "", "only lines that match `TEXT` or /REGEX/, each with its path")
	c.Flags().StringVar(&mode, "mode", "", "`MODE`: page, interactive, or text (Markdown)")
	c.Flags().IntVar(&budget, "budget", 0, "`TOKENS` at most (default 1,500; 0: everything)")
	c.Flags().BoolVar(&opts.Viewport, "visible", false, "only what is on screen")
	c.Flags().StringVar(&format, "format", "", "`FORMAT`: compact or yaml")
	c.Flags().StringVar(&picture, "screenshot", "", "save a picture to `FILE`")
	return c
}

func exactlyOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return &usageError{fmt.Errorf("%s takes one argument, %s; see '%s --help'", c.Name(), what, c.CommandPath())}
		}
		return nil
	}
}
