package mock

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"rove/internal/httpx"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, o Options, h Handler) *Server {
	t.Helper()
	s, err := Start(o, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		s.Stop(ctx)
	})
	return s
}

func do(t *testing.T, method, address, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	a, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a, string(text)
}

func echo(_ context.Context, r *Request) (*Response, error) {
	switch r.Path {
	case "/panic":
		panic("oh")
	case "/error":
		return nil, errors.New("cats.feature:12: no such variable")
	case "/nothing":
		return nil, nil
	case "/slow":
		return &Response{Status: 200, Delay: time.Minute}, nil
	}
	var h httpx.Fields
	h.Set("x-echo", "yes")
	return &Response{Status: 201, Header: h, Body: fmt.Appendf(nil, "%s %s %v %d parts", r.Method, r.Path, r.Query, len(r.Parts))}, nil
}

func TestServer(t *testing.T) {
	t.Parallel()
	var told []string
	s := start(t, Options{Prefix: "api", Keep: 3, MaxBody: 1 << 10, Log: func(l string) { told = append(told, l) }}, echo)
	if !strings.HasSuffix(s.URL(), fmt.Sprintf(":%d/api", s.Port())) {
		t.Error(s.URL())
	}
	for _, c := range []struct {
		method, path, body, contentType string
		status                          int
		want                            string
	}{
		{"GET", "/cats/%C3%BC?a=1&a=2&A=x%20y", "", "", 201, "GET /cats/ü [{a [1 2]} {A [x y]}] 0 parts"},
		{"POST", "/f", "a=1&b=2", "application/x-www-form-urlencoded", 201, "POST /f [] 2 parts"},
		{"GET", "/panic", "", "", 500, "the handler broke: oh"},
		{"GET", "/error", "", "", 500, "cats.feature:12"},
		{"GET", "/nothing", "", "", 404, ""},
		{"GET", "/x?%zz", "", "", 400, "cannot be read"},
		{"POST", "/m", "no parts", "multipart/form-data; boundary=x", 400, "multipart"},
		{"POST", "/big", strings.Repeat("x", 2000), "", 413, "too large"},
	} {
		a, text := do(t, c.method, s.URL()+c.path, c.body, "Content-Type", c.contentType)
		if a.StatusCode != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d %q, want %d %q", c.path, a.StatusCode, text, c.status, c.want)
		}
	}
	if asked := s.Asked(); len(asked) != 3 || asked[2].Path != "/nothing" || len(told) != 2 {
		t.Errorf("%d kept, told %v", len(asked), told)
	}
	s.Swap(func(context.Context, *Request) (*Response, error) { return &Response{Body: []byte("other")}, nil })
	if a, text := do(t, "GET", s.URL()+"/x", ""); a.StatusCode != 200 || text != "other" {
		t.Errorf("%d %q", a.StatusCode, text)
	}
	if _, err := Start(Options{Address: fmt.Sprintf("127.0.0.1:%d", s.Port())}, echo); err == nil || !strings.Contains(err.Error(), "cannot listen") {
		t.Error(err)
	}
}

func TestTLSAndOtherOrigins(t *testing.T) {
	t.Parallel()
	s := start(t, Options{TLS: true, CORS: true}, echo)
	a, text := do(t, "GET", s.URL()+"/x", "", "Origin", "http://other.example")
	if !strings.HasPrefix(s.URL(), "https://") || text == "" || a.Header.Get("Access-Control-Allow-Origin") != "*" || a.Header.Get("X-Echo") != "yes" {
		t.Errorf("%v %q", a.Header, text)
	}
	a, text = do(t, "OPTIONS", s.URL()+"/x", "", "Origin", "http://other.example", "Access-Control-Request-Method", "PUT", "Access-Control-Request-Headers", "x-token")
	if a.StatusCode != 200 || text != "" || a.Header.Get("Access-Control-Allow-Headers") != "x-token" {
		t.Errorf("%d %v %q", a.StatusCode, a.Header, text)
	}
	if len(s.Asked()) != 1 {
		t.Error("the preflight reached the handler")
	}
}

// TestStopEndsWhatWaits: an answer that is delayed for a minute does not hold
// the end up.
func TestStopEndsWhatWaits(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	s := start(t, Options{}, func(ctx context.Context, r *Request) (*Response, error) {
		close(asked)
		return echo(ctx, r)
	})
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		transport := &http.Transport{DisableKeepAlives: true}
		r, _ := http.NewRequest("GET", s.URL()+"/slow", nil)
		if a, err := transport.RoundTrip(r); err == nil {
			a.Body.Close()
		}
	}()
	<-asked
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	s.Stop(ctx)
	wait.Wait()
	<-s.Done()
}

func TestMatchPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, path string
		want          map[string]string
	}{
		{"/cats/{id}", "/cats/7", map[string]string{"id": "7"}},
		{"cats/{id}/", "/cats/a b", map[string]string{"id": "a b"}},
		{"/cats/{id}", "/cats/a%20b", map[string]string{"id": "a%20b"}}, // decoded once, before
		{"/cats/{id}/kittens/{n}", "/cats/7/kittens/2", map[string]string{"id": "7", "n": "2"}},
		{"/v{n}.json", "/v12.json", map[string]string{"n": "12"}},
		{"/files/*", "/files/a/b/c", map[string]string{}},
		{"/", "/", map[string]string{}},
		{"/cats", "/cats/7", nil},
		{"/cats/{id}", "/cats", nil},
		{"/cats/{id}", "/dogs/7", nil},
		{"/cats/{id}", "/cats/7/x", nil},
	} {
		got, ok := MatchPath(c.pattern, c.path)
		if ok != (c.want != nil) || ok && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s on %s: %v %v", c.pattern, c.path, got, ok)
		}
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	r := &Request{Method: "GET", Path: "/cats/7"}
	for expression, excluded := range map[string]bool{
		`pathMatches('/cats/{id}') && methodIs('get')`:             false,
		`pathMatches("/cats/{id}") && methodIs("post")`:            true,
		`pathMatches('/dogs/{id}')`:                                true,
		`methodIs('put') && paramExists('x')`:                      true,
		`pathMatches('/dogs') || methodIs('get')`:                  false,
		`pathMatches('/dogs') ? true : methodIs('get')`:            false,
		`!(true && methodIs('put') && true)`:                       false,
		`!pathMatches('/dogs')`:                                    false,
		`pathMatches('/cats/' + '{id}') && requestHeaders['x'][0]`: false,
		``: false,
	} {
		if got := NewFilter(expression).Excludes(r); got != excluded {
			t.Errorf("%s: %v", expression, got)
		}
	}
}

func BenchmarkThousandRoutes(b *testing.B) {
	var filters []Filter
	for i := range 1000 {
		filters = append(filters, NewFilter(fmt.Sprintf("pathMatches('/route%d/{id}') && methodIs('get')", i)))
	}
	r := &Request{Method: "GET", Path: "/route999/7"}
	for b.Loop() {
		n := 0
		for _, f := range filters {
			if !f.Excludes(r) {
				n++
			}
		}
		if n != 1 {
			b.Fatal(n)
		}
	}
}

func FuzzMatchPath(f *testing.F) {
	f.Add("/a/{b}", "/a/c")
	f.Add("{", "}")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		MatchPath(pattern, path)
		NewFilter(pattern).Excludes(&Request{Path: path})
	})
}
