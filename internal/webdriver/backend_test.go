package webdriver_test

import (
	"context"
	"os"
	"testing"

	"rove/driver/backend"
	"rove/driver/backend/backendtest"
	"rove/internal/bidi"
	"rove/internal/testkit"
	"rove/internal/webdriver"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// session starts a driver for a test, which steps aside where there is none.
func session(t *testing.T, opts webdriver.Options) *webdriver.Session {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	if _, err := webdriver.Find(opts.Driver); err != nil {
		t.Skip(err)
	}
	opts.Home = t.TempDir()
	s, err := webdriver.Start(testkit.Context(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// byBiDi drives a session by the BiDi that its driver offers.
func byBiDi(t *testing.T, s *webdriver.Session) *bidi.Browser {
	t.Helper()
	b, err := bidi.Connect(testkit.Context(t), bidi.Attachment{
		Name: s.Name, Socket: s.Socket, Version: s.Product(), End: func(func() <-chan struct{}) error { return s.End() },
	})
	if err != nil {
		_ = s.End()
		t.Fatal(err)
	}
	testkit.Closes(t, b)
	return b
}

func capabilities(t *testing.T, b backend.Browser) []backend.Capability {
	t.Helper()
	c, err := b.NewContext(testkit.Context(t), backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(testkit.Context(t)); err != nil {
			t.Error(err)
		}
	}()
	return c.(backend.Capable).Capabilities()
}

// TestChromedriverBackend runs the suite that every backend has to pass.
func TestChromedriverBackend(t *testing.T) {
	b := byBiDi(t, session(t, webdriver.Options{Driver: "chromedriver"}))
	backendtest.Run(t, b, capabilities(t, b), nil)
}

// TestGeckodriverBackend runs it on Firefox through geckodriver, and its BiDi.
func TestGeckodriverBackend(t *testing.T) {
	b := byBiDi(t, session(t, webdriver.Options{Driver: "geckodriver"}))
	backendtest.Run(t, b, capabilities(t, b), nil)
}

// classic drives a session by WebDriver alone.
func classic(t *testing.T, opts webdriver.Options) *webdriver.Browser {
	t.Helper()
	opts.Classic = true
	s := session(t, opts)
	opts.Home = t.TempDir()
	b := webdriver.NewBrowser(s, func(ctx context.Context) (*webdriver.Session, error) { return webdriver.Start(ctx, opts) })
	testkit.Closes(t, b)
	return b
}

// TestClassicBackend runs it without BiDi, where WebKit's driver cannot be had for that.
func TestClassicBackend(t *testing.T) {
	if _, err := webdriver.Find("webkit"); err == nil && os.Getenv("DISPLAY") != "" {
		t.Skip("TestWebKitBackend does it")
	}
	b := classic(t, webdriver.Options{Driver: "chromedriver"})
	backendtest.Run(t, b, capabilities(t, b), nil)
}

// TestWebKitBackend runs it on WebKitGTK, which needs a display.
func TestWebKitBackend(t *testing.T) {
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		t.Skip("there is no display for WebKitGTK's browser: xvfb-run go test ./internal/webdriver")
	}
	b := classic(t, webdriver.Options{Driver: "webkit"})
	backendtest.Run(t, b, capabilities(t, b), nil)
}
