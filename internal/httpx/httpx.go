// Package httpx is the HTTP client of features: it builds requests the way
// features write them, sends them, and gives back answers the way features read
// them. It knows neither features nor JavaScript.
//
// A Builder collects what the keywords of a scenario say and makes a Request of
// it. A Client sends requests with a Config; connections are kept by its Pool,
// which all scenarios of a suite share.
package httpx

import (
	"slices"
	"strings"
	"time"
)

// A Field is a name with its values: a header, a parameter, a form field.
type Field struct {
	Name   string
	Values []string
}

// Fields keep the order in which they were set. Names of headers are compared
// without their case; those of parameters as they are, by the methods of Params.
type Fields []Field

func (f Fields) index(name string) int {
	return slices.IndexFunc(f, func(g Field) bool { return strings.EqualFold(g.Name, name) })
}

// Get is the first value of a header, or "".
func (f Fields) Get(name string) string {
	if v := f.Values(name); len(v) > 0 {
		return v[0]
	}
	return ""
}

// Values are all values of a header.
func (f Fields) Values(name string) []string {
	if i := f.index(name); i >= 0 {
		return f[i].Values
	}
	return nil
}

// Set replaces a header. It keeps the place and the spelling of one that is
// there. Without values it is removed.
func (f *Fields) Set(name string, values ...string) {
	i := f.index(name)
	switch {
	case len(values) == 0:
		f.Del(name)
	case i >= 0:
		(*f)[i].Values = values
	default:
		*f = append(*f, Field{name, values})
	}
}

// Add appends a value to a header.
func (f *Fields) Add(name, value string) {
	if i := f.index(name); i >= 0 {
		(*f)[i].Values = append((*f)[i].Values, value)
		return
	}
	*f = append(*f, Field{name, []string{value}})
}

// Del removes a header.
func (f *Fields) Del(name string) {
	*f = slices.DeleteFunc(*f, func(g Field) bool { return strings.EqualFold(g.Name, name) })
}

// Clone is a copy that shares nothing.
func (f Fields) Clone() Fields {
	c := make(Fields, len(f))
	for i, g := range f {
		c[i] = Field{g.Name, slices.Clone(g.Values)}
	}
	return c
}

// A Request is one request, complete but for what the client itself adds: the
// credentials of its Config and the headers of the protocol.
type Request struct {
	Method string
	URL    string
	Header Fields
	// Body is nil where there is none.
	Body []byte
}

// A Response is the answer to a request, after redirects.
type Response struct {
	Status int
	// Reason is the phrase behind the status, as the server wrote it.
	Reason string
	Proto  string
	// URL is where the answer came from.
	URL    string
	Header Fields
	// Body is decoded: a compressed answer is given as what it was.
	Body []byte
	// Cookies are those set by the answer and by the redirects before it.
	Cookies []Cookie
	// Redirects were followed on the way, in order.
	Redirects []Redirect
	// Sent is the request as it went out last, with credentials and cookies.
	Sent  Request
	Start time.Time
	// Time lasts from the request to the last byte of the answer.
	Time time.Duration
}

// A Redirect is one step on the way to an answer.
type Redirect struct {
	Status   int
	From, To string
}

// ChangesScheme says whether a redirect led from HTTPS to HTTP or the other way
// round.
func (r Redirect) ChangesScheme() bool {
	return scheme(r.From) != scheme(r.To)
}

func scheme(address string) string {
	s, _, _ := strings.Cut(address, ":")
	return strings.ToLower(s)
}

// An Error says why there is no answer. Reason is a code: "address" for one that
// cannot be read, "dns", "refused", "tls", "timeout", "closed", "proxy",
// "redirect", "size", "encoding", "auth", "cancelled" or "network".
type Error struct {
	Reason string
	Method string
	URL    string
	// Message is the sentence without method and address.
	Message string
	Err     error
}

func (e *Error) Error() string {
	if e.URL == "" {
		return e.Message
	}
	return e.Method + " " + WithoutLogin(e.URL) + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.Err }
