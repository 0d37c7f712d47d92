package rove_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"rove"
	"rove/internal/demo"
	"rove/internal/testkit"
)

// browser is shared by the tests; each has a session, and so a context, of its
// own in it.
var browser *rove.Browser

func TestMain(m *testing.M) {
	os.Exit(testkit.Main(m, testkit.Share(&browser, func(ctx context.Context) (*rove.Browser, error) {
		return rove.Launch(ctx, rove.Options{})
	})))
}

// open gives a test a session of its own; others run beside it.
func open(t *testing.T) (context.Context, *rove.Session) {
	t.Helper()
	testkit.Parallel(t)
	return alone(t)
}

// alone is open for a test that looks at what the whole browser does.
func alone(t *testing.T) (context.Context, *rove.Session) {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx := testkit.Context(t)
	s, err := browser.Open(ctx, rove.Viewport{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, s)
	return ctx, s
}

// serve serves one page.
func serve(t *testing.T, html string) string {
	t.Helper()
	return testkit.ServeHandler(t, testkit.Page(html))
}

// site serves the demo.
func site(t *testing.T) string {
	t.Helper()
	return testkit.ServeHandler(t, demo.Handler())
}

// has fails unless a text has all the parts.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("no %q in:\n%s", p, text)
		}
	}
}

// hasNot fails if a text has one of the parts.
func hasNot(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%q in:\n%s", p, text)
		}
	}
}

func code(err error) rove.Code {
	if e, ok := err.(*rove.Error); ok {
		return e.Code
	}
	return ""
}
