package script

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// Options shape a runtime.
type Options struct {
	// Limit is how long a script may run by itself, without what it waits for in
	// Go; 0 is a minute.
	Limit time.Duration
	// Log takes what scripts write to the console.
	Log func(text string)
}

const defaultLimit = time.Minute

// stackLimit bounds recursion: deeper than any sensible script, far from what a
// goroutine's stack holds.
const stackLimit = 2000

// Runtime runs programs. It is used by one goroutine at a time: whoever holds
// its lock.
type Runtime struct {
	vm    *goja.Runtime // nil until engine made it
	opts  Options
	limit time.Duration
	mu    sync.Mutex

	ctx     context.Context // of the run that is under way
	depth   int             // runs within runs
	clock   clock
	current *Scope // the scope of the innermost run

	objects map[any]*goja.Object // the objects that stand for hosts
	// called says that a callback from outside runs.
	called bool
	// readable are members that can be read and called.
	readable map[*goja.Object]*Both
	timers   timers
	// strings are the methods that strings have besides their own.
	strings map[string]func(this string, args []Value) (any, error)
}

// New makes a runtime.
func New(opts Options) *Runtime {
	rt := &Runtime{opts: opts, limit: opts.Limit, ctx: context.Background()}
	if rt.limit <= 0 {
		rt.limit = defaultLimit
	}
	return rt
}

// engine is what runs programs, made for the first that needs it: many scenarios
// have no more than literals, which need none.
func (rt *Runtime) engine() *goja.Runtime {
	if rt.vm == nil {
		rt.vm = goja.New()
		rt.vm.SetParserOptions(parser.WithDisableSourceMaps)
		rt.vm.SetMaxCallStackSize(stackLimit)
		_ = rt.vm.GlobalObject().DefineDataProperty(scopeName, goja.Undefined(), goja.FLAG_TRUE, goja.FLAG_FALSE, goja.FLAG_FALSE)
		_ = rt.vm.GlobalObject().DefineDataProperty(factCall, rt.vm.ToValue(rt.factOf), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
		rt.addStringMethods()
		_, _ = rt.vm.RunProgram(listMethods)
	}
	return rt.vm
}

// Lock takes the runtime for this goroutine. Whoever runs scenarios holds it all
// the while; callbacks that come on other goroutines take it for their time.
func (rt *Runtime) Lock() { rt.mu.Lock() }

// Unlock gives the runtime to others.
func (rt *Runtime) Unlock() { rt.mu.Unlock() }

// Outside does what takes its time without scripts, and lets others run scripts
// meanwhile: the handler of a request that is intercepted while a click waits.
func (rt *Runtime) Outside(f func()) {
	if rt.called {
		f()
		return
	}
	ctx, depth, current := rt.ctx, rt.depth, rt.current
	was := rt.clock.pause()
	rt.mu.Unlock()
	defer func() {
		rt.mu.Lock()
		rt.clock.resume(was)
		rt.ctx, rt.depth, rt.current = ctx, depth, current
	}()
	f()
}

// Callback runs what calls scripts from another goroutine, while the one that has
// the runtime waits outside. It is over before that one goes on: their scripts
// share one stack. So a callback does not let others in while it waits itself.
func (rt *Runtime) Callback(f func()) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	was := rt.called
	rt.called = true
	defer func() { rt.called = was }()
	f()
}

// CallerLine is the line of the script that called the function of Go that runs;
// 0 where there is none.
func (rt *Runtime) CallerLine() int {
	for _, f := range rt.engine().CaptureCallStack(0, nil) {
		if at := f.Position(); at.Line > 0 {
			_, line, _ := placed(at)
			return line
		}
	}
	return 0
}

