package bidi

import (
	"context"
	"net/url"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// pretence is a part of an emulation and the command for it; nil ends it.
type pretence struct {
	what        string
	method, key string
	value       func(backend.Emulation) any
}

// or is nil for what is not there.
func or[T comparable](value T) any {
	var none T
	if value == none {
		return nil
	}
	return value
}

var pretences = []pretence{
	{"another user agent", "emulation.setUserAgentOverride", "userAgent", func(e backend.Emulation) any { return or(e.UserAgent) }},
	{"another language", "emulation.setLocaleOverride", "locale", func(e backend.Emulation) any { return or(e.Locale) }},
	{"another time zone", "emulation.setTimezoneOverride", "timezone", func(e backend.Emulation) any { return or(e.Timezone) }},
	{"another place", "emulation.setGeolocationOverride", "coordinates", func(e backend.Emulation) any {
		if e.Geolocation == nil {
			return nil
		}
		return object{"latitude": e.Geolocation.Latitude, "longitude": e.Geolocation.Longitude, "accuracy": max(e.Geolocation.Accuracy, 1)}
	}},
	{"a touch screen", "emulation.setTouchOverride", "maxTouchPoints", func(e backend.Emulation) any {
		if !e.Touch {
			return nil
		}
		return 5
	}},
	{"no network", "emulation.setNetworkConditions", "networkConditions", func(e backend.Emulation) any {
		if !e.Offline {
			return nil
		}
		return object{"type": "offline"}
	}},
}

// command tells the browser what a context pretends, or that it is over.
func (p pretence) command(c *Context, e backend.Emulation) cdp.Command {
	return c.browser.root.Command(p.method, object{p.key: p.value(e), "userContexts": []string{c.id}})
}

// beyond is what of an emulation BiDi has no command for.
func beyond(e backend.Emulation) string {
	switch {
	case e.Viewport != nil && e.Viewport.Mobile:
		return "a mobile screen (width, height, scale and touch can be had, each by itself)"
	case e.AcceptLanguage != "" && e.AcceptLanguage != e.Locale:
		return "languages other than the locale's"
	case e.Platform != "" && e.UserAgent == "":
		return "another platform"
	case e.ColorScheme != "":
		return "a colour scheme"
	case e.ReducedMotion != "":
		return "reduced motion"
	case e.Media != "":
		return "another medium"
	case e.CPU > 1 || e.Latency > 0 || e.Download > 0 || e.Upload > 0:
		return "a slower machine or network"
	}
	return ""
}

// Emulate has all tabs of the context, and those to come, pretend. What the browser
// refuses is told by its name, and nothing is pretended then that was not before.
func (c *Context) Emulate(ctx context.Context, e backend.Emulation) error {
	if what := beyond(e); what != "" {
		return c.cannot(what)
	}
	c.emulating.Lock()
	defer c.emulating.Unlock()
	before := backend.Emulation{}
	if now := c.emulation.Load(); now != nil {
		before = *now
	}
	var done []pretence
	for _, p := range pretences {
		if p.value(e) == nil && p.value(before) == nil {
			continue
		}
		if err := c.call(ctx, p.command(c, e)); err != nil {
			for _, d := range done {
				_ = c.call(ctx, d.command(c, before))
			}
			if backend.KindOf(err) == backend.KindUnsupported {
				return c.cannot(p.what)
			}
			return err
		}
		done = append(done, p)
	}
	c.emulation.Store(&e)
	for _, t := range c.OpenTabs() {
		t.Mu.Lock()
		address := t.List[0].URL
		t.Mu.Unlock()
		c.grant(address, before.Permissions, "prompt")
		c.grant(address, e.Permissions, "granted")
		if e.Viewport == nil && before.Viewport == nil {
			continue
		}
		if err := t.SetViewport(ctx, c.screen()); err != nil && t.Err() == nil {
			return err
		}
	}
	return nil
}

func (c *Context) call(ctx context.Context, cmd cdp.Command) error {
	return fault(c.browser.conn.Start(cmd)[0].Wait(ctx, nil))
}

// cannot says what is missing, and what has it.
func (c *Context) cannot(what string) error {
	return backend.Fail(backend.KindUnsupported, what+" on "+c.browser.at.Name+"; with Chrome it works")
}

// screen is the size of tabs to come.
func (c *Context) screen() backend.Viewport {
	if e := c.emulation.Load(); e != nil && e.Viewport != nil {
		return anypage.Viewport(*e.Viewport)
	}
	return c.Viewport
}

// grant gives the page at an address what all pages are granted: the browser knows
// permissions by origin. It is asked before the page comes, and not waited for.
func (c *Context) grant(address string, permissions []string, state string) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	for _, name := range permissions {
		c.browser.root.Start("permissions.setPermission", object{
			"descriptor": object{"name": name}, "state": state, "origin": u.Scheme + "://" + u.Host, "userContext": c.id,
		})
	}
}
