package driver

import (
	"context"
	"strconv"
	"strings"
	"time"

	"rove/aria"
	"rove/driver/backend"
)

// during watches the tab while something is done to the page as a whole, and
// waits for what that causes.
func (t *Tab) during(ctx context.Context, op string, do func(*action) error) (*Effect, error) {
	frames := t.tab.Frames()
	if len(frames) == 0 {
		return nil, failed(op, &backend.Error{Kind: backend.KindClosed})
	}
	whole := ctx
	ctx, cancel := spare(ctx)
	defer cancel()
	a := &action{ctx: ctx, tab: t, op: op, frame: frames[0], effect: &Effect{}, watch: t.watch()}
	defer a.watch.stop()
	url, open := t.URL(), t.tab.Dialog()
	if op == "dialog" {
		open = nil // it is being answered; another one is news
	}
	t.noted(ctx)
	err := do(a)
	if err == nil {
		err = a.settle()
	}
	a.watch.fill(a.effect, url)
	a.effect.caused(open, err)
	switch {
	case err == nil, a.effect.Dialog != nil && interrupted(err):
	case whole.Err() == nil && gone(t.tab):
		a.effect.Closed = true
	default:
		return nil, t.driver.failed(op, err)
	}
	return a.effect, nil
}

// History goes back (-1) or forward (1) and waits for the page.
func (t *Tab) History(ctx context.Context, delta int) (*Effect, error) {
	op := map[bool]string{true: "back", false: "forward"}[delta < 0]
	return t.during(ctx, op, func(a *action) error {
		moved, err := t.tab.Step(ctx, delta)
		if err != nil {
			return err
		}
		if !moved {
			return &Error{Code: CodeInvalid, Op: op, Message: "there is no page to go " + op + " to", Hint: "go to a URL instead"}
		}
		return a.arrive()
	})
}

// Reload loads the page again and waits for it; hard is past the cache.
func (t *Tab) Reload(ctx context.Context, hard bool) (*Effect, error) {
	return t.during(ctx, "refresh", func(a *action) error {
		if err := t.tab.Reload(ctx, hard); err != nil {
			return err
		}
		return a.arrive()
	})
}

// arrive waits for the navigation that was asked for to show: a new document, or
// a new address of the same one.
func (a *action) arrive() error {
	ctx, cancel := context.WithTimeout(a.ctx, navigateTimeout)
	defer cancel()
	for {
		a.watch.mu.Lock()
		there := a.watch.main || a.watch.url != "" || a.watch.dialog != nil || a.watch.refused != ""
		next := a.watch.changed
		a.watch.mu.Unlock()
		if there {
			a.frame = a.current()
			return nil
		}
		select {
		case <-next:
		case <-a.tab.tab.Done():
			return a.tab.tab.Err()
		case <-ctx.Done():
			return &backend.Error{Kind: backend.KindTimeout, Text: "the page", Err: ctx.Err()}
		}
	}
}

// Press presses keys or chords, wherever the focus is.
func (t *Tab) Press(ctx context.Context, keys string) (*Effect, error) {
	events, err := chords(keys)
	if err != nil {
		return nil, err
	}
	return t.during(ctx, "press "+keys, func(a *action) error {
		if err := a.send(events...); err != nil && !replaced(err) {
			return err
		}
		return nil
	})
}

// Answer accepts or dismisses the open dialog and waits for what comes of it.
func (t *Tab) Answer(ctx context.Context, accept bool, text string) (*Effect, error) {
	if t.tab.Dialog() == nil {
		return nil, &Error{Code: CodeInvalid, Op: "dialog", Message: "no dialog is open", Hint: "look at what is there"}
	}
	return t.during(ctx, "dialog", func(*action) error { return t.tab.AnswerDialog(ctx, accept, text) })
}

// Upload gives files to the file chooser that is open.
func (t *Tab) Upload(ctx context.Context, value string) (*Effect, error) {
	if t.tab.Chooser() == nil {
		return nil, &Error{Code: CodeInvalid, Op: "upload", Message: "no file chooser is open", Hint: "click what opens one, or upload to the ref of a file input"}
	}
	paths, err := t.driver.files("upload", value)
	if err != nil {
		return nil, err
	}
	return t.during(ctx, "upload", func(*action) error { return t.tab.AnswerChooser(ctx, paths) })
}

// Chooser is the file chooser that the page has opened, or nil.
func (t *Tab) Chooser() *backend.Chooser { return t.tab.Chooser() }

// SwitchTab makes another tab the current one: by its number, from 1, or by a
// part of its address.
func (d *Driver) SwitchTab(which string) (*Tab, error) {
	tabs := d.Tabs()
	var found *Tab
	if n, err := strconv.Atoi(which); err == nil {
		if n < 1 || n > len(tabs) {
			return nil, Invalid("tab", "there is no tab %d; there are %d", n, len(tabs))
		}
		found = tabs[n-1]
	} else {
		for _, t := range tabs {
			if which != "" && strings.Contains(t.URL(), which) {
				found = t
				break
			}
		}
	}
	if found == nil {
		return nil, &Error{Code: CodeNotFound, Op: "tab", Message: "no page found matching: " + which, Hint: "say new, close, or the number of a tab"}
	}
	d.mu.Lock()
	d.become(found)
	d.mu.Unlock()
	return found, nil
}

