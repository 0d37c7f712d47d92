package rove

import (
	"cmp"
	"context"
	"maps"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/driver"
	"rove/internal/bidi"
	"rove/internal/chrome"
)

// configurers open a driver through each of the protocols that rove speaks.
var configurers = map[string]func(context.Context, *driver.Config) (*driver.Driver, error){
	"cdp":  configureChrome,
	"bidi": configureFirefox,

	"playwright": configurePlaywright,
}

// Configure opens a driver as a script describes it; see driver.ParseConfig. It
// starts a browser, or finds the one that the options name.
func Configure(ctx context.Context, c *driver.Config) (*driver.Driver, error) {
	open, ok := configurers[c.Backend()]
	if !ok {
		return nil, &Error{
			Code: CodeUnsupported, Op: "configure driver",
			Message: "type " + c.Type + " needs the " + c.Backend() + " backend, which rove does not have",
			Hint:    "there are " + strings.Join(slices.Sorted(maps.Keys(configurers)), ", ") + ": use type chrome, chromium, edge, firefox or playwright",
		}
	}
	d, err := open(ctx, c)
	if err != nil {
		return d, err
	}
	if err := d.Appear(ctx, c); err != nil {
		_ = d.Quit(ctx)
		return nil, err
	}
	return d, nil
}

// listenTimeout bounds the question whether a browser listens on this machine.
const listenTimeout = 5 * time.Second

// configureChrome connects to a browser that speaks the DevTools protocol, or
// starts one.
func configureChrome(ctx context.Context, c *driver.Config) (*driver.Driver, error) {
	const op = "configure driver"
	if c.WebDriverURL != "" || c.WebDriverSession != nil || c.Capabilities != nil || c.PlaywrightURL != "" {
		return nil, driver.Invalid(op, "webDriverUrl, webDriverSession, capabilities and playwrightUrl are for other types; type %s takes webSocketUrl, or host and port", c.Type)
	}
	if c.WebSocketURL != "" {
		return Connect(ctx, c.WebSocketURL, c.Options)
	}
	if c.Host != "" || c.Port != 0 || !c.Start {
		at := net.JoinHostPort(cmp.Or(c.Host, "localhost"), strconv.Itoa(cmp.Or(c.Port, 9222)))
		asking, cancel := context.WithTimeout(ctx, listenTimeout)
		address, err := chrome.Listening(asking, at)
		cancel()
		if err == nil {
			return Connect(ctx, address, c.Options)
		}
		if !c.Start || !local(c.Host) {
			return nil, &Error{Code: CodeNavigation, Op: op, Message: err.Error(), Hint: "start it with --remote-debugging-port, or leave host and port out", Err: err}
		}
	}
	opts := Options{Browser: c.Executable, Headed: !c.Headless, Profile: c.UserDataDir, Args: c.AddOptions, Viewport: c.Options.Context.Viewport}
	switch {
	case c.Executable != "":
		if _, err := os.Stat(c.Executable); err != nil {
			return nil, notFound(op, c.Executable)
		}
	case c.Type == "edge":
		if opts.Browser = edge(); opts.Browser == "" {
			return nil, notFound(op, "Microsoft Edge")
		}
	}
	// Tests look at files of their own, too.
	opts.Allow = []string{"file:"}
	return Drive(ctx, opts, c.Options)
}

// configureFirefox starts Firefox.
func configureFirefox(ctx context.Context, c *driver.Config) (*driver.Driver, error) {
	const op = "configure driver"
	if c.WebSocketURL != "" || c.WebDriverURL != "" || c.WebDriverSession != nil || c.Capabilities != nil || c.PlaywrightURL != "" || c.Host != "" || c.Port != 0 || !c.Start {
		return nil, &Error{Code: CodeUnsupported, Op: op, Message: "type " + c.Type + " starts a Firefox of its own: it cannot yet be given one that runs", Hint: "leave addresses, host, port and start out"}
	}
	if c.Executable != "" && !bidi.IsFirefox(c.Executable) {
		return nil, driver.Invalid(op, "executable %s is no Firefox, and the type is %s", c.Executable, c.Type)
	}
	opts := Options{Browser: cmp.Or(c.Executable, "firefox"), Headed: !c.Headless, Profile: c.UserDataDir, Args: c.AddOptions, Viewport: c.Options.Context.Viewport}
	opts.Allow = []string{"file:"}
	return Drive(ctx, opts, c.Options)
}

func notFound(op, what string) error {
	return &Error{Code: CodeNotFound, Op: op, Message: "chrome executable not found: " + what, Hint: "give executable the path of a browser, or leave it out for the one that is there"}
}

// edge is where Microsoft Edge is, or "".
func edge() string {
	for _, name := range []string{"microsoft-edge", "microsoft-edge-stable", "msedge"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	for _, path := range []string{
		"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
		os.Getenv("ProgramFiles(x86)") + `\Microsoft\Edge\Application\msedge.exe`,
	} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || host == "localhost" || ip != nil && ip.IsLoopback()
}
