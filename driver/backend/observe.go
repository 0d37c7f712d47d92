package backend

import "context"

// Observation says what is to be told of a context, a bit each.
type Observation int

const (
	ObserveTraffic Observation = 1 << iota // Traffic, Forbidden, DocumentCame, DocumentTimed
	ObserveConsole                         // Written, WrittenGrew, WrittenLost, ExceptionHandled
)

// Observable is a Context that tells all that its pages, frames and workers load and
// write, in whole records. What nobody asked for costs nothing.
type Observable interface {
	// Observe has fn called with the events of all sources, those there and those to
	// come, in their order for each source, between its SourceAttached and its
	// SourceDetached. A source that is new has not begun to run when it is told of.
	// When stop has returned, fn is not called any more. fn must not wait, nor call the
	// context, its tabs or stop.
	Observe(what Observation, fn func(*Source, Event)) (stop func())
}

// Source is where something is loaded or written: a page, a frame in a process of its
// own, or a worker.
type Source struct {
	Kind string // page, frame, worker, shared_worker, service_worker
	ID   string // of a page or frame, its FrameID; of a worker, the id of the request for its script
	URL  string // when it was told of; a new page has none yet
	Tab  string // the tab it belongs to; "" for shared and service workers
	// Bodies has the bodies of answers, nil where the browser does not keep them.
	Bodies Bodies
}

// Bodies are the bodies of the answers that a source got, by their requests. A browser
// keeps them for as long as it likes, which is seldom longer than the page is there.
type Bodies interface {
	// Body gets one, or ends with what makes waiting for the page pointless.
	Body(ctx context.Context, request string) ([]byte, error)
	// StartBody asks for one without waiting: it may be called where events are told.
	// wait may not.
	StartBody(request string) (wait func(context.Context) ([]byte, error))
}

type (
	// SourceAttached comes before all else of a source.
	SourceAttached struct{}
	// SourceDetached is the last of it.
	SourceDetached struct{}
	// DocumentCame: the tab of the source has a new document. Its request, if there was
	// one, has the same id.
	DocumentCame struct{ Document, URL string }
	// DocumentTimed: that document is parsed, or has fired its load event.
	DocumentTimed struct {
		Document string
		Time     float64 // by the clock of TrafficRecord
		Loaded   bool
	}
	// Forbidden: the page's own Content-Security-Policy kept a request from being made.
	// Of some of them a failed request is told as well.
	Forbidden struct {
		URL   string
		Place *ScriptPlace // the script that asked for it
	}
	// Traffic is one thing told of a request. Pages load much at a time, so it is kept
	// as the browser wrote it, and read when somebody wants to know.
	Traffic struct {
		Kind     TrafficKind
		Request  string // the id of the request, the same over redirects, and whoever tells
		Redirect bool   // TrafficSent: it was led on by an answer
		Raw      []byte // as the browser wrote it, cut to a bearable length
		// Reader reads it; nil is what cannot be read.
		Reader func(Traffic) *TrafficRecord
	}
)

func (SourceAttached) event() {}
func (SourceDetached) event() {}
func (DocumentCame) event()   {}
func (DocumentTimed) event()  {}
func (Forbidden) event()      {}
func (Traffic) event()        {}

// Read reads it.
func (t Traffic) Read() (*TrafficRecord, bool) {
	if t.Reader == nil {
		return nil, false
	}
	r := t.Reader(t)
	return r, r != nil
}

// TrafficKind is what is told of a request.
type TrafficKind uint8

// The kinds, with the fields of TrafficRecord that they have beside Time. They come in
// about this order, but those of headers may come at any time.
const (
	TrafficSent            TrafficKind = iota + 1 // Request, Wall, Type, Frame, Document, Main, Initiator; RedirectResponse, RedirectExtra
	TrafficSentHeaders                            // Headers, as they really left
	TrafficFromMemory                             // the answer is from the cache in memory
	TrafficResponse                               // Response, Type, Extra
	TrafficResponseHeaders                        // Headers and Status, as they really came
	TrafficData                                   // Data, Encoded
	TrafficDone                                   // Encoded: all of it
	TrafficFailed                                 // Failure
	TrafficEventMessage                           // Message, of an event stream
	SocketCreated                                 // URL, Initiator
	SocketRequest                                 // Request, Wall
	SocketResponse                                // Response
	SocketSent                                    // Message
	SocketReceived                                // Message
	SocketFailed                                  // Failure
	SocketClosed
	TransportCreated // URL, Initiator
	TransportOpened
	TransportClosed
)

// TrafficRecord is what was told, read. Which fields count is a matter of its kind.
type TrafficRecord struct {
	Time float64 // seconds of a clock that only runs
	Wall float64 // seconds since 1970, of the same moment; 0 where it is not told

	Request          *SentRequest
	Initiator        *Initiator
	Type             string // TypeDocument, TypeXHR, …, or the browser's own word
	Frame            string
	Document         string // the address of the page
	Main             bool   // it is for the document of a tab
	RedirectResponse *ResponseHead
	RedirectExtra    bool // headers of that answer are told apart

	Response *ResponseHead
	Extra    bool // headers of it are told apart

	Headers map[string]string
	Status  int

	Data, Encoded int64 // bytes, decoded and on the network
	Failure       *LoadFailure
	Message       *StreamMessage
	URL           string
}

// SentRequest is a request as it was made. Headers of one name are one value, a line
// for each.
type SentRequest struct {
	URL, Method string
	Headers     map[string]string
	HasBody     bool
	Body        []byte // nil where it is not told
	BodySize    int    // where only the beginning of it is told
	Priority    string
}

// Initiator is what had a request made.
type Initiator struct {
	Type    string // parser, script, preload, preflight, other
	Place   *ScriptPlace
	Request string // whose preflight it is
}

// ScriptPlace is a place in a script, counted from 0.
type ScriptPlace struct {
	URL, Function string
	Line, Column  int
}

// ResponseHead is an answer without its body.
type ResponseHead struct {
	URL            string
	Status         int
	StatusText     string
	Headers        map[string]string
	RequestHeaders map[string]string // as they really left, where that is told here
	MIME           string
	Protocol       string // h2, http/1.1
	Connection     string // its number, "" where there was none
	Address        string // of the server; "" where there was none
	Port           int
	HeadBytes      int64 // on the network; 0 where it is not told
	FromDisk       bool
	FromPrefetch   bool
	FromWorker     bool
	WorkerSource   string // how the worker got it: network, cache-storage, http-cache, fallback-code
	CacheName      string
	// Remote says that the backend cannot tell an answer of the network from one of an
	// interception: it is taken to be of the network.
	Remote bool
	Timing *LoadTiming
}

// LoadTiming has a start in seconds, and milliseconds from there; -1 for what did not
// happen.
type LoadTiming struct {
	Start                    float64
	DNSStart, DNSEnd         float64
	ConnectStart, ConnectEnd float64
	TLSStart, TLSEnd         float64
	SendStart, SendEnd       float64
	HeadersEnd               float64
}

// LoadFailure is why there is no answer, or not the whole of one.
type LoadFailure struct {
	Reason Reason
	// Kind and Text say more than the reason does; "" where there is no more to say.
	Kind, Text string
	Code       string // the browser's own word
}

// StreamMessage is one of a socket or an event stream.
type StreamMessage struct {
	Opcode   int // of a socket: 1 text, 2 binary
	Name, ID string
	Data     string // base64 where it is binary
}
