package rove

import (
	"context"
	"fmt"
	"strings"

	"rove/aria"
	"rove/driver"
	"rove/driver/advice"
	"rove/driver/backend"
)

// guest is the session's browser as a guest sees it; nil in one of rove's own.
func (s *Session) guest() backend.Host {
	if h, ok := s.driver.BrowserContext().(backend.Host); ok && h.Guest() {
		return h
	}
	return nil
}

// tabList says which tabs there are. Those of a person are told where that was
// allowed.
func (s *Session) tabList(ctx context.Context) (string, error) {
	var b strings.Builder
	pages, err := s.driver.Pages(ctx)
	if err != nil {
		return "", err
	}
	for i, p := range pages {
		mark := ""
		if p.Current {
			mark = " (current)"
		}
		fmt.Fprintf(&b, "%d %s %s%s\n", i+1, aria.Quote(p.Title), aria.Plain(p.URL), mark)
	}
	h := s.guest()
	if h == nil {
		return b.String(), nil
	}
	if s.browser.tabs != "all" {
		b.WriteString("the person's own tabs are not told of; " + advice.From(ctx).Say(advice.AllowTabs) + "\n")
		return b.String(), nil
	}
	others, err := h.Others(ctx)
	if err != nil {
		return "", err
	}
	for _, o := range others {
		fmt.Fprintf(&b, "the person's: %s %s\n", aria.Quote(o.Title), aria.Plain(o.URL))
	}
	return b.String(), nil
}

// borrowTab goes to a tab of the person's, by a part of its title or address.
func (s *Session) borrowTab(ctx context.Context, which string) (*driver.Tab, error) {
	h := s.guest()
	if h == nil || which == "" {
		return nil, nil
	}
	if s.browser.tabs != "all" {
		return nil, (&Error{
			Code: CodePolicy, Op: "tab", Message: "no tab of this session matches " + which + ", and the person's own are not to be touched",
		}).Advise(advice.AllowTabs)
	}
	others, err := h.Others(ctx)
	if err != nil {
		return nil, driver.Explain("tab", err)
	}
	var named []backend.OtherTab
	for _, o := range others {
		if o.URL == which || o.Title == which {
			named = []backend.OtherTab{o}
			break
		}
		if strings.Contains(o.URL, which) || strings.Contains(strings.ToLower(o.Title), strings.ToLower(which)) {
			named = append(named, o)
		}
	}
	switch len(named) {
	case 0:
		return nil, nil
	case 1:
	default:
		var list []string
		for _, o := range named {
			list = append(list, aria.Quote(o.Title)+" "+aria.Plain(o.URL))
		}
		return nil, &Error{Code: CodeNotFound, Op: "tab", Message: fmt.Sprintf("%d tabs match %s: %s", len(named), which, strings.Join(list, ", ")), Hint: "say more of its title or address"}
	}
	if err := s.browser.policy.Asked(named[0].URL); err != nil {
		return nil, &Error{Code: CodePolicy, Op: "tab", Message: err.Error(), Hint: "take another tab", Err: err}
	}
	if _, err := s.askConsent(ctx, "go", named[0].URL, ""); err != nil {
		return nil, err
	}
	t, err := h.Adopt(ctx, named[0].ID)
	if err != nil {
		return nil, driver.Explain("tab", err)
	}
	return s.driver.Take(t), nil
}
