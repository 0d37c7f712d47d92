package feature

import (
	"context"
	"fmt"
	"time"

	"rove/driver"
	"rove/internal/data"
	"rove/internal/script"
)

// rareMethods are methods of the driver that few features call.
var rareMethods = map[string]driverMethod{
	"cdp":    only(driverMethod{run: func(c *uiCall) (any, error) { return &protocolObject{c.b}, nil }}),
	"method": only(driverMethod{run: newCommand}),
	"send":   only(driverMethod{run: sendCommand}),

	// Events are followed without being asked for.
	"enableNetworkEvents": only(acts(func(*uiCall) error { return nil })),
	"enablePageEvents":    only(acts(func(*uiCall) error { return nil })),
	"enableRuntimeEvents": only(acts(func(*uiCall) error { return nil })),

	"sessionTimeout":  setsTime(func(d *driver.Driver, t time.Duration) { d.SetLifetime(t) }),
	"pageLoadTimeout": setsTime(func(d *driver.Driver, t time.Duration) { d.SetTimeouts(driver.Timeouts{PageLoad: t}) }),
	"elementTimeout":  setsTime(func(d *driver.Driver, t time.Duration) { d.SetTimeouts(driver.Timeouts{Element: t}) }),
	"scriptTimeout":   setsTime(func(d *driver.Driver, t time.Duration) { d.SetTimeouts(driver.Timeouts{Script: t}) }),
	"retryInterval":   setsTime(func(d *driver.Driver, t time.Duration) { d.SetRetryInterval(t) }),

	"actions":   {run: actions},
	"getDialog": only(driverMethod{run: openDialog}),
}

func setsTime(set func(d *driver.Driver, t time.Duration)) driverMethod {
	return only(driverMethod{run: func(c *uiCall) (any, error) {
		t := c.within(0)
		if len(t) == 0 || t[0] <= 0 {
			return nil, fmt.Errorf("%s needs a time in milliseconds", c.name)
		}
		set(c.d, t[0])
		return c.b.object, nil
	}})
}

// openDialog is the dialog that is open, null where none is.
func openDialog(c *uiCall) (any, error) {
	if g := c.d.OpenDialog(); g != nil {
		return &dialogObject{b: c.b, g: g}, nil
	}
	return nil, nil
}

// actions are those of WebDriver: lists of moves, presses and releases of pointers and
// keys. What stands at the same place of several lists is done one after the other.
func actions(c *uiCall) (any, error) {
	lists, ok := c.arg(0).Export().([]any)
	if !ok {
		return nil, fmt.Errorf("actions takes a list: [{ type: 'pointer', id: '1', actions: [{ type: 'pointerMove', x: 1, y: 2 }, …] }]")
	}
	steps := make([][]any, len(lists))
	longest := 0
	for i, each := range lists {
		o, _ := each.(*data.Object)
		if o == nil {
			return nil, fmt.Errorf("actions: item %d is no object", i)
		}
		list, _ := o.Get("actions")
		steps[i], _ = list.([]any)
		longest = max(longest, len(steps[i]))
	}
	h := &performer{c: c}
	for n := range longest {
		for _, list := range steps {
			if n >= len(list) {
				continue
			}
			o, _ := list[n].(*data.Object)
			if o == nil {
				return nil, fmt.Errorf("actions: step %d is no object", n)
			}
			if err := h.perform(o); err != nil {
				return nil, err
			}
		}
	}
	return c.b.object, nil
}

// performer is the pointer and the keyboard of one call of actions.
type performer struct {
	c *uiCall
	m *driver.Mouse
	k *driver.Keys
}

func (h *performer) perform(o *data.Object) error {
	c, ctx := h.c, h.c.ctx
	kind := member(o, "type")
	x, _ := script.Number(orZero(o, "x"))
	y, _ := script.Number(orZero(o, "y"))
	pause, _ := script.Number(orZero(o, "duration"))
	switch kind {
	case "pause":
		return c.b.s.sleep(ctx, time.Duration(pause)*time.Millisecond)
	case "keyDown", "keyUp":
		if h.k == nil {
			h.k = c.d.Keys()
		}
		press := h.k.Down
		if kind == "keyUp" {
			press = h.k.Up
		}
		return c.b.outside(func() error { return press(ctx, member(o, "value")) })
	case "pointerMove", "pointerDown", "pointerUp":
	default:
		return fmt.Errorf("actions: there is no %q; there are pointerMove, pointerDown, pointerUp, keyDown, keyUp and pause", kind)
	}
	return c.b.outside(func() (err error) {
		if h.m == nil {
			if h.m, err = c.d.Mouse(ctx, x, y); err != nil {
				return err
			}
		}
		switch kind {
		case "pointerDown":
			return h.m.Down(ctx)
		case "pointerUp":
			return h.m.Up(ctx)
		}
		if member(o, "origin") == "pointer" {
			return h.m.Offset(ctx, x, y)
		}
		return h.m.Move(ctx, x, y)
	})
}

// instead runs the method of an element that a method of the driver stands for.
func (o *elementObject) instead(ctx context.Context, name string, args []script.Value) (v any, known bool, err error) {
	switch name {
	case "locate", "optional":
		return o, true, nil
	case "locateAll":
		return []any{o}, true, nil
	case "scriptAll": // its locator would be one within the element
		name = "script"
	}
	c := &uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name, args: args}
	if f, ok := elementMethods[name]; ok {
		v, err = f(c, o)
		return v, true, err
	}
	if f, ok := elementReads[name]; ok {
		v, err = o.calledRead(name, f)(ctx, args)
		return v, true, err
	}
	if f, ok := elementFacts[name]; ok {
		v, err = ask(c, func() (any, error) { return f(ctx, o) })
		return v, true, err
	}
	return nil, false, nil
}
