package wire

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// serve runs handle on every websocket that connects and returns the URL.
func serve(t *testing.T, handle func(context.Context, *websocket.Conn)) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		c.SetReadLimit(64 << 20)
		handle(r.Context(), c)
	}))
	t.Cleanup(srv.Close)
	return "ws" + strings.TrimPrefix(srv.URL, "http")
}

func echo(ctx context.Context, c *websocket.Conn) {
	for {
		typ, m, err := c.Read(ctx)
		if err != nil || c.Write(ctx, typ, m) != nil {
			return
		}
	}
}

func dial(t *testing.T, url string) *socket {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	tr, err := Dial(ctx, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	return tr.(*socket)
}

func TestWebsocketSizes(t *testing.T) {
	tr := dial(t, serve(t, echo))
	var want, got [][]byte
	for i, n := range []int{0, 1, 100, keepBelow - 1, keepBelow, 5 << 20, 3, 100_000} {
		msg := bytes.Repeat([]byte{byte('a' + i)}, n)
		want = append(want, msg)
		if err := tr.Write([][]byte{msg}); err != nil {
			t.Fatal(err)
		}
		m, err := tr.Read()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m)
	}
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("message %d of %d bytes came out wrong", i, len(want[i]))
		}
	}
}

type countingConn struct {
	net.Conn
	writes atomic.Int64
}

func (c *countingConn) Write(b []byte) (int, error) { c.writes.Add(1); return c.Conn.Write(b) }

// A batch leaves in one write, in order, though the library flushes each
// message.
func TestWebsocketWritesOnce(t *testing.T) {
	tr := dial(t, serve(t, echo))
	count := &countingConn{Conn: tr.cork.Conn}
	tr.cork.Conn = count
	for round := int64(1); round <= 3; round++ {
		var batch [][]byte
		for i := range 20 {
			batch = append(batch, bytes.Repeat([]byte{byte('a' + i)}, 1000))
		}
		if err := tr.Write(batch); err != nil {
			t.Fatal(err)
		}
		for i := range batch {
			if m, err := tr.Read(); err != nil || !bytes.Equal(m, batch[i]) {
				t.Fatal(i, err)
			}
		}
		if n := count.writes.Load(); n != round {
			t.Fatalf("%d writes after %d batches", n, round)
		}
	}
}

func TestWebsocketPeerCloses(t *testing.T) {
	for name, handle := range map[string]func(context.Context, *websocket.Conn){
		"politely": func(_ context.Context, c *websocket.Conn) { c.Close(websocket.StatusNormalClosure, "") },
		"abruptly": func(_ context.Context, c *websocket.Conn) { c.CloseNow() },
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := dial(t, serve(t, handle)).Read(); err != io.EOF {
				t.Fatal(err)
			}
		})
	}
}

func TestWebsocketCloseUnblocks(t *testing.T) {
	deaf := make(chan struct{})
	tr := dial(t, serve(t, func(context.Context, *websocket.Conn) { <-deaf }))
	defer close(deaf)
	errs := make(chan error, 2)
	go func() {
		_, err := tr.Read()
		errs <- err
	}()
	go func() {
		for {
			if err := tr.Write([][]byte{make([]byte, 1<<20)}); err != nil {
				errs <- err
				return
			}
		}
	}()
	for range 3 {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
	for range 2 {
		<-errs
	}
}

func TestDialFails(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for _, url := range []string{"ws" + strings.TrimPrefix(srv.URL, "http"), "ws://127.0.0.1:1/", "://", "", "ftp://127.0.0.1/"} {
		if tr, err := Dial(ctx, url, nil); err == nil {
			tr.Close()
			t.Errorf("%q: connected", url)
		} else if !strings.Contains(err.Error(), "wire: dial") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestDialSendsHeader(t *testing.T) {
	got := make(chan string, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("Authorization")
		http.Error(w, "no", http.StatusForbidden)
	}))
	defer srv.Close()
	if _, err := Dial(t.Context(), srv.URL, http.Header{"Authorization": {"Bearer x"}}); err == nil {
		t.Error("connected")
	}
	if h := <-got; h != "Bearer x" {
		t.Errorf("header %q", h)
	}
}

type otherTransport struct{}

func (otherTransport) RoundTrip(*http.Request) (*http.Response, error) { return nil, net.ErrClosed }

// A program that replaces http.DefaultTransport, as tracing libraries have one do,
// still connects.
func TestWebsocketHasItsOwnTransport(t *testing.T) {
	old := http.DefaultTransport
	http.DefaultTransport = otherTransport{}
	defer func() { http.DefaultTransport = old }()
	tr := dial(t, serve(t, echo))
	if err := tr.Write([][]byte{[]byte("hello")}); err != nil {
		t.Fatal(err)
	}
	if msg, err := tr.Read(); err != nil || string(msg) != "hello" {
		t.Errorf("%q, %v", msg, err)
	}
}
