package launch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"rove/driver"
	"rove/driver/advice"
	"rove/internal/chrome"
	"rove/internal/hub"
	"rove/internal/wire"
)

// joinTimeout bounds the connection to a running browser, which may ask its person.
const joinTimeout = time.Minute

// Check refuses what cannot be had together, before anything is done.
func (o *Options) Check() error {
	switch {
	case o.Connect != "":
		return o.checkConnect()
	case o.Grid != "":
		return o.checkGrid()
	}
	return nil
}

func (o *Options) checkConnect() error {
	if _, err := chrome.ParseAddress(o.Connect); err != nil {
		return driver.Invalid("connect", "%v", err)
	}
	var said []string
	for _, option := range []struct {
		name string
		is   bool
	}{{"browser", o.Browser != ""}, {"headed", o.Headed}, {"profile", o.Profile != ""}, {"args", len(o.Args) > 0}, {"grid", o.Grid != ""}} {
		if option.is {
			said = append(said, option.name)
		}
	}
	if len(said) > 0 {
		return driver.Invalid("connect", "a browser that runs already is as it is: leave %s out", strings.Join(said, ", "))
	}
	if o.Policy.Limits() {
		return (&driver.Error{
			Code: driver.CodePolicy, Op: "connect",
			Message: "limits on the network (allow, block) cannot be held in a browser that runs already: its web sockets, WebRTC, service workers and popups go out by its own way",
		}).Advise(advice.TakeLogin)
	}
	return nil
}

// join makes rove a guest in the browser that runs already.
func join(ctx context.Context, opts Options) (*Browser, error) {
	ctx, cancel := context.WithTimeout(ctx, joinTimeout)
	defer cancel()
	t, err := reach(ctx, opts)
	if err != nil {
		return nil, connectError(err)
	}
	b, err := chrome.Join(ctx, t, ways(ctx, opts.Connect)...)
	if err != nil {
		return nil, connectError(err)
	}
	if opts.Progress != nil {
		fmt.Fprintf(opts.Progress, "connected to %s, which a person uses. Tabs that rove opens there are closed at the end, all else stays as it is. "+
			"Not held there: isolation (cookies and logins are the person's, and shared by all sessions) and limits on the network.\n", b.Version())
	}
	return &Browser{Browser: b, Folder: b.Folder(), person: true}, nil
}

// ways are the hosts and ports at which the browser is reached.
func ways(ctx context.Context, place string) (list []string) {
	addresses, _ := chrome.Running(ctx, place) // it was found a moment ago
	for _, a := range addresses {
		if u, err := url.Parse(a); err == nil {
			list = append(list, u.Host)
		}
	}
	return list
}

// reach connects by way of whoever holds the one connection, or by one of our own.
func reach(ctx context.Context, opts Options) (wire.Transport, error) {
	dial := opts.Dial
	if dial == nil {
		dial = hub.New().Alone
	}
	c, err := dial(ctx, opts.Connect)
	if err != nil {
		return nil, err
	}
	return wire.NewPipe(c, c), nil
}

// connectError says why there is no browser to be had.
func connectError(err error) error {
	if _, ok := errors.AsType[*driver.Error](err); ok {
		return err
	}
	if none, ok := errors.AsType[*chrome.Unreachable](err); ok {
		return &driver.Error{Code: driver.CodeClosed, Op: "connect", Message: none.Error(), Hint: none.Hint, Err: err}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &driver.Error{Code: driver.CodeTimeout, Op: "connect", Message: "the browser does not answer", Hint: "it may be asking you: look at its window and allow it", Err: err}
	}
	return &driver.Error{Code: driver.CodeClosed, Op: "connect", Message: err.Error(), Hint: "see that the browser runs, and try again", Err: err}
}
