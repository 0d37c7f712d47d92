package session

import "testing"

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"2G": 2 << 30, "800M": 800 << 20, "1gib": 1 << 30, "64k": 64 << 10, " 1T ": 1 << 40,
		"": 0, "G": 0, "2": 0, "-1G": 0, "0M": 0, "1.5G": 0, "2X": 0, "99999999999G": 0,
	} {
		if got, err := ParseSize(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
}
