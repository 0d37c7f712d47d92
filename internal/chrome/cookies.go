package chrome

import (
	"context"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"rove/driver/backend"
)

// Cookies lists the cookies of this context.
func (c *Context) Cookies(ctx context.Context) ([]backend.Cookie, error) {
	var r storage.GetCookiesResult
	err := c.browser.conn.Root().Call(ctx, storage.CommandGetCookies, &storage.GetCookiesParams{BrowserContextID: browserContextID(c.id)}, &r)
	if err != nil {
		return nil, fault(err)
	}
	list := make([]backend.Cookie, len(r.Cookies))
	for i, k := range r.Cookies {
		list[i] = backend.Cookie{
			Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path,
			HTTPOnly: k.HTTPOnly, Secure: k.Secure, SameSite: string(k.SameSite),
		}
		if k.Expires > 0 {
			list[i].Expires = time.UnixMicro(int64(k.Expires * 1e6))
		}
		if k.PartitionKey != nil {
			list[i].PartitionKey = k.PartitionKey.TopLevelSite
		}
	}
	return c.visitedCookies(list), nil
}

// SetCookies adds cookies, or replaces them.
func (c *Context) SetCookies(ctx context.Context, cookies ...backend.Cookie) error {
	params := &storage.SetCookiesParams{BrowserContextID: browserContextID(c.id)}
	for _, k := range cookies {
		p := &network.CookieParam{
			Name: k.Name, Value: k.Value, URL: k.URL, Domain: k.Domain, Path: k.Path,
			Secure: k.Secure, HTTPOnly: k.HTTPOnly, SameSite: network.CookieSameSite(k.SameSite),
		}
		if !k.Expires.IsZero() {
			p.Expires = proto.TimeSinceEpoch(float64(k.Expires.UnixMicro()) / 1e6)
		}
		if k.PartitionKey != "" {
			p.PartitionKey = &network.CookiePartitionKey{TopLevelSite: k.PartitionKey}
		}
		params.Cookies = append(params.Cookies, p)
	}
	return fault(c.browser.conn.Root().Call(ctx, storage.CommandSetCookies, params, nil))
}

// ClearCookies removes all cookies of this context.
func (c *Context) ClearCookies(ctx context.Context) error {
	if c.browser.guest.on {
		return refuseForGuest("removing all cookies")
	}
	return fault(c.browser.conn.Root().Call(ctx, storage.CommandClearCookies,
		&storage.ClearCookiesParams{BrowserContextID: browserContextID(c.id)}, nil))
}
