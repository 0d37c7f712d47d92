package driver

import (
	"context"
	"errors"
	"time"

	"rove/driver/backend"
)

// Options shape a driver. The zero value is useful.
type Options struct {
	Timeouts Timeouts
	// Lifetime is how long the session may last as a whole; 0 is as long as it
	// likes. When it is over the browser context is closed, and calls say so.
	Lifetime time.Duration
	// RetryInterval is how often what can only be polled is polled: the
	// conditions of WaitUntilFunc. 0 is 100 ms.
	RetryInterval time.Duration
	// PageLoad is how much of a page SetURL waits for.
	PageLoad PageLoadStrategy
	// Highlight shows each element for a moment before something is done to it.
	Highlight time.Duration
	// ScreenshotOnFailure has a picture of the page given to Embed whenever a
	// step fails.
	ScreenshotOnFailure bool
	// Embed gets pictures for a report: of failures, and of EmbedScreenshot. It
	// may be called from any goroutine.
	Embed func(Embedding)
	// Context is for the browser context that Open opens.
	Context backend.ContextOptions
	// OnQuit is called by Quit when the browser context is closed: the end of
	// a browser that nobody else uses.
	OnQuit func() error
}

// Timeouts bound waits; the context of a call may end them sooner. Zero fields
// are the defaults.
type Timeouts struct {
	Session  time.Duration // what is not said otherwise: 30 s
	PageLoad time.Duration // navigations: as Session
	Element  time.Duration // elements and conditions: as Session
	Script   time.Duration // JavaScript: 15 s
}

// waitKind says which of the timeouts counts.
type waitKind int

const (
	elementWait waitKind = iota
	pageWait
	scriptWait
	sessionWait // what is none of these
)

const sessionTimeout = 30 * time.Second

// next is what was said about the next call only.
type next struct {
	budget time.Duration // Retry
	submit bool          // Submit
}

// Options are what the driver was opened with, as it stands now.
func (d *Driver) Options() Options {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.options
}

// Timeouts are the bounds of waits.
func (d *Driver) Timeouts() Timeouts {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.options.Timeouts
	t.Session = orDefault(t.Session, sessionTimeout)
	t.PageLoad = orDefault(t.PageLoad, t.Session)
	t.Element = orDefault(t.Element, t.Session)
	t.Script = orDefault(t.Script, scriptTimeout)
	return t
}

// SetTimeouts changes the bounds of waits. Fields that are zero stay as they
// are.
func (d *Driver) SetTimeouts(t Timeouts) *Driver {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := &d.options.Timeouts
	now.Session = orDefault(t.Session, now.Session)
	now.PageLoad = orDefault(t.PageLoad, now.PageLoad)
	now.Element = orDefault(t.Element, now.Element)
	now.Script = orDefault(t.Script, now.Script)
	return d
}

// Timeout is the default bound of waits.
func (d *Driver) Timeout() time.Duration { return d.Timeouts().Session }

// SetTimeout changes the default bound of waits.
func (d *Driver) SetTimeout(t time.Duration) *Driver { return d.SetTimeouts(Timeouts{Session: t}) }

// SetRetryInterval changes how often what can only be polled is polled.
func (d *Driver) SetRetryInterval(interval time.Duration) *Driver {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.options.RetryInterval = interval
	return d
}

func (d *Driver) retryInterval() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return orDefault(d.options.RetryInterval, eventPause)
}

// Retry gives the next call, whatever it is, as long as so many tries at that
// interval would take. Waits do not really try again and again: they end when
// what they wait for is there.
func (d *Driver) Retry(times int, interval time.Duration) *Driver {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.next.budget = max(time.Duration(times)*interval, time.Millisecond)
	return d
}

// Submit has the next action wait for the navigation it causes, and fail where
// it causes none. An action that navigates is waited for in any case; this is
// for one that does so after a while.
func (d *Driver) Submit() *Driver {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.next.submit = true
	return d
}

// limit is how long a wait may take.
func (d *Driver) limit(kind waitKind) time.Duration {
	t := d.Timeouts()
	switch kind {
	case pageWait:
		return t.PageLoad
	case scriptWait:
		return t.Script
	case sessionWait:
		return t.Session
	}
	return t.Element
}

