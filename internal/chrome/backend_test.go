package chrome

import (
	"context"
	"testing"

	"rove/driver/backend"
	"rove/driver/backend/backendtest"
	"rove/internal/testkit"
)

// Chrome can do all that a backend can.
func TestBackend(t *testing.T) {
	testkit.NeedsBrowser(t)
	backendtest.Run(t, shared, backend.Capabilities(), func(_ context.Context, tab backend.Tab) error {
		tab.(*Tab).session.Start("Page.crash", nil)
		return nil
	})
}
