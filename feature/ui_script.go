package feature

import (
	"context"
	"fmt"
	"time"

	"rove/driver"
	"rove/internal/data"
	"rove/internal/script"
)

// runScript runs in the page: script(expression), script(locator, expression).
func runScript(c *uiCall) (any, error) {
	if len(c.args) < 2 {
		js := c.page(0)
		return ask(c, func() (any, error) { return c.d.Script(c.ctx, js) })
	}
	l, err := c.locator()
	if err != nil {
		return nil, err
	}
	js := c.page(1)
	return ask(c, func() (any, error) { return c.d.ScriptOn(c.ctx, l, js) })
}

func scriptAll(c *uiCall) (any, error) {
	l, err := c.locator()
	if err != nil {
		return nil, err
	}
	js := c.page(1)
	v, err := ask(c, func() ([]any, error) { return c.d.ScriptAll(c.ctx, l, js) })
	if err != nil {
		return nil, err
	}
	return c.filter(v.([]any), 2)
}

// waitUntil waits for JavaScript of the page, for an element with it, or for a
// function of the feature, which runs here and whose value is given.
func waitUntil(c *uiCall) (any, error) {
	if f := c.arg(0).Func(); f != nil {
		return ask(c, func() (any, error) {
			return c.d.WaitUntilFunc(c.ctx, func(ctx context.Context) (any, error) { return c.b.inRuntime(ctx, f) }, c.within(1)...)
		})
	}
	if len(c.args) > 1 {
		if _, isTime := c.number(1); !isTime {
			l, err := c.locator()
			if err != nil {
				return nil, err
			}
			js := c.page(1)
			return c.element(func() (*driver.Element, error) { return c.d.WaitUntilOn(c.ctx, l, js, c.within(2)...) })
		}
	}
	js := c.page(0)
	return ask(c, func() (bool, error) { return true, c.d.WaitUntil(c.ctx, js, c.within(1)...) })
}

// inRuntime calls a function of the feature from a goroutine that does not hold
// the runtime. What gives nothing, or something false, is not there yet.
func (b *uiDriver) inRuntime(ctx context.Context, f *script.Func, args ...any) (any, error) {
	var v script.Value
	var err error
	b.s.root.rt.Callback(func() { v, err = f.Do(ctx, args...) })
	if err != nil {
		return nil, jsError(f.Source(), err)
	}
	if !v.Truthy() {
		return nil, nil
	}
	return v, nil
}

func waitForAny(c *uiCall) (any, error) {
	var locators []string
	var within []time.Duration
	for i := range c.args {
		switch v := c.args[i].Export().(type) {
		case nil:
		case []any:
			for _, each := range v {
				locators = append(locators, locatorOf(each))
			}
		case int64, float64:
			within = c.within(i)
		default:
			locators = append(locators, locatorOf(v))
		}
	}
	if len(locators) == 0 {
		return nil, fmt.Errorf("waitForAny: locator cannot be null or empty")
	}
	return c.element(func() (*driver.Element, error) { return c.d.WaitForAny(c.ctx, locators, within...) })
}

// locatorOf is the locator that a value is, or that an element has.
func locatorOf(v any) string {
	if o, ok := v.(*data.Object); ok {
		return member(o, "locator")
	}
	return data.Text(v)
}

// waitForResultCount waits for so many; with a script behind it, it gives what
// that gives for each.
func waitForResultCount(c *uiCall) (any, error) {
	l, err := c.locator()
	if err != nil {
		return nil, err
	}
	n, ok := c.number(1)
	if !ok {
		return nil, fmt.Errorf("waitForResultCount needs a number: waitForResultCount('%s', 3)", l)
	}
	within, js := c.within(2), ""
	if len(within) == 0 && !c.arg(2).Null() {
		js = c.page(2)
	}
	v, err := c.elements(func() ([]*driver.Element, error) { return c.d.WaitForResultCount(c.ctx, l, int(n), within...) })
	if err != nil || js == "" {
		return v, err
	}
	return ask(c, func() ([]any, error) { return c.d.ScriptAll(c.ctx, l, js) })
}

// onDialog has a function answer dialogs; null leaves them open again.
func onDialog(c *uiCall) (any, error) {
	f := c.arg(0).Func()
	if f == nil {
		c.d.OnDialog(nil)
		return c.b.object, nil
	}
	s := c.b.s
	c.d.OnDialog(func(g *driver.Dialog) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if _, err := c.b.inRuntime(ctx, f, &dialogObject{b: c.b, g: g}); err != nil {
			s.root.rt.Callback(func() { s.print(fmt.Sprintf("the function of onDialog failed: %v", err)) })
			_ = g.Dismiss(ctx)
		}
	})
	return c.b.object, nil
}

