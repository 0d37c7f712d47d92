package feature

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"rove/driver"
	"rove/internal/data"
	"rove/internal/script"
	"rove/report"
)

// driverObject is a driver in scripts: every method, and properties that are
// asked of the browser each time.
type driverObject struct{ b *uiDriver }

// lateDriver is `driver` before it has started: its first use starts it.
type lateDriver struct{ u *uiSide }

func (l *lateDriver) object() (*driverObject, error) {
	b, err := l.u.current().start(context.Background())
	if err != nil {
		return nil, err
	}
	return b.object, nil
}

func (l *lateDriver) Member(name string) (any, bool) {
	// To ask whether it has ended does not start another.
	if l.u.current().state.browser == nil {
		switch name {
		case "terminated":
			return true, true
		case "isTerminated":
			return script.Function(func(context.Context, []script.Value) (any, error) { return true, nil }), true
		}
	}
	o, err := l.object()
	if err != nil {
		return err, true
	}
	return o.Member(name)
}

func (l *lateDriver) Members() []string { return driverProperties }
func (l *lateDriver) String() string    { return "driver" }

func (l *lateDriver) SetMember(ctx context.Context, name string, v script.Value) error {
	o, err := l.object()
	if err != nil {
		return err
	}
	return o.SetMember(ctx, name, v)
}

// driverProperties are what a loop over a driver sees.
var driverProperties = []string{"url", "title", "cookies", "dimensions"}

func (o *driverObject) Members() []string { return driverProperties }
func (o *driverObject) String() string    { return "driver" }

// Member gives a property or a method. What there is not is null.
func (o *driverObject) Member(name string) (any, bool) {
	if read, ok := driverReads[name]; ok {
		v, err := read(&uiCall{ctx: context.Background(), b: o.b, d: o.b.d, name: name})
		if err != nil {
			return err, true
		}
		return v, true
	}
	if f, ok := driverMethods[name]; ok {
		return script.Function(func(ctx context.Context, args []script.Value) (any, error) { return o.b.call(ctx, name, f, args) }), true
	}
	return nil, true
}

// SetMember sets a property: driver.url = '…', driver.dimensions = { … }.
func (o *driverObject) SetMember(ctx context.Context, name string, v script.Value) error {
	setters := map[string]string{"url": "setUrl", "dimensions": "setDimensions"}
	method, ok := setters[name]
	if !ok {
		return fmt.Errorf("driver.%s cannot be set", name)
	}
	_, err := o.b.call(ctx, method, driverMethods[method], []script.Value{v})
	return err
}

// driverReads are the properties.
var driverReads = map[string]func(c *uiCall) (any, error){
	"url":          func(c *uiCall) (any, error) { return c.d.URL(), nil },
	"title":        func(c *uiCall) (any, error) { return ask(c, func() (string, error) { return c.d.Title(c.ctx) }) },
	"cookies":      readCookies,
	"dimensions":   readDimensions,
	"dialogText":   readDialogText,
	"currentFrame": readFrame,
	"pages":        readPages,
	"dialog":       dialogs,
	"options":      func(c *uiCall) (any, error) { return c.b.s.config.data("driver"), nil },
	"terminated":   func(c *uiCall) (any, error) { return c.d.IsTerminated(), nil },
}

// uiCall is one call of a method.
type uiCall struct {
	ctx  context.Context
	b    *uiDriver
	d    *driver.Driver
	name string
	args []script.Value
}

// driverMethod is a row of the table of methods.
type driverMethod struct {
	run func(c *uiCall) (any, error)
	// onlyOnDriver methods are not bound as globals: their names are too common.
	onlyOnDriver bool
}

