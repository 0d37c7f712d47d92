package chrome

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// remembered is how many of a tab's documents and responses are. A navigation asks about
// the last few.
const remembered = 32

// navigations is what a tab knows of its main frame's documents. A document is
// known by its loader: the browser names it when it is asked to navigate, and
// again in all that becomes of it.
type navigations struct {
	asked     int                 // by Navigate
	loader    string              // of the document last asked for; "" where there is none
	sent      int                 // requests for documents
	answered  int                 // and answers to them
	committed []string            // loaders, the last ones
	urls      []string            // of the same
	commits   int                 // how many there were
	strays    []time.Time         // when documents came that nobody asked for
	within    int                 // navigations within a document
	responses map[string]response // by loader
	downloads []browser.EventDownloadWillBegin
	refusal   error // the policy's, since Navigate was last called
	changed   anypage.Signal
}

type response struct {
	status int
	mime   string
	wants  bool // a name and a password
}

func (n *navigations) commit(loader, url string) {
	n.commits++
	n.strays = append(n.strays, time.Now())
	if len(n.strays) > strayLimit {
		n.strays = slices.Delete(n.strays, 0, 1)
	}
	n.committed, n.urls = append(n.committed, loader), append(n.urls, url)
	if len(n.committed) > remembered {
		n.committed, n.urls = slices.Delete(n.committed, 0, 1), slices.Delete(n.urls, 0, 1)
	}
	n.changed.Fire()
}

const (
	strayLimit  = 5
	strayWithin = 3 * time.Second
)

// restless says that the page goes from document to document by itself, and
// would overtake whoever wants to leave it.
func (n *navigations) restless() bool {
	return len(n.strays) == strayLimit && time.Since(n.strays[0]) < strayWithin
}

// response notes what the server answered to the request for a document.
func (n *navigations) response(h *head, main backend.FrameID) {
	// The request for a document has the id of the loader.
	if h.Request != h.Loader || h.Frame != main {
		return
	}
	if n.responses == nil || len(n.responses) >= remembered {
		n.responses = make(map[string]response)
	}
	n.answered++
	n.responses[h.Loader] = response{h.Response.Status, h.Response.MIME, h.wantsLogin()}
	n.changed.Fire()
}

// download notes a download, if one of the tab's frames began it.
func (t *Tab) download(e *browser.EventDownloadWillBegin) bool {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if t.tree.byID[backend.FrameID(e.FrameID)] == nil {
		return false
	}
	t.nav.downloads = append(t.nav.downloads, *e)
	if len(t.nav.downloads) > remembered {
		t.nav.downloads = slices.Delete(t.nav.downloads, 0, 1)
	}
	t.nav.changed.Fire()
	return true
}

// navigation is one call of Navigate.
type navigation struct {
	anypage.NavigationWait
	tab    *Tab
	number int // of the tab's navigations
	url    string
	until  backend.WaitUntil

	patience time.Duration // for the load, once the document is there
}

// Navigate sends the main frame to a URL.
func (t *Tab) Navigate(ctx context.Context, url string, opts backend.NavigateOptions) (*backend.Navigation, error) {
	if err := t.context.refuses(url); err != nil {
		return nil, err
	}
	died, whole := t.watchForCrash(), ctx
	if !opts.Leave {
		nav, err := t.navigate(ctx, url, opts)
		for died.retries(ctx, err) {
			nav, err = t.navigate(ctx, url, opts)
		}
		return nav, err
	}
	d := t.depart()
	defer d.end()
	if err := d.clear(ctx); err != nil {
		return nil, err
	}
	ctx, stop := d.guard(ctx)
	nav, err := t.navigate(ctx, url, opts)
	if d.late(err) {
		nav, err = t.navigate(ctx, url, opts)
	}
	if d.wentElsewhere() && ctx.Err() == nil {
		// The page went somewhere else before it could be left. Without its
		// process it can't.
		if nav, err = nil, d.kill(ctx, patience(ctx)); err == nil {
			nav, err = t.navigate(ctx, url, opts)
		}
	}
	if stuck := stop(); err != nil && stuck != nil {
		err = stuck
	}
	for died.retries(whole, err) {
		nav, err = t.navigate(whole, url, opts)
	}
	if errors.Is(err, context.DeadlineExceeded) && d.showedDialogs() {
		err = errStuck // a dialog of the page before, and not the server
	}
	if nav != nil {
		nav.Left = d.list()
	}
	return nav, err
}

