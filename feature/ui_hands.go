package feature

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rove/driver"
	"rove/internal/script"
)

// mouse is a hand on the mouse: mouse(), mouse(locator), mouse(x, y).
func mouse(c *uiCall) (any, error) {
	return c.mouse(func() (*driver.Mouse, error) {
		if x, ok := c.number(0); ok {
			y, _ := c.number(1)
			return c.d.Mouse(c.ctx, x, y)
		}
		if c.arg(0).Null() {
			return c.d.Mouse(c.ctx, 0, 0)
		}
		return c.d.MouseAt(c.ctx, c.text(0))
	})
}

func (c *uiCall) mouse(f func() (*driver.Mouse, error)) (any, error) {
	m, err := ask(c, f)
	if err != nil {
		return nil, err
	}
	return &mouseObject{c.b, m.(*driver.Mouse)}, nil
}

// mouseObject is a mouse in scripts. Its methods follow one another.
type mouseObject struct {
	b *uiDriver
	m *driver.Mouse
}

var mouseMethods = map[string]func(c *uiCall, m *driver.Mouse) error{
	"move":   moveMouse,
	"moveTo": moveMouse,
	"offset": func(c *uiCall, m *driver.Mouse) error {
		x, _ := c.number(0)
		y, _ := c.number(1)
		return m.Offset(c.ctx, x, y)
	},
	"click":       func(c *uiCall, m *driver.Mouse) error { return m.Click(c.ctx) },
	"doubleClick": func(c *uiCall, m *driver.Mouse) error { return m.DoubleClick(c.ctx) },
	"rightClick":  func(c *uiCall, m *driver.Mouse) error { return m.RightClick(c.ctx) },
	"down":        func(c *uiCall, m *driver.Mouse) error { return m.Down(c.ctx) },
	"up":          func(c *uiCall, m *driver.Mouse) error { return m.Up(c.ctx) },
	"wheel": func(c *uiCall, m *driver.Mouse) error {
		x, _ := c.number(0)
		y, _ := c.number(1)
		return m.Wheel(c.ctx, x, y)
	},
	"scrollDown":  turnWheel(0, 1),
	"scrollUp":    turnWheel(0, -1),
	"scrollRight": turnWheel(1, 0),
	"scrollLeft":  turnWheel(-1, 0),
	"dragTo": func(c *uiCall, m *driver.Mouse) error {
		if x, ok := c.number(0); ok {
			y, _ := c.number(1)
			return m.DragTo(c.ctx, x, y)
		}
		e := c.otherElement(0)
		if err := m.Down(c.ctx); err != nil {
			return err
		}
		if err := m.MoveTo(c.ctx, e); err != nil {
			_ = m.Up(context.WithoutCancel(c.ctx))
			return err
		}
		return m.Up(c.ctx)
	},
	"submit":   func(c *uiCall, _ *driver.Mouse) error { c.d.Submit(); return nil },
	"go":       func(*uiCall, *driver.Mouse) error { return nil },
	"duration": func(*uiCall, *driver.Mouse) error { return nil },
	"pause": func(c *uiCall, _ *driver.Mouse) error {
		ms, _ := c.number(0)
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
			return nil
		case <-c.ctx.Done():
			return c.ctx.Err()
		}
	},
}

func turnWheel(dx, dy float64) func(c *uiCall, m *driver.Mouse) error {
	return func(c *uiCall, m *driver.Mouse) error {
		amount, ok := c.number(0)
		if !ok {
			return fmt.Errorf("mouse().%s needs a number of pixels", c.name)
		}
		return m.Wheel(c.ctx, dx*amount, dy*amount)
	}
}

func moveMouse(c *uiCall, m *driver.Mouse) error {
	if x, ok := c.number(0); ok {
		y, _ := c.number(1)
		return m.Move(c.ctx, x, y)
	}
	return m.MoveTo(c.ctx, c.otherElement(0))
}

func (o *mouseObject) Member(name string) (any, bool) {
	x, y := o.m.At()
	switch name {
	case "x":
		return x, true
	case "y":
		return y, true
	case "getX", "getY":
		at := map[string]float64{"getX": x, "getY": y}[name]
		return script.Function(func(context.Context, []script.Value) (any, error) { return at, nil }), true
	}
	f, ok := mouseMethods[name]
	if !ok {
		return nil, false
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
		c := &uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name, args: args}
		if err := o.b.outside(func() error { return f(c, o.m) }); err != nil {
			return nil, err
		}
		return o, nil
	}), true
}

