package bidi

import (
	"context"
	"os"
	"testing"

	"rove/driver/backend"
	"rove/driver/backend/backendtest"
	"rove/internal/testkit"
)

// shared is the browser of all tests. Each test has a context in it.
var shared *Browser

func TestMain(m *testing.M) { os.Exit(m.Run()) }

func firefox(t *testing.T) *Browser {
	t.Helper()
	testkit.NeedsBrowser(t)
	if _, err := Find(); err != nil {
		t.Skip("there is no Firefox here: ", err)
	}
	b, err := Launch(testkit.Context(t), Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, b)
	return b
}

// TestBackend runs the suite that every backend has to pass.
func TestBackend(t *testing.T) {
	b := firefox(t)
	backendtest.Run(t, b, (&Context{}).Capabilities())
}

var _ = context.Background
var _ backend.Browser
