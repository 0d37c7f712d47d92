// Package mock is a server that plays a part: it takes requests, asks a Handler
// for the answer, and keeps what was asked. Package feature makes handlers of
// features; this package knows neither features nor JavaScript.
package mock

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rove/internal/httpx"
)

// A Request is one that was asked of a mock.
type Request struct {
	Method string
	// Base is the address of the server, as the client spelled it.
	Base string
	// Path is decoded, and without the server's prefix.
	Path string
	// URI is the path and the query as they were sent, without the prefix.
	URI    string
	Query  httpx.Fields
	Header httpx.Fields
	Body   []byte
	// Parts are those of a multipart body; files have a name.
	Parts []httpx.Part
	Time  time.Time
}

// URL is the whole address of a request.
func (r *Request) URL() string { return r.Base + r.URI }

// A Response is what a mock answers.
type Response struct {
	Status int
	Header httpx.Fields
	Body   []byte
	// Delay is waited before the answer is sent.
	Delay time.Duration
}

// A Handler answers requests. It may be called by several goroutines at once.
type Handler func(ctx context.Context, r *Request) (*Response, error)

// Options of a server. The zero value listens on a free port of loopback.
type Options struct {
	// Address is "host:port"; "" is 127.0.0.1 and a free port.
	Address string
	// TLS serves HTTPS. Without a certificate one is made on the spot.
	TLS         bool
	Certificate *tls.Certificate
	// Prefix is taken away from paths, such as "/api".
	Prefix string
	// CORS answers browsers of other origins.
	CORS bool
	// Keep is how many of the last requests are kept; 0 is 1,000.
	Keep int
	// MaxBody bounds the body of a request; 0 is 64 MiB.
	MaxBody int64
	// Log is told of errors of handlers, Served of every answer.
	Log    func(string)
	Served func(method, path string, status int, took time.Duration)
}

// A Server runs until it is stopped.
type Server struct {
	options  Options
	listener net.Listener
	http     *http.Server
	handler  atomic.Pointer[Handler]
	cors     atomic.Bool
	done     chan struct{}

	mu    sync.Mutex
	asked []*Request
}

// Start listens, and answers with a handler.
func Start(o Options, h Handler) (*Server, error) {
	if o.Address == "" {
		o.Address = "127.0.0.1:0"
	}
	if o.Keep == 0 {
		o.Keep = 1000
	}
	if o.MaxBody == 0 {
		o.MaxBody = 64 << 20
	}
	if o.Prefix = strings.TrimSuffix(o.Prefix, "/"); o.Prefix != "" && o.Prefix[0] != '/' {
		o.Prefix = "/" + o.Prefix
	}
	l, err := net.Listen("tcp", o.Address)
	if err != nil {
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		return nil, fmt.Errorf("mock: cannot listen at %s: %w", o.Address, err)
	}
	if o.TLS {
		cert := o.Certificate
		if cert == nil {
			if cert, err = SelfSigned("localhost", "127.0.0.1", "::1"); err != nil {
				l.Close()
				return nil, fmt.Errorf("mock: no certificate: %w", err)
			}
		}
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*cert}, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12})
	}
	s := &Server{options: o, listener: l, done: make(chan struct{})}
	s.handler.Store(&h)
	s.cors.Store(o.CORS)
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 30 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go func() {
		defer close(s.done)
		s.http.Serve(l)
	}()
	return s, nil
}

// Port is the one that the server listens at.
func (s *Server) Port() int { return s.listener.Addr().(*net.TCPAddr).Port }

// URL is the server's address, with its prefix.
func (s *Server) URL() string {
	scheme := "http"
	if s.options.TLS {
		scheme = "https"
	}
	host, _, _ := net.SplitHostPort(s.options.Address)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return fmt.Sprintf("%s://%s%s", scheme, net.JoinHostPort(host, fmt.Sprint(s.Port())), s.options.Prefix)
}

// Swap changes the handler: requests that come later get their answer of it.
func (s *Server) Swap(h Handler) { s.handler.Store(&h) }

// SetCORS says whether browsers of other origins are let in from now on.
func (s *Server) SetCORS(on bool) { s.cors.Store(on) }

// Asked are the last requests, oldest first.
func (s *Server) Asked() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Stop ends the server. Requests under way have until the context's end.
func (s *Server) Stop(ctx context.Context) {
	if s.http.Shutdown(ctx) != nil {
		s.http.Close()
	}
	<-s.done
}

// Done is closed when the server has ended.
func (s *Server) Done() <-chan struct{} { return s.done }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.options.Served == nil {
		s.serve(w, r)
		return
	}
	seen := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	start := time.Now()
	s.serve(seen, r)
	s.options.Served(r.Method, r.URL.Path, seen.status, time.Since(start))
}

