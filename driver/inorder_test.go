package driver

import (
	"fmt"
	"testing"
	"time"
)

// A picture that came after a later one is left out, unless the clock was set back.
func TestPicturesInOrder(t *testing.T) {
	start := time.Now()
	var got []time.Duration
	show := inOrder(func(p Picture) { got = append(got, p.Time.Sub(start)) })
	for _, at := range []time.Duration{10, 30, 20, 30, 40, 39, -time.Hour, 50 - time.Hour, 45 - time.Hour} {
		show(Picture{Time: start.Add(at)})
	}
	want := fmt.Sprint([]time.Duration{10, 30, 30, 40, -time.Hour, 50 - time.Hour})
	if fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
