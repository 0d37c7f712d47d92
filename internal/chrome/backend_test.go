package chrome

import (
	"testing"

	"rove/driver/backend"
	"rove/driver/backend/backendtest"
)

// Chrome can do all that a backend can.
func TestBackend(t *testing.T) { backendtest.Run(t, shared, backend.Capabilities()) }
