package driver

import (
	"context"
	"time"

	"rove/driver/backend"
)

// Picture takes a picture of an element, by a ref or locator; within bounds the
// wait for it to be there.
func (t *Tab) Picture(ctx context.Context, target string, within time.Duration, opts backend.ScreenshotOptions) (*Effect, error) {
	return t.Do(ctx, At(target), Op{Name: "screenshot", Timeout: within, do: func(a *action) error {
		if _, err := a.prepare("here", nil); err != nil {
			return err
		}
		return a.picture(a.ctx, opts)
	}})
}

func (a *action) screenshot() error { return a.picture(a.ctx, backend.ScreenshotOptions{}) }

// picture takes a picture of the element. The context is that of the picture alone, and
// of all that is asked for it: the wait for the element is over, and the page may hang by now.
func (a *action) picture(ctx context.Context, opts backend.ScreenshotOptions) error {
	defer func(whole context.Context) { a.ctx = whole }(a.ctx)
	a.ctx = ctx
	v, err := a.ask("box", a.arg)
	if err != nil {
		return err
	}
	a.noteElement(v)
	if v.Width < 1 || v.Height < 1 {
		return &Error{
			Code: CodeHidden, Op: a.op, Message: "it has no size, so there is nothing to see",
			Hint: "take a picture of what is around it, or of the page",
		}
	}
	p, err := a.outward(backend.Point{X: v.X, Y: v.Y}, false)
	if err != nil {
		return err
	}
	page, err := a.tab.view(a.ctx, prepareArg{})
	if err != nil {
		return err
	}
	opts.Clip = &backend.Rect{X: p.X + page.ScrollX, Y: p.Y + page.ScrollY, Width: v.Width, Height: v.Height}
	a.effect.Picture, err = a.tab.Screenshot(ctx, opts)
	if err == nil && opts.Format == "" {
		a.effect.Shot = &PictureInfo{X: opts.Clip.X, Y: opts.Clip.Y}
		a.effect.Shot.measure(a.effect.Picture, page.Ratio)
	}
	return err
}
