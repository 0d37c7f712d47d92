package rove

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rove/driver"
	"rove/internal/wire"
	"rove/recording"
)

// checks waits until all that must be so after a step is so; the error is about the
// first that is not.
func (p *player) checks(ctx context.Context, i int, do *recording.Do) (first error) {
	r := p.result
	patience := p.patience()
	if p.opts.Checks > 0 && p.opts.Until == i+1 {
		patience = p.opts.Checks
	}
	if p.opts.Skip == i+1 && p.opts.Until > i+1 {
		return nil // what comes of it is seen later
	}
	every := p.opts.Skip == i+1 || p.opts.Every && p.opts.Until == i+1
	deadline := time.Now().Add(patience)
	for n, c := range do.Checks {
		if p.opts.Blind && c.Kind == "status" {
			continue
		}
		if every { // what does not come is waited for once, for all together
			patience = max(time.Until(deadline), 0)
		}
		if err := p.check(ctx, c, p.opts.Skip == i+1, patience); err != nil {
			r.Failed = append(r.Failed, n)
			if first == nil {
				first = err
			}
			if !every {
				break
			}
			continue
		}
		r.Checked++
	}
	return first
}

// check waits until something is so.
func (p *player) check(ctx context.Context, c recording.Check, skipped bool, patience time.Duration) error {
	s := p.session
	text := p.fill(c.Text)
	wrong := func(format string, args ...any) error {
		return &Error{Code: CodeTimeout, Op: "check", Message: "it should be that " + (recording.Check{Kind: c.Kind, Text: text, Role: c.Role, Redirects: c.Redirects, Of: c.Of, Asks: c.Asks, Query: p.fill(c.Query)}).String() + fmt.Sprintf(format, args...), Hint: "see what the page says instead, and go on by hand from here"}
	}
	effect := p.effect
	if effect == nil {
		effect = &driver.Effect{}
	}
	if skipped && (c.Kind == "dialog" || c.Kind == "download" || c.Kind == "status" && s.network == nil) {
		return wrong(", and the step was left out")
	}
	switch c.Kind {
	case "dialog":
		if effect.Dialog == nil || effect.Dialog.Message != text {
			return wrong("; there is none such")
		}
		return nil
	case "status":
		if seen := p.sent(ctx, c, text, skipped, patience); seen != nil {
			p.result.Unsent = *seen == ""
			return wrong("%s", *seen)
		}
		return nil
	case "download":
		for _, d := range effect.Downloads {
			if d.Name == text {
				return nil
			}
		}
		return wrong("; there was none such")
	}
	for _, locator := range []string{p.fill(c.Query), p.fill(c.With)} {
		if isScript(locator) { // a flow may be anybody's
			if err := s.script(ctx, locator); err != nil {
				return err
			}
		}
	}
	if s.driver.Tab().Dialog() != nil {
		return wrong("; a dialog of the browser is open")
	}
	deadline := time.Now().Add(patience)
	for {
		ok, seen := p.so(ctx, c, text, max(time.Until(deadline), time.Millisecond))
		if ok {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if !time.Now().Before(deadline) {
			if in := recording.InParts(text); c.Kind == "text" && c.Role != "place" && in != "" && in != p.fill(c.Query) {
				in := recording.Check{Kind: "text", Text: text, Query: in}
				p.result.InParts, _ = p.so(ctx, in, text, 0)
			}
			return wrong("%s", seen)
		}
		if err := pause(ctx, checkPause); err != nil {
			return err
		}
	}
}

// sent says what is wrong with the request that a check is about; nil is nothing.
// Pages that save by themselves, a while after something was typed, send it while
// another step is done than the last time: where the step did not send it, it may
// have been sent before, or be sent soon.
func (p *player) sent(ctx context.Context, c recording.Check, text string, skipped bool, patience time.Duration) *string {
	method, path, _ := strings.Cut(text, " ")
	seen := ""
	well := func(status int) bool { return status >= 200 && status < 400 && (!c.Redirects || status >= 300) }
	note := func(status int) { seen = fmt.Sprintf("; it was answered with %d", status) }
	if p.effect != nil && !skipped && c.Asks == "" {
		for _, q := range p.effect.Requests {
			if q.Method == method && recording.PathPattern(p.path(q.URL)) == path {
				if q.Open || well(q.Status) || q.Status == 0 && q.Failure == "" {
					p.logged(text, method, path, c.Asks)
					return nil
				}
				note(q.Status)
			}
		}
	}
	for deadline := time.Now().Add(patience); seen == ""; {
		for _, q := range p.logged(text, method, path, c.Asks) {
			if well(q.Status) {
				return nil
			}
			if q.Status > 0 {
				note(q.Status)
			}
		}
		if p.session.network == nil || !time.Now().Before(deadline) || pause(ctx, checkPause) != nil {
			break
		}
	}
	return &seen
}

// logged are the requests of the replay, answered by now, that no check of theirs
// was told of.
func (p *player) logged(text, method, path, asks string) (list []Request) {
	if p.session.network == nil {
		return nil
	}
	text += asks
	all, err := p.session.network.Requests(RequestFilter{After: p.used[text]})
	if err != nil {
		return nil
	}
	for _, q := range all.Requests {
		if q.Number > p.begun && q.Method == method && q.Status > 0 && recording.PathPattern(p.path(q.URL)) == path && (asks == "" || q.Sent != nil && recording.Asks([]byte(q.Sent.Text)) == asks) {
			list = append(list, q)
			p.used[text] = max(p.used[text], q.Number)
		}
	}
	return list
}

// lastRequestNumber is the number of the last request of the session.
func (s *Session) lastRequestNumber() int {
	if s.network == nil {
		return 0
	}
	all, err := s.network.Requests(RequestFilter{Limit: 1})
	if err != nil || len(all.Requests) == 0 {
		return 0
	}
	return all.Requests[len(all.Requests)-1].Number
}

const checkPause = 50 * time.Millisecond

// so says whether something is so now; it may wait for it.
func (p *player) so(ctx context.Context, c recording.Check, text string, left time.Duration) (ok bool, seen string) {
	tab, _, err := p.session.currentTab(ctx)
	if err != nil {
		return false, "; " + err.Error()
	}
	query := p.fill(c.Query)
	switch c.Kind {
	case "url":
		at := tab.URL()
		if strings.HasPrefix(text, "/") {
			return at == p.base()+text, "; it is " + within(at, p.base()+"/")
		}
		return at == text, "; it is " + at
	case "title":
		title := p.scripted(ctx, tab, "document.title")
		return title == text, fmt.Sprintf("; it is %q", title)
	case "text":
		_, err := tab.Find(ctx, query, driver.FindOptions{Visible: true, Within: left})
		return err == nil, ""
	case "gone":
		if c.With != "" {
			if _, err := tab.Find(ctx, p.fill(c.With), driver.FindOptions{Visible: true}); err != nil {
				return false, ""
			}
		}
		_, err := tab.Find(ctx, query, driver.FindOptions{Visible: true})
		return CodeOf(err) == CodeNotFound, ""
	case "kept", "unkept":
		return p.scripted(ctx, tab, recording.Kept(c.Kind, query, text)) == "true", ""
	case "value":
		held := p.scripted(ctx, tab, recording.Held(query))
		return held == text, fmt.Sprintf("; it holds %q", held)
	}
	return true, ""
}

// scripted is what a script of the page gives, as text.
func (p *player) scripted(ctx context.Context, tab *driver.Tab, js string) (text string) {
	v, err := tab.Script(ctx, js)
	if err == nil && wire.Unmarshal([]byte(v), &text) != nil {
		text = v
	}
	return text
}
