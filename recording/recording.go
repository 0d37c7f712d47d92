// Package recording is what a session did, in a form that outlives it: steps with
// their receipts, and for each element the ways that lead to it again.
//
// A recording is a file of JSON lines, described in docs/RECORD.md: a header with
// the version, a line for each step, and a line for each request where the traffic
// was kept as well.
package recording

import "time"

// Version is that of the format. A file of a later one is refused.
const Version = 1

// Recording is a whole one.
type Recording struct {
	Header
	Steps    []Step
	Requests []Request
}

// Header is the first line.
type Header struct {
	Rove    string    `json:"rove"` // "recording"
	Version int       `json:"version"`
	Started time.Time `json:"started,omitzero"`
	Browser string    `json:"browser,omitempty"`
	Size    *Size     `json:"size,omitzero"` // of the visible page, as the session began
	// Lost is how many steps before the first are not in it any more.
	Lost int `json:"lost,omitzero"`
	// Session, Ended and Why are of a session that nobody chose to end: its name, when
	// that was, and how it came.
	Session string    `json:"session,omitempty"`
	Ended   time.Time `json:"ended,omitzero"`
	Why     string    `json:"why,omitempty"`
}

// Size is that of the visible page, in CSS pixels.
type Size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Step is one thing that was done.
type Step struct {
	N    int       `json:"n"` // of the verb it belongs to: steps of one act share it
	Time time.Time `json:"time,omitzero"`
	Verb string    `json:"verb"` // go, look, act, wait, eval
	// Ref, Op and Value are those of an act; Value is what go, wait and eval were
	// told. Secrets are there by name: {{secret:NAME}}. What was typed into a field
	// that hides it is not there: Value is ••••.
	Ref   string `json:"ref,omitempty"`
	Op    string `json:"op,omitempty"`
	Value string `json:"value,omitempty"`
	// Param names what was typed into a field that hides it.
	Param string `json:"param,omitempty"`

	OK    bool   `json:"ok"`
	Code  string `json:"code,omitempty"` // why it failed
	Error string `json:"error,omitempty"`
	Took  int64  `json:"ms,omitzero"` // of the verb, with its last step

	Who    *Identity `json:"who,omitempty"`
	Effect *Effect   `json:"effect,omitempty"`
	Page   *Page     `json:"page,omitempty"` // what the verb led to, with its last step
}

// Identity is what an element was known by while it was there.
type Identity struct {
	Frame []Frame `json:"frame,omitempty"` // from the outermost on; none is the page itself
	Role  string  `json:"role"`
	Name  string  `json:"name,omitempty"`
	Tag   string  `json:"tag,omitempty"`
	Type  string  `json:"type,omitempty"` // of an input
	// Near is a text that the row, list item, dialog or group around it has and no
	// other of its kind.
	Near   string `json:"near,omitempty"`
	Secret bool   `json:"secret,omitzero"` // a field that hides what it holds
	Ways   []Way  `json:"ways"`            // the best first
}

// TakesFiles says that an element is a field for files.
func (who *Identity) TakesFiles() bool { return who.Tag == "input" && who.Type == "file" }

// Way leads to one element, and did to no other when it was taken.
type Way struct {
	By string `json:"by"` // testid, role, label, attr, place, text or css
	// Query is CSS, XPath, or {tag}text as Karate has it; "" where role and name are
	// all there is to go by.
	Query string `json:"q,omitempty"`
}

// Frame is one step on the way to a document in a frame.
type Frame struct {
	Name  string `json:"name,omitempty"`
	URL   string `json:"url,omitempty"`
	Index int    `json:"index"` // among those of the document around it
}

// Effect is what a step was seen to do.
type Effect struct {
	Navigated bool      `json:"navigated,omitzero"`
	URL       string    `json:"url,omitempty"`
	From      *string   `json:"from,omitzero"` // the element's value before
	To        *string   `json:"to,omitzero"`   // and after
	Already   bool      `json:"already,omitzero"`
	Dialog    *Dialog   `json:"dialog,omitempty"`
	Tabs      []string  `json:"tabs,omitempty"`
	Downloads []string  `json:"downloads,omitempty"`
	Requests  []Request `json:"requests,omitempty"` // that write, or were asked for by a script
	Changed   bool      `json:"changed,omitzero"`   // something was seen to happen
	Place     *Place    `json:"place,omitempty"`    // where a drag brought something
}

// Place is where something stands by now, and did not before: in the order that a page is
// read in.
type Place struct {
	What  string `json:"what"`
	By    string `json:"by"`             // something beside it that did not move
	After bool   `json:"after,omitzero"` // it comes after that, and else before
}

// Dialog is one that a step opened.
type Dialog struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// Request is one that a step caused, or a line of the traffic.
type Request struct {
	N      int    `json:"n,omitzero"` // the verb that caused it
	Method string `json:"method"`
	URL    string `json:"url"`
	Status int    `json:"status,omitzero"`
	Type   string `json:"type,omitempty"`
	// Asks is what a request of GraphQL asks for, as Asks has it.
	Asks string `json:"asks,omitempty"`
}

// Page is where a verb led to.
type Page struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
	// Appeared and Gone are what came into view and went since the verb before.
	Appeared []Line `json:"appeared,omitempty"`
	Gone     []Line `json:"gone,omitempty"`
}

// Line is something that a page says.
type Line struct {
	Role  string `json:"role"`
	Name  string `json:"name"`
	Frame bool   `json:"frame,omitzero"` // in a frame of the page
}
