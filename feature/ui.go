package feature

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rove"
	"rove/driver"
	"rove/internal/data"
	"rove/internal/script"
	"rove/report"
)

// uiSide is the browser of a scenario. It starts when it is first used; what is
// called uses its caller's; one that a shared call starts is the caller's, too.
type uiSide struct {
	s     *scenario
	state *uiState
	// owns says that this scenario ends what was started.
	owns bool
}

// uiState is what the scenarios of a chain of calls share.
type uiState struct {
	browser *uiDriver
	// more are those that scripts made beside it, with karate.driver.
	more []*uiDriver
}

// uiDriver is a driver that a scenario has, and how it is given back.
type uiDriver struct {
	s       *scenario
	d       *driver.Driver
	config  *driver.Config
	object  *driverObject
	release func(ctx context.Context) error
	// retrying is how long retry gave the next call.
	retrying time.Duration
	used     bool // something was asked of it
}

func init() {
	extensions = append(extensions, func(s *scenario) extension { return &uiSide{s: s, state: &uiState{}, owns: true} })
	addKeywords(map[string]keyword{"driver": {run: runDriver}})
	addKarate(map[string]karateFunc{"driver": karateDriver}, nil)
}

func uiOf(s *scenario) *uiSide { return extensionOf[*uiSide](s) }

func (u *uiSide) called(child *scenario, shared bool) extension {
	if shared || u.state.browser != nil {
		return &uiSide{s: child, state: u.state}
	}
	return &uiSide{s: child, state: &uiState{}, owns: true}
}

func (u *uiSide) returned(extension, bool) {}

// configured checks the options where they are made. A browser that runs stays
// as it is: new options are for the next.
func (u *uiSide) configured(name string) error {
	if _, ok := u.s.config.value("driver"); !ok || name != "driver" {
		return nil
	}
	_, err := u.options()
	return err
}

// lookup gives scripts the driver, its methods and Key.
func (u *uiSide) lookup(name string, firmly bool) (any, bool) {
	switch name {
	case "driver":
		if !u.possible() {
			return nil, false
		}
		return &lateDriver{u}, true
	case "Key":
		return keyObject{}, true
	}
	f, ok := driverMethods[name]
	if !ok || f.onlyOnDriver || firmly && !u.possible() {
		return nil, false
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
		if name == "delay" && u.current().state.browser == nil {
			// To wait needs no browser.
			c := &uiCall{ctx: ctx, b: &uiDriver{s: u.s}, args: args}
			ms, _ := c.number(0)
			return nil, u.s.sleep(ctx, time.Duration(ms)*time.Millisecond)
		}
		b, err := u.current().start(ctx)
		if err != nil {
			return nil, err
		}
		return b.call(ctx, name, f, args)
	}), true
}

// current is the side of the scenario that runs: a function that was looked up
// by a caller may be called by what it calls.
func (u *uiSide) current() *uiSide {
	if now := uiOf(u.s.root.current); now != nil {
		return now
	}
	return u
}

// possible says that there is a browser, or how to get one.
func (u *uiSide) possible() bool {
	if u.state.browser != nil || u.s.suite.opts.Provider != nil {
		return true
	}
	_, ok := u.s.config.value("driver")
	return ok || u.chosen()
}

// chosen says that the command line names a browser, which is enough to have one.
func (u *uiSide) chosen() bool {
	o := u.s.suite.opts
	return o.Browser != "" || o.Connect != "" || o.Grid != ""
}

