package feature

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"rove/driver"
	"rove/internal/data"
	"rove/internal/jsonpath"
	"rove/internal/script"
)

// The DevTools protocol in scripts, for what the driver has no method for:
// driver.cdp().method('Emulation.setTimezoneOverride').param('timezoneId', 'Asia/Tokyo').send(),
// driver.method(…) in the same way, and driver.send({ method, params }).

// protocolObject is driver.cdp().
type protocolObject struct{ b *uiDriver }

func (o *protocolObject) Member(name string) (any, bool) {
	switch name {
	case "method", "browserMethod":
		return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
			return newCommand(&uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name, args: args})
		}), true
	case "send":
		return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
			return sendCommand(&uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name, args: args})
		}), true
	case "on", "off", "offAll":
		return failing(fmt.Errorf("cdp().%s: events of the protocol are not told to scripts; driver.intercept sees requests, waitUntil the page", name)), true
	}
	return nil, false
}

// Members is part of script.Host.
func (o *protocolObject) Members() []string { return nil }

// commandObject is a command that is being put together.
type commandObject struct {
	b      *uiDriver
	method string
	params map[string]any
	within time.Duration
}

func newCommand(c *uiCall) (any, error) {
	method := c.text(0)
	if !strings.Contains(method, ".") {
		return nil, fmt.Errorf("%s needs a command of the DevTools protocol, such as 'Browser.getVersion', not %q", c.name, method)
	}
	return &commandObject{b: c.b, method: method, params: map[string]any{}}, nil
}

// Members is part of script.Host.
func (o *commandObject) Members() []string { return []string{"method", "params"} }

func (o *commandObject) Member(name string) (any, bool) {
	chained := func(f func(c *uiCall) error) script.Function {
		return func(ctx context.Context, args []script.Value) (any, error) {
			return o, f(&uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name, args: args})
		}
	}
	switch name {
	case "param":
		return chained(func(c *uiCall) (err error) {
			o.params[c.text(0)], err = plainData(c.arg(1).Export())
			return err
		}), true
	case "params":
		return chained(func(c *uiCall) error { return o.add(c.arg(0).Export()) }), true
	case "timeout", "setTimeout":
		return chained(func(c *uiCall) error {
			if w := c.within(0); len(w) > 0 {
				o.within = w[0]
			}
			return nil
		}), true
	case "send":
		return script.Function(func(ctx context.Context, _ []script.Value) (any, error) { return o.send(ctx) }), true
	case "sendWithoutWaiting":
		return script.Function(func(ctx context.Context, _ []script.Value) (any, error) {
			_, err := o.send(ctx)
			return nil, err
		}), true
	case "method":
		return o.method, true
	}
	return nil, false
}

func (o *commandObject) add(v any) error {
	if v == nil || v == data.Undefined {
		return nil
	}
	m, err := plainData(v)
	if err != nil {
		return err
	}
	more, ok := m.(map[string]any)
	if !ok {
		return fmt.Errorf("the params of %s are an object: { name: value }", o.method)
	}
	for name, value := range more {
		o.params[name] = value
	}
	return nil
}

// plainData is a value of a script as the protocol carries it.
func plainData(v any) (out any, err error) {
	if v == data.Undefined {
		return nil, nil
	}
	err = json.Unmarshal([]byte(data.JSON(v)), &out)
	return out, err
}

func (o *commandObject) send(ctx context.Context) (*replyObject, error) {
	if o.within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.within)
		defer cancel()
	}
	var got *driver.Reply
	err := o.b.outside(func() (err error) {
		got, err = o.b.d.Protocol(ctx, o.method, o.params)
		return err
	})
	if err != nil {
		return nil, err
	}
	r := &replyObject{}
	if got.Message != "" {
		r.fault = data.NewObject("code", int64(got.Code), "message", got.Message)
		return r, nil
	}
	if r.result, err = data.ParseJSON(string(got.Result)); err != nil {
		return nil, fmt.Errorf("%s: %w", o.method, err)
	}
	return r, nil
}

// sendCommand is driver.send({ method, params }): the answer is { result } or { error }.
func sendCommand(c *uiCall) (any, error) {
	o, ok := c.arg(0).Export().(*data.Object)
	if !ok {
		return nil, fmt.Errorf("send takes an object: { method: 'Page.bringToFront', params: { } }")
	}
	v, err := newCommand(&uiCall{ctx: c.ctx, b: c.b, d: c.d, name: c.name, args: []script.Value{c.arg(0).Get("method")}})
	if err != nil {
		return nil, err
	}
	command := v.(*commandObject)
	params, _ := o.Get("params")
	if err := command.add(params); err != nil {
		return nil, err
	}
	r, err := command.send(c.ctx)
	if err != nil {
		return nil, err
	}
	return r.Export(), nil
}

// replyObject is the answer to a command.
type replyObject struct {
	result any
	fault  *data.Object
}

// Export is the answer as data.
func (r *replyObject) Export() any {
	if r.fault != nil {
		return data.NewObject("error", r.fault)
	}
	return data.NewObject("result", r.result)
}

// Members is part of script.Host.
func (r *replyObject) Members() []string { return []string{"result", "error"} }

func (r *replyObject) Member(name string) (any, bool) {
	gives := func(v any) script.Function {
		return func(context.Context, []script.Value) (any, error) { return v, nil }
	}
	var fault any
	if r.fault != nil {
		fault = r.fault
	}
	switch name {
	case "result":
		return r.result, true
	case "error":
		return fault, true
	case "getError":
		return gives(fault), true
	case "isError", "isResultError":
		return gives(r.fault != nil), true
	case "getErrorMessage", "getErrorCode":
		if r.fault == nil {
			return gives(nil), true
		}
		v, _ := r.fault.Get(strings.ToLower(strings.TrimPrefix(name, "getError")))
		return gives(v), true
	case "toMap", "getRaw":
		return gives(r.Export()), true
	case "getResult", "getResultAsString", "getResultAsInt", "getResultAsBoolean":
		return script.Function(func(_ context.Context, args []script.Value) (any, error) {
			if len(args) == 0 || args[0].Null() {
				return r.result, nil
			}
			return r.at(args[0].Text(), name == "getResultAsString")
		}), true
	}
	return nil, false
}

// at is what a path leads to in the result, null where it leads nowhere.
func (r *replyObject) at(path string, text bool) (any, error) {
	if r.fault != nil {
		return nil, nil
	}
	if !strings.HasPrefix(path, "$") {
		path = "$." + path
	}
	p, err := jsonpath.Compile(path)
	if err != nil {
		return nil, err
	}
	v, err := p.Get(r.result)
	if err != nil {
		return nil, nil
	}
	if text && v != nil {
		return data.Text(v), nil
	}
	return v, nil
}
