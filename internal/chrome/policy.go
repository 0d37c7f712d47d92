package chrome

import (
	"context"
	"errors"
	"net/netip"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"rove/cdp"
	"rove/driver/backend"
)

// A context with a policy is held to it twice. Every request of its pages,
// frames and workers is paused and decided upon (Fetch), redirects too, which
// names the request that was refused. Web sockets, preconnects and name look-ups
// are never paused; those find that the context's only way out is a proxy of
// ours that holds to the same policy (egress.go). Datagrams would go neither way:
// the browser keeps them back, or no such context is opened (datagrams.go). A
// context without a policy pays for none of it.

// nowhere is the policy of a browser whose contexts each have one of their own: for
// what has no context's way out. So it is with all contexts once the browser's network
// service has died, since the next one goes the way that the browser was launched with.
type nowhere struct{}

var errNowhere = errors.New("the browser's network service was started anew, and knows nothing of this session's limits: close the session")

func (nowhere) Limits() bool                          { return true }
func (nowhere) URL(string) error                      { return errNowhere }
func (nowhere) Connection(string, int) error          { return errNowhere }
func (nowhere) Address(string, int, netip.Addr) error { return errNowhere }
func (nowhere) Asked(string) error                    { return errNowhere }

// wayFor is the way out of a context that is to be made, beside that of the whole
// browser. Limits of its own a context has only where the browser has none to fall
// back on: they do not outlive the network service.
func (b *Browser) wayFor(limits backend.Policy) (proxy string, way *egress, err error) {
	var launched backend.Policy
	if b.startup.egress != nil {
		launched = b.startup.egress.policy
	}
	limited := limits != nil && limits.Limits()
	switch {
	case limited && launched == limits:
		return "", nil, nil
	case limited && launched != (nowhere{}):
		return "", nil, fail(backend.KindPolicy, "a session with limits needs a browser that was launched with them")
	case limited:
		if way, err = newEgress(limits); err != nil {
			return "", nil, err
		}
		return way.address(), way, nil
	case launched == (nowhere{}):
		return "direct://", nil, nil
	}
	return "", nil, nil
}

// limited says whether the context's requests are to be decided upon.
func (c *Context) limited() bool {
	p := c.policy.Load()
	return p != nil && (*p).Limits()
}

// decides says whether there are requests of pages that are to be decided upon.
func (c *Context) decides() bool {
	return c.limited() || c.enters.Load() != nil || c.browser.guest.own != nil
}

// refuses gives the policy's reason against an address that somebody asked for,
// or nil.
func (c *Context) refuses(url string) error {
	if err := c.browser.guest.refuses(url); err != nil {
		return refusal(err)
	}
	p := c.policy.Load()
	if p == nil {
		return nil
	}
	err := (*p).Asked(url)
	if err == nil {
		return nil
	}
	return refusal(err)
}

// holdBack has a page go that may not be there and came without a question: a file, which the
// browser opens where it is dropped on what does not take it, and what a popup opened before
// it could be told to pause its requests. The lock is held.
func (t *Tab) holdBack(f *frame) {
	if f == nil || t.lent || !strings.HasPrefix(f.url, "file:") && t.browser.guest.refuses(f.url) == nil {
		return
	}
	err := t.context.refuses(f.url)
	if err == nil {
		return
	}
	t.News.Add(backend.Refused{Frame: f.id, URL: f.url, Main: true, Err: err})
	// A tab that has only just come does not always heed that it is to be closed.
	t.session.Start(page.CommandNavigate, &page.NavigateParams{URL: blank})
}

// pause has a session's requests paused, if the context has a policy or
// somebody intercepts them.
func (c *Context) pause(s *cdp.Session) []cdp.Command {
	if patterns := c.stopped(); len(patterns) > 0 {
		return []cdp.Command{fetchEnable(s, patterns)}
	}
	return nil
}

// paused is a request that waits for a decision.
type paused struct {
	ID      fetch.RequestID      `json:"requestId"`
	Frame   backend.FrameID      `json:"frameId"`
	Type    network.ResourceType `json:"resourceType"`
	Request struct {
		URL    string `json:"url"`
		Method string `json:"method"`
	} `json:"request"`
}

// entryCheck is backend.ContextOptions.Enters.
type entryCheck func(backend.Entry) error

// setEnters has pages be decided upon that tabs come to, those of tabs that are there
// already too.
func (c *Context) setEnters(ctx context.Context, check func(backend.Entry) error) error {
	had := c.enters.Load() != nil
	if c.enters.Store(nil); check != nil {
		c.enters.Store((*entryCheck)(&check))
	}
	if !had && check == nil {
		return nil
	}
	if check != nil {
		pages := fetchEnable(c.browser.conn.Root(), []backend.Pattern{{URL: "*", Type: string(network.ResourceTypeDocument)}})
		for _, p := range c.browser.conn.Start(pages) {
			if err := fault(p.Wait(ctx, nil)); err != nil {
				return err
			}
		}
	}
	return c.pauseAll(ctx)
}

