package launch

import (
	"context"
	"errors"
	"sync"
	"time"

	"rove/internal/grid"
	"rove/internal/wire"
)

// A grid's hub passes messages on, and says nothing when the node behind it has died: what is
// asked is never answered. So where nothing comes for a while, the grid is asked for the
// session by another way, and the connection ends where there is none any more.

const (
	// gridSilence is how long a browser may say nothing to what it was asked.
	gridSilence = 5 * time.Second
	// gridPatience is for the grid to say whether the session is there.
	gridPatience = 10 * time.Second
)

// watched is a connection through a grid.
type watched struct {
	wire.Transport
	there func(context.Context) error

	mu    sync.Mutex
	timer *time.Timer // while an answer is due
	ended bool
}

// watchGrid has a connection end where the grid has no session behind it any more.
func watchGrid(l *grid.Lease) func(wire.Transport) wire.Transport {
	return func(t wire.Transport) wire.Transport { return &watched{Transport: t, there: l.There} }
}

func (w *watched) Write(msgs [][]byte) error {
	w.mu.Lock()
	if w.timer == nil && !w.ended {
		w.timer = time.AfterFunc(gridSilence, w.ask)
	}
	w.mu.Unlock()
	return w.Transport.Write(msgs)
}

func (w *watched) Read() ([]byte, error) {
	msg, err := w.Transport.Read()
	w.heard(err != nil)
	return msg, err
}

func (w *watched) Close() error {
	w.heard(true)
	return w.Transport.Close()
}

func (w *watched) heard(ended bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = w.ended || ended
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

// ask asks the grid, and again after a while where the browser is only slow.
func (w *watched) ask() {
	ctx, cancel := context.WithTimeout(context.Background(), gridPatience)
	defer cancel()
	if err := w.there(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		_ = w.Close()
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil && !w.ended {
		w.timer.Reset(gridSilence)
	}
}
