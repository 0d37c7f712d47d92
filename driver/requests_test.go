package driver

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rove/driver/backend"
)

// What counts as over, by events alone: for an action that lists what it caused,
// and for a tab that waits for the network.
func TestRequestsByEvents(t *testing.T) {
	start := func(id, method, url, kind string, redirected int) backend.RequestStarted {
		return backend.RequestStarted{ID: id, Frame: "f", Method: method, URL: url, Type: kind, Redirected: redirected}
	}
	for name, c := range map[string]struct {
		events []backend.Event
		want   string // in the order they began
		open   string // that a tab waits for
	}{
		"a GET that is redirected is one": {
			[]backend.Event{start("1", "GET", "/a", "Fetch", 0), start("1", "GET", "/b", "Fetch", 302), backend.ResponseReceived{ID: "1", Status: 200}},
			"GET /b 200 open", "/b",
		},
		"a POST that is redirected is two": {
			[]backend.Event{start("1", "POST", "/a", "Fetch", 0), start("1", "GET", "/b", "Fetch", 303), backend.RequestEnded{ID: "1"}},
			"POST /a 303, GET /b 0", "",
		},
		"one that fails is over": {
			[]backend.Event{start("1", "GET", "/a", "Fetch", 0), backend.RequestEnded{ID: "1", Failure: "net::ERR_FAILED"}},
			"GET /a 0 net::ERR_FAILED", "",
		},
		"nobody waits for a stream": {
			[]backend.Event{start("1", "GET", "/a", "Fetch", 0), backend.ResponseReceived{ID: "1", Status: 200, MIME: "text/event-stream"}, start("2", "GET", "/b", "Ping", 0)},
			"GET /a 200 open, GET /b 0 open", "",
		},
		"a document has arrived when its frame has loaded": {
			[]backend.Event{start("1", "GET", "/a", "Document", 0), start("2", "GET", "/b", "Fetch", 0), backend.Loaded{Frame: "f"}},
			"GET /a 0, GET /b 0 open", "/b",
		},
		"a frame that is gone waits for nothing": {
			[]backend.Event{start("1", "GET", "/a", "Fetch", 0), backend.FrameRemoved{Frame: "f"}},
			"GET /a 0 open", "",
		},
		"nor does the document before": {
			[]backend.Event{start("1", "GET", "/a", "Fetch", 0), start("2", "GET", "/b", "Document", 0), backend.FrameNavigated{Frame: "f", Main: true}},
			"GET /a 0 open, GET /b 0 open", "/b",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tab := &eventTab{}
			watched := &Tab{tab: tab, driver: &Driver{}}
			watched.listen()
			w := watched.watch()
			for _, ev := range c.events {
				tab.tell(ev)
			}
			var e Effect
			w.fill(&e, "")
			var all, open []string
			for _, r := range e.Requests {
				text := fmt.Sprint(r.Method, " ", r.URL, " ", r.Status, " ", r.Failure)
				if r.Open {
					text = strings.TrimSpace(text) + " open"
				}
				all = append(all, strings.TrimSpace(text))
			}
			left, _, _ := watched.news.loading()
			for _, r := range left {
				open = append(open, r.URL)
			}
			slices.Sort(open)
			if got := strings.Join(all, ", "); got != c.want {
				t.Errorf("all: got %s, want %s", got, c.want)
			}
			if got := strings.Join(open, ", "); got != c.open {
				t.Errorf("open: got %s, want %s", got, c.open)
			}
			if _, requesting, _ := w.busy(); requesting != (c.open != "") {
				t.Errorf("an action waits: %v", requesting)
			}
		})
	}
}

// eventTab is a tab that tells what a test says.
type eventTab struct {
	backend.Tab
	watchers []func(backend.Event)
}

func (t *eventTab) Watch(fn func(backend.Event)) func() {
	t.watchers = append(t.watchers, fn)
	return func() {}
}

func (t *eventTab) tell(ev backend.Event) {
	for _, fn := range t.watchers {
		fn(ev)
	}
}
