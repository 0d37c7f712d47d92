//go:build unix

package doctor

import "testing"

func TestMemoryIsTheContainersIfThatHasLess(t *testing.T) {
	const info = "MemTotal:  8000 kB\nMemAvailable:    4000 kB\n"
	for _, tt := range []struct {
		limit, used, free uint64
		where             string
	}{
		{0, 0, 4000 << 10, "on this machine"},
		{9000 << 10, 1000 << 10, 4000 << 10, "on this machine"},
		{3000 << 10, 1000 << 10, 2000 << 10, "in this container"},
		{3000 << 10, 5000 << 10, 0, "in this container"},
	} {
		free, where, err := least(info, tt.limit, tt.used)
		if err != nil || free != tt.free || where != tt.where {
			t.Errorf("limit %d, used %d: %d %s, %v", tt.limit, tt.used, free, where, err)
		}
	}
	if _, _, err := least("", 0, 0); err == nil {
		t.Error("no memory is known from nothing")
	}
}
