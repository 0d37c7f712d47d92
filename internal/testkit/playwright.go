package testkit

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"rove/internal/provision"
)

// Playwright gives a Playwright of a minor version for tests, which is fetched once a
// machine; a test that needs it steps aside where it cannot be had.
func Playwright(t testing.TB, minor string) provision.Playwright {
	t.Helper()
	playwright.once.Do(func() {
		if playwright.found, playwright.err = provision.FindPlaywright(provision.Request{}, minor); playwright.err == nil {
			return
		}
		var cache string
		if cache, playwright.err = os.UserCacheDir(); playwright.err != nil {
			return
		}
		req := provision.Request{Home: filepath.Join(cache, "rove-test")}
		if playwright.found, playwright.err = provision.FindPlaywright(req, minor); playwright.err != nil {
			playwright.found, playwright.err = provision.InstallPlaywright(t.Context(), req, minor)
		}
		if playwright.err == nil {
			os.Setenv("ROVE_PLAYWRIGHT", filepath.Dir(playwright.found.CLI))
		}
	})
	if playwright.err != nil {
		t.Skip("no Playwright to test with: ", playwright.err)
	}
	return playwright.found
}

var playwright struct {
	once  sync.Once
	found provision.Playwright
	err   error
}
