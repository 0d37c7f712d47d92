package chrome

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/policy"
	"rove/internal/proc"
	"rove/internal/wire"
)

// A person's own browser is used as a guest. In a browser that rove starts every page is
// attached to, paused and prepared before it runs. Here only these tabs are attached to:
// those that rove opened, those that they open, and a tab of the person's that was named
// (Adopt). All contexts share the browser's one profile: its cookies, permissions,
// downloads and proxy are the person's, and are not changed.

// guestState is what is kept of a browser that is used as a guest.
type guestState struct {
	on       bool
	expected map[string]expected // tabs about to be attached to, by target id
	contexts map[*Context]struct{}
	ways     []string // where the browser itself is reached: HOST:PORT
	own      *policy.Policy
}

// keepTo has the pages of all contexts kept from the browser's own way in: who asks there,
// over HTTP, is told of the person's tabs, and closes them or brings them to the front.
func (g *guestState) keepTo(ways []string) (err error) {
	var block []string
	for _, w := range ways {
		if _, port, err := net.SplitHostPort(w); err == nil { // at home there, too
			block = append(block, w, net.JoinHostPort("localhost", port))
		}
	}
	if len(block) == 0 {
		return nil
	}
	g.ways = ways
	g.own, err = policy.New(nil, block)
	return err
}

// patterns are the requests that may be for the browser itself.
func (g *guestState) patterns() (list []backend.Pattern) {
	for _, w := range g.ways {
		if _, port, err := net.SplitHostPort(w); err == nil {
			list = append(list, backend.Pattern{URL: "*:" + port + "/*"})
		}
	}
	return list
}

// refuses gives the reason against an address of the browser itself.
func (g *guestState) refuses(url string) error {
	if g.own == nil || !strings.HasPrefix(url, "http") || g.own.URL(url) == nil {
		return nil
	}
	return &policy.Refusal{URL: url, Reason: "that is the way to this browser itself, and to the tabs of its person", Hint: "go somewhere else"}
}

type expected struct {
	context *Context
	lent    bool
}

// Join joins a person's browser as a guest, over a connection to it. Close closes
// the tabs that were opened through it, and nothing else. ways are the addresses, HOST:PORT,
// at which it is reached; no page may go there.
func Join(ctx context.Context, transport wire.Transport, ways ...string) (*Browser, error) {
	b := newBrowser(cdp.New(transport))
	b.guest = guestState{on: true, expected: make(map[string]expected), contexts: make(map[*Context]struct{})}
	b.startup = newContext(b, "", backend.Viewport{})
	err := b.guest.keepTo(ways)
	if err == nil {
		b.scratch, err = proc.NewScratch("")
	}
	if err == nil {
		err = b.startAsGuest(ctx)
	}
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	return b, nil
}

// startAsGuest does what start does, for a guest.
func (b *Browser) startAsGuest(ctx context.Context) error {
	root := b.conn.Root()
	root.OnEvent(b.onEvent)
	pages := []target.FilterEntry{{Type: "page"}, {Exclude: true}}
	return b.started(ctx, b.conn.Start(
		root.Command(browser.CommandGetVersion, nil),
		root.Command(target.CommandSetDiscoverTargets, map[string]any{"discover": true, "filter": pages}),
		// Files go where the person's go; we are only told of them.
		root.Command(browser.CommandSetDownloadBehavior, &browser.SetDownloadBehaviorParams{
			Behavior: browser.SetDownloadBehaviorBehaviorDefault, EventsEnabled: new(true),
		}),
	))
}

// newGuest opens a context for a guest: a set of tabs of its own. It is held to a
// policy only as far as that limits nothing on the network.
func (b *Browser) newGuest(opts backend.ContextOptions) (backend.Context, error) {
	if opts.Policy != nil && opts.Policy.Limits() {
		return nil, fail(backend.KindPolicy, "limits on the network cannot be held in a browser that runs already: its web sockets, WebRTC, service workers and popups go out by its own way")
	}
	view := opts.Viewport
	if view.Width > 0 {
		view = anypage.Viewport(view)
	}
	c := newContext(b, "", view)
	c.folder = opts.Downloads
	c.been = new(sync.Map)
	if opts.Policy != nil {
		c.policy.Store(&opts.Policy)
	}
	if opts.Enters != nil {
		c.enters.Store((*entryCheck)(&opts.Enters))
	}
	b.mu.Lock()
	b.guest.contexts[c] = struct{}{}
	b.mu.Unlock()
	return c, nil
}

// openGuest opens a tab in the person's window, behind the one that is looked at.
func (c *Context) openGuest(ctx context.Context) (*Tab, error) {
	b, root := c.browser, c.browser.conn.Root()
	params := &target.CreateTargetParams{URL: blank, Background: new(true)}
	var made target.CreateTargetResult
	err := root.Call(ctx, target.CommandCreateTarget, params, &made)
	if err != nil && ctx.Err() == nil && b.conn.Err() == nil {
		params.NewWindow = new(true) // there is no window any more
		err = root.Call(ctx, target.CommandCreateTarget, params, &made)
	}
	if err != nil {
		return nil, fault(err)
	}
	return c.attach(ctx, string(made.TargetID), false)
}

