package network_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// site serves what the tests ask for, on loopback. It goes by two names, which a
// browser takes for two sites.
type site struct {
	here, there string // http://127.0.0.1:port and http://localhost:port
	tls         string // the same with a certificate that nobody trusts
	refused     string // an origin where nobody listens
}

func newSite(t testing.TB) site {
	t.Helper()
	mux := http.NewServeMux()
	for path, h := range handlers {
		mux.HandleFunc(path, h)
	}
	server := httptest.NewServer(mux)
	secure := httptest.NewUnstartedServer(mux)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that fail
	secure.StartTLS()
	t.Cleanup(func() {
		for _, s := range []*httptest.Server{server, secure} {
			s.CloseClientConnections()
			s.Close()
		}
	})
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	return site{
		here: server.URL, there: "http://localhost:" + port,
		tls: secure.URL, refused: "http://127.0.0.1:" + freePort(t),
	}
}

// freePort is one that nobody listens at.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func send(kind, text string, more ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		for i := 0; i+1 < len(more); i += 2 {
			w.Header().Set(more[i], more[i+1])
		}
		io.WriteString(w, text)
	}
}

var handlers = map[string]http.HandlerFunc{
	"/":            send("text/html; charset=utf-8", `<!doctype html><title>Network</title><link rel=icon href=data:,><p>page`),
	"/favicon.ico": http.NotFound,
	"/json":        send("application/json", `{"ok":true}`),
	"/cors":        send("application/json", `{"ok":"cors"}`, "Access-Control-Allow-Origin", "*"),
	"/cached":      send("text/plain", "kept for an hour", "Cache-Control", "max-age=3600"),
	"/pic.svg":     send("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>`, "Cache-Control", "max-age=3600"),
	"/style.css":   send("text/css", `p{color:green}`, "Cache-Control", "max-age=3600"),
	"/script.js":   send("text/javascript", `fetch('/json?from=script').then(r=>r.text())`, "Cache-Control", "max-age=3600"),
	"/resources":   send("text/html", `<!doctype html><link rel=icon href=data:,><link rel=stylesheet href=/style.css><img src=/pic.svg><script src=/script.js></script>`),
	"/frame":       send("text/html", `<!doctype html><link rel=icon href=data:,><script>fetch('/json?from=frame').then(r=>r.text())</script>frame`),
	"/prefetch":    send("text/html", `<!doctype html><link rel=icon href=data:,><link rel=prefetch href=/prefetched>`),
	"/prefetched":  send("text/html", `<!doctype html><link rel=icon href=data:,><p>prefetched`, "Cache-Control", "max-age=3600"),
	"/worker.js":   send("text/javascript", `fetch('/json?from=worker').then(r=>r.text()).then(t=>postMessage(t))`),
	"/shared.js":   send("text/javascript", `onconnect=e=>fetch('/json?from=shared').then(r=>r.text()).then(t=>e.ports[0].postMessage(t))`),
	"/sw.js": send("text/javascript", `
oninstall=e=>e.waitUntil(caches.open('v1').then(c=>c.addAll(['/json?from=cache'])).then(()=>skipWaiting()))
onactivate=e=>e.waitUntil(clients.claim())
onfetch=e=>{
	const u=new URL(e.request.url)
	if (u.searchParams.get('from')=='cache') e.respondWith(caches.match(e.request))
	else if (u.searchParams.get('from')=='made') e.respondWith(new Response('made by the worker'))
	else if (u.searchParams.get('from')=='through') e.respondWith(fetch(e.request))
}`),
	"/preflight": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.URL.Query().Has("ok") {
			w.Header().Set("Access-Control-Allow-Headers", "x-key")
			w.Header().Set("Access-Control-Allow-Methods", "PUT")
		}
		fmt.Fprint(w, r.Method)
	},
	"/redirect": func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.FormValue("n"))
		to := "/json?end"
		if n > 1 {
			to = fmt.Sprintf("/redirect?n=%d", n-1)
		}
		http.SetCookie(w, &http.Cookie{Name: "hop", Value: strconv.Itoa(n)})
		http.Redirect(w, r, to, http.StatusFound)
	},
	"/status": func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.FormValue("n"))
		w.WriteHeader(n)
		fmt.Fprintln(w, http.StatusText(n))
	},
	"/echo": func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		w.Write(body)
	},
	"/zipped": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, strings.Repeat("the same again. ", 5000))
		z.Close()
	},
	"/large": func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.FormValue("n"))
		w.Header().Set("Content-Type", "text/plain")
		io.CopyN(w, zeros{}, int64(n))
	},
	"/slow": func(w http.ResponseWriter, r *http.Request) {
		ms, _ := strconv.Atoi(r.FormValue("ms"))
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
		case <-r.Context().Done():
		}
		fmt.Fprint(w, "at last")
	},
	"/drip": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		for i := range 5 {
			fmt.Fprintf(w, "part %d\n", i)
			w.(http.Flusher).Flush()
			select {
			case <-time.After(20 * time.Millisecond):
			case <-r.Context().Done():
				return
			}
		}
	},
	"/events": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "id: %d\nevent: tick\ndata: {\"n\":%d}\n\n", i, i)
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	},
	"/socket": func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
		if err != nil {
			return
		}
		defer c.CloseNow()
		for {
			kind, data, err := c.Read(r.Context())
			if err != nil {
				return
			}
			if c.Write(r.Context(), kind, data) != nil {
				return
			}
		}
	},
	"/reset": func(w http.ResponseWriter, r *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		c.(*net.TCPConn).SetLinger(0)
		c.Close()
	},
	"/cut": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, "begun")
		w.(http.Flusher).Flush()
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		c.Close()
	},
	"/empty": func(w http.ResponseWriter, r *http.Request) {
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			c.Close()
		}
	},
	"/file": send("application/octet-stream", "saved", "Content-Disposition", "attachment; filename=a.bin"),
	"/csp":  send("text/html", `<!doctype html><link rel=icon href=data:,><p>csp`, "Content-Security-Policy", "connect-src 'none'; img-src 'none'"),
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}
