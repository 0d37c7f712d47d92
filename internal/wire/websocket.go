package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// socket is a websocket, one text message per protocol message.
type socket struct {
	conn *websocket.Conn
	http *http.Transport
	cork *corked

	ctx    context.Context // ends with the transport
	cancel context.CancelFunc

	buf bytes.Buffer // reused for small messages
}

// Dial connects to a websocket URL, ws:// or wss://. The context bounds the
// dialling only; header is sent with the request and may be nil.
//
// Compression is off: Chrome does not offer it, and on a local connection it
// costs more than it saves.
func Dial(ctx context.Context, url string, header http.Header) (Transport, error) {
	// Not http.DefaultTransport, which a program may have replaced.
	s := &socket{http: &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 10 * time.Second}}
	s.http.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		s.cork = &corked{Conn: c}
		return s.cork, nil
	}
	conn, resp, err := websocket.Dial(ctx, url, &websocket.DialOptions{
		HTTPClient:      &http.Client{Transport: s.http},
		HTTPHeader:      header,
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		s.http.CloseIdleConnections()
		if resp != nil && resp.StatusCode >= 300 {
			said, _ := io.ReadAll(resp.Body) // the library keeps a bit of it
			err = &Refused{Status: resp.StatusCode, Said: string(said), Err: err}
		}
		return nil, fmt.Errorf("wire: dial %s: %w", url, err)
	}
	conn.SetReadLimit(MaxMessage)
	s.conn = conn
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// Refused is a server that answered, and would not speak over a websocket.
type Refused struct {
	Status int
	Said   string // the beginning of what it answered
	Err    error
}

func (e *Refused) Error() string { return e.Err.Error() }
func (e *Refused) Unwrap() error { return e.Err }

func (s *socket) Read() ([]byte, error) {
	_, r, err := s.conn.Reader(s.ctx)
	if err != nil {
		return nil, closedAsEOF(err)
	}
	s.buf.Reset()
	if _, err := s.buf.ReadFrom(r); err != nil {
		return nil, err
	}
	if s.buf.Len() < keepBelow {
		return bytes.Clone(s.buf.Bytes()), nil
	}
	msg := s.buf.Bytes()
	s.buf = bytes.Buffer{}
	return msg, nil
}

// closedAsEOF makes the peer's goodbye look as it does on a pipe.
func closedAsEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
		return io.EOF
	}
	switch websocket.CloseStatus(err) {
	case websocket.StatusNormalClosure, websocket.StatusGoingAway, websocket.StatusNoStatusRcvd:
		return io.EOF
	}
	return err
}

func (s *socket) Write(msgs [][]byte) error {
	s.cork.hold()
	for _, m := range msgs {
		if err := s.conn.Write(s.ctx, websocket.MessageText, m); err != nil {
			return err
		}
	}
	return s.cork.release()
}

// Close drops the connection without the closing handshake, which would wait
// for a peer that may be hung.
func (s *socket) Close() error {
	s.cancel()
	err := s.conn.CloseNow()
	s.http.CloseIdleConnections()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// corked is a network connection that can gather small writes: the websocket
// library flushes every message by itself, and a batch should leave in one
// write.
type corked struct {
	net.Conn

	mu   sync.Mutex
	on   bool
	held []byte
}

func (c *corked) hold() {
	c.mu.Lock()
	c.on = true
	c.mu.Unlock()
}

// release sends what was gathered. The lock is not held meanwhile; a control
// frame that the library writes at the same moment cannot split ours, because
// every write here ends at the end of a frame.
func (c *corked) release() error {
	c.mu.Lock()
	held := c.held
	c.on, c.held = false, nil
	c.mu.Unlock()
	if len(held) == 0 {
		return nil
	}
	_, err := c.Conn.Write(held)
	if cap(held) <= keepWrite {
		c.mu.Lock()
		if c.held == nil {
			c.held = held[:0]
		}
		c.mu.Unlock()
	}
	return err
}

func (c *corked) Write(b []byte) (int, error) {
	c.mu.Lock()
	if c.on {
		c.held = append(c.held, b...)
		c.mu.Unlock()
		return len(b), nil
	}
	c.mu.Unlock()
	return c.Conn.Write(b)
}
