package httpx

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"go.uber.org/goleak"
	"software.sslmate.com/src/go-pkcs12"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func client(t *testing.T) *Client {
	c := &Client{Pool: NewPool(), Config: Defaults()}
	t.Cleanup(c.Pool.Close)
	return c
}

func get(t *testing.T, c *Client, address string) (*Response, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return c.Do(ctx, &Request{Method: "GET", URL: address})
}

func reason(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return fmt.Sprint(err)
}

func TestCompressedAnswers(t *testing.T) {
	t.Parallel()
	plain := strings.Repeat("plain text ", 1000)
	write := map[string]func(io.Writer) io.WriteCloser{
		"gzip":    func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
		"br":      func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		switch name {
		case "lying":
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, "not compressed")
		case "broken":
			w.Header().Set("Content-Encoding", "gzip")
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			io.WriteString(z, plain)
			z.Close()
			w.Write(b.Bytes()[:b.Len()-20])
		case "empty":
			w.Header().Set("Content-Encoding", "gzip")
		default:
			if !strings.Contains(r.Header.Get("Accept-Encoding"), name) {
				t.Errorf("%s is not accepted: %q", name, r.Header.Get("Accept-Encoding"))
			}
			w.Header().Set("Content-Encoding", name)
			z := write[name](w)
			io.WriteString(z, plain)
			z.Close()
		}
	}))
	defer s.Close()
	c := client(t)
	for name := range write {
		r, err := get(t, c, s.URL+"/"+name)
		if err != nil || string(r.Body) != plain {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r, err := get(t, c, s.URL+"/empty"); err != nil || len(r.Body) != 0 {
		t.Errorf("empty: %v", err)
	}
	for _, name := range []string{"lying", "broken"} {
		if _, err := get(t, c, s.URL+"/"+name); reason(err) != "encoding" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFailuresHaveReasons(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			<-hang
		case "/stalls":
			io.WriteString(w, "begin")
			w.(http.Flusher).Flush()
			<-hang
		case "/closed":
			panic(http.ErrAbortHandler)
		case "/short":
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "short")
		case "/large":
			for range 2000 {
				if _, err := w.Write(make([]byte, 1024)); err != nil {
					return
				}
			}
		case "/giant":
			w.Header().Set("Content-Length", "1073741824")
			w.(http.Flusher).Flush()
			<-hang
		case "/nonsense":
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				io.WriteString(c, "\x00\x01 hello\r\n\r\n")
				c.Close()
			}
		case "/chunks":
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n")
				c.Close()
			}
		case "/heads":
			w.Header().Set("X-Long", strings.Repeat("x", maxHeaders))
		case "/circle":
			http.Redirect(w, r, "/circle2", http.StatusFound)
		case "/circle2":
			http.Redirect(w, r, "/circle", http.StatusFound)
		case "/deeper":
			http.Redirect(w, r, "/deeper?n="+r.URL.Query().Get("n")+"1", http.StatusFound)
		case "/file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(hang) })
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + l.Addr().String()
	l.Close()
	for _, c := range []struct{ address, reason, words string }{
		{nobody, "refused", "nothing listens at"},
		{"http://does-not-exist.invalid/", "dns", "no host"},
		{s.URL + "/slow", "timeout", "readTimeout"},
		{s.URL + "/stalls", "timeout", "readTimeout"},
		{s.URL + "/closed", "closed", "closed the connection"},
		{s.URL + "/short", "closed", "closed the connection"},
		{s.URL + "/large", "size", "larger than"},
		{s.URL + "/giant", "size", "larger than"},
		{s.URL + "/heads", "size", "headers of the answer"},
		{s.URL + "/nonsense", "encoding", "no proper HTTP"},
		{s.URL + "/chunks", "encoding", "no proper HTTP"},
		{"http+unix://%2Fnowhere%2Fapp.sock/x", "refused", "/nowhere/app.sock"},
		{s.URL + "/circle", "redirect", "circle"},
		{s.URL + "/deeper", "redirect", "redirected"},
		{s.URL + "/file", "redirect", "cannot be asked"},
		{secure.URL, "tls", "not trusted"},
		{strings.Replace(s.URL, "http://", "https://", 1), "tls", "does not speak TLS"},
		{strings.Replace(nobody, "http://", "http://ann:geheim@", 1), "refused", ""},
	} {
		t.Run(c.reason+" "+strings.TrimPrefix(c.address, s.URL), func(t *testing.T) {
			t.Parallel()
			k := client(t)
			k.Config.Connect, k.Config.Read, k.Config.MaxBody = 200*time.Millisecond, 300*time.Millisecond, 1<<20
			if c.reason != "timeout" {
				k.Config.Connect, k.Config.Read = 20*time.Second, 20*time.Second
			}
			_, err := get(t, k, c.address)
			if reason(err) != c.reason || !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), "geheim") {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestRedirectsAndCookies(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "hop", Value: "1"})
		http.SetCookie(w, &http.Cookie{Name: "old", MaxAge: -1})
		status := http.StatusFound
		if r.URL.Query().Get("keep") != "" {
			status = http.StatusTemporaryRedirect
		}
		to := r.URL.Query().Get("to")
		if to == "" {
			to = "/after"
		}
		http.Redirect(w, r, to, status)
	})
	mux.HandleFunc("/after", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %q cookie=%q auth=%q type=%q", r.Method, body, r.Header.Get("Cookie"), r.Header.Get("Authorization"), r.Header.Get("Content-Type"))
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	other := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	do := func(path string) *Response {
		t.Helper()
		r := &Request{Method: "POST", URL: s.URL + path, Body: []byte("data")}
		r.Header.Set("Cookie", "mine=2; old=3")
		r.Header.Set("Authorization", "Bearer t")
		r.Header.Set("Content-Type", "text/plain")
		a, err := client(t).Do(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := do("/redirect"); string(a.Body) != `GET "" cookie="mine=2; hop=1" auth="Bearer t" type=""` || len(a.Redirects) != 1 || a.Redirects[0].Status != 302 || len(a.Cookies) != 2 {
		t.Errorf("%s %v %v", a.Body, a.Redirects, a.Cookies)
	}
	if a := do("/redirect?keep=1"); string(a.Body) != `POST "data" cookie="mine=2; hop=1" auth="Bearer t" type="text/plain"` {
		t.Errorf("%s", a.Body)
	}
	if a := do("/redirect?to=" + url.QueryEscape(other+"/after")); string(a.Body) != `GET "" cookie="" auth="" type=""` {
		t.Errorf("told another host: %s", a.Body)
	}
	c := client(t)
	c.Config.FollowRedirects = false
	if a, err := get(t, c, s.URL+"/redirect"); err != nil || a.Status != 302 || a.Header.Get("Location") != "/after" {
		t.Errorf("%v %v", a, err)
	}
	kept := Carry([]Cookie{{Name: "a", Value: "1"}, {Name: "old", Value: "2"}}, do("/redirect").Cookies, time.Now())
	if got := cookieHeader(kept); got != "a=1; hop=1" {
		t.Errorf("carried %q", got)
	}
}

func TestAuth(t *testing.T) {
	t.Parallel()
	asked := 0
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Header.Get("Authorization")) })
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if r.FormValue("grant_type") != "client_credentials" || id != "me" || secret != "s" || r.FormValue("scope") != "read" {
			w.WriteHeader(401)
			io.WriteString(w, `{"error":"invalid_client"}`)
			return
		}
		asked++
		fmt.Fprintf(w, `{"access_token":"tok%d","expires_in":3600}`, asked)
	})
	mux.HandleFunc("/digest", func(w http.ResponseWriter, r *http.Request) {
		h := challenge(strings.TrimPrefix(r.Header.Get("Authorization"), "Digest "))
		if h["username"] == "ann" && h["uri"] == "/digest?x=1" && h["response"] != "" && h["nonce"] == "abc" && h["qop"] == "auth" {
			io.WriteString(w, "in")
			return
		}
		w.Header().Set("WWW-Authenticate", `Digest realm="r", nonce="abc", qop="auth,auth-int", algorithm=MD5, opaque="o"`)
		w.WriteHeader(401)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	for _, c := range []struct {
		name, path, want string
		auth             Auth
	}{
		{"basic", "/echo", "Basic YW5uOnB3", Auth{Type: "basic", Username: "ann", Password: "pw"}},
		{"bearer", "/echo", "Bearer t", Auth{Type: "bearer", Token: "t"}},
		{"digest", "/digest?x=1", "in", Auth{Type: "digest", Username: "ann", Password: "pw"}},
	} {
		k := client(t)
		k.Config.Auth = &c.auth
		if a, err := get(t, k, s.URL+c.path); err != nil || string(a.Body) != c.want {
			t.Errorf("%s: %v %v", c.name, a, err)
		}
	}
	k := client(t)
	k.Config.Auth = &Auth{Type: "oauth2", TokenURL: s.URL + "/token", ClientID: "me", ClientSecret: "s", Scope: "read"}
	for range 3 {
		if a, err := get(t, k, s.URL+"/echo"); err != nil || string(a.Body) != "Bearer tok1" {
			t.Errorf("oauth2: %v %v", a, err)
		}
	}
	for _, bad := range []Auth{{Type: "ntlm"}, {Type: "basic"}, {Type: "bearer"}, {Type: "oauth2"}, {Type: "oauth2", TokenURL: s.URL + "/token", ClientID: "x", ClientSecret: "geheim"}} {
		k.Config.Auth = &bad
		if _, err := get(t, k, s.URL+"/echo"); reason(err) != "auth" || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestDigestResponse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, challenge, password, cnonce, want string }{
		{"RFC 2617, 3.5", `Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"`, "Circle Of Life", "0a4f113b", "6629fae49393a05397450978507c4ef1"},
		{"RFC 7616, 3.9.1, SHA-256", `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`, "Circle of Life", "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"},
	} {
		a := Auth{Username: "Mufasa", Password: c.password}
		got := a.digest(http.Header{"Www-Authenticate": {c.challenge}}, "GET", "/dir/index.html", nil, c.cnonce)
		if challenge(strings.TrimPrefix(got, "Digest "))["response"] != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func TestClientCertificates(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%d %s", len(r.TLS.PeerCertificates), r.Proto)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	// The server's own pair serves as the client's, too.
	pair := s.TLS.Certificates[0]
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	s.TLS.ClientAuth, s.TLS.ClientCAs = tls.RequireAnyClientCert, pool
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	keyStore, err := pkcs12.Modern.Encode(pair.PrivateKey, s.Certificate(), nil, "pw")
	if err != nil {
		t.Fatal(err)
	}
	trustStore, err := pkcs12.Modern.EncodeTrustStore([]*x509.Certificate{s.Certificate()}, "pw")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*TLS{
		"PEM":    {KeyStore: append(cert, keyPEM...), TrustStore: cert},
		"PKCS12": {KeyStore: keyStore, KeyStorePassword: "pw", TrustStore: trustStore, TrustStorePassword: "pw"},
		"all":    {KeyStore: append(cert, keyPEM...), TrustAll: true},
	} {
		k := client(t)
		k.Config.TLS = c
		if a, err := get(t, k, s.URL); err != nil || string(a.Body) != "1 HTTP/2.0" {
			t.Errorf("%s: %v %v", name, a, err)
		}
	}
	for name, c := range map[string]*TLS{
		"wrong password": {KeyStore: keyStore, KeyStorePassword: "nope", TrustAll: true},
		"JKS":            {TrustStore: append([]byte{0xfe, 0xed, 0xfe, 0xed}, 1, 2, 3)},
		"rubbish":        {KeyStore: []byte("-----BEGIN rubbish")},
		"no certificate": {TrustAll: true},
		"algorithm":      {TrustAll: true, Algorithm: "SSLv2"},
	} {
		k := client(t)
		k.Config.TLS = c
		if _, err := get(t, k, s.URL); reason(err) != "tls" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProxyLocalAddressAndSocket(t *testing.T) {
	t.Parallel()
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "app "+r.RemoteAddr) }))
	defer app.Close()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "Basic YW5uOnB3" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		io.WriteString(w, "proxied "+r.URL.Host)
	}))
	defer proxy.Close()
	k := client(t)
	k.Config.Proxy = &Proxy{URI: proxy.URL, Username: "ann", Password: "pw", Except: []string{"127.0.0.1"}}
	if a, err := get(t, k, "http://app.example/x"); err != nil || string(a.Body) != "proxied app.example" {
		t.Errorf("%v %v", a, err)
	}
	if a, err := get(t, k, app.URL); err != nil || !strings.HasPrefix(string(a.Body), "app ") {
		t.Errorf("%v %v", a, err)
	}
	k.Config.Proxy = &Proxy{URI: "nonsense"}
	if _, err := get(t, k, app.URL); reason(err) != "proxy" {
		t.Error(err)
	}
	k.Config.Proxy = nil
	k.Config.LocalAddress = "127.0.0.1"
	if a, err := get(t, k, app.URL); err != nil || !strings.HasPrefix(string(a.Body), "app 127.0.0.1:") {
		t.Errorf("%v %v", a, err)
	}
	file := filepath.Join(t.TempDir(), "s")
	if len(file) > 100 {
		file = filepath.Join(os.TempDir(), fmt.Sprintf("rove-%d.sock", os.Getpid()))
		t.Cleanup(func() { os.Remove(file) })
	}
	l, err := net.Listen("unix", file)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.URL.Path) })}
	go server.Serve(l)
	defer server.Close()
	if a, err := get(t, client(t), "http+unix://"+url.QueryEscape(file)+"/hello"); err != nil || string(a.Body) != "/hello" {
		t.Errorf("%v %v", a, err)
	}
}

func TestCharsetsAndKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, contentType, want string }{
		{"gr\xfc\xdfe", "text/plain; charset=ISO-8859-1", "grüße"},
		{"\xef\xbb\xbfa", "text/plain", "a"},
		{"a\xffb", "text/plain; charset=utf-8", "a\uFFFDb"},
		{"x", "text/plain; charset=no-such", "x"},
	} {
		if got := Text([]byte(c.body), c.contentType); got != c.want {
			t.Errorf("%q as %s: %q", c.body, c.contentType, got)
		}
	}
	for contentType, want := range map[string]Kind{
		"application/json": JSON, "application/problem+json; charset=utf-8": JSON, "text/xml": XML, "application/soap+xml": XML,
		"text/html": HTML, "text/csv": Plain, "image/png": Binary, "application/octet-stream": Binary, "": None, "application/x-unknown": None,
	} {
		if got := KindOf(contentType); got != want {
			t.Errorf("%s: %s, want %s", contentType, got, want)
		}
	}
}

// TestReadTimeoutBeginsWithTheConnection: the time for an answer is that of Read
// alone, however long connecting may take.
func TestReadTimeoutBeginsWithTheConnection(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(s.Close)
	c := client(t)
	c.Config.Connect, c.Config.Read = time.Hour, 50*time.Millisecond
	_, err := c.Do(t.Context(), &Request{Method: "GET", URL: s.URL})
	var e *Error
	if !errors.As(err, &e) || e.Reason != "timeout" {
		t.Errorf("%v", err)
	}
}