// attach attaches to a tab, for this context.
func (c *Context) attach(ctx context.Context, id string, lent bool) (*Tab, error) {
	b := c.browser
	b.mu.Lock()
	b.guest.expected[id] = expected{c, lent}
	b.mu.Unlock()
	err := b.conn.Root().Call(ctx, target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: target.ID(id), Flatten: new(true)}, nil)
	if err != nil {
		b.mu.Lock()
		delete(b.guest.expected, id)
		b.mu.Unlock()
		return nil, fault(err)
	}
	return b.tab(ctx, id)
}

// contextOfTarget gives the context of a tab that was attached to, or nil for one that
// nobody here asked for.
func (b *Browser) contextOfTarget(id string) (c *Context, lent bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.guest.expected[id]
	delete(b.guest.expected, id)
	return e.context, e.lent
}

// discovered follows what our own tabs open. All else is the person's.
func (b *Browser) discovered(info *target.Info) {
	if !b.guest.on || info.Type != "page" || info.OpenerID == "" {
		return
	}
	b.mu.Lock()
	opener := b.tabs[string(info.OpenerID)]
	known := b.tabs[string(info.TargetID)] != nil
	b.mu.Unlock()
	if opener == nil || known {
		return
	}
	go func() {
		t, err := opener.context.attach(opener.Life, string(info.TargetID), false)
		if err == nil && opener.context.over() {
			_ = t.askToClose(t.Life) // it came too late to go with the others
		}
	}()
}

// leaveGuests closes what guests have left open.
func (b *Browser) leaveGuests(ctx context.Context) {
	b.mu.Lock()
	list := slices.Collect(maps.Keys(b.guest.contexts))
	b.mu.Unlock()
	for _, c := range list {
		_ = c.Close(ctx)
	}
}

// detachGuestTab leaves a tab that is not ours. It stays as it is.
func (t *Tab) detachGuestTab() *cdp.Pending {
	return t.browser.conn.Root().Start(target.CommandDetachFromTarget, &target.DetachFromTargetParams{SessionID: target.SessionID(t.session.ID())})
}

// Others lists the tabs of the browser that are none of this context.
func (c *Context) Others(ctx context.Context) ([]backend.OtherTab, error) {
	var r target.GetTargetsResult
	if err := c.browser.conn.Root().Call(ctx, target.CommandGetTargets, nil, &r); err != nil {
		return nil, fault(err)
	}
	var list []backend.OtherTab
	for _, info := range r.TargetInfos {
		c.browser.mu.Lock()
		t := c.browser.tabs[string(info.TargetID)]
		c.browser.mu.Unlock()
		if info.Type != "page" || info.Subtype != "" || t != nil && !t.lent || strings.HasPrefix(info.URL, "devtools:") {
			continue // ours, another guest's, or none that could be used
		}
		if t != nil && t.context == c {
			continue
		}
		list = append(list, backend.OtherTab{ID: string(info.TargetID), Title: info.Title, URL: backend.WithoutLogin(info.URL)})
	}
	return list, nil
}

// Adopt takes a tab of Others in. It is left as it is when the context closes.
func (c *Context) Adopt(ctx context.Context, id string) (backend.Tab, error) {
	c.browser.mu.Lock()
	taken := c.browser.tabs[id] != nil
	c.browser.mu.Unlock()
	if taken {
		return nil, fail(backend.KindUnsupported, "another session is at that tab")
	}
	t, err := c.attach(ctx, id, true)
	if err != nil {
		return nil, err
	}
	if err := t.begun(ctx); err != nil {
		return nil, err
	}
	c.visited(t.Frames()[0].URL)
	return t, nil
}

// over says whether the context was closed.
func (c *Context) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// Guest says whether the browser is a person's, who uses it as well.
func (c *Context) Guest() bool { return c.browser.guest.on }

// Lent says whether a tab is the person's.
func (c *Context) Lent(t backend.Tab) bool {
	own, ok := t.(*Tab)
	return ok && own.lent
}

// visited notes which sites a guest's tabs have been to: only their cookies are reported.
func (c *Context) visited(address string) {
	if c.been == nil {
		return
	}
	if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
		c.been.Store(u.Hostname(), true)
	}
}

// visitedCookies are those of the person's cookies that belong to visited sites.
func (c *Context) visitedCookies(cookies []backend.Cookie) []backend.Cookie {
	if c.been == nil {
		return cookies
	}
	return slices.DeleteFunc(cookies, func(k backend.Cookie) bool {
		domain, whole := strings.CutPrefix(k.Domain, ".")
		other := true
		c.been.Range(func(host, _ any) bool {
			h, _ := host.(string)
			other = h != domain && !(whole && strings.HasSuffix(h, "."+domain))
			return other
		})
		return other
	})
}

// guestDownload reports a finished download, which is in the person's own folder.
func (b *Browser) guestDownload(one download, e *browser.EventDownloadProgress, ended backend.DownloadEnded) {
	if info, err := os.Stat(e.FilePath); err == nil && !ended.Failed {
		ended.Path, ended.Size = e.FilePath, info.Size()
	} else {
		ended.Failed = true
	}
	one.tab.News.Tell(ended)
}

// refuseForGuest refuses what would change the person's browser.
func refuseForGuest(what string) error {
	return fail(backend.KindUnsupported, fmt.Sprintf("%s would change the browser of the person who uses it; in a session of its own it can be done", what))
}
