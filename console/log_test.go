package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rove/cdp"
	"rove/driver/backend"
	"rove/internal/chrome"
	"rove/internal/testkit"
)

func page(name, html string) txtar.File { return txtar.File{Name: name, Data: []byte(html)} }

// newest gives the text of the newest entries.
func (b *bench) newest(n int) string {
	var lines []string
	for _, e := range b.log.Entries(b.ctx, Filter{Limit: n}) {
		lines = append(lines, e.Text)
	}
	return strings.Join(lines, " | ")
}

func (b *bench) is(got, want string) {
	b.Helper()
	if got != want {
		b.Errorf("got %s\nwant %s", got, want)
	}
}

// shows waits until these are the lines: what objects have inside may come later.
func (b *bench) shows(want string) {
	b.Helper()
	got := ""
	testkit.Within(func() bool {
		got = b.newest(0)
		return got == want
	})
	b.is(got, want)
}

// TestNavigation follows a tab from page to page, there and back: what was written
// stays, and nothing is told twice.
func TestNavigation(t *testing.T) {
	testkit.OnEveryBrowser(t)
	b := open(
		t,
		page("one", `<script>console.log('one', {a: {b: 1}})</script>`),
		page("two", `<script>console.log('two')</script>`),
		page("other", `<script>console.log('another site')</script>`),
	)
	b.visit(b.here + "/one")
	b.visit(b.here + "/two")
	b.visit(b.there + "/other")
	if err := b.tab.Close(b.ctx); err != nil {
		t.Fatal(err)
	}
	b.shows("another site | two | one {a: {b: 1}}")
	entries := b.log.Entries(b.ctx, Filter{})
	for i, at := range []string{b.there + "/other", b.here + "/two", b.here + "/one"} {
		b.is(entries[i].Context.URL, at)
	}
	if entries[0].Number != 3 || entries[2].Number != 1 || entries[0].Time.Before(entries[2].Time) || time.Since(entries[0].Time).Abs() > time.Minute {
		t.Errorf("numbers and times: %v", entries)
	}
}

// stage is a browser context whose events are written by a test, in Chrome's protocol.
type stage struct {
	fn     func(*chrome.Source, cdp.Event)
	source *chrome.Source
}

func (w *stage) Observe(what backend.Observation, fn func(*backend.Source, backend.Event)) func() {
	event, end := chrome.Tell(what, fn)
	w.fn, w.source = event, &chrome.Source{Source: backend.Source{Kind: "page", ID: "1"}}
	event(w.source, cdp.Event{Method: chrome.SourceAttached})
	return end
}

func (w *stage) log(ms int64, text string) {
	w.fn(w.source, cdp.Event{Method: "Runtime.consoleAPICalled", Params: fmt.Appendf(nil, `{"type":"log","args":[{"type":"string","value":%q}],"executionContextId":3,"timestamp":%d.25}`, text, ms)})
}

// TestToldAgain has a page come back from the cache of pages: the browser then
// tells all that it ever wrote once more.
func TestToldAgain(t *testing.T) {
	w := &stage{}
	l := New()
	l.Watch(w)
	defer l.Stop()
	texts := func() string {
		var list []string
		for _, e := range l.Entries(t.Context(), Filter{}) {
			list = append(list, e.Text)
		}
		return strings.Join(list, " ")
	}
	now := time.Now().UnixMilli()
	old := now - 60_000
	w.log(old, "old")
	w.log(now, "one")
	w.log(now, "at the same time")
	w.log(now+1, "two")
	for range 2 {
		w.log(old, "old")
		w.log(now, "one")
		w.log(now, "at the same time")
		w.log(now+1, "two")
	}
	w.log(now+2, "three")
	w.log(now-1, "the clock was set back")
	if got, want := texts(), "the clock was set back three two at the same time one old"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	l.Clear()
	w.log(old, "old")
	w.log(now+3, "four")
	if got := texts(); got != "four" {
		t.Errorf("after it was cleared: %s", got)
	}
}

