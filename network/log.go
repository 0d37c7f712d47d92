package network

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"rove/driver/backend"
)

// Limits bound what a Log keeps. Zero fields are the defaults.
type Limits struct {
	Requests int   // 5,000; a chain of redirects counts as one
	Bytes    int64 // of all events, 32 MiB
	Messages int   // of one stream, 200
	Bodies   int64 // of answers kept as they come; none unless told
	// Answers is like Bodies, of pages and of what their scripts asked for alone, as far as
	// they are text: what is sent later may come from them.
	Answers int64
}

func (l Limits) withDefaults() Limits {
	if l.Requests <= 0 {
		l.Requests = 5000
	}
	if l.Bytes <= 0 {
		l.Bytes = 32 << 20
	}
	if l.Messages <= 0 {
		l.Messages = 200
	}
	return l
}

const (
	mostEvents  = 200       // of one request, messages and data apart
	streamBytes = 256 << 10 // of the messages of one stream
	mostPages   = 500
)

// Log keeps the requests of a browser context, the newest so many. Its methods
// may be called from any goroutine.
type Log struct {
	// Refuses gives the reason for which the session's policy refuses an address,
	// or nil. It is set before the first event.
	Refuses func(url string) error

	life    context.Context
	endLife context.CancelFunc
	stop    func() // ends the observation
	work    sync.WaitGroup

	mu         sync.Mutex
	limits     Limits
	records    []*record // in the order in which they began
	byID       map[string]*record
	bytes      int64 // of all records
	kept       int64 // of bodies, and the room of those on their way
	asked      int64 // of bodies that are on their way
	asking     int   // how many they are
	last       int   // number given to a request
	dropped    int   // records that went for want of space
	cause      string
	marked     int
	offset     *float64 // from the browser's running clock to the time of day; nil while nobody knows
	pages      []*page
	blocked    []blocked
	current    map[string]string             // the document in a tab
	lateBodies map[*backend.Source]time.Time // who did not give a body in time, and when
}

// record is all that is known of one request, with its redirects.
type record struct {
	id      string
	source  *backend.Source // who told of it first
	speaker *backend.Source // who told of its answer, and has its body
	numbers []int           // of the request and of each redirect
	cause   string
	page    string
	at      time.Time
	events  []backend.Traffic
	bytes   int64
	over    bool
	failed  bool
	left    time.Time // its page or worker was gone by then, and no more may come

	counter          *backend.Source // whose data is counted
	decoded, encoded int64

	messages     []backend.Traffic
	messageBytes int64
	messageCount int

	body *Body // kept as it came
	room int64 // that it takes, or that is kept for it while it is on its way
}

// page is a document in a tab.
type page struct {
	id, url string
	at      time.Time // we heard of it
	content float64   // DOMContentLoaded and load, by the running clock
	load    float64
}

// New makes a log that nobody feeds yet.
func New(limits Limits) *Log {
	l := &Log{limits: limits.withDefaults(), byID: map[string]*record{}, current: map[string]string{}}
	l.life, l.endLife = context.WithCancel(context.Background())
	return l
}

// Watch feeds a log from a browser context until it is stopped.
func (l *Log) Watch(c backend.Observable) { l.stop = c.Observe(backend.ObserveTraffic, l.Event) }

// Stop ends the watching. What is there can still be read, but for bodies that
// only the browser has.
func (l *Log) Stop() {
	if l.stop != nil {
		l.stop()
	}
	l.mu.Lock() // who has it begins work only while there is life
	l.endLife()
	l.mu.Unlock()
	l.work.Wait()
}

// Mark says what is being done from now on: requests that begin carry it as
// their cause, until unmark is called or somebody else marks.
func (l *Log) Mark(cause string) (unmark func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cause = cause
	l.marked++
	n := l.marked
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.marked == n {
			l.cause = ""
		}
	}
}

// KeepBodies has bodies kept as they come, the newest up to so many bytes in all: a
// browser forgets them when it leaves their page. Zero ends that.
func (l *Log) KeepBodies(bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits.Bodies = bytes
}

