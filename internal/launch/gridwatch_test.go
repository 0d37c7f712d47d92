package launch

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// silent is a connection on which nothing ever comes.
type silent struct{ closed chan struct{} }

func (s silent) Read() ([]byte, error) { <-s.closed; return nil, io.EOF }
func (s silent) Write([][]byte) error  { return nil }
func (s silent) Close() error          { close(s.closed); return nil }

// TestSilentGrid: a connection whose browser says nothing ends where the grid has no
// session behind it, and goes on where it has.
func TestSilentGrid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked, gone atomic.Bool
		w := &watched{Transport: silent{make(chan struct{})}, there: func(context.Context) error {
			asked.Store(true)
			if gone.Load() {
				return errors.New("the node is gone")
			}
			return nil
		}}
		over := make(chan error)
		go func() {
			_, err := w.Read()
			over <- err
		}()
		if err := w.Write(nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * gridSilence)
		synctest.Wait()
		select {
		case err := <-over:
			t.Fatalf("it ended though the session is there: %v", err)
		default:
		}
		if !asked.Load() {
			t.Error("the grid was not asked")
		}
		gone.Store(true)
		if err := <-over; err != io.EOF {
			t.Errorf("it ended with %v", err)
		}
	})
}
