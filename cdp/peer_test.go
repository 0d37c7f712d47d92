package cdp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// peer is a browser in memory: the tests say what it sends, and see what it
// was sent, write by write.
type peer struct {
	t       testing.TB
	batches chan [][]byte

	mu       sync.Mutex
	more     *sync.Cond
	in       [][]byte
	closed   bool
	readErr  error
	writeErr error
}

// command is a command as the browser sees it.
type command struct {
	ID      int64
	Method  string
	Params  json.RawMessage
	Session string `json:"sessionId"`
}

func newPeer(t testing.TB) (*Conn, *peer) {
	p := &peer{t: t, batches: make(chan [][]byte, 1<<16), readErr: io.EOF}
	p.more = sync.NewCond(&p.mu)
	c := New(p)
	t.Cleanup(func() { c.Close() })
	return c, p
}

func (p *peer) Read() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.in) == 0 && !p.closed {
		p.more.Wait()
	}
	if len(p.in) == 0 {
		return nil, p.readErr
	}
	m := p.in[0]
	p.in = p.in[1:]
	return m, nil
}

func (p *peer) Write(msgs [][]byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return io.ErrClosedPipe
	}
	if p.writeErr != nil {
		return p.writeErr
	}
	p.batches <- msgs
	return nil
}

func (p *peer) Close() error {
	p.hangUp(nil)
	return nil
}

// hangUp ends the connection from the browser's side, after what was sent.
func (p *peer) hangUp(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed && err != nil {
		p.readErr = err
	}
	p.closed = true
	p.more.Broadcast()
}

func (p *peer) failWrites(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writeErr = err
}

// send queues messages for the connection to read.
func (p *peer) send(msgs ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range msgs {
		p.in = append(p.in, []byte(m))
	}
	p.more.Signal()
}

// next returns the commands of the next write.
func (p *peer) next() []command {
	p.t.Helper()
	select {
	case batch := <-p.batches:
		return p.parse(batch)
	case <-time.After(10 * time.Second):
		p.t.Fatal("nothing was sent")
		return nil
	}
}

func (p *peer) parse(batch [][]byte) []command {
	cmds := make([]command, len(batch))
	for i, m := range batch {
		if err := json.Unmarshal(m, &cmds[i]); err != nil {
			p.t.Errorf("sent %q: %v", m, err)
		}
	}
	return cmds
}

func (c command) reply(result string) string {
	return fmt.Sprintf(`{"id":%d,"result":%s%s}`, c.ID, result, sessionMember(c.Session))
}

func event(session, method, params string) string {
	return fmt.Sprintf(`{"method":%q,"params":%s%s}`, method, params, sessionMember(session))
}

func sessionMember(id string) string {
	if id == "" {
		return ""
	}
	return fmt.Sprintf(`,"sessionId":%q`, id)
}

// ended waits for calls to end and checks what they end with.
func ended(t *testing.T, want error, calls ...*Pending) {
	t.Helper()
	for _, p := range calls {
		if err := p.Wait(t.Context(), nil); !errors.Is(err, want) {
			t.Errorf("%s ended with %v, want %v", p.method, err, want)
		}
	}
}
