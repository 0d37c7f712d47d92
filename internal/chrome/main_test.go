package chrome

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"rove/driver/backend"
)

// shared is the browser of all tests that do not need one of their own. Each
// test has a context in it.
var shared *Browser

// executable finds the browser to test with.
func executable() string {
	for _, name := range []string{os.Getenv("ROVE_BROWSER"), "chromium", "google-chrome", "chromium-browser", "chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// options are for a browser in which 127.0.0.1 and localhost are two sites, in
// two processes.
func options(home string) Options {
	return Options{Path: executable(), Home: home, Args: []string{"--site-per-process"}}
}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if executable() == "" {
		fmt.Println("no browser to test with: set ROVE_BROWSER to the path of a Chromium")
		return 1
	}
	home, err := os.MkdirTemp("", "rove-chrome-test")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(home)
	if shared, err = Launch(context.Background(), options(home)); err != nil {
		fmt.Println(err)
		return 1
	}
	// The first context is the one the browser started with; the tests are to
	// have contexts that can be closed.
	if _, err := shared.NewContext(context.Background(), backend.ContextOptions{}); err != nil {
		fmt.Println(err)
		return 1
	}
	code := m.Run()
	if err := shared.Close(); err != nil {
		fmt.Println(err)
		code = 1
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if err := goleak.Find(); err != nil {
		fmt.Println(err)
		code = 1
	}
	if left, _ := os.ReadDir(home + "/run"); len(left) > 0 {
		fmt.Println("left behind:", left)
		code = 1
	}
	return code
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
	ctx := within(t, 30*time.Second)
	c, err := shared.NewContext(ctx, backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
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
	server := httptest.NewServer(s.ServeMux)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s.here = server.URL
	s.there = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	s.page("/favicon.ico", "")
	for path, html := range pages {
		s.page(path, html)
	}
	return s
}

// visit navigates and fails the test if that fails.
func visit(t *testing.T, tab *Tab, url string) *backend.Navigation {
	t.Helper()
	nav, err := tab.Navigate(within(t, 15*time.Second), url, backend.NavigateOptions{})
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
	results, err := tab.Call(within(t, 10*time.Second), calls...)
	if err != nil {
		t.Fatalf("look: %v", err)
	}
	return results
}

func isKind(err error, kind backend.Kind) bool {
	var e *backend.Error
	return errors.As(err, &e) && e.Kind == kind
}
