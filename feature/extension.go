package feature

import (
	"context"

	"rove/internal/script"
	"rove/report"
)

// extension is what a scenario has besides its variables: a browser, the state
// of its HTTP client. Its state belongs to the scenario that made it; scenarios
// that are called have one of their own, made from their caller's.
type extension interface {
	// called makes the extension of a scenario that this one's scenario calls.
	// A shared call works on the same state; another one on a copy.
	called(child *scenario, shared bool) extension
	// returned takes over what a called scenario leaves behind.
	returned(child extension, shared bool)
	// lookup finds what scripts see by name: bare functions and objects. With
	// firmly set, only what goes before the variables of a caller.
	lookup(name string, firmly bool) (any, bool)
	// failed is told of a step that failed, in the innermost scenario first, and
	// may add to it.
	failed(ctx context.Context, st *report.Step)
	// configured is told of a configure that changed; it may refuse it.
	configured(name string) error
	// holds says whether there is something to close.
	holds() bool
	// close ends what the scenario owns, after its hooks. It may add to the last
	// step.
	close(ctx context.Context, st *report.Step)
}

// extensions make what a scenario of a suite begins with, in a fixed order.
var extensions = []func(*scenario) extension{}

// extensionOf gives the extension of a type that a scenario has.
func extensionOf[E extension](s *scenario) E {
	for _, e := range s.extensions {
		if e, ok := e.(E); ok {
			return e
		}
	}
	var none E
	return none
}

// bound finds what scripts see by name besides variables.
func (s *scenario) bound(name string, firmly bool) (any, bool) {
	for _, e := range s.extensions {
		if x, ok := e.lookup(name, firmly); ok {
			return x, true
		}
	}
	if firmly {
		return nil, false
	}
	if f, ok := globals[name]; ok {
		return f(s.root), true
	}
	return nil, false
}

// globals are what every script sees by name.
var globals map[string]func(*root) any

func init() {
	globals = map[string]func(*root) any{
		"karate":  func(r *root) any { return &r.karate },
		"read":    func(r *root) any { return r.function("read", readFile) },
		"match":   func(r *root) any { return r.function("match", fluentMatch) },
		"Java":    func(r *root) any { return &r.java },
		"java":    func(r *root) any { return &javaPackage{r, "java"} },
		"console": func(r *root) any { return &r.console },
	}
	for _, name := range []string{"setTimeout", "setInterval", "clearTimeout", "clearInterval"} {
		globals[name] = func(r *root) any { return r.timer(name) }
	}
}

// root is what a scenario and all that it calls share: one runtime, on one
// goroutine.
type root struct {
	rt     *script.Runtime
	karate karateObject
	java   javaObject
	timers map[string]script.Function // nil until a script asks for one
	// console is what scripts write to besides karate.log.
	console consoleObject
	// current is the scenario whose step runs.
	current *scenario
	// streams are the sockets and streams of events that were opened.
	streams []*stream
}

func newRoot(su *suite) *root {
	r := &root{rt: script.New(script.Options{Limit: su.opts.ScriptLimit})}
	r.karate.root, r.java.root, r.console.root = r, r, r
	r.rt.StringMethods(javaStrings)
	return r
}

// timer is one of the functions that scripts set timers with.
func (r *root) timer(name string) script.Function {
	if r.timers == nil {
		r.timers = r.rt.Timers()
	}
	return r.timers[name]
}

// function binds a row of a table to the scenario that runs.
func (r *root) function(name string, f karateFunc) script.Function {
	return func(ctx context.Context, args []script.Value) (any, error) {
		return f(&karateCall{ctx: ctx, s: r.current, name: name, args: args})
	}
}
