package anypage

import (
	"context"

	"rove/driver/backend"
)

// ChromiumCall calls Chromium by its own protocol, for one page.
type ChromiumCall func(ctx context.Context, method string, params, out any) error

// Window is the window that the page is in.
func (call ChromiumCall) Window(ctx context.Context) (backend.Window, error) {
	_, w, err := call.window(ctx)
	return w, err
}

func (call ChromiumCall) window(ctx context.Context) (int, backend.Window, error) {
	var r struct {
		ID     int `json:"windowId"`
		Bounds struct {
			Left   int                 `json:"left"`
			Top    int                 `json:"top"`
			Width  int                 `json:"width"`
			Height int                 `json:"height"`
			State  backend.WindowState `json:"windowState"`
		} `json:"bounds"`
	}
	err := call(ctx, "Browser.getWindowForTarget", map[string]any{}, &r)
	b := r.Bounds
	return r.ID, backend.Window{X: b.Left, Y: b.Top, Width: b.Width, Height: b.Height, State: b.State}, err
}

// SetWindow moves or sizes the window, or changes its state.
func (call ChromiumCall) SetWindow(ctx context.Context, w backend.Window) error {
	id, now, err := call.window(ctx)
	if err != nil {
		return err
	}
	set := func(bounds map[string]any) error {
		return call(ctx, "Browser.setWindowBounds", map[string]any{"windowId": id, "bounds": bounds}, nil)
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