// aborted is how the browser says that a navigation was given up.
const aborted = "net::ERR_ABORTED"

func (t *Tab) navigate(ctx context.Context, url string, opts backend.NavigateOptions) (*backend.Navigation, error) {
	if t.revive() {
		defer t.staysCrashed(t.documents())
	}
	g, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	n := &navigation{NavigationWait: anypage.NavigationWait{Page: &t.Page, Ctx: ctx, Gate: g, Changed: &t.nav.changed}, tab: t, url: url, until: opts.Until, patience: opts.Patience}
	t.Mu.Lock()
	t.nav.asked++
	n.number = t.nav.asked
	t.nav.downloads, t.nav.refusal = nil, nil
	within := t.nav.within
	t.Mu.Unlock()

	p := t.session.Start(page.CommandNavigate, &page.NavigateParams{URL: url, Referrer: opts.Referer})
	var r page.NavigateResult
	if err := t.await(ctx, g, p, &r); err != nil {
		return nil, n.refused(err)
	}
	loader := string(r.LoaderID)
	t.Mu.Lock()
	t.nav.loader = loader
	t.Mu.Unlock()
	switch {
	case r.IsDownload:
		return n.download()
	case r.ErrorText == "net::ERR_HTTP_RESPONSE_CODE_FAILURE":
		// An error without a page: the browser shows one of its own.
		return n.follow(loader)
	case r.ErrorText != "":
		return n.failed(r.ErrorText, loader)
	case loader == "":
		_ = n.Wait(anypage.FollowUpTime, func() bool { return t.nav.within > within })
		nav := n.outcome("")
		nav.SameDocument = true
		return nav, nil
	}
	return n.follow(loader)
}

// revive is where every call that brings a document begins: a page that crashed
// can be navigated, which gives it a new process.
func (t *Tab) revive() (crashed bool) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	t.nav.strays = nil // what comes now has been asked for
	t.rates.asked()
	return t.reopen()
}

// reopen lets calls to a page that crashed through again. The lock is held.
func (t *Tab) reopen() (crashed bool) {
	if crashed = t.crashed && !t.Ended(); crashed {
		t.crashed = false
		t.Reopen()
	}
	return crashed
}

// staysCrashed is where such a call ends without a document, as with a file: the page is
// as dead as it was.
func (t *Tab) staysCrashed(documents int) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if !t.Ended() && !t.crashed && t.nav.commits == documents {
		t.crashed = true
		t.Shut(errPageDied)
	}
}

func (t *Tab) documents() int {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	return t.nav.commits
}

// refused is for a browser that did not even begin.
func (n *navigation) refused(err error) error {
	var e *cdp.Error
	switch {
	case n.Ctx.Err() != nil:
		return n.late("the server's answer")
	case errors.As(err, &e):
		return &backend.Error{Kind: backend.KindNavigation, Text: e.Message, Err: err}
	}
	return err
}

// late says what was waited for when the time was up.
func (n *navigation) late(what string) error {
	// A page that is still to come holds up whatever is asked of the tab next.
	n.tab.session.Start(page.CommandStopLoading, nil)
	return anypage.TimedOut(n.Ctx, what)
}

