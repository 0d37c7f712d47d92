package rove

import (
	"context"
	"fmt"
	"strings"

	"rove/console"
	"rove/driver"
	"rove/driver/backend"
	"rove/internal/outlet"
)

// Console is what pages, frames and workers wrote to their consoles, from their
// first moment on, and what the browser said about them: exceptions, rejections,
// failed requests, blocked content. The newest 1,000 entries are kept, each of them
// whole. Secrets read •••• in all that it gives.
type Console struct {
	log *console.Log
	out *outlet.Outlet
}

// ConsoleEntry is one thing that was written: its level and kind, its text, when
// and where.
type ConsoleEntry = console.Entry

// ConsoleFilter chooses entries by level or kind (error, warn, info, log, debug,
// exception, network, …) and by context (page, frame, worker, shared_worker,
// service_worker, or a part of an address). The zero value is all of them.
type ConsoleFilter = console.Filter

// ConsoleEntries is the answer to a ConsoleFilter.
type ConsoleEntries struct {
	Entries []ConsoleEntry `json:"entries"`           // newest first
	All     int            `json:"all"`               // how many there are, of every level and context
	Dropped int            `json:"dropped,omitempty"` // how many older ones are not kept any more
}

// Console is what was written in the session; nil where the browser does not tell.
func (s *Session) Console() *Console { return s.console }

// WatchConsole listens to the consoles of a driver's browser context from now on,
// until the driver quits.
func WatchConsole(d *driver.Driver) (*Console, error) {
	c := newConsole(d.BrowserContext(), nil)
	if c == nil {
		return nil, &Error{Code: CodeUnsupported, Op: "console", Message: "this browser does not tell what is written to the console", Hint: "use another browser for that"}
	}
	d.OnQuit(func() error { c.stop(); return nil })
	return c, nil
}

// newConsole begins to listen to a context; nil where it cannot be listened to.
func newConsole(c backend.Context, out *outlet.Outlet) *Console {
	watched, ok := c.(backend.Observable)
	if !ok {
		return nil
	}
	listening := &Console{log: console.New(), out: out}
	listening.log.Watch(watched)
	return listening
}

func (c *Console) stop() {
	if c != nil {
		c.log.Stop()
	}
}

// Entries lists entries, newest first. It waits a moment for values that are still
// being asked of the page.
func (c *Console) Entries(ctx context.Context, f ConsoleFilter) (*ConsoleEntries, error) {
	if err := f.Check(); err != nil {
		return nil, driver.Invalid("console", "%v", err)
	}
	r := &ConsoleEntries{Entries: c.log.Entries(ctx, f)}
	r.All, r.Dropped = c.log.Counts()
	cleanResult(c.out, r)
	return r, nil
}

// Clear forgets all entries and says how many there were.
func (c *Console) Clear() int { return c.log.Clear() }

// Lines are the entries as a model reads them. The address of the page is left out
// where there is only one.
func (r *ConsoleEntries) Lines() []string {
	page, one := "", true
	for _, e := range r.Entries {
		if e.Context.Kind == "page" {
			one = one && (page == "" || page == e.Context.URL)
			page = e.Context.URL
		}
	}
	lines := make([]string, len(r.Entries))
	for i, e := range r.Entries {
		lines[i] = e.Line(one)
	}
	return lines
}

// Text is what a model reads: a line for each entry, newest first.
func (r *ConsoleEntries) Text() string {
	return strings.Join(append([]string{r.Summary()}, r.Lines()...), "\n")
}

// Summary says how many there are.
func (r *ConsoleEntries) Summary() string {
	text := ""
	switch n := len(r.Entries); {
	case r.All == 0:
		text = "the console is empty"
	case n == 0:
		text = fmt.Sprintf("none of %d entries matches", r.All)
	case n < r.All:
		text = fmt.Sprintf("%d of %d entries, newest first", n, r.All)
	case n == 1:
		text = "1 entry"
	default:
		text = fmt.Sprintf("%d entries, newest first", n)
	}
	if r.Dropped > 0 {
		text += fmt.Sprintf(" (%d older ones were dropped)", r.Dropped)
	}
	return text
}
