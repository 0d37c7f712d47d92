package bidi

import (
	"cmp"
	"context"

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
	t.Mu.Lock()
	url := t.List[0].URL
	t.Mu.Unlock()
	accept, taken := t.DialogOpened(&anypage.Prompt{
		Dialog: backend.Dialog{Type: e.Type, Message: e.Message, Default: e.Default, URL: url},
		Answer: func(ctx context.Context, accept bool, text string) error {
			params := object{"context": t.id, "accept": accept}
			if e.Type == "prompt" {
				params["userText"] = text
			}
			return fault(t.browser.root.Call(ctx, "browsingContext.handleUserPrompt", params, nil))
		},
	})
	if !taken {
		t.browser.root.Start("browsingContext.handleUserPrompt", object{"context": t.id, "accept": accept})
	}
}

func (t *Tab) dialogClosed(ev cdp.Event) {
	var e struct {
		Accepted bool `json:"accepted"`
	}
	if ev.Decode(&e) == nil {
		t.DialogClosed(nil, &e.Accepted)
	}
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
	var give func(context.Context, []string) error
	if e.Element.SharedID != "" {
		give = func(ctx context.Context, paths []string) error {
			return t.do(ctx, "input.setFiles", object{"context": e.Context, "element": object{"sharedId": e.Element.SharedID}, "files": paths})
		}
	}
	t.Mu.Lock()
	defer t.Mu.Unlock()
	t.ChooserOpened(backend.Chooser{Multiple: e.Multiple, Frame: backend.FrameID(e.Context)}, give)
}

// downloads tells of a file that begins to come, or has come.
func (t *Tab) downloads(what string, ev cdp.Event) {
	var e struct {
		Context    backend.FrameID `json:"context"`
		Navigation string          `json:"navigation"`
		Download   string          `json:"download"`
		URL        string          `json:"url"`
		Name       string          `json:"suggestedFilename"`
		Status     string          `json:"status"`
		Path       string          `json:"filepath"`
	}
	if ev.Decode(&e) != nil {
		return
	}
	id := cmp.Or(e.Download, e.Navigation)
	t.Mu.Lock()
	n := t.nav.get(e.Navigation)
	if what == "downloadWillBegin" {
		n.download, n.url = e.Name, e.URL
	}
	name := n.download
	t.nav.changed.Fire()
	t.Mu.Unlock()
	if what == "downloadWillBegin" {
		t.News.Add(backend.DownloadStarted{ID: id, Name: e.Name, URL: e.URL})
		if e.Navigation != "" { // no page comes of it, which is told in no other way
			t.News.Add(backend.NavigationStopped{Frame: e.Context, Main: e.Context == backend.FrameID(t.id)})
		}
		return
	}
	ended := backend.DownloadEnded{ID: id, Name: name, URL: e.URL, Path: e.Path, Failed: e.Status != "complete" || e.Path == ""}
	go t.News.Downloaded(ended) // off the queue: a disk may be slow
}
