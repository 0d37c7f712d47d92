package site

import (
	"strings"
	"testing"
)

func TestGenerate(t *testing.T) {
	for _, n := range []int{1, 1000, 10000} {
		s := generate(n)
		if got := strings.Count(s, "<") - strings.Count(s, "</") - strings.Count(s, "<!"); got < n || got > n+200 {
			t.Errorf("generate(%d) has %d elements", n, got)
		}
		if s != generate(n) {
			t.Errorf("generate(%d) is not the same twice", n)
		}
	}
}
