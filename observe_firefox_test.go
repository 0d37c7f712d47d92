package rove_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"rove"
	"rove/internal/bidi"
	"rove/internal/testkit"
)

// TestFirefoxTellsWhatItLoadsAndWrites has requests, bodies, HAR and console of Firefox.
func TestFirefoxTellsWhatItLoadsAndWrites(t *testing.T) {
	testkit.NeedsBrowser(t)
	testkit.ShellIsEnough(t)
	testkit.Parallel(t)
	if _, err := bidi.Find(); err != nil {
		t.Skip(err)
	}
	address := testkit.Serve(t, map[string]http.HandlerFunc{
		"/": testkit.Page(`<title>Loads</title><script>console.error('oh', {n: 1})</script>`),
		"/api": func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"got":%q}`, body)
		},
		"/break": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"/old":   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/api", http.StatusFound) },
	})
	ctx := testkit.Context(t)
	s, err := rove.Open(ctx, rove.Options{Browser: "firefox"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := s.Go(ctx, address+"/"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Eval(ctx, `(async () => { await (await fetch('/api', {method: 'POST', body: 'hello'})).text(); await (await fetch('/old')).text(); await fetch('/break').catch(() => 0) })()`); err != nil {
		t.Fatal(err)
	}
	var got []string
	var posted rove.Request
	want := "GET 200 document / done | GET 200 fetch /api done | GET 302 fetch /old done | GET 0 fetch /break failed | POST 200 fetch /api done"
	testkit.Eventually(t, "all requests are told of", func() bool {
		found, err := s.Network().Requests(rove.RequestFilter{Type: "document,fetch"})
		if err != nil {
			t.Fatal(err)
		}
		got = nil
		for _, q := range found.Requests {
			_, path, _ := strings.Cut(strings.TrimPrefix(q.URL, "http://"), "/")
			got = append(got, fmt.Sprintf("%s %d %s /%s %s", q.Method, q.Status, q.Type, path, q.State))
			if q.Method == http.MethodPost {
				posted = q
			}
		}
		for _, line := range strings.Split(want, " | ") {
			if !strings.Contains(strings.Join(got, " | "), line) {
				return false
			}
		}
		return len(got) == 5 && posted.Sent != nil && posted.Sent.Text == "hello"
	})
	if posted.Phases == nil || posted.Millis <= 0 || posted.Protocol == "" || len(posted.RequestHeaders) == 0 || posted.Size != 15 {
		t.Errorf("incomplete: %+v", posted)
	}
	body, err := s.Network().Body(ctx, posted.Number)
	if err != nil || body.Text != `{"got":"hello"}` {
		t.Errorf("the body is %+v, %v", body, err)
	}
	var archive strings.Builder
	if err := s.Network().HAR(ctx, &archive, rove.HAROptions{Bodies: true}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"method":"POST"`, `\"got\":\"hello\"`, `"onLoad"`} {
		if !strings.Contains(archive.String(), part) {
			t.Errorf("no %s in the archive", part)
		}
	}
	entries, err := s.Console().Entries(ctx, rove.ConsoleFilter{Level: "error"})
	if err != nil || len(entries.Entries) == 0 || !strings.Contains(entries.Text(), `oh {n: 1}`) {
		t.Errorf("the console has %s, %v", entries.Text(), err)
	}
	if t.Failed() {
		t.Log(archive.String())
	}
}