// statusWriter keeps the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if s.cors.Load() && cors(w, r) {
		return
	}
	q, err := s.read(w, r)
	if err != nil {
		var large *http.MaxBytesError
		status := http.StatusBadRequest
		if errors.As(err, &large) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, "mock: "+err.Error(), status)
		return
	}
	s.keep(q)
	answer, err := s.answer(r.Context(), q)
	if err != nil {
		if s.options.Log != nil {
			s.options.Log(fmt.Sprintf("mock: %s %s: %v", q.Method, q.Path, err))
		}
		w.Header()["Content-Type"] = nil
		w.Header()["content-type"] = []string{"text/plain"} // as Karate's
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, "mock: "+err.Error())
		return
	}
	if answer.Delay > 0 {
		select {
		case <-time.After(answer.Delay):
		case <-r.Context().Done():
			return
		}
	}
	w.Header()["Content-Type"] = nil // else net/http would guess one
	for _, f := range answer.Header {
		w.Header()[strings.ToLower(f.Name)] = f.Values // as Karate's mocks send them
	}
	status := answer.Status
	if status < 100 || status > 999 {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(answer.Body)
	}
}

// answer asks the handler. One that panics has failed.
func (s *Server) answer(ctx context.Context, q *Request) (a *Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			a, err = nil, fmt.Errorf("the handler broke: %v", p)
		}
	}()
	a, err = (*s.handler.Load())(ctx, q)
	if err == nil && a == nil {
		a = &Response{Status: http.StatusNotFound}
	}
	return a, err
}

func (s *Server) keep(q *Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) >= s.options.Keep {
		s.asked = append(s.asked[:0], s.asked[1:]...)
	}
	s.asked = append(s.asked, q)
}

func (s *Server) read(w http.ResponseWriter, r *http.Request) (*Request, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.options.MaxBody))
	if err != nil {
		return nil, err
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	q := &Request{Method: r.Method, Base: scheme + "://" + r.Host + s.options.Prefix, Body: body, Time: time.Now()}
	q.Path, q.URI = s.within(r.URL.Path), s.within(r.URL.RequestURI())
	if q.Query, err = ReadQuery(r.URL.RawQuery); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		q.Header = append(q.Header, httpx.Field{Name: name, Values: r.Header[name]})
	}
	q.Header.Set("Host", r.Host)
	q.Parts, err = parts(r.Header.Get("Content-Type"), body)
	return q, err
}

// within takes the server's prefix off a path.
func (s *Server) within(path string) string {
	p, ok := strings.CutPrefix(path, s.options.Prefix)
	if ok && s.options.Prefix != "" && !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return p
}

// ReadQuery reads the parameters of an address, in their order.
func ReadQuery(query string) (params httpx.Fields, err error) {
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(name)
		value, err2 := url.QueryUnescape(value)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("the query %q cannot be read", pair)
		}
		addExact(&params, name, value)
	}
	return params, nil
}

// addExact adds a value to a parameter, whose name's case counts.
func addExact(f *httpx.Fields, name, value string) {
	for i := range *f {
		if (*f)[i].Name == name {
			(*f)[i].Values = append((*f)[i].Values, value)
			return
		}
	}
	*f = append(*f, httpx.Field{Name: name, Values: []string{value}})
}

// parts are those of a multipart body, and the fields of a form.
func parts(contentType string, body []byte) ([]httpx.Part, error) {
	t, params, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil:
		return nil, nil
	case t == "application/x-www-form-urlencoded":
		var out []httpx.Part
		for pair := range strings.SplitSeq(string(body), "&") {
			name, value, _ := strings.Cut(pair, "=")
			name, err1 := url.QueryUnescape(name)
			value, err2 := url.QueryUnescape(value)
			if err1 == nil && err2 == nil && name != "" {
				out = append(out, httpx.Part{Name: name, Data: []byte(value)})
			}
		}
		return out, nil
	case !strings.HasPrefix(t, "multipart/"):
		return nil, nil
	}
	r := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	var out []httpx.Part
	for {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the multipart body cannot be read: %w", err)
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return nil, fmt.Errorf("the multipart body cannot be read: %w", err)
		}
		out = append(out, httpx.Part{
			Name: p.FormName(), FileName: p.FileName(), ContentType: p.Header.Get("Content-Type"),
			Encoding: p.Header.Get("Content-Transfer-Encoding"), Data: data,
		})
	}
}

// cors lets browsers of other origins in. It says whether it answered: a
// preflight never reaches the handler.
func cors(w http.ResponseWriter, r *http.Request) bool {
	h := w.Header()
	set := func(name, value string) { h[strings.ToLower(name)] = []string{value} }
	set("Access-Control-Allow-Origin", "*")
	if r.Method != http.MethodOptions {
		return false
	}
	set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE, PATCH")
	allowed := cmp.Or(r.Header.Get("Access-Control-Request-Headers"), "*")
	set("Access-Control-Allow-Headers", allowed)
	set("Allow", "GET, HEAD, POST, PUT, DELETE, PATCH")
	w.WriteHeader(http.StatusOK)
	return true
}
