package rove

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"rove/aria"
	"rove/driver"
	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/internal/hub"
	"rove/internal/policy"
	"rove/internal/wire"
)

// joinTimeout bounds the connection to a running browser, which may ask its person.
const joinTimeout = time.Minute

// CheckConnect checks Options.Connect, and what cannot be had together with it,
// before anything is done.
func (o *Options) CheckConnect() error {
	if o.Connect == "" {
		if o.Tabs != "" {
			return driver.Invalid("connect", "tabs are another's only in a browser that runs already: say which with connect")
		}
		return nil
	}
	if _, err := chrome.ParseAddress(o.Connect); err != nil {
		return driver.Invalid("connect", "%v", err)
	}
	if o.Tabs != "" && o.Tabs != "own" && o.Tabs != "all" {
		return driver.Invalid("connect", "tabs are own or all, not %q", o.Tabs)
	}
	var said []string
	for name, is := range map[string]bool{"browser": o.Browser != "", "headed": o.Headed, "profile": o.Profile != "", "args": len(o.Args) > 0} {
		if is {
			said = append(said, name)
		}
	}
	if len(said) > 0 {
		return driver.Invalid("connect", "a browser that runs already is as it is: leave %s out", strings.Join(said, ", "))
	}
	rules, err := policy.New(o.Allow, o.Block)
	if err != nil {
		return driver.Invalid("launch", "%v", err)
	}
	if rules.Limits() {
		return &Error{
			Code: CodePolicy, Op: "connect",
			Message: "limits on the network (allow, block) cannot be held in a browser that runs already: its web sockets, WebRTC, service workers and popups go out by its own way",
			Hint:    "leave them out, or take the login along to a browser of rove's own, which can: rove session save, then rove session load --allow …",
		}
	}
	return nil
}

// join makes a Browser of the one that runs already.
func join(ctx context.Context, opts Options, made *Browser) (*Browser, error) {
	if err := opts.CheckConnect(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, joinTimeout)
	defer cancel()
	t, err := reach(ctx, opts)
	if err != nil {
		return nil, connectError(err)
	}
	b, err := chrome.Join(ctx, t)
	if err != nil {
		return nil, connectError(err)
	}
	made.backend, made.folder, made.tabs, made.person = b, b.Folder(), opts.Tabs, true
	if opts.Progress != nil {
		fmt.Fprintf(opts.Progress, "connected to %s, which a person uses. Tabs that rove opens there are closed at the end, all else stays as it is. "+
			"Not held there: isolation (cookies and logins are the person's, and shared by all sessions) and limits on the network.\n", b.Version())
	}
	return made, nil
}

// reach connects by way of whoever holds the one connection, or by one of our own.
func reach(ctx context.Context, opts Options) (wire.Transport, error) {
	dial := opts.Dial
	if dial == nil {
		dial = hub.New().Alone
	}
	c, err := dial(ctx, opts.Connect)
	if err != nil {
		return nil, err
	}
	return wire.NewPipe(c, c), nil
}

// connectError says why there is no browser to be had.
func connectError(err error) error {
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	var none *chrome.Unreachable
	if errors.As(err, &none) {
		return &Error{Code: CodeClosed, Op: "connect", Message: none.Error(), Hint: none.Hint, Err: err}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{Code: CodeTimeout, Op: "connect", Message: "the browser does not answer", Hint: "it may be asking you: look at its window and allow it", Err: err}
	}
	return &Error{Code: CodeClosed, Op: "connect", Message: err.Error(), Hint: "see that the browser runs, and try again", Err: err}
}

// Dialer gives a connection to a running browser: messages of the DevTools
// protocol, each ended by a NUL byte.
type Dialer func(ctx context.Context, connect string) (io.ReadWriteCloser, error)

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
		b.WriteString("the person's own tabs are not told of; --tabs all allows it\n")
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

// borrow goes to a tab of the person's, by a part of its title or address.
func (s *Session) borrow(ctx context.Context, which string) (*driver.Tab, error) {
	h := s.guest()
	if h == nil || which == "" {
		return nil, nil
	}
	if s.browser.tabs != "all" {
		return nil, &Error{
			Code: CodePolicy, Op: "tab", Message: "no tab of this session matches " + which + ", and the person's own are not to be touched",
			Hint: "the person can allow it: --tabs all",
		}
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
