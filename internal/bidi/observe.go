package bidi

import (
	"cmp"
	"context"
	"encoding/base64"
	"net/http"
	"strings"
	"sync/atomic"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
	"rove/internal/wire"
)

var _ backend.Observable = (*Context)(nil)

// collected is how large a body may be, on the network, that the browser keeps for us;
// mostSent is the largest one sent that is asked for.
const (
	collected = 10 << 20
	mostSent  = 1 << 20
)

// redirectsKnown is how many requests are known by how often they were redirected.
const redirectsKnown = 1000

// Observe has fn called with what the context loads and writes; see backend.Observable.
// The browser is told to keep bodies from the first time on.
func (c *Context) Observe(what backend.Observation, fn func(*backend.Source, backend.Event)) (stop func()) {
	if what&backend.ObserveTraffic != 0 {
		c.collect.Do(func() {
			// A browser that does not know of request bodies keeps those of answers.
			for _, types := range [][]string{{"response"}, {"request"}} {
				c.browser.conn.Start(c.browser.root.Command("network.addDataCollector", object{
					"dataTypes": types, "maxEncodedDataSize": collected, "userContexts": []string{c.id},
				}))
			}
		})
	}
	return c.observers.Observe(what, fn)
}

// Body gets the body of an answer.
func (t *Tab) Body(ctx context.Context, request string) ([]byte, error) {
	var got data
	if err := t.ask(ctx, "network.getData", object{"dataType": "response", "request": request}, &got); err != nil {
		return nil, err
	}
	return got.read()
}

// StartBody asks for the body of an answer, and does not wait.
func (t *Tab) StartBody(request string) func(context.Context) ([]byte, error) {
	asked := t.startData("response", request)
	return func(ctx context.Context) ([]byte, error) {
		var got data
		if err := asked.Wait(ctx, &got); err != nil {
			return nil, fault(err)
		}
		return got.read()
	}
}

func (t *Tab) startData(kind, request string) *cdp.Pending {
	return t.browser.conn.Start(t.browser.root.Command("network.getData", object{"dataType": kind, "request": request}))[0]
}

// data is a body as the browser gives it.
type data struct {
	Bytes bytesValue `json:"bytes"`
}

func (d *data) read() ([]byte, error) { return d.Bytes.read() }

// bytesValue is text, or bytes in base64.
type bytesValue struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

func (b *bytesValue) read() ([]byte, error) {
	if b.Type == "base64" {
		return base64.StdEncoding.DecodeString(b.Value)
	}
	return []byte(b.Value), nil
}

// lines are headers by name, a line for each of one name. Chromium tells some twice.
func lines(list []header) map[string]string {
	out := make(map[string]string, len(list))
	for _, h := range list {
		old, ok := out[h.Name]
		switch {
		case !ok:
			out[h.Name] = h.text()
		case old != h.text():
			out[h.Name] = old + "\n" + h.text()
		}
	}
	return out
}

// networkEvent is any event of the network module, as far as it is told.
type networkEvent struct {
	Context    string  `json:"context"`
	Navigation string  `json:"navigation"`
	Blocked    bool    `json:"isBlocked"` // until somebody lets it go
	Redirects  int     `json:"redirectCount"`
	Time       float64 `json:"timestamp"` // milliseconds since 1970
	Error      string  `json:"errorText"`
	Initiator  struct {
		Type   string `json:"type"`
		Line   *int   `json:"lineNumber"`
		Column *int   `json:"columnNumber"`
		Stack  *stack `json:"stackTrace"`
	} `json:"initiator"`
	Request struct {
		ID          string   `json:"request"`
		URL         string   `json:"url"`
		Method      string   `json:"method"`
		Headers     []header `json:"headers"`
		BodySize    *int     `json:"bodySize"`
		Destination string   `json:"destination"`
		Initiator   string   `json:"initiatorType"`
		Timings     *timings `json:"timings"`
	} `json:"request"`
	Response struct {
		URL        string   `json:"url"`
		Protocol   string   `json:"protocol"`
		Status     int      `json:"status"`
		StatusText string   `json:"statusText"`
		FromCache  bool     `json:"fromCache"`
		Headers    []header `json:"headers"`
		MIME       string   `json:"mimeType"`
		Received   int64    `json:"bytesReceived"`
		HeadBytes  *int64   `json:"headersSize"`
		BodySize   *int64   `json:"bodySize"`
		Content    struct {
			Size int64 `json:"size"`
		} `json:"content"`
	} `json:"response"`
}

