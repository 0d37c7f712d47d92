// Package backendtest is the one suite that every backend must pass: what a
// driver can do must not depend on the protocol below it.
//
// A backend says what it cannot do; for that, the suite checks that it says so
// at the call, with backend.KindUnsupported, and does not claim to have done it.
package backendtest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"rove/cdp"
	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
)

// suite is the suite at work on one driver.
type suite struct {
	*testing.T
	d    *driver.Driver
	b    backend.Browser
	ctx  context.Context
	url  string
	list []backend.Capability
}

// Run runs the suite on a browser that can do what is listed. crash ends the process of a
// tab's page; nil where nothing does.
func Run(t *testing.T, b backend.Browser, can []backend.Capability, crash func(context.Context, backend.Tab) error) {
	whole := t
	var d *driver.Driver
	for _, c := range []struct {
		name string
		test func(*suite)
		need backend.Capability // "" where every backend must
	}{
		{"navigation", navigation, ""},
		{"actions", actions, ""},
		{"state", state, ""},
		{"waits", waits, ""},
		{"scripts", scripts, ""},
		{"screenshots", screenshots, ""},
		{"frames", frames, ""},
		{"pages", pages, ""},
		{"cookies", cookies, ""},
		{"keys and mouse", hands, ""},
		{"errors", failures, ""},
		{"capabilities", capabilities, ""},
		{"big answers", bigAnswers, ""},
		{"two tabs", twoTabs, ""},
		{"hangs", hangs, ""},
		{"cancels", cancels, ""},
		{"keys", keys, ""},
		{"carrying", carrying, ""},
		{"nodes", nodes, ""},
		{"worlds", worlds, ""},
		{"owners", owners, ""},
		{"crashes", crashes(crash), ""},
		{"uploads", uploads, ""},
		{"order", order, ""},
		{"dialogs", dialogs, backend.CanDialogs},
		{"intercept", intercept, backend.CanIntercept},
		{"pdf", pdf, backend.CanPDF},
		{"tree", tree, backend.CanTree},
		{"raw", raw, backend.CanRaw},
		{"emulate", emulate, backend.CanEmulate},
		{"window", window, backend.CanWindow},
		{"isolated", isolated, backend.CanIsolate},
		{"screencast", screencast, backend.CanScreencast},
		{"policy", policies, backend.CanPolicy},
		{"drop", drop, backend.CanDrop},
		{"world", unseen, backend.CanWorld},
		{"roots", roots, backend.CanRoots},
		{"listeners", listened, backend.CanListeners},
		{"choosers", choosers, backend.CanChooser},
		{"downloads", downloads, backend.CanDownloads},
		{"traffic", traffic, backend.CanTraffic},
		{"redirects", redirects, backend.CanTraffic},
		{"console", written, backend.CanConsole},
		{"screen", as(backend.CanEmulateScreen), backend.CanEmulateScreen},
		{"touch", as(backend.CanEmulateTouch), backend.CanEmulateTouch},
		{"agent", as(backend.CanEmulateAgent), backend.CanEmulateAgent},
		{"language", as(backend.CanEmulateLanguage), backend.CanEmulateLanguage},
		{"timezone", as(backend.CanEmulateTimezone), backend.CanEmulateTimezone},
		{"place", as(backend.CanEmulatePlace), backend.CanEmulatePlace},
		{"offline", as(backend.CanEmulateOffline), backend.CanEmulateOffline},
		{"media", as(backend.CanEmulateMedia), backend.CanEmulateMedia},
		{"speed", as(backend.CanEmulateSpeed), backend.CanEmulateSpeed},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d == nil {
				var err error
				if d, err = driver.Open(whole.Context(), b, usual(backend.ContextOptions{})); err != nil {
					t.Fatal(err)
				}
			}
			defer func() {
				if t.Failed() || slices.Contains(lasting, c.name) {
					quit(t, d)
					d = nil
				}
			}()
			s := begin(t, b, d, can)
			if c.need != "" && !slices.Contains(can, c.need) {
				s.refuses(c.need)
				return
			}
			c.test(s)
		})
	}
	if d != nil {
		quit(t, d)
	}
}

// lasting are the parts of what the next would see what they did: it has a driver of its
// own. The others share one, as a browser of their own is what drivers of some backends have.
var lasting = []string{"cookies", "hangs", "cancels", "crashes", "dialogs", "emulate", "window", "isolated", "place"}