// decide lets a paused request go on, or fails it and gives the reason. A
// document of the main frame is given up as if it had never been asked for: the
// page that is there stays. entry is the page that it would be; nil where it is none.
func (c *Context) decide(ev cdp.Event, entry func(*paused) *backend.Entry) (*paused, error) {
	var p paused
	if ev.Decode(&p) != nil || p.ID == "" {
		return nil, nil // not a request that could be answered
	}
	s := ev.Session
	var err error
	if c.limited() {
		err = (*c.policy.Load()).URL(p.Request.URL)
	}
	if err == nil {
		err = c.browser.guest.refuses(p.Request.URL)
	}
	into := entry(&p)
	if check := c.enters.Load(); err == nil && into != nil && check != nil {
		err = (*check)(*into)
	}
	if err == nil {
		c.intercepted(ev, p.ID)
		return &p, nil
	}
	reason := network.ErrorReasonBlockedByClient
	if into != nil {
		reason = network.ErrorReasonAborted
	}
	s.Start(fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: p.ID, ErrorReason: reason})
	return &p, err
}

// requestPaused decides on a request of one of the tab's sessions.
func (t *Tab) requestPaused(ev cdp.Event) {
	if !t.context.decides() {
		t.context.intercepted(ev, "")
		return
	}
	var isMain, first, empty bool
	p, err := t.context.decide(ev, func(p *paused) *backend.Entry {
		e, commits := t.entry(p)
		isMain, first = e != nil, commits == 0
		empty = isMain && (e.Popup || e.From == "" || e.From == blank)
		return e
	})
	if err == nil {
		return
	}
	t.Mu.Lock()
	if isMain {
		t.nav.refusal = err
	}
	t.News.Add(backend.Refused{Frame: p.Frame, URL: p.Request.URL, Type: string(p.Type), Main: isMain, Err: err})
	t.Mu.Unlock()
	t.News.Flush()
	if !isMain || !empty || t.opener == nil {
		return
	}
	// A popup with nothing to show: who opened it is told, and it goes.
	t.opener.News.Tell(backend.Refused{URL: p.Request.URL, Type: string(p.Type), Main: true, Err: err})
	if first {
		t.browser.conn.Root().Start(target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(t.id)})
	}
}

// entry is the page that a request of the tab is for, nil where it is for something in it;
// and how many pages the tab has had.
func (t *Tab) entry(p *paused) (e *backend.Entry, commits int) {
	t.Mu.Lock()
	from, commits := t.tree.main.url, t.nav.commits
	isMain := p.Type == network.ResourceTypeDocument && string(p.Frame) == t.id
	t.Mu.Unlock()
	if !isMain {
		return nil, commits
	}
	popup := (from == "" || from == blank) && t.opener != nil
	if popup { // what is there is its opener's document
		t.opener.Mu.Lock()
		from = t.opener.tree.main.url
		t.opener.Mu.Unlock()
	}
	return &backend.Entry{From: from, To: p.Request.URL, Method: p.Request.Method, Popup: popup}, commits
}

// requestPaused decides on pages of the whole browser: the first of a tab that the
// browser opens by itself, as for a link and Control, has gone out by the time that the
// tab can be told to pause its requests.
func (b *Browser) requestPaused(ev cdp.Event) {
	var p paused
	if ev.Decode(&p) != nil || p.ID == "" {
		return
	}
	b.mu.Lock()
	t := b.tabs[string(p.Frame)]
	b.mu.Unlock()
	if t != nil {
		if check := t.context.enters.Load(); check != nil {
			if e, commits := t.entry(&p); e != nil {
				e.Popup = e.Popup || commits == 0
				if err := (*check)(*e); err != nil {
					t.News.Tell(backend.Refused{Frame: p.Frame, URL: p.Request.URL, Type: string(p.Type), Main: true, Err: err})
					ev.Session.Start(fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: p.ID, ErrorReason: network.ErrorReasonAborted})
					return
				}
			}
		}
	}
	ev.Session.Start(fetch.CommandContinueRequest, &fetch.ContinueRequestParams{RequestID: p.ID})
}

// refusal is the error of a request that the policy refused.
func refusal(err error) error {
	return &backend.Error{Kind: backend.KindPolicy, Text: err.Error(), Err: err}
}

// policed is the handler of a worker that belongs to no tab.
func (c *Context) policed(ev cdp.Event) {
	switch {
	case ev.Method != "Fetch.requestPaused":
	case c.decides():
		_, _ = c.decide(ev, func(*paused) *backend.Entry { return nil })
	default:
		c.intercepted(ev, "")
	}
}