// download is for a URL that turned out to be a file.
func (n *navigation) download() (*backend.Navigation, error) {
	nav := n.outcome("")
	nav.SameDocument = true
	err := n.Wait(anypage.FollowUpTime, func() bool {
		if len(n.tab.nav.downloads) == 0 {
			return false
		}
		d := n.tab.nav.downloads[0]
		nav.URL, nav.Download = d.URL, d.SuggestedFilename
		return true
	})
	if err != nil && n.Ctx.Err() == nil && nav.Download == "" {
		nav.URL, nav.Download = n.url, "download"
		err = nil
	}
	return nav, err
}

// failed is for a navigation that came to nothing.
func (n *navigation) failed(text, loader string) (*backend.Navigation, error) {
	t := n.tab
	t.Mu.Lock()
	refused := t.nav.refusal
	t.Mu.Unlock()
	if refused != nil {
		return nil, refusal(refused)
	}
	if text == aborted {
		t.Mu.Lock()
		answered, replaced := t.nav.responses[loader], t.nav.asked != n.number
		t.Mu.Unlock()
		switch {
		case answered.status == 204 || answered.status == 205:
			// There is nothing to show, and the page stays.
			nav := n.outcome(loader)
			nav.SameDocument, nav.MIME = true, ""
			return nav, nil
		case replaced:
			return nil, anypage.ErrReplaced
		}
		return nil, unreachable(text)
	}
	// The browser shows an error page. Whatever is asked next is asked of it,
	// not of the page before.
	_ = n.Wait(anypage.FollowUpTime, func() bool { return slices.Contains(t.nav.committed, loader) })
	return nil, unreachable(text)
}

// follow waits for a document, or for the one the page itself puts in its
// place.
func (n *navigation) follow(loader string) (*backend.Navigation, error) {
	t := n.tab
	t.Mu.Lock()
	commits := t.nav.commits
	t.Mu.Unlock()
	arrived, replaced, loading := false, false, false
	reached := func() bool {
		load := t.tree.main.load
		arrived = arrived || slices.Contains(t.nav.committed, loader)
		if load.loader != loader && (arrived || t.nav.commits > commits) {
			if t.nav.asked != n.number {
				replaced = true
				return true
			}
			loader, arrived = load.loader, true
		}
		return load.loader == loader && load.reached(n.until)
	}
	err := n.Wait(0, func() bool { return reached() || arrived && n.patience > 0 })
	if err == nil && arrived && n.patience > 0 {
		err = n.Wait(n.patience, reached)
		loading = errors.Is(err, context.DeadlineExceeded)
	}
	switch {
	case replaced:
		return nil, anypage.ErrReplaced
	case loading:
		nav := n.outcome(loader)
		nav.Loading = true
		return nav, nil
	case n.Ctx.Err() != nil && err != nil && !arrived:
		return nil, n.late("the document")
	case n.Ctx.Err() != nil && err != nil && n.until == backend.WaitDOMContentLoaded:
		return nil, n.late("the document to be parsed")
	case n.Ctx.Err() != nil && err != nil:
		return nil, n.late("the load event")
	case err != nil:
		return nil, err
	}
	if n.until == backend.WaitLoad {
		err = t.settled(n.Ctx, n.Gate, anypage.ScanTimeout, t.owners.Busy(), t.scans.Busy())
		if errors.Is(err, context.DeadlineExceeded) {
			err = nil // the page is there; this only makes it better known
		}
	}
	t.Mu.Lock()
	closed := t.nav.responses[loader].wants
	t.Mu.Unlock()
	if closed {
		// A headless shell shows what the server has to say about it.
		return nil, unreachable("net::ERR_INVALID_AUTH_CREDENTIALS")
	}
	return n.outcome(loader), err
}

// outcome is where the tab is now.
func (n *navigation) outcome(loader string) *backend.Navigation {
	t := n.tab
	t.Mu.Lock()
	defer t.Mu.Unlock()
	r := t.nav.responses[loader]
	return &backend.Navigation{URL: t.tree.main.url, Status: r.status, MIME: r.mime, Document: loader}
}
