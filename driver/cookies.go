package driver

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"rove/driver/backend"
)

// Cookie is a cookie of the driver's browser context.
type Cookie = backend.Cookie

// Cookies lists the cookies of the driver's browser context.
func (d *Driver) Cookies(ctx context.Context) ([]Cookie, error) {
	ctx, cancel := d.within(ctx, scriptWait)
	defer cancel()
	d.Tab().handOver(ctx)
	list, err := d.browser.Cookies(ctx)
	if err != nil {
		return nil, d.failed("cookies", err)
	}
	return list, nil
}

// handOver has the documents of the tab hand the cookies they have set over to the
// browser, which they do in their own time. One that does not answer keeps nobody.
func (t *Tab) handOver(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, handOverTime)
	defer cancel()
	var calls []backend.Call
	for _, f := range t.tab.Frames() {
		calls = append(calls, backend.Call{Frame: f.ID, Func: "cookies"})
	}
	_, _ = t.tab.Call(ctx, calls...)
}

// beforeLeaving sees to it that a navigation carries the cookies that the caller's own
// script has just set.
func (t *Tab) beforeLeaving(ctx context.Context) {
	if t.scripted.Swap(false) {
		t.handOver(ctx)
	}
}

const handOverTime = 300 * time.Millisecond

// Cookie is the cookie of a name: the one that the current page would send, else
// any. It is nil where there is none.
func (d *Driver) Cookie(ctx context.Context, name string) (*Cookie, error) {
	list, err := d.Cookies(ctx)
	if err != nil {
		return nil, err
	}
	var any *Cookie
	for _, c := range list {
		if c.Name != name {
			continue
		}
		if sent(c, d.URL()) {
			return &c, nil
		}
		any = &c
	}
	return any, nil
}

// sent says whether a page's requests carry a cookie.
func sent(c Cookie, page string) bool {
	u, err := url.Parse(page)
	if err != nil {
		return false
	}
	host, domain := u.Hostname(), c.Domain
	fits := host == domain
	if strings.HasPrefix(domain, ".") {
		fits = host == domain[1:] || strings.HasSuffix(host, domain)
	}
	return fits && within(u.Path, c.Path)
}

// within says whether a path is that of a cookie, or below it: /foo/bar is below
// /foo, and /foobar is not.
func within(path, cookie string) bool {
	if path == "" {
		path = "/"
	}
	rest, below := strings.CutPrefix(path, cookie)
	return below && (rest == "" || rest[0] == '/' || strings.HasSuffix(cookie, "/"))
}

// SetCookies sets cookies. One without a URL and a domain is for the current
// page.
func (d *Driver) SetCookies(ctx context.Context, cookies ...Cookie) error {
	page := d.URL()
	cookies = slices.Clone(cookies) // what is the caller's stays as it is
	for i, c := range cookies {
		if c.Name == "" {
			return Invalid("cookie", "a cookie needs a name")
		}
		if strings.ContainsFunc(c.Name+c.Value, badCookieRune) || strings.Contains(c.Name, "=") {
			return Invalid("cookie", "the cookie %q cannot be set: names and values have no semicolon and no control characters, names no =", c.Name)
		}
		if c.URL == "" && c.Domain == "" {
			if !strings.HasPrefix(page, "http") {
				return Invalid("cookie", "a cookie needs a URL or a domain: the page, %s, has none for it", page)
			}
			cookies[i].URL = page
			if c.Path == "" {
				cookies[i].Path = "/"
			}
		}
	}
	ctx, cancel := d.within(ctx, scriptWait)
	defer cancel()
	if err := d.browser.SetCookies(ctx, cookies...); err != nil {
		return d.failed("cookie", err)
	}
	return nil
}

// badCookieRune is what a name or value cannot have.
func badCookieRune(r rune) bool { return r == ';' || r < ' ' && r != '\t' || r == 0x7f }

// DeleteCookie removes the cookies of a name.
func (d *Driver) DeleteCookie(ctx context.Context, name string) error {
	list, err := d.Cookies(ctx)
	if err != nil {
		return err
	}
	var past []Cookie
	for _, c := range list {
		if c.Name == name {
			c.Expires = time.Unix(1, 0)
			past = append(past, c)
		}
	}
	if len(past) == 0 {
		return nil
	}
	ctx, cancel := d.within(ctx, scriptWait)
	defer cancel()
	if err := d.browser.SetCookies(ctx, past...); err != nil {
		return d.failed("cookie", err)
	}
	return nil
}

// ClearCookies removes all cookies of the driver's browser context.
func (d *Driver) ClearCookies(ctx context.Context) error {
	ctx, cancel := d.within(ctx, scriptWait)
	defer cancel()
	if err := d.browser.ClearCookies(ctx); err != nil {
		return d.failed("cookies", err)
	}
	return nil
}
