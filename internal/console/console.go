// Package console keeps what pages, frames and workers write to their consoles,
// and what the browser has to say about them: uncaught exceptions, rejections that
// nobody handled, failed requests, blocked content, deprecations.
//
//	log := console.New()
//	log.Watch(context) // a *chrome.Context
//	defer log.Stop()
//	for _, e := range log.Entries(ctx, console.Filter{Level: "error"}) {
//		fmt.Println(e)
//	}
//
// Pages write a lot, and much at a time, so what comes is kept as it came and read
// when somebody asks. All that is done at once is to note where it came from, to
// ask for what lies deeper in an object than the browser tells by itself (that the
// object may be let go of, and because it may change), and to find the source map
// of a script that failed. Both are bounded: a page that writes more than a person
// could read gets what the browser tells by itself, with … in it.
package console

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"rove/cdp"
	"rove/internal/chrome"
)

const (
	// Capacity is how many entries are kept; older ones make room.
	Capacity = 1000
	// capacityBytes is how much they may take together.
	capacityBytes = 64 << 20
	// patience is how long Entries waits for what is being asked for.
	patience = 500 * time.Millisecond
	// staleness is how old an event is that can only have been told before: clocks
	// are set back by less.
	staleness = 5 * time.Second
)

// Observable is what has events: a *chrome.Context.
type Observable = chrome.Observable

// Log is what was written, since it was watched or cleared.
type Log struct {
	now     func() time.Time
	limit   int // of bytes
	stop    func()
	life    context.Context
	endLife context.CancelFunc
	asking  sync.WaitGroup

	mu       sync.Mutex
	records  []*record // oldest first
	bytes    int
	number   int64
	lost     int
	origins  map[*chrome.Source]*origin
	scripts  map[string]*script
	details  bucket // what is asked of objects
	wholes   bucket // and of which all
	searches bucket // what is asked of scripts
	releases *time.Timer
	stopped  bool
}

// record is what came, as it came.
type record struct {
	number  int64
	method  string
	params  []byte
	context Context
	origin  *origin
	size    int  // in bytes, about
	dropped bool // it does not count any more

	exception int  // its number in its origin, of one that nobody caught
	handled   bool // somebody did, later

	// What was asked for. Set before ready is closed; nil where nothing was.
	ready   chan struct{}
	details map[int]value // by argument
	scripts map[string]*script
}

// New makes a log that nobody feeds yet.
func New() *Log {
	l := &Log{
		now:      time.Now,
		limit:    capacityBytes,
		origins:  make(map[*chrome.Source]*origin),
		scripts:  make(map[string]*script),
		details:  bucket{size: detailBurst, rate: detailRate},
		wholes:   bucket{size: wholeBurst, rate: wholeRate},
		searches: bucket{size: searchBurst, rate: searchRate},
	}
	l.life, l.endLife = context.WithCancel(context.Background())
	return l
}

// Watch feeds a log from a browser context until it is stopped.
func (l *Log) Watch(c Observable) { l.stop = c.Observe(l.observe) }

// Stop ends the watching. What is there can still be read.
func (l *Log) Stop() {
	if l.stop != nil {
		l.stop()
	}
	l.endLife()
	l.mu.Lock()
	l.stopped = true
	if l.releases != nil {
		l.releases.Stop()
	}
	l.mu.Unlock()
	l.asking.Wait()
}

// observe takes an event. It is called for one at a time, and must not wait.
func (l *Log) observe(s *chrome.Source, ev cdp.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return
	}
	o := l.origins[s]
	switch ev.Method {
	case chrome.SourceAttached: // before all else
		l.origins[s] = newOrigin(s)
	case chrome.SourceDetached:
		delete(l.origins, s)
	case "Runtime.consoleAPICalled":
		if !bytes.HasPrefix(ev.Params, []byte(`{"type":"endGroup"`)) && !l.repeated(o, ev) {
			l.add(o, ev, o.context(ev.Params))
		}
	case "Runtime.exceptionThrown":
		if !l.repeated(o, ev) {
			l.add(o, ev, o.context(ev.Params))
		}
	case "Log.entryAdded":
		if in, ok := o.teller(ev); ok {
			l.add(o, ev, in)
		}
	case "Runtime.exceptionRevoked":
		l.revoke(o, ev)
	case "Network.requestWillBeSent":
		l.requested(o, ev)
	default:
		o.follow(ev)
	}
}

