package bidi

import (
	"context"
	"net/url"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/wire"
)

// Attachment is a browser that speaks BiDi at an address.
type Attachment struct {
	Name       string // of the backend, in messages: firefox, chromedriver
	Socket     string // its websocket address
	NewSession bool   // it has no session yet, and takes one
	Version    string // its product and version, where there is a session
	Folder     string // a directory that goes with it, if there is one
	Memory     func() (int64, error)
	Through    func(wire.Transport) wire.Transport // what watches over the connection, if anything does
	// End ends it; quit asks the browser itself to end, and gives its answer. nil is for one
	// that goes on: its session alone is ended.
	End func(quit func() <-chan struct{}) error
}

// Guest is a browser that runs already and listens for BiDi, as a Firefox that was started
// with --remote-debugging-port. It has one session at a time.
func Guest(ctx context.Context, address string) (*Browser, error) {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "ws" && at.Scheme != "wss" || at.Host == "" {
		return nil, backend.Fail(backend.KindNavigation, address+" is no address of BiDi: it is ws://HOST:PORT/session")
	}
	if at.Path == "" || at.Path == "/" {
		at.Path = "/session"
	}
	return Connect(ctx, Attachment{Name: "firefox", Socket: at.String(), NewSession: true})
}

// Connect drives a browser at an address. The context bounds the start.
func Connect(ctx context.Context, at Attachment) (*Browser, error) {
	t, err := wire.Dial(ctx, at.Socket, nil)
	if err != nil {
		return nil, err
	}
	if at.Through != nil {
		t = at.Through(t)
	}
	b := newBrowser(cdp.New(transport{t}), at)
	if at.NewSession {
		err = b.open(ctx)
	}
	if err == nil {
		err = b.start(ctx)
	}
	if err != nil {
		_ = b.conn.Close()
		return nil, err
	}
	return b, nil
}
