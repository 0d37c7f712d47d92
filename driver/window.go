package driver

import (
	"context"

	"rove/driver/backend"
)

// Window is where the tab's window is and how large.
type Window = backend.Window

// Dimensions are the window's place and size.
func (d *Driver) Dimensions(ctx context.Context) (Window, error) {
	ctx, cancel := context.WithTimeout(ctx, d.limit(scriptWait))
	defer cancel()
	w, err := d.Tab().tab.Window(ctx)
	if err != nil {
		return w, d.failed("window", err)
	}
	return w, nil
}

// SetDimensions moves and sizes the window, and the page with it.
func (d *Driver) SetDimensions(ctx context.Context, w Window) error {
	if w.Width < 0 || w.Height < 0 || w.Width > 10000 || w.Height > 10000 {
		return Invalid("window", "%d×%d: width and height go from 1 to 10,000", w.Width, w.Height)
	}
	return d.setWindow(ctx, w)
}

// Maximize makes the window as large as the screen. A browser without windows
// leaves it be; so with Minimize, Fullscreen and Activate.
func (d *Driver) Maximize(ctx context.Context) error {
	return ignoreUnsupported(d.setWindow(ctx, Window{State: backend.WindowMaximized}))
}

// Minimize puts the window away. The page goes on as if it were looked at.
func (d *Driver) Minimize(ctx context.Context) error {
	return ignoreUnsupported(d.setWindow(ctx, Window{State: backend.WindowMinimized}))
}

// Fullscreen makes the page fill the screen.
func (d *Driver) Fullscreen(ctx context.Context) error {
	return ignoreUnsupported(d.setWindow(ctx, Window{State: backend.WindowFullscreen}))
}

func (d *Driver) setWindow(ctx context.Context, w Window) error {
	ctx, cancel := context.WithTimeout(ctx, d.limit(scriptWait))
	defer cancel()
	t := d.Tab()
	if err := t.tab.SetWindow(ctx, w); err != nil {
		return d.failed("window", err)
	}
	if w.State == backend.WindowMinimized {
		return nil
	}
	// The size of a page is the driver's to say, so that it is the same
	// everywhere; it follows the window when that is asked for.
	now, err := t.tab.Window(ctx)
	if err != nil {
		return d.failed("window", err)
	}
	_, err = t.SetViewport(ctx, backend.Viewport{Width: now.Width, Height: now.Height})
	return err
}

// Activate brings the tab to the front.
func (d *Driver) Activate(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.limit(scriptWait))
	defer cancel()
	if err := d.Tab().tab.Activate(ctx); err != nil {
		return ignoreUnsupported(d.failed("activate", err))
	}
	return nil
}

// Resize changes the size of the visible page, in the current tab and in those to
// come.
func (d *Driver) Resize(ctx context.Context, v backend.Viewport) error {
	if _, err := d.Tab().SetViewport(ctx, v); err != nil {
		return err
	}
	if c, ok := d.browser.(backend.Resizer); ok {
		c.Resize(v)
	}
	return nil
}