// timings are milliseconds from TimeOrigin, which Firefox has at 1970 and Chromium where the
// request began; 0 for what did not happen.
type timings struct {
	TimeOrigin    float64 `json:"timeOrigin"`
	RequestTime   float64 `json:"requestTime"`
	DNSStart      float64 `json:"dnsStart"`
	DNSEnd        float64 `json:"dnsEnd"`
	ConnectStart  float64 `json:"connectStart"`
	ConnectEnd    float64 `json:"connectEnd"`
	TLSStart      float64 `json:"tlsStart"`
	RequestStart  float64 `json:"requestStart"`
	ResponseStart float64 `json:"responseStart"`
	ResponseEnd   float64 `json:"responseEnd"`
}

// tellTraffic tells those who asked for it what a page loads.
func (t *Tab) tellTraffic(ev cdp.Event, e *networkEvent) {
	watched := &t.context.observers
	if !watched.Want(backend.ObserveTraffic) || strings.HasPrefix(e.Request.URL, "data:") {
		return
	}
	one := backend.Traffic{Request: e.Request.ID, Raw: ev.Params, Reader: readTraffic}
	if t.redirected(e) && ev.Method != "network.beforeRequestSent" {
		led := one // Chromium tells of a redirect by its answer alone
		led.Kind, led.Redirect = backend.TrafficSent, true
		watched.Tell(backend.ObserveTraffic, t.source, led)
	}
	switch ev.Method {
	case "network.beforeRequestSent":
		one.Kind, one.Redirect = backend.TrafficSent, e.Redirects > 0
		if size := e.Request.BodySize; size != nil && *size > 0 && *size <= mostSent {
			one.Reader = t.withBody(e.Request.ID)
		}
	case "network.responseStarted":
		one.Kind = backend.TrafficResponse
	case "network.responseCompleted":
		// That of the answer once more: only now all of its times are known.
		head, came := one, one
		head.Kind, came.Kind, one.Kind = backend.TrafficResponse, backend.TrafficData, backend.TrafficDone
		watched.Tell(backend.ObserveTraffic, t.source, head, came)
	case "network.fetchError":
		one.Kind = backend.TrafficFailed
	default:
		return
	}
	watched.Tell(backend.ObserveTraffic, t.source, one)
}

// redirected says whether an event is the first one told of a redirect.
func (t *Tab) redirected(e *networkEvent) bool {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if e.Redirects <= t.redirects[e.Request.ID] {
		return false
	}
	if t.redirects == nil || len(t.redirects) > redirectsKnown {
		t.redirects = map[string]int{}
	}
	t.redirects[e.Request.ID] = e.Redirects
	return true
}

// answered keeps the status of an answer that may lead on: of that, the next request says nothing.
func (t *Tab) answered(request string, status int) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	if t.statuses == nil || len(t.statuses) > redirectsKnown {
		t.statuses = map[string]int{}
	}
	t.statuses[request] = status
}

// leads is the status of the answer that led to a request, 0 for what is no redirect.
func (t *Tab) leads(e *networkEvent) int {
	if e.Redirects == 0 {
		return 0
	}
	t.Mu.Lock()
	defer t.Mu.Unlock()
	status := t.statuses[e.Request.ID]
	delete(t.statuses, e.Request.ID)
	return cmp.Or(status, http.StatusFound) // where the answer itself was not told
}

