package network

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"rove/cdp"
	"rove/internal/chrome"
	"rove/internal/wire"
)

// Limits bound what a Log keeps. Zero fields are the defaults.
type Limits struct {
	Requests int   // 5,000; a chain of redirects counts as one
	Bytes    int64 // of all events, 32 MiB
	Messages int   // of one stream, 200
	Bodies   int64 // of answers kept as they come; none unless told
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

	mu      sync.Mutex
	limits  Limits
	records []*record // in the order in which they began
	byID    map[string]*record
	bytes   int64 // of all records
	kept    int64 // of bodies, and the room of those on their way
	asked   int64 // of bodies that are on their way
	last    int   // number given to a request
	dropped int   // records that went for want of space
	cause   string
	marked  int
	offset  float64 // from the browser's running clock to the time of day
	pages   []*page
	blocked []blocked
	current map[string]string            // the document in a tab
	deaf    map[*chrome.Source]time.Time // who did not give a body in time, and when
}

// record is all that is known of one request, with its redirects.
type record struct {
	id      string
	source  *chrome.Source // who told of it first
	speaker *chrome.Source // who told of its answer, and has its body
	numbers []int          // of the request and of each redirect
	cause   string
	page    string
	at      time.Time
	events  []raw
	bytes   int64
	over    bool
	failed  bool
	left    time.Time // its page or worker was gone by then, and no more may come

	counter          *chrome.Source // whose data is counted
	decoded, encoded int64

	messages     []raw
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

// Observable is what has events: a *chrome.Context.
type Observable = chrome.Observable

// Watch feeds a log from a browser context until it is stopped.
func (l *Log) Watch(c Observable) { l.stop = c.Observe(l.Event) }

// Stop ends the watching. What is there can still be read, but for bodies that
// only the browser has.
func (l *Log) Stop() {
	if l.stop != nil {
		l.stop()
	}
	l.endLife()
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
func (l *Log) Event(src *chrome.Source, ev cdp.Event) {
	if k, ok := kinds[ev.Method]; ok {
		l.network(src, k, ev.Params)
		return
	}
	switch ev.Method {
	case chrome.SourceAttached:
		watchIssues(src)
	case chrome.SourceDetached:
		l.gone(src)
	case "Audits.issueAdded":
		l.issue(src, ev)
	case "Page.frameNavigated":
		l.navigated(src, ev)
	case "Page.lifecycleEvent":
		l.loaded(src, ev)
	}
}

// network takes in an event of the Network domain.
func (l *Log) network(src *chrome.Source, k kind, params []byte) {
	id := requestID(k, params)
	if id == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.byID[id]
	if k == kindSent && bytes.Contains(params, dataAddress) {
		return // nothing is requested: the answer is the address
	}
	if r == nil {
		if r = l.begin(src, id, k); r == nil {
			return
		}
	}
	switch {
	case r.failed && (k == kindData || k.ends()):
		return // of the page that the browser shows for a failure
	case k == kindData:
		r.count(src, params)
		return
	case k.message():
		l.message(r, src, raw{k, params})
		return
	}
	if len(r.events) == mostEvents || slices.ContainsFunc(r.events, func(o raw) bool { return o.kind == k && bytes.Equal(o.params, params) }) {
		return // told by two sessions, or by a browser gone mad
	}
	if params = shorten(k, params); params == nil || !l.advance(r, src, k, params) {
		return
	}
	r.events = append(r.events, raw{k, params})
	l.grow(r, int64(len(params)))
	if k == kindFinished {
		l.keepBody(r, src)
	}
}

// advance notes what an event means for its request; false is nothing. The lock is
// held.
func (l *Log) advance(r *record, src *chrome.Source, k kind, params []byte) bool {
	switch {
	case k.begins():
		if len(r.numbers) == 0 {
			r.source, r.at = src, time.Now()
			r.cause, r.page = l.cause, l.current[src.Tab]
		} else if !bytes.Contains(params, redirected) {
			return false
		}
		l.number(r)
	case k == kindResponse:
		r.speaker = src
		if len(r.numbers) == 0 { // a worker's script: all that is told of it is the answer
			l.number(r)
		}
	case k.ends():
		r.over = true
		r.failed = k == kindFailed
		if k == kindFinished && r.speaker == nil {
			r.speaker = src
		}
		if k == kindFailed {
			l.forbidden(r, src, params)
		}
	}
	if l.offset == 0 && k == kindSent {
		if e, ok := (raw{k, params}).decode(); ok && e.Wall > 0 {
			l.offset = e.Wall - e.Time
		}
	}
	return true
}

// begin makes a record for what is not known yet. What comes of requests that
// were cleared away, or had begun before anybody listened, is not told.
func (l *Log) begin(src *chrome.Source, id string, k kind) *record {
	switch {
	case k.begins():
	case k == kindSentExtra, k == kindResponseExtra: // may come first
	case k == kindResponse && id == src.ID: // the script of a service worker
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
	l.vacate(r)
}

// count adds up data that came. Two sessions may tell of the same.
func (r *record) count(src *chrome.Source, params []byte) {
	if r.counter == nil {
		r.counter = src
	}
	if r.counter != src {
		return
	}
	var e struct {
		Data    int64 `json:"dataLength"`
		Encoded int64 `json:"encodedDataLength"`
	}
	if wire.Unmarshal(params, &e) == nil {
		r.decoded += max(e.Data, 0)
		r.encoded += max(e.Encoded, 0)
	}
}

// message keeps a message of a stream, the last so many.
func (l *Log) message(r *record, src *chrome.Source, m raw) {
	if r.counter == nil {
		r.counter = src
	}
	if r.counter != src {
		return
	}
	if m.params = shorten(m.kind, m.params); m.params == nil {
		return
	}
	r.messageCount++
	r.messages = append(r.messages, m)
	r.messageBytes += int64(len(m.params))
	grown := int64(len(m.params))
	for len(r.messages) > 1 && (len(r.messages) > l.limits.Messages || r.messageBytes > streamBytes) {
		first := int64(len(r.messages[0].params))
		r.messages[0] = raw{}
		r.messages = r.messages[1:]
		r.messageBytes -= first
		grown -= first
	}
	l.grow(r, grown)
}

// gone is the end of a target.
func (l *Log) gone(src *chrome.Source) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leave(func(r *record) bool { return r.speaker == src || r.speaker == nil && r.source == src })
	if src.Kind == "page" {
		delete(l.current, src.Tab)
	}
	delete(l.deaf, src)
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
func (l *Log) navigated(src *chrome.Source, ev cdp.Event) {
	var e struct {
		Frame struct {
			ID     string `json:"id"`
			Parent string `json:"parentId"`
			Loader string `json:"loaderId"`
			URL    string `json:"url"`
		} `json:"frame"`
	}
	if src.Kind != "page" || ev.Decode(&e) != nil || e.Frame.Parent != "" || e.Frame.Loader == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.current[src.Tab]
	l.leave(func(r *record) bool {
		return r.source.Tab == src.Tab && r.page == old && r.id != e.Frame.Loader
	})
	l.current[src.Tab] = e.Frame.Loader
	if len(l.pages) == mostPages {
		l.pages = slices.Delete(l.pages, 0, 1)
	}
	l.pages = append(l.pages, &page{id: e.Frame.Loader, url: cut(e.Frame.URL, mostText), at: time.Now()})
}

// loaded notes when a document was loaded.
func (l *Log) loaded(src *chrome.Source, ev cdp.Event) {
	load := bytes.Contains(ev.Params, []byte(`"name":"load"`))
	if src.Kind != "page" || !load && !bytes.Contains(ev.Params, []byte(`"name":"DOMContentLoaded"`)) {
		return
	}
	var e struct {
		Loader string  `json:"loaderId"`
		Time   float64 `json:"timestamp"`
	}
	if ev.Decode(&e) != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.pages {
		switch {
		case p.id != e.Loader:
		case load:
			p.load = e.Time
		default:
			p.content = e.Time
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
