package network

import (
	"bytes"
	"strings"

	"rove/internal/wire"
)

// kind is what an event of the Network domain tells.
type kind uint8

const (
	kindSent kind = iota + 1
	kindSentExtra
	kindFromMemory
	kindResponse
	kindResponseExtra
	kindData
	kindFinished
	kindFailed
	kindEventMessage
	kindSocketCreated
	kindSocketRequest
	kindSocketResponse
	kindSocketSent
	kindSocketReceived
	kindSocketError
	kindSocketClosed
	kindTransportCreated
	kindTransportOpened
	kindTransportClosed
)

var kinds = map[string]kind{
	"Network.requestWillBeSent":                  kindSent,
	"Network.requestWillBeSentExtraInfo":         kindSentExtra,
	"Network.requestServedFromCache":             kindFromMemory,
	"Network.responseReceived":                   kindResponse,
	"Network.responseReceivedExtraInfo":          kindResponseExtra,
	"Network.dataReceived":                       kindData,
	"Network.loadingFinished":                    kindFinished,
	"Network.loadingFailed":                      kindFailed,
	"Network.eventSourceMessageReceived":         kindEventMessage,
	"Network.webSocketCreated":                   kindSocketCreated,
	"Network.webSocketWillSendHandshakeRequest":  kindSocketRequest,
	"Network.webSocketHandshakeResponseReceived": kindSocketResponse,
	"Network.webSocketFrameSent":                 kindSocketSent,
	"Network.webSocketFrameReceived":             kindSocketReceived,
	"Network.webSocketFrameError":                kindSocketError,
	"Network.webSocketClosed":                    kindSocketClosed,
	"Network.webTransportCreated":                kindTransportCreated,
	"Network.webTransportConnectionEstablished":  kindTransportOpened,
	"Network.webTransportClosed":                 kindTransportClosed,
}

// begins says that a request is known from an event of this kind on.
func (k kind) begins() bool {
	return k == kindSent || k == kindSocketCreated || k == kindTransportCreated
}

// ends says that it is the last of a request.
func (k kind) ends() bool {
	return k == kindFinished || k == kindFailed || k == kindSocketClosed || k == kindTransportClosed
}

// message says that it is one of many in a stream.
func (k kind) message() bool {
	return k == kindEventMessage || k == kindSocketSent || k == kindSocketReceived
}

// event is any event of the Network domain, as far as it is told: one shape for
// all of them, which is written again as it was read, only shorter.
type event struct {
	ID        string `json:"requestId,omitzero"`
	Transport string `json:"transportId,omitzero"`

	Loader           string     `json:"loaderId,omitzero"`
	Document         string     `json:"documentURL,omitzero"`
	Request          *request   `json:"request,omitzero"`
	Time             float64    `json:"timestamp,omitzero"` // seconds of a clock that only runs
	Wall             float64    `json:"wallTime,omitzero"`  // seconds since 1970
	Initiator        *initiator `json:"initiator,omitzero"`
	RedirectExtra    bool       `json:"redirectHasExtraInfo,omitzero"`
	RedirectResponse *response  `json:"redirectResponse,omitzero"`
	Type             string     `json:"type,omitzero"`
	Frame            string     `json:"frameId,omitzero"`

	Response *response `json:"response,omitzero"`
	Extra    bool      `json:"hasExtraInfo,omitzero"`

	Headers map[string]string `json:"headers,omitzero"` // of the extra events
	Status  int               `json:"statusCode,omitzero"`

	Data    int64  `json:"dataLength,omitzero"`
	Encoded int64  `json:"encodedDataLength,omitzero"`
	Error   string `json:"errorText,omitzero"`
	Cancel  bool   `json:"canceled,omitzero"`
	Blocked string `json:"blockedReason,omitzero"`
	CORS    *cors  `json:"corsErrorStatus,omitzero"`

	EventName    string `json:"eventName,omitzero"`
	EventID      string `json:"eventId,omitzero"`
	EventData    string `json:"data,omitzero"`
	URL          string `json:"url,omitzero"` // of a socket
	ErrorMessage string `json:"errorMessage,omitzero"`
}

type request struct {
	URL      string            `json:"url,omitzero"`
	Fragment string            `json:"urlFragment,omitzero"`
	Method   string            `json:"method,omitzero"`
	Headers  map[string]string `json:"headers,omitzero"`
	Post     string            `json:"postData,omitzero"`
	HasPost  bool              `json:"hasPostData,omitzero"`
	Entries  []postEntry       `json:"postDataEntries,omitempty"`
	Priority string            `json:"initialPriority,omitzero"`
	PostSize int               `json:"roveSize,omitzero"` // before it was cut
}

// postEntry is a piece of a body, in base64; the browser says nothing of files.
type postEntry struct {
	Bytes string `json:"bytes,omitzero"`
}

type initiator struct {
	Type    string  `json:"type,omitzero"`
	Stack   *stack  `json:"stack,omitzero"`
	URL     string  `json:"url,omitzero"`
	Line    float64 `json:"lineNumber,omitzero"` // from 0
	Column  float64 `json:"columnNumber,omitzero"`
	Request string  `json:"requestId,omitzero"` // whose preflight it is
}

type stack struct {
	Frames []callFrame `json:"callFrames,omitempty"`
	Parent *stack      `json:"parent,omitzero"`
}

type callFrame struct {
	Name   string  `json:"functionName,omitzero"`
	URL    string  `json:"url,omitzero"`
	Line   float64 `json:"lineNumber,omitzero"`
	Column float64 `json:"columnNumber,omitzero"`
}

