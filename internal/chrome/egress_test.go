package chrome

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rove/internal/policy"
)

// TestEgress: what is allowed goes through unchanged, encrypted or not, and
// through the machine's own proxy where there is one.
func TestEgress(t *testing.T) {
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Answer", "yes")
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintf(w, "%s %s %s %q %q", r.Method, r.URL, body, r.Header.Get("X-Ask"), r.Header.Get("Proxy-Authorization"))
	})
	plain, secure := httptest.NewServer(page), httptest.NewTLSServer(page)
	defer plain.Close()
	defer secure.Close()

	var tunnels atomic.Int32
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, ok := strings.Cut(r.Header.Get("Proxy-Authorization"), " "); !ok || user != "Basic" || password != "dXNlcjpwYXNz" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		if r.Method != http.MethodConnect {
			page(w, r)
			return
		}
		tunnels.Add(1)
		there, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		here, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			_ = there.Close()
			return
		}
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			_, _ = io.Copy(there, here)
			_ = there.Close()
		}()
		_, _ = io.Copy(here, there)
		_ = here.Close()
	}))
	defer upstream.Close()
	through, err := url.Parse(strings.Replace(upstream.URL, "http://", "http://user:pass@", 1))
	if err != nil {
		t.Fatal(err)
	}

	for _, c := range []struct {
		name  string
		proxy func(*http.Request) (*url.URL, error)
		want  int32
	}{
		{"directly", func(*http.Request) (*url.URL, error) { return nil, nil }, 0},
		{"through a proxy", http.ProxyURL(through), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := policy.New([]string{plain.URL, secure.URL}, nil)
			if err != nil {
				t.Fatal(err)
			}
			way, err := newEgressThrough(p, c.proxy)
			if err != nil {
				t.Fatal(err)
			}
			defer way.close()
			at, err := url.Parse(way.address())
			if err != nil {
				t.Fatal(err)
			}
			transport := &http.Transport{Proxy: http.ProxyURL(at), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}
			client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
			before := tunnels.Load()
			for _, origin := range []string{plain.URL, secure.URL} {
				r, err := http.NewRequest(http.MethodPost, origin+"/a?b=c", strings.NewReader("body"))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("X-Ask", "please")
				a, err := client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(a.Body)
				_ = a.Body.Close()
				if err != nil || a.StatusCode != http.StatusTeapot || a.Header.Get("X-Answer") != "yes" || !strings.Contains(string(body), `/a?b=c body "please"`) {
					t.Errorf("%s: %d %v %s, %v", origin, a.StatusCode, a.Header, body, err)
				}
			}
			if got := tunnels.Load() - before; got != c.want {
				t.Errorf("%d tunnels through the proxy", got)
			}
		})
	}
}

// TestEgressEnds: no tunnel outlives the way out.
func TestEgressEnds(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p, err := policy.New([]string{"http://" + l.Addr().String()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	way, err := newEgress(p)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(way.address(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", l.Addr(), l.Addr())
	there, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	if _, err := conn.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	way.close()
	way.close()
	_ = there.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := there.Read(make([]byte, 1)); err == nil {
		t.Error("the tunnel is still open")
	}
	if _, err := net.DialTimeout("tcp", strings.TrimPrefix(way.address(), "http://"), time.Second); err == nil {
		t.Error("it still listens")
	}
}

// TestEgressByAddress: a name is held to the address it has when it is connected
// to, also one that had another a moment ago.
func TestEgressByAddress(t *testing.T) {
	var arrived atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { arrived.Add(1) }))
	defer server.Close()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	upstream, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, block string
		proxy       func(*http.Request) (*url.URL, error)
		want        int
	}{
		{"blocked by a word", "private", func(*http.Request) (*url.URL, error) { return nil, nil }, http.StatusForbidden},
		{"blocked by another spelling", "localhost", func(*http.Request) (*url.URL, error) { return nil, nil }, http.StatusForbidden},
		{"blocked, behind another proxy", "private", http.ProxyURL(upstream), http.StatusForbidden},
		{"not blocked", "evil.example", func(*http.Request) (*url.URL, error) { return nil, nil }, http.StatusOK},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules, err := policy.New(nil, []string{c.block})
			if err != nil {
				t.Fatal(err)
			}
			way, err := newEgressThrough(rules, c.proxy)
			if err != nil {
				t.Fatal(err)
			}
			defer way.close()
			way.names = rebinding(t)
			at, err := url.Parse(way.address())
			if err != nil {
				t.Fatal(err)
			}
			before := arrived.Load()
			if rules.URL("http://rebind.example:"+port) != nil {
				t.Fatal("the name alone is no reason")
			}
			for _, scheme := range []string{"http", "https"} {
				client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{Proxy: http.ProxyURL(at), DisableKeepAlives: true}}
				r, err := client.Get(scheme + "://rebind.example:" + port + "/")
				switch {
				case scheme == "https":
					if c.want != http.StatusOK && (err == nil || !strings.Contains(err.Error(), "Forbidden")) {
						t.Errorf("a tunnel: %v", err)
					}
				case err != nil:
					t.Error(err)
				case r.StatusCode != c.want:
					t.Errorf("status %d", r.StatusCode)
				}
				if err == nil {
					_ = r.Body.Close()
				}
			}
			if got := arrived.Load() - before; (got > 0) != (c.want == http.StatusOK) {
				t.Errorf("%d requests arrived", got)
			}
		})
	}
}

// rebinding is a resolver for which every name is 127.0.0.1.
func rebinding(t *testing.T) *net.Resolver {
	t.Helper()
	dns, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dns.Close() })
	go func() {
		buf := make([]byte, 512)
		for {
			n, from, err := dns.ReadFrom(buf)
			if err != nil {
				return
			}
			end := 12
			for end < n && buf[end] != 0 {
				end += int(buf[end]) + 1
			}
			end += 5 // the root, the type and the class
			answer := append([]byte{buf[0], buf[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, buf[12:end]...)
			if buf[end-3] == 1 { // an A record
				answer[7] = 1
				answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1)
			}
			_, _ = dns.WriteTo(answer, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", dns.LocalAddr().String())
	}}
}