// Members is part of script.Host.
func (o *mouseObject) Members() []string { return nil }

// keysObject is a keyboard in scripts.
type keysObject struct {
	b *uiDriver
	k *driver.Keys
}

// held are the methods that press a key with a modifier.
var held = map[string]string{"ctrl": "Control", "alt": "Alt", "shift": "Shift", "meta": "Meta"}

func (o *keysObject) Member(name string) (any, bool) {
	if name == "combo" {
		return script.Function(o.combo), true
	}
	do, ok := map[string]func(ctx context.Context, text string) error{
		"type": o.k.Type, "press": o.k.Press, "down": o.k.Down, "up": o.k.Up, "insert": o.k.Insert,
	}[name]
	if modifier, with := held[name]; with {
		do, ok = func(ctx context.Context, key string) error { return o.k.Press(ctx, modifier+"+"+key) }, true
	}
	if !ok {
		return nil, false
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
		c := &uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name, args: args}
		if len(args) == 0 {
			return nil, fmt.Errorf("keys().%s needs a text", name)
		}
		for i := range args {
			text := c.text(i)
			if err := o.b.outside(func() error { return do(ctx, text) }); err != nil {
				return nil, err
			}
		}
		return o, nil
	}), true
}

// combo presses a key with others held: combo(['Control', 'Shift'], 'a'), combo('Control+a').
func (o *keysObject) combo(ctx context.Context, args []script.Value) (any, error) {
	var keys []string
	for _, a := range args {
		keys = append(keys, textsOf(a.Export())...)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("keys().combo needs keys: combo(['Control', 'Shift'], 'a')")
	}
	return o, o.b.outside(func() error { return o.k.Press(ctx, strings.Join(keys, "+")) })
}

// Members is part of script.Host.
func (o *keysObject) Members() []string { return nil }

func finder(f func(d *driver.Driver, locator string) *driver.Finder) driverMethod {
	return driverMethod{run: func(c *uiCall) (any, error) {
		l, err := c.locator()
		if err != nil {
			return nil, err
		}
		return &finderObject{c.b, f(c.d, l)}, nil
	}}
}

// finderObject finds by place.
type finderObject struct {
	b *uiDriver
	f *driver.Finder
}

func (o *finderObject) Member(name string) (any, bool) {
	run, ok := finderMethods[name]
	if !ok {
		return nil, false
	}
	return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
		return run(&uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name, args: args}, o)
	}), true
}

// Members is part of script.Host.
func (o *finderObject) Members() []string { return nil }

var finderMethods map[string]func(c *uiCall, o *finderObject) (any, error)

func init() {
	finderMethods = map[string]func(c *uiCall, o *finderObject) (any, error){
		"find": func(c *uiCall, o *finderObject) (any, error) { return &elementObject{o.b, o.f.Find(c.what())}, nil },
		"findAll": func(c *uiCall, o *finderObject) (any, error) {
			return c.elements(func() ([]*driver.Element, error) { return o.f.FindAll(c.ctx, c.what()) })
		},
		"exists": func(c *uiCall, o *finderObject) (any, error) {
			return ask(c, func() (bool, error) { return o.f.Exists(c.ctx, c.what()) })
		},
		"within": func(c *uiCall, o *finderObject) (any, error) {
			px, _ := c.number(0)
			return &finderObject{o.b, o.f.Within(px)}, nil
		},
	}
	// Whatever an element can do is done to the nearest.
	for name, f := range elementMethods {
		if _, own := finderMethods[name]; own {
			continue
		}
		finderMethods[name] = func(c *uiCall, o *finderObject) (any, error) {
			rest := c.args
			locator := ""
			if takesLocator(name, rest) {
				locator, rest = c.text(0), rest[1:]
			} else {
				var err error
				if locator, err = c.nearest(o.f); err != nil {
					return nil, err
				}
			}
			e := &elementObject{o.b, o.f.Find(locator)}
			return f(&uiCall{ctx: c.ctx, b: c.b, d: c.d, name: c.name, args: rest}, e)
		}
	}
}

