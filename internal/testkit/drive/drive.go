// Package drive is what tests of packages above the driver share: a real browser, and
// what they ask of errors.
package drive

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/internal/testkit"
)

// Launch starts a browser. All contexts that tests make can be thrown away.
func Launch(ctx context.Context) (backend.Browser, error) {
	return chrome.Launch(ctx, chrome.Options{Path: os.Getenv("ROVE_BROWSER"), Limited: true})
}

// Open opens a driver in a browser, for as long as the test takes.
func Open(t testing.TB, b backend.Browser) (context.Context, *driver.Driver) {
	t.Helper()
	testkit.Parallel(t)
	ctx := testkit.Context(t)
	d, err := driver.Open(ctx, b, driver.Options{Timeouts: driver.Timeouts{Session: 10 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Quit(ctx); err != nil {
			t.Error(err)
		}
	})
	return ctx, d
}

// Fails fails the test unless the error has the code and all the texts.
func Fails(t testing.TB, err error, code driver.Code, texts ...string) {
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
