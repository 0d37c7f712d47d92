package rove

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"rove/driver"
	"rove/driver/advice"
	"rove/driver/backend"
	"rove/internal/har"
	"rove/internal/outlet"
	"rove/network"
)

// Network is what was loaded: every request of pages, frames and workers, from
// the first moment on, the newest 5,000. Secrets read •••• in all that it gives.
type Network struct {
	log     *network.Log
	out     *outlet.Outlet
	browser string           // its name and version
	verb    func(int) string // what was done then, by its number in the history
	unseen  func() []string  // what was typed into fields that hide it; nil for nothing
}

// Request is a request and its answer: where it came from, what it cost, what had
// it made, and why it failed.
type Request = network.Request

// RequestFilter chooses requests by a part of the address or a pattern with *, by
// type, status (404, 4xx, failed, cancelled, pending, ok) and source. The zero
// value is all of them.
type RequestFilter = network.Filter

// ResponseBody is the body of an answer.
type ResponseBody = network.Body

// Requests is the answer to a RequestFilter.
type Requests struct{ network.Found }

// Network is what the session has loaded; nil where the browser does not tell.
func (s *Session) Network() *Network { return s.network }

// WatchNetwork watches what a driver's browser context loads from now on, until
// the driver quits.
//
//	d, err := rove.Drive(ctx, rove.Options{}, driver.Options{})
//	n, err := rove.WatchNetwork(d)
//	…
//	err = n.HAR(ctx, file, rove.HAROptions{})
func WatchNetwork(d *driver.Driver) (*Network, error) {
	c := d.BrowserContext()
	n := newNetwork(c, d.Options().Context.Policy, nil, 0)
	if n == nil {
		return nil, &Error{Code: CodeUnsupported, Op: "network", Message: "this browser does not tell what it loads", Hint: "use another browser for that"}
	}
	d.OnQuit(func() error { n.stop(); return nil })
	return n, nil
}

// keptAnswers is how much a session keeps of what its pages were given, in bytes: API tests
// are made of it later.
const keptAnswers = 8 << 20

// newNetwork begins to watch a context, and keeps so much of its answers; nil where it cannot
// be watched.
func newNetwork(c backend.Context, rules backend.Policy, out *outlet.Outlet, answers int64) *Network {
	watched, ok := c.(backend.Observable)
	if !ok {
		return nil
	}
	n := &Network{log: network.New(network.Limits{Answers: answers}), out: out}
	if rules != nil && rules.Limits() {
		n.log.Refuses = rules.URL
	}
	if v, ok := c.(backend.Versioned); ok {
		n.browser = v.Version()
	}
	n.log.Watch(watched)
	return n
}

func (n *Network) stop() {
	if n != nil {
		n.log.Stop()
	}
}

// mark says that a verb is at work; what is loaded meanwhile is its doing.
func (n *Network) mark(number int) (unmark func()) {
	if n == nil {
		return func() {}
	}
	return n.log.Mark(fmt.Sprint(number))
}

// Mark says what is being done from now on, until unmark is called: requests that
// begin meanwhile have it as their Cause. The verbs mark themselves.
func (n *Network) Mark(cause string) (unmark func()) { return n.log.Mark(cause) }

// Requests lists requests, oldest first.
func (n *Network) Requests(f RequestFilter) (*Requests, error) {
	found, err := n.log.Requests(f)
	if err != nil {
		return nil, driver.Invalid("requests", "%v", err)
	}
	for i := range found.Requests {
		n.finish(&found.Requests[i])
	}
	return &Requests{found}, nil
}

// finish makes a request fit to be shown.
func (n *Network) finish(q *Request) {
	q.Cause = n.named(q.Cause)
	q.Clean(n.out)
}

// named is a cause in words: verbs mark themselves by their number.
func (n *Network) named(cause string) string {
	var number int
	if n.verb == nil || cause == "" || strings.Trim(cause, "0123456789") != "" {
		return cause
	}
	if _, err := fmt.Sscan(cause, &number); err != nil {
		return cause
	}
	return n.verb(number)
}

