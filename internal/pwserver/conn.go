package pwserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"

	"rove/driver/backend"
	"rove/internal/wire"
)

type object = map[string]any

// raw is a part of a message that is decoded when its type is known.
type raw []byte

func (r *raw) UnmarshalJSON(b []byte) error {
	*r = bytes.Clone(b)
	return nil
}

func (r raw) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}

var _ json.Marshaler = raw(nil)

// ref names an object of the server in a message.
type ref struct {
	GUID string `json:"guid"`
}

// serverObject is an object that the server has told of.
type serverObject struct {
	guid, kind, parent string
	first              raw // what it was made with
}

// decode reads what an object was made with.
func (t *serverObject) decode(out any) bool {
	return t != nil && wire.Unmarshal(t.first, out) == nil
}

// message is one of the server's: an answer, or an event of an object.
type message struct {
	ID     int64  `json:"id"`
	GUID   string `json:"guid"`
	Method string `json:"method"`
	Params raw    `json:"params"`
	Result raw    `json:"result"`
	Error  *struct {
		Error struct {
			Message string `json:"message"`
			Name    string `json:"name"`
		} `json:"error"`
		Value raw `json:"value"`
	} `json:"error"`
}

// command is a message to an object of the server.
type command struct {
	guid, method string
	params       any
}

// reply is an answer that is to come.
type reply struct {
	id     int64
	done   chan struct{}
	result raw
	err    error // set before done is closed
}

// conn is a connection to a server. Events are handed over one by one in the order they
// were sent, and an answer only when all events before it have been.
type conn struct {
	transport wire.Transport
	event     func(method, guid string, params raw)

	mu       sync.Mutex
	next     int64
	waiting  map[int64]*reply
	things   map[string]*serverObject
	elements map[string]bool // the handles that are of elements
	outbox   [][]byte
	wake     chan struct{}
	err      error
	done     chan struct{}
}