// budget is how long this call may take: what it says itself, what Retry said
// about it, or the default.
func (d *Driver) budget(kind waitKind, own ...time.Duration) time.Duration {
	d.mu.Lock()
	said := d.next.budget
	d.next.budget = 0
	d.mu.Unlock()
	switch {
	case len(own) > 0 && own[0] > 0:
		return own[0]
	case said > 0:
		return said
	}
	return d.limit(kind)
}

// within bounds a call by its budget. The caller's own deadline may end it sooner,
// and does not make it longer.
func (d *Driver) within(ctx context.Context, kind waitKind) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d.budget(kind))
}

// Open opens a browser context and a driver for it.
func Open(ctx context.Context, b backend.Browser, opts Options) (*Driver, error) {
	c, err := b.NewContext(ctx, opts.Context)
	if err != nil {
		return nil, Explain("open", err)
	}
	d := &Driver{browser: c, options: opts, unloads: true}
	if _, err := d.NewTab(ctx); err != nil {
		_ = c.Close(ctx)
		return nil, err
	}
	d.SetLifetime(opts.Lifetime)
	return d, nil
}

// SetLifetime has the session end so long from now, whatever was said before; 0
// lets it last as long as it likes.
func (d *Driver) SetLifetime(life time.Duration) *Driver {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.life != nil {
		d.life.Stop()
		d.life = nil
	}
	if d.options.Lifetime = life; life > 0 && !d.quit {
		d.life = time.AfterFunc(life, d.expire)
	}
	return d
}

// expire ends a session whose time is up, and whatever it is doing.
func (d *Driver) expire() {
	d.expired.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), answerTimeout)
	defer cancel()
	_ = d.browser.Close(ctx) // calls say what happened
}

// Attach is a driver for a tab that is open already, known by its id. Quit leaves
// it open.
func Attach(c backend.Context, tab string, opts Options) (*Driver, error) {
	d := &Driver{browser: c, options: opts, unloads: true, guest: true}
	for _, t := range d.Tabs() {
		if t.tab.ID() == tab {
			d.current = t
			d.attend(t)
			return d, nil
		}
	}
	return nil, &Error{Code: CodeNotFound, Op: "attach", Message: "no page found matching: " + tab, Hint: "take the ID of a tab that is open"}
}

// OnQuit has a function called when the driver has quit, after those given
// before.
func (d *Driver) OnQuit(fn func() error) *Driver {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.options.OnQuit
	d.options.OnQuit = func() error {
		if before != nil {
			return errors.Join(before(), fn())
		}
		return fn()
	}
	return d
}

// Quit closes the tabs, forgets cookies and storage, and ends the browser if it
// is the driver's own. It may be called twice.
func (d *Driver) Quit(ctx context.Context) error {
	d.mu.Lock()
	if d.quit {
		d.mu.Unlock()
		return nil
	}
	done := d.options.OnQuit
	if d.life != nil {
		d.life.Stop()
	}
	d.mu.Unlock()
	err := d.stopRecording(ctx)
	d.mu.Lock()
	if d.quit { // by somebody else, meanwhile
		d.mu.Unlock()
		return err
	}
	d.quit = true
	d.mu.Unlock()
	if e := d.leave(ctx); err == nil {
		err = e
	}
	if done != nil {
		if e := done(); err == nil && e != nil {
			err = Explain("quit", e)
		}
	}
	return err
}

// leave closes what is the driver's own, and takes back what it did to what is
// not.
func (d *Driver) leave(ctx context.Context) error {
	if d.guest {
		return d.StopIntercept(ctx)
	}
	d.disarm()
	return d.forget(ctx)
}

// IsTerminated says whether the driver was quit, or has lost its browser.
func (d *Driver) IsTerminated() bool {
	d.mu.Lock()
	quit, current := d.quit, d.current
	d.mu.Unlock()
	return quit || len(d.browser.Tabs()) == 0 && current != nil && gone(current.tab)
}