// Body gets the body of the answer to a request, by its number. The browser has
// it as long as the page that asked for it is there; pages, and what their scripts asked
// for, are kept longer where they are text, and KeepBodies keeps all.
func (n *Network) Body(ctx context.Context, number int) (*ResponseBody, error) {
	b, err := n.log.Body(ctx, number, 0)
	op := fmt.Sprintf("body of request %d", number)
	switch {
	case errors.Is(err, network.ErrNoBody):
		return nil, driver.MaskError(n.out.Text, &Error{Code: CodeNotFound, Op: op, Message: err.Error(), Hint: "load the page again, and ask for the new request", Err: err})
	case errors.Is(err, network.ErrDialog):
		return nil, driver.MaskError(n.out.Text, (&Error{Code: CodeDialog, Op: op, Message: err.Error(), Err: err}).Advise(advice.AnswerAlert))
	case err != nil:
		return nil, driver.MaskError(n.out.Text, &Error{Code: CodeTimeout, Op: op, Message: err.Error(), Hint: "try again", Err: err})
	}
	out := *b.Clean(n.out)
	if out.IsText() {
		out.Text = string(out.Data)
	}
	return &out, nil
}

// KeepBodies has the bodies of answers kept as they come, those of up to 1 MiB, the
// newest up to so many bytes in all; 0 ends that.
func (n *Network) KeepBodies(bytes int64) { n.log.KeepBodies(bytes) }

// Clear forgets all requests and says how many there were.
func (n *Network) Clear() int { return n.log.Clear() }

// HAROptions shape an archive. The zero value is all requests, without bodies.
type HAROptions struct {
	RequestFilter
	// Bodies has the bodies of answers in it too, as far as the browser still has
	// them or they were kept: 64 MiB in all.
	Bodies bool
}

const mostBodies = 64 << 20

// HAR writes requests as a HAR 1.2 archive, which developer tools, proxies and
// load testers read.
func (n *Network) HAR(ctx context.Context, w io.Writer, opts HAROptions) error {
	how := network.HAROptions{Filter: opts.RequestFilter, Creator: creator(), Name: n.named, Out: n.out}
	if n.unseen != nil {
		how.Unseen = n.unseen()
	}
	if opts.Bodies {
		how.Bodies = mostBodies
	}
	if name, version, _ := strings.Cut(n.browser, "/"); name != "" {
		how.Browser = har.Name{Name: name, Version: version}
	}
	if err := opts.Check(); err != nil {
		return driver.Invalid("har", "%v", err)
	}
	if err := n.log.HAR(ctx, w, how); err != nil {
		return driver.MaskError(n.out.Text, &Error{Code: CodeProtocol, Op: "har", Message: err.Error(), Hint: "is there room where it is written?", Err: err})
	}
	return nil
}

func creator() har.Name {
	c := har.Name{Name: "rove", Version: "devel"}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		c.Version = info.Main.Version
	}
	return c
}

// Text is what a model reads: a line for each request.
func (r *Requests) Text() string {
	var b strings.Builder
	b.WriteString(r.Summary())
	for i := range r.Requests {
		b.WriteByte('\n')
		b.WriteString(r.Requests[i].Line())
	}
	return b.String()
}

// Summary says how many there are.
func (r *Requests) Summary() string {
	text := fmt.Sprintf("%d requests", r.All)
	switch {
	case r.All == 1 && r.Matched == 1:
		text = "1 request"
	case r.All == 0:
		text = "no requests yet"
	case r.Matched == 0:
		text = fmt.Sprintf("none of %d requests matches", r.All)
	case len(r.Requests) < r.Matched:
		text = fmt.Sprintf("the last %d of %d requests", len(r.Requests), r.Matched)
		if r.Matched < r.All {
			text += fmt.Sprintf(" that match, of %d", r.All)
		}
	case r.Matched < r.All:
		text = fmt.Sprintf("%d of %d requests", r.Matched, r.All)
	}
	if r.Dropped > 0 {
		text += fmt.Sprintf(" (%d older ones were dropped)", r.Dropped)
	}
	return text
}
