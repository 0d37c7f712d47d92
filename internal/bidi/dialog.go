package bidi

import (
	"context"
	"fmt"
	"os"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

func (t *Tab) dialogOpened(ev cdp.Event) {
	var e struct {
		Type    string `json:"type"`
		Message string `json:"message"`
		Default string `json:"defaultValue"`
	}
	if ev.Decode(&e) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog != nil || t.err != nil {
		return
	}
	d := backend.Dialog{Type: e.Type, Message: e.Message, Default: e.Default, URL: t.frames[0].url}
	if t.departing {
		// The page is being left: nobody will answer.
		t.left = append(t.left, fmt.Sprintf("a %s dialog, %q", d.Type, d.Message))
		t.browser.root.Start("browsingContext.handleUserPrompt", object{"context": t.id, "accept": d.Type == "beforeunload"})
		return
	}
	t.dialog = &d
	t.shut(&backend.Error{Kind: backend.KindDialog, Text: d.Type + ": " + d.Message, Dialog: &d})
	t.news.Add(backend.DialogOpened{Dialog: d})
}

func (t *Tab) dialogClosed(ev cdp.Event) {
	var e struct {
		Accepted bool `json:"accepted"`
	}
	if ev.Decode(&e) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == nil || t.err != nil {
		return
	}
	t.dialog = nil
	t.gate = anypage.NewGate()
	t.answered.Fire()
	t.news.Add(backend.DialogClosed{Accepted: e.Accepted})
}

// Dialog is the dialog that is open, or nil.
func (t *Tab) Dialog() *backend.Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == nil {
		return nil
	}
	d := *t.dialog
	return &d
}

// AnswerDialog closes the open dialog, and returns when it is closed.
func (t *Tab) AnswerDialog(ctx context.Context, accept bool, text string) error {
	t.mu.Lock()
	if t.dialog == nil {
		t.mu.Unlock()
		return fail(backend.KindProtocol, "no dialog is open")
	}
	closed := t.answered.Next()
	params := object{"context": t.id, "accept": accept}
	if t.dialog.Type == "prompt" {
		params["userText"] = text
	}
	t.mu.Unlock()
	if err := t.browser.root.Call(ctx, "browsingContext.handleUserPrompt", params, nil); err != nil {
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

// chooser is a file chooser that the page has opened; nobody sees it.
type chooser struct {
	frame, element string
	multiple       bool
}

func (t *Tab) chooserOpened(ev cdp.Event) {
	var e struct {
		Context string `json:"context"`
		Element struct {
			SharedID string `json:"sharedId"`
		} `json:"element"`
		Multiple bool `json:"multiple"`
	}
	if ev.Method != "input.fileDialogOpened" || ev.Decode(&e) != nil {
		return
	}
	if e.Element.SharedID != "" {
		t.mu.Lock()
		t.chooser = &chooser{e.Context, e.Element.SharedID, e.Multiple}
		t.mu.Unlock()
	}
	t.news.Add(backend.ChooserOpened{Chooser: backend.Chooser{Multiple: e.Multiple, Declined: e.Element.SharedID == ""}})
}

// Chooser is the file chooser that is open, or nil.
func (t *Tab) Chooser() *backend.Chooser {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.chooser == nil {
		return nil
	}
	return &backend.Chooser{Multiple: t.chooser.multiple}
}

// AnswerChooser gives files to the open file chooser.
func (t *Tab) AnswerChooser(ctx context.Context, paths []string) error {
	t.mu.Lock()
	c := t.chooser
	t.chooser = nil
	t.mu.Unlock()
	if c == nil {
		return fail(backend.KindProtocol, "no file chooser is open")
	}
	return t.do(ctx, "input.setFiles", object{"context": c.frame, "element": object{"sharedId": c.element}, "files": paths})
}

// downloads tells of a file that begins to come, or has come.
func (t *Tab) downloads(what string, ev cdp.Event) {
	var e struct {
		Navigation string `json:"navigation"`
		Download   string `json:"download"`
		URL        string `json:"url"`
		Name       string `json:"suggestedFilename"`
		Status     string `json:"status"`
		Path       string `json:"filepath"`
	}
	if ev.Decode(&e) != nil {
		return
	}
	id := e.Download
	if id == "" {
		id = e.Navigation
	}
	t.mu.Lock()
	n := t.nav.get(e.Navigation)
	if what == "downloadWillBegin" {
		n.download, n.url = e.Name, e.URL
	}
	name := n.download
	t.nav.changed.Fire()
	t.mu.Unlock()
	if what == "downloadWillBegin" {
		t.news.Add(backend.DownloadStarted{ID: id, Name: e.Name, URL: e.URL})
		return
	}
	ended := backend.DownloadEnded{ID: id, Name: name, URL: e.URL, Path: e.Path, Failed: e.Status != "complete" || e.Path == ""}
	go func() { // off the queue: a disk may be slow
		if info, err := os.Stat(ended.Path); err == nil && !ended.Failed {
			ended.Size, ended.Type = info.Size(), anypage.FileType(ended.Name, ended.Path)
		}
		t.news.Tell(ended)
	}()
}
