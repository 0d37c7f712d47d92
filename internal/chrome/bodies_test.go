package chrome

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"rove/driver/backend"
	"rove/internal/testkit"
)

// An answer that says how long it is ends its request soon after it is all there, if
// the page does not read it; the browser tells of the end after that.
func TestARequestEndsWithItsAnswer(t *testing.T) {
	const text = "a few words that nobody reads"
	origin := testkit.Serve(t, map[string]http.HandlerFunc{
		"/":      testkit.Page(`<title>sends</title>`),
		"/known": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) },
		"/packed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, strings.Repeat(text, 1000))
			_ = z.Close()
		},
		"/unknown": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, text)
			w.(http.Flusher).Flush()
		},
		"/nothing": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
	})
	tab := open(t)
	visit(t, tab, origin+"/")

	var mu sync.Mutex
	paths, ended := map[string]string{}, map[string]int{}
	defer tab.Watch(func(ev backend.Event) {
		mu.Lock()
		defer mu.Unlock()
		switch e := ev.(type) {
		case backend.RequestStarted:
			paths[e.ID] = strings.TrimPrefix(e.URL, origin)
		case backend.RequestEnded:
			ended[paths[e.ID]]++
		}
	})()
	ends := func(path string, times int) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return ended[path] >= times
		}
	}
	for _, path := range []string{"/known?read", "/packed?read", "/unknown?unread", "/unknown?read", "/nothing"} {
		eval(t, tab, "", `fetch('`+path+`').then(r => '`+path+`'.endsWith('?read') ? r.text() : '')`)
		testkit.Eventually(t, path+" to end", ends(path, 1))
	}
	// Ended twice: soon, and when the browser tells of it. A busy machine hears of both at
	// once, which is one end: so it is asked for until there were more ends than requests.
	for _, path := range []string{"/known?unread", "/packed?unread"} {
		asked := 0
		testkit.Eventually(t, path+" to end before the browser says so", func() bool {
			asked++
			eval(t, tab, "", `fetch('`+path+`').then(() => '')`)
			testkit.Eventually(t, path+" to end", ends(path, asked))
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond) // the browser takes 50 ms
			defer cancel()
			<-ctx.Done()
			return ends(path, asked+1)()
		})
	}
	eval(t, tab, "", `fetch('/nothing?last')`)
	testkit.Eventually(t, "the last to end", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return ended["/nothing?last"] == 1
	})
	mu.Lock()
	defer mu.Unlock()
	for _, path := range []string{"/unknown?unread", "/unknown?read", "/nothing"} {
		if ended[path] != 1 {
			t.Errorf("%s ended %d times", path, ended[path])
		}
	}
	tab.Mu.Lock()
	defer tab.Mu.Unlock()
	if len(tab.bodies) > 0 {
		t.Errorf("kept: %v", tab.bodies)
	}
}
