package feature_test

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rove/feature"
)

// ask gets a path of a mock: its status and its body.
func ask(t *testing.T, method, address string) (int, string) {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(text)
}

func startMock(t *testing.T, o feature.MockOptions) *feature.Mock {
	t.Helper()
	m, err := feature.StartMock(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Stop(context.Background()) })
	return m
}

const cats = `
Feature:
Background:
* def count = { n: 0 }
* print 'begins with', start

Scenario: pathMatches('/cats/{id}') && methodIs('get')
* count.n = count.n + 1
* def response = { id: '#(pathParams.id)', count: '#(count.n)', start: '#(start)' }

Scenario: pathMatches('/broken')
* match 1 == 2
`

func TestStartMock(t *testing.T) {
	t.Parallel()
	dir := files(t, "cats.feature", cats, "rest.feature", "Feature:\nScenario: pathMatches('/dogs')\n* def response = 'wuff'\n* def responseStatus = 201\n\nScenario: pathMatches('/cats/{id}')\n* def response = 'never for get'\n")
	var mu sync.Mutex
	var served, logged []string
	m := startMock(t, feature.MockOptions{
		Dir: dir, Features: []string{"cats.feature", "rest.feature"}, Prefix: "api", TLS: true, Variables: map[string]any{"start": 7},
		Served: func(a feature.MockAnswer) {
			mu.Lock()
			defer mu.Unlock()
			served = append(served, a.Method+" "+a.Path)
			if a.Time <= 0 || a.Status < 200 {
				t.Errorf("%+v", a)
			}
		},
		Log: func(s string) {
			mu.Lock()
			defer mu.Unlock()
			logged = append(logged, s)
		},
	})
	if !strings.HasPrefix(m.URL(), "https://127.0.0.1:") || !strings.HasSuffix(m.URL(), "/api") || m.Port() == 0 {
		t.Error(m.URL(), m.Port())
	}
	for _, c := range []struct {
		method, path string
		status       int
		want         string
	}{
		{"GET", "/cats/5", 200, `{"id":"5","count":1,"start":7}`},
		{"GET", "/cats/6", 200, `{"id":"6","count":2,"start":7}`},
		{"DELETE", "/cats/6", 200, "never for get"},
		{"GET", "/dogs", 201, "wuff"},
		{"GET", "/mice", 404, ""},
		{"GET", "/broken", 500, "cats.feature:11"},
	} {
		if status, body := ask(t, c.method, m.URL()+c.path); status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s: %d %q", c.method, c.path, status, body)
		}
	}
	m.Stop(t.Context())
	mu.Lock()
	defer mu.Unlock()
	if len(served) != 6 || served[3] != "GET /api/dogs" {
		t.Errorf("told of %q", served)
	}
	if all := strings.Join(logged, "\n"); !strings.Contains(all, "begins with 7") || !strings.Contains(all, "GET /broken") {
		t.Errorf("logged %q", logged)
	}
}

// TestMockWatches: a change is played, a broken file leaves the mock as it was.
func TestMockWatches(t *testing.T) {
	t.Parallel()
	dir := files(t, "a.feature", "Feature:\nScenario:\n* def response = read('answer.txt')\n", "answer.txt", "one")
	logged := make(chan string, 10)
	m := startMock(t, feature.MockOptions{Features: []string{filepath.Join(dir, "a.feature")}, Watch: true, Log: func(s string) { logged <- s }})
	change := func(name, text, told, want string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-logged:
			if !strings.Contains(got, told) {
				t.Errorf("told %q, want %q", got, told)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the change was not seen")
		}
		if _, body := ask(t, "GET", m.URL()+"/x"); body != want {
			t.Errorf("%q, want %q", body, want)
		}
	}
	if _, body := ask(t, "GET", m.URL()+"/x"); body != "one" {
		t.Error(body)
	}
	change("a.feature", "Feature:\nScenario:\n* def response = 'two words'\n", "begins anew", "two words")
	change("a.feature", "Feature:\nScenario:\n what is this\n", "a.feature:2: the scenario's name is no condition", "two words")
	change("a.feature", "Feature:\nScenario:\n* def response = 1\nwhat is this\n", "goes on as it was", "two words")
	change("a.feature", "Feature:\nBackground:\n* match 1 == 2\nScenario:\n* def response = 'four'\n", "the background of the mock failed", "two words")
	change("a.feature", "Feature:\nScenario:\n* def response = 'five'\n", "begins anew", "five")
}

func TestMockRefuses(t *testing.T) {
	t.Parallel()
	dir := files(t, "a.feature", "Feature:\nScenario:\n* def response = 1\n", "bad.feature", "Feature:\nBackground:\n* def x = nothing\nScenario:\n* def response = 1\n")
	for want, o := range map[string]feature.MockOptions{
		"needs a feature":       {},
		"there is no such file": {Features: []string{"none.feature"}},
		"bad.feature:3":         {Features: []string{"a.feature", "bad.feature"}},
		"come together":         {Features: []string{"a.feature"}, Certificate: "x.pem"},
		"cannot be used":        {Features: []string{"a.feature"}, Certificate: "x.pem", Key: "y.pem"},
		"cannot listen":         {Features: []string{"a.feature"}, Address: "127.0.0.1:99999"},
	} {
		o.Dir = dir
		if m, err := feature.StartMock(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
			if err == nil {
				m.Stop(t.Context())
			}
		}
	}
}
