package driver

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"rove/driver/backend"
)

type (
	// ScreencastOptions shape the pictures of a screencast.
	ScreencastOptions = backend.ScreencastOptions
	// Picture is how a tab looked from a moment on.
	Picture = backend.Picture
)

// film is a screencast of whatever tab is the current one.
type film struct {
	moved chan struct{} // another tab is the current one
	end   chan struct{} // closed to end it
	over  chan struct{} // closed when it has ended
}

// Screencast has fn called with a picture of the current tab whenever that looks
// different, and of the next when another becomes the current one: one picture at
// a time, in order. A page that rests gives no pictures. stop ends it and returns
// when fn is called no more; it is not for fn to call. There is one screencast at
// a time.
func (d *Driver) Screencast(ctx context.Context, opts ScreencastOptions, fn func(Picture)) (stop func(), err error) {
	f := &film{moved: make(chan struct{}, 1), end: make(chan struct{}), over: make(chan struct{})}
	d.mu.Lock()
	if d.filmed != nil || d.quit {
		quit := d.quit
		d.mu.Unlock()
		if quit {
			return nil, Explain("screencast", &backend.Error{Kind: backend.KindClosed})
		}
		return nil, &Error{Code: CodeInvalid, Op: "screencast", Message: "one is on already", Hint: "stop that first; a video is one"}
	}
	d.filmed = f
	d.mu.Unlock()
	fn = inOrder(fn)
	first, err := d.Tab().screencast(ctx, opts, fn)
	if err != nil {
		d.mu.Lock()
		d.filmed = nil
		d.mu.Unlock()
		return nil, err
	}
	go d.shoot(f, d.Tab(), first, opts, fn)
	return func() {
		d.mu.Lock()
		if d.filmed == f {
			d.filmed = nil
			close(f.end)
		}
		d.mu.Unlock()
		<-f.over
	}, nil
}

// inOrder calls fn with one picture at a time, and leaves out those that a later one
// has overtaken: the browser encodes several at once.
func inOrder(fn func(Picture)) func(Picture) {
	var mu sync.Mutex
	var last time.Time
	return func(p Picture) {
		mu.Lock()
		defer mu.Unlock()
		if late := last.Sub(p.Time); late > 0 && late < overtaken {
			return
		}
		last = p.Time
		fn(p)
	}
}

// overtaken is more than a picture takes to be encoded. One that is older by more than
// that comes from a clock that was set back.
const overtaken = 5 * time.Second

// shoot films one tab after another.
func (d *Driver) shoot(f *film, t *Tab, stop func(), opts ScreencastOptions, fn func(Picture)) {
	defer close(f.over)
	for {
		gone := t.tab.Done()
		if stop == nil {
			gone = nil // it cannot be filmed; the next may
		}
		select {
		case <-f.end:
			if stop != nil {
				stop()
			}
			return
		case <-gone:
			stop = nil
			select {
			case <-f.end:
				return
			case <-f.moved:
			}
		case <-f.moved:
		}
		next := d.Tab()
		if next == t && stop != nil {
			continue
		}
		if stop != nil {
			stop()
		}
		ctx, cancel := context.WithTimeout(context.Background(), answerTimeout)
		t = next
		stop, _ = t.screencast(ctx, opts, fn)
		cancel()
	}
}

func (t *Tab) screencast(ctx context.Context, opts ScreencastOptions, fn func(Picture)) (func(), error) {
	camera, ok := t.tab.(backend.Screencaster)
	if !ok {
		return nil, t.driver.failed("screencast", &backend.Error{Kind: backend.KindUnsupported, Text: "a screencast"})
	}
	stop, err := camera.Screencast(ctx, opts, fn)
	if err != nil {
		return nil, t.driver.failed("screencast", err)
	}
	return stop, nil
}

// stopRecording ends what films the driver and writes it down, and finishes the
// files.
func (d *Driver) stopRecording(ctx context.Context) error {
	d.mu.Lock()
	videos := slices.Clone(d.videos)
	d.mu.Unlock()
	var errs []error
	for _, v := range videos {
		_, err := v.Stop(ctx)
		errs = append(errs, err)
	}
	d.steps.mu.Lock()
	trace := d.steps.trace
	d.steps.mu.Unlock()
	if trace != nil {
		errs = append(errs, trace.Stop())
	}
	d.mu.Lock()
	if f := d.filmed; f != nil {
		d.filmed = nil
		close(f.end)
	}
	d.mu.Unlock()
	return errors.Join(errs...)
}
