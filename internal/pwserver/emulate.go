package pwserver

import (
	"context"
	"time"

	"rove/driver/backend"
	"rove/internal/anypage"
)

// Emulate has all tabs of the context, and those to come, emulate what e says.
func (c *Context) Emulate(ctx context.Context, e backend.Emulation) error {
	if what := beyond(e); what != "" && c.browser.name != "chromium" {
		return backend.Fail(backend.KindUnsupported, what+" with "+c.browser.name+" on a Playwright server; with its chromium it works")
	}
	c.mu.Lock()
	c.emulation = &e
	c.mu.Unlock()
	place := object{}
	if g := e.Geolocation; g != nil {
		place["geolocation"] = object{"latitude": g.Latitude, "longitude": g.Longitude, "accuracy": max(g.Accuracy, 1)}
	}
	cmds := []command{
		{c.guid, "setOffline", object{"offline": e.Offline}}, {c.guid, "setGeolocation", place}, {c.guid, "clearPermissions", nil},
	}
	if len(e.Permissions) > 0 {
		cmds = append(cmds, command{c.guid, "grantPermissions", object{"permissions": e.Permissions}})
	}
	for _, r := range c.browser.conn.start(cmds...) {
		if err := r.wait(ctx, c.browser.conn, nil); err != nil {
			return err
		}
	}
	for _, t := range c.OpenTabs() {
		if err := t.emulate(ctx, e); err != nil && t.Err() == nil {
			return err
		}
	}
	return nil
}

// beyond is what of an emulation Playwright can only give a context that is not open
// yet.
func beyond(e backend.Emulation) string {
	switch {
	case e.UserAgent != "" || e.Platform != "":
		return "another user agent"
	case e.Locale != "" || e.AcceptLanguage != "":
		return "another language"
	case e.Timezone != "":
		return "another time zone"
	case e.Touch:
		return "a touch screen"
	case e.Viewport != nil && (e.Viewport.Mobile || e.Viewport.Scale > 1):
		return "another device's screen"
	case e.CPU > 1 || e.Latency > 0 || e.Download > 0 || e.Upload > 0:
		return "a slower machine or network"
	}
	return ""
}

// emulate brings one tab to what is emulated.
func (t *Tab) emulate(ctx context.Context, e backend.Emulation) error {
	or := func(value string) string {
		if value == "" {
			return "no-override"
		}
		return value
	}
	err := t.ask(ctx, t.guid, "emulateMedia", object{"media": or(e.Media), "colorScheme": or(e.ColorScheme), "reducedMotion": or(e.ReducedMotion)}, nil)
	if err != nil {
		return err
	}
	view := t.context.Viewport
	if e.Viewport != nil {
		view = anypage.Viewport(*e.Viewport)
	}
	if err := t.SetViewport(ctx, view); err != nil || t.browser.name != "chromium" {
		return err
	}
	language := e.AcceptLanguage
	if language == "" {
		language = e.Locale
	}
	rate := func(bytes float64) float64 {
		if bytes <= 0 {
			return -1
		}
		return bytes
	}
	for _, one := range []struct {
		method string
		params object
	}{
		{"Emulation.setUserAgentOverride", object{"userAgent": e.UserAgent, "acceptLanguage": language, "platform": e.Platform}},
		{"Emulation.setLocaleOverride", object{"locale": e.Locale}},
		{"Emulation.setTimezoneOverride", object{"timezoneId": e.Timezone}},
		{"Emulation.setTouchEmulationEnabled", object{"enabled": e.Touch, "maxTouchPoints": 5}},
		{"Emulation.setCPUThrottlingRate", object{"rate": max(e.CPU, 1)}},
		{"Network.emulateNetworkConditions", object{
			"offline": e.Offline, "latency": float64(e.Latency) / float64(time.Millisecond),
			"downloadThroughput": rate(e.Download), "uploadThroughput": rate(e.Upload),
		}},
	} {
		if err := t.protocol(ctx, one.method, one.params, nil); err != nil && !(one.method == "Network.emulateNetworkConditions") {
			return err
		}
	}
	return nil
}

// SetViewport changes the size of the visible page. Density and kind of the screen are
// those the context was opened with, but with Chromium.
func (t *Tab) SetViewport(ctx context.Context, v backend.Viewport) error {
	v = anypage.Viewport(v)
	err := t.ask(ctx, t.guid, "setViewportSize", object{"viewportSize": object{"width": v.Width, "height": v.Height}}, nil)
	if err != nil {
		// Playwright sizes the window with the page, which one that is maximised refuses.
		if w, broken := t.Window(ctx); broken != nil || w.State == backend.WindowNormal {
			return err
		}
	}
	t.Mu.Lock()
	same := err == nil && !t.resized && v.Scale == t.context.Viewport.Scale && v.Mobile == t.context.Viewport.Mobile
	t.resized = t.resized || !same
	t.Mu.Unlock()
	if same {
		return nil
	}
	return t.protocol(ctx, "Emulation.setDeviceMetricsOverride", object{
		"width": v.Width, "height": v.Height, "deviceScaleFactor": v.Scale, "mobile": v.Mobile,
	}, nil)
}
