package bidi

import (
	"context"
	"net/url"
	"strings"
	"time"

	"rove/cdp"
	"rove/driver/backend"
)

// cookie is a cookie of BiDi.
type cookie struct {
	Name  string `json:"name"`
	Value struct {
		Type  string `json:"type"`
		Value string `json:"value"`
	} `json:"value"`
	Domain   string `json:"domain"`
	Path     string `json:"path"`
	HTTPOnly bool   `json:"httpOnly"`
	Secure   bool   `json:"secure"`
	SameSite string `json:"sameSite"`
	Expiry   int64  `json:"expiry"`
}

func (c *Context) partition() object { return object{"type": "storageKey", "userContext": c.id} }

// sites are how the two sides say which requests of other sites carry a cookie.
var sites = map[string]string{"strict": "Strict", "lax": "Lax", "none": "None"}

// Cookies lists the cookies of this context.
func (c *Context) Cookies(ctx context.Context) ([]backend.Cookie, error) {
	var r struct {
		Cookies []cookie `json:"cookies"`
	}
	if err := c.browser.root.Call(ctx, "storage.getCookies", object{"partition": c.partition()}, &r); err != nil {
		return nil, fault(err)
	}
	list := make([]backend.Cookie, len(r.Cookies))
	for i, k := range r.Cookies {
		list[i] = backend.Cookie{
			Name: k.Name, Value: k.Value.Value, Domain: k.Domain, Path: k.Path,
			HTTPOnly: k.HTTPOnly, Secure: k.Secure, SameSite: sites[k.SameSite],
		}
		// Chromedriver has no other word for a cookie that says nothing of it. One that says
		// None is secure: no browser takes another.
		if k.SameSite == "none" && !k.Secure {
			list[i].SameSite = ""
		}
		if k.Expiry > 0 {
			list[i].Expires = time.Unix(k.Expiry, 0)
		}
	}
	return list, nil
}

// SetCookies adds cookies, or replaces them.
func (c *Context) SetCookies(ctx context.Context, cookies ...backend.Cookie) error {
	var cmds []cdp.Command
	for _, k := range cookies {
		domain, path, secure := k.Domain, k.Path, k.Secure
		if u, err := url.Parse(k.URL); err == nil && k.URL != "" {
			if domain == "" {
				domain = u.Hostname()
			}
			if path == "" {
				path = "/"
			}
			secure = secure || u.Scheme == "https"
		}
		if !k.Expires.IsZero() && k.Expires.Before(time.Now()) {
			cmds = append(cmds, c.browser.root.Command("storage.deleteCookies", object{
				"filter": object{"name": k.Name, "domain": domain, "path": path}, "partition": c.partition(),
			}))
			continue
		}
		one := object{"name": k.Name, "value": object{"type": "string", "value": k.Value}, "domain": domain, "httpOnly": k.HTTPOnly, "secure": secure}
		if path != "" {
			one["path"] = path
		}
		if k.SameSite != "" {
			one["sameSite"] = strings.ToLower(k.SameSite)
		}
		if !k.Expires.IsZero() {
			one["expiry"] = k.Expires.Unix()
		}
		cmds = append(cmds, c.browser.root.Command("storage.setCookie", object{"cookie": one, "partition": c.partition()}))
	}
	for _, p := range c.browser.conn.Start(cmds...) {
		if err := p.Wait(ctx, nil); err != nil {
			return fault(err)
		}
	}
	return nil
}

// ClearCookies removes all cookies of this context.
func (c *Context) ClearCookies(ctx context.Context) error {
	return fault(c.browser.root.Call(ctx, "storage.deleteCookies", object{"partition": c.partition()}, nil))
}
