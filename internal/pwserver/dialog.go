package pwserver

import (
	"context"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// dialogs hands a dialog to its tab.
func (b *Browser) dialogs(method, guid string) {
	var about struct {
		Page    *ref   `json:"page"`
		Type    string `json:"type"`
		Message string `json:"message"`
		Default string `json:"defaultValue"`
	}
	if !b.conn.objectOf(guid).decode(&about) || about.Page == nil {
		return
	}
	b.mu.Lock()
	t := b.tabs[about.Page.GUID]
	b.mu.Unlock()
	switch {
	case t == nil && method == "dialog":
		b.conn.start(command{guid, "dismiss", nil}) // of a tab that is not there yet
		return
	case t == nil:
		return
	case method == "dialog":
		t.dialogOpened(guid, backend.Dialog{Type: about.Type, Message: about.Message, Default: about.Default})
	default:
		t.DialogClosed(guid, nil)
	}
	t.News.Flush()
}

func (t *Tab) dialogOpened(guid string, d backend.Dialog) {
	answer := func(accept bool, text string) *reply {
		method, params := "dismiss", object(nil)
		if accept {
			method, params = "accept", object{}
			if d.Type == "prompt" {
				params["promptText"] = text
			}
		}
		return t.browser.conn.start(command{guid, method, params})[0]
	}
	t.Mu.Lock()
	d.URL = t.List[0].URL
	t.Mu.Unlock()
	accept, taken := t.DialogOpened(&anypage.Prompt{
		Dialog: d, Key: guid,
		Answer: func(ctx context.Context, accept bool, text string) error {
			if err := answer(accept, text).wait(ctx, t.browser.conn, nil); err != nil {
				return err
			}
			t.DialogClosed(guid, nil) // where the server does not say so
			t.News.Flush()
			return nil
		},
	})
	if !taken {
		answer(accept, "")
	}
}