// Run runs a program in a scope. Its value is what its last expression gave; a
// promise is awaited.
func (rt *Runtime) Run(ctx context.Context, scope *Scope, p *Program) (Value, error) {
	if p.constant != nil {
		return rt.value(p.constant), nil
	}
	var v goja.Value
	err := rt.within(ctx, scope, func() error {
		for _, name := range p.declared {
			scope.declare(name)
		}
		if err := rt.engine().GlobalObject().Set(scopeName, scope.engineObject()); err != nil {
			return err
		}
		var err error
		v, err = rt.engine().RunProgram(p.program)
		return err
	})
	if err != nil {
		return rt.value(nil), err
	}
	return rt.await(ctx, scope, v)
}

// Eval compiles and runs a text.
func (rt *Runtime) Eval(ctx context.Context, scope *Scope, source string) (Value, error) {
	p, err := Compile(Place{}, source)
	if err != nil {
		return rt.value(nil), err
	}
	return rt.Run(ctx, scope, p)
}

// within runs what enters the engine: bounded in time, ended with the context.
func (rt *Runtime) within(ctx context.Context, scope *Scope, f func() error) error {
	if err := ctx.Err(); err != nil {
		return &Error{Message: "interrupted before the script began: " + context.Cause(ctx).Error(), cause: context.Cause(ctx)}
	}
	vm := rt.engine()
	before, current := rt.ctx, rt.current
	rt.ctx = ctx
	if scope != nil {
		rt.current = scope
	}
	rt.depth++
	was := rt.clock.enter()
	stop := func() bool { return true }
	var timer *time.Timer
	if rt.depth == 1 {
		rt.clock.reset()
		if ctx.Done() != nil {
			stop = context.AfterFunc(ctx, func() { vm.Interrupt(context.Cause(ctx)) })
		}
		timer = rt.guard()
	}
	defer func() {
		rt.clock.leave(was)
		rt.depth--
		rt.ctx, rt.current = before, current
		if timer != nil {
			timer.Stop()
			stopped := stop()
			if !stopped || rt.clock.fired() {
				vm.ClearInterrupt()
			}
		}
	}()
	return rt.explain(guarded(f))
}

// guarded turns a panic of the engine into an error: no input may end the
// program.
func guarded(f func() error) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *goja.Exception:
			err = x
		case error:
			err = &Error{Message: "the script engine failed: " + x.Error(), cause: x}
		default:
			err = &Error{Message: "the script engine failed"}
		}
	}()
	return f()
}

// guard ends a script that has used up its own time.
func (rt *Runtime) guard() *time.Timer {
	var timer *time.Timer
	var mu sync.Mutex
	check := func() {
		left := rt.limit - rt.clock.used()
		if left <= 0 {
			rt.clock.fire()
			rt.engine().Interrupt(ErrTooLong)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		timer.Reset(max(left, time.Millisecond))
	}
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(rt.limit, check)
	return timer
}

// clock measures the time that scripts take by themselves.
type clock struct {
	mu      sync.Mutex
	own     time.Duration
	since   time.Time
	running bool
	late    bool
}

func (c *clock) reset() {
	c.mu.Lock()
	c.own, c.since, c.late = 0, time.Now(), false
	c.mu.Unlock()
}

func (c *clock) enter() (was bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was = c.running
	if !was {
		c.since, c.running = time.Now(), true
	}
	return was
}

func (c *clock) leave(was bool) {
	if !was {
		c.pause()
	}
}

func (c *clock) pause() (was bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was = c.running
	if was {
		c.own += time.Since(c.since)
		c.running = false
	}
	return was
}

func (c *clock) resume(was bool) {
	if was {
		c.enter()
	} else {
		c.pause()
	}
}

func (c *clock) used() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		return c.own + time.Since(c.since)
	}
	return c.own
}

func (c *clock) fire() {
	c.mu.Lock()
	c.late = true
	c.mu.Unlock()
}

func (c *clock) fired() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.late
}

// Interrupted says whether an error is that of a script that was ended from
// outside, and not one that the script made.
func Interrupted(err error) bool {
	var e *goja.InterruptedError
	return errors.Is(err, ErrTooLong) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &e)
}
