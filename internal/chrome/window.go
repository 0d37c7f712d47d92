package chrome

import (
	"context"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Window is the window the tab is in.
func (t *Tab) Window(ctx context.Context) (backend.Window, error) {
	_, w, err := t.window(ctx)
	return w, err
}

func (t *Tab) window(ctx context.Context) (browser.WindowID, backend.Window, error) {
	g, err := t.enter(ctx)
	if err != nil {
		return 0, backend.Window{}, err
	}
	var r browser.GetWindowForTargetResult
	if err := t.await(ctx, g, t.session.Start(browser.CommandGetWindowForTarget, nil), &r); err != nil {
		return 0, backend.Window{}, err
	}
	b := r.Bounds
	if b == nil {
		return 0, backend.Window{}, fail(backend.KindProtocol, "the browser told of no window")
	}
	w := backend.Window{Width: int(b.Width), Height: int(b.Height), State: backend.WindowState(b.WindowState)}
	if b.Left != nil && b.Top != nil {
		w.X, w.Y = int(*b.Left), int(*b.Top)
	}
	return r.WindowID, w, nil
}

// SetWindow moves or sizes the window, or changes its state.
func (t *Tab) SetWindow(ctx context.Context, w backend.Window) error {
	id, now, err := t.window(ctx)
	if err != nil {
		return err
	}
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	set := func(b map[string]any) error {
		p := t.session.Start(browser.CommandSetWindowBounds, map[string]any{"windowId": id, "bounds": b})
		return t.await(ctx, g, p, nil)
	}
	// From one state to another it goes by way of the normal one.
	if now.State != backend.WindowNormal && now.State != w.State {
		if err := set(map[string]any{"windowState": backend.WindowNormal}); err != nil {
			return err
		}
	}
	if w.State != "" && w.State != backend.WindowNormal {
		return set(map[string]any{"windowState": w.State})
	}
	bounds := map[string]any{"left": w.X, "top": w.Y}
	if w.Width > 0 {
		bounds["width"] = w.Width
	}
	if w.Height > 0 {
		bounds["height"] = w.Height
	}
	return set(bounds)
}

// Activate brings the tab to the front.
func (t *Tab) Activate(ctx context.Context) error {
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	return t.await(ctx, g, t.session.Start(page.CommandBringToFront, nil), nil)
}

// SetViewport changes the size of the visible page.
func (t *Tab) SetViewport(ctx context.Context, v backend.Viewport) error {
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	return t.await(ctx, g, t.session.Start(metricsCommand, metrics(anypage.Viewport(v))), nil)
}