// newConn takes over a transport. event is called by one goroutine and must not wait for
// answers.
func newConn(t wire.Transport, event func(method, guid string, params raw)) *conn {
	c := &conn{
		transport: t, event: event, waiting: map[int64]*reply{}, things: map[string]*serverObject{}, elements: map[string]bool{},
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
	go c.read()
	go c.write()
	return c
}

// errClosed is within the error of what was asked of a connection that has ended.
var errClosed = errors.New("the connection to the Playwright server is closed")

func (c *conn) read() {
	for {
		text, err := c.transport.Read()
		if err != nil {
			c.end()
			return
		}
		var m message
		if wire.Unmarshal(text, &m) != nil {
			continue
		}
		if m.ID != 0 {
			c.answered(&m)
			continue
		}
		if len(m.Params) == 0 {
			m.Params = raw("{}") // there is nothing to say but that it happened
		}
		c.trackObjects(&m)
		c.event(m.Method, m.GUID, m.Params)
	}
}

func (c *conn) answered(m *message) {
	c.mu.Lock()
	r := c.waiting[m.ID]
	delete(c.waiting, m.ID)
	c.mu.Unlock()
	if r == nil {
		return
	}
	if r.result = m.Result; m.Error != nil {
		r.err = &refusal{name: m.Error.Error.Name, text: m.Error.Error.Message, value: m.Error.Value}
	}
	close(r.done)
}

// trackObjects keeps the list of objects. Handles are not on it: who asked for one has its guid,
// and there may be very many.
func (c *conn) trackObjects(m *message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m.Method {
	case "__create__":
		var p struct {
			Type        string `json:"type"`
			GUID        string `json:"guid"`
			Initializer raw    `json:"initializer"`
		}
		if wire.Unmarshal(m.Params, &p) != nil {
			return
		}
		switch p.Type {
		case "JSHandle":
		case "ElementHandle":
			c.elements[p.GUID] = true
		default:
			c.things[p.GUID] = &serverObject{guid: p.GUID, kind: p.Type, parent: m.GUID, first: p.Initializer}
		}
	case "__adopt__":
		var p ref
		if wire.Unmarshal(m.Params, &p) == nil && c.things[p.GUID] != nil {
			c.things[p.GUID].parent = m.GUID
		}
	case "__dispose__":
		delete(c.elements, m.GUID)
		if c.things[m.GUID] == nil {
			return
		}
		gone := map[string]bool{m.GUID: true}
		delete(c.things, m.GUID)
		for again := true; again; {
			again = false
			for guid, t := range c.things {
				if gone[t.parent] {
					gone[guid], again = true, true
					delete(c.things, guid)
				}
			}
		}
	}
}

// objectOf is an object by its guid, or nil.
func (c *conn) objectOf(guid string) *serverObject {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.things[guid]
}

// framesBelow lists a frame and those inside it, parents before their children.
func (c *conn) framesBelow(guid string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []string{guid}
	for i := 0; i < len(list); i++ {
		for _, t := range c.things {
			var about struct {
				Parent ref `json:"parentFrame"`
			}
			if t.kind == "Frame" && t.decode(&about) && about.Parent.GUID == list[i] {
				list = append(list, t.guid)
			}
		}
	}
	return list
}

// isElement says of a handle that it is of an element.
func (c *conn) isElement(guid string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.elements[guid]
}

// start sends messages in one write.
func (c *conn) start(cmds ...command) []*reply {
	replies := make([]*reply, len(cmds))
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, cmd := range cmds {
		c.next++
		r := &reply{id: c.next, done: make(chan struct{})}
		replies[i] = r
		if cmd.params == nil {
			cmd.params = object{}
		}
		text, err := wire.Marshal(object{"id": r.id, "guid": cmd.guid, "method": cmd.method, "params": cmd.params, "metadata": object{"internal": true}})
		if c.err != nil {
			err = c.err
		}
		if r.err = err; err != nil {
			close(r.done)
			continue
		}
		c.waiting[r.id] = r
		c.outbox = append(c.outbox, text)
	}
	c.wakeWriter()
	return replies
}

// abort has the server give up what was asked of it. Its answer, if any, is nobody's.
func (c *conn) abort(r *reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting[r.id] == nil || c.err != nil {
		return
	}
	delete(c.waiting, r.id)
	if text, err := wire.Marshal(object{"guid": "", "method": "__abort__", "params": object{"id": r.id, "reason": "not waited for any more"}}); err == nil {
		c.outbox = append(c.outbox, text)
		c.wakeWriter()
	}
}

func (c *conn) wakeWriter() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *conn) write() {
	for {
		select {
		case <-c.wake:
		case <-c.done:
			return
		}
		c.mu.Lock()
		batch := c.outbox
		c.outbox = nil
		c.mu.Unlock()
		if len(batch) > 0 && c.transport.Write(batch) != nil {
			_ = c.transport.Close() // which the reader learns of
			return
		}
	}
}

// end fails all that is waited for.
func (c *conn) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = &backend.Error{Kind: backend.KindClosed, Err: errors.Join(backend.ErrGone, errClosed)}
	for id, r := range c.waiting {
		r.err = c.err
		close(r.done)
		delete(c.waiting, id)
	}
	close(c.done)
}

func (c *conn) close() {
	_ = c.transport.Close()
	c.end()
}

// wait waits for an answer; out may be nil.
func (r *reply) wait(ctx context.Context, c *conn, out any) error {
	select {
	case <-r.done:
	case <-ctx.Done():
		c.abort(r)
		return ctx.Err()
	}
	return r.read(out)
}

// read reads an answer that is there.
func (r *reply) read(out any) error {
	if r.err != nil {
		return fault(r.err)
	}
	if out == nil {
		return nil
	}
	if err := wire.Unmarshal(r.result, out); err != nil {
		return &backend.Error{Kind: backend.KindProtocol, Text: "an answer that is not understood", Err: err}
	}
	return nil
}

// call asks and waits.
func (c *conn) call(ctx context.Context, guid, method string, params, out any) error {
	return c.start(command{guid, method, params})[0].wait(ctx, c, out)
}
