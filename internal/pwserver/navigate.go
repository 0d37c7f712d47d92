package pwserver

import (
	"context"
	"errors"
	"strings"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Navigate sends the main frame to a URL.
func (t *Tab) Navigate(ctx context.Context, url string, opts backend.NavigateOptions) (*backend.Navigation, error) {
	if err := t.context.Refuses(url); err != nil {
		return nil, err
	}
	if opts.Leave {
		if err := t.BeginLeaving(ctx); err != nil {
			return nil, err
		}
		defer t.EndLeaving()
	}
	t.Mu.Lock()
	main := t.List[0]
	f := &following{tab: t, commits: t.commits, until: opts.Until}
	t.asked++
	f.number, t.download, t.empty = t.asked, nil, 0
	t.Mu.Unlock()
	g, err := t.Enter()
	if err != nil {
		return nil, err
	}
	f.NavigationWait = anypage.NavigationWait{Page: &t.Page, Ctx: ctx, Gate: g, Changed: &t.moved}
	params := object{"url": url, "waitUntil": "commit"}
	if opts.Referer != "" {
		params["referer"] = opts.Referer
	}
	var made struct {
		Response *ref `json:"response"`
	}
	r := t.start(command{string(main.ID), "goto", params})[0]
	if err := t.await(ctx, g, r, &made); err != nil {
		return f.refused(err)
	}
	nav := &backend.Navigation{}
	if made.Response != nil {
		var head struct {
			Status  int   `json:"status"`
			Headers pairs `json:"headers"`
		}
		t.browser.conn.objectOf(made.Response.GUID).decode(&head)
		nav.Status = head.Status
		nav.MIME = anypage.MIME(head.Headers.get("content-type"))
	}
	return f.follow(nav, opts.Patience)
}

// following is the wait for what comes of a navigation.
type following struct {
	anypage.NavigationWait
	tab             *Tab
	number, commits int
	until           backend.WaitUntil
}

// follow waits for as much of the document as is wanted, or of the one that the page
// itself puts in its place.
func (f *following) follow(nav *backend.Navigation, patience time.Duration) (*backend.Navigation, error) {
	t := f.tab
	replaced := false
	err := f.Wait(patience, func() bool {
		main := t.List[0]
		nav.URL, nav.Document, nav.SameDocument, nav.Left = main.URL, main.Document, t.commits == f.commits, t.Left()
		if replaced = t.asked != f.number; replaced || nav.SameDocument {
			return true
		}
		return main.Reached(f.until)
	})
	switch {
	case f.Ctx.Err() != nil && err != nil:
		return nil, anypage.TimedOut(f.Ctx, "the load event")
	case errors.Is(err, context.DeadlineExceeded):
		nav.Loading = true
		return nav, nil
	case err != nil:
		return nil, err
	case replaced:
		return nil, anypage.ErrReplaced
	case nav.SameDocument:
		nav.Status, nav.MIME = 0, ""
		return nav, nil
	}
	if f.until == backend.WaitLoad {
		if err := t.AwaitOwners(f.Ctx, f.Gate); err != nil {
			return nil, err
		}
		t.scanned(f.Ctx, f.Gate)
	}
	return nav, nil
}

// refused is for a navigation that came to nothing.
func (f *following) refused(err error) (*backend.Navigation, error) {
	t := f.tab
	var e *refusal
	switch {
	case f.Ctx.Err() != nil:
		return nil, anypage.TimedOut(f.Ctx, "the server's answer")
	case !errors.As(err, &e) || backend.KindOf(err) == backend.KindClosed:
		return nil, err
	}
	reason, text := reasonOf(e.text), word(e.text)
	starting := strings.Contains(e.text, "Download is starting")
	if starting || reason == backend.ReasonAborted {
		var file *backend.DownloadStarted
		_ = f.Wait(anypage.FollowUpTime, func() bool {
			file = t.download
			return file != nil
		})
		t.Mu.Lock()
		nav := &backend.Navigation{SameDocument: true, URL: t.List[0].URL, Document: t.List[0].Document, Left: t.Left()}
		empty := t.empty
		t.Mu.Unlock()
		switch {
		case file != nil:
			nav.Download, nav.URL = file.Name, file.URL
			return nav, nil
		case empty != 0:
			nav.Status = empty
			return nav, nil
		}
		return nil, &backend.Error{Kind: backend.KindNavigation, Text: text, Reason: backend.ReasonAborted}
	}
	t.Mu.Lock()
	replaced := t.asked != f.number
	t.Mu.Unlock()
	if replaced || strings.Contains(e.text, "is interrupted by another navigation") {
		if replaced {
			return nil, anypage.ErrReplaced
		}
		// The page itself goes on to another.
		if err := f.Wait(0, func() bool { return t.commits != f.commits || t.asked != f.number }); err != nil {
			return nil, err
		}
		return f.follow(&backend.Navigation{Status: 200}, 0)
	}
	if reason != backend.ReasonURL {
		// The browser shows a page of its own. Whatever is asked next is asked of it.
		_ = f.Wait(anypage.FollowUpTime, func() bool { return t.commits != f.commits && t.List[0].Loaded })
	}
	return nil, &backend.Error{Kind: backend.KindNavigation, Text: text, Reason: reason}
}

// Step goes back or forward in the tab's history.
func (t *Tab) Step(ctx context.Context, delta int) (bool, error) {
	method := "goForward"
	if delta < 0 {
		method = "goBack"
	}
	return t.begins(ctx, method)
}

// Reload loads the page again. To bypass the cache is something that Chromium alone can.
func (t *Tab) Reload(ctx context.Context, hard bool) error {
	if hard && t.browser.name == "chromium" {
		return t.protocol(ctx, "Page.reload", object{"ignoreCache": true}, nil)
	}
	_, err := t.begins(ctx, "reload")
	return err
}

// begins has the page go elsewhere, and says whether it does: where there is nothing to
// go to, the server answers without anything having happened.
func (t *Tab) begins(ctx context.Context, method string) (bool, error) {
	g, err := t.Enter()
	if err != nil {
		return false, err
	}
	t.Mu.Lock()
	before := t.mainMoves
	t.Mu.Unlock()
	r := t.start(command{t.guid, method, object{"waitUntil": "commit"}})[0]
	for {
		t.Mu.Lock()
		gone, changed := t.mainMoves != before, t.moved.Next()
		t.Mu.Unlock()
		if gone {
			return true, nil
		}
		select {
		case <-changed:
		case <-r.done:
			err := r.read(nil)
			t.Mu.Lock()
			gone := t.mainMoves != before
			t.Mu.Unlock()
			if gone {
				return true, nil
			}
			return false, err
		case <-g.Shut:
			return false, g.Err
		case <-ctx.Done():
			t.browser.conn.abort(r)
			return false, ctx.Err()
		}
	}
}
