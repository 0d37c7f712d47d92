package pwserver

import (
	"context"
	"testing"

	"rove/driver/backend"
	"rove/driver/backend/backendtest"
	"rove/internal/testkit"
)

// server starts one for a test, which steps aside where there is none.
func server(t *testing.T) *Browser {
	t.Helper()
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	b, err := Launch(testkit.Context(t), options(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Closes(t, b)
	return b
}

// TestPlaywrightBackend runs the suite that every backend has to pass.
func TestPlaywrightBackend(t *testing.T) {
	backendtest.Run(t, server(t), capabilities("chromium"), func(ctx context.Context, tab backend.Tab) error {
		d, err := tab.(*Tab).session(ctx)
		if err == nil {
			tab.(*Tab).start(command{d.guid, "send", object{"method": "Page.crash"}})
		}
		return err
	})
}
