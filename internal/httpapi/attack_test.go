package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rove"
	"rove/internal/session"
)

const secret = "a-token-that-nobody-can-guess"

// log collects what is logged.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start serves on loopback until the test ends. A Manager without a browser is
// enough for all that is refused before one is needed.
func start(t *testing.T, opts Options) (s *Server, addr string, logged *log) {
	t.Helper()
	if opts.Sessions == nil {
		opts.Sessions = session.NewManager(session.Options{Browser: rove.Options{Browser: "/no/such/browser"}})
		t.Cleanup(func() { _ = opts.Sessions.Close() })
	}
	logged = &log{}
	opts.Log = slog.New(slog.NewTextHandler(logged, nil))
	s = New(opts)
	s.headTime, s.bodyTime = time.Second, 3*time.Second
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, l.Addr().String(), logged
}

// raw sends a request as it is written, and gives status and answer.
func raw(t *testing.T, addr, text string) (int, string) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	_, cut := io.WriteString(conn, text) // what is too much may be cut off
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil && cut != nil {
		return http.StatusRequestEntityTooLarge, "cut off before the answer could be read"
	}
	if err != nil {
		return 0, err.Error()
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(r.Body)
	for _, name := range []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials"} {
		if v := r.Header.Get(name); v != "" {
			t.Errorf("%s: %s", name, v)
		}
	}
	return r.StatusCode, string(body)
}

