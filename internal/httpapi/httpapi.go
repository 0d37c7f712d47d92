// Package httpapi is the door for programs: sessions and tools as JSON over HTTP.
//
//	POST   /sessions                 begins a session: {"id": "…"}
//	GET    /sessions                 lists them
//	DELETE /sessions/{id}            ends one
//	POST   /sessions/{id}/{tool}     runs a tool: {"text": …, "data": …, "images": […]}
//	POST   /sessions/{id}/proposals  runs a proposal, or ?mode=verify, simulate; its progress as server-sent events
//	GET    /sessions/{id}/events     what is done in it, as server-sent events
//	GET    /openapi.json             all of that, described
//	       /mcp                      MCP over streamable HTTP, where there is one
//
// Whoever reaches it drives a browser, so it trusts nobody: see guard.go.
package httpapi

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"rove"
	"rove/aria"
	"rove/internal/session"
	"rove/internal/tool"
)

// Options shape a server.
type Options struct {
	Sessions *session.Manager // whose browsers are used; it stays the caller's
	Tools    []*tool.Tool     // what is offered; nil is every tool
	Defaults tool.Defaults
	Token    string       // asked of every request; needed off loopback
	Hosts    []string     // names the server goes by, beside loopback and its own address
	Origins  []string     // web origins whose pages may call; none by default
	MCP      http.Handler // at /mcp, behind the same guard; nil: there is none
	Most     int          // sessions at once; 0 is session.DefaultMax
	Idle     time.Duration
	Version  string
	Log      *slog.Logger
}

// Server serves programs. Close it to end its sessions.
type Server struct {
	opts  Options
	tools map[string]*tool.Tool
	log   *slog.Logger
	room  inFlight // requests at work
	stop  context.Context
	halt  context.CancelFunc

	headTime, bodyTime time.Duration // for a request to come

	mu    sync.Mutex
	talks map[string]*talk
}

// New makes a server.
func New(opts Options) *Server {
	if opts.Tools == nil {
		opts.Tools, _ = tool.Set("all")
	}
	if opts.Most <= 0 {
		opts.Most = session.DefaultMax
	}
	if opts.Idle == 0 {
		opts.Idle = session.DefaultIdle
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{opts: opts, tools: map[string]*tool.Tool{}, log: opts.Log, talks: map[string]*talk{}, headTime: headTime, bodyTime: bodyTime}
	s.stop, s.halt = context.WithCancel(context.Background())
	for _, t := range opts.Tools {
		s.tools[t.Name] = t
	}
	return s
}

const (
	mostBody  = 4 << 20 // the longest are scripts for eval
	headTime  = 10 * time.Second
	bodyTime  = 20 * time.Second
	writeTime = 30 * time.Second
	keepAlive = 2 * time.Minute
	goodbye   = 5 * time.Second
)

// Serve answers on a listener until the context is done. It refuses to begin
// where others could reach it without a token.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if err := CheckToken(l.Addr().String(), s.opts.Token); err != nil {
		_ = l.Close()
		return err
	}
	server := &http.Server{
		Handler: s.Handler(l.Addr().String()), ReadHeaderTimeout: s.headTime, IdleTimeout: keepAlive, MaxHeaderBytes: 32 << 10,
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return s.stop },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.halt()
	bound, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	if server.Shutdown(bound) != nil {
		_ = server.Close()
	}
	<-ended
	return nil
}

// Close ends the sessions. It may be called twice.
func (s *Server) Close() error {
	s.halt()
	s.mu.Lock()
	talks := s.talks
	s.talks = map[string]*talk{}
	s.mu.Unlock()
	var err error
	for _, t := range talks {
		err = errors.Join(err, t.end())
	}
	return err
}

// Handler answers requests that came to an address.
func (s *Server) Handler(addr string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sessions", s.begin)
	mux.HandleFunc("GET /sessions", s.list)
	mux.HandleFunc("DELETE /sessions/{id}", s.end)
	mux.HandleFunc("POST /sessions/{id}/{tool}", s.run)
	mux.HandleFunc("POST /sessions/{id}/proposals", s.propose)
	mux.HandleFunc("GET /sessions/{id}/events", s.events)
	mux.HandleFunc("GET /openapi.json", s.describe)
	if s.opts.MCP != nil {
		mux.Handle("/mcp", s.boundBody(s.opts.MCP))
	}
	return s.guard(addr, mux)
}

// boundBody bounds how long the body of a request may take, for a handler that does
// not: the body has to have come by then, the answer need not.
func (s *Server) boundBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			control := http.NewResponseController(w)
			_ = control.SetReadDeadline(time.Now().Add(s.bodyTime))
			r.Body = &timedBody{ReadCloser: r.Body, come: func() { _ = control.SetReadDeadline(time.Time{}) }}
		}
		next.ServeHTTP(w, r)
	})
}

// timedBody is a body that tells when it has come.
type timedBody struct {
	io.ReadCloser
	come func()
}

func (p *timedBody) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	if err == io.EOF {
		p.come()
	}
	return n, err
}

// failure is an error as a program reads it.
type failure struct {
	*tool.Failure
	Text   string       `json:"text,omitempty"` // what was done before, and what the page looks like
	Data   any          `json:"data,omitempty"`
	Images []tool.Image `json:"images,omitempty"`
}

