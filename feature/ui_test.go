package feature

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rove/internal/report"
)

// runUI runs features of testdata/ui in a real browser.
func runUI(t *testing.T, o Options) *Result {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	server := httptest.NewServer(http.FileServer(http.Dir("testdata/ui/pages")))
	t.Cleanup(server.Close)
	o.Dir, o.Output = "testdata/ui", "-"
	o.Properties = map[string]string{"site": server.URL, "other": strings.Replace(server.URL, "127.0.0.1", "localhost", 1)}
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestUI(t *testing.T) {
	t.Parallel()
	allPass(t, runUI(t, Options{Paths: []string{"navigation.feature", "elements.feature", "waits.feature", "frames.feature"}, Threads: 4}), 30)
}

// TestUIFailures: each says what is wrong, and has a picture where there is a
// page.
func TestUIFailures(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"not configured": "driver not configured", "no element": "#never", "in a called feature": "#name", "bad option": "typ", "bad type": "netscape",
		"nobody there": "127.0.0.1:1", "no executable": "chrome executable not found", "null locator": "locator cannot be null or empty",
	}
	r := runUI(t, Options{Paths: []string{"failures.feature"}, Threads: 1})
	for _, s := range r.Files[0].Scenarios {
		if s.Status != report.Failed || want[s.Name] == "" || !strings.Contains(s.Error, want[s.Name]) {
			t.Errorf("%s: %s: %s", s.Name, s.Status, s.Error)
		}
		delete(want, s.Name)
		pictures := 0
		var count func(steps []*report.Step)
		count = func(steps []*report.Step) {
			for _, st := range steps {
				pictures += len(st.Embeds)
				for _, c := range st.Calls {
					for _, inner := range c.Scenarios {
						count(inner.Steps)
					}
				}
			}
		}
		count(s.Steps)
		if (s.Name == "no element" || s.Name == "in a called feature") && pictures != 1 {
			t.Errorf("%s: %d pictures", s.Name, pictures)
		}
	}
	for name := range want {
		t.Errorf("%s was not run", name)
	}
}
