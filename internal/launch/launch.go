// Package launch chooses the way to a browser and goes it: one that is started here
// (Chrome, Firefox, behind a driver or a Playwright server), one that a person uses, or
// one that a grid lends. What a way cannot do is refused before anything is started.
package launch

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"

	"rove/driver"
	"rove/driver/advice"
	"rove/driver/backend"
	"rove/internal/bidi"
	"rove/internal/chrome"
	"rove/internal/grid"
	"rove/internal/policy"
	"rove/internal/proc"
	"rove/internal/provision"
	"rove/internal/pwserver"
	"rove/internal/webdriver"
)

// Options say which browser is wanted, and how; rove.Options has the words for them.
type Options struct {
	Browser      string
	Headed       bool
	Viewport     backend.Viewport
	Profile      string
	Connect      string
	Dial         Dialer
	Grid         string
	Capabilities map[string]any
	Args         []string
	Policy       *policy.Policy
	Progress     io.Writer
}

// Dialer gives a connection to a running browser: messages of the DevTools protocol,
// each ended by a NUL byte.
type Dialer func(ctx context.Context, connect string) (io.ReadWriteCloser, error)

// Browser is a browser and what it is to rove.
type Browser struct {
	backend.Browser
	Folder string // where files of its sessions go; "" for one that has none

	person bool        // it is a person's
	lease  *grid.Lease // it is a grid's; nil for others
}

// Open goes the way that the options say.
func Open(ctx context.Context, opts Options) (*Browser, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	want := cmp.Or(opts.Browser, os.Getenv("ROVE_BROWSER"))
	switch {
	case opts.Connect != "":
		return join(ctx, opts)
	case opts.Grid != "":
		return lease(ctx, opts)
	}
	if want == "safari" {
		want = byDriver[want] // it has no other way
	}
	if name, ok := webdriver.Known(want); ok {
		return throughDriver(ctx, name, want, opts)
	}
	if which, url, ok := pwserver.Named(want); ok {
		return throughPlaywright(ctx, which, url, opts)
	}
	if want == "firefox" || bidi.IsFirefox(want) {
		return firefox(ctx, want, opts)
	}
	return chromium(ctx, want, opts)
}

// Gone says why the browser is gone, where that is known: "" for one that ended by
// itself.
func (b *Browser) Gone() string {
	switch {
	case b.lease != nil:
		return "the grid's node that had the browser is gone, or the grid has ended the session"
	case b.person:
		return "the browser that rove was connected to was closed, or cut the connection"
	}
	return ""
}

// Close ends the browser, or what rove had of it.
func (b *Browser) Close() error { return errors.Join(b.Browser.Close(), b.release()) }

// ownOnly refuses what needs a Chrome of rove's own.
func (o *Options) ownOnly(name string) error {
	refused := func(what, instead string) error {
		return (&driver.Error{Code: driver.CodeUnsupported, Op: "launch", Message: what + ": not supported by the " + name + " backend"}).Advise(advice.OrTakeChrome, instead)
	}
	switch {
	case o.Profile != "":
		return refused("a profile that is kept", "leave profile out")
	case o.Policy.Limits():
		return refused("a limited network (allow, block)", "leave allow and block out")
	}
	return nil
}

func chromium(ctx context.Context, want string, opts Options) (*Browser, error) {
	if want == "edge" || want == "msedge" {
		if opts.Browser = provision.Edge(); opts.Browser == "" {
			return nil, (&driver.Error{Code: driver.CodeNotFound, Op: "launch", Message: "there is no Microsoft Edge on this machine"}).Advise(advice.TakeChrome)
		}
	}
	found, err := provision.Find(ctx, provision.Request{Want: opts.Browser, Headed: opts.Headed, Fetch: true, Progress: opts.Progress})
	if err != nil {
		return nil, err
	}
	b, err := chrome.Launch(ctx, chrome.Options{
		Path:     found.Path,
		Kind:     chrome.Kind(found.Kind),
		Args:     append(found.Args, opts.Args...),
		Env:      found.Env,
		Headed:   opts.Headed,
		Viewport: opts.Viewport,
		Profile:  opts.Profile,
		Policy:   opts.Policy,
	})
	if _, ok := errors.AsType[*proc.Held](err); ok {
		return nil, &driver.Error{Code: driver.CodePolicy, Op: "launch", Message: err.Error(), Hint: "end that browser, or take another profile", Err: err}
	}
	if err != nil {
		return nil, err
	}
	return &Browser{Browser: b, Folder: b.Folder()}, nil
}

// firefox starts Firefox: by its name, or by the path of an executable that is called so.
func firefox(ctx context.Context, want string, opts Options) (*Browser, error) {
	if err := opts.ownOnly("firefox"); err != nil {
		return nil, err
	}
	if want == "firefox" {
		want = ""
	}
	b, err := bidi.Launch(ctx, bidi.Options{Path: want, Args: opts.Args, Headed: opts.Headed})
	if errors.Is(err, bidi.ErrMissing) {
		return nil, &driver.Error{Code: driver.CodeNotFound, Op: "launch", Message: "there is no Firefox on this machine", Hint: bidi.Install, Err: err}
	}
	if err != nil {
		return nil, err
	}
	return &Browser{Browser: b, Folder: b.Folder()}, nil
}
