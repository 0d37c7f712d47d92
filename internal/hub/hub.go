// Package hub lets many use one connection to a browser that runs already. A
// browser may ask its person about every connection, so that there is to be one,
// whoever comes: sessions of the daemon, and other roves by way of it.
//
// Each client speaks the protocol as if it were alone. Its commands get numbers of
// the connection's own, answers go back to who asked, events to whose session they
// are of, and those of the browser itself to all. When a client is gone, however it
// went, the tabs that it opened are closed.
package hub

import (
	"context"
	"io"
	"maps"
	"net"
	"slices"
	"sync"

	"rove/internal/chrome"
	"rove/internal/wire"
)

// Hub has the connections.
type Hub struct {
	dialling sync.Mutex // one at a time: who comes second finds the connection

	mu     sync.Mutex
	lines  map[string]*line // by address
	closed bool
}

// New makes a hub without connections.
func New() *Hub { return &Hub{lines: make(map[string]*line)} }

// Dial gives a connection to the browser that a place stands for, as rove.Dialer
// has it. The connection to the browser itself is made once, and kept.
func (h *Hub) Dial(ctx context.Context, place string) (io.ReadWriteCloser, error) {
	here, there := net.Pipe()
	if err := h.Serve(ctx, place, there); err != nil {
		_ = here.Close()
		_ = there.Close()
		return nil, err
	}
	return here, nil
}

// Alone is Dial for the only client: the hub ends with the connection.
func (h *Hub) Alone(ctx context.Context, place string) (io.ReadWriteCloser, error) {
	c, err := h.Dial(ctx, place)
	if err != nil {
		return nil, err
	}
	return &only{c, h}, nil
}

type only struct {
	io.ReadWriteCloser
	hub *Hub
}

func (o *only) Close() error {
	err := o.ReadWriteCloser.Close()
	o.hub.Close()
	return err
}

// Serve takes a client on. The connection to it is the hub's from then on.
func (h *Hub) Serve(ctx context.Context, place string, conn io.ReadWriteCloser) error {
	l, err := h.line(ctx, place)
	if err != nil {
		return err
	}
	return l.join(conn)
}

func (h *Hub) line(ctx context.Context, place string) (*line, error) {
	h.dialling.Lock()
	defer h.dialling.Unlock()
	addresses, err := chrome.Running(ctx, place)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	for _, a := range addresses {
		if l := h.lines[a]; l != nil {
			h.mu.Unlock()
			return l, nil
		}
	}
	h.mu.Unlock()
	t, address, err := chrome.Reach(ctx, addresses)
	if err != nil {
		return nil, err
	}
	l := newLine(address, t, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.lines, address)
	})
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		_ = t.Close()
		return nil, net.ErrClosed
	}
	h.lines[address] = l
	h.mu.Unlock()
	l.note = newNote(ctx)
	go l.read()
	go l.sweep()
	return l, nil
}

// Close ends all connections. What clients have open is closed before.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	all := slices.Collect(maps.Values(h.lines))
	h.mu.Unlock()
	for _, l := range all {
		l.dismiss()
		_ = l.browser.Close()
		<-l.done
	}
}

// client is one who uses a line.
type client struct {
	conn wire.Transport

	mu    sync.Mutex
	queue [][]byte
	wake  chan struct{}
	gone  bool
}

func newClient(conn io.ReadWriteCloser) *client {
	return &client{conn: wire.NewPipe(conn, conn), wake: make(chan struct{}, 1)}
}

// send never waits: a client that does not read holds nobody up.
func (c *client) send(msg []byte) {
	c.mu.Lock()
	if !c.gone {
		c.queue = append(c.queue, msg)
	}
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// write writes what was sent until the client is gone.
func (c *client) write() {
	for range c.wake {
		c.mu.Lock()
		batch, gone := c.queue, c.gone
		c.queue = nil
		c.mu.Unlock()
		if gone {
			return
		}
		if len(batch) > 0 && c.conn.Write(batch) != nil {
			_ = c.conn.Close()
		}
	}
}

func (c *client) end() {
	c.mu.Lock()
	c.gone, c.queue = true, nil
	c.mu.Unlock()
	_ = c.conn.Close()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// drop takes the first of a value out of a list.
func drop[T comparable](list []T, v T) []T {
	if i := slices.Index(list, v); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}