// TestAttacks has requests that must not do anything. ADDR and PORT are the
// server's, ID is a session that there is, TOKEN the token.
func TestAttacks(t *testing.T) {
	attacked := mcp.NewServer(&mcp.Implementation{Name: "attacked"}, nil)
	t.Cleanup(func() {
		for _, conn := range slices.Collect(attacked.Sessions()) {
			_ = conn.Close()
		}
	})
	agents := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return attacked }, &mcp.StreamableHTTPOptions{MaxRequestBodyBytes: mostBody})
	s, addr, logged := start(t, Options{Token: secret, MCP: agents})
	_, port, _ := net.SplitHostPort(addr)
	talk := &talk{id: "SESSION0", talk: s.opts.Sessions.Conversation(""), used: time.Now()}
	s.talks[talk.id] = talk
	const auth = "Authorization: Bearer TOKEN\r\n"
	const jsonType = "Content-Type: application/json\r\n"
	const accept = "Accept: application/json, text/event-stream\r\n"
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	post := func(path, headers, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: ADDR\r\n%s%sContent-Length: %d\r\n\r\n%s", path, auth+jsonType, headers, len(body), body)
	}
	get := func(path, host, headers string) string {
		return fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", path, host, headers)
	}
	cases := []struct {
		name, request string
		status        int
	}{
		{"fine", get("/sessions", "ADDR", auth), 200},
		{"fine by name", get("/sessions", "localhost:PORT", auth), 200},
		{"fine from itself", get("/sessions", "ADDR", auth+"Origin: http://ADDR\r\nSec-Fetch-Site: same-origin\r\n"), 200},

		{"rebinding: another name", get("/sessions", "evil.example:PORT", auth), 403},
		{"rebinding: a name without port", get("/sessions", "evil.example", auth), 403},
		{"rebinding: a name like localhost", get("/sessions", "localhost.evil.example:PORT", auth), 403},
		{"rebinding: a name that ends alike", get("/sessions", "evil-localhost:PORT", auth), 403},
		{"rebinding: a name that is an address to DNS", get("/sessions", "127.0.0.1.nip.io:PORT", auth), 403},
		{"rebinding: an address in one number", get("/sessions", "2130706433:PORT", auth), 403},
		{"forged Host: another port", get("/sessions", "127.0.0.1:1", auth), 403},
		{"forged Host: another address", get("/sessions", "192.0.2.1:PORT", auth), 403},
		{"forged Host: user name", get("/sessions", "localhost@evil.example:PORT", auth), 400},
		{"forged Host: a port that is none", get("/sessions", "localhost:PORT@evil.example", auth), 400},
		{"two Hosts", get("/sessions", "ADDR", "Host: evil.example\r\n"+auth), 400},
		{"no Host", "GET /sessions HTTP/1.1\r\n" + auth + "\r\n", 400},
		{"no Host, old", "GET /sessions HTTP/1.0\r\n" + auth + "\r\n", 403},
		{"empty Host", get("/sessions", "", auth), 403},
		{"as a proxy", get("http://evil.example/sessions", "ADDR", auth), 400},
		{"as a tunnel", "CONNECT evil.example:443 HTTP/1.1\r\nHost: ADDR\r\n" + auth + "\r\n", 400},

		{"Origin of a page", get("/sessions", "ADDR", auth+"Origin: https://evil.example\r\n"), 403},
		{"Origin null", get("/sessions", "ADDR", auth+"Origin: null\r\n"), 403},
		{"Origin empty", get("/sessions", "ADDR", auth+"Origin: \r\n"), 403},
		{"Origin of another port", get("/sessions", "ADDR", auth+"Origin: http://127.0.0.1:1\r\n"), 403},
		{"Origin with a user name", get("/sessions", "ADDR", auth+"Origin: http://x@ADDR\r\n"), 403},
		{"Origin of an extension", get("/sessions", "ADDR", auth+"Origin: chrome-extension://ADDR\r\n"), 403},
		{"two Origins", get("/sessions", "ADDR", auth+"Origin: http://ADDR\r\nOrigin: https://evil.example\r\n"), 403},
		{"cross-site without an Origin", get("/sessions", "ADDR", auth+"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"), 403},
		{"same-site is not same-origin", get("/sessions", "ADDR", auth+"Sec-Fetch-Site: same-site\r\n"), 403},
		{"cross-site POST of a form", "POST /sessions HTTP/1.1\r\nHost: ADDR\r\n" + auth + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 2\r\n\r\n{}", 415},
		{"cross-site POST of text", "POST /sessions HTTP/1.1\r\nHost: ADDR\r\n" + auth + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}", 415},
		{"POST without a type", "POST /sessions HTTP/1.1\r\nHost: ADDR\r\n" + auth + "Content-Length: 2\r\n\r\n{}", 415},
		{"POST of two types", "POST /sessions HTTP/1.1\r\nHost: ADDR\r\n" + auth + jsonType + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}", 415},
		{"preflight", "OPTIONS /sessions HTTP/1.1\r\nHost: ADDR\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n", 403},
		{"packed body", post("/sessions", "Content-Encoding: gzip\r\n", "{}"), 415},

		{"no token", get("/sessions", "ADDR", ""), 401},
		{"wrong token", get("/sessions", "ADDR", "Authorization: Bearer wrong-token-of-some-length\r\n"), 401},
		{"half the token", get("/sessions", "ADDR", "Authorization: Bearer a-token-that\r\n"), 401},
		{"token as a password", get("/sessions", "ADDR", "Authorization: Basic TOKEN\r\n"), 401},
		{"token in the query", get("/sessions?token=TOKEN", "ADDR", ""), 401},
		{"two tokens", get("/sessions", "ADDR", "Authorization: Bearer x\r\n"+auth), 401},
		{"no token for the description", get("/openapi.json", "ADDR", ""), 401},

		{"climbing", get("/sessions/../sessions", "ADDR", auth), 404},
		{"climbing, escaped", get("/sessions/%2e%2e/openapi.json", "ADDR", auth), 404},
		{"escaped slash", get("/sessions/SESSION0%2fevents", "ADDR", auth), 404},
		{"two slashes", get("//sessions", "ADDR", auth), 404},
		{"backslash", get("/sessions\\SESSION0", "ADDR", auth), 404},
		{"escaped NUL", get("/sessions/SESSION0%00/events", "ADDR", auth), 404},
		{"escaped letter", get("/%73essions", "ADDR", auth), 404},
		{"semicolon", get("/sessions;x", "ADDR", auth), 404},
		{"a dot", get("/sessions/.", "ADDR", auth), 404},
		{"long path", get("/sessions/"+strings.Repeat("a", 5000), "ADDR", auth), 404},
		{"long head", get("/sessions", "ADDR", auth+"X: "+strings.Repeat("a", 64<<10)+"\r\n"), 431},
		{"no such session", post("/sessions/OTHER/look", "", "{}"), 404},
		{"no such tool", post("/sessions/SESSION0/format", "", "{}"), 404},
		{"wrong method", "PUT /sessions HTTP/1.1\r\nHost: ADDR\r\n" + auth + "Content-Length: 0\r\n\r\n", 405},
		{"trace", "TRACE /sessions HTTP/1.1\r\nHost: ADDR\r\n" + auth + "\r\n", 405},

		{"large body", post("/sessions/SESSION0/eval", "", `{"js":"`+strings.Repeat("a", mostBody)+`"}`), 413},
		{"large body, announced", "POST /sessions/SESSION0/eval HTTP/1.1\r\nHost: ADDR\r\n" + auth + jsonType + "Content-Length: 99999999999\r\n\r\n{", 413},
		{"large body, in chunks", "POST /sessions/SESSION0/eval HTTP/1.1\r\nHost: ADDR\r\n" + auth + jsonType + "Transfer-Encoding: chunked\r\n\r\n500000\r\n" + strings.Repeat("a", 0x500000) + "\r\n0\r\n\r\n", 413},
		{"slow body", "POST /sessions/SESSION0/eval HTTP/1.1\r\nHost: ADDR\r\n" + auth + jsonType + "Content-Length: 100\r\n\r\n{", 408},
		{"two lengths", post("/sessions", "Content-Length: 1\r\n", "{}"), 400},
		{"length and chunks", post("/sessions", "Transfer-Encoding: chunked, identity\r\n", "{}"), 501},
		{"U+0000", post("/sessions/SESSION0/go", "", `{"url":"https://a.example/\u0000"}`), 400},
		{"U+0000 in a name", post("/sessions/SESSION0/go", "", `{"url\u0000":"x"}`), 400},
		{"U+0000, bare", post("/sessions/SESSION0/go", "", "{\"url\":\"a\x00\"}"), 400},
		{"a name twice", post("/sessions/SESSION0/go", "", `{"url":"https://a.example","url":"https://b.example"}`), 400},
		{"a name twice, escaped", post("/sessions/SESSION0/go", "", `{"url":"https://a.example","\u0075rl":"https://b.example"}`), 400},
		{"a name twice, deeper", post("/sessions/SESSION0/act", "", `{"steps":[{"ref":"e1","op":"click","op":"text"}]}`), 400},
		{"not UTF-8", post("/sessions/SESSION0/go", "", "{\"url\":\"\xff\xfe\"}"), 400},
		{"two values", post("/sessions/SESSION0/go", "", `{"url":"https://a.example"}{}`), 400},
		{"a list", post("/sessions/SESSION0/go", "", `[]`), 400},
		{"nested without end", post("/sessions/SESSION0/act", "", `{"steps":`+strings.Repeat("[", 100000)), 400},
		{"another's session", post("/sessions/SESSION0/look", "", `{"session":"other"}`), 400},
		{"a parameter that there is not", post("/sessions/SESSION0/look", "", `{"__proto__":{}}`), 400},
		{"cut off", post("/sessions/SESSION0/look", "", `{"find":`), 400},

		{"mcp: fine", post("/mcp", accept, hello), 200},
		{"mcp: rebinding", strings.Replace(post("/mcp", accept, hello), "Host: ADDR", "Host: evil.example:PORT", 1), 403},
		{"mcp: Origin of a page", post("/mcp", accept+"Origin: https://evil.example\r\n", hello), 403},
		{"mcp: Origin null", post("/mcp", accept+"Origin: null\r\n", hello), 403},
		{"mcp: cross-site POST of text", strings.Replace(post("/mcp", accept, hello), "application/json\r\n", "text/plain\r\n", 1), 415},
		{"mcp: no token", strings.Replace(post("/mcp", accept, hello), auth, "", 1), 401},
		{"mcp: no token for a stream", get("/mcp", "ADDR", "Accept: text/event-stream\r\n"), 401},
		{"mcp: another's session", get("/mcp", "ADDR", auth+"Accept: text/event-stream\r\nMcp-Session-Id: GUESSED\r\n"), 404},
		{"mcp: path below", post("/mcp/../sessions", "", "{}"), 404},
		{"mcp: large body", post("/mcp", accept, `{"jsonrpc":"2.0","id":1,"method":"`+strings.Repeat("a", mostBody)+`"}`), 413},
		{"mcp: slow body", strings.Replace(post("/mcp", accept, hello), "Content-Length: ", "Content-Length: 9", 1), 400},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := strings.NewReplacer("ADDR", addr, "PORT", port, "TOKEN", secret).Replace(c.request)
			status, body := raw(t, addr, text)
			if status != c.status {
				t.Errorf("status %d, want %d: %.200s", status, c.status, body)
			}
			if strings.Contains(body, secret) {
				t.Errorf("the token is told: %s", body)
			}
		})
	}
	t.Cleanup(func() {
		for _, never := range []string{secret, "evil.example", "SESSION0", "a.example"} {
			if strings.Contains(logged.String(), never) {
				t.Errorf("%q is in the log", never)
			}
		}
		guarded := 0 // what the guard refuses is logged each time
		for _, c := range cases {
			if c.status == 401 || c.status == 403 || c.status == 415 {
				guarded++
			}
		}
		if n := strings.Count(logged.String(), "refused="); n < guarded {
			t.Errorf("%d refusals are logged, and there were %d at least", n, guarded)
		}
		if !strings.Contains(logged.String(), "level=WARN") || !strings.Contains(logged.String(), `refused="the Host is not a name of this server"`) {
			t.Errorf("refusals are not logged:\n%.2000s", logged)
		}
	})
}

