package webdriver

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// unreachable says of an address that it is of a page which a browser shows in place of
// one that it could not reach.
func unreachable(address string) bool {
	return strings.HasPrefix(address, "chrome-error:") || strings.HasPrefix(address, "about:neterror") || strings.HasPrefix(address, "about:certerror")
}

// Navigate sends the main frame to a URL. A driver waits for the load event, whatever is
// asked for; patience ends that.
func (t *Tab) Navigate(ctx context.Context, url string, opts backend.NavigateOptions) (*backend.Navigation, error) {
	if err := t.context.Refuses(url); err != nil {
		return nil, err
	}
	if opts.Referer != "" {
		return nil, t.context.cannot("a referrer of one's own")
	}
	var left []string
	if d := t.Dialog(); d != nil && opts.Leave {
		left = append(left, "a dialog, "+d.Message)
		if err := t.AnswerDialog(ctx, true, ""); err != nil {
			return nil, err
		}
	}
	var nav *backend.Navigation
	err := t.turned(ctx, func() (err error) {
		nav, err = t.load(ctx, "/url", object{"url": url}, opts.Patience)
		return err
	})
	if err != nil {
		return nil, err
	}
	nav.Left = left
	return nav, nil
}

// load sends a command that loads a page, and looks at that. The turn is held.
func (t *Tab) load(ctx context.Context, path string, body object, patience time.Duration) (*backend.Navigation, error) {
	c := t.context
	if err := t.enterFrame(ctx, ""); err != nil {
		return nil, err
	}
	t.Mu.Lock()
	before := t.List[0].Document
	t.Mu.Unlock()
	bound := patience
	if end, ok := ctx.Deadline(); ok && (bound == 0 || time.Until(end) < bound) {
		bound = time.Until(end)
	}
	if bound <= 0 || bound > pageTimeout {
		bound = pageTimeout
	}
	if err := c.do(ctx, http.MethodPost, "/timeouts", object{"pageLoad": bound.Milliseconds()}, nil); err != nil {
		return nil, t.trouble(ctx, err)
	}
	err := c.do(ctx, http.MethodPost, path, body, nil)
	c.at.frame = ""
	var refused *Refusal
	loading := false
	switch {
	case errors.As(err, &refused) && refused.Code == "timeout":
		if loading = patience > 0 && ctx.Err() == nil; !loading {
			return nil, &backend.Error{Kind: backend.KindTimeout, Text: "the load event", Err: context.DeadlineExceeded}
		}
	case errors.As(err, &refused) && refused.Code == "invalid argument":
		return nil, &backend.Error{Kind: backend.KindNavigation, Text: refused.Message, Reason: backend.ReasonURL, Err: err}
	case errors.As(err, &refused) && refused.Code != "unexpected alert open" && refused.Code != "no such window":
		_ = t.survey(ctx)
		return nil, &backend.Error{Kind: backend.KindNavigation, Text: refused.Message, Reason: anypage.Reason(refused.Message), Err: err}
	case err != nil:
		return nil, t.trouble(ctx, err)
	}
	if err := t.after(ctx); err != nil {
		return nil, err
	}
	t.Mu.Lock()
	defer t.Mu.Unlock()
	f := t.List[0]
	if unreachable(f.URL) {
		return nil, &backend.Error{Kind: backend.KindNavigation, Text: f.URL, Reason: backend.ReasonOther}
	}
	if asked, _ := body["url"].(string); f.URL == "about:blank" && f.Document != before && strings.HasPrefix(asked, "http") {
		// Some show nothing in place of what they could not reach, and do not say why.
		return nil, &backend.Error{Kind: backend.KindNavigation, Text: "the browser shows an empty page instead", Reason: backend.ReasonOther}
	}
	return &backend.Navigation{URL: f.URL, Status: t.shown.Status, MIME: t.shown.MIME, Document: f.Document, SameDocument: f.Document == before, Loading: loading && !f.Loaded}, nil
}

// Step goes back or forward in the tab's history; false where nothing came of it.
func (t *Tab) Step(ctx context.Context, delta int) (bool, error) {
	path := "/back"
	if delta > 0 {
		path = "/forward"
	}
	moved := false
	err := t.turned(ctx, func() error {
		t.Mu.Lock()
		url := t.List[0].URL
		t.Mu.Unlock()
		nav, err := t.load(ctx, path, nil, 0)
		if err != nil {
			return err
		}
		moved = !nav.SameDocument || nav.URL != url
		return nil
	})
	if err != nil {
		return false, err
	}
	return moved, nil
}

// Reload loads the page again. No driver goes round its cache.
func (t *Tab) Reload(ctx context.Context, _ bool) error {
	return t.turned(ctx, func() error {
		_, err := t.load(ctx, "/refresh", nil, 0)
		return err
	})
}
