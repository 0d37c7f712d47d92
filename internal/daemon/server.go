package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"rove"
	"rove/internal/session"
	"rove/internal/tool"
)

// DefaultIdle is how long a daemon stays without a call and without a session.
const DefaultIdle = session.DefaultIdle

// Config shapes a daemon.
type Config struct {
	Place   Place
	Version string
	Idle    time.Duration // 0 is DefaultIdle; sessions end after it as well
	// MaxMemory is how many bytes the browsers may have for one more session to be
	// opened in one of them; 0 is no limit.
	MaxMemory int64
	Log       *slog.Logger
	Ready     func() // called when clients can connect
}

const (
	requestTime = 10 * time.Second // for a client to say what it wants
	requestSize = 16 << 20
	endTime     = 20 * time.Second // for calls to give up when the daemon ends
)

// server is a running daemon.
type server struct {
	config  Config
	build   Build
	started time.Time
	pool    *pool
	ctx     context.Context // ends all calls
	cancel  context.CancelFunc
	idle    *time.Timer

	mu     sync.Mutex
	active int // calls at work
	ending bool
	over   chan struct{} // closed when ending begins
	conns  sync.WaitGroup
}

// Serve is the daemon: it answers clients until it is told to stop, has been
// idle for long enough, or ctx ends. It then ends all browsers and leaves no file
// but its log. Another daemon that holds the place is asked to leave: its socket
// was found to be dead, or this call would not have been made.
func Serve(ctx context.Context, config Config) error {
	if config.Idle <= 0 {
		config.Idle = DefaultIdle
	}
	unlock, err := config.Place.occupy(ctx, config.Version)
	if err != nil {
		return err
	}
	defer unlock()
	listener, err := listen(config.Place.Socket)
	if err != nil {
		return err
	}
	s := &server{config: config, build: ThisBuild(config.Version), started: time.Now(), over: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	defer s.cancel()
	s.pool = newPool(config)
	s.idle = time.AfterFunc(config.Idle, s.endIfIdle)
	defer s.idle.Stop()
	stop := context.AfterFunc(ctx, func() { s.end("it was told to by a signal") })
	defer stop()
	config.Log.Info("started", "pid", os.Getpid(), "version", config.Version, "idle", config.Idle)
	if config.Ready != nil {
		config.Ready()
	}

	go func() {
		<-s.over
		_ = listener.Close() // removes the socket
	}()
	for {
		conn, err := listener.Accept()
		if err != nil {
			s.end(fmt.Sprintf("its socket failed: %v", err))
			break
		}
		s.conns.Go(func() { s.serve(conn) })
	}
	s.cancel()
	err = s.pool.close()
	wait(&s.conns, endTime)
	config.Log.Info("ended", "error", err)
	return err
}

// end begins the end, once.
func (s *server) end(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLocked(why)
}

func (s *server) endLocked(why string) {
	if s.ending {
		return
	}
	s.ending = true
	s.config.Log.Info("ending", "why", why)
	close(s.over)
}

// endIfIdle is called when nobody has called for a while.
func (s *server) endIfIdle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active == 0 && s.pool.empty() {
		s.endLocked(fmt.Sprintf("nobody called for %v", s.config.Idle))
		return
	}
	// A session that is spared (it has a window), or that ends in this moment.
	s.idle.Reset(min(s.config.Idle, time.Minute))
}

// begin takes a request on, unless the daemon is ending or makes way for a newer
// one. Calls are counted, and keep it from being idle; questions do not.
func (s *server) begin(req *Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active == 0 && req.isWork() && req.Build.newer(s.build) && s.pool.empty() {
		s.endLocked(fmt.Sprintf("it makes way for rove %s", req.Build.Version))
	}
	if s.ending {
		return false
	}
	if req.isWork() {
		s.active++
		s.idle.Stop()
	}
	return true
}

func (s *server) done(req *Request) {
	if !req.isWork() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active--; s.active == 0 {
		s.idle.Reset(s.config.Idle)
	}
}

