package proposal_test

import (
	"context"
	"os"
	"testing"

	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/internal/testkit"
)

// shared is the browser of all tests. Each has a context in it.
var shared backend.Browser

func TestMain(m *testing.M) {
	os.Exit(testkit.Main(m, func() (func(), error) {
		ctx := context.Background()
		b, err := chrome.Launch(ctx, chrome.Options{Path: os.Getenv("ROVE_BROWSER")})
		if err != nil {
			return nil, err
		}
		// The first context cannot be thrown away; it is put aside.
		if _, err := b.NewContext(ctx, backend.ContextOptions{}); err != nil {
			_ = b.Close()
			return nil, err
		}
		shared = b
		return func() { _ = b.Close() }, nil
	}))
}
