package httpapi

import (
	"net/http"
	"strings"
	"sync"
)

// Requests at work are counted: all of them, and those of each session. A client
// that opens one stream after the other, or calls that take long, is in its own
// way and in nobody else's: each session has a share, and two shares are nobody's.
const (
	mostRequests = 512
	mostShare    = 32
	leastShare   = 4
)

// inFlight counts. The zero value is ready.
type inFlight struct {
	mu  sync.Mutex
	all int
	of  map[string]int // by session
}

// enter counts a request in, until leave, or says what there is too much of.
func (s *Server) enter(r *http.Request) (leave func(), status int, much string) {
	session, share := s.limitFor(r)
	c := &s.room
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case session != "" && c.of[session] >= share:
		return nil, http.StatusTooManyRequests, "this session has too many requests at work: end some, such as streams of events"
	case c.all >= mostRequests:
		return nil, http.StatusServiceUnavailable, "too many requests at once"
	}
	if c.of == nil {
		c.of = make(map[string]int)
	}
	c.all++
	c.of[session]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all--
		if c.of[session]--; c.of[session] == 0 {
			delete(c.of, session)
		}
	}, 0, ""
}

// limitFor names the session that a request is for, "" where there is none, and how
// many requests it may have at work.
func (s *Server) limitFor(r *http.Request) (session string, share int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rest, ok := strings.CutPrefix(r.URL.Path, "/sessions/"); ok {
		if id, _, _ := strings.Cut(rest, "/"); s.talks[id] != nil {
			session = "session " + id
		}
	} else if id := r.Header.Get("Mcp-Session-Id"); r.URL.Path == "/mcp" && len(id) <= 100 && id != "" {
		session = "mcp " + id
	}
	return session, max(leastShare, min(mostShare, mostRequests/(len(s.talks)+2)))
}
