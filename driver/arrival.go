package driver

import (
	"context"
	"slices"
	"time"
)

// dataPatience is how long a page that is loaded may still wait for what its
// scripts asked the server for. Often that is what the page is about; what takes
// longer may be meant to.
const dataPatience = 2 * time.Second

// filled waits until what the page's scripts had asked for when it was loaded has
// come, and is on the page. A page that asked for nothing is waited for no longer.
func (t *Tab) filled(ctx context.Context, w *watcher) {
	deadline := time.Now().Add(dataPatience)
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	for w.asking() {
		w.until(ctx, t.tab.Done(), nil, func() bool { return !w.open() || w.dialog != nil || w.crashed })
		frames := t.tab.Frames()
		if ctx.Err() != nil || len(frames) == 0 || w.stopped() {
			return
		}
		// What it makes of the answer, and asks for next, comes with a frame.
		if _, err := t.call(ctx, frames[0], "settle", prepareArg{Cap: time.Until(deadline).Milliseconds(), Until: "frame"}); err != nil {
			return
		}
	}
}

// saved waits until the file that came in place of a page is all there; patience
// bounds it, where there is some.
func (w *watcher) saved(ctx context.Context, patience time.Duration) {
	if patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	w.until(ctx, w.tab.tab.Done(), nil, func() bool {
		return len(w.files) > 0 && !slices.ContainsFunc(w.files, func(d *Download) bool { return d.Open }) || w.crashed
	})
}

// asking says that scripts of the page have asked for something and not got it.
func (w *watcher) asking() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open()
}

// open is asking, with the lock held.
func (w *watcher) open() bool {
	for _, r := range w.requests {
		if r.awaited() && (r.Type == "XHR" || r.Type == "Fetch") {
			return true
		}
	}
	return false
}
