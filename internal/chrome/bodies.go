package chrome

import (
	"strconv"
	"strings"
	"time"

	"rove/cdp"
	"rove/driver/backend"
)

// bodies are answers to fetch that are not over yet, by their requests. Of a body
// that the page leaves unread, as many do that only send something, the browser tells
// the end 50 ms after the last byte; nobody is to wait for that long. A page that reads
// it does so within readTime, and then the end is told at once, before the page makes
// anything of it.
type bodies map[string]*body

const readTime = 8 * time.Millisecond

type body struct {
	left    int64
	encoded bool // the length is that of the bytes on the wire
}

// head takes note of an answer that says how long it is.
func (b *bodies) head(h *head) {
	if h.Type != "Fetch" {
		return
	}
	var one body
	for name, value := range h.Response.Headers {
		switch strings.ToLower(name) {
		case "content-length":
			one.left, _ = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		case "content-encoding":
			one.encoded = true
		}
	}
	if one.left <= 0 {
		return // its end is told at once, or nobody knows it
	}
	if *b == nil {
		*b = bodies{}
	}
	(*b)[h.Request] = &one
}

// data takes note of bytes, and tells of which request they were the last.
func (b bodies) data(ev cdp.Event) (id string, last bool) {
	if len(b) == 0 {
		return "", false // as for most of what comes in, which is not decoded
	}
	var e struct {
		ID      string `json:"requestId"`
		Data    int64  `json:"dataLength"`
		Encoded int64  `json:"encodedDataLength"`
	}
	if ev.Decode(&e) != nil || b[e.ID] == nil {
		return "", false
	}
	one := b[e.ID]
	if one.left <= 0 {
		return "", false // that was it
	}
	if one.encoded {
		one.left -= e.Encoded
	} else {
		one.left -= e.Data
	}
	if one.left > 0 {
		return "", false
	}
	return e.ID, true
}

// endUnreadBody ends a request whose body was there and has not been read since.
func (t *Tab) endUnreadBody(id string, one *body) {
	t.Mu.Lock()
	late := t.bodies[id] == one
	if late {
		delete(t.bodies, id)
	}
	t.Mu.Unlock()
	if late {
		t.News.Tell(backend.RequestEnded{ID: id})
	}
}
