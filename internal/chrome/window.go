package chrome

import (
	"context"

	"github.com/chromedp/cdproto/page"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Window is the window the tab is in.
func (t *Tab) Window(ctx context.Context) (backend.Window, error) {
	return anypage.ChromiumCall(t.call).Window(ctx)
}

// SetWindow moves or sizes the window, or changes its state.
func (t *Tab) SetWindow(ctx context.Context, w backend.Window) error {
	return anypage.ChromiumCall(t.call).SetWindow(ctx, w)
}

// call asks the browser for the page, and waits.
func (t *Tab) call(ctx context.Context, method string, params, out any) error {
	g, err := t.enter(ctx)
	if err != nil {
		return err
	}
	return t.await(ctx, g, t.session.Start(method, params), out)
}

// Activate brings the tab to the front.
func (t *Tab) Activate(ctx context.Context) error {
	return t.call(ctx, page.CommandBringToFront, nil, nil)
}

// SetViewport changes the size of the visible page.
func (t *Tab) SetViewport(ctx context.Context, v backend.Viewport) error {
	return t.call(ctx, metricsCommand, metrics(anypage.Viewport(v)), nil)
}
