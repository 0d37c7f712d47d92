package rove

import (
	"cmp"
	"context"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/driver"
	"rove/internal/bidi"
	"rove/internal/chrome"
	"rove/internal/pwserver"
	"rove/internal/webdriver"
)

// configurers open a driver through each of the protocols that rove speaks.
var configurers = map[string]func(context.Context, *driver.Config) (*driver.Driver, error){
	"cdp":  configureChrome,
	"bidi": configureFirefox,

	"playwright": configurePlaywright,
	"webdriver":  configureDriver,
}

// Configure opens a driver as a script describes it; see driver.ParseConfig. It
// starts a browser, or finds the one that the options name.
func Configure(ctx context.Context, c *driver.Config) (*driver.Driver, error) {
	open, ok := configurers[c.Backend()]
	if !ok {
		return nil, &Error{
			Code: CodeUnsupported, Op: "configure driver",
			Message: "type " + c.Type + " needs the " + c.Backend() + " backend, which rove does not have",
			Hint:    "there are " + strings.Join(slices.Sorted(maps.Keys(configurers)), ", ") + ": use type chrome, chromium, edge, firefox, chromedriver, geckodriver, msedgedriver, safaridriver, webkit or playwright",
		}
	}
	d, err := open(ctx, c)
	if err != nil {
		return d, err
	}
	if err := d.EmulateConfig(ctx, c); err != nil {
		_ = d.Quit(ctx)
		return nil, err
	}
	return d, nil
}

// PlaywrightVersion is the minor version of Playwright whose protocol rove speaks.
const PlaywrightVersion = pwserver.Minor

// listenTimeout bounds the question whether a browser listens on this machine.
const listenTimeout = 5 * time.Second

// guestTimeout bounds the start of a session in a Firefox that runs already: one that has
// just been started takes its time.
const guestTimeout = 30 * time.Second

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
	if c.Attach != "" {
		return attachChrome(ctx, c)
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
		opts.Browser = c.Type
	}
	// Tests look at files of their own, too.
	opts.Allow = []string{"file:"}
	return Drive(ctx, opts, c.Options)
}

// attachChrome takes a page that is open in a browser that runs.
func attachChrome(ctx context.Context, c *driver.Config) (*driver.Driver, error) {
	asking, cancel := context.WithTimeout(ctx, listenTimeout)
	defer cancel()
	address, err := chrome.ListeningPage(asking, net.JoinHostPort(cmp.Or(c.Host, "localhost"), strconv.Itoa(cmp.Or(c.Port, 9222))), c.Attach)
	if err != nil {
		return nil, &Error{Code: CodeNotFound, Op: "configure driver", Message: err.Error(), Hint: "attach takes a part of the address of a page in a browser that was started with --remote-debugging-port", Err: err}
	}
	return Connect(ctx, address, c.Options)
}

// configureFirefox starts Firefox, or drives the one that runs at an address.
func configureFirefox(ctx context.Context, c *driver.Config) (*driver.Driver, error) {
	const op = "configure driver"
	if c.WebDriverURL != "" || c.WebDriverSession != nil || c.Capabilities != nil || c.PlaywrightURL != "" {
		return nil, driver.Invalid(op, "webDriverUrl, webDriverSession and capabilities are for type geckodriver, playwrightUrl for type playwright; type %s takes webSocketUrl, or host and port", c.Type)
	}
	at := c.WebSocketURL
	if at == "" && (c.Host != "" || c.Port != 0 || !c.Start) {
		at = "ws://" + net.JoinHostPort(cmp.Or(c.Host, "localhost"), strconv.Itoa(cmp.Or(c.Port, 9222)))
	}
	if at != "" {
		return guestOf(ctx, at, c.Options)
	}
	if c.Executable != "" && !bidi.IsFirefox(c.Executable) {
		return nil, driver.Invalid(op, "executable %s is no Firefox, and the type is %s", c.Executable, c.Type)
	}
	opts := Options{Browser: cmp.Or(c.Executable, "firefox"), Headed: !c.Headless, Profile: c.UserDataDir, Args: c.AddOptions, Viewport: c.Options.Context.Viewport}
	opts.Allow = []string{"file:"}
	return Drive(ctx, opts, c.Options)
}