// add takes in a record, and asks for what cannot be asked for later.
func (l *Log) add(o *origin, ev cdp.Event, in Context) {
	l.number++
	r := &record{number: l.number, method: ev.Method, params: ev.Params, context: in, origin: o}
	l.inquire(r)
	r.size += len(r.params)
	l.records = append(l.records, r)
	l.bytes += r.size
	l.trim()
}

// trim has the oldest records make room, where there is too much. The lock is held.
func (l *Log) trim() {
	drop := max(0, len(l.records)-Capacity)
	for n, r := range l.records {
		if n >= drop && l.bytes <= l.limit {
			break
		}
		l.bytes -= r.size
		r.dropped = true
		drop = n + 1
	}
	clear(l.records[:drop])
	l.records = l.records[drop:]
	l.lost += drop
}

// repeated says whether an event was told before. When a page comes back from the
// browser's cache of pages, all that it ever wrote is told again.
func (l *Log) repeated(o *origin, ev cdp.Event) bool {
	at := timestamp(ev.Params)
	if at > o.last {
		o.last = at
		return false
	}
	if at < o.last && l.now().Sub(clock(at)) > staleness {
		return true // whether it is still here or not
	}
	for _, r := range slices.Backward(l.records) {
		if r.origin == o && r.method == ev.Method && timestamp(r.params) == at && bytes.Equal(fixed(r.params), fixed(ev.Params)) {
			return true
		}
	}
	return false
}

// fixed is the part of an event that is the same when it is told again: objects
// have other names then.
func fixed(params []byte) []byte {
	for _, mark := range []string{`"objectId":`, `"executionContextId":`} {
		if before, _, ok := bytes.Cut(params, []byte(mark)); ok {
			return before
		}
	}
	return params
}

// revoke notes that a rejection has been handled after all.
func (l *Log) revoke(o *origin, ev cdp.Event) {
	var e struct {
		Exception int `json:"exceptionId"`
	}
	if ev.Decode(&e) != nil || e.Exception == 0 {
		return
	}
	for _, r := range slices.Backward(l.records) {
		if r.origin == o && r.exception == e.Exception {
			r.handled = true
			return
		}
	}
}

// Clear forgets all entries and says how many there were.
func (l *Log) Clear() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.records)
	for _, r := range l.records {
		r.dropped = true
	}
	l.records, l.bytes, l.lost = nil, 0, 0
	return n
}

// Filter chooses entries. The zero value chooses all.
type Filter struct {
	// Limit is how many entries at most, the newest; 0 is all.
	Limit int
	// Level is a level or a kind of entries; "" is all.
	Level string
	// Context is a kind of context (page, frame, worker, shared_worker,
	// service_worker) or a part of its address; "" is all.
	Context string
}

// Entries gives the entries that pass the filter, newest first. It waits a moment
// for what is still being asked of the browser.
func (l *Log) Entries(ctx context.Context, f Filter) []Entry {
	l.mu.Lock()
	records := slices.Clone(l.records)
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	entries := []Entry{}
	for _, r := range slices.Backward(records) {
		if f.Limit > 0 && len(entries) == f.Limit {
			break
		}
		if !f.in(r.context) {
			continue
		}
		if r.ready != nil {
			select {
			case <-r.ready:
			case <-ctx.Done():
			}
		}
		if e := l.read(r); f.Level == "" || e.Level == f.Level || e.Kind == f.Level {
			entries = append(entries, e)
		}
	}
	return entries
}

// Check says what is wrong with a filter, and mends the spelling of its words.
func (f *Filter) Check() error {
	if f.Limit < 0 {
		return fmt.Errorf("limit takes how many: 1 or more, not %d", f.Limit)
	}
	if f.Level == "warning" {
		f.Level = "warn"
	}
	if f.Level != "" && !slices.Contains(Levels, f.Level) && !slices.Contains(Kinds, f.Level) {
		return fmt.Errorf("level takes %s, or a kind: %s; not %q", strings.Join(Levels, ", "), strings.Join(Kinds, ", "), f.Level)
	}
	if kind := strings.NewReplacer(" ", "_", "-", "_").Replace(f.Context); slices.Contains(Contexts, kind) {
		f.Context = kind
	} else if f.Context != "" && !strings.ContainsAny(f.Context, "/:.") {
		return fmt.Errorf("context takes %s, or a part of an address, as in /app.js; not %q", strings.Join(Contexts, ", "), f.Context)
	}
	return nil
}

func (f Filter) in(c Context) bool {
	return f.Context == "" || c.Kind == f.Context || !slices.Contains(Contexts, f.Context) && strings.Contains(c.URL, f.Context)
}

// Counts are how many entries there are, and how many were pushed out.
func (l *Log) Counts() (kept, lost int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.records), l.lost
}
