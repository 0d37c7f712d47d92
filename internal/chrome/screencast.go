package chrome

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/page"

	"rove/cdp"
	"rove/driver/backend"
)

var (
	_ backend.Screencaster = (*Tab)(nil)
	_ backend.Named        = (*Context)(nil)
)

// screencast is a tab being filmed. The browser sends a picture and, until that
// is acknowledged, hardly another, so the channel is never long.
type screencast struct {
	pictures chan cdp.Event
	done     chan struct{} // closed when no picture is taken any more
}

// pictureDelay is how many pictures the browser may be ahead: it stops at two or
// three.
const pictureDelay = 16

// Screencast has fn called with a picture whenever the tab looks different.
func (t *Tab) Screencast(ctx context.Context, opts backend.ScreencastOptions, fn func(backend.Picture)) (func(), error) {
	if _, err := t.enter(ctx); err != nil {
		return nil, err
	}
	p := &page.StartScreencastParams{
		Format: page.StartScreencastFormat(opts.Format), Quality: new(int64(opts.Quality)),
		MaxWidth: int64(opts.MaxWidth), MaxHeight: int64(opts.MaxHeight),
		SendLastFrame: new(true), // how the page looks in the end is not to be missed
	}
	switch {
	case p.Format == "":
		p.Format = page.StartScreencastFormatJpeg
	case p.Format != page.StartScreencastFormatJpeg && p.Format != page.StartScreencastFormatPng:
		return nil, fail(backend.KindUnsupported, "a screencast of "+opts.Format+" and not of jpeg or png")
	}
	if opts.Quality == 0 {
		*p.Quality = 80
	}
	s := &screencast{pictures: make(chan cdp.Event, pictureDelay), done: make(chan struct{})}
	t.Mu.Lock()
	if t.filmed != nil {
		t.Mu.Unlock()
		return nil, fail(backend.KindUnsupported, "a second screencast of one tab")
	}
	t.filmed = s
	t.Mu.Unlock()
	end := sync.OnceFunc(func() {
		t.Mu.Lock()
		t.filmed = nil
		t.Mu.Unlock()
		close(s.pictures)
	})
	go func() {
		defer close(s.done)
		for {
			select {
			case ev, more := <-s.pictures:
				if !more {
					return
				}
				t.picture(ev, fn)
			case <-t.Done():
				return
			}
		}
	}()
	if err := t.session.Call(ctx, page.CommandStartScreencast, p, nil); err != nil {
		end()
		<-s.done
		return nil, fault(err)
	}
	return func() {
		end()
		<-s.done
		// Nobody waits for this: the pictures that are on their way go nowhere.
		t.session.Start(page.CommandStopScreencast, nil)
	}, nil
}

// filmedFrame takes a picture from the tab's queue. The lock is held.
func (t *Tab) filmedFrame(ev cdp.Event) {
	if t.filmed == nil {
		return
	}
	select {
	case t.filmed.pictures <- ev:
	default: // it was not acknowledged what came before; the browser sends more
	}
}

// picture hands over a picture and asks for the next.
func (t *Tab) picture(ev cdp.Event, fn func(backend.Picture)) {
	var e struct {
		Data     []byte `json:"data"`
		Session  int64  `json:"sessionId"`
		Metadata struct {
			Width  float64 `json:"deviceWidth"`
			Height float64 `json:"deviceHeight"`
			Time   float64 `json:"timestamp"`
		} `json:"metadata"`
	}
	if ev.Decode(&e) != nil {
		return
	}
	taken := time.Now()
	if e.Metadata.Time > 0 {
		taken = time.UnixMicro(int64(e.Metadata.Time * 1e6))
	}
	fn(backend.Picture{Data: e.Data, Time: taken, Width: int(e.Metadata.Width), Height: int(e.Metadata.Height)})
	ev.Session.Start(page.CommandScreencastFrameAck, &page.ScreencastFrameAckParams{SessionID: e.Session})
}
