package chrome

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"rove/driver/backend"
)

// crashWatch is for a page that may be dead when it is left, or die while it is: that is
// no reason not to leave it, and yet the browser may give up the navigation.
type crashWatch struct {
	tab       *Tab
	documents int  // how many there were
	before    bool // it was dead from the start
	tries     int
}

// crashRetries is how often a navigation is tried again. A page dies once and the
// browser tells of it twice: by what it gives up, and then by name.
const crashRetries = 3

// watchForCrash begins to watch the page that is left.
func (t *Tab) watchForCrash() *crashWatch {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	return &crashWatch{tab: t, documents: t.nav.commits, before: t.crashed}
}

// during says that a navigation failed because of how the page ended that is left,
// and is to be tried again: a call may fail of a death before the browser tells of
// it, and what a dead page had begun may take the new page's place.
func (d *crashWatch) during(ctx context.Context, err error) bool {
	var b *backend.Error
	if d.tries == crashRetries || !errors.As(err, &b) {
		return false
	}
	switch {
	case b.Kind == backend.KindCrashed:
		if d.tab.documents() != d.documents {
			return false // the new page died
		}
	case b.Kind == backend.KindNavigation && b.Text == aborted:
		if !d.before && !d.told(ctx) {
			return false // the page, or its server, wants it so
		}
	default:
		return false
	}
	d.tries++
	if d.tries > 1 {
		// Whatever is in the way takes its time.
		select {
		case <-time.After(time.Duration(d.tries) * 100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// told says that the page's process is gone. The browser gives up what a page was to
// become before it tells of its end, and answers what the page is asked after that.
func (d *crashWatch) told(ctx context.Context) bool {
	t := d.tab
	g := t.Gate()
	t.Mu.Lock()
	crashed, left := t.crashed, t.nav.commits != d.documents
	t.Mu.Unlock()
	if crashed || left {
		return crashed
	}
	ctx, cancel := context.WithTimeout(ctx, patience(ctx))
	defer cancel()
	var b *backend.Error
	err := t.await(ctx, g, t.session.Start(runtime.CommandEvaluate, heartbeat), nil)
	return errors.As(err, &b) && b.Kind == backend.KindCrashed
}
