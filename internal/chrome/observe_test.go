package chrome

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rove/cdp"
)

// witness notes what it is told of a context, as lines of text.
type witness struct {
	mu    sync.Mutex
	lines []string
	more  chan struct{}
	kinds map[*Source]bool // that are there now
	stop  func()
}

func observe(t *testing.T, c *Context, replace *strings.Replacer) *witness {
	w := &witness{more: make(chan struct{}, 1), kinds: map[*Source]bool{}}
	w.stop = c.ObserveProtocol(func(s *Source, ev cdp.Event) {
		w.mu.Lock()
		defer w.mu.Unlock()
		switch ev.Method {
		case SourceAttached:
			if w.kinds[s] {
				w.lines = append(w.lines, s.Kind+" attached twice")
			}
			w.kinds[s] = true
		case SourceDetached:
			delete(w.kinds, s)
		case "Runtime.consoleAPICalled":
			var e struct {
				Args []struct {
					Value any `json:"value"`
				} `json:"args"`
			}
			if !w.kinds[s] || ev.Decode(&e) != nil || len(e.Args) == 0 {
				w.lines = append(w.lines, "too soon, or not to be read: "+s.Kind)
				break
			}
			w.lines = append(w.lines, fmt.Sprintf("%s says %v", s.Kind, e.Args[0].Value))
		case "Network.requestWillBeSent":
			var e struct {
				Request struct {
					URL string `json:"url"`
				} `json:"request"`
			}
			if ev.Decode(&e) == nil && !strings.HasSuffix(e.Request.URL, ".ico") {
				w.lines = append(w.lines, s.Kind+" asks for "+replace.Replace(e.Request.URL))
			}
		case "Log.entryAdded":
			w.lines = append(w.lines, s.Kind+" is told something")
		}
		select {
		case w.more <- struct{}{}:
		default:
		}
	})
	t.Cleanup(w.stop)
	return w
}

// sees waits until all the lines have come, in any order.
func (w *witness) sees(t *testing.T, want ...string) {
	t.Helper()
	timeout := time.After(10 * time.Second)
	for {
		w.mu.Lock()
		missing := slices.DeleteFunc(slices.Clone(want), func(line string) bool { return slices.Contains(w.lines, line) })
		lines := strings.Join(w.lines, "\n")
		w.mu.Unlock()
		if len(missing) == 0 {
			return
		}
		select {
		case <-w.more:
		case <-timeout:
			t.Fatalf("it did not come:\n%s\n\namong:\n%s", strings.Join(missing, "\n"), lines)
		}
	}
}

// is waits until the sources are those.
func (w *witness) is(t *testing.T, kinds string) {
	t.Helper()
	timeout := time.After(10 * time.Second)
	for {
		var there []string
		w.mu.Lock()
		for s := range w.kinds {
			there = append(there, s.Kind)
		}
		w.mu.Unlock()
		slices.Sort(there)
		got := strings.Join(there, " ")
		if got == kinds {
			return
		}
		select {
		case <-w.more:
		case <-timeout:
			t.Fatalf("the sources are %s, want %s", got, kinds)
		}
	}
}

func script200(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, text)
	}
}

func TestObserve(t *testing.T) {
	s := serve(t, map[string]string{
		"/": `<head><script>console.log('head')</script></head><iframe src="THERE/frame"></iframe><script>
			self.w = new Worker('/worker.js'); new SharedWorker('/shared.js'); navigator.serviceWorker.register('/sw.js')</script>`,
		"/frame": `<head><script>console.log('frame')</script></head><img src="/missing">`,
		"/popup": `<head><script>console.log('popup')</script></head>`,
	})
	s.HandleFunc("/worker.js", script200(`console.log('worker'); new Worker('/inner.js'); fetch('/data')`))
	s.HandleFunc("/inner.js", script200(`console.log('inner'); fetch('/data2')`))
	s.HandleFunc("/shared.js", script200(`console.log('shared'); fetch('/data3')`))
	s.HandleFunc("/sw.js", script200(`console.log('service'); fetch('/data4')`))
	s.HandleFunc("/missing", http.NotFound)
	for _, path := range []string{"/data", "/data2", "/data3", "/data4"} {
		s.HandleFunc(path, func(http.ResponseWriter, *http.Request) {})
	}
	tab := open(t)
	w := observe(t, tab.context, strings.NewReplacer(s.here, "HERE", s.there, "THERE"))
	visit(t, tab, s.here+"/")
	eval(t, tab, "", `void open('/popup')`)
	w.sees(
		t,
		"page says head", "frame says frame", "page says popup",
		"worker says worker", "worker says inner", "shared_worker says shared", "service_worker says service",
		"page asks for HERE/", "frame asks for THERE/missing", "page asks for HERE/popup",
		"worker asks for HERE/data", "worker asks for HERE/data2", "shared_worker asks for HERE/data3", "service_worker asks for HERE/data4",
		"frame is told something",
	)
	// Who comes later is told who is there; who is gone is told of as well.
	kinds := "frame page page service_worker shared_worker worker worker"
	late := observe(t, tab.context, strings.NewReplacer())
	late.is(t, kinds)
	for _, other := range shared.startup.observers.Sources() {
		late.mu.Lock()
		if late.kinds[other] {
			t.Errorf("a %s of another context", other.Kind)
		}
		late.mu.Unlock()
	}
	eval(t, tab, "", `void w.terminate()`) // and its own worker with it
	w.is(t, "frame page page service_worker shared_worker")
	late.is(t, "frame page page service_worker shared_worker")
	late.stop()
	visit(t, tab, s.there+"/popup")
	w.is(t, "page page service_worker")
	late.is(t, "frame page page service_worker shared_worker")
	if err := tab.context.Close(within(t, 10*time.Second)); err != nil {
		t.Fatal(err)
	}
	w.is(t, "")
}