// TestSlowHead: a request that never comes is given up.
func TestSlowHead(t *testing.T) {
	_, addr, _ := start(t, Options{})
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "GET /sessions HTTP/1.1\r\nHost: x\r\nX: ")
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.ReadAll(conn); err != nil {
		t.Errorf("it was not given up: %v", err)
	}
}

func TestTokenOffLoopback(t *testing.T) {
	cases := []struct {
		addr, token string
		ok          bool
	}{
		{"127.0.0.1:80", "", true},
		{"[::1]:80", "", true},
		{"localhost:80", "", true},
		{"[::ffff:127.0.0.1]:80", "", true},
		{"0.0.0.0:80", "", false},
		{"[::]:80", "", false},
		{":80", "", false},
		{"192.0.2.1:80", "", false},
		{"example.com:80", "", false},
		{"0.0.0.0:80", secret, true},
		{"0.0.0.0:80", "short", false},
		{"127.0.0.1:80", "short", false},
		{"127.0.0.1:80", "with blanks in the middle", false},
	}
	for _, c := range cases {
		if err := CheckToken(c.addr, c.token); (err == nil) != c.ok {
			t.Errorf("%s %q: %v", c.addr, c.token, err)
		}
	}
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Skipf("this machine lets nobody listen on all its addresses: %v", err)
	}
	m := session.NewManager(session.Options{})
	defer m.Close()
	if err := New(Options{Sessions: m}).Serve(t.Context(), l); err == nil {
		t.Error("it serves everybody")
	}
	if _, err := net.DialTimeout("tcp", l.Addr().String(), time.Second); err == nil {
		t.Error("it still listens")
	}
}

