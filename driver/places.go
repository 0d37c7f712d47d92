package driver

import (
	"bytes"
	"context"
	"image"
	_ "image/png" // what pictures are
	"math"

	"rove/aria"
	"rove/driver/backend"
)

// PictureInfo is what a picture shows, so that its points can be found on the page again.
type PictureInfo struct {
	Number int `json:"number,omitempty"` // by which it is spoken of
	Width  int `json:"width"`            // of the picture, in its own pixels
	Height int `json:"height"`

	X, Y  float64 `json:"-"` // where its corner is on the page, in CSS pixels
	Ratio float64 `json:"-"` // how many of its pixels one CSS pixel has
	// Screen says that it shows what was on screen: things that stay there while
	// the page is scrolled, too.
	Screen bool `json:"-"`
}

// CapturePage takes a picture of the page and says what it shows.
func (t *Tab) CapturePage(ctx context.Context, opts backend.ScreenshotOptions) (*Effect, error) {
	at, err := t.view(ctx, prepareArg{})
	if err != nil {
		return nil, err
	}
	png, err := t.Screenshot(ctx, opts)
	if err != nil {
		return nil, err
	}
	s := &PictureInfo{X: at.ScrollX, Y: at.ScrollY, Screen: true}
	if opts.FullPage {
		s.X, s.Y, s.Screen = 0, 0, false
	}
	s.measure(png, at.Ratio)
	return &Effect{Picture: png, Shot: s}, nil
}

// measure notes how large a picture is.
func (s *PictureInfo) measure(png []byte, ratio float64) {
	s.Ratio = ratio
	if c, _, err := image.DecodeConfig(bytes.NewReader(png)); err == nil {
		s.Width, s.Height = c.Width, c.Height
	}
}

// view asks the main frame how much of it is seen.
func (t *Tab) view(ctx context.Context, arg prepareArg) (*verdict, error) {
	main, err := t.frameOf("")
	if err != nil {
		return nil, err
	}
	v, err := t.call(ctx, main, "view", arg)
	if err != nil {
		return nil, Explain("screenshot", err)
	}
	if v.Ratio <= 0 || math.IsInf(v.Ratio, 0) {
		v.Ratio = 1
	}
	return v, nil
}

// ScrollToPoint scrolls a point of the page into view, where it is not, and says where it is
// in the viewport then.
func (t *Tab) ScrollToPoint(ctx context.Context, x, y float64) (float64, float64, error) {
	v, err := t.view(ctx, prepareArg{X: x, Y: y, Check: true})
	if err != nil {
		return 0, 0, err
	}
	return x - v.ScrollX, y - v.ScrollY, nil
}

// VisibleArea is what part of the page the viewport shows, in CSS pixels.
func (t *Tab) VisibleArea(ctx context.Context) (x, y, width, height float64, err error) {
	v, err := t.view(ctx, prepareArg{})
	if err != nil {
		return 0, 0, 0, 0, err
	}
	return v.ScrollX, v.ScrollY, v.Width, v.Height, nil
}

// ElementAt is the element at a point of the viewport, in whatever frame, and where in it
// the point is.
func (t *Tab) ElementAt(ctx context.Context, x, y float64) (aria.Ref, [2]float64, error) {
	frame, err := t.frameOf("")
	if err != nil {
		return "", [2]float64{}, err
	}
	for {
		v, err := t.call(ctx, frame, "spot", prepareArg{X: x, Y: y})
		if err != nil {
			return "", [2]float64{}, Explain("find", err)
		}
		if !v.OK || v.Inner == 0 && v.Start == nil {
			return "", [2]float64{}, &Error{Code: CodeNotFound, Op: "find", Message: "there is nothing at that place: it is outside of what is on screen", Hint: "scroll there first"}
		}
		if v.Inner == 0 {
			return t.refIn(frame, v.Ref), *v.Start, nil
		}
		if frame, err = t.inside(frame, v.Inner); err != nil {
			return "", [2]float64{}, err
		}
		x, y = v.Within[0], v.Within[1]
	}
}
