package pwserver

import (
	"os"
	"testing"

	"rove/driver/backend/backendtest"
	"rove/internal/proc"
	"rove/internal/testkit"
)

// server starts one for a test, which steps aside where there is none.
func server(t *testing.T) *Browser {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.OncePerRun(t)
	testkit.Parallel(t)
	p := testkit.Playwright(t, Minor)
	path := os.Getenv("ROVE_BROWSER")
	sandbox, _ := proc.Sandbox(path)
	b, err := Launch(testkit.Context(t), Options{Node: p.Node, CLI: p.CLI, Path: path, NoSandbox: !sandbox, Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, b)
	return b
}

// TestPlaywrightBackend runs the suite that every backend has to pass.
func TestPlaywrightBackend(t *testing.T) {
	backendtest.Run(t, server(t), capabilities("chromium"))
}
