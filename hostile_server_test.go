package rove_test

import (
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hostileServer serves the hostile pages under two names, which are two sites to
// a browser, and misbehaves in all the ways a server can.
type hostileServer struct {
	here, there, tls string
	over             chan struct{} // closed when the tests are
}

func (s *hostileServer) fill(text string) string {
	return strings.NewReplacer("HERE", s.here, "THERE", s.there, "TLS", s.tls).Replace(text)
}

func hostileSite(t *testing.T) *hostileServer {
	s := &hostileServer{over: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("/calm", func(w http.ResponseWriter, r *http.Request) {
		s.html(w, `<title>Calm</title><h1>Calm</h1><button onclick="document.body.append('as calm as can be')">Calm down</button>`)
	})
	mux.HandleFunc("/p/", func(w http.ResponseWriter, r *http.Request) {
		text, err := os.ReadFile(filepath.Join(hostilePages, filepath.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		_, html, err := splitPage(string(text))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		s.html(w, html)
	})
	for path, handler := range s.misdeeds() {
		mux.HandleFunc("/s/"+path, handler)
	}
	quiet := log.New(io.Discard, "", 0)
	plain := httptest.NewUnstartedServer(mux)
	plain.Config.ErrorLog = quiet
	plain.Start()
	secure := httptest.NewUnstartedServer(mux)
	secure.Config.ErrorLog = quiet
	secure.StartTLS()
	t.Cleanup(func() {
		close(s.over)
		for _, server := range []*httptest.Server{plain, secure} {
			server.CloseClientConnections()
			server.Close()
		}
	})
	s.here = plain.URL
	s.there = strings.Replace(plain.URL, "127.0.0.1", "localhost", 1)
	s.tls = secure.URL
	return s
}

func (s *hostileServer) html(w http.ResponseWriter, html string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!DOCTYPE html>\n"+s.fill(html))
}

// hang waits until nobody wants the answer any more.
func (s *hostileServer) hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.over:
	}
}

// pause waits a little; false when nobody wants the answer any more.
func (s *hostileServer) pause(r *http.Request, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
	case <-s.over:
	}
	return false
}

// raw answers with bytes of its own and closes the connection.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, text)
	}
}

func (s *hostileServer) misdeeds() map[string]http.HandlerFunc {
	page := func(html string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { s.html(w, html) }
	}
	return map[string]http.HandlerFunc{
		"hung":     page(`<button>Hung</button><script>for (;;);</script>`),
		"hang":     func(w http.ResponseWriter, r *http.Request) { s.hang(r) },
		"empty":    raw(""),
		"garbage":  raw("\x00\x01\x02 what is this? \xff\xfe\r\n\r\n"),
		"short":    raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<h1>short</h1>"),
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) },
		"odd": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "foo:bar", http.StatusFound)
		},
		"ping": page(`<p>ping</p><script>location = '/s/pong'</script>`),
		"pong": page(`<p>pong</p><script>location = '/s/ping'</script>`),
		"204":  func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"401": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("WWW-Authenticate", `Basic realm="keep out"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
		},
		"500": func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "it broke", http.StatusInternalServerError)
		},
		"reset": func(w http.ResponseWriter, r *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			if tcp, ok := c.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			_ = c.Close()
		},
		"half": func(w http.ResponseWriter, r *http.Request) {
			s.html(w, `<h1>half</h1><button>B</button>`+strings.Repeat(" ", 4096))
			w.(http.Flusher).Flush()
			s.hang(r)
		},
		"drip": func(w http.ResponseWriter, r *http.Request) {
			s.html(w, `<h1>drip</h1>`+strings.Repeat(" ", 4096))
			for s.pause(r, 30*time.Millisecond) {
				_, _ = io.WriteString(w, "<i>.</i>")
				w.(http.Flusher).Flush()
			}
		},
		"events": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for n := 1; ; n++ {
				_, _ = fmt.Fprintf(w, "data: %d\n\n", n)
				w.(http.Flusher).Flush()
				if !s.pause(r, 400*time.Millisecond) {
					return
				}
			}
		},
		"socket": s.socket,
		"download": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
			_, _ = io.WriteString(w, "a,b\n1,2\n")
		},
		"csp": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox allow-scripts; trusted-types 'none'; require-trusted-types-for 'script'")
			s.html(w, `<title>CSP</title><button id=b>B</button>`)
		},
		"worker.js": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Service-Worker-Allowed", "/")
			_, _ = io.WriteString(w, `onfetch = (e) => e.respondWith(Response.error())`)
		},
		"reloader": page(`<p>reloads</p><script>setTimeout(() => { try { parent[location.search.slice(1)].location.reload() } catch {} }, 20)</script>`),
		"nest": func(w http.ResponseWriter, r *http.Request) {
			var n int
			_, _ = fmt.Sscanf(r.URL.RawQuery, "%d", &n)
			if n > 12 {
				s.html(w, "<p>innermost</p>")
				return
			}
			s.html(w, fmt.Sprintf(`<p>level %d</p><iframe src="?%d"></iframe>`, n, n+1))
		},
		"big": func(w http.ResponseWriter, r *http.Request) {
			s.html(w, "<title>Big</title>")
			line := strings.Repeat("words of no use ", 60)
			for n := range 20_000 {
				_, _ = fmt.Fprintf(w, "<p>paragraph %d %s</p>\n", n, line)
			}
		},
		"bigtext": func(w http.ResponseWriter, r *http.Request) {
			s.html(w, "<title>Big</title><p>"+strings.Repeat("w", 10_000_000)+"</p>")
		},
		"deep": func(w http.ResponseWriter, r *http.Request) {
			s.html(w, strings.Repeat("<div>", 10_000)+`<button id=b>bottom</button>`)
		},
	}
}

// socket is a web socket that sends one message and stays open.
func (s *hostileServer) socket(w http.ResponseWriter, r *http.Request) {
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer c.Close()
	_, _ = fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		base64.StdEncoding.EncodeToString(sum[:]))
	_, _ = c.Write([]byte{0x81, 1, '1'})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = io.Copy(io.Discard, c)
	}()
	select {
	case <-gone:
	case <-s.over:
	}
}