func begin(t *testing.T, b backend.Browser, d *driver.Driver, can []backend.Capability) *suite {
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	t.Cleanup(cancel)
	s := &suite{T: t, b: b, d: d, ctx: ctx, list: can}
	handlers := map[string]http.HandlerFunc{}
	for path, html := range site {
		handlers[path] = testkit.Page(html)
	}
	s.url = testkit.Serve(t, handlers)
	s.must(s.d.SetURL(ctx, s.url))
	return s
}

func usual(opts backend.ContextOptions) driver.Options {
	return driver.Options{Context: opts, Timeouts: driver.Timeouts{Session: 10 * time.Second}}
}

func quit(t *testing.T, d *driver.Driver) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := d.Quit(ctx); err != nil {
		t.Error(err)
	}
}

func (s *suite) open() *driver.Driver {
	s.Helper()
	return s.openIn(backend.ContextOptions{})
}

func (s *suite) openIn(opts backend.ContextOptions) *driver.Driver {
	s.Helper()
	d, err := driver.Open(s.ctx, s.b, usual(opts))
	s.must(err)
	s.Cleanup(func() { quit(s.T, d) })
	return d
}

func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *suite) same(what string, got, want any) {
	s.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		s.Errorf("%s: got %s, want %s", what, g, w)
	}
}

func (s *suite) js(script string) any {
	s.Helper()
	v, err := s.d.Script(s.ctx, script)
	s.must(err)
	return v
}

// refuses sees that a backend says what it cannot do.
func (s *suite) refuses(c backend.Capability) {
	var err error
	switch c {
	case backend.CanPDF:
		_, err = s.d.PDF(s.ctx, backend.PDFOptions{})
	case backend.CanIntercept:
		_, err = s.d.Intercept(s.ctx, driver.Intercept{Mock: &backend.RouteResponse{}})
	case backend.CanEmulate:
		err = s.d.Emulate(s.ctx, driver.Emulation{Device: "Pixel 8"})
	case backend.CanWindow:
		err = s.d.SetDimensions(s.ctx, backend.Window{Width: 800, Height: 600})
	case backend.CanScreencast:
		_, err = s.d.Screencast(s.ctx, driver.ScreencastOptions{}, func(driver.Picture) {})
	case backend.CanPolicy:
		_, err = driver.Open(s.ctx, s.b, driver.Options{Context: backend.ContextOptions{Policy: s.rules("localhost")}})
	case backend.CanDrop:
		s.must(s.d.SetURL(s.ctx, s.url+"/drag"))
		_, err = s.d.DragTo(s.ctx, "#thing", "#place")
		s.same("dropped", s.js("document.title"), "Drag")
	case backend.CanTraffic, backend.CanConsole:
		if _, ok := s.d.BrowserContext().(backend.Observable); ok && !slices.Contains(s.list, backend.CanTraffic) && !slices.Contains(s.list, backend.CanConsole) {
			s.Error("it can be observed, and does not say so")
		}
		return
	case backend.CanChooser:
		err = driver.Explain("upload", s.current().AnswerChooser(s.ctx, []string{"notes.txt"}))
	case backend.CanDownloads:
		err = s.d.WaitDownloads(s.ctx, func([]driver.Download) bool { return false })
	case backend.CanTree:
		_, err = s.d.AriaTree(s.ctx)
	case backend.CanRaw:
		if conn, session := cdp.Of(s.d.Tab()); conn != nil || session != nil {
			s.Error("it gives a protocol that it does not speak")
		}
		return
	case backend.CanEmulateScreen, backend.CanEmulateTouch, backend.CanEmulateAgent, backend.CanEmulateLanguage, backend.CanEmulateTimezone,
		backend.CanEmulatePlace, backend.CanEmulateOffline, backend.CanEmulateMedia, backend.CanEmulateSpeed:
		err = s.d.Emulate(s.ctx, driver.Emulation{Emulation: emulated[c].emulation})
	default:
		s.Skipf("%s: nothing to call that could refuse it", c)
	}
	if driver.CodeOf(err) != driver.CodeUnsupported {
		s.Errorf("%s is not among what the backend can do, and the call says %v", c, err)
	}
}

// has fails unless a text contains another.
func (s *suite) has(text, part string) {
	s.Helper()
	if !strings.Contains(text, part) {
		s.Errorf("no %q in %q", part, text)
	}
}
