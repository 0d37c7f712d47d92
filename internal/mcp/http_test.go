package mcp_test

import (
	"context"
	"net"
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

func TestHTTPRefuses(t *testing.T) {
	const local, far = "127.0.0.1:7777", "192.0.2.1:7777"
	tests := []struct {
		name             string
		here, from, host string
		header           map[string]string
		refused          bool
	}{
		{"plain", local, "127.0.0.1:4", "127.0.0.1:7777", nil, false},
		{"by name", local, "127.0.0.1:4", "localhost:7777", nil, false},
		{"by name, other case", local, "127.0.0.1:4", "LocalHost:7777", nil, false},
		{"IPv6", "[::1]:7777", "[::1]:4", "[::1]:7777", nil, false},
		{"IPv6 without a port", "[::1]:7777", "[::1]:4", "[::1]", nil, false},
		{"mapped", "[::ffff:127.0.0.1]:7777", "[::ffff:127.0.0.1]:4", "127.0.0.1:7777", nil, false},
		{"own origin", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Origin": "http://127.0.0.1:7777"}, false},
		{"typed in", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Sec-Fetch-Site": "none"}, false},

		{"from afar", local, "192.0.2.9:4", "127.0.0.1:7777", nil, true},
		{"listening to all", far, "192.0.2.1:4", "127.0.0.1:7777", nil, true},
		{"no peer", local, "", "127.0.0.1:7777", nil, true},
		{"no host", local, "127.0.0.1:4", "", nil, true},
		{"rebound name", local, "127.0.0.1:4", "evil.example:7777", nil, true},
		{"name that begins right", local, "127.0.0.1:4", "localhost.evil.example", nil, true},
		{"name with a dot", local, "127.0.0.1:4", "localhost.:7777", nil, true},
		{"user and host", local, "127.0.0.1:4", "localhost:7777@evil.example", nil, true},
		{"other address", local, "127.0.0.1:4", "192.0.2.1:7777", nil, true},
		{"all addresses", local, "127.0.0.1:4", "0.0.0.0:7777", nil, true},
		{"number as address", local, "127.0.0.1:4", "2130706433", nil, true},
		{"zone", local, "127.0.0.1:4", "[::1%25lo]:7777", nil, true},
		{"other origin", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Origin": "https://evil.example"}, true},
		{"origin null", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Origin": "null"}, true},
		{"origin empty", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Origin": ""}, true},
		{"other port", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Origin": "http://127.0.0.1:3000"}, true},
		{"other name", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Origin": "http://localhost:7777"}, true},
		{"other scheme", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Origin": "chrome-extension://127.0.0.1:7777"}, true},
		{"user in origin", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Origin": "http://a@127.0.0.1:7777"}, true},
		{"cross site", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Sec-Fetch-Site": "cross-site"}, true},
		{"same site", local, "127.0.0.1:4", "127.0.0.1:7777", map[string]string{"Sec-Fetch-Site": "same-site"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			addr, err := net.ResolveTCPAddr("tcp", tt.here)
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequestWithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, net.Addr(addr)), http.MethodPost, "/mcp", nil)
			r.RemoteAddr, r.Host = tt.from, tt.host
			for k, v := range tt.header {
				r.Header.Set(k, v)
			}
			if why := mcp.Refusal(r); (why != "") != tt.refused {
				t.Errorf("refused: %q", why)
			}
		})
	}
}

// TestHTTPBounds holds that odd requests end with a status, and soon.
func TestHTTPBounds(t *testing.T) {
	s := mcp.New(mcp.Options{})
	defer s.Close()
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	tests := []struct {
		name, method, body, contentType, origin string
		want                                    int
	}{
		{"a page's origin", "POST", `{}`, "application/json", "https://evil.example", 403},
		{"a form", "POST", `a=b`, "application/x-www-form-urlencoded", "", 415},
		{"plain text, as pages may send it", "POST", `{}`, "text/plain", "", 415},
		{"too large", "POST", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"x":"` + strings.Repeat("x", 5<<20) + `"}}`, "application/json", "", 413},
		{"not JSON", "POST", `{`, "application/json", "", 400},
		{"without a session", "GET", ``, "", "", 400},
		{"another method", "PUT", `{}`, "application/json", "", 405},
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
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
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
