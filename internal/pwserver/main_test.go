package pwserver

import (
	"os"
	"testing"

	"rove/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }
