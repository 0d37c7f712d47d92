package network

import (
	"encoding/base64"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rove/aria"
	"rove/internal/chrome"
)

// reading is what the reading of a record needs of its log.
type reading struct {
	offset  float64
	now     time.Time
	refuses func(string) error
	number  func(id string) int // of the request with that id, or 0
}

// hop is a request of a chain of redirects.
type hop struct {
	sent     *event // requestWillBeSent
	response *response
	answered float64
	kindOf   string // the type that the response was told with
	extra    extra
	asked    map[string]string // headers that really left
	got      *event            // headers that really came
}

// extra says whether a hop has headers told apart.
type extra int

const (
	unknown extra = iota
	has
	hasNot
)

// read makes requests of what a record holds: one for each hop.
func (r *record) read(in reading) []Request {
	if len(r.numbers) == 0 {
		return nil
	}
	if slices.ContainsFunc(r.events, func(e raw) bool { return e.kind == kindSocketCreated || e.kind == kindTransportCreated }) {
		return r.readSocket(in)
	}
	var (
		hops      []*hop
		asked     []*event
		got       []*event
		memory    bool
		finish    *event
		finishing kind
	)
	for _, ev := range r.events {
		e, ok := ev.decode()
		if !ok {
			continue
		}
		switch ev.kind {
		case kindSent:
			if n := len(hops); n > 0 && e.RedirectResponse != nil {
				prior := hops[n-1]
				prior.response, prior.answered = e.RedirectResponse, e.Time
				prior.extra = told(e.RedirectExtra)
			}
			hops = append(hops, &hop{sent: e})
		case kindSentExtra:
			asked = append(asked, e)
		case kindResponseExtra:
			got = append(got, e)
		case kindFromMemory:
			memory = true
		case kindResponse:
			if len(hops) == 0 {
				hops = append(hops, &hop{sent: r.made(e, in)})
			}
			h := hops[len(hops)-1]
			h.response, h.answered, h.kindOf = e.Response, e.Time, e.Type
			h.extra = told(e.Extra)
		case kindFinished, kindFailed:
			if finish == nil {
				finish, finishing = e, ev.kind
			}
		}
	}
	// The headers that really left and came are told in the order of the hops
	// that have any; when, is open.
	for _, h := range hops {
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
	list := make([]Request, 0, len(hops))
	for i, h := range hops {
		if i >= len(r.numbers) {
			break
		}
		q := r.common(h.sent, in)
		q.Number = r.numbers[i]
		if i > 0 {
			q.RedirectFrom = r.numbers[i-1]
		}
		r.head(&q, h, in)
		if memory && i == len(hops)-1 && h.response != nil && q.Source != FromWorker {
			q.Source, h.response.Timing = FromMemory, nil // it has the times of when it was fetched
		}
		switch {
		case i+1 < len(hops):
			next := hops[i+1].sent
			q.redirect = true
			if i+1 < len(r.numbers) {
				q.RedirectTo = r.numbers[i+1]
			}
			q.State = Done
			if h.response != nil {
				q.Transferred = whole(h.response.Encoded)
			}
			r.timing(&q, h, next.Time)
		case finish != nil:
			q.Size = r.decoded
			q.Transferred = max(finish.Encoded, 0)
			q.State = Done
			if finishing == kindFailed {
				q.Transferred = r.soFar(h)
				q.fail(finish, in)
			}
			r.timing(&q, h, finish.Time)
		default:
			q.State = Pending
			q.Size, q.Transferred = r.decoded, r.soFar(h)
			q.Millis = ms(in.now.Sub(q.Start).Seconds() * 1000)
			r.abandon(&q)
		}
		if i == len(hops)-1 {
			q.Messages, q.MessageCount = r.readMessages(in), r.messageCount
		}
		list = append(list, q)
	}
	return list
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

func told(b bool) extra {
	if b {
		return has
	}
	return hasNot
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
		Context: contextOf(r.source, sent), ContextURL: r.source.URL, Tab: r.source.Tab, Document: sent.Document,
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
		q.Method, q.URL = s.Method, s.URL+s.Fragment
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

// head puts in what was asked and answered.
func (r *record) head(q *Request, h *hop, in reading) {
	var asked map[string]string
	if h.sent.Request != nil {
		asked = h.sent.Request.Headers
	}
	if h.asked != nil {
		asked = h.asked
	}
	a := h.response
	if a != nil && h.asked == nil && len(a.RequestHeaders) > 0 {
		asked = a.RequestHeaders
	}
	q.RequestHeaders = headers(asked)
	if q.Sent != nil && q.Sent.Size < 0 {
		if n, err := strconv.Atoi(header(q.RequestHeaders, "Content-Length")); err == nil && n >= 0 {
			q.Sent.Size = n
		}
	}
	if strings.HasPrefix(header(q.RequestHeaders, "Sec-Purpose"), "prefetch") && q.Type == "other" {
		q.Type = "prefetch"
	}
	if a == nil {
		if h.got != nil { // an answer that the page was not given
			q.Status = h.got.Status
			q.ResponseHeaders = headers(h.got.Headers)
			q.ContentType = mediaType(q.ResponseHeaders)
		}
		return
	}
	if q.URL == "" {
		q.URL = a.URL
	}
	if h.kindOf != "" && (q.Type == "other" || q.Type == "") {
		q.Type = strings.ToLower(h.kindOf)
	}
	q.Status, q.StatusText, q.ContentType = a.Status, a.StatusText, a.MIME
	answer := a.Headers
	if h.got != nil {
		answer = h.got.Headers
		if h.got.Status == 304 && a.Status == 200 {
			q.Served = "validated" // the cache's answer, which the server said is still good
		}
	}
	q.ResponseHeaders = headers(answer)
	if q.ContentType == "" {
		q.ContentType = mediaType(q.ResponseHeaders)
	}
	q.Protocol = a.Protocol
	if a.Address != "" {
		q.Remote = net.JoinHostPort(strings.Trim(a.Address, "[]"), strconv.Itoa(a.Port))
	}
	if a.Connection > 0 {
		q.connection = strconv.FormatInt(whole(a.Connection), 10)
	}
	if a.Encoded > 0 {
		q.headBytes = whole(a.Encoded)
	}
	q.Source = sourceOf(q.URL, a)
	if q.Source == FromNetwork && a.Address == "" && a.Connection == 0 {
		q.Source, q.Served = FromLocal, "an interception"
		if header(q.ResponseHeaders, "Non-Authoritative-Reason") != "" {
			q.Served = "the browser itself" // it goes to https: by itself
		}
	}
	if a.Worker {
		q.Served, q.cacheName = servedBy[a.WorkerSource], a.CacheName
		if q.Served == "" {
			q.Served = "the worker itself"
		}
		if a.CacheName != "" {
			q.Served += " " + aria.Quote(cut(a.CacheName, 100))
		}
	}
	if at := h.answered; at > 0 && q.wall > 0 {
		when := moment(q.wall + max(at-h.sent.Time, 0))
		q.Answered = &when
	}
}

var servedBy = map[string]string{"cache-storage": "cache storage", "http-cache": "http cache", "network": "network", "fallback-code": "the worker itself"}

// sourceOf says where an answer came from.
func sourceOf(url string, a *response) string {
	scheme, _, _ := strings.Cut(url, ":")
	switch {
	case a.Worker:
		return FromWorker
	case a.Prefetch:
		return FromPrefetch
	case a.Disk:
		return FromDisk
	case scheme != "http" && scheme != "https" && scheme != "ws" && scheme != "wss" && scheme != "ftp":
		return FromLocal
	}
	return FromNetwork
}

// timing works out the phases, up to the end by the running clock.
func (r *record) timing(q *Request, h *hop, end float64) {
	start := h.sent.Time
	p := Phases{Blocked: -1, DNS: -1, Connect: -1, TLS: -1, Send: 0, Wait: 0, Receive: 0}
	var t *timing
	if h.response != nil {
		t = h.response.Timing
	}
	if t == nil || t.Start <= 0 {
		q.Millis = ms((end - start) * 1000)
		if h.answered > start && h.answered < end {
			p.Wait = ms((h.answered - start) * 1000)
		}
		p.Receive = ms(q.Millis - p.Wait)
		if h.response != nil {
			q.Phases = &p
		}
		return
	}
	queued := (t.Start - start) * 1000
	if t.Start < start || queued > 1e9 {
		queued = 0
	}
	first := t.SendStart
	for _, s := range []float64{t.ConnectStart, t.DNSStart} {
		if s >= 0 {
			first = s
		}
	}
	p.Blocked = ms(queued + max(first, 0))
	if t.DNSStart >= 0 {
		p.DNS = ms(t.DNSEnd - t.DNSStart)
		if t.ConnectStart > t.DNSEnd {
			p.DNS = ms(t.ConnectStart - t.DNSStart)
		}
	}
	if t.ConnectStart >= 0 {
		p.Connect = ms(t.ConnectEnd - t.ConnectStart)
		if t.SendStart > t.ConnectEnd {
			p.Connect = ms(t.SendStart - t.ConnectStart)
		}
	}
	if t.TLSStart >= 0 {
		p.TLS = ms(t.TLSEnd - t.TLSStart)
	}
	p.Send = ms(t.SendEnd - t.SendStart)
	p.Wait = ms(t.ReceiveHeadersE - t.SendEnd)
	p.Receive = ms((end-t.Start)*1000 - t.ReceiveHeadersE)
	q.Phases = &p
	q.Millis = 0
	for _, part := range []float64{p.Blocked, p.DNS, p.Connect, p.Send, p.Wait, p.Receive} {
		q.Millis += max(part, 0)
	}
	q.Millis = ms(q.Millis)
}

// ms rounds milliseconds, and knows no time that runs backwards.
func ms(f float64) float64 {
	if math.IsNaN(f) || f < 0 {
		return 0
	}
	return math.Round(min(f, 1e10)*1000) / 1000
}

func whole(f float64) int64 {
	if !(f > 0) || f > 1e15 {
		return 0
	}
	return int64(f)
}

// moment is a time given in seconds since 1970.
func moment(wall float64) time.Time {
	if !(wall > 0) || wall > 1e11 {
		return time.Time{}
	}
	whole, part := math.Modf(wall)
	return time.Unix(int64(whole), int64(part*1e9)).Round(time.Microsecond)
}

// headers lists headers by name. A browser puts those of one name into one value,
// a line for each.
func headers(h map[string]string) []Header {
	list := make([]Header, 0, len(h))
	for name, value := range h {
		for line := range strings.SplitSeq(value, "\n") {
			list = append(list, Header{name, line})
		}
	}
	slices.SortStableFunc(list, func(a, b Header) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return list
}

// header gives the first of a name.
func header(list []Header, name string) string {
	for _, h := range list {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

func mediaType(list []Header) string {
	kind, _, _ := strings.Cut(header(list, "Content-Type"), ";")
	return strings.TrimSpace(kind)
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
		out.URL, out.Line, out.Column = i.URL, place(i.Line), place(i.Column)
		return out
	}
	deep := 0
	for s := i.Stack; s != nil && deep < 100; s, deep = s.Parent, deep+1 {
		for _, f := range s.Frames {
			if f.URL != "" {
				out.URL, out.Name, out.Line, out.Column = f.URL, f.Name, place(f.Line), place(f.Column)
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
