package chrome

import (
	"fmt"
	"testing"
	"time"

	"rove/cdp"
)

// TestLinesToldAgain: what a page that comes back tells once more is known; a line is none
// of it because the clock was put right by a moment, and the line was read late.
func TestLinesToldAgain(t *testing.T) {
	const now = 1.8e12
	l := &consoleTeller{now: func() time.Time { return milliseconds(now) }}
	line := func(text string, ago float64) cdp.Event {
		return cdp.Event{Method: "Runtime.consoleAPICalled", Params: fmt.Appendf(nil, `{"type":"log","args":[{"type":"string","value":%q}],"executionContextId":3,"timestamp":%f}`, text, now-ago)}
	}
	o := &origin{}
	for _, c := range []struct {
		text string
		ago  float64
		want bool
	}{{"a", 9000, false}, {"b", 8000, false}, {"clock put right", 8004, false}, {"b", 8000, true}, {"long forgotten", 9500, true}, {"c", 10, false}, {"d", 40, false}, {"c", 10, true}} {
		if got := l.repeated(o, line(c.text, c.ago)); got != c.want {
			t.Errorf("%s: told again is %v, want %v", c.text, got, c.want)
		}
	}
}