// ask waits for the browser outside of the runtime.
func ask[T any](c *uiCall, f func() (T, error)) (any, error) {
	var v T
	err := c.b.outside(func() (err error) {
		v, err = f()
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// do is ask for what gives nothing: it gives the driver, to go on.
func (c *uiCall) do(f func() error) (any, error) {
	if err := c.b.outside(f); err != nil {
		return nil, err
	}
	return c.b.object, nil
}

// element is ask for what gives an element.
func (c *uiCall) element(f func() (*driver.Element, error)) (any, error) {
	var e *driver.Element
	if err := c.b.outside(func() (err error) {
		e, err = f()
		return err
	}); err != nil {
		return nil, err
	}
	return &elementObject{c.b, e}, nil
}

func (c *uiCall) elements(f func() ([]*driver.Element, error)) (any, error) {
	var all []*driver.Element
	if err := c.b.outside(func() (err error) {
		all, err = f()
		return err
	}); err != nil {
		return nil, err
	}
	return c.b.objects(all), nil
}

func (b *uiDriver) objects(all []*driver.Element) []any {
	out := make([]any, len(all))
	for i, e := range all {
		out[i] = &elementObject{b, e}
	}
	return out
}

// arg is an argument, undefined where it was not given.
func (c *uiCall) arg(i int) script.Value {
	if i < len(c.args) {
		return c.args[i]
	}
	return script.Value{}
}

// locator is the first argument, which names an element.
func (c *uiCall) locator() (string, error) {
	v := c.arg(0)
	if v.Null() {
		return "", fmt.Errorf("%s: locator cannot be null or empty", c.name)
	}
	return v.Text(), nil
}

func (c *uiCall) text(i int) string {
	if c.arg(i).Null() {
		return ""
	}
	return data.Text(c.arg(i).Export())
}

func (c *uiCall) number(i int) (float64, bool) {
	switch n := c.arg(i).Export().(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// within is an argument that is a timeout in milliseconds, where it is given.
func (c *uiCall) within(i int) []time.Duration {
	if ms, ok := c.number(i); ok {
		return []time.Duration{time.Duration(ms * float64(time.Millisecond))}
	}
	return nil
}

// page is an argument that runs in the page: text, or a function's source.
func (c *uiCall) page(i int) string {
	if f := c.arg(i).Func(); f != nil {
		return f.Source()
	}
	return c.text(i)
}

// byLocator is a method with a locator that gives the element.
func byLocator(f func(c *uiCall, locator string) (*driver.Element, error)) driverMethod {
	return driverMethod{run: func(c *uiCall) (any, error) {
		l, err := c.locator()
		if err != nil {
			return nil, err
		}
		return c.element(func() (*driver.Element, error) { return f(c, l) })
	}}
}

// reads is a method with a locator that gives a value.
func reads[T any](f func(c *uiCall, locator string) (T, error)) driverMethod {
	return driverMethod{run: func(c *uiCall) (any, error) {
		l, err := c.locator()
		if err != nil {
			return nil, err
		}
		return ask(c, func() (T, error) { return f(c, l) })
	}}
}

// acts is a method of the driver without a locator.
func acts(f func(c *uiCall) error) driverMethod {
	return driverMethod{run: func(c *uiCall) (any, error) { return c.do(func() error { return f(c) }) }}
}

func only(m driverMethod) driverMethod {
	m.onlyOnDriver = true
	return m
}

// driverMethods are all methods, by the names that features use.
var driverMethods map[string]driverMethod

func init() {
	driverMethods = map[string]driverMethod{
		"setUrl":   acts(func(c *uiCall) error { return c.d.SetURL(c.ctx, c.text(0)) }),
		"getUrl":   {run: driverReads["url"]},
		"getTitle": {run: driverReads["title"]},
		"refresh":  acts(func(c *uiCall) error { return c.d.Refresh(c.ctx) }),
		"reload":   acts(func(c *uiCall) error { return c.d.Reload(c.ctx) }),
		"back":     acts(func(c *uiCall) error { return c.d.Back(c.ctx) }),
		"forward":  acts(func(c *uiCall) error { return c.d.Forward(c.ctx) }),
		"waitForPageLoad": acts(func(c *uiCall) error {
			o, given := map[string]any{}, 0
			if _, ms := c.number(0); !ms && len(c.args) > 0 {
				o["pageLoadStrategy"], given = strings.ToLower(c.text(0)), 1
			}
			config, err := driver.ParseConfig(o)
			if err != nil {
				return err
			}
			return c.d.WaitForPageLoad(c.ctx, config.Options.PageLoad, c.within(given)...)
		}),

		"click":        byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.d.Click(c.ctx, l) }),
		"doubleClick":  byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.d.DoubleClick(c.ctx, l) }),
		"rightClick":   byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.d.RightClick(c.ctx, l) }),
		"hover":        byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.d.Hover(c.ctx, l) }),
		"focus":        byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.d.Focus(c.ctx, l) }),
		"clear":        byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.d.Clear(c.ctx, l) }),
		"scroll":       byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.d.Scroll(c.ctx, l) }),
		"highlight":    byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.d.Highlight(c.ctx, l, c.within(1)...) }),
		"dragTo":       byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.d.DragTo(c.ctx, l, c.text(1)) }),
		"input":        byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.input(c.d.Locate(l), 1) }),
		"inputFile":    byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.inputFile(c.d.Locate(l), 1) }),
		"select":       byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.choose(c.d.Locate(l), 1) }),
		"highlightAll": acts(func(c *uiCall) error { return c.d.HighlightAll(c.ctx, c.text(0), c.within(1)...) }),
		"value": {run: func(c *uiCall) (any, error) {
			l, err := c.locator()
			if err != nil {
				return nil, err
			}
			if len(c.args) < 2 {
				return ask(c, func() (string, error) { return c.d.Value(c.ctx, l) })
			}
			return c.element(func() (*driver.Element, error) { return c.d.SetValue(c.ctx, l, c.text(1)) })
		}},

		"text":      reads(func(c *uiCall, l string) (string, error) { return c.d.Text(c.ctx, l) }),
		"html":      reads(func(c *uiCall, l string) (string, error) { return c.d.HTML(c.ctx, l) }),
		"attribute": reads(func(c *uiCall, l string) (any, error) { return present(c.d.Attribute(c.ctx, l, c.text(1))) }),
		"property":  reads(func(c *uiCall, l string) (any, error) { return c.d.Property(c.ctx, l, c.text(1)) }),
		"enabled":   reads(func(c *uiCall, l string) (bool, error) { return c.d.Enabled(c.ctx, l) }),
		"exists":    reads(func(c *uiCall, l string) (bool, error) { return c.d.Exists(c.ctx, l) }),
		"position":  reads(func(c *uiCall, l string) (any, error) { return c.position(c.d.Locate(l), 1) }),
		"role":      only(reads(func(c *uiCall, l string) (string, error) { return c.d.Role(c.ctx, l) })),
		"name":      only(reads(func(c *uiCall, l string) (string, error) { return c.d.Name(c.ctx, l) })),

		"locate":    {run: func(c *uiCall) (any, error) { return c.lazy(c.d.Locate) }},
		"optional":  {run: func(c *uiCall) (any, error) { return c.lazy(c.d.Optional) }},
		"locateAll": {run: locateAll},

		"waitFor": byLocator(func(c *uiCall, l string) (*driver.Element, error) { return c.d.WaitFor(c.ctx, l, c.within(1)...) }),
		"waitForEnabled": byLocator(func(c *uiCall, l string) (*driver.Element, error) {
			return c.d.WaitForEnabled(c.ctx, l, c.within(1)...)
		}),
		"waitUntilEnabled": {run: func(c *uiCall) (any, error) { return driverMethods["waitForEnabled"].run(c) }}, // its name in older features
		"waitForText": byLocator(func(c *uiCall, l string) (*driver.Element, error) {
			return c.d.WaitForText(c.ctx, l, c.text(1), c.within(2)...)
		}),
		"waitForAny": {run: waitForAny},
		"waitForUrl": {run: func(c *uiCall) (any, error) {
			return ask(c, func() (string, error) { return c.d.WaitForURL(c.ctx, c.text(0), c.within(1)...) })
		}},
		"waitForResultCount": {run: waitForResultCount},
		"waitUntil":          {run: waitUntil},

		"script": {run: runScript}, "scriptAwait": {run: runScript}, "scriptAll": {run: scriptAll},

		"retry":   {run: retry},
		"submit":  {run: func(c *uiCall) (any, error) { c.d.Submit(); return c.b.object, nil }},
		"timeout": {run: timeout},
		"delay": {run: func(c *uiCall) (any, error) {
			ms, _ := c.number(0)
			return c.b.object, c.b.s.sleep(c.ctx, time.Duration(ms)*time.Millisecond)
		}},

		"switchFrame": {run: switchFrame}, "getCurrentFrame": {run: readFrame},
		"switchPage": {run: switchPage}, "getPages": {run: readPages},
		"close": {run: closeTab},
		"quit":  {run: quit},

		"dialog":        {run: answerDialog},
		"getDialogText": {run: readDialogText}, "onDialog": {run: onDialog},

		"cookie": {run: cookie}, "getCookies": {run: readCookies},
		"setCookies":   {run: setCookies},
		"deleteCookie": acts(func(c *uiCall) error { return c.d.DeleteCookie(c.ctx, c.text(0)) }),
		"clearCookies": acts(func(c *uiCall) error { return c.d.ClearCookies(c.ctx) }),

		"maximize":      acts(func(c *uiCall) error { return c.d.Maximize(c.ctx) }),
		"minimize":      acts(func(c *uiCall) error { return c.d.Minimize(c.ctx) }),
		"fullscreen":    acts(func(c *uiCall) error { return c.d.Fullscreen(c.ctx) }),
		"activate":      acts(func(c *uiCall) error { return c.d.Activate(c.ctx) }),
		"getDimensions": {run: readDimensions}, "setDimensions": {run: setDimensions},

		"screenshot":     {run: func(c *uiCall) (any, error) { return c.screenshot(driver.ScreenshotOptions{}) }},
		"screenshotFull": {run: func(c *uiCall) (any, error) { return c.screenshot(driver.ScreenshotOptions{FullPage: true}) }},
		"pdf":            {run: pdf},
		"ariaTree":       {run: func(c *uiCall) (any, error) { return ask(c, func() (string, error) { return c.d.AriaTree(c.ctx) }) }},

		"mouse": {run: mouse}, "keys": {run: func(c *uiCall) (any, error) { return &keysObject{c.b, c.d.Keys()}, nil }},

		"rightOf": finder(func(d *driver.Driver, l string) *driver.Finder { return d.RightOf(l) }),
		"leftOf":  finder(func(d *driver.Driver, l string) *driver.Finder { return d.LeftOf(l) }),
		"above":   finder(func(d *driver.Driver, l string) *driver.Finder { return d.Above(l) }),
		"below":   finder(func(d *driver.Driver, l string) *driver.Finder { return d.Below(l) }),
		"near":    finder(func(d *driver.Driver, l string) *driver.Finder { return d.Near(l) }),

		"intercept": {run: intercept}, "stopIntercept": acts(func(c *uiCall) error { return c.d.StopIntercept(c.ctx) }),
		"emulateDevice": only(driverMethod{run: emulateDevice}), "emulate": only(driverMethod{run: emulate}),

		"isTerminated": only(driverMethod{run: driverReads["terminated"]}),
		"getOptions":   only(driverMethod{run: driverReads["options"]}),
	}
	maps.Copy(driverMethods, rareMethods)
}

