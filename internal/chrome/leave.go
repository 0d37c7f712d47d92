package chrome

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"rove/driver/backend"
)

// departure is a navigation away from a page that may hang or open dialogs. Where the next
// page shares the old one's process, Chrome waits for the old page's script to end, and
// while it waits the tab takes no other command. So the old page is made to answer first,
// by the gentlest means that works: its dialogs are dismissed, its script is stopped, its
// process is ended.
type departure struct {
	tab  *Tab
	urls []string // where the tab has been

	// Guarded by the tab's lock.
	ended   []string      // what had to be ended
	dialogs int           // how many were dismissed
	killed  chan struct{} // closed when the process that was ended is gone
	commits int
}

// depart begins to leave the page.
func (t *Tab) depart() *departure {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	d := &departure{tab: t, urls: slices.Clone(t.nav.urls), commits: t.nav.commits}
	t.departing = d
	return d
}

func (d *departure) end() {
	d.tab.Mu.Lock()
	defer d.tab.Mu.Unlock()
	if d.tab.departing == d {
		d.tab.departing = nil
	}
}

// showedDialogs says that the page showed dialogs while it was left.
func (d *departure) showedDialogs() bool {
	d.tab.Mu.Lock()
	defer d.tab.Mu.Unlock()
	return d.dialogs > 0
}

// list is what had to be ended.
func (d *departure) list() []string {
	d.tab.Mu.Lock()
	defer d.tab.Mu.Unlock()
	return slices.Clone(d.ended)
}

func (d *departure) note(what string) {
	if !slices.Contains(d.ended, what) && len(d.ended) < 3 {
		d.ended = append(d.ended, what)
	}
}

// dismisses says whether a dialog belongs to a page that is being left. The
// tab's lock is held.
func (d *departure) dismisses(dialog *backend.Dialog) bool {
	if d == nil || d.tab.nav.commits != d.commits {
		return false
	}
	if d.dialogs++; d.dialogs == 1 {
		d.note(describeDialog(dialog))
	}
	return true
}

func describeDialog(d *backend.Dialog) string {
	if d.Message == "" {
		return fmt.Sprintf("a %s dialog", d.Type)
	}
	return fmt.Sprintf("a %s dialog, %q", d.Type, firstRunes(d.Message, 80))
}

