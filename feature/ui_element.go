package feature

import (
	"context"
	"fmt"
	"strings"

	"rove/driver"
	"rove/internal/data"
	"rove/internal/script"
	"rove/report"
)

// elementObject is an element in scripts. Text, markup and value are read as
// properties or called as methods.
type elementObject struct {
	b *uiDriver
	e *driver.Element
}

func (o *elementObject) String() string { return o.e.String() }

// Members are what a loop over it sees: nothing that asks the page.
func (o *elementObject) Members() []string { return []string{"locator"} }

// Export is an element as data: its locator.
func (o *elementObject) Export() any { return data.NewObject("locator", o.e.String()) }

func (o *elementObject) Member(name string) (any, bool) {
	if f, ok := elementReads[name]; ok {
		return &script.Both{Read: func(ctx context.Context) (any, error) {
			return ask(&uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name}, func() (any, error) { return f(ctx, o.e) })
		}, Call: o.calledRead(name, f)}, true
	}
	if f, ok := elementFacts[name]; ok {
		v, err := ask(&uiCall{ctx: context.Background(), b: o.b, d: o.b.d, name: name}, func() (any, error) { return f(context.Background(), o) })
		if err != nil {
			return err, true
		}
		return v, true
	}
	if f, ok := elementMethods[name]; ok {
		return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
			c := &uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name, args: args}
			if err := c.retried(o.e); err != nil {
				return nil, err
			}
			return f(c, o)
		}), true
	}
	return o.getter(name)
}

// getter is a property or a method as Java names it: getText, getParent, getPosition.
func (o *elementObject) getter(name string) (any, bool) {
	rest, ok := strings.CutPrefix(name, "get")
	if !ok || rest == "" {
		return nil, false
	}
	name = strings.ToLower(rest[:1]) + rest[1:]
	if read, ok := elementReads[name]; ok {
		return o.calledRead(name, read), true
	}
	if f, ok := elementFacts[name]; ok {
		return script.Function(func(ctx context.Context, args []script.Value) (any, error) {
			return ask(&uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name}, func() (any, error) { return f(ctx, o) })
		}), true
	}
	if name == "position" {
		return o.Member(name)
	}
	return nil, false
}

// calledRead is what a call of a property does: value('x') sets.
func (o *elementObject) calledRead(name string, f func(context.Context, *driver.Element) (any, error)) script.Function {
	return func(ctx context.Context, args []script.Value) (any, error) {
		c := &uiCall{ctx: ctx, b: o.b, d: o.b.d, name: name, args: args}
		if name == "value" && len(args) > 0 {
			return c.on(o, func() error { return o.e.SetValue(ctx, c.text(0)) })
		}
		if name == "exists" && len(args) > 0 {
			return ask(c, func() (bool, error) { return o.e.Locate(c.text(0)).Exists(ctx) })
		}
		return ask(c, func() (any, error) { return f(ctx, o.e) })
	}
}

// SetMember sets element.value, element.text and element.html.
func (o *elementObject) SetMember(ctx context.Context, name string, v script.Value) error {
	set, ok := elementSets[name]
	if !ok {
		return fmt.Errorf("element.%s cannot be set", name)
	}
	text := data.Text(v.Export())
	return o.b.outside(func() error { return set(ctx, o.e, text) })
}

// elementSets are the properties that can be set.
var elementSets = map[string]func(ctx context.Context, e *driver.Element, text string) error{
	"value": func(ctx context.Context, e *driver.Element, text string) error { return e.SetValue(ctx, text) },
	"text": func(ctx context.Context, e *driver.Element, text string) error {
		return assignProperty(ctx, e, "innerHTML", text)
	},
	"html": func(ctx context.Context, e *driver.Element, text string) error {
		return assignProperty(ctx, e, "outerHTML", text)
	},
}

func assignProperty(ctx context.Context, e *driver.Element, property, text string) error {
	_, err := e.Script(ctx, "_."+property+" = "+data.JSON(text))
	return err
}

// on does something to an element, and gives the element to go on with.
func (c *uiCall) on(o *elementObject, f func() error) (any, error) {
	if err := c.b.outside(f); err != nil {
		return nil, err
	}
	return o, nil
}

// elementReads are asked of the page, as properties and as methods.
var elementReads = map[string]func(ctx context.Context, e *driver.Element) (any, error){
	"text":    func(ctx context.Context, e *driver.Element) (any, error) { return value(e.Text(ctx)) },
	"html":    func(ctx context.Context, e *driver.Element) (any, error) { return value(e.HTML(ctx)) },
	"value":   func(ctx context.Context, e *driver.Element) (any, error) { return value(e.Value(ctx)) },
	"tag":     func(ctx context.Context, e *driver.Element) (any, error) { return value(e.Tag(ctx)) },
	"role":    func(ctx context.Context, e *driver.Element) (any, error) { return value(e.Role(ctx)) },
	"locator": func(_ context.Context, e *driver.Element) (any, error) { return e.String(), nil },

	"innerHtml": func(ctx context.Context, e *driver.Element) (any, error) { return value(e.Property(ctx, "innerHTML")) },
}

