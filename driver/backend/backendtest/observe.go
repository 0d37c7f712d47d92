package backendtest

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"rove/driver/backend"
	"rove/internal/testkit"
)

// answersAfter is how long a request takes whose time is looked at.
const answersAfter = 40 * time.Millisecond

// traffic has a page load things: each is told whole, and bodies can be had.
func traffic(s *suite) {
	var mu sync.Mutex
	var source *backend.Source
	lines, ids, times := map[string]bool{}, map[string]string{}, map[string]float64{}
	stop := s.observe(backend.ObserveTraffic, func(src *backend.Source, ev backend.Event) {
		t, ok := ev.(backend.Traffic)
		if !ok {
			return
		}
		r, ok := t.Read()
		if !ok {
			s.Errorf("what was told of %s cannot be read", t.Request)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		name := ids[t.Request]
		switch t.Kind {
		case backend.TrafficSent:
			_, name, _ = strings.Cut(r.Request.URL, "//")
			_, name, _ = strings.Cut(name, "/")
			ids[t.Request], source = name, src
			times[name] = r.Time
			lines[fmt.Sprintf("%s %s %v %s %s", r.Request.Method, name, t.Redirect, r.Type, value(r.Request.Headers, "X-Asked"))] = true
		case backend.TrafficResponse:
			lines[fmt.Sprintf("%s answers %d %s %s", name, r.Response.Status, r.Response.MIME, value(r.Response.Headers, "X-Told"))] = true
		case backend.TrafficDone:
			lines[name+" is done"] = true
			times[name+" is done"] = r.Time
		case backend.TrafficFailed:
			lines[name+" failed"] = true
		}
	})
	defer stop()
	address := testkit.Serve(s.T, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Loads</title>`),
		"/echo": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Told", "told")
			w.Header().Set("Content-Type", "text/plain")
			body, _ := io.ReadAll(r.Body)
			<-time.After(answersAfter)
			_, _ = w.Write(append([]byte("you said "), body...))
		},
		"/from":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/to", http.StatusFound) },
		"/to":    testkit.Page("there"),
		"/break": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	})
	s.must(s.d.SetURL(s.ctx, address))
	s.js(`(async () => {
		await (await fetch('/echo', {method: 'POST', body: 'hello', headers: {'X-Asked': 'asked'}})).text()
		await (await fetch('/from')).text()
		await fetch('/break').catch(() => 0)
	})()`)
	want := []string{
		"GET  false Document ", " answers 200 text/html ", " is done",
		"POST echo false Fetch asked", "echo answers 200 text/plain told", "echo is done",
		"GET from false Fetch ", "GET to true Fetch ", "to answers 200 text/html ", "to is done", "break failed",
	}
	missing := ""
	if !testkit.Within(func() bool {
		mu.Lock()
		defer mu.Unlock()
		for _, line := range want {
			if !lines[line] {
				missing = line
				return false
			}
		}
		return true
	}) {
		mu.Lock()
		s.Fatalf("%q is not told, but %v", missing, slices.Sorted(maps.Keys(lines)))
	}
	mu.Lock()
	if took := times["echo is done"] - times["echo"]; took < answersAfter.Seconds()/2 || took > time.Minute.Seconds() {
		s.Errorf("a request that took %v is told to have taken %v s", answersAfter, took)
	}
	request := ""
	for id, name := range ids {
		if name == "echo" {
			request = id
		}
	}
	mu.Unlock()
	if source.Bodies == nil {
		return // it keeps none, and says so
	}
	body, err := source.Bodies.Body(s.ctx, request)
	s.must(err)
	s.same("the body", string(body), "you said hello")
	body, err = source.Bodies.StartBody(request)(s.ctx)
	s.must(err)
	s.same("the body, asked for ahead", string(body), "you said hello")
}

// redirects are told with the status of the answer that led on.
func redirects(s *suite) {
	lead := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "/to")
			w.WriteHeader(status)
		}
	}
	address := testkit.Serve(s.T, map[string]http.HandlerFunc{
		"/":    testkit.Page(`<title>Asks</title><form method="post"></form>`),
		"/303": lead(http.StatusSeeOther), "/301": lead(http.StatusMovedPermanently), "/302": lead(http.StatusFound),
		"/to": testkit.Page(`<title>There</title>`),
	})
	for _, status := range []int{http.StatusSeeOther, http.StatusMovedPermanently, http.StatusFound} {
		t := s.tab("/second")
		_, err := t.Navigate(s.ctx, address, backend.NavigateOptions{})
		s.must(err)
		var mu sync.Mutex
		var told []string
		stop := t.Watch(func(ev backend.Event) {
			mu.Lock()
			defer mu.Unlock()
			switch e := ev.(type) {
			case backend.RequestStarted:
				if e.Redirected != 0 {
					told = append(told, fmt.Sprintf("%s %s %d", e.Method, strings.TrimPrefix(e.URL, address), e.Redirected))
				}
			case backend.Loaded:
				told = append(told, "loaded")
			}
		})
		_, err = t.Eval(s.ctx, "", fmt.Sprintf("const f = document.forms[0]; f.action = '/%d'; setTimeout(() => f.submit()), 1", status))
		s.must(err)
		testkit.Eventually(s.T, "a redirect is told, and what it led to is there", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(told) > 1
		})
		stop()
		s.same("the redirect", strings.Join(told, ", "), fmt.Sprintf("GET /to %d, loaded", status))
		s.must(t.Close(s.ctx))
	}
}

// value is that of a header, whatever its spelling.
func value(headers map[string]string, name string) string {
	for n, v := range headers {
		if strings.EqualFold(n, name) {
			return v
		}
	}
	return ""
}

// written has a page write to its console: it is told with values and places.
func written(s *suite) {
	var mu sync.Mutex
	var entries []backend.Written
	stop := s.observe(backend.ObserveConsole, func(_ *backend.Source, ev backend.Event) {
		if w, ok := ev.(backend.Written); ok {
			mu.Lock()
			defer mu.Unlock()
			entries = append(entries, w)
		}
	})
	defer stop()
	address := testkit.Serve(s.T, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Writes</title><script src="/app.js"></script>`),
		"/app.js": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "console.warn('look', 7, {a: [true, null]})\nthrow new Error('too bad')\n")
		},
	})
	s.must(s.d.SetURL(s.ctx, address))
	var call, thrown *backend.ConsoleRecord
	testkit.Eventually(s.T, "a line and an exception are told", func() bool {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range entries {
			if r, ok := e.Entry.Read(); ok && e.In == "page" && strings.HasPrefix(e.URL, address) {
				switch {
				case r.Kind == backend.ConsoleCall && r.Function == "warn":
					call = r
				case r.Kind == backend.ConsoleException:
					thrown = r
				}
			}
		}
		return call != nil && thrown != nil
	})
	if len(call.Args) != 3 || call.Args[0].Text != "look" || call.Args[1].Text != "7" || call.Args[2].Kind != backend.ValueObject {
		s.Errorf("the line has %+v", call.Args)
	}
	if call.Stack == nil || len(call.Stack.Calls) == 0 || call.Stack.Calls[0].URL != address+"/app.js" || call.Stack.Calls[0].Line != 0 {
		s.Errorf("the line comes from %+v", call.Stack)
	}
	said := thrown.Text
	for _, v := range thrown.Args {
		said += " " + v.Text
	}
	s.has(said, "too bad")
}

// observe begins to observe the context of the driver.
func (s *suite) observe(what backend.Observation, fn func(*backend.Source, backend.Event)) (stop func()) {
	s.Helper()
	c, ok := s.d.BrowserContext().(backend.Observable)
	if !ok {
		s.Fatal("it cannot be observed")
	}
	return c.Observe(what, fn)
}
