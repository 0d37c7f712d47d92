package driver

import (
	"context"
	"time"

	"rove/driver/backend"
)

// Dialog is an alert, confirm, prompt or beforeunload that a page shows.
type Dialog struct {
	backend.Dialog
	tab *Tab
}

// Accept presses OK; text is what a prompt is given.
func (g *Dialog) Accept(ctx context.Context, text string) error {
	return g.tab.AnswerDialog(ctx, true, text)
}

// Dismiss presses Cancel.
func (g *Dialog) Dismiss(ctx context.Context) error { return g.tab.AnswerDialog(ctx, false, "") }

// OnDialog has a function called for every dialog of the driver's tabs, in a
// goroutine of its own. What it leaves open stays open. nil ends that.
//
// Without a handler a dialog stays open and readable, and what is asked of the
// page meanwhile fails and says so.
func (d *Driver) OnDialog(handler func(*Dialog)) {
	d.mu.Lock()
	d.dialogs = handler
	d.mu.Unlock()
	for _, t := range d.Tabs() {
		d.attend(t)
	}
}

// answers says whether somebody answers the dialog that is open in a tab, or has
// done so just now.
func (d *Driver) answers(t *Tab) bool {
	open := t.tab.Dialog()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dialogs != nil || d.unloads && (open == nil || open.Type == "beforeunload")
}

// attend has the dialogs of a tab, and of those it opens, answered.
func (d *Driver) attend(t *Tab) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t.attended = t.attended || d.dialogs != nil || d.unloads
}

// dialogOpened answers a dialog, where somebody does.
func (d *Driver) dialogOpened(t *Tab, open backend.Dialog) {
	d.mu.Lock()
	handler, attended := d.dialogs, t.attended
	d.mu.Unlock()
	switch {
	case !attended:
	case handler != nil:
		go handler(&Dialog{Dialog: open, tab: t})
	case open.Type == "beforeunload":
		go func() { _ = t.AnswerDialog(context.Background(), true, "") }()
	}
}

// OpenDialog is the dialog that is open, or nil.
func (d *Driver) OpenDialog() *Dialog {
	t := d.Tab()
	if open := t.Dialog(); open != nil {
		return &Dialog{Dialog: *open, tab: t}
	}
	return nil
}

// DialogText is the message of the dialog that is open; ok is false where there
// is none.
func (d *Driver) DialogText() (text string, ok bool) {
	if g := d.Tab().Dialog(); g != nil {
		return g.Message, true
	}
	return "", false
}

// Dialog accepts or dismisses the dialog that is open; text is for a prompt.
// It waits for what comes of that.
func (d *Driver) Dialog(ctx context.Context, accept bool, text string) (err error) {
	ctx, noted := d.begin(ctx, "dialog", map[bool]string{true: "accept", false: "dismiss"}[accept], text)
	defer func() { err = noted.end(err) }()
	ctx, cancel := d.within(ctx, pageWait)
	defer cancel()
	_, err = d.Tab().Answer(ctx, accept, text)
	return err
}

// dialogOver waits until no dialog is open.
func (t *Tab) dialogOver(ctx context.Context, deadline time.Time) error {
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	for t.tab.Dialog() != nil {
		if err := t.nextEvent(ctx, eventPause); err != nil {
			return Explain("dialog", err)
		}
	}
	return nil
}

// afterDialog waits until a dialog that an action opened is answered, and for
// what the action does then.
func (t *Tab) afterDialog(ctx context.Context) error {
	if err := t.dialogOver(ctx, time.Now().Add(t.driver.limit(scriptWait))); err != nil {
		return err
	}
	_, err := t.page(ctx, Op{Name: "dialog", wait: untilFrame}, func(*action) error { return nil })
	if errorIs(err, CodeDialog) {
		return nil // and it opened the next one
	}
	return err
}
