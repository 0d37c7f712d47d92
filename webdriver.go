package rove

import (
	"context"
	"errors"
	"os"

	"rove/driver/backend"
	"rove/internal/bidi"
	"rove/internal/webdriver"
)

// viaDriver says whether the browser is to be driven through a WebDriver driver, and
// through which: by its name, or by the path of an executable that is called so.
func (o *Options) viaDriver() (name, path string, ok bool) {
	want := o.Browser
	if want == "" {
		want = os.Getenv("ROVE_BROWSER")
	}
	if name, ok = webdriver.Known(want); ok && name != want {
		path = want
	}
	return name, path, ok
}

// launchDriver starts a driver and a browser through it. What it cannot do is refused
// before anything is started.
func launchDriver(ctx context.Context, name, path string, opts Options, made *Browser) (*Browser, error) {
	refused := func(what, instead string) error {
		return &Error{Code: CodeUnsupported, Op: "launch", Message: what + ": not supported by the " + name + " backend", Hint: instead + ", or take Chrome: --browser chrome"}
	}
	switch {
	case opts.Profile != "":
		return nil, refused("a profile that is kept", "leave profile out")
	case made.policy.Limits():
		return nil, refused("a limited network (allow, block)", "leave allow and block out")
	}
	start := func(ctx context.Context) (*webdriver.Session, error) {
		return webdriver.Start(ctx, webdriver.Options{Driver: name, Path: path, Args: opts.Args, Headed: opts.Headed, Capabilities: opts.Capabilities})
	}
	s, err := start(ctx)
	if err != nil {
		return nil, driverError(name, err)
	}
	if made.backend, err = drive(ctx, s, start); err != nil {
		_ = s.End()
		return nil, driverError(name, err)
	}
	made.folder = s.Folder()
	return made, nil
}

// drive drives the browser of a session: by BiDi where the driver offers that, else by
// what there is. open opens further sessions.
func drive(ctx context.Context, s *webdriver.Session, open func(context.Context) (*webdriver.Session, error)) (backend.Browser, error) {
	if s.Socket == "" {
		return webdriver.NewBrowser(s, open), nil
	}
	return bidi.Connect(ctx, bidi.Attachment{
		Name: s.Name, Socket: s.Socket, Version: s.Product(), Folder: s.Folder(), Memory: s.Memory,
		End: func(func() <-chan struct{}) error { return s.End() },
	})
}

// driverError says what to do about a driver that gives no browser.
func driverError(name string, err error) error {
	var refused *webdriver.Refusal
	switch {
	case errors.Is(err, webdriver.ErrMissing):
		return &Error{Code: CodeNotFound, Op: "launch", Message: err.Error(), Hint: webdriver.Install(name), Err: err}
	case errors.As(err, &refused):
		return &Error{Code: CodeNotFound, Op: "launch", Message: err.Error(), Hint: "see that the browser is there and of the driver's version; capabilities can name its binary", Err: err}
	}
	return err
}
