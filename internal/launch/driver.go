package launch

import (
	"context"
	"errors"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/bidi"
	"rove/internal/webdriver"
)

// throughDriver starts a driver, by its name or by the path of an executable that is
// called so, and a browser through it.
func throughDriver(ctx context.Context, name, want string, opts Options) (*Browser, error) {
	if err := opts.ownOnly(name); err != nil {
		return nil, err
	}
	path := ""
	if name != want {
		path = want
	}
	start := func(ctx context.Context) (*webdriver.Session, error) {
		return webdriver.Start(ctx, webdriver.Options{Driver: name, Path: path, Args: opts.Args, Headed: opts.Headed, Capabilities: opts.Capabilities})
	}
	s, err := start(ctx)
	if err != nil {
		return nil, driverError(name, err)
	}
	b, err := drive(ctx, s, start)
	if err != nil {
		_ = s.End()
		return nil, driverError(name, err)
	}
	return &Browser{Browser: b, Folder: s.Folder()}, nil
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
		return &driver.Error{Code: driver.CodeNotFound, Op: "launch", Message: err.Error(), Hint: webdriver.Install(name), Err: err}
	case errors.As(err, &refused):
		return &driver.Error{Code: driver.CodeNotFound, Op: "launch", Message: err.Error(), Hint: "see that the browser is there and of the driver's version; capabilities can name its binary", Err: err}
	}
	return err
}
