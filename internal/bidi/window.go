package bidi

import (
	"context"

	"rove/driver/backend"
)

// clientWindow is a window of the browser.
type clientWindow struct {
	ID     string              `json:"clientWindow"`
	State  backend.WindowState `json:"state"`
	X      int                 `json:"x"`
	Y      int                 `json:"y"`
	Width  int                 `json:"width"`
	Height int                 `json:"height"`
}

// Window is the window the tab is in.
func (t *Tab) Window(ctx context.Context) (backend.Window, error) {
	w, err := t.window(ctx)
	return backend.Window{X: w.X, Y: w.Y, Width: w.Width, Height: w.Height, State: w.State}, err
}

func (t *Tab) window(ctx context.Context) (clientWindow, error) {
	var tree struct {
		Contexts []struct {
			Window string `json:"clientWindow"`
		} `json:"contexts"`
	}
	var all struct {
		Windows []clientWindow `json:"clientWindows"`
	}
	g, err := t.enter()
	if err != nil {
		return clientWindow{}, err
	}
	root := t.browser.root
	pending := t.start(root.Command("browsingContext.getTree", object{"root": t.id, "maxDepth": 0}), root.Command("browser.getClientWindows", object{}))
	if err := t.await(ctx, g, pending[0], &tree); err != nil {
		return clientWindow{}, err
	}
	if err := t.await(ctx, g, pending[1], &all); err != nil {
		return clientWindow{}, err
	}
	for _, w := range all.Windows {
		if len(tree.Contexts) > 0 && w.ID == tree.Contexts[0].Window {
			return w, nil
		}
	}
	return clientWindow{}, backend.Fail(backend.KindProtocol, "the browser told of no window")
}

// SetWindow moves or sizes the window, or changes its state.
func (t *Tab) SetWindow(ctx context.Context, w backend.Window) error {
	now, err := t.window(ctx)
	if err != nil {
		return err
	}
	if w.State != "" && w.State != backend.WindowNormal {
		return t.do(ctx, "browser.setClientWindowState", object{"clientWindow": now.ID, "state": w.State})
	}
	params := object{"clientWindow": now.ID, "state": backend.WindowNormal, "x": w.X, "y": w.Y}
	if w.Width > 0 {
		params["width"] = w.Width
	}
	if w.Height > 0 {
		params["height"] = w.Height
	}
	return t.do(ctx, "browser.setClientWindowState", params)
}
