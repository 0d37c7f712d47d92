package driver_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"rove/cdp"
	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
)

// lesser is a browser that cannot do all: a backend of few abilities.
type (
	lesser        struct{ backend.Browser }
	lesserContext struct{ backend.Context }
	lesserTab     struct{ backend.Tab }
)

func cannot(what string) error { return &backend.Error{Kind: backend.KindUnsupported, Text: what} }

func (b lesser) NewContext(ctx context.Context, opts backend.ContextOptions) (backend.Context, error) {
	c, err := b.Browser.NewContext(ctx, opts)
	return lesserContext{c}, err
}

func (c lesserContext) Backend() string { return "lesser" }

func (c lesserContext) Capabilities() []backend.Capability {
	return []backend.Capability{backend.CanDialogs, backend.CanTree, backend.CanIsolate}
}

func (c lesserContext) NewTab(ctx context.Context) (backend.Tab, error) {
	t, err := c.Context.NewTab(ctx)
	return lesserTab{t}, err
}

func (c lesserContext) Tabs() (list []backend.Tab) {
	for _, t := range c.Context.Tabs() {
		list = append(list, lesserTab{t})
	}
	return list
}

func (c lesserContext) Emulate(context.Context, backend.Emulation) error { return cannot("emulation") }

func (c lesserContext) Intercept(_ context.Context, p []backend.Pattern, _ func(backend.Route)) error {
	if len(p) == 0 {
		return nil
	}
	return cannot("interception")
}

func (t lesserTab) PDF(context.Context, backend.PDFOptions) ([]byte, error) {
	return nil, cannot("printing")
}
func (t lesserTab) SetWindow(context.Context, backend.Window) error { return cannot("a window") }
func (t lesserTab) Window(context.Context) (backend.Window, error) {
	return backend.Window{}, cannot("a window")
}
func (t lesserTab) Activate(context.Context) error { return cannot("a window") }

// What a backend cannot do fails at the call and says which backend it is; where
// only a comfort is missing, nothing happens.
func TestUnsupported(t *testing.T) {
	testkit.NeedsBrowser(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	d, err := driver.Open(ctx, lesser{shared}, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Quit(ctx)
	same(t, "backend", d.Backend(), "lesser")
	same(t, "capabilities", d.Capabilities(), "[dialogs tree isolate]")
	same(t, "can", fmt.Sprintln(d.Can(backend.CanTree), d.Can(backend.CanPDF)), "true false\n")
	all, err := driver.Open(ctx, shared, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer all.Quit(ctx)
	same(t, "capabilities of Chrome", all.Capabilities(), backend.Capabilities())
	for name, do := range map[string]func() error{
		"pdf":        func() error { _, err := d.PDF(ctx, driver.PDFOptions{}); return err },
		"emulate":    func() error { return d.Emulate(ctx, driver.Emulation{Device: "iPad"}) },
		"intercept":  func() error { _, err := d.Intercept(ctx, driver.Intercept{Mock: &driver.RouteResponse{}}); return err },
		"dimensions": func() error { _, err := d.Dimensions(ctx); return err },
		"resize":     func() error { return d.SetDimensions(ctx, driver.Window{Width: 300, Height: 300}) },
		"screencast": func() error { _, err := d.Screencast(ctx, driver.ScreencastOptions{}, nil); return err },
		"video":      func() error { _, err := d.StartVideo(ctx, driver.VideoOptions{Path: t.TempDir() + "/v"}); return err },
	} {
		t.Run(name, func(t *testing.T) {
			fails(t, do(), driver.CodeUnsupported, "not supported by the lesser backend", "another backend")
		})
	}
	for name, do := range map[string]func(context.Context) error{"activate": d.Activate, "maximize": d.Maximize, "minimize": d.Minimize, "fullscreen": d.Fullscreen} {
		t.Run(name, func(t *testing.T) {
			if err := do(ctx); err != nil {
				t.Errorf("maximizing or the like failed: %v", err)
			}
		})
	}
	if conn, session := cdp.Of(d.Tab()); conn != nil || session != nil {
		t.Error("there is a raw protocol")
	}
	if err := d.SetURL(ctx, "data:text/html,<title>Works</title>"); err != nil {
		t.Error(err)
	}
}

// stuck is a browser whose first tab cannot be left.
type (
	stuck        struct{ backend.Browser }
	stuckContext struct {
		backend.Context
		tabs int
	}
	stuckTab struct{ backend.Tab }
)

func (b stuck) NewContext(ctx context.Context, opts backend.ContextOptions) (backend.Context, error) {
	c, err := b.Browser.NewContext(ctx, opts)
	return &stuckContext{Context: c}, err
}

func (c *stuckContext) NewTab(ctx context.Context) (backend.Tab, error) {
	t, err := c.Context.NewTab(ctx)
	if c.tabs++; c.tabs == 1 {
		return stuckTab{t}, err
	}
	return t, err
}

func (stuckTab) Navigate(context.Context, string, backend.NavigateOptions) (*backend.Navigation, error) {
	return nil, &backend.Error{Kind: backend.KindBusy, Err: context.DeadlineExceeded}
}

// A tab that the browser cannot get away from gives way to another.
func TestTabThatCannotBeLeft(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	d, err := driver.Open(ctx, stuck{shared}, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Quit(ctx)
	if err := d.SetURL(ctx, "data:text/html,<title>Elsewhere</title>"); err != nil {
		t.Fatal(err)
	}
	title, err := d.Title(ctx)
	same(t, "title", fmt.Sprint(title, err), "Elsewhere<nil>")
	d.OnDialog(func(*driver.Dialog) {}) // somebody decides whether a page is left
	if err := d.SetURL(ctx, "data:text/html,<title>Again</title>"); err != nil {
		t.Error(err)
	}
}
