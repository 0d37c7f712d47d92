package network

import (
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"rove/aria"
	"rove/driver/backend"
)

// hop is a request of a chain.
type hop struct {
	sent     *backend.TrafficRecord // requestWillBeSent
	response *backend.ResponseHead
	answered float64
	as       string // the type that the response was told with
	extra    extra
	asked    map[string]string      // headers that really left
	got      *backend.TrafficRecord // headers that really came
}

// extra says whether a hop has headers told apart.
type extra int

const (
	unknown extra = iota
	has
	hasNot
)

func told(b bool) extra {
	if b {
		return has
	}
	return hasNot
}

// ask puts in what was asked.
func (h *hop) ask(q *Request) {
	var asked map[string]string
	if h.sent.Request != nil {
		asked = h.sent.Request.Headers
	}
	if h.asked != nil {
		asked = h.asked
	} else if a := h.response; a != nil && len(a.RequestHeaders) > 0 {
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
}

// answer puts in what was answered.
func (h *hop) answer(q *Request) {
	a := h.response
	if a == nil {
		if h.got != nil { // an answer that the page was not given
			q.Status = h.got.Status
			q.ResponseHeaders = headers(h.got.Headers)
			q.ContentType = mediaType(q.ResponseHeaders)
		}
		return
	}
	if q.URL == "" {
		q.URL = backend.WithoutLogin(a.URL)
	}
	if h.as != "" && (q.Type == "other" || q.Type == "") {
		q.Type = strings.ToLower(h.as)
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
	q.connection = a.Connection
	if a.HeadBytes > 0 {
		q.headBytes = a.HeadBytes
	}
	served(a, q)
	if at := h.answered; at > 0 && q.wall > 0 {
		when := moment(q.wall + max(at-h.sent.Time, 0))
		q.Answered = &when
	}
}

// served says where an answer came from, and who gave it.
func served(a *backend.ResponseHead, q *Request) {
	q.Source = sourceOf(a, q.URL)
	if q.Source == FromNetwork && a.Address == "" && a.Connection == "" && !a.Remote {
		q.Source, q.Served = FromLocal, "an interception"
		if header(q.ResponseHeaders, "Non-Authoritative-Reason") != "" {
			q.Served = "the browser itself" // it goes to https: by itself
		}
	}
	if a.FromWorker {
		q.Served, q.cacheName = servedBy[a.WorkerSource], a.CacheName
		if q.Served == "" {
			q.Served = "the worker itself"
		}
		if a.CacheName != "" {
			q.Served += " " + aria.Quote(cut(a.CacheName, 100))
		}
	}
}

var servedBy = map[string]string{"cache-storage": "cache storage", "http-cache": "http cache", "network": "network", "fallback-code": "the worker itself"}

// sourceOf says where an answer came from.
func sourceOf(a *backend.ResponseHead, url string) string {
	scheme, _, _ := strings.Cut(url, ":")
	switch {
	case a.FromWorker:
		return FromWorker
	case a.FromPrefetch:
		return FromPrefetch
	case a.FromDisk:
		return FromDisk
	case scheme != "http" && scheme != "https" && scheme != "ws" && scheme != "wss" && scheme != "ftp":
		return FromLocal
	}
	return FromNetwork
}

// timing works out the phases, up to the end by the running clock.
func (h *hop) timing(q *Request, end float64) {
	start := h.sent.Time
	p := Phases{Blocked: -1, DNS: -1, Connect: -1, TLS: -1, Send: 0, Wait: 0, Receive: 0}
	var t *backend.LoadTiming
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
	p.Wait = ms(t.HeadersEnd - t.SendEnd)
	p.Receive = ms((end-t.Start)*1000 - t.HeadersEnd)
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

// cut leaves whole characters of the beginning of a text, and says so.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && s[most]&0xC0 == 0x80 {
		most--
	}
	return s[:most] + "…"
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
