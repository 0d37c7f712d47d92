package launch

import (
	"context"
	"errors"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/bidi"
	"rove/internal/chrome"
	"rove/internal/grid"
	"rove/internal/webdriver"
)

const (
	// leaseTimeout bounds the wait for a grid's browser, its queue included.
	leaseTimeout = 5 * time.Minute
	// releaseTimeout bounds the goodbye to a grid.
	releaseTimeout = 20 * time.Second
)

// gridNames are the names by which grids know browsers.
var gridNames = map[string]string{"": "", "chrome": "chrome", "firefox": "firefox", "edge": "MicrosoftEdge", "safari": "safari"}

// checkGrid refuses what cannot be had together with a grid's browser.
func (o *Options) checkGrid() error {
	if _, err := grid.ParseURL(o.Grid); err != nil {
		return driver.Invalid("grid", "%v", err)
	}
	if o.Connect != "" || o.Profile != "" {
		return driver.Invalid("grid", "the browser is the grid's: leave connect and profile out")
	}
	if _, ok := gridNames[o.Browser]; !ok {
		return driver.Invalid("grid", "a grid has chrome, firefox, edge and safari, and no %q", o.Browser)
	}
	if o.Policy.Limits() {
		return &driver.Error{
			Code: driver.CodePolicy, Op: "grid", Message: "limits on the network (allow, block) cannot be held in a grid's browser: its way out is the node's",
			Hint: "leave them out, or have the grid's network hold them",
		}
	}
	return nil
}

// lease takes a browser that a grid lends.
func lease(ctx context.Context, opts Options) (*Browser, error) {
	ctx, cancel := context.WithTimeout(ctx, leaseTimeout)
	defer cancel()
	asks := func(ctx context.Context) (*grid.Lease, error) {
		l, err := grid.New(ctx, opts.Grid, grid.Options{Browser: gridNames[opts.Browser], Headed: opts.Headed, Args: opts.Args, Capabilities: opts.Capabilities})
		if err != nil {
			return nil, gridError(err)
		}
		return l, nil
	}
	l, err := asks(ctx)
	if err != nil {
		return nil, err
	}
	b, err := leased(ctx, l, asks)
	if err != nil {
		_ = l.Release(context.WithoutCancel(ctx))
		return nil, &driver.Error{Code: driver.CodeClosed, Op: "grid", Message: "the grid gave a browser, but no way to it (se:cdp, webSocketUrl)", Hint: "see that the hub passes web sockets on", Err: err}
	}
	return &Browser{Browser: b, lease: l}, nil
}

// leased drives a browser that is lent by what is offered: the DevTools protocol, else
// BiDi, else WebDriver alone, where every session is a lease of its own and ends with it.
func leased(ctx context.Context, l *grid.Lease, asks func(context.Context) (*grid.Lease, error)) (backend.Browser, error) {
	switch {
	case l.CDP != "":
		return chrome.Connect(ctx, l.CDP, watchGrid(l))
	case l.BiDi != "":
		return bidi.Connect(ctx, bidi.Attachment{
			Name: "grid", Socket: l.BiDi, Version: l.Browser + "/" + l.Version, Through: watchGrid(l), End: func(func() <-chan struct{}) error { return nil },
		})
	}
	adopt := func(l *grid.Lease) *webdriver.Session {
		return webdriver.Adopt(webdriver.NewRemote(l.Base()), l.ID, "grid", l.Browser, l.Version, l.Release)
	}
	return webdriver.NewBrowser(adopt(l), func(ctx context.Context) (*webdriver.Session, error) {
		more, err := asks(ctx)
		if err != nil {
			return nil, err
		}
		return adopt(more), nil
	}), nil
}

func gridError(err error) error {
	var f *grid.Failure
	if !errors.As(err, &f) {
		return err
	}
	code := driver.CodeClosed
	if errors.Is(err, context.DeadlineExceeded) {
		code = driver.CodeTimeout
	}
	return &driver.Error{Code: code, Op: "grid", Message: f.Error(), Hint: f.Hint, Err: err}
}

func (b *Browser) release() error {
	if b.lease == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseTimeout)
	defer cancel()
	return gridError(b.lease.Release(ctx))
}
