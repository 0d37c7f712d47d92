package feature

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/data"
	"rove/internal/script"
)

func retry(c *uiCall) (any, error) {
	count, interval := c.b.s.retrying()
	if n, ok := c.number(0); ok {
		count = int(n)
	}
	if ms, ok := c.number(1); ok {
		interval = time.Duration(ms) * time.Millisecond
	}
	c.d.Retry(count, interval)
	c.b.retrying = max(time.Duration(count)*interval, time.Millisecond)
	return c.b.object, nil
}

// handled are the methods that need more of an element than that it is there.
var handled = []string{"click", "doubleClick", "rightClick", "hover", "focus", "clear", "input", "inputFile", "select", "check", "uncheck", "scroll", "dragTo", "mouse"}

// retried has retry hold for an action: its element has so long to be there, and then the
// usual time to be ready, as in Karate, where retry().click() is a waitFor and a click. All
// else has so long to succeed.
func (c *uiCall) retried(e *driver.Element) error {
	within := c.b.retrying
	if within == 0 || e == nil || e.IsOptional() || !slices.Contains(handled, c.name) {
		return nil
	}
	return c.b.outside(func() error { return e.WaitFor(c.ctx, within) })
}

// timeout is the limit for what follows; without one, that of configure driver counts
// again.
func timeout(c *uiCall) (any, error) {
	if ms, ok := c.number(0); ok {
		c.d.SetTimeout(time.Duration(ms) * time.Millisecond)
		return c.b.object, nil
	}
	var configured driver.Timeouts
	if c.b.config != nil {
		configured = c.b.config.Options.Timeouts
	}
	c.d.SetTimeouts(configured)
	return c.b.object, nil
}

func pdf(c *uiCall) (any, error) {
	var o backend.PDFOptions
	if v, ok := c.arg(0).Export().(*data.Object); ok {
		for name, each := range v.All() {
			b, _ := each.(bool)
			n, _ := script.Number(each)
			switch name {
			case "landscape":
				o.Landscape = b
			case "orientation":
				o.Landscape = data.Text(each) == "landscape"
			case "printBackground", "background":
				o.Background = b
			case "scale":
				o.Scale = n
			case "paperWidth", "width":
				o.Width = n
			case "paperHeight", "height":
				o.Height = n
			case "pageRanges", "pages":
				o.Pages = data.Text(each)
			case "preferCSSPageSize":
				o.PreferCSS = b
			case "headerTemplate":
				o.Header = data.Text(each)
			case "footerTemplate":
				o.Footer = data.Text(each)
			case "marginTop", "marginRight", "marginBottom", "marginLeft":
				if o.Margin == nil {
					o.Margin = &backend.Margin{Top: 0.4, Right: 0.4, Bottom: 0.4, Left: 0.4}
				}
				*map[string]*float64{"marginTop": &o.Margin.Top, "marginRight": &o.Margin.Right, "marginBottom": &o.Margin.Bottom, "marginLeft": &o.Margin.Left}[name] = n
			case "displayHeaderFooter":
			default:
				return nil, fmt.Errorf("pdf has no option %q: landscape, printBackground, scale, paperWidth, paperHeight, pageRanges, preferCSSPageSize, headerTemplate, footerTemplate, marginTop, …", name)
			}
		}
	}
	return ask(c, func() ([]byte, error) { return c.d.PDF(c.ctx, o) })
}

// dialogs is driver.dialog: the text of the dialog where it is read, its answer where it
// is called.
func dialogs(c *uiCall) (any, error) {
	return &script.Both{
		Read: func(context.Context) (any, error) { return readDialogText(c) },
		Call: func(ctx context.Context, args []script.Value) (any, error) {
			return answerDialog(&uiCall{ctx: ctx, b: c.b, d: c.d, name: c.name, args: args})
		},
	}, nil
}

func answerDialog(c *uiCall) (any, error) {
	text := c.text(1)
	if g := c.d.OpenDialog(); g != nil && len(c.args) < 2 {
		text = g.Default // as when a person presses OK
	}
	return c.do(func() error { return c.d.Dialog(c.ctx, c.arg(0).Undefined() || c.arg(0).Truthy(), text) })
}

func readDialogText(c *uiCall) (any, error) {
	text, ok := c.d.DialogText()
	if !ok {
		return nil, nil
	}
	return text, nil
}

func readFrame(c *uiCall) (any, error) {
	f, err := c.d.CurrentFrame()
	if err != nil {
		return nil, err
	}
	if f.Main {
		return nil, nil
	}
	return data.NewObject("name", f.Name, "url", f.URL), nil
}

func readPages(c *uiCall) (any, error) {
	var pages []driver.Page
	err := c.b.outside(func() (err error) {
		pages, err = c.d.Pages(c.ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]any, len(pages))
	for i, p := range pages {
		out[i] = p.URL
	}
	return out, nil
}

func readDimensions(c *uiCall) (any, error) {
	var w driver.Window
	err := c.b.outside(func() (err error) {
		w, err = c.d.Dimensions(c.ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return data.NewObject("x", int64(w.X), "y", int64(w.Y), "width", int64(w.Width), "height", int64(w.Height)), nil
}

func setDimensions(c *uiCall) (any, error) {
	o, ok := c.arg(0).Export().(*data.Object)
	if !ok {
		return nil, fmt.Errorf("dimensions takes an object: { x: 0, y: 0, width: 1200, height: 800 }")
	}
	w := driver.Window{}
	for name, to := range map[string]*int{"x": &w.X, "y": &w.Y, "left": &w.X, "top": &w.Y, "width": &w.Width, "height": &w.Height} {
		if v, ok := o.Get(name); ok {
			n, isNumber := script.Number(v)
			if !isNumber {
				return nil, fmt.Errorf("dimensions: %s is no number", name)
			}
			*to = int(n)
		}
	}
	return c.do(func() error { return c.d.SetDimensions(c.ctx, w) })
}

func switchFrame(c *uiCall) (any, error) {
	if n, ok := c.number(0); ok {
		return c.do(func() error { return c.d.SwitchFrameAt(c.ctx, int(n)) })
	}
	l := ""
	if !c.arg(0).Null() {
		l = c.text(0)
		if l == "" {
			return nil, fmt.Errorf("switchFrame: locator cannot be null or empty; null means the main frame")
		}
	}
	return c.do(func() error { return c.d.SwitchFrame(c.ctx, l) })
}

func switchPage(c *uiCall) (any, error) {
	if n, ok := c.number(0); ok {
		return c.do(func() error { return c.d.SwitchPageAt(c.ctx, int(n)) })
	}
	return c.do(func() error { return c.d.SwitchPage(c.ctx, c.text(0)) })
}

func locateAll(c *uiCall) (any, error) {
	l, err := c.locator()
	if err != nil {
		return nil, err
	}
	v, err := c.elements(func() ([]*driver.Element, error) { return c.d.LocateAll(c.ctx, l) })
	if err != nil {
		return nil, err
	}
	return c.filter(v.([]any), 1)
}

// filter keeps those for which a function of the feature gives true.
func (c *uiCall) filter(all []any, i int) (any, error) {
	f := c.arg(i).Func()
	if f == nil {
		return all, nil
	}
	var err error
	kept := slices.DeleteFunc(all, func(v any) bool {
		if err != nil {
			return true
		}
		var result script.Value
		result, err = f.Do(c.ctx, v)
		return err == nil && !result.Truthy()
	})
	if err != nil {
		return nil, jsError(f.Source(), err)
	}
	return kept, nil
}