// failed embeds a picture of the page at the step that failed.
func (u *uiSide) failed(ctx context.Context, st *report.Step) {
	b := u.state.browser
	if b == nil || b.d.IsTerminated() || b.config != nil && !b.config.Options.ScreenshotOnFailure {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var picture []byte
	var err error
	u.s.root.rt.Outside(func() { picture, err = b.d.Tab().Screenshot(ctx, driver.ScreenshotOptions{}) })
	if err != nil {
		u.s.print(fmt.Sprintf("no picture of the failure: %v", err))
		return
	}
	st.Embeds = append(st.Embeds, report.Embed{Type: "image/png", Name: "screenshot", Data: picture})
}

func (u *uiSide) holds() bool { return u.owns && (u.state.browser != nil || len(u.state.more) > 0) }

func (u *uiSide) close(ctx context.Context, _ *report.Step) {
	if u.owns {
		u.end(ctx)
	}
}

// end gives the browser back, and closes those beside it.
func (u *uiSide) end(ctx context.Context) {
	for _, b := range append(slices.Clone(u.state.more), u.state.browser) {
		u.giveBack(ctx, b)
	}
}

// giveBack ends what one driver had.
func (u *uiSide) giveBack(ctx context.Context, b *uiDriver) {
	had := slices.Index(u.state.more, b)
	switch {
	case b == nil:
		return
	case b == u.state.browser:
		u.state.browser = nil
	case had >= 0:
		u.state.more = slices.Delete(u.state.more, had, had+1)
	default: // given back already
		return
	}
	var err error
	u.s.root.rt.Outside(func() { err = b.release(ctx) })
	if err != nil && driver.CodeOf(err) != driver.CodeClosed {
		u.s.print(fmt.Sprintf("the browser was not given back in order: %v", err))
	}
}

// errNotConfigured is what a step of the browser says without configure driver.
var errNotConfigured = errors.New("driver not configured: say * configure driver = { type: 'chrome' } first, in the feature or in karate-config.js, or name a browser where it is run: rove run --browser chrome")

// errDied is told where the browser, or its last tab, is gone though no step said so.
var errDied = errors.New("the browser ended in the middle of the scenario: it crashed, or its last tab was closed; the next scenario has another")

// start gives the browser, and starts it where it is not there yet.
func (u *uiSide) start(ctx context.Context) (*uiDriver, error) {
	if b := u.state.browser; b != nil {
		if b.d.IsTerminated() {
			// Another one would know nothing of what the scenario did so far.
			return nil, errDied
		}
		return b, nil
	}
	if !u.possible() {
		return nil, errNotConfigured
	}
	c, err := u.options()
	if err != nil {
		return nil, err
	}
	if err := u.command(ctx, "beforeStart"); err != nil {
		return nil, err
	}
	b, err := u.acquire(ctx, c)
	if err != nil {
		return nil, err
	}
	if stop := u.line("afterStop"); stop != "" {
		release := b.release
		b.release = func(ctx context.Context) error { return errors.Join(release(ctx), execute(ctx, u.s.suite.dir, stop)) }
	}
	u.state.browser = b
	return b, nil
}

// acquire has the suite give a driver as it is configured.
func (u *uiSide) acquire(ctx context.Context, c *driver.Config) (b *uiDriver, err error) {
	b = &uiDriver{s: u.s, config: c}
	b.object = &driverObject{b}
	u.s.root.rt.Outside(func() { err = u.s.suite.acquire(ctx, b) })
	return b, err
}

// line is a command line among the options of configure driver.
func (u *uiSide) line(name string) string {
	if o, ok := u.s.config.data("driver").(*data.Object); ok {
		return member(o, name)
	}
	return ""
}

// command runs such a line, and waits for its end.
func (u *uiSide) command(ctx context.Context, name string) (err error) {
	line := u.line(name)
	if line == "" {
		return nil
	}
	u.s.root.rt.Outside(func() { err = execute(ctx, u.s.suite.dir, line) })
	if err != nil {
		return fmt.Errorf("configure driver: %s: %w", name, err)
	}
	return nil
}

// runDriver is the step that goes to an address.
func runDriver(s *scenario, in *input) error {
	v, err := s.evalData(in.ctx, in.expression(in.rest))
	if err != nil {
		return err
	}
	u := uiOf(s)
	if o, ok := v.(*data.Object); ok {
		return u.startWith(in.ctx, o)
	}
	address := data.Text(v)
	if v == nil || address == "" {
		return fmt.Errorf("driver needs an address: * driver 'https://example.com'")
	}
	for try := 1; ; try++ {
		b, err := u.start(in.ctx)
		if err != nil {
			return err
		}
		fresh := !b.used
		err = b.outside(func() error { return b.d.SetURL(in.ctx, address) })
		if err == nil || try > 1 || !fresh || !b.d.IsTerminated() || in.ctx.Err() != nil {
			return err
		}
		// Its browser ended before the scenario did anything with it: another scenario's
		// doing. The pool has another.
		u.giveBack(in.ctx, b)
	}
}

// startWith is the step with options instead of an address: they are put over those of
// configure driver, and a browser is started with them.
func (u *uiSide) startWith(ctx context.Context, options *data.Object) error {
	merged := data.NewObject()
	if o, ok := u.s.config.data("driver").(*data.Object); ok {
		merged = o.Clone()
	}
	for name, v := range options.All() {
		merged.Set(name, v)
	}
	if err := u.s.configureValue("driver", u.s.root.rt.Value(merged)); err != nil {
		return err
	}
	u.giveBack(ctx, u.state.browser)
	_, err := u.start(ctx)
	return err
}

// karateDriver is karate.driver(config): a driver for scripts. The first is the
// scenario's; one that is made while there is another stands beside it, with a
// browser of its own.
func karateDriver(c *karateCall) (any, error) {
	u := uiOf(c.s)
	if !c.arg(0).Null() {
		if now := u.state.browser; now != nil && !now.d.IsTerminated() {
			return u.beside(c.ctx, c.arg(0).Export())
		}
		if err := c.s.configureValue("driver", c.arg(0)); err != nil {
			return nil, err
		}
		u.end(c.ctx)
	}
	b, err := u.start(c.ctx)
	if err != nil {
		return nil, err
	}
	return b.object, nil
}

// beside starts a driver that is not the scenario's, nor a slot of the pool: who has
// one already must not wait for another.
func (u *uiSide) beside(ctx context.Context, options any) (any, error) {
	c, err := u.parse(options)
	if err != nil {
		return nil, err
	}
	b := &uiDriver{s: u.s, config: c}
	b.object = &driverObject{b}
	u.s.root.rt.Outside(func() { b.d, err = rove.Configure(ctx, c) })
	if err != nil {
		return nil, err
	}
	b.release = b.d.Quit
	u.state.more = append(u.state.more, b)
	return b.object, nil
}

// outside lets other scripts of the scenario run while a browser is waited for:
// those that answer dialogs and requests.
func (b *uiDriver) outside(f func() error) error {
	b.retrying, b.used = 0, true // retry was for this call
	var err error
	b.s.root.rt.Outside(func() { err = f() })
	if err == nil && b.d.IsTerminated() {
		return errDied
	}
	return err
}

// call runs a method. One that is given an element in place of a locator is that method
// of the element.
func (b *uiDriver) call(ctx context.Context, name string, f driverMethod, args []script.Value) (any, error) {
	if len(args) > 0 {
		if o, ok := args[0].Host().(*elementObject); ok {
			if v, known, err := o.instead(ctx, name, args[1:]); known {
				return v, err
			}
		}
	}
	c := &uiCall{ctx: ctx, b: b, d: b.d, name: name, args: args}
	if l, ok := c.arg(0).Export().(string); ok && l != "" && b.retrying > 0 {
		if err := c.retried(b.d.Locate(l)); err != nil {
			return nil, err
		}
	}
	return f.run(c)
}
