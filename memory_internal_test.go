package rove

import (
	"testing"

	"rove/aria"
)

// TestLargePagesAreForgottenSooner: what a session remembers has a bound, but the
// last two looks are there whatever their size.
func TestLargePagesAreForgottenSooner(t *testing.T) {
	for _, c := range []struct{ nodes, want int }{{10, remembered}, {rememberedNodes / 4, 4}, {rememberedNodes * 2, 2}} {
		var m memory
		for range 20 {
			m.keep(&aria.Tree{Nodes: make([]aria.Node, c.nodes)}, true)
		}
		if len(m.trees) != c.want || m.trees[len(m.trees)-1].number != 20 {
			t.Errorf("of looks at %d nodes %d are remembered, want %d", c.nodes, len(m.trees), c.want)
		}
	}
}
