package chrome

import (
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
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

// limited says whether the context's requests are to be decided upon.
func (c *Context) limited() bool {
	p := c.policy.Load()
	return p != nil && (*p).Limits()
}

// refuses gives the policy's reason against an address that somebody asked for,
// or nil.
func (c *Context) refuses(url string) error {
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
		URL string `json:"url"`
	} `json:"request"`
}

// decide lets a paused request go on, or fails it and gives the reason. A
// document of the main frame is given up as if it had never been asked for: the
// page that is there stays.
func (c *Context) decide(ev cdp.Event, main func(*paused) bool) (*paused, error) {
	var p paused
	if ev.Decode(&p) != nil || p.ID == "" {
		return nil, nil // not a request that could be answered
	}
	s := ev.Session
	err := (*c.policy.Load()).URL(p.Request.URL)
	if err == nil {
		c.intercepted(ev, p.ID)
		return &p, nil
	}
	reason := network.ErrorReasonBlockedByClient
	if main(&p) {
		reason = network.ErrorReasonAborted
	}
	s.Start(fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: p.ID, ErrorReason: reason})
	return &p, err
}

// requestPaused decides on a request of one of the tab's sessions.
func (t *Tab) requestPaused(ev cdp.Event) {
	if !t.context.limited() {
		t.context.intercepted(ev, "")
		return
	}
	var isMain, first, empty bool
	p, err := t.context.decide(ev, func(p *paused) bool {
		t.Mu.Lock()
		defer t.Mu.Unlock()
		isMain = p.Type == network.ResourceTypeDocument && p.Frame == t.tree.main.id
		first = t.nav.commits == 0
		empty = t.tree.main.url == "" || t.tree.main.url == blank
		return isMain
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

// refusal is the error of a request that the policy refused.
func refusal(err error) error {
	return &backend.Error{Kind: backend.KindPolicy, Text: err.Error(), Err: err}
}

// policed is the handler of a worker that belongs to no tab.
func (c *Context) policed(ev cdp.Event) {
	switch {
	case ev.Method != "Fetch.requestPaused":
	case c.limited():
		_, _ = c.decide(ev, func(*paused) bool { return false })
	default:
		c.intercepted(ev, "")
	}
}
