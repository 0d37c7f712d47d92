package rove

import (
	"strings"

	"rove/aria"
	"rove/driver"
	"rove/internal/outlet"
)

// What a session tells leaves it through its outlet, which takes secrets and logins
// out. What came from the browser passes it first, before anything is cut, compared
// or put into words; the results, the history and the errors pass it last.

const mask = outlet.Mask

// Mask takes secrets and logins out of a text.
func (s *Session) Mask(text string) string { return s.out.Text(text) }

// URL is the address of the current tab, without secrets.
func (s *Session) URL() string { return s.out.Text(s.driver.Tab().URL()) }

// fork gives a session an outlet of its own, for what only it comes to know.
func (s *Secrets) fork() *outlet.Outlet {
	if s == nil {
		return outlet.New(nil)
	}
	return s.out.Fork()
}

// cleanResult has all texts of a result pass the outlet, those that only this package sees
// among them.
func cleanResult[T any](o *outlet.Outlet, r *T) {
	if r == nil {
		return
	}
	*r = outlet.Clean(o, *r)
	if own, ok := any(r).(interface{ ownTexts() []*string }); ok {
		for _, text := range own.ownTexts() {
			*text = aria.Reveal(o.Text(*text)) // whoever prints it must not obey it
		}
	}
}

func (r *LookResult) ownTexts() []*string  { return []*string{&r.text} }
func (r *EvalResult) ownTexts() []*string  { return []*string{&r.text} }
func (r *FoundResult) ownTexts() []*string { return []*string{&r.text} }

// cleanTree is pass for a page as it comes from the browser. It is not walked as other
// values are: it may have many thousand nodes.
func cleanTree(o *outlet.Outlet, t *aria.Tree) {
	if t == nil {
		return
	}
	t.URL, t.Title = o.Text(t.URL), o.Text(t.Title)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		n.Name, n.Value, n.Desc, n.URL = o.Text(n.Name), o.Text(n.Value), o.Text(n.Desc), o.Text(n.URL)
		if o.Secret() {
			n.Role = o.Text(n.Role)
		}
	}
	for i := range t.Unreadable {
		t.Unreadable[i] = o.Text(t.Unreadable[i])
	}
}

// failed is an error as it may be told.
func (s *Session) failed(err error) error { return driver.MaskError(s.out.Text, err) }

// said is a step as it may be told.
func (s *Session) said(st Step) Step {
	if word, address, ok := strings.Cut(strings.TrimSpace(st.Value), " "); ok && word == "new" && st.Op == "tab" {
		st.Value = "new " + s.opening(address)
	}
	return outlet.Clean(s.out, st)
}

// opening has the session know the password in an address it is told to go to, as
// the browser will have it in headers and pages may show it. The address is given as
// it may be told.
func (s *Session) opening(address string) string {
	return s.out.LearnLogin(address)
}
