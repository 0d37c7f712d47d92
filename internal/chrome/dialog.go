package chrome

import (
	"context"

	"github.com/chromedp/cdproto/page"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// dialog is an open JavaScript dialog, and the session that answers it.
type dialog struct {
	backend.Dialog
	session *cdp.Session
	closed  anypage.Signal
}

// dialogOpened may come from several sessions of the tab: the first counts.
func (t *Tab) dialogOpened(l *link, e *page.EventJavascriptDialogOpening) {
	t.mu.Lock()
	if t.dialog == nil && t.err == nil {
		d := backend.Dialog{Type: string(e.Type), Message: e.Message, Default: e.DefaultPrompt, URL: e.URL}
		if t.departing.dismisses(&d) {
			// The page is being left: nobody will answer.
			l.session.Start(page.CommandHandleJavaScriptDialog,
				&page.HandleJavaScriptDialogParams{Accept: d.Type == "beforeunload"})
			t.mu.Unlock()
			return
		}
		t.dialog = &dialog{Dialog: d, session: l.session}
		t.shut(&backend.Error{Kind: backend.KindDialog, Text: d.Type + ": " + d.Message, Dialog: &d})
		t.news.Add(backend.DialogOpened{Dialog: d})
	}
	t.mu.Unlock()
	t.news.Flush()
}

func (t *Tab) dialogClosed(l *link, e *page.EventJavascriptDialogClosed) {
	t.mu.Lock()
	if d := t.dialog; d != nil && d.session == l.session && t.err == nil {
		t.dialog = nil
		t.gate = anypage.NewGate()
		d.closed.Fire()
		t.news.Add(backend.DialogClosed{Accepted: e.Result})
	}
	t.mu.Unlock()
	t.news.Flush()
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
	d := t.dialog
	if d == nil {
		t.mu.Unlock()
		return fail(backend.KindProtocol, "no dialog is open")
	}
	closed := d.closed.Next()
	t.mu.Unlock()

	err := d.session.Call(ctx, page.CommandHandleJavaScriptDialog,
		&page.HandleJavaScriptDialogParams{Accept: accept, PromptText: text}, nil)
	if err != nil {
		return fault(err)
	}
	select {
	case <-closed:
		return nil
	case <-t.done:
		return t.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
