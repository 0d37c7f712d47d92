package feature

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rove/internal/data"
	"rove/internal/script"
)

// karateObject is karate in scripts. It always speaks for the scenario that
// runs, whoever wrote the function it is called in.
type karateObject struct{ root *root }

// karateCall is one call of a function of karate.
type karateCall struct {
	ctx  context.Context
	s    *scenario
	name string
	args []script.Value
}

// karateFunc is a row of the table of functions.
type karateFunc func(c *karateCall) (any, error)

// karateFunctions and karateProperties are what karate has. Files add their own
// in init.
var (
	karateFunctions  = map[string]karateFunc{}
	karateProperties = map[string]func(s *scenario) (any, error){}
)

func addKarate(functions map[string]karateFunc, properties map[string]func(*scenario) (any, error)) {
	for name, f := range functions {
		karateFunctions[name] = f
	}
	for name, f := range properties {
		karateProperties[name] = f
	}
}

func (k *karateObject) Member(name string) (any, bool) {
	if f, ok := karateFunctions[name]; ok {
		return k.root.function(name, f), true
	}
	if p, ok := karateProperties[name]; ok {
		v, err := p(k.root.current)
		if err != nil {
			return failing(err), true
		}
		return v, true
	}
	if reason, ok := withoutJava[name]; ok {
		return failing(fmt.Errorf("karate.%s: %s", name, reason)), true
	}
	return nil, false
}

// failing is a function that only fails: a script that uses what is not there is
// told why where it calls it.
func failing(err error) script.Function {
	return func(context.Context, []script.Value) (any, error) { return nil, err }
}

func (k *karateObject) Members() []string {
	var names []string
	for name := range karateFunctions {
		names = append(names, name)
	}
	for name := range karateProperties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (k *karateObject) String() string { return "karate" }

// withoutJava are functions that make no sense without Java, and what to do
// instead.
var withoutJava = map[string]string{
	"consume":          "there is no Java to consume from",
	"channel":          "Kafka, gRPC and the like need Karate's extensions",
	"robot":            "the desktop is not driven from here; use a driver",
	"compareImage":     "pictures are not compared here",
	"capturePerfEvent": "Gatling is not run from here",
}

// arg is an argument, undefined where it was not given.
func (c *karateCall) arg(i int) script.Value {
	if i < len(c.args) {
		return c.args[i]
	}
	return script.Value{}
}

// text is an argument as text.
func (c *karateCall) text(i int) (string, error) {
	v := c.arg(i)
	if v.Null() {
		return "", c.wrong("argument %d is missing", i+1)
	}
	return data.Text(v.Export()), nil
}

// number is an argument as a number.
func (c *karateCall) number(i int) (float64, error) {
	switch n := c.arg(i).Export().(type) {
	case int64:
		return float64(n), nil
	case float64:
		return n, nil
	}
	return 0, c.wrong("argument %d must be a number", i+1)
}

// function is the second argument, which must be a function.
func (c *karateCall) function() (*script.Func, error) {
	if f := c.arg(1).Func(); f != nil {
		return f, nil
	}
	return nil, c.wrong("not a js function: %s", data.Text(c.arg(1).Export()))
}

func (c *karateCall) wrong(format string, args ...any) error {
	return fmt.Errorf("karate.%s: "+format, append([]any{c.name}, args...)...)
}

// object is an argument as an object, or nil.
func (c *karateCall) object(i int) *data.Object {
	o, _ := c.arg(i).Export().(*data.Object)
	return o
}

// consoleObject is console in scripts.
type consoleObject struct{ root *root }

func (c *consoleObject) Member(name string) (any, bool) {
	switch name {
	case "log", "info", "warn", "error", "debug", "trace":
		return c.root.function(name, logValues), true
	}
	return nil, false
}

func (c *consoleObject) Members() []string { return nil }

// logValues writes values to the log of the step.
func logValues(c *karateCall) (any, error) {
	if !c.s.config.bool("printEnabled") {
		return undefined, nil
	}
	parts := make([]string, len(c.args))
	for i, a := range c.args {
		parts[i] = logged(a)
	}
	c.s.print(strings.Join(parts, " "))
	return undefined, nil
}

// undefined is what functions give that give nothing.
var undefined = script.Value{}