func TestFilters(t *testing.T) {
	b := open(t, page("index.html", `<iframe src="/frame"></iframe><script>
		for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace']) console[level](level)
		console.table([1]); console.assert(false)
		</script>`), page("frame", `<script>console.warn('frame')</script>`))
	b.visit(b.here + "/")
	for _, c := range []struct {
		filter Filter
		want   string
	}{
		{Filter{Level: "error"}, "Assertion failed | error"},
		{Filter{Level: "warn"}, "frame | warn"},
		{Filter{Level: "warn", Context: "page"}, "warn"},
		{Filter{Level: "debug"}, "debug"},
		{Filter{Level: "assert"}, "Assertion failed"},
		{Filter{Level: "trace"}, "trace"},
		{Filter{Level: "info"}, "info"},
		{Filter{Context: "frame"}, "frame"},
		{Filter{Context: "/frame"}, "frame"},
		{Filter{Context: "worker"}, ""},
		{Filter{Limit: 1, Context: "page"}, "Assertion failed"},
		{Filter{Limit: 2, Level: "log"}, "(index) | Value\n0       | 1 | trace"},
		{Filter{Level: "nothing"}, ""},
	} {
		var texts []string
		for _, e := range b.log.Entries(b.ctx, c.filter) {
			texts = append(texts, e.Text)
		}
		if got := strings.Join(texts, " | "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.filter, got, c.want)
		}
	}
	if n := b.log.Clear(); n != 9 {
		t.Errorf("%d were cleared", n)
	}
	b.is(b.newest(0), "")
	b.eval(`console.log('later')`)
	b.is(b.newest(0), "later")
	if n := b.log.Clear(); n != 1 {
		t.Errorf("then %d", n)
	}
}

// TestWholeContent keeps what is long whole.
func TestWholeContent(t *testing.T) {
	b := open(t)
	b.eval(`console.log('x'.repeat(1e6)); console.log({long: 'y'.repeat(20000), list: Array.from({length: 150}, (_, i) => ({i}))})`)
	// What an object has inside may come later than the line.
	var entries []Entry
	testkit.Within(func() bool {
		entries = b.log.Entries(b.ctx, Filter{})
		return len(entries) == 2 && strings.HasSuffix(entries[0].Text, "{i: 149}]}")
	})
	if len(entries) != 2 || entries[1].Text != strings.Repeat("x", 1e6) {
		t.Fatalf("%d entries", len(entries))
	}
	if text := entries[0].Text; !strings.HasPrefix(text, `{long: "`+strings.Repeat("y", 20000)+`", list: [{i: 0}, `) || !strings.HasSuffix(text, "{i: 149}]}") {
		t.Errorf("%.100s … %s", text, text[len(text)-100:])
	}
}

// TestNothingIsCutAtCapture: what is wide, long or deep is all there, and so is what
// comes as one of many at once.
func TestNothingIsCutAtCapture(t *testing.T) {
	b := open(t)
	for _, c := range []struct{ name, js, want string }{
		{"an array of 5,000", `console.log({list: Array.from({length: 5000}, (_, i) => i)})`, ", 4998, 4999]}"},
		{"an object of 5,000", `console.log(Object.fromEntries(Array.from({length: 5000}, (_, i) => ['k' + i, i])))`, ", k4998: 4998, k4999: 4999}"},
		{"a string of 300,000", `console.log({text: 'x'.repeat(300000) + 'end'})`, `xend"}`},
		{"20 levels", `console.log(Array.from({length: 20}).reduce((in_) => ({in_}), 'core'))`, `{in_: "core"}` + strings.Repeat("}", 19)},
		{"a map of 1,000", `console.log(new Map(Array.from({length: 1000}, (_, i) => [i, {i}])))`, "999 => {i: 999}}"},
		{"the 150th at once", `for (let i = 1; i <= 150; i++) console.log({a: {b: {c: {i}}}})`, "{a: {b: {c: {i: 150}}}}"},
	} {
		b.log.Clear()
		b.eval(c.js)
		var last string
		whole := func(e Entry) bool { return !strings.Contains(e.Text, cutMark) }
		testkit.Within(func() bool {
			entries := b.log.Entries(b.ctx, Filter{})
			if last = ""; len(entries) > 0 {
				last = entries[0].Text
			}
			return strings.HasSuffix(last, c.want) && !slices.ContainsFunc(entries, func(e Entry) bool { return !whole(e) })
		})
		if !strings.HasSuffix(last, c.want) || strings.Contains(last, cutMark) {
			t.Errorf("%s: %.60s … %s", c.name, last, last[max(0, len(last)-60):])
		}
	}
	// What they take is counted, so that memory stays bounded.
	b.log.mu.Lock()
	defer b.log.mu.Unlock()
	sum := 0
	for _, r := range b.log.records {
		sum += r.size
	}
	if sum != b.log.bytes || sum < 150*500 {
		t.Errorf("%d bytes are counted, of records of %d", b.log.bytes, sum)
	}
}

