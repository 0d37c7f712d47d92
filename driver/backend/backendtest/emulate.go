package backendtest

import (
	"time"

	"rove/driver"
	"rove/driver/backend"
)

// emulated are what can be emulated, and how a page sees it. It is over when it ends.
var emulated = map[backend.Capability]struct {
	emulation backend.Emulation
	script    string
	want      any
}{
	backend.CanEmulateScreen: {
		backend.Emulation{Viewport: &backend.Viewport{Width: 500, Height: 400, Scale: 2}}, "[innerWidth, innerHeight, devicePixelRatio].join()", "500,400,2",
	},
	backend.CanEmulateTouch:    {backend.Emulation{Touch: true}, "navigator.maxTouchPoints > 0", true},
	backend.CanEmulateAgent:    {backend.Emulation{UserAgent: "Somebody/1.0"}, "navigator.userAgent", "Somebody/1.0"},
	backend.CanEmulateLanguage: {backend.Emulation{Locale: "fr-FR"}, "(1234.5).toLocaleString().replace(/\\s/g, ' ') + navigator.language", "1 234,5fr-FR"},
	backend.CanEmulateTimezone: {backend.Emulation{Timezone: "Asia/Tokyo"}, "Intl.DateTimeFormat().resolvedOptions().timeZone", "Asia/Tokyo"},
	backend.CanEmulatePlace: {
		backend.Emulation{Geolocation: &backend.Geolocation{Latitude: 35, Longitude: 139, Accuracy: 10}, Permissions: []string{"geolocation"}},
		"new Promise(done => navigator.geolocation.getCurrentPosition(p => done([p.coords.latitude, p.coords.longitude].join()), e => done(e.message)))", "35,139",
	},
	backend.CanEmulateOffline: {backend.Emulation{Offline: true}, "fetch('/second').then(() => 'there', () => 'offline')", "offline"},
	backend.CanEmulateMedia: {
		backend.Emulation{ColorScheme: "dark", ReducedMotion: "reduce"}, "matchMedia('(prefers-color-scheme: dark)').matches && matchMedia('(prefers-reduced-motion: reduce)').matches", true,
	},
	backend.CanEmulateSpeed: {
		backend.Emulation{Latency: 400 * time.Millisecond}, "(async () => { const from = Date.now(); await fetch('/second?' + from); return Date.now() - from >= 300 })()", true,
	},
}

// as is the test of one of them: the page that is loaded next sees it, and the one after
// it ended does not.
func as(c backend.Capability) func(*suite) {
	return func(s *suite) {
		p := emulated[c]
		look := func() any {
			if !p.emulation.Offline {
				s.must(s.d.SetURL(s.ctx, s.url))
			}
			return s.js(p.script)
		}
		s.must(s.d.Emulate(s.ctx, driver.Emulation{Emulation: p.emulation}))
		s.same(string(c), look(), p.want)
		if p.emulation.Geolocation != nil {
			return // where it really is, is nobody's business
		}
		s.must(s.d.Emulate(s.ctx, driver.Emulation{}))
		if look() == p.want {
			s.Errorf("%s: it goes on when it is over", c)
		}
	}
}
