package bidi

import (
	"context"
	"errors"
	"strings"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

// navigations are those of a tab that were told of, by id.
type navigations struct {
	byID    map[string]*navigation
	asked   int // by Navigate
	commits int // documents of the main frame
	started bool
	last    string // the one of the main frame that began last
	changed anypage.Signal
}

// navigation is what became of one.
type navigation struct {
	committed, within, aborted bool
	failed                     string
	status                     int
	mime                       string
	download, url              string
}

// empty says that the server's answer was none: the page stays.
func (n *navigation) empty() bool { return n.status == 204 || n.status == 205 }

// remembered is how many navigations of a tab are known at a time.
const remembered = 64

func (n *navigations) get(id string) *navigation {
	if one := n.byID[id]; one != nil {
		return one
	}
	if n.byID == nil || len(n.byID) >= remembered {
		n.byID = map[string]*navigation{}
	}
	one := &navigation{}
	n.byID[id] = one
	return one
}

// Navigate sends the main frame to a URL.
func (t *Tab) Navigate(ctx context.Context, url string, opts backend.NavigateOptions) (*backend.Navigation, error) {
	if err := t.context.Refuses(url); err != nil {
		return nil, err
	}
	if opts.Referer != "" {
		return nil, backend.Fail(backend.KindUnsupported, "a referrer of one's own")
	}
	if opts.Leave {
		if err := t.BeginLeaving(ctx); err != nil {
			return nil, err
		}
		defer t.EndLeaving()
	}
	g, err := t.enter()
	if err != nil {
		return nil, err
	}
	t.Mu.Lock()
	t.nav.asked++
	number, commits := t.nav.asked, t.nav.commits
	t.Mu.Unlock()
	var made struct {
		ID  string `json:"navigation"`
		URL string `json:"url"`
	}
	p := t.start(t.browser.root.Command("browsingContext.navigate", object{"context": t.id, "url": url, "wait": "none"}))[0]
	f := &following{NavigationWait: anypage.NavigationWait{Page: &t.Page, Ctx: ctx, Gate: g, Changed: &t.nav.changed}, tab: t, number: number, commits: commits, until: opts.Until}
	if err := t.await(ctx, g, p, &made); err != nil {
		err = t.refused(ctx, err)
		var why *backend.Error
		if !errors.As(err, &why) || why.Reason != backend.ReasonAborted {
			return nil, err
		}
		// An answer without a page, or a file, may have aborted it before that was answered.
		t.Mu.Lock()
		f.id = t.nav.last
		t.Mu.Unlock()
		return f.failed(&backend.Navigation{URL: url}, navigation{aborted: true, failed: why.Text})
	}
	f.id = made.ID
	nav, err := f.follow(opts.Patience)
	if nav != nil {
		t.Mu.Lock()
		nav.Left = t.Left()
		t.Mu.Unlock()
	}
	return nav, err
}

// refused is for a browser that did not even begin.
func (t *Tab) refused(ctx context.Context, err error) error {
	var e *cdp.Error
	switch {
	case ctx.Err() != nil:
		return anypage.TimedOut(ctx, "the server's answer")
	case errors.As(err, &e):
		said := strings.TrimPrefix(e.Data, "Error: ")
		reason := anypage.Reason(said)
		switch e.Message {
		case "invalid argument":
			reason = backend.ReasonURL
		case "unsupported operation":
			reason = backend.ReasonScheme
		}
		return &backend.Error{Kind: backend.KindNavigation, Text: said, Reason: reason, Err: err}
	}
	return err
}

// following is the wait for what comes of a navigation.
type following struct {
	anypage.NavigationWait
	tab             *Tab
	id              string
	number, commits int
	until           backend.WaitUntil
}

// follow waits for the document, or for the one the page itself puts in its place.
func (f *following) follow(patience time.Duration) (*backend.Navigation, error) {
	t := f.tab
	var n *navigation
	arrived, replaced := false, false
	ended := func() bool {
		n = t.nav.get(f.id)
		replaced = t.nav.asked != f.number
		return replaced || n.failed != "" || n.aborted || n.within && !n.committed || n.download != ""
	}
	reached := func() bool {
		arrived = arrived || t.nav.get(f.id).committed
		if ended() || !arrived {
			return ended()
		}
		return t.List[0].Reached(f.until)
	}
	err := f.Wait(0, func() bool { return reached() || arrived && patience > 0 })
	loading := false
	if err == nil && arrived && patience > 0 {
		err = f.Wait(patience, reached)
		loading = errors.Is(err, context.DeadlineExceeded) && f.Ctx.Err() == nil
	}
	t.Mu.Lock()
	got, url := *n, t.List[0].URL
	t.Mu.Unlock()
	nav := &backend.Navigation{URL: url, Status: got.status, MIME: got.mime, Document: f.id, Loading: loading}
	switch {
	case loading:
		return nav, nil
	case f.Ctx.Err() != nil && err != nil:
		what := "the load event"
		if !arrived {
			what = "the document"
		}
		return nil, anypage.TimedOut(f.Ctx, what)
	case err != nil:
		return nil, err
	case got.download != "":
		nav.SameDocument, nav.Download, nav.URL = true, got.download, got.url
		return nav, nil
	case got.within && !got.committed:
		nav.SameDocument = true
		return nav, nil
	case replaced:
		return nil, anypage.ErrReplaced
	case got.failed != "" || got.aborted && !got.committed:
		return f.failed(nav, got)
	}
	if f.until == backend.WaitLoad {
		if err := t.AwaitOwners(f.Ctx, f.Gate); err != nil {
			return nil, err
		}
		bound, cancel := context.WithTimeout(f.Ctx, anypage.ScanTimeout)
		defer cancel()
		_, _ = t.Scan(bound) // the page is there; this only makes it better known
	}
	return nav, nil
}

// failed is for a navigation that came to nothing.
func (f *following) failed(nav *backend.Navigation, got navigation) (*backend.Navigation, error) {
	reason := anypage.Reason(got.failed)
	if got.aborted || reason == backend.ReasonAborted {
		// What becomes a download is told of in its own time, and that there is no page.
		var n navigation
		err := f.Wait(anypage.FollowUpTime, func() bool {
			n = *f.tab.nav.get(f.id)
			return n.download != "" || n.empty()
		})
		if err == nil && n.empty() {
			nav.SameDocument, nav.MIME, nav.Status = true, "", n.status
			return nav, nil
		}
		if err == nil {
			nav.SameDocument, nav.Download, nav.URL = true, n.download, n.url
			return nav, nil
		}
		return nil, &backend.Error{Kind: backend.KindNavigation, Text: got.failed, Reason: backend.ReasonAborted}
	}
	// The browser shows an error page. Whatever is asked next is asked of it.
	_ = f.Wait(anypage.FollowUpTime, func() bool { return f.tab.List[0].Loaded })
	return nil, &backend.Error{Kind: backend.KindNavigation, Text: got.failed, Reason: reason}
}

// Step goes back or forward in the tab's history.
func (t *Tab) Step(ctx context.Context, delta int) (bool, error) {
	err := t.do(ctx, "browsingContext.traverseHistory", object{"context": t.id, "delta": delta})
	var e *cdp.Error
	if errors.As(err, &e) && e.Message == "no such history entry" {
		return false, nil
	}
	if err == nil && !t.browser.chromium() {
		t.withinPage(ctx)
	}
	return err == nil, err
}

// withinPage tells of a step in the history to another fragment of the page, of which
// Firefox tells nothing.
func (t *Tab) withinPage(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 4*focusPatience)
	defer cancel()
	href, err := t.Eval(ctx, "", "location.href")
	var address string
	if err != nil || wire.Unmarshal(href, &address) != nil {
		return // another page comes, which is told
	}
	address = backend.WithoutLogin(address)
	t.Mu.Lock()
	f := t.List[0]
	here, _, _ := strings.Cut(f.URL, "#")
	there, _, _ := strings.Cut(address, "#")
	if here == there && f.URL != address {
		f.URL = address
		t.News.Add(backend.URLChanged{Frame: f.ID, URL: address, Main: true})
		t.nav.changed.Fire()
	}
	t.Mu.Unlock()
	t.News.Flush()
}