// Event takes in an event. It does not wait, and hardly reads.
func (l *Log) Event(src *backend.Source, ev backend.Event) {
	switch ev := ev.(type) {
	case backend.Traffic:
		l.traffic(src, ev)
	case backend.SourceDetached:
		l.gone(src)
	case backend.Forbidden:
		l.addForbidden(src, ev)
	case backend.DocumentCame:
		l.navigated(src, ev)
	case backend.DocumentTimed:
		l.timed(ev)
	}
}

// traffic takes in what is told of a request.
func (l *Log) traffic(src *backend.Source, t backend.Traffic) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.byID[t.Request]
	if r == nil {
		if r = l.begin(src, t.Request, t.Kind); r == nil {
			return
		}
	}
	switch k := t.Kind; {
	case r.failed && (k == backend.TrafficData || ends(k)):
		return // of the page that the browser shows for a failure
	case k == backend.TrafficData:
		r.count(src, t)
		return
	case isMessage(k):
		l.message(r, src, t)
		return
	}
	if len(r.events) == mostEvents || slices.ContainsFunc(r.events, func(o backend.Traffic) bool { return o.Kind == t.Kind && bytes.Equal(o.Raw, t.Raw) }) {
		return // told by two sources, or by a browser gone mad
	}
	if !l.advance(r, src, t) {
		return
	}
	r.events = append(r.events, t)
	l.grow(r, int64(len(t.Raw)))
	if t.Kind == backend.TrafficDone {
		l.keepBody(r, src)
	}
}

// begins says that a request is known from an event of this kind on.
func begins(k backend.TrafficKind) bool {
	return k == backend.TrafficSent || k == backend.SocketCreated || k == backend.TransportCreated
}

// ends says that it is the last of a request.
func ends(k backend.TrafficKind) bool {
	return k == backend.TrafficDone || k == backend.TrafficFailed || k == backend.SocketClosed || k == backend.TransportClosed
}

// isMessage says that it is one of many in a stream.
func isMessage(k backend.TrafficKind) bool {
	return k == backend.TrafficEventMessage || k == backend.SocketSent || k == backend.SocketReceived
}

// advance notes what an event means for its request; false is nothing. The lock is
// held.
func (l *Log) advance(r *record, src *backend.Source, t backend.Traffic) bool {
	k := t.Kind
	switch {
	case begins(k):
		if len(r.numbers) == 0 {
			r.source, r.at = src, time.Now()
			r.cause, r.page = l.cause, l.current[src.Tab]
		} else if !t.Redirect {
			return false
		}
		r.over = false
		l.number(r)
	case k == backend.TrafficResponse:
		r.speaker = src
		if len(r.numbers) == 0 { // a worker's script: all that is told of it is the answer
			l.number(r)
		}
	case ends(k):
		r.over = true
		r.failed = k == backend.TrafficFailed
		if k == backend.TrafficDone && r.speaker == nil {
			r.speaker = src
		}
		if k == backend.TrafficFailed {
			l.forbidden(r, src, t)
		}
	}
	if l.offset == nil && k == backend.TrafficSent {
		if e, ok := t.Read(); ok && e.Wall > 0 {
			l.offset = new(e.Wall - e.Time)
		}
	}
	return true
}

// begin makes a record for what is not known yet. What comes of requests that
// were cleared away, or had begun before anybody listened, is not told.
func (l *Log) begin(src *backend.Source, id string, k backend.TrafficKind) *record {
	switch {
	case begins(k):
	case k == backend.TrafficSentHeaders, k == backend.TrafficResponseHeaders: // may come first
	case k == backend.TrafficResponse && id == src.ID: // the script of a service worker
	default:
		return nil
	}
	r := &record{id: id, source: src, at: time.Now(), cause: l.cause, page: l.current[src.Tab]}
	l.byID[id] = r
	l.records = append(l.records, r)
	if len(l.records) > l.limits.Requests {
		l.evict(r)
	}
	return r
}

func (l *Log) number(r *record) {
	l.last++
	r.numbers = append(r.numbers, l.last)
}