// takesLocator says whether the first argument of a finder's method is a locator:
// rightOf(x).input('value') is written, too, and means the nearest field.
func takesLocator(name string, args []script.Value) bool {
	if len(args) == 0 {
		return false
	}
	if _, text := args[0].Export().(string); !text {
		return false
	}
	switch name {
	case "input", "select", "value", "attribute", "property":
		return len(args) > 1
	}
	return true
}

// what is the locator of find, findAll and exists: anything where none is given.
func (c *uiCall) what() string {
	if len(c.args) == 0 {
		return "*"
	}
	return c.text(0)
}

// nearest is the locator of a method that names none: what the method is for, else a
// field, as in Karate, and where there is no field in that direction, anything.
func (c *uiCall) nearest(f *driver.Finder) (string, error) {
	switch c.name {
	case "input":
		return "{input}", nil
	case "select":
		return "{select}", nil
	}
	field, err := ask(c, func() (bool, error) { return f.Exists(c.ctx, "input") })
	if err != nil {
		return "", err
	}
	if field.(bool) {
		return "input", nil
	}
	return "*", nil
}

// keyObject is Key: Key.ENTER and the others.
type keyObject struct{}

var keyNames = map[string]string{
	"NULL": driver.KeyNull, "CANCEL": driver.KeyCancel, "HELP": driver.KeyHelp, "BACK_SPACE": driver.KeyBackspace, "BACKSPACE": driver.KeyBackspace,
	"TAB": driver.KeyTab, "CLEAR": driver.KeyClear, "RETURN": driver.KeyReturn, "ENTER": driver.KeyEnter, "SHIFT": driver.KeyShift,
	"CONTROL": driver.KeyControl, "CTRL": driver.KeyControl, "ALT": driver.KeyAlt, "PAUSE": driver.KeyPause, "ESCAPE": driver.KeyEscape, "ESC": driver.KeyEscape,
	"SPACE": driver.KeySpace, "PAGE_UP": driver.KeyPageUp, "PAGE_DOWN": driver.KeyPageDown, "END": driver.KeyEnd, "HOME": driver.KeyHome,
	"LEFT": driver.KeyLeft, "ARROW_LEFT": driver.KeyLeft, "UP": driver.KeyUp, "ARROW_UP": driver.KeyUp, "RIGHT": driver.KeyRight, "ARROW_RIGHT": driver.KeyRight,
	"DOWN": driver.KeyDown, "ARROW_DOWN": driver.KeyDown, "INSERT": driver.KeyInsert, "DELETE": driver.KeyDelete, "SEMICOLON": driver.KeySemicolon, "EQUALS": driver.KeyEquals,
	"NUMPAD0": driver.KeyNumpad0, "NUMPAD1": driver.KeyNumpad1, "NUMPAD2": driver.KeyNumpad2, "NUMPAD3": driver.KeyNumpad3, "NUMPAD4": driver.KeyNumpad4,
	"NUMPAD5": driver.KeyNumpad5, "NUMPAD6": driver.KeyNumpad6, "NUMPAD7": driver.KeyNumpad7, "NUMPAD8": driver.KeyNumpad8, "NUMPAD9": driver.KeyNumpad9,
	"MULTIPLY": driver.KeyMultiply, "ADD": driver.KeyAdd, "SEPARATOR": driver.KeySeparator, "SUBTRACT": driver.KeySubtract, "DECIMAL": driver.KeyDecimal, "DIVIDE": driver.KeyDivide,
	"F1": driver.KeyF1, "F2": driver.KeyF2, "F3": driver.KeyF3, "F4": driver.KeyF4, "F5": driver.KeyF5, "F6": driver.KeyF6, "F7": driver.KeyF7,
	"F8": driver.KeyF8, "F9": driver.KeyF9, "F10": driver.KeyF10, "F11": driver.KeyF11, "F12": driver.KeyF12, "META": driver.KeyMeta, "COMMAND": driver.KeyMeta,
}

func (keyObject) Member(name string) (any, bool) {
	v, ok := keyNames[name]
	if !ok {
		return failing(fmt.Errorf("there is no Key.%s", name)), false
	}
	return v, true
}

// Members is part of script.Host.
func (keyObject) Members() []string { return nil }
func (keyObject) String() string    { return "Key" }
