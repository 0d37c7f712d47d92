package driver_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"

	"rove/driver"
	"rove/driver/backend"
	"rove/internal/testkit"
	"rove/internal/testkit/drive"
)

// shared is the browser of all tests that do not need one of their own. Each
// test has a context in it.
var shared backend.Browser

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		_ = flag.Set("test.skip", "^Example") // they need a browser
	}
	os.Exit(testkit.Main(m, testkit.Share(&shared, drive.Launch)))
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
	testkit.ShellIsEnough(t)
	ctx, d := drive.Open(t, shared)
	a := at{T: t, Driver: d, ctx: ctx, url: testkit.Pages(t, pages)}
	if _, ok := pages["/"]; ok {
		a.visit("/")
	}
	return a
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

// launch starts a browser of a test's own.
var launch = drive.Launch

// fails fails the test unless the error has the code and all the texts.
var fails = drive.Fails
