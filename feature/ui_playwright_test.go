package feature

import (
	"testing"

	"rove"
	"rove/internal/testkit"
)

// TestUIOnPlaywright: the features and scripts of TestUI run as they are on a Playwright
// server, in one browser.
func TestUIOnPlaywright(t *testing.T) {
	testkit.ShellIsEnough(t)
	full := testkit.FullBrowser(t) // for its window
	testkit.Playwright(t, rove.PlaywrightVersion)
	t.Parallel()
	allPass(t, runUI(t, Options{Paths: everyUI, Threads: 4, Browser: "playwright:" + full}), 37)
}
