package pwserver

import (
	"context"
	"fmt"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// dialog is a dialog that is open.
type dialog struct {
	backend.Dialog
	guid     string
	accepted bool
}

// dialogs hands a dialog to its tab.
func (b *Browser) dialogs(method, guid string) {
	var about struct {
		Page    *ref   `json:"page"`
		Type    string `json:"type"`
		Message string `json:"message"`
		Default string `json:"defaultValue"`
	}
	if !b.conn.thing(guid).decode(&about) || about.Page == nil {
		return
	}
	b.mu.Lock()
	t := b.tabs[about.Page.GUID]
	b.mu.Unlock()
	switch {
	case t == nil && method == "dialog":
		b.conn.start(command{guid, "dismiss", nil}) // of a tab that is not there yet
	case t == nil:
	case method == "dialog":
		t.dialogOpened(&dialog{guid: guid, Dialog: backend.Dialog{Type: about.Type, Message: about.Message, Default: about.Default}})
	default:
		t.dialogClosed(guid)
	}
	if t != nil {
		t.news.Flush()
	}
}

func (t *Tab) dialogOpened(d *dialog) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return
	}
	d.URL = t.frames[0].url
	if t.departing {
		// The page is being left: nobody will answer.
		t.left = append(t.left, fmt.Sprintf("a %s dialog, %q", d.Type, d.Message))
		t.browser.conn.start(answer(d, d.Type == "beforeunload", ""))
		return
	}
	t.dialog = d
	t.shut(&backend.Error{Kind: backend.KindDialog, Text: d.Type + ": " + d.Message, Dialog: &d.Dialog})
	t.news.Add(backend.DialogOpened{Dialog: d.Dialog})
}

func (t *Tab) dialogClosed(guid string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == nil || t.dialog.guid != guid || t.err != nil {
		return
	}
	accepted := t.dialog.accepted
	t.dialog = nil
	t.gate = anypage.NewGate()
	t.answered.Fire()
	t.news.Add(backend.DialogClosed{Accepted: accepted})
}

// answer is the message that answers a dialog.
func answer(d *dialog, accept bool, text string) command {
	switch {
	case !accept:
		return command{d.guid, "dismiss", nil}
	case d.Type == "prompt":
		return command{d.guid, "accept", object{"promptText": text}}
	}
	return command{d.guid, "accept", object{}}
}

// Dialog is the dialog that is open, or nil.
func (t *Tab) Dialog() *backend.Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == nil {
		return nil
	}
	d := t.dialog.Dialog
	return &d
}

// AnswerDialog closes the open dialog, and returns when it is closed.
func (t *Tab) AnswerDialog(ctx context.Context, accept bool, text string) error {
	t.mu.Lock()
	d, closed := t.dialog, t.answered.Next()
	if d != nil {
		d.accepted = accept
	}
	t.mu.Unlock()
	if d == nil {
		return fail(backend.KindProtocol, "no dialog is open")
	}
	r := t.browser.conn.start(answer(d, accept, text))[0]
	select {
	case <-closed:
		return nil
	case <-r.done:
	case <-t.done:
		return t.err
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := r.read(nil); err != nil {
		return err
	}
	t.dialogClosed(d.guid) // where the server does not say so
	t.news.Flush()
	return nil
}

// depart begins to leave a page that may not want to be left: dialogs are dismissed.
func (t *Tab) depart(ctx context.Context) error {
	t.mu.Lock()
	t.departing, t.left = true, nil
	open := t.dialog
	if open != nil {
		t.left = append(t.left, fmt.Sprintf("a %s dialog, %q", open.Type, open.Message))
	}
	t.mu.Unlock()
	if open == nil {
		return nil
	}
	return t.AnswerDialog(ctx, open.Type == "beforeunload", "")
}

func (t *Tab) arrived() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.departing = false
}
