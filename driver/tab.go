package driver

import (
	"context"
	"sync/atomic"
	"time"

	"rove/driver/advice"
	"rove/driver/backend"
)

// What the calls of a Tab may take where their context has no deadline.
const (
	navigateTimeout = 30 * time.Second
	snapshotTimeout = 20 * time.Second
	scriptTimeout   = 15 * time.Second
	scanTimeout     = 2 * time.Second // for what a look can do without
)

// Tab is a page in a window of its own.
//
// Its calls take the time that their context gives them. Where that has no
// deadline they have limits of their own, so that every call ends: 30 s for a
// navigation or a wait, 20 s for a snapshot or a picture, 15 s for a script. The
// Timeouts of the driver are for the driver's own calls.
type Tab struct {
	driver *Driver
	tab    backend.Tab
	frame  backend.FrameID // the current one, "" the main one; guarded by driver.mu
	news   news
	// attended: the driver answers its dialogs; guarded by driver.mu
	attended    bool
	opener      *Tab                          // whose popup it is, or nil; guarded by driver.mu
	pointer     atomic.Pointer[backend.Point] // where a click or hover left it, or nil
	used        atomic.Pointer[usedFrame]     // where something was done last, or nil
	editorReady atomic.Pointer[time.Time]     // when an editor will have taken note of its selection, or nil
	scripted    atomic.Bool                   // a script of the caller's may have set cookies
	covered     atomic.Bool                   // the browser shows something of its own over the page
	unanswered  atomic.Int32                  // how often in a row a server had no answer to what the page said over a socket
	// what was told last of the page without a dialog over it, and whether another document has come since
	lastAnswer atomic.Pointer[lastAnswer]
	renewed    atomic.Bool
	// how workers were when nobody waited for them any more, how often in a row they had run by the next call, and how often nothing
	// came of what they did
	workersAtRest   atomic.Pointer[map[string]float64]
	restlessWorkers atomic.Int32
	vainWorkerWaits atomic.Int32
}

// NavigateOptions shape a navigation; the zero value waits for the load event.
type NavigateOptions struct {
	Until   backend.WaitUntil
	Timeout time.Duration // 0: 30 s, or the context's own deadline
	// Patience bounds the wait once the document is there; 0 is no bound. A page
	// that loads on then is no error: Navigation.Loading says so. With it a page is
	// also given the time to get what its scripts ask for.
	Patience time.Duration
	// Leave gets away from a page that does not want to be left: its dialogs
	// are dismissed, a beforeunload accepted, a script without end stopped.
	Leave bool
}

// Navigation is what came of a navigation.
type Navigation struct {
	backend.Navigation
	File *Download // the URL gave a file, not a page
	// Awaits are the addresses that a loaded page was still getting, one after the other,
	// when patience ended.
	Awaits []string
	// Unanswered are the addresses that its scripts had asked for and the server had
	// said nothing to for long: it may not be going to.
	Unanswered []string
}

// Navigate goes to a URL as a person would type it and waits for the page, or
// for the file if it gives one. An HTTP status of 400 and above is not an error:
// there is a page to look at.
func (t *Tab) Navigate(ctx context.Context, url string, opts NavigateOptions) (*Navigation, error) {
	full, err := URL(url)
	if err != nil {
		return nil, err
	}
	ctx, cancel := bounded(ctx, opts.Timeout, navigateTimeout)
	defer cancel()
	if opts.Patience > 0 {
		var done context.CancelFunc
		ctx, done = endEarly(ctx)
		defer done()
	}
	w := t.watch()
	defer w.stop()
	t.beforeLeaving(ctx)
	if t.covered.Swap(false) {
		// What the browser asks its user stays while the tab is at the same site.
		_, _ = t.tab.Navigate(ctx, "about:blank", backend.NavigateOptions{Leave: opts.Leave})
	}
	came, err := t.tab.Navigate(ctx, full, backend.NavigateOptions{
		Until: opts.Until, Patience: opts.Patience, Leave: opts.Leave,
	})
	if err != nil {
		return nil, Explain("go "+withoutLogin(full), err)
	}
	nav := &Navigation{Navigation: *came}
	if nav.Download != "" {
		w.saved(ctx, opts.Patience)
		var e Effect
		w.fill(&e, "")
		if len(e.Downloads) > 0 {
			nav.File = &e.Downloads[0]
		}
	}
	if opts.Patience > 0 && !nav.Loading {
		loading, urls := t.awaitFilled(ctx, w, opts.Patience)
		if nav.Loading = loading; loading {
			nav.Awaits = urls
		} else {
			nav.Unanswered = urls
		}
	}
	return nav, nil
}

// ID is the browser's own name for the tab.
func (t *Tab) ID() string { return t.tab.ID() }

// URL is the address of the tab's main frame.
func (t *Tab) URL() string { return address(t.tab) }

// address is where a tab is.
func address(t backend.Tab) string {
	if frames := t.Frames(); len(frames) > 0 {
		return frames[0].URL
	}
	return ""
}

// Frames lists the tab's frames: the main frame first, parents before children.
func (t *Tab) Frames() []backend.Frame { return t.tab.Frames() }

// Dialog is the JavaScript dialog that is open, or nil.
func (t *Tab) Dialog() *backend.Dialog { return t.tab.Dialog() }

// AnswerDialog accepts or dismisses the open dialog; text is for a prompt.
func (t *Tab) AnswerDialog(ctx context.Context, accept bool, text string) error {
	ctx, cancel := bounded(ctx, 0, scriptTimeout)
	defer cancel()
	if t.tab.Dialog() == nil {
		return (&Error{Code: CodeInvalid, Op: "dialog", Message: "no dialog is open"}).Advise(advice.LookThere)
	}
	if err := t.tab.AnswerDialog(ctx, accept, text); err != nil {
		return t.driver.failed("dialog", err)
	}
	return nil
}

// Screenshot takes a picture of the page.
func (t *Tab) Screenshot(ctx context.Context, opts backend.ScreenshotOptions) ([]byte, error) {
	ctx, cancel := bounded(ctx, 0, snapshotTimeout)
	defer cancel()
	img, err := t.tab.Screenshot(ctx, opts)
	if err != nil {
		return nil, t.driver.failed("screenshot", err)
	}
	return img, nil
}

// Raw is the way to the browser's own protocol, for what the driver does not offer: it
// is for the package of that protocol, as in cdp.Of(tab). Nil where there is none.
func (t *Tab) Raw() any {
	if raw, ok := t.tab.(backend.Raw); ok {
		return raw.Raw()
	}
	return nil
}

// Close closes the tab.
func (t *Tab) Close(ctx context.Context) error {
	if err := t.tab.Close(ctx); err != nil {
		return Explain("close tab", err)
	}
	return nil
}

// bounded gives a call of a Tab an end: the timeout asked for, or the context's
// deadline where that is sooner; else the context's deadline, be it later than the
// default; else the default. A deadline is how those above say how long they are
// ready to wait, such as a driver by its Timeouts, or a person by --timeout.
func bounded(ctx context.Context, timeout, fallback time.Duration) (context.Context, context.CancelFunc) {
	if timeout > 0 {
		return context.WithTimeout(ctx, timeout)
	}
	if _, has := ctx.Deadline(); has {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, fallback)
}

// endEarly ends a little before a context does, so that there is time left to say
// what was seen.
func endEarly(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-min(time.Until(deadline)/4, maxSpare)))
}

const maxSpare = 2 * time.Second
