package cdp

import (
	"io"
	"testing"

	"rove/internal/wire"
)

// parrot answers every command at once with an empty result.
type parrot struct {
	replies chan []byte
	closed  chan struct{}
}

func (p parrot) Read() ([]byte, error) {
	select {
	case m := <-p.replies:
		return m, nil
	case <-p.closed:
		return nil, io.EOF
	}
}

func (p parrot) Write(msgs [][]byte) error {
	for _, m := range msgs {
		var c struct {
			ID int64 `json:"id"`
		}
		if err := wire.Unmarshal(m, &c); err != nil {
			return err
		}
		b, err := wire.Marshal(map[string]any{"id": c.ID, "result": struct{}{}})
		if err != nil {
			return err
		}
		select {
		case p.replies <- b:
		case <-p.closed:
			return io.ErrClosedPipe
		}
	}
	return nil
}

func (p parrot) Close() error {
	close(p.closed) // Conn closes its transport once
	return nil
}

// BenchmarkCall is what a call costs apart from the browser.
func BenchmarkCall(b *testing.B) {
	conn := New(parrot{make(chan []byte, 64), make(chan struct{})})
	defer conn.Close()
	b.ReportAllocs()
	for b.Loop() {
		if err := conn.Root().Call(b.Context(), "A.b", map[string]any{"x": 1}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