func TestOffLoopbackHosts(t *testing.T) {
	s := &Server{opts: Options{Hosts: []string{"rove.example"}}}
	for _, c := range []struct {
		addr, host string
		ok         bool
	}{
		{"0.0.0.0:7000", "192.0.2.1:7000", true},
		{"0.0.0.0:7000", "rove.example:443", true},
		{"0.0.0.0:7000", "ROVE.example", true},
		{"0.0.0.0:7000", "evil.example:7000", false},
		{"0.0.0.0:7000", "192.0.2.1:7001", false},
		{"192.0.2.1:7000", "192.0.2.1:7000", true},
		{"192.0.2.1:7000", "192.0.2.2:7000", false},
		{"127.0.0.1:7000", "192.0.2.1:7000", false},
		{"[::1]:7000", "[::1]:7000", true},
		{"[::1]:7000", "[::1%25lo]:7000", false},
	} {
		if s.isOwnHost(c.addr, c.host) != c.ok {
			t.Errorf("%s at %s", c.host, c.addr)
		}
	}
}

// TestOriginsThatWereLetIn: a page may call if it was asked for, and only that one.
func TestOriginsThatWereLetIn(t *testing.T) {
	_, addr, _ := start(t, Options{Token: secret, Origins: []string{"https://app.example"}})
	ask := func(method, origin, token string) *http.Response {
		t.Helper()
		r, err := http.NewRequest(method, "http://"+addr+"/sessions", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", origin)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = a.Body.Close()
		return a
	}
	if a := ask("OPTIONS", "https://app.example", ""); a.StatusCode != 204 || a.Header.Get("Access-Control-Allow-Origin") != "https://app.example" {
		t.Errorf("preflight: %d %v", a.StatusCode, a.Header)
	}
	if a := ask("GET", "https://app.example", secret); a.StatusCode != 200 || a.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	if a := ask("GET", "https://app.example", ""); a.StatusCode != 401 {
		t.Errorf("without a token: %d", a.StatusCode)
	}
	if a := ask("GET", "https://app.example.evil.example", secret); a.StatusCode != 403 {
		t.Errorf("another: %d", a.StatusCode)
	}
}

// FuzzCheck: what passes is one JSON object that every reader reads alike.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1,"a":2}`, `{"a":[{"b":"\u0000"}]}`, `[1]`, `{"a":{"b":{}}} x`, "{\"\xff\":1}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if check(body) != nil {
			return
		}
		var v map[string]any
		if err := json.Unmarshal(body, &v); err != nil {
			t.Fatalf("%q passed: %v", body, err)
		}
		if bytes.Contains(body, []byte("\\u0000")) && !bytes.Contains(body, []byte("\\\\u0000")) {
			t.Fatalf("%q passed", body)
		}
	})
}
