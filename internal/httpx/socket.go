package httpx

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// A Message came over a web socket.
type Message struct {
	Binary bool
	Data   []byte
}

// A Socket is a web socket. What arrives is kept, up to a bound, until it is
// taken with Next.
type Socket struct {
	conn   *websocket.Conn
	queue  chan Message
	cancel context.CancelFunc
	ended  chan struct{}

	once sync.Once
	err  error
}

// keptMessages is how many wait for somebody to take them; the server is held
// back then.
const keptMessages = 1000

// Dial opens a web socket. Its address may be spelled with http or ws.
func (c *Client) Dial(ctx context.Context, address string, header Fields, protocols ...string) (*Socket, error) {
	for from, to := range map[string]string{"ws://": "http://", "wss://": "https://"} {
		if rest, ok := strings.CutPrefix(address, from); ok {
			address = to + rest
		}
	}
	address, err := readable(address)
	if err != nil {
		return nil, err
	}
	transport, err := c.Pool.transport(&c.Config)
	if err != nil {
		return nil, err
	}
	credentials, err := c.before(ctx)
	if err != nil {
		return nil, err
	}
	h := http.Header{}
	for _, f := range header {
		h[http.CanonicalHeaderKey(f.Name)] = f.Values
	}
	if credentials != "" && h.Get("Authorization") == "" {
		h.Set("Authorization", credentials)
	}
	dialing, cancel := context.WithTimeout(ctx, c.Config.Connect)
	defer cancel()
	conn, answer, err := websocket.Dial(dialing, address, &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: transport}, HTTPHeader: h, Subprotocols: protocols,
	})
	if err != nil {
		if answer != nil && answer.StatusCode != http.StatusSwitchingProtocols && answer.StatusCode != 0 {
			return nil, &Error{Reason: "socket", Method: "GET", URL: address, Message: "the server opened no web socket: status " + answer.Status, Err: err}
		}
		return nil, c.explain(ctx, &Request{Method: "GET", URL: address}, err)
	}
	limit := c.Config.MaxBody
	if limit <= 0 {
		limit = Defaults().MaxBody
	}
	conn.SetReadLimit(limit)
	reading, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &Socket{conn: conn, queue: make(chan Message, keptMessages), cancel: stop, ended: make(chan struct{})}
	go s.read(reading)
	return s, nil
}

func (s *Socket) read(ctx context.Context) {
	defer close(s.ended)
	defer close(s.queue)
	for {
		kind, data, err := s.conn.Read(ctx)
		if err != nil {
			s.err = err
			return
		}
		select {
		case s.queue <- Message{kind == websocket.MessageBinary, data}:
		case <-ctx.Done():
			return
		}
	}
}

// Queue are the messages as they come; it is closed when the socket has ended.
func (s *Socket) Queue() <-chan Message { return s.queue }

// Next waits for a message. There is none after the context's end, or when the
// server has closed.
func (s *Socket) Next(ctx context.Context) (Message, bool) {
	select {
	case m, ok := <-s.queue:
		return m, ok
	case <-ctx.Done():
		// What is there already is not lost to a late clock.
		select {
		case m, ok := <-s.queue:
			return m, ok
		default:
			return Message{}, false
		}
	}
}

// Send writes a message.
func (s *Socket) Send(ctx context.Context, m Message) error {
	kind := websocket.MessageText
	if m.Binary {
		kind = websocket.MessageBinary
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if err := s.conn.Write(ctx, kind, m.Data); err != nil {
		return &Error{Reason: "socket", Message: "the web socket takes no message: " + closeWords(err), Err: err}
	}
	return nil
}

// Close ends the socket. It may be called more than once.
func (s *Socket) Close() {
	s.once.Do(func() {
		// The other side has a moment to say goodbye.
		done := make(chan struct{})
		go func() {
			s.conn.Close(websocket.StatusNormalClosure, "")
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(time.Second):
		}
		s.cancel()
		s.conn.CloseNow()
		<-s.ended
		<-done
	})
}

func closeWords(err error) string {
	if e, ok := errors.AsType[websocket.CloseError](err); ok {
		return "it was closed by the server (" + e.Code.String() + " " + e.Reason + ")"
	}
	return err.Error()
}