// CloseTab closes the current tab and goes to the one opened last; the last tab
// of all gives way to an empty one.
func (d *Driver) CloseTab(ctx context.Context) error {
	closing := d.Tab()
	if err := closing.Close(ctx); err != nil {
		return err
	}
	return d.reopen(ctx)
}

// Present gives the current tab. Where that is closed it is another one now: the
// one opened last, or a new one; moved says so.
func (d *Driver) Present(ctx context.Context) (tab *Tab, moved bool, err error) {
	if t := d.Tab(); !gone(t.tab) {
		return t, false, nil
	}
	if err := d.reopen(ctx); err != nil {
		return nil, false, err
	}
	return d.Tab(), true, nil
}

// Abandon gives up a tab that nothing can be done about and opens a new one in
// its place.
func (d *Driver) Abandon(ctx context.Context) (*Tab, error) {
	hung := d.Tab()
	tab, err := d.NewTab(ctx)
	if err != nil {
		return nil, err
	}
	go func() {
		bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTimeout)
		defer cancel()
		_ = hung.Close(bound) // it is left behind either way
	}()
	return tab, nil
}

// abandonTimeout bounds the goodbye to a tab that hangs.
const abandonTimeout = 5 * time.Second

// reopen makes sure that there is a current tab after one went away.
func (d *Driver) reopen(ctx context.Context) error {
	if tabs := d.Tabs(); len(tabs) > 0 {
		d.mu.Lock()
		d.become(tabs[len(tabs)-1])
		d.mu.Unlock()
		return nil
	}
	_, err := d.NewTab(ctx)
	return err
}

// PDF prints the page.
func (t *Tab) PDF(ctx context.Context, opts backend.PDFOptions) ([]byte, error) {
	ctx, cancel := bounded(ctx, 0, navigateTimeout)
	defer cancel()
	pdf, err := t.tab.PDF(ctx, opts)
	if err != nil && opts.Pages != "" && strings.Contains(err.Error(), "Page range") {
		return nil, Invalid("pdf", "there are no pages %q; say such as 1-3, 8, up to the last page", opts.Pages)
	}
	if err != nil {
		return nil, t.driver.failed("pdf", err)
	}
	return pdf, nil
}

// SetViewport changes the size of the visible page and waits for what that does
// to it.
func (t *Tab) SetViewport(ctx context.Context, v backend.Viewport) (*Effect, error) {
	if v.Width < 1 || v.Height < 1 || v.Width > 10000 || v.Height > 10000 {
		return nil, Invalid("viewport", "%d×%d: width and height go from 1 to 10,000", v.Width, v.Height)
	}
	return t.during(ctx, "viewport", func(*action) error { return t.tab.SetViewport(ctx, v) })
}

// Resize changes the size of the visible page, in the current tab and in those to
// come.
func (d *Driver) Resize(ctx context.Context, v backend.Viewport) error {
	if _, err := d.Tab().SetViewport(ctx, v); err != nil {
		return err
	}
	if c, ok := d.browser.(interface{ Resize(backend.Viewport) }); ok {
		c.Resize(v)
	}
	return nil
}

// Reading is what can be said of an element at a moment.
type Reading struct {
	Ref     aria.Ref
	Role    string
	Name    string
	Text    string
	Value   *string
	Checked *bool
	Flags   map[string]bool // expanded, selected, pressed where they apply; disabled, visible, focused always
}

// Read reads an element.
func (t *Tab) Read(ctx context.Context, target string) (*Reading, error) {
	op := "read " + target
	frame, ref, locator, err := t.target(op, target)
	if err != nil {
		return nil, err
	}
	a := &action{Action: Action{Target: target}, ctx: ctx, tab: t, op: op, frame: frame}
	v, err := a.ask("read", prepareArg{Ref: ref, Locator: locator})
	if err != nil {
		return nil, failed(op, err)
	}
	r := &Reading{
		Ref: a.refOf(v.Ref), Role: v.Role, Name: v.Name, Value: v.Value, Checked: v.Checked,
		Flags: map[string]bool{"disabled": v.Disabled, "visible": v.Visible, "focused": v.Focused},
	}
	if v.Text != nil {
		r.Text = *v.Text
	}
	for name, flag := range map[string]*bool{"checked": v.Checked, "expanded": v.Expanded, "selected": v.Selected, "pressed": v.Pressed} {
		if flag != nil {
			r.Flags[name] = *flag
		}
	}
	return r, nil
}

// Count counts the elements a locator finds in the page.
func (t *Tab) Count(ctx context.Context, locator string) (int, error) {
	op := "count " + locator
	frame, _, css, err := t.target(op, locator)
	if err != nil {
		return 0, err
	}
	if css == "" {
		return 0, Invalid(op, "count takes a locator, not a ref")
	}
	a := &action{Action: Action{Target: locator}, ctx: ctx, tab: t, op: op, frame: frame}
	v, err := a.ask("read", prepareArg{Locator: css, Counting: true})
	if err != nil {
		return 0, failed(op, err)
	}
	return v.Count, nil
}
