package chrome

import (
	"context"

	"github.com/chromedp/cdproto/page"
)

// Step goes back or forward in the tab's history.
func (t *Tab) Step(ctx context.Context, delta int) (bool, error) {
	if err := t.unstick(ctx); err != nil {
		return false, err
	}
	// The browser knows it, whatever the page does.
	var h page.GetNavigationHistoryResult
	if err := t.session.Start(page.CommandGetNavigationHistory, nil).Wait(ctx, &h); err != nil {
		return false, fault(err)
	}
	to := int(h.CurrentIndex) + delta
	if to < 0 || to >= len(h.Entries) {
		return false, nil
	}
	t.revive()
	g, err := t.enter(ctx)
	if err != nil {
		return false, err
	}
	p := t.session.Start(page.CommandNavigateToHistoryEntry, &page.NavigateToHistoryEntryParams{EntryID: h.Entries[to].ID})
	return true, t.await(ctx, g, p, nil)
}

// Reload loads the page again.
func (t *Tab) Reload(ctx context.Context, hard bool) error {
	if err := t.unstick(ctx); err != nil {
		return err
	}
	t.revive()
	return t.call(ctx, page.CommandReload, &page.ReloadParams{IgnoreCache: &hard}, nil)
}