// grow counts what a record takes, and makes room.
func (l *Log) grow(r *record, n int64) {
	r.bytes += n
	l.bytes += n
	for l.bytes > l.limits.Bytes && len(l.records) > 1 {
		l.evict(r)
	}
}

// evict drops the oldest record that is over, or the oldest, but not this one.
func (l *Log) evict(but *record) {
	i := slices.IndexFunc(l.records, func(r *record) bool { return (r.over || !r.left.IsZero()) && r != but })
	if i < 0 {
		i = slices.IndexFunc(l.records, func(r *record) bool { return r != but })
	}
	if i < 0 {
		return
	}
	if len(l.records[i].numbers) > 0 {
		l.dropped++
	}
	l.forget(l.records[i])
	if i == 0 {
		l.records[0] = nil
		l.records = l.records[1:] // which is most of the time, and moves nothing
		return
	}
	l.records = slices.Delete(l.records, i, i+1)
}

func (l *Log) forget(r *record) {
	delete(l.byID, r.id)
	l.bytes -= r.bytes
	l.dropBody(r)
}

// count adds up data that came. Two sessions may tell of the same.
func (r *record) count(src *backend.Source, t backend.Traffic) {
	if r.counter == nil {
		r.counter = src
	}
	if r.counter != src {
		return
	}
	if e, ok := t.Read(); ok {
		r.decoded += max(e.Data, 0)
		r.encoded += max(e.Encoded, 0)
	}
}

// message keeps a message of a stream, the last so many.
func (l *Log) message(r *record, src *backend.Source, m backend.Traffic) {
	if r.counter == nil {
		r.counter = src
	}
	if r.counter != src {
		return
	}
	r.messageCount++
	r.messages = append(r.messages, m)
	r.messageBytes += int64(len(m.Raw))
	grown := int64(len(m.Raw))
	for len(r.messages) > 1 && (len(r.messages) > l.limits.Messages || r.messageBytes > streamBytes) {
		first := int64(len(r.messages[0].Raw))
		r.messages[0] = backend.Traffic{}
		r.messages = r.messages[1:]
		r.messageBytes -= first
		grown -= first
	}
	l.grow(r, grown)
}

// gone is the end of a target.
func (l *Log) gone(src *backend.Source) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leave(func(r *record) bool { return r.speaker == src || r.speaker == nil && r.source == src })
	if src.Kind == "page" {
		delete(l.current, src.Tab)
	}
	delete(l.lateBodies, src)
}

// leave notes that requests have lost whom they were for: a browser does not
// always tell how they ended. The lock is held.
func (l *Log) leave(whose func(*record) bool) {
	for _, r := range l.records {
		if !r.over && r.left.IsZero() && whose(r) {
			r.left = time.Now()
		}
	}
}

// navigated notes the document that is in a tab now.
func (l *Log) navigated(src *backend.Source, ev backend.DocumentCame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.current[src.Tab]
	l.leave(func(r *record) bool {
		return r.source.Tab == src.Tab && r.page == old && r.id != ev.Document
	})
	l.current[src.Tab] = ev.Document
	if len(l.pages) == mostPages {
		l.pages = slices.Delete(l.pages, 0, 1)
	}
	l.pages = append(l.pages, &page{id: ev.Document, url: ev.URL, at: time.Now()})
}

// timed notes when a document was parsed or loaded.
func (l *Log) timed(ev backend.DocumentTimed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.pages {
		switch {
		case p.id != ev.Document:
		case ev.Loaded:
			p.load = ev.Time
		default:
			p.content = ev.Time
		}
	}
}

// Clear forgets the requests, also those that are still on their way, and says
// how many there were.
func (l *Log) Clear() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, r := range l.records {
		n += len(r.numbers)
		l.forget(r)
	}
	l.records, l.blocked, l.dropped = nil, nil, 0
	last := map[string]bool{}
	for _, id := range l.current {
		last[id] = true
	}
	l.pages = slices.DeleteFunc(l.pages, func(p *page) bool { return !last[p.id] })
	return n
}