type response struct {
	URL            string            `json:"url,omitzero"`
	Status         int               `json:"status,omitzero"`
	StatusText     string            `json:"statusText,omitzero"`
	Headers        map[string]string `json:"headers,omitzero"`
	RequestHeaders map[string]string `json:"requestHeaders,omitzero"`
	MIME           string            `json:"mimeType,omitzero"`
	Connection     float64           `json:"connectionId,omitzero"`
	Address        string            `json:"remoteIPAddress,omitzero"`
	Port           int               `json:"remotePort,omitzero"`
	Disk           bool              `json:"fromDiskCache,omitzero"`
	Worker         bool              `json:"fromServiceWorker,omitzero"`
	Prefetch       bool              `json:"fromPrefetchCache,omitzero"`
	Encoded        float64           `json:"encodedDataLength,omitzero"`
	Timing         *timing           `json:"timing,omitzero"`
	WorkerSource   string            `json:"serviceWorkerResponseSource,omitzero"`
	CacheName      string            `json:"cacheStorageCacheName,omitzero"`
	Protocol       string            `json:"protocol,omitzero"`

	Opcode  float64 `json:"opcode,omitzero"` // of a frame of a socket
	Payload string  `json:"payloadData,omitzero"`
}

// timing has a start in seconds, and milliseconds from there; -1 for what did
// not happen.
type timing struct {
	Start        float64 `json:"requestTime"`
	DNSStart     float64 `json:"dnsStart"`
	DNSEnd       float64 `json:"dnsEnd"`
	ConnectStart float64 `json:"connectStart"`
	ConnectEnd   float64 `json:"connectEnd"`
	TLSStart     float64 `json:"sslStart"`
	TLSEnd       float64 `json:"sslEnd"`
	SendStart    float64 `json:"sendStart"`
	SendEnd      float64 `json:"sendEnd"`
	HeadersEnd   float64 `json:"receiveHeadersEnd"`
}

type cors struct {
	Error     string `json:"corsError,omitzero"`
	Parameter string `json:"failedParameter,omitzero"`
}

// raw is an event as it came.
type raw struct {
	kind   kind
	params []byte
}

func (r raw) decode() (*event, bool) {
	var e event
	if wire.Unmarshal(r.params, &e) != nil {
		return nil, false
	}
	return &e, true
}

const (
	largeEvent  = 16 << 10 // above which an event is cut down before it is kept
	mostText    = 8 << 10  // of an address or a header's value
	mostPost    = 64 << 10 // of a body that is sent
	mostMessage = 16 << 10 // of a message in a stream
	mostFrames  = 8        // of a stack
)

// shorten cuts an event that is large down to what is told of it.
func shorten(k kind, params []byte) []byte {
	if len(params) <= largeEvent {
		return params
	}
	e, ok := raw{k, params}.decode()
	if !ok {
		return nil
	}
	e.URL, e.Document = cut(e.URL, mostText), cut(e.Document, mostText)
	e.EventData, e.EventName, e.EventID = cut(e.EventData, mostMessage), cut(e.EventName, mostText), cut(e.EventID, mostText)
	e.ErrorMessage, e.Error = cut(e.ErrorMessage, mostText), cut(e.Error, mostText)
	cutAll(e.Headers)
	if q := e.Request; q != nil {
		q.URL, q.Fragment = cut(q.URL, mostText), cut(q.Fragment, mostText)
		cutAll(q.Headers)
		size := 0
		for _, piece := range q.Entries {
			size += len(strings.TrimRight(piece.Bytes, "=")) * 3 / 4
		}
		size = max(size, len(q.Post))
		if size > mostPost {
			q.PostSize, q.Post, q.Entries = size, cut(q.Post, mostPost), nil
		}
	}
	for _, a := range []*response{e.Response, e.RedirectResponse} {
		if a != nil {
			a.URL, a.Payload = cut(a.URL, mostText), cut(a.Payload, mostMessage)
			cutAll(a.Headers)
			cutAll(a.RequestHeaders)
		}
	}
	if i := e.Initiator; i != nil {
		i.URL = cut(i.URL, mostText)
		left := mostFrames
		for s := i.Stack; s != nil; s = s.Parent {
			s.Frames = s.Frames[:min(len(s.Frames), left)]
			if left -= len(s.Frames); left == 0 {
				s.Parent = nil
			}
			for n := range s.Frames {
				s.Frames[n].URL, s.Frames[n].Name = cut(s.Frames[n].URL, mostText), cut(s.Frames[n].Name, 200)
			}
		}
	}
	short, err := wire.Marshal(e)
	if err != nil {
		return nil
	}
	return short
}

func cutAll(h map[string]string) {
	for name, value := range h {
		if len(value) > mostText {
			h[name] = cut(value, mostText)
		}
	}
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

// requestID finds the id of the request that an event is of, without decoding
// it: browsers write it first.
func requestID(k kind, params []byte) string {
	for _, first := range [...]string{`{"requestId":"`, `{"transportId":"`} {
		if rest, ok := bytes.CutPrefix(params, []byte(first)); ok {
			if end := bytes.IndexByte(rest, '"'); end >= 0 && bytes.IndexByte(rest[:end], '\\') < 0 {
				return string(rest[:end])
			}
		}
	}
	if e, ok := (raw{k, params}).decode(); ok {
		return e.ID + e.Transport
	}
	return ""
}

// These stand in the text of an event as they are here only if the browser put
// them there: in what a page says, quotes have a backslash before them.
var (
	redirected  = []byte(`"redirectResponse":{`)
	dataAddress = []byte(`"request":{"url":"data:`)
)
