package webdriver

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"net/http"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Screenshot takes a picture of what is seen of the page, or of a part of that.
func (t *Tab) Screenshot(ctx context.Context, opts backend.ScreenshotOptions) ([]byte, error) {
	switch {
	case opts.FullPage:
		return nil, t.context.cannot("a picture of the whole page")
	case opts.Format != "" && opts.Format != "png" && opts.Format != "jpeg":
		return nil, t.context.cannot("pictures as " + opts.Format)
	}
	var text string
	var at []float64 // scrolled to, and how wide the page is
	err := t.turned(ctx, func() error {
		if err := t.enterFrame(ctx, ""); err != nil {
			return err
		}
		if c := opts.Clip; c != nil {
			const where = "if (arguments[1] < scrollY || arguments[1] + arguments[3] > scrollY + innerHeight || arguments[0] < scrollX || arguments[0] + arguments[2] > scrollX + innerWidth) scrollTo({left: arguments[0], top: arguments[1], behavior: 'instant'}); return [scrollX, scrollY, innerWidth]"
			body := object{"script": where, "args": []any{c.X, c.Y, c.Width, c.Height}}
			if err := t.context.do(ctx, http.MethodPost, "/execute/sync", body, &at); err != nil {
				return t.trouble(ctx, err)
			}
		}
		return t.trouble(ctx, t.context.do(ctx, http.MethodGet, "/screenshot", nil, &text))
	})
	if err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, &backend.Error{Kind: backend.KindProtocol, Text: "a picture that cannot be read", Err: err}
	}
	if opts.Clip == nil && opts.Format != "jpeg" {
		return data, nil
	}
	return part(data, opts, at)
}

// part is a part of a picture, or all of it in another format.
func part(data []byte, opts backend.ScreenshotOptions, at []float64) ([]byte, error) {
	whole, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, &backend.Error{Kind: backend.KindProtocol, Text: "a picture that cannot be read", Err: err}
	}
	if c := opts.Clip; c != nil && len(at) == 3 && at[2] > 0 {
		scale := float64(whole.Bounds().Dx()) / at[2]
		place := func(v float64) int { return int(v*scale + 0.5) }
		box := image.Rect(place(c.X-at[0]), place(c.Y-at[1]), place(c.X-at[0]+c.Width), place(c.Y-at[1]+c.Height)).Intersect(whole.Bounds())
		if box.Empty() {
			return nil, &backend.Error{Kind: backend.KindProtocol, Text: "that part of the page is not in view"}
		}
		cut := image.NewRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
		draw.Draw(cut, cut.Bounds(), whole, box.Min, draw.Src)
		whole = cut
	}
	var out bytes.Buffer
	if opts.Format == "jpeg" {
		quality := opts.Quality
		if quality <= 0 {
			quality = 80
		}
		err = jpeg.Encode(&out, whole, &jpeg.Options{Quality: min(quality, 100)})
	} else {
		err = png.Encode(&out, whole)
	}
	return out.Bytes(), err
}

// PDF prints the page, where the driver can.
func (t *Tab) PDF(ctx context.Context, opts backend.PDFOptions) ([]byte, error) {
	if !t.context.prints() {
		return nil, t.context.cannot("pdf")
	}
	if opts.Header != "" || opts.Footer != "" {
		return nil, t.context.cannot("header and footer of a printed page")
	}
	var text string
	err := t.turned(ctx, func() error {
		if err := t.enterFrame(ctx, ""); err != nil {
			return err
		}
		return t.trouble(ctx, t.context.do(ctx, http.MethodPost, "/print", anypage.Print(opts), &text))
	})
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(text)
}
