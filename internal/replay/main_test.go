package replay_test

import (
	"context"
	"os"
	"testing"

	"rove"
	"rove/internal/testkit"
)

var browser *rove.Browser

func TestMain(m *testing.M) {
	os.Exit(testkit.Main(m, testkit.Share(&browser, func(ctx context.Context) (*rove.Browser, error) {
		return rove.Launch(ctx, rove.Options{})
	})))
}
