package chrome

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/wire"
)

// kinds are the events of the Network domain that are told of requests.
var kinds = map[string]backend.TrafficKind{
	"Network.requestWillBeSent":                  backend.TrafficSent,
	"Network.requestWillBeSentExtraInfo":         backend.TrafficSentHeaders,
	"Network.requestServedFromCache":             backend.TrafficFromMemory,
	"Network.responseReceived":                   backend.TrafficResponse,
	"Network.responseReceivedExtraInfo":          backend.TrafficResponseHeaders,
	"Network.dataReceived":                       backend.TrafficData,
	"Network.loadingFinished":                    backend.TrafficDone,
	"Network.loadingFailed":                      backend.TrafficFailed,
	"Network.eventSourceMessageReceived":         backend.TrafficEventMessage,
	"Network.webSocketCreated":                   backend.SocketCreated,
	"Network.webSocketWillSendHandshakeRequest":  backend.SocketRequest,
	"Network.webSocketHandshakeResponseReceived": backend.SocketResponse,
	"Network.webSocketFrameSent":                 backend.SocketSent,
	"Network.webSocketFrameReceived":             backend.SocketReceived,
	"Network.webSocketFrameError":                backend.SocketFailed,
	"Network.webSocketClosed":                    backend.SocketClosed,
	"Network.webTransportCreated":                backend.TransportCreated,
	"Network.webTransportConnectionEstablished":  backend.TransportOpened,
	"Network.webTransportClosed":                 backend.TransportClosed,
}

// tellTraffic tells what an event says of the context's traffic. It hardly reads: pages
// load much at a time.
func tellTraffic(src *Source, ev cdp.Event, fn func(*backend.Source, backend.Event)) {
	if k, ok := kinds[ev.Method]; ok {
		if t, ok := traffic(k, ev.Params); ok {
			fn(&src.Source, t)
		}
		return
	}
	switch ev.Method {
	case SourceAttached:
		src.watchIssues()
	case "Audits.issueAdded":
		if told, ok := forbidden(ev); ok {
			fn(&src.Source, told)
		}
	case "Page.frameNavigated":
		if src.Kind == "page" {
			documentCame(src, ev, fn)
		}
	case "Page.lifecycleEvent":
		if src.Kind == "page" {
			documentTimed(src, ev, fn)
		}
	}
}

// documentCame tells of the document that is in a tab now.
func documentCame(src *Source, ev cdp.Event, fn func(*backend.Source, backend.Event)) {
	var e struct {
		Frame struct {
			Parent string `json:"parentId"`
			Loader string `json:"loaderId"`
			URL    string `json:"url"`
		} `json:"frame"`
	}
	if ev.Decode(&e) == nil && e.Frame.Parent == "" && e.Frame.Loader != "" {
		fn(&src.Source, backend.DocumentCame{Document: e.Frame.Loader, URL: cut(e.Frame.URL, mostText)})
	}
}

// documentTimed tells when a document was loaded.
func documentTimed(src *Source, ev cdp.Event, fn func(*backend.Source, backend.Event)) {
	load := bytes.Contains(ev.Params, []byte(`"name":"load"`))
	if !load && !bytes.Contains(ev.Params, []byte(`"name":"DOMContentLoaded"`)) {
		return
	}
	var e struct {
		Loader string  `json:"loaderId"`
		Time   float64 `json:"timestamp"`
	}
	if ev.Decode(&e) == nil {
		fn(&src.Source, backend.DocumentTimed{Document: e.Loader, Time: e.Time, Loaded: load})
	}
}

// traffic is an event of the Network domain, not read yet; false is one that is not
// told: the answer to a request for a data: address is the address.
func traffic(k backend.TrafficKind, params []byte) (backend.Traffic, bool) {
	id := requestID(params)
	if id == "" || k == backend.TrafficSent && bytes.Contains(params, dataAddress) {
		return backend.Traffic{}, false
	}
	t := backend.Traffic{Kind: k, Request: id, Reader: readTraffic}
	t.Redirect = k == backend.TrafficSent && bytes.Contains(params, redirected)
	t.Raw = shorten(params)
	return t, t.Raw != nil
}