// serve answers one client.
func (s *server) serve(conn net.Conn) {
	defer conn.Close()
	if err := checkPeer(conn); err != nil {
		s.config.Log.Warn("refused", "error", err)
		return
	}
	out := &lines{w: conn}
	var req Request
	_ = conn.SetReadDeadline(time.Now().Add(requestTime))
	more := json.NewDecoder(bufio.NewReader(io.LimitReader(conn, requestSize)))
	if err := more.Decode(&req); err != nil {
		out.answer(&Answer{Error: &tool.Failure{Code: rove.CodeInvalid, Op: "daemon", Message: "the request is not one: " + err.Error()}})
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	if !s.begin(&req) {
		out.send(message{Again: true})
		return
	}
	defer s.done(&req)
	// The few questions are understood by all; a call may not be.
	if req.isWork() && req.Protocol != protocol {
		out.answer(&Answer{Error: &tool.Failure{
			Code: rove.CodeClosed, Op: "daemon", Message: fmt.Sprintf("a daemon of another rove (%s) is at work", s.build.Version),
			Hint: "end it and its sessions with: rove daemon stop",
		}})
		return
	}
	out.send(message{Begun: true})
	if req.Do == doShare {
		s.share(conn, &req, out)
		return
	}

	// A client says nothing more but whether somebody agrees; anything else means
	// that it is gone.
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	if req.Within > 0 {
		var expire context.CancelFunc
		ctx, expire = context.WithTimeout(ctx, time.Duration(req.Within)*time.Millisecond)
		defer expire()
	}
	consents := make(chan consent)
	go func() {
		defer cancel()
		for {
			var c consent
			if more.Decode(&c) != nil {
				return
			}
			select {
			case consents <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	ctx = rove.WithConfirm(ctx, func(ctx context.Context, q rove.Question) (bool, error) {
		out.send(message{Ask: q.String(), Unseen: q.Unseen()})
		select {
		case c := <-consents:
			if c.Refused != "" {
				return false, errors.New(c.Refused)
			}
			return c.Yes, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	})
	switch req.Do {
	case doCall:
		s.pool.watch(out)
		defer s.pool.unwatch(out)
		out.answer(s.pool.call(ctx, &req))
	case doSave, doLoad:
		s.pool.watch(out)
		defer s.pool.unwatch(out)
		out.answer(s.pool.state(ctx, &req))
	case doStatus:
		out.answer(&Answer{Status: s.status()})
	case doEnd:
		out.answer(s.pool.end(req.Session))
	case doStop:
		s.end("it was told to")
		s.cancel()
		out.answer(&Answer{Error: tool.NewFailure(s.pool.close())})
	default:
		out.answer(&Answer{Error: &tool.Failure{Code: rove.CodeInvalid, Op: "daemon", Message: fmt.Sprintf("it can't %q", req.Do)}})
	}
}

func (s *server) status() *Status {
	return &Status{
		Pid: os.Getpid(), Version: s.build.Version, Started: s.started.Round(time.Second), Socket: s.config.Place.Socket,
		Log: s.config.Place.Log(), Idle: s.config.Idle.String(), Sessions: s.pool.list(),
	}
}

// lines writes messages to a client, from any goroutine. What a client that is
// gone does not get is no loss.
type lines struct {
	mu sync.Mutex
	w  net.Conn
}

// writeTime bounds how long a client that does not read can hold anything up.
const writeTime = 10 * time.Second

func (l *lines) send(m message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.w.SetWriteDeadline(time.Now().Add(writeTime))
	enc := json.NewEncoder(l.w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(m)
}

func (l *lines) answer(a *Answer) { l.send(message{Answer: a}) }

// wait waits for a group, but not for ever.
func wait(group *sync.WaitGroup, bound time.Duration) {
	done := make(chan struct{})
	go func() {
		group.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(bound):
	}
}
