package chrome

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"rove/driver/backend"
	"rove/internal/testkit"
)

// shared is the browser of all tests that do not need one of their own. Each
// test has a context in it.
var shared *Browser

// executable is the browser to test with.
func executable() string { return os.Getenv("ROVE_BROWSER") }

func options(home string) Options {
	return Options{Path: executable(), Home: home}
}

func TestMain(m *testing.M) {
	os.Exit(testkit.Main(m, testkit.Share(&shared, func(ctx context.Context) (*Browser, error) {
		opts := options("")
		opts.Limited = true
		return Launch(ctx, opts)
	})))
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// open opens a tab in a context of its own.
func open(t *testing.T) *Tab {
	t.Helper()
	return openIn(t, backend.ContextOptions{})
}

func openIn(t *testing.T, opts backend.ContextOptions) *Tab {
	t.Helper()
	testkit.Parallel(t)
	return openQuietly(t, opts)
}

// openQuietly is openIn for a test that counts what the whole browser does: none runs
// beside it.
func openQuietly(t *testing.T, opts backend.ContextOptions) *Tab {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx := testkit.Context(t)
	c, err := shared.NewContext(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(ctx); err != nil {
			t.Errorf("close context: %v", err)
		}
	})
	tab, err := c.NewTab(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return tab.(*Tab)
}

// site is a test server under two names, which are two sites to the browser.
type site struct {
	*http.ServeMux
	here, there string // origins: 127.0.0.1 and localhost
}

// page adds a page of HTML. HERE and THERE in it are the two origins.
func (s *site) page(path, html string) {
	html = strings.NewReplacer("HERE", s.here, "THERE", s.there).Replace(html)
	s.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, html)
	})
}

func serve(t *testing.T, pages map[string]string) *site {
	t.Helper()
	s := &site{ServeMux: http.NewServeMux()}
	s.here = testkit.ServeHandler(t, s.ServeMux)
	s.there = strings.Replace(s.here, "127.0.0.1", "localhost", 1)
	s.page("/favicon.ico", "")
	for path, html := range pages {
		s.page(path, html)
	}
	return s
}

// visit navigates and fails the test if that fails.
func visit(t *testing.T, tab *Tab, url string) *backend.Navigation {
	t.Helper()
	nav, err := tab.Navigate(testkit.Context(t), url, backend.NavigateOptions{})
	if err != nil {
		t.Fatalf("navigate to %s: %v", url, err)
	}
	return nav
}

// look calls the page script in all frames and gives what it said, in the
// frames' order.
func look(t *testing.T, tab *Tab) []backend.Result {
	t.Helper()
	frames := tab.Frames()
	calls := make([]backend.Call, len(frames))
	for i, f := range frames {
		calls[i] = backend.Call{Frame: f.ID, Func: "look", Arg: map[string]any{"next": 1}}
	}
	results, err := tab.Call(testkit.Context(t), calls...)
	if err != nil {
		t.Fatalf("look: %v", err)
	}
	return results
}

func isKind(err error, kind backend.Kind) bool {
	var e *backend.Error
	return errors.As(err, &e) && e.Kind == kind
}
