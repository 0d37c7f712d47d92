package chrome

import (
	"strconv"
	"strings"

	"rove/cdp"
)

// bodies are answers to fetch whose bytes are still to come, by their requests. A
// page that leaves a body unread, as many do that only send something, hears of
// its end from the browser 50 ms after it has come; nobody is to wait for that.
type bodies map[string]*body

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
	if one.encoded {
		one.left -= e.Encoded
	} else {
		one.left -= e.Data
	}
	if one.left > 0 {
		return "", false
	}
	delete(b, e.ID)
	return e.ID, true
}
