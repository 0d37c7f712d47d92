package driver_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"rove/driver"
	"rove/internal/testkit"
)

// FuzzPageLocators holds that a text that is no locator is refused in words, whatever
// it is, and that one that is finds elements or none, in a real page. JavaScript is
// left out: it may do anything.
func FuzzPageLocators(f *testing.F) {
	for _, s := range []string{
		"p.item", "#a, [b=c]", "//p[1]", "(//p)[1]", "./p", "../p", "{p}one", "{^button:2}Tw", "{p:0}", "{", "{}}", "{:1}x", "{p:99999999999999999999}x", "ref:e1", "ref:", "ref:f1e", "e1", "p[", "//[", "::", "*", "\x00", "p\\",
		"{p}\u00a0one", "//p[text()='\xff']", ":has(:has(p))", "{a:b}c", "{div > p}one", "(//p", "//p|//b", "count(//p)", "//@class", "'x'", "id('a')", "/", "//", "..", ".",
	} {
		f.Add(s)
	}
	if testing.Short() {
		f.Skip("needs a browser")
	}
	page, err := driver.Open(f.Context(), shared, driver.Options{})
	if err == nil {
		err = page.SetURL(f.Context(), testkit.Serve(f, map[string]http.HandlerFunc{"/": testkit.Page(locatorPage)}))
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = page.Quit(context.Background()) })
	f.Fuzz(func(t *testing.T, locator string) {
		if trimmed := strings.TrimSpace(locator); strings.HasPrefix(trimmed, "(") && !strings.HasPrefix(trimmed, "(//") {
			return
		}
		start := time.Now()
		list, err := page.LocateAll(t.Context(), locator)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q took %v", locator, took)
		}
		var e *driver.Error
		switch {
		case err == nil && len(list) > 1000:
			t.Errorf("%q finds %d", locator, len(list))
		case err == nil:
		case !errors.As(err, &e), e.Code != driver.CodeInvalid && e.Code != driver.CodeNotFound && e.Code != driver.CodeStale, utf8.ValidString(locator) && !utf8.ValidString(e.Message):
			t.Errorf("%q: %v", locator, err)
		}
	})
}

// FuzzRef holds that what looks like a ref is written in one way only.
func FuzzRef(f *testing.F) {
	for _, s := range []string{"e1", "f3e12", "e0", "e01", "f0e1", "fe1", "e", "e-1", "e+1", "e99999999999999999999", "f1e1 ", "E1", "e١"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if driver.IsRef(s) && (strings.Trim(s, "ef0123456789") != "" || driver.IsRef(s+"x") || driver.IsRef("0"+s) || strings.Contains(s, "e0")) {
			t.Errorf("%q is a ref", s)
		}
	})
}