func value[T any](v T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// elementFacts are properties alone: they may be false, and a script asks for
// their truth.
var elementFacts = map[string]func(ctx context.Context, o *elementObject) (any, error){
	"present":    func(ctx context.Context, o *elementObject) (any, error) { return value(o.e.Present(ctx)) },
	"enabled":    func(ctx context.Context, o *elementObject) (any, error) { return value(o.e.Enabled(ctx)) },
	"parent":     func(_ context.Context, o *elementObject) (any, error) { return &elementObject{o.b, o.e.Parent()}, nil },
	"children":   func(ctx context.Context, o *elementObject) (any, error) { return o.all(o.e.Children(ctx)) },
	"firstChild": func(_ context.Context, o *elementObject) (any, error) { return o.related("firstElementChild"), nil },
	"lastChild":  func(_ context.Context, o *elementObject) (any, error) { return o.related("lastElementChild"), nil },
	"previousSibling": func(_ context.Context, o *elementObject) (any, error) {
		return o.related("previousElementSibling"), nil
	},
	"nextSibling": func(_ context.Context, o *elementObject) (any, error) { return o.related("nextElementSibling"), nil },
}

func (o *elementObject) all(list []*driver.Element, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return o.b.objects(list), nil
}

func (o *elementObject) related(property string) *elementObject {
	return &elementObject{o.b, o.e.Locate("(_." + property + ")")}
}

// elementMethods are the methods of elements.
var elementMethods map[string]func(c *uiCall, o *elementObject) (any, error)

func init() {
	does := func(f func(c *uiCall, e *driver.Element) error) func(*uiCall, *elementObject) (any, error) {
		return func(c *uiCall, o *elementObject) (any, error) { return c.on(o, func() error { return f(c, o.e) }) }
	}
	gives := func(f func(c *uiCall, e *driver.Element) (any, error)) func(*uiCall, *elementObject) (any, error) {
		return func(c *uiCall, o *elementObject) (any, error) {
			return ask(c, func() (any, error) { return f(c, o.e) })
		}
	}
	finds := func(f func(e *driver.Element) *driver.Finder) func(*uiCall, *elementObject) (any, error) {
		return func(_ *uiCall, o *elementObject) (any, error) { return &finderObject{o.b, f(o.e)}, nil }
	}
	elementMethods = map[string]func(c *uiCall, o *elementObject) (any, error){
		"click":          does(func(c *uiCall, e *driver.Element) error { return e.Click(c.ctx) }),
		"doubleClick":    does(func(c *uiCall, e *driver.Element) error { return e.DoubleClick(c.ctx) }),
		"rightClick":     does(func(c *uiCall, e *driver.Element) error { return e.RightClick(c.ctx) }),
		"hover":          does(func(c *uiCall, e *driver.Element) error { return e.Hover(c.ctx) }),
		"focus":          does(func(c *uiCall, e *driver.Element) error { return e.Focus(c.ctx) }),
		"clear":          does(func(c *uiCall, e *driver.Element) error { return e.Clear(c.ctx) }),
		"check":          does(func(c *uiCall, e *driver.Element) error { return e.Check(c.ctx) }),
		"uncheck":        does(func(c *uiCall, e *driver.Element) error { return e.Uncheck(c.ctx) }),
		"scroll":         does(func(c *uiCall, e *driver.Element) error { return e.Scroll(c.ctx) }),
		"highlight":      does(func(c *uiCall, e *driver.Element) error { return e.Highlight(c.ctx, c.within(0)...) }),
		"input":          does(func(c *uiCall, e *driver.Element) error { _, err := c.input(e, 0); return err }),
		"inputFile":      does(func(c *uiCall, e *driver.Element) error { _, err := c.inputFile(e, 0); return err }),
		"select":         does(func(c *uiCall, e *driver.Element) error { _, err := c.choose(e, 0); return err }),
		"dragTo":         does(func(c *uiCall, e *driver.Element) error { return e.DragTo(c.ctx, c.otherElement(0)) }),
		"switchFrame":    does(func(c *uiCall, e *driver.Element) error { return e.SwitchFrame(c.ctx) }),
		"waitFor":        does(func(c *uiCall, e *driver.Element) error { return c.waitForOn(e) }),
		"waitForText":    does(func(c *uiCall, e *driver.Element) error { return e.WaitForText(c.ctx, c.text(0), c.within(1)...) }),
		"waitForEnabled": does(func(c *uiCall, e *driver.Element) error { return e.WaitForEnabled(c.ctx, c.within(0)...) }),
		"waitUntil":      does(func(c *uiCall, e *driver.Element) error { return e.WaitUntil(c.ctx, c.page(0), c.within(1)...) }),
		"setValue":       does(func(c *uiCall, e *driver.Element) error { return elementSets["value"](c.ctx, e, c.text(0)) }),
		"setText":        does(func(c *uiCall, e *driver.Element) error { return elementSets["text"](c.ctx, e, c.text(0)) }),
		"setHtml":        does(func(c *uiCall, e *driver.Element) error { return elementSets["html"](c.ctx, e, c.text(0)) }),
		"delay": func(c *uiCall, o *elementObject) (any, error) {
			_, err := driverMethods["delay"].run(c)
			return o, err
		},
		"retry": func(c *uiCall, o *elementObject) (any, error) {
			_, err := retry(c)
			return o, err
		},
		"submit": func(c *uiCall, o *elementObject) (any, error) {
			c.d.Submit()
			return o, nil
		},
		"exists":    gives(func(c *uiCall, e *driver.Element) (any, error) { return c.existsOn(e) }),
		"isPresent": gives(func(c *uiCall, e *driver.Element) (any, error) { return value(e.Present(c.ctx)) }),
		"isEnabled": gives(func(c *uiCall, e *driver.Element) (any, error) { return value(e.Enabled(c.ctx)) }),
		"getValue":  gives(func(c *uiCall, e *driver.Element) (any, error) { return value(e.Value(c.ctx)) }),
		"attribute": gives(func(c *uiCall, e *driver.Element) (any, error) { return present(e.Attribute(c.ctx, c.text(0))) }),
		"property":  gives(func(c *uiCall, e *driver.Element) (any, error) { return value(e.Property(c.ctx, c.text(0))) }),
		"matches":   gives(func(c *uiCall, e *driver.Element) (any, error) { return value(e.Matches(c.ctx, c.text(0))) }),
		"position":  gives(func(c *uiCall, e *driver.Element) (any, error) { return c.position(e, 0) }),
		"script":    gives(func(c *uiCall, e *driver.Element) (any, error) { return value(e.Script(c.ctx, c.page(0))) }),
		"scriptAll": gives(func(c *uiCall, e *driver.Element) (any, error) {
			return value(e.ScriptAll(c.ctx, c.text(0), c.page(1)))
		}),
		"screenshot": func(c *uiCall, o *elementObject) (any, error) {
			v, err := ask(c, func() ([]byte, error) { return o.e.Screenshot(c.ctx) })
			if err == nil && (c.arg(0).Undefined() || c.arg(0).Truthy()) {
				s := c.b.s.root.current
				s.embeds = append(s.embeds, report.Embed{Type: "image/png", Name: "screenshot", Data: v.([]byte)})
			}
			return v, err
		},
		"locate":   func(c *uiCall, o *elementObject) (any, error) { return c.lazy(o.e.Locate) },
		"optional": func(c *uiCall, o *elementObject) (any, error) { return c.lazy(o.e.Optional) },
		"closest":  func(c *uiCall, o *elementObject) (any, error) { return c.lazy(o.e.Closest) },
		"locateAll": func(c *uiCall, o *elementObject) (any, error) {
			return c.elements(func() ([]*driver.Element, error) { return o.e.LocateAll(c.ctx, c.text(0)) })
		},
		"mouse": func(c *uiCall, o *elementObject) (any, error) {
			return c.mouse(func() (*driver.Mouse, error) { return o.e.Mouse(c.ctx) })
		},
		"rightOf": finds((*driver.Element).RightOf), "leftOf": finds((*driver.Element).LeftOf), "above": finds((*driver.Element).Above),
		"below": finds((*driver.Element).Below), "near": finds((*driver.Element).Near),
	}
}

// otherElement is an argument that is an element, or a locator of one.
func (c *uiCall) otherElement(i int) *driver.Element {
	if o, ok := c.arg(i).Host().(*elementObject); ok {
		return o.e
	}
	return c.d.Locate(c.text(i))
}

// waitForOn waits for the element, or for one within it.
func (c *uiCall) waitForOn(e *driver.Element) error {
	if l, ok := c.arg(0).Export().(string); ok {
		return e.Locate(l).WaitFor(c.ctx, c.within(1)...)
	}
	return e.WaitFor(c.ctx, c.within(0)...)
}

func (c *uiCall) existsOn(e *driver.Element) (any, error) {
	if l, ok := c.arg(0).Export().(string); ok {
		return value(e.Locate(l).Exists(c.ctx))
	}
	return value(e.Exists(c.ctx))
}
