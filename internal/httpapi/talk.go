package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"rove"
	"rove/aria"
	"rove/internal/session"
	"rove/internal/tool"
	"rove/proposal"
)

// talk is a session of the API: a conversation whose only session is its own.
type talk struct {
	id    string
	talk  *session.Conversation
	begun time.Time

	mu       sync.Mutex
	used     time.Time
	calls    int
	ended    bool
	heard    *rove.Session // whose doings are passed on
	stop     func()
	watchers map[chan rove.Entry]struct{}
	runtime  *proposal.Runtime // nil before the first proposal
}

// run runs a tool in the session.
func (t *talk) run(ctx context.Context, tl *tool.Tool, input []byte, d tool.Defaults) (tool.Output, error) {
	t.mu.Lock()
	t.calls++
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		t.calls--
		t.used = time.Now()
		t.mu.Unlock()
	}()
	call, err := tl.Prepare(t.talk, input, d)
	if err != nil {
		return tool.Output{}, err
	}
	// The session is there once the call has it; who watches is to hear of this
	// very call.
	call.Opened = t.listen
	return call.Run(ctx)
}

// listen passes on what is done in the browser session that is there now: another
// one than before, if that ended.
func (t *talk) listen(s *rove.Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.heard == s || t.ended {
		return
	}
	if t.stop != nil {
		t.stop()
	}
	t.heard, t.stop = s, s.Events(t.publish)
}

func (t *talk) publish(e rove.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.watchers {
		select {
		case c <- e:
		default: // too slow to follow; it finds its stream ended
			close(c)
			delete(t.watchers, c)
		}
	}
}

// mostEvents is how far a watcher may fall behind.
const mostEvents = 256

// watch gives what is done from now on, until stop. The channel is closed when
// the session ends.
func (t *talk) watch() (events <-chan rove.Entry, stop func()) {
	c := make(chan rove.Entry, mostEvents)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		close(c)
		return c, func() {}
	}
	if t.watchers == nil {
		t.watchers = map[chan rove.Entry]struct{}{}
	}
	t.watchers[c] = struct{}{}
	return c, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.watchers, c)
	}
}

// end ends the session and the streams of those who watch it.
func (t *talk) end() error {
	t.mu.Lock()
	t.ended = true
	if t.stop != nil {
		t.stop()
		t.stop = nil
	}
	for c := range t.watchers {
		close(c)
		delete(t.watchers, c)
	}
	t.mu.Unlock()
	return t.talk.Close()
}

// idle is for how long nobody has used it: it is 0 while somebody does.
func (t *talk) idle() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.calls > 0 || len(t.watchers) > 0 {
		return 0
	}
	return time.Since(t.used)
}

func (t *talk) row() row {
	r := row{ID: t.id, Begun: t.begun.Round(time.Second), Idle: int64(t.idle().Seconds())}
	for _, info := range t.talk.Sessions() {
		r.Busy = r.Busy || info.Busy
		if info.Session != nil {
			r.URL = info.Session.URL()
		}
	}
	return r
}

// pingInterval keeps a stream open through what stands between.
const pingInterval = 15 * time.Second

// events streams what is done in a session, a server-sent event for each verb.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	t := s.find(w, r)
	if t == nil {
		return
	}
	entries, stop := t.watch()
	defer stop()
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	send := func(text string) bool {
		_ = out.SetWriteDeadline(time.Now().Add(writeTime))
		_, err := w.Write([]byte(text))
		return err == nil && out.Flush() == nil
	}
	if !send(": here\n\n") {
		return
	}
	tick := time.NewTicker(pingInterval)
	defer tick.Stop()
	for {
		select {
		case e, ok := <-entries:
			if !ok {
				send("event: end\ndata: {}\n\n")
				return
			}
			data, err := json.Marshal(e)
			data = aria.RevealJSON(data)
			if err != nil || !send(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", e.Number, e.Verb, data)) {
				return
			}
		case <-tick.C:
			if !send(": still here\n\n") {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.stop.Done():
			return
		}
	}
}
