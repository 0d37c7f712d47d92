package bidi

import (
	"testing"

	"rove/driver/backend/backendtest"
	"rove/internal/testkit"
)

// firefox starts one for a test, which steps aside where there is none.
func firefox(t *testing.T) *Browser {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	if _, err := Find(); err != nil {
		t.Skip(err)
	}
	b, err := Launch(testkit.Context(t), Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, b)
	return b
}

// TestFirefoxBackend runs the suite that every backend has to pass.
func TestFirefoxBackend(t *testing.T) {
	backendtest.Run(t, firefox(t), Capabilities(false), nil)
}