func firstRunes(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

const keepsGoing = "a page that keeps going elsewhere"

// wentElsewhere says that the page went somewhere else instead of being left, or
// right after: to where it had been before.
func (d *departure) wentElsewhere() bool {
	t := d.tab
	t.Mu.Lock()
	defer t.Mu.Unlock()
	over := t.nav.loader != "" && t.nav.commits != d.commits && t.tree.main.load.loader != t.nav.loader &&
		(!slices.Contains(t.nav.committed, t.nav.loader) || slices.Contains(d.urls, t.tree.main.url))
	if over {
		d.commits = t.nav.commits
		d.note(keepsGoing)
	}
	return over
}

// killedOnPurpose says that the process was ended on purpose, and notes that it is
// gone. The tab's lock is held.
func (d *departure) killedOnPurpose() bool {
	if d == nil || d.killed == nil {
		return false
	}
	close(d.killed)
	d.killed = nil
	return true
}

// patience is how long a page may take to answer before the next means is used.
func patience(ctx context.Context) time.Duration {
	p := 2 * time.Second
	if deadline, ok := ctx.Deadline(); ok {
		p = min(p, time.Until(deadline)/6)
	}
	return max(p, 300*time.Millisecond)
}

// clear makes the page answer, by the gentlest means that works.
func (d *departure) clear(ctx context.Context) error {
	t := d.tab
	if err := t.isSetUp(ctx); err != nil {
		return err
	}
	wait := patience(ctx)
	t.Mu.Lock()
	if t.nav.sent > t.nav.answered {
		// While it waits for a server a page answers nothing else.
		t.session.Start(page.CommandStopLoading, nil)
	}
	restless := t.nav.restless()
	if restless {
		d.note(keepsGoing)
	}
	t.Mu.Unlock()
	if restless {
		return d.kill(ctx, wait)
	}
	for range dialogTries {
		open := t.Dialog()
		t.Mu.Lock()
		crashed := t.crashed
		if open != nil && d.dialogs == 0 {
			d.dialogs++
			d.note(describeDialog(open))
		}
		t.Mu.Unlock()
		switch {
		case crashed:
			return nil
		case open != nil:
			bound, cancel := context.WithTimeout(ctx, wait)
			_ = t.AnswerDialog(bound, false, "")
			cancel()
			if d.flooded(ctx) {
				return d.kill(ctx, wait)
			}
		}
		if t.answers(ctx, wait) {
			return nil
		}
		if t.Dialog() == nil {
			break // it is no dialog that keeps it
		}
	}
	if err := t.Err(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	d.stopScript()
	if t.answers(ctx, wait) {
		return nil
	}
	return d.kill(ctx, wait)
}

// dialogTries is how many dialogs of other frames' sessions are dismissed one by
// one; those of a page being left are dismissed as they come.
const dialogTries = 3

// nextDialog is how soon after a dialog another one makes a flood.
const nextDialog = 150 * time.Millisecond

// flooded says whether the page opens one dialog after the other: it would open one in the
// middle of the navigation, and stop it.
func (d *departure) flooded(ctx context.Context) bool {
	select {
	case <-time.After(nextDialog):
	case <-ctx.Done():
	}
	d.tab.Mu.Lock()
	defer d.tab.Mu.Unlock()
	return d.dialogs > 1
}

// stopScript ends the script that runs, unless the next page has come already.
func (d *departure) stopScript() {
	t := d.tab
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if t.nav.commits != d.commits {
		return
	}
	if d.dialogs == 0 {
		d.note("a script without end")
	}
	t.session.Start(runtime.CommandTerminateExecution, nil)
}

// answers says whether the page answers in time. A dialog is not an answer.
func (t *Tab) answers(ctx context.Context, wait time.Duration) bool {
	g := t.Gate()
	beat := t.session.Start(runtime.CommandEvaluate, heartbeat)
	select {
	case <-beat.Done():
		return true
	case <-g.Shut:
		t.Mu.Lock()
		defer t.Mu.Unlock()
		return t.crashed
	case <-time.After(wait):
	case <-ctx.Done():
	}
	beat.Forget()
	return false
}

// kill ends the page's process. The tab stays, and so does its history.
func (d *departure) kill(ctx context.Context, wait time.Duration) error {
	t := d.tab
	gone := make(chan struct{})
	t.Mu.Lock()
	d.killed = gone
	t.Mu.Unlock()
	timer := time.NewTimer(max(wait, time.Second))
	defer timer.Stop()
	for tries := t.killTries(); tries > 0; tries-- {
		// It is refused while a navigation is under way.
		refused := t.browser.conn.Start(
			t.session.Command(page.CommandStopLoading, nil),
			t.session.Command(page.CommandCrash, nil))[1]
		select {
		case <-gone:
			return nil
		case <-refused.Done():
			continue
		case <-t.Done():
			return t.Err()
		case <-timer.C:
		case <-ctx.Done():
		}
		break
	}
	t.Mu.Lock()
	d.killed, t.killPending = nil, true
	t.Mu.Unlock()
	return errStuck
}

// late says that a navigation failed because a process ended only now that had been told to
// end before, as when the browser itself stood still.
func (d *departure) late(err error) bool {
	var b *backend.Error
	t := d.tab
	t.Mu.Lock()
	defer t.Mu.Unlock()
	killPending := t.killPending
	t.killPending = false
	return killPending && errors.As(err, &b) && b.Kind == backend.KindCrashed
}

// killTries is how often a process is told to end that has a navigation under
// way, which may come to nothing.
const killTries = 5

// killTries is none for a guest: a process may be one of the person's pages as well.
func (t *Tab) killTries() int {
	if t.browser.guest.on {
		return 0
	}
	return killTries
}

// errStuck is a tab that nothing can be done about but close it.
var errStuck = &backend.Error{Kind: backend.KindBusy, Text: "stuck", Err: context.DeadlineExceeded}

// guard watches a navigation: the old page may hang in a handler of beforeunload or
// pagehide. The context is cancelled when the tab is stuck for good; stop ends the watch
// and returns that error.
func (d *departure) guard(ctx context.Context) (guarded context.Context, stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() {
		err := d.watch(ctx)
		if err != nil {
			cancel()
		}
		done <- err
	}()
	return ctx, func() error {
		cancel()
		return <-done
	}
}

// watch finds out whether the old page blocks the navigation. The page cannot be called
// then, so it is inferred: the request is not sent (a handler of beforeunload runs), or
// the response is there and its document does not come. The time in between is the server's.
func (d *departure) watch(ctx context.Context) error {
	t := d.tab
	hold := max(2*patience(ctx), time.Second)
	timer := time.NewTimer(hold)
	defer timer.Stop()
	t.Mu.Lock()
	sent, answered := t.nav.sent, t.nav.answered
	t.Mu.Unlock()
	seen, stopped := 0, false
	for {
		t.Mu.Lock()
		arrived, changed := t.nav.commits != d.commits, t.nav.changed.Next()
		now := min(t.nav.sent-sent, 1) + min(t.nav.answered-answered, 1)
		t.Mu.Unlock()
		if arrived {
			return nil
		}
		if now != seen {
			seen = now
			timer.Reset(hold)
		}
		select {
		case <-changed:
			continue
		case <-timer.C:
		case <-t.Done():
			return nil
		case <-ctx.Done():
			return nil
		}
		switch {
		case seen == 1: // the server takes its time
		case stopped:
			return errStuck
		default:
			stopped = true
			d.stopScript()
			timer.Reset(hold)
		}
	}
}

// unstick makes a hanging page answer before it is reloaded or left through the history.
// An open dialog is left to the caller.
func (t *Tab) unstick(ctx context.Context) error {
	if t.Dialog() != nil {
		return nil // which enter will tell
	}
	if err := t.isSetUp(ctx); err != nil {
		return err
	}
	if t.answers(ctx, patience(ctx)) {
		return nil
	}
	d := t.depart()
	defer d.end()
	if err := d.clear(ctx); err != nil {
		return err
	}
	for _, what := range d.list() {
		t.News.Tell(backend.PageEnded{What: what})
	}
	return nil
}
