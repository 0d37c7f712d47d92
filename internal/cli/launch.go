package cli

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rove"
	"rove/internal/daemon"
	"rove/internal/session"
	"rove/internal/webdriver"
)

// launchFlags are the flags of every command that may begin a session.
type launchFlags struct {
	browserFlags
	rules policyFlags
}

func (f *launchFlags) register(c *cobra.Command, timeout time.Duration) {
	f.browserFlags.register(c, timeout)
	f.rules.register(c)
}

func (f *launchFlags) options(progress io.Writer) (rove.Options, error) {
	opts, err := f.browserFlags.options(progress)
	if err == nil {
		err = f.rules.apply(&opts, false)
	}
	if err == nil {
		err = opts.Check()
	}
	return opts, err
}

// launch is how the daemon is to begin the session. Paths are seen from here, and
// not from where the daemon is.
func (f *launchFlags) launch(c *cobra.Command) (daemon.Launch, error) {
	opts, err := f.options(c.ErrOrStderr())
	if err != nil {
		return daemon.Launch{}, err
	}
	launch := daemon.Launch{
		Browser: opts.Browser, Headed: opts.Headed,
		Width: opts.Viewport.Width, Height: opts.Viewport.Height, Profile: opts.Profile,
		Allow: opts.Allow, Block: opts.Block, Uploads: opts.Uploads, Secrets: f.rules.secrets,
		Output: opts.Output,
		Caps:   opts.Caps, Confirm: opts.Confirm,
		Connect: opts.Connect, Tabs: opts.Tabs, Grid: opts.Grid, Emulate: opts.Emulate,
	}
	if opts.Connect == "" && opts.Grid == "" {
		launch.Browser = cmp.Or(opts.Browser, os.Getenv("ROVE_BROWSER"))
	}
	paths := []*string{&launch.Profile, &launch.Secrets}
	if strings.ContainsRune(launch.Browser, filepath.Separator) && !strings.HasPrefix(launch.Browser, "playwright") { // and not a name
		paths = append(paths, &launch.Browser)
	}
	for _, path := range paths {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return launch, err
		}
	}
	for _, name := range append([]string{"browser", "backend", "headed", "viewport", "profile", "allow", "block", "uploads", "caps", "confirm", "secrets", "output", "connect", "tabs", "grid"}, emulateFlags...) {
		// A tool may have a parameter of that name, which says nothing of the session.
		flag := c.Flags().Lookup(name)
		if _, its := flag.Annotations[ofSession]; its && flag.Changed {
			launch.Insisted = append(launch.Insisted, name)
		}
	}
	if opts.Headed || webdriver.NeedsDisplay(opts.Browser) {
		launch.Display = map[string]string{}
		for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR"} {
			if value := os.Getenv(name); value != "" {
				launch.Display[name] = value
			}
		}
	}
	return launch, nil
}

// size is a number of bytes as a flag, such as 2G or 512M.
type size int64

func (s *size) register(c *cobra.Command) {
	c.Flags().Var(s, "max-memory", "open no more sessions while the browser has more than `SIZE` of memory, such as 2G or 800M (default: no limit)")
}

// Set reads it.
func (s *size) Set(text string) error {
	n, err := session.ParseSize(text)
	*s = size(n)
	return err
}

// String is empty for no limit.
func (s *size) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Type is what the help calls it.
func (s *size) Type() string { return "size" }
