package chrome

import (
	"bytes"
	"context"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/wire"
)

// consoleTeller tells what is written to consoles, as it came. All that is done at once
// is to note where it came from, to ask for what lies deeper in an object than the
// browser tells by itself (that the object may be let go of, and because it may
// change), and to find the source map of a script that failed. Both are bounded: of a
// page that writes more than a person could read, only what the browser tells by itself
// is told.
type consoleTeller struct {
	fn      func(*backend.Source, backend.Event)
	now     func() time.Time
	life    context.Context
	endLife context.CancelFunc
	asking  sync.WaitGroup

	mu       sync.Mutex
	origins  map[*Source]*origin
	scripts  map[string]*loadedScript
	details  bucket // what is asked of objects
	wholes   bucket // and of which all
	searches bucket // what is asked of scripts
	releases *time.Timer
	stopped  bool
}

func newConsoleTeller(fn func(*backend.Source, backend.Event)) *consoleTeller {
	l := &consoleTeller{
		fn: fn, now: time.Now,
		origins: make(map[*Source]*origin), scripts: make(map[string]*loadedScript),
		details:  bucket{size: detailBurst, rate: detailRate},
		wholes:   bucket{size: wholeBurst, rate: wholeRate},
		searches: bucket{size: searchBurst, rate: searchRate},
	}
	l.life, l.endLife = context.WithCancel(context.Background())
	return l
}

// stop ends it; nothing is told any more when it returns.
func (l *consoleTeller) stop() {
	l.endLife()
	l.mu.Lock()
	l.stopped = true
	if l.releases != nil {
		l.releases.Stop()
	}
	l.mu.Unlock()
	l.asking.Wait()
}

// event takes an event. It is called for one at a time, and does not wait.
func (l *consoleTeller) event(s *Source, ev cdp.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return
	}
	o := l.origins[s]
	switch ev.Method {
	case SourceAttached: // before all else
		l.origins[s] = newOrigin(s)
	case SourceDetached:
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
	case SourceUnread:
		l.hold(o)
		l.fn(&s.Source, backend.WrittenLost{})
	case "Runtime.exceptionRevoked":
		var e struct {
			Exception int `json:"exceptionId"`
		}
		if ev.Decode(&e) == nil && e.Exception != 0 {
			l.fn(&s.Source, backend.ExceptionHandled{Exception: e.Exception})
		}
	case "Network.requestWillBeSent":
		l.requested(o, ev)
	default:
		o.follow(ev)
	}
}

// add tells of an entry, and asks for what cannot be asked for later. The lock is held.
func (l *consoleTeller) add(o *origin, ev cdp.Event, in location) {
	r := &consoleEntry{teller: l, method: ev.Method, params: ev.Params, origin: o}
	l.askForDetails(r)
	told := backend.Written{Entry: r, In: in.Kind, URL: in.URL}
	if ev.Method == "Runtime.exceptionThrown" {
		told.Exception = exceptionID(ev.Params)
	}
	l.fn(&o.source.Source, told)
}

// staleness is how old an event is that can only have been told before: clocks are set
// back by less. One that is nearly as young as the last is not, however late it is read:
// clocks are put right by some milliseconds all the time.
const (
	staleness    = 5 * time.Second
	clockJitter  = 100 // ms
	recentWrites = 1000
)

// written is something that was told, to be known when it is told again.
type written struct {
	at  float64
	sum uint64
}

var writtenSeed = maphash.MakeSeed()

// repeated says whether an event was told before. When a page comes back from the
// browser's cache of pages, all that it ever wrote is told again. The lock is held.
func (l *consoleTeller) repeated(o *origin, ev cdp.Event) bool {
	one := written{at: timestamp(ev.Params)}
	if one.at < o.last-clockJitter && l.now().Sub(milliseconds(one.at)) > staleness {
		return true // whether it is still known or not
	}
	var h maphash.Hash
	h.SetSeed(writtenSeed)
	_, _ = h.WriteString(ev.Method)
	_, _ = h.Write(stablePart(ev.Params))
	one.sum = h.Sum64()
	if one.at <= o.last && slices.Contains(o.recent, one) {
		return true
	}
	if len(o.recent) >= recentWrites {
		o.recent = slices.Delete(o.recent, 0, recentWrites/2)
	}
	o.recent = append(o.recent, one)
	o.last = max(o.last, one.at)
	return false
}

// stablePart is the part of an event that is the same when it is told again: objects
// have other names then.
func stablePart(params []byte) []byte {
	for _, mark := range []string{`"objectId":`, `"executionContextId":`} {
		if before, _, ok := bytes.Cut(params, []byte(mark)); ok {
			return before
		}
	}
	return params
}

// consoleEntry is what came, as it came.
type consoleEntry struct {
	teller *consoleTeller
	method string
	params []byte
	origin *origin

	// What was asked for. Set before ready is closed; nil where nothing was.
	ready   chan struct{}
	details map[int]backend.Value // by argument
	scripts map[string]*loadedScript
}

// ConsoleEntry is what a protocol event tells, with what was found of its arguments by
// asking for it: the answers of deep.js by their numbers.
func ConsoleEntry(method string, params []byte, found map[int]any) backend.ConsoleEntry {
	r := &consoleEntry{teller: newConsoleTeller(nil), method: method, params: params, details: map[int]backend.Value{}}
	for i, node := range found {
		r.details[i] = foundValue(node)
	}
	return r
}

