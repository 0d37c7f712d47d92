package driver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"time"

	"rove/driver/advice"
	"rove/driver/backend"
)

// Provider gives out drivers for a piece of work each: a test, a scenario, a
// conversation. A container or a grid is one that starts its browsers elsewhere;
// most need no more than a Pool with a Start of their own.
type Provider interface {
	// Acquire gives a driver that nobody else has, as if it were new, and as opts
	// say; what they leave open is as the provider has it.
	Acquire(ctx context.Context, opts Options) (*Driver, error)
	// Release gives it back.
	Release(ctx context.Context, d *Driver) error
	// Shutdown ends all that was started. It may be called twice.
	Shutdown(ctx context.Context) error
}

// PoolOptions shape a pool.
type PoolOptions struct {
	// Size is how many drivers there are at most: the number of pieces of work
	// done at a time. 0 is as many as Go runs at a time, GOMAXPROCS, which is also
	// how many tests go test runs in parallel.
	Size int
	// Start starts a browser; it is called again when one has died.
	Start func(ctx context.Context) (backend.Browser, error)
	// Driver is for each driver.
	Driver Options
	// Wait is how long Acquire waits when all are in use and none comes back; 0 is
	// 30 s.
	Wait time.Duration
}

// Pool is a Provider: drivers in one browser, each in a browser context of its
// own. Nothing of one piece of work is there for the next: when a driver comes
// back, its context goes, with dialogs, tabs, interceptions, cookies, storage,
// cache and permissions, and the next gets a new one that has shown that it is
// alive. A browser that died is replaced.
type Pool struct {
	opts  PoolOptions
	slots chan struct{} // one for each driver that may be out
	down  chan struct{} // closed by Shutdown

	mu      sync.Mutex
	browser backend.Browser
	base    backend.Context // the one a browser starts with: it cannot be thrown away
	idle    []*Driver
	out     map[*Driver]bool
	opening int       // drivers that are being opened: they need the browser, too
	back    time.Time // when one came back last
	closed  bool
	waiting int
	total   PoolStats

	starting sync.Mutex // held while a browser is started
}

// PoolStats count what a pool has done, and does.
type PoolStats struct {
	Size, InUse, Idle, Waiting int
	Acquired, Replaced         int // drivers given out; browsers that had to be replaced
}

func (f PoolStats) String() string {
	return fmt.Sprintf("size %d, in use %d, idle %d, waiting %d, given out %d, browsers replaced %d",
		f.Size, f.InUse, f.Idle, f.Waiting, f.Acquired, f.Replaced)
}

var _ Provider = (*Pool)(nil)

const (
	poolWait = 30 * time.Second
	// probeLimit is only there for a page that hangs: one whose browser died says so at
	// once, and on a busy machine one that is well may take long.
	probeLimit = 30 * time.Second
)

// NewPool makes a pool. The browser is started when the first driver is asked
// for.
func NewPool(opts PoolOptions) (*Pool, error) {
	if opts.Start == nil {
		return nil, Invalid("pool", "driver not configured: a pool needs a way to start a browser")
	}
	if opts.Size < 0 {
		return nil, Invalid("pool", "a pool of %d drivers: the size goes from 1, or is 0 for as many as Go runs at a time", opts.Size)
	}
	if opts.Size == 0 {
		opts.Size = runtime.GOMAXPROCS(0)
	}
	opts.Wait = orDefault(opts.Wait, poolWait)
	return &Pool{opts: opts, slots: make(chan struct{}, opts.Size), down: make(chan struct{}), out: map[*Driver]bool{}}, nil
}

// Stats count what the pool does at the moment.
func (p *Pool) Stats() PoolStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.total
	f.Size, f.InUse, f.Idle, f.Waiting = p.opts.Size, len(p.out), len(p.idle), p.waiting
	return f
}

// Acquire gives a driver. Where all are in use, it waits for one to come back. Options
// of its own count over those of the pool.
func (p *Pool) Acquire(ctx context.Context, opts Options) (*Driver, error) {
	if err := p.takeSlot(ctx); err != nil {
		return nil, err
	}
	d, err := p.ready(ctx, opts.over(p.opts.Driver))
	if err != nil {
		<-p.slots
		return nil, err
	}
	return d, nil
}

func (p *Pool) takeSlot(ctx context.Context) error {
	p.mu.Lock()
	closed := p.closed
	p.waiting++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.waiting--
		p.mu.Unlock()
	}()
	if closed {
		return errPoolClosed()
	}
	start := time.Now()
	timer := time.NewTimer(p.opts.Wait)
	defer timer.Stop()
	for {
		select {
		case p.slots <- struct{}{}:
			return nil
		case <-timer.C:
			// While drivers come back, a turn comes for everybody who waits.
			if left := p.opts.Wait - p.since(start); left > 0 {
				timer.Reset(left)
				continue
			}
			return &Error{
				Code: CodeTimeout, Op: "acquire", Hint: "release drivers, or make the pool larger",
				Message: fmt.Sprintf("the pool is exhausted, waited %s: %s", roundedDuration(time.Since(start)), p.Stats()),
			}
		case <-p.down:
			return errPoolClosed()
		case <-ctx.Done():
			return Explain("acquire", fmt.Errorf("the pool is exhausted: %s: %w", p.Stats(), ctx.Err()))
		}
	}
}

// since is how long nothing has come back for somebody who waits since start.
func (p *Pool) since(start time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.back.After(start) {
		start = p.back
	}
	return time.Since(start)
}

func errPoolClosed() error {
	return &Error{Code: CodeClosed, Op: "acquire", Message: "the pool is shut down", Hint: "open another"}
}

