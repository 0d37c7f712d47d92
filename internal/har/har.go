// Package har reads and writes HAR 1.2, the archive format for HTTP traffic that browsers'
// developer tools, proxies and load testers read. What is not of the standard has
// a name that begins with an underscore, as the standard asks for, and is named
// as Chrome's developer tools name it where they have it.
package har

import (
	"bufio"
	"io"
	"iter"
	"math"
	"time"

	"rove/internal/wire"
)

// Log is the root of an archive, apart from its entries.
type Log struct {
	Creator Name
	Browser Name
	Pages   []Page
	Comment string
}

// Name is a program and its version.
type Name struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Page is a document in a tab, which entries refer to by its ID.
type Page struct {
	Started Time        `json:"startedDateTime"`
	ID      string      `json:"id"`
	Title   string      `json:"title"`
	Timings PageTimings `json:"pageTimings"`
}

// PageTimings are milliseconds from the start of the page; -1 for what did not
// happen.
type PageTimings struct {
	OnContentLoad Millis `json:"onContentLoad"`
	OnLoad        Millis `json:"onLoad"`
}

// Entry is a request and its response.
type Entry struct {
	Page            string   `json:"pageref,omitzero"`
	Started         Time     `json:"startedDateTime"`
	Time            Millis   `json:"time"`
	Request         Request  `json:"request"`
	Response        Response `json:"response"`
	Cache           Cache    `json:"cache"`
	Timings         Timings  `json:"timings"`
	ServerIPAddress string   `json:"serverIPAddress,omitzero"`
	Connection      string   `json:"connection,omitzero"`
	Comment         string   `json:"comment,omitzero"`

	Number       int        `json:"_number,omitzero"`
	Initiator    *Initiator `json:"_initiator,omitzero"`
	ResourceType string     `json:"_resourceType,omitzero"`
	FromCache    string     `json:"_fromCache,omitzero"` // memory, disk, prefetch
	Source       string     `json:"_source,omitzero"`
	Context      string     `json:"_context,omitzero"`
	Cause        string     `json:"_cause,omitzero"`
	Priority     string     `json:"_priority,omitzero"`

	WebSocketMessages   []SocketMessage `json:"_webSocketMessages,omitempty"`
	EventSourceMessages []EventMessage  `json:"_eventSourceMessages,omitempty"`
}

// Request is what was asked.
type Request struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []Cookie  `json:"cookies"`
	Headers     []Pair    `json:"headers"`
	QueryString []Pair    `json:"queryString"`
	PostData    *PostData `json:"postData,omitzero"`
	HeadersSize int64     `json:"headersSize"` // -1 where it is not known, as all sizes
	BodySize    int64     `json:"bodySize"`
}

// Response is what was answered; status 0 where nothing was.
type Response struct {
	Status       int      `json:"status"`
	StatusText   string   `json:"statusText"`
	HTTPVersion  string   `json:"httpVersion"`
	Cookies      []Cookie `json:"cookies"`
	Headers      []Pair   `json:"headers"`
	Content      Content  `json:"content"`
	RedirectURL  string   `json:"redirectURL"`
	HeadersSize  int64    `json:"headersSize"`
	BodySize     int64    `json:"bodySize"`
	TransferSize int64    `json:"_transferSize"`
	Error        string   `json:"_error,omitzero"`

	FetchedViaServiceWorker     bool   `json:"_fetchedViaServiceWorker,omitzero"`
	ServiceWorkerResponseSource string `json:"_serviceWorkerResponseSource,omitzero"`
	ResponseCacheStorageName    string `json:"_responseCacheStorageCacheName,omitzero"`
}

// Pair is a header or a parameter of a query.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Param is a field of a form that was sent; it may be a file.
type Param struct {
	Name        string `json:"name"`
	Value       string `json:"value"`
	FileName    string `json:"fileName,omitzero"`
	ContentType string `json:"contentType,omitzero"`
}

// Cookie is one that was sent or set.
type Cookie struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	Path     string `json:"path,omitzero"`
	Domain   string `json:"domain,omitzero"`
	Expires  *Time  `json:"expires,omitzero"`
	HTTPOnly bool   `json:"httpOnly,omitzero"`
	Secure   bool   `json:"secure,omitzero"`
	SameSite string `json:"sameSite,omitzero"`
}

// PostData is a body that was sent: its text, or its parameters as well.
type PostData struct {
	MIMEType string  `json:"mimeType"`
	Text     string  `json:"text"`
	Params   []Param `json:"params,omitempty"`
	Comment  string  `json:"comment,omitzero"`
	// Secret are the names of the fields that were typed into fields that hide it.
	Secret []string `json:"_secret,omitempty"`
}

