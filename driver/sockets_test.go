package driver

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"rove/driver/backend"
)

func (t *eventTab) Done() <-chan struct{} { return nil }

// TestSocketsThatNeverAnswer: an action waits for what the server answers over a socket. Of
// a server that has had no answer twice nobody waits for one, until it has some again.
func TestSocketsThatNeverAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inside := &eventTab{}
		tab := &Tab{tab: inside, driver: &Driver{}}
		tab.listen()
		const held = -time.Hour
		sent, answer := backend.SocketMessage{Sent: true}, backend.SocketMessage{}
		for i, c := range []struct {
			says  bool
			after time.Duration // that the answer comes; 0 is never, below that at once, held is when the page is asked something
			want  string
		}{
			{false, 0, `"" false 0s`},
			{true, 100 * time.Millisecond, `"answered" true 100ms`},
			{true, 0, `"" false 600ms`},
			{true, 500 * time.Millisecond, `"answered" true 500ms`}, // one in vain counts no more
			{true, 0, `"" false 600ms`},
			{true, 0, `"" false 600ms`},
			{true, 0, `"" false 0s`},
			{true, 500 * time.Millisecond, `"" false 0s`},
			{true, -1, `"answered" true 0s`}, // what has come already is an answer all the same
			{true, 500 * time.Millisecond, `"answered" true 500ms`},
			// It came, and was not told until the page was asked something.
			{true, held, `"answered" true 600ms`},
			{true, 0, `"" false 600ms`},
			{true, held, `"answered" true 600ms`},
			{true, 0, `"" false 600ms`},
			{true, 0, `"" false 600ms`},
			{true, held, `"" false 0s`},
		} {
			a := &action{tab: tab, ctx: t.Context(), watch: tab.watch()}
			if c.says {
				inside.tell(sent)
			}
			switch {
			case c.after == held:
			case c.after < 0:
				inside.tell(answer)
			case c.after > 0:
				time.AfterFunc(c.after, func() { inside.tell(answer) })
			}
			began := time.Now()
			next, came := a.reply(began.Add(5*time.Second), 0)
			if a.overdue { // as settle goes on: the page is asked, and then looked after
				if next != "answered" || !came {
					t.Errorf("%d: the page is asked %q", i, next)
				}
				if c.after == held {
					inside.tell(answer)
				}
				next, came = a.reply(began.Add(5*time.Second), 1)
			}
			if got := fmt.Sprintf("%q %v %v", next, came, time.Since(began)); got != c.want {
				t.Errorf("%d: got %s, want %s", i, got, c.want)
			}
			a.watch.stop()
			time.Sleep(time.Second) // until all has come
		}
	})
}
