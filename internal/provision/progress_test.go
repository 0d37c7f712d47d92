package provision

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestBar(t *testing.T) {
	now := time.Unix(0, 0)
	for _, tc := range []struct {
		name     string
		terminal bool
		total    int64
		want     string
	}{
		{"lines", false, 80e6, "Going on at 20.0 MB\n" +
			"   50 %  40.0 MB of 80.0 MB  4.0 MB/s  10s left\n" +
			"  100 %  80.0 MB of 80.0 MB  6.0 MB/s\n"},
		{"terminal", true, 80e6, "Going on at 20.0 MB\n" +
			"\r\x1b[K  [===============               ]  50 %  40.0 MB of 80.0 MB  4.0 MB/s  10s left" +
			"\r\x1b[K  [==============================] 100 %  80.0 MB of 80.0 MB  6.0 MB/s\n"},
		{"size not known", false, 0, "Going on at 20.0 MB\n  40.0 MB  4.0 MB/s\n  80.0 MB  6.0 MB/s\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			clock := now
			r := &reporter{w: &out, terminal: tc.terminal, now: func() time.Time { return clock }}
			b := r.bar(20e6, tc.total)
			clock = clock.Add(5 * time.Second)
			b.add(20e6)
			b.last = clock.Add(time.Hour) // no line for the rest
			clock = clock.Add(5 * time.Second)
			b.add(40e6)
			b.done()
			if out.String() != tc.want {
				t.Errorf("got\n%q\nwant\n%q", out.String(), tc.want)
			}
		})
	}
}

func TestSilence(t *testing.T) {
	r := newReporter(nil)
	r.say("x")
	b := r.bar(0, 10)
	b.add(10)
	b.done()
	if r := newReporter(new(strings.Builder)); r.terminal {
		t.Error("a string is no terminal")
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1500: "1.5 kB", 70e6: "70.0 MB", 2.34e9: "2.3 GB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %s", n, got)
		}
	}
}
