package network

import (
	"encoding/base64"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"rove/driver/backend"
)

// reading is what the reading of a record needs of its log.
type reading struct {
	offset  *float64 // nil while nobody knows
	now     time.Time
	refuses func(string) error
	number  func(id string) int // of the request with that id, or 0
}

// chain is a request with its redirects.
type chain struct {
	hops   []*hop
	end    *backend.TrafficRecord // loadingFinished or loadingFailed; nil while there is neither
	failed bool
	memory bool // the answer is from the cache in memory
}

// read makes requests of what a record holds: one for each hop.
func (r *record) read(in reading) []Request {
	if len(r.numbers) == 0 {
		return nil
	}
	if slices.ContainsFunc(r.events, func(e backend.Traffic) bool {
		return e.Kind == backend.SocketCreated || e.Kind == backend.TransportCreated
	}) {
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
	var asked, got []*backend.TrafficRecord
	c := new(chain)
	for _, ev := range r.events {
		e, ok := ev.Read()
		if !ok {
			continue
		}
		switch ev.Kind {
		case backend.TrafficSent:
			if n := len(c.hops); n > 0 && e.RedirectResponse != nil {
				prior := c.hops[n-1]
				prior.response, prior.answered = e.RedirectResponse, e.Time
				prior.extra = told(e.RedirectExtra)
			}
			c.hops = append(c.hops, &hop{sent: e})
			c.end, c.failed = nil, false // of the answer that led here, where that is told
		case backend.TrafficSentHeaders:
			asked = append(asked, e)
		case backend.TrafficResponseHeaders:
			got = append(got, e)
		case backend.TrafficFromMemory:
			c.memory = true
		case backend.TrafficResponse:
			if len(c.hops) == 0 {
				c.hops = append(c.hops, &hop{sent: r.made(e, in)})
			}
			h := c.hops[len(c.hops)-1]
			h.response, h.as = e.Response, e.Type
			if h.answered == 0 { // its head may be told once more when all of it is there
				h.answered = e.Time
			}
			h.extra = told(e.Extra)
		case backend.TrafficDone, backend.TrafficFailed:
			if c.end == nil {
				c.end, c.failed = e, ev.Kind == backend.TrafficFailed
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
			q.Transferred = h.response.HeadBytes
		}
		h.timing(&q, c.hops[i+1].sent.Time)
	case c.end != nil:
		q.Size = r.decoded
		q.Transferred = max(c.end.Encoded, 0)
		q.State = Done
		if c.failed {
			q.Transferred = r.receivedBytes(h)
			q.fail(c.end.Failure, in)
		}
		h.timing(&q, c.end.Time)
	default:
		q.State = Pending
		q.Size, q.Transferred = r.decoded, r.receivedBytes(h)
		q.Millis = ms(in.now.Sub(q.Start).Seconds() * 1000)
		r.abandon(&q)
	}
	if last {
		q.Messages, q.MessageCount = r.readMessages(in), r.messageCount
	}
	return q
}

// receivedBytes is what came over the network of an answer that is not complete.
func (r *record) receivedBytes(h *hop) int64 {
	if h.response == nil {
		return r.encoded
	}
	return r.encoded + h.response.HeadBytes
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
func (r *record) made(e *backend.TrafficRecord, in reading) *backend.TrafficRecord {
	sent := &backend.TrafficRecord{Type: e.Type, Time: e.Time, Request: &backend.SentRequest{Method: "GET"}, Initiator: &backend.Initiator{Type: "other"}}
	if e.Response != nil {
		sent.Request.URL = e.Response.URL
		if t := e.Response.Timing; t != nil && t.Start > 0 && t.Start < e.Time {
			sent.Time = t.Start
		}
	}
	if in.offset != nil {
		sent.Wall = sent.Time + *in.offset
	}
	return sent
}

// common is what every kind of request has.
func (r *record) common(sent *backend.TrafficRecord, in reading) Request {
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
	if sent.Main && sent.Frame == r.source.ID && r.source.Kind == "page" {
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
		q.Method, q.URL = s.Method, backend.WithoutLogin(s.URL)
		q.priority = s.Priority
		q.Sent = sentBody(s)
	}
	return q
}

// contextOf names who made a request.
func contextOf(src *backend.Source, sent *backend.TrafficRecord) string {
	if src.Kind == "page" && sent.Frame != "" && sent.Frame != src.ID {
		return "frame"
	}
	return strings.ReplaceAll(src.Kind, "_", " ")
}

// sentBody is what a request sends.
func sentBody(s *backend.SentRequest) *Sent {
	switch {
	case !s.HasBody:
		return nil
	case s.BodySize > 0:
		return &Sent{Text: string(s.Body), Size: s.BodySize, Note: "the beginning"}
	case s.Body == nil:
		return &Sent{Size: -1, Note: "not told: a file, a stream, or more than 1 MiB"}
	case utf8.Valid(s.Body):
		return &Sent{Text: string(s.Body), Size: len(s.Body)}
	}
	return &Sent{Text: base64.StdEncoding.EncodeToString(s.Body), Base64: true, Size: len(s.Body)}
}

// initiated puts the initiator in few words.
func initiated(i *backend.Initiator) Initiator {
	if i == nil || i.Type == "" {
		i = &backend.Initiator{Type: "other"}
	}
	out := Initiator{Type: i.Type}
	if p := i.Place; p != nil {
		out.URL, out.Name, out.Line, out.Column = backend.WithoutLogin(p.URL), p.Function, p.Line+1, p.Column+1
	}
	return out
}
