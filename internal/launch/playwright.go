package launch

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"rove/driver"
	"rove/driver/advice"
	"rove/internal/proc"
	"rove/internal/provision"
	"rove/internal/pwserver"
)

// playwrightBrowsers are those that a Playwright server has.
var playwrightBrowsers = []string{"chromium", "firefox", "webkit"}

// throughPlaywright starts a browser through a Playwright server. which is one of its
// browsers, or the path of an executable; "" is what is there. url is that of a server
// that runs; "" starts one.
func throughPlaywright(ctx context.Context, which, url string, opts Options) (*Browser, error) {
	if err := opts.ownOnly("playwright"); err != nil {
		return nil, err
	}
	path := ""
	if strings.ContainsAny(which, `/\`) {
		which, path = "", which
	}
	switch {
	case which != "" && !slices.Contains(playwrightBrowsers, which):
		return nil, driver.Invalid("launch", "a Playwright server has %s, or the path of an executable, and no %q", strings.Join(playwrightBrowsers, ", "), which)
	case url != "" && !strings.HasPrefix(url, "ws://") && !strings.HasPrefix(url, "wss://"):
		return nil, driver.Invalid("launch", "the address of a Playwright server is ws://… or wss://…, as it prints it, and not %q", url)
	}
	sandbox, _ := proc.Sandbox(path)
	server := pwserver.Options{URL: url, Browser: which, Path: path, Args: opts.Args, Headed: opts.Headed, NoSandbox: !sandbox}
	var b *pwserver.Browser
	var err error
	if url != "" {
		b, err = pwserver.Connect(ctx, server)
	} else {
		b, err = startPlaywright(ctx, server, opts)
	}
	if err != nil {
		return nil, playwrightError(url, err)
	}
	return &Browser{Browser: b, Folder: b.Folder()}, nil
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

// playwrightError says what to do about a server that gives no browser.
func playwrightError(url string, err error) error {
	const start = "npx playwright-core@" + pwserver.Minor + " run-server --port 3000"
	switch {
	case errors.Is(err, provision.ErrNoPlaywright):
		return (&driver.Error{Code: driver.CodeNotFound, Op: "launch", Message: err.Error(), Err: err}).Advise(advice.GetPlaywright)
	case errors.Is(err, pwserver.ErrVersion):
		return &driver.Error{Code: driver.CodeUnsupported, Op: "launch", Message: err.Error(), Hint: "start that version: " + start, Err: err}
	case url != "":
		return &driver.Error{Code: driver.CodeClosed, Op: "launch", Message: err.Error(), Hint: "give the whole address that the server prints; one is started with: " + start, Err: err}
	}
	return err
}
