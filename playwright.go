package rove

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"rove/driver"
	"rove/internal/proc"
	"rove/internal/provision"
	"rove/internal/pwserver"
)

// playwrightChoice is what Options.Browser says of a Playwright server; see
// pwserver.Named.
type playwrightChoice struct {
	which string // chromium, firefox, webkit, or the path of an executable; "" is what is there
	url   string // of a server that runs; "" starts one
}

// PlaywrightVersion is the minor version of Playwright whose protocol rove speaks.
const PlaywrightVersion = pwserver.Minor

// playwrightBrowsers are those that a Playwright server has.
var playwrightBrowsers = []string{"chromium", "firefox", "webkit"}

// playwright says whether a Playwright server is wanted, and which browser of it.
func (o *Options) playwright() (choice playwrightChoice, ok bool) {
	choice.which, choice.url, ok = pwserver.Named(cmp.Or(o.Browser, os.Getenv("ROVE_BROWSER")))
	return choice, ok
}

// launchPlaywright starts a browser through a Playwright server. What cannot be done
// there is refused before anything is started.
func launchPlaywright(ctx context.Context, choice playwrightChoice, opts Options, made *Browser) (*Browser, error) {
	refused := func(what, instead string) error {
		return &Error{Code: CodeUnsupported, Op: "launch", Message: what + ": not supported by the playwright backend", Hint: instead + ", or take Chrome: --browser chrome"}
	}
	path := ""
	if strings.ContainsAny(choice.which, `/\`) {
		choice.which, path = "", choice.which
	}
	switch {
	case opts.Profile != "":
		return nil, refused("a profile that is kept", "leave profile out")
	case made.policy.Limits():
		return nil, refused("a limited network (allow, block)", "leave allow and block out")
	case choice.which != "" && !slices.Contains(playwrightBrowsers, choice.which):
		return nil, driver.Invalid("launch", "a Playwright server has %s, or the path of an executable, and no %q", strings.Join(playwrightBrowsers, ", "), choice.which)
	case choice.url != "" && !strings.HasPrefix(choice.url, "ws://") && !strings.HasPrefix(choice.url, "wss://"):
		return nil, driver.Invalid("launch", "the address of a Playwright server is ws://… or wss://…, as it prints it, and not %q", choice.url)
	}
	sandbox, _ := proc.Sandbox(path)
	server := pwserver.Options{
		URL: choice.url, Browser: choice.which, Path: path, Args: opts.Args, Headed: opts.Headed, NoSandbox: !sandbox,
	}
	var b *pwserver.Browser
	var err error
	if choice.url != "" {
		b, err = pwserver.Connect(ctx, server)
	} else {
		b, err = startPlaywright(ctx, server, opts)
	}
	switch {
	case errors.Is(err, provision.ErrNoPlaywright):
		return nil, &Error{Code: CodeNotFound, Op: "launch", Message: err.Error(), Hint: "rove browser install playwright fetches it; or name the folder of a playwright-core in ROVE_PLAYWRIGHT", Err: err}
	case errors.Is(err, pwserver.ErrVersion):
		return nil, &Error{Code: CodeUnsupported, Op: "launch", Message: err.Error(), Hint: "start that version: npx playwright-core@" + PlaywrightVersion + " run-server --port 3000", Err: err}
	case err != nil && choice.url != "":
		return nil, &Error{
			Code: CodeClosed, Op: "launch", Message: err.Error(), Err: err,
			Hint: "give the whole address that the server prints; one is started with: npx playwright-core@" + PlaywrightVersion + " run-server --port 3000",
		}
	case err != nil:
		return nil, err
	}
	made.backend, made.folder = b, b.Folder()
	return made, nil
}

// startPlaywright starts a server of our own. Its Chromium is the browser of this machine,
// which rove finds or fetches; Firefox and WebKit are Playwright's own builds.
func startPlaywright(ctx context.Context, server pwserver.Options, opts Options) (*pwserver.Browser, error) {
	found, err := provision.FindPlaywright(provision.Request{}, pwserver.Minor)
	if err != nil {
		return nil, err
	}
	server.Node, server.CLI = found.Node, found.CLI
	if server.Browser == "" || server.Browser == "chromium" {
		want := server.Path
		if want == "" && strings.HasPrefix(os.Getenv("ROVE_BROWSER"), "playwright") {
			want = provision.Chrome // the variable names no executable
		}
		chromium, err := provision.Find(ctx, provision.Request{Want: want, Headed: opts.Headed, Fetch: true, Progress: opts.Progress})
		if err != nil {
			return nil, err
		}
		sandbox, _ := proc.Sandbox(chromium.Path)
		server.Path, server.Env, server.NoSandbox = chromium.Path, chromium.Env, !sandbox
		server.Args = append(chromium.Args, server.Args...)
	}
	return pwserver.Launch(ctx, server)
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