func present(value string, ok bool, err error) (any, error) {
	if err != nil || !ok {
		return nil, err
	}
	return value, nil
}

// lazy is a method that gives an element without looking for it.
func (c *uiCall) lazy(f func(string) *driver.Element) (any, error) {
	l, err := c.locator()
	if err != nil {
		return nil, err
	}
	return &elementObject{c.b, f(l)}, nil
}

// released lets go of what an item of a list held for its own keys: in
// [Key.CONTROL + 'a', 'new'] the last is text. A modifier alone is held for what follows.
func released(item string) string {
	modifiers := driver.KeyShift + driver.KeyControl + driver.KeyAlt + driver.KeyMeta
	if strings.ContainsAny(item, modifiers) && strings.Trim(item, modifiers) != "" {
		return item + driver.KeyNull
	}
	return item
}

// input types: a text, or a list of texts and keys. A number behind it is the
// pause between keys.
func (c *uiCall) input(e *driver.Element, i int) (*driver.Element, error) {
	var parts []string
	switch v := c.arg(i).Export().(type) {
	case []any:
		for _, each := range v {
			parts = append(parts, released(data.Text(each)))
		}
	case nil:
		parts = []string{""}
	default:
		parts = []string{data.Text(v)}
	}
	if pause := c.within(i + 1); len(pause) > 0 && pause[0] > 0 {
		return e, e.InputSlowly(c.ctx, pause[0], parts...)
	}
	return e, e.Input(c.ctx, parts...)
}