// dialogObject is a dialog in the function of onDialog.
type dialogObject struct {
	b       *uiDriver
	g       *driver.Dialog
	handled bool
}

func (o *dialogObject) Member(name string) (any, bool) {
	fixed := func(v any) script.Function {
		return func(context.Context, []script.Value) (any, error) { return v, nil }
	}
	switch name {
	case "message":
		return o.g.Message, true
	case "type":
		return o.g.Type, true
	case "defaultPrompt", "defaultValue":
		return o.g.Default, true
	case "handled":
		return o.handled, true
	case "getMessage":
		return fixed(o.g.Message), true
	case "getType":
		return fixed(o.g.Type), true
	case "getDefaultPrompt", "getDefaultValue":
		return fixed(o.g.Default), true
	case "isHandled":
		return fixed(o.handled), true
	case "accept":
		return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
			text := o.g.Default
			if len(args) > 0 && !args[0].Null() {
				text = data.Text(args[0].Export())
			}
			o.handled = true
			return nil, o.b.outside(func() error { return o.g.Accept(ctx, text) })
		}), true
	case "dismiss":
		return script.Function(func(ctx context.Context, _ []script.Value) (any, error) {
			o.handled = true
			return nil, o.b.outside(func() error { return o.g.Dismiss(ctx) })
		}), true
	}
	return nil, false
}

// Members is part of script.Host.
func (o *dialogObject) Members() []string { return []string{"message", "type", "defaultPrompt"} }

// The cookies of a browser.

func cookieData(k driver.Cookie) *data.Object {
	o := data.NewObject("name", k.Name, "value", k.Value, "domain", orNil(k.Domain), "path", orNil(k.Path), "secure", k.Secure, "httpOnly", k.HTTPOnly)
	if !k.Expires.IsZero() {
		o.Set("expires", k.Expires.Unix())
	}
	if k.SameSite != "" {
		o.Set("sameSite", k.SameSite)
	}
	return o
}

func cookieFor(o *data.Object) (driver.Cookie, error) {
	k := driver.Cookie{
		Name: member(o, "name"), Value: member(o, "value"), URL: member(o, "url"), Domain: member(o, "domain"), Path: member(o, "path"),
		Secure: member(o, "secure") == "true", HTTPOnly: member(o, "httpOnly") == "true", SameSite: member(o, "sameSite"),
	}
	if k.Name == "" {
		return k, fmt.Errorf("a cookie needs a name: { name: 'x', value: 'y' }")
	}
	for _, name := range []string{"expires", "expiry"} {
		if v, ok := o.Get(name); ok {
			if n, ok := script.Number(v); ok && n > 0 {
				k.Expires = time.Unix(int64(n), 0)
			}
		}
	}
	return k, nil
}

func readCookies(c *uiCall) (any, error) {
	var all []driver.Cookie
	err := c.b.outside(func() (err error) {
		all, err = c.d.Cookies(c.ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]any, len(all))
	for i, k := range all {
		out[i] = cookieData(k)
	}
	return out, nil
}

// cookie gives the cookie of a name, or sets one.
func cookie(c *uiCall) (any, error) {
	if o, ok := c.arg(0).Export().(*data.Object); ok {
		k, err := cookieFor(o)
		if err != nil {
			return nil, err
		}
		return c.do(func() error { return c.d.SetCookies(c.ctx, k) })
	}
	var k *driver.Cookie
	if err := c.b.outside(func() (err error) {
		k, err = c.d.Cookie(c.ctx, c.text(0))
		return err
	}); err != nil || k == nil {
		return nil, err
	}
	return cookieData(*k), nil
}

func setCookies(c *uiCall) (any, error) {
	list, ok := c.arg(0).Export().([]any)
	if !ok {
		return nil, fmt.Errorf("setCookies takes a list of cookies")
	}
	var all []driver.Cookie
	for _, each := range list {
		o, ok := each.(*data.Object)
		if !ok {
			return nil, fmt.Errorf("setCookies takes a list of objects")
		}
		k, err := cookieFor(o)
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return c.do(func() error { return c.d.SetCookies(c.ctx, all...) })
}
