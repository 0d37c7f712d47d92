package backend

import (
	"context"
	"time"
)

// Screencaster is a Tab that can be filmed. Not every backend's can.
type Screencaster interface {
	// Screencast has fn called with a picture of the tab whenever it looks
	// different, one at a time and in order, until stop is called or the tab is
	// gone; fn is not called after stop has returned. The next picture comes when
	// fn is done with one, so a slow one misses some and holds up nobody. A tab
	// is filmed once at a time.
	Screencast(ctx context.Context, opts ScreencastOptions, fn func(Picture)) (stop func(), err error)
}

// ScreencastOptions shape the pictures of a screencast.
type ScreencastOptions struct {
	Format    string // jpeg (default) or png
	Quality   int    // jpeg: 1 to 100; 0 means 80
	MaxWidth  int    // larger pages are made smaller; 0 is no bound
	MaxHeight int
}

// Picture is how a tab looked from a moment on.
type Picture struct {
	Data   []byte // as ScreencastOptions.Format says
	Time   time.Time
	Width  int // of the page, in CSS pixels
	Height int
}

// Named is a Context that says which backend it is of: "chrome", "webdriver".
type Named interface{ Backend() string }
