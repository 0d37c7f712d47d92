package chrome

import (
	"context"

	"github.com/chromedp/cdproto/page"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// dialogOpened may come from several sessions of the tab: the first counts.
func (t *Tab) dialogOpened(l *link, e *page.EventJavascriptDialogOpening) {
	accept, taken := t.DialogOpened(&anypage.Prompt{
		Dialog: backend.Dialog{Type: string(e.Type), Message: e.Message, Default: e.DefaultPrompt, URL: e.URL},
		Key:    l.session,
		Answer: func(ctx context.Context, accept bool, text string) error {
			return fault(l.session.Call(ctx, page.CommandHandleJavaScriptDialog,
				&page.HandleJavaScriptDialogParams{Accept: accept, PromptText: text}, nil))
		},
	})
	if !taken {
		l.session.Start(page.CommandHandleJavaScriptDialog, &page.HandleJavaScriptDialogParams{Accept: accept})
	}
	t.News.Flush()
}

func (t *Tab) dialogClosed(l *link, e *page.EventJavascriptDialogClosed) {
	t.DialogClosed(l.session, &e.Result)
	t.News.Flush()
}