// withBody reads a request with the body that it sends, which is asked for here. It is
// read without it as long as it has not come: reading must not wait.
func (t *Tab) withBody(request string) func(backend.Traffic) *backend.TrafficRecord {
	var body atomic.Pointer[[]byte]
	asked := t.startData("request", request)
	go func() {
		var got data
		if asked.Wait(t.Life, &got) != nil {
			return
		}
		if bytes, err := got.read(); err == nil {
			body.Store(&bytes)
		}
	}()
	return func(one backend.Traffic) *backend.TrafficRecord {
		r := readTraffic(one)
		if came := body.Load(); came != nil && r != nil && r.Request != nil {
			r.Request.Body = *came
		}
		return r
	}
}

// readTraffic reads what was told.
func readTraffic(one backend.Traffic) *backend.TrafficRecord {
	var e networkEvent
	if wire.Unmarshal(one.Raw, &e) != nil {
		return nil
	}
	r := &backend.TrafficRecord{Time: e.Time / 1000, Wall: e.Time / 1000, Frame: e.Context, Type: e.kind()}
	if t := e.Request.Timings; one.Kind != backend.TrafficSent && t != nil && t.TimeOrigin == e.Time {
		r.Time = (t.TimeOrigin + t.ResponseEnd) / 1000 // Chromium gives every event the time of the first
	}
	switch one.Kind {
	case backend.TrafficSent:
		r.Main = e.Navigation != ""
		r.Request = &backend.SentRequest{
			URL: e.Request.URL, Method: e.Request.Method, Headers: lines(e.Request.Headers), HasBody: e.Request.BodySize != nil && *e.Request.BodySize > 0,
		}
		r.Initiator = &backend.Initiator{Type: e.Initiator.Type}
		if s := e.Initiator.Stack; s != nil && len(s.Frames) > 0 {
			r.Initiator.Place = s.Frames[0].place()
		}
	case backend.TrafficResponse:
		r.Response = e.head()
	case backend.TrafficData:
		r.Data = e.Response.Content.Size
		if e.Response.BodySize != nil {
			r.Encoded = *e.Response.BodySize
		}
		r.Data = max(r.Data, r.Encoded)
	case backend.TrafficDone:
		r.Encoded = e.Response.Received
	case backend.TrafficFailed:
		r.Failure = &backend.LoadFailure{Reason: anypage.Reason(e.Error), Code: e.Error}
	}
	return r
}

// kind is what a request is for.
func (e *networkEvent) kind() string {
	if e.Navigation != "" {
		return backend.TypeDocument
	}
	return resource(e.Request.Destination, e.Request.Initiator)
}

func (e *networkEvent) head() *backend.ResponseHead {
	a := &e.Response
	mime, _, _ := strings.Cut(a.MIME, ";")
	out := &backend.ResponseHead{
		URL: a.URL, Status: a.Status, StatusText: a.StatusText, Headers: lines(a.Headers), MIME: mime, Protocol: a.Protocol, FromDisk: a.FromCache, Remote: true,
	}
	if a.HeadBytes != nil {
		out.HeadBytes = *a.HeadBytes
	}
	if t := e.Request.Timings; t != nil && t.TimeOrigin+t.RequestTime > 0 && t.RequestStart > 0 {
		out.Timing = &backend.LoadTiming{
			Start: (t.TimeOrigin + t.RequestTime) / 1000, DNSStart: t.since(t.DNSStart), DNSEnd: t.since(t.DNSEnd),
			ConnectStart: t.since(t.ConnectStart), ConnectEnd: t.since(t.ConnectEnd), TLSStart: t.since(t.TLSStart), TLSEnd: -1,
			SendStart: t.since(t.RequestStart), SendEnd: t.since(t.RequestStart), HeadersEnd: t.since(t.ResponseStart),
		}
		if t.TLSStart > 0 {
			out.Timing.TLSEnd = out.Timing.ConnectEnd
		}
	}
	return out
}

// since is a time as milliseconds after the request began, -1 for what did not happen.
func (t *timings) since(at float64) float64 {
	if at <= 0 {
		return -1
	}
	return max(at-t.RequestTime, 0)
}
