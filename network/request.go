package network

import (
	"time"
)

// Request is one request and its answer. A redirect is a request of its own, as
// is a preflight.
type Request struct {
	Number int    `json:"n"` // counts from 1, never used again
	Method string `json:"method"`
	URL    string `json:"url"`
	// Type is what it is for, in lower case: document, stylesheet, image, media,
	// font, script, xhr, fetch, eventsource, websocket, manifest, ping, preflight,
	// prefetch, other …
	Type string `json:"type"`
	// State is pending, done, failed or cancelled.
	State string `json:"state"`
	// Failure says why there is no (whole) answer.
	Failure *Failure `json:"failure,omitempty"`

	Status      int    `json:"status,omitempty"`
	StatusText  string `json:"status_text,omitempty"`
	ContentType string `json:"content_type,omitempty"`
	// Source is where the answer came from: network, service worker, memory
	// cache, disk cache, prefetch cache, or local for what never was on a network
	// (blob:, file:, an interception's answer). It is empty while there is no answer.
	Source string `json:"source,omitempty"`
	// Served is how a service worker got the answer (cache storage, network, http
	// cache, or the worker itself), and who else answered.
	Served string `json:"served,omitempty"`

	Start    time.Time  `json:"start"`
	Answered *time.Time `json:"answered,omitempty"` // when the head of the answer was there
	Millis   float64    `json:"ms"`                 // until the end, or until now
	Phases   *Phases    `json:"phases,omitempty"`

	Transferred int64 `json:"transferred"` // bytes on the network, head and body
	Size        int64 `json:"size"`        // bytes of the body, decoded

	Protocol string `json:"protocol,omitempty"`
	Remote   string `json:"remote,omitempty"` // address and port

	// Context is who made it: page, frame, worker, shared worker, service worker.
	Context    string `json:"context"`
	ContextURL string `json:"context_url,omitempty"` // of a worker or frame
	Tab        string `json:"tab,omitempty"`
	Document   string `json:"document,omitempty"` // the page's address

	Initiator Initiator `json:"initiator"`
	// Cause is what was being done when it began: "act 3", as the one who marks
	// has it.
	Cause string `json:"cause,omitempty"`

	RedirectFrom int `json:"redirect_from,omitempty"` // numbers of requests
	RedirectTo   int `json:"redirect_to,omitempty"`
	PreflightFor int `json:"preflight_for,omitempty"`

	RequestHeaders  []Header `json:"request_headers,omitempty"`
	ResponseHeaders []Header `json:"response_headers,omitempty"`
	Sent            *Sent    `json:"sent,omitempty"`
	Body            *Body    `json:"body,omitempty"` // where it was asked for

	// Messages are the last ones of a socket or event stream.
	Messages     []Message `json:"messages,omitempty"`
	MessageCount int       `json:"message_count,omitempty"`

	id         string
	page       string // of a HAR
	redirect   bool
	priority   string
	cacheName  string
	connection string
	headBytes  int64 // of the answer; -1 if nobody knows
	wall       float64
}

// Phases are the parts of a request's time in milliseconds; -1 for those that
// it did not have. TLS is a part of Connect.
type Phases struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	TLS     float64 `json:"tls"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// Header is one line of a head.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Sent is a body that was sent.
type Sent struct {
	Text   string `json:"text,omitempty"`   // as much as is kept
	Base64 bool   `json:"base64,omitempty"` // the text is base64: the body is no text
	Size   int    `json:"size"`             // -1 if nobody knows
	Note   string `json:"note,omitempty"`   // what is missing
}

// Initiator is what had a request made.
type Initiator struct {
	Type   string `json:"type"` // parser, script, preload, preflight, other
	URL    string `json:"url,omitempty"`
	Line   int    `json:"line,omitempty"` // from 1
	Column int    `json:"column,omitempty"`
	Name   string `json:"function,omitempty"`
}

// Message is one of a stream.
type Message struct {
	Time   time.Time `json:"time"`
	Sent   bool      `json:"sent,omitempty"` // by the page
	Binary bool      `json:"binary,omitempty"`
	Opcode int       `json:"opcode,omitempty"`
	Event  string    `json:"event,omitempty"`
	ID     string    `json:"id,omitempty"`
	Data   string    `json:"data"` // base64 where it is binary
}

// The states of a request.
const (
	Pending   = "pending"
	Done      = "done"
	Failed    = "failed"
	Cancelled = "cancelled"
)

// Where answers come from.
const (
	FromNetwork  = "network"
	FromWorker   = "service worker"
	FromMemory   = "memory cache"
	FromDisk     = "disk cache"
	FromPrefetch = "prefetch cache"
	FromLocal    = "local"
)
