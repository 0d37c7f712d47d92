package rove

import (
	"context"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/chrome"
)

// Drive starts a browser for one driver, which ends with it: the whole of the
// browser, for programs and tests.
func Drive(ctx context.Context, opts Options, shape driver.Options) (*driver.Driver, error) {
	b, err := Launch(ctx, opts)
	if err != nil {
		return nil, err
	}
	d, err := b.Drive(ctx, shape)
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	return d.OnQuit(b.Close), nil
}

// Drive opens a driver in a context of its own.
func (b *Browser) Drive(ctx context.Context, shape driver.Options) (*driver.Driver, error) {
	if shape.Context.Policy == nil && b.policy != nil {
		shape.Context.Policy = b.policy
	}
	return driver.Open(ctx, b.backend.Browser, shape)
}

// Pool makes a pool of drivers, for so much work at a time (0 is as much as Go
// does at a time), in one browser that is started when it is needed and replaced
// when it dies.
func Pool(size int, opts Options, shape driver.Options) (*driver.Pool, error) {
	return driver.NewPool(driver.PoolOptions{
		Size: size, Driver: shape,
		Start: func(ctx context.Context) (backend.Browser, error) {
			b, err := Launch(ctx, opts)
			if err != nil {
				return nil, err
			}
			return b.backend, nil
		},
	})
}

// Connect drives a browser that runs already, in a container, on a grid or on
// this machine. The address of a tab is for that tab, which stays as it is when
// the driver quits; that of a browser is for a context of its own.
func Connect(ctx context.Context, webSocketURL string, shape driver.Options) (*driver.Driver, error) {
	if _, ok := chrome.PageID(webSocketURL); ok {
		b, c, id, err := chrome.ConnectPage(ctx, webSocketURL)
		if err != nil {
			return nil, err
		}
		d, err := driver.Attach(c, id, shape)
		if err != nil {
			_ = b.Close()
			return nil, err
		}
		return d.OnQuit(b.Close), nil
	}
	b, err := chrome.Connect(ctx, webSocketURL)
	if err != nil {
		return nil, err
	}
	d, err := driver.Open(ctx, b, shape)
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	return d.OnQuit(b.Close), nil
}

// Remote is a browser that runs elsewhere, by its address, for the Start of a
// driver.Pool: its drivers have contexts of their own there, and it goes on when they
// and the pool have ended.
func Remote(ctx context.Context, webSocketURL string) (backend.Browser, error) {
	b, err := chrome.Connect(ctx, webSocketURL)
	if err != nil {
		return nil, driver.Explain("connect", err)
	}
	return b, nil
}

// Attend gives the verbs on a driver that somebody else has opened, and ends.
// Close ends the session alone; the driver goes on.
func Attend(d *driver.Driver) (*Session, error) {
	folder, err := newFolder("", "")
	if err != nil {
		return nil, err
	}
	b := &Browser{}
	out := b.secrets.fork()
	c := d.BrowserContext()
	s := &Session{browser: b, driver: d, out: out, folder: folder, network: newNetwork(c, nil, out, keptAnswers), console: newConsole(c, out), attends: true}
	if s.network != nil {
		s.network.unseen = s.typedUnseen
	}
	return s, nil
}
