package inject_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rove/driver/backend"
	"rove/internal/chrome"
)

// expectation is one element of a page and what it must be.
type expectation struct {
	HTML string  `json:"html"`
	Role *string `json:"role"`
	Name *string `json:"name"`
}

// number gives each element that has one of two attributes a number, to be
// found by, and tells what they hold.
const number = `[...document.querySelectorAll('[ROLE], [NAME]')].map((el, i) => {
  const {getAttribute, setAttribute} = Element.prototype; // a form's own may be its controls
  setAttribute.call(el, 'data-n', i);
  return {html: el.outerHTML.slice(0, 200), role: getAttribute.call(el, 'ROLE'), name: getAttribute.call(el, 'NAME')};
})`

// TestNames holds the roles and names to our own cases.
func TestNames(t *testing.T) {
	checkPages(t, filepath.Join("testdata", "names"), "data-role", "data-name")
}

// TestPublishedNames holds them to pages of the web-platform-tests, which are
// not part of this repository.
func TestPublishedNames(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "truth", "names")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the pages of the web-platform-tests are not here: ", dir)
	}
	checkPages(t, dir, "data-expectedrole", "data-expectedlabel")
}

func checkPages(t *testing.T, dir, role, name string) {
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages in ", dir, err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	tab := emptyTab(t, ctx)
	script := strings.NewReplacer("ROLE", role, "NAME", name).Replace(number)
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			if _, err := tab.Navigate(ctx, server.URL+"/"+filepath.Base(page), backend.NavigateOptions{}); err != nil {
				t.Fatal(err)
			}
			checkPage(t, ctx, tab, script)
		})
	}
}

// emptyTab is a tab of a browser that ends with the test.
func emptyTab(t *testing.T, ctx context.Context) backend.Tab {
	path := ""
	for _, name := range []string{os.Getenv("ROVE_BROWSER"), "chromium", "google-chrome", "chromium-browser", "chrome"} {
		if found, err := exec.LookPath(name); name != "" && err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Fatal("no browser to test with: set ROVE_BROWSER to the path of a Chromium")
	}
	browser, err := chrome.Launch(ctx, chrome.Options{Path: path, Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := browser.Close(); err != nil {
			t.Error(err)
		}
	})
	space, err := browser.NewContext(ctx, backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tab, err := space.NewTab(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func checkPage(t *testing.T, ctx context.Context, tab backend.Tab, script string) {
	data, err := tab.Eval(ctx, "", script)
	if err != nil {
		t.Fatal(err)
	}
	var want []expectation
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if len(want) == 0 {
		t.Fatal("the page expects nothing")
	}
	main := tab.Frames()[0].ID
	var calls []backend.Call
	for i := range want {
		calls = append(calls, backend.Call{Frame: main, Func: "describe", Arg: map[string]string{"css": fmt.Sprintf("[data-n='%d']", i)}})
	}
	results, err := tab.Call(ctx, calls...)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		role, name, _ := strings.Cut(r.Value, "\t")
		switch w := want[i]; {
		case r.Err != nil || role == "error":
			t.Errorf("%s: %s %v", w.HTML, r.Value, r.Err)
		case w.Role != nil && !sameRole(*w.Role, role):
			t.Errorf("%s: role %q", w.HTML, role)
		case w.Name != nil && collapse(*w.Name) != name:
			t.Errorf("%s: name %q, not %q", w.HTML, name, *w.Name)
		}
	}
}

// sameRole takes the ways of saying that an element has no role as one.
func sameRole(want, got string) bool {
	none := []string{"generic", "none", ""}
	return want == got || slices.Contains(none, want) && slices.Contains(none, got)
}

// collapse is what the tests compare by: ASCII white space collapsed, a
// no-break space kept.
func collapse(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("\t\n\f\r ", r) }), " ")
}
