package network

import (
	"encoding/base64"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"rove/driver/backend"
	"rove/internal/chrome"
)

// reading is what the reading of a record needs of its log.
type reading struct {
	offset  float64
	now     time.Time
	refuses func(string) error
	number  func(id string) int // of the request with that id, or 0
}

// chain is a request with its redirects.
type chain struct {
	hops   []*hop
	end    *event // loadingFinished or loadingFailed; nil while there is neither
	failed bool
	memory bool // the answer is from the cache in memory
}

// read makes requests of what a record holds: one for each hop.
func (r *record) read(in reading) []Request {
	if len(r.numbers) == 0 {
		return nil
	}
	if slices.ContainsFunc(r.events, func(e raw) bool { return e.kind == kindSocketCreated || e.kind == kindTransportCreated }) {
		return r.readSocket(in)
	}
	c := r.chain(in)
	list := make([]Request, min(len(c.hops), len(r.numbers)))
	for i := range list {
		list[i] = r.request(c, i, in)
	}
	return list
}

// chain puts the events of a record in order.
func (r *record) chain(in reading) *chain {
	var asked, got []*event
	c := new(chain)
	for _, ev := range r.events {
		e, ok := ev.decode()
		if !ok {
			continue
		}
		switch ev.kind {
		case kindSent:
			if n := len(c.hops); n > 0 && e.RedirectResponse != nil {
				prior := c.hops[n-1]
				prior.response, prior.answered = e.RedirectResponse, e.Time
				prior.extra = told(e.RedirectExtra)
			}
			c.hops = append(c.hops, &hop{sent: e})
		case kindSentExtra:
			asked = append(asked, e)
		case kindResponseExtra:
			got = append(got, e)
		case kindFromMemory:
			c.memory = true
		case kindResponse:
			if len(c.hops) == 0 {
				c.hops = append(c.hops, &hop{sent: r.made(e, in)})
			}
			h := c.hops[len(c.hops)-1]
			h.response, h.answered, h.as = e.Response, e.Time, e.Type
			h.extra = told(e.Extra)
		case kindFinished, kindFailed:
			if c.end == nil {
				c.end, c.failed = e, ev.kind == kindFailed
			}
		}
	}
	// The headers that really left and came are told in the order of the hops
	// that have any; when, is open.
	for _, h := range c.hops {
		if h.extra == hasNot {
			continue
		}
		if len(asked) > 0 {
			h.asked, asked = asked[0].Headers, asked[1:]
		}
		if len(got) > 0 {
			h.got, got = got[0], got[1:]
		}
	}
	return c
}

// request is the i-th hop of a chain as it is told.
func (r *record) request(c *chain, i int, in reading) Request {
	h, last := c.hops[i], i == len(c.hops)-1
	q := r.common(h.sent, in)
	q.Number = r.numbers[i]
	if i > 0 {
		q.RedirectFrom = r.numbers[i-1]
	}
	h.ask(&q)
	h.answer(&q)
	if c.memory && last && h.response != nil && q.Source != FromWorker {
		q.Source, h.response.Timing = FromMemory, nil // it has the times of when it was fetched
	}
	switch {
	case !last:
		q.redirect = true
		if i+1 < len(r.numbers) {
			q.RedirectTo = r.numbers[i+1]
		}
		q.State = Done
		if h.response != nil {
			q.Transferred = whole(h.response.Encoded)
		}
		h.timing(&q, c.hops[i+1].sent.Time)
	case c.end != nil:
		q.Size = r.decoded
		q.Transferred = max(c.end.Encoded, 0)
		q.State = Done
		if c.failed {
			q.Transferred = r.soFar(h)
			q.fail(c.end, in)
		}
		h.timing(&q, c.end.Time)
	default:
		q.State = Pending
		q.Size, q.Transferred = r.decoded, r.soFar(h)
		q.Millis = ms(in.now.Sub(q.Start).Seconds() * 1000)
		r.abandon(&q)
	}
	if last {
		q.Messages, q.MessageCount = r.readMessages(in), r.messageCount
	}
	return q
}

// soFar is what came over the network of an answer that is not complete.
func (r *record) soFar(h *hop) int64 {
	if h.response == nil {
		return r.encoded
	}
	return r.encoded + whole(h.response.Encoded)
}