func TestCapacity(t *testing.T) {
	b := open(t)
	b.eval(`for (let i = 0; i < 1500; i++) console.log('line', i)`)
	entries := b.log.Entries(b.ctx, Filter{})
	kept, lost := b.log.Counts()
	if len(entries) != Capacity || kept != Capacity || lost != 500 || entries[0].Text != "line 1499" || entries[Capacity-1].Text != "line 500" {
		t.Errorf("%d entries, %d kept, %d lost; from %s to %s", len(entries), kept, lost, entries[0].Text, entries[len(entries)-1].Text)
	}
	if n := b.log.Clear(); n != Capacity {
		t.Errorf("%d were cleared", n)
	}
	// Much at a time pushes out what is older, so that memory is bounded.
	b.log.mu.Lock()
	b.log.limit = 1 << 20
	b.log.mu.Unlock()
	b.eval(`for (let i = 0; i < 20; i++) console.log(i, 'z'.repeat(130000))`)
	kept, lost = b.log.Counts()
	if kept < 6 || kept > 8 || lost != 20-kept {
		t.Errorf("%d of 20 large entries are kept, %d lost", kept, lost)
	}
	b.is(b.newest(1)[:4], "19 z")
}

// TestObjectsAreReleased logs objects, few and many: the browser is to let go of
// all that it has named.
func TestObjectsAreReleased(t *testing.T) {
	for name, js := range map[string]string{
		"few":  `for (let i = 0; i < 20; i++) console.log({i}, {a: {b: {i}}}, [i], new Error('e'), /re/, {re: {re: /re/}}, new Proxy({}, {ownKeys() { self.x = 1; return [] }}))`,
		"many": `for (let i = 0; i < 2000; i++) console.log({i}, {a: {b: {i}}})`,
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t)
			_, session := cdp.Of(b.tab.(*chrome.Tab))
			var mu sync.Mutex
			var ids []string
			defer b.context.ObserveProtocol(func(_ *chrome.Source, ev cdp.Event) {
				mu.Lock()
				defer mu.Unlock()
				for _, m := range objectID.FindAllSubmatch(ev.Params, -1) {
					ids = append(ids, string(m[1]))
				}
			})()
			b.eval(js)
			mu.Lock()
			named := slices.Clone(ids)
			mu.Unlock()
			if len(named) < 100 {
				t.Fatalf("%d objects were named", len(named))
			}
			held := !testkit.Within(func() bool {
				for len(named) > 0 {
					err := session.Call(b.ctx, "Runtime.getProperties", map[string]any{"objectId": named[0], "ownProperties": true}, nil)
					var refusal *cdp.Error
					switch {
					case err == nil:
						return false // it is there yet
					case !errors.As(err, &refusal) || !strings.Contains(refusal.Message, "Could not find object"):
						t.Fatal(err)
					}
					named = named[1:]
				}
				return true
			})
			if held {
				t.Errorf("%d objects are held", len(named))
			}
		})
	}
}

var objectID = regexp.MustCompile(`"objectId":"([^"]+)"`)

