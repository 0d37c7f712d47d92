package feature

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/md5"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/text/encoding/htmlindex"
	"software.sslmate.com/src/go-pkcs12"

	"rove/internal/testkit/api"
	"rove/report"
)

// TestWaysToServers: certificates, proxies, sockets, credentials, encodings, as features
// write them.
func TestWaysToServers(t *testing.T) {
	t.Parallel()
	properties := waysServers(t)
	r, err := Run(t.Context(), Options{Dir: "testdata/http", Paths: []string{"ways.feature"}, Threads: 2, Output: "-", Properties: properties})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"not trusted": "not trusted", "no client certificate": "certificate", "wrong password of a store": "password",
		"the proxy turns away": "status code was: 407", "nobody is behind the socket file": "no server at the socket file",
		"an address of another machine": "no address 192.0.2.1", "a scheme that cannot be asked": `redirected to "ftp://`,
		"wrong digest password": "status code was: 401",
	}
	passed, told := 0, false
	for _, s := range r.Files[0].Scenarios {
		if name, fails := strings.CutPrefix(s.Name, "fails: "); fails {
			if s.Status != report.Failed || want[name] == "" || !strings.Contains(s.Error, want[name]) {
				t.Errorf("%s: %s: %s", s.Name, s.Status, s.Error)
			}
			delete(want, name)
			continue
		}
		if s.Status != report.Passed {
			t.Errorf("%s:%d: %s: %s", s.ErrorPath, s.ErrorLine, s.Name, s.Error)
		}
		passed++
		for _, st := range s.Steps {
			told = told || strings.Contains(st.Log, "redirected to another scheme: http://")
		}
	}
	if len(want) > 0 || passed < 20 || !told {
		t.Errorf("%d passed, a redirect to another scheme told: %v, not run: %v", passed, told, want)
	}
}

// waysServers starts a server for each way, and gives their addresses and the folder of
// the certificates.
func waysServers(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	who := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		certificates := 0
		if r.TLS != nil {
			certificates = len(r.TLS.PeerCertificates)
		}
		reply(w, map[string]any{"certificates": certificates, "proto": r.Proto, "host": r.Host, "path": r.URL.Path, "remote": r.RemoteAddr})
	})
	secure := httptest.NewUnstartedServer(who)
	mutual := httptest.NewUnstartedServer(who)
	for _, s := range []*httptest.Server{secure, mutual} {
		s.EnableHTTP2 = true
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.StartTLS()
		t.Cleanup(s.Close)
	}
	writeStores(t, dir, secure.Certificate(), mutual)
	var tokens atomic.Int64
	main := http.NewServeMux()
	all := api.Handler()
	main.Handle("/", all)
	main.Handle("/who", who)
	main.HandleFunc("/digest", digest)
	main.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) { tokens.Add(1); all.ServeHTTP(w, r) })
	main.HandleFunc("/token/used", func(w http.ResponseWriter, r *http.Request) {
		reply(w, map[string]any{"token": r.Header.Get("Authorization"), "given": tokens.Load()})
	})
	main.HandleFunc("/text/{charset}", func(w http.ResponseWriter, r *http.Request) {
		text := map[string]string{"iso-8859-1": "grüße", "shift_jis": "日本語"}[r.PathValue("charset")]
		if text == "" {
			text = "grüße €"
		}
		e, err := htmlindex.Get(r.PathValue("charset"))
		if err == nil {
			text, err = e.NewEncoder().String(text)
		}
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/plain; charset="+r.PathValue("charset"))
		_, _ = io.WriteString(w, text)
	})
	main.HandleFunc("/up", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, secure.URL+"/who", http.StatusFound) })
	main.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "ftp://host.example/x", http.StatusFound)
	})
	base := httptest.NewServer(main)
	t.Cleanup(base.Close)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "Basic YW5uOnB3" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		reply(w, map[string]any{"proxied": r.URL.String(), "for": r.Header.Get("Proxy-Authorization")})
	}))
	t.Cleanup(proxy.Close)
	short, err := os.MkdirTemp("", "rove") // a socket's path may not be long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(short) })
	file := filepath.Join(short, "s")
	l, err := net.Listen("unix", file)
	if err != nil {
		t.Fatal(err)
	}
	socket := &http.Server{Handler: who}
	go func() { _ = socket.Serve(l) }()
	t.Cleanup(func() { socket.Close() })
	return map[string]string{
		"api": base.URL, "secure": secure.URL, "mutual": mutual.URL, "proxy": proxy.URL,
		"stores": "file:" + filepath.ToSlash(dir), "socket": "http+unix://" + url.QueryEscape(file),
	}
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// digest lets in who knows the password of ann, and what was sent along.
func digest(w http.ResponseWriter, r *http.Request) {
	sum := func(parts ...string) string { return fmt.Sprintf("%x", md5.Sum([]byte(strings.Join(parts, ":")))) }
	said := map[string]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(r.Header.Get("Authorization"), "Digest "), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		said[name] = strings.Trim(value, `"`)
	}
	right := sum(sum("ann", "here", "secret"), "once", said["nc"], said["cnonce"], "auth", sum(r.Method, r.URL.Path))
	if said["response"] != right {
		w.Header().Set("WWW-Authenticate", `Digest realm="here", qop="auth", nonce="once"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	body, _ := io.ReadAll(r.Body)
	reply(w, map[string]any{"user": said["username"], "body": string(body)})
}

// writeStores writes the certificates of the servers and one of a client, in both forms,
// and tells the second server whom to ask for.
func writeStores(t *testing.T, dir string, server *x509.Certificate, mutual *httptest.Server) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "client"}, NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, form, form, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	client, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	known.AddCert(client)
	mutual.TLS.ClientAuth, mutual.TLS.ClientCAs = tls.RequireAndVerifyClientCert, known
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	clientStore, err := pkcs12.Modern.Encode(key, client, nil, "pw")
	if err != nil {
		t.Fatal(err)
	}
	trustStore, err := pkcs12.Modern.EncodeTrustStore([]*x509.Certificate{server}, "pw")
	if err != nil {
		t.Fatal(err)
	}
	text := func(kind string, b []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}) }
	for name, b := range map[string][]byte{
		"trust.pem": text("CERTIFICATE", server.Raw), "other.pem": text("CERTIFICATE", der), "trust.p12": trustStore,
		"client.pem": append(text("CERTIFICATE", der), text("PRIVATE KEY", pkcs8)...), "client.p12": clientStore,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