// Content is the body of a response. Encoding is base64 where it is no text.
type Content struct {
	Size        int64  `json:"size"`
	Compression int64  `json:"compression,omitzero"`
	MIMEType    string `json:"mimeType"`
	Text        string `json:"text,omitzero"`
	Encoding    string `json:"encoding,omitzero"`
	Comment     string `json:"comment,omitzero"`
}

// Cache is what a cache held. Browsers do not tell; FromCache does.
type Cache struct{}

// Timings are the phases of an entry; -1 for those that it did not have. TLS is
// a part of Connect.
type Timings struct {
	Blocked Millis `json:"blocked"`
	DNS     Millis `json:"dns"`
	Connect Millis `json:"connect"`
	Send    Millis `json:"send"`
	Wait    Millis `json:"wait"`
	Receive Millis `json:"receive"`
	TLS     Millis `json:"ssl"`
}

// Total is the time of an entry with these phases, as the standard has it.
func (t Timings) Total() Millis {
	var sum Millis
	for _, phase := range []Millis{t.Blocked, t.DNS, t.Connect, t.Send, t.Wait, t.Receive} {
		sum += max(phase, 0)
	}
	return sum
}

// Initiator is what had a request made.
type Initiator struct {
	Type   string `json:"type"`
	URL    string `json:"url,omitzero"`
	Line   int    `json:"lineNumber,omitzero"` // from 1, as people count
	Column int    `json:"columnNumber,omitzero"`
	Name   string `json:"functionName,omitzero"`
	Entry  int    `json:"_entry,omitzero"` // the number of the entry it belongs to
}

// SocketMessage is one of a web socket.
type SocketMessage struct {
	Type   string  `json:"type"` // send, receive, error
	Time   Seconds `json:"time"`
	Opcode int     `json:"opcode"`
	Data   string  `json:"data"`
}

// EventMessage is one of an event stream.
type EventMessage struct {
	Time  Seconds `json:"time"`
	Event string  `json:"eventName"`
	ID    string  `json:"eventId"`
	Data  string  `json:"data"`
}

// Time is a moment, written as the standard wants it. Years that it cannot be
// written for are the beginning of time.
type Time time.Time

// MarshalText writes the moment.
func (t Time) MarshalText() ([]byte, error) {
	at := time.Time(t).UTC()
	if y := at.Year(); y < 1 || y > 9999 {
		at = time.Unix(0, 0).UTC()
	}
	return at.AppendFormat(nil, "2006-01-02T15:04:05.000Z"), nil
}

// Millis are milliseconds, to the microsecond.
type Millis float64

// MarshalJSON writes a number whatever it is.
func (m Millis) MarshalJSON() ([]byte, error) { return number(float64(m)) }

// Seconds since 1970, to the microsecond.
type Seconds float64

// MarshalJSON writes a number whatever it is.
func (s Seconds) MarshalJSON() ([]byte, error) { return number(float64(s)) }

func number(f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) || math.Abs(f) > 1e12 {
		f = -1
	}
	return wire.Marshal(math.Round(f*1e6) / 1e6)
}

// Write writes an archive, entry by entry, as they come.
func Write(w io.Writer, log Log, entries iter.Seq[*Entry]) error {
	out := bufio.NewWriter(w)
	put := func(before string, v any) error {
		text, err := wire.Marshal(v)
		if err != nil {
			return err
		}
		_, _ = out.WriteString(before)
		_, err = out.Write(text)
		return err
	}
	if err := put(`{"log":{"version":"1.2","creator":`, log.Creator); err != nil {
		return err
	}
	if log.Browser != (Name{}) {
		if err := put(`,"browser":`, log.Browser); err != nil {
			return err
		}
	}
	before := ",\"pages\":["
	for i := range log.Pages {
		if err := put(before, &log.Pages[i]); err != nil {
			return err
		}
		before = ",\n"
	}
	if len(log.Pages) == 0 {
		_, _ = out.WriteString(before)
	}
	if log.Comment != "" {
		if err := put(`],"comment":`, log.Comment); err != nil {
			return err
		}
	} else {
		_, _ = out.WriteString("]")
	}
	_, _ = out.WriteString(`,"entries":[`)
	before = "\n"
	for e := range entries {
		if err := put(before, e); err != nil {
			return err
		}
		before = ",\n"
	}
	_, _ = out.WriteString("\n]}}\n")
	return out.Flush()
}
