package driver

import (
	"context"
	"slices"
	"time"

	"rove/driver/backend"
)

// dataPatience is how long a page that is loaded may still wait for the next of what
// its scripts asked the server for. Often that is what the page is about; what takes
// longer may be meant to.
const dataPatience = 2 * time.Second

// stagePause is how long a page may take from one answer to what it asks for next, where
// it has set a timer.
const stagePause = 300 * time.Millisecond

// filled waits until what the page's scripts had asked for when it was loaded has
// come, and is on the page: for as long as one thing after the other comes, at most for
// the time given. It answers with what the page was still about to load when that was
// over. A page that asked for nothing is waited for no longer.
func (t *Tab) filled(ctx context.Context, w *watcher, patience time.Duration) []string {
	whole, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for w.asking() {
		came := w.come()
		next, cancel := context.WithTimeout(whole, dataPatience)
		w.until(next, t.tab.Done(), nil, func() bool { return !w.open() || w.over() != came || w.dialog != nil || w.crashed })
		late := next.Err() != nil
		cancel()
		if whole.Err() != nil && ctx.Err() == nil && !w.stopped() {
			return w.awaits()
		}
		frames := t.tab.Frames()
		if late || len(frames) == 0 || w.stopped() || gone(t.tab) {
			return nil
		}
		if w.asking() {
			continue
		}
		// What it makes of the answer, and asks for next.
		left := min(dataPatience, patience)
		v, err := t.call(ctx, frames[0], "settle", prepareArg{Cap: left.Milliseconds(), Until: "answer"})
		if err != nil {
			return nil
		}
		if v.Waits {
			next, cancel := context.WithTimeout(whole, stagePause)
			w.until(next, t.tab.Done(), nil, func() bool { return w.open() || w.dialog != nil || w.crashed })
			cancel()
		}
	}
	return nil
}

// come is how many requests have ended, and over the same with the lock held.
func (w *watcher) come() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over()
}

func (w *watcher) over() (n int) {
	for _, r := range w.order {
		if !r.Open {
			n++
		}
	}
	return n
}

// awaits names what the page is about to load.
func (w *watcher) awaits() (urls []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.order {
		if r.asked() {
			urls = append(urls, r.URL)
		}
	}
	return urls
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
		if r.asked() {
			return true
		}
	}
	return false
}

// asked says that a request is one that a page makes to fill itself, and is not over.
func (r *Request) asked() bool {
	return r.awaited() && (r.Type == backend.TypeXHR || r.Type == backend.TypeFetch || r.Type == backend.TypeScript)
}
