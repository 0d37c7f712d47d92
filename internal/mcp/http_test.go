package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rove/internal/mcp"
	"rove/internal/testkit"
)

func TestHTTP(t *testing.T) {
	testkit.NeedsBrowser(t)
	s := mcp.New(mcp.Options{})
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	defer s.Close()
	site := site(t)

	var pids []int
	var conns []*sdk.ClientSession
	for range 2 { // each connection is a conversation of its own
		conn := client(t, &sdk.StreamableClientTransport{Endpoint: server.URL}, nil)
		conns = append(conns, conn)
		says(t, conn, "go", args{"url": site + "/who"}, "cookie of nobody")
		says(t, conn, "look", args{}, "cookie of nobody")
	}
	says(t, conns[0], "go", args{"url": site + "/who"}, "cookie of 1")
	if pids = testkit.Browsers(t); len(pids) != 1 {
		t.Fatalf("browsers %v, want one", pids)
	}
	for _, conn := range conns {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
	testkit.NoBrowsers(t, pids, 10*time.Second) // the last conversation took it along
}

// TestHTTPBounds holds that odd requests end with a status, and soon.
func TestHTTPBounds(t *testing.T) {
	s := mcp.New(mcp.Options{})
	defer s.Close()
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	tests := []struct {
		name, method, body, contentType string
		want                            int
	}{
		{"a form", "POST", `a=b`, "application/x-www-form-urlencoded", 415},
		{"plain text, as pages may send it", "POST", `{}`, "text/plain", 415},
		{"too large", "POST", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"x":"` + strings.Repeat("x", 5<<20) + `"}}`, "application/json", 413},
		{"not JSON", "POST", `{`, "application/json", 400},
		{"without a session", "GET", ``, "", 400},
		{"another method", "PUT", `{}`, "application/json", 405},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			r, err := http.NewRequestWithContext(ctx, tt.method, server.URL, strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept", "application/json, text/event-stream")
			r.Header.Set("Content-Type", tt.contentType)
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != tt.want {
				t.Errorf("status %d, want %d", resp.StatusCode, tt.want)
			}
			if resp.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("pages may read the answer")
			}
		})
	}
}
