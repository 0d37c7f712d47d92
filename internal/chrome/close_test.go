package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rove/cdp"
)

// liar is a browser that agrees to everything, and does what it is told the
// second time.
type liar struct {
	answers chan []byte
	end     chan struct{}
	asked   atomic.Int32
	obeys   func(asked int)
}

func (l *liar) Read() ([]byte, error) {
	select {
	case a := <-l.answers:
		return a, nil
	case <-l.end:
		return nil, io.EOF
	}
}

func (l *liar) Write(messages [][]byte) error {
	for _, m := range messages {
		var c struct{ ID int64 }
		if err := json.Unmarshal(m, &c); err != nil {
			return err
		}
		l.obeys(int(l.asked.Add(1)))
		l.answers <- fmt.Appendf(nil, `{"id":%d,"result":{"success":true}}`, c.ID)
	}
	return nil
}

func (l *liar) Close() error {
	close(l.end)
	return nil
}

// A tab that does not close is asked again, and not waited for for ever.
func TestCloseAgain(t *testing.T) {
	for name, c := range map[string]struct {
		obeys int // the time it is asked
		asked int
		takes time.Duration
		err   error
	}{
		"at once":         {1, 1, 0, nil},
		"the second time": {2, 2, closeAgain, nil},
		"never":           {0, 4, closeTime, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tab := &Tab{id: "T"}
				tab.Init("T")
				l := &liar{answers: make(chan []byte, 10), end: make(chan struct{}), obeys: func(asked int) {
					if asked == c.obeys {
						tab.End(errors.New("closed"), func() {})
					}
				}}
				conn := cdp.New(l)
				defer conn.Close()
				tab.browser = &Browser{conn: conn}
				start := time.Now()
				err := tab.Close(t.Context())
				if took := time.Since(start); !errors.Is(err, c.err) || int(l.asked.Load()) != c.asked || took != c.takes {
					t.Errorf("asked %d times, %v after %v", l.asked.Load(), err, took)
				}
			})
		})
	}
}
