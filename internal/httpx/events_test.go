package httpx

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestEvents(t *testing.T) {
	t.Parallel()
	const sent = ": a comment\n\nid: 1\ndata: first\n\nevent: tick\rdata:two\r\ndata: lines\r\n\r\nretry: 5\n\ndata\n\ndata: cut off"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Accept") != "text/event-stream" || r.Header.Get("X-Who") != "ann":
			http.Error(w, "no", http.StatusForbidden)
		case r.URL.Path == "/text":
			_, _ = io.WriteString(w, "hello")
		default:
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			_, _ = io.WriteString(w, sent)
			if r.URL.Path == "/stays" {
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			}
		}
	}))
	t.Cleanup(s.Close)
	c := client(t)
	var h Fields
	h.Set("X-Who", "ann")
	e, err := c.Listen(t.Context(), s.URL, h)
	if err != nil {
		t.Fatal(err)
	}
	var got []Event
	for one := range e.Queue() {
		got = append(got, one)
	}
	want := []Event{{"message", "first", "1"}, {"tick", "two\nlines", "1"}, {"message", "", "1"}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, expected %+v", got[i], want[i])
		}
	}
	e.Close()
	e.Close()
	if e, err = c.Listen(t.Context(), s.URL+"/stays", h); err != nil {
		t.Fatal(err)
	}
	e.Close() // while the server still sends
	for path, words := range map[string]string{"/text": "sends no events", "/": "status 403"} {
		who := h
		if path == "/" {
			who = nil
		}
		if _, err := c.Listen(t.Context(), s.URL+path, who); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", path, err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Listen(gone, s.URL, h); err == nil {
		t.Error("a stream was opened for nobody")
	}
}
