package driver_test

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/internal/testkit"
)

// shared is the browser of all tests that do not need one of their own. Each
// test has a context in it.
var shared backend.Browser

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		_ = flag.Set("test.skip", "^Example") // they need a browser
	}
	os.Exit(testkit.Main(m, func() (func(), error) {
		b, err := launch(context.Background())
		if err != nil {
			return nil, err
		}
		shared = b
		return func() { _ = b.Close() }, nil
	}))
}

// launch starts a browser in which 127.0.0.1 and localhost are two sites, in two
// processes. Its first context, which cannot be thrown away, is put aside.
func launch(ctx context.Context) (backend.Browser, error) {
	b, err := chrome.Launch(ctx, chrome.Options{Path: os.Getenv("ROVE_BROWSER"), Args: []string{"--site-per-process"}})
	if err != nil {
		return nil, err
	}
	if _, err := b.NewContext(ctx, backend.ContextOptions{}); err != nil {
		_ = b.Close()
		return nil, err
	}
	return b, nil
}

// at is somebody at a driver, in a test.
type at struct {
	*testing.T
	*driver.Driver
	ctx context.Context
	url string // of the pages
}

// open opens a driver and serves pages by their path; "/" is gone to if it is
// there. HERE and THERE in a page are two origins of the server.
func open(t *testing.T, pages map[string]string) at {
	t.Helper()
	testkit.NeedsBrowser(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	d, err := driver.Open(ctx, shared, driver.Options{Timeouts: driver.Timeouts{Session: 10 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := d.Quit(ctx); err != nil {
			t.Error(err)
		}
	})
	a := at{T: t, Driver: d, ctx: ctx}
	a.serve(pages)
	if _, ok := pages["/"]; ok {
		a.visit("/")
	}
	return a
}

func (t *at) serve(pages map[string]string) {
	handlers := map[string]http.HandlerFunc{}
	for path, html := range pages {
		if path == "/" {
			path = "/{$}"
		}
		handlers[path] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			here := t.url
			there := strings.Replace(here, "127.0.0.1", "localhost", 1)
			fmt.Fprint(w, strings.NewReplacer("HERE", here, "THERE", there).Replace(html))
		}
	}
	t.url = testkit.Serve(t.T, handlers)
}

// one opens a driver with one page.
func one(t *testing.T, html string) at {
	t.Helper()
	return open(t, map[string]string{"/": "<!doctype html><title>Test</title>" + html})
}

func (t at) visit(path string) {
	t.Helper()
	// Whatever a test wants to fail soon, pages may take their time.
	patience := t.Timeout()
	t.SetTimeout(20 * time.Second)
	defer t.SetTimeout(patience)
	t.ok(t.SetURL(t.ctx, t.url+path))
}

func (t at) ok(err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// js is what a script gives in the current frame.
func (t at) js(script string) any {
	t.Helper()
	v, err := t.Script(t.ctx, script)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// same fails the test unless both are written the same way.
func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

// saysWait fails the test unless the error says how long was waited.
func saysWait(t testing.TB, err error) {
	t.Helper()
	if err != nil && !howLong.MatchString(err.Error()) {
		t.Errorf("the error does not say how long was waited: %v", err)
	}
}

var howLong = regexp.MustCompile(`waited [0-9]+(\.[0-9] s| ms)`)

// fails fails the test unless the error has the code and all the texts.
func fails(t testing.TB, err error, code driver.Code, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("it worked; want an error that has %q", texts)
		return
	}
	if got := driver.CodeOf(err); got != code {
		t.Errorf("code %s, want %s: %v", got, code, err)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error does not say %q: %v", text, err)
		}
	}
}