// guestOf drives a Firefox that runs already, in a context of its own, and leaves it so.
func guestOf(ctx context.Context, address string, shape driver.Options) (*driver.Driver, error) {
	asking, cancel := context.WithTimeout(ctx, guestTimeout)
	defer cancel()
	b, err := bidi.Guest(asking, address)
	if err != nil {
		return nil, &Error{
			Code: CodeNavigation, Op: "configure driver", Message: "no Firefox is to be had at " + address + ": " + err.Error(),
			Hint: "start it with --remote-debugging-port=9222; it has one session at a time", Err: err,
		}
	}
	d, err := driver.Open(ctx, b, shape)
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	return d.OnQuit(b.Close), nil
}

// configureDriver starts a driver, or reaches one that runs elsewhere.
func configureDriver(ctx context.Context, c *driver.Config) (*driver.Driver, error) {
	opts, err := driverOptions(c)
	if err != nil {
		return nil, err
	}
	return Drive(ctx, opts, c.Options)
}

// driverOptions are the options of a browser that a script wants through a driver.
func driverOptions(c *driver.Config) (Options, error) {
	const op = "configure driver"
	if c.WebSocketURL != "" || c.PlaywrightURL != "" {
		return Options{}, driver.Invalid(op, "webSocketUrl and playwrightUrl are for other types; type %s takes webDriverUrl", c.Type)
	}
	opts := Options{Headed: !c.Headless, Profile: c.UserDataDir, Args: c.AddOptions, Viewport: c.Options.Context.Viewport, Capabilities: c.Capabilities, Allow: []string{"file:"}}
	if opts.Capabilities == nil && c.WebDriverSession != nil {
		// As in Karate: the whole body of the command that opens the session.
		opts.Capabilities, _ = c.WebDriverSession["capabilities"].(map[string]any)
		if inner, ok := opts.Capabilities["alwaysMatch"].(map[string]any); ok {
			opts.Capabilities = inner
		}
	}
	at := c.WebDriverURL
	if at == "" && (!c.Start || c.Host != "") {
		at = "http://" + net.JoinHostPort(cmp.Or(c.Host, "localhost"), strconv.Itoa(cmp.Or(c.Port, 4444)))
	}
	if at != "" {
		opts.Grid = at
		if opts.Capabilities["browserName"] == nil {
			opts.Capabilities = maps.Clone(opts.Capabilities)
			if opts.Capabilities == nil {
				opts.Capabilities = map[string]any{}
			}
			if name := browserNames[c.Type]; name != "" {
				opts.Capabilities["browserName"] = name
			}
		}
		return opts, nil
	}
	opts.Browser = cmp.Or(c.Executable, c.Type)
	if name, ok := webdriver.Known(opts.Browser); !ok || name != c.Type {
		return Options{}, driver.Invalid(op, "executable %s is no %s, and that is what the type says: it is the driver's, and capabilities name the browser's", c.Executable, c.Type)
	}
	return opts, nil
}

// browserNames are the browsers of drivers, as a remote one is asked for them.
var browserNames = map[string]string{"chromedriver": "chrome", "geckodriver": "firefox", "msedgedriver": "MicrosoftEdge", "safaridriver": "safari"}

func notFound(op, what string) error {
	return &Error{Code: CodeNotFound, Op: op, Message: "chrome executable not found: " + what, Hint: "give executable the path of a browser, or leave it out for the one that is there"}
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || host == "localhost" || ip != nil && ip.IsLoopback()
}

// configurePlaywright opens a driver through a Playwright server: one that runs, or one of
// our own.
func configurePlaywright(ctx context.Context, c *driver.Config) (*driver.Driver, error) {
	const op = "configure driver"
	if c.WebSocketURL != "" || c.WebDriverURL != "" || c.WebDriverSession != nil || c.Capabilities != nil || c.Host != "" || c.Port != 0 {
		return nil, driver.Invalid(op, "type playwright takes playwrightUrl, and no webSocketUrl, webDriverUrl, webDriverSession, capabilities, host or port")
	}
	if !c.Start && c.PlaywrightURL == "" {
		return nil, driver.Invalid(op, "type playwright with start: false needs playwrightUrl, the address of a server that runs")
	}
	opts := Options{
		Browser: pwserver.Name(cmp.Or(c.Executable, c.PlaywrightBrowser), c.PlaywrightURL), Headed: !c.Headless, Profile: c.UserDataDir, Args: c.AddOptions,
		Viewport: c.Options.Context.Viewport, Allow: []string{"file:"},
	}
	return Drive(ctx, opts, c.Options)
}
