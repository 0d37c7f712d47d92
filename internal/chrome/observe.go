package chrome

import (
	"context"
	"sync/atomic"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/anypage"
)

// Source is where protocol events come from: its ID is that of its target.
type Source struct {
	backend.Source

	conn    *cdp.Conn
	session *cdp.Session
	page    *Tab        // of a page, or of a frame
	gone    atomic.Bool // no more is told of it
}

// Command describes a call to the source, for Start. It is none of the round trips
// of what is being done meanwhile.
func (s *Source) Command(method string, params any) cdp.Command {
	return s.session.Command(method, params).Aside()
}

// Start sends the source commands in one write and does not wait. The replies come
// behind the events that the browser sent before them: whoever waits for one does
// so on a goroutine of his own, never in the function given to ObserveProtocol.
func (s *Source) Start(cmds ...cdp.Command) []*cdp.Pending { return s.conn.Start(cmds...) }

// Call calls the source and waits for the answer, or for what makes waiting for that
// of a page or a frame pointless: its crash, its end, a dialog.
func (s *Source) Call(ctx context.Context, method string, params, out any) error {
	if s.page == nil {
		return fault(s.Start(s.Command(method, params))[0].Wait(ctx, out))
	}
	g, err := s.page.enter(ctx)
	if err != nil {
		return err
	}
	return s.page.await(ctx, g, s.Start(s.Command(method, params))[0], out)
}

// What is told of a source itself, as events among its own. They have no
// parameters.
const (
	// SourceAttached comes before all else of a source. If it is new it has not
	// begun to run, and what is started at this moment comes before it does.
	SourceAttached = "Rove.attached"
	// SourceDetached is the last of it.
	SourceDetached = "Rove.detached"
	// SourceUnread stands for a line of its console that there was no time to read.
	SourceUnread = "Rove.unread"
)

// Speaker is a browser context that tells all that its targets say, in the protocol's
// words: a *Context, or what a test puts before one. It is for what is Chrome's alone;
// all else is told by Observe.
type Speaker interface {
	ObserveProtocol(fn func(*Source, cdp.Event)) (stop func())
}

// Observe has fn called with what the targets of the context load and write; see
// backend.Observable.
func (c *Context) Observe(what backend.Observation, fn func(*backend.Source, backend.Event)) (stop func()) {
	return Observe(c, what, fn)
}

// Observe puts what is said in the protocol's words into records, which it tells fn.
func Observe(c Speaker, what backend.Observation, fn func(*backend.Source, backend.Event)) (stop func()) {
	event, end := Tell(what, fn)
	stopEvents := c.ObserveProtocol(event)
	return func() {
		stopEvents()
		end()
	}
}

// Tell gives a function that takes the protocol events of a context and tells fn what
// they say, and one that ends it.
func Tell(what backend.Observation, fn func(*backend.Source, backend.Event)) (event func(*Source, cdp.Event), end func()) {
	var tellers []func(*Source, cdp.Event)
	end = func() {}
	if what&backend.ObserveTraffic != 0 {
		tellers = append(tellers, func(s *Source, ev cdp.Event) { tellTraffic(s, ev, fn) })
	}
	if what&backend.ObserveConsole != 0 {
		console := newConsoleTeller(fn)
		tellers, end = append(tellers, console.event), console.stop
	}
	return func(s *Source, ev cdp.Event) {
		if ev.Method == SourceAttached {
			fn(&s.Source, backend.SourceAttached{})
		}
		for _, tell := range tellers {
			tell(s, ev)
		}
		if ev.Method == SourceDetached {
			fn(&s.Source, backend.SourceDetached{})
		}
	}, end
}

// observers are told all that the targets of a context say.
type observers struct {
	anypage.Audience[*Source, cdp.Event]
}

func (w *observers) init() {
	w.Attached = func(s *Source) cdp.Event { return cdp.Event{Session: s.session, Method: SourceAttached} }
	w.Detached = func(s *Source) cdp.Event { return cdp.Event{Session: s.session, Method: SourceDetached} }
	w.Gone = func(s *Source) bool { return s.gone.Load() }
}

// ObserveProtocol has fn called with every protocol event of all targets of the context:
// pages, frames, workers, shared and service workers, those there and those to
// come. Runtime, Log and Network are enabled in all of them before they begin to
// run. Events of one source come in their order, between a SourceAttached and a
// SourceDetached; fn is called with one at a time, and not any more when stop has
// returned.
//
// fn must not wait, nor call the context, its tabs or stop: it holds up what it is
// told of.
func (c *Context) ObserveProtocol(fn func(*Source, cdp.Event)) (stop func()) {
	return c.observers.Observe(everything, fn)
}

const everything = ^backend.Observation(0)

// tell passes on an event.
func (w *observers) tell(s *Source, ev cdp.Event) { w.Tell(everything, s, ev) }

// leave is the end of a source.
func (w *observers) leave(s *Source) {
	if s != nil && !s.gone.Swap(true) {
		w.Leave(s)
	}
}

func (b *Browser) source(s *cdp.Session, kind, id, url, tab string) *Source {
	if kind == "shared_worker" || kind == "service_worker" {
		tab = ""
	}
	source := &Source{Source: backend.Source{Kind: kind, ID: id, URL: backend.WithoutLogin(url), Tab: tab}, conn: b.conn, session: s}
	source.Bodies = source
	return source
}

// mostPost is the largest body of a request that is told with it: an upload of a
// hundred megabytes is not to come over the connection, and twice.
const mostPost = 1 << 20

// reporting has a session tell what it loads and what it writes to its console.
func reporting(s *cdp.Session) []cdp.Command {
	return []cdp.Command{
		s.Command(runtime.CommandEnable, nil),
		s.Command(log.CommandEnable, nil),
		s.Command(network.CommandEnable, &network.EnableParams{MaxPostDataSize: new(int64(mostPost))}),
	}
}