func (c *uiCall) inputFile(e *driver.Element, i int) (*driver.Element, error) {
	var paths []string
	for ; i < len(c.args); i++ {
		for _, p := range textsOf(c.args[i].Export()) {
			file, err := c.b.s.resolve(p)
			if err != nil {
				return nil, err
			}
			paths = append(paths, file)
		}
	}
	return e, e.InputFile(c.ctx, paths...)
}

// choose selects an option: by number, or by text.
func (c *uiCall) choose(e *driver.Element, i int) (*driver.Element, error) {
	if n, ok := c.number(i); ok {
		return e, e.SelectIndex(c.ctx, int(n))
	}
	return e, e.Select(c.ctx, c.text(i))
}

func (c *uiCall) position(e *driver.Element, i int) (any, error) {
	p, err := e.Position(c.ctx, c.arg(i).Truthy())
	if err != nil {
		return nil, err
	}
	return data.NewObject("x", p.X, "y", p.Y, "width", p.Width, "height", p.Height), nil
}

// screenshot takes a picture. It is embedded in the report unless the argument
// is false; a text is a locator.
func (c *uiCall) screenshot(o driver.ScreenshotOptions) (any, error) {
	embed, locator := true, ""
	for i := range c.args {
		switch v := c.args[i].Export().(type) {
		case bool:
			embed = v
		case string:
			locator = v
		}
	}
	v, err := ask(c, func() ([]byte, error) {
		if locator != "" {
			return c.d.Locate(locator).Screenshot(c.ctx)
		}
		return c.d.Screenshot(c.ctx, o)
	})
	if err == nil && embed {
		s := c.b.s.root.current
		s.embeds = append(s.embeds, report.Embed{Type: "image/png", Name: "screenshot", Data: v.([]byte)})
	}
	return v, err
}

// closeTab closes the current tab. After the last one the browser is gone, too.
func closeTab(c *uiCall) (any, error) {
	var err error
	c.b.s.root.rt.Outside(func() { err = c.d.CloseTab(c.ctx) })
	if err == nil && c.d.IsTerminated() {
		return quit(c)
	}
	return c.b.object, err
}

func quit(c *uiCall) (any, error) {
	uiOf(c.b.s.root.current).giveBack(c.ctx, c.b)
	return nil, nil
}
