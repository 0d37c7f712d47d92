// Package mcp is the door for agents in MCP clients: the tools of the table over
// standard input and output, or over streamable HTTP.
//
//	s := mcp.New(mcp.Options{})
//	defer s.Close()
//	err := s.Serve(ctx, os.Stdin, os.Stdout) // until the input ends
//
// Every connection is a conversation of its own. A call that fails is a tool
// error that a model can read and act on, never a protocol error. Cancelling a
// call stops its work; the end of the connection stops all of it and ends the
// conversation's sessions.
package mcp

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove/internal/session"
	"rove/internal/tool"
)

// Instructions are what a client may put into a model's system prompt.
const Instructions = `You control a browser: go opens a page, look shows it, act operates its elements by ref, wait waits, eval runs JavaScript. Every answer shows the page or what changed, and what can be done next. Fill a whole form with one act, in steps. Another session name is a separate browser.`

// BrowserInstructions are those for the set browser without the agent's tools.
const BrowserInstructions = `You control a browser: browser_navigate opens a page, browser_snapshot shows it as text with a ref for each element, browser_take_screenshot as a picture. Selectors are CSS, or refs. browser_click, browser_type and their like answer what came of it. Large results are in files whose path is told. Another session name is a separate browser.`

// BrowseInstructions are those for the set browse by itself.
const BrowseInstructions = `You control a browser as a person does: browse_navigate opens a page, browse_observe shows it, with an id such as el_5 for each element. browse_click and browse_type take ids of the last observation: observe again after each change. browse_wait waits. Another session name is a separate browser.`

// instructions are those for the tools that are offered. What is switched off is not
// spoken of.
func instructions(tools []*tool.Tool) string {
	has := func(name string) bool {
		return slices.ContainsFunc(tools, func(t *tool.Tool) bool { return t.Name == name })
	}
	text := ""
	switch {
	case has("look"):
		text = Instructions
	case has("browser_navigate"):
		text = BrowserInstructions
	case has("browse_navigate"):
		text = BrowseInstructions
	}
	for name, part := range map[string]string{"eval": ", eval runs JavaScript", "browser_take_screenshot": ", browser_take_screenshot as a picture"} {
		if !has(name) {
			text = strings.Replace(text, part, "", 1)
		}
	}
	return text
}

// Options shape a server. The zero value offers the agent's tools.
type Options struct {
	Tools    []*tool.Tool    // what is offered; nil is the set agent
	Session  string          // name of a connection's default session
	Sessions session.Options // browsers and limits
	// Manager has the sessions where another door shares them, and closes it. Nil
	// makes one as Sessions says.
	Manager    *session.Manager
	Defaults   tool.Defaults // for parameters that a call leaves out
	Structured bool          // answer with the data form as well
	Warm       bool          // start the browser when a client connects, not at the first call
	Version    string        // rove's own
}

// Server serves MCP clients, all with one shared browser.
type Server struct {
	opts    Options
	sdk     *sdk.Server
	manager *session.Manager
	warm    sync.Once
	stop    context.Context // ends the work of all calls
	halt    context.CancelFunc
	work    sync.WaitGroup // the conversations

	mu    sync.Mutex
	talks map[*sdk.ServerSession]*talk
}

// talk is a conversation, which lasts as long as its connection.
type talk struct {
	*session.Conversation
	over chan struct{} // closed when its sessions have ended
	held holds
}

// New makes a server. Close it to end its browser.
func New(opts Options) *Server {
	if opts.Tools == nil {
		opts.Tools, _ = tool.Set("")
	}
	s := &Server{opts: opts, manager: opts.Manager, talks: make(map[*sdk.ServerSession]*talk)}
	if s.manager == nil {
		s.manager = session.NewManager(opts.Sessions)
	}
	s.stop, s.halt = context.WithCancel(context.Background())
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "rove", Version: opts.Version}, &sdk.ServerOptions{
		Instructions: instructions(opts.Tools),
		// The tools never change, and rove logs nothing to clients.
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	if opts.Warm {
		s.sdk.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
			return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
				s.warm.Do(s.manager.Warm) // the browser starts while the client shakes hands
				return next(ctx, method, req)
			}
		})
	}
	for _, t := range opts.Tools {
		offer := &sdk.Tool{
			Name: t.Name, Description: t.Help, InputSchema: t.Input(),
			Annotations: annotations(t),
		}
		if output := t.Output(); opts.Structured && output != nil {
			offer.OutputSchema = output
		}
		s.sdk.AddTool(offer, s.handler(t))
	}
	return s
}

// annotations are what a client may know of a tool before it lets a model use it.
func annotations(t *tool.Tool) *sdk.ToolAnnotations {
	a := &sdk.ToolAnnotations{ReadOnlyHint: t.ReadOnly}
	if t.Gentle || t.ReadOnly {
		a.DestructiveHint = new(false)
	}
	if t.Local {
		a.OpenWorldHint = new(false)
	}
	return a
}

// closeTimeout bounds how long a connection may take to end.
const closeTimeout = 5 * time.Second

// Serve serves one client on a stream, until it ends its side or the context is
// done. When it returns the client's sessions have ended.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	return s.serve(ctx, &sdk.IOTransport{Reader: in, Writer: out})
}

func (s *Server) serve(ctx context.Context, t sdk.Transport) error {
	conn, err := s.sdk.Connect(ctx, ordered{t}, nil)
	if err != nil {
		return err
	}
	talk := s.talk(conn)
	ended := make(chan error, 1)
	s.work.Go(func() { ended <- conn.Wait() })
	select {
	case err = <-ended:
	case <-ctx.Done():
		_ = talk.Close() // calls at work fail, so that the connection can end
		within(closeTimeout, func() { _ = conn.Close() })
		return nil
	}
	<-talk.over
	if gone(err) {
		return nil
	}
	return err
}

// gone says whether an error is only that the client went while something was
// being written to it.
func gone(err error) bool {
	return slices.ContainsFunc([]error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, os.ErrClosed, net.ErrClosed, syscall.EPIPE}, func(way error) bool { return errors.Is(err, way) })
}

// talk is the conversation of a connection, begun at its first sight.
func (s *Server) talk(conn *sdk.ServerSession) *talk {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.talks[conn]; t != nil {
		return t
	}
	t := &talk{Conversation: s.manager.Conversation(s.opts.Session), over: make(chan struct{})}
	s.talks[conn] = t
	s.work.Go(func() {
		_ = conn.Wait()
		s.mu.Lock()
		delete(s.talks, conn)
		s.mu.Unlock()
		_ = t.Close()
		close(t.over)
	})
	return t
}

// Close stops all calls and ends all conversations and the browser. It may be
// called twice.
func (s *Server) Close() error {
	s.halt()
	var err error
	if s.opts.Manager == nil {
		err = s.manager.Close()
	}
	within(closeTimeout, func() {
		for _, conn := range slices.Collect(s.sdk.Sessions()) {
			_ = conn.Close()
		}
		s.work.Wait()
	})
	return err
}

// within runs f and returns when it is done, or the time is up.
func within(bound time.Duration, f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(bound):
	}
}
