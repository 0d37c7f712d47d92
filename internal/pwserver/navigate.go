package pwserver

import (
	"context"
	"errors"
	"strings"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
)

const sequelTimeout = time.Second // for what the browser tells a moment later

// Navigate sends the main frame to a URL.
func (t *Tab) Navigate(ctx context.Context, url string, opts backend.NavigateOptions) (*backend.Navigation, error) {
	if p := t.context.policy; p != nil {
		if err := p.Asked(url); err != nil {
			return nil, &backend.Error{Kind: backend.KindPolicy, Text: err.Error(), Err: err}
		}
	}
	if opts.Leave {
		if err := t.depart(ctx); err != nil {
			return nil, err
		}
		defer t.arrived()
	}
	t.mu.Lock()
	if kindOf(t.gate.Err) == backend.KindCrashed { // a new page may come
		t.revive()
	}
	main := t.frames[0]
	f := &following{tab: t, ctx: ctx, commits: t.commits, until: opts.Until}
	t.asked++
	f.number, t.download, t.empty = t.asked, nil, 0
	t.mu.Unlock()
	g, err := t.enter()
	if err != nil {
		return nil, err
	}
	f.gate = g
	params := object{"url": url, "waitUntil": "commit"}
	if opts.Referer != "" {
		params["referer"] = opts.Referer
	}
	var made struct {
		Response *ref `json:"response"`
	}
	r := t.start(command{main.guid, "goto", params})[0]
	if err := t.await(ctx, g, r, &made); err != nil {
		return f.refused(err)
	}
	nav := &backend.Navigation{}
	if made.Response != nil {
		var head struct {
			Status  int   `json:"status"`
			Headers pairs `json:"headers"`
		}
		t.browser.conn.thing(made.Response.GUID).decode(&head)
		nav.Status = head.Status
		nav.MIME, _, _ = strings.Cut(head.Headers.get("content-type"), ";")
	}
	return f.follow(nav, opts.Patience)
}

// revive has calls let through again. The lock is held.
func (t *Tab) revive() {
	if kindOf(t.gate.Err) == backend.KindCrashed && t.err == nil {
		t.gate = anypage.NewGate()
	}
}

// following is the wait for what comes of a navigation.
type following struct {
	tab             *Tab
	ctx             context.Context
	gate            *anypage.Gate
	number, commits int
	until           backend.WaitUntil
}

// wait waits until ok, which is called with the tab's lock held, for no longer than
// bound (0: as long as the context lasts).
func (f *following) wait(bound time.Duration, ok func() bool) error {
	ctx := f.ctx
	if bound > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, bound)
		defer cancel()
	}
	for {
		f.tab.mu.Lock()
		done, changed := ok(), f.tab.moved.Next()
		f.tab.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-f.gate.Shut:
			return f.gate.Err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// follow waits for as much of the document as is wanted, or of the one that the page
// itself puts in its place.
func (f *following) follow(nav *backend.Navigation, patience time.Duration) (*backend.Navigation, error) {
	t := f.tab
	replaced := false
	err := f.wait(patience, func() bool {
		main := t.frames[0]
		nav.URL, nav.Document, nav.SameDocument, nav.Left = main.url, main.document, t.commits == f.commits, t.left
		if replaced = t.asked != f.number; replaced || nav.SameDocument {
			return true
		}
		switch f.until {
		case backend.WaitCommit:
			return true
		case backend.WaitDOMContentLoaded:
			return main.parsed
		}
		return main.loaded
	})
	switch {
	case f.ctx.Err() != nil && err != nil:
		return nil, &backend.Error{Kind: backend.KindTimeout, Text: "the load event", Err: f.ctx.Err()}
	case errors.Is(err, context.DeadlineExceeded):
		nav.Loading = true
		return nav, nil
	case err != nil:
		return nil, err
	case replaced:
		return nil, fail(backend.KindNavigation, "another navigation began before this one was done")
	case nav.SameDocument:
		nav.Status, nav.MIME = 0, ""
		return nav, nil
	}
	if f.until == backend.WaitLoad {
		if err := t.settled(f.ctx, f.gate); err != nil {
			return nil, err
		}
		t.scanned(f.ctx, f.gate)
	}
	return nav, nil
}

// refused is for a navigation that came to nothing.
func (f *following) refused(err error) (*backend.Navigation, error) {
	t := f.tab
	var e *refusal
	switch {
	case f.ctx.Err() != nil:
		return nil, &backend.Error{Kind: backend.KindTimeout, Text: "the server's answer", Err: f.ctx.Err()}
	case !errors.As(err, &e) || kindOf(err) == backend.KindClosed:
		return nil, err
	}
	reason, text := reasonOf(e.text), word(e.text)
	starting := strings.Contains(e.text, "Download is starting")
	if starting || reason == backend.ReasonAborted {
		var file *backend.DownloadStarted
		_ = f.wait(sequelTimeout, func() bool {
			file = t.download
			return file != nil
		})
		t.mu.Lock()
		nav := &backend.Navigation{SameDocument: true, URL: t.frames[0].url, Document: t.frames[0].document, Left: t.left}
		empty := t.empty
		t.mu.Unlock()
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
	t.mu.Lock()
	replaced := t.asked != f.number
	t.mu.Unlock()
	if replaced || strings.Contains(e.text, "is interrupted by another navigation") {
		if replaced {
			return nil, fail(backend.KindNavigation, "another navigation began before this one was done")
		}
		// The page itself goes on to another.
		if err := f.wait(0, func() bool { return t.commits != f.commits || t.asked != f.number }); err != nil {
			return nil, err
		}
		return f.follow(&backend.Navigation{Status: 200}, 0)
	}
	if reason != backend.ReasonURL {
		// The browser shows a page of its own. Whatever is asked next is asked of it.
		_ = f.wait(sequelTimeout, func() bool { return t.commits != f.commits && t.frames[0].loaded })
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
	g, err := t.enter()
	if err != nil {
		return false, err
	}
	t.mu.Lock()
	before := t.goings
	t.mu.Unlock()
	r := t.start(command{t.guid, method, object{"waitUntil": "commit"}})[0]
	for {
		t.mu.Lock()
		gone, changed := t.goings != before, t.moved.Next()
		t.mu.Unlock()
		if gone {
			return true, nil
		}
		select {
		case <-changed:
		case <-r.done:
			err := r.read(nil)
			t.mu.Lock()
			gone := t.goings != before
			t.mu.Unlock()
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
