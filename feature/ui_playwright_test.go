package feature

import (
	"os"
	"testing"

	"rove"
	"rove/internal/testkit"
)

// TestUIOnPlaywright: the features and scripts of TestUI run as they are on a Playwright
// server, in one browser.
func TestUIOnPlaywright(t *testing.T) {
	testkit.ShellIsEnough(t)
	testkit.Playwright(t, rove.PlaywrightVersion)
	t.Parallel()
	allPass(t, runUI(t, Options{Paths: everyUI, Threads: 4, Browser: "playwright:" + os.Getenv("ROVE_BROWSER")}), 38)
}