type answer struct {
	Text   string       `json:"text"`
	Data   any          `json:"data,omitempty"`
	Images []tool.Image `json:"images,omitempty"`
}

// statuses are the nearest HTTP has to the codes of errors.
var statuses = map[rove.Code]int{
	rove.CodeInvalid:     http.StatusBadRequest,
	rove.CodeNotFound:    http.StatusNotFound,
	rove.CodeStale:       http.StatusConflict,
	rove.CodeHidden:      http.StatusConflict,
	rove.CodeCovered:     http.StatusConflict,
	rove.CodeDisabled:    http.StatusConflict,
	rove.CodeDialog:      http.StatusConflict,
	rove.CodePolicy:      http.StatusForbidden,
	rove.CodeClosed:      http.StatusGone,
	rove.CodeUnsupported: http.StatusNotImplemented,
	rove.CodeNavigation:  http.StatusBadGateway,
	rove.CodeProtocol:    http.StatusBadGateway,
	rove.CodeCrashed:     http.StatusBadGateway,
	rove.CodeTimeout:     http.StatusGatewayTimeout,
}

func reply(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"ok":false,"code":"protocol","error":"the answer cannot be written as JSON"}`)
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(aria.RevealJSON(text), '\n'))
}

func refuse(w http.ResponseWriter, status int, code rove.Code, format string, args ...any) {
	reply(w, status, &tool.Failure{Code: code, Message: fmt.Sprintf(format, args...)})
}

// fail answers with an error, and with what there is to show beside it.
func fail(w http.ResponseWriter, err error, out tool.Output) {
	f := failure{tool.NewFailure(err), out.Text, out.Data, out.Images}
	f.Code = cmp.Or(f.Code, rove.CodeProtocol) // programs switch on it
	status, ok := statuses[f.Code]
	if !ok {
		status = http.StatusInternalServerError
	}
	reply(w, status, f)
}

// begin begins a session. Its browser starts with the first tool.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) {
	input, ok := s.readInput(w, r)
	if !ok {
		return
	}
	if string(input) != "{}" {
		refuse(w, http.StatusBadRequest, rove.CodeInvalid, "a session is begun with {}")
		return
	}
	t := &talk{id: rand.Text(), talk: s.opts.Sessions.Conversation(""), begun: time.Now(), used: time.Now()}
	s.prune()
	s.mu.Lock()
	full := len(s.talks) >= s.opts.Most
	if !full {
		s.talks[t.id] = t
	}
	s.mu.Unlock()
	if full {
		_ = t.end()
		refuse(w, http.StatusTooManyRequests, rove.CodePolicy, "there are %d sessions already, the most allowed at once", s.opts.Most)
		return
	}
	reply(w, http.StatusCreated, map[string]string{"id": t.id})
}

// row is a session in the list.
type row struct {
	ID    string    `json:"id"`
	Begun time.Time `json:"begun"`
	Busy  bool      `json:"busy"`
	Idle  int64     `json:"idle"` // seconds
	URL   string    `json:"url,omitempty"`
}

func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	s.prune()
	s.mu.Lock()
	talks := slices.Collect(maps.Values(s.talks))
	s.mu.Unlock()
	rows := make([]row, len(talks))
	for i, t := range talks {
		rows[i] = t.row()
	}
	slices.SortFunc(rows, func(a, b row) int { return a.Begun.Compare(b.Begun) })
	reply(w, http.StatusOK, map[string]any{"sessions": rows})
}

// prune forgets sessions whose browser session has ended and that nobody has used
// for a while.
func (s *Server) prune() {
	if s.opts.Idle < 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, t := range s.talks {
		if t.idle() > s.opts.Idle {
			delete(s.talks, id)
			go t.end()
		}
	}
}

// find gives the session of a request, or answers that there is none.
func (s *Server) find(w http.ResponseWriter, r *http.Request) *talk {
	s.mu.Lock()
	t := s.talks[r.PathValue("id")]
	s.mu.Unlock()
	if t == nil {
		refuse(w, http.StatusNotFound, rove.CodeNotFound, "there is no such session; POST /sessions begins one")
	}
	return t
}

func (s *Server) end(w http.ResponseWriter, r *http.Request) {
	t := s.find(w, r)
	if t == nil {
		return
	}
	s.mu.Lock()
	delete(s.talks, t.id)
	s.mu.Unlock()
	if err := t.end(); err != nil {
		fail(w, err, tool.Output{})
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// run runs a tool. The work ends with the request.
func (s *Server) run(w http.ResponseWriter, r *http.Request) {
	t := s.find(w, r)
	if t == nil {
		return
	}
	tl := s.tools[r.PathValue("tool")]
	if tl == nil {
		names := make([]string, len(s.opts.Tools))
		for i, t := range s.opts.Tools {
			names[i] = t.Name
		}
		refuse(w, http.StatusNotFound, rove.CodeNotFound, "there is no such tool; there are %s", strings.Join(names, ", "))
		return
	}
	input, ok := s.readInput(w, r)
	if !ok {
		return
	}
	out, err := t.run(r.Context(), tl, input, s.opts.Defaults)
	if err != nil {
		fail(w, err, out)
		return
	}
	reply(w, http.StatusOK, answer{out.Text, out.Data, out.Images})
}
