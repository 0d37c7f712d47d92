package rove_test

import (
	"net/http"
	"testing"

	"rove"
	"rove/driver"
	"rove/internal/testkit"
)

// A driver for programs: of a browser of its own, of one that is shared, of a
// pool. Quit and Shutdown leave nothing.
func TestDrive(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	ctx := testkit.Context(t)
	url := testkit.Serve(t, map[string]http.HandlerFunc{"/": testkit.Page("<title>Driven</title>")})
	before := len(testkit.Browsers(t))
	visit := func(d *driver.Driver, err error) *driver.Driver {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if err := d.SetURL(ctx, url); err != nil {
			t.Error(err)
		}
		if title, err := d.Title(ctx); title != "Driven" || err != nil {
			t.Errorf("title %q, %v", title, err)
		}
		return d
	}
	own := visit(rove.Drive(ctx, rove.Options{}, driver.Options{}))
	guest := visit(browser.Drive(ctx, driver.Options{}))
	for _, d := range []*driver.Driver{own, guest} {
		if err := d.Quit(ctx); err != nil {
			t.Error(err)
		}
	}
	pool, err := rove.Pool(2, rove.Options{}, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pooled := visit(pool.Acquire(ctx, driver.Options{}))
	if err := pool.Release(ctx, pooled); err != nil {
		t.Error(err)
	}
	if err := pool.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if after := len(testkit.Browsers(t)); after != before {
		t.Errorf("%d browsers before, %d after", before, after)
	}
	if _, err := rove.Connect(ctx, "ws://127.0.0.1:9/devtools/browser/x", driver.Options{}); err == nil {
		t.Error("nothing was connected to")
	}
}
