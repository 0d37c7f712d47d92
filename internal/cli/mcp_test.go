package cli

import (
	"strings"
	"testing"
)

func TestMCPRefusesWhatMakesNoSense(t *testing.T) {
	for want, args := range map[string][]string{
		"takes no arguments": {"mcp", "extra"},
		"no set of tools":    {"mcp", "--tools", "nope"},
		"--viewport":         {"mcp", "--viewport", "wide"},
		"--budget -1":        {"mcp", "--budget", "-1"},
		"idle":               {"mcp", "--idle", "soon"},
	} {
		if _, stderr, code := output(t, args...); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d, %q, want %q", args, code, stderr, want)
		}
	}
}
