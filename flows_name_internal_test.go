package rove

import (
	"strings"
	"testing"
)

func TestFlowNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"": false, "a": true, "Anmelden 2.b_c-d": true, "買う": true, "²": true, " a": false, "-a": false, "a/b": false, "a\n": false, "a\xff": false,
		strings.Repeat("ä", 64): true, strings.Repeat("ä", 65): false,
	} {
		if got := isFlowName(name); got != want {
			t.Errorf("isFlowName(%q) is %v", name, got)
		}
	}
}
