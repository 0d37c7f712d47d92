package chrome

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Screenshot takes a picture.
func (t *Tab) Screenshot(ctx context.Context, opts backend.ScreenshotOptions) ([]byte, error) {
	g, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	params := &page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormat(opts.Format)}
	switch opts.Format {
	case "", "png":
		params.Format = page.CaptureScreenshotFormatPng
	case "jpeg", "webp":
		if opts.Quality > 0 {
			params.Quality = new(int64(min(opts.Quality, 100)))
		}
	default:
		return nil, fail(backend.KindUnsupported, "picture format "+opts.Format)
	}
	clip := opts.Clip
	if opts.FullPage && clip == nil {
		var m page.GetLayoutMetricsResult
		if err := t.await(ctx, g, t.session.Start(page.CommandGetLayoutMetrics, nil), &m); err != nil {
			return nil, err
		}
		if s := m.CSSContentSize; s != nil {
			clip = &backend.Rect{Width: s.Width, Height: s.Height}
		}
	}
	if clip != nil {
		params.Clip = &page.Viewport{X: clip.X, Y: clip.Y, Width: clip.Width, Height: clip.Height, Scale: 1}
		params.CaptureBeyondViewport = new(true)
	}
	return t.capture(ctx, g, params)
}

// pictureTime is how long a picture may take before it is asked for again.
const pictureTime = 2 * time.Second

// capture takes a picture. The browser forgets to answer where the document was
// replaced in between, and never answers for one whose loading was stopped before
// its first element: that has no frames.
func (t *Tab) capture(ctx context.Context, g *anypage.Gate, params *page.CaptureScreenshotParams) ([]byte, error) {
	first := pictureTime
	if end, ok := ctx.Deadline(); ok {
		first = min(first, time.Until(end)/2)
	}
	var r struct {
		Data []byte `json:"data"`
	}
	short, cancel := context.WithTimeout(ctx, first)
	defer cancel()
	if len(t.context.Tabs()) > 1 {
		// Of a tab behind another, as behind a popup, every tenth picture is forgotten.
		t.session.Start(page.CommandBringToFront, nil)
	}
	err := t.await(short, g, t.session.Start(page.CommandCaptureScreenshot, params), &r)
	if err == nil || short.Err() == nil || ctx.Err() != nil {
		return r.Data, err
	}
	both := t.browser.conn.Start(
		t.session.Command(runtime.CommandEvaluate, &runtime.EvaluateParams{Expression: `document.readyState === 'complete' && document.documentElement === null`}),
		t.session.Command(page.CommandCaptureScreenshot, params))
	var bare struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	if err = t.await(ctx, g, both[0], &bare); err == nil && bare.Result.Value == true {
		err = fail(backend.KindUnreadable, "the document was stopped before it had anything")
	}
	if err != nil {
		both[1].Forget()
		return nil, err
	}
	err = t.await(ctx, g, both[1], &r)
	return r.Data, err
}
