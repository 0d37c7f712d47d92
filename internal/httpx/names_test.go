package httpx

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestNamesAsSent: headers have the names and the order that the server gave them,
// over one connection and with an interim answer before.
func TestNamesAsSent(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		for range 2 {
			io.WriteString(rw, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nwww-AUTHENTICATE: x\r\nETag: y\r\nx-b: 1\r\nX-a: 2\r\nx-B: 3\r\nContent-Length: 5\r\n\r\na:b\r\n")
			rw.Flush()
			if _, err := http.ReadRequest(rw.Reader); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	k := client(t)
	for range 2 {
		a, err := get(t, k, s.URL)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range a.Header {
			got = append(got, f.Name+"="+strings.Join(f.Values, ","))
		}
		if want := "www-AUTHENTICATE=x ETag=y x-b=1,3 X-a=2 Content-Length=5"; strings.Join(got, " ") != want {
			t.Errorf("%v\nwant %s", got, want)
		}
	}
}

// TestNamesOfTheirOwnAnswer: a connection that serves one request after another keeps
// their names apart.
func TestNamesOfTheirOwnAnswer(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()[strings.TrimPrefix(r.URL.Path, "/")] = []string{"1"}
	}))
	defer s.Close()
	k := client(t)
	var asking sync.WaitGroup
	for _, name := range []string{"x-n", "X-n", "x-N", "X-N", "x-n", "X-n", "x-N", "X-N"} {
		asking.Go(func() {
			for range 200 {
				a, err := get(t, k, s.URL+"/"+name)
				if err != nil {
					t.Error(err)
					return
				}
				if !slices.ContainsFunc(a.Header, func(f Field) bool { return f.Name == name }) {
					t.Errorf("%v\nwant %s", a.Header, name)
					return
				}
			}
		})
	}
	asking.Wait()
}
