package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"time"

	"rove"
	"rove/internal/chrome"
	"rove/internal/tool"
)

// share gives a client its part of the one connection to a browser that runs
// already. After the answer the connection carries that browser's protocol.
func (s *server) share(conn net.Conn, req *Request, out *lines) {
	ctx, cancel := context.WithTimeout(s.ctx, shareTime)
	defer cancel()
	near, far := net.Pipe()
	if err := s.pool.hub.Serve(ctx, req.Launch.Connect, far); err != nil {
		_ = near.Close()
		if none, ok := errors.AsType[*chrome.Unreachable](err); ok {
			err = &rove.Error{Code: rove.CodeClosed, Op: "connect", Message: none.Error(), Hint: none.Hint}
		}
		out.answer(&Answer{Error: tool.NewFailure(err)})
		return
	}
	s.config.Log.Info("share", "browser", req.Launch.Connect)
	out.answer(&Answer{Text: "shared"})
	_ = conn.SetWriteDeadline(time.Time{})
	stop := context.AfterFunc(s.ctx, func() { _ = conn.Close() })
	defer stop()
	go func() {
		_, _ = io.Copy(near, conn)
		_ = near.Close()
	}()
	_, _ = io.Copy(conn, near)
	_ = near.Close()
}

// shareTime bounds the wait for a browser, which may ask its person.
const shareTime = time.Minute

// Share gives a part of the one connection that the daemon keeps to a browser that
// runs already. A daemon is started if there is none.
func (c *Client) Share(ctx context.Context, connect string) (io.ReadWriteCloser, error) {
	for range 5 {
		conn, again, err := c.share(ctx, connect)
		if !again {
			return conn, err
		}
		if err := c.start(ctx); err != nil {
			return nil, &rove.Error{Code: rove.CodeClosed, Op: "daemon", Message: err.Error(), Hint: "see: rove daemon log", Err: err}
		}
	}
	return nil, &rove.Error{Code: rove.CodeClosed, Op: "daemon", Message: "it ends as soon as it is called", Hint: "see: rove daemon log"}
}

func (c *Client) share(ctx context.Context, connect string) (_ io.ReadWriteCloser, again bool, _ error) {
	conn, err := c.dial(ctx)
	if err != nil {
		return nil, ctx.Err() == nil, timedOut(ctx)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	body, err := json.Marshal(Request{Protocol: protocol, Build: ThisBuild(c.Version), Do: doShare, Launch: Launch{Connect: connect}})
	if err == nil {
		_, err = conn.Write(append(body, '\n'))
	}
	in := bufio.NewReader(conn)
	for err == nil {
		var line []byte
		var m message
		if line, err = in.ReadBytes('\n'); err == nil {
			err = json.Unmarshal(line, &m)
		}
		switch {
		case err != nil:
		case m.Again:
			stop()
			_ = conn.Close()
			return nil, true, nil
		case m.Answer != nil && m.Answer.Error != nil:
			err = m.Answer.Error.Err()
		case m.Answer != nil && stop():
			return &shared{in, conn}, false, nil
		}
	}
	stop()
	_ = conn.Close()
	if ctx.Err() != nil {
		return nil, false, timedOut(ctx)
	}
	return nil, false, err
}

// shared is a connection of which some was read already.
type shared struct {
	in *bufio.Reader
	net.Conn
}

func (s *shared) Read(b []byte) (int, error) { return s.in.Read(b) }
