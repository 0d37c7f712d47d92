package rove

import (
	"context"
	"errors"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/bidi"
	"rove/internal/chrome"
	"rove/internal/grid"
	"rove/internal/policy"
	"rove/internal/webdriver"
)

// leaseTimeout bounds the wait for a grid's browser, its queue included.
const leaseTimeout = 5 * time.Minute

// CheckGrid checks Options.Grid, and what cannot be had together with it, before
// anything is done.
func (o *Options) CheckGrid() error {
	if o.Grid == "" {
		return nil
	}
	if _, err := grid.ParseURL(o.Grid); err != nil {
		return driver.Invalid("grid", "%v", err)
	}
	if o.Connect != "" || o.Profile != "" {
		return driver.Invalid("grid", "the browser is the grid's: leave connect and profile out")
	}
	if _, ok := gridNames[o.Browser]; !ok {
		return driver.Invalid("grid", "a grid has chrome, firefox, edge and safari, and no %q", o.Browser)
	}
	rules, err := policy.New(o.Allow, o.Block)
	if err != nil {
		return driver.Invalid("launch", "%v", err)
	}
	if rules.Limits() {
		return &Error{
			Code: CodePolicy, Op: "grid", Message: "limits on the network (allow, block) cannot be held in a grid's browser: its way out is the node's",
			Hint: "leave them out, or have the grid's network hold them",
		}
	}
	return nil
}

// gridNames are the names by which grids know browsers.
var gridNames = map[string]string{"": "", "chrome": "chrome", "firefox": "firefox", "edge": "MicrosoftEdge", "safari": "safari"}

// lease makes a Browser of one that a grid lends.
func lease(ctx context.Context, opts Options, made *Browser) (*Browser, error) {
	if err := opts.CheckGrid(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, leaseTimeout)
	defer cancel()
	l, err := grid.New(ctx, opts.Grid, grid.Options{Browser: gridNames[opts.Browser], Headed: opts.Headed, Args: opts.Args, Capabilities: opts.Capabilities})
	if err != nil {
		return nil, gridError(err)
	}
	if made.backend, err = leased(ctx, l); err != nil {
		_ = l.Release(context.WithoutCancel(ctx))
		return nil, &Error{Code: CodeClosed, Op: "grid", Message: "the grid gave a browser, but no way to it (se:cdp, webSocketUrl)", Hint: "see that the hub passes web sockets on", Err: err}
	}
	made.lease = l
	return made, nil
}

// leased drives a browser that is lent by what is offered: the DevTools protocol, else
// BiDi, else WebDriver alone. The lease ends with the Browser.
func leased(ctx context.Context, l *grid.Lease) (backend.Browser, error) {
	switch {
	case l.CDP != "":
		return chrome.Connect(ctx, l.CDP)
	case l.BiDi != "":
		return bidi.Connect(ctx, bidi.Attachment{
			Name: "grid", Socket: l.BiDi, Version: l.Browser + "/" + l.Version, End: func(func() <-chan struct{}) error { return nil },
		})
	}
	keep := func(context.Context) error { return nil }
	s := webdriver.Adopt(webdriver.NewRemote(l.Base()), l.ID, "grid", l.Browser, l.Version, keep)
	return webdriver.NewBrowser(s, func(context.Context) (*webdriver.Session, error) {
		return nil, &Error{Code: CodeUnsupported, Op: "grid", Message: "a second session in a grid's browser that offers neither se:cdp nor BiDi", Hint: "open one session for each lease"}
	}), nil
}

func gridError(err error) error {
	var f *grid.Failure
	if !errors.As(err, &f) {
		return err
	}
	code := CodeClosed
	if errors.Is(err, context.DeadlineExceeded) {
		code = CodeTimeout
	}
	return &Error{Code: code, Op: "grid", Message: f.Error(), Hint: f.Hint, Err: err}
}

// releaseTimeout bounds the goodbye to a grid.
const releaseTimeout = 20 * time.Second

func (b *Browser) release() error {
	if b.lease == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseTimeout)
	defer cancel()
	return gridError(b.lease.Release(ctx))
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
