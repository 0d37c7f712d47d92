package bidi

import (
	"context"
	"encoding/base64"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Screenshot takes a picture.
func (t *Tab) Screenshot(ctx context.Context, opts backend.ScreenshotOptions) ([]byte, error) {
	format := object{"type": "image/png"}
	switch opts.Format {
	case "", "png":
	case "jpeg", "webp":
		format["type"] = "image/" + opts.Format
		if opts.Quality > 0 {
			format["quality"] = float64(min(opts.Quality, 100)) / 100
		}
	default:
		return nil, backend.Fail(backend.KindUnsupported, "picture format "+opts.Format)
	}
	params := object{"context": t.id, "origin": "viewport", "format": format}
	if opts.FullPage || opts.Clip != nil {
		params["origin"] = "document"
	}
	if c := opts.Clip; c != nil {
		params["clip"] = object{"type": "box", "x": c.X, "y": c.Y, "width": c.Width, "height": c.Height}
	}
	return t.data(ctx, "browsingContext.captureScreenshot", params)
}

// PDF prints the page.
func (t *Tab) PDF(ctx context.Context, opts backend.PDFOptions) ([]byte, error) {
	if opts.Header != "" || opts.Footer != "" {
		return nil, backend.Fail(backend.KindUnsupported, "header and footer of a printed page")
	}
	params := anypage.Print(opts)
	params["context"] = t.id
	return t.data(ctx, "browsingContext.print", params)
}

func (t *Tab) data(ctx context.Context, method string, params object) ([]byte, error) {
	var r struct {
		Data string `json:"data"`
	}
	if err := t.ask(ctx, method, params, &r); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		return nil, &backend.Error{Kind: backend.KindProtocol, Text: method, Err: err}
	}
	return data, nil
}
