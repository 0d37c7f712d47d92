// Package console keeps what pages, frames and workers write to their consoles,
// and what the browser has to say about them: uncaught exceptions, rejections that
// nobody handled, failed requests, blocked content, deprecations.
//
//	log := console.New()
//	log.Watch(context) // a backend.Observable
//	defer log.Stop()
//	for _, e := range log.Entries(ctx, console.Filter{Level: "error"}) {
//		fmt.Println(e)
//	}
//
// Pages write a lot, and much at a time, so what comes is kept as it came and read
// when somebody asks.
package console

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"rove/driver/backend"
)

const (
	// Capacity is how many entries are kept; older ones make room.
	Capacity = 1000
	// capacityBytes is how much they may take together.
	capacityBytes = 64 << 20
	// patience is how long Entries waits for what is being asked for.
	patience = 500 * time.Millisecond
)

// Log is what was written, since it was watched or cleared.
type Log struct {
	limit int // of bytes
	stop  func()

	mu      sync.Mutex
	records []*record // oldest first
	bytes   int
	number  int64
	lost    int
	maps    map[*backend.Script]*sourceMap // those that were read
	stopped bool
}

// record is what came.
type record struct {
	number    int64
	entry     backend.ConsoleEntry
	source    *backend.Source
	context   Context
	size      int  // in bytes, about
	exception int  // its number in its source, of one that nobody caught
	handled   bool // somebody did, later
}

// New makes a log that nobody feeds yet.
func New() *Log { return &Log{limit: capacityBytes} }

// Watch feeds a log from a browser context until it is stopped.
func (l *Log) Watch(c backend.Observable) { l.stop = c.Observe(backend.ObserveConsole, l.observe) }

// Stop ends the watching. What is there can still be read.
func (l *Log) Stop() {
	if l.stop != nil {
		l.stop()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
}

// observe takes an event. It does not wait.
func (l *Log) observe(s *backend.Source, ev backend.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return
	}
	switch ev := ev.(type) {
	case backend.Written:
		l.number++
		r := &record{
			number: l.number, entry: ev.Entry, source: s, size: ev.Entry.Size(), exception: ev.Exception,
			context: Context{Kind: ev.In, URL: ev.URL, Tab: s.Tab},
		}
		l.records = append(l.records, r)
		l.bytes += r.size
		l.trim()
	case backend.WrittenGrew:
		for _, r := range slices.Backward(l.records) {
			if r.entry == ev.Entry {
				r.size += ev.By
				l.bytes += ev.By
				l.trim()
				break
			}
		}
	case backend.WrittenLost:
		l.number++
		l.lost++
	case backend.ExceptionHandled:
		for _, r := range slices.Backward(l.records) {
			if r.source == s && r.exception == ev.Exception {
				r.handled = true
				break
			}
		}
	}
}

// trim has the oldest records make room, where there is too much. The lock is held.
func (l *Log) trim() {
	drop := max(0, len(l.records)-Capacity)
	for n, r := range l.records {
		if n >= drop && l.bytes <= l.limit {
			break
		}
		l.bytes -= r.size
		drop = n + 1
	}
	clear(l.records[:drop])
	l.records = l.records[drop:]
	l.lost += drop
}

// Clear forgets all entries and says how many there were.
func (l *Log) Clear() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.records)
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
		if ready := r.entry.Ready(); ready != nil {
			select {
			case <-ready:
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
