package script

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/dop251/goja"
)

// timers are what setTimeout and setInterval have asked for. They run while a
// promise is awaited: a step that waits for nothing leaves nothing running.
type timers struct {
	next int64
	list []*pending
}

type pending struct {
	id    int64
	at    time.Time
	every time.Duration
	call  goja.Callable
	args  []goja.Value
}

// Timers are the functions that scripts know timers by.
func (rt *Runtime) Timers() map[string]Function {
	add := func(repeat bool) Function {
		return func(_ context.Context, args []Value) (any, error) {
			if len(args) == 0 || !args[0].Callable() {
				return nil, errors.New("a timer needs a function")
			}
			call, _ := goja.AssertFunction(args[0].v)
			p := &pending{call: call}
			var wait time.Duration
			if len(args) > 1 {
				wait = time.Duration(args[1].v.ToFloat() * float64(time.Millisecond))
			}
			for _, a := range args[min(2, len(args)):] {
				p.args = append(p.args, a.v)
			}
			if repeat {
				p.every = max(wait, time.Millisecond)
			}
			rt.timers.next++
			p.id, p.at = rt.timers.next, time.Now().Add(wait)
			rt.timers.list = append(rt.timers.list, p)
			return p.id, nil
		}
	}
	remove := func(_ context.Context, args []Value) (any, error) {
		if len(args) > 0 && args[0].v != nil {
			id := args[0].v.ToInteger()
			rt.timers.list = slices.DeleteFunc(rt.timers.list, func(p *pending) bool { return p.id == id })
		}
		return undefined, nil
	}
	return map[string]Function{"setTimeout": add(false), "setInterval": add(true), "clearTimeout": remove, "clearInterval": remove}
}

var undefined = Value{}

// await waits for a promise, and gives its value; anything else it gives as it
// is.
func (rt *Runtime) await(ctx context.Context, scope *Scope, v goja.Value) (Value, error) {
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() != promiseType {
		return rt.value(v), nil
	}
	p, ok := o.Export().(*goja.Promise)
	if !ok {
		return rt.value(v), nil
	}
	if rt.depth > 0 {
		return rt.value(v), nil // the script that called awaits it
	}
	for p.State() == goja.PromiseStatePending {
		if err := rt.tick(ctx, scope); err != nil {
			return rt.value(nil), err
		}
	}
	if p.State() == goja.PromiseStateRejected {
		return rt.value(nil), rt.rejected(p.Result())
	}
	return rt.value(p.Result()), nil
}

func (rt *Runtime) rejected(v goja.Value) error {
	e := &Error{Message: rt.thrownText(v)}
	if o, ok := v.(*goja.Object); ok {
		if inner, ok := o.Get("value").(interface{ Export() any }); ok && inner != nil {
			if cause, ok := inner.Export().(error); ok {
				e.cause, e.Message = cause, cause.Error()
			}
		}
	}
	if e.cause == nil {
		e.Thrown = rt.export(v)
	}
	return e
}

// tick runs the timer that is due next.
func (rt *Runtime) tick(ctx context.Context, scope *Scope) error {
	if len(rt.timers.list) == 0 {
		return &Error{Message: "the promise is never settled: nothing is left that could settle it"}
	}
	due := slices.MinFunc(rt.timers.list, func(a, b *pending) int { return a.at.Compare(b.at) })
	if wait := time.Until(due.at); wait > 0 {
		var err error
		rt.Outside(func() {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				err = &Error{Message: "interrupted while a promise was awaited", cause: context.Cause(ctx)}
			}
		})
		if err != nil {
			return err
		}
	}
	if due.every > 0 {
		due.at = time.Now().Add(due.every)
	} else {
		rt.timers.list = slices.DeleteFunc(rt.timers.list, func(p *pending) bool { return p == due })
	}
	return rt.within(ctx, scope, func() error {
		_, err := due.call(goja.Undefined(), due.args...)
		return err
	})
}
