package perceive

import (
	"context"
	"fmt"
	"strings"
)

// PageSignals are what a person would notice first; nil where there is none.
type PageSignals struct {
	Modal        *Signal `json:"modal,omitempty"`
	CookieBanner *Signal `json:"cookie_banner,omitempty"`
	ErrorBanner  *Signal `json:"error_banner,omitempty"`
	Loading      *Signal `json:"loading,omitempty"`
	LoginWall    *Signal `json:"login_wall,omitempty"`
	Captcha      *Signal `json:"captcha,omitempty"`
}

// Signal is one of them: what it says, and the elements that deal with it.
type Signal struct {
	Text   string `json:"text,omitempty"`
	Accept string `json:"accept,omitempty"` // el_N: agrees, signs in, ticks the box
	Reject string `json:"reject,omitempty"` // el_N: refuses
	Close  string `json:"close,omitempty"`  // el_N: closes it
}

// each lists the signals there are, by name.
func (p PageSignals) each(fn func(name string, s *Signal)) {
	for _, one := range []struct {
		name string
		s    *Signal
	}{
		{"modal", p.Modal},
		{"cookie banner", p.CookieBanner},
		{"error banner", p.ErrorBanner},
		{"loading", p.Loading},
		{"login wall", p.LoginWall},
		{"captcha", p.Captcha},
	} {
		if one.s != nil {
			fn(one.name, one.s)
		}
	}
}

// String is the signals on one line: cookie banner "We use cookies" accept el_2.
func (p PageSignals) String() string {
	var list []string
	p.each(func(name string, s *Signal) {
		if s.Text != "" {
			name += " " + quoted(s.Text, 100)
		}
		for _, way := range []struct{ what, id string }{{"accept", s.Accept}, {"reject", s.Reject}, {"close", s.Close}} {
			if way.id != "" {
				name += " " + way.what + " " + way.id
			}
		}
		list = append(list, name)
	})
	return strings.Join(list, ", ")
}

// key is what makes two sets of signals the same: which there are and what they
// say, not which ids deal with them.
func (p PageSignals) key() string {
	var b strings.Builder
	p.each(func(name string, s *Signal) { fmt.Fprintf(&b, "%s %q\n", name, s.Text) })
	return b.String()
}

// Signals is the stage that finds them, in what is in view: what a person would
// notice without scrolling.
func Signals(_ context.Context, s *Sight) error {
	sc := newScene(s)
	p := &s.Map.PageSignals
	p.Modal = sc.modal()
	p.CookieBanner = sc.cookieBanner()
	p.ErrorBanner = sc.errorBanner()
	p.Loading = sc.loading()
	p.Captcha = sc.captcha()
	p.LoginWall = sc.loginWall()
	return nil
}