// ready gives an idle driver that is alive, or a new one.
func (p *Pool) ready(ctx context.Context, opts Options) (*Driver, error) {
	for reflect.DeepEqual(opts.Context, p.opts.Driver.Context) { // else none of those that wait will do
		p.mu.Lock()
		var d *Driver
		if n := len(p.idle); n > 0 {
			d, p.idle = p.idle[n-1], p.idle[:n-1]
		}
		p.mu.Unlock()
		if d == nil {
			break
		}
		if d.Alive(ctx) {
			return d, p.noteGiven(ctx, d, opts)
		}
		_ = d.Quit(ctx)
	}
	d, err := p.fresh(ctx, opts)
	if err != nil {
		return nil, err
	}
	return d, p.noteGiven(ctx, d, opts)
}

// noteGiven notes that a driver is out, as it was asked for.
func (p *Pool) noteGiven(ctx context.Context, d *Driver, opts Options) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		go func() { _ = d.Quit(context.WithoutCancel(ctx)) }()
		return errPoolClosed()
	}
	d.mu.Lock()
	opts.OnQuit = d.options.OnQuit
	d.options = opts
	d.mu.Unlock()
	d.SetLifetime(opts.Lifetime) // which begins when somebody has it
	p.out[d] = true
	p.total.Acquired++
	return nil
}

// fresh opens a driver in the browser, and in another one should that have died.
func (p *Pool) fresh(ctx context.Context, opts Options) (*Driver, error) {
	p.opens(1)
	defer p.opens(-1)
	var failed backend.Browser
	for try := 0; ; try++ {
		b, err := p.started(ctx, failed)
		if err != nil {
			return nil, Explain("acquire", err)
		}
		d, err := Open(ctx, b, opts)
		if err == nil && d.Alive(ctx) {
			return d, nil
		}
		if err == nil {
			_ = d.Quit(ctx)
			err = (&Error{Code: CodeCrashed, Op: "acquire", Message: "the browser does not answer"}).Advise(advice.TryAgain)
		}
		if try > 0 || ctx.Err() != nil {
			return nil, err
		}
		failed = b
	}
}

func (p *Pool) opens(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opening += n
}

// started is the pool's browser, a new one where there is none that lives. failed is
// one that does not work for who asks, whatever it says: it goes, unless it has been
// replaced already or others have something in it.
func (p *Pool) started(ctx context.Context, failed backend.Browser) (backend.Browser, error) {
	p.starting.Lock()
	defer p.starting.Unlock()
	p.mu.Lock()
	b, closed := p.browser, p.closed
	others := len(p.out) > 0 || p.opening > 1
	p.mu.Unlock()
	if closed {
		return nil, errPoolClosed()
	}
	if b != nil {
		dead := false
		select {
		case <-b.Done():
			dead = true
		default:
		}
		if !dead && (b != failed || others) {
			return b, nil
		}
		_ = b.Close()
	}
	fresh, err := p.opts.Start(ctx)
	if err != nil {
		return nil, err
	}
	base, err := fresh.NewContext(ctx, backend.ContextOptions{})
	if err != nil {
		_ = fresh.Close()
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		go fresh.Close()
		return nil, errPoolClosed()
	}
	p.browser, p.base = fresh, base
	if b != nil {
		p.total.Replaced++
	}
	return fresh, nil
}

// Release takes a driver back. Its context goes, and another is opened for the
// next who asks.
func (p *Pool) Release(ctx context.Context, d *Driver) error {
	p.mu.Lock()
	mine := p.out[d]
	delete(p.out, d)
	closed := p.closed
	p.mu.Unlock()
	if !mine {
		return Invalid("release", "the driver is not out of this pool; was it released before?")
	}
	defer func() {
		p.mu.Lock()
		p.back = time.Now()
		p.mu.Unlock()
		<-p.slots
	}()
	err := d.Quit(ctx)
	if errorIs(err, CodeClosed) {
		err = nil // it has lost its browser: the next gets another
	}
	if closed {
		return err
	}
	p.mu.Lock()
	enough := len(p.idle)+len(p.out) >= p.opts.Size
	p.mu.Unlock()
	if enough {
		return err
	}
	if next, err := p.fresh(ctx, p.opts.Driver); err == nil {
		p.mu.Lock()
		closed = p.closed
		if !closed {
			p.idle = append(p.idle, next)
		}
		p.mu.Unlock()
		if closed {
			return next.Quit(ctx)
		}
	}
	return err
}

// Shutdown ends the browser, and with it all drivers, those in use too.
func (p *Pool) Shutdown(ctx context.Context) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	close(p.down)
	drivers := p.idle
	for d := range p.out {
		drivers = append(drivers, d)
	}
	b := p.browser
	p.idle, p.browser = nil, nil
	p.mu.Unlock()
	var errs []error
	for _, d := range drivers {
		if err := d.Quit(ctx); err != nil && !errorIs(err, CodeClosed) {
			errs = append(errs, err)
		}
	}
	if b != nil {
		errs = append(errs, b.Close())
	}
	return errors.Join(errs...)
}

// Alive says whether the driver's page answers.
func (d *Driver) Alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	t := d.Tab()
	if t == nil {
		return false
	}
	_, err := t.tab.Eval(ctx, "", "1")
	return err == nil
}

// over puts what options say over those of a base.
func (o Options) over(base Options) Options {
	said, merged := reflect.ValueOf(o), reflect.ValueOf(&base).Elem()
	for i := range said.NumField() {
		if f := said.Field(i); !f.IsZero() {
			merged.Field(i).Set(f)
		}
	}
	return base
}