func (r *consoleEntry) Ready() <-chan struct{} { return r.ready }

func (r *consoleEntry) Size() int { return len(r.params) }

// stackTrace is a stack as the protocol tells it.
type stackTrace struct {
	Description string `json:"description"`
	Calls       []struct {
		Function string `json:"functionName"`
		URL      string `json:"url"`
		Line     int    `json:"lineNumber"`
		Column   int    `json:"columnNumber"`
	} `json:"callFrames"`
	Parent *stackTrace `json:"parent"`
}

func (t *stackTrace) neutral() *backend.StackTrace {
	if t == nil {
		return nil
	}
	out := &backend.StackTrace{Description: t.Description, Parent: t.Parent.neutral()}
	for _, c := range t.Calls {
		out.Calls = append(out.Calls, backend.ScriptPlace{URL: c.URL, Function: c.Function, Line: c.Line, Column: c.Column})
	}
	return out
}

// calledEvent is Runtime.consoleAPICalled, as far as it matters.
type calledEvent struct {
	Type  string      `json:"type"`
	Args  []remote    `json:"args"`
	Time  float64     `json:"timestamp"`
	Trace *stackTrace `json:"stackTrace"`
}

// thrownEvent is Runtime.exceptionThrown, as far as it matters.
type thrownEvent struct {
	Time    float64 `json:"timestamp"`
	Details struct {
		Text      string      `json:"text"`
		Line      int         `json:"lineNumber"`
		Column    int         `json:"columnNumber"`
		URL       string      `json:"url"`
		Trace     *stackTrace `json:"stackTrace"`
		Exception *remote     `json:"exception"`
	} `json:"exceptionDetails"`
}

// addedEvent is Log.entryAdded, as far as it matters.
type addedEvent struct {
	Entry struct {
		Source string      `json:"source"`
		Level  string      `json:"level"`
		Text   string      `json:"text"`
		Time   float64     `json:"timestamp"`
		URL    string      `json:"url"`
		Line   *int        `json:"lineNumber"`
		Trace  *stackTrace `json:"stackTrace"`
		Args   []remote    `json:"args"`
	} `json:"entry"`
}

// Read reads the entry, with what has been found out since.
func (r *consoleEntry) Read() (*backend.ConsoleRecord, bool) {
	var out *backend.ConsoleRecord
	var err error
	switch r.method {
	case "Runtime.consoleAPICalled":
		var c calledEvent
		err = wire.Unmarshal(r.params, &c)
		out = &backend.ConsoleRecord{Kind: backend.ConsoleCall, Time: milliseconds(c.Time), Function: functionName(c.Type), Args: givenArguments(values(c.Args)), Stack: c.Trace.neutral()}
	case "Runtime.exceptionThrown":
		var t thrownEvent
		err = wire.Unmarshal(r.params, &t)
		d := &t.Details
		out = &backend.ConsoleRecord{
			Kind: backend.ConsoleException, Time: milliseconds(t.Time), Text: d.Text, Rejection: strings.Contains(d.Text, "(in promise)"), Stack: d.Trace.neutral(),
			Place: &backend.ScriptPlace{URL: d.URL, Line: d.Line, Column: d.Column},
		}
		if d.Exception != nil {
			out.Args = []backend.Value{d.Exception.value()}
		}
	default:
		var t addedEvent
		err = wire.Unmarshal(r.params, &t)
		d := &t.Entry
		out = &backend.ConsoleRecord{
			Kind: backend.ConsoleMessage, Time: milliseconds(d.Time), About: d.Source, Level: levelName(d.Level), Text: d.Text, Args: values(d.Args), Stack: d.Trace.neutral(),
			Place: &backend.ScriptPlace{URL: d.URL, Line: -1},
		}
		if d.Line != nil {
			out.Place.Line = *d.Line
		}
	}
	if err != nil {
		return nil, false
	}
	r.teller.mu.Lock()
	defer r.teller.mu.Unlock()
	for i, d := range r.details {
		if out.Kind != backend.ConsoleMessage && i < len(out.Args) {
			fill(&out.Args[i], &d)
		}
	}
	for _, s := range r.scripts {
		if s.found != nil {
			out.Scripts = append(out.Scripts, s.found)
		}
	}
	return out, true
}

func values(args []remote) []backend.Value {
	list := make([]backend.Value, len(args))
	for i := range args {
		list[i] = args[i].value()
	}
	return list
}

// givenArguments leaves out what the browser says where a function was given nothing.
func givenArguments(args []backend.Value) []backend.Value {
	if len(args) != 1 || args[0].Kind != backend.ValueString {
		return args
	}
	switch args[0].Text {
	case "console.assert", "console.group", "console.groupCollapsed", "console.trace":
		return nil
	case "console.clear":
		args[0].Text = "the page cleared its console"
	}
	return args
}

// functionName is a function of console by the name that it has there.
func functionName(kind string) string {
	switch kind {
	case "warning":
		return "warn"
	case "startGroup", "startGroupCollapsed":
		return "group"
	}
	return kind
}

func levelName(level string) string {
	switch level {
	case "verbose":
		return "debug"
	case "warning":
		return "warn"
	case "error", "info":
		return level
	}
	return "log"
}

// milliseconds reads a time.
func milliseconds(ms float64) time.Time {
	if math.IsNaN(ms) || ms < 0 || ms > 1e15 {
		ms = 0
	}
	return time.UnixMicro(int64(ms * 1000))
}