// Reload loads the page again.
func (t *Tab) Reload(ctx context.Context, hard bool) error {
	params := object{"context": t.id, "wait": "none"}
	if !hard {
		return t.do(ctx, "browsingContext.reload", params)
	}
	params["ignoreCache"] = true
	err := t.do(ctx, "browsingContext.reload", params)
	if k := backend.KindOf(err); k != backend.KindUnsupported && k != backend.KindProtocol {
		return err
	}
	delete(params, "ignoreCache") // which Firefox cannot do yet
	if err := t.useCache(ctx, "bypass"); err != nil {
		return err
	}
	t.Mu.Lock()
	commits := t.nav.commits
	t.Mu.Unlock()
	err = t.do(ctx, "browsingContext.reload", params)
	go t.cacheAgain(commits)
	return err
}

func (t *Tab) useCache(ctx context.Context, behavior string) error {
	return fault(t.browser.root.Call(ctx, "network.setCacheBehavior", object{"cacheBehavior": behavior, "contexts": []string{t.id}}, nil))
}

// hardReloadTimeout is how long the cache is not used for a page that does not come to
// the end of its load.
const hardReloadTimeout = 30 * time.Second

// cacheAgain has the cache used again when the document after so many has loaded.
func (t *Tab) cacheAgain(commits int) {
	ctx, cancel := context.WithTimeout(t.Life, hardReloadTimeout)
	defer cancel()
	for done := false; !done; {
		t.Mu.Lock()
		changed := t.nav.changed.Next()
		done = t.nav.commits > commits && t.List[0].Loaded
		t.Mu.Unlock()
		if done {
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
			done = true
		}
	}
	_ = t.useCache(t.Life, "default")
}
