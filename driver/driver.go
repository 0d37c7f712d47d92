package driver

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rove/driver/backend"
)

// Driver drives one browser context: its tabs, of which one is the current.
type Driver struct {
	browser backend.Context

	mu         sync.Mutex
	current    *Tab
	tabs       []*Tab
	numbers    numbers
	uploads    func(path string) (string, error)            // nil where every file may be given
	onTrigger  func(context.Context, Trigger) (bool, error) // nil where nobody has to agree to anything
	scriptless error                                        // why no locator may be a script; nil where it may
	options    Options
	next       next
	quit       bool
	guest      bool          // the tabs are somebody else's
	dialogs    func(*Dialog) // OnDialog
	unloads    bool          // beforeunload dialogs are accepted
	routes     []*Interception
	emulated   backend.Emulation
	filmed     *film    // the screencast, or nil
	videos     []*Video // that are being made
	downloads  downloads
	steps      steps
	life       *time.Timer // ends the session; nil where nothing does
	expired    atomic.Bool // it has
}

// New opens a tab in a browser context and returns a driver for it. The driver
// owns the context from then on.
func New(ctx context.Context, c backend.Context) (*Driver, error) {
	d := &Driver{browser: c}
	if _, err := d.NewTab(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// Trips counts how often the browser was asked something for the driver's tabs so
// far; what is sent together counts once. It is 0 where the backend does not count.
func (d *Driver) Trips() int64 {
	if c, ok := d.browser.(backend.Counter); ok {
		return c.Trips()
	}
	return 0
}

// BrowserContext is what the driver drives, for those who know more of a backend
// than all have in common, such as rove.WatchNetwork.
func (d *Driver) BrowserContext() backend.Context { return d.browser }

// Close is Quit: it ends what was opened, a browser of the driver's own too.
func (d *Driver) Close(ctx context.Context) error { return d.Quit(ctx) }

// forget closes the tabs and forgets the context's cookies and storage.
func (d *Driver) forget(ctx context.Context) error {
	if err := d.browser.Close(ctx); err != nil {
		return Explain("close", err)
	}
	return nil
}

// Backend names what the driver drives through: "chrome", "webdriver".
func (d *Driver) Backend() string {
	if n, ok := d.browser.(backend.Named); ok {
		return n.Backend()
	}
	return "unnamed"
}

// Capabilities lists what the driver's backend can do of what not every one can:
// printing, intercepting, emulating and others.
func (d *Driver) Capabilities() []backend.Capability {
	if c, ok := d.browser.(backend.Capable); ok {
		return c.Capabilities()
	}
	return nil
}

// Can says whether the driver's backend can do something that not every one can,
// such as backend.CanPDF. What it cannot do fails at the call.
func (d *Driver) Can(c backend.Capability) bool { return slices.Contains(d.Capabilities(), c) }
