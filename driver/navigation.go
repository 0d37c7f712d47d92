package driver

import (
	"context"
	"errors"
	"time"

	"rove/driver/backend"
)

// PageLoadStrategy says how much of a page is waited for.
type PageLoadStrategy string

const (
	PageLoaded          PageLoadStrategy = ""             // the load event
	PageParsed          PageLoadStrategy = "domcontent"   // the document is parsed
	PageAndFramesParsed PageLoadStrategy = "frames"       // so are its frames
	PageNetworkIdle     PageLoadStrategy = "network_idle" // loaded, and nothing has loaded for half a second
)

// SetURL goes to an address as a person would type it and waits for the page.
// The main frame is the current one then. An HTTP status of 400 and above is
// not an error: there is a page. A tab that cannot be got away from gives way to a
// new one.
func (d *Driver) SetURL(ctx context.Context, url string) (err error) {
	ctx, noted := d.begin(ctx, "go", withoutLogin(url), "")
	defer func() { err = noted.end(err) }()
	t := d.Tab()
	d.mu.Lock()
	strategy := d.options.PageLoad
	handled := d.dialogs != nil
	t.frame = ""
	d.mu.Unlock()
	budget := d.budget(pageWait)
	full, err := URL(url)
	if err != nil {
		return err
	}
	start := time.Now()
	op := "go " + withoutLogin(full)
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	until := backend.WaitLoad
	if strategy == PageParsed || strategy == PageAndFramesParsed {
		until = backend.WaitDOMContentLoaded
	}
	how := backend.NavigateOptions{Until: until, Leave: !handled}
	t.beforeLeaving(ctx)
	_, err = t.tab.Navigate(ctx, full, how)
	if IsBusy(err) && how.Leave && !d.guest && ctx.Err() == nil {
		// A dialog that opens at the very moment its page is left keeps the browser
		// from leaving it for good. What can be left is the tab.
		if t, err = d.Abandon(ctx); err == nil {
			_, err = t.tab.Navigate(ctx, full, how)
		}
	}
	if errorIsKind(err, backend.KindDialog) && d.answers(t) {
		// The page opened a dialog while it loaded, and somebody answers it.
		if err = t.dialogOver(ctx, start.Add(budget)); err == nil {
			return d.waitLoaded(ctx, t, strategy, budget-time.Since(start))
		}
	}
	if err != nil {
		return Explain(op, err)
	}
	if strategy == PageAndFramesParsed || strategy == PageNetworkIdle {
		return d.waitLoaded(ctx, t, strategy, budget-time.Since(start))
	}
	return nil
}

func errorIsKind(err error, kind backend.Kind) bool {
	var b *backend.Error
	return errors.As(err, &b) && b.Kind == kind
}

// URL is the address of the page.
func (d *Driver) URL() string { return d.Tab().URL() }

// Title is the page's title.
func (d *Driver) Title(ctx context.Context) (string, error) {
	ctx, cancel := d.within(ctx, scriptWait)
	defer cancel()
	return d.Tab().Title(ctx)
}

// Title is the title of the tab's page.
func (t *Tab) Title(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, t.driver.limit(scriptWait))
	defer cancel()
	var title string
	err := t.retry(ctx, "title", time.Now(), func(ctx context.Context, _ time.Duration) error {
		f, err := t.frameOf("")
		if err != nil {
			return err
		}
		return t.evalOn(ctx, backend.Function{Frame: f.ID}, "document.title", scriptOne, &title)
	})
	if err != nil {
		return "", Explain("title", err)
	}
	return title, nil
}

// WaitForPageLoad waits until the page that is there, or the one that replaces
// it meanwhile, has come as far as the strategy says.
func (d *Driver) WaitForPageLoad(ctx context.Context, strategy PageLoadStrategy, within ...time.Duration) error {
	return d.waitLoaded(ctx, d.Tab(), strategy, d.budget(pageWait, within...))
}

func (d *Driver) waitLoaded(ctx context.Context, t *Tab, strategy PageLoadStrategy, budget time.Duration) (err error) {
	ctx, noted := d.begin(ctx, "wait", "page load", string(strategy))
	defer func() { err = noted.end(err) }()
	start := time.Now()
	deadline := start.Add(budget)
	ready := func(frame backend.FrameID, state string) error {
		var m waitAnswer
		err := t.retry(ctx, "wait", deadline, func(ctx context.Context, left time.Duration) error {
			f, err := t.frameOf(frame)
			if err != nil {
				return nil // a frame that is gone is not waited for
			}
			m = waitAnswer{}
			return t.ask(ctx, f, "meet", map[string]any{"want": "ready", "text": state, "timeout": left.Milliseconds()}, &m)
		})
		if err == nil && m.Code == "timeout" {
			return tooLate("the page to load", t, time.Since(start), m.saw(map[string]any{"want": "ready"}))
		}
		if err != nil {
			return Explain("wait", err)
		}
		return nil
	}
	switch strategy {
	case PageParsed:
		return ready("", "parsed")
	case PageAndFramesParsed:
		if err := ready("", "parsed"); err != nil {
			return err
		}
		for _, f := range t.tab.Frames()[1:] {
			if err := ready(f.ID, "parsed"); err != nil {
				return err
			}
		}
		return nil
	case PageLoaded:
		return ready("", "loaded")
	case PageNetworkIdle:
		if err := ready("", "loaded"); err != nil {
			return err
		}
		return t.idle(ctx, deadline)
	}
	return Invalid("wait", "there is no page load strategy %q", strategy)
}

// travel does an operation of the page that brings another one, and waits for it.
func (d *Driver) travel(ctx context.Context, op string) (err error) {
	ctx, noted := d.begin(ctx, op, "", "")
	defer func() { err = noted.end(err) }()
	t := d.Tab()
	ctx, cancel := context.WithTimeout(ctx, d.budget(pageWait))
	defer cancel()
	t.setFrame("")
	effect, err := t.Do(ctx, WholePage, Op{Name: op, wait: untilFrame})
	if errorIs(err, CodeDialog) && d.answers(t) {
		return t.afterDialog(ctx)
	}
	if err == nil {
		err = effect.NavigationError(op)
	}
	return err
}

// Refresh loads the page again, from the cache where that is allowed.
func (d *Driver) Refresh(ctx context.Context) error { return d.travel(ctx, "refresh") }

// Reload loads the page again, past the cache.
func (d *Driver) Reload(ctx context.Context) error { return d.travel(ctx, "reload") }

// Back goes back in the tab's history.
func (d *Driver) Back(ctx context.Context) error { return d.travel(ctx, "back") }

// Forward goes forward in the tab's history.
func (d *Driver) Forward(ctx context.Context) error { return d.travel(ctx, "forward") }

// Screenshot takes a picture of what is visible of the page, or of all of it.
func (d *Driver) Screenshot(ctx context.Context, opts backend.ScreenshotOptions) ([]byte, error) {
	ctx, cancel := d.within(ctx, sessionWait)
	defer cancel()
	return d.Tab().Screenshot(ctx, opts)
}

// PDF prints the page.
func (d *Driver) PDF(ctx context.Context, opts backend.PDFOptions) ([]byte, error) {
	ctx, cancel := d.within(ctx, sessionWait)
	defer cancel()
	return d.Tab().PDF(ctx, opts)
}