// TestBusyPage asks of a page that cannot answer: the log is there all the same.
func TestBusyPage(t *testing.T) {
	b := open(t)
	free := make(chan struct{})
	held := testkit.ServeHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		select {
		case <-free:
		case <-r.Context().Done():
		}
	}))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = b.tab.Eval(b.ctx, "", `console.log({a: {b: {c: 1}}}); const x = new XMLHttpRequest(); x.open('GET', '`+held+`', false); x.send(); console.log('done')`)
	}()
	testkit.Eventually(t, "the first line is there", func() bool {
		kept, _ := b.log.Counts()
		return kept > 0
	})
	b.is(b.newest(0), "{a: {…}}")
	select {
	case <-done:
		t.Error("it waited for the page")
	default:
	}
	close(free)
	b.shows("done | {a: {b: {c: 1}}}")
}

// TestLoad has a page write ten thousand lines a second, for as many seconds as
// ROVE_CONSOLE_LOAD says: ten, to measure; two otherwise. The page must not be slowed,
// memory must not grow, and the newest lines must be right.
func TestLoad(t *testing.T) {
	seconds := 2
	if s := os.Getenv("ROVE_CONSOLE_LOAD"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		seconds = n
	}
	b := open(t)
	// A thousand lines ten times a second; how long each thousand takes is measured.
	js := fmt.Sprintf(`new Promise(done => {
		let n = 0; const took = []
		const tick = () => {
			const begin = performance.now()
			for (let i = 0; i < 1000; i++) console.log('line', n++, {n, nested: {deep: {n}}})
			took.push(performance.now() - begin)
			if (took.length < %d) setTimeout(tick, Math.max(0, 100 - took.at(-1))); else done(took.sort((a, b) => a - b)[took.length >> 1])
		}
		tick()
	})`, seconds*10)
	run := func() float64 {
		ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
		defer cancel()
		v, err := b.tab.Eval(ctx, "", js)
		if err != nil {
			t.Fatal(err)
		}
		ms, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			t.Fatal(err)
		}
		return ms
	}
	memory := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := memory()
	with := run()
	total := seconds * 10000
	entries := b.log.Entries(b.ctx, Filter{})
	if len(entries) != Capacity {
		t.Fatalf("%d entries", len(entries))
	}
	for i, e := range entries {
		if want := fmt.Sprintf("line %d {n: %d, nested: {", total-1-i, total-i); !strings.HasPrefix(e.Text, want) {
			t.Fatalf("entry %d is %s, want %s…", i, e.Text, want)
		}
	}
	grown := int64(memory()) - int64(before)
	if grown > 32<<20 {
		t.Errorf("memory has grown by %d bytes", grown)
	}
	if _, lost := b.log.Counts(); lost != total-Capacity {
		t.Errorf("%d lines were pushed out, want %d", lost, total-Capacity)
	}
	b.log.Stop()
	without := run()
	t.Logf("a thousand lines take the page %.1f ms with a log and %.1f ms without; memory has grown by %d KiB", with, without, grown>>10)
	if os.Getenv("ROVE_CONSOLE_LOAD") != "" && with > without*1.1+1 {
		t.Errorf("the page is slowed by %.0f %%", (with/without-1)*100)
	}
}

// BenchmarkWrite is what a line costs here: it must be far less than what it costs
// the page.
func BenchmarkWrite(b *testing.B) {
	w := &stage{}
	l := New()
	l.Watch(w)
	defer l.Stop()
	params := []byte(`{"type":"log","args":[{"type":"string","value":"a line of a page"},{"type":"number","value":1,"description":"1"}],"executionContextId":3,"timestamp":1.794729553633265e+12,"stackTrace":{"callFrames":[{"functionName":"tick","scriptId":"5","url":"http://127.0.0.1:43853/app.js","lineNumber":19,"columnNumber":23}]}}`)
	ev := cdp.Event{Method: "Runtime.consoleAPICalled", Params: params}
	i := bytes.Index(params, []byte("3633265e"))
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		ev.Params = bytes.Clone(params)
		copy(ev.Params[i:], fmt.Sprintf("%07d", n%1e7))
		w.fn(w.source, ev)
	}
}
