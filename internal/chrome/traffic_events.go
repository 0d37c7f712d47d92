package chrome

import (
	"bytes"
	"strings"

	"rove/internal/wire"
)

// loadEvent is any event of the Network domain, as far as it is told: one shape for
// all of them, which is written again as it was read, only shorter.
type loadEvent struct {
	ID        string `json:"requestId,omitzero"`
	Transport string `json:"transportId,omitzero"`

	Loader           string         `json:"loaderId,omitzero"`
	Document         string         `json:"documentURL,omitzero"`
	Request          *sentRequest   `json:"request,omitzero"`
	Time             float64        `json:"timestamp,omitzero"` // seconds of a clock that only runs
	Wall             float64        `json:"wallTime,omitzero"`  // seconds since 1970
	Initiator        *loadInitiator `json:"initiator,omitzero"`
	RedirectExtra    bool           `json:"redirectHasExtraInfo,omitzero"`
	RedirectResponse *loadResponse  `json:"redirectResponse,omitzero"`
	Type             string         `json:"type,omitzero"`
	Frame            string         `json:"frameId,omitzero"`

	Response *loadResponse `json:"response,omitzero"`
	Extra    bool          `json:"hasExtraInfo,omitzero"`

	Headers map[string]string `json:"headers,omitzero"` // of the extra events
	Status  int               `json:"statusCode,omitzero"`

	Data    int64      `json:"dataLength,omitzero"`
	Encoded int64      `json:"encodedDataLength,omitzero"`
	Error   string     `json:"errorText,omitzero"`
	Cancel  bool       `json:"canceled,omitzero"`
	Blocked string     `json:"blockedReason,omitzero"`
	CORS    *corsError `json:"corsErrorStatus,omitzero"`

	EventName    string `json:"eventName,omitzero"`
	EventID      string `json:"eventId,omitzero"`
	EventData    string `json:"data,omitzero"`
	URL          string `json:"url,omitzero"` // of a socket
	ErrorMessage string `json:"errorMessage,omitzero"`
}

type sentRequest struct {
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

type loadInitiator struct {
	Type    string     `json:"type,omitzero"`
	Stack   *loadStack `json:"stack,omitzero"`
	URL     string     `json:"url,omitzero"`
	Line    float64    `json:"lineNumber,omitzero"` // from 0
	Column  float64    `json:"columnNumber,omitzero"`
	Request string     `json:"requestId,omitzero"` // whose preflight it is
}

type loadStack struct {
	Frames []callFrame `json:"callFrames,omitempty"`
	Parent *loadStack  `json:"parent,omitzero"`
}

type callFrame struct {
	Name   string  `json:"functionName,omitzero"`
	URL    string  `json:"url,omitzero"`
	Line   float64 `json:"lineNumber,omitzero"`
	Column float64 `json:"columnNumber,omitzero"`
}

type loadResponse struct {
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
	Timing         *loadTiming       `json:"timing,omitzero"`
	WorkerSource   string            `json:"serviceWorkerResponseSource,omitzero"`
	CacheName      string            `json:"cacheStorageCacheName,omitzero"`
	Protocol       string            `json:"protocol,omitzero"`

	Opcode  float64 `json:"opcode,omitzero"` // of a frame of a socket
	Payload string  `json:"payloadData,omitzero"`
}

// loadTiming has a start in seconds, and milliseconds from there; -1 for what did
// not happen.
type loadTiming struct {
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

type corsError struct {
	Error     string `json:"corsError,omitzero"`
	Parameter string `json:"failedParameter,omitzero"`
}

const (
	largeEvent  = 16 << 10 // above which an event is cut down before it is kept
	mostText    = 8 << 10  // of an address or a header's value
	keptPost    = 64 << 10 // of a body that is sent
	mostMessage = 16 << 10 // of a message in a stream
	mostFrames  = 8        // of a stack
)

// shorten cuts an event that is large down to what is told of it.
func shorten(params []byte) []byte {
	if len(params) <= largeEvent {
		return params
	}
	var e loadEvent
	if wire.Unmarshal(params, &e) != nil {
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
		if size > keptPost {
			q.PostSize, q.Post, q.Entries = size, cut(q.Post, keptPost), nil
		}
	}
	for _, a := range []*loadResponse{e.Response, e.RedirectResponse} {
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
	short, err := wire.Marshal(&e)
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
func requestID(params []byte) string {
	for _, first := range [...]string{`{"requestId":"`, `{"transportId":"`} {
		if rest, ok := bytes.CutPrefix(params, []byte(first)); ok {
			if end := bytes.IndexByte(rest, '"'); end >= 0 && bytes.IndexByte(rest[:end], '\\') < 0 {
				return string(rest[:end])
			}
		}
	}
	var e loadEvent
	if wire.Unmarshal(params, &e) != nil {
		return ""
	}
	return e.ID + e.Transport
}

// These stand in the text of an event as they are here only if the browser put
// them there: in what a page says, quotes have a backslash before them.
var (
	redirected  = []byte(`"redirectResponse":{`)
	dataAddress = []byte(`"request":{"url":"data:`)
)
