package testkit

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// limit is how long one test may take. It is no measure of anything: it tells a hang
// from a busy machine.
const limit = 5 * time.Minute

// Context is one that ends with the test, after what the test cleans up from here on.
func Context(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	return ctx
}

// Parallel has a test run beside the others of its package, which contexts of their own
// keep apart. For one that has said so already, or that has set the environment, nothing
// changes: T.Parallel panics before it has done anything.
func Parallel(t testing.TB) {
	if t, ok := t.(*testing.T); ok {
		defer func() { _ = recover() }()
		t.Parallel()
	}
}

// Share is for Main: what open gives is there for all tests of the package.
func Share[T interface{ Close() error }](there *T, open func(context.Context) (T, error)) func() (stop func(), err error) {
	return func() (func(), error) {
		shared, err := open(context.Background())
		if err != nil {
			return nil, err
		}
		*there = shared
		return func() { _ = shared.Close() }, nil
	}
}

// Closes closes something when the test has ended, which must work.
func Closes(t testing.TB, c interface{ Close() error }) {
	t.Helper()
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
}

// Pages serves HTML by path, as Serve does. HERE and THERE in it are two origins of the
// server, which are two sites to a browser. Only "/" itself is at "/".
func Pages(t testing.TB, pages map[string]string) (origin string) {
	t.Helper()
	handlers := map[string]http.HandlerFunc{}
	for path, html := range pages {
		if path == "/" {
			path = "/{$}"
		}
		handlers[path] = func(w http.ResponseWriter, r *http.Request) {
			// By the port it was asked at: a browser of another test may ask before
			// this function knows the origin.
			_, port, _ := net.SplitHostPort(r.Host)
			Page(strings.NewReplacer("HERE", "http://127.0.0.1:"+port, "THERE", "http://localhost:"+port).Replace(html))(w, r)
		}
	}
	return Serve(t, handlers)
}
