package chrome

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"rove/driver/backend"
)

// crashWatch decides whether a navigation is tried again that failed because the old page
// crashed, before the navigation or during it: the browser may give up the navigation then,
// though a crashed page can be left.
type crashWatch struct {
	tab       *Tab
	documents int  // how many the tab had shown
	before    bool // the page had crashed already
	tries     int
}

// crashRetries is how often a navigation is tried again. The browser reports one crash
// twice: as an aborted navigation, and then by name.
const crashRetries = 3

// watchForCrash begins to watch the page that is about to be left.
func (t *Tab) watchForCrash() *crashWatch {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	return &crashWatch{tab: t, documents: t.nav.commits, before: t.crashed}
}

// retries says whether a navigation that failed with err is to be tried again: it failed
// because the old page crashed. A call may fail before the browser reports the crash, and
// a navigation that the crashed page had begun may replace the new one.
func (d *crashWatch) retries(ctx context.Context, err error) bool {
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
		if !d.before && !d.crashed(ctx) {
			return false // aborted by the page or its server, not by a crash
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

// crashed says whether the page's process is gone. The browser aborts a navigation before
// it reports the crash, and answers calls to the page only after that.
func (d *crashWatch) crashed(ctx context.Context) bool {
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
