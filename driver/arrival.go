package driver

import (
	"context"
	"slices"
	"strings"
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

// longestPause bounds that where the machine is busy.
const longestPause = 3 * time.Second

// freshness is how long an answer may have been there that the page has not read.
const freshness = 100 * time.Millisecond

// awaitFilled waits until what the page's scripts had asked for when it was loaded has
// come, and is on the page: for as long as one thing after the other comes, at most for
// the time given. loading says that the page was still getting on when that was over, and
// urls what it was about to get; else they are what the server has not answered for long.
// A page that asked for nothing is waited for no longer, but for what its workers do.
func (t *Tab) awaitFilled(ctx context.Context, w *watcher, patience time.Duration) (loading bool, urls []string) {
	whole, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		loading, urls = t.awaitFetched(ctx, whole, w, patience)
		frames := t.tab.Frames()
		if loading || urls != nil || len(frames) == 0 || w.stopped() || gone(t.tab) || !t.worked(whole, frames[0]) || !w.asking() {
			return loading, urls
		}
	}
}

// awaitFetched is awaitFilled without the workers; whole ends when patience does.
func (t *Tab) awaitFetched(ctx, whole context.Context, w *watcher, patience time.Duration) (loading bool, urls []string) {
	read := time.Now().Add(-freshness)
	// Where the page cannot tell whether it has read an answer, once is not enough to see that
	// nothing follows: on a busy machine it may have its turn only after it was asked.
	again := false
	for asked := 0; w.asking() || w.answered(read) || again && asked < 2; {
		came := w.endedCount()
		next, cancel := context.WithTimeout(whole, dataPatience)
		w.until(next, t.tab.Done(), nil, func() bool { return !w.open() || w.over() != came || w.dialog != nil || w.crashed })
		late := next.Err() != nil
		cancel()
		if whole.Err() != nil && ctx.Err() == nil && !w.stopped() {
			return true, w.awaits()
		}
		frames := t.tab.Frames()
		if late && len(frames) > 0 && !w.stopped() && !gone(t.tab) {
			return false, w.unanswered()
		}
		if late || len(frames) == 0 || w.stopped() || gone(t.tab) {
			return false, nil
		}
		if w.asking() {
			asked = 0
			continue
		}
		// What it makes of the answer, and asks for next.
		read = time.Now()
		left := min(dataPatience, patience)
		v, err := t.call(ctx, frames[0], "settle", prepareArg{Cap: left.Milliseconds(), Until: "stage", Answers: w.answers(frames[0].ID)})
		if err != nil {
			return false, nil
		}
		again = !v.Sure && !v.Waits
		asked++
		if v.Waits {
			asked = 0
			t.pause(whole, w, frames[0])
			if whole.Err() != nil && ctx.Err() == nil {
				return true, w.awaits()
			}
		}
	}
	return false, nil
}

// firstSight is how long an application whose scripts are there may take to show anything.
const firstSight = 4 * time.Second

// WaitContent waits until an application has shown itself whose page was nothing but a shell,
// and says whether it has: what it shows may come over a connection that is no request.
// A page that loads no scripts is not waited for.
func (t *Tab) WaitContent(ctx context.Context) bool {
	frames := t.tab.Frames()
	if len(frames) == 0 || t.tab.Dialog() != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 3*firstSight)
	defer cancel()
	w := t.watch()
	defer w.stop()
	v, err := t.call(ctx, frames[0], "settle", prepareArg{Cap: firstSight.Milliseconds(), Until: "content"})
	if err != nil || v.Changes == 0 {
		return false
	}
	t.awaitFilled(ctx, w, firstSight) // what its parts have asked for since
	return true
}

// pause waits until timers of the page that are due within stagePause have had their
// turn, or a script has asked for something.
func (t *Tab) pause(ctx context.Context, w *watcher, frame backend.Frame) {
	ctx, cancel := context.WithTimeout(ctx, longestPause)
	defer cancel()
	passed := make(chan struct{})
	go func() {
		defer close(passed)
		_, _ = t.call(ctx, frame, "settle", prepareArg{Cap: stagePause.Milliseconds(), Until: "pause"})
	}()
	w.until(ctx, t.tab.Done(), passed, func() bool { return w.open() || w.dialog != nil || w.crashed })
}

// answered says that a script has got an answer since.
func (w *watcher) answered(since time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.order, func(r *Request) bool { return r.byScript() && !r.Open && !r.left && r.ended.After(since) })
}

// answers are how many a document's scripts have got of the addresses that they asked for last.
func (w *watcher) answers(frame backend.FrameID) map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	counts := map[string]int{}
	for _, r := range slices.Backward(w.order) {
		if !r.byScript() || r.frame != frame || r.Status == 0 || r.Open || r.left || !strings.HasPrefix(r.URL, "http") {
			continue
		}
		if _, known := counts[r.URL]; known || len(counts) < mostAnswers {
			counts[r.URL]++
		}
	}
	return counts
}

// mostAnswers bounds the addresses that a page is asked about.
const mostAnswers = 20

// endedCount is how many requests have ended, and over the same with the lock held.
func (w *watcher) endedCount() int {
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

// awaits names what the page is about to load; between two stages, what it has loaded last.
func (w *watcher) awaits() (urls []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := ""
	for _, r := range w.order {
		if r.asked() {
			urls = append(urls, r.URL)
		} else if r.byScript() {
			last = r.URL
		}
	}
	if urls == nil && last != "" {
		urls = []string{last}
	}
	return urls
}

// unanswered names what the server has said nothing to.
func (w *watcher) unanswered() (urls []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.order {
		if r.asked() && r.Status == 0 && !strings.HasPrefix(r.URL, "blob:") && !strings.HasPrefix(r.URL, "data:") {
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
		return len(w.files) > 0 && !slices.ContainsFunc(w.downloads(), func(d Download) bool { return d.Open }) || w.crashed
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
	return slices.ContainsFunc(w.order, func(r *Request) bool { return r.asked() })
}

// asked says that a request is one that a page makes to fill itself, and is not over.
func (r *Request) asked() bool { return r.awaited() && (r.byScript() || r.Type == backend.TypeScript) }

// byScript says that a script asked for it.
func (r *Request) byScript() bool { return r.Type == backend.TypeXHR || r.Type == backend.TypeFetch }
