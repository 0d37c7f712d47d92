package house

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rove/driver/backend"
	"rove/internal/bidi"
	"rove/internal/chrome"
	"rove/internal/pwserver"
	"rove/internal/webdriver"
)

// TestBackendsDocument holds the table of docs/BACKENDS.md to what the backends say of
// themselves, which backendtest holds them to in real browsers. -update writes it.
func TestBackendsDocument(t *testing.T) {
	about := map[backend.Capability]string{
		backend.CanDialogs:    "dialogs stay open, are read and answered",
		backend.CanIntercept:  "requests are stopped, changed and answered",
		backend.CanPDF:        "pages are printed",
		backend.CanTree:       "the accessibility tree with refs: `look` and all that acts by ref",
		backend.CanRaw:        "the DevTools protocol itself can be spoken",
		backend.CanEmulate:    "devices are emulated: `--device`",
		backend.CanWindow:     "windows are moved, sized and brought to the front",
		backend.CanIsolate:    "many sessions in one browser, each with cookies and storage of its own",
		backend.CanScreencast: "a session is filmed",
		backend.CanPolicy:     "`--allow` and `--block`; without it a session that has them is refused",
		backend.CanTraffic:    "requests, answers and bodies: `browser_network`, HAR, derived API tests",
		backend.CanConsole:    "the console and exceptions: `browser_console`",
		backend.CanDrop:       "drag and drop of the page's own (the mouse alone drags everywhere)",

		backend.CanChooser:   "a file chooser that a page opens is told and answered (a file field is given files everywhere)",
		backend.CanDownloads: "files that come are told, and kept for the session",
		backend.CanWorld:     "the page script has a world of its own, which pages do not see",
		backend.CanRoots:     "what is in closed shadow roots is seen",
		backend.CanListeners: "what only a listener makes clickable gets a ref",
		backend.CanAtOnce:    "a tab whose page is busy does not keep the others waiting",
		backend.CanRevive:    "a page whose process died comes back with the next address (else another tab is opened)",

		backend.CanEmulateScreen:   "another size and density of the page",
		backend.CanEmulateTouch:    "a touch screen",
		backend.CanEmulateAgent:    "another user agent",
		backend.CanEmulateLanguage: "another language: `--locale`",
		backend.CanEmulateTimezone: "`--timezone`",
		backend.CanEmulatePlace:    "`--geolocation`",
		backend.CanEmulateOffline:  "`--offline`",
		backend.CanEmulateMedia:    "`--color-scheme`, reduced motion, print",
		backend.CanEmulateSpeed:    "a slower network or machine",
	}
	columns := [][]backend.Capability{
		(&chrome.Context{}).Capabilities(), bidi.Capabilities(false), bidi.Capabilities(true), (&webdriver.Context{}).Capabilities(), (&pwserver.Context{}).Capabilities(),
	}
	var table strings.Builder
	table.WriteString("| capability | chrome | firefox, geckodriver | chromedriver | webkit | playwright | |\n|---|---|---|---|---|---|---|\n")
	for _, c := range backend.Capabilities() {
		if about[c] == "" {
			t.Errorf("%s has no words for docs/BACKENDS.md", c)
		}
		row := fmt.Sprintf("| `%s` |", c)
		for _, b := range columns {
			row += map[bool]string{true: " yes |", false: " no |"}[slices.Contains(b, c)]
		}
		fmt.Fprintf(&table, "%s %s |\n", row, about[c])
	}
	path := filepath.Join("..", "..", "docs", "BACKENDS.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- capabilities -->\n", "<!-- end -->"
	head, rest, found := strings.Cut(string(text), begin)
	_, tail, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatal("docs/BACKENDS.md has no place for the table")
	}
	want := head + begin + table.String() + end + tail
	if string(text) == want {
		return
	}
	if !*update {
		t.Fatal("docs/BACKENDS.md has another table than the backends: go test ./internal/house -update")
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