// readTraffic reads what was told.
func readTraffic(t backend.Traffic) *backend.TrafficRecord {
	var e loadEvent
	if wire.Unmarshal(t.Raw, &e) != nil {
		return nil
	}
	r := &backend.TrafficRecord{
		Time: e.Time, Wall: e.Wall, Type: e.Type, Frame: e.Frame, Document: e.Document, Main: e.Loader != "" && e.Loader == e.ID,
		RedirectExtra: e.RedirectExtra, RedirectResponse: e.RedirectResponse.neutral(), Response: e.Response.neutral(), Extra: e.Extra,
		Headers: e.Headers, Status: e.Status, Data: e.Data, Encoded: e.Encoded, URL: e.URL,
		Request: e.Request.neutral(), Initiator: e.Initiator.neutral(),
	}
	switch t.Kind {
	case backend.TrafficFailed:
		f := explain(&e)
		r.Failure = &f
	case backend.SocketFailed:
		f := explain(&loadEvent{Error: e.ErrorMessage})
		r.Failure = &f
	case backend.TrafficEventMessage:
		r.Message = &backend.StreamMessage{Name: e.EventName, ID: e.EventID, Data: e.EventData}
	case backend.SocketSent, backend.SocketReceived:
		if f := e.Response; f != nil {
			r.Message = &backend.StreamMessage{Opcode: int(whole(f.Opcode)), Data: f.Payload}
		}
	}
	return r
}

// neutral is a request as everybody tells it.
func (q *sentRequest) neutral() *backend.SentRequest {
	if q == nil {
		return nil
	}
	out := &backend.SentRequest{
		URL: q.URL + q.Fragment, Method: q.Method, Headers: q.Headers, Priority: q.Priority,
		HasBody: q.HasPost || q.Post != "" || len(q.Entries) > 0, BodySize: q.PostSize,
	}
	for _, piece := range q.Entries {
		part, err := base64.StdEncoding.DecodeString(piece.Bytes)
		if err != nil || piece.Bytes == "" {
			out.Body = nil
			break
		}
		out.Body = append(out.Body, part...)
	}
	if out.Body == nil && q.Post != "" {
		out.Body = []byte(q.Post)
	}
	return out
}

// neutral tells the initiator by the nearest place in a script that has an address.
func (i *loadInitiator) neutral() *backend.Initiator {
	if i == nil {
		return nil
	}
	out := &backend.Initiator{Type: strings.ToLower(i.Type), Request: i.Request}
	if i.URL != "" && out.Type != "preflight" {
		out.Place = &backend.ScriptPlace{URL: i.URL, Line: place(i.Line), Column: place(i.Column)}
		return out
	}
	deep := 0
	for s := i.Stack; s != nil && deep < 100; s, deep = s.Parent, deep+1 {
		for _, f := range s.Frames {
			if f.URL != "" {
				out.Place = &backend.ScriptPlace{URL: f.URL, Function: f.Name, Line: place(f.Line), Column: place(f.Column)}
				return out
			}
		}
	}
	return out
}

// place is a line or column, -1 for one that makes no sense.
func place(n float64) int {
	if !(n >= 0) || n > 1e9 {
		return -1
	}
	return int(n)
}

func (a *loadResponse) neutral() *backend.ResponseHead {
	if a == nil {
		return nil
	}
	out := &backend.ResponseHead{
		URL: a.URL, Status: a.Status, StatusText: a.StatusText, Headers: a.Headers, RequestHeaders: a.RequestHeaders, MIME: a.MIME,
		Protocol: a.Protocol, Address: a.Address, Port: a.Port, HeadBytes: whole(a.Encoded),
		FromDisk: a.Disk, FromPrefetch: a.Prefetch, FromWorker: a.Worker, WorkerSource: a.WorkerSource, CacheName: a.CacheName,
	}
	if a.Connection > 0 {
		out.Connection = strconv.FormatInt(whole(a.Connection), 10)
	}
	if t := a.Timing; t != nil {
		neutral := backend.LoadTiming(*t)
		out.Timing = &neutral
	}
	return out
}

func whole(f float64) int64 {
	if !(f > 0) || f > 1e15 {
		return 0
	}
	return int64(f)
}
