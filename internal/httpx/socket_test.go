package httpx

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestSocket(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/no" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		c, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"chat"}})
		if err != nil {
			return
		}
		defer c.CloseNow()
		if c.Subprotocol() != "" {
			c.Write(r.Context(), websocket.MessageText, []byte("speaks "+c.Subprotocol()+" "+r.Header.Get("X-Who")))
		}
		for {
			kind, data, err := c.Read(r.Context())
			if err != nil {
				return
			}
			if string(data) == "bye" {
				c.Close(websocket.StatusNormalClosure, "as asked")
				return
			}
			c.Write(r.Context(), kind, append([]byte("echo "), data...))
		}
	}))
	t.Cleanup(s.Close)
	c := client(t)
	address := strings.Replace(s.URL, "http://", "ws://", 1)
	var h Fields
	h.Set("X-Who", "ann")
	k, err := c.Dial(t.Context(), address, h, "chat")
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	next := func() string {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		m, ok := k.Next(ctx)
		if !ok {
			return "none"
		}
		return string(m.Data)
	}
	if got := next(); got != "speaks chat ann" {
		t.Error(got)
	}
	for _, m := range []Message{{false, []byte("text")}, {true, []byte{1, 2}}} {
		if err := k.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		if got := next(); got != "echo "+string(m.Data) {
			t.Errorf("%q", got)
		}
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, ok := k.Next(short); ok {
		t.Error("a message from nowhere")
	}
	if err := k.Send(t.Context(), Message{Data: []byte("bye")}); err != nil {
		t.Fatal(err)
	}
	if got := next(); got != "none" {
		t.Error(got)
	}
	k.Close()
	k.Close()
	if err := k.Send(t.Context(), Message{}); reason(err) != "socket" {
		t.Error(err)
	}
	if _, err := c.Dial(t.Context(), s.URL+"/no", nil); reason(err) != "socket" || !strings.Contains(err.Error(), "403") {
		t.Error(err)
	}
	s.Close()
	if _, err := c.Dial(t.Context(), address, nil); reason(err) != "refused" {
		t.Error(err)
	}
}
