package feature_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rove/feature"
)

// TestBrowserBesideKarate runs features in a browser with rove and with real
// Karate. Each scenario must end alike: pass, or fail at the same step. The words
// of a failure are each one's own.
func TestBrowserBesideKarate(t *testing.T) {
	if os.Getenv(wantKarate) == "" {
		t.Skip("real Karate is run by make karate, which sets " + wantKarate)
	}
	library := karate(t)
	chrome, err := exec.LookPath("chromium")
	if err != nil {
		if chrome, err = exec.LookPath("google-chrome"); err != nil {
			t.Skip("real Karate needs a Chromium or Chrome on the PATH: it cannot use a headless shell")
		}
	}
	corpus, err := filepath.Abs(filepath.Join("testdata", "karate-ui"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join("testdata", "ui", "pages"))))
	defer server.Close()
	theirs := runKarate(t, library, corpus, server.URL, "-Dchrome="+chrome, "-Dsite="+server.URL)["browser.feature"]
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	result, err := feature.Run(ctx, feature.Options{
		Dir: corpus, Tags: []string{"~@ignore"}, Properties: map[string]string{"chrome": chrome, "site": server.URL}, Output: "-", Threads: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	ours := outcomes(t, result)["browser.feature"]
	if len(ours) != len(theirs) {
		t.Fatalf("%d results, Karate has %d", len(ours), len(theirs))
	}
	listed := 0
	for i, their := range theirs {
		our := ours[i]
		reason, known := browserDifferences[our.name]
		same := our.failed == their.failed && (!our.failed || our.line == their.line)
		switch {
		case our.failed != strings.HasPrefix(our.name, "fails:"):
			t.Errorf("%s: failed is %v\n%s", our.name, our.failed, our.message)
		case same && known:
			t.Errorf("%s is listed, but there is no difference any more", our.name)
		case !same && !known:
			t.Errorf("%s\n%s", our.name, fmt.Sprintf("Karate: failed %v, line %d: %s\nrove: failed %v, line %d: %s", their.failed, their.line, their.message, our.failed, our.line, our.message))
		case !same:
			listed++
			t.Logf("%s: %s", our.name, reason)
		}
	}
	t.Logf("%d scenarios in a browser, %d listed differences", len(ours), listed)
}

// browserDifferences are scenarios that end otherwise in Karate 1.5.2, and why;
// docs/KARATE.md has them for people.
var browserDifferences = map[string]string{
	"keys among texts": "Karate's ENTER is a character, not the key: a page that listens for the key does not hear it",
}
