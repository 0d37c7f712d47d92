package spell

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 5, 0},
		{"a", "", 5, 1},
		{"budget", "bugdet", 5, 2},
		{"enter", "entre", 5, 2},
		{"tab", "tap", 5, 1},
		{"look", "lok", 5, 1},
		{"look", "loook", 5, 1},
		{"kitten", "sitting", 5, 3},
		{"kitten", "sitting", 3, 3},
		{"kitten", "sitting", 2, 2},
		{"a", "a very long word", 4, 4},
	} {
		for _, d := range []int{Distance(c.a, c.b, c.limit), Distance(c.b, c.a, c.limit)} {
			if d != c.want {
				t.Errorf("%s, %s within %d: %d, want %d", c.a, c.b, c.limit, d, c.want)
			}
		}
	}
}
