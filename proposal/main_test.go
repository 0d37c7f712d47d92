package proposal_test

import (
	"os"
	"testing"

	"rove/driver/backend"
	"rove/internal/testkit"
	"rove/internal/testkit/drive"
)

// shared is the browser of all tests. Each has a context in it.
var shared backend.Browser

func TestMain(m *testing.M) {
	os.Exit(testkit.Main(m, testkit.Share(&shared, drive.Launch)))
}
