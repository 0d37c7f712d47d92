package pwserver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"rove/driver/backend"
	"rove/internal/wire"
)

// Screenshot takes a picture.
func (t *Tab) Screenshot(ctx context.Context, opts backend.ScreenshotOptions) ([]byte, error) {
	params := object{"caret": "initial", "animations": "allow"}
	switch opts.Format {
	case "", "png":
	case "jpeg", "webp":
		params["type"] = opts.Format
		if opts.Quality > 0 {
			params["quality"] = min(opts.Quality, 100)
		}
	default:
		return nil, backend.Fail(backend.KindUnsupported, "picture format "+opts.Format)
	}
	if opts.FullPage || opts.Clip != nil {
		params["fullPage"] = true
	}
	if c := opts.Clip; c != nil {
		params["clip"] = object{"x": c.X, "y": c.Y, "width": c.Width, "height": c.Height}
	}
	var r struct {
		Binary []byte `json:"binary"`
	}
	if err := t.ask(ctx, t.guid, "screenshot", params, &r); err != nil {
		return nil, err
	}
	return r.Binary, nil
}

// PDF prints the page, which Chromium alone can.
func (t *Tab) PDF(ctx context.Context, opts backend.PDFOptions) ([]byte, error) {
	if t.browser.name != "chromium" {
		return nil, backend.Fail(backend.KindUnsupported, "pdf with "+t.browser.name+" on a Playwright server; with its chromium it works")
	}
	inches := func(n float64) string { return fmt.Sprintf("%gin", n) }
	params := object{"printBackground": opts.Background, "landscape": opts.Landscape, "preferCSSPageSize": opts.PreferCSS}
	if opts.Scale > 0 {
		params["scale"] = opts.Scale
	}
	if opts.Width > 0 && opts.Height > 0 {
		params["width"], params["height"] = inches(opts.Width), inches(opts.Height)
	}
	if m := opts.Margin; m != nil {
		params["margin"] = object{"top": inches(m.Top), "right": inches(m.Right), "bottom": inches(m.Bottom), "left": inches(m.Left)}
	} else {
		params["margin"] = object{"top": "0.4in", "right": "0.4in", "bottom": "0.4in", "left": "0.4in"} // as browsers have it
	}
	if opts.Pages != "" {
		params["pageRanges"] = opts.Pages
	}
	if opts.Header != "" || opts.Footer != "" {
		// Without a text of its own a browser writes one there.
		params["displayHeaderFooter"], params["headerTemplate"], params["footerTemplate"] = true, orSpace(opts.Header), orSpace(opts.Footer)
	}
	var r struct {
		PDF []byte `json:"pdf"`
	}
	if err := t.ask(ctx, t.guid, "pdf", params, &r); err != nil {
		return nil, err
	}
	return r.PDF, nil
}

func orSpace(text string) string {
	if text == "" {
		return "<span></span>"
	}
	return text
}

// film is a screencast under way.
type film struct {
	mu      sync.Mutex // held while fn is called
	fn      func(backend.Picture)
	ended   bool
	waiting chan picture
}

type picture struct {
	ID     int     `json:"frameId"`
	Data   []byte  `json:"data"`
	Time   float64 `json:"timestamp"`
	Width  int     `json:"viewportWidth"`
	Height int     `json:"viewportHeight"`
}

var _ backend.Screencaster = (*Tab)(nil)

// Screencast has fn called with a picture of the tab whenever it looks different.
func (t *Tab) Screencast(ctx context.Context, opts backend.ScreencastOptions, fn func(backend.Picture)) (stop func(), err error) {
	if opts.Format != "" && opts.Format != "jpeg" {
		return nil, backend.Fail(backend.KindUnsupported, "a screencast of "+opts.Format+" pictures on a Playwright server; jpeg works")
	}
	f := &film{fn: fn, waiting: make(chan picture, 16)}
	t.Mu.Lock()
	busy := t.film != nil
	if !busy {
		t.film = f
	}
	t.Mu.Unlock()
	if busy {
		return nil, backend.Fail(backend.KindProtocol, "the tab is filmed already")
	}
	params := object{"sendFrames": true}
	if opts.Quality > 0 {
		params["quality"] = opts.Quality
	}
	if opts.MaxWidth > 0 && opts.MaxHeight > 0 {
		params["size"] = object{"width": opts.MaxWidth, "height": opts.MaxHeight}
	}
	if err := t.ask(ctx, t.guid, "screencastStart", params, nil); err != nil {
		t.Mu.Lock()
		t.film = nil
		t.Mu.Unlock()
		return nil, err
	}
	go t.show(f)
	return sync.OnceFunc(func() {
		f.mu.Lock()
		f.ended = true
		f.mu.Unlock()
		t.Mu.Lock()
		t.film = nil
		t.Mu.Unlock()
		close(f.waiting)
		t.start(command{t.guid, "screencastStop", nil})
	}), nil
}

// show hands pictures over, and says for each that the next may come.
func (t *Tab) show(f *film) {
	for {
		select {
		case p, ok := <-f.waiting:
			if !ok {
				return
			}
			f.mu.Lock()
			if !f.ended {
				f.fn(backend.Picture{Data: p.Data, Time: time.UnixMilli(int64(p.Time)), Width: p.Width, Height: p.Height})
			}
			f.mu.Unlock()
			t.start(command{t.guid, "screencastFrameAck", object{"frameId": p.ID}})
		case <-t.Done():
			return
		}
	}
}

// filmed takes a picture that has come.
func (t *Tab) filmed(params raw) {
	var p picture
	if wire.Unmarshal(params, &p) != nil {
		return
	}
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if t.film == nil {
		return
	}
	select {
	case t.film.waiting <- p:
	default: // one is not waited for before it is shown: there are never so many
	}
}