// abandon is for a request whose end nobody told, and nobody will.
func (r *record) abandon(q *Request) {
	if r.left.IsZero() {
		return
	}
	q.State = Cancelled
	q.Millis = ms(r.left.Sub(q.Start).Seconds() * 1000)
	q.Failure = &Failure{Kind: "aborted", Text: "left behind: its page or worker went before it ended"}
}

// made is the request of a worker's script, of which only the answer is told.
func (r *record) made(e *event, in reading) *event {
	sent := &event{ID: r.id, Type: e.Type, Time: e.Time, Request: &request{Method: "GET"}, Initiator: &initiator{Type: "other"}}
	if e.Response != nil {
		sent.Request.URL = e.Response.URL
		if t := e.Response.Timing; t != nil && t.Start > 0 && t.Start < e.Time {
			sent.Time = t.Start
		}
	}
	if in.offset != 0 {
		sent.Wall = sent.Time + in.offset
	}
	return sent
}

// common is what every kind of request has.
func (r *record) common(sent *event, in reading) Request {
	q := Request{
		id: r.id, page: r.page, Cause: r.cause, Start: r.at, headBytes: -1,
		Context: contextOf(r.source, sent), ContextURL: r.source.URL, Tab: r.source.Tab, Document: backend.WithoutLogin(sent.Document),
		Type: strings.ToLower(sent.Type),
	}
	if q.Context == "page" {
		q.ContextURL = ""
	}
	if sent.Wall > 0 {
		q.Start = moment(sent.Wall)
	}
	q.wall = sent.Wall
	if sent.Loader == r.id && sent.Frame == r.source.ID && r.source.Kind == "page" {
		q.page = r.id // the request for the page itself
	}
	q.Initiator = initiated(sent.Initiator)
	if i := sent.Initiator; i != nil && i.Request != "" {
		q.PreflightFor = in.number(i.Request)
	}
	if q.Initiator.Type == "preflight" {
		q.Type = "preflight"
	}
	if q.Type == "" {
		q.Type = "other"
	}
	if s := sent.Request; s != nil {
		q.Method, q.URL = s.Method, backend.WithoutLogin(s.URL+s.Fragment)
		q.priority = s.Priority
		q.Sent = s.body()
	}
	return q
}

// contextOf names who made a request.
func contextOf(src *chrome.Source, sent *event) string {
	if src.Kind == "page" && sent.Frame != "" && sent.Frame != src.ID {
		return "frame"
	}
	return strings.ReplaceAll(src.Kind, "_", " ")
}

// body is what a request sends.
func (s *request) body() *Sent {
	if !s.HasPost && s.Post == "" && len(s.Entries) == 0 {
		return nil
	}
	if s.PostSize > 0 {
		return &Sent{Text: s.Post, Size: s.PostSize, Note: "the beginning"}
	}
	var data []byte
	for _, piece := range s.Entries {
		part, err := base64.StdEncoding.DecodeString(piece.Bytes)
		if err != nil || piece.Bytes == "" {
			data = nil
			break
		}
		data = append(data, part...)
	}
	switch {
	case data != nil && utf8.Valid(data):
		return &Sent{Text: string(data), Size: len(data)}
	case data != nil:
		return &Sent{Text: base64.StdEncoding.EncodeToString(data), Base64: true, Size: len(data)}
	case s.Post != "":
		return &Sent{Text: s.Post, Size: len(s.Post)}
	}
	return &Sent{Size: -1, Note: "not told: a file, a stream, or more than 1 MiB"}
}

// initiated puts the initiator in few words: the nearest place in a script that
// has an address.
func initiated(i *initiator) Initiator {
	if i == nil {
		return Initiator{Type: "other"}
	}
	out := Initiator{Type: strings.ToLower(i.Type)}
	if out.Type == "" {
		out.Type = "other"
	}
	if i.URL != "" && out.Type != "preflight" {
		out.URL, out.Line, out.Column = backend.WithoutLogin(i.URL), place(i.Line), place(i.Column)
		return out
	}
	deep := 0
	for s := i.Stack; s != nil && deep < 100; s, deep = s.Parent, deep+1 {
		for _, f := range s.Frames {
			if f.URL != "" {
				out.URL, out.Name, out.Line, out.Column = backend.WithoutLogin(f.URL), f.Name, place(f.Line), place(f.Column)
				return out
			}
		}
	}
	return out
}

// place counts from 1.
func place(n float64) int {
	if !(n >= 0) || n > 1e9 {
		return 0
	}
	return int(n) + 1
}
