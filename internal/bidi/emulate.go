package bidi

import (
	"cmp"
	"context"
	"net/url"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// override is a part of an emulation and the command for it; nil ends it.
type override struct {
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

var overrides = []override{
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

// command tells the browser what a context emulates, or that it is over.
func (p override) command(c *Context, e backend.Emulation) cdp.Command {
	return c.browser.root.Command(p.method, object{p.key: p.value(e), "userContexts": []string{c.id}})
}

// emulate has a tab of a Chromium emulate what BiDi has no command for, all of it each time,
// so that what is no longer wanted ends. Frames that have a process of their own take no part.
func (t *Tab) emulate(ctx context.Context, e backend.Emulation) error {
	list := []devtool{{"Emulation.setEmulatedMedia", object{"media": e.Media, "features": []object{
		{"name": "prefers-color-scheme", "value": e.ColorScheme}, {"name": "prefers-reduced-motion", "value": e.ReducedMotion},
	}}}}
	if v := e.Viewport; v != nil && v.Mobile {
		v := anypage.Viewport(*v)
		list = append(list, devtool{"Emulation.setDeviceMetricsOverride", object{
			"width": v.Width, "height": v.Height, "deviceScaleFactor": v.Scale, "mobile": true, "screenWidth": v.Width, "screenHeight": v.Height,
		}})
	}
	if e.UserAgent != "" && e.Platform != "" {
		list = append(list, devtool{"Emulation.setUserAgentOverride", object{
			"userAgent": e.UserAgent, "acceptLanguage": cmp.Or(e.AcceptLanguage, e.Locale), "platform": e.Platform,
		}})
	}
	return fault(t.devtools(ctx, list...))
}

// beyond is what of an emulation there is no command for: in a Chromium, neither of BiDi
// nor of its own.
func beyond(e backend.Emulation, chromium bool) string {
	if chromium {
		e.ColorScheme, e.ReducedMotion, e.Media = "", "", ""
		e.Viewport = nil
	}
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

// Emulate has all tabs of the context, and those to come, emulate what e says. What the browser
// refuses is told by its name, and nothing is emulated then that was not before.
func (c *Context) Emulate(ctx context.Context, e backend.Emulation) error {
	if what := beyond(e, c.browser.chromium()); what != "" {
		return c.cannot(what)
	}
	c.emulating.Lock()
	defer c.emulating.Unlock()
	before := backend.Emulation{}
	if now := c.emulation.Load(); now != nil {
		before = *now
	}
	var done []override
	for _, p := range overrides {
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
	if e.Viewport != nil || before.Viewport != nil {
		c.fit()
	}
	for _, t := range c.OpenTabs() {
		t.Mu.Lock()
		address := t.List[0].URL
		t.Mu.Unlock()
		c.grant(address, before.Permissions, "prompt")
		c.grant(address, e.Permissions, "granted")
		if e.Viewport != nil || before.Viewport != nil {
			if err := t.resize(ctx, c.screen()); err != nil && t.Err() == nil {
				return err
			}
		}
		if c.browser.chromium() {
			if err := t.emulate(ctx, e); err != nil && t.Err() == nil {
				return err
			}
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
	return *c.size.Load()
}

// Resize gives tabs to come another size, those that pages open too. A browser that does
// not know sizes of contexts shows these as large as its window.
func (c *Context) Resize(v backend.Viewport) {
	v = anypage.Viewport(v)
	c.size.Store(&v)
	c.fit()
}

func (c *Context) fit() {
	params := sized(c.screen())
	params["userContexts"] = []string{c.id}
	c.browser.root.Start("browsingContext.setViewport", params)
}

func sized(v backend.Viewport) object {
	return object{"viewport": object{"width": v.Width, "height": v.Height}, "devicePixelRatio": v.Scale}
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
