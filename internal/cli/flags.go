package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"rove"
	"rove/aria"
	"rove/internal/launch"
	"rove/internal/webdriver"
)

// browserFlags are the flags of every command that opens a browser.
type browserFlags struct {
	browser  string
	backend  string
	headed   bool
	viewport string
	profile  string
	connect  string
	tabs     string
	grid     string
	emulated rove.EmulateOptions
	said     func(name string) bool // whether a flag was given
	timeout  time.Duration
	json     bool
}

func (f *browserFlags) register(c *cobra.Command, timeout time.Duration) {
	c.Flags().StringVar(&f.browser, "browser", "", "`WHICH` browser: shell, chrome, edge, firefox, safari, playwright, a driver (chromedriver, geckodriver, webkit, …), or the path of an executable (default: what is there)")
	c.Flags().StringVar(&f.backend, "backend", "", "`HOW` to drive it: cdp, bidi, webdriver or playwright (default: as the browser is)")
	c.Flags().BoolVar(&f.headed, "headed", !headless(), "show the browser's window")
	c.Flags().StringVar(&f.viewport, "viewport", "", "size of the page as `WxH` (default 1280x720)")
	c.Flags().StringVar(&f.profile, "profile", "", "`DIR` to keep cookies, storage and all in, from one time to the next; for one session at a time")
	if timeout > 0 {
		c.Flags().DurationVar(&f.timeout, "timeout", timeout, "give up after `DURATION`")
	}
	c.Flags().StringVar(&f.connect, "connect", os.Getenv("ROVE_CONNECT"), "use a browser that runs already, your own: its debugging `PORT`, http://… or ws://… address, or auto (or ROVE_CONNECT)")
	c.Flags().Lookup("connect").DefValue = ""
	c.Flags().StringVar(&f.tabs, "tabs", "", "with --connect, `WHOSE` tabs: own (the default), or all, which lets your own be listed and gone to by name")
	c.Flags().StringVar(&f.grid, "grid", "", "use a browser of the Selenium Grid at `URL`, such as http://grid.example:4444")
	registerEmulate(c, &f.emulated)
	f.said = c.Flags().Changed
	_ = c.MarkFlagDirname("profile")
	markOfSession(c, "browser", "backend", "headed", "viewport", "profile", "connect", "tabs", "grid")
	_ = c.RegisterFlagCompletionFunc("browser", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return append([]string{"shell", "chrome", "firefox", "playwright"}, webdriver.Names()...), cobra.ShellCompDirectiveDefault
	})
}

func (f *browserFlags) registerJSON(c *cobra.Command) {
	c.Flags().BoolVar(&f.json, "json", false, "print the data form")
}

// headless is what ROVE_HEADLESS says; without it there is no window.
func headless() bool {
	on, err := strconv.ParseBool(os.Getenv("ROVE_HEADLESS"))
	return on || err != nil
}

func (f *browserFlags) options(progress io.Writer) (rove.Options, error) {
	browser, err := launch.Through(f.backend, f.browser)
	if err != nil {
		return rove.Options{}, &usageError{err}
	}
	opts := rove.Options{
		Browser: browser, Headed: f.headed, Profile: f.profile, Progress: progress,
		Connect: f.connect, Tabs: f.tabs, Grid: f.grid, Emulate: f.emulated,
	}
	if f.connect != "" && !f.said("headed") {
		opts.Headed = false // what the environment says is for browsers that are started
	}
	if f.connect != "" {
		opts.Dial = daemonDialer(progress)
	}
	if _, err := f.emulated.Emulation(); err != nil {
		return opts, &usageError{err}
	}
	if f.viewport != "" {
		view, err := rove.ParseViewport(f.viewport)
		if err != nil {
			return opts, &usageError{fmt.Errorf("--viewport %q: write it as WIDTHxHEIGHT, such as 1280x720", f.viewport)}
		}
		opts.Viewport = view
	}
	return opts, nil
}

// open starts a browser as the flags say. Fetching one, if need be, reports to
// the command's standard error.
func (f *browserFlags) open(ctx context.Context, progress io.Writer) (*rove.Session, error) {
	opts, err := f.options(progress)
	if err != nil {
		return nil, err
	}
	return rove.Open(ctx, opts)
}

// printJSON prints a value on one line.
func printJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(aria.RevealJSON(b.Bytes()))
	return err
}
