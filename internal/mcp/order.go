package mcp

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client may send several calls without waiting for answers: fill in, fill in,
// click. The SDK handles each in a goroutine of its own, so they could begin in
// any order. Therefore every call gets a turn where it is read from the stream,
// and takes its place among its session's calls in that order.
//
//	read 1, 2, 3 → turns 1, 2, 3 → handlers 2, 3, 1 → places 1, 2, 3
//
// Only taking the place is in order; calls of different sessions then run side
// by side.
type turn struct {
	before <-chan struct{} // closed when the call before has its place
	here   chan struct{}   // closed when this one has
	gone   <-chan struct{} // closed when the connection is
	once   sync.Once
}

// wait waits until all calls that were sent earlier have their places. A nil
// turn has none before it.
func (t *turn) wait(ctx context.Context) {
	if t == nil {
		return
	}
	select {
	case <-t.before:
	case <-ctx.Done():
	}
}

// arrive says that the call has its place, or needs none any more.
func (t *turn) arrive() {
	if t == nil {
		return
	}
	t.once.Do(func() {
		select {
		case <-t.before:
			close(t.here)
		default: // it gave up; those behind still wait for those before
			go func() {
				select {
				case <-t.before:
				case <-t.gone:
				}
				close(t.here)
			}()
		}
	})
}

const turnKey = "rove/turn"

// turnOf is the turn that the connection gave a call; over HTTP there is none.
func turnOf(req *sdk.CallToolRequest) *turn {
	if req.Extra == nil || req.Extra.TokenInfo == nil {
		return nil
	}
	t, _ := req.Extra.TokenInfo.Extra[turnKey].(*turn)
	return t
}

// ordered is a transport that gives tool calls their turns.
type ordered struct{ sdk.Transport }

// Connect implements sdk.Transport.
func (t ordered) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	first := make(chan struct{})
	close(first)
	return &orderedConn{Connection: c, last: first, gone: make(chan struct{}), turns: make(map[jsonrpc.ID]*turn)}, nil
}

type orderedConn struct {
	sdk.Connection

	mu     sync.Mutex
	last   <-chan struct{} // closed when the call read last has its place
	turns  map[jsonrpc.ID]*turn
	gone   chan struct{}
	closed bool
}

// Read gives the next message, with its turn if it is a tool call.
func (c *orderedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	req, ok := msg.(*jsonrpc.Request)
	if err != nil || !ok || req.Method != "tools/call" || !req.IsCall() {
		return msg, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turns[req.ID] != nil {
		return msg, nil // the same id again: it will be refused
	}
	t := &turn{before: c.last, here: make(chan struct{}), gone: c.gone}
	c.turns[req.ID], c.last = t, t.here
	// What the SDK hands on from a transport to a handler untouched.
	req.Extra = &sdk.RequestExtra{TokenInfo: &auth.TokenInfo{Extra: map[string]any{turnKey: t}}}
	return req, nil
}

// Write sends a message. A call that is answered needs no place any more: it may
// have been refused before it got to its handler.
func (c *orderedConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if resp, ok := msg.(*jsonrpc.Response); ok {
		c.mu.Lock()
		t := c.turns[resp.ID]
		delete(c.turns, resp.ID)
		c.mu.Unlock()
		t.arrive()
	}
	return c.Connection.Write(ctx, msg)
}

// Close closes the connection.
func (c *orderedConn) Close() error {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		close(c.gone)
	}
	c.mu.Unlock()
	return c.Connection.Close()
}
